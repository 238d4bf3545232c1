/*
 * dist.h - y = A x with the rows of A distributed over MPI ranks, on CPUs or on GPUs.
 *
 * Every rank has its rows of A, the same rows of y, and its part of x.  The other entries of x that its rows need, the
 * halo, come from other ranks.  Open a world, create a matrix, multiply as often as you like:
 *
 *     MPI_Init(&argc, &argv);
 *     dist_world_t *w; dist_matrix_t *d; err_t err;
 *     if (dist_world_open(&w, MPI_COMM_WORLD, NULL, &err)) ...                    err.text says why, on every rank
 *     if (dist_create(&d, w, rank == 0 ? A : NULL, DTYPE_F64, NULL, &err)) ...    rank 0 has A, all get their rows
 *     const dist_part_t *mine = dist_part(d, w->rank);
 *     double *x = ..., *y = ...;                                                  [mine->cols], [mine->rows]
 *     dist_spmv(d, x, y, NULL, &err);
 *     dist_destroy(d); dist_world_close(w); MPI_Finalize();
 *
 * All functions that take a world or a matrix are collective unless they say otherwise: every rank calls them, in the
 * same order.  When a world or a matrix is created, all ranks return the error of one rank with its text, so no rank
 * waits for a rank that has failed.  An error in a product is returned by its rank only, and other ranks may wait for
 * that rank forever: then the program calls dist_end_all.  No other function here prints or exits.  Only one thread
 * at a time may use a world.
 */
#ifndef DIST_H
#define DIST_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "csr.h"
#include "cut.h"
#include "dtype.h"
#include "err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ------------------------------------------------------------------------------------- */

/* The status that a function returns; *err has the text. */
typedef enum dist_status {
    DIST_OK = 0,
    DIST_BAD_ARGUMENT, /* a number is out of range, or x and y cannot have the type */
    DIST_BAD_MATRIX,   /* the file, the recipe or the arrays are wrong; the text is csr_check's */
    DIST_NO_MEMORY,    /* a host or a GPU has too little memory */
    DIST_NO_GPU,       /* the library was built without CUDA, or the machine has no GPU */
    DIST_GPU_ERROR,    /* a CUDA call failed */
    DIST_NO_NCCL,      /* the library was built without NCCL, or a host has fewer GPUs than ranks */
    DIST_NCCL_ERROR,   /* an NCCL call failed */
    DIST_NO_SHARING,   /* the ranks are on several hosts, or their GPUs do not open each other's memory */
    DIST_RANK_LOST,    /* a rank did not send in time; the text names it */
    DIST_MPI_ERROR     /* an MPI call failed (if the communicator returns errors) */
} dist_status_t;

/* ---- the ranks ----------------------------------------------------------------------------- */

typedef enum dist_backend {
    DIST_CPU = 0, /* x and y are in host memory */
    DIST_CUDA     /* x and y are on the rank's GPU */
} dist_backend_t;

typedef enum dist_transport {
    DIST_AUTO = 0, /* the first that all ranks have: DIST_SHARED or, on GPUs, DIST_DIRECT, DIST_NCCL; then DIST_MPI */
    DIST_MPI,      /* messages between host buffers; also for ranks that share a GPU */
    DIST_NCCL,     /* DIST_CUDA: messages from GPU to GPU; every rank needs its own GPU */
    DIST_SHARED,   /* DIST_CPU: ranks of one host write into memory that they share (protocol.h) */
    DIST_DIRECT    /* DIST_CUDA: GPUs of one host write into each other's memory (protocol.h) */
} dist_transport_t;

/* A struct that is all zero selects the defaults. */
typedef struct dist_world_options {
    dist_backend_t backend;
    dist_transport_t transport;
    double patience_s; /* DIST_SHARED, DIST_DIRECT: how long a product waits for a rank; 0: 8 s */
} dist_world_options_t;

/* Read-only for the caller. */
typedef struct dist_world {
    MPI_Comm comm;              /* a duplicate of the caller's communicator */
    int rank, ranks;
    dist_backend_t backend;
    dist_transport_t transport; /* not DIST_AUTO; unless `named`, a matrix that it does not support uses another */
    bool named;                 /* the caller selected the transport */
    double patience_s;
    int gpu, gpus;            /* this rank's GPU, and the number of different GPUs of all ranks; 0, 0 on DIST_CPU */
    char why[200];              /* the reason for this transport, one line: "NCCL 2.28.9, 4 ranks, a GPU each" */
    void *nccl;                 /* the NCCL communicator, or NULL */
    void *direct;               /* DIST_DIRECT: the memory for sums, or NULL */
} dist_world_t;

/* Opens a world of the ranks of comm.  DIST_CUDA selects a GPU for each rank (cudaSetDevice): the k-th rank of a host
 * gets GPU k mod GPUs.  NULL options are all default.  On an error *w is NULL. */
