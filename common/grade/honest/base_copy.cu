// grade 2 2 exactly 100: *
//! with copy
HONEST
