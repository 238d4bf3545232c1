/*
 * test_mutants.cu - kernels of the ladder with one thing broken.  Every one of them must be rejected, by the
 * check or by the stand-in (test_spmv_scalar.c says by which).
 */
#include "chapter.h"

enum { BLOCK = 256, LANES = 32 };

enum mutant {
    CORRECT, DROPS_LAST, SKIPS_EMPTY_ROWS, WRONG_ROW, ADDS_INTO_Y, WRITES_PAST_END, NO_ROW_GUARD,
    NO_CLEAR, NO_ATOMIC, LAST_LANE_ONLY, EVERY_LANE_ADDS, NO_ROW_TEST, LEAVES_BEFORE_SHUFFLE, NO_TAIL_GUARD,
    ROW_MAJOR, USES_FILLERS, OFFSET_SIGN, NO_COL_GUARD, LOSES_COLUMNS, LOSES_BLOCKS, REST_OVERWRITES
};

/* ---- CSR ------------------------------------------------------------------------------------------------- */

template <int MUTANT>
__global__ void mutant_csr_kernel(unsigned rows, const uint32_t *__restrict__ row_offsets,
                                  const int32_t *__restrict__ col_indices, const float *__restrict__ values,
                                  const float *__restrict__ x, float *y)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    if (MUTANT == WRITES_PAST_END ? row > rows : MUTANT != NO_ROW_GUARD && row >= rows) return;
    const uint32_t start = row < rows || MUTANT == NO_ROW_GUARD ? row_offsets[row] : 0;
    uint32_t end = row < rows || MUTANT == NO_ROW_GUARD ? row_offsets[row + 1] : 0;
    if (MUTANT == DROPS_LAST && end > start) --end;
    if (MUTANT == SKIPS_EMPTY_ROWS && end == start) return;
    float sum = 0;
#pragma unroll 1
    for (uint32_t nz = start; nz < end; ++nz) sum += values[nz] * x[col_indices[nz]];
    if (MUTANT == ADDS_INTO_Y) y[row] += sum;
    else y[MUTANT == WRONG_ROW ? row ^ 1u : row] = sum; // the tests use an even number of rows
}

template <int MUTANT>
static cudaError_t launch_csr(SPMV_SCALAR_ARGS)
{
    const unsigned rows = (unsigned)A->rows, blocks = (rows + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    mutant_csr_kernel<MUTANT><<<blocks, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->csr.row_offsets,
                                                            A->csr.col_indices, (const float *)A->csr.values,
                                                            (const float *)d_x, (float *)d_y);
    return cudaGetLastError();
}

/* ---- COO, HYB's rest ------------------------------------------------------------------------------------- */

template <int MUTANT>
__global__ void mutant_coo_kernel(size_t nnz, const int32_t *__restrict__ row_indices,
                                  const int32_t *__restrict__ col_indices, const float *__restrict__ values,
                                  const float *__restrict__ x, float *y)
{
    const size_t nz = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    const unsigned lane = threadIdx.x % LANES;
    if (MUTANT == LEAVES_BEFORE_SHUFFLE && nz >= nnz) return;
    int row = -1;
    float sum = 0;
    if (MUTANT == NO_TAIL_GUARD || nz < nnz) {
        row = row_indices[nz];
        sum = values[nz] * x[col_indices[nz]];
    }
    for (unsigned d = 1; d < LANES; d *= 2) {
        const float left = __shfl_up_sync(0xffffffffu, sum, d);
        const int left_row = __shfl_up_sync(0xffffffffu, row, d);
        if (lane >= d && (MUTANT == NO_ROW_TEST || left_row == row)) sum += left;
    }
    const int next_row = __shfl_down_sync(0xffffffffu, row, 1);
    const bool last = MUTANT == EVERY_LANE_ADDS ||
                      (MUTANT == LAST_LANE_ONLY ? lane == LANES - 1 : lane == LANES - 1 || next_row != row);
    if (row < 0 || !last) return;
    if (MUTANT == NO_ATOMIC) y[row] += sum;
    else if (MUTANT == REST_OVERWRITES) y[row] = sum;
    else atomicAdd(&y[row], sum);
}

template <int MUTANT>
static cudaError_t launch_rest(SPMV_SCALAR_ARGS)
{
    const unsigned blocks = (unsigned)((A->coo.nnz + BLOCK - 1) / BLOCK);
    if (blocks == 0) return cudaSuccess;
    mutant_coo_kernel<MUTANT><<<blocks, BLOCK, 0, stream>>>(A->coo.nnz, A->coo.row_indices, A->coo.col_indices,
                                                            (const float *)A->coo.values, (const float *)d_x,
                                                            (float *)d_y);
    return cudaGetLastError();
}

