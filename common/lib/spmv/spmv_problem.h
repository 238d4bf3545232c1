/*
 * spmv_problem.h - the problem of chapters 04 to 07: one matrix in one type, with x and the expected y.
 */
#ifndef COURSE_SPMV_PROBLEM_H
#define COURSE_SPMV_PROBLEM_H

#include "csr.h"
#include "harness.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spmv_data {
    char name[192];
    csr_t A;              /* offsets and columns are those of spec->A; the values are rounded to dtype */
    bool exact;           /* small integers: results are compared with == */
    double mean_row;      /* nonzeros per row */
    size_t misalign;
    csr_arrays_t host;    /* the same matrix in the types of the problem */
    csr_arrays_t device;  /* the same matrix on the GPU; its arrays may be misaligned within d_memory */
    void *x, *d_x;        /* [cols] of dtype_vector(value type) */
    void *d_memory[4];
    double *y, *abs_sum;  /* [rows] reference in double: y, and sum |a x| */
    double *tolerance;    /* [rows] scratch of spmv_judge */
    const void *options;  /* spec->options */
} spmv_data_t;

typedef struct spmv_spec {
    const csr_t *A;       /* borrowed: must outlive the problem */
    const char *name;
    dtype_t dtype;
    int offset_bits;      /* 32 or 64 */
    double mean_row;      /* nonzeros per row of the whole matrix, if A is a sample of its rows; 0: those of A */
    uint64_t seed;
    bool exact;
    size_t misalign;      /* elements between a 256-byte boundary and each array on the GPU */
    bool cpu, gpu;        /* whether rows on the CPU, and rows on the GPU, will use it */
    const void *options;  /* options of the chapter, borrowed; NULL: its defaults */
} spmv_spec_t;

/* Makes the problem, on the GPU as well if spec->gpu; p->data is a spmv_data_t.  spmv_problem_close frees it. */
int spmv_problem_open(problem_t *p, const spmv_spec_t *spec, err_t *err);
void spmv_problem_close(problem_t *p);

/* Returns the longest chain of additions for a term in a row of `length` nonzeros. */
typedef size_t (*spmv_depth_fn)(size_t length, const void *arg);

/* Checks y in host memory against the reference; implements chapter_t's check. */
int spmv_judge(const problem_t *p, const void *y, spmv_depth_fn depth, const void *arg, double *err_over_tol,
               err_t *err);
/* The same for the step "student": checks y against the function that the student's file names (asked.h). */
int spmv_judge_student(const problem_t *p, const void *y, spmv_depth_fn depth, const void *arg, double *err_over_tol,
                       err_t *err);

#ifdef __cplusplus
}
#endif
#endif
