/*
 * api_memory.cpp - allocations and copies of plain memory: device, pinned, managed, pitched; symbols, pools.
 *
 * The host touches managed and pinned memory as it likes (guard.cpp says what it should have waited for); a prefetch
 * and an advice are accepted and change nothing.
 */
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include "internal.hpp"

namespace simt {

/* A variable of the card, whose address cudaGetSymbolAddress gives. */
static bool is_symbol(uintptr_t a) { return program.contains(a) || managed.contains(a) || is_constant(a); }

/* A device range lies in one live buffer; what lies in none is the host's. */
bool range_ok(const void *p, size_t bytes, Side side)
{
    const uintptr_t a = (uintptr_t)p;
    if (heap.contains(a))
        return (side != HOST || is_managed(a)) && heap_covers(p, bytes);
    if (side == DEVICE)
        return is_symbol(a) || is_pinned(a);
    return p && (side == EITHER || !is_symbol(a) || managed.contains(a));
}

bool kind_sides(int kind, Side *to, Side *from)
{
    static const Side tos[] = {HOST, DEVICE, HOST, DEVICE, EITHER}, sources[] = {HOST, HOST, DEVICE, DEVICE, EITHER};
    if ((unsigned)kind > cudaMemcpyDefault)
        return false;
    *to = tos[kind];
    *from = sources[kind];
    return true;
}

void complain(uintptr_t pc, const std::string &what, const std::string &hint)
{
    if (settings.program)
        pass_host(ERROR, pc, what, hint);
}

/* "buffer 3, which has 40 bytes", "host memory", for a complaint about `bytes` bytes there. */
static std::string place_words(const void *p, size_t bytes)
{
    Allocation al;
    if (!p)
        return "a null pointer";
    if (!heap.contains((uintptr_t)p))
        return is_symbol((uintptr_t)p) ? "a variable of the card" : "host memory";
    if (!heap_find((uintptr_t)p, &al))
        return "no buffer";
    if (!al.live)
        return al.name + ", on which cudaFree has been called";
    const size_t offset = (uintptr_t)p - al.base;
    if (offset > al.size || bytes > al.size - offset)
        return format("%s, which has %zu bytes%s", al.name.c_str(), al.size,
                      offset ? format(", from byte %zu on", offset).c_str() : "");
    return al.name;
}

static void complain_of_copy(uintptr_t pc, const char *call, const void *dst, const void *src, size_t bytes, int kind)
{
    static const char *const names[] = {"HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice", "Default"};
    complain(pc, format("%s (cudaMemcpy%s) of %zu bytes to %s from %s", call, names[kind], bytes,
                        place_words(dst, bytes).c_str(), place_words(src, bytes).c_str()),
             "the sizes are in bytes; the direction says what the pointers are");
}

static cudaError_t copy(void *dst, const void *src, size_t bytes, int kind, uintptr_t pc)
{
    Side to, from;
    memory_init();
    if (sticky_error() != cudaSuccess || bytes == 0)
        return done(cudaSuccess);
    if (!kind_sides(kind, &to, &from))
        return done(cudaErrorInvalidMemcpyDirection);
    if (!range_ok(dst, bytes, to) || !range_ok(src, bytes, from)) {
        complain_of_copy(pc, "cudaMemcpy", dst, src, bytes, kind);
        return done(cudaErrorInvalidValue);
    }
    copy_window open(dst, bytes, src, bytes);
    memmove(dst, src, bytes);
    copy_initialised(dst, src, bytes);
    return done(cudaSuccess);
}

static cudaError_t set(void *ptr, int value, size_t bytes, uintptr_t pc)
{
    memory_init();
    if (sticky_error() != cudaSuccess || bytes == 0)
        return done(cudaSuccess);
    if (!range_ok(ptr, bytes, DEVICE)) {
        complain(pc, format("cudaMemset of %zu bytes in %s", bytes, place_words(ptr, bytes).c_str()),
                 "the size is in bytes, the pointer one of cudaMalloc's");
        return done(cudaErrorInvalidValue);
    }
    copy_window open(ptr, bytes);
    memset(ptr, value, bytes);
    mark_initialised(ptr, bytes);
    way_memset(bytes);
    return done(cudaSuccess);
}

static size_t box_bytes(const Box &b, size_t width, size_t height, size_t depth)
{ return b.slice * (depth - 1) + b.pitch * (height - 1) + width; }

cudaError_t copy_box(const Box &to, const Box &from, size_t width, size_t height, size_t depth, int kind)
{
    Side to_side, from_side;
    memory_init();
    if (sticky_error() != cudaSuccess || width == 0 || height == 0 || depth == 0)
        return done(cudaSuccess);
    if (!kind_sides(kind, &to_side, &from_side))
        return done(cudaErrorInvalidMemcpyDirection);
    if ((to.pitch < width || from.pitch < width) && height > 1)
        return done(cudaErrorInvalidPitchValue);
    const size_t to_bytes = box_bytes(to, width, height, depth), from_bytes = box_bytes(from, width, height, depth);
    if (!range_ok(to.p, to_bytes, to_side) || !range_ok(from.p, from_bytes, from_side)) {
        complain_of_copy((uintptr_t)__builtin_return_address(0), "copy of rows", to.p, from.p,
                         std::max(to_bytes, from_bytes), kind);
        return done(cudaErrorInvalidValue);
    }
    copy_window open(to.p, to_bytes, from.p, from_bytes);
    for (size_t z = 0; z < depth; ++z)
        for (size_t y = 0; y < height; ++y) {
            char *d = to.p + z * to.slice + y * to.pitch;
            const char *s = from.p + z * from.slice + y * from.pitch;
            memmove(d, s, width);
            copy_initialised(d, s, width);
        }
    return done(cudaSuccess);
}

static cudaError_t set_box(const Box &to, int value, size_t width, size_t height, size_t depth)
{
    memory_init();
    if (sticky_error() != cudaSuccess || width == 0 || height == 0 || depth == 0)
        return done(cudaSuccess);
    const size_t bytes = box_bytes(to, width, height, depth);
    if ((to.pitch < width && height > 1) || !range_ok(to.p, bytes, DEVICE))
        return done(cudaErrorInvalidValue);
    copy_window open(to.p, bytes);
    for (size_t z = 0; z < depth; ++z)
        for (size_t y = 0; y < height; ++y) {
            char *row = to.p + z * to.slice + y * to.pitch;
            memset(row, value, width);
            mark_initialised(row, width);
        }
    way_memset(width * height * depth);
    return done(cudaSuccess);
}

static cudaError_t allocate(void **ptr, size_t bytes, bool managed_memory)
{
    memory_init();
    catch_signals();
    if (!ptr)
        return done(cudaErrorInvalidValue);
    *ptr = nullptr;
    if (sticky_error() != cudaSuccess || bytes == 0)
        return done(managed_memory && bytes == 0 ? cudaErrorInvalidValue : cudaSuccess);
    *ptr = heap_allocate(bytes, managed_memory);
    return done(*ptr ? cudaSuccess : cudaErrorMemoryAllocation);
}

} // namespace simt

