/*
 * api_textures.cpp - textures and surfaces, read and written in software.
 *
 * Coordinates, address modes and filters are as the CUDA C++ Programming Guide describes them (appendix Texture
 * Fetching): a filter's weights have 8 fractional bits.  These accesses are neither counted nor checked for races; a
 * surface access out of bounds is a fault.
 */
#include <cmath>
#include <cstring>
#include <set>
#include "arrays.hpp"
#include "simt_textures.h"

/* A texture or a surface: the address of its texels, and how they are read. */
struct simt_image {
    cudaResourceDesc resource;
    cudaTextureDesc how;
    cudaChannelFormatDesc desc;
    const char *data;
    size_t width, height, depth, pitch, slice, texel;
    bool layers;                /* the third dimension is layers or faces, never filtered */
    std::vector<simt_image> smaller;    /* of a mipmapped array: the smaller levels */
};

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
static void look_at_size(const simt_image &i, uintptr_t pc)
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

static int channels(const cudaChannelFormatDesc &d) { return (d.x > 0) + (d.y > 0) + (d.z > 0) + (d.w > 0); }

static float half_to_float(uint16_t h)
{
    const int exponent = h >> 10 & 31, fraction = h & 1023;
    float v = exponent == 31 ? (fraction ? NAN : INFINITY)
            : exponent ? std::ldexp((float)(fraction + 1024), exponent - 25) : std::ldexp((float)fraction, -24);
    return h >> 15 ? -v : v;
}

/* Channel c of a texel as a float; an integer is divided by the largest integer of its type. */
static float channel(const simt_image &i, const char *texel, int c)
{
    const int bits = i.desc.x;
    const char *p = texel + c * bits / 8;
    const bool is_signed = i.desc.f == cudaChannelFormatKindSigned;
    if (i.desc.f == cudaChannelFormatKindFloat) {
        float f;
        uint16_t h;
        if (bits == 16)
            return memcpy(&h, p, 2), half_to_float(h);
        return memcpy(&f, p, 4), f;
    }
    if (bits == 8)
        return is_signed ? std::max(-1.0f, (float)*(const int8_t *)p / 127) : (float)*(const uint8_t *)p / 255;
    int16_t v;
    memcpy(&v, p, 2);
    return is_signed ? std::max(-1.0f, (float)v / 32767) : (float)(uint16_t)v / 65535;
}

/* Maps index k into 0 to n - 1 by the address mode.  False: the border colour applies. */
static bool address(long long *k, size_t n, cudaTextureAddressMode mode, bool normalised)
{
    const long long last = (long long)n - 1;
    if (*k >= 0 && *k <= last)
        return true;
    if (mode == cudaAddressModeBorder)
        return false;
    if (mode == cudaAddressModeClamp || !normalised) {
        *k = *k < 0 ? 0 : last;
        return true;
    }
    const long long period = mode == cudaAddressModeWrap ? (long long)n : 2 * (long long)n;
    *k %= period;
    if (*k < 0)
        *k += period;
    if (*k > last)
        *k = period - 1 - *k;
    return true;
}

static const char *texel_at(const simt_image &i, long long x, long long y, long long z)
{
    const cudaTextureAddressMode *mode = i.how.addressMode;
    const bool normalised = i.how.normalizedCoords != 0;
    if (!address(&x, i.width, mode[0], normalised) || !address(&y, i.height, mode[1], normalised) ||
        !address(&z, i.depth, i.layers ? cudaAddressModeClamp : mode[2], normalised))
        return nullptr;
    return i.data + (size_t)z * i.slice + (size_t)y * i.pitch + (size_t)x * i.texel;
}

/* The first of the two texels between which a coordinate is, and the weight of the second. */
struct Between { long long first; float weight; };

static Between between(float x, bool linear)
{
    if (!std::isfinite(x))
        x = 0;
    x = std::min(std::max(x, -1e9f), 1e9f);
    if (!linear)
        return {(long long)std::floor(x), 0};
    const float below = std::floor(x - 0.5f);
    return {(long long)below, std::round((x - 0.5f - below) * 256) / 256};
}

/* Adds the filtered value at (x, y, z), coordinates in texels, to out: 4 floats. */
static void sample(const simt_image &i, float x, float y, float z, float *out)
{
    const bool linear = i.how.filterMode == cudaFilterModeLinear;
    const Between bx = between(x, linear), by = between(y, linear && i.height > 1),
                  bz = between(z, linear && i.depth > 1 && !i.layers);
    const int n = channels(i.desc);
    for (int corner = 0; corner < 8; ++corner) {
        const float weight = (corner & 1 ? bx.weight : 1 - bx.weight) * (corner & 2 ? by.weight : 1 - by.weight) *
                             (corner & 4 ? bz.weight : 1 - bz.weight);
        if (weight == 0)
            continue;
        const char *texel = texel_at(i, bx.first + (corner & 1), by.first + (corner >> 1 & 1),
                                     bz.first + (corner >> 2));
        for (int c = 0; c < n; ++c)
            out[c] += weight * (texel ? channel(i, texel, c) : i.how.borderColor[c]);
    }
}

