/*
 * api_kernels.cpp - kernels by their address: attributes, occupancy, cudaLaunchKernel.
 *
 * An address alone does not tell the types of a kernel's parameters.  simt_launch.h registers them for each kernel
 * whose address a program takes; only these kernels can be launched by address.
 */
#include <algorithm>
#include <cstring>
#include <cxxabi.h>
#include <memory>
#include "internal.hpp"
#include "simt_launch.h"

namespace simt {

static std::mutex lock;
static std::unordered_map<const void *, size_t> opt_in;         /* kernel -> dynamic shared memory */
static std::unordered_map<const void *, simt_kernel> known;

/* The kernels' __launch_bounds__.  The map is filled before main(), perhaps before this file's variables are
   constructed, so it is a static variable of a function. */
static std::unordered_map<const void *, unsigned> &bounds()
{
    static std::unordered_map<const void *, unsigned> all;
    return all;
}

unsigned most_threads(const void *kernel)
{
    std::lock_guard<std::mutex> hold(lock);
    const auto found = bounds().find(kernel);
    return found == bounds().end() ? (unsigned)MAX_THREADS : std::min<unsigned>(found->second, MAX_THREADS);
}

size_t shared_opt_in(const void *kernel)
{
    size_t most = 0;
    for (auto &asked : opt_in)
        if (asked.first == kernel || !kernel)
            most = std::max(most, asked.second);
    return most;
}

/* Returns "saxpy" for saxpy<float>(int, float*).  The text is never freed. */
static const char *kernel_name(const void *kernel)
{
    static std::unordered_map<const void *, std::string> names;
    std::string &name = names[kernel];
    if (name.empty()) {
        name = symbol_of(kernel);
        int status = 0;
        char *readable = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
        if (readable && status == 0)
            name = readable;
        free(readable);
        if (name.compare(0, 5, "void ") == 0)
            name.erase(0, 5);
        const std::string hidden = "(anonymous namespace)::";
        for (size_t at = name.find(hidden); at != std::string::npos; at = name.find(hidden))
            name.erase(at, hidden.size());
        name.erase(std::min(name.find_first_of("<("), name.size()));
        if (name.empty())
            name = "kernel";
    }
    return name.c_str();
}

bool kernel_known(const void *kernel, simt_kernel *how)
{
    std::lock_guard<std::mutex> hold(lock);
    auto found = known.find(kernel);
    if (found != known.end())
        *how = found->second;
    return found != known.end();
}

/* Launches a kernel and returns the error of this launch.  An earlier error is kept as the last error. */
static cudaError_t run_kernel(const char *name, const void *kernel, dim3 grid, dim3 block, size_t shared,
                              void (*call)(const void *), const void *args, size_t bytes)
{
    const cudaError_t before = last_error;
    set_last_error(cudaSuccess);
    simt_run_grid(name, kernel, grid, block, shared, call, args, bytes);
    const cudaError_t own = cudaPeekAtLastError();
    if (own == cudaSuccess)
        set_last_error(before);
    return own;
}

std::function<cudaError_t()> kernel_work(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                         uint3 cluster, bool cooperative)
{
    std::lock_guard<std::mutex> hold(lock);
    auto found = known.find(kernel);
    if (found == known.end())
        return nullptr;
    const simt_kernel how = found->second;
    const char *name = kernel_name(kernel);
    const std::shared_ptr<void> bundle(how.pack(kernel, args), how.drop);
    return [=] {
        const cluster_scope in(cluster);
        const cooperative_scope together(cooperative);
        return run_kernel(name, kernel, grid, block, shared, how.call, bundle.get(), how.bytes);
    };
}

static simt_resources_t (*resources_of)(const char *symbol);
static std::unordered_map<const void *, simt_resources_t> resources_known;     /* the results of resources_of */

/* The registers and shared memory that nvcc reports for a kernel.  0 registers: unknown; then the shared memory is what
   the kernel's source declares. */
static simt_resources_t resources(const void *kernel)
{
    if (!kernel)
        return {0, 0};
    std::lock_guard<std::mutex> hold(lock);
    const auto found = resources_known.find(kernel);
    if (found != resources_known.end())
        return found->second;
    simt_resources_t r = resources_of ? resources_of(symbol_of(kernel).c_str()) : simt_resources_t{0, 0};
    if (!r.registers)
        r.shared_bytes = (unsigned)static_shared_of(kernel);
    return resources_known[kernel] = r;
}

/* Returns the number of such blocks that a multiprocessor of compute capability 9.0 can hold at once.  Warps, shared
   memory and registers limit it; a warp gets its registers, in units of 256, from a quarter of the register file. */
static int blocks_at_once(const void *kernel, int block_size, size_t dynamic_bytes)
{
    const simt_resources_t r = resources(kernel);
    const int warps = (block_size + WARP - 1) / WARP, of_a_warp = (int)(r.registers + 7) / 8 * 8 * WARP;
    const int by_registers = of_a_warp ? 16384 / of_a_warp * 4 / warps : 64 / warps;
    return std::min({32, 64 / warps, by_registers, (int)((228u << 10) / (dynamic_bytes + r.shared_bytes + 1024))});
}

} // namespace simt

