/* gpu.c - ranks with GPUs: selects a GPU for each rank, and exchanges x in GPU memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_kernels.h"
#include "device.h"
#include "dist_impl.h"

/* ---- the world ---------------------------------------------------------------------------------- */

/* Selects a GPU by this rank's number among the ranks of its host.  Also counts the GPUs that all hosts use, and finds
 * out whether some GPU has more than one rank. */
static int count_gpus(dist_world_t *w, int found, int *gpus, bool *shared, err_t *err)
{
    MPI_Comm host;
    int mine, here, used, crowded;
    if (mpi_ok(MPI_Comm_split_type(w->comm, MPI_COMM_TYPE_SHARED, w->rank, MPI_INFO_NULL, &host), "MPI_Comm_split_type",
               err))
        return -1;
    MPI_Comm_rank(host, &mine);
    MPI_Comm_size(host, &here);
    MPI_Comm_free(&host);
    w->gpu = mine % found;
    used = mine < found; /* true if the rank is the first on its GPU */
    crowded = here > found;
    if (mpi_ok(MPI_Allreduce(MPI_IN_PLACE, &used, 1, MPI_INT, MPI_SUM, w->comm), "MPI_Allreduce", err) ||
        mpi_ok(MPI_Allreduce(MPI_IN_PLACE, &crowded, 1, MPI_INT, MPI_MAX, w->comm), "MPI_Allreduce", err))
        return -1;
    *gpus = used;
    *shared = crowded != 0;
    return 0;
}

/* Chooses NCCL, the direct transport, or neither.  If the requested one is not possible, all ranks get an error. */
static dist_status_t refuse(dist_transport_t wanted, const dist_world_t *w, int version, const char *not_direct,
                            err_t *err)
{
    if (wanted == DIST_SHARED)
        return FAIL_WITH(err, DIST_BAD_ARGUMENT,
                         "the shared transport works on CPUs only; for GPUs choose direct, nccl or mpi");
    if (wanted == DIST_DIRECT)
        return FAIL_WITH(err, DIST_NO_SHARING,
                         "the direct transport is impossible here: %s; choose --transport nccl or mpi", not_direct);
    if (version)
        err_set(err, "NCCL needs one GPU per rank, but %d ranks have %d GPUs: start fewer, or choose --transport mpi",
                w->ranks, w->gpus);
    else
        err_set(err, "built without NCCL: install libnccl-dev or NVIDIA's package, or set NCCL_HOME, and build again; "
                     "or exchange over MPI (--transport mpi)");
    return DIST_NO_NCCL;
}

static void say_why(dist_world_t *w, bool named, int version, const char *not_direct)
{
    const char *s = w->ranks == 1 ? "" : "s";
    if (w->transport == DIST_DIRECT)
        snprintf(w->why, sizeof w->why, "directly, %d rank%s, one GPU each", w->ranks, s);
    else if (w->transport == DIST_NCCL)
        snprintf(w->why, sizeof w->why, "NCCL %d.%d.%d, %d rank%s, one GPU each%s%s", version / 10000,
                 version / 100 % 100, version % 100, w->ranks, s, named ? "" : "; not directly: ",
                 named ? "" : not_direct);
    else
        snprintf(w->why, sizeof w->why, "MPI by way of host buffers, %d rank%s on %d GPU%s%s", w->ranks, s, w->gpus,
                 w->gpus == 1 ? "" : "s",
                 named ? "" : version ? ": nccl and direct need one GPU per rank" : ": built without NCCL");
}

dist_status_t gpu_choose_transport(dist_world_t *w, dist_transport_t wanted, err_t *err)
{
    int found = 0;
    bool shared = false;
    dist_status_t status = cudaGetDeviceCount(&found) == cudaSuccess && found > 0 ? DIST_OK : DIST_NO_GPU;
    if (status) err_set(err, "no CUDA device was found: check nvidia-smi, or use the CPU back end");
    if ((status = dist_agree(w, status, err))) return status;
    if (count_gpus(w, found, &w->gpus, &shared, err)) return DIST_MPI_ERROR;
    if ((status = dist_agree(w, cuda_ok(cudaSetDevice(w->gpu), "cudaSetDevice", err), err))) return status;

    const int version = nccl_version();
    const bool nccl = version && !shared;
    const char *not_direct = wanted != DIST_AUTO && wanted != DIST_DIRECT ? "another was asked for"
                             : shared                                     ? "ranks share a GPU"
                                                                          : direct_open_world(w);
    if (wanted == DIST_SHARED || (wanted == DIST_NCCL && !nccl) || (wanted == DIST_DIRECT && not_direct))
        return refuse(wanted, w, version, not_direct, err);
    if (nccl && wanted != DIST_MPI && not_direct) status = nccl_open(w, err);
    if (status) return status;
    w->transport = !not_direct ? DIST_DIRECT : nccl && wanted != DIST_MPI ? DIST_NCCL : DIST_MPI;
    say_why(w, wanted != DIST_AUTO, version, not_direct);
    return DIST_OK;
}

