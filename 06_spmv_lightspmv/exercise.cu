/*
 * Exercise - large tickets first, small ones last.
 *
 * Compute y = A |x|, with the absolute value of each x.  No step of the course computes it.
 *
 * v6 takes the same 32 / LANES rows every time, v13 more; both fix the number before the first row is done.  Factoring
 * assigns rows in rounds of one ticket per warp, and each round gets half of the remaining rows: tickets are large
 * while much work remains and small at the end, which gives few atomics and a fine balance.  Write a step with v6's
 * kernel that does this, with tickets of at least 32 / LANES rows.  Let the counter count tickets, and compute the
 * rows of a ticket from its number: round = ticket / warps.
 * spmv_lightspmv_student gets the arguments of every step (chapter.h).  The counter must be zero before each call: a
 * memset before the kernel does that.  The skeleton writes nothing, so the test rejects it:
 *
 *     make exercise N=6 E=1
 *     make run N=6 STUDENT=work/06/e1.cu ARGS="--wide --matrix rmat:12,16 --only v5,v6,student"
 *     make grade N=6 E=1 STUDENT=work/06/e1.cu
 *
 * Done when the row says ok with at most half of v6's atomics and a `maxwarp` below v5's (on a GPU: is no slower than
 * v6), and is still ok for --matrix one_dense_row:3000.  Why is its `maxwarp` above v6's?
 *
 * S. F. Hummel, E. Schonberg, L. E. Flynn, Factoring (1992).
 */
#include "chapter.h"

EXERCISE(ABSOLUTE) // the function that make run compares with

enum { BLOCK = 256 };

template <int LANES, typename T, typename O>
__global__ void student_kernel(unsigned rows, const O *__restrict__ row_offsets,
                               const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                               const T *__restrict__ x, T *__restrict__ y, uint32_t *counter)
{
    // TODO: store y[row], for every row, empty rows included
    (void)rows, (void)row_offsets, (void)col_indices, (void)values, (void)x, (void)y, (void)counter;
}

template <int LANES, typename T, typename O>
static cudaError_t spmv_lightspmv_student_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *d_counter,
                                                 cudaStream_t stream)
{
    // TODO: use the grid of v6 or v7
    if (A->rows == 0) return cudaSuccess;
    student_kernel<LANES, T, O><<<1, BLOCK, 0, stream>>>((unsigned)A->rows, (const O *)A->row_offsets, A->col_indices,
                                                         (const T *)A->values, d_x, d_y, d_counter);
    return cudaGetLastError();
}

SPMV_LIGHTSPMV_STEP(spmv_lightspmv_student)
