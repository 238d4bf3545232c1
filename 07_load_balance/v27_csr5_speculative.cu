/*
 * load_balance v27 - speculative segmented sum: guess that no row is empty
 *
 * From    v17
 * Was     v24 knows each row start's row from a descriptor and a second copy of the matrix, built in advance.
 * Idea    Keep CSR.  A block takes 1792 rows and nonzeros together, as in v17.  It marks in a bit map where rows
 *         start, and GUESSES that none of its rows is empty: then the n-th mark belongs to the n-th row, and a
 *         count of bits is all it takes to know where a sum goes.  The check is a vote that
 *         rides on a barrier it needs anyway.  Only where the guess was wrong the rows are done again.
 * Moves   As CSR: matrix once, y once.  Rows of a block with an empty row are written twice.
 * Expect  v17's time or less where few rows are empty: no search in the block.  Where every block has an
 *         empty row, a tenth more than that.  The plan is small and made in a few launches.
 * Still   Products go through shared memory, and rows that cross a border take a second launch.
 *         Short even rows do not need any of this.                                           (-> v28)
 * Needs   A plan (plans/v27_csr5_speculative.cu, on the card): first rows of the blocks.  fp32 or fp64, 32- or 64-bit
 *         offsets.  Deterministic.
 * Launch  grid = ceil((rows + nnz) / 1792), block = 256; then the sums of rows that cross a border.
 * Source  W. Liu, B. Vinter, Speculative segmented sum for SpMV on heterogeneous processors, Parallel Computing 49
 *         (2015).  There a CPU mends what the GPU guessed wrong; here the block does.
 */
#include "plans/v27_csr5_speculative.h"

enum { BLOCK = SPAN_BLOCK, ITEMS = SPAN_ITEMS, TILE = SPAN_TILE, WORDS = TILE / 32, WARPS = BLOCK / 32 };

// What a stretch of nonzeros leaves open: the sum after its last mark, and how many marks it has.
template <typename T> struct stretch { T sum; uint32_t marks; };

// Inclusive sum over the threads of the block; *before gets what the threads before have left open.
template <typename T>
static __device__ __forceinline__ void scan_stretches(stretch<T> own, stretch<T> *before)
{
    __shared__ T warp_sum[WARPS];
    __shared__ uint32_t warp_marks[WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
        const T sum = __shfl_up_sync(0xffffffffu, own.sum, d);
        const uint32_t marks = __shfl_up_sync(0xffffffffu, own.marks, d);
        if (lane >= d) {
            if (own.marks == 0) own.sum += sum;
            own.marks += marks;
        }
    }
    if (lane == 31) warp_sum[warp] = own.sum, warp_marks[warp] = own.marks;
    T sum = __shfl_up_sync(0xffffffffu, own.sum, 1);
    uint32_t marks = __shfl_up_sync(0xffffffffu, own.marks, 1);
    if (lane == 0) sum = 0, marks = 0;
    __syncthreads();
    *before = {T(0), 0};
#pragma unroll 1
    for (unsigned w = 0; w < warp; ++w) {
        before->sum = warp_marks[w] ? warp_sum[w] : before->sum + warp_sum[w];
        before->marks += warp_marks[w];
    }
    before->sum = marks ? sum : before->sum + sum;
    before->marks += marks;
}

