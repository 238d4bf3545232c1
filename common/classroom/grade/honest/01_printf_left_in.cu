// grade 1 1 exactly 90: *
#include "chapter.h"
#include <stdio.h>
#include <assert.h>

// TODO remove the printfs before I hand it in!!!
template <typename T> __global__ void reduce0(const T *g_idata, size_t n, T *g_odata)
{
    __shared__ T sdata[256];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * 2048 + threadIdx.x;
    sdata[tid] = 0;
    for (int k = 0; k < 8; k++, i += 256)
        if (i < n) sdata[tid] = sdata[tid] + g_idata[i];
    __syncthreads();
    for (unsigned int s = 128; s > 0; s >>= 1) {
        if (tid < s) { sdata[tid] += sdata[tid + s]; }
        __syncthreads();
    }
    if (tid == 0) {
        g_odata[blockIdx.x] = sdata[0];
        if (blockIdx.x == 0) printf("kernel: block 0 has %g of %d blocks\n", (double)sdata[0], (int)gridDim.x);
    }
}
template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *, cudaStream_t stream)
{
    printf("n = %zu, sizeof(T) = %zu, d_in = %p\n", n, sizeof(T), (const void *)d_in);
    for (;;) {
        unsigned blocks = n > 2048 ? (unsigned)((n + 2047) / 2048) : 1;
        assert(blocks >= 1);
        reduce0<T><<<blocks, 256, 0, stream>>>(d_in, n, blocks == 1 ? d_out : d_sums);
        cudaError_t err = cudaGetLastError();
        if (err != cudaSuccess) { printf("launch failed: %d\n", (int)err); return err; }
        if (blocks == 1) break;
        d_in = d_sums; d_sums += blocks; n = blocks;
    }
    puts("done");
    return cudaSuccess;
}
REDUCE_STEP(reduce_student)
