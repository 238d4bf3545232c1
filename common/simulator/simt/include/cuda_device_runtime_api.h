/* cuda_device_runtime_api.h - what CUDA has here comes with cuda_runtime.h. */
#include "cuda_runtime.h"
