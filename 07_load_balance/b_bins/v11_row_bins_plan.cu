/* v11_row_bins_plan.cu - the lists of rows, made on the GPU. */
#include "b_bins/v10_long_rows_plan.h"

enum { BLOCK = 256 };

template <typename O>
static __global__ void length_kernel(unsigned rows, const O *__restrict__ row_offsets, O least, O most, bool *wanted)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;
    const O length = row_offsets[row + 1] - row_offsets[row];
    wanted[row] = least <= length && length <= most;
}

template <typename T, typename O>
static cudaError_t build(row_bins_t *bins, const csr_arrays_t *A, plan_memory_t *scratch, cudaStream_t stream)
{
    const O least[BINS] = {0, SHORT_MOST + 1, MIDDLING_MOST + 1}, most[BINS] = {SHORT_MOST, MIDDLING_MOST, (O)A->nnz};
    const unsigned blocks = (unsigned)rows_places(A->rows) - 1;
    unsigned *places;
    bool *wanted;
    TRY(plan_take(&bins->memory, &bins->rows[BIN_SHORT], A->rows + 1));
    TRY(plan_take(scratch, &places, rows_places(A->rows)));
    TRY(plan_take(scratch, &wanted, A->rows));
    for (int b = 0; b < BINS && blocks > 0; ++b) {
        if (b > 0) bins->rows[b] = bins->rows[b - 1] + bins->count[b - 1];
        length_kernel<O><<<blocks, BLOCK, 0, stream>>>((unsigned)A->rows, (const O *)A->row_offsets, least[b], most[b],
                                                       wanted);
        TRY(rows_list(A->rows, wanted, places, bins->rows[b], &bins->count[b], stream));
    }
    return cudaSuccess;
}

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create<row_bins_t>(plan, [=](row_bins_t *bins, plan_memory_t *scratch) {
        return PLAN_BUILD(A, build, bins, A, scratch, stream);
    });
}

LOAD_BALANCE_PLAN(load_balance_v11_plan, row_bins_t)
