/* thrust/system/detail/sequential/malloc_and_free.h - temporary memory of an algorithm that runs in one thread, on the
 * host or in a kernel. */
#pragma once

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/detail/sequential/execution_policy.h>
#include <simt_libraries.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {

template <class Derived> void *malloc(execution_policy<Derived> &, std::size_t n) { return simt_thread_malloc(n); }
template <class Derived, class Pointer> void free(execution_policy<Derived> &, Pointer p)
{ simt_thread_free(thrust::raw_pointer_cast(p)); }

} // namespace sequential
} // namespace detail
} // namespace system
THRUST_NAMESPACE_END
