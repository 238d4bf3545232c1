// grade 4 2 exactly 100: *
// Four rows per thread.
//! solution 04_e2
