// grade 6 2 exactly 100: *
//! solution 06_e2
