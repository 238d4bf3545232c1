/*
 * api_textures.cpp - textures and surfaces: objects, and references, which CUDA 12 no longer has.
 */
#include <cstring>
#include <set>
#include "simt_textures.h"
#include "textures.hpp"

namespace simt {

/* All texture objects, and all bound texture references. */
static std::mutex lock;
static std::set<simt_image *> images;
static std::set<textureReference *> bound;

static uintptr_t keep(const simt_image &i)
{
    std::lock_guard<std::mutex> hold(lock);
    return (uintptr_t)*images.insert(new simt_image(i)).first;
}

static void drop(simt_image *i)
{
    std::lock_guard<std::mutex> hold(lock);
    images.erase(i);
    delete i;
}

void image_stretches(std::vector<Stretch> *all)
{
    std::lock_guard<std::mutex> hold(lock);
    for (simt_image *i : images)
        all->push_back({(char *)i, sizeof *i, nullptr, false});
    for (textureReference *t : bound)
        all->push_back({(char *)&t->simt_object, sizeof t->simt_object, nullptr, false});
}

static bool image_of(simt_image *i, const cudaResourceDesc &r);

/* Makes the image of a mipmapped array: the first level, with the others in `smaller`. */
static bool image_of_levels(simt_image *i, const cudaResourceDesc &r)
{
    const cudaMipmappedArray *m = r.res.mipmap.mipmap;
    bool right = m != nullptr;
    for (size_t k = 0; right && k < m->level.size(); ++k) {
        cudaResourceDesc one = {};
        simt_image level;
        one.resType = cudaResourceTypeArray;
        one.res.array.array = m->level[k];
        right = image_of(k ? &level : i, one);
        if (k)
            i->smaller.push_back(level);
    }
    i->resource = r;
    return right;
}

static bool image_of(simt_image *i, const cudaResourceDesc &r)
{
    if (r.resType == cudaResourceTypeMipmappedArray)
        return image_of_levels(i, r);
    *i = {};
    i->resource = r;
    i->height = i->depth = 1;
    if (r.resType == cudaResourceTypeArray) {
        const cudaArray *a = r.res.array.array;
        if (!a)
            return false;
        i->desc = a->desc;
        i->data = a->data;
        i->width = a->extent.width;
        i->height = a->rows();
        i->depth = a->slices();
        i->pitch = a->pitch();
        i->slice = a->slice();
        i->layers = a->flags & (cudaArrayLayered | cudaArrayCubemap);
    } else if (r.resType == cudaResourceTypeLinear) {
        i->desc = r.res.linear.desc;
        i->data = static_cast<const char *>(r.res.linear.devPtr);
        i->texel = texel_bytes(i->desc);
        i->width = i->texel ? r.res.linear.sizeInBytes / i->texel : 0;
    } else if (r.resType == cudaResourceTypePitch2D) {
        i->desc = r.res.pitch2D.desc;
        i->data = static_cast<const char *>(r.res.pitch2D.devPtr);
        i->width = r.res.pitch2D.width;
        i->height = r.res.pitch2D.height;
        i->pitch = r.res.pitch2D.pitchInBytes;
    } else {
        return false;
    }
    i->texel = texel_bytes(i->desc);
    return i->data && i->texel;
}

/* Reports a texture that is larger than its buffer.  A GPU creates it, and reads beyond the buffer fail. */
static void check_size(const simt_image &i, uintptr_t pc)
{
    Allocation al;
    const bool linear = i.resource.resType == cudaResourceTypeLinear;
    if ((!linear && i.resource.resType != cudaResourceTypePitch2D) || !heap_find((uintptr_t)i.data, &al))
        return;
    const size_t bytes = linear ? i.resource.res.linear.sizeInBytes
                                : i.height ? (i.height - 1) * i.pitch + i.width * i.texel : 0;
    const size_t there = al.base + al.size - (uintptr_t)i.data;
    if (bytes > there)
        complain(pc, format("a texture of %zu bytes of %s, which has %zu", bytes, al.name.c_str(), there),
                 linear ? "sizeInBytes is in bytes: texels * sizeof(T)" : "height rows, pitchInBytes apart");
}

} // namespace simt

using namespace simt;

#define PC ((uintptr_t)__builtin_return_address(0))

