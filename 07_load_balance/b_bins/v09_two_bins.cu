/*
 * load_balance v9 - rows in two bins: one thread per short row, one warp per other row
 *
 * From    v1
 * Was     v8 treats every tile as if rows could end anywhere, and this costs time on even matrices, too.
 * Idea    The host makes two lists once: rows of up to 8 nonzeros, and the others.  Then
 *         v1's kernel processes each list, with one lane per short row and 32 per other row.
 * Moves   As v1, and the list: 4 bytes per row.
 * Expect  No search, no flags, no shared memory.  The rows beside a long one no longer wait for it: maxblock on the
 *         power law is a third of v1's.
 * Still   One warp processes a row of a million, 32 nonzeros at a time, and it may start late.
 *         The lists are made on the host.                              (-> v10)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  Plan: the lists, made on the host (v09_two_bins_plan.c).
 *         Deterministic.
 * Launch  two kernels: grid = ceil(rows in the list / VECTORS), block = 256 = VECTORS vectors of 32 lanes or of 1.
 * Source  A. Ashari et al., Fast Sparse Matrix-Vector Multiplication on GPUs for Graph Applications (ACSR, SC 2014).
 */
#include "b_bins/v09_two_bins_plan.h"

enum { BLOCK = 256 };

template <int LANES, typename T, typename O>
__global__ void load_balance_v9_kernel(unsigned count, const unsigned *__restrict__ list,
                                       const O *__restrict__ row_offsets, const int32_t *__restrict__ col_indices,
                                       const T *__restrict__ values, const T *__restrict__ x, T *__restrict__ y)
{
    constexpr unsigned VECTORS = BLOCK / LANES;
    const unsigned lane = threadIdx.x % LANES;
    const unsigned i = blockIdx.x * VECTORS + threadIdx.x / LANES;

    // A vector past the end of the list processes an empty row: its lanes must take part in the sum.
    unsigned row = 0;
    O start = 0, end = 0;
    if (i < count) {
        row = list[i];
        start = row_offsets[row];
        end = row_offsets[row + 1];
    }

    T sum = 0;
#pragma unroll 1
    for (O nz = start + lane; nz < end; nz += LANES) sum += values[nz] * x[col_indices[nz]];

#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    if (lane == 0 && i < count) y[row] = sum;
}

template <int LANES, typename T, typename O>
static cudaError_t start_kernel(const csr_arrays_t *A, unsigned count, const unsigned *list, const T *d_x, T *d_y,
                                cudaStream_t stream)
{
    const unsigned VECTORS = BLOCK / LANES;
    const unsigned blocks = (count + VECTORS - 1) / VECTORS;
    if (blocks == 0) return cudaSuccess;
    load_balance_v9_kernel<LANES, T, O><<<blocks, BLOCK, 0, stream>>>(
        count, list, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

template <typename T, typename O>
static cudaError_t load_balance_v9_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    const row_bins_t *bins = (const row_bins_t *)plan;
    TRY((start_kernel<32, T, O>(A, bins->count[BIN_LONG], bins->rows[BIN_LONG], d_x, d_y, stream)));
    return start_kernel<1, T, O>(A, bins->count[BIN_SHORT], bins->rows[BIN_SHORT], d_x, d_y, stream);
}

LOAD_BALANCE_STEP(load_balance_v9)

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create_on_host<row_bins_t>(A, true, plan, stream, [=](row_bins_t *bins, csr_t *host, host_memory_t *m) {
        const int64_t least[BINS] = {0, SHORT_MOST + 1}, most[BINS] = {SHORT_MOST, INT64_MAX};
        unsigned *list = (unsigned *)host_take(m, A->rows + 1, sizeof *list), listed = 0;
        if (!list) return cudaErrorMemoryAllocation;
        for (int b = 0; b < BINS; ++b)
            listed += bins->count[b] = rows_of_length(host, least[b], most[b], list + listed);
        TRY(plan_upload(&bins->memory, &list, A->rows + 1));
        bins->rows[BIN_SHORT] = list;
        for (int b = 1; b < BINS; ++b) bins->rows[b] = bins->rows[b - 1] + bins->count[b - 1];
        return cudaSuccess;
    });
}

LOAD_BALANCE_PLAN(load_balance_v9_plan, row_bins_t)
