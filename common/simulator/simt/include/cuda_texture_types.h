/* cuda_texture_types.h - what CUDA has here comes with cuda_runtime.h. */
#include "cuda_runtime.h"
