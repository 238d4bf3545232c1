/* builtin_types.h - the types of the runtime. */
#include "driver_types.h"