dist_status_t dist_world_open(dist_world_t **w, MPI_Comm comm, const dist_world_options_t *o, err_t *err);

/* Ends a world, after its matrices have been destroyed.  Accepts NULL. */
void dist_world_close(dist_world_t *w);

/* Returns "mpi", "nccl", "shared", "direct" or "auto". */
const char *dist_transport_name(dist_transport_t t);

/* Sums `count` doubles over the ranks in place; each rank gets all sums, as for dot products.  The values are in host
 * memory, or on the GPU with DIST_CUDA; there the sum is ordered on `stream` (a cudaStream_t), and with NCCL the host
 * does not wait. */
dist_status_t dist_sum(dist_world_t *w, double *values, int count, void *stream, err_t *err);

/* If any rank passes a status other than DIST_OK, every rank gets the status and text of the first such rank. */
dist_status_t dist_agree(const dist_world_t *w, dist_status_t status, err_t *err);

/* Not collective: prints *err on stderr and ends all ranks of the program with exit status 1 (MPI_Abort).  Returns only
 * if the world has a single rank. */
void dist_end_all(const dist_world_t *w, const err_t *err);

/* ---- the matrix --------------------------------------------------------------------------------- */

typedef enum dist_exchange_kind {
    DIST_HALO = 0,  /* a rank gets only the entries of x that its rows need */
    DIST_REPLICATED /* every rank gets all of x */
} dist_exchange_kind_t;

/* The kernel with which a rank multiplies. */
typedef enum dist_local {
    DIST_LOCAL_PLAN = 0, /* libspmv with a plan */
    DIST_LOCAL_NONE,     /* libspmv, CSR arrays as they are */
    DIST_LOCAL_CSR,      /* DIST_CPU only, one thread: the loop of chapter 04 */
    DIST_LOCAL_CSRL,     /* DIST_CPU only, one thread: runs of consecutive columns */
    DIST_LOCAL_BY_RANK   /* DIST_CPU only: CSRL on ranks with fewer than 0.3 runs per nonzero, else CSR (article S4) */
} dist_local_t;

/* A struct that is all zero selects the defaults. */
typedef struct dist_options {
    dist_cut_t cut;
    dist_exchange_kind_t exchange;
    dist_local_t local;
    bool no_overlap; /* exchange first, then multiply; otherwise do both at once where no halo is needed */
    int threads;     /* DIST_CPU: OpenMP threads of a rank; 0 means 1 */
    int across;      /* ranks in one row of a grid of ranks (grid.h), a divisor of their number; 0 or 1: no grid */
} dist_options_t;

/* One rank's share.  If A is square, x is cut like the rows; otherwise it is cut into equal parts. */
typedef struct dist_part {
    int64_t first_row, rows; /* of A and y */
    int64_t first_col, cols; /* of x */
    int64_t nnz, halo_nnz;   /* all nonzeros, and the nonzeros in another rank's columns */
    int64_t halo_rows;       /* rows that have such nonzeros */
    int64_t halo;            /* entries of x that the rows need from other ranks: distinct columns */
    int64_t sends;           /* entries of x that other ranks need, counted once for each of them */
    int64_t sources, targets; /* ranks that send it entries, and ranks that it sends entries to */
    int64_t runs;            /* runs of consecutive columns: CSRL's nzseg */
    int64_t csrl;            /* 1: this rank multiplies by runs */
    int64_t fold, fold_sends; /* in a grid: sums received and sent; sources and targets then count their ranks, too */
} dist_part_t;

typedef struct dist_matrix dist_matrix_t;

/* Rank 0 has A (ignored on other ranks), and every rank gets its rows.  A may be freed afterwards.  `type` is that of
 * the values: fp32, fp64, fp16, bf16; x and y have dtype_vector(type).  Values are rounded to it.  NULL options are all
 * default.  On an error *d is NULL. */
dist_status_t dist_create(dist_matrix_t **d, dist_world_t *w, const csr_t *A, dtype_t type, const dist_options_t *o,
                          err_t *err);

/* Distributes the rows of rank 0's A: the caller owns *mine (csr_free), which has global columns.  dist_create calls
 * this and then dist_create_from_rows. */
dist_status_t dist_scatter_rows(csr_t **mine, dist_world_t *w, const csr_t *A, dist_cut_t cut, err_t *err);

/* The same with the caller's cut: on rank 0, first[r] .. first[r + 1] - 1 are the rows of rank r. */
dist_status_t dist_scatter_parts(csr_t **mine, dist_world_t *w, const csr_t *A, const int64_t *first, err_t *err);

/* Every rank has its rows already: `mine` has mine->rows rows and global columns; mine->cols is that of A.  Rank r's
 * rows follow those of rank r - 1.  `mine` may be freed afterwards; o->cut is ignored. */
dist_status_t dist_create_from_rows(dist_matrix_t **d, dist_world_t *w, const csr_t *mine, dtype_t type,
                                    const dist_options_t *o, err_t *err);

