/*
 * memcpy v2 - through shared memory
 *
 * From    v1
 * Was     v1 copies from memory to memory through a register.
 * Idea    Shared memory is the fast memory of a block: copy the units there first, wait at
 *         a barrier, and store them from there.
 * Moves   Same as v1, and every unit once into shared memory and once out.
 * Expect  No gain: a register is nearer than shared memory, and the requests to global memory do
 *         not change.  At best v1's time, with a barrier and two more requests added.
 * Still   What limits v1: the few bytes of a request.  (-> v3)
 * Needs   As v1.
 * Launch  As v1, BLOCK units of shared memory.
 * Source  Article S5 in docs/sources.md.
 */
#include "chapter.h"

enum { BLOCK = 1024 };

template <typename unit_t>
__global__ void __launch_bounds__(BLOCK)
    memcpy_v2_kernel(unit_t *__restrict__ to, const unit_t *__restrict__ from, size_t bytes)
{
    __shared__ unit_t staged[BLOCK];
    const size_t units = bytes / sizeof(unit_t), tail = units * sizeof(unit_t);
    const size_t thread = (size_t)blockIdx.x * BLOCK + threadIdx.x;

    // All threads of a block iterate equally often because each iteration has a barrier.
#pragma unroll 1
    for (size_t i = thread; i - threadIdx.x < units; i += (size_t)gridDim.x * BLOCK) {
        if (i < units) staged[threadIdx.x] = from[i];
        __syncthreads();
        if (i < units) to[i] = staged[threadIdx.x];
    }

    // Copy the remaining bytes, fewer than a unit.
    if (tail + thread < bytes) ((unsigned char *)to)[tail + thread] = ((const unsigned char *)from)[tail + thread];
}

template <typename unit_t>
static cudaError_t memcpy_v2_launch(unit_t *d_to, const unit_t *d_from, size_t bytes, cudaStream_t stream)
{
    const size_t blocks = bytes / sizeof(unit_t) / BLOCK + 1, most = 1u << 30;
    memcpy_v2_kernel<unit_t><<<(unsigned)(blocks < most ? blocks : most), BLOCK, 0, stream>>>(d_to, d_from, bytes);
    return cudaGetLastError();
}

MEMCPY_STEP(memcpy_v2, unit_bytes)
