/*
 * memcpy v12 - several chunks in flight
 *
 * From    v11
 * Was     A block of v11 has one tile: while it is stored nothing is loaded, and vice versa.
 * Idea    STAGES chunks of shared memory take turns: while one is stored, the loads of the next are in flight.  A
 *         chunk is filled again once the engine has read it.
 * Moves   Same as v1, through shared memory.
 * Expect  v9's speed with a handful of instructions instead of millions: no gain where memory is the
 *         limit, and a loss for small copies, which store nothing until a whole chunk has arrived.
 * Still   The grid: small and large copies need different numbers of blocks and threads.  (-> v13)
 * Needs   sm_90; source and target aligned alike, to 16 bytes after a head: other pairs go to v9.
 * Launch  grid = enough chunks, at most BLOCKS_PER_SM * SMs; block = one warp.
 * Source  PTX ISA, cp.async.bulk and mbarrier; CUDA C++ Programming Guide, asynchronous data copies.
 */
#include "chapter.h"

enum { WIDTH = 16, BLOCK = 32, CHUNK_BYTES = 8192, STAGES = 5, BLOCKS_PER_SM = 5 };

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

// Waits until all but the last NEWER stores have read their shared memory, which may then be overwritten.
template <int NEWER>
static __device__ void wait_for_stores()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(NEWER) : "memory");
}
#endif

__global__ void __launch_bounds__(BLOCK)
    memcpy_v12_kernel(unsigned char *__restrict__ to, const unsigned char *__restrict__ from, size_t bytes, size_t head)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __shared__ alignas(128) unsigned char chunk[STAGES][CHUNK_BYTES];
    __shared__ unsigned long long arrived[STAGES];
    const size_t end = head + (bytes - head) / WIDTH * WIDTH;            // of the whole vectors
    const size_t first = head + (size_t)blockIdx.x * CHUNK_BYTES;        // this block's first chunk
    const size_t stride = (size_t)gridDim.x * CHUNK_BYTES;               // distance between its chunks
    const auto size = [end](size_t at) { return (unsigned)(end - at < CHUNK_BYTES ? end - at : CHUNK_BYTES); };

    if (threadIdx.x == 0) {
        for (unsigned s = 0; s < STAGES; ++s) barrier_init(&arrived[s]);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // the engine sees the barriers

        // `load` runs STAGES - 1 chunks ahead of `at`, so that a stage has time to empty before it is filled again.
        size_t load = first;
        for (unsigned s = 0; s < STAGES - 1 && load < end; ++s, load += stride)
            bulk_load(chunk[s], from + load, size(load), &arrived[s]);
        unsigned stage = 0, parity = 0;
        for (size_t at = first; at < end; at += stride) {
            wait_for_phase(&arrived[stage], parity);
            bulk_store(to + at, chunk[stage], size(at));
            if (load < end) {
                const unsigned free_stage = stage == 0 ? STAGES - 1 : stage - 1;
                wait_for_stores<1>(); // all but the one just started
                bulk_load(chunk[free_stage], from + load, size(load), &arrived[free_stage]);
                load += stride;
            }
            if (++stage == STAGES) stage = 0, parity ^= 1;
        }
        wait_for_stores<0>(); // the block's end frees its shared memory
    }

    // Copy the bytes before and after the vectors, fewer than a vector each.
    if (blockIdx.x == 0 && threadIdx.x < head) to[threadIdx.x] = from[threadIdx.x];
    if (blockIdx.x == 0 && end + threadIdx.x < bytes) to[end + threadIdx.x] = from[end + threadIdx.x];
#else
    (void)to, (void)from, (void)bytes, (void)head; // no such engine before sm_90
#endif
}

static cudaError_t memcpy_v12_launch(unsigned char *d_to, const unsigned char *d_from, size_t bytes,
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

    size_t head = (WIDTH - (size_t)d_to % WIDTH) % WIDTH;
    if (head > bytes) head = bytes;
    const size_t chunks = (bytes - head + CHUNK_BYTES - 1) / CHUNK_BYTES, most = (size_t)sms * BLOCKS_PER_SM;
    const unsigned blocks = (unsigned)(chunks < 1 ? 1 : chunks < most ? chunks : most);
    memcpy_v12_kernel<<<blocks, BLOCK, 0, stream>>>(d_to, d_from, bytes, head);
    return cudaGetLastError();
}

MEMCPY_BYTES_STEP(memcpy_v12)
