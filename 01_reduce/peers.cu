/* peers.cu - the library baselines CUB and Thrust, with the signature of the steps. */
#include "chapter.h"

#include <cub/device/device_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

// CUB uses d_sums as scratch memory, and returns cudaErrorInvalidValue if that is too small.
template <typename T>
static cudaError_t reduce_cub_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *,
                                     cudaStream_t stream)
{
    size_t scratch_bytes = reduce_sums_count(n) * sizeof(T);
    return cub::DeviceReduce::Sum(d_sums, scratch_bytes, d_in, d_out, n, stream);
}
REDUCE_STEP(reduce_cub)

// Thrust returns the sum to the host, as for its users; it is copied back so that it can be checked.
template <typename T>
static cudaError_t reduce_thrust_launch(const T *d_in, size_t n, T *d_out, T *, unsigned long long *,
                                        cudaStream_t stream)
{
    const T sum = thrust::reduce(thrust::cuda::par.on(stream), d_in, d_in + n, T(0));
    return cudaMemcpyAsync(d_out, &sum, sizeof sum, cudaMemcpyHostToDevice, stream);
}
REDUCE_STEP(reduce_thrust)