/* ---- objects ---- */

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{ return {x, y, z, w, f}; }

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *)
{
    simt_image i;
    *object = 0;
    if (!resource || !texture || !image_of(&i, *resource))
        return done(cudaErrorInvalidValue);
    i.how = *texture;
    check_size(i, PC);
    const bool is_float = i.desc.f == cudaChannelFormatKindFloat || texture->readMode == cudaReadModeNormalizedFloat;
    const bool too_wide = texture->readMode == cudaReadModeNormalizedFloat &&
                          i.desc.f != cudaChannelFormatKindFloat && i.desc.x > 16;
    if (too_wide || (texture->filterMode == cudaFilterModeLinear && !is_float)) {
        complain(PC, too_wide ? "a texture of 32-bit integers that is to be read as normalised floats"
                              : "a texture of integers with a linear filter",
                 "cudaReadModeNormalizedFloat is for 8 and 16 bits, a linear filter for what is read as floats");
        return done(cudaErrorInvalidNormSetting);
    }
    if (!i.smaller.empty() && !texture->normalizedCoords) {
        complain(PC, "a texture of a mipmapped array whose coordinates are not normalised",
                 "set normalizedCoords: levels have other sizes, and coordinates from 0 to 1 are those of all");
        return done(cudaErrorInvalidValue);
    }
    for (simt_image &level : i.smaller)
        level.how = i.how;
    *object = keep(i);
    return done(cudaSuccess);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    drop(image(object));
    return done(cudaSuccess);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t object)
{ return *resource = image(object)->resource, done(cudaSuccess); }
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture, cudaTextureObject_t object)
{ return *texture = image(object)->how, done(cudaSuccess); }

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource)
{
    simt_image i;
    *object = 0;
    if (!resource || resource->resType != cudaResourceTypeArray || !image_of(&i, *resource))
        return done(cudaErrorInvalidValue);
    if (!(resource->res.array.array->flags & cudaArraySurfaceLoadStore)) {
        complain(PC, "the array of this surface does not allow surfaces", "create it with cudaArraySurfaceLoadStore");
        return done(cudaErrorInvalidValue);
    }
    *object = keep(i);
    return done(cudaSuccess);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return cudaDestroyTextureObject(object); }

/* ---- references, which CUDA 12 no longer has ---- */

static cudaError_t bind(const struct textureReference *t, const cudaResourceDesc &r, int read_mode)
{
    textureReference *reference = const_cast<textureReference *>(t);
    cudaTextureDesc how = {};
    memcpy(how.addressMode, t->addressMode, sizeof how.addressMode);
    how.filterMode = t->filterMode;
    how.readMode = (cudaTextureReadMode)read_mode;
    how.normalizedCoords = t->normalized;
    if (t->simt_object)
        drop(image(t->simt_object));
    bound.insert(reference);
    return cudaCreateTextureObject(&reference->simt_object, &r, &how, nullptr);
}

cudaError_t simt_bind_linear(size_t *offset, const struct textureReference *t, int read_mode, const void *ptr,
                             const struct cudaChannelFormatDesc *desc, size_t bytes)
{
    Allocation al;
    cudaResourceDesc r = {};
    if (offset)
        *offset = 0;
    if (bytes >= UINT32_MAX && heap_find((uintptr_t)ptr, &al))
        bytes = al.base + al.size - (uintptr_t)ptr;     /* up to the buffer's end */
    r.resType = cudaResourceTypeLinear;
    r.res.linear = {const_cast<void *>(ptr), *desc, bytes};
    return bind(t, r, read_mode);
}

cudaError_t simt_bind_pitched(size_t *offset, const struct textureReference *t, int read_mode, const void *ptr,
                              const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch)
{
    cudaResourceDesc r = {};
    if (offset)
        *offset = 0;
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D = {const_cast<void *>(ptr), *desc, width, height, pitch};
    return bind(t, r, read_mode);
}

cudaError_t simt_bind_array(const struct textureReference *t, int read_mode, cudaArray_const_t array)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = const_cast<cudaArray_t>(array);
    return bind(t, r, read_mode);
}

cudaError_t cudaUnbindTexture(const struct textureReference *t)
{
    textureReference *reference = const_cast<textureReference *>(t);
    drop(image(t->simt_object));
    reference->simt_object = 0;
    return done(cudaSuccess);
}
