/*
 * Exercise - a warp for every 256 nonzeros.
 *
 * Compute y = A |x|, with the absolute value of each x.  No step of the course computes it.
 *
 * In `one_dense_row:20000` one row has half of all nonzeros, and v1 gives it to one warp.  v6 divides it among warps
 * with 20 lines of segmented sum.  Do it with less code: a warp takes 256 nonzeros, wherever rows begin.  Each lane
 * takes 8 of them, finds the row of the first (row_offsets is sorted), and adds each row's part to y by atomicAdd.
 * load_balance_student gets the arguments of every step (chapter.h; there is no plan).  The skeleton leaves y at 0, so
 * the test rejects it:
 *
 *     make exercise N=7 E=1
 *     make run N=7 STUDENT=work/07/e1.cu ARGS="--wide --matrix one_dense_row:20000 --only v1,v2,v6,student"
 *     make grade N=7 E=1 STUDENT=work/07/e1.cu
 *
 * Done when the row says ok with `maxwarp` at most 3 (v1: hundreds), also for --matrix powerlaw:5000,5000,60000, where
 * at most 1.1 times as many lanes as in v2 execute global atomics.
 */
#include "chapter.h"

EXERCISE(ABSOLUTE) // the function that make run compares with

enum { BLOCK = 256, PER_LANE = 8, PER_BLOCK = BLOCK * PER_LANE };

template <typename T, typename O>
__global__ void student_kernel(unsigned rows, O nnz, const O *__restrict__ row_offsets,
                               const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                               const T *__restrict__ x, T *__restrict__ y)
{
    // TODO: find this lane's nonzeros and the row of the first; add a part to y for each row among them
    (void)rows, (void)nnz, (void)row_offsets, (void)col_indices, (void)values, (void)x, (void)y;
}

template <typename T, typename O>
static cudaError_t load_balance_student_launch(const csr_arrays_t *A, void *, const T *d_x, T *d_y,
                                               cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((A->nnz + PER_BLOCK - 1) / PER_BLOCK);
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t cleared = cudaMemsetAsync(d_y, 0, A->rows * sizeof(T), stream);
    if (cleared != cudaSuccess || blocks == 0) return cleared;
    student_kernel<T, O><<<blocks, BLOCK, 0, stream>>>((unsigned)A->rows, (O)A->nnz, (const O *)A->row_offsets,
                                                       A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_student)
