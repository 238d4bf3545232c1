/*
 * test_mutants_formats.cu - the kernels of v24 to v44 as plain as they can be, each with one thing broken.  All of
 * them must be rejected, by the check or by the stand-in; the ones that are not broken must be accepted.
 */
#include "d_csr5/v21_calibrator_plan.h"
#include "e_speculation/v26_bits_on_card_plan.h"
#include "g_short_columns/v42_words_plan.h"

enum { BLOCK = 128 };

enum mutant {
    CORRECT, DROPS_LAST, LOSES_LANE_CARRY, LOSES_CALIBRATOR, IGNORES_EMPTY, LEAVES_EMPTY, ADDS_INTO_Y, READS_PADDING,
    UNCHECKED_GUESS, NO_BARRIER, LOSES_OPEN_END, IGNORES_ORDER, LOSES_PIECES, ONE_LANE_WRITES, DROPS_LAST_STEP,
    NO_ESCAPE, SWAPS_HALVES, FORGETS_FIRST
};

// v24: a warp a tile, lanes joined by lane 0's loop over shared memory.
template <int MUTANT>
static __global__ void mutant_csr5_kernel(unsigned tiles, csr5_t plan, const float *__restrict__ x, float *y)
{
    __shared__ float head[32];
    __shared__ int starts[32];
    const unsigned lane = threadIdx.x, tile = blockIdx.x;
    if (tile == tiles) {
        for (unsigned i = lane; i < plan.empties && MUTANT != LEAVES_EMPTY; i += 32) y[plan.empty_rows[i]] = 0;
        return;
    }
    const uint32_t word = plan.descriptor[tile * 32 + lane], flags = word & 0xffff;
    const uint32_t first = plan.tile_row[tile] & ~CSR5_HAS_EMPTY;
    const bool has_empty = MUTANT != IGNORES_EMPTY && plan.tile_row[tile] & CSR5_HAS_EMPTY;
    uint32_t start = word >> 16;
    float sum = 0;
    bool open = false;
    head[lane] = 0;
#pragma unroll 1
    for (unsigned j = 0; j < CSR5_SIGMA; ++j) {
        const size_t k = tile * (size_t)CSR5_TILE + j * 32 + lane;
        if (flags >> j & 1) {
            if (!open) head[lane] = sum;
            else y[first + (has_empty ? plan.empty_offset[plan.empty_start[tile] + start++] : start++)] = sum;
            open = true;
            sum = 0;
        }
        const int32_t col = plan.columns[k];
        if (MUTANT == DROPS_LAST && j == CSR5_SIGMA - 1) continue;
        if (col >= 0 || MUTANT == READS_PADDING) sum += ((const float *)plan.values)[k] * x[col];
    }
    if (!open) head[lane] = sum;
    starts[lane] = open;
    __syncwarp();
    float rest = 0, before = 0;
    bool done = false;
    for (unsigned l = lane + 1; l < 32 && !done && MUTANT != LOSES_LANE_CARRY; ++l) rest += head[l], done = starts[l];
    done = false;
    for (unsigned l = 0; l < 32 && !done; ++l) before += head[l], done = starts[l];
    if (open) {
        const uint32_t row = first + (has_empty ? plan.empty_offset[plan.empty_start[tile] + start] : start);
        if (MUTANT == ADDS_INTO_Y) y[row] += sum + rest;
        else y[row] = sum + rest;
    }
    if (lane == 0) ((float *)plan.calibrator)[tile] = before;
}

template <int MUTANT>
static cudaError_t launch_csr5(const csr_arrays_t *A, void *plan, const void *d_x, void *d_y)
{
    const csr5_t *p = (const csr5_t *)plan;
    const unsigned tiles = (unsigned)p->tiles;
    mutant_csr5_kernel<MUTANT><<<tiles + 1, 32>>>(tiles, *p, (const float *)d_x, (float *)d_y);
    TRY(cudaGetLastError());
    if (MUTANT == LOSES_CALIBRATOR) return cudaSuccess;
    return plan_add_pieces(p->run, p->runs, p->calibrator, true, d_y, A->value_type, 0);
}

