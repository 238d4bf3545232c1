/*
 * data.h - the inputs of practice exercises, and the right answers.
 *
 * A case is a family and a size:
 *   free N        in[N], out[N]; any answer is right (for exercises that only count)
 *   copy N        out[i] = in[i]; copy N+K: `in` and `out` begin K numbers after an aligned address
 *   sum N         out[0] is the sum of in[N]
 *   block_sums N  out[b] is the sum of in[256 b] .. in[256 b + 255]
 *   row R,C       y = A x, A row-major: A[r * cols + c]
 *   col R,C       y = A x, A column-major: A[c * rows + r]
 *   transpose R,C out[c * rows + r] = A[r * cols + c]
 *   spmv RECIPE   y = A x, A sparse (matgen.h); in CSR, COO and ELL
 *   rows RECIPE   out[k] is the row of nonzero k
 * Numbers are small integers, so the sum does not depend on the order.
 */
#ifndef PRACTICE_DATA_H
#define PRACTICE_DATA_H

#include "err.h"
#include "practice.h"

enum { DATA_BUFFERS = 12 };

/* The caller zeroes it; data_close frees what data_open made, also after a failure. */
typedef struct data {
    practice_t on_gpu;
    void *buffer[DATA_BUFFERS];
    int buffers;
    const char *answer; /* the name of the kernel's parameter for the answer: out, or y of a product */
    float *expected;    /* [out_count]; NULL: any answer */
    size_t out_count;
    double input_bytes; /* the least number of bytes that a kernel must read */
} data_t;

/* -1 and *err if there is no such family, or if memory is short. */
int data_open(data_t *d, const char *family, const char *size, uint64_t seed, err_t *err);
/* Before a launch: `out` is NaN, the counter 0. */
int data_prepare(const data_t *d, err_t *err);
/* Describes the case: "1000 numbers, in and out 1 number past an aligned address". */
void data_words(const char *family, const char *size, char *text, size_t room);
/* Returns 0 if the answer is right; otherwise -1, and *err has the first wrong element and, for a short answer, all
 * elements beside the expected ones. */
int data_check(const data_t *d, err_t *err);
void data_close(data_t *d);

#endif
