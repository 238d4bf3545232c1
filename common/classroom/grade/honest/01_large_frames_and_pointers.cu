// grade 1 1 exactly 100: *
// Large and aligned local arrays, a struct as return value, recursion, a switch, function pointers.
#include "chapter.h"
enum { BLOCK = 256, PER = 8, TILE = BLOCK * PER };

struct alignas(32) four { double v[4]; };
struct seven { long v[7]; };

template <typename T> __device__ __attribute__((noinline)) T add(T a, T b) { return a + b; }
template <typename T> __device__ __attribute__((noinline)) T keep(T a, T) { return a; }
__device__ __attribute__((noinline)) seven count_up(int from)
{
    seven s;
    for (int i = 0; i < 7; ++i) s.v[(i + from) % 7] = i;
    return s;
}
__device__ __attribute__((noinline)) int depth(int k) { return k > 0 ? 1 + depth(k - 1) : 0; }
__device__ __attribute__((noinline)) unsigned picked(unsigned k)
{
    switch (k % 9) {
    case 0: return 8;
    case 1: return 6;
    case 2: return 7;
    case 3: return 5;
    case 4: return 3;
    case 5: return 0;
    case 6: return 9;
    default: return k;
    }
}

template <typename T> __global__ void partial(const T *in, size_t n, T *out)
{
    __shared__ T p[BLOCK];
    T (*const operation[2])(T, T) = {keep<T>, add<T>};
    float large[3000]; // more than two pages
    four aligned = {};
    const seven s = count_up((int)(threadIdx.x % 7));
    long double wide = 1;
    for (unsigned k = 0; k < 3000; k += 250) large[(k + picked(threadIdx.x)) % 3000] = (float)k;
    for (int i = 0; i < 7; ++i) wide *= (long double)(s.v[i] >= 0);
    T sum = 0;
    for (unsigned k = 0; k < PER; ++k) {
        const size_t i = (size_t)blockIdx.x * TILE + k * BLOCK + threadIdx.x;
        T v = i < n ? in[i] : T(0);
        aligned.v[(k + threadIdx.x) % 4] += (double)v;
        sum = operation[depth((int)k) == (int)k](sum, v);
    }
    if (large[picked(threadIdx.x)] < 0 || wide != 1 || aligned.v[threadIdx.x % 4] != aligned.v[threadIdx.x % 4]) sum += 0;
    p[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned w = BLOCK / 2; w > 0; w /= 2) {
        if (threadIdx.x < w) p[threadIdx.x] += p[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = p[0];
}

template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *sums, unsigned long long *, cudaStream_t stream)
{
    for (;;) {
        const size_t blocks = n > TILE ? (n + TILE - 1) / TILE : 1;
        T *o = blocks > 1 ? sums : d_out;
        partial<T><<<(unsigned)blocks, BLOCK, 0, stream>>>(d_in, n, o);
        if (blocks == 1) return cudaGetLastError();
        d_in = sums, n = blocks, sums += blocks;
    }
}
REDUCE_STEP(reduce_student)
