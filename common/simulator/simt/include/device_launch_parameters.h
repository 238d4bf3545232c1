#include "cuda_runtime.h" /* threadIdx and its kin come with cuda_runtime.h here. */
