/*
 * api_texture_reads.cpp - reads of textures, and reads and writes of surfaces by kernels, in software.
 *
 * Coordinates, address modes and filters are as the CUDA C++ Programming Guide describes them (appendix Texture
 * Fetching): a filter's weights have 8 fractional bits.  These accesses are neither counted nor checked for races; a
 * surface access out of bounds is a fault.
 */
#include <cmath>
#include <cstring>
#include "simt_textures.h"
#include "textures.hpp"

namespace simt {

static int channels(const cudaChannelFormatDesc &d) { return (d.x > 0) + (d.y > 0) + (d.z > 0) + (d.w > 0); }

static float half_to_float(uint16_t h)
{
    const int exponent = h >> 10 & 31, fraction = h & 1023;
    float v = exponent == 31 ? (fraction ? NAN : INFINITY)
            : exponent ? std::ldexp((float)(fraction + 1024), exponent - 25) : std::ldexp((float)fraction, -24);
    return h >> 15 ? -v : v;
}

/* Returns channel c of a texel as a float; an integer is divided by the largest integer of its type. */
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

/* Maps index k into 0 to n - 1 by the address mode.  Returns false if the border colour applies. */
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

/* Returns the face of a cube that a direction hits; *s and *t get the coordinates on this face. */
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

} // namespace simt

using namespace simt;

#define PC ((uintptr_t)__builtin_return_address(0))

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

/* Returns the level of detail for two gradients (their x and y): log2 of the step in texels of the first level. */
float simt_texture_level_of(unsigned long long object, float xx, float xy, float yx, float yy)
{
    const simt_image &i = bound_image(object, PC);
    const float w = (float)i.width, h = (float)i.height;
    return std::log2(std::max(std::hypot(xx * w, xy * h), std::hypot(yx * w, yy * h)));
}

/* Reads channel c of the four texels of a linear filter, counterclockwise from the lower left one. */
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
        return;                         /* the result is zero, as on a GPU */
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
