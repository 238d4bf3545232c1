/* v14_streamed_rows_plan.cu - stretches made on the GPU: each row decides whether one begins with it. */
#include "b_bins/v14_streamed_rows_plan.h"

enum { BLOCK = 256 };

template <typename O>
static __global__ void begins_kernel(unsigned rows, const O *__restrict__ row_offsets, bool *begins)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;
    begins[row] = row % MOST_ROWS == 0;
    if (begins[row]) return;
    const O before = row_offsets[row - 1], start = row_offsets[row], end = row_offsets[row + 1];
    begins[row] = before / WINDOW != start / WINDOW || start - before > WINDOW || end - start > WINDOW;
}

template <typename T, typename O>
static cudaError_t build(row_stretches_t *s, const csr_arrays_t *A, plan_memory_t *scratch, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows, blocks = (unsigned)rows_places(rows) - 1;
    unsigned *places;
    bool *begins;
    TRY(plan_take(&s->memory, &s->first, A->rows + 1)); // room for one stretch per row
    TRY(plan_take(scratch, &places, rows_places(rows)));
    TRY(plan_take(scratch, &begins, rows));
    if (blocks > 0) begins_kernel<O><<<blocks, BLOCK, 0, stream>>>(rows, (const O *)A->row_offsets, begins);
    TRY(rows_list(rows, begins, places, s->first, &s->count, stream));
    TRY(cudaMemcpyAsync(s->first + s->count, &rows, sizeof rows, cudaMemcpyHostToDevice, stream));
    return cudaStreamSynchronize(stream);
}

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create<row_stretches_t>(plan, [=](row_stretches_t *s, plan_memory_t *scratch) {
        return PLAN_BUILD(A, build, s, A, scratch, stream);
    });
}

LOAD_BALANCE_PLAN(load_balance_v14_plan, row_stretches_t)
