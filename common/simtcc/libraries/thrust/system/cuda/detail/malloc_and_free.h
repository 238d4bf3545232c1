/* thrust/system/cuda/detail/malloc_and_free.h - memory of device vectors, and temporary memory of algorithms. */
#pragma once

#include <thrust/detail/malloc_and_free.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/cuda/detail/util.h>
#include <thrust/system/detail/bad_alloc.h>
#include <simt_libraries.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {

template <class Derived> void *malloc(execution_policy<Derived> &, std::size_t n)
{
    if (simt_in_kernel())
        return simt_thread_malloc(n);
    void *p = nullptr;
    const cudaError_t e = cudaMalloc(&p, n);
    if (e != cudaSuccess) {
        cudaGetLastError();
        throw thrust::system::detail::bad_alloc(thrust::cuda_category().message(e).c_str());
    }
    return p;
}

template <class Derived, class Pointer> void free(execution_policy<Derived> &, Pointer p)
{
    if (simt_in_kernel())
        return simt_thread_free(thrust::raw_pointer_cast(p));
    throw_on_error(cudaFree(thrust::raw_pointer_cast(p)), "cudaFree");
}

} // namespace cuda_cub
THRUST_NAMESPACE_END
