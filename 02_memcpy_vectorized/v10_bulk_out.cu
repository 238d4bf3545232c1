/*
 * memcpy v10 - stores by the bulk copy engine
 *
 * From    v8
 * Was     In v8 every byte passes through a register of a thread: a load and a store for each vector.
 * Idea    Each SM has a copy engine.  The threads copy a tile into shared memory and wait at a barrier; then one
 *         of them starts the engine, which stores these kilobytes.  No thread stores to global memory.
 * Moves   Same as v1, through shared memory.
 * Expect  It saves the stores and adds two barriers per tile: a loss.  A block loads, waits at a barrier, waits
 *         until the engine has read the tile, and only then loads again.
 * Still   Threads load the tile: loads, addresses, and a barrier of 256 threads for 8 KiB.  (-> v11)
 * Needs   sm_90; source and target aligned alike: pairs that differ modulo 16 go to v9.
 * Launch  grid = enough tiles, at most BLOCKS_PER_SM * SMs; block = BLOCK, a tile of shared memory.
 * Source  PTX ISA, cp.async.bulk; CUDA C++ Programming Guide, asynchronous data copies.
 */
#include "chapter.h"

enum { WIDTH = 16, SECTOR = 32, BLOCK = 256, IN_FLIGHT = 2, TILE = BLOCK * IN_FLIGHT, BLOCKS_PER_SM = 8 };

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
static __device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// Starts a copy from shared to global memory as one group, so that wait_for_stores() can wait for it.
static __device__ void bulk_store(void *global, const void *shared, unsigned bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(global)),
                 "r"(shared_address(shared)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Waits until all started stores have read their shared memory, which may then be overwritten.
static __device__ void wait_for_stores()
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
#endif

__global__ void __launch_bounds__(BLOCK)
    memcpy_v10_kernel(unsigned char *__restrict__ to, const unsigned char *__restrict__ from, size_t bytes, size_t head)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __shared__ alignas(128) uint4 chunk[TILE];
    const size_t units = (bytes - head) / WIDTH, tail = head + units * WIDTH;
    const size_t thread = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    uint4 *to16 = (uint4 *)(to + head);
    const uint4 *from16 = (const uint4 *)(from + head);

#pragma unroll 1
    for (size_t tile = (size_t)blockIdx.x * TILE; tile < units; tile += (size_t)gridDim.x * TILE) {
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            const size_t i = tile + j * BLOCK + threadIdx.x;
            if (i < units) chunk[i - tile] = __ldcs(&from16[i]);
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // the engine sees what this thread wrote
        __syncthreads();
        if (threadIdx.x == 0) {
            bulk_store(&to16[tile], chunk, (unsigned)(units - tile < TILE ? units - tile : TILE) * WIDTH);
            wait_for_stores();
        }
        __syncthreads(); // the next tile overwrites the same buffer
    }

    // Copy the bytes before the vectors (fewer than 32) and after them (fewer than 16).
    if (thread < head) to[thread] = from[thread];
    if (tail + thread < bytes) to[tail + thread] = from[tail + thread];
#else
    (void)to, (void)from, (void)bytes, (void)head; // no such engine before sm_90
#endif
}

static cudaError_t memcpy_v10_launch(unsigned char *d_to, const unsigned char *d_from, size_t bytes,
                                     cudaStream_t stream)
{
    int gpu = 0, sms = 1, major = 0;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, gpu);
#ifdef __SIMT__
    major = 0; // the course does not simulate the engine
#endif
    if (major < 9) return cudaErrorNotSupported;
    if (((size_t)d_to - (size_t)d_from) % WIDTH) return memcpy_v9(d_to, d_from, bytes, 1, stream);

    size_t head = (SECTOR - (size_t)d_to % SECTOR) % SECTOR; // bytes before the target's first sector
    if (head > bytes) head = bytes;
    const size_t tiles = ((bytes - head) / WIDTH + TILE - 1) / TILE, most = (size_t)sms * BLOCKS_PER_SM;
    const unsigned blocks = (unsigned)(tiles < 1 ? 1 : tiles < most ? tiles : most);
    memcpy_v10_kernel<<<blocks, BLOCK, 0, stream>>>(d_to, d_from, bytes, head);
    return cudaGetLastError();
}

MEMCPY_BYTES_STEP(memcpy_v10)
