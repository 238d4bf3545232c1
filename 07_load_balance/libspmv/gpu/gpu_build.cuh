/* gpu_build.cuh - shared by the host's code that builds plans: errors, memory, numbers of blocks.  Not installed. */
#ifndef SPMV_GPU_BUILD_CUH
#define SPMV_GPU_BUILD_CUH

#include "gpu_common.cuh"

enum { BLOCK = 256, WARPS = BLOCK / LANES }; // block size of kernels that build a plan

#define TRY(call)                                        \
    do {                                                 \
        const cudaError_t status_ = (call);              \
        if (status_ != cudaSuccess) return status_;      \
    } while (0)

// Memory that is freed at the end of the build on this stream.
struct scratch_t {
    enum { MOST = 24 };
    cudaStream_t stream;
    void *d[MOST];
    int used;
};

// Allocates `bytes` of device memory for the build, or for the plan.
static inline cudaError_t take(void **d, size_t bytes, scratch_t *scratch)
{
    const cudaError_t status = gpu_take(d, bytes, scratch->stream);
    if (status == cudaSuccess) scratch->d[scratch->used++] = *d;
    return status;
}

template <typename P>
static inline cudaError_t keep(void **d, size_t bytes, P *plan, cudaStream_t stream)
{
    const cudaError_t status = gpu_take(d, bytes, stream);
    if (status == cudaSuccess) plan->bytes += bytes;
    return status;
}

// After an error, work in the stream may still write to the memory, so this waits for the stream.
static inline void end_scratch(scratch_t *scratch, cudaError_t status)
{
    if (status != cudaSuccess) cudaStreamSynchronize(scratch->stream);
    for (int i = 0; i < scratch->used; ++i) cudaFree(scratch->d[i]);
}

// Frees these arrays of a plan, and leaves it empty.
template <typename P, typename... Arrays>
static inline void free_plan(P *plan, Arrays *...arrays)
{
    void *const all[] = {arrays...};
    for (void *d : all) gpu_free(d);
    *plan = P{};
}

// Builds a plan by build(scratch).  After an error it is empty.
template <typename P, typename F>
static inline cudaError_t build_plan(P *plan, void (*free_it)(P *), cudaStream_t stream, F build)
{
    scratch_t scratch = {stream, {NULL}, 0};
    *plan = P{};
    const cudaError_t status = build(&scratch);
    end_scratch(&scratch, status);
    if (status != cudaSuccess) free_it(plan);
    return status;
}

static inline unsigned blocks_for(size_t n, size_t per_block) { return (unsigned)((n + per_block - 1) / per_block); }

static inline cudaError_t to_host(void *host, const void *d, size_t bytes, cudaStream_t stream)
{
    TRY(cudaMemcpyAsync(host, d, bytes, cudaMemcpyDeviceToHost, stream));
    return cudaStreamSynchronize(stream);
}

#endif
