/* shared.c - entries of x between processes of one host: windows in memory that they share, and protocol.h. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "windows.h"

typedef struct shared {
    windows_t windows;
    MPI_Win memory;
    char **bases;   /* [ranks]  the window of each rank */
    uint32_t epoch;
} shared_t;

/* Opens the windows of all ranks, all zero; the same result on every rank. */
static dist_status_t share_memory(shared_t *s, const dist_world_t *w, err_t *err)
{
    char *mine = NULL;
    dist_status_t status =
        mpi_ok(MPI_Win_allocate_shared((MPI_Aint)s->windows.bytes, 1, MPI_INFO_NULL, w->comm, &mine, &s->memory),
               "shared memory", err);
    for (int k = 0; k < w->ranks && !status; ++k) {
        MPI_Aint bytes;
        int unit;
        status = mpi_ok(MPI_Win_shared_query(s->memory, k, &bytes, &unit, &s->bases[k]), "MPI_Win_shared_query", err);
    }
    if (!status) memset(mine, 0, s->windows.bytes);
    return dist_agree(w, status, err); /* no rank writes before all windows are zero */
}

static void shared_close(dist_matrix_t *d)
{
    shared_t *s = d->moves;
    if (!s) return;
    if (s->memory != MPI_WIN_NULL) MPI_Win_free(&s->memory);
    windows_close(&s->windows);
    free(s->bases);
    free(s);
    free(d->received);
    d->moves = d->received = NULL;
}

static dist_status_t shared_open(dist_matrix_t *d, const halo_t *h, err_t *err)
{
    (void)h;
    enum { PIECES = 4 };
    const dist_world_t *w = d->w;
    shared_t *s = d->moves = calloc(1, sizeof *s);
    d->received = malloc(d->halo * d->element + 1);
    if (s) s->memory = MPI_WIN_NULL, s->bases = calloc((size_t)w->ranks, sizeof *s->bases);
    const bool enough = s && s->bases && d->received;
    dist_status_t status = ENOUGH(w, enough, err, "out of memory for %zu entries of x", d->halo);
    if (status || (status = windows_open(&s->windows, d, PIECES, err)) ||
        (status = share_memory(s, w, err)))
        return status;
    memset(d->received, 0xFF, d->halo * d->element); /* NaN, as in exchange.c */
    windows_place(&s->windows, d, s->bases, d->lists.send_index, d->received);
    s->windows.p.limit = (uint64_t)(1e9 * w->patience_s);
    s->windows.p.ended = (const uint32_t *)s->bases[w->rank];
    return DIST_OK;
}

static dist_status_t shared_put(dist_matrix_t *d, const void *x, cudaStream_t stream, err_t *err)
{
    shared_t *s = d->moves;
    const protocol_t *p = &s->windows.p;
    (void)stream, (void)err;
    ++s->epoch;
    for (int piece = 0; piece < p->pieces; ++piece)
        for (int k = 0; k + 1 < p->ranks; ++k) protocol_put(p, protocol_other(p, k), x, s->epoch, piece, 0, 1);
    return DIST_OK;
}

/* The first rank whose wait ends writes this into all windows and prints one line.  Other ranks sleep, so that this
 * rank can end them before they print a line, too. */
static dist_status_t give_up(shared_t *s, const dist_world_t *w, int waited_for, err_t *err)
{
    uint32_t nobody = 0;
    const uint32_t me = 1 + (uint32_t)w->rank;
    if (__atomic_compare_exchange_n((uint32_t *)s->bases[0], &nobody, me, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        for (int k = 1; k < w->ranks; ++k) __atomic_store_n((uint32_t *)s->bases[k], me, __ATOMIC_RELAXED);
        err_set(err, "rank %d did not send for %g s: it has ended or has called another function", waited_for,
                w->patience_s);
    } else {
        nanosleep(&(struct timespec){.tv_sec = 3}, NULL);
        err_set(err, "rank %u stopped because another rank did not answer", nobody - 1);
    }
    return DIST_RANK_LOST;
}

static dist_status_t shared_wait(dist_matrix_t *d, cudaStream_t stream, err_t *err)
{
    shared_t *s = d->moves;
    const protocol_t *p = &s->windows.p;
    (void)stream;
    d->halo_at = p->words ? d->received : s->windows.own[s->epoch % 2];
    for (int piece = 0; piece < (p->words ? p->pieces : 1); ++piece) {
        const int who = protocol_take(p, s->epoch, piece, 0, 1);
        if (who) return give_up(s, d->w, who - 1, err);
    }
    return DIST_OK;
}

const transport_t TRANSPORT_SHARED = {"shared", shared_open, shared_put, shared_wait, shared_close, NULL, NULL};

bool shared_possible(const dist_world_t *w)
{
    MPI_Comm host;
    int here = 0;
    if (MPI_Comm_split_type(w->comm, MPI_COMM_TYPE_SHARED, w->rank, MPI_INFO_NULL, &host) == MPI_SUCCESS) {
        MPI_Comm_size(host, &here);
        MPI_Comm_free(&host);
    }
    int all = here == w->ranks;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, w->comm);
    return all;
}
