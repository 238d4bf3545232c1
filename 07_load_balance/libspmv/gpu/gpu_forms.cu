/*
 * gpu_forms.cu - converts a matrix in any form to CSR on the GPU.
 *
 * In every form a nonzero has a row, a column and a place among the values, as in forms.c.  If only a triangle is
 * given, each nonzero off the diagonal also has a mirror image, with row and column exchanged.  Sorted by row, they are
 * CSR.  COO whose columns do not ascend is sorted by column first.  The sort is stable, so the result is the same as
 * forms.c's, bit by bit.
 */
#include "gpu_forms.h"
#include "gpu_slices_build.cuh"
#include "gpu_sort.h"

namespace {

// The matrix, as an argument of kernels.
template <typename O> struct given {
    const O *offsets;
    const int32_t *row_indices, *col_indices; // NULL if the offsets give them
    uint32_t nnz, lines, rows, cols, base;
    spmv_part_t part;
    bool transpose;
};

// The places of the nonzeros: [count]; a triangle has up to twice as many.
struct places {
    uint32_t *rows, *cols, count;
};

// Returns the row of CSR, or the column of CSC, that has nonzero k.
template <typename O> __device__ uint32_t line_of(const given<O> &A, uint32_t k)
{
    uint32_t low = 0, high = A.lines - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low + 1) / 2;
        if ((uint64_t)A.offsets[middle] <= (uint64_t)k + A.base) low = middle;
        else high = middle - 1;
    }
    return low;
}

template <typename O> __global__ void __launch_bounds__(BLOCK) check_offsets_kernel(given<O> A, unsigned *bad)
{
    const uint64_t line = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (line > A.lines) return;
    const O here = A.offsets[line];
    if (line == 0 ? here != A.base : here < A.offsets[line - 1]) atomicOr(bad, 1u);
    if (line == A.lines && here != (O)A.nnz + A.base) atomicOr(bad, 1u);
}

// A nonzero on the diagonal has no mirror image, so its second entry gets a row behind the last.
template <typename O> __global__ void __launch_bounds__(BLOCK) places_kernel(given<O> A, places p, unsigned *bad)
{
    const uint32_t k = blockIdx.x * BLOCK + threadIdx.x;
    if (k >= A.nnz) return;
    const uint32_t row = A.row_indices ? (uint32_t)A.row_indices[k] - A.base : line_of(A, k),
                   col = A.col_indices ? (uint32_t)A.col_indices[k] - A.base : line_of(A, k);
    if (row >= A.rows || col >= A.cols || (A.part == SPMV_LOWER && col > row) || (A.part == SPMV_UPPER && col < row)) {
        atomicOr(bad, 1u);
        return;
    }
    if (A.part == SPMV_ALL) {
        p.rows[k] = A.transpose ? col : row;
        p.cols[k] = A.transpose ? row : col;
        return;
    }
    p.rows[2 * k] = row;
    p.cols[2 * k] = col;
    p.rows[2 * k + 1] = row != col ? col : A.rows;
    p.cols[2 * k + 1] = row;
}

// offsets[r] becomes the number of the rising `keys` below r.
__global__ void __launch_bounds__(BLOCK)
    offsets_kernel(uint32_t rows, uint32_t count, const uint32_t *__restrict__ keys, uint32_t *offsets)
{
    const uint64_t row = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (row > rows) return;
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (keys[middle] < row) low = middle + 1;
        else high = middle;
    }
    offsets[row] = low;
}

__global__ void __launch_bounds__(BLOCK)
    columns_kernel(uint32_t nnz, places p, const uint32_t *__restrict__ order, unsigned each, int32_t *columns,
                   uint32_t *origin)
{
    const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= nnz) return;
    columns[i] = (int32_t)p.cols[order[i]];
    origin[i] = order[i] / each;
}

__global__ void __launch_bounds__(BLOCK)
    unsorted_kernel(uint32_t nnz, places p, const uint32_t *__restrict__ order, unsigned *unsorted)
{
    const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
    if (i == 0 || i >= nnz) return;
    const uint32_t before = order[i - 1], here = order[i];
    if (p.rows[before] == p.rows[here] && p.cols[before] > p.cols[here]) atomicOr(unsorted, 1u);
}

template <typename O>
cudaError_t find_places(const spmv_matrix_t *A, bool transpose, const places *p, unsigned *d_flag, bool *is_good,
                        cudaStream_t stream)
{
    const given<O> g = {(const O *)A->offsets,
                        A->format == SPMV_CSR ? NULL : A->row_indices,
                        A->format == SPMV_CSC ? NULL : A->col_indices,
                        (uint32_t)A->nnz,
                        (uint32_t)(A->format == SPMV_CSC ? A->cols : A->rows),
                        (uint32_t)A->rows,
                        (uint32_t)A->cols,
                        (uint32_t)A->index_base,
                        A->part,
                        transpose};
    unsigned bad = 0;
    TRY(cudaMemsetAsync(d_flag, 0, sizeof *d_flag, stream));
    if (A->format != SPMV_COO)
        check_offsets_kernel<<<blocks_for((size_t)g.lines + 1, BLOCK), BLOCK, 0, stream>>>(g, d_flag);
    places_kernel<<<blocks_for(g.nnz, BLOCK), BLOCK, 0, stream>>>(g, *p, d_flag);
    TRY(cudaPeekAtLastError());
    TRY(to_host(&bad, d_flag, sizeof bad, stream));
    *is_good = !bad;
    return cudaSuccess;
}

