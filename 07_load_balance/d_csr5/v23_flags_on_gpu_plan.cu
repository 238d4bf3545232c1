/*
 * v23_flags_on_gpu_plan.cu - CSR5: the GPU finds the row starts in the tiles; the host lists the rows that
 * continue in later tiles.
 *
 * One thread per row sets the flag at its first nonzero.  One thread per tile counts flags into y_offset, finds the
 * first and the last row, and derives from the count whether one in between is empty.  A scan gives the lists' starts.
 */
#include "d_csr5/v21_calibrator_plan.h"
#include "search.h"

enum { BLOCK = 256 };

static unsigned blocks_for(size_t threads) { return (unsigned)((threads + BLOCK - 1) / BLOCK); }
static __device__ __forceinline__ size_t thread_number() { return blockIdx.x * (size_t)BLOCK + threadIdx.x; }

// Sets the flag of each nonzero at which a row starts.
template <typename O>
static __global__ void csr5_flags_kernel(size_t rows, const O *__restrict__ row_offsets, uint32_t *descriptor)
{
    const size_t row = thread_number();
    if (row >= rows) return;
    const uint64_t k = row_offsets[row];
    if (k < (uint64_t)row_offsets[row + 1]) atomicOr(&descriptor[k / CSR5_SIGMA], 1u << k % CSR5_SIGMA);
}

// Counts the flags of the earlier lanes (y_offset).  A tile that spans more rows than it has flags has empty rows.
template <typename O>
static __global__ void csr5_offsets_kernel(size_t tiles, size_t rows, size_t nnz, const O *__restrict__ row_offsets,
                                           uint32_t *tile_row, uint32_t *descriptor, uint32_t *empty_start)
{
    const size_t tile = thread_number();
    if (tile >= tiles) return;
    uint32_t starts = 0;
#pragma unroll 1
    for (size_t lane = tile * 32; lane < (tile + 1) * 32; ++lane) {
        const uint32_t flags = descriptor[lane];
        descriptor[lane] = flags | starts << 16;
        starts += (uint32_t)__popc(flags);
    }
    const uint64_t k = tile * CSR5_TILE, end = k + CSR5_TILE < nnz ? k + CSR5_TILE : nnz;
    const uint32_t row = row_of_nonzero(row_offsets, rows, k), last = row_of_nonzero(row_offsets, rows, end - 1);
    const uint32_t first = (uint64_t)row_offsets[row] == k ? row : row + 1;
    const bool has_empty = last + 1 - first != starts;
    tile_row[tile] = has_empty ? first | CSR5_HAS_EMPTY : first;
    empty_start[tile] = has_empty ? starts : 0;
}

// For tiles with empty rows, lists the row of each row start.
template <typename O>
static __global__ void csr5_empty_kernel(size_t rows, const O *__restrict__ row_offsets,
                                         const uint32_t *__restrict__ tile_row,
                                         const uint32_t *__restrict__ descriptor,
                                         const uint32_t *__restrict__ empty_start, uint32_t *empty_offset)
{
    const size_t row = thread_number();
    if (row >= rows) return;
    const uint64_t k = row_offsets[row];
    if ((uint64_t)row_offsets[row + 1] == k) return;
    const uint32_t first = tile_row[k / CSR5_TILE], word = descriptor[k / CSR5_SIGMA];
    if (!(first & CSR5_HAS_EMPTY)) return;
    const uint32_t start = (word >> 16) + (uint32_t)__popc(word & ((1u << k % CSR5_SIGMA) - 1));
    empty_offset[empty_start[k / CSR5_TILE] + start] = (uint32_t)row - (first & ~CSR5_HAS_EMPTY);
}

// Transposes a tile: the 16 nonzeros of a lane are stored 32 words apart.
template <typename T>
static __global__ void csr5_transpose_kernel(size_t slots, size_t nnz, const int32_t *__restrict__ col_indices,
                                             const T *__restrict__ values, int32_t *columns, T *to)
{
    const size_t slot = thread_number();
    if (slot >= slots) return;
    const size_t in_tile = slot % CSR5_TILE, k = slot - in_tile + in_tile % 32 * CSR5_SIGMA + in_tile / 32;
    columns[slot] = k < nnz ? col_indices[k] : -1;
    to[slot] = k < nnz ? values[k] : T(0);
}

template <typename T, typename O>
static cudaError_t build(csr5_t *p, const csr_arrays_t *A, cudaStream_t stream)
{
    const O *row_offsets = (const O *)A->row_offsets;
    const size_t rows = A->rows, nnz = A->nnz, tiles = p->tiles, slots = CSR5_TILE * tiles;
    uint32_t total;
    T *values;
    if (tiles == 0) return cudaSuccess;
    TRY(plan_take(&p->memory, &p->tile_row, tiles));
    TRY(plan_take(&p->memory, &p->descriptor, 32 * tiles));
    TRY(plan_take(&p->memory, &p->empty_start, plan_scan_words(tiles)));
    TRY(plan_take(&p->memory, (T **)&p->calibrator, tiles));
    TRY(plan_take(&p->memory, &p->columns, slots));
    TRY(plan_take(&p->memory, &values, slots));
    p->values = values;

    TRY(cudaMemsetAsync(p->descriptor, 0, 32 * tiles * sizeof *p->descriptor, stream));
    csr5_flags_kernel<O><<<blocks_for(rows), BLOCK, 0, stream>>>(rows, row_offsets, p->descriptor);
    csr5_offsets_kernel<O><<<blocks_for(tiles), BLOCK, 0, stream>>>(tiles, rows, nnz, row_offsets, p->tile_row,
                                                                    p->descriptor, p->empty_start);
    csr5_transpose_kernel<T><<<blocks_for(slots), BLOCK, 0, stream>>>(slots, nnz, A->col_indices,
                                                                      (const T *)A->values, p->columns, values);

    // The scan gives the lengths of the lists.
    TRY(plan_scan(p->empty_start, tiles, &total, stream));
    TRY(plan_take(&p->memory, &p->empty_offset, total));
    if (total > 0)
        csr5_empty_kernel<O><<<blocks_for(rows), BLOCK, 0, stream>>>(rows, row_offsets, p->tile_row, p->descriptor,
                                                                     p->empty_start, p->empty_offset);
    TRY(cudaGetLastError());
    return cudaStreamSynchronize(stream);
}

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create_on_host<csr5_t>(A, true, plan, stream, [=](csr5_t *p, csr_t *host, host_memory_t *m) {
        p->tiles = (A->nnz + CSR5_TILE - 1) / CSR5_TILE;
        p->empty_rows = (uint32_t *)host_take(m, A->rows, sizeof *p->empty_rows);
        p->run = (piece_run_t *)host_take(m, A->rows, sizeof *p->run);
        if (m->count < 2) return cudaErrorMemoryAllocation; // one of the two allocations failed
        csr5_list_rows(p, host);
        TRY(plan_upload(&p->memory, &p->empty_rows, p->empties));
        TRY(plan_upload(&p->memory, &p->run, p->runs));
        return PLAN_BUILD(A, build, p, A, stream);
    });
}

LOAD_BALANCE_PLAN(load_balance_v23_plan, csr5_t)
