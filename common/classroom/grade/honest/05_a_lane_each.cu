// grade 5 1 exactly 100: *
// One lane per row for rows of one nonzero.
//! solution 05_e1
