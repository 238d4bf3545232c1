// grade 5 2 exactly 100: *
// A grid of fixed size walks over the rows; offsets are loaded by two lanes and handed on.
//! solution 05_e2