/* The same for ranks in a grid with `across` ranks per row: *mine has the rows of all ranks in this rank's row of the
 * grid, with the nonzeros whose columns belong to its column of the grid.  first [ranks + 1]: the rows of each rank, as
 * above; copied from rank 0 to all ranks.  dist_create with o->across calls this and then dist_create_from_blocks. */
dist_status_t dist_scatter_blocks(csr_t **mine, dist_world_t *w, const csr_t *A, int64_t *first, int across,
                                  err_t *err);
dist_status_t dist_create_from_blocks(dist_matrix_t **d, dist_world_t *w, const csr_t *mine, const int64_t *first,
                                      dtype_t type, const dist_options_t *o, err_t *err);

/* Every rank reads or generates the matrix `what` (a .mtx file or a recipe, as spmv_matrix_open) itself and keeps its
 * rows; of poisson2d:, poisson3d: and stencil27: it generates only those, if cut is DIST_CUT_ROWS.  The caller
 * owns *mine (csr_free), for dist_create_from_rows. */
dist_status_t dist_open_rows(csr_t **mine, const dist_world_t *w, const char *what, uint64_t seed, dist_cut_t cut,
                             err_t *err);

/* Stores the shares of all ranks, as dist_part returns them, in parts [ranks] without creating a matrix; csrl is 0. */
dist_status_t dist_measure(dist_part_t *parts, dist_world_t *w, const csr_t *mine, err_t *err);

/* Returns the transport for entries of x; it is not DIST_AUTO.  Local. */
dist_transport_t dist_transport(const dist_matrix_t *d);

/* Turns the overlap on or off, so that both can be timed with the same matrix. */
void dist_set_overlap(dist_matrix_t *d, bool overlap);

/* Frees the matrix.  Accepts NULL. */
void dist_destroy(dist_matrix_t *d);

/* The share of any rank; valid as long as d.  Local. */
const dist_part_t *dist_part(const dist_matrix_t *d, int rank);

/* The sizes of the whole matrix.  Local. */
int64_t dist_rows(const dist_matrix_t *d);
int64_t dist_cols(const dist_matrix_t *d);
int64_t dist_nnz(const dist_matrix_t *d);
/* Returns the largest number of nonzeros per rank divided by the mean; 1 if the matrix has no nonzeros. */
double dist_max_over_mean(const dist_matrix_t *d);

/* Return the bytes that a rank receives for one product: entries of x and, in a grid, sums; and for a replicated x.
 * Local. */
int64_t dist_halo_bytes(const dist_matrix_t *d, int rank);
int64_t dist_replicated_bytes(const dist_matrix_t *d, int rank);

/* ---- the product -------------------------------------------------------------------------------- */

/* y = A x on the rank's parts: x [cols], y [rows] of its dist_part, of dtype_vector(type), which may not overlap, in
 * host memory or with DIST_CUDA on its GPU.  There it is ordered on `stream` (a cudaStream_t; NULL is the default
 * stream); products of one matrix must be on one stream, or ordered otherwise.
 * With MPI the host waits until all entries have been sent and received.  With DIST_NCCL and DIST_DIRECT it does not
 * wait, and the product may be captured in a CUDA graph.  With DIST_DIRECT each graph must have an even number of
 * products of a matrix, because entries arrive in two buffers alternately, and must be instantiated with
 * cudaGraphInstantiateFlagUseNodePriority, because entries are sent during the multiplication.
 * With DIST_SHARED and DIST_DIRECT all ranks must run the same number of products, and waits are bounded: after a
 * timeout the product returns DIST_RANK_LOST; on a GPU y is NaN, and dist_settle and the next product return this
 * error. */
dist_status_t dist_spmv(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err);

/* Waits for all products so far; returns an error if not all entries arrived.  Local. */
dist_status_t dist_settle(dist_matrix_t *d, err_t *err);

/* The parts of a product, so that each can be timed; called in this order they are one product.  They exchange entries
 * of x, multiply the nonzeros that need no halo, and add the products of the other nonzeros to y (with DIST_DIRECT the
 * last part may compute whole rows at both ends).  In a grid they exchange and add sums, too. */
dist_status_t dist_exchange(dist_matrix_t *d, const void *x, void *stream, err_t *err);
dist_status_t dist_interior(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err);
dist_status_t dist_boundary(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err);

/* ---- whole vectors ------------------------------------------------------------------------------ */

/* Copies rank 0's vector [all cols] to the parts, and the parts [rows] to rank 0's vector [all rows]; all have the type
 * dtype_vector(type) and are in host memory.  On other ranks `whole` is ignored. */
dist_status_t dist_scatter_x(const dist_matrix_t *d, const void *whole, void *x, err_t *err);
dist_status_t dist_gather_y(const dist_matrix_t *d, const void *y, void *whole, err_t *err);

#ifdef __cplusplus
}
#endif

#endif
