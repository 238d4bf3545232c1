/*
 * dist_impl.h - shared by the files of distributed/: a matrix in its parts, and the functions that work on them.
 *
 *   cut.c       decides which rank owns which rows
 *   rows.c      sends the rows to their ranks;  blocks.c  does this for the blocks of a grid
 *   halo.c      splits a rank's rows in two, and lists the entries that ranks exchange
 *   local.c     multiplies one part of a rank's rows by a vector
 *   own.c       creates a matrix of whole rows, exchanges x, multiplies
 *   fold.c      sends partial sums to the ranks that own their rows (grid.h)
 *   dist.c      is the interface on top of these
 *
 * The transports move entries of x to another rank:
 *
 *   exchange.c  over MPI, between host buffers
 *   shared.c    between processes of one host, in memory that they share
 *   gpu.c      for x on a GPU, through host buffers and MPI;  gpu_kernels.cu  packs and adds
 *   nccl.c      from GPU to GPU, by NCCL
 *   direct.c    from GPU to GPU: a kernel writes into the other GPU's memory;  direct_kernels.cu
 *
 *   protocol.h  how ranks write into each other's memory, for shared.c and direct.c;  memory_order.h, windows.c
 */
#ifndef DIST_IMPL_H
#define DIST_IMPL_H

#include <cuda_runtime_api.h>

#include "dist.h"

/* Return the status of a call of MPI or CUDA; *err gets its message. */
dist_status_t mpi_ok(int code, const char *what, err_t *err);
dist_status_t cuda_ok(cudaError_t code, const char *what, err_t *err);

/* Sets *err to a sentence (printf style); the value is `status`. */
#define FAIL_WITH(err, status, ...) (err_set(err, __VA_ARGS__), (status))

/* Collective: DIST_NO_MEMORY on every rank, with the sentence of the first rank that does not have `enough`. */
#define ENOUGH(w, enough, err, ...) dist_agree(w, (enough) ? DIST_OK : FAIL_WITH(err, DIST_NO_MEMORY, __VA_ARGS__), err)

/* ---- rows (rows.c) ------------------------------------------------------------------------------- */

/* Copies rows first .. end - 1 of A into a new matrix; NULL if memory is short. */
csr_t *rows_slice(const csr_t *A, int64_t first, int64_t end);
/* Collective: checks that rank 0 has a matrix that can be distributed. */
dist_status_t rows_check(const csr_t *A, const dist_world_t *w, err_t *err);
/* Send rows begin .. end - 1 of A to a rank, and receive them from rank 0 into S, which has the right shape. */
dist_status_t rows_send(const csr_t *A, int64_t begin, int64_t end, int rank, MPI_Comm comm, err_t *err);
dist_status_t rows_receive(csr_t *S, MPI_Comm comm, err_t *err);

/* ---- a rank's rows in two parts (halo.c) --------------------------------------------------------- */

typedef struct halo {
    csr_t *inside;        /* [rows x the rank's cols]  the rank's own columns, counted from its first */
    csr_t *outside;       /* [halo_rows x halo]  the other columns, as indices into `columns`; only rows with some */
    int32_t *rows;        /* [halo_rows]  the numbers of the rows of `outside`, ascending */
    int32_t *columns;     /* [distinct]  global columns, ascending, even if x is replicated */
    size_t halo, halo_rows; /* halo: columns of `outside`; if x is replicated, those of A */
    size_t distinct;        /* columns of other ranks that the rows use, each counted once */
} halo_t;

/* Splits `mine`, whose columns are global.  `all` means that x will be replicated.  Returns -1 if memory is short. */
int halo_split(halo_t *h, const csr_t *mine, int64_t first_col, int64_t end_col, bool all, err_t *err);
void halo_free(halo_t *h);

/* halo_middle finds the longest run of rows, begin .. end - 1, that need no halo.  halo_ends returns all other rows,
 * whole, as a matrix in which the columns of the halo follow the rank's own; the caller frees it (csr_free).  It stores
 * their numbers in rows [rows - (end - begin)].  NULL if memory is short. */
