/*
 * simt_textures.h - textures and surfaces as a kernel reads and writes them, by object and, as before CUDA 12, by
 * reference.  All come down to a few functions of the runtime (api_texture_reads.cpp).
 */
#ifndef SIMT_TEXTURES_H
#define SIMT_TEXTURES_H

#include <type_traits>
#include "cuda_runtime_api.h"

#define SIMT_FETCH static inline __attribute__((always_inline, unused))

/* A texture that the program declares as a variable and binds to memory later. */
struct textureReference {
    int normalized;
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureAddressMode addressMode[3];
    struct cudaChannelFormatDesc channelDesc;
    int sRGB;
    unsigned int maxAnisotropy;
    cudaTextureObject_t simt_object;    /* the texture object to which it is bound */
};

enum simt_texture_form { SIMT_LINE, SIMT_PLANE, SIMT_VOLUME, SIMT_CUBE };

extern "C" {
void simt_texture_read(unsigned long long object, int form, float x, float y, float z, int layer, void *out,
                       size_t bytes);
void simt_texture_read_level(unsigned long long object, int form, float x, float y, float z, int layer, float level,
                             void *out, size_t bytes);
float simt_texture_level_of(unsigned long long object, float xx, float xy, float yx, float yy);
void simt_texture_gather(unsigned long long object, float x, float y, int channel, void *out, size_t bytes);
void simt_texture_fetch(unsigned long long object, long long index, void *out, size_t bytes);
void *simt_surface_place(unsigned long long object, long long x, long long y, long long z, size_t bytes, int mode);
void simt_surface_read(unsigned long long object, long long x, long long y, long long z, void *out, size_t bytes,
                       int mode);
void simt_surface_write(unsigned long long object, long long x, long long y, long long z, const void *in, size_t bytes,
                        int mode);
unsigned long long simt_texture_of(const struct textureReference *t);
cudaError_t simt_bind_linear(size_t *offset, const struct textureReference *t, int read_mode, const void *ptr,
                             const struct cudaChannelFormatDesc *desc, size_t bytes);
cudaError_t simt_bind_pitched(size_t *offset, const struct textureReference *t, int read_mode, const void *ptr,
                              const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch);
cudaError_t simt_bind_array(const struct textureReference *t, int read_mode, cudaArray_const_t array);
cudaError_t cudaUnbindTexture(const struct textureReference *t);
}

/* ---- the format that a type has as a texel, and the floats that it is read as ---- */

