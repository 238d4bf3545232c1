/* cudaProfiler.h - the driver interface of the same. */
#include "cuda_profiler_api.h"
