// grade 1 1 exactly 90: *
// Sums floats in double.  The tree needs twice the shared memory, which costs the points for it.
#include "chapter.h"
const int kBlock = 128;
template <typename T> __global__ void Sum(const T *in, size_t n, T *sums) {
  __shared__ double tree[kBlock];
  double mine = 0;
  for (int k = 0; k < 2; ++k) {
    const size_t i = (blockIdx.x * 2ull + k) * kBlock + threadIdx.x;
    if (i < n) mine += in[i];
  }
  tree[threadIdx.x] = mine;
  __syncthreads();
  for (int d = kBlock / 2; d > 0; d /= 2) {
    if (static_cast<int>(threadIdx.x) < d) tree[threadIdx.x] += tree[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = static_cast<T>(tree[0]);
}
template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *, cudaStream_t stream) {
  while (n > 256) {
    const unsigned blocks = static_cast<unsigned>((n + 255) / 256);
    Sum<T><<<blocks, kBlock, 0, stream>>>(d_in, n, d_sums);
    d_in = d_sums;
    d_sums += blocks;
    n = blocks;
  }
  Sum<T><<<1, kBlock, 0, stream>>>(d_in, n, d_out);
  return cudaGetLastError();
}
REDUCE_STEP(reduce_student)
