// grade 1 1 exactly 100: *
//! with sum
HONEST