using namespace simt;

#define PC ((uintptr_t)__builtin_return_address(0))

/* ---- allocations ---- */

cudaError_t cudaMalloc(void **ptr, size_t bytes) { return allocate(ptr, bytes, false); }

cudaError_t cudaMallocManaged(void **ptr, size_t bytes, unsigned int flags)
{
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        return done(cudaErrorInvalidValue);
    return allocate(ptr, bytes, true);
}

cudaError_t cudaFree(void *ptr)
{
    synchronised();
    if (!ptr || heap_free(ptr))
        return done(cudaSuccess);
    complain(PC, "cudaFree of " + place_words(ptr, 0), "free each buffer of cudaMalloc's once, by its first byte");
    return done(cudaErrorInvalidValue);
}

cudaError_t cudaMallocAsync(void **ptr, size_t bytes, cudaStream_t) { return cudaMalloc(ptr, bytes); }
cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream)
{
    if (capture(stream, cudaGraphNodeTypeMemFree, [=] { return cudaSuccess; }))
        return done(cudaSuccess);       /* a graph may run again: its buffer stays */
    return cudaFree(ptr);
}

cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + 511) & ~(size_t)511;
    return cudaMalloc(ptr, *pitch * height);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *to, struct cudaExtent extent)
{
    const size_t pitch = (extent.width + 511) & ~(size_t)511;
    *to = {nullptr, pitch, extent.width, extent.height};
    return cudaMalloc(&to->ptr, pitch * extent.height * extent.depth);
}

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
    if (ptr && !remove_pinned(ptr)) {
        complain(PC, "cudaFreeHost of " + place_words(ptr, 0), "free what cudaMallocHost or cudaHostAlloc gave, once");
        return done(cudaErrorInvalidValue);
    }
    free(ptr);
    return done(cudaSuccess);
}

