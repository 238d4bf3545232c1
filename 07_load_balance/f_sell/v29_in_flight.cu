/*
 * load_balance v29 - eight steps in flight
 *
 * From    v28
 * Was     A lane of v28 waits for a column, then for x, and only then loads the next column.
 * Idea    Take eight steps at a time: load their columns and values, then their x, then add.  Data that is read once
 *         is loaded evict-first (__ldcs), so that x stays in L2.  The launch bounds limit registers so that four
 *         blocks fit on an SM.
 * Moves   As v28; a filler's value is read as well.
 * Expect  The same sectors, plus those of fillers' values.  Time on large even matrices near that of a copy: one wait
 *         for eight steps instead of sixteen waits.
 * Still   The plan is built on the host, which takes longer than a thousand products.  (-> v30)
 * Needs   As v28.  Deterministic.
 * Launch  One thread per row, 256 per block.
 * Source  V. Volkov, Better Performance at Lower Occupancy (GTC 2010).
 */
#include "formats.h"
#include "f_sell/v28_slices_plan.h"

enum { BLOCK = 256, IN_FLIGHT = 8, BLOCKS_PER_SM = 4 };

template <typename T>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    load_balance_v29_kernel(unsigned rows, const uint32_t *__restrict__ first_step,
                            const int32_t *__restrict__ columns, const T *__restrict__ values,
                            const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x, slice = row / 32, lane = row % 32;
    if (row >= rows) return;
    const uint32_t start = first_step[slice], steps = first_step[slice + 1] - start;
    columns += start * (size_t)32 + lane;
    values += start * (size_t)32 + lane;

    T sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < steps; k += IN_FLIGHT) {
        int32_t col[IN_FLIGHT];
        T value[IN_FLIGHT];
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            col[j] = -1;
            value[j] = 0;
            if (k + j < steps) {
                col[j] = __ldcs(&columns[(k + j) * (size_t)32]);
                value[j] = __ldcs(&values[(k + j) * (size_t)32]);
            }
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j)
            if (col[j] >= 0) sum += value[j] * __ldg(&x[col[j]]);
    }
    y[row] = sum;
}

// The format has no offsets: the kernel is the same for every type O.
template <typename T, typename O>
static cudaError_t load_balance_v29_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y,
                                           cudaStream_t stream)
{
    const sell_plan_t *p = (const sell_plan_t *)plan;
    const unsigned rows = (unsigned)A->rows, blocks = (rows + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    load_balance_v29_kernel<T><<<blocks, BLOCK, 0, stream>>>(rows, p->first_step, p->columns, (const T *)p->values,
                                                             d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v29)

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

LOAD_BALANCE_PLAN(load_balance_v29_plan, sell_plan_t)
