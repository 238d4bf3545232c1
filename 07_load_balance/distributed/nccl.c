/* nccl.c - entries of x from GPU to GPU. */
#include "dist_impl.h"

#ifdef HAVE_NCCL
#include <nccl.h>
#include <stdlib.h>

static dist_status_t nccl_ok(ncclResult_t code, const char *what, err_t *err)
{
    if (code == ncclSuccess) return DIST_OK;
    return FAIL_WITH(err, DIST_NCCL_ERROR, "%s: %s (NCCL_DEBUG=WARN says more)", what, ncclGetErrorString(code));
}

int nccl_version(void)
{
    int version = 0;
    return ncclGetVersion(&version) == ncclSuccess ? version : 0;
}

dist_status_t nccl_open(dist_world_t *w, err_t *err)
{
    /* Turns NVLink multicast off unless the environment sets it: it does not speed up messages between two GPUs, and
     * some machines refuse it. */
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    ncclUniqueId id;
    ncclComm_t comm = NULL;
    dist_status_t status = w->rank ? DIST_OK : nccl_ok(ncclGetUniqueId(&id), "ncclGetUniqueId", err);
    if ((status = dist_agree(w, status, err))) return status;
    if (mpi_ok(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, w->comm), "MPI_Bcast", err)) return DIST_MPI_ERROR;
    status = dist_agree(w, nccl_ok(ncclCommInitRank(&comm, w->ranks, id, w->rank), "ncclCommInitRank", err), err);
    if (status && comm) ncclCommAbort(comm); /* ncclCommDestroy would wait for the rank that has no communicator */
    else w->nccl = comm;
    return status;
}

void nccl_close(dist_world_t *w)
{
    if (w->nccl) ncclCommDestroy(w->nccl);
    w->nccl = NULL;
}

dist_status_t nccl_sum(dist_world_t *w, double *values, int count, cudaStream_t stream, err_t *err)
{
    return nccl_ok(ncclAllReduce(values, values, (size_t)count, ncclDouble, ncclSum, w->nccl, stream), "ncclAllReduce",
                   err);
}

/* All sends and receives of a rank are one group, so none of them waits for another. */
dist_status_t nccl_exchange(dist_matrix_t *d, const void *x, cudaStream_t stream, err_t *err)
{
    const lists_t *l = &d->lists;
    const dist_world_t *w = d->w;
    const bool all = d->o.exchange == DIST_REPLICATED;
    ncclResult_t code = ncclGroupStart();
    for (int r = 0; r < w->ranks && code == ncclSuccess; ++r) {
        if (r == w->rank) continue;
        const size_t sends = all ? (size_t)d->mine.cols : (size_t)l->target_counts[r];
        const size_t comes = all ? (size_t)(d->first_col[r + 1] - d->first_col[r]) : (size_t)l->source_counts[r];
        const char *from = all ? x : (const char *)d->d_send + (size_t)l->target_offsets[r] * d->element;
        char *to = (char *)d->d_received + (size_t)(all ? d->first_col[r] : l->source_offsets[r]) * d->element;
        if (sends) code = ncclSend(from, sends * d->element, ncclInt8, r, w->nccl, stream);
        if (comes && code == ncclSuccess) code = ncclRecv(to, comes * d->element, ncclInt8, r, w->nccl, stream);
    }
    const ncclResult_t end = ncclGroupEnd();
    return nccl_ok(code == ncclSuccess ? end : code, "ncclSend, ncclRecv", err);
}

#else

int nccl_version(void) { return 0; }
dist_status_t nccl_open(dist_world_t *w, err_t *err)
{
    (void)w;
    return FAIL_WITH(err, DIST_NO_NCCL, "built without NCCL");
}
void nccl_close(dist_world_t *w) { (void)w; }
dist_status_t nccl_sum(dist_world_t *w, double *values, int count, cudaStream_t stream, err_t *err)
{
    (void)values, (void)count, (void)stream;
    return nccl_open(w, err);
}
dist_status_t nccl_exchange(dist_matrix_t *d, const void *x, cudaStream_t stream, err_t *err)
{
    (void)x, (void)stream;
    return nccl_open(d->w, err);
}
#endif
