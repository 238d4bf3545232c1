// grade 1 1 exactly 100: *
#include "chapter.h"

enum { BLOCK = 256, PER_THREAD = 8, TILE = PER_THREAD * BLOCK };

template <typename T>
__global__ void tabbed_kernel(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
	__shared__ T partial[BLOCK];
	T sum = 0;
	for (unsigned k = 0; k < PER_THREAD; ++k) {
		const size_t i = (size_t)blockIdx.x * TILE + k * BLOCK + threadIdx.x;
		if (i < n) sum += in[i];
	}
	partial[threadIdx.x] = sum;
	__syncthreads();
	for (unsigned s = BLOCK / 2; s > 0; s /= 2) {
		if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
		__syncthreads();
	}
	if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

#define KERNEL tabbed_kernel
//! with tiles
