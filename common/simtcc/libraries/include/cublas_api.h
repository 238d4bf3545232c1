#include "cublas_v2.h" /* what CUDA has here comes with cublas_v2.h. */
