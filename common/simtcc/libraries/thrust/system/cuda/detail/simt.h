/*
 * simt.h - runs Thrust's algorithms on the simulator.  Element-wise work (parallel_for) is a kernel with one thread per
 * element; every other building block is a kernel of one thread that runs Thrust's sequential back end.  So functors
 * run as device code, and every access is checked.
 */
#pragma once

#include <new>
#include <simt_launch.h>
#include <simt_libraries.h>
#include <thrust/detail/seq.h>
#include <thrust/system/cuda/detail/util.h>

THRUST_NAMESPACE_BEGIN

/* thrust::seq in this namespace, so that argument-dependent lookup finds the algorithms below. */
struct simt_one_thread : thrust::detail::seq_t {};

namespace cuda_cub {
namespace simt_detail {

/* Launches a kernel of the library; an error is thrown, as on a GPU. */
template <class... P, class... A>
void launch(const char *name, void (*kernel)(P...), unsigned blocks, unsigned threads, A &&...arguments)
{
    simt_library_begin();
    simt::launch(name, kernel, dim3(blocks), dim3(threads))(std::forward<A>(arguments)...);
    simt_library_end();
    throw_on_error(cudaDeviceSynchronize(), name);
}

template <class F> void one_thread(F f) { f(); }
template <class F, class R> void one_thread_gives(F f, R *result) { new ((void *)result) R(f()); }

/* Runs f() in one thread of a kernel. */
template <class F, class R = decltype(std::declval<F &>()())> struct run {
    static R on_device(const char *name, F f)
    {
        if (simt_in_kernel())
            return f();
        alignas(R) unsigned char room[sizeof(R)];
        struct visible {                /* to the kernel, during this call */
            void *p;
            ~visible() { cudaHostUnregister(p); }
        } here{room};
        cudaHostRegister(room, sizeof room, cudaHostRegisterDefault);
        launch(name, one_thread_gives<F, R>, 1, 1, f, reinterpret_cast<R *>(room));
        return *reinterpret_cast<R *>(room);
    }
};
template <class F> struct run<F, void> {
    static void on_device(const char *name, F f)
    {
        if (simt_in_kernel())
            return f();
        launch(name, one_thread<F>, 1, 1, f);
    }
};

/* Each thread processes one element; if there are more elements, it continues one grid size further. */
template <class F, class Size> void element_by_element(F f, Size n)
{
    const uint64_t stride = (uint64_t)simt_grid_dim().x * simt_block_dim().x;
    for (uint64_t i = (uint64_t)simt_block_idx().x * simt_block_dim().x + simt_thread_idx().x; i < (uint64_t)n;
         i += stride)
        f((Size)i);
}

} // namespace simt_detail

template <class Derived, class F, class Size> void parallel_for(execution_policy<Derived> &, F f, Size n)
{
    const uint64_t threads = 256, most_blocks = 1024, blocks = ((uint64_t)n + threads - 1) / threads;
    if (simt_in_kernel())
        for (Size i = 0; i < n; ++i)
            f(i);
    else if (n > 0)
        simt_detail::launch("Thrust, element by element", simt_detail::element_by_element<F, Size>,
                            (unsigned)(blocks < most_blocks ? blocks : most_blocks), (unsigned)threads, f, n);
}

#define SIMT_ALGORITHM(name)                                                                            \
    template <class Derived, class... A> auto name(execution_policy<Derived> &, A... a)                 \
    {                                                                                                   \
        auto f = [=] { return name(thrust::simt_one_thread(), a...); };                                 \
        return simt_detail::run<decltype(f)>::on_device("thrust::" #name, f);                           \
    }
SIMT_ALGORITHM(adjacent_difference)
SIMT_ALGORITHM(copy_if)
SIMT_ALGORITHM(max_element)
SIMT_ALGORITHM(min_element)
SIMT_ALGORITHM(minmax_element)
SIMT_ALGORITHM(find)
SIMT_ALGORITHM(find_if)
SIMT_ALGORITHM(find_if_not)
SIMT_ALGORITHM(mismatch)
SIMT_ALGORITHM(merge)
SIMT_ALGORITHM(merge_by_key)
SIMT_ALGORITHM(partition)
SIMT_ALGORITHM(partition_copy)
SIMT_ALGORITHM(stable_partition)
SIMT_ALGORITHM(stable_partition_copy)
SIMT_ALGORITHM(is_partitioned)
SIMT_ALGORITHM(reduce)
SIMT_ALGORITHM(reduce_by_key)
SIMT_ALGORITHM(remove_if)
SIMT_ALGORITHM(remove_copy_if)
SIMT_ALGORITHM(inclusive_scan)
SIMT_ALGORITHM(exclusive_scan)
SIMT_ALGORITHM(inclusive_scan_by_key)
SIMT_ALGORITHM(exclusive_scan_by_key)
SIMT_ALGORITHM(set_difference)
SIMT_ALGORITHM(set_intersection)
SIMT_ALGORITHM(set_symmetric_difference)
SIMT_ALGORITHM(set_union)
SIMT_ALGORITHM(sort)
SIMT_ALGORITHM(sort_by_key)
SIMT_ALGORITHM(stable_sort)
SIMT_ALGORITHM(stable_sort_by_key)
SIMT_ALGORITHM(unique)
SIMT_ALGORITHM(unique_copy)
SIMT_ALGORITHM(unique_count)
SIMT_ALGORITHM(unique_by_key)
SIMT_ALGORITHM(unique_by_key_copy)
#undef SIMT_ALGORITHM

/* The names that Thrust's own headers use. */
template <class Derived, class Iterator, class Size, class T, class F>
T reduce_n(execution_policy<Derived> &policy, Iterator first, Size n, T init, F f)
{ return cuda_cub::reduce(policy, first, first + n, init, f); }
template <class Derived, class Iterator, class Size, class To, class F>
To inclusive_scan_n(execution_policy<Derived> &policy, Iterator first, Size n, To result, F f)
{ return cuda_cub::inclusive_scan(policy, first, first + n, result, f); }
template <class Derived, class Iterator, class Size, class To, class T, class F>
To exclusive_scan_n(execution_policy<Derived> &policy, Iterator first, Size n, To result, T init, F f)
{ return cuda_cub::exclusive_scan(policy, first, first + n, result, init, f); }

} // namespace cuda_cub
THRUST_NAMESPACE_END
