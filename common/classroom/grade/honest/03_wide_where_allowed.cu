// grade 3 2 exactly 100: *
// Wide loads where a matrix allows them.
//! solution 03_e2
