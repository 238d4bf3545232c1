/*
 * dist_impl.h - what the files of distributed/ share: a matrix in its parts, and who does what to them.
 *
 *   cut.c       which rows are whose
 *   rows.c      the rows get there;  blocks.c  where ranks stand in a grid, blocks
 *   halo.c      a rank's rows split in two, and the lists of who sends what
 *   local.c     one part of a rank's rows times a vector
 *   own.c       a matrix of whole rows: made, exchanged, multiplied
 *   fold.c      rows that are another's, and how their sums come to him (grid.h)
 *   dist.c      puts them together
 *
 * and the transports, how entries of x come to another rank:
 *
 *   exchange.c  over MPI, between host buffers
 *   shared.c    between processes of one host, in memory that they share
 *   card.c      x on a GPU, by way of host buffers and MPI;  card_kernels.cu  pack and add
 *   nccl.c      from GPU to GPU, by NCCL
 *   direct.c    from GPU to GPU: a kernel writes into the other's memory;  direct_kernels.cu
 *
 *   protocol.h  what shared.c and direct.c do in each other's memory;  memory_order.h, windows.c
 */
#ifndef DIST_IMPL_H
#define DIST_IMPL_H

#include <cuda_runtime_api.h>

#include "dist.h"

/* 0, or err_set's -1 and MPI's own sentence. */
int mpi_ok(int code, const char *what, err_t *err);

/* ---- rows (rows.c) ------------------------------------------------------------------------------- */

/* Rows first .. end of A as a matrix of their own; NULL if memory is short. */
csr_t *rows_slice(const csr_t *A, int64_t first, int64_t end);
/* Rows begin .. end of A to another rank, and from rank 0 into S, which has the right shape.  0, or -1 and *err. */
int rows_send(const csr_t *A, int64_t begin, int64_t end, int rank, MPI_Comm comm, err_t *err);
int rows_receive(csr_t *S, MPI_Comm comm, err_t *err);

/* ---- a rank's rows in two parts (halo.c) --------------------------------------------------------- */

typedef struct halo {
    csr_t *inside;        /* [rows x my cols]  columns that are mine, counted from my first */
    csr_t *outside;       /* [halo_rows x halo]  the others, counted in `columns`; only rows that have some */
    int32_t *rows;        /* [halo_rows]  which rows those are, ascending */
    int32_t *columns;     /* [distinct]  global columns, ascending, also where x is replicated */
    size_t halo, halo_rows; /* halo: entries of x that outside counts, all of them where x is replicated */
    size_t distinct;        /* columns asked for */
} halo_t;

/* Splits `mine`, whose columns are global; `all`: x will be replicated.  -1 if memory is short. */
int halo_split(halo_t *h, const csr_t *mine, int64_t first_col, int64_t end_col, bool all, err_t *err);
void halo_free(halo_t *h);

/* The longest run of rows begin .. end - 1 that need no halo; and the others, whole, where the halo's columns follow
 * the rank's own: a matrix of the caller's (csr_free) and which rows those are [rows - (end - begin)].  NULL if memory
 * is short. */
void halo_middle(const halo_t *h, int64_t *begin, int64_t *end);
csr_t *halo_ends(const halo_t *h, int64_t begin, int64_t end, int32_t *rows, err_t *err);

/* Only the columns and the numbers: inside, outside and rows stay NULL; *halo_nnz gets outside's nonzeros. */
int halo_columns(halo_t *h, const csr_t *mine, int64_t first_col, int64_t end_col, size_t *halo_nnz, err_t *err);

/* ---- one part times a vector (local.c) ------------------------------------------------------------ */

typedef struct local local_t;

/* Beside dist_local_t: values are ones, and the entries of a row are added in their order. */
enum { LOCAL_IN_ORDER = DIST_LOCAL_BY_RANK + 1 };

/* A plan for A, which may go afterwards.  how: DIST_LOCAL_BY_RANK has been decided by now. */
dist_status_t local_open(local_t **l, const csr_t *A, dtype_t type, dist_backend_t backend, dist_local_t how,
                         int threads, err_t *err);
/* y = A x, or y = y + A x. */
dist_status_t local_run(const local_t *l, const void *x, bool add, void *y, void *stream, err_t *err);
void local_close(local_t *l); /* takes NULL */

/* ---- the exchange ------------------------------------------------------------------------------- */

/* Who sends whom how many entries of x.  Offsets are in entries. */
typedef struct lists {
    int *source_counts, *source_offsets; /* [ranks]  into the halo */
    int *target_counts, *target_offsets; /* [ranks]  into the buffer of entries to send */
    int32_t *send_index;                 /* [sends]  which of my x, rank by rank */
    size_t sends;
} lists_t;

