/*
 * api.cpp - the CUDA runtime calls and the settings.
 */
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unordered_map>
#include "internal.hpp"

namespace simt {

Settings settings;

static cudaError_t last_error = cudaSuccess;
static std::unordered_map<const void *, size_t> opt_in;     /* kernel -> dynamic shared memory */

void set_last_error(cudaError_t e) { last_error = e; }

size_t shared_opt_in(const void *kernel)
{
    size_t most = 0;
    for (auto &asked : opt_in)
        if (asked.first == kernel || !kernel)
            most = std::max(most, asked.second);
    return most;
}

static cudaError_t done(cudaError_t e)
{
    if (sticky_error() != cudaSuccess)
        return sticky_error();
    if (e != cudaSuccess)
        last_error = e;
    return e;
}

static const struct { cudaError_t error; const char *name, *text; } errors[] = {
#define E(e, text) {e, #e, text}
    E(cudaSuccess, "no error"),
    E(cudaErrorInvalidValue, "invalid argument"),
    E(cudaErrorMemoryAllocation, "out of memory"),
    E(cudaErrorInitializationError, "initialization error"),
    E(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    E(cudaErrorInvalidSymbol, "invalid device symbol"),
    E(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    E(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    E(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
    E(cudaErrorInvalidDeviceFunction, "invalid device function"),
    E(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    E(cudaErrorInvalidDevice, "invalid device ordinal"),
    E(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    E(cudaErrorNotReady, "device not ready"),
    E(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    E(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    E(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    E(cudaErrorAssert, "device-side assert triggered"),
    E(cudaErrorHardwareStackError, "hardware stack error"),
    E(cudaErrorMisalignedAddress, "misaligned address"),
    E(cudaErrorLaunchFailure, "unspecified launch failure"),
    E(cudaErrorNotSupported, "operation not supported"),
    E(cudaErrorUnknown, "unknown error"),
#undef E
};

} // namespace simt

using namespace simt;

/* A call that a submission may make leaves its result only in memory of the submission. */
#define RESULT(p)                                                                                  \
    check_result(p, sizeof *(p), *static_cast<const uintptr_t *>(__builtin_frame_address(0)),      \
                 (uintptr_t)__builtin_return_address(0))

/* ---- settings ---- */

void simt_set_counting(int on) { settings.counting = on != 0; }
void simt_set_sample(unsigned k) { settings.sample = std::max(1u, k); }
void simt_set_turns(int on) { settings.turns = on != 0; }
void simt_set_seed(uint64_t seed) { settings.seed = seed; }
void simt_set_workers(int n) { settings.workers = std::max(0, std::min(n, 256)); }
void simt_set_step_limit(uint64_t steps) { settings.step_limit = std::max<uint64_t>(1, steps); }
void simt_set_sm_count(int n) { settings.sm_count = std::max(1, std::min(n, 1024)); }
void simt_set_report_stream(FILE *f) { settings.report = f; }
void simt_set_checks(unsigned mask) { settings.checks = mask; }
void simt_set_trace(int requests) { settings.trace = std::max(0, std::min(requests, 1024)); }

/* ---- device ---- */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    RESULT(device);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) { return done(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); }

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    if (device != 0)
        return done(cudaErrorInvalidDevice);
    memory_init();
    memset(p, 0, sizeof *p);
    strcpy(p->name, "simt");
    p->totalGlobalMem = heap_capacity();
    p->sharedMemPerBlock = SHARED_DEFAULT;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = WARP;
    p->maxThreadsPerBlock = MAX_THREADS;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7fffffff;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->major = 9;
    p->multiProcessorCount = settings.sm_count;
    p->unifiedAddressing = p->canMapHostMemory = 1;
    p->maxThreadsPerMultiProcessor = 2048;
    p->sharedMemPerMultiprocessor = 228 << 10;
    p->sharedMemPerBlockOptin = SHARED_OPT_IN;
    p->maxBlocksPerMultiProcessor = 32;
    p->reservedSharedMemPerBlock = 1024;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    RESULT(value);
    struct cudaDeviceProp p;
    if (attr == cudaDevAttrMultiProcessorCount)
        way_card_asked();
    if (cudaGetDeviceProperties(&p, device) != cudaSuccess)
        return done(cudaErrorInvalidDevice);
    switch (attr) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = (int)p.sharedMemPerBlock; break;
    case cudaDevAttrWarpSize: *value = p.warpSize; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = (int)p.sharedMemPerMultiprocessor; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = (int)p.sharedMemPerBlockOptin; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
    /* Clocks, caches, buses: there are none.  A submission is told an H200's, or it would know where it runs. */
    case cudaDevAttrGlobalMemoryBusWidth: *value = confined ? 6144 : 0; break;
    case cudaDevAttrL2CacheSize: *value = confined ? 60 << 20 : 0; break;
    case cudaDevAttrClockRate: *value = confined ? 1980000 : 0; break;
    case cudaDevAttrMemoryClockRate: *value = confined ? 3201000 : 0; break;
    default: *value = confined ? 1 : 0; break;
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) { return done(cudaSuccess); }

cudaError_t cudaDeviceReset(void)
{
    heap_reset();
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

/* ---- errors ---- */

cudaError_t cudaPeekAtLastError(void) { return sticky_error() != cudaSuccess ? sticky_error() : last_error; }

cudaError_t cudaGetLastError(void)
{
    cudaError_t e = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return e;
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (const auto &e : errors)
        if (e.error == error)
            return e.name;
    return "cudaErrorUnknown";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (const auto &e : errors)
        if (e.error == error)
            return e.text;
    return "unrecognized error code";
}

/* ---- memory ---- */

cudaError_t cudaMalloc(void **ptr, size_t bytes)
{
    memory_init();
    catch_signals();
    if (!ptr)
        return done(cudaErrorInvalidValue);
    *ptr = nullptr;
    if (sticky_error() != cudaSuccess || bytes == 0)
        return done(cudaSuccess);
    *ptr = heap_allocate(bytes);
    return done(*ptr ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaFree(void *ptr) { return done(!ptr || heap_free(ptr) ? cudaSuccess : cudaErrorInvalidValue); }
cudaError_t cudaMallocAsync(void **ptr, size_t bytes, cudaStream_t) { return cudaMalloc(ptr, bytes); }
cudaError_t cudaFreeAsync(void *ptr, cudaStream_t) { return cudaFree(ptr); }

cudaError_t cudaMallocHost(void **ptr, size_t bytes)
{
    size_t room = (bytes + 4095) & ~(size_t)4095;
    *ptr = room ? aligned_alloc(4096, room) : nullptr;
    if (!*ptr && bytes)
        return done(cudaErrorMemoryAllocation);
    if (*ptr)
        add_pinned(*ptr, bytes);
    return done(cudaSuccess);
}

cudaError_t cudaHostAlloc(void **ptr, size_t bytes, unsigned int) { return cudaMallocHost(ptr, bytes); }

cudaError_t cudaFreeHost(void *ptr)
{
    if (ptr && !remove_pinned(ptr))
        return done(cudaErrorInvalidValue);
    free(ptr);
    return done(cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    memory_init();
    *total_bytes = heap_capacity();
    *free_bytes = *total_bytes - std::min(*total_bytes, heap_in_use());
    return done(cudaSuccess);
}

enum Side { HOST, DEVICE, EITHER };

/* A device range lies in one live buffer; what lies in none is the host's. */
static bool range_ok(const void *p, size_t bytes, Side side)
{
    if (heap.contains((uintptr_t)p))
        return side != HOST && heap_covers(p, bytes);
    return p && side != DEVICE;
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    memory_init();
    if (sticky_error() != cudaSuccess || bytes == 0)
        return done(cudaSuccess);
    if ((unsigned)kind > cudaMemcpyDefault)
        return done(cudaErrorInvalidMemcpyDirection);
    static const Side to[] = {HOST, DEVICE, HOST, DEVICE, EITHER}, from[] = {HOST, HOST, DEVICE, DEVICE, EITHER};
    if (!range_ok(dst, bytes, to[kind]) || !range_ok(src, bytes, from[kind]))
        return done(cudaErrorInvalidValue);
    copy_window open(dst, bytes, src, bytes);
    memmove(dst, src, bytes);
    copy_initialised(dst, src, bytes);
    return done(cudaSuccess);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t)
{
    return cudaMemcpy(dst, src, bytes, kind);
}

cudaError_t cudaMemset(void *ptr, int value, size_t bytes)
{
    memory_init();
    if (sticky_error() != cudaSuccess || bytes == 0)
        return done(cudaSuccess);
    if (!range_ok(ptr, bytes, DEVICE))
        return done(cudaErrorInvalidValue);
    copy_window open(ptr, bytes);
    memset(ptr, value, bytes);
    mark_initialised(ptr, bytes);
    way_memset(bytes);
    return done(cudaSuccess);
}

cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes, cudaStream_t) { return cudaMemset(ptr, value, bytes); }

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset, enum cudaMemcpyKind)
{
    copy_window open(src, bytes);
    if (sticky_error() == cudaSuccess)
        memmove((char *)symbol + offset, src, bytes);
    return done(cudaSuccess);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind)
{
    copy_window open(dst, bytes);
    if (sticky_error() == cudaSuccess)
        memmove(dst, (const char *)symbol + offset, bytes);
    return done(cudaSuccess);
}

/* ---- streams and events ---- */

struct simt_stream { int unused; };
struct simt_event { int unused; };

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    *stream = new simt_stream();
    return done(cudaSuccess);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete stream;
    return done(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = new simt_event();
    return done(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return done(cudaSuccess);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int) { return cudaStreamCreate(stream); }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return done(cudaSuccess); }
cudaError_t cudaStreamQuery(cudaStream_t) { return done(cudaSuccess); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int) { return done(cudaSuccess); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int) { return cudaEventCreate(event); }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return done(cudaSuccess); }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return done(cudaSuccess); }
cudaError_t cudaEventQuery(cudaEvent_t) { return done(cudaSuccess); }

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t)
{
    *ms = 0;
    return cudaErrorNotSupported;   /* not kept as the last error: nothing has gone wrong */
}

/* ---- kernels ---- */

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    if (attr == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || (size_t)value > SHARED_OPT_IN)
            return done(cudaErrorInvalidValue);
        opt_in[func] = (size_t)value;
    }
    return done(cudaSuccess);
}

cudaError_t cudaFuncSetCacheConfig(const void *, enum cudaFuncCache) { return done(cudaSuccess); }

/* Registers and static shared memory are not known here: threads and dynamic memory decide. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int block_size,
                                                          size_t dynamic_bytes)
{
    RESULT(blocks);
    if (block_size <= 0 || block_size > MAX_THREADS)
        return done(cudaErrorInvalidValue);
    int warps = (block_size + WARP - 1) / WARP;
    int n = std::min(32, 64 / warps);
    *blocks = std::min(n, (int)((228u << 10) / (dynamic_bytes + 1024)));
    return done(cudaSuccess);
}
