/* arrays.hpp - the types of arrays, for api_arrays.cpp and textures.hpp. */
#ifndef SIMT_ARRAYS_HPP
#define SIMT_ARRAYS_HPP

#include <algorithm>
#include "internal.hpp"

/* An array is contiguous rows of texels in one buffer.  Slices are those of a volume, layers, or faces of a cube. */
struct cudaArray {
    cudaChannelFormatDesc desc;
    cudaExtent extent;          /* as requested: 0 in dimensions that the array lacks */
    unsigned flags;
    size_t texel;               /* bytes */
    char *data;

    size_t rows() const { return std::max<size_t>(1, extent.height); }
    size_t slices() const { return std::max<size_t>(1, extent.depth); }
    size_t pitch() const { return extent.width * texel; }
    size_t slice() const { return pitch() * rows(); }
};

/* The levels of a mipmapped array: each is half as large as the level before. */
struct cudaMipmappedArray {
    std::vector<cudaArray_t> level;
};

namespace simt {
inline size_t texel_bytes(const cudaChannelFormatDesc &d) { return (size_t)(d.x + d.y + d.z + d.w) / 8; }
}

#endif
