/*
 * load_balance v28 - SELL: slices of rows, transposed
 *
 * From    v1
 * Was     v1's vectors read rows that are far apart: their loads begin in the middle of a sector wherever a row
 *         does, and lanes are idle if rows are short.
 * Idea    Build a format.  32 adjacent rows are a SLICE, with one lane per row, all filled up to the longest.
 *         The slice is stored step by step: step k holds the k-th nonzero of each of its rows, side by side.  So
 *         each load of a warp is contiguous, and no sum over lanes is needed.
 * Moves   Matrix once with its fillers (a filler's column is -1: it is read, but not multiplied); 4 bytes per slice
 *         instead of row offsets; y once.
 * Expect  On even rows only the sectors of the matrix; no shuffle.  A long row pads the 31 others of its slice, which
 *         then takes 32 times its nonzeros.
 * Still   A lane waits for each column before it loads x, and for x before it loads the next column.  The host
 *         builds the format: the matrix is copied there and back.  (-> v29)
 * Needs   A plan (on the host).  fp32 or fp64, 32- or 64-bit offsets.  Deterministic.
 * Launch  One thread per row, 256 per block.
 * Source  A. Monakov, A. Lokhmotov, A. Avetisyan, Automatically Tuning SpMV for GPU Architectures (HiPEAC 2010):
 *         sliced ELLPACK.
 */
#include "formats.h"
#include "f_sell/v28_slices_plan.h"

enum { BLOCK = 256 };

template <typename T>
__global__ void load_balance_v28_kernel(unsigned rows, const uint32_t *__restrict__ first_step,
                                        const int32_t *__restrict__ columns, const T *__restrict__ values,
                                        const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x, slice = row / 32, lane = row % 32;
    if (row >= rows) return;
    const uint32_t start = first_step[slice], end = first_step[slice + 1];

    T sum = 0;
#pragma unroll 1
    for (uint32_t k = start; k < end; ++k) {
        const int32_t col = columns[k * (size_t)32 + lane];
        if (col >= 0) sum += values[k * (size_t)32 + lane] * x[col];
    }
    y[row] = sum;
}

// The format has no offsets: the kernel is the same for every type O.
template <typename T, typename O>
static cudaError_t load_balance_v28_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y,
                                           cudaStream_t stream)
{
    const sell_plan_t *p = (const sell_plan_t *)plan;
    const unsigned rows = (unsigned)A->rows, blocks = (rows + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    load_balance_v28_kernel<T><<<blocks, BLOCK, 0, stream>>>(rows, p->first_step, p->columns, (const T *)p->values,
                                                             d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v28)

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create_on_host<sell_plan_t>(A, false, plan, stream, [=](sell_plan_t *p, csr_t *host, host_memory_t *m) {
        err_t err;
        sell_t *made = sell_from_csr(host, 32, 1, SIZE_MAX, &err); // plain C: common/lib/matrix/formats_ell.c
        const size_t slots = made ? made->slots : 0;
        p->slices = made ? made->slices : 0;
        p->first_step = (uint32_t *)host_take(m, p->slices + 1, sizeof *p->first_step);
        if (!made || !p->first_step) return sell_free(made), cudaErrorMemoryAllocation;
        for (size_t s = 0; s <= p->slices; ++s) p->first_step[s] = (uint32_t)(made->slice_offsets[s] / 32);
        p->columns = made->col_indices;
        p->values = made->values;
        cudaError_t status = plan_upload(&p->memory, &p->first_step, p->slices + 1);
        if (status == cudaSuccess) status = plan_upload(&p->memory, &p->columns, slots);
        if (status == cudaSuccess) status = plan_upload_values(&p->memory, &p->values, slots, A->value_type);
        sell_free(made);
        return status;
    });
}

LOAD_BALANCE_PLAN(load_balance_v28_plan, sell_plan_t)
