/* gemv.h - the host side of the chapter, for main.c and the tests. */
#ifndef GEMV_H
#define GEMV_H

#include "chapter.h"
#include "harness.h"

/* A, x and the correct y. */
typedef struct gemv_data {
    char name[64];
    gemv_layout_t layout;
    size_t rows, cols;
    bool exact;              /* small integers: results are compared with == */
    double *y, *abs_sum;     /* [rows] reference in double, and the sum of |A(r, c) x[c]| */
    double *tolerance;       /* [rows] scratch of check() */
    void *memory[2];         /* host: A and x, which may be misaligned within */
    void *A, *x;
    void *d_memory[2];
    void *d_A, *d_x, *d_sums;
    unsigned *d_words;
} gemv_data_t;

typedef struct gemv_spec {
    size_t rows, cols;
    gemv_layout_t layout;
    dtype_t dtype;    /* fp32 or fp64 */
    uint64_t seed;
    bool exact;
    size_t misalign;  /* elements from a 256-byte boundary to A and x */
    bool cpu, gpu;    /* for which rows */
} gemv_spec_t;

/* Makes the problem, on the GPU too if spec->gpu.  Owned by the caller: gemv_close. */
int gemv_open(problem_t *p, const gemv_spec_t *spec, err_t *err);
void gemv_close(problem_t *p);

extern const chapter_t GEMV;

/* cuBLAS, cuda back end only: its GEMV, and the same product as a GEMM with one column or with one row. */
typedef enum gemv_cublas_form { CUBLAS_GEMV, CUBLAS_GEMM_COLUMN, CUBLAS_GEMM_ROW } gemv_cublas_form_t;
int gemv_cublas_setup(void **state, err_t *err);
int gemv_cublas_run(gemv_cublas_form_t form, void *state, dtype_t dtype, const gemv_data_t *data, void *d_y,
                    err_t *err);
void gemv_cublas_teardown(void *state);

#endif