/* Returns the face of a cube that a direction hits; *s and *t: the coordinates there. */
static int face_of(float x, float y, float z, float *s, float *t)
{
    const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    const bool by_x = ax >= ay && ax >= az, by_y = !by_x && ay >= az;
    const float most = by_x ? ax : by_y ? ay : az;
    if (by_x) {
        *s = x > 0 ? -z : z;
        *t = -y;
    } else if (by_y) {
        *s = x;
        *t = y > 0 ? z : -z;
    } else {
        *s = z > 0 ? x : -x;
        *t = -y;
    }
    *s = (*s / most + 1) / 2;
    *t = (*t / most + 1) / 2;
    return by_x ? x < 0 : by_y ? 2 + (y < 0) : 4 + (z < 0);
}

static simt_image *image(unsigned long long object) { return (simt_image *)(uintptr_t)object; }

} // namespace simt

using namespace simt;

#define PC ((uintptr_t)__builtin_return_address(0))

/* ---- functions that kernels call ---- */

static const simt_image &bound_image(unsigned long long object, uintptr_t pc)
{
    if (!object)
        fault(current, cudaErrorInvalidTexture, pc, "a texture that is not bound",
              "bind it, or create the object, before the launch");
    return *image(object);
}

static bool reads_floats(const simt_image &i)
{
    return i.how.readMode == cudaReadModeNormalizedFloat || i.how.filterMode == cudaFilterModeLinear ||
           (i.desc.f == cudaChannelFormatKindFloat && i.desc.x == 16);
}

/* Reads from one level. */
static void read_image(const simt_image &i, int form, float x, float y, float z, int layer, void *out, size_t bytes)
{
    memset(out, 0, bytes);
    bool normalised = i.how.normalizedCoords != 0;
    if (form == SIMT_CUBE) {
        layer = 6 * layer + face_of(x, y, z, &x, &y);
        normalised = true;
    }
    if (normalised) {
        x *= (float)i.width;
        y *= (float)i.height;
        z *= i.layers ? 1 : (float)i.depth;
    }
    if (form != SIMT_VOLUME)
        z = (float)layer;
    if (form == SIMT_LINE)
        y = 0;
    if (reads_floats(i)) {
        float v[4] = {0, 0, 0, 0};
        sample(i, x, y, z, v);
        memcpy(out, v, std::min(bytes, sizeof v));
    } else {
        const char *texel = texel_at(i, between(x, false).first, between(y, false).first, between(z, false).first);
        if (texel)
            memcpy(out, texel, std::min(bytes, i.texel));
    }
}

void simt_texture_read(unsigned long long object, int form, float x, float y, float z, int layer, void *out,
                       size_t bytes)
{ read_image(bound_image(object, PC), form, x, y, z, layer, out, bytes); }

/* Reads the nearest level, or interpolates between two levels, with a weight of 8 bits. */
void simt_texture_read_level(unsigned long long object, int form, float x, float y, float z, int layer, float level,
                             void *out, size_t bytes)
{
    const simt_image &i = bound_image(object, PC);
    const float last = (float)i.smaller.size();
    const bool linear = i.how.mipmapFilterMode == cudaFilterModeLinear;
    level = std::isfinite(level) ? level + i.how.mipmapLevelBias : 0;
    level = std::min(std::max(level, i.how.minMipmapLevelClamp), i.how.maxMipmapLevelClamp);
    level = std::min(std::max(level, 0.0f), last);
    const size_t below = (size_t)(linear ? level : std::ceil(level - 0.5f));
    const float weight = linear ? std::round((level - (float)below) * 256) / 256 : 0;
    read_image(below ? i.smaller[below - 1] : i, form, x, y, z, layer, out, bytes);
    if (weight == 0 || bytes > 16)
        return;
    float a[4], b[4];
    memcpy(a, out, bytes);
    read_image(i.smaller[below], form, x, y, z, layer, b, bytes);
    for (size_t c = 0; c < bytes / sizeof *a; ++c)
        a[c] += weight * (b[c] - a[c]);
    memcpy(out, a, bytes);
}