void halo_middle(const halo_t *h, int64_t *begin, int64_t *end);
csr_t *halo_ends(const halo_t *h, int64_t begin, int64_t end, int32_t *rows, err_t *err);

/* Like halo_split, but it only counts: inside, outside and rows stay NULL, and *halo_nnz gets outside's nonzeros. */
int halo_columns(halo_t *h, const csr_t *mine, int64_t first_col, int64_t end_col, size_t *halo_nnz, err_t *err);

/* ---- one part times a vector (local.c) ------------------------------------------------------------ */

typedef struct local local_t;

/* One more value of dist_local_t, for a matrix of ones: the entries of a row are added in their order. */
enum { LOCAL_IN_ORDER = DIST_LOCAL_BY_RANK + 1 };

/* Creates a plan for A, which may be freed afterwards.  `how` may not be DIST_LOCAL_BY_RANK. */
dist_status_t local_open(local_t **l, const csr_t *A, dtype_t type, dist_backend_t backend, dist_local_t how,
                         int threads, err_t *err);
/* Computes y = A x, or y = y + A x if `add`. */
dist_status_t local_run(const local_t *l, const void *x, bool add, void *y, void *stream, err_t *err);
void local_close(local_t *l); /* takes NULL */

/* ---- the exchange ------------------------------------------------------------------------------- */

/* The entries of x that this rank receives from each rank and sends to each.  Offsets are in entries. */
typedef struct lists {
    int *source_counts, *source_offsets; /* [ranks]  into the halo */
    int *target_counts, *target_offsets; /* [ranks]  into the buffer of entries to send */
    int32_t *send_index;                 /* [sends]  indices into this rank's x, rank by rank */
    size_t sends;
} lists_t;

/* The functions that move the entries of x of one matrix.  On GPUs put, wait and boundary enqueue on `stream`. */
typedef struct transport {
    const char *name;
    dist_status_t (*open)(dist_matrix_t *d, const halo_t *h, err_t *err); /* collective; ended by close */
    dist_status_t (*put)(dist_matrix_t *d, const void *x, cudaStream_t stream, err_t *err); /* sends entries of x */
    dist_status_t (*wait)(dist_matrix_t *d, cudaStream_t stream, err_t *err); /* until the halo is at d->halo_at */
    void (*close)(dist_matrix_t *d); /* also after an open that failed */
    /* With d->joined it waits, multiplies the nonzeros that need the halo, and adds to y.  With d->apart it computes
     * whole rows.  NULL if the transport has no such kernel. */
    dist_status_t (*boundary)(dist_matrix_t *d, const void *x, void *y, cudaStream_t stream, err_t *err);
    /* With d->apart and d->in_line it does put and boundary in one kernel. */
    dist_status_t (*at_once)(dist_matrix_t *d, const void *x, void *y, cudaStream_t stream, err_t *err);
} transport_t;

extern const transport_t TRANSPORT_MPI, TRANSPORT_SHARED, TRANSPORT_GPU_MPI, TRANSPORT_NCCL, TRANSPORT_DIRECT;

typedef struct fold fold_t;

struct dist_matrix {
    dist_world_t *w;
    dist_options_t o;
    dtype_t type;                   /* of the values */
    size_t element;                 /* bytes of an entry of x */
    int64_t rows, cols, nnz;        /* of the whole matrix */
    int64_t *first_row, *first_col; /* [ranks + 1] */
    dist_part_t *parts, mine;       /* [ranks] */
    local_t *inside, *outside;      /* outside is NULL if the rank needs no halo, or with d->apart */
    int64_t middle, middle_end;     /* the rows of inside: all, or with d->apart those between the ends */
    int32_t *halo_rows;             /* [mine.halo_rows]; NULL if outside has every row and is added to y directly */
    lists_t lists;
    dist_transport_t transport;     /* not DIST_AUTO */
    const transport_t *by;          /* the transport's functions; NULL before open */
    void *moves;                    /* the state of shared.c or direct.c */
    bool joined;                    /* one kernel waits and multiplies (transport.boundary) */
    bool apart;                     /* that kernel has whole rows, so it need not wait for the interior */
    bool in_line;                   /* few entries are sent: put runs on the caller's stream, unless that is captured */
    bool aside;                     /* the last put is on the side stream */
    const void *halo_at;            /* the halo of the last exchange: `received`, or a window */
    size_t halo;                    /* its entries: mine.halo, or cols if x is replicated */
    fold_t *fold;                   /* the rows of other ranks, in a grid; NULL if rows are whole */

