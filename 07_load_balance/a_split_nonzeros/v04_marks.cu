/*
 * load_balance v4 - row-start flags
 *
 * From    v3
 * Was     Each of v3's threads bisects all row offsets, and reads more of them during its loop.
 * Idea    Two threads find, by one bisection each, the rows that begin in the tile.  For each of these rows a thread
 *         writes the row's number at the row's first nonzero, in shared memory: a FLAG.  The other threads read from
 *         the flags where rows begin; the nearest flag before a thread's first nonzero names its row.
 * Moves   As v3 without the searches: the offsets of a tile once.  A word of shared memory per nonzero for flags.
 * Expect  A fifth of the load requests where rows are short.  The same atomics, the same balance of blocks.
 * Still   A thread in the middle of a long row searches back to the tile's first word, up to 1792 words; and every
 *         thread with a part of a row executes an atomic.  (-> v5)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  No plan.  NOT DETERMINISTIC.
 * Launch  a memset of y, then grid = ceil(nnz / TILE), block = 256 of 7 nonzeros each.
 * Source  G. Blelloch, M. Heroux, M. Zagha, Segmented Operations for Sparse Matrix Computation (1993): flags where
 *         rows begin.
 */
#include "chapter.h"

enum { BLOCK = 256, ITEMS = 7, TILE = BLOCK * ITEMS };

// Returns the first row that begins at nonzero nz or later; `rows` if none does.
template <typename O>
static __device__ __forceinline__ unsigned first_row_from(const O *__restrict__ row_offsets, unsigned rows, O nz)
{
    unsigned from = 0, to = rows;
#pragma unroll 1
    while (from < to) {
        const unsigned middle = from + (to - from) / 2;
        if (row_offsets[middle] < nz) from = middle + 1;
        else to = middle;
    }
    return from;
}

template <typename T, typename O>
__global__ void __launch_bounds__(BLOCK)
    load_balance_v4_kernel(unsigned rows, O nnz, const O *__restrict__ row_offsets,
                           const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                           const T *__restrict__ x, T *__restrict__ y)
{
    __shared__ T products[TILE];
    __shared__ unsigned heads[TILE]; // the flags: 1 + the row that begins at this nonzero, or 0
    __shared__ unsigned border[2];   // the first row that begins in this tile, and in the next
    const O lo = (O)blockIdx.x * TILE, hi = min(lo + TILE, nnz);
    const unsigned count = (unsigned)(hi - lo), warp = threadIdx.x / 32;

    if (threadIdx.x % 32 == 0 && warp < 2)
        border[warp] = first_row_from<O>(row_offsets, rows, warp == 0 ? lo : hi);
    int32_t col[ITEMS];
    T value[ITEMS];
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) {
        const unsigned k = j * BLOCK + threadIdx.x;
        heads[k] = 0;
        if (k < count) col[j] = col_indices[lo + k], value[j] = values[lo + k];
    }
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) // issue all gathers of x before the first result is used
        if (j * BLOCK + threadIdx.x < count) value[j] *= x[col[j]];
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j)
        if (j * BLOCK + threadIdx.x < count) products[j * BLOCK + threadIdx.x] = value[j];
    __syncthreads();

    // region: step
    // Flag the first nonzero of each row.  Empty rows get no flag: their y is 0 already.
    const unsigned first = border[0], end = border[1];
#pragma unroll 1
    for (unsigned r = first + threadIdx.x; r < end; r += BLOCK) {
        const O start = row_offsets[r];
        if (row_offsets[r + 1] > start) heads[start - lo] = r + 1;
    }
    __syncthreads();

    // Each thread processes ITEMS adjacent products.  The last flag before them gives the row of the first one.
    unsigned k = threadIdx.x * ITEMS;
    const unsigned last = min(k + ITEMS, count);
    if (k >= count) return;
    unsigned row = heads[k];
#pragma unroll 1
    for (unsigned back = k; row == 0 && back > 0; row = heads[back]) --back;
    if (row == 0) row = first; // none: it began in a tile before
    T sum = 0;
#pragma unroll 1
    for (; k < last; ++k) {
        if (heads[k] > row) {
            atomicAdd(&y[row - 1], sum);
            sum = 0;
            row = heads[k];
        }
        sum += products[k];
    }
    atomicAdd(&y[row - 1], sum);
    // end: step
}

template <typename T, typename O>
static cudaError_t load_balance_v4_launch(const csr_arrays_t *A, void *, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned tiles = (unsigned)((A->nnz + TILE - 1) / TILE);
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t cleared = cudaMemsetAsync(d_y, 0, A->rows * sizeof(T), stream);
    if (cleared != cudaSuccess || tiles == 0) return cleared;
    load_balance_v4_kernel<T, O><<<tiles, BLOCK, 0, stream>>>((unsigned)A->rows, (O)A->nnz,
                                                              (const O *)A->row_offsets, A->col_indices,
                                                              (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v4)
