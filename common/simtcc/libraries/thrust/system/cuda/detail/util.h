/* thrust/system/cuda/detail/util.h - streams, errors as exceptions, and copies of trivial types. */
#pragma once

#include <thrust/iterator/iterator_traits.h>
#include <thrust/system/cuda/config.h>
#include <thrust/system/cuda/detail/execution_policy.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>
#include <exception>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {

inline cudaStream_t default_stream() { return nullptr; }

/* A policy with a stream has a more specific overload. */
template <class Derived> cudaStream_t get_stream(execution_policy<Derived> &) { return default_stream(); }
template <class Derived> cudaStream_t stream(execution_policy<Derived> &policy)
{ return get_stream(derived_cast(policy)); }

inline void terminate() { simt_in_kernel() ? simt_trap() : std::terminate(); }

/* Throws an error on the host.  A kernel cannot catch exceptions; its error has been reported. */
inline void throw_on_error(cudaError_t e, const char *what = "")
{
    if (e != cudaSuccess && !simt_in_kernel())
        throw thrust::system_error(e, thrust::cuda_category(), what);
}

/* A kernel has finished when its launch returns. */
template <class Policy> cudaError_t synchronize(Policy &)
{ return simt_in_kernel() ? cudaSuccess : cudaPeekAtLastError(); }
template <class Policy> cudaError_t synchronize_optional(Policy &policy) { return synchronize(policy); }

template <class T> cudaError_t trivial_copy_from_device(T *to, const T *from, size_t n, cudaStream_t)
{ return n ? cudaMemcpy(to, from, n * sizeof(T), cudaMemcpyDeviceToHost) : cudaSuccess; }
template <class T> cudaError_t trivial_copy_to_device(T *to, const T *from, size_t n, cudaStream_t)
{ return n ? cudaMemcpy(to, from, n * sizeof(T), cudaMemcpyHostToDevice) : cudaSuccess; }

/* The function of gather and scatter. */
struct identity {
    template <class T> __host__ __device__ const T &operator()(const T &v) const { return v; }
};

} // namespace cuda_cub
THRUST_NAMESPACE_END

#include <thrust/system/cuda/detail/terminate.h>