dist_status_t gpu_sum(dist_world_t *w, double *values, int count, void *stream, err_t *err)
{
    if (w->direct) return direct_add_up(w, values, count, stream, err);
    if (w->nccl) return nccl_sum(w, values, count, stream, err);
    double *host = malloc(((size_t)count + 1) * sizeof *host);
    if (!host) return FAIL_WITH(err, DIST_NO_MEMORY, "out of memory for %d sums", count);
    const size_t bytes = (size_t)count * sizeof *host;
    dist_status_t status =
        cuda_ok(cudaMemcpyAsync(host, values, bytes, cudaMemcpyDeviceToHost, stream), "copy of sums", err);
    if (!status) status = cuda_ok(cudaStreamSynchronize(stream), "sums", err);
    if (!status)
        status = mpi_ok(MPI_Allreduce(MPI_IN_PLACE, host, count, MPI_DOUBLE, MPI_SUM, w->comm), "MPI_Allreduce", err);
    if (!status)
        status = cuda_ok(cudaMemcpyAsync(values, host, bytes, cudaMemcpyHostToDevice, stream), "copy of sums", err);
    if (!status) status = cuda_ok(cudaStreamSynchronize(stream), "sums", err);
    free(host);
    return status;
}

/* ---- a matrix ----------------------------------------------------------------------------------- */

/* Creates the stream of the exchange.  Its priority is high, so that its few blocks run before the many of the
 * product. */
static cudaError_t side_stream(cudaStream_t *stream)
{
#ifdef COURSE_CUDA
    int least, greatest;
    const cudaError_t code = cudaDeviceGetStreamPriorityRange(&least, &greatest);
    return code == cudaSuccess ? cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking, greatest) : code;
#else
    return cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
#endif
}

dist_status_t gpu_open(dist_matrix_t *d, err_t *err)
{
    const size_t sends = d->lists.sends;
    dist_status_t status = cuda_ok(side_stream(&d->side), "a stream", err);
    if (!status) status = cuda_ok(cudaEventCreateWithFlags(&d->x_there, cudaEventDisableTiming), "an event", err);
    if (!status) status = cuda_ok(cudaEventCreateWithFlags(&d->halo_there, cudaEventDisableTiming), "an event", err);
    if (status) return status;
    d->d_send = device_alloc(sends * d->element + 1, "entries to send", err);
    if (d->d_send) d->d_received = device_alloc(d->halo * d->element + 1, "halo", err);
    if (d->d_received) d->d_send_index = device_upload(d->lists.send_index, sends * sizeof(int32_t), "send_index", err);
    if (!d->d_send_index) return DIST_NO_MEMORY;
    return cuda_ok(cudaMemset(d->d_received, 0xFF, d->halo * d->element), "cudaMemset", err); /* NaN, as on the host */
}

dist_status_t gpu_open_rows(dist_matrix_t *d, err_t *err)
{
    const size_t halo_rows = (size_t)d->mine.halo_rows;
    d->d_sum = device_alloc(halo_rows * d->element + 1, "sums of boundary rows", err);
    if (d->d_sum) d->d_halo_rows = device_upload(d->halo_rows, halo_rows * sizeof(int32_t), "boundary rows", err);
    return d->d_halo_rows ? DIST_OK : DIST_NO_MEMORY;
}

static bool recorded(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone;
}

/* Makes the side stream wait for the caller's. */
static dist_status_t fork_off(dist_matrix_t *d, cudaStream_t stream, err_t *err)
{
    const dist_status_t status = cuda_ok(cudaEventRecord(d->x_there, stream), "an event", err);
    return status ? status : cuda_ok(cudaStreamWaitEvent(d->side, d->x_there, 0), "an event", err);
}

/* Makes the caller's stream wait for the side stream. */
static dist_status_t join(dist_matrix_t *d, cudaStream_t stream, err_t *err)
{
    const dist_status_t status = cuda_ok(cudaEventRecord(d->halo_there, d->side), "an event", err);
    return status ? status : cuda_ok(cudaStreamWaitEvent(stream, d->halo_there, 0), "an event", err);
}

/* Makes the side stream wait for the caller's, runs the transport, and makes the caller's stream wait for the side
 * stream.  The host makes four more calls for this, so short work is enqueued on the caller's stream instead. */
