// grade 7 1 exactly 100: *
// Eight nonzeros per lane.
//! solution 07_e1
