// grade 1 1 exactly 100: *
//! solution 01_e1
