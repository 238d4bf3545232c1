/* cub/detail/device_synchronize.cuh - waits for the GPU. */
#pragma once

#include <cub/util_arch.cuh>
#include <cub/util_namespace.cuh>

CUB_NAMESPACE_BEGIN
namespace detail {
inline cudaError_t device_synchronize() { return simt_in_kernel() ? cudaSuccess : cudaDeviceSynchronize(); }
} // namespace detail
CUB_NAMESPACE_END
