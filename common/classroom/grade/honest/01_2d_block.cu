// grade 1 1 exactly 100: *
// A block of 32 x 8 threads, and a 2-D grid.
#include "chapter.h"
template <typename T> __global__ void __launch_bounds__(256, 2) sum2d(const T *in, size_t n, T *sums)
{
    __shared__ T s[8][33]; // 33: no bank conflicts
    const size_t block = (size_t)blockIdx.y * gridDim.x + blockIdx.x;
    T v = 0;
    for (unsigned k = 0; k < 8; k++) {
        size_t i = ((block * 8 + k) * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        if (i < n) v += in[i];
    }
    s[threadIdx.y][threadIdx.x] = v;
    __syncthreads();
    if (threadIdx.y == 0) {
        for (unsigned r = 1; r < 8; r++) v += s[r][threadIdx.x];
        for (unsigned d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
        if (threadIdx.x == 0) sums[block] = v;
    }
}
template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *, cudaStream_t stream)
{
    const dim3 block(32, 8);
    while (n > 2048) {
        const unsigned blocks = (unsigned)((n + 2047) / 2048);
        const dim3 grid(8, (blocks + 7) / 8);
        sum2d<T><<<grid, block, 0, stream>>>(d_in, n, d_sums); // up to seven blocks without numbers store a zero
        d_in = d_sums;
        n = grid.x * grid.y;
        d_sums += n;
    }
    sum2d<T><<<dim3(1, 1), block, 0, stream>>>(d_in, n, d_out);
    return cudaGetLastError();
}
REDUCE_STEP(reduce_student)
