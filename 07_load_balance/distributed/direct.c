/*
 * direct.c - entries of x from GPU to GPU: kernels write into windows in the other GPUs' memory (protocol.h).
 *
 * The simulator has one GPU per process, so this transport does not work there.  The tests run its kernels on the
 * simulator, and the protocol between processes (shared.c).
 */
#include <stdlib.h>
#include <string.h>

#include "boundary.h"
#include "device.h"
#include "direct_kernels.h"
#include "windows.h"

#ifdef COURSE_CUDA

/* The state of a world.  It is used for sums, and to report ranks that did not send in time. */
enum { SUM_MOST = 4, SUM_WORDS = SUM_MOST * 16 /* bytes */ };
typedef struct direct_world {
    protocol_t sums;
    char **bases;          /* [ranks]  the address of each rank's window on this GPU; NULL: not open */
    direct_count_t *count; /* on the GPU */
    int *lost;             /* on the GPU */
    int *waited_for;       /* in pinned memory of the host */
} direct_world_t;

/* The state of a matrix. */
typedef struct direct {
    windows_t windows;
    char **bases;
    direct_count_t *count;
    boundary_t boundary;   /* d->joined: on the GPU */
    uint32_t epoch;        /* the number of products enqueued, which selects the next half */
} direct_t;

/* Allocates a window of `bytes` on this GPU, all zero, and opens those of the other ranks.  The result is the same on
 * every rank.  The driver's handle opens the entire 2 MiB in which the memory lies, so a window is allocated in its own
 * 2 MiB, and opens no other memory. */
static dist_status_t open_windows(char **bases, const dist_world_t *w, size_t bytes, err_t *err)
{
    const size_t granule = (size_t)2 << 20, room = (bytes + granule - 1) / granule * granule;
    cudaIpcMemHandle_t mine = {{0}}, *handles = calloc((size_t)w->ranks, sizeof *handles);
    void *window = NULL;
    dist_status_t status = handles ? cuda_ok(cudaMalloc(&window, room), "a window", err)
                                   : FAIL_WITH(err, DIST_NO_MEMORY, "out of memory for %d ranks", w->ranks);
    bases[w->rank] = window;
    if (!status) status = cuda_ok(cudaMemset(window, 0, bytes), "a window", err);
    if (!status) status = cuda_ok(cudaDeviceSynchronize(), "a window", err); /* zeros, before any rank has the handle */
    if (!status) status = cuda_ok(cudaIpcGetMemHandle(&mine, window), "cudaIpcGetMemHandle", err);
    status = dist_agree(w, status, err);
    if (!status)
        status = mpi_ok(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, handles, sizeof mine, MPI_BYTE, w->comm),
                        "MPI_Allgather", err);
    for (int k = 0; k < w->ranks && !status; ++k) {
        if (k == w->rank) continue;
        void *theirs = NULL;
        status = cuda_ok(cudaIpcOpenMemHandle(&theirs, handles[k], cudaIpcMemLazyEnablePeerAccess),
                         "cudaIpcOpenMemHandle", err);
        bases[k] = theirs;
    }
    free(handles);
    return dist_agree(w, status, err);
}

/* First all ranks close the windows of the others, then each rank frees its own.  Collective; bases may be NULL. */
static void close_windows(char **bases, const dist_world_t *w)
{
    for (int k = 0; k < w->ranks && bases; ++k)
        if (k != w->rank && bases[k]) cudaIpcCloseMemHandle(bases[k]);
    MPI_Barrier(w->comm);
    if (bases && bases[w->rank]) cudaFree(bases[w->rank]);
    cudaGetLastError(); /* clears the error of an attempt that failed */
}

static dist_status_t open_count(direct_count_t **count, int *lost, err_t *err)
{
    const direct_count_t start = {.lost = lost};
    *count = device_upload(&start, sizeof start, "counts", err);
    return *count ? DIST_OK : DIST_NO_MEMORY;
}

/* ---- the world: sums ----------------------------------------------------------------------------- */

