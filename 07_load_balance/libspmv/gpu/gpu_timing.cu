/* gpu_timing.cu - see gpu_timing.h */
#include "gpu_timing.h"

#include "gpu_common.cuh"

namespace {

enum { BLOCK = 256, IN_FLIGHT = 4 };

// Reads the whole buffer.  The buffer holds 0, so nothing is written.
__global__ void __launch_bounds__(BLOCK) read_kernel(const uint4 *__restrict__ from, size_t count, unsigned *never)
{
    const size_t threads = (size_t)gridDim.x * BLOCK;
    unsigned sum = 0;
    for (size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x; i < count; i += IN_FLIGHT * threads)
#pragma unroll
        for (int j = 0; j < IN_FLIGHT; ++j)
            if (i + j * threads < count) sum |= from[i + j * threads].x;
    if (sum) *never = sum;
}

// Records event i, which is created at its first use.
cudaError_t record(gpu_timing_t *timing, int i)
{
    const cudaError_t status = timing->events[i] ? cudaSuccess : cudaEventCreate(&timing->events[i]);
    return status == cudaSuccess ? cudaEventRecord(timing->events[i], timing->stream) : status;
}

} // namespace

cudaError_t gpu_timing_open(gpu_timing_t *timing, cudaStream_t stream)
{
    int device = 0, bytes = 0;
    float none;
    timing->stream = stream;
    cudaError_t status = cudaSuccess;
    for (int i = 0; i < 2 && status == cudaSuccess; ++i) status = record(timing, i);
    if (status == cudaSuccess) status = cudaStreamSynchronize(stream);
    if (status == cudaSuccess) status = cudaEventElapsedTime(&none, timing->events[0], timing->events[1]);
    if (status == cudaSuccess) status = cudaGetDevice(&device);
    if (status == cudaSuccess) status = cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device);
    timing->bytes = bytes > 0 ? (size_t)bytes / sizeof(uint4) * sizeof(uint4) : 0;
    if (status == cudaSuccess) status = gpu_take(&timing->d_flush, timing->bytes + 1, stream);
    if (status == cudaSuccess) status = cudaMemsetAsync(timing->d_flush, 0, timing->bytes, stream);
    return status;
}

void gpu_timing_close(gpu_timing_t *timing)
{
    for (size_t i = 0; i < sizeof timing->events / sizeof *timing->events; ++i)
        if (timing->events[i]) cudaEventDestroy(timing->events[i]);
    gpu_give(timing->d_flush);
}

cudaError_t gpu_timing_medians(gpu_timing_t *timing, cudaError_t (*multiply)(void *context, int which), void *context,
                               int count, int runs, float us[2])
{
    cudaError_t status = cudaSuccess;
    for (int i = 0; i < runs * count && status == cudaSuccess; ++i) {
        read_kernel<<<(unsigned)(timing->bytes / sizeof(uint4) / (BLOCK * IN_FLIGHT) + 1), BLOCK, 0, timing->stream>>>(
            (const uint4 *)timing->d_flush, timing->bytes / sizeof(uint4), (unsigned *)timing->d_flush);
        status = record(timing, 2 * i);
        if (status == cudaSuccess) status = multiply(context, i % count);
        if (status == cudaSuccess) status = record(timing, 2 * i + 1);
    }
    if (status == cudaSuccess) status = cudaStreamSynchronize(timing->stream);
    for (int w = 0; w < count && status == cudaSuccess; ++w) {
        float sorted[GPU_TIMING_RUNS] = {0};
        for (int i = 0; i < runs && status == cudaSuccess; ++i) {
            const int k = 2 * (i * count + w);
            float ms = 0;
            int place = i;
            status = cudaEventElapsedTime(&ms, timing->events[k], timing->events[k + 1]);
            for (; place > 0 && sorted[place - 1] > ms; --place) sorted[place] = sorted[place - 1];
            sorted[place] = ms;
        }
        us[w] = 1e3f * sorted[runs / 2];
    }
    return status;
}
