/*
 * api_copies.cpp - copies and memsets of plain memory, of rows, and of the GPU's variables.
 */
#include <algorithm>
#include <cstring>
#include "internal.hpp"

namespace simt {

/* The sides of a cudaMemcpyKind; false: kind is not one. */
static bool kind_sides(int kind, Side *to, Side *from)
{
    static const Side tos[] = {HOST, DEVICE, HOST, DEVICE, EITHER}, sources[] = {HOST, HOST, DEVICE, DEVICE, EITHER};
    if ((unsigned)kind > cudaMemcpyDefault)
        return false;
    *to = tos[kind];
    *from = sources[kind];
    return true;
}

static void complain_of_copy(uintptr_t pc, const char *call, const void *dst, const void *src, size_t bytes, int kind)
{
    static const char *const names[] = {"HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice", "Default"};
    complain(pc, format("%s (cudaMemcpy%s) of %zu bytes to %s, from %s", call, names[kind], bytes,
                        place_words(dst, bytes).c_str(), place_words(src, bytes).c_str()),
             hint_at(std::min(dst, src), "the sizes are in bytes; the direction says what the pointers are"));
}

static void hint_of_copy(const void *dst, const void *src, size_t bytes, uintptr_t pc);

/* Returns whether the host waits for a copy.  It does not if source and target are on the GPU. */
static bool waits(const void *dst, const void *src)
{
    const auto on_gpu = [](const void *p) { return heap.contains((uintptr_t)p) && (uintptr_t)p < managed_base; };
    return !on_gpu(dst) || !on_gpu(src);
}

/* now: the copy is complete when the call returns. */
static cudaError_t copy(void *dst, const void *src, size_t bytes, int kind, uintptr_t pc, bool now = false)
{
    Side to, from;
    memory_init();
    if (const cudaError_t e = disturbs_captures(LEGACY_WORK))
        return e;
    if (sticky_error() != cudaSuccess || bytes == 0)
        return done(cudaSuccess);
    if (!kind_sides(kind, &to, &from))
        return done(cudaErrorInvalidMemcpyDirection);
    if (!range_ok(dst, bytes, to) || !range_ok(src, bytes, from)) {
        complain_of_copy(pc, "cudaMemcpy", dst, src, bytes, kind);
        return done(cudaErrorInvalidValue);
    }
    if (dst != src && ((uintptr_t)dst - (uintptr_t)src < bytes || (uintptr_t)src - (uintptr_t)dst < bytes))
        say_host(ERROR, pc, format("a copy onto itself: %zu bytes to %s, from %s", bytes, place_words(dst, 0).c_str(),
                                   place_words(src, 0).c_str()),
                 "bytes of overlapping ranges are copied in no guaranteed order: use a second buffer, or a kernel");
    order_copy({(char *)dst, 0, (const char *)src, 0, bytes, 1, now && waits(dst, src)}, pc);
    hint_of_copy(dst, src, bytes, pc);
    copy_window open(dst, bytes, src, bytes);
    memmove(dst, src, bytes);
    copy_initialised(dst, src, bytes);
    return done(cudaSuccess);
}

/* Reports a copy of memory from the GPU that was never written, once per program point. */
static void hint_of_copy(const void *dst, const void *src, size_t bytes, uintptr_t pc)
{
    size_t n, first;
    if (heap.contains((uintptr_t)dst) || !(n = unwritten_words(src, bytes, &first)))
        return;
    pass_host(HINT, pc, format("copies back memory that was never written: %zu words of %s, the first at byte %zu", n,
                               place_words(src, 0).c_str(), first),
              "does the kernel write all of it?  did it run at all (cudaGetLastError)?");
}

/* Reports calls such as cudaMemset(p, 1, n * sizeof(int)), which sets each int to 0x01010101. */
static void hint_of_value(int value, uintptr_t pc)
{
    static const int bytes[] = {0, -1, 0xff, 0x3f, 0x7f, 0x80};
    if (std::find(std::begin(bytes), std::end(bytes), value) != std::end(bytes))
        return;
    const std::string line = line_text(place_of(short_pc(pc)));
    const size_t of = line.find("sizeof(");
    const bool elements = of != std::string::npos && line.find("char", of) == std::string::npos &&
                          line.find("bool", of) == std::string::npos && line.find("int8", of) == std::string::npos;
    if (value < -128 || value > 255 || elements)
        pass_host(HINT, pc, format("cudaMemset writes bytes: each is 0x%02x, an element of 4 of them 0x%08x",
                                   value & 255, (unsigned)(value & 255) * 0x01010101u),
                  "for elements of a value other than 0 launch a kernel, or copy them");
}

/* Sets memory.  now: the call is synchronous; as on a GPU, it then waits only for host memory, not for device
   memory. */
static cudaError_t set(void *ptr, int value, size_t bytes, uintptr_t pc, bool now = false)
{
    memory_init();
    if (const cudaError_t e = disturbs_captures(LEGACY_WORK))
        return e;
    if (sticky_error() != cudaSuccess || bytes == 0)
        return done(cudaSuccess);
    if (!range_ok(ptr, bytes, DEVICE)) {
        complain(pc, format("cudaMemset of %zu bytes in %s", bytes, place_words(ptr, bytes).c_str()),
                 hint_at(ptr, "the size is in bytes, the pointer one of cudaMalloc's"));
        return done(cudaErrorInvalidValue);
    }
    hint_of_value(value, pc);
    order_copy({(char *)ptr, 0, nullptr, 0, bytes, 1, now && waits(ptr, ptr)}, pc);
    copy_window open(ptr, bytes);
    memset(ptr, value, bytes);
    mark_initialised(ptr, bytes);
    way_memset(bytes);
    return done(cudaSuccess);
}

static size_t box_bytes(const Box &b, size_t width, size_t height, size_t depth)
{ return b.slice * (depth - 1) + b.pitch * (height - 1) + width; }

cudaError_t copy_box(const Box &to, const Box &from, size_t width, size_t height, size_t depth, int kind,
                     uintptr_t pc, bool now)
{
    Side to_side, from_side;
    memory_init();
    if (const cudaError_t e = disturbs_captures(LEGACY_WORK))
        return e;
    if (sticky_error() != cudaSuccess || width == 0 || height == 0 || depth == 0)
        return done(cudaSuccess);
    if (!kind_sides(kind, &to_side, &from_side))
        return done(cudaErrorInvalidMemcpyDirection);
    if ((to.pitch < width || from.pitch < width) && height > 1) {
        complain(pc, format("copy of rows of %zu bytes, of which one begins each %zu bytes", width,
                            std::min(to.pitch, from.pitch)),
                 "width and pitches are in bytes, and no pitch is less than the width");
        return done(cudaErrorInvalidPitchValue);
    }
    const size_t to_bytes = box_bytes(to, width, height, depth), from_bytes = box_bytes(from, width, height, depth);
    if (!range_ok(to.p, to_bytes, to_side) || !range_ok(from.p, from_bytes, from_side)) {
        complain_of_copy(pc, "copy of rows", to.p, from.p,
                         std::max(to_bytes, from_bytes), kind);
        return done(cudaErrorInvalidValue);
    }
    for (size_t z = 0; z < depth; ++z)
        order_copy({to.p + z * to.slice, to.pitch, from.p + z * from.slice, from.pitch, width, height,
                    now && waits(to.p, from.p)}, pc);
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

static cudaError_t set_box(const Box &to, int value, size_t width, size_t height, size_t depth, uintptr_t pc, bool now)
{
    memory_init();
    if (const cudaError_t e = disturbs_captures(LEGACY_WORK))
        return e;
    if (sticky_error() != cudaSuccess || width == 0 || height == 0 || depth == 0)
        return done(cudaSuccess);
    const size_t bytes = box_bytes(to, width, height, depth);
    if ((to.pitch < width && height > 1) || !range_ok(to.p, bytes, DEVICE)) {
        complain(pc, format("cudaMemset of %zu rows of %zu bytes, %zu bytes apart, in %s", height * depth, width,
                            to.pitch, place_words(to.p, bytes).c_str()),
                 hint_at(to.p, "width and pitch are in bytes, and the width is no larger"));
        return done(cudaErrorInvalidValue);
    }
    for (size_t z = 0; z < depth; ++z)
        order_copy({to.p + z * to.slice, to.pitch, nullptr, 0, width, height, now && waits(to.p, to.p)}, pc);
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

} // namespace simt

using namespace simt;

#define PC (asked_at ? asked_at : (uintptr_t)__builtin_return_address(0))

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    return copy(dst, src, bytes, kind, PC, true);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const uintptr_t pc = PC;
    return begin_in(stream, cudaGraphNodeTypeMemcpy, [=] { return copy(dst, src, bytes, kind, pc); });
}

cudaError_t cudaMemcpyPeer(void *dst, int, const void *src, int, size_t bytes)
{
    return copy(dst, src, bytes, cudaMemcpyDeviceToDevice, PC, true);
}
cudaError_t cudaMemcpyPeerAsync(void *dst, int, const void *src, int, size_t bytes, cudaStream_t stream)
{ return cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToDevice, stream); }