// Sets *falls to 1 if the columns of some row do not ascend.
cudaError_t look_for_falls(unsigned *falls, const gpu_sort_t *s, const places *p, unsigned *d_flag,
                           cudaStream_t stream)
{
    TRY(cudaMemsetAsync(d_flag, 0, sizeof *d_flag, stream));
    unsorted_kernel<<<blocks_for(p->count, BLOCK), BLOCK, 0, stream>>>(p->count, *p, s->order, d_flag);
    TRY(cudaPeekAtLastError());
    return to_host(falls, d_flag, sizeof *falls, stream);
}

// Sorts by row; before that by column, if columns must ascend and do not.
cudaError_t sort_places(gpu_sort_t *s, const places *p, const form_t *f, bool rising, unsigned *d_flag,
                        scratch_t *scratch)
{
    const uint32_t rows = (uint32_t)f->rows + 1;
    const cudaStream_t stream = scratch->stream;
    unsigned falls = 0;
    void *room;
    TRY(take(&room, gpu_sort_bytes(p->count), scratch));
    TRY(gpu_sort_begin(s, p->count, room, stream));
    TRY(gpu_sort_by(s, p->rows, rows, stream));
    if (rising) TRY(look_for_falls(&falls, s, p, d_flag, stream));
    if (!falls) return cudaSuccess;
    TRY(gpu_sort_begin(s, p->count, room, stream));
    TRY(gpu_sort_by(s, p->cols, (uint32_t)f->cols, stream));
    return gpu_sort_by(s, p->rows, rows, stream);
}

// Fills the arrays of the form from the sorted places; a nonzero has `each` places.
cudaError_t fill(form_t *f, const gpu_sort_t *s, const places *p, unsigned each, cudaStream_t stream)
{
    uint32_t nnz = 0;
    TRY(gpu_take(&f->offsets, ((size_t)f->rows + 1) * sizeof(uint32_t), stream));
    offsets_kernel<<<blocks_for((size_t)f->rows + 1, BLOCK), BLOCK, 0, stream>>>((uint32_t)f->rows, p->count, s->keys,
                                                                                (uint32_t *)f->offsets);
    TRY(cudaPeekAtLastError());
    TRY(to_host(&nnz, (uint32_t *)f->offsets + f->rows, sizeof nnz, stream));
    f->nnz = nnz;
    TRY(gpu_take((void **)&f->columns, nnz * sizeof *f->columns, stream));
    TRY(gpu_take(&f->origin, nnz * sizeof(uint32_t), stream));
    columns_kernel<<<blocks_for(nnz, BLOCK), BLOCK, 0, stream>>>(nnz, *p, s->order, each, f->columns,
                                                                 (uint32_t *)f->origin);
    TRY(cudaPeekAtLastError());
    return cudaStreamSynchronize(stream);
}

cudaError_t make(form_t *f, bool *is_made, const spmv_matrix_t *A, bool transpose, scratch_t *scratch)
{
    const unsigned each = A->part == SPMV_ALL ? 1 : 2;
    places p = {NULL, NULL, (uint32_t)A->nnz * each};
    unsigned *d_flag;
    gpu_sort_t s;
    TRY(take((void **)&d_flag, sizeof *d_flag, scratch));
    TRY(take((void **)&p.rows, p.count * sizeof *p.rows, scratch));
    TRY(take((void **)&p.cols, p.count * sizeof *p.cols, scratch));
    TRY(BY_OFFSETS(A, find_places, A, transpose, &p, d_flag, is_made, scratch->stream));
    if (!*is_made) return cudaSuccess;
    TRY(sort_places(&s, &p, f, A->format == SPMV_COO, d_flag, scratch));
    return fill(f, &s, &p, each, scratch->stream);
}

} // namespace

spmv_status_t gpu_form_make(form_t *form, bool *is_made, const spmv_matrix_t *A, bool transpose, void *stream)
{
    *form = form_t{};
    *is_made = false;
    if (A->nnz == 0 || A->nnz > INT32_MAX / 2 || A->rows == 0 || A->cols == 0) return SPMV_OK;
    form->rows = transpose ? A->cols : A->rows;
    form->cols = transpose ? A->rows : A->cols;
    form->bits = 32;
    scratch_t scratch = {};
    scratch.stream = (cudaStream_t)stream;
    const cudaError_t status = make(form, is_made, A, transpose, &scratch);
    end_scratch(&scratch, status);
    if (status == cudaSuccess) return SPMV_OK;
    gpu_free(form->offsets);
    gpu_free(form->columns);
    gpu_free(form->origin);
    *form = form_t{};
    *is_made = false;
    return gpu_failed(status, "cannot convert the matrix to CSR on the GPU");
}
