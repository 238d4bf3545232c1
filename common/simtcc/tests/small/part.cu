// A program of several files: its kernel, with a function that launches it.
#include "part.cuh"
__device__ int twice(int x) { return 2 * x; }
__global__ void k(int *p) { *p = twice(21); }
void run(int *p) { k<<<1, 1>>>(p); }