cudaError_t cudaMemset(void *ptr, int value, size_t bytes) { return set(ptr, value, bytes, PC, true); }

cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes, cudaStream_t stream)
{
    const uintptr_t pc = PC;
    return begin_in(stream, cudaGraphNodeTypeMemset, [=] { return set(ptr, value, bytes, pc); });
}

cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    const Box to = {(char *)dst, dst_pitch, 0}, from = {(char *)src, src_pitch, 0};
    return copy_box(to, from, width, height, 1, kind, PC, true);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const uintptr_t pc = PC;
    const Box to = {(char *)dst, dst_pitch, 0}, from = {(char *)src, src_pitch, 0};
    return begin_in(stream, cudaGraphNodeTypeMemcpy,
                 [=] { return copy_box(to, from, width, height, 1, kind, pc, false); });
}

cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width, size_t height)
{ return set_box({(char *)ptr, pitch, 0}, value, width, height, 1, PC, true); }

cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    const uintptr_t pc = PC;
    return begin_in(stream, cudaGraphNodeTypeMemset,
                 [=] { return set_box({(char *)ptr, pitch, 0}, value, width, height, 1, pc, false); });
}

static cudaError_t set_3d(const cudaPitchedPtr &p, int value, const cudaExtent &extent, uintptr_t pc, bool now)
{
    return set_box({(char *)p.ptr, p.pitch, p.pitch * p.ysize}, value, extent.width, extent.height, extent.depth, pc,
                   now);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent)
{ return set_3d(p, value, extent, PC, true); }

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent extent, cudaStream_t stream)
{
    const uintptr_t pc = PC;
    return begin_in(stream, cudaGraphNodeTypeMemset, [=] { return set_3d(p, value, extent, pc, false); });
}

