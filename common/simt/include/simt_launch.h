/* simt_launch.h - what <<<grid, block, shared, stream>>> becomes. */
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include <stddef.h>
#include <tuple>
#include <type_traits>
#include <utility>
#include "cuda_runtime_api.h"
#include "simt_calls.h"

/* Runs `call(args)` once per CUDA thread; `args` is read only by `call`.  kernel: its address, nullptr if `call` alone
   knows which one it is. */
extern "C" void simt_run_grid(const char *name, const void *kernel, dim3 grid, dim3 block,
                              size_t shared_bytes, void (*call)(const void *args), const void *args);

/* Without hooks: reading a kernel's arguments is no memory access of the kernel. */
#define SIMT_NOT_COUNTED __attribute__((no_sanitize("thread"), no_sanitize_coverage))

namespace simt {

/* A kernel with its configuration; calling it with the arguments runs the grid. */
template <class... P> class configured_kernel {
public:
    configured_kernel(const char *name, void (*kernel)(P...), dim3 grid, dim3 block, size_t shared)
        : name_(name), kernel_(kernel), grid_(grid), block_(block), shared_(shared) {}

    void operator()(P... args) const
    {
#ifdef SIMT_PLAIN_ARGUMENTS
        static_assert((std::is_trivially_copyable<P>::value && ...), "arguments of a kernel are copied byte by byte");
#endif
        bundle b{kernel_, std::tuple<P...>(std::forward<P>(args)...)};
        simt_run_grid(name_, (const void *)kernel_, grid_, block_, shared_, call, &b);
    }

private:
    struct bundle { void (*kernel)(P...); std::tuple<P...> args; };

    template <size_t... I> SIMT_NOT_COUNTED static void unpack(const bundle *b, std::index_sequence<I...>)
    {
        simt_enter((const void *)b->kernel);
        b->kernel(std::get<I>(b->args)...);
    }

    SIMT_NOT_COUNTED static void call(const void *b)
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

/* The same for a kernel that is known by a call only, since its template arguments come from what it is called with.
   What it is called with is converted by each thread. */
template <class F> class configured_call {
public:
    configured_call(const char *name, F call, dim3 grid, dim3 block, size_t shared)
        : name_(name), call_(call), grid_(grid), block_(block), shared_(shared) {}

    template <class... A> void operator()(A &&...args) const
    {
        bundle<std::decay_t<A>...> b{call_, std::tuple<std::decay_t<A>...>(std::forward<A>(args)...)};
        simt_run_grid(name_, nullptr, grid_, block_, shared_, run<std::decay_t<A>...>, &b);
    }

private:
    template <class... P> struct bundle { F call; std::tuple<P...> args; };

    template <class B, size_t... I> SIMT_NOT_COUNTED static void unpack(const B *b, std::index_sequence<I...>)
    { b->call(std::get<I>(b->args)...); }

    template <class... P> SIMT_NOT_COUNTED static void run(const void *b)
    { unpack(static_cast<const bundle<P...> *>(b), std::index_sequence_for<P...>()); }

    const char *name_;
    F call_;
    dim3 grid_, block_;
    size_t shared_;
};

template <class F>
configured_call<F> launch_call(const char *name, F call, dim3 grid, dim3 block,
                               size_t shared = 0, cudaStream_t = nullptr)
{ return configured_call<F>(name, call, grid, block, shared); }

} // namespace simt

#endif
