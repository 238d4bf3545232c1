/*
 * load_balance v12 - whole rows streamed through shared memory
 *
 * From    v11
 * Was     v11's threads and warps read rows that are far apart, and the rows of a bin differ in length.
 * Idea    A block takes a stretch: as many adjacent rows as fit into its shared memory, up to 3072 nonzeros.  It loads
 *         256 neighbours at once and stores the products in shared memory.  Only then it divides its threads among the
 *         rows.  The host cuts the matrix into stretches, one after the other, each as full as possible.
 *         A row too long for a stretch gets a whole block, as in v11.
 * Moves   As v1, and one word per stretch; each product through shared memory.
 * Expect  Loads in whole sectors whatever the rows, no search, no carries: on a mesh less than half of v11's sectors.
 *         Work per block max / mean below 3 while no row is longer than a stretch.
 * Still   A thread loads a column, waits, loads x, waits, and only then loads the next column.  (-> v13)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  Plan: where stretches begin, made on the host
 *         (v12_whole_rows_plan.c).  Deterministic.
 * Launch  grid = stretches, block = 256.
 * Source  J. Greathouse, M. Daga, Efficient Sparse Matrix-Vector Multiplication on GPUs Using the CSR Storage
 *         Format (CSR-Adaptive, SC 2014).
 */
#include "b_bins/v12_whole_rows_plan.h"

enum { BLOCK = 256, WARPS = BLOCK / 32 };

// Lane 0 gets the sum over the 32 lanes of its warp.
template <typename T>
static __device__ __forceinline__ T sum_warp(T sum)
{
#pragma unroll
    for (unsigned s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    return sum;
}

// Returns the sum over nonzeros start, start + stride, and so on, of which four are in flight at a time.
template <typename T, typename O>
static __device__ __forceinline__ T sum_strided(O start, O end, unsigned stride,
                                                const int32_t *__restrict__ col_indices,
                                                const T *__restrict__ values, const T *__restrict__ x)
{
    T sum = 0;
    O nz = start;
#pragma unroll 1
    for (; nz + 3 * stride < end; nz += 4 * stride) {
        T part[4];
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) part[j] = values[nz + j * stride] * x[col_indices[nz + j * stride]];
        sum += (part[0] + part[1]) + (part[2] + part[3]);
    }
#pragma unroll 1
    for (; nz < end; nz += stride) sum += values[nz] * x[col_indices[nz]];
    return sum;
}

template <typename T, typename O>
__global__ void __launch_bounds__(BLOCK)
    load_balance_v12_kernel(const unsigned *__restrict__ stretch_first, const O *__restrict__ row_offsets,
                           const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                           const T *__restrict__ x, T *__restrict__ y)
{
    __shared__ T partial[WARPS];
    __shared__ T products[STREAMED];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned first = stretch_first[blockIdx.x], end = stretch_first[blockIdx.x + 1], rows = end - first;
    const O lo = row_offsets[first], hi = row_offsets[end];

    if (hi - lo > STREAMED) { // a single row that is too long for a stretch
        T sum = sum_strided(lo + threadIdx.x, hi, BLOCK, col_indices, values, x);
        sum = sum_warp(sum);
        if (lane == 0) partial[warp] = sum;
        __syncthreads();
        if (warp == 0) sum = sum_warp(lane < WARPS ? partial[lane] : T(0));
        if (threadIdx.x == 0) y[first] = sum;
        return;
    }

    // region: step
#pragma unroll 1
    for (O nz = lo + threadIdx.x; nz < hi; nz += BLOCK) products[nz - lo] = values[nz] * x[col_indices[nz]];
    __syncthreads();

    // Fewer rows get more lanes each.  All lanes iterate equally often, so that each takes part in the sum.
    unsigned lanes = 32;
    while (lanes > 1 && rows * lanes > BLOCK) lanes /= 2;
    const unsigned part = threadIdx.x % lanes;
#pragma unroll 1
    for (unsigned group = first; group < end; group += BLOCK / lanes) {
        const unsigned row = group + threadIdx.x / lanes;
        unsigned k = 0, row_end = 0;
        if (row < end) k = (unsigned)(row_offsets[row] - lo) + part, row_end = (unsigned)(row_offsets[row + 1] - lo);
        T sum = 0;
#pragma unroll 1
        for (; k < row_end; k += lanes) sum += products[k];
        for (unsigned s = lanes / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, (int)lanes);
        if (part == 0 && row < end) y[row] = sum;
    }
    // end: step
}

template <typename T, typename O>
static cudaError_t load_balance_v12_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    const row_stretches_t *stretches = (const row_stretches_t *)plan;
    if (stretches->count == 0) return cudaSuccess;
    load_balance_v12_kernel<T, O><<<stretches->count, BLOCK, 0, stream>>>(stretches->first, (const O *)A->row_offsets,
                                                                         A->col_indices, (const T *)A->values, d_x,
                                                                         d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v12)

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

LOAD_BALANCE_PLAN(load_balance_v12_plan, row_stretches_t)
