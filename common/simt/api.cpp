/*
 * api.cpp - the CUDA runtime calls and the settings.
 */
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <unordered_map>
#include "internal.hpp"

namespace simt {

Settings settings;

cudaError_t last_error = cudaSuccess;
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

cudaError_t done(cudaError_t e)
{
    if (sticky_error() != cudaSuccess)
        return sticky_error();
    if (e != cudaSuccess)
        last_error = e;
    return e;
}

} // namespace simt

using namespace simt;

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
void simt_set_program(int on) { settings.program = on != 0; }
void simt_set_trace(int requests) { settings.trace = std::max(0, std::min(requests, 1024)); }

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
struct simt_event {
    unsigned flags;
    bool recorded;
    timespec at;
};

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

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    *event = new simt_event();
    (*event)->flags = flags;
    return done(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
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

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
    if (!event)
        return done(cudaErrorInvalidResourceHandle);
    clock_gettime(CLOCK_MONOTONIC, &event->at);
    event->recorded = true;
    return done(cudaSuccess);
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return done(cudaSuccess); }
cudaError_t cudaEventQuery(cudaEvent_t) { return done(cudaSuccess); }

/* What a program's events measure: the time of the CPU, said once to be no card's. */
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t stop)
{
    *ms = 0;
    if (!settings.program)
        return cudaErrorNotSupported;   /* not kept as the last error: nothing has gone wrong */
    if (!start || !stop || !start->recorded || !stop->recorded || (start->flags | stop->flags) & cudaEventDisableTiming)
        return done(cudaErrorInvalidResourceHandle);
    static bool said;
    if (!said)
        fprintf(stderr, "simt: cudaEventElapsedTime gives the time of this CPU, which says nothing of a card's\n");
    said = true;
    *ms = (float)((double)(stop->at.tv_sec - start->at.tv_sec) * 1e3 +
                  (double)(stop->at.tv_nsec - start->at.tv_nsec) * 1e-6);
    return done(cudaSuccess);
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