// v27: products by all threads, sums by thread 0.
template <int MUTANT>
static __global__ void mutant_guess_kernel(uint32_t items, const uint32_t *__restrict__ tile_row,
                                           const uint32_t *__restrict__ row_offsets, const int32_t *__restrict__ cols,
                                           const float *__restrict__ values, const float *__restrict__ x, float *y,
                                           float *open_ends)
{
    __shared__ float product[SPAN_TILE];
    const uint32_t item0 = blockIdx.x * SPAN_TILE, item1 = min(item0 + SPAN_TILE, items);
    const uint32_t row0 = tile_row[blockIdx.x], row1 = tile_row[blockIdx.x + 1], nz0 = item0 - row0, nz1 = item1 - row1;
    bool empty = false;
#pragma unroll 1
    for (uint32_t k = nz0 + threadIdx.x; k < nz1; k += BLOCK) product[k - nz0] = values[k] * x[cols[k]];
#pragma unroll 1
    for (uint32_t r = row0 + threadIdx.x; r < row1; r += BLOCK) empty |= row_offsets[r + 1] <= max(nz0, row_offsets[r]);
    const bool wrong = MUTANT == NO_BARRIER ? false : __syncthreads_or(empty);
    if (threadIdx.x > 0) return;
    uint32_t k = nz0, to = row0;
    float sum = 0;
#pragma unroll 1
    for (uint32_t r = row0; r < row1; ++r) {
        const uint32_t end = row_offsets[r + 1];
        for (sum = 0; k < end; ++k) sum += product[k - nz0];
        if (MUTANT == UNCHECKED_GUESS) {
            if (end > max(nz0, row_offsets[r])) y[to++] = sum;
        } else y[wrong ? r : to++] = sum;
    }
    for (sum = 0; k < nz1; ++k) sum += product[k - nz0];
    open_ends[blockIdx.x] = MUTANT == LOSES_OPEN_END ? 0 : sum;
}

template <int MUTANT>
static cudaError_t launch_guess(const csr_arrays_t *A, void *plan, const void *d_x, void *d_y)
{
    const spans_t *p = (const spans_t *)plan;
    mutant_guess_kernel<MUTANT><<<(unsigned)p->tiles, BLOCK>>>(
        (uint32_t)(A->rows + A->nnz), p->tile_row, (const uint32_t *)A->row_offsets, A->col_indices,
        (const float *)A->values, (const float *)d_x, (float *)d_y, (float *)p->open_ends);
    TRY(cudaGetLastError());
    return plan_add_pieces(p->run, p->runs, p->open_ends, true, d_y, A->value_type, 0);
}

// v39 and v44: a warp a slice.
template <int MUTANT, bool PACKED>
static __global__ void mutant_sell_kernel(unsigned places, sell_plan_t plan, const float *__restrict__ x, float *y)
{
    const unsigned lane = threadIdx.x;
    const uint4 mine = plan.slice[blockIdx.x];
    const unsigned steps = PACKED ? mine.w & 0xffff : mine.y, log_lanes = PACKED ? mine.w >> 16 & 7 : mine.w;
    const unsigned lanes = 1u << log_lanes, place = mine.z + (lane >> log_lanes);
    const bool wide = MUTANT != NO_ESCAPE && mine.w & SELL_WIDE;
    const uint32_t *words = (const uint32_t *)plan.columns;
    float sum = 0;
    int32_t col = -1;
    bool ended = false;
#pragma unroll 1
    for (unsigned k = 0; k < steps - (MUTANT == DROPS_LAST_STEP && steps > 0); ++k) {
        if (!PACKED) col = plan.columns[(mine.x + (size_t)k) * 32 + lane];
        else if (wide || k == 0) col = (int32_t)words[(mine.y + (size_t)k) * 32 + lane];
        else {
            const uint32_t word = words[(mine.y + (size_t)(k + 1) / 2) * 32 + lane];
            const uint32_t difference = (k % 2 == 1) != (MUTANT == SWAPS_HALVES) ? word & 0xffff : word >> 16;
            ended = ended || difference == SELL_NONE;
            col += (int32_t)difference;
        }
        if (MUTANT == FORGETS_FIRST && k == 0) continue;
        if ((col >= 0 && !ended) || MUTANT == READS_PADDING)
            sum += ((const float *)plan.values)[(mine.x + (size_t)k) * 32 + lane] * x[col];
    }
    for (unsigned s = MUTANT == ONE_LANE_WRITES ? 0 : lanes / 2; s > 0; s /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, s);
    if (lane % lanes == 0 && place < places) {
        const uint32_t row = plan.place_row && MUTANT != IGNORES_ORDER ? plan.place_row[place] : place;
        if (row & SELL_PIECE) ((float *)plan.pieces)[row & ~SELL_PIECE] = sum;
        else if (MUTANT == ADDS_INTO_Y) y[row] += sum;
        else y[row] = sum;
    }
}