/* The level of detail for two gradients (their x and y): log2 of the step in texels of the first level. */
float simt_texture_level_of(unsigned long long object, float xx, float xy, float yx, float yy)
{
    const simt_image &i = bound_image(object, PC);
    const float w = (float)i.width, h = (float)i.height;
    return std::log2(std::max(std::hypot(xx * w, xy * h), std::hypot(yx * w, yy * h)));
}

/* Channel c of the four texels of a linear filter, counterclockwise from the lower left one. */
void simt_texture_gather(unsigned long long object, float x, float y, int c, void *out, size_t bytes)
{
    static const int to_right[4] = {0, 1, 1, 0}, down[4] = {1, 1, 0, 0};
    const simt_image &i = bound_image(object, PC);
    const bool normalised = i.how.normalizedCoords != 0;
    const long long left = between(normalised ? x * (float)i.width : x, true).first;
    const long long top = between(normalised ? y * (float)i.height : y, true).first;
    memset(out, 0, bytes);
    for (int k = 0; k < 4; ++k) {
        const char *texel = texel_at(i, left + to_right[k], top + down[k], 0);
        if (!texel || c >= channels(i.desc))
            continue;
        const float v = reads_floats(i) ? channel(i, texel, c) : 0;
        const void *from = reads_floats(i) ? (const void *)&v : texel + (size_t)c * (size_t)i.desc.x / 8;
        memcpy((char *)out + (size_t)k * bytes / 4, from, bytes / 4);
    }
}

void simt_texture_fetch(unsigned long long object, long long k, void *out, size_t bytes)
{
    memset(out, 0, bytes);
    const simt_image &i = bound_image(object, PC);
    if (k < 0 || (size_t)k >= i.width)
        return;                         /* as on a GPU: zero */
    const char *texel = i.data + (size_t)k * i.texel;
    check_exists(current, (uintptr_t)texel, i.texel, PC);
    if (i.how.readMode == cudaReadModeNormalizedFloat || (i.desc.f == cudaChannelFormatKindFloat && i.desc.x == 16)) {
        float v[4];
        for (int c = 0; c < channels(i.desc); ++c)
            v[c] = channel(i, texel, c);
        memcpy(out, v, std::min(bytes, sizeof v));
    } else {
        memcpy(out, texel, std::min(bytes, i.texel));
    }
}

void *simt_surface_place(unsigned long long object, long long x, long long y, long long z, size_t bytes, int mode)
{
    if (!object)
        fault(current, cudaErrorInvalidSurface, PC, "the kernel uses a surface that does not exist",
              "create the object before the launch");
    const simt_image &i = *image(object);
    current->block->wrote = true;
    const long long width = (long long)(i.width * i.texel), size = (long long)bytes;
    const bool inside = x >= 0 && x + size <= width && y >= 0 && y < (long long)i.height && z >= 0 &&
                        z < (long long)i.depth;
    if (!inside && mode == cudaBoundaryModeTrap)
        fault(current, cudaErrorLaunchFailure, PC,
              format("surface access out of bounds: byte %lld of row %lld, slice %lld; it has %lld bytes, %zu rows, "
                     "%zu slices", x, y, z, width, i.height, i.depth),
              "x is in bytes, y in rows; cudaBoundaryModeClamp or Zero allow it");
    if (!inside && mode == cudaBoundaryModeZero)
        return nullptr;
    x = std::min(std::max(x, 0ll), width - size);
    y = std::min(std::max(y, 0ll), (long long)i.height - 1);
    z = std::min(std::max(z, 0ll), (long long)i.depth - 1);
    if (x % size)
        fault(current, cudaErrorMisalignedAddress, PC,
              format("misaligned surface access: byte %lld for %zu bytes", x, bytes), "x is in bytes: index * sizeof");
    return const_cast<char *>(i.data) + (size_t)z * i.slice + (size_t)y * i.pitch + (size_t)x;
}

void simt_surface_read(unsigned long long object, long long x, long long y, long long z, void *out, size_t bytes,
                       int mode)
{
    const void *place = simt_surface_place(object, x, y, z, bytes, mode);
    if (place)
        memcpy(out, place, bytes);
    else
        memset(out, 0, bytes);
}

void simt_surface_write(unsigned long long object, long long x, long long y, long long z, const void *in, size_t bytes,
                        int mode)
{
    void *place = simt_surface_place(object, x, y, z, bytes, mode);
    if (place) {
        memcpy(place, in, bytes);
        mark_initialised(place, bytes);
    }
}

unsigned long long simt_texture_of(const struct textureReference *t) { return t->simt_object; }

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
    look_at_size(i, PC);
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