using namespace simt;

void simt_set_resources(simt_resources_t (*of)(const char *symbol))
{
    std::lock_guard<std::mutex> hold(lock);
    resources_of = of;
    resources_known.clear();
}

#define PC ((uintptr_t)__builtin_return_address(0))

int simt_in_bounds(const void *kernel, unsigned threads)
{
    std::lock_guard<std::mutex> hold(lock);
    bounds()[kernel] = threads;
    return 0;
}

/* ---- attributes ---- */

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    if (attr == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || (size_t)value > SHARED_OPT_IN)
            return done(cudaErrorInvalidValue);
        opt_in[func] = (size_t)value;
    }
    if (attr == cudaFuncAttributeNonPortableClusterSizeAllowed)
        allow_large_clusters(func, value != 0);
    return done(cudaSuccess);
}

cudaError_t cudaFuncSetCacheConfig(const void *, enum cudaFuncCache) { return done(cudaSuccess); }
cudaError_t cudaFuncSetSharedMemConfig(const void *, enum cudaSharedMemConfig) { return done(cudaSuccess); }

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *func)
{
    memset(a, 0, sizeof *a);
    a->maxThreadsPerBlock = (int)most_threads(func);
    const simt_resources_t r = resources(func);
    a->numRegs = r.registers ? (int)r.registers : 32; /* unknown: 32 allow 2048 resident threads */
    a->sharedSizeBytes = r.shared_bytes;
    a->ptxVersion = a->binaryVersion = 90;
    a->maxDynamicSharedSizeBytes = (int)std::max(SHARED_DEFAULT, shared_opt_in(func ? func : a));
    a->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    return done(func ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

/* ---- occupancy ---- */

static std::atomic<bool> has_asked;     /* the program has queried the occupancy */

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func, int block_size,
                                                          size_t dynamic_bytes)
{
    RESULT(blocks);
    if (block_size <= 0 || block_size > MAX_THREADS)
        return done(cudaErrorInvalidValue);
    has_asked = true;
    *blocks = blocks_at_once(func, block_size, dynamic_bytes);
    return done(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func, int block_size,
                                                                   size_t dynamic_bytes, unsigned int)
{ return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, func, block_size, dynamic_bytes); }

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *, int blocks, int block_size)
{
    if (blocks <= 0 || block_size <= 0 || block_size > MAX_THREADS)
        return done(cudaErrorInvalidValue);
    *bytes = std::min(SHARED_OPT_IN, (size_t)(228 << 10) / (size_t)blocks - 1024);
    return done(cudaSuccess);
}