template <int MUTANT>
static cudaError_t launch_coo(SPMV_SCALAR_ARGS)
{
    if (MUTANT != NO_CLEAR) cudaMemsetAsync(d_y, 0, A->rows * sizeof(float), stream);
    return launch_rest<MUTANT>(A, d_x, d_y, stream);
}

/* ---- ELL ------------------------------------------------------------------------------------------------- */

template <int MUTANT>
__global__ void mutant_ell_kernel(unsigned rows, unsigned width, const int32_t *__restrict__ col_indices,
                                  const float *__restrict__ values, const float *__restrict__ x, float *y)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (unsigned k = 0; k < (MUTANT == DROPS_LAST && width ? width - 1 : width); ++k) {
        const size_t slot = MUTANT == ROW_MAJOR ? (size_t)row * width + k : (size_t)k * rows + row;
        const int32_t col = col_indices[slot];
        if (MUTANT == USES_FILLERS || col >= 0) sum += values[slot] * x[col];
    }
    y[row] = sum;
}

template <int MUTANT>
static cudaError_t launch_ell(SPMV_SCALAR_ARGS)
{
    const unsigned rows = (unsigned)A->rows, blocks = (rows + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    mutant_ell_kernel<MUTANT><<<blocks, BLOCK, 0, stream>>>(rows, (unsigned)A->ell.width, A->ell.col_indices,
                                                            (const float *)A->ell.values, (const float *)d_x,
                                                            (float *)d_y);
    return cudaGetLastError();
}

template <int MUTANT>
static cudaError_t launch_hyb(SPMV_SCALAR_ARGS)
{
    const cudaError_t ell = launch_ell<CORRECT>(A, d_x, d_y, stream);
    return ell != cudaSuccess ? ell : launch_rest<MUTANT>(A, d_x, d_y, stream);
}

/* ---- DIA ------------------------------------------------------------------------------------------------- */

template <int MUTANT>
__global__ void mutant_dia_kernel(unsigned rows, unsigned cols, unsigned diagonals, const int32_t *__restrict__ offsets,
                                  const float *__restrict__ values, const float *__restrict__ x, float *y)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (unsigned d = 0; d < diagonals; ++d) {
        const unsigned col = MUTANT == OFFSET_SIGN ? row - (unsigned)offsets[d] : row + (unsigned)offsets[d];
        if (MUTANT == NO_COL_GUARD || col < cols)
            sum += values[MUTANT == ROW_MAJOR ? (size_t)row * diagonals + d : (size_t)d * rows + row] * x[(int)col];
    }
    y[row] = sum;
}

