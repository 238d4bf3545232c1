/*
 * api_memory.cpp - allocations of plain memory: device, pinned, managed, pitched; pools.
 *
 * The host may touch managed and pinned memory at any time (guard.cpp reports a missing synchronization).  Prefetches
 * and advice are accepted and change nothing.
 */
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include "streams.hpp"

namespace simt {

/* Returns whether the address is in a device variable, as cudaGetSymbolAddress returns it. */
static bool is_symbol(uintptr_t a)
{ return program.contains(a) || managed.contains(a) || is_constant(a) || module_region(a); }

/* Returns whether a range of host memory is within its buffer.  Only buffers that the program has allocated are
   known. */
static bool host_ok(const void *p, size_t bytes)
{
    uintptr_t base;
    size_t size;
    return !host_buffer_from(p, &base, &size) || bytes <= size - ((uintptr_t)p - base);
}

/* Returns whether a range is valid: a device range must be in one live buffer; other addresses are host memory. */
bool range_ok(const void *p, size_t bytes, Side side)
{
    const uintptr_t a = (uintptr_t)p;
    if (heap.contains(a))
        return (side != HOST || is_managed(a)) && heap_covers(p, bytes);
    if (side == DEVICE)
        return is_symbol(a) || is_pinned(a);
    return p && (side == EITHER || !is_symbol(a) || managed.contains(a)) && (is_symbol(a) || host_ok(p, bytes));
}

void complain(uintptr_t pc, const std::string &what, const std::string &hint)
{
    pass_host(ERROR, pc, what, hint);
}

/* Describes `bytes` bytes at p for a report: "buffer 3, which has 40 bytes", "host memory". */
std::string place_words(const void *p, size_t bytes)
{
    Allocation al;
    uintptr_t base;
    size_t size;
    if (!p)
        return "a null pointer";
    if (is_symbol((uintptr_t)p))
        return "a variable of the GPU";
    if (!heap.contains((uintptr_t)p) && (host_ok(p, bytes) || !host_buffer_from(p, &base, &size)))
        return "host memory";
    if (!heap.contains((uintptr_t)p))
        return format("a buffer of the host, which has %zu bytes%s", size,
                      (uintptr_t)p == base ? "" : format(", from byte %zu on", (size_t)((uintptr_t)p - base)).c_str());
    if (!heap_find((uintptr_t)p, &al))
        return "no buffer";
    if (!al.live)
        return al.name + ", on which cudaFree has been called";
    const size_t offset = (uintptr_t)p - al.base;
    if (bytes == 0 && offset > 0)
        return format("byte %zu of %s", offset, al.name.c_str());
    if (offset > al.size || bytes > al.size - offset)
        return format("%s, which has %zu bytes%s", al.name.c_str(), al.size,
                      offset ? format(", from byte %zu on", offset).c_str() : "");
    return al.name;
}

/* unsafe: the call is not allowed while a stream is captured. */
static cudaError_t allocate(void **ptr, size_t bytes, MemoryKind kind, uintptr_t pc, bool unsafe = true)
{
    memory_init();
    catch_signals();
    if (!ptr)
        return done(cudaErrorInvalidValue);
    *ptr = nullptr;
    if (const cudaError_t e = unsafe ? disturbs_captures(UNSAFE) : cudaSuccess)
        return e;
    if (sticky_error() != cudaSuccess || bytes == 0)
        return done(kind == MANAGED_MEMORY && bytes == 0 ? cudaErrorInvalidValue : cudaSuccess);
    *ptr = heap_allocate(bytes, kind, pc);
    return done(*ptr ? cudaSuccess : cudaErrorMemoryAllocation);
}

} // namespace simt

using namespace simt;

#define PC (asked_at ? asked_at : (uintptr_t)__builtin_return_address(0))

/* ---- allocations ---- */

/* In a kernel cudaMalloc allocates from the kernels' heap, as malloc does, and cudaFree frees it. */
cudaError_t cudaMalloc(void **ptr, size_t bytes)
{
    if (!current)
        return allocate(ptr, bytes, DEVICE_MEMORY, PC);
    *ptr = device_malloc(bytes, PC);
    return *ptr || !bytes ? cudaSuccess : done(cudaErrorMemoryAllocation);
}

cudaError_t cudaMallocManaged(void **ptr, size_t bytes, unsigned int flags)
{
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        return done(cudaErrorInvalidValue);
    return allocate(ptr, bytes, MANAGED_MEMORY, PC);
}