/* How the entries of x of one matrix travel.  On GPUs put, wait and boundary enqueue on `stream`. */
typedef struct transport {
    const char *name;
    dist_status_t (*open)(dist_matrix_t *d, const halo_t *h, err_t *err); /* collective; close ends what it began */
    dist_status_t (*put)(dist_matrix_t *d, const void *x, cudaStream_t stream, err_t *err); /* x is there: may leave */
    dist_status_t (*wait)(dist_matrix_t *d, cudaStream_t stream, err_t *err); /* until what I want is at d->halo_at */
    void (*close)(dist_matrix_t *d); /* also of one half open */
    /* d->joined: the nonzeros that need the halo, added to y, by whoever also waits; d->apart: whole rows.  NULL: none
     * can. */
    dist_status_t (*boundary)(dist_matrix_t *d, const void *x, void *y, cudaStream_t stream, err_t *err);
    /* d->apart and d->in_line: put and boundary in one. */
    dist_status_t (*at_once)(dist_matrix_t *d, const void *x, void *y, cudaStream_t stream, err_t *err);
} transport_t;

extern const transport_t TRANSPORT_MPI, TRANSPORT_SHARED, TRANSPORT_CARD_MPI, TRANSPORT_NCCL, TRANSPORT_DIRECT;

typedef struct fold fold_t;

struct dist_matrix {
    dist_world_t *w;
    dist_options_t o;
    dtype_t type;                   /* of the values */
    size_t element;                 /* bytes of an entry of x */
    int64_t rows, cols, nnz;        /* of the whole matrix */
    int64_t *first_row, *first_col; /* [ranks + 1] */
    dist_part_t *parts, mine;       /* [ranks] */
    local_t *inside, *outside;      /* outside NULL: no rank's entries are asked for, or d->apart */
    int64_t middle, middle_end;     /* rows of inside: all, or d->apart those between the ends */
    int32_t *halo_rows;             /* [mine.halo_rows]; NULL: outside has every row, and adds to y itself */
    lists_t lists;
    dist_transport_t transport;     /* not DIST_AUTO */
    const transport_t *by;          /* its functions; NULL before open */
    void *moves;                    /* what shared.c and direct.c keep */
    bool joined;                    /* waiting and the boundary are one (transport.boundary) */
    bool apart;                     /* and it has whole rows, so that it need not wait for the interior */
    bool in_line;                   /* and so little is put that the caller's stream does it, unless it is recorded */
    bool aside;                     /* the last put is on the side stream */
    const void *halo_at;            /* where the halo of the last exchange is: what is received, or a window */
    size_t halo;                    /* its entries: mine.halo, or cols where x is replicated */
    fold_t *fold;                   /* a grid: others' rows; NULL: rows are whole */

    void *send, *received, *sum;    /* host: [sends], [halo], [halo_rows] */
    MPI_Request *requests;          /* persistent, both ways; for replicated x the collective's */
    int request_count;
    int *all_counts, *all_offsets;  /* [ranks] where x is replicated: whose entries are where */

    int32_t *d_send_index, *d_halo_rows; /* the same on the GPU */
    void *d_send, *d_received, *d_sum;
    cudaStream_t side;              /* the exchange runs beside the caller's stream */
    cudaEvent_t x_there, halo_there;
};

/* Where a matrix comes from. */
typedef struct origin {
    const csr_t *mine;
    const int64_t *first_row; /* [ranks + 1]  a grid: mine is a block; NULL: mine are whole rows */
    const int64_t *first_col; /* [ranks + 1]  whose entries of x; NULL: as the rows, or equal parts */
} origin_t;

/* Nonzeros outside of rows h->rows - begin as a matrix of `count` rows; how d's rows are multiplied. */
dist_status_t local_open_wide(local_t **l, const dist_matrix_t *d, const halo_t *h, int32_t begin, size_t count,
                              err_t *err);
dist_local_t local_how(const dist_matrix_t *d);

/* own.c: a matrix whose rows are whole, or a rank's own rows of a grid.  All but `destroy` are collective.
 *   begin    whose rows and columns are whose
 *   open     the rank's rows ready to multiply, and their transport; of `mine` the rank's own come first.  *h is of all
 *            of mine (halo_free, also on an error), and own_outside of its halo_rows are the rank's own
 *   share    what each rank has, told to all
 *   build    all three, where every row of from->mine is the rank's own */
dist_status_t own_begin(dist_matrix_t **d, dist_world_t *w, const origin_t *from, dtype_t type,
                        const dist_options_t *o, err_t *err);
