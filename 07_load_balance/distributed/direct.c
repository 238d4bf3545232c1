/*
 * direct.c - entries of x from card to card: kernels write into windows in the other cards' memory (protocol.h).
 *
 * Not yet run on cards: nvcc compiles it, the kernels run on the stand-in, the protocol between processes (shared.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "direct_kernels.h"
#include "windows.h"

#ifdef COURSE_CUDA

typedef struct direct {
    windows_t windows;
    protocol_t on_card;    /* letters and mail are copies on the card */
    char **bases;          /* [ranks]  everybody's window, as this card sees it; NULL: not open */
    direct_count_t *count; /* on the card */
    int *waited_for;       /* in pinned memory of the host */
} direct_t;

static dist_status_t cuda_ok(cudaError_t code, const char *what, err_t *err)
{
    return device_ok(code, what, err) ? DIST_GPU_ERROR : DIST_OK;
}

/* A window of `bytes` on my card, all zero, and everybody else's opened.  The same answer on every rank.  A handle
 * opens all of the driver's 2 MiB that memory lies in: so that nothing else is seen with it, a window has its own. */
static dist_status_t open_windows(char **bases, const dist_world_t *w, size_t bytes, err_t *err)
{
    const size_t granule = (size_t)2 << 20, room = (bytes + granule - 1) / granule * granule;
    cudaIpcMemHandle_t mine = {{0}}, *handles = calloc((size_t)w->ranks, sizeof *handles);
    void *window = NULL;
    dist_status_t status = DIST_OK;
    if (!handles) {
        err_set(err, "out of memory for %d ranks", w->ranks);
        status = DIST_NO_MEMORY;
    }
    if (!status) status = cuda_ok(cudaMalloc(&window, room), "a window", err);
    bases[w->rank] = window;
    if (!status) status = cuda_ok(cudaMemset(window, 0, bytes), "a window", err);
    if (!status) status = cuda_ok(cudaDeviceSynchronize(), "a window", err); /* zeros, before anybody has the handle */
    if (!status) status = cuda_ok(cudaIpcGetMemHandle(&mine, window), "cudaIpcGetMemHandle", err);
    status = dist_agree(w, status, err);
    if (!status && mpi_ok(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, handles, sizeof mine, MPI_BYTE, w->comm),
                          "MPI_Allgather", err))
        status = DIST_MPI_ERROR;
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

/* First all stop looking at others' windows, then each frees its own.  Collective; bases may be NULL. */
static void close_windows(char **bases, const dist_world_t *w)
{
    for (int k = 0; k < w->ranks && bases; ++k)
        if (k != w->rank && bases[k]) cudaIpcCloseMemHandle(bases[k]);
    MPI_Barrier(w->comm);
    if (bases && bases[w->rank]) cudaFree(bases[w->rank]);
    cudaGetLastError(); /* of an attempt that failed */
}

const char *direct_impossible(const dist_world_t *w)
{
    enum { TRY = 64 << 10 };
    char **bases = calloc((size_t)w->ranks, sizeof *bases);
    err_t err;
    const bool one_host = shared_possible(w);
    dist_status_t status = dist_agree(w, bases ? DIST_OK : DIST_NO_MEMORY, &err);
    if (!status && one_host) {
        status = open_windows(bases, w, TRY, &err);
        close_windows(bases, w);
    }
    free(bases);
    return !one_host ? "ranks are on several hosts" : status ? "cards do not open each other's memory" : NULL;
}

/* letters and mail on the card. */
static dist_status_t upload(direct_t *s, err_t *err)
{
    const protocol_t *p = &s->windows.p;
    const size_t ranks = (size_t)p->ranks;
    s->on_card = *p;
    s->on_card.letters = device_upload(p->letters, ranks * sizeof *p->letters, "letters", err);
    s->on_card.mail = NULL;
    if (s->on_card.letters) s->on_card.mail = device_upload(p->mail, ranks * sizeof *p->mail, "mail", err);
    return s->on_card.mail ? DIST_OK : DIST_NO_MEMORY;
}