cudaError_t cudaFree(void *ptr)
{
    if (current) {
        device_free(ptr, PC);
        return cudaSuccess;
    }
    if (const cudaError_t e = disturbs_captures(UNSAFE))
        return e;
    order_host_waits();
    cudaError_t of_graph;
    if (graph_memory_ends(ptr, &of_graph))
        return done(of_graph);
    if (!ptr || ((uintptr_t)ptr < pinned_base && heap_free(ptr)))
        return done(cudaSuccess);
    complain(PC, "cudaFree of " + (is_pinned((uintptr_t)ptr) ? "pinned memory: " : std::string()) + place_words(ptr, 0),
             "free each buffer of cudaMalloc's once, by its first byte; cudaFreeHost frees pinned memory");
    return done(cudaErrorInvalidValue);
}

cudaError_t cudaMallocAsync(void **ptr, size_t bytes, cudaStream_t stream)
{
    if (!stream_capture(stream)) {
        const cudaError_t e = allocate(ptr, bytes, DEVICE_MEMORY, PC, false);
        if (e != cudaSuccess || !*ptr)
            return e;
        /* The buffer exists only for later work in this stream; a use in another stream is a race.  Only the first page
           is marked for this: most uses access it, and marking all pages would take as long as writing them. */
        const stream_scope in(stream);
        order_copy({(char *)*ptr, 0, nullptr, 0, std::min<size_t>(bytes, 4096), 1, false, ALLOCATES}, PC);
        return e;
    }
    void *p = *ptr = graph_allocate(bytes, PC);
    capture(stream, cudaGraphNodeTypeMemAlloc, [p] { return graph_memory_begins(p); });
    stream_capture(stream)->nodes.back()->memory = p;
    return done(p ? cudaSuccess : cudaErrorMemoryAllocation);
}
cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream)
{
    const auto end = [ptr] {
        cudaError_t result = cudaSuccess;       /* a buffer of another kind is not freed: the graph may run again */
        return graph_memory_ends(ptr, &result), result;
    };
    if (capture(stream, cudaGraphNodeTypeMemFree, end))
        return done(cudaSuccess);
    cudaError_t of_graph;
    if (graph_memory_ends(ptr, &of_graph))
        return done(of_graph);
    Allocation al;
    if (ptr && heap_record((uintptr_t)ptr, &al) && al.live && al.base == (uintptr_t)ptr) {
        const stream_scope in(stream);  /* a use in another stream races with this */
        order_copy({(char *)ptr, 0, nullptr, 0, al.size, 1, false, FREES}, PC);
        heap_free(ptr);
        return done(cudaSuccess);
    }
    return cudaFree(ptr);
}

cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + 511) & ~(size_t)511;
    return allocate(ptr, *pitch * height, DEVICE_MEMORY, PC);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *to, struct cudaExtent extent)
{
    const size_t pitch = (extent.width + 511) & ~(size_t)511;
    *to = {nullptr, pitch, extent.width, extent.height};
    return allocate(&to->ptr, pitch * extent.height * extent.depth, DEVICE_MEMORY, PC);
}

/* Pinned memory is in the heap, so that it has a shadow. */
static cudaError_t allocate_pinned(void **ptr, size_t bytes, uintptr_t pc)
{
    if (bytes) {
        const cudaError_t e = allocate(ptr, bytes, PINNED_MEMORY, pc);
        if (*ptr)
            add_pinned(*ptr, bytes);
        return e;
    }
    size_t room = (bytes + 4095) & ~(size_t)4095;
    *ptr = room ? aligned_alloc(4096, room) : nullptr;
    if (!*ptr && bytes)
        return done(cudaErrorMemoryAllocation);
    if (*ptr)
        add_pinned(*ptr, bytes);
    return done(cudaSuccess);
}

cudaError_t cudaMallocHost(void **ptr, size_t bytes) { return allocate_pinned(ptr, bytes, PC); }
cudaError_t cudaHostAlloc(void **ptr, size_t bytes, unsigned int) { return allocate_pinned(ptr, bytes, PC); }

cudaError_t cudaFreeHost(void *ptr)
{
    if (const cudaError_t e = disturbs_captures(UNSAFE))
        return e;
    if (ptr && !remove_pinned(ptr)) {
        complain(PC, "cudaFreeHost of " + place_words(ptr, 0), "free what cudaMallocHost or cudaHostAlloc gave, once");
        return done(cudaErrorInvalidValue);
    }
    order_host_waits();
    if (!heap.contains((uintptr_t)ptr))
        free(ptr);
    else
        heap_free(ptr);
    return done(cudaSuccess);
}

