/* device.c - the part of device.h that is the same on both back ends. */
#include "device.h"

int device_ok(cudaError_t status, const char *what, err_t *err)
{
    if (status == cudaSuccess) return 0;
    return err_set(err, "%s: %s", what, cudaGetErrorString(status));
}

int device_graph(int failed, cudaStream_t stream, cudaGraphExec_t *graph, err_t *err)
{
    cudaGraph_t captured = NULL;
    const cudaError_t ended = cudaStreamEndCapture(stream, &captured);
    if (!failed) failed = device_ok(ended, "end of the capture", err);
    if (!failed) failed = device_ok(cudaGraphInstantiate(graph, captured, cudaGraphInstantiateFlagUseNodePriority),
                                    "cudaGraphInstantiate", err);
    if (captured) cudaGraphDestroy(captured);
    return failed ? -1 : 0;
}

void *device_alloc(size_t bytes, const char *name, err_t *err)
{
    size_t free_bytes = 0, total_bytes = 0;
    if (device_ok(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo", err)) return NULL;
    if (bytes > free_bytes) {
        const bool small = bytes < (size_t)1 << 30;
        const double unit = small ? 1 << 20 : 1 << 30;
        return err_null(err, "%s needs %.2f %s, the GPU has %.2f %s free: choose a smaller problem", name,
                        (double)bytes / unit, small ? "MiB" : "GiB", (double)free_bytes / unit, small ? "MiB" : "GiB");
    }
    void *d = NULL;
    if (device_ok(cudaMalloc(&d, bytes ? bytes : 1), name, err)) return NULL;
    device_name(d, name);
    return d;
}

void device_free(void *d)
{
    if (d) cudaFree(d);
}

void *device_upload(const void *host, size_t bytes, const char *name, err_t *err)
{
    void *d = device_alloc(bytes, name, err);
    if (d && device_ok(cudaMemcpy(d, host, bytes, cudaMemcpyHostToDevice), name, err)) {
        device_free(d);
        return NULL;
    }
    return d;
}

int csr_arrays_upload(csr_arrays_t *d, const csr_arrays_t *host, err_t *err)
{
    *d = *host;
    d->col_indices = NULL, d->values = NULL;
    d->row_offsets =
        device_upload(host->row_offsets, (host->rows + 1) * (size_t)host->offset_bits / 8, "row_offsets", err);
    if (d->row_offsets)
        d->col_indices = device_upload(host->col_indices, host->nnz * sizeof *d->col_indices, "col_indices", err);
    if (d->col_indices)
        d->values = device_upload(host->values, host->nnz * dtype_size(host->value_type), "values", err);
    if (d->values) return 0;
    csr_arrays_free_device(d);
    return -1;
}

void csr_arrays_free_device(csr_arrays_t *d)
{
    device_free(d->row_offsets);
    device_free(d->col_indices);
    device_free(d->values);
    *d = (csr_arrays_t){0};
}
