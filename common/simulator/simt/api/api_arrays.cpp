/*
 * api_arrays.cpp - arrays, and copies to, from and between them.
 */
#include "arrays.hpp"

namespace simt {

static cudaError_t make_array(cudaArray_t *array, const cudaChannelFormatDesc *desc, cudaExtent extent, unsigned flags)
{
    memory_init();
    *array = nullptr;
    if (!desc || extent.width == 0 || texel_bytes(*desc) == 0)
        return done(cudaErrorInvalidValue);
    if (flags & cudaArrayCubemap && (extent.width != extent.height || extent.depth % 6 || extent.depth == 0))
        return done(cudaErrorInvalidValue);
    cudaArray a = {*desc, extent, flags, texel_bytes(*desc), nullptr};
    a.data = static_cast<char *>(heap_allocate(a.slice() * a.slices()));
    if (!a.data)
        return done(cudaErrorMemoryAllocation);
    simt_name_buffer(a.data, "an array");
    *array = new cudaArray(a);
    return done(cudaSuccess);
}

/* Returns the part of an array from byte x of row y on. */
static Box at(const cudaArray *a, size_t x, size_t y, size_t z)
{ return {a->data + z * a->slice() + y * a->pitch() + x, a->pitch(), a->slice()}; }

static bool holds(const cudaArray *a, size_t x, size_t y, size_t z, size_t width, size_t height, size_t depth)
{
    return a && x + width <= a->pitch() && y + height <= a->rows() && z + depth <= a->slices();
}

static cudaError_t outside(uintptr_t pc, const cudaArray *a)
{
    if (a)
        complain(pc, format("copy beyond an array of %zu bytes a row, %zu rows, %zu slices", a->pitch(), a->rows(),
                            a->slices()),
                 "widths and offsets of rows are in bytes, heights in rows");
    return done(cudaErrorInvalidValue);
}

} // namespace simt

using namespace simt;

#define PC (asked_at ? asked_at : (uintptr_t)__builtin_return_address(0))

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
                            unsigned int flags)
{ return make_array(array, desc, {width, height, 0}, flags); }

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
                              unsigned int flags)
{ return make_array(array, desc, extent, flags); }

