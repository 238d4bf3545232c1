/*
 * practice.h - included by every practice exercise (docs/practice.md).
 *
 * An exercise defines `launch`, or launch_a and launch_b if it compares two kernels.  The function gets the data on the
 * GPU, in float, and launches kernels that write the answer to `out`.  The head of the exercise describes the answer.
 */
#ifndef PRACTICE_H
#define PRACTICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#include <cuda_runtime.h>
#else
#include <cuda_runtime_api.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Pointers are device memory; members that an exercise does not use are NULL or 0. */
typedef struct practice {
    size_t n;                   /* numbers in `in` */
    const float *in;            /* [n] */
    float *out;                 /* the answer; its length is in the head */
    uint32_t rows, cols, nnz;   /* size of a matrix */
    const float *A;             /* [rows * cols] a dense matrix */
    const uint32_t *offsets;    /* [rows + 1] CSR: row r has nonzeros offsets[r] .. offsets[r + 1] - 1 */
    const int32_t *row_of;      /* [nnz] COO: the row of each nonzero */
    const int32_t *columns;     /* [nnz] */
    const float *values;        /* [nnz] */
    uint32_t width;             /* ELL: entry k of row r is at k * rows + r */
    const int32_t *ell_columns; /* [width * rows]  fillers have column -1 */
    const float *ell_values;    /* [width * rows] */
    const float *x;             /* [cols] */
    float *y;                   /* [rows] the same as out */
    uint32_t *counter;          /* 0 before each launch */
} practice_t;

void launch(const practice_t *p);
void launch_a(const practice_t *p);
void launch_b(const practice_t *p);

#ifdef __cplusplus
}

/* One of these numbers, drawn when the exercise begins. */
#define DRAW(first, ...) first

/* The kernels must do the work, so copies are forbidden. */
#pragma GCC poison cudaMemcpy cudaMemcpyAsync
#endif
#endif
