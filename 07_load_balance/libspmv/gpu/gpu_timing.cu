/* gpu_cold.cu - see gpu_cold.h */
#include "gpu_cold.h"

#include "gpu_common.cuh"

namespace {

enum { BLOCK = 256, IN_FLIGHT = 4 };

// Reads all of it.  What it adds up is never the number that would be written.
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

// Event i, which is made when it is first wanted.
cudaError_t record(gpu_cold_t *cold, int i)
{
    const cudaError_t status = cold->events[i] ? cudaSuccess : cudaEventCreate(&cold->events[i]);
    return status == cudaSuccess ? cudaEventRecord(cold->events[i], cold->stream) : status;
}

} // namespace

cudaError_t gpu_cold_open(gpu_cold_t *cold, cudaStream_t stream)
{
    int device = 0, bytes = 0;
    float none;
    cold->stream = stream;
    cudaError_t status = cudaSuccess;
    for (int i = 0; i < 2 && status == cudaSuccess; ++i) status = record(cold, i);
    if (status == cudaSuccess) status = cudaStreamSynchronize(stream);
    if (status == cudaSuccess) status = cudaEventElapsedTime(&none, cold->events[0], cold->events[1]);
    if (status == cudaSuccess) status = cudaGetDevice(&device);
    if (status == cudaSuccess) status = cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device);
    cold->bytes = bytes > 0 ? (size_t)bytes / sizeof(uint4) * sizeof(uint4) : 0;
    if (status == cudaSuccess) status = gpu_take(&cold->d_flush, cold->bytes + 1, stream);
    if (status == cudaSuccess) status = cudaMemsetAsync(cold->d_flush, 0, cold->bytes, stream);
    return status;
}

void gpu_cold_close(gpu_cold_t *cold)
{
    for (size_t i = 0; i < sizeof cold->events / sizeof *cold->events; ++i)
        if (cold->events[i]) cudaEventDestroy(cold->events[i]);
    gpu_give(cold->d_flush);
}

cudaError_t gpu_cold_times(gpu_cold_t *cold, cudaError_t (*multiply)(void *context, int which), void *context,
                           int count, int runs, float us[2])
{
    cudaError_t status = cudaSuccess;
    for (int i = 0; i < runs * count && status == cudaSuccess; ++i) {
        read_kernel<<<(unsigned)(cold->bytes / sizeof(uint4) / (BLOCK * IN_FLIGHT) + 1), BLOCK, 0, cold->stream>>>(
            (const uint4 *)cold->d_flush, cold->bytes / sizeof(uint4), (unsigned *)cold->d_flush);
        status = record(cold, 2 * i);
        if (status == cudaSuccess) status = multiply(context, i % count);
        if (status == cudaSuccess) status = record(cold, 2 * i + 1);
    }
    if (status == cudaSuccess) status = cudaStreamSynchronize(cold->stream);
    for (int w = 0; w < count && status == cudaSuccess; ++w) {
        float sorted[GPU_COLD_RUNS] = {0};
        for (int i = 0; i < runs && status == cudaSuccess; ++i) {
            const int k = 2 * (i * count + w);
            float ms = 0;
            int place = i;
            status = cudaEventElapsedTime(&ms, cold->events[k], cold->events[k + 1]);
            for (; place > 0 && sorted[place - 1] > ms; --place) sorted[place] = sorted[place - 1];
            sorted[place] = ms;
        }
        us[w] = 1e3f * sorted[runs / 2];
    }
    return status;
}
