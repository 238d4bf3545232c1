#include "cuda_runtime.h" /* What CUDA has here comes with it. */
