/* sm_30_intrinsics.hpp - what CUDA has here comes with cuda_runtime.h. */
#include "cuda_runtime.h"
