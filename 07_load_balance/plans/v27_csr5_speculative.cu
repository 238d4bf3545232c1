/*
 * v27_csr5_speculative.cu - v27's plan, made on the card: how many rows have ended before each tile of rows and
 * nonzeros, and which rows go on in the next.
 */
#include "plans/v27_csr5_speculative.h"

enum { BLOCK = 256 };

static unsigned blocks_for(size_t threads) { return (unsigned)((threads + BLOCK - 1) / BLOCK); }
static __device__ __forceinline__ size_t thread_number() { return blockIdx.x * (size_t)BLOCK + threadIdx.x; }

// Row r ends at item r + row_offsets[r + 1]: how many rows have ended before the tile's first item?
template <typename O>
static __global__ void spans_rows_kernel(size_t tiles, size_t rows, size_t nnz, const O *__restrict__ row_offsets,
                                         uint32_t *tile_row)
{
    const size_t tile = thread_number();
    if (tile > tiles) return;
    const uint64_t item = tile < tiles ? tile * (uint64_t)SPAN_TILE : (uint64_t)rows + nnz;
    uint32_t low = item > nnz ? (uint32_t)(item - nnz) : 0, high = item < rows ? (uint32_t)item : (uint32_t)rows;
#pragma unroll 1
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (middle + (uint64_t)row_offsets[middle + 1] < item) low = middle + 1;
        else high = middle;
    }
    tile_row[tile] = low;
}

// Is a row open where this tile ends, a part of which lies in it?
template <typename O>
static __device__ __forceinline__ bool leaves_open(size_t tile, size_t tiles, size_t rows,
                                                   const O *__restrict__ row_offsets,
                                                   const uint32_t *__restrict__ tile_row)
{
    const uint32_t row = tile_row[tile + 1];
    return tile + 1 < tiles && row < rows && row + (uint64_t)row_offsets[row] < (tile + 1) * (uint64_t)SPAN_TILE;
}

// Tiles in which such a row begins: 0 or 1 each, then, after the scan, their list.
template <typename O>
static __global__ void spans_runs_kernel(size_t tiles, size_t rows, const O *__restrict__ row_offsets,
                                         const uint32_t *__restrict__ tile_row, uint32_t *run_before,
                                         piece_run_t *run)
{
    const size_t tile = thread_number();
    if (tile >= tiles) return;
    const uint32_t row = tile_row[tile + 1];
    const bool goes_on = tile > 0 && tile_row[tile] == row && leaves_open(tile - 1, tiles, rows, row_offsets, tile_row);
    const bool begins = !goes_on && leaves_open(tile, tiles, rows, row_offsets, tile_row);
    if (!run) run_before[tile] = begins;
    else if (begins) {
        const uint64_t end = (row + (uint64_t)row_offsets[row + 1]) / SPAN_TILE; // the tile in which it ends
        run[run_before[tile]] = {row, (uint32_t)tile, (uint32_t)(end - tile)};
    }
}

template <typename T, typename O>
static cudaError_t build(spans_t *p, const csr_arrays_t *A, plan_memory_t *scratch, cudaStream_t stream)
{
    const O *row_offsets = (const O *)A->row_offsets;
    const size_t rows = A->rows, tiles = (rows + A->nnz + SPAN_TILE - 1) / SPAN_TILE;
    uint32_t *run_before, total;
    p->tiles = tiles;
    if (tiles == 0) return cudaSuccess;
    TRY(plan_reserve(&p->memory, plan_room((tiles + 1) * 4) + plan_room(tiles * sizeof(T))));
    TRY(plan_take(&p->memory, &p->tile_row, tiles + 1));
    TRY(plan_take(&p->memory, (T **)&p->open_ends, tiles));
    TRY(plan_take(scratch, &run_before, plan_scan_words(tiles)));
    const unsigned blocks = blocks_for(tiles + 1);
    spans_rows_kernel<O><<<blocks, BLOCK, 0, stream>>>(tiles, rows, A->nnz, row_offsets, p->tile_row);
    spans_runs_kernel<O><<<blocks, BLOCK, 0, stream>>>(tiles, rows, row_offsets, p->tile_row, run_before, nullptr);
    TRY(cudaGetLastError());
    TRY(plan_scan(run_before, tiles, &total, stream));
    p->runs = total;
    if (p->runs == 0) return cudaSuccess;
    TRY(plan_take(&p->memory, &p->run, p->runs));
    spans_runs_kernel<O><<<blocks, BLOCK, 0, stream>>>(tiles, rows, row_offsets, p->tile_row, run_before, p->run);
    TRY(cudaGetLastError());
    return cudaStreamSynchronize(stream);
}

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create<spans_t>(plan, [=](spans_t *p, plan_memory_t *scratch) {
        return PLAN_BUILD(A, build, p, A, scratch, stream);
    });
}

extern "C" const load_balance_plan_ops_t load_balance_v27_plan = {create, plan_bytes<spans_t>, plan_destroy<spans_t>};