dist_status_t gpu_exchange_start(dist_matrix_t *d, const void *x, void *stream, err_t *err)
{
    d->aside = !d->in_line || recorded(stream);
    if (!d->aside) return d->by->put(d, x, stream, err);
    const dist_status_t status = fork_off(d, stream, err);
    return status ? status : d->by->put(d, x, d->side, err);
}

dist_status_t gpu_exchange_finish(dist_matrix_t *d, void *stream, err_t *err)
{
    if (!d->aside) return d->by->wait(d, stream, err);
    const dist_status_t status = d->by->wait(d, d->side, err);
    return status ? status : join(d, stream, err);
}

/* Launched from the host, two kernels in one stream take less time than three kernels, or than events between two
 * streams.  In a graph separate kernels for put and the boundary are faster. */
bool gpu_can_at_once(const dist_matrix_t *d, void *stream)
{
    return d->apart && d->in_line && !d->o.no_overlap && !recorded(stream);
}

/* With d->apart the boundary's rows are multiplied during the interior. */
dist_status_t gpu_boundary(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err)
{
    if (!d->aside) return d->by->boundary(d, x, y, stream, err);
    dist_status_t status = d->apart ? d->by->boundary(d, x, y, d->side, err) : DIST_OK;
    if (!status) status = join(d, stream, err);
    return status || d->apart ? status : d->by->boundary(d, x, y, stream, err);
}

/* ---- two transports ----------------------------------------------------------------------------- */

static dist_status_t pack(dist_matrix_t *d, const void *x, cudaStream_t stream, err_t *err)
{
    if (d->o.exchange == DIST_REPLICATED) return DIST_OK;
    return cuda_ok(gpu_pack(d->d_send, x, d->d_send_index, d->lists.sends, d->element, stream), "pack", err);
}

/* The transport through host buffers. */
static dist_status_t host_put(dist_matrix_t *d, const void *x, cudaStream_t stream, err_t *err)
{
    const bool all = d->o.exchange == DIST_REPLICATED;
    const size_t entries = all ? (size_t)d->mine.cols : d->lists.sends;
    const dist_status_t status = pack(d, x, stream, err);
    if (status) return status;
    return cuda_ok(cudaMemcpyAsync(d->send, all ? x : d->d_send, entries * d->element, cudaMemcpyDeviceToHost, stream),
                   "copy of entries to send", err);
}

static dist_status_t host_wait(dist_matrix_t *d, cudaStream_t stream, err_t *err)
{
    dist_status_t status = cuda_ok(cudaStreamSynchronize(stream), "entries to send", err);
    d->halo_at = d->d_received;
    if (!status) status = exchange_start(d, d->send, err);
    if (!status) status = exchange_finish(d, err);
    if (status) return status;
    return cuda_ok(cudaMemcpyAsync(d->d_received, d->received, d->halo * d->element, cudaMemcpyHostToDevice, stream),
                   "copy of the halo", err);
}

const transport_t TRANSPORT_GPU_MPI = {"mpi", exchange_open, host_put, host_wait, exchange_close, NULL, NULL};

/* The transport by NCCL: one group sends and receives, and `wait` only waits for the end of the group. */
static dist_status_t group_open(dist_matrix_t *d, const halo_t *h, err_t *err)
{
    (void)d, (void)h, (void)err;
    return DIST_OK;
}
static dist_status_t group_put(dist_matrix_t *d, const void *x, cudaStream_t stream, err_t *err)
{
    const dist_status_t status = pack(d, x, stream, err);
    return status ? status : nccl_exchange(d, x, stream, err);
}
static dist_status_t group_wait(dist_matrix_t *d, cudaStream_t stream, err_t *err)
{
    (void)stream, (void)err;
    d->halo_at = d->d_received;
    return DIST_OK;
}
static void nothing_to_close(dist_matrix_t *d) { (void)d; }

const transport_t TRANSPORT_NCCL = {"nccl", group_open, group_put, group_wait, nothing_to_close, NULL, NULL};

dist_status_t gpu_add(dist_matrix_t *d, void *y, void *stream, err_t *err)
{
    return cuda_ok(gpu_add_rows(y, d->d_halo_rows, d->d_sum, (size_t)d->mine.halo_rows, d->element, stream), "add",
                   err);
}

void gpu_close(dist_matrix_t *d)
{
    if (d->side) cudaStreamSynchronize(d->side);
    if (d->x_there) cudaEventDestroy(d->x_there);
    if (d->halo_there) cudaEventDestroy(d->halo_there);
    if (d->side) cudaStreamDestroy(d->side);
    device_free(d->d_send_index);
    device_free(d->d_halo_rows);
    device_free(d->d_send);
    device_free(d->d_received);
    device_free(d->d_sum);
}
