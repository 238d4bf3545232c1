/*
 * load_balance v20 - a segmented sum over the lanes of a warp
 *
 * From    v19
 * Was     In v19 every lane adds its parts of rows to y by atomics: thousands for a long row.
 * Idea    Compute a segmented sum as in v5, over a warp.  The part of a lane before its first flag belongs to the last
 *         row that started in an earlier lane.  So each lane adds the first parts of the later lanes to its sum, up to
 *         the next flag: five shuffles; one vote gives the number of lanes.  Only the first and the last row of a
 *         tile may lie in other tiles: two atomics per tile; the other rows are stored.  A lane adds one nonzero at
 *         a time, so it loads eight of its 16 at a time, which needs half the registers.
 * Moves   As v19, with two atomics per tile.
 * Expect  At most two atomics per 512 nonzeros, whatever the rows.  On one dense row a sixteenth of v19's.
 * Still   Atomics come in any order: NOT DETERMINISTIC.  And y is cleared by a separate launch.  (-> v21)
 * Needs   A plan (v19_flags_plan.c, on the host).  fp32 or fp64, 32- or 64-bit offsets.
 * Launch  As v18.
 * Source  W. Liu, B. Vinter, CSR5 (ICS 2015).  A vote replaces its seg_offset.  Its fast segmented sum subtracts prefix
 *         sums: an Inf in one row would then spoil the next, and a large row would round its small neighbour.  Ours
 *         adds only within rows.
 */
#include "d_csr5/v19_flags_plan.h"

enum { BLOCK = 128, TILES = BLOCK / 32, IN_FLIGHT = 8 };

// Returns h summed over this lane and the lanes after it, up to and including the first in which a row starts.
template <typename T>
static __device__ __forceinline__ T sum_to_next_start(T h, bool starts)
{
    const unsigned lane = threadIdx.x % 32;
    const unsigned later = __ballot_sync(0xffffffffu, starts) >> lane;
    const unsigned reach = later ? (unsigned)__ffs((int)later) - 1 : 31 - lane; // lanes after this one
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
        const T right = __shfl_down_sync(0xffffffffu, h, d);
        if (d <= reach) h += right;
    }
    return h;
}

template <typename T>
__global__ void __launch_bounds__(BLOCK)
    load_balance_v20_kernel(csr5_t plan, const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned lane = threadIdx.x % 32, tile = blockIdx.x * TILES + threadIdx.x / 32;
    if (tile >= plan.tiles) return; // a whole warp

    const uint32_t word = plan.descriptor[tile * (size_t)32 + lane];
    const uint32_t row = plan.tile_row[tile], first_row = row & ~CSR5_HAS_EMPTY;
    const uint32_t *offset = row & CSR5_HAS_EMPTY ? &plan.empty_offset[plan.empty_start[tile]] : nullptr;
    const uint32_t bit_flag = word & 0xffff;
    uint32_t start = word >> 16; // the number of the tile's next row start

    // Process the lane's 16 nonzeros.  A row start completes the sum so far, unless its row began in an earlier lane.
    const size_t base = tile * (size_t)CSR5_TILE + lane;
    T head = 0, sum = 0;
    bool open = false; // a row has started in this lane
#pragma unroll
    for (unsigned batch = 0; batch < CSR5_SIGMA; batch += IN_FLIGHT) {
        int32_t col[IN_FLIGHT];
        T value[IN_FLIGHT];
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            col[j] = __ldcs(&plan.columns[base + (batch + j) * 32]);
            value[j] = __ldcs(&((const T *)plan.values)[base + (batch + j) * 32]);
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) value[j] = col[j] >= 0 ? value[j] * __ldg(&x[col[j]]) : T(0);
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            const bool starts = bit_flag >> (batch + j) & 1;
            if (starts && open) {
                y[first_row + (offset ? offset[start] : start)] = sum;
                ++start;
            }
            head = starts && !open ? sum : head;
            sum = starts ? value[j] : sum + value[j];
            open |= starts;
        }
    }

    // The part before a lane's first row start belongs to the last row that started in an earlier lane.
    const T joined = sum_to_next_start(open ? head : sum, open);
    const T rest = __shfl_down_sync(0xffffffffu, joined, 1);
    const bool is_last = __ballot_sync(0xffffffffu, open) >> lane == 1; // its row may continue in the next tile
    if (open) {
        const uint32_t row_here = first_row + (offset ? offset[start] : start);
        const T total = lane < 31 ? sum + rest : sum;
        if (is_last) atomicAdd(&y[row_here], total);
        else y[row_here] = total;
    }
    if (lane == 0 && !(bit_flag & 1)) atomicAdd(&y[first_row - 1], joined); // began in a tile before
}

// The format has no offsets: the kernel is the same for every type O.
template <typename T, typename O>
static cudaError_t load_balance_v20_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    const csr5_t *p = (const csr5_t *)plan;
    const unsigned blocks = (unsigned)((p->tiles + TILES - 1) / TILES);
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t cleared = cudaMemsetAsync(d_y, 0, A->rows * sizeof(T), stream);
    if (cleared != cudaSuccess || blocks == 0) return cleared;
    load_balance_v20_kernel<T><<<blocks, BLOCK, 0, stream>>>(*p, d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v20)

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

LOAD_BALANCE_PLAN(load_balance_v20_plan, csr5_t)
