/* peer_thrust_omp.cpp - thrust::reduce on the cores of the CPU: the peer where there is no GPU. */
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP
#include "chapter.h"

#if __has_include(<thrust/reduce.h>)
#include <thrust/reduce.h>
#include <thrust/system/omp/execution_policy.h>

bool reduce_thrust_omp_present(void) { return true; }

template <typename T>
static void sum(const void *in, size_t n, void *out)
{
    const T *x = static_cast<const T *>(in);
    *static_cast<T *>(out) = static_cast<T>(thrust::reduce(thrust::omp::par, x, x + n, 0.0)); // a double, as in c1
}

extern "C" void reduce_thrust_omp(dtype_t dtype, const void *in, size_t n, void *out)
{
    if (dtype == DTYPE_F64) sum<double>(in, n, out);
    else sum<float>(in, n, out);
}
#else
bool reduce_thrust_omp_present(void) { return false; }
extern "C" void reduce_thrust_omp(dtype_t, const void *, size_t, void *) {}
#endif
