// grade 7 2 exactly 100: *
// A segmented scan per tile.
//! solution 07_e2
