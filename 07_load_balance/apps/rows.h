/*
 * rows.h - the applications as chapters of the harness.  Each row multiplies in another way, and a run is an entire
 * solve:
 *
 *     cpu, gpu        libspmv with a plan
 *     mpi             rows over the ranks of an mpirun, on CPUs (product_of_ranks)
 *     nccl, direct    the same on GPUs, which exchange messages or write to each other's memory
 *     04/v1, ...      every step of chapters 04 to 07 and every library, by chapter and name
 */
#ifndef APPS_ROWS_H
#define APPS_ROWS_H

#include <stdio.h>

#include "method.h"
#include "ranks.h"

/* The arguments of a problem. */
typedef struct app_spec {
    const csr_t *A;       /* borrowed; CG: square, symmetric, with a positive diagonal; PageRank: links, square */
    const char *name;
    dtype_t dtype;        /* fp32 or fp64 */
    uint64_t seed;        /* CG: of the right side */
    bool cpu, gpu;        /* whether there are rows for the CPU and the GPU */
    method_options_t options;
    bool no_preconditioner; /* CG: M = 1 instead of the diagonal */
    double max_flops;     /* CG: compares with a direct solve if that takes no more operations; 0: never */
    FILE *history;        /* receives the numbers of each step as rows of a results file; NULL: none */
} app_spec_t;

enum { RESULTS_MOST = 128 };

/* The result of a row of an iterative method. */
typedef struct app_result {
    char step[32];
    double iterations, residual, total_us, setup_ms;
} app_result_t;

/* The data of a problem begins with this. */
typedef struct app_data {
    problem_t spmv;       /* the matrix, also on the GPU; its x and y are the products' */
    method_options_t options;
    FILE *history;
    const void *vectors[2]; /* [n] of the type, for open */
    double *memory;       /* [4 n] of doubles for such vectors and the check; freed with the problem */
    void (*drop)(void *data); /* frees what `make` allocated behind */
    size_t iterations;    /* of the last run */
    app_result_t results[RESULTS_MOST]; /* results of the rows so far; those after RESULTS_MOST are not stored */
    size_t result_count;
} app_data_t;

/* A program: how it solves with a product. */
typedef struct solver {
    const chapter_t *chapter;
    /* vectors: those of the problem; NULL on ranks other than 0.  Returns NULL and *err on failure. */
    method_t *(*open)(product_t *product, const void *const vectors[2], const method_options_t *o, err_t *err);
    int (*run)(method_t *m, void *x, err_t *err);
    void (*close)(method_t *m);
    double (*residual)(const method_t *m, size_t k); /* the number of step k in the history */
    size_t first_step;                               /* first step in the history */
    int (*check)(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err);
} solver_t;

/* The i-th row as a step of that program, NULL after the last. */
const step_t *app_row(size_t i, const solver_t *program);

/* A problem whose data has `size` bytes, zero behind an app_data_t with options and memory; `make` fills it and calls
 * app_data_matrix.  -1 and *err. */
typedef int (*app_make_fn)(problem_t *p, const app_spec_t *spec, err_t *err);
int app_problem_open(problem_t *p, size_t size, app_make_fn make, void (*drop)(void *), const app_spec_t *spec,
                     err_t *err);
void app_problem_close(problem_t *p);
/* Opens d->spmv for A; one step moves that many vectors besides the product's bytes. */
int app_data_matrix(problem_t *p, const app_spec_t *spec, const csr_t *A, size_t vectors, err_t *err);

/* Prints steps, residual (called `what`), microseconds per step and steps per second of each row, without times on the
 * simulator. */
void app_results_print(const problem_t *p, const char *what, FILE *to);

/* Executes orders on a serving rank until the program ends. */
void app_serve(const solver_t *program);

/* Whether the row is mpi, nccl or direct. */
bool app_row_is_ranks(const step_t *row);

/* The product of that row, which its close() frees.  NULL and *err on failure. */
product_t *app_row_open(const step_t *row, const problem_t *spmv, err_t *err);

/* The value of --only for the table of all SpMVs: some steps of each chapter, all of chapter 07, libraries. */
extern const char APP_ROWS_OF_THE_COURSE[];

#endif
