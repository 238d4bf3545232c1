/* syntax.cuh - kernels and names that syntax.cu includes: what stands in a header is CUDA, too. */
#ifndef SIMT_TESTS_SYNTAX_CUH
#define SIMT_TESTS_SYNTAX_CUH

enum { SYNTAX_THREADS = 64 };

__device__ int device_total;
static __device__ __forceinline__ int twice(int v) { return 2 * v; }

__global__ void included_kernel(int *out)
{
    __shared__ int tile[SYNTAX_THREADS];
    tile[threadIdx.x] = twice((int)threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = tile[SYNTAX_THREADS - 1 - threadIdx.x];
}

#endif
