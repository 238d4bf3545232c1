// grade 5 2 exactly 100: *
// A grid of fixed size loops over the rows; two lanes load the offsets and broadcast them.
//! solution 05_e2
