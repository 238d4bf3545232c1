// grade 4 1 exactly 100: *
// ELL with row lengths.
//! solution 04_e1
