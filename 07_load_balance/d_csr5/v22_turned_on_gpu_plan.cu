/* v22_turned_on_gpu_plan.cu - CSR5: the GPU transposes the nonzeros; the host finds where rows start. */
#include "d_csr5/v21_calibrator_plan.h"

enum { BLOCK = 256 };

static unsigned blocks_for(size_t threads) { return (unsigned)((threads + BLOCK - 1) / BLOCK); }
static __device__ __forceinline__ size_t thread_number() { return blockIdx.x * (size_t)BLOCK + threadIdx.x; }

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
    const size_t nnz = A->nnz, tiles = p->tiles, slots = CSR5_TILE * tiles;
    T *values;
    if (tiles == 0) return cudaSuccess;
    TRY(plan_take(&p->memory, (T **)&p->calibrator, tiles));
    TRY(plan_take(&p->memory, &p->columns, slots));
    TRY(plan_take(&p->memory, &values, slots));
    p->values = values;
    csr5_transpose_kernel<T><<<blocks_for(slots), BLOCK, 0, stream>>>(slots, nnz, A->col_indices,
                                                                      (const T *)A->values, p->columns, values);
    TRY(cudaGetLastError());
    return cudaStreamSynchronize(stream);
}

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create_on_host<csr5_t>(A, true, plan, stream, [=](csr5_t *p, csr_t *host, host_memory_t *m) {
        p->tiles = (A->nnz + CSR5_TILE - 1) / CSR5_TILE;
        p->tile_row = (uint32_t *)host_take(m, p->tiles, sizeof *p->tile_row);
        p->descriptor = (uint32_t *)host_take(m, 32 * p->tiles, sizeof *p->descriptor);
        p->empty_start = (uint32_t *)host_take(m, p->tiles, sizeof *p->empty_start);
        p->empty_offset = (uint32_t *)host_take(m, A->rows, sizeof *p->empty_offset);
        p->empty_rows = (uint32_t *)host_take(m, A->rows, sizeof *p->empty_rows);
        p->run = (piece_run_t *)host_take(m, A->rows, sizeof *p->run);
        if (m->count < 6) return cudaErrorMemoryAllocation; // one of the six allocations failed
        const size_t listed = csr5_flags(host, p->tile_row, p->descriptor, p->empty_start, p->empty_offset);
        csr5_list_rows(p, host);
        TRY(plan_upload(&p->memory, &p->empty_rows, p->empties));
        TRY(plan_upload(&p->memory, &p->run, p->runs));
        TRY(plan_upload(&p->memory, &p->tile_row, p->tiles));
        TRY(plan_upload(&p->memory, &p->descriptor, 32 * p->tiles));
        TRY(plan_upload(&p->memory, &p->empty_start, p->tiles));
        TRY(plan_upload(&p->memory, &p->empty_offset, listed));
        return PLAN_BUILD(A, build, p, A, stream);
    });
}

LOAD_BALANCE_PLAN(load_balance_v22_plan, csr5_t)