template <int MUTANT, bool PACKED>
static cudaError_t launch_sell(const csr_arrays_t *A, void *plan, const void *d_x, void *d_y)
{
    const sell_plan_t *p = (const sell_plan_t *)plan;
    const unsigned places = (unsigned)p->places;
    mutant_sell_kernel<MUTANT, PACKED><<<(unsigned)p->slices, 32>>>(places, *p, (const float *)d_x, (float *)d_y);
    TRY(cudaGetLastError());
    if (MUTANT == LOSES_PIECES) return cudaSuccess;
    return plan_add_pieces(p->run, p->runs, p->pieces, false, d_y, A->value_type, 0);
}

#define MUTANT(name, ...)                                                                                    \
    extern "C" cudaError_t name(LOAD_BALANCE_ARGS)                                                           \
    {                                                                                                        \
        (void)stream;                                                                                        \
        return __VA_ARGS__(A, plan, d_x, d_y);                                                               \
    }
MUTANT(mutant_csr5_correct, launch_csr5<CORRECT>)
MUTANT(mutant_csr5_drops_last, launch_csr5<DROPS_LAST>)
MUTANT(mutant_csr5_loses_lane_carry, launch_csr5<LOSES_LANE_CARRY>)
MUTANT(mutant_csr5_loses_calibrator, launch_csr5<LOSES_CALIBRATOR>)
MUTANT(mutant_csr5_ignores_empty, launch_csr5<IGNORES_EMPTY>)
MUTANT(mutant_csr5_leaves_empty, launch_csr5<LEAVES_EMPTY>)
MUTANT(mutant_csr5_adds_into_y, launch_csr5<ADDS_INTO_Y>)
MUTANT(mutant_csr5_reads_padding, launch_csr5<READS_PADDING>)
MUTANT(mutant_guess_correct, launch_guess<CORRECT>)
MUTANT(mutant_guess_unchecked, launch_guess<UNCHECKED_GUESS>)
MUTANT(mutant_guess_no_barrier, launch_guess<NO_BARRIER>)
MUTANT(mutant_guess_loses_open_end, launch_guess<LOSES_OPEN_END>)
MUTANT(mutant_sell_correct, launch_sell<CORRECT, false>)
MUTANT(mutant_sell_ignores_order, launch_sell<IGNORES_ORDER, false>)
MUTANT(mutant_sell_loses_pieces, launch_sell<LOSES_PIECES, false>)
MUTANT(mutant_sell_one_lane_writes, launch_sell<ONE_LANE_WRITES, false>)
MUTANT(mutant_sell_drops_last_step, launch_sell<DROPS_LAST_STEP, false>)
MUTANT(mutant_sell_adds_into_y, launch_sell<ADDS_INTO_Y, false>)
MUTANT(mutant_sell_reads_padding, launch_sell<READS_PADDING, false>)
MUTANT(mutant_packed_correct, launch_sell<CORRECT, true>)
MUTANT(mutant_packed_no_escape, launch_sell<NO_ESCAPE, true>)
MUTANT(mutant_packed_swaps_halves, launch_sell<SWAPS_HALVES, true>)
MUTANT(mutant_packed_forgets_first, launch_sell<FORGETS_FIRST, true>)

// What a plan of v39 holds, and where its columns, values and rows of places are on the card.
extern "C" void peek_at_slices(const void *plan, size_t *steps, size_t *places, const void *arrays[3])
{
    const sell_plan_t *p = (const sell_plan_t *)plan;
    uint4 last = {};
    if (p->slices) cudaMemcpy(&last, &p->slice[p->slices - 1], sizeof last, cudaMemcpyDeviceToHost);
    *steps = last.x + (size_t)last.y;
    *places = p->places;
    arrays[0] = p->columns;
    arrays[1] = p->values;
    arrays[2] = p->place_row;
}
