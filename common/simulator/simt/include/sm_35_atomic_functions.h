#include "cuda_runtime.h" /* It declares what CUDA has here. */
