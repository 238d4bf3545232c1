#include "cublas_v2.h" /* cublas_v2.h has the contents of CUDA's cublas_api.h. */
