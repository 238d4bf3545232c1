// grade 5 1 exactly 100: *
// A lane each for rows of one nonzero.
//! solution 05_e1