static dist_status_t direct_open(dist_matrix_t *d, err_t *err)
{
    const dist_world_t *w = d->w;
    direct_t *s = d->moves = calloc(1, sizeof *s);
    dist_status_t status = DIST_OK;
    void *count = NULL, *waited_for = NULL;
    if (s) s->bases = calloc((size_t)w->ranks, sizeof *s->bases);
    if (!s || !s->bases) {
        err_set(err, "out of memory for %d ranks", w->ranks);
        status = DIST_NO_MEMORY;
    }
    if ((status = dist_agree(w, status, err)) || (status = windows_open(&s->windows, d, WINDOW_MOST_PIECES, err)) ||
        (status = open_windows(s->bases, w, s->windows.bytes, err)))
        return status;
    s->windows.p.limit = (uint64_t)(1e9 * w->patience_s);
    windows_place(&s->windows, d, s->bases, d->d_send_index, d->d_received);
    status = upload(s, err);
    if (!status) status = cuda_ok(cudaMalloc(&count, sizeof *s->count), "counts", err);
    s->count = count;
    if (!status) status = cuda_ok(cudaMemset(s->count, 0, sizeof *s->count), "counts", err);
    if (!status) status = cuda_ok(cudaMallocHost(&waited_for, sizeof *s->waited_for), "a word of the host", err);
    s->waited_for = waited_for;
    if (!status) *s->waited_for = 0;
    return status;
}

static void direct_close(dist_matrix_t *d)
{
    direct_t *s = d->moves;
    if (d->side) cudaStreamSynchronize(d->side);
    close_windows(s ? s->bases : NULL, d->w);
    if (!s) return;
    device_free(s->on_card.letters);
    device_free(s->on_card.mail);
    if (s->count) cudaFree(s->count);
    if (s->waited_for) cudaFreeHost(s->waited_for);
    windows_close(&s->windows);
    free(s->bases);
    free(s);
    d->moves = NULL;
}

dist_status_t direct_settle(dist_matrix_t *d, err_t *err)
{
    const direct_t *s = d->moves;
    const int who = *(volatile int *)s->waited_for;
    if (!who) return DIST_OK;
    err_set(err, "the card of rank %d did not send for %g s: its rank has ended, or does something else", who - 1,
            d->w->patience_s);
    return DIST_RANK_LOST;
}

/* What an earlier product waited for in vain is this one's error. */
static dist_status_t put(dist_matrix_t *d, const void *x, err_t *err)
{
    const direct_t *s = d->moves;
    const dist_status_t status = direct_settle(d, err);
    return status ? status : cuda_ok(direct_put(&s->on_card, x, s->count, d->side), "put", err);
}

static dist_status_t take(dist_matrix_t *d, err_t *err)
{
    const direct_t *s = d->moves;
    return cuda_ok(direct_take(&s->on_card, s->count, s->waited_for, d->side), "take", err);
}

#else

/* The stand-in's memory belongs to one process. */
const char *direct_impossible(const dist_world_t *w)
{
    (void)w;
    return "the stand-in's cards do not open each other's memory";
}
static dist_status_t none(err_t *err)
{
    err_set(err, "the direct transport needs cards");
    return DIST_NO_GPU;
}
static dist_status_t direct_open(dist_matrix_t *d, err_t *err)
{
    (void)d;
    return none(err);
}
static dist_status_t put(dist_matrix_t *d, const void *x, err_t *err)
{
    (void)d, (void)x;
    return none(err);
}
static dist_status_t take(dist_matrix_t *d, err_t *err)
{
    (void)d;
    return none(err);
}
static void direct_close(dist_matrix_t *d) { (void)d; }
dist_status_t direct_settle(dist_matrix_t *d, err_t *err)
{
    (void)d;
    return none(err);
}
#endif

const transport_t TRANSPORT_DIRECT = {"direct", direct_open, put, take, direct_close};
