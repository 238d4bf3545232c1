/*
 * simt_async.h - thrust::async: algorithms that are finished when they return, and events and futures that are ready.
 */
#pragma once

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/type_traits/is_execution_policy.h>
#include <thrust/type_traits/remove_cvref.h>
#include <type_traits>
#include <utility>

THRUST_NAMESPACE_BEGIN

struct device_event {
    bool ready() const { return true; }
    bool valid_stream() const { return true; }
    void wait() const { cudaDeviceSynchronize(); }
};

template <class T> class device_future : public device_event {
public:
    explicit device_future(T value) : value_(std::move(value)) {}
    bool valid_content() const { return true; }
    T get() const { return wait(), value_; }
    T extract() { return wait(), std::move(value_); }

private:
    T value_;
};

template <class System> using event = device_event;
template <class System, class T> using future = device_future<T>;
template <class... Before> device_event when_all(Before &&...) { return {}; }

namespace async {

template <class P> constexpr bool simt_is_policy() { return is_execution_policy<remove_cvref_t<P>>::value; }

#define SIMT_ASYNC(name)                                                        \
    template <class... A> device_event name(A &&...arguments)                   \
    {                                                                           \
        thrust::name(std::forward<A>(arguments)...);                            \
        return {};                                                              \
    }
SIMT_ASYNC(for_each)
SIMT_ASYNC(transform)
SIMT_ASYNC(sort)
SIMT_ASYNC(stable_sort)
SIMT_ASYNC(inclusive_scan)
SIMT_ASYNC(exclusive_scan)
#undef SIMT_ASYNC

/* If there are two policies, the second is the destination's; the iterators tell that, too. */
template <class P, class Q, class... A> device_event copy(P &&first, Q &&second, A &&...rest)
{
    if constexpr (simt_is_policy<P>() && simt_is_policy<Q>())
        thrust::copy(std::forward<A>(rest)...);
    else
        thrust::copy(std::forward<P>(first), std::forward<Q>(second), std::forward<A>(rest)...);
    return {};
}

template <class... A> auto reduce(A &&...arguments)
{
    auto sum = thrust::reduce(std::forward<A>(arguments)...);
    return device_future<decltype(sum)>(sum);
}

template <class P, class In, class Last, class Out, class... A>
typename std::enable_if<simt_is_policy<P>(), device_event>::type reduce_into(P &&policy, In first, Last last, Out out,
                                                                             A &&...rest)
{
    *out = thrust::reduce(policy, first, last, std::forward<A>(rest)...);
    return {};
}
template <class In, class Last, class Out, class... A>
typename std::enable_if<!simt_is_policy<In>(), device_event>::type reduce_into(In first, Last last, Out out,
                                                                               A &&...rest)
{
    *out = thrust::reduce(first, last, std::forward<A>(rest)...);
    return {};
}

} // namespace async

THRUST_NAMESPACE_END
