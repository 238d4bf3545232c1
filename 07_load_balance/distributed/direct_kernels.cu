/* direct_kernels.cu - see direct_kernels.h */
#include <cuda_runtime.h>

#include "direct_kernels.h"

enum { BLOCK = 256 };

// The epoch that this block is in.  None of the same kernel begins the next before all are done (close_epoch).
static __device__ uint32_t open_epoch(const uint32_t *over)
{
    return 1 + *over;
}

// The last block to be done, whichever it is, counts the epoch.
static __device__ void close_epoch(uint32_t *over, uint32_t *done, uint32_t epoch)
{
    memory_meet(false);
    if (threadIdx.x) return;
    __threadfence();
    if (atomicAdd(done, 1u) + 1 < gridDim.x) return;
    __threadfence();
    *done = 0;
    *over = epoch;
}

// Pieces are dealt by blockIdx: no block waits for another of this card, so any order will do.
__global__ void __launch_bounds__(BLOCK) direct_put_kernel(protocol_t p, const void *x, direct_count_t *count)
{
    const uint32_t epoch = open_epoch(&count->put);
    protocol_put(&p, x, epoch, (int)blockIdx.x, (int)threadIdx.x, BLOCK);
    close_epoch(&count->put, &count->put_done, epoch);
}

__global__ void __launch_bounds__(BLOCK) direct_take_kernel(protocol_t p, direct_count_t *count, int *waited_for)
{
    const uint32_t epoch = open_epoch(&count->take);
    if (*(volatile int *)&count->lost) p.limit = 0;
    const int who = protocol_take(&p, epoch, (int)blockIdx.x, (int)threadIdx.x, BLOCK);
    if (who) {
        atomicExch(&count->lost, who);
        atomicExch_system(waited_for, who);
    }
    close_epoch(&count->take, &count->take_done, epoch);
}

cudaError_t direct_put(const protocol_t *p, const void *x, direct_count_t *count, cudaStream_t stream)
{
    direct_put_kernel<<<(unsigned)p->pieces, BLOCK, 0, stream>>>(*p, x, count);
    return cudaGetLastError();
}

cudaError_t direct_take(const protocol_t *p, direct_count_t *count, int *waited_for, cudaStream_t stream)
{
    direct_take_kernel<<<(unsigned)p->pieces, BLOCK, 0, stream>>>(*p, count, waited_for);
    return cudaGetLastError();
}
