/* gpu_memory.c - see gpu_memory.h, and gpu_engine.h: the CUDA calls that plan*.c need. */
#include "gpu_memory.h"

#include <stdbool.h>
#include <stdint.h>

#include "texts.h"
#include "gpu_engine.h"

spmv_status_t gpu_failed(cudaError_t error, const char *what)
{
    cudaGetLastError(); /* clears the error, which is reported here */
    return FAIL(error == cudaErrorMemoryAllocation ? SPMV_NO_MEMORY : SPMV_GPU_ERROR, "%s: %s", what,
                cudaGetErrorString(error));
}

static spmv_status_t status_of(cudaError_t error, const char *what)
{
    return error == cudaSuccess ? SPMV_OK : gpu_failed(error, what);
}

spmv_status_t gpu_present(void)
{
    int gpus = 0;
    const cudaError_t error = cudaGetDeviceCount(&gpus);
    if (error == cudaSuccess && gpus > 0) return SPMV_OK;
    cudaGetLastError();
    return FAIL(SPMV_NO_GPU, "no GPU was found: %s",
                error == cudaSuccess ? "the driver reports no device" : cudaGetErrorString(error));
}

spmv_status_t gpu_copy_over(void *d, const void *source, size_t bytes, spmv_memory_t memory, void *stream)
{
    const enum cudaMemcpyKind kind = memory == SPMV_HOST ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
    if (bytes == 0) return SPMV_OK;
    return status_of(cudaMemcpyAsync(d, source, bytes, kind, (cudaStream_t)stream), "copy to the GPU");
}

/* Returns the GPU's memory pool.  It keeps the memory of an ended plan for the next one, so that a set-up does not wait
 * for the driver to map memory.  NULL if the GPU has no pools. */
static cudaError_t pool_here(cudaMemPool_t *pool)
{
    enum { MOST_GPUS = 64 };
    static cudaMemPool_t pools[MOST_GPUS];
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                     .location = {.type = cudaMemLocationTypeDevice}};
    uint64_t kept = (uint64_t)SPMV_KEPT;
    int device, has_pools = 0;
    cudaError_t status = cudaGetDevice(&device);
    *pool = NULL;
    if (status != cudaSuccess || device >= MOST_GPUS) return status;
    if ((*pool = __atomic_load_n(&pools[device], __ATOMIC_ACQUIRE))) return cudaSuccess;
    status = cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, device);
    if (status != cudaSuccess || !has_pools) return status;
    props.location.id = device;
    cudaMemPool_t mine = NULL;
    status = cudaMemPoolCreate(&mine, &props);
    if (status == cudaSuccess) status = cudaMemPoolSetAttribute(mine, cudaMemPoolAttrReleaseThreshold, &kept);
    if (status == cudaSuccess && __atomic_compare_exchange_n(&pools[device], pool, mine, false, __ATOMIC_ACQ_REL,
                                                             __ATOMIC_ACQUIRE)) {
        *pool = mine;
        return cudaSuccess;
    }
    if (mine) cudaMemPoolDestroy(mine); /* another thread has set *pool, or there was an error */
    return status;
}

cudaError_t gpu_take(void **d, size_t bytes, cudaStream_t stream)
{
    cudaMemPool_t pool;
    const size_t some = bytes ? bytes : 1;
    cudaError_t status = pool_here(&pool);
    if (status == cudaSuccess) status = pool ? cudaMallocFromPoolAsync(d, some, pool, stream) : cudaMalloc(d, some);
    if (status != cudaSuccess) *d = NULL;
    return status;
}

void gpu_trim(void)
{
    cudaMemPool_t pool;
    if (pool_here(&pool) == cudaSuccess && pool) cudaMemPoolTrimTo(pool, 0);
    cudaGetLastError(); /* without a GPU no memory is kept */
}

cudaError_t gpu_attribute(int *value, enum cudaDeviceAttr attribute)
{
    int device = 0;
    const cudaError_t status = cudaGetDevice(&device);
    return status == cudaSuccess ? cudaDeviceGetAttribute(value, attribute, device) : status;
}

void gpu_free(void *d)
{
    if (!d) return;
    cudaDeviceSynchronize();
    cudaFree(d);
}

spmv_status_t gpu_room(void **d, size_t bytes, void *stream)
{
    char what[64];
    *d = NULL;
    if (bytes == 0) return SPMV_OK;
    snprintf(what, sizeof what, "%zu bytes on the GPU", bytes);
    return status_of(gpu_take(d, bytes, (cudaStream_t)stream), what);
}

spmv_status_t gpu_copy_in(void **d, const void *source, size_t bytes, spmv_memory_t memory, void *stream)
{
    spmv_status_t status = gpu_room(d, bytes, stream);
    if (status != SPMV_OK || bytes == 0) return status;
    status = gpu_copy_over(*d, source, bytes, memory, stream);
    if (status != SPMV_OK) {
        gpu_free(*d);
        *d = NULL;
    }
    return status;
}

spmv_status_t gpu_copy_out(void *host, const void *d, size_t bytes, void *stream)
{
    if (bytes == 0) return SPMV_OK;
    const spmv_status_t status = status_of(
        cudaMemcpyAsync(host, d, bytes, cudaMemcpyDeviceToHost, (cudaStream_t)stream), "copy from the GPU");
    return status == SPMV_OK ? gpu_wait(stream) : status;
}

spmv_status_t gpu_wait(void *stream)
{
    return status_of(cudaStreamSynchronize((cudaStream_t)stream), "waiting for the GPU");
}

const char *gpu_reason(void) { return cudaGetErrorString(cudaGetLastError()); }
