/*
 * load_balance v14 - rows streamed through shared memory
 *
 * From    v13
 * Was     v13's stretches are cut one after the other, on the host.
 * Idea    The GPU decides for all rows at once.  A row begins a stretch if it begins in another window of 1536
 *         nonzeros than the row before it, or if one of the two is longer than a window.  So no stretch of several
 *         rows has more than 3072 nonzeros, and no decision depends on another.
 * Moves   The kernel as v13, in more stretches.  The builder reads the row offsets and writes one word per stretch.
 * Expect  About twice v13's stretches, half as full; otherwise its counts.  Set-up takes the time of a few products.
 *         Faster than v8 and v11 on short even rows.  Work per block max / mean below 5 while no row is longer than a
 *         few stretches.
 * Still   One block processes a row of ten million alone; a stretch holds between 0 and 3072 nonzeros,
 *         and building the plan takes time before the first product.   (-> v15)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  Plan: where stretches begin, made on the GPU.  Deterministic.
 * Launch  As v12.
 * Source  As v12.  In the article a CPU cuts the stretches one after the other, each as full as possible; here the GPU
 *         cuts all at once, by where rows begin, so some are less full.
 */
#include "b_bins/v14_streamed_rows_plan.h"

enum { BLOCK = 256, WARPS = BLOCK / 32, IN_FLIGHT = 4, ROUND = BLOCK * IN_FLIGHT };

// The first lane of each group of `lanes` lanes gets the sum over the group.
template <typename T>
static __device__ __forceinline__ T sum_lanes(T sum, unsigned lanes)
{
    for (unsigned s = lanes / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, (int)lanes);
    return sum;
}

// Computes IN_FLIGHT products, BLOCK nonzeros apart, with all loads in flight together; 0 from `end` on.
template <typename T, typename O>
static __device__ __forceinline__ void multiply(T *product, O nz, O end, const int32_t *__restrict__ col_indices,
                                                const T *__restrict__ values, const T *__restrict__ x)
{
    int32_t col[IN_FLIGHT];
#pragma unroll
    for (unsigned j = 0; j < IN_FLIGHT; ++j) {
        const O k = nz + j * BLOCK;
        product[j] = 0;
        if (k < end) col[j] = col_indices[k], product[j] = values[k];
    }
#pragma unroll
    for (unsigned j = 0; j < IN_FLIGHT; ++j)
        if (nz + j * BLOCK < end) product[j] *= x[col[j]];
}

template <typename T, typename O>
__global__ void __launch_bounds__(BLOCK)
    load_balance_v14_kernel(const unsigned *__restrict__ stretch_first, const O *__restrict__ row_offsets,
                           const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                           const T *__restrict__ x, T *__restrict__ y)
{
    __shared__ T products[STREAMED];
    const unsigned first = stretch_first[blockIdx.x], end = stretch_first[blockIdx.x + 1], rows = end - first;
    const O lo = row_offsets[first], hi = row_offsets[end];
    T product[IN_FLIGHT];

    if (hi - lo > STREAMED) { // a single row that is too long for a stretch
        T sum = 0;
#pragma unroll 1
        for (O nz = lo; nz < hi; nz += ROUND) {
            multiply(product, nz + threadIdx.x, hi, col_indices, values, x);
            sum += (product[0] + product[1]) + (product[2] + product[3]);
        }
        sum = sum_lanes(sum, 32);
        if (threadIdx.x % 32 == 0) products[threadIdx.x / 32] = sum;
        __syncthreads();
        if (threadIdx.x < 32) sum = sum_lanes(threadIdx.x < WARPS ? products[threadIdx.x] : T(0), WARPS);
        if (threadIdx.x == 0) y[first] = sum;
        return;
    }

#pragma unroll 1
    for (O nz = lo; nz < hi; nz += ROUND) {
        multiply(product, nz + threadIdx.x, hi, col_indices, values, x);
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) products[nz - lo + j * BLOCK + threadIdx.x] = product[j];
    }
    __syncthreads();

    // Fewer rows get more lanes each.  All lanes iterate equally often, so that each takes part in the sum.
    unsigned lanes = 32;
    while (lanes > 1 && rows * lanes > BLOCK) lanes /= 2;
    const unsigned lane = threadIdx.x % lanes;
#pragma unroll 1
    for (unsigned group = first; group < end; group += BLOCK / lanes) {
        const unsigned row = group + threadIdx.x / lanes;
        unsigned k = 0, row_end = 0;
        if (row < end) k = (unsigned)(row_offsets[row] - lo) + lane, row_end = (unsigned)(row_offsets[row + 1] - lo);
        T sum = 0;
#pragma unroll 1
        for (; k < row_end; k += lanes) sum += products[k];
        sum = sum_lanes(sum, lanes);
        if (lane == 0 && row < end) y[row] = sum;
    }
}

template <typename T, typename O>
static cudaError_t load_balance_v14_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    const row_stretches_t *stretches = (const row_stretches_t *)plan;
    if (stretches->count == 0) return cudaSuccess;
    load_balance_v14_kernel<T, O><<<stretches->count, BLOCK, 0, stream>>>(stretches->first, (const O *)A->row_offsets,
                                                                         A->col_indices, (const T *)A->values, d_x,
                                                                         d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v14)
