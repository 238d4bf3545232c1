#include "driver_types.h" /* the types of the runtime. */
