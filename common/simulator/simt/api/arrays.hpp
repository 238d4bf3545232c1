/* arrays.hpp - what an array is, for api_arrays.cpp and api_textures.cpp. */
#ifndef SIMT_ARRAYS_HPP
#define SIMT_ARRAYS_HPP

#include <algorithm>
#include "internal.hpp"

/* Texels row after row in one buffer of device memory; slices are those of a volume, layers, or faces of a cube. */
struct cudaArray {
    cudaChannelFormatDesc desc;
    cudaExtent extent;          /* as it was asked for: 0 where there is no such direction */
    unsigned flags;
    size_t texel;               /* bytes */
    char *data;

    size_t rows() const { return std::max<size_t>(1, extent.height); }
    size_t slices() const { return std::max<size_t>(1, extent.depth); }
    size_t pitch() const { return extent.width * texel; }
    size_t slice() const { return pitch() * rows(); }
};

/* Arrays of which each is half as large as the one before. */
struct cudaMipmappedArray {
    std::vector<cudaArray_t> level;
};

namespace simt {
inline size_t texel_bytes(const cudaChannelFormatDesc &d) { return (size_t)(d.x + d.y + d.z + d.w) / 8; }
}

#endif