/* A window has two halves with a slot for each rank; after them come the numbers that were received. */
static dist_status_t open_sums(direct_world_t *s, const dist_world_t *w, err_t *err)
{
    const size_t ranks = (size_t)w->ranks, me = (size_t)w->rank, half = ranks * SUM_WORDS;
    protocol_t *p = &s->sums;
    *p = (protocol_t){.rank = w->rank, .ranks = w->ranks, .pieces = 1, .element = 8, .words = true,
                      .limit = (uint64_t)(1e9 * w->patience_s),
                      .letters = calloc(ranks, sizeof *p->letters), .mail = calloc(ranks, sizeof *p->mail)};
    if (!p->letters || !p->mail) return FAIL_WITH(err, DIST_NO_MEMORY, "out of memory for %d ranks", w->ranks);
    for (size_t k = 0; k < ranks; ++k) {
        for (size_t h = 0; h < 2; ++h) {
            p->letters[k].half[h] = s->bases[k] + h * half + me * SUM_WORDS;
            p->mail[k].half[h] = s->bases[me] + h * half + k * SUM_WORDS;
        }
        p->mail[k].to = s->bases[me] + 2 * half + k * SUM_MOST * sizeof(double);
    }
    return DIST_OK;
}

static dist_status_t open_world(direct_world_t *s, const dist_world_t *w, err_t *err)
{
    const int zero = 0;
    void *waited_for = NULL;
    dist_status_t status = open_windows(s->bases, w, (size_t)w->ranks * 3 * SUM_WORDS, err);
    if (status) return status;
    s->lost = device_upload(&zero, sizeof zero, "a word", err);
    if (!s->lost) status = DIST_NO_MEMORY;
    if (!status) status = open_count(&s->count, s->lost, err);
    if (!status) status = cuda_ok(cudaMallocHost(&waited_for, sizeof *s->waited_for), "a word of the host", err);
    s->waited_for = waited_for;
    if (!status) *s->waited_for = 0;
    if (!status) status = open_sums(s, w, err);
    return dist_agree(w, status, err);
}

void direct_close_world(dist_world_t *w)
{
    direct_world_t *s = w->direct;
    if (!s) return;
    cudaDeviceSynchronize();
    close_windows(s->bases, w);
    free(s->sums.letters);
    free(s->sums.mail);
    device_free(s->count);
    device_free(s->lost);
    if (s->waited_for) cudaFreeHost(s->waited_for);
    free(s->bases);
    free(s);
    w->direct = NULL;
}

const char *direct_open_world(dist_world_t *w)
{
    err_t err;
    if (w->ranks > DIRECT_RANKS) return "more than 16 ranks";
    if (!shared_possible(w)) return "ranks are on several hosts";
    direct_world_t *s = w->direct = calloc(1, sizeof *s);
    if (s) s->bases = calloc((size_t)w->ranks, sizeof *s->bases);
    dist_status_t status = dist_agree(w, s && s->bases ? DIST_OK : DIST_NO_MEMORY, &err);
    if (status) { /* nothing is open */
        if (s) free(s->bases);
        free(s);
        w->direct = NULL;
        return "memory is short";
    }
    if (!open_world(s, w, &err)) return NULL;
    direct_close_world(w);
    return "the GPUs cannot open each other's memory";
}

dist_status_t direct_settle(const dist_world_t *w, err_t *err)
{
    const direct_world_t *s = w->direct;
    const int who = *(volatile int *)s->waited_for;
    if (!who) return DIST_OK;
    if (who == DIRECT_ODD)
        return FAIL_WITH(err, DIST_BAD_ARGUMENT, "a CUDA graph over the direct transport must hold an even number of "
                         "products: capture one more");
    return FAIL_WITH(err, DIST_RANK_LOST, "the GPU of rank %d did not send for %g s: it has ended or has "
                     "called another function", who - 1, w->patience_s);
}

/* Returns an error if an earlier product or sum waited for a rank that did not send in time. */
dist_status_t direct_add_up(dist_world_t *w, double *values, int count, cudaStream_t stream, err_t *err)
{
    const direct_world_t *s = w->direct;
    dist_status_t status = direct_settle(w, err);
    for (int i = 0; i < count && !status && w->ranks > 1; i += SUM_MOST) {
        const int numbers = count - i < SUM_MOST ? count - i : SUM_MOST;
        status = cuda_ok(direct_sum(&s->sums, values + i, numbers, s->count, s->waited_for, stream), "sum", err);
    }
    return status;
}

/* ---- a matrix ------------------------------------------------------------------------------------ */