namespace simt {
template <class T> struct texel { enum { there_is_none = 1 }; };
#define SIMT_TEXEL_N(T, n, bits, kind, F) \
    template <> struct texel<T> { \
        typedef F floats; \
        static cudaChannelFormatDesc desc() \
        { return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, cudaChannelFormatKind##kind}; } \
    };
#define SIMT_TEXELS(name, bits, kind) \
    SIMT_TEXEL_N(name##1, 1, bits, kind, float1) SIMT_TEXEL_N(name##2, 2, bits, kind, float2) \
    SIMT_TEXEL_N(name##4, 4, bits, kind, float4)
SIMT_TEXELS(char, 8, Signed) SIMT_TEXELS(uchar, 8, Unsigned) SIMT_TEXELS(short, 16, Signed)
SIMT_TEXELS(ushort, 16, Unsigned) SIMT_TEXELS(int, 32, Signed) SIMT_TEXELS(uint, 32, Unsigned)
SIMT_TEXELS(float, 32, Float)
SIMT_TEXEL_N(char, 1, 8, Signed, float) SIMT_TEXEL_N(signed char, 1, 8, Signed, float)
SIMT_TEXEL_N(unsigned char, 1, 8, Unsigned, float) SIMT_TEXEL_N(short, 1, 16, Signed, float)
SIMT_TEXEL_N(unsigned short, 1, 16, Unsigned, float) SIMT_TEXEL_N(int, 1, 32, Signed, float)
SIMT_TEXEL_N(unsigned int, 1, 32, Unsigned, float) SIMT_TEXEL_N(float, 1, 32, Float, float)
SIMT_TEXEL_N(long, 1, 32, Signed, float) SIMT_TEXEL_N(unsigned long, 1, 32, Unsigned, float)

template <class T, cudaTextureReadMode mode> struct read_as { typedef T type; };
template <class T> struct read_as<T, cudaReadModeNormalizedFloat> { typedef typename texel<T>::floats type; };
}

template <class T> inline struct cudaChannelFormatDesc cudaCreateChannelDesc() { return simt::texel<T>::desc(); }
static inline struct cudaChannelFormatDesc cudaCreateChannelDescHalf()
{ return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat); }

/* ---- references ---- */

template <class T, int dimensions = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : textureReference {
    texture(int norm = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
            cudaTextureAddressMode address = cudaAddressModeClamp)
        : texture(norm, filter, address, cudaCreateChannelDesc<T>()) {}
    texture(int norm, cudaTextureFilterMode filter, cudaTextureAddressMode address, cudaChannelFormatDesc desc)
        : textureReference{norm, filter, {address, address, address}, desc, 0, 0, 0} {}
};

#define SIMT_TEXTURE template <class T, int D, cudaTextureReadMode M>
SIMT_TEXTURE inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, D, M> &t, const void *ptr,
                                                const cudaChannelFormatDesc &desc, size_t bytes = 0xffffffffu)
{ return simt_bind_linear(offset, &t, M, ptr, &desc, bytes); }
SIMT_TEXTURE inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, D, M> &t, const void *ptr,
                                                size_t bytes = 0xffffffffu)
{ return simt_bind_linear(offset, &t, M, ptr, &t.channelDesc, bytes); }
SIMT_TEXTURE inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, D, M> *t, const void *ptr,
                                                const cudaChannelFormatDesc *desc, size_t bytes = 0xffffffffu)
{ return simt_bind_linear(offset, t, M, ptr, desc, bytes); }
SIMT_TEXTURE inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, D, M> *t, const void *ptr,
                                                  const cudaChannelFormatDesc *desc, size_t width, size_t height,
                                                  size_t pitch)
{ return simt_bind_pitched(offset, t, M, ptr, desc, width, height, pitch); }
SIMT_TEXTURE inline cudaError_t cudaBindTextureToArray(const texture<T, D, M> *t, cudaArray_const_t array,
                                                       const cudaChannelFormatDesc *)
{ return simt_bind_array(t, M, array); }
SIMT_TEXTURE inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, D, M> &t, const void *ptr,
                                                  const cudaChannelFormatDesc &desc, size_t width, size_t height,
                                                  size_t pitch)
{ return simt_bind_pitched(offset, &t, M, ptr, &desc, width, height, pitch); }
SIMT_TEXTURE inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, D, M> &t, const void *ptr,
                                                  size_t width, size_t height, size_t pitch)
{ return simt_bind_pitched(offset, &t, M, ptr, &t.channelDesc, width, height, pitch); }
SIMT_TEXTURE inline cudaError_t cudaBindTextureToArray(const texture<T, D, M> &t, cudaArray_const_t array)
{ return simt_bind_array(&t, M, array); }
SIMT_TEXTURE inline cudaError_t cudaBindTextureToArray(const texture<T, D, M> &t, cudaArray_const_t array,
                                                       const cudaChannelFormatDesc &)
{ return simt_bind_array(&t, M, array); }
SIMT_TEXTURE inline cudaError_t cudaUnbindTexture(const texture<T, D, M> &t)
{ return cudaUnbindTexture((const textureReference *)&t); }

/* ---- fetches ---- */

namespace simt {
template <class R> SIMT_FETCH R texture_read(unsigned long long object, int form, float x, float y, float z, int layer)
{
    R value;
    simt_texture_read(object, form, x, y, z, layer, &value, sizeof value);
    return value;
}
}

template <class T> SIMT_FETCH T tex1Dfetch(cudaTextureObject_t object, int i)
{
    T value;
    simt_texture_fetch(object, i, &value, sizeof value);
    return value;
}
SIMT_TEXTURE SIMT_FETCH typename simt::read_as<T, M>::type tex1Dfetch(const texture<T, D, M> &t, int i)
{ return tex1Dfetch<typename simt::read_as<T, M>::type>(simt_texture_of(&t), i); }
template <class T> SIMT_FETCH void tex1Dfetch(T *out, cudaTextureObject_t object, int i)
{ *out = tex1Dfetch<T>(object, i); }

/* name(object, coordinates), the same with a reference, and the same that stores its result. */
#define SIMT_TEX(name, coordinates, form, x, y, z, layer) \
    template <class T> SIMT_FETCH T name(cudaTextureObject_t object, SIMT_LIST coordinates) \
    { return simt::texture_read<T>(object, form, x, y, z, layer); } \
    template <class T> SIMT_FETCH void name(T *out, cudaTextureObject_t object, SIMT_LIST coordinates) \
    { *out = simt::texture_read<T>(object, form, x, y, z, layer); } \
    SIMT_TEXTURE SIMT_FETCH typename simt::read_as<T, M>::type name(const texture<T, D, M> &t, SIMT_LIST coordinates) \
    { return simt::texture_read<typename simt::read_as<T, M>::type>(simt_texture_of(&t), form, x, y, z, layer); }
