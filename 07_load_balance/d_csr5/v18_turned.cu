/*
 * load_balance v18 - the tiles are stored transposed
 *
 * From    v3
 * Was     v3's products go through shared memory and a barrier, only because threads load nonzeros in one order and
 *         add them up in another.
 * Idea    Build a format.  A tile is the work of a warp: 32 lanes x 16 nonzeros.  The host stores it transposed, once:
 *         the 16 nonzeros of a lane are neighbours in the matrix, and in memory the j-th ones of all 32 lanes are
 *         adjacent.  So a load of a warp is contiguous, and each lane has its 16 in registers.  It finds rows as in v3.
 * Moves   As v3, without shared memory; plus the padding of the last tile (its columns are -1).
 * Expect  No shared memory, no barrier.  The sectors of columns and values as in v3.  Fewer searches: a lane has 16
 *         nonzeros instead of 7.  But adjacent lanes gather x for nonzeros 16 apart: more sectors where rows are long.
 * Still   Every lane bisects the row offsets, in every run, for a matrix that does not change.  And the format is
 *         built on the host: the matrix is copied there and back.  (-> v19)
 * Needs   A plan (v18_turned_plan.c, on the host).  fp32 or fp64, 32- or 64-bit offsets.  NOT DETERMINISTIC.
 * Launch  a memset of y, then one warp per tile, 4 tiles per block.
 * Source  W. Liu, B. Vinter, CSR5 (ICS 2015): the tiles.
 */
#include "d_csr5/v18_turned_plan.h"

enum { BLOCK = 128, TILES = BLOCK / 32, ITEMS = CSR5_SIGMA };

// Returns the row of nonzero nz: the last nonempty row that begins at nz or before.
template <typename O>
static __device__ __forceinline__ unsigned row_of(const O *__restrict__ row_offsets, unsigned rows, O nz)
{
    unsigned row = 0, end = rows; // row_offsets[row] <= nz < row_offsets[end]
#pragma unroll 1
    while (end - row > 1) {
        const unsigned middle = row + (end - row) / 2;
        if (row_offsets[middle] <= nz) row = middle;
        else end = middle;
    }
    return row;
}

template <typename T, typename O>
__global__ void __launch_bounds__(BLOCK)
    load_balance_v18_kernel(unsigned rows, O nnz, const O *__restrict__ row_offsets,
                            csr5_t plan, const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned lane = threadIdx.x % 32, tile = blockIdx.x * TILES + threadIdx.x / 32;
    if (tile >= plan.tiles) return;
    const O lo = (O)tile * CSR5_TILE;
    const unsigned count = (unsigned)(min(lo + CSR5_TILE, nnz) - lo);

    // The lane's 16 consecutive nonzeros are stored 32 slots apart.
    int32_t col[ITEMS];
    T value[ITEMS];
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) {
        col[j] = plan.columns[lo + j * 32 + lane];
        value[j] = ((const T *)plan.values)[lo + j * 32 + lane];
    }
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) // issue all gathers of x before the first result is used
        value[j] = col[j] >= 0 ? value[j] * x[col[j]] : T(0);

    unsigned k = lane * ITEMS;
    if (k >= count) return;
    unsigned row = row_of(row_offsets, rows, lo + k);
    O end = row_offsets[row + 1];
    T sum = 0;
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j, ++k) {
        if (lo + k == end && k < count) {
            atomicAdd(&y[row], sum);
            sum = 0;
            while (lo + k == end) end = row_offsets[++row + 1]; // steps over empty rows
        }
        sum += value[j];
    }
    atomicAdd(&y[row], sum);
}

template <typename T, typename O>
static cudaError_t load_balance_v18_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    const csr5_t *p = (const csr5_t *)plan;
    const unsigned blocks = (unsigned)((p->tiles + TILES - 1) / TILES);
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t cleared = cudaMemsetAsync(d_y, 0, A->rows * sizeof(T), stream);
    if (cleared != cudaSuccess || blocks == 0) return cleared;
    load_balance_v18_kernel<T, O><<<blocks, BLOCK, 0, stream>>>((unsigned)A->rows, (O)A->nnz,
                                                                (const O *)A->row_offsets, *p, d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v18)

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create_on_host<csr5_t>(A, false, plan, stream, [=](csr5_t *p, csr_t *host, host_memory_t *m) {
        p->tiles = (A->nnz + CSR5_TILE - 1) / CSR5_TILE;
        const size_t slots = CSR5_TILE * p->tiles;
        p->columns = (int32_t *)host_take(m, slots, sizeof *p->columns);
        p->values = host_take(m, slots, sizeof(double));
        if (!p->columns || !p->values) return cudaErrorMemoryAllocation;
        csr5_turn(host, slots, p->columns, (double *)p->values);
        TRY(plan_upload(&p->memory, &p->columns, slots));
        return plan_upload_values(&p->memory, &p->values, slots, A->value_type);
    });
}

LOAD_BALANCE_PLAN(load_balance_v18_plan, csr5_t)
