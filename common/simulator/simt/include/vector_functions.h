#include "vector_types.h" /* the make_* functions live beside their types here. */
