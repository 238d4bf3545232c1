// grade 4 1 exactly 100: *
// An ELL that knows where a row ends.
//! solution 04_e1
