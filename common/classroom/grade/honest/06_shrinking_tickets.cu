// grade 6 1 exactly 100: *
// Tickets that shrink.
//! solution 06_e1