    void *send, *received, *sum;    /* host: [sends], [halo], [halo_rows] */
    MPI_Request *requests;          /* persistent, in both directions; if x is replicated, that of the collective */
    int request_count;
    int *all_counts, *all_offsets;  /* [ranks] if x is replicated: the entries of each rank */

    int32_t *d_send_index, *d_halo_rows; /* the same on the GPU */
    void *d_send, *d_received, *d_sum;
    cudaStream_t side;              /* the exchange runs beside the caller's stream */
    cudaEvent_t x_there, halo_there;
};

/* What own_begin creates a matrix from. */
typedef struct origin {
    const csr_t *mine;
    const int64_t *first_row; /* [ranks + 1]  in a grid, where `mine` is a block; NULL: `mine` has whole rows */
    const int64_t *first_col; /* [ranks + 1]  the entries of x of each rank; NULL: like the rows, or equal parts */
} origin_t;

/* local_open_wide opens h->outside as a matrix of `count` rows, in which row h->rows[i] - begin is row i of outside.
 * local_how returns the kernel with which d's rows are multiplied. */
dist_status_t local_open_wide(local_t **l, const dist_matrix_t *d, const halo_t *h, int32_t begin, size_t count,
                              err_t *err);
dist_local_t local_how(const dist_matrix_t *d);

/* own.c: a matrix whose rows are whole, or a rank's own rows of a grid.  All but `destroy` are collective.
 *   begin    decides which rank owns which rows and columns
 *   open     prepares the rank's rows for multiplication, and their transport.  In `mine` the rank's own rows come
 *            first.  *h describes all rows of mine (call halo_free, also after an error), and the first own_outside of
 *            its halo_rows are the rank's own
 *   share    tells every rank the share of each rank
 *   build    does all three, if every row of from->mine is the rank's own */
dist_status_t own_begin(dist_matrix_t **d, dist_world_t *w, const origin_t *from, dtype_t type,
                        const dist_options_t *o, err_t *err);
dist_status_t own_open(dist_matrix_t *d, const csr_t *mine, halo_t *h, size_t *own_outside, err_t *err);
dist_status_t own_share(dist_matrix_t *d, err_t *err);
dist_status_t own_build(dist_matrix_t **d, dist_world_t *w, const origin_t *from, dtype_t type,
                        const dist_options_t *o, err_t *err);
void own_destroy(dist_matrix_t *d); /* takes NULL */
/* Start and finish an exchange, or do both; multiply the nonzeros in the rank's own columns (inside), and those that
 * need the halo (outside). */
dist_status_t own_start(dist_matrix_t *d, const void *x, void *stream, err_t *err);
dist_status_t own_finish(dist_matrix_t *d, void *stream, err_t *err);
dist_status_t own_exchange(dist_matrix_t *d, const void *x, void *stream, err_t *err);
dist_status_t own_inside(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err);
dist_status_t own_outside(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err);

/* fold.c.  arrange returns the rows of a block in another order: first the rank's own, first .. end - 1, then those
 * rows of other ranks that have nonzeros, whose numbers it stores in others [block->rows]; it returns NULL if memory is
 * short.  For open, h describes rows in that order, and the first own_outside rows of h->outside are the rank's own.
 * The remaining functions are the parts of a product, and the product. */
