// sums.cuh - implements sums.h on the GPU.
#ifndef APPS_SUMS_CUH
#define APPS_SUMS_CUH

#include <cuda_runtime.h>

#include "sums.h"

enum { SUM_THREADS = 256 };

// Loops over the rows of a thread, one grid size apart.
#define SUM_ROWS(row, rows)                                                             \
    for (size_t row = (size_t)blockIdx.x * SUM_THREADS + threadIdx.x; row < (rows);     \
         row += (size_t)gridDim.x * SUM_THREADS)

// The sum over the threads of a block, returned to thread 0.
static __device__ double sum_block(double sum)
{
    __shared__ double warps[SUM_THREADS / 32];
#pragma unroll
    for (unsigned s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < SUM_THREADS / 32 ? warps[threadIdx.x] : 0.0;
#pragma unroll
        for (unsigned s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    }
    __syncthreads(); // warps[] may be used again
    return sum;
}

// Sums each of COUNT numbers over all threads of the grid into out[0] .. out[COUNT - 1]: the last block to arrive adds
// the blocks' sums (chapter 01, v12).  partial has room for COUNT * SUM_BLOCKS; *arrived is zero before and after.
template <int COUNT>
static __device__ void sum_grid(const double *mine, double *partial, unsigned *arrived, double *out)
{
    __shared__ bool last;
#pragma unroll
    for (int c = 0; c < COUNT; ++c) {
        const double sum = sum_block(mine[c]);
        if (threadIdx.x == 0) partial[COUNT * blockIdx.x + c] = sum;
    }
    if (threadIdx.x == 0) {
        __threadfence(); // a block that sees the count below also sees these sums
        last = atomicAdd(arrived, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence();
#pragma unroll
    for (int c = 0; c < COUNT; ++c) {
        double sum = 0;
#pragma unroll 1
        for (unsigned k = threadIdx.x; k < gridDim.x; k += SUM_THREADS) sum += __ldcg(&partial[COUNT * k + c]);
        sum = sum_block(sum);
        if (threadIdx.x == 0) out[c] = sum;
    }
    if (threadIdx.x == 0) *arrived = 0;
}

// A loop on the GPU, by launch_name of each type.
#define SUM_LAUNCH(vectors_t, name, what)                                                 \
    static int name(const vectors_t *v, size_t k, err_t *err)                             \
    {                                                                                     \
        if (v->type == DTYPE_F64) launch_##name<double>(v, k, sum_grid_size(v->rows));    \
        else launch_##name<float>(v, k, sum_grid_size(v->rows));                          \
        return device_ok(cudaGetLastError(), what, err);                                  \
    }

// At least one block, because one must write the sum even if there are no numbers.
static inline unsigned sum_grid_size(size_t rows)
{
    const size_t blocks = (rows + SUM_THREADS - 1) / SUM_THREADS;
    return blocks < 1 ? 1u : blocks < SUM_BLOCKS ? (unsigned)blocks : (unsigned)SUM_BLOCKS;
}
#endif