/* Finds the largest of the block sizes with the most resident threads. */
cudaError_t simt_best_block(int *min_grid, int *block, size_t (*bytes_of)(const void *, int), const void *data,
                            int limit)
{
    int most = 0;
    has_asked = true;
    limit = limit > 0 ? std::min<int>(limit, MAX_THREADS) : MAX_THREADS;
    for (int size = limit; size > 0; size -= size % WARP ? size % WARP : WARP) {
        const int blocks = blocks_at_once(nullptr, size, bytes_of(data, size));
        if (blocks * size > most) {
            most = blocks * size;
            *block = size;
            *min_grid = blocks * settings.sm_count;
        }
    }
    return done(most ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- launches by address ---- */

void simt_know_kernel(const void *kernel, struct simt_kernel how)
{
    std::lock_guard<std::mutex> hold(lock);
    known.emplace(kernel, how);
}

void simt_run_in(cudaStream_t stream, const char *name, const void *kernel, dim3 grid, dim3 block, size_t shared_bytes,
                 void (*call)(const void *), const void *args, size_t bytes)
{
    if (!is_stream(stream)) {
        complain(PC, std::string("launch of ") + name + " in a stream that does not exist", "was it destroyed before?");
        set_last_error(cudaErrorInvalidResourceHandle);
        return;
    }
    const stream_scope in(stream);
    simt_run_grid(name, kernel, grid, block, shared_bytes, call, args, bytes);
}

/* Returns the number of the block's multiprocessor: blocks are assigned round-robin. */
extern "C" unsigned simt_sm(unsigned *count)
{
    *count = (unsigned)settings.sm_count;
    return current ? (unsigned)(current->block->linear % (uint64_t)settings.sm_count) : 0;
}

int simt_is_captured(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status;
    cudaStreamIsCapturing(stream, &status);
    return status != cudaStreamCaptureStatusNone;
}

void simt_capture_launch(cudaStream_t stream, const char *name, const void *kernel, dim3 grid, dim3 block,
                         size_t shared_bytes, void (*call)(const void *), void *args, size_t bytes,
                         void (*drop)(void *))
{
    const std::shared_ptr<void> bundle(args, drop);
    capture(stream, cudaGraphNodeTypeKernel,
            [=] { return run_kernel(name, kernel, grid, block, shared_bytes, call, bundle.get(), bytes); });
}

static cudaError_t launch_by_address(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                                     cudaStream_t stream, uint3 cluster, bool cooperative, uintptr_t pc)
{
    const auto work = kernel_work(func, grid, block, args, shared, cluster, cooperative);
    if (!work) {
        complain(pc, "cudaLaunchKernel needs a kernel, and this address is not one",
                 "pass the kernel itself, or (void *)kernel in a file that declares the kernel");
        return done(cudaErrorInvalidDeviceFunction);
    }
    if (capture(stream, cudaGraphNodeTypeKernel, work))
        return done(cudaSuccess);
    const stream_scope in(stream);
    return work();
}

/* A cooperative launch may have as many blocks as the GPU can hold at once.  A program that has not queried the
   occupancy has a grid for a real GPU, so the limit is that of an H200, not of the simulator's few multiprocessors. */
static bool too_many_blocks(const void *func, dim3 grid, dim3 block, size_t shared, uintptr_t pc)
{
    const uint64_t threads = (uint64_t)block.x * block.y * block.z, blocks = (uint64_t)grid.x * grid.y * grid.z;
    if (threads == 0 || threads > MAX_THREADS)
        return false;           /* the launch is rejected for another reason */
    const uint64_t most = (uint64_t)blocks_at_once(func, (int)threads, shared) *
                          (uint64_t)(has_asked || settings.sm_count_is_asked_for ? settings.sm_count : 132);
    if (blocks > most)
        complain(pc, format("cooperative launch of %llu blocks: the GPU holds %llu of them at once",
                            (unsigned long long)blocks, (unsigned long long)most),
                 "ask cudaOccupancyMaxActiveBlocksPerMultiprocessor how large the grid may be");
    return blocks > most;
}

cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{ return launch_by_address(func, grid, block, args, shared, stream, {0, 0, 0}, false, PC); }

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                                        cudaStream_t stream)
{
    if (too_many_blocks(func, grid, block, shared, PC))
        return done(cudaErrorCooperativeLaunchTooLarge);
    return launch_by_address(func, grid, block, args, shared, stream, {0, 0, 0}, true, PC);
}

/* Returns the cluster size in the launch's attributes; 0 if they have none. */
static uint3 cluster_asked(const cudaLaunchConfig_t *c)
{
    uint3 size = {0, 0, 0};
    for (unsigned i = 0; i < c->numAttrs; ++i)
        if (c->attrs[i].id == cudaLaunchAttributeClusterDimension)
            size = {c->attrs[i].val.clusterDim.x, c->attrs[i].val.clusterDim.y, c->attrs[i].val.clusterDim.z};
    return size;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *func, void **args)
{
    bool cooperative = false;
    for (unsigned i = 0; i < c->numAttrs; ++i)
        cooperative |= c->attrs[i].id == cudaLaunchAttributeCooperative && c->attrs[i].val.cooperative;
    if (cooperative && too_many_blocks(func, c->gridDim, c->blockDim, c->dynamicSmemBytes, PC))
        return done(cudaErrorCooperativeLaunchTooLarge);
    return launch_by_address(func, c->gridDim, c->blockDim, args, c->dynamicSmemBytes, c->stream, cluster_asked(c),
                             cooperative, PC);
}

/* ---- clusters ---- */

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *func, const cudaLaunchConfig_t *c)
{
    RESULT(clusters);
    const uint3 size = cluster_asked(c);
    const int threads = (int)(c->blockDim.x * c->blockDim.y * c->blockDim.z), of_one = (int)(size.x * size.y * size.z);
    if (threads <= 0 || threads > MAX_THREADS)
        return done(cudaErrorInvalidValue);
    *clusters = blocks_at_once(func, threads, c->dynamicSmemBytes) * settings.sm_count / std::max(1, of_one);
    return done(cudaSuccess);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, const void *func, const cudaLaunchConfig_t *)
{
    RESULT(blocks);
    *blocks = large_clusters(func) ? 16 : 8;
    return done(cudaSuccess);
}
