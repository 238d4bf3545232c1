/*
 * load_balance v13 - four columns and values in flight
 *
 * From    v12
 * Was     A thread of v12 loads a column, waits, loads x, waits, and only then loads the next column.
 * Idea    Process four rounds of 256 nonzeros at a time: load their columns and values, then their x, and then store
 *         the products in shared memory.  A row too long for a stretch is read in the same way and summed directly.
 * Moves   As v12.
 * Expect  The same sectors.  More requests only where a stretch ends in the middle of four rounds.  Large even matrices
 *         take far less time than in v12: one wait for four rounds instead of eight waits.
 * Still   The host cuts the stretches one after the other: the end of one is the beginning of the
 *         next.                                                        (-> v14)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  Plan: where stretches begin, made on the host
 *         (v12_whole_rows_plan.c).  Deterministic.
 * Launch  As v12.
 * Source  V. Volkov, Better Performance at Lower Occupancy (GTC 2010).
 */
#include "b_bins/v12_whole_rows_plan.h"

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
    load_balance_v13_kernel(const unsigned *__restrict__ stretch_first, const O *__restrict__ row_offsets,
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
static cudaError_t load_balance_v13_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    const row_stretches_t *stretches = (const row_stretches_t *)plan;
    if (stretches->count == 0) return cudaSuccess;
    load_balance_v13_kernel<T, O><<<stretches->count, BLOCK, 0, stream>>>(stretches->first, (const O *)A->row_offsets,
                                                                         A->col_indices, (const T *)A->values, d_x,
                                                                         d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v13)

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create_on_host<row_stretches_t>(A, true, plan, stream, [=](row_stretches_t *s, csr_t *host,
                                                                           host_memory_t *m) {
        s->first = (unsigned *)host_take(m, A->rows + 1, sizeof *s->first); // room for one stretch per row
        if (!s->first) return cudaErrorMemoryAllocation;
        s->count = cut_stretches(host, s->first);
        return plan_upload(&s->memory, &s->first, s->count + 1);
    });
}

LOAD_BALANCE_PLAN(load_balance_v13_plan, row_stretches_t)