cudaError_t cudaHostRegister(void *ptr, size_t bytes, unsigned int)
{
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
    if (is_managed(a))
        *attributes = {cudaMemoryTypeManaged, device_current(), p, p};
    else if (heap.contains(a) || is_symbol(a))
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
    const bool fine = is_managed((uintptr_t)ptr) && (managed.contains((uintptr_t)ptr) || heap_covers(ptr, bytes));
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

/* ---- copies ---- */

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    synchronised();
    return copy(dst, src, bytes, kind, PC);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const uintptr_t pc = PC;
    if (capture(stream, cudaGraphNodeTypeMemcpy, [=] { return copy(dst, src, bytes, kind, pc); }))
        return done(cudaSuccess);
    return copy(dst, src, bytes, kind, pc);
}

cudaError_t cudaMemcpyPeer(void *dst, int, const void *src, int, size_t bytes)
{
    synchronised();
    return copy(dst, src, bytes, cudaMemcpyDeviceToDevice, PC);
}
cudaError_t cudaMemcpyPeerAsync(void *dst, int, const void *src, int, size_t bytes, cudaStream_t stream)
{ return cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToDevice, stream); }

cudaError_t cudaMemset(void *ptr, int value, size_t bytes) { return set(ptr, value, bytes, PC); }

cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes, cudaStream_t stream)
{
    const uintptr_t pc = PC;
    if (capture(stream, cudaGraphNodeTypeMemset, [=] { return set(ptr, value, bytes, pc); }))
        return done(cudaSuccess);
    return set(ptr, value, bytes, pc);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    const Box to = {(char *)dst, dst_pitch, 0}, from = {(char *)src, src_pitch, 0};
    synchronised();
    return copy_box(to, from, width, height, 1, kind);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const Box to = {(char *)dst, dst_pitch, 0}, from = {(char *)src, src_pitch, 0};
    if (capture(stream, cudaGraphNodeTypeMemcpy, [=] { return copy_box(to, from, width, height, 1, kind); }))
        return done(cudaSuccess);
    return copy_box(to, from, width, height, 1, kind);
}

cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width, size_t height)
{ return set_box({(char *)ptr, pitch, 0}, value, width, height, 1); }

cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    const auto work = [=] { return cudaMemset2D(ptr, pitch, value, width, height); };
    return capture(stream, cudaGraphNodeTypeMemset, work) ? done(cudaSuccess) : work();
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent)
{
    return set_box({(char *)p.ptr, p.pitch, p.pitch * p.ysize}, value, extent.width, extent.height, extent.depth);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent extent, cudaStream_t stream)
{
    const auto work = [=] { return cudaMemset3D(p, value, extent); };
    return capture(stream, cudaGraphNodeTypeMemset, work) ? done(cudaSuccess) : work();
}

/* ---- symbols: variables of the card, by their address ---- */

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset, enum cudaMemcpyKind)
{
    copy_window open(src, bytes);
    if (sticky_error() == cudaSuccess)
        memmove((char *)symbol + offset, src, bytes);
    return done(cudaSuccess);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind)
{
    synchronised();
    copy_window open(dst, bytes);
    if (sticky_error() == cudaSuccess)
        memmove(dst, (const char *)symbol + offset, bytes);
    mark_initialised(dst, bytes);
    return done(cudaSuccess);
}

cudaError_t simt_symbol_end(size_t size, size_t offset, size_t bytes)
{
    if (offset <= size && bytes <= size - offset)
        return cudaSuccess;
    complain(PC, format("copy of %zu bytes, from byte %zu on, to or from a symbol that has %zu bytes", bytes, offset,
                        size),
             "sizes and offsets are in bytes");
    return done(cudaErrorInvalidValue);
}

/* ---- pools: one memory, which they all share ---- */

struct simt_pool { uint64_t threshold; };

static simt_pool *default_pool()
{
    static simt_pool pool;
    return &pool;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int) { return *pool = default_pool(), done(cudaSuccess); }
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int) { return *pool = default_pool(), done(cudaSuccess); }
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t) { return done(cudaSuccess); }

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *)
{
    *pool = new simt_pool();
    return done(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    if (pool == default_pool())
        return done(cudaErrorInvalidValue);
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
cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t bytes, cudaMemPool_t, cudaStream_t stream)
{ return cudaMallocAsync(ptr, bytes, stream); }

/* ---- memory of another process: refused ---- */

static cudaError_t no_ipc(uintptr_t pc)
{
    complain(pc, "cudaIpc*: memory and events are not shared between processes here", "copy through the host");
    return done(cudaErrorNotSupported);
}
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *) { return no_ipc(PC); }
cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned int) { return no_ipc(PC); }
cudaError_t cudaIpcCloseMemHandle(void *) { return no_ipc(PC); }
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t) { return no_ipc(PC); }
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t) { return no_ipc(PC); }