template <typename T, typename O>
__global__ void __launch_bounds__(BLOCK)
    load_balance_v27_kernel(unsigned rows, uint64_t items, const uint32_t *__restrict__ tile_row,
                           const O *__restrict__ row_offsets, const int32_t *__restrict__ col_indices,
                           const T *__restrict__ values, const T *__restrict__ x, T *y, T *open_ends)
{
    __shared__ T product[TILE];     // if the guess was wrong: the sum of each mark
    __shared__ uint32_t mark[WORDS];
    __shared__ uint32_t before_word[WORDS];

    // Rows row0 .. row1 - 1 end in this tile, nonzeros nz0 .. nz0 + count - 1 lie in it.
    const uint64_t item0 = blockIdx.x * (uint64_t)TILE, item1 = item0 + TILE < items ? item0 + TILE : items;
    const uint32_t row0 = tile_row[blockIdx.x], row1 = tile_row[blockIdx.x + 1];
    const O nz0 = (O)(item0 - row0);
    const uint32_t count = (uint32_t)(item1 - row1 - nz0);
    T own[ITEMS];
    {
        int32_t col[ITEMS];
#pragma unroll
        for (unsigned j = 0; j < ITEMS; ++j) {
            const uint32_t k = j * BLOCK + threadIdx.x;
            col[j] = k < count ? __ldcs(&col_indices[nz0 + k]) : -1;
            own[j] = k < count ? __ldcs(&values[nz0 + k]) : T(0);
        }
#pragma unroll
        for (unsigned j = 0; j < ITEMS; ++j)
            product[j * BLOCK + threadIdx.x] = col[j] >= 0 ? own[j] * __ldg(&x[col[j]]) : T(0);
    }
    if (threadIdx.x < WORDS) mark[threadIdx.x] = 0;
    __syncthreads();

    // Mark where rows start.  The first row has started at nz0 or before: no mark.
    bool empty = false;
#pragma unroll 1
    for (uint32_t r = row0 + threadIdx.x; r < row1; r += BLOCK) {
        const uint32_t start = r == row0 ? 0 : (uint32_t)(row_offsets[r] - nz0);
        const uint32_t end = (uint32_t)(row_offsets[r + 1] - nz0);
        empty |= start == end;
        if (end > 0 && end < count) atomicOr(&mark[end / 32], 1u << end % 32);
    }
    const bool wrong = __syncthreads_or(empty);

    // Each thread's own ITEMS neighbours, and the marks among them.
    const uint32_t k0 = threadIdx.x * ITEMS, word = k0 / 32;
    const uint32_t above = word + 1 < WORDS ? mark[word + 1] : 0;
    const uint32_t marks = __funnelshift_r(mark[word], above, k0 % 32) & ((1u << ITEMS) - 1);
    stretch<T> left, mine = {T(0), (uint32_t)__popc(marks)};
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) {
        own[j] = product[k0 + j];
        mine.sum = marks >> j & 1 ? own[j] : mine.sum + own[j];
    }
    scan_stretches(mine, &left);

    // Close the sum before each mark; what stays open at the end may go on in the next tile.
    const bool open_end = row1 < rows && (uint64_t)row_offsets[row1] < nz0 + (uint64_t)count;
    const auto close_sums = [&](T *to) {
        T sum = left.sum;
        uint32_t n = left.marks;
#pragma unroll
        for (unsigned j = 0; j < ITEMS; ++j) {
            if (marks >> j & 1) {
                to[n++] = sum;
                sum = 0;
            }
            sum += own[j];
        }
        if (threadIdx.x == BLOCK - 1) {
            open_ends[blockIdx.x] = open_end ? sum : T(0);
            if (!open_end) to[n] = sum;
        }
    };
    close_sums(y + row0);
    if (!wrong) return;

    // Wrong: keep the sums here, and let each row look for its own.
    __syncthreads();
    close_sums(product);
    if (threadIdx.x < WORDS) {
        uint32_t sum = 0;
#pragma unroll 1
        for (unsigned w = 0; w < threadIdx.x; ++w) sum += __popc(mark[w]);
        before_word[threadIdx.x] = sum;
    }
    __syncthreads();
#pragma unroll 1
    for (uint32_t r = row0 + threadIdx.x; r < row1; r += BLOCK) {
        const uint32_t start = r == row0 ? 0 : (uint32_t)(row_offsets[r] - nz0);
        const uint32_t end = (uint32_t)(row_offsets[r + 1] - nz0);
        T sum = 0;
        if (end > start) sum = product[before_word[start / 32] + __popc(mark[start / 32] & ((2u << start % 32) - 1))];
        y[r] = sum;
    }
}

template <typename T, typename O>
static cudaError_t load_balance_v27_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    const spans_t *p = (const spans_t *)plan;
    const uint64_t items = (uint64_t)A->rows + A->nnz;
    if (p->tiles == 0) return cudaSuccess;
    load_balance_v27_kernel<T, O><<<(unsigned)p->tiles, BLOCK, 0, stream>>>(
        (unsigned)A->rows, items, p->tile_row, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x,
        d_y, (T *)p->open_ends);
    TRY(cudaGetLastError());
    return plan_add_pieces(p->run, p->runs, p->open_ends, true, d_y, A->value_type, stream);
}

LOAD_BALANCE_STEP(load_balance_v27)
