/*
 * load_balance v2 - seven nonzeros per thread, whatever their rows
 *
 * From    v1
 * Was     v1 assigns rows to vectors, and rows are not equal work.
 * Idea    Assign nonzeros: each thread takes seven consecutive ones.  It finds the row of the first by
 *         bisecting the row offsets; then it loops over the seven, and adds its part of each row to y by
 *         atomicAdd.  So y is cleared first.
 * Moves   As v1; twenty offsets per thread for the search among a million rows; an atomic for each row of a thread.
 * Expect  No thread has more than seven nonzeros, so no row delays the others: the busiest block has at most 1.3 times
 *         the mean work, in v1 hundreds of times.  But the search costs more loads than the product.
 * Still   Neighbouring threads read seven words apart: each load of a warp touches 7 times the sectors it
 *         needs.                                                       (-> v3)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  No plan.  NOT DETERMINISTIC: atomics come in any order.
 * Launch  a memset of y, then grid = ceil(nnz / 1792), block = 256 threads of 7 nonzeros each.
 * Source  N. Bell, M. Garland's COO kernel (2009) assigns nonzeros; the search is plain bisection.
 */
#include "chapter.h"

enum { BLOCK = 256, ITEMS = 7, TILE = BLOCK * ITEMS };

// Returns the row of nonzero nz: the last nonempty row that begins at nz or before.
template <typename O>
static __device__ __forceinline__ unsigned row_of(const O *__restrict__ row_offsets, unsigned rows, O nz)
{
    unsigned row = 0, end = rows; // row_offsets[row] <= nz < row_offsets[end]
#pragma unroll 1
    while (end - row > 1) {
        const unsigned middle = row + (end - row) / 2;
        if (row_offsets[middle] <= nz) row = middle;
        else end = middle;
    }
    return row;
}

template <typename T, typename O>
__global__ void __launch_bounds__(BLOCK)
    load_balance_v2_kernel(unsigned rows, O nnz, const O *__restrict__ row_offsets,
                           const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                           const T *__restrict__ x, T *__restrict__ y)
{
    const O lo = (O)blockIdx.x * TILE;
    const unsigned count = (unsigned)(min(lo + TILE, nnz) - lo);

    // region: step
    unsigned k = threadIdx.x * ITEMS;
    const unsigned last = min(k + ITEMS, count);
    if (k >= count) return;
    unsigned row = row_of(row_offsets, rows, lo + k);
    O end = row_offsets[row + 1];
    T sum = 0;
#pragma unroll 1
    for (; k < last; ++k) {
        if (lo + k == end) {
            atomicAdd(&y[row], sum);
            sum = 0;
            while (lo + k == end) end = row_offsets[++row + 1]; // steps over empty rows
        }
        sum += values[lo + k] * x[col_indices[lo + k]];
    }
    atomicAdd(&y[row], sum);
    // end: step
}

template <typename T, typename O>
static cudaError_t load_balance_v2_launch(const csr_arrays_t *A, void *, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned tiles = (unsigned)((A->nnz + TILE - 1) / TILE);
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t cleared = cudaMemsetAsync(d_y, 0, A->rows * sizeof(T), stream);
    if (cleared != cudaSuccess || tiles == 0) return cleared;
    load_balance_v2_kernel<T, O><<<tiles, BLOCK, 0, stream>>>((unsigned)A->rows, (O)A->nnz,
                                                              (const O *)A->row_offsets, A->col_indices,
                                                              (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v2)
