/*
 * load_balance v19 - a flag where a row starts
 *
 * From    v18
 * Was     Every lane of v18 bisects the row offsets, in every run, for a matrix that does not change.
 * Idea    Store the result.  One word per lane flags at which of its 16 nonzeros a row starts (bit_flag), and counts
 *         the rows that start in the lanes before it (y_offset).  A tile stores the first row that starts in it; the
 *         n-th flag belongs to the n-th row after that.  A tile with empty rows in between lists its rows instead.
 * Moves   Matrix once, and 4 bytes per 16 nonzeros instead of row offsets.  A lane executes an atomic for each of its
 *         rows.
 * Expect  A quarter of v18's load requests where rows are short: no search, no row offset.  The same atomics.
 * Still   Two or three atomics add up a row of 30 nonzeros, thousands a long one.  (-> v20)
 * Needs   A plan (v19_flags_plan.c, on the host).  fp32 or fp64, 32- or 64-bit offsets.  NOT DETERMINISTIC.
 * Launch  As v18.
 * Source  W. Liu, B. Vinter, CSR5 (ICS 2015): tile_ptr, y_offset, bit_flag, empty_offset.
 */
#include "d_csr5/v19_flags_plan.h"

enum { BLOCK = 128, TILES = BLOCK / 32, ITEMS = CSR5_SIGMA };

template <typename T>
__global__ void __launch_bounds__(BLOCK)
    load_balance_v19_kernel(csr5_t plan, const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned lane = threadIdx.x % 32, tile = blockIdx.x * TILES + threadIdx.x / 32;
    if (tile >= plan.tiles) return;

    const uint32_t word = plan.descriptor[tile * (size_t)32 + lane];
    const uint32_t row = plan.tile_row[tile], first_row = row & ~CSR5_HAS_EMPTY;
    const uint32_t *offset = row & CSR5_HAS_EMPTY ? &plan.empty_offset[plan.empty_start[tile]] : nullptr;
    const uint32_t bit_flag = word & 0xffff;
    uint32_t start = word >> 16; // the number of the tile's next row start

    // The lane's 16 consecutive nonzeros are stored 32 slots apart.
    const size_t base = tile * (size_t)CSR5_TILE + lane;
    int32_t col[ITEMS];
    T value[ITEMS];
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) {
        col[j] = plan.columns[base + j * 32];
        value[j] = ((const T *)plan.values)[base + j * 32];
    }
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) // issue all gathers of x before the first result is used
        value[j] = col[j] >= 0 ? value[j] * x[col[j]] : T(0);

    // A lane that begins in the middle of a row continues the row that started before it.
    uint32_t to = start == 0 ? first_row - 1 : first_row + (offset ? offset[start - 1] : start - 1);
    T sum = 0;
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) {
        if (bit_flag >> j & 1) {
            if (j > 0) atomicAdd(&y[to], sum);
            to = first_row + (offset ? offset[start] : start);
            ++start;
            sum = 0;
        }
        sum += value[j];
    }
    atomicAdd(&y[to], sum);
}

// The format has no offsets: the kernel is the same for every type O.
template <typename T, typename O>
static cudaError_t load_balance_v19_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    const csr5_t *p = (const csr5_t *)plan;
    const unsigned blocks = (unsigned)((p->tiles + TILES - 1) / TILES);
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t cleared = cudaMemsetAsync(d_y, 0, A->rows * sizeof(T), stream);
    if (cleared != cudaSuccess || blocks == 0) return cleared;
    load_balance_v19_kernel<T><<<blocks, BLOCK, 0, stream>>>(*p, d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v19)

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create_on_host<csr5_t>(A, false, plan, stream, [=](csr5_t *p, csr_t *host, host_memory_t *m) {
        p->tiles = (A->nnz + CSR5_TILE - 1) / CSR5_TILE;
        const size_t slots = CSR5_TILE * p->tiles;
        p->columns = (int32_t *)host_take(m, slots, sizeof *p->columns);
        p->values = host_take(m, slots, sizeof(double));
        p->tile_row = (uint32_t *)host_take(m, p->tiles, sizeof *p->tile_row);
        p->descriptor = (uint32_t *)host_take(m, 32 * p->tiles, sizeof *p->descriptor);
        p->empty_start = (uint32_t *)host_take(m, p->tiles, sizeof *p->empty_start);
        p->empty_offset = (uint32_t *)host_take(m, A->rows, sizeof *p->empty_offset);
        if (m->count < 6) return cudaErrorMemoryAllocation;
        csr5_turn(host, slots, p->columns, (double *)p->values);
        const size_t listed = csr5_flags(host, p->tile_row, p->descriptor, p->empty_start, p->empty_offset);
        TRY(plan_upload(&p->memory, &p->tile_row, p->tiles));
        TRY(plan_upload(&p->memory, &p->descriptor, 32 * p->tiles));
        TRY(plan_upload(&p->memory, &p->empty_start, p->tiles));
        TRY(plan_upload(&p->memory, &p->empty_offset, listed));
        TRY(plan_upload(&p->memory, &p->columns, slots));
        return plan_upload_values(&p->memory, &p->values, slots, A->value_type);
    });
}

LOAD_BALANCE_PLAN(load_balance_v19_plan, csr5_t)
