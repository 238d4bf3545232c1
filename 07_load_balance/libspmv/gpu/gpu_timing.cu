/* gpu_timing.cu - see gpu_timing.h */
#include "gpu_timing.h"

#include "gpu_build.cuh"

namespace {

enum { IN_FLIGHT = 4 };

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
    if (!timing->events[i]) TRY(cudaEventCreate(&timing->events[i]));
    return cudaEventRecord(timing->events[i], timing->stream);
}

} // namespace

cudaError_t gpu_timing_open(gpu_timing_t *timing, cudaStream_t stream)
{
    int bytes = 0;
    float none;
    timing->stream = stream;
    for (int i = 0; i < 2; ++i) TRY(record(timing, i));
    TRY(cudaStreamSynchronize(stream));
    TRY(cudaEventElapsedTime(&none, timing->events[0], timing->events[1]));
    TRY(gpu_attribute(&bytes, cudaDevAttrL2CacheSize));
    timing->bytes = bytes > 0 ? (size_t)bytes / sizeof(uint4) * sizeof(uint4) : 0;
    TRY(gpu_take(&timing->d_flush, timing->bytes + 1, stream));
    return cudaMemsetAsync(timing->d_flush, 0, timing->bytes, stream);
}

void gpu_timing_close(gpu_timing_t *timing)
{
    for (size_t i = 0; i < sizeof timing->events / sizeof *timing->events; ++i)
        if (timing->events[i]) cudaEventDestroy(timing->events[i]);
    gpu_free(timing->d_flush);
}

cudaError_t gpu_timing_medians(gpu_timing_t *timing, cudaError_t (*multiply)(void *context, int which), void *context,
                               int count, int runs, float us[2])
{
    for (int i = 0; i < runs * count; ++i) {
        read_kernel<<<(unsigned)(timing->bytes / sizeof(uint4) / (BLOCK * IN_FLIGHT) + 1), BLOCK, 0, timing->stream>>>(
            (const uint4 *)timing->d_flush, timing->bytes / sizeof(uint4), (unsigned *)timing->d_flush);
        TRY(record(timing, 2 * i));
        TRY(multiply(context, i % count));
        TRY(record(timing, 2 * i + 1));
    }
    TRY(cudaStreamSynchronize(timing->stream));
    for (int w = 0; w < count; ++w) {
        float sorted[GPU_TIMING_RUNS] = {0};
        for (int i = 0; i < runs; ++i) {
            const int k = 2 * (i * count + w);
            float ms = 0;
            int place = i;
            TRY(cudaEventElapsedTime(&ms, timing->events[k], timing->events[k + 1]));
            for (; place > 0 && sorted[place - 1] > ms; --place) sorted[place] = sorted[place - 1];
            sorted[place] = ms;
        }
        us[w] = 1e3f * sorted[runs / 2];
    }
    return cudaSuccess;
}
