/*
 * load_balance v24 - CSR5: tiles that store their rows, built on the GPU
 *
 * From    v23
 * Was     v23 lists empty rows, and rows of several tiles, on the host: the row offsets go there.
 * Idea    Build the lists by scans.  Each empty row, and each tile in which a row first continues, is a 1 in an array;
 *         the sum of the ones before it is its index in the list.  All memory is allocated at once.
 * Moves   Matrix once, and 4 bytes for 16 nonzeros, instead of row offsets.  y once; two numbers per tile of a row
 *         that continues in the next.
 * Expect  Only the number of nonzeros determines the time: one dense row takes at most a tenth more than an even
 *         matrix of as many nonzeros, and the second launch.  No shared memory, no barrier.
 * Still   The plan holds a second copy of columns and values, and the format has to be built.  Adjacent lanes gather x
 *         for nonzeros 16 apart.  Rows that cross a tile take a second launch, 2 us.         (-> v25)
 * Needs   A plan (v24_csr5_plan.cu, on the GPU).  fp32 or fp64, 32- or 64-bit offsets.  Deterministic.
 * Launch  One warp per tile, 4 tiles per block; then blocks that write the zeros of empty rows; then the calibrator.
 * Source  W. Liu, B. Vinter, CSR5 (ICS 2015): tile_ptr, y_offset, bit_flag, empty_offset, calibrator.  A vote replaces
 *         its seg_offset.  Its fast segmented sum subtracts prefix sums: an Inf in one row would then spoil the next,
 *         and a large row would round its small neighbour.  Ours adds only within rows.
 */
#include "d_csr5/v21_calibrator_plan.h"

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
    load_balance_v24_kernel(unsigned tiles, unsigned tile_blocks, unsigned empties, csr5_t plan,
                           const T *__restrict__ x, T *__restrict__ y)
{
    // The blocks after those of the tiles write 0 to the empty rows.
    if (blockIdx.x >= tile_blocks) {
        const unsigned i = (blockIdx.x - tile_blocks) * BLOCK + threadIdx.x;
        if (i < empties) y[plan.empty_rows[i]] = 0;
        return;
    }
    const unsigned lane = threadIdx.x % 32, tile = blockIdx.x * TILES + threadIdx.x / 32;
    if (tile >= tiles) return; // a whole warp

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
    if (open) y[first_row + (offset ? offset[start] : start)] = lane < 31 ? sum + rest : sum;
    if (lane == 0) ((T *)plan.calibrator)[tile] = joined; // to a row of the tiles before
}

// The format has no offsets: the kernel is the same for every type O.
template <typename T, typename O>
static cudaError_t load_balance_v24_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y,
                                          cudaStream_t stream)
{
    const csr5_t *p = (const csr5_t *)plan;
    const unsigned tile_blocks = (unsigned)((p->tiles + TILES - 1) / TILES);
    const unsigned blocks = tile_blocks + (unsigned)((p->empties + BLOCK - 1) / BLOCK);
    if (blocks == 0) return cudaSuccess;
    load_balance_v24_kernel<T><<<blocks, BLOCK, 0, stream>>>((unsigned)p->tiles, tile_blocks, (unsigned)p->empties, *p,
                                                            d_x, d_y);
    TRY(cudaGetLastError());
    return plan_add_pieces(p->run, p->runs, p->calibrator, true, d_y, A->value_type, stream);
}

LOAD_BALANCE_STEP(load_balance_v24)
