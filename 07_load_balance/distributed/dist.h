/*
 * dist.h - y = A x with the rows of A distributed over MPI ranks, on CPUs or on GPUs.
 *
 * Every rank has its rows of A, the same rows of y, and its part of x; what else of x its rows ask for, the halo, comes
 * from the others.  Start, make a matrix, multiply as often as you like:
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
 * same order.  While a world or a matrix is made, an error of one rank is returned by all, with its sentence, so nobody
 * waits for a rank that gave up.  A product's error is its rank's own, and the others may wait for it for ever: a
 * program then calls dist_end_all.  Nothing else here prints or exits.  A world is used by one thread at a time.
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

/* What a function returns; the sentence beside it is in *err. */
typedef enum dist_status {
    DIST_OK = 0,
    DIST_BAD_ARGUMENT, /* a number out of range, a type that x and y cannot have */
    DIST_BAD_MATRIX,   /* the file, the recipe or the arrays: csr_check's sentence */
    DIST_NO_MEMORY,    /* of a host or of a GPU */
    DIST_NO_GPU,       /* built without one, or none is there */
    DIST_GPU_ERROR,    /* a CUDA call failed */
    DIST_NO_NCCL,      /* built without it, or fewer GPUs than ranks on some host */
    DIST_NCCL_ERROR,   /* an NCCL call failed */
    DIST_NO_SHARING,   /* the ranks are on several hosts, or their GPUs do not open each other's memory */
    DIST_RANK_LOST,    /* a rank that did not send in time: the sentence names it */
    DIST_MPI_ERROR     /* an MPI call failed (where the communicator returns errors at all) */
} dist_status_t;

/* ---- who takes part ----------------------------------------------------------------------------- */

typedef enum dist_backend {
    DIST_CPU = 0, /* x and y in host memory */
    DIST_CUDA     /* x and y on the rank's GPU */
} dist_backend_t;

typedef enum dist_transport {
    DIST_AUTO = 0, /* the first that all ranks can: DIST_SHARED or, on GPUs, DIST_DIRECT, DIST_NCCL; then DIST_MPI */
    DIST_MPI,      /* messages between host buffers; works where ranks share a GPU */
    DIST_NCCL,     /* DIST_CUDA: from GPU to GPU, by messages; every rank has a GPU of its own */
    DIST_SHARED,   /* DIST_CPU: ranks of one host write into memory that they share (protocol.h) */
    DIST_DIRECT    /* DIST_CUDA: GPUs of one host write into each other's memory (protocol.h) */
} dist_transport_t;

/* All zero is the default. */
typedef struct dist_world_options {
    dist_backend_t backend;
    dist_transport_t transport;
    double patience_s; /* DIST_SHARED, DIST_DIRECT: how long a product waits for a rank; 0: 8 s */
} dist_world_options_t;

/* To be read, not written. */
typedef struct dist_world {
    MPI_Comm comm;              /* a duplicate of the one given */
    int rank, ranks;
    dist_backend_t backend;
    dist_transport_t transport; /* not DIST_AUTO; a matrix that it cannot carry goes by another if nobody named it */
    bool named;                 /* somebody did */
    double patience_s;
    int card, cards;            /* this rank's GPU, and how many different ones all ranks have; 0, 0 on DIST_CPU */
    char why[200];              /* why this transport, one line: "NCCL 2.28.9, 4 ranks, a GPU each" */
    void *nccl;                 /* its communicator, or NULL */
    void *direct;               /* DIST_DIRECT: what sums go through, or NULL */
} dist_world_t;

/* A world of the ranks of comm.  DIST_CUDA makes one of the host's GPUs the rank's own (cudaSetDevice): the k-th rank
 * of a host gets GPU k mod GPUs.  NULL options are all default.  On an error *w is NULL. */
dist_status_t dist_world_open(dist_world_t **w, MPI_Comm comm, const dist_world_options_t *o, err_t *err);

/* Ends a world; its matrices must be gone.  Takes NULL. */
void dist_world_close(dist_world_t *w);

/* "mpi", "nccl", "shared", "direct"; "auto". */
const char *dist_transport_name(dist_transport_t t);

/* Sums `count` doubles over the ranks, in place, each rank gets all sums: for dot products.  In host memory, or on the
 * GPU with DIST_CUDA, where it is ordered on `stream` (a cudaStream_t; with NCCL the host does not wait). */
