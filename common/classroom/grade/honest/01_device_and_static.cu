// grade 1 1 exactly 100: *
#include "chapter.h"
static __device__ unsigned blocks_done;
static int launches;
enum { BLOCK = 256, PER = 2048 };
template <typename T> __global__ void partial(const T *in, size_t n, T *out)
{
    __shared__ T p[BLOCK];
    T s = 0;
    for (unsigned k = 0; k < 8; ++k) {
        const size_t i = (size_t)blockIdx.x * PER + k * BLOCK + threadIdx.x;
        if (i < n) s += (in[i]);
    }
    p[threadIdx.x] = s;
    __syncthreads();
    for (unsigned w = BLOCK / 2; w > 0; w /= 2) {
        if (threadIdx.x < w) p[threadIdx.x] += p[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = p[0], atomicAdd(&blocks_done, 1u);
}
template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *sums, unsigned long long *, cudaStream_t stream)
{
    for (;;) {
        const size_t b = n > PER ? (n + PER - 1) / PER : 1;
        T *o = b > 1 ? sums : d_out;
        partial<T><<<(unsigned)b, BLOCK, 0, stream>>>(d_in, n, o);
        if (++launches > 1000) printf("many\n");
        if (b == 1) return cudaGetLastError();
        d_in = sums, n = b, sums += b;
    }
}
REDUCE_STEP(reduce_student)