/* Prepares the rows `rows` of A for the kernel that waits itself.  Columns below `own` are the rank's own. */
static dist_status_t open_boundary(dist_matrix_t *d, direct_t *s, const csr_t *A, const int32_t *rows, int32_t own,
                                   err_t *err)
{
    boundary_rows_t host;
    int32_t *slots = malloc((A->nnz + 1) * sizeof *slots);
    for (size_t nz = 0; nz < A->nnz && slots; ++nz) {
        const int32_t c = A->col_indices[nz];
        slots[nz] = c < own ? BOUNDARY_NONE - 1 - c : windows_slot(&s->windows, d, c - own);
    }
    const int failed = slots ? boundary_make(&host, (int64_t)A->rows, A->row_offsets, slots, A->values, d->element, err)
                             : err_set(err, "out of memory for %zu nonzeros of the boundary", A->nnz);
    free(slots);
    if (failed) return DIST_NO_MEMORY;

    boundary_t *b = &s->boundary;
    const size_t places = (size_t)host.width * A->rows;
    const size_t diagonals = (size_t)(host.width * boundary_groups((int64_t)A->rows));
    *b = (boundary_t){.count = (int64_t)A->rows, .width = host.width, .own = {s->windows.own[0], s->windows.own[1]}};
    b->rows = device_upload(rows, A->rows * sizeof *rows, "boundary rows", err);
    if (b->rows) b->values = device_upload(host.values, places * d->element, "values", err);
    if (b->values && host.slots) b->slots = device_upload(host.slots, places * sizeof *b->slots, "slots", err);
    if (b->values && host.diagonals)
        b->diagonals = device_upload(host.diagonals, diagonals * sizeof *b->diagonals, "diagonals", err);
    boundary_free(&host);
    return b->slots || b->diagonals ? DIST_OK : DIST_NO_MEMORY;
}

static bool all_say(const dist_world_t *w, bool yes)
{
    int all = yes;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, w->comm);
    return all;
}

static bool pays(const dist_matrix_t *d, const csr_t *A)
{
    const int64_t rows = (int64_t)A->rows;
    return boundary_pays(rows, boundary_longest(rows, A->row_offsets), (int64_t)A->nnz, (int64_t)d->element);
}

/* Decides what multiplies the boundary; the same decision on every rank.  If the rows that need the halo are at both
 * ends of the rank's rows, as in a slab of a grid, the kernel computes these rows whole, beside the interior.
 * Otherwise the kernel or libspmv adds to the result of the interior.  libspmv multiplies values of 16 bits, and in a
 * grid of ranks, where rows of other ranks need the halo, too. */
static dist_status_t choose_boundary(dist_matrix_t *d, direct_t *s, const halo_t *h, dtype_t type, err_t *err)
{
    const dist_world_t *w = d->w;
    const bool can = d->o.exchange == DIST_HALO && d->o.across <= 1 && dtype_vector(type) == type && w->ranks > 1;
    const bool in_order = d->o.local == (dist_local_t)LOCAL_IN_ORDER; /* sums, which are added to y */
    int64_t begin, end;
    if (!can) return DIST_OK;
    halo_middle(h, &begin, &end);
    const size_t rows = h->inside->rows, middle = (size_t)(end - begin);
    const bool at_ends = !in_order && 2 * middle >= rows;
    int32_t *end_rows = malloc((rows - middle + 1) * sizeof *end_rows);
    csr_t *ends = at_ends && end_rows ? halo_ends(h, begin, end, end_rows, err) : NULL;
    if (!end_rows) err_set(err, "out of memory for %zu rows of the boundary", rows - middle);
    dist_status_t status = dist_agree(w, !end_rows || (at_ends && !ends) ? DIST_NO_MEMORY : DIST_OK, err);
    if (!status) {
        d->apart = all_say(w, at_ends && pays(d, ends));
        d->joined = all_say(w, pays(d, h->outside)) || d->apart;
    }
    if (!status && d->apart) {
        d->middle = begin, d->middle_end = end;
        status = open_boundary(d, s, ends, end_rows, (int32_t)h->inside->cols, err);
    } else if (!status && d->joined) {
        status = open_boundary(d, s, h->outside, h->rows, 0, err);
    }
    csr_free(ends);
    free(end_rows);
    return status;
}

/* Four small blocks per multiprocessor, for all letters together: many blocks hide the latency of memory, and small
 * ones leave most of the GPU to the product. */
static int most_pieces(const dist_world_t *w)
{
    enum { BLOCKS = 512 };
    return BLOCKS / (w->ranks > 1 ? w->ranks - 1 : 1);
}