cudaError_t cudaHostRegister(void *ptr, size_t bytes, unsigned int)
{
    if (const cudaError_t e = disturbs_captures(UNSAFE))
        return e;
    if (!ptr || bytes == 0 || heap.contains((uintptr_t)ptr))
        return done(cudaErrorInvalidValue);
    if (pinned_overlaps(ptr, bytes))
        return done(cudaErrorHostMemoryAlreadyRegistered);
    add_pinned(ptr, bytes, true);
    return done(cudaSuccess);
}

cudaError_t cudaHostUnregister(void *ptr)
{ return done(remove_pinned(ptr, true) ? cudaSuccess : cudaErrorHostMemoryNotRegistered); }

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int)
{
    *device = is_pinned((uintptr_t)host) || is_managed((uintptr_t)host) ? host : nullptr;
    return done(*device ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
    *flags = cudaHostAllocMapped | cudaHostAllocPortable;
    return done(is_pinned((uintptr_t)host) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
    memory_init();
    void *const p = const_cast<void *>(ptr);
    const uintptr_t a = (uintptr_t)ptr;
    if (heap.contains(a) && !heap_covers(ptr, 1))
        return done(cudaErrorInvalidValue);
    if (is_managed(a) && a < pinned_base)
        *attributes = {cudaMemoryTypeManaged, device_current(), p, p};
    else if ((heap.contains(a) && a < pinned_base) || is_symbol(a))
        *attributes = {cudaMemoryTypeDevice, device_current(), p, nullptr};
    else if (is_pinned(a))
        *attributes = {cudaMemoryTypeHost, device_current(), p, p};
    else
        *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, p};
    return done(cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    memory_init();
    *total_bytes = heap_capacity();
    *free_bytes = *total_bytes - std::min(*total_bytes, heap_in_use());
    return done(cudaSuccess);
}

/* ---- managed memory ---- */

static cudaError_t check_managed(const void *ptr, size_t bytes)
{
    const uintptr_t a = (uintptr_t)ptr;
    const bool fine = is_managed(a) && a < pinned_base && (managed.contains(a) || heap_covers(ptr, bytes));
    return done(fine ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes, int device, cudaStream_t)
{
    if (device != cudaCpuDeviceId && (device < 0 || device >= device_count()))
        return done(cudaErrorInvalidDevice);
    return check_managed(ptr, bytes);
}

cudaError_t cudaMemAdvise(const void *ptr, size_t bytes, enum cudaMemoryAdvise, int)
{ return check_managed(ptr, bytes); }

cudaError_t cudaMemRangeGetAttribute(void *data, size_t bytes, enum cudaMemRangeAttribute, const void *ptr,
                                     size_t count)
{
    memset(data, 0, bytes);
    return check_managed(ptr, count);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t, unsigned int) { return done(cudaSuccess); }

/* ---- memory pools: all share one memory; each buffer's pool is recorded ---- */

static simt_pool *default_pool()
{
    static simt_pool pool;
    return &pool;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int) { return *pool = default_pool(), done(cudaSuccess); }
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int) { return *pool = default_pool(), done(cudaSuccess); }
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t) { return done(cudaSuccess); }

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props)
{
    *pool = new simt_pool();
    if (props && props->handleTypes & cudaMemHandleTypePosixFileDescriptor)
        pool_for_others(*pool);
    return done(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    if (pool == default_pool())
        return done(cudaErrorInvalidValue);
    if (pool->file >= 0)
        close(pool->file);
    delete pool;
    return done(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return done(cudaSuccess); }

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    if (attr == cudaMemPoolAttrReleaseThreshold)
        pool->threshold = *static_cast<uint64_t *>(value);
    return done(cudaSuccess);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    if (attr <= cudaMemPoolReuseAllowInternalDependencies)
        *static_cast<int *>(value) = 1;
    else
        *static_cast<uint64_t *>(value) = attr == cudaMemPoolAttrReleaseThreshold ? pool->threshold : heap_in_use();
    return done(cudaSuccess);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const struct cudaMemAccessDesc *, size_t) { return done(cudaSuccess); }
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t, struct cudaMemLocation *)
{
    *flags = cudaMemAccessFlagsProtReadWrite;
    return done(cudaSuccess);
}
cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    const cudaError_t e = cudaMallocAsync(ptr, bytes, stream);
    if (e == cudaSuccess && *ptr)
        heap_of_pool(*ptr, pool->inode);
    return e;
}