cudaError_t cudaFreeArray(cudaArray_t array)
{
    if (array)
        heap_free(array->data);
    delete array;
    return done(cudaSuccess);
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int levels, unsigned int flags)
{
    const bool layers = flags & (cudaArrayLayered | cudaArrayCubemap);
    const size_t largest = std::max({extent.width, extent.height, layers ? 0 : extent.depth});
    cudaMipmappedArray made;
    cudaError_t e = cudaSuccess;
    *array = nullptr;
    do {        /* at least one level; at most until all sizes are 1 */
        cudaArray_t one = nullptr;
        e = make_array(&one, desc, extent, flags);
        if (e != cudaSuccess)
            break;
        made.level.push_back(one);
        extent.width = std::max<size_t>(1, extent.width / 2);
        extent.height = extent.height ? std::max<size_t>(1, extent.height / 2) : 0;
        if (!layers)
            extent.depth = extent.depth ? std::max<size_t>(1, extent.depth / 2) : 0;
    } while (made.level.size() < levels && largest >> made.level.size());
    if (e == cudaSuccess)
        *array = new cudaMipmappedArray(made);
    else
        for (cudaArray_t one : made.level)
            cudaFreeArray(one);
    return e;
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array)
{
    if (array)
        for (cudaArray_t one : array->level)
            cudaFreeArray(one);
    delete array;
    return done(cudaSuccess);
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *one, cudaMipmappedArray_const_t array, unsigned int level)
{
    if (!array || level >= array->level.size())
        return done(cudaErrorInvalidValue);
    *one = array->level[level];
    return done(cudaSuccess);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array)
{
    if (!array)
        return done(cudaErrorInvalidResourceHandle);
    if (desc)
        *desc = array->desc;
    if (extent)
        *extent = array->extent;
    if (flags)
        *flags = array->flags;
    return done(cudaSuccess);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{ return *desc = array->desc, done(cudaSuccess); }

/* ---- copies of rows ---- */

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind)
{
    if (!holds(dst, x, y, 0, width, height, 1))
        return outside(PC, dst);
    return copy_box(at(dst, x, y, 0), {(char *)src, pitch, 0}, width, height, 1, kind, PC, true);
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
                                  size_t height, enum cudaMemcpyKind kind)
{
    if (!holds(src, x, y, 0, width, height, 1))
        return outside(PC, src);
    return copy_box({(char *)dst, pitch, 0}, at(src, x, y, 0), width, height, 1, kind, PC, true);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const uintptr_t pc = PC;
    if (!holds(dst, x, y, 0, width, height, 1))
        return outside(pc, dst);
    const Box to = at(dst, x, y, 0), from = {(char *)src, pitch, 0};
    return begin_in(stream, cudaGraphNodeTypeMemcpy,
                 [=] { return copy_box(to, from, width, height, 1, kind, pc, false); });
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
                                       size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const uintptr_t pc = PC;
    if (!holds(src, x, y, 0, width, height, 1))
        return outside(pc, src);
    const Box to = {(char *)dst, pitch, 0}, from = at(src, x, y, 0);
    return begin_in(stream, cudaGraphNodeTypeMemcpy,
                 [=] { return copy_box(to, from, width, height, 1, kind, pc, false); });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y, cudaArray_const_t src, size_t src_x,
                                     size_t src_y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    if (!holds(dst, dst_x, dst_y, 0, width, height, 1) || !holds(src, src_x, src_y, 0, width, height, 1))
        return outside(PC, dst);
    return copy_box(at(dst, dst_x, dst_y, 0), at(src, src_x, src_y, 0), width, height, 1, kind, PC, true);
}

/* The rows are contiguous, so bytes beyond the end of a row continue in the next one. */
cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
                              enum cudaMemcpyKind kind)
{ return dst ? cudaMemcpy(at(dst, x, y, 0).p, src, bytes, kind) : outside(PC, dst); }

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind)
{ return src ? cudaMemcpy(dst, at(src, x, y, 0).p, bytes, kind) : outside(PC, src); }

/* ---- copies of volumes: positions and widths are in texels if an array takes part, else in bytes ---- */

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    const cudaArray *to = p->dstArray, *from = p->srcArray;
    const size_t unit = to ? to->texel : from ? from->texel : 1, width = p->extent.width * unit;
    const size_t height = std::max<size_t>(p->extent.height, to || from), depth = p->extent.depth;
    if ((to && !holds(to, p->dstPos.x * to->texel, p->dstPos.y, p->dstPos.z, width, height, depth)) ||
        (from && !holds(from, p->srcPos.x * from->texel, p->srcPos.y, p->srcPos.z, width, height, depth)))
        return outside(PC, to ? to : from);
    const auto plain = [](const cudaPitchedPtr &q, const cudaPos &o) {
        const size_t slice = q.pitch * q.ysize;
        return Box{(char *)q.ptr + o.z * slice + o.y * q.pitch + o.x, q.pitch, slice};
    };
    const Box d = to ? at(to, p->dstPos.x * to->texel, p->dstPos.y, p->dstPos.z) : plain(p->dstPtr, p->dstPos);
    const Box s = from ? at(from, p->srcPos.x * from->texel, p->srcPos.y, p->srcPos.z) : plain(p->srcPtr, p->srcPos);
    return copy_box(d, s, width, height, depth, p->kind, PC, true);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    const cudaMemcpy3DParms kept = *p;
    const auto work = [kept] { return cudaMemcpy3D(&kept); };
    return capture(stream, cudaGraphNodeTypeMemcpy, work) ? done(cudaSuccess) : work();
}
