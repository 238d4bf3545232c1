#include "cuda_profiler_api.h" /* the driver interface of the same. */
