/* cuda_stdint.h - the standard's header. */
#include <stdint.h>
