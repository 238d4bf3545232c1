/* gpu_memory.c - see gpu_engine.h: the CUDA calls that plan.c needs. */
#include "gpu_engine.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

static spmv_status_t status_of(cudaError_t error, const char *what, char *why, size_t why_size)
{
    if (error == cudaSuccess) return SPMV_OK;
    snprintf(why, why_size, "%s: %s", what, cudaGetErrorString(error));
    cudaGetLastError(); /* told once is enough */
    return error == cudaErrorMemoryAllocation ? SPMV_NO_MEMORY : SPMV_GPU_ERROR;
}

spmv_status_t gpu_present(char *why, size_t why_size)
{
    int cards = 0;
    const cudaError_t error = cudaGetDeviceCount(&cards);
    if (error == cudaSuccess && cards > 0) return SPMV_OK;
    snprintf(why, why_size, "no GPU to run on: %s",
             error == cudaSuccess ? "the driver reports none" : cudaGetErrorString(error));
    cudaGetLastError();
    return SPMV_NO_GPU;
}

spmv_status_t gpu_copy_over(void *d, const void *source, size_t bytes, spmv_memory_t memory, void *stream, char *why,
                            size_t why_size)
{
    const enum cudaMemcpyKind kind = memory == SPMV_HOST ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
    if (bytes == 0) return SPMV_OK;
    return status_of(cudaMemcpyAsync(d, source, bytes, kind, (cudaStream_t)stream), "copy to the card", why, why_size);
}

spmv_status_t gpu_room(void **d, size_t bytes, char *why, size_t why_size)
{
    char what[64];
    *d = NULL;
    if (bytes == 0) return SPMV_OK;
    snprintf(what, sizeof what, "%zu bytes on the card", bytes);
    return status_of(cudaMalloc(d, bytes), what, why, why_size);
}

spmv_status_t gpu_copy_in(void **d, const void *source, size_t bytes, spmv_memory_t memory, void *stream, char *why,
                          size_t why_size)
{
    spmv_status_t status = gpu_room(d, bytes, why, why_size);
    if (status != SPMV_OK || bytes == 0) return status;
    status = gpu_copy_over(*d, source, bytes, memory, stream, why, why_size);
    if (status != SPMV_OK) {
        gpu_free(*d);
        *d = NULL;
    }
    return status;
}

spmv_status_t gpu_copy_out(void *host, const void *d, size_t bytes, void *stream, char *why, size_t why_size)
{
    if (bytes == 0) return SPMV_OK;
    const spmv_status_t status = status_of(
        cudaMemcpyAsync(host, d, bytes, cudaMemcpyDeviceToHost, (cudaStream_t)stream), "copy from the card", why,
        why_size);
    return status == SPMV_OK ? gpu_wait(stream, why, why_size) : status;
}

spmv_status_t gpu_wait(void *stream, char *why, size_t why_size)
{
    return status_of(cudaStreamSynchronize((cudaStream_t)stream), "waiting for the card", why, why_size);
}

void gpu_free(void *d)
{
    if (d) cudaFree(d);
}

const char *gpu_reason(void) { return cudaGetErrorString(cudaGetLastError()); }
