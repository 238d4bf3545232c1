/* vector_functions.hpp - the make_* functions live beside their types here. */
#include "vector_types.h"
