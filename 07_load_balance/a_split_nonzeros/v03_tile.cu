/*
 * load_balance v3 - a tile of products in shared memory
 *
 * From    v2
 * Was     v2's neighbouring threads read seven words apart.
 * Idea    A block takes 1792 consecutive nonzeros, its TILE.  Each thread loads every 256th of them, so that loads are
 *         coalesced, and stores the products in shared memory; from there it takes seven neighbours.
 * Moves   Columns and values in whole sectors; each product through shared memory.
 * Expect  Sectors read fall to those of the matrix, the gathers and the search.  Seven is odd: the threads' seven
 *         neighbours lie in different banks.
 * Still   Every thread bisects all row offsets: 256 searches per block, although its rows are
 *         adjacent.                                                    (-> v4)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  No plan.  NOT DETERMINISTIC.
 * Launch  a memset of y, then grid = ceil(nnz / TILE), block = 256 of 7 nonzeros each.
 * Source  CUB, and D. Merrill, M. Garland (2016), use such tiles.
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
    load_balance_v3_kernel(unsigned rows, O nnz, const O *__restrict__ row_offsets,
                           const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                           const T *__restrict__ x, T *__restrict__ y)
{
    __shared__ T products[TILE];
    const O lo = (O)blockIdx.x * TILE;
    const unsigned count = (unsigned)(min(lo + TILE, nnz) - lo);

    // Each thread loads every 256th nonzero, so that the loads of a warp are coalesced.
    int32_t col[ITEMS];
    T value[ITEMS];
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) {
        const unsigned k = j * BLOCK + threadIdx.x;
        if (k < count) col[j] = col_indices[lo + k], value[j] = values[lo + k];
    }
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) // issue all gathers of x before the first result is used
        if (j * BLOCK + threadIdx.x < count) value[j] *= x[col[j]];
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j)
        if (j * BLOCK + threadIdx.x < count) products[j * BLOCK + threadIdx.x] = value[j];
    __syncthreads();

    // Then each thread adds up ITEMS adjacent products.
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
        sum += products[k];
    }
    atomicAdd(&y[row], sum);
}

template <typename T, typename O>
static cudaError_t load_balance_v3_launch(const csr_arrays_t *A, void *, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned tiles = (unsigned)((A->nnz + TILE - 1) / TILE);
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t cleared = cudaMemsetAsync(d_y, 0, A->rows * sizeof(T), stream);
    if (cleared != cudaSuccess || tiles == 0) return cleared;
    load_balance_v3_kernel<T, O><<<tiles, BLOCK, 0, stream>>>((unsigned)A->rows, (O)A->nnz,
                                                              (const O *)A->row_offsets, A->col_indices,
                                                              (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v3)