dist_status_t own_open(dist_matrix_t *d, const csr_t *mine, halo_t *h, size_t *own_outside, err_t *err);
dist_status_t own_share(dist_matrix_t *d, err_t *err);
dist_status_t own_build(dist_matrix_t **d, dist_world_t *w, const origin_t *from, dtype_t type,
                        const dist_options_t *o, err_t *err);
void own_destroy(dist_matrix_t *d); /* takes NULL */
/* The two ends of an exchange, and both; rows times the rank's own entries of x, and the rest of them. */
dist_status_t own_start(dist_matrix_t *d, const void *x, void *stream, err_t *err);
dist_status_t own_finish(dist_matrix_t *d, void *stream, err_t *err);
dist_status_t own_exchange(dist_matrix_t *d, const void *x, void *stream, err_t *err);
dist_status_t own_inside(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err);
dist_status_t own_outside(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err);

/* fold.c.  arrange: a block's rows, the rank's own first .. end before those of others that have nonzeros, whose
 * numbers go to others [block->rows]; NULL if memory is short.  open: h is of rows so arranged, the first own_outside
 * rows of h->outside are the rank's own.  The others: parts of a product, and all of it. */
csr_t *fold_arrange(const csr_t *block, int64_t block_first, int64_t first, int64_t end, int32_t *others, err_t *err);
dist_status_t fold_open(dist_matrix_t *d, const halo_t *h, const int32_t *others, size_t own_outside, err_t *err);
dist_matrix_t *fold_sums(const dist_matrix_t *d); /* the matrix whose x they are */
void fold_close(dist_matrix_t *d); /* also where there is none */
bool fold_x_stays(const dist_matrix_t *d); /* nobody asks for any of x */
dist_status_t fold_inside(dist_matrix_t *d, const void *x, void *stream, err_t *err);
dist_status_t fold_outside(dist_matrix_t *d, void *stream, err_t *err);
dist_status_t fold_exchange(dist_matrix_t *d, void *stream, err_t *err);
dist_status_t fold_add(dist_matrix_t *d, void *y, void *stream, err_t *err);
dist_status_t fold_spmv(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err);

/* Lists from the columns each rank wants (collective). */
int lists_open(lists_t *l, const dist_matrix_t *d, const int32_t *columns, err_t *err);
void lists_free(lists_t *l);

/* exchange.c: between host buffers.  start sends what is in d->send (replicated: the entries at `from`), finish waits
 * until d->received is there. */
dist_status_t exchange_open(dist_matrix_t *d, const halo_t *h, err_t *err);
int exchange_start(dist_matrix_t *d, const void *from, err_t *err);
int exchange_finish(dist_matrix_t *d, err_t *err);
void exchange_close(dist_matrix_t *d);

/* shared.c: are all ranks on one host?  Collective. */
bool shared_possible(const dist_world_t *w);

/* card.c: the same for arrays on the GPU, and their world. */
dist_status_t card_choose(dist_world_t *w, dist_transport_t wanted, err_t *err);
dist_status_t card_sum(dist_world_t *w, double *values, int count, void *stream, err_t *err);
dist_status_t card_open(dist_matrix_t *d, err_t *err);
dist_status_t card_open_rows(dist_matrix_t *d, err_t *err); /* d->halo_rows */
dist_status_t card_exchange_start(dist_matrix_t *d, const void *x, void *stream, err_t *err);
dist_status_t card_exchange_finish(dist_matrix_t *d, void *stream, err_t *err);
/* d->joined: what is left of a product after card_exchange_start and the interior. */
dist_status_t card_boundary(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err);
/* Put and boundary by transport.at_once, then the interior. */
bool card_can_at_once(const dist_matrix_t *d, void *stream);
dist_status_t card_add(dist_matrix_t *d, void *y, void *stream, err_t *err);
void card_close(dist_matrix_t *d);

/* nccl.c: w->nccl, and what goes through it.  Built without NCCL, nccl_version is 0 and of the others only nccl_close
 * is called. */
int nccl_version(void);
dist_status_t nccl_open(dist_world_t *w, err_t *err);
void nccl_close(dist_world_t *w);
dist_status_t nccl_sum(dist_world_t *w, double *values, int count, cudaStream_t stream, err_t *err);
dist_status_t nccl_exchange(dist_matrix_t *d, const void *x, cudaStream_t stream, err_t *err);

/* direct.c: opens w->direct, through which sums go.  NULL, or a reason why not: GPUs that do not open each other's
 * memory.  Collective, and all get the same answer. */
const char *direct_open_world(dist_world_t *w);
void direct_close_world(dist_world_t *w); /* also where there is none */
dist_status_t direct_add_up(dist_world_t *w, double *values, int count, cudaStream_t stream, err_t *err);
/* Did all entries and sums come so far? */
dist_status_t direct_settle(const dist_world_t *w, err_t *err);

#endif
