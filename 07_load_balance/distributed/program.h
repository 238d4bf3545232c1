/*
 * program.h - spmv_mpi and spmv_nccl: options, the table of variants, times, checks, the results file.
 *
 *   program.c         options, worlds, the results file; main
 *   program_matrix.c  runs one matrix through all worlds and types
 *   program_run.c     runs the rows of the table, in one world
 *   program_check.c   checks the product
 *   program_time.c    times the product
 *   program_cuts.c    counts the share of each rank
 *   program_tell.c    prints one line for a cut, a grid or an order
 */
#ifndef DIST_PROGRAM_H
#define DIST_PROGRAM_H

#include <math.h>
#include <stdio.h>

#include "cut.h"
#include "grid.h"
#include "dist_impl.h"
#include "harness.h"
#include "order.h"

typedef struct program {
    const char *name;            /* "spmv_mpi" */
    const char *record_name;     /* the results file's `chapter`: "07_mpi" */
    const char *doc;             /* for --help */
    dist_backend_t backend;
    const char *const *matrices; /* used without --matrix; NULL-terminated */
} program_t;

/* Does all of main, from MPI_Init to MPI_Finalize.  Returns 0, 1 (a wrong result, no GPU, no NCCL), 2 (a bad matrix),
 * 64 (bad options) or 74 (the results file cannot be written). */
int program_main(const program_t *p, int argc, char **argv);

enum { GUARD = 64, MOST_WORLDS = 32, GRAPH_PRODUCTS = 8 };

/* ---- the rows of the table ---------------------------------------------------------------------- */

typedef enum what { PRODUCT, EXCHANGE, INTERIOR, BOUNDARY, GRAPH } what_t;

typedef struct variant {
    const char *id, *idea; /* the results file's step is id@ranks */
    dist_cut_t cut;
    dist_exchange_kind_t exchange;
    dist_local_t local;
    bool sequential; /* the interior waits for the exchange */
    enum { ANYWHERE, CPU_ONLY, GRAPHS_ONLY } where;
    what_t what;
} variant_t;

extern const variant_t VARIANTS[];
extern const int VARIANT_COUNT;
extern const char *const CUT_NAMES[];

/* ---- options of these programs ------------------------------------------------------------------ */

typedef struct extra {
    int ranks[MOST_WORLDS], worlds;      /* --ranks */
    bool each, weak, per_rank, metis; /* metis: --order metis */
    enum { CUT_1D, CUT_2D, CUT_AUTO } cut; /* --cut */
    dist_transport_t transport;
    const char *cuts;                    /* --cuts FILE */
    int parts[MOST_WORLDS], parts_count; /* --parts: for --cuts */
} extra_t;

/* ---- one run ------------------------------------------------------------------------------------ */

typedef struct run {
    const program_t *p;
    const options_t *o;
    const extra_t *e;
    report_t *report;  /* only on rank 0 */
    FILE *talk;        /* where rank 0 prints the table of the cuts */
    bool gpu;         /* the device is a GPU, so times may be printed */
    bool graphs;       /* the host waits for nothing in a product, in any world */
    size_t done, total; /* numbers of rows, for the progress line */
    int failures;

    /* the current matrix */
    char what[200], name[200];
    dtype_t type;
    csr_t *A;          /* on rank 0, rounded to `type`; NULL if each rank opens only its rows */
    size_t rows, cols;
    order_t order;     /* on rank 0: the order of A, whose parts are its best cut; empty if A has its own order */
    int across;        /* ranks per row of the grid (--cut); 1 for whole rows */
    double *x[2];      /* two vectors, so that a halo of the first is wrong for the second */
    double *y[2], *abs_sum[2]; /* the expected result, and sum |a x|, on the rank that has A */

    /* the current world and the matrix in it */
    dist_world_t *w;
    dist_matrix_t *d;
    void *dx[2], *dy;  /* this rank's parts, on the host or the GPU */
    cudaStream_t stream; /* on a GPU; the default stream would take microseconds more per event */
    cudaGraphExec_t graph; /* GRAPH_PRODUCTS products with dx[0], captured once and replayed; or NULL */
} run_t;

/* program_matrix.c: runs one matrix through all worlds and types.  Returns 0, or 2 after a sentence on stderr. */
int run_matrix(run_t *r, const char *matrix, dist_world_t **worlds, const int *ranks, int count, int rank);
/* On rank 0, open r->A with its name and shape; free it with its x and y. */
int open_matrix(run_t *r, const char *what, err_t *err);
void free_matrix(run_t *r);
/* Waits for all ranks without keeping a core busy. */
void wait_for_all(void);

/* program_run.c */
bool selected(const run_t *r, const variant_t *v, int ranks);           /* --only selects the row, and it can run */
void step_name(char *text, size_t size, const variant_t *v, int ranks); /* "halo@4" */
dist_status_t run_cut(run_t *r, dist_cut_t cut, err_t *err);            /* runs all rows of one cut */

/* program_check.c: computes y = A x[k] on all ranks in poisoned memory, checks the guards, and compares y with the
 * product of one process.  mine: this rank's rows of A, rounded. */
dist_status_t check_product(run_t *r, const variant_t *v, const csr_t *mine, int k, double *err_over_tol, err_t *err);

/* program_time.c: measures the median over samples of the slowest rank's time for one run. */
dist_status_t time_variant(run_t *r, what_t what, bench_stats_t *stats, err_t *err);
/* Opens, runs and closes a graph of r's products with dx[0], on r's stream. */
dist_status_t graph_open(run_t *r, err_t *err);
dist_status_t graph_run(run_t *r, err_t *err);
void graph_close(run_t *r);

/* program_tell.c: prints one line for a cut of the current world. */
int tell_cut(run_t *r, const csr_t *mine, dist_cut_t cut, err_t *err);
/* Prints the counts by which --cut decided. */
void tell_grid(const run_t *r, int parts, const grid_choice_t *c, bool taken);
/* Prints the counts by which --order decided. */
void tell_order(const run_t *r, int parts, const order_choice_t *c);
/* program_cuts.c: --cuts, where rank 0 counts every matrix for every number of parts.  Returns 0, or 2 after a line on
 * stderr. */
int run_cuts(run_t *r, const char *const *matrices);

#endif
