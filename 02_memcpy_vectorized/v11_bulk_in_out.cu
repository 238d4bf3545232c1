/*
 * memcpy v11 - loads and stores by the bulk copy engine
 *
 * From    v10
 * Was     In v10 all threads of a block load a tile and wait at a barrier before the engine may store it.
 * Idea    The engine also loads the tile.  One thread requests it and waits at a barrier in shared memory that
 *         counts the bytes as they arrive (an mbarrier); the other threads are idle.
 * Moves   Same as v10.
 * Expect  A handful of instructions for 8 KiB, and blocks of one warp.  Faster than v10: 24 tiles per SM are in
 *         flight, and there is no barrier of threads.
 * Still   A block either loads a tile or stores it: it gives the engine one task at a time.  (-> v12)
 * Needs   sm_90; source and target aligned alike: pairs that differ modulo 16 go to v9.
 * Launch  grid = enough tiles, at most BLOCKS_PER_SM * SMs (what shared memory holds); block = one warp.
 * Source  PTX ISA, cp.async.bulk and mbarrier; CUDA C++ Programming Guide, asynchronous data copies.
 */
#include "chapter.h"

enum { WIDTH = 16, SECTOR = 32, BLOCK = 32, TILE = 512, BLOCKS_PER_SM = 24 };

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
static __device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

static __device__ void barrier_init(unsigned long long *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
}

// Starts a copy from global to shared memory; the barrier's phase ends when all bytes have arrived.
static __device__ void bulk_load(void *shared, const void *global, unsigned bytes, unsigned long long *barrier)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(shared)),
                 "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}

static __device__ void wait_for_phase(unsigned long long *barrier, unsigned parity)
{
    unsigned done;
    do
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
    while (!done);
}

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
    memcpy_v11_kernel(unsigned char *__restrict__ to, const unsigned char *__restrict__ from, size_t bytes, size_t head)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __shared__ alignas(128) uint4 chunk[TILE];
    __shared__ unsigned long long arrived;
    const size_t units = (bytes - head) / WIDTH, tail = head + units * WIDTH;
    const size_t thread = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    uint4 *to16 = (uint4 *)(to + head);
    const uint4 *from16 = (const uint4 *)(from + head);

    if (threadIdx.x == 0) {
        barrier_init(&arrived);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // the engine sees the barrier
        unsigned parity = 0;
        for (size_t tile = (size_t)blockIdx.x * TILE; tile < units; tile += (size_t)gridDim.x * TILE) {
            const unsigned size = (unsigned)(units - tile < TILE ? units - tile : TILE) * WIDTH;
            bulk_load(chunk, &from16[tile], size, &arrived);
            wait_for_phase(&arrived, parity);
            bulk_store(&to16[tile], chunk, size);
            wait_for_stores(); // the next tile overwrites the same buffer
            parity ^= 1;
        }
    }

    // Copy the bytes before the vectors (fewer than 32) and after them (fewer than 16).
    if (thread < head) to[thread] = from[thread];
    if (tail + thread < bytes) to[tail + thread] = from[tail + thread];
#else
    (void)to, (void)from, (void)bytes, (void)head; // no such engine before sm_90
#endif
}

static cudaError_t memcpy_v11_launch(unsigned char *d_to, const unsigned char *d_from, size_t bytes,
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
    memcpy_v11_kernel<<<blocks, BLOCK, 0, stream>>>(d_to, d_from, bytes, head);
    return cudaGetLastError();
}

MEMCPY_BYTES_STEP(memcpy_v11)
