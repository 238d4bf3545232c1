#include "cuda_awbarrier_primitives.h" /* the functions of it; a barrier as a class is in <cuda/barrier>. */