dist_status_t dist_sum(dist_world_t *w, double *values, int count, void *stream, err_t *err);

/* If any rank comes with a status other than DIST_OK, every rank gets that of the first such rank and its sentence. */
dist_status_t dist_agree(const dist_world_t *w, dist_status_t status, err_t *err);

/* Not collective: says *err on stderr and ends all ranks of the program with exit status 1 (MPI_Abort).  Returns only
 * where the world is one rank, which nobody waits for. */
void dist_end_all(const dist_world_t *w, const err_t *err);

/* ---- the matrix --------------------------------------------------------------------------------- */

typedef enum dist_exchange_kind {
    DIST_HALO = 0,  /* a rank gets the entries of x its rows ask for, and no others */
    DIST_REPLICATED /* every rank gets all of x */
} dist_exchange_kind_t;

/* How a rank multiplies. */
typedef enum dist_local {
    DIST_LOCAL_PLAN = 0, /* libspmv with a plan */
    DIST_LOCAL_NONE,     /* libspmv, CSR arrays as they are */
    DIST_LOCAL_CSR,      /* DIST_CPU only, one thread: the loop of chapter 04 */
    DIST_LOCAL_CSRL,     /* ... runs of consecutive columns */
    DIST_LOCAL_BY_RANK   /* ... each rank decides: CSRL where it has fewer than 0.3 runs a nonzero (article S4) */
} dist_local_t;

/* All zero is the default. */
typedef struct dist_options {
    dist_cut_t cut;
    dist_exchange_kind_t exchange;
    dist_local_t local;
    bool no_overlap; /* exchange first, then multiply; otherwise the part that needs no halo is multiplied meanwhile */
    int threads;     /* DIST_CPU: OpenMP threads of a rank, 0: 1 */
    int across;      /* a grid of ranks, so many in a row of it, a divisor of the ranks (grid.h); 0, 1: whole rows */
} dist_options_t;

/* One rank's share.  x is cut as the rows are if A is square, else into equal parts. */
typedef struct dist_part {
    int64_t first_row, rows; /* of A and y */
    int64_t first_col, cols; /* of x */
    int64_t nnz, halo_nnz;   /* nonzeros, and those among them whose column is another rank's */
    int64_t halo_rows;       /* rows that have such nonzeros */
    int64_t halo;            /* entries of x the rows ask others for: distinct columns */
    int64_t sends;           /* entries of x others ask this rank for, one counted for each that asks */
    int64_t sources, targets; /* ranks it gets entries from, and ranks it sends entries to */
    int64_t runs;            /* runs of consecutive columns: CSRL's nzseg */
    int64_t csrl;            /* 1: this rank multiplies by runs */
    int64_t fold, fold_sends; /* a grid: sums it gets and sends; sources and targets are of entries and of sums */
} dist_part_t;

typedef struct dist_matrix dist_matrix_t;

/* Rank 0 has A (the others' A is not looked at) and every rank gets its rows.  A may go afterwards.  `type` is that of
 * the values: fp32, fp64, fp16, bf16; x and y have dtype_vector(type).  Values are rounded to it.  NULL options are all
 * default.  On an error *d is NULL. */
dist_status_t dist_create(dist_matrix_t **d, dist_world_t *w, const csr_t *A, dtype_t type, const dist_options_t *o,
                          err_t *err);

/* Rank 0's A dealt out as rows: *mine, with global columns, is the caller's (csr_free).  dist_create is this and then
 * dist_create_from_rows. */
dist_status_t dist_scatter_rows(csr_t **mine, dist_world_t *w, const csr_t *A, dist_cut_t cut, err_t *err);

/* The same with a cut of the caller's: first[r] .. first[r + 1] - 1 are rank r's rows, on rank 0. */
dist_status_t dist_scatter_parts(csr_t **mine, dist_world_t *w, const csr_t *A, const int64_t *first, err_t *err);

/* Every rank has its rows already: `mine` has mine->rows of them and global columns, mine->cols is that of A.  Rank r's
 * rows follow those of rank r - 1.  `mine` may go afterwards; o->cut is not looked at. */
dist_status_t dist_create_from_rows(dist_matrix_t **d, dist_world_t *w, const csr_t *mine, dtype_t type,
                                    const dist_options_t *o, err_t *err);

/* The same for ranks in a grid, `across` in a row of it: *mine are the rows of all ranks of the rank's row of the grid,
 * with those nonzeros whose columns are in its column.  first [ranks + 1], on rank 0: whose rows are whose; then all
 * have it.  dist_create with o->across is this and then dist_create_from_blocks. */
