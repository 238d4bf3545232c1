// grade 3 2 exactly 100: *
// Wide loads if the matrix is aligned.
//! solution 03_e2
