// grade 6 1 exactly 100: *
// Chunks that become smaller.
//! solution 06_e1