template <int MUTANT>
static cudaError_t launch_dia(SPMV_SCALAR_ARGS)
{
    const unsigned rows = (unsigned)A->rows, blocks = (rows + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    mutant_dia_kernel<MUTANT><<<blocks, BLOCK, 0, stream>>>(rows, (unsigned)A->cols, (unsigned)A->dia.diagonals,
                                                            A->dia.offsets, (const float *)A->dia.values,
                                                            (const float *)d_x, (float *)d_y);
    return cudaGetLastError();
}

/* ---- BSR of 3 -------------------------------------------------------------------------------------------- */

template <int MUTANT>
__global__ void mutant_bsr_kernel(unsigned rows, unsigned cols, unsigned block_rows,
                                  const uint32_t *__restrict__ row_offsets, const int32_t *__restrict__ col_indices,
                                  const float *__restrict__ values, const float *__restrict__ x, float *y)
{
    constexpr unsigned B = 3, AT_ONCE = LANES / (B * B), WARPS = BLOCK / LANES;
    const unsigned lane = threadIdx.x % LANES, block_row = blockIdx.x * WARPS + threadIdx.x / LANES;
    if (block_row >= block_rows) return;
    const unsigned i = lane % B, j = lane / B % B;
    uint32_t end = row_offsets[block_row + 1];
    if (MUTANT == DROPS_LAST && end > row_offsets[block_row]) --end;
    float sum = 0;
    if (lane < AT_ONCE * B * B) {
#pragma unroll 1
        for (uint32_t b = row_offsets[block_row] + lane / (B * B); b < end; b += AT_ONCE) {
            const unsigned col = (unsigned)col_indices[b] * B + j;
            const unsigned place = MUTANT == ROW_MAJOR ? i * B + j : j * B + i;
            if (MUTANT == NO_COL_GUARD || col < cols) sum += values[(size_t)b * B * B + place] * x[col];
        }
    }
    float total = sum;
    for (unsigned k = 1; k < AT_ONCE; ++k) {
        const float other = __shfl_down_sync(0xffffffffu, sum, k * B * B);
        if (MUTANT != LOSES_BLOCKS) total += other;
    }
    sum = total;
    for (unsigned k = 1; k < B; ++k) {
        const float other = __shfl_down_sync(0xffffffffu, sum, k * B);
        if (MUTANT != LOSES_COLUMNS) total += other;
    }
    const unsigned row = block_row * B + i;
    if (lane < B && (MUTANT == NO_ROW_GUARD || row < rows)) y[row] = total;
}

template <int MUTANT>
static cudaError_t launch_bsr(SPMV_SCALAR_ARGS)
{
    const unsigned WARPS = BLOCK / LANES, block_rows = (unsigned)A->bsr.block_rows;
    const unsigned blocks = (block_rows + WARPS - 1) / WARPS;
    if (blocks == 0) return cudaSuccess;
    mutant_bsr_kernel<MUTANT><<<blocks, BLOCK, 0, stream>>>(
        (unsigned)A->rows, (unsigned)A->cols, block_rows, (const uint32_t *)A->bsr.row_offsets, A->bsr.col_indices,
        (const float *)A->bsr.values, (const float *)d_x, (float *)d_y);
    return cudaGetLastError();
}

#define MUTANT(name, form, which) \
    extern "C" cudaError_t name(SPMV_SCALAR_ARGS) { return launch_##form<which>(A, d_x, d_y, stream); }
MUTANT(mutant_csr_correct, csr, CORRECT)
MUTANT(mutant_csr_drops_last, csr, DROPS_LAST)
MUTANT(mutant_csr_skips_empty_rows, csr, SKIPS_EMPTY_ROWS)
MUTANT(mutant_csr_wrong_row, csr, WRONG_ROW)
MUTANT(mutant_csr_adds_into_y, csr, ADDS_INTO_Y)
MUTANT(mutant_csr_writes_past_end, csr, WRITES_PAST_END)
MUTANT(mutant_csr_no_row_guard, csr, NO_ROW_GUARD)
MUTANT(mutant_coo_correct, coo, CORRECT)
MUTANT(mutant_coo_no_clear, coo, NO_CLEAR)
MUTANT(mutant_coo_no_atomic, coo, NO_ATOMIC)
MUTANT(mutant_coo_last_lane_only, coo, LAST_LANE_ONLY)
MUTANT(mutant_coo_every_lane_adds, coo, EVERY_LANE_ADDS)
MUTANT(mutant_coo_no_row_test, coo, NO_ROW_TEST)
MUTANT(mutant_coo_leaves_before_shuffle, coo, LEAVES_BEFORE_SHUFFLE)
MUTANT(mutant_coo_no_tail_guard, coo, NO_TAIL_GUARD)
MUTANT(mutant_ell_correct, ell, CORRECT)
MUTANT(mutant_ell_drops_last, ell, DROPS_LAST)
MUTANT(mutant_ell_row_major, ell, ROW_MAJOR)
MUTANT(mutant_ell_uses_fillers, ell, USES_FILLERS)
MUTANT(mutant_hyb_correct, hyb, CORRECT)
MUTANT(mutant_hyb_rest_overwrites, hyb, REST_OVERWRITES)
MUTANT(mutant_hyb_no_atomic, hyb, NO_ATOMIC)
MUTANT(mutant_dia_correct, dia, CORRECT)
MUTANT(mutant_dia_offset_sign, dia, OFFSET_SIGN)
MUTANT(mutant_dia_row_major, dia, ROW_MAJOR)
MUTANT(mutant_dia_no_col_guard, dia, NO_COL_GUARD)
MUTANT(mutant_bsr_correct, bsr, CORRECT)
MUTANT(mutant_bsr_drops_last, bsr, DROPS_LAST)
MUTANT(mutant_bsr_row_major, bsr, ROW_MAJOR)
MUTANT(mutant_bsr_no_col_guard, bsr, NO_COL_GUARD)
MUTANT(mutant_bsr_no_row_guard, bsr, NO_ROW_GUARD)
MUTANT(mutant_bsr_loses_columns, bsr, LOSES_COLUMNS)
MUTANT(mutant_bsr_loses_blocks, bsr, LOSES_BLOCKS)