#define SIMT_LIST(...) __VA_ARGS__
SIMT_TEX(tex1D, (float x), SIMT_LINE, x, 0, 0, 0)
SIMT_TEX(tex2D, (float x, float y), SIMT_PLANE, x, y, 0, 0)
SIMT_TEX(tex3D, (float x, float y, float z), SIMT_VOLUME, x, y, z, 0)
SIMT_TEX(tex1DLayered, (float x, int layer), SIMT_LINE, x, 0, 0, layer)
SIMT_TEX(tex2DLayered, (float x, float y, int layer), SIMT_PLANE, x, y, 0, layer)
SIMT_TEX(texCubemap, (float x, float y, float z), SIMT_CUBE, x, y, z, 0)
SIMT_TEX(texCubemapLayered, (float x, float y, float z, int layer), SIMT_CUBE, x, y, z, layer)

/* At a level of a mipmapped array; with gradients, at the level where a step is one texel. */
#define SIMT_TEX_LEVEL(name, coordinates, form, x, y, z, layer, level) \
    template <class T> SIMT_FETCH T name(cudaTextureObject_t object, SIMT_LIST coordinates) \
    { \
        T value; \
        simt_texture_read_level(object, form, x, y, z, layer, level, &value, sizeof value); \
        return value; \
    } \
    template <class T> SIMT_FETCH void name(T *out, cudaTextureObject_t object, SIMT_LIST coordinates) \
    { \
        T value; \
        simt_texture_read_level(object, form, x, y, z, layer, level, &value, sizeof value); \
        *out = value; \
    }
SIMT_TEX_LEVEL(tex1DLod, (float x, float level), SIMT_LINE, x, 0, 0, 0, level)
SIMT_TEX_LEVEL(tex2DLod, (float x, float y, float level), SIMT_PLANE, x, y, 0, 0, level)
SIMT_TEX_LEVEL(tex3DLod, (float x, float y, float z, float level), SIMT_VOLUME, x, y, z, 0, level)
SIMT_TEX_LEVEL(tex1DLayeredLod, (float x, int layer, float level), SIMT_LINE, x, 0, 0, layer, level)
SIMT_TEX_LEVEL(tex2DLayeredLod, (float x, float y, int layer, float level), SIMT_PLANE, x, y, 0, layer, level)
SIMT_TEX_LEVEL(texCubemapLod, (float x, float y, float z, float level), SIMT_CUBE, x, y, z, 0, level)
SIMT_TEX_LEVEL(tex1DGrad, (float x, float dx, float dy), SIMT_LINE, x, 0, 0, 0,
               simt_texture_level_of(object, dx, 0, dy, 0))
SIMT_TEX_LEVEL(tex2DGrad, (float x, float y, float2 dx, float2 dy), SIMT_PLANE, x, y, 0, 0,
               simt_texture_level_of(object, dx.x, dx.y, dy.x, dy.y))

template <class T> SIMT_FETCH T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0)
{
    T value;
    simt_texture_gather(object, x, y, channel, &value, sizeof value);
    return value;
}
template <class T> SIMT_FETCH void tex2Dgather(T *out, cudaTextureObject_t object, float x, float y, int channel = 0)
{ *out = tex2Dgather<T>(object, x, y, channel); }

/* ---- surfaces: x in bytes ---- */

#define SIMT_SURFACE(name, coordinates, x, y, z) \
    template <class T> SIMT_FETCH T name##read(cudaSurfaceObject_t object, SIMT_LIST coordinates, \
                                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    { \
        T value; \
        simt_surface_read(object, x, y, z, &value, sizeof value, mode); \
        return value; \
    } \
    template <class T> SIMT_FETCH void name##read(T *out, cudaSurfaceObject_t object, SIMT_LIST coordinates, \
                                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    { *out = name##read<T>(object, SIMT_SURFACE_##name, mode); } \
    template <class T> SIMT_FETCH void name##write(T value, cudaSurfaceObject_t object, SIMT_LIST coordinates, \
                                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    { simt_surface_write(object, x, y, z, &value, sizeof value, mode); }
#define SIMT_SURFACE_surf1D x
#define SIMT_SURFACE_surf2D x, y
#define SIMT_SURFACE_surf3D x, y, z
#define SIMT_SURFACE_surf1DLayered x, layer
#define SIMT_SURFACE_surf2DLayered x, y, layer
SIMT_SURFACE(surf1D, (int x), x, 0, 0)
SIMT_SURFACE(surf2D, (int x, int y), x, y, 0)
SIMT_SURFACE(surf3D, (int x, int y, int z), x, y, z)
SIMT_SURFACE(surf1DLayered, (int x, int layer), x, 0, layer)
SIMT_SURFACE(surf2DLayered, (int x, int y, int layer), x, y, layer)

#endif
