/* simt_launch.h - what <<<grid, block, shared, stream>>> becomes. */
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include <stddef.h>
#include <tuple>
#include <type_traits>
#include <utility>
#include "cuda_runtime_api.h"
#include "simt_calls.h"

/* Runs `call(args)` once per CUDA thread; `args` is read only by `call`. */
extern "C" void simt_run_grid(const char *name, const void *kernel, dim3 grid, dim3 block,
                              size_t shared_bytes, void (*call)(const void *args), const void *args);

namespace simt {

/* A kernel with its configuration; calling it with the arguments runs the grid. */
template <class... P> class configured_kernel {
public:
    configured_kernel(const char *name, void (*kernel)(P...), dim3 grid, dim3 block, size_t shared)
        : name_(name), kernel_(kernel), grid_(grid), block_(block), shared_(shared) {}

    template <class... A> void operator()(A &&...args) const
    {
#ifdef SIMT_PLAIN_ARGUMENTS
        static_assert((std::is_trivially_copyable<P>::value && ...), "arguments of a kernel are copied byte by byte");
#endif
        bundle b{kernel_, std::tuple<P...>(static_cast<P>(std::forward<A>(args))...)};
        simt_run_grid(name_, (const void *)kernel_, grid_, block_, shared_, call, &b);
    }

private:
    struct bundle { void (*kernel)(P...); std::tuple<P...> args; };

    /* Not instrumented: reading the arguments is no memory access of the kernel. */
    template <size_t... I>
    __attribute__((no_sanitize("thread"), no_sanitize_coverage))
    static void unpack(const bundle *b, std::index_sequence<I...>)
    {
        simt_enter((const void *)b->kernel);
        b->kernel(std::get<I>(b->args)...);
    }

    __attribute__((no_sanitize("thread"), no_sanitize_coverage))
    static void call(const void *b)
    { unpack(static_cast<const bundle *>(b), std::index_sequence_for<P...>()); }

    const char *name_;
    void (*kernel_)(P...);
    dim3 grid_, block_;
    size_t shared_;
};

template <class... P>
configured_kernel<P...> launch(const char *name, void (*kernel)(P...), dim3 grid, dim3 block,
                               size_t shared = 0, cudaStream_t = nullptr)
{ return configured_kernel<P...>(name, kernel, grid, block, shared); }

} // namespace simt

#endif
