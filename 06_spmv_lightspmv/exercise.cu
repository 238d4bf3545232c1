/*
 * Exercise - large tickets first, small ones last.
 *
 * What is asked for is y = A |x|: the absolute value of each x.  No step of the course computes it.
 *
 * v6 asks for the same 32 / LANES rows every time, v13 for more; both choose before the first row is done.  Factoring
 * hands out rows in rounds of one ticket for each warp, and each round half of what is left: large tickets as long as
 * there is much to do, small ones at the end, so few atomics and a fine balance.  Write a step that takes v6's kernel
 * and does that, with tickets of at least 32 / LANES rows.  Let the counter count tickets, and work out from a
 * ticket's number which rows it stands for: round = ticket / warps.
 * spmv_lightspmv_student gets what every step gets (chapter.h); the counter is zero before the call, and the next
 * call wants it zero again: a memset in front will do.  As it stands the step writes nothing, and the course says so:
 *
 *     make exercise N=6 E=1
 *     make run N=6 STUDENT=work/06/e1.cu ARGS="--matrix rmat:12,16 --only v5,v6,student"
 *     make grade N=6 E=1 STUDENT=work/06/e1.cu
 *
 * Done when the row says ok with at most half of v6's atomics and a `maxwarp` below v5's (on a GPU: is no slower than
 * v6), and is still ok for --matrix one_dense_row:3000.  Why is its `maxwarp` above v6's?
 *
 * S. F. Hummel, E. Schonberg, L. E. Flynn, Factoring (1992).
 */
#include "chapter.h"

EXERCISE(ABSOLUTE) // what make run compares it with

enum { BLOCK = 256 };

template <int LANES, typename T, typename O>
__global__ void student_kernel(unsigned rows, const O *__restrict__ row_offsets,
                               const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                               const T *__restrict__ x, T *__restrict__ y, uint32_t *counter)
{
    // TODO: y[row], for every row, empty ones included
    (void)rows, (void)row_offsets, (void)col_indices, (void)values, (void)x, (void)y, (void)counter;
}

template <int LANES, typename T, typename O>
static cudaError_t spmv_lightspmv_student_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *d_counter,
                                                 cudaStream_t stream)
{
    // TODO: the grid of v6 or v7
    if (A->rows == 0) return cudaSuccess;
    student_kernel<LANES, T, O><<<1, BLOCK, 0, stream>>>((unsigned)A->rows, (const O *)A->row_offsets, A->col_indices,
                                                         (const T *)A->values, d_x, d_y, d_counter);
    return cudaGetLastError();
}

SPMV_LIGHTSPMV_STEP(spmv_lightspmv_student)