csr_t *fold_arrange(const csr_t *block, int64_t block_first, int64_t first, int64_t end, int32_t *others, err_t *err);
dist_status_t fold_open(dist_matrix_t *d, const halo_t *h, const int32_t *others, size_t own_outside, err_t *err);
dist_matrix_t *fold_sums(const dist_matrix_t *d); /* the matrix that adds the sums; the sums are its x */
void fold_close(dist_matrix_t *d); /* may be called if d has no fold */
bool fold_x_stays(const dist_matrix_t *d); /* no rank needs entries of another rank's x */
dist_status_t fold_inside(dist_matrix_t *d, const void *x, void *stream, err_t *err);
dist_status_t fold_outside(dist_matrix_t *d, void *stream, err_t *err);
dist_status_t fold_exchange(dist_matrix_t *d, void *stream, err_t *err);
dist_status_t fold_add(dist_matrix_t *d, void *y, void *stream, err_t *err);
dist_status_t fold_spmv(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err);

/* Collective: makes the lists from the columns that each rank needs. */
dist_status_t lists_open(lists_t *l, const dist_matrix_t *d, const int32_t *columns, err_t *err);
void lists_free(lists_t *l);

/* exchange.c: between host buffers.  start sends the entries in d->send (if x is replicated, those at `from`); finish
 * waits until d->received is complete. */
dist_status_t exchange_open(dist_matrix_t *d, const halo_t *h, err_t *err);
dist_status_t exchange_start(dist_matrix_t *d, const void *from, err_t *err);
dist_status_t exchange_finish(dist_matrix_t *d, err_t *err);
void exchange_close(dist_matrix_t *d);

/* shared.c: returns whether all ranks are on one host.  Collective. */
bool shared_possible(const dist_world_t *w);

/* gpu.c: the same for arrays on the GPU, and their world. */
dist_status_t gpu_choose_transport(dist_world_t *w, dist_transport_t wanted, err_t *err);
dist_status_t gpu_sum(dist_world_t *w, double *values, int count, void *stream, err_t *err);
dist_status_t gpu_open(dist_matrix_t *d, err_t *err);
dist_status_t gpu_open_rows(dist_matrix_t *d, err_t *err); /* d->halo_rows */
dist_status_t gpu_exchange_start(dist_matrix_t *d, const void *x, void *stream, err_t *err);
dist_status_t gpu_exchange_finish(dist_matrix_t *d, void *stream, err_t *err);
/* With d->joined: completes a product after gpu_exchange_start and the interior. */
dist_status_t gpu_boundary(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err);
/* Runs put and boundary by transport.at_once, then the interior. */
bool gpu_can_at_once(const dist_matrix_t *d, void *stream);
dist_status_t gpu_add(dist_matrix_t *d, void *y, void *stream, err_t *err);
void gpu_close(dist_matrix_t *d);

/* nccl.c: w->nccl and the messages through it.  In a build without NCCL nccl_version returns 0, and only nccl_close may
 * be called. */
int nccl_version(void);
dist_status_t nccl_open(dist_world_t *w, err_t *err);
void nccl_close(dist_world_t *w);
dist_status_t nccl_sum(dist_world_t *w, double *values, int count, cudaStream_t stream, err_t *err);
dist_status_t nccl_exchange(dist_matrix_t *d, const void *x, cudaStream_t stream, err_t *err);

/* direct.c: opens w->direct, through which sums are exchanged.  Returns NULL, or the reason if it cannot: the GPUs do
 * not open each other's memory.  Collective; all ranks get the same result. */
const char *direct_open_world(dist_world_t *w);
void direct_close_world(dist_world_t *w); /* may be called if w->direct is NULL */
dist_status_t direct_add_up(dist_world_t *w, double *values, int count, cudaStream_t stream, err_t *err);
/* Returns an error if some entries or sums have not arrived. */
dist_status_t direct_settle(const dist_world_t *w, err_t *err);

#endif
