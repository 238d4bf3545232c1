// grade 1 2 exactly 100: *
// Wide loads in a grid-stride loop; the grid has as many blocks as the GPU holds.
#include "chapter.h"
template <typename T> struct wide;
template <> struct wide<float> { typedef float4 type; static __device__ float sum(float4 v) { return v.x + v.y + (v.z + v.w); } };
template <> struct wide<double> { typedef double2 type; static __device__ double sum(const double2 &v) { return v.x + v.y; } };
template <typename T, int THREADS>
__global__ void __launch_bounds__(THREADS) sum(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
    using V = typename wide<T>::type;
    const size_t per = sizeof(V) / sizeof(T);
    size_t head = (16 - ((size_t)in & 15)) % 16 / sizeof(T);
    if (head > n) head = n;
    const size_t units = (n - head) / per, me = (size_t)blockIdx.x * THREADS + threadIdx.x, all = (size_t)gridDim.x * THREADS;
    const V *v = reinterpret_cast<const V *>(in + head);
    T mine = me < head ? in[me] : T(0);
    for (size_t i = me; i < units; i += all) mine += wide<T>::sum(v[i]);
    if (head + units * per + me < n) mine += in[head + units * per + me];

    __shared__ T parts[THREADS / 32];
    for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(0xffffffffu, mine, d);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = threadIdx.x < THREADS / 32 ? parts[threadIdx.x] : T(0);
        for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(0xffffffffu, mine, d);
        if (threadIdx.x == 0) sums[blockIdx.x] = mine;
    }
}
template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *, cudaStream_t stream)
{
    constexpr int THREADS = 512;
    int device = 0, sms = 1, per_sm = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, sum<T, THREADS>, THREADS, 0);
    const size_t tile = THREADS * 16 / sizeof(T) * 4;
    size_t blocks = (n + tile - 1) / tile;
    if (blocks > (size_t)sms * per_sm) blocks = (size_t)sms * per_sm;
    if (blocks <= 1) sum<T, THREADS><<<1, THREADS, 0, stream>>>(d_in, n, d_out);
    else {
        sum<T, THREADS><<<(unsigned)blocks, THREADS, 0, stream>>>(d_in, n, d_sums);
        sum<T, THREADS><<<1, THREADS, 0, stream>>>(d_sums, blocks, d_out);
    }
    return cudaGetLastError();
}
REDUCE_STEP(reduce_student)
