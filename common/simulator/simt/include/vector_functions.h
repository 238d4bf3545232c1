/* vector_functions.h - the make_* functions live beside their types here. */
#include "vector_types.h"