/* ---- symbols: variables of the GPU, by their address ---- */

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset, enum cudaMemcpyKind)
{
    order_copy({(char *)symbol + offset, 0, (const char *)src, 0, bytes, 1, true}, PC);
    copy_window open(src, bytes);
    constant_given((char *)symbol + offset, bytes);
    if (sticky_error() == cudaSuccess)
        memmove((char *)symbol + offset, src, bytes);
    return done(cudaSuccess);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind)
{
    order_copy({(char *)dst, 0, (const char *)symbol + offset, 0, bytes, 1, true}, PC);
    copy_window open(dst, bytes);
    if (sticky_error() == cudaSuccess)
        memmove(dst, (const char *)symbol + offset, bytes);
    mark_initialised(dst, bytes);
    return done(cudaSuccess);
}

void simt_symbol_given(const void *symbol, size_t size) { constant_given(symbol, size); }

cudaError_t simt_symbol_end(size_t size, size_t offset, size_t bytes)
{
    if (offset <= size && bytes <= size - offset)
        return cudaSuccess;
    complain(PC, format("copy of %zu bytes, from byte %zu on, to or from a symbol that has %zu bytes", bytes, offset,
                        size),
             "sizes and offsets are in bytes");
    return done(cudaErrorInvalidValue);
}
