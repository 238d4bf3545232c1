/* sm_60_atomic_functions.h - what CUDA has here comes with cuda_runtime.h. */
#include "cuda_runtime.h"
