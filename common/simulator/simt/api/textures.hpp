/* textures.hpp - the type of textures and surfaces, for api_textures.cpp and api_texture_reads.cpp. */
#ifndef SIMT_TEXTURES_HPP
#define SIMT_TEXTURES_HPP

#include "arrays.hpp"

/* A texture or a surface: the address of its texels, and how they are read. */
struct simt_image {
    cudaResourceDesc resource;
    cudaTextureDesc how;
    cudaChannelFormatDesc desc;
    const char *data;
    size_t width, height, depth, pitch, slice, texel;
    bool layers;                /* the third dimension is layers or faces, never filtered */
    std::vector<simt_image> smaller;    /* the smaller levels of a mipmapped array */
};

namespace simt {

static inline simt_image *image(unsigned long long object) { return (simt_image *)(uintptr_t)object; }

} // namespace simt

#endif