dist_status_t dist_scatter_blocks(csr_t **mine, dist_world_t *w, const csr_t *A, int64_t *first, int across,
                                  err_t *err);
dist_status_t dist_create_from_blocks(dist_matrix_t **d, dist_world_t *w, const csr_t *mine, const int64_t *first,
                                      dtype_t type, const dist_options_t *o, err_t *err);

/* Every rank reads or generates the matrix `what` (a .mtx file or a recipe, as spmv_matrix_open) itself and keeps its
 * rows; of poisson2d:, poisson3d: and stencil27: it generates only those, if cut is DIST_CUT_ROWS.  *mine is the
 * caller's (csr_free), for dist_create_from_rows. */
dist_status_t dist_open_rows(csr_t **mine, const dist_world_t *w, const char *what, uint64_t seed, dist_cut_t cut,
                             err_t *err);

/* Every rank's share as dist_part would give it for these rows, into parts [ranks], without making a matrix; csrl 0. */
dist_status_t dist_measure(dist_part_t *parts, dist_world_t *w, const csr_t *mine, err_t *err);

/* How its entries of x travel: not DIST_AUTO.  Local. */
dist_transport_t dist_transport(const dist_matrix_t *d);

/* From now on with or without: the same matrix, so that both can be timed. */
void dist_set_overlap(dist_matrix_t *d, bool overlap);

/* Takes NULL. */
void dist_destroy(dist_matrix_t *d);

/* The share of a rank, any rank's; lives as long as d.  Local. */
const dist_part_t *dist_part(const dist_matrix_t *d, int rank);

/* Of the whole matrix.  Local. */
int64_t dist_rows(const dist_matrix_t *d);
int64_t dist_cols(const dist_matrix_t *d);
int64_t dist_nnz(const dist_matrix_t *d);
/* Nonzeros of the fullest rank over those of the mean one; 1 where there are none. */
double dist_max_over_mean(const dist_matrix_t *d);

/* Bytes a rank receives for one product: of x and, in a grid, sums; and of x if it were replicated.  Local. */
int64_t dist_halo_bytes(const dist_matrix_t *d, int rank);
int64_t dist_replicated_bytes(const dist_matrix_t *d, int rank);

/* ---- the product -------------------------------------------------------------------------------- */

/* y = A x on the rank's parts: x [cols], y [rows] of its dist_part, of dtype_vector(type), which may not overlap, in
 * host memory or with DIST_CUDA on its GPU.  There it is ordered on `stream` (a cudaStream_t; the default stream is
 * NULL), and products of one matrix are on one stream or ordered otherwise.  With DIST_NCCL and DIST_DIRECT the host
 * does not wait and all of it may be captured in a CUDA graph, with DIST_DIRECT an even number of products of a matrix
 * in each, for their entries arrive in two places in turn, and to be instantiated with
 * cudaGraphInstantiateFlagUseNodePriority, for they travel while x is multiplied; with MPI it waits until entries have
 * come and gone.
 * Where a rank writes into another's memory all ranks run as many products, and waits are bounded: DIST_RANK_LOST, on a
 * GPU NaN in y and that error from dist_settle and from the next product. */
dist_status_t dist_spmv(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err);

/* Waits for all products so far, and says whether all entries came.  Local. */
dist_status_t dist_settle(dist_matrix_t *d, err_t *err);

/* Its parts alone, to be timed, in this order a product: the exchange; the nonzeros that need no halo; the others,
 * added to y (or, directly between GPUs, rows at the ends that are the boundary's whole).  In a grid sums are
 * exchanged and added, too. */
dist_status_t dist_exchange(dist_matrix_t *d, const void *x, void *stream, err_t *err);
dist_status_t dist_interior(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err);
dist_status_t dist_boundary(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err);

/* ---- whole vectors ------------------------------------------------------------------------------ */

/* Rank 0's vector [all cols] to the parts, and the parts [rows] to rank 0's [all rows]; of dtype_vector(type), all in
 * host memory.  On other ranks `whole` is not looked at. */
dist_status_t dist_scatter_x(const dist_matrix_t *d, const void *whole, void *x, err_t *err);
dist_status_t dist_gather_y(const dist_matrix_t *d, const void *y, void *whole, err_t *err);

#ifdef __cplusplus
}
#endif

#endif
