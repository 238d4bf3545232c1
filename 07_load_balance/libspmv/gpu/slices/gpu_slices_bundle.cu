/*
 * gpu_slices_bundle.cu - bundles of up to 4 neighbours with nearly the same columns, which a lane takes together.
 *
 * The rows of a node of a finite element, or of the pages of a site, have the same columns.  Together they read each
 * column once, and each element of x once.  If one of the rows lacks a column, it has a hole there.
 *
 *   alike   compares each row with the next, and cuts runs of like rows into bundles of 4, 3 or 2
 *   merge   4 lanes walk through the rows of a bundle, and write the columns that they have together
 */
#include "gpu_slices_build.cuh"

namespace {

// Two rows are alike if at most an eighth of their nonzeros is in one of them alone, and the columns of both ascend.
__device__ __forceinline__ bool rows_alike(const int32_t *__restrict__ a, uint32_t a_length,
                                           const int32_t *__restrict__ b, uint32_t b_length, uint32_t most)
{
    if (a_length == 0 || b_length == 0 || a_length > most || b_length > most) return false;
    int32_t left = (int32_t)((a_length + b_length) / 8);
    if (max(a_length, b_length) - min(a_length, b_length) > (uint32_t)left) return false;
    uint32_t i = 0, k = 0;
    int32_t p = a[0], q = b[0];
    while (p != INT32_MAX || q != INT32_MAX) {
        const int32_t least = min(p, q);
        if (p != q && --left < 0) return false;
        if (p == least) p = ++i < a_length ? a[i] : INT32_MAX;
        if (q == least) q = ++k < b_length ? b[k] : INT32_MAX;
        if (p <= least || q <= least) return false;
    }
    return true;
}

// bundles_of[row]: the number of rows of the bundle whose first row this is; 0 for its other rows.
template <typename O>
__global__ void alike_kernel(uint32_t rows, uint32_t most, const O *__restrict__ row_offsets,
                             const int32_t *__restrict__ col_indices, unsigned char *bundles_of, uint32_t *lengths)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
    const uint32_t length = row < rows ? row_length(row_offsets, row) : 0;
    const uint32_t next_length = __shfl_down_sync(ALL_LANES, length, 1);
    const bool same =
        row + 1 < rows && lane + 1 < LANES &&
        rows_alike(col_indices + row_offsets[row], length, col_indices + row_offsets[row + 1], next_length, most);
    const unsigned unlike = ~__ballot_sync(ALL_LANES, same), before = unlike & ((1u << lane) - 1);
    const unsigned first = LANES - __clz(before), last = lane + __ffs(unlike >> lane) - 1; // of this row's run
    const unsigned run = last - first + 1, bundles = (run + MAX_HEIGHT - 1) / MAX_HEIGHT, place = lane - first;
    const unsigned which = place * bundles / run;
    const unsigned from = (which * run + bundles - 1) / bundles, to = ((which + 1) * run + bundles - 1) / bundles;
    if (row >= rows) return;
    bundles_of[row] = (unsigned char)(place == from ? to - from : 0);
    lengths[row] = length;
}

// columns: the columns of a bundle, in the place of those of its first row.  heights: the rows of each bundle; a bundle
// longer than `most`, or with more than a fifth of holes, is not made.
template <typename O>
__global__ void merge_kernel(uint32_t rows, uint32_t most, const O *__restrict__ row_offsets,
                             const int32_t *__restrict__ col_indices, const unsigned char *__restrict__ bundles_of,
                             unsigned char *heights, uint32_t *lengths, int32_t *columns)
{
    const unsigned sub = threadIdx.x % MAX_HEIGHT;
    const uint32_t leader = (uint32_t)(((uint64_t)blockIdx.x * BLOCK + threadIdx.x) / MAX_HEIGHT), row = leader + sub;
    const uint32_t height = leader < rows ? bundles_of[leader] : 0;
    const uint32_t length =
        sub < height && height > 1 ? row_length(row_offsets, row) : 0; // a single row needs no merge
    const int32_t *mine = col_indices + (length ? row_offsets[row] : 0);
    int32_t *to = columns + (length ? row_offsets[leader] : 0);
    uint32_t all = length, k = 0, count = 0;
    all += __shfl_xor_sync(ALL_LANES, all, 1);
    all += __shfl_xor_sync(ALL_LANES, all, 2);
    int32_t next = length ? mine[0] : INT32_MAX;
#pragma unroll 1
    while (true) {
        int32_t least = min(next, __shfl_xor_sync(ALL_LANES, next, 1));
        least = min(least, __shfl_xor_sync(ALL_LANES, least, 2));
        if (!__any_sync(ALL_LANES, least != INT32_MAX)) break;
        if (least == INT32_MAX) continue;
        if (sub == 0) to[count] = least;
        ++count;
        if (next == least) next = ++k < length ? mine[k] : INT32_MAX;
    }
    if (sub >= height) return;
    const bool none = count > most || (uint64_t)count * height * 4 > (uint64_t)all * 5;
    heights[row] = (unsigned char)(none ? 1 : sub == 0 ? height : 0);
    if (sub == 0 && height > 1 && !none) lengths[row] = count;
}

template <typename O>
cudaError_t bundle(const gpu_csr_t *A, uint32_t most, layout_t *l, scratch_t *scratch, cudaStream_t stream)
{
    const uint32_t rows = (uint32_t)A->rows;
    const O *row_offsets = (const O *)A->row_offsets;
    unsigned char *bundles_of, *heights;
    uint32_t *lengths;
    int32_t *columns;
    TRY(take((void **)&bundles_of, rows * sizeof *bundles_of, scratch));
    TRY(take((void **)&heights, rows * sizeof *heights, scratch));
    TRY(take((void **)&lengths, rows * sizeof *lengths, scratch));
    TRY(take((void **)&columns, (size_t)A->nnz * sizeof *columns, scratch));
    alike_kernel<O><<<blocks_for(rows, BLOCK), BLOCK, 0, stream>>>(
        rows, most, row_offsets, A->col_indices, bundles_of, lengths);
    merge_kernel<O><<<blocks_for((size_t)rows * MAX_HEIGHT, BLOCK), BLOCK, 0, stream>>>(
        rows, most, row_offsets, A->col_indices, bundles_of, heights, lengths, columns);
    l->heights = heights;
    l->lengths = lengths;
    l->columns = columns;
    return cudaPeekAtLastError();
}

} // namespace

cudaError_t slices_bundle(const gpu_csr_t *A, uint32_t most, layout_t *l, scratch_t *scratch, cudaStream_t stream)
{
    return BY_OFFSETS(A, bundle, A, most, l, scratch, stream);
}
