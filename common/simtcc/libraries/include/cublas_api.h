/* cublas_api.h - what CUDA has here comes with cublas_v2.h. */
#include "cublas_v2.h"
