/* exchange.c - entries of x between host buffers, over MPI. */
#include <stdlib.h>
#include <string.h>

#include "dist_impl.h"

static MPI_Datatype entry(const dist_matrix_t *d) { return d->element == 8 ? MPI_DOUBLE : MPI_FLOAT; }

/* Buffers that a GPU copies from and to are pinned. */
static void *buffer(const dist_matrix_t *d, size_t entries)
{
    void *p = NULL;
    const size_t bytes = entries * d->element + 1;
    if (d->w->backend == DIST_CPU) return malloc(bytes);
    return cudaMallocHost(&p, bytes) == cudaSuccess ? p : NULL;
}

static void buffer_free(const dist_matrix_t *d, void *p)
{
    if (d->w->backend == DIST_CPU) free(p);
    else if (p) cudaFreeHost(p);
}

static dist_status_t open_replicated(dist_matrix_t *d, err_t *err)
{
    const int ranks = d->w->ranks;
    d->all_counts = malloc((size_t)ranks * sizeof(int));
    d->all_offsets = malloc((size_t)ranks * sizeof(int));
    if (!d->all_counts || !d->all_offsets) return FAIL_WITH(err, DIST_NO_MEMORY, "out of memory for %d ranks", ranks);
    for (int r = 0; r < ranks; ++r) {
        d->all_offsets[r] = (int)d->first_col[r];
        d->all_counts[r] = (int)(d->first_col[r + 1] - d->first_col[r]);
    }
    d->requests[0] = MPI_REQUEST_NULL;
    d->request_count = 1;
    return DIST_OK;
}

/* Every product exchanges the same messages, so they are described once: a persistent request for each source and each
 * target. */
static dist_status_t open_halo(dist_matrix_t *d, err_t *err)
{
    const lists_t *l = &d->lists;
    MPI_Request *next = d->requests;
    dist_status_t status = DIST_OK;
    for (int r = 0; r < d->w->ranks && !status; ++r) {
        char *to = (char *)d->received + (size_t)l->source_offsets[r] * d->element;
        char *from = (char *)d->send + (size_t)l->target_offsets[r] * d->element;
        if (l->source_counts[r])
            status = mpi_ok(MPI_Recv_init(to, l->source_counts[r], entry(d), r, 0, d->w->comm, next++),
                            "MPI_Recv_init", err);
        if (!status && l->target_counts[r])
            status = mpi_ok(MPI_Send_init(from, l->target_counts[r], entry(d), r, 0, d->w->comm, next++),
                            "MPI_Send_init", err);
    }
    d->request_count = status ? 0 : (int)(next - d->requests);
    return status;
}

dist_status_t exchange_open(dist_matrix_t *d, const halo_t *h, err_t *err)
{
    (void)h;
    const bool all = d->o.exchange == DIST_REPLICATED;
    d->send = buffer(d, all ? (size_t)d->mine.cols : d->lists.sends);
    d->received = buffer(d, d->halo);
    d->requests = calloc(2 * (size_t)d->w->ranks + 1, sizeof *d->requests);
    if (!d->send || !d->received || !d->requests)
        return FAIL_WITH(err, DIST_NO_MEMORY, "out of memory for %zu entries of x", d->halo);
    memset(d->received, 0xFF, d->halo * d->element); /* NaN, so that a missing entry shows in y */
    return all ? open_replicated(d, err) : open_halo(d, err);
}

dist_status_t exchange_start(dist_matrix_t *d, const void *from, err_t *err)
{
    if (d->o.exchange == DIST_HALO) return mpi_ok(MPI_Startall(d->request_count, d->requests), "MPI_Startall", err);
    return mpi_ok(MPI_Iallgatherv(from, (int)d->mine.cols, entry(d), d->received, d->all_counts, d->all_offsets,
                                  entry(d), d->w->comm, d->requests),
                  "MPI_Iallgatherv", err);
}

dist_status_t exchange_finish(dist_matrix_t *d, err_t *err)
{
    return mpi_ok(MPI_Waitall(d->request_count, d->requests, MPI_STATUSES_IGNORE), "MPI_Waitall", err);
}

void exchange_close(dist_matrix_t *d)
{
    for (int i = 0; i < d->request_count; ++i)
        if (d->requests[i] != MPI_REQUEST_NULL) MPI_Request_free(&d->requests[i]);
    free(d->requests);
    free(d->all_counts);
    free(d->all_offsets);
    buffer_free(d, d->send);
    buffer_free(d, d->received);
    d->requests = NULL, d->request_count = 0;
    d->all_counts = d->all_offsets = NULL;
    d->send = d->received = NULL;
}

/* ---- the transport of x in host memory ------------------------------------------------------------ */

static void pack(dist_matrix_t *d, const void *x)
{
    const lists_t *l = &d->lists;
    if (d->element == 8)
        for (size_t i = 0; i < l->sends; ++i) ((double *)d->send)[i] = ((const double *)x)[l->send_index[i]];
    else
        for (size_t i = 0; i < l->sends; ++i) ((float *)d->send)[i] = ((const float *)x)[l->send_index[i]];
}

static dist_status_t put(dist_matrix_t *d, const void *x, cudaStream_t stream, err_t *err)
{
    (void)stream;
    if (d->o.exchange == DIST_HALO) pack(d, x);
    return exchange_start(d, x, err);
}

static dist_status_t wait(dist_matrix_t *d, cudaStream_t stream, err_t *err)
{
    (void)stream;
    d->halo_at = d->received;
    return exchange_finish(d, err);
}

const transport_t TRANSPORT_MPI = {"mpi", exchange_open, put, wait, exchange_close, NULL, NULL};