static dist_status_t direct_open(dist_matrix_t *d, const halo_t *h, err_t *err)
{
    const dist_world_t *w = d->w;
    direct_t *s = d->moves = calloc(1, sizeof *s);
    if (s) s->bases = calloc((size_t)w->ranks, sizeof *s->bases);
    dist_status_t status = ENOUGH(w, s && s->bases, err, "out of memory for %d ranks", w->ranks);
    if (status || (status = windows_open(&s->windows, d, most_pieces(w), err)) ||
        (status = open_windows(s->bases, w, s->windows.bytes, err)))
        return status;
    s->windows.p.limit = (uint64_t)(1e9 * w->patience_s);
    windows_place(&s->windows, d, s->bases, d->d_send_index, d->d_received);
    status = dist_agree(w, open_count(&s->count, ((const direct_world_t *)w->direct)->lost, err), err);
    if (!status) status = choose_boundary(d, s, h, d->type, err);
    d->in_line = d->joined && s->windows.p.words;
    return status;
}

static void direct_close(dist_matrix_t *d)
{
    direct_t *s = d->moves;
    cudaDeviceSynchronize(); /* also for a product in another stream */
    close_windows(s ? s->bases : NULL, d->w);
    if (!s) return;
    device_free(s->count);
    device_free((void *)s->boundary.rows);
    device_free((void *)s->boundary.slots);
    device_free((void *)s->boundary.diagonals);
    device_free((void *)s->boundary.values);
    windows_close(&s->windows);
    free(s->bases);
    free(s);
    d->moves = NULL;
    d->joined = d->in_line = d->apart = false;
    d->middle = 0, d->middle_end = d->mine.rows;
}

static int *word_of_host(const dist_matrix_t *d) { return ((const direct_world_t *)d->w->direct)->waited_for; }

/* Returns an error if an earlier product waited for a rank that did not send in time. */
static dist_status_t put(dist_matrix_t *d, const void *x, cudaStream_t stream, err_t *err)
{
    direct_t *s = d->moves;
    const dist_status_t status = direct_settle(d->w, err);
    if (status) return status;
    ++s->epoch;
    return cuda_ok(direct_put(&s->windows.p, x, (int)(s->epoch % 2), s->count, word_of_host(d), stream), "put", err);
}

static dist_status_t take(dist_matrix_t *d, cudaStream_t stream, err_t *err)
{
    const direct_t *s = d->moves;
    d->halo_at = s->windows.p.words ? d->d_received : s->windows.own[s->epoch % 2];
    return cuda_ok(direct_take(&s->windows.p, s->count, word_of_host(d), stream), "take", err);
}

/* Beside the interior one block waits for the flags first, so that the many blocks of the boundary need not wait. */
static dist_status_t boundary(dist_matrix_t *d, const void *x, void *y, cudaStream_t stream, err_t *err)
{
    const direct_t *s = d->moves;
    const dist_status_t status = d->apart && !s->windows.p.words ? take(d, stream, err) : DIST_OK;
    if (status) return status;
    return cuda_ok(direct_boundary(&s->windows.p, &s->boundary, d->apart ? x : NULL, y, s->count, word_of_host(d),
                                   stream), "boundary", err);
}

/* The host counts the put and the take of this product, too. */
static dist_status_t at_once(dist_matrix_t *d, const void *x, void *y, cudaStream_t stream, err_t *err)
{
    direct_t *s = d->moves;
    const dist_status_t status = direct_settle(d->w, err);
    if (status) return status;
    ++s->epoch;
    return cuda_ok(direct_at_once(&s->windows.p, &s->boundary, x, y, s->count, word_of_host(d), stream), "boundary",
                   err);
}

const transport_t TRANSPORT_DIRECT = {"direct", direct_open, put, take, direct_close, boundary, at_once};

#else

/* The simulator's memory belongs to one process. */
const char *direct_open_world(dist_world_t *w)
{
    (void)w;
    return "the simulator's GPUs cannot open each other's memory";
}
void direct_close_world(dist_world_t *w) { (void)w; }
dist_status_t direct_settle(const dist_world_t *w, err_t *err)
{
    (void)w;
    return FAIL_WITH(err, DIST_NO_GPU, "the direct transport needs GPUs");
}
dist_status_t direct_add_up(dist_world_t *w, double *values, int count, cudaStream_t stream, err_t *err)
{
    (void)values, (void)count, (void)stream;
    return direct_settle(w, err);
}
const transport_t TRANSPORT_DIRECT = {.name = "direct"}; /* no world uses it: direct_open_world fails */
#endif
