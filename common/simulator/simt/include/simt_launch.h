/* simt_launch.h - the functions that replace <<<grid, block, shared, stream>>>. */
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include <stddef.h>
#include <tuple>
#include <type_traits>
#include <utility>
#include "cuda_runtime_api.h"
#include "simt_calls.h"

/* Runs `call(args)` once per CUDA thread; `args`, so many bytes, is read only by `call`.  kernel: its address, nullptr
   if `call` alone knows which one it is.  bytes: 0 if there is more to the arguments than these. */
extern "C" void simt_run_grid(const char *name, const void *kernel, dim3 grid, dim3 block, size_t shared_bytes,
                              void (*call)(const void *args), const void *args, size_t bytes);

/* The data of a kernel that is launched by its address: how to call it and how to pack its arguments.  split:
 * stores the offset of each argument in a buffer with a GPU's layout; returns the size of the buffer. */
struct simt_kernel {
    void (*call)(const void *args);
    size_t bytes;               /* size of the packed arguments */
    void *(*pack)(const void *kernel, void **args);
    void (*drop)(void *packed);
    size_t (*split)(void *buffer, void **args);
};
extern "C" {
void simt_know_kernel(const void *kernel, struct simt_kernel how);
int simt_is_captured(cudaStream_t stream);
/* The same as simt_run_grid, in that stream. */
void simt_run_in(cudaStream_t stream, const char *name, const void *kernel, dim3 grid, dim3 block, size_t shared_bytes,
                 void (*call)(const void *args), const void *args, size_t bytes);
/* Adds the launch to the graph into which the stream is captured; the graph calls drop(args) when it is destroyed. */
void simt_capture_launch(cudaStream_t stream, const char *name, const void *kernel, dim3 grid, dim3 block,
                         size_t shared_bytes, void (*call)(const void *args), void *args, size_t bytes,
                         void (*drop)(void *));
}

/* A launch by a kernel: it runs when all earlier launches are over.  `bytes` of arguments are copied. */
extern "C" void simt_run_child(const char *name, const void *kernel, dim3 grid, dim3 block, size_t shared_bytes,
                               void (*call)(const void *args), const void *args, size_t bytes, cudaStream_t stream);

/* Without hooks: reading a kernel's arguments is no memory access of the kernel. */
#define SIMT_NOT_COUNTED __attribute__((no_sanitize("thread"), no_sanitize_coverage))

namespace simt {
#ifdef SIMT_PROGRAM
inline namespace program {     /* launches of programs of simtcc use streams, those of the course do not */
#endif

/* An argument as a thread receives it.  A GPU copies it bit by bit and never destroys the copy.  Here a class with
 * a copy constructor or destructor is passed by its address, as C++ itself does, and each thread has such a bitwise
 * copy. */
template <class P, bool AS_IT_IS = std::is_trivially_copy_constructible<P>::value &&
                                   std::is_trivially_move_constructible<P>::value &&
                                   std::is_trivially_destructible<P>::value>
struct argument {
    typedef P type;
    const P &value;
    SIMT_NOT_COUNTED explicit argument(const P &p) : value(p) {}
    SIMT_NOT_COUNTED P pass() { return value; }
};
template <class P> struct argument<P, false> {
    typedef P *type;
    alignas(P) unsigned char bits[sizeof(P)];
    SIMT_NOT_COUNTED explicit argument(const P &p) { __builtin_memcpy(bits, &p, sizeof(P)); }
    SIMT_NOT_COUNTED P *pass() { return (P *)bits; }
};

/* How an argument is stored until its threads run.  A reference, to managed memory, is stored as an address,
 * because std::get of a reference would read it through hooks. */
template <class P> struct kept {
    typedef P type;
    SIMT_NOT_COUNTED static const P &of(const P &p) { return p; }
};
template <class T> struct kept<T &> {
    typedef T *type;
    SIMT_NOT_COUNTED static T &of(T *const &p) { return *p; }
};
template <class T> T &&as_kept(std::remove_reference_t<T> &p, std::false_type) { return static_cast<T &&>(p); }
template <class T> std::remove_reference_t<T> *as_kept(std::remove_reference_t<T> &p, std::true_type)
{ return __builtin_addressof(p); }

/* A kernel with its configuration; calling it with the arguments runs the grid. */
template <class... P> class configured_kernel {
public:
    configured_kernel(const char *name, void (*kernel)(P...), dim3 grid, dim3 block, size_t shared,
                      cudaStream_t stream = nullptr)
        : name_(name), kernel_(kernel), grid_(grid), block_(block), shared_(shared), stream_(stream) {}

    void operator()(P... args) const
    {
#ifdef SIMT_PLAIN_ARGUMENTS
        static_assert((std::is_trivially_copyable<P>::value && ...), "arguments of a kernel are copied byte by byte");
#endif
#ifdef SIMT_PROGRAM
        if (stream_ && !simt_in_kernel() && simt_is_captured(stream_)) {
            auto *waits = new bundle{kernel_, arguments(as_kept<P>(args, std::is_lvalue_reference<P>())...)};
            simt_capture_launch(stream_, name_, (const void *)kernel_, grid_, block_, shared_, call, waits,
                                sizeof *waits, drop);
            return;
        }
#endif
        bundle b{kernel_, arguments(as_kept<P>(args, std::is_lvalue_reference<P>())...)};
#ifdef SIMT_PROGRAM
        if (simt_in_kernel())
            return simt_run_child(name_, (const void *)kernel_, grid_, block_, shared_, call, &b, sizeof b,
                                  stream_);
        if (stream_)
            return simt_run_in(stream_, name_, (const void *)kernel_, grid_, block_, shared_, call, &b, sizeof b);
#endif
        simt_run_grid(name_, (const void *)kernel_, grid_, block_, shared_, call, &b, sizeof b);
    }

    static simt_kernel by_address() { return {call, sizeof(bundle), pack, drop, split}; }

private:
    typedef std::tuple<typename kept<P>::type...> arguments;
    struct bundle { void (*kernel)(P...); arguments args; };

    template <size_t... I> static bundle *copy(const void *kernel, void **args, std::index_sequence<I...>)
    {
        return new bundle{(void (*)(P...))kernel, arguments(as_kept<const P &>(
            *(std::remove_reference_t<P> *)args[I], std::is_lvalue_reference<P>())...)};
    }
    static void *pack(const void *kernel, void **args) { return copy(kernel, args, std::index_sequence_for<P...>()); }
    static size_t split(void *buffer, void **args)
    {
        size_t n = 0, at = 0;
        (void)buffer, (void)args, (void)n;
        ((at = (at + alignof(P) - 1) / alignof(P) * alignof(P), args[n++] = (char *)buffer + at, at += sizeof(P)), ...);
        return at;
    }
    static void drop(void *b) { delete static_cast<bundle *>(b); }

    template <size_t... I> SIMT_NOT_COUNTED static void unpack(const bundle *b, std::index_sequence<I...>)
    {
        simt_enter((const void *)b->kernel);
        ((void (*)(typename argument<P>::type...))b->kernel)(argument<P>(kept<P>::of(std::get<I>(b->args))).pass()...);
    }

    SIMT_NOT_COUNTED static void call(const void *b)
    { unpack(static_cast<const bundle *>(b), std::index_sequence_for<P...>()); }

    const char *name_;
    void (*kernel_)(P...);
    dim3 grid_, block_;
    size_t shared_;
    cudaStream_t stream_;
};

template <class... P>
configured_kernel<P...> launch(const char *name, void (*kernel)(P...), dim3 grid, dim3 block,
                               size_t shared = 0, cudaStream_t stream = nullptr)
{ return configured_kernel<P...>(name, kernel, grid, block, shared, stream); }

/* The same for a kernel that is known only by a call, because its template arguments follow from the arguments of
 * the call.  Each thread converts the arguments. */
template <class F> class configured_call {
public:
    configured_call(const char *name, F call, dim3 grid, dim3 block, size_t shared, cudaStream_t stream = nullptr)
        : name_(name), call_(call), grid_(grid), block_(block), shared_(shared), stream_(stream) {}

    template <class... A> void operator()(A &&...args) const
    {
#ifdef SIMT_PLAIN_ARGUMENTS
        static_assert((std::is_trivially_copyable<std::decay_t<A>>::value && ...),
                      "arguments of a kernel are copied byte by byte");
#endif
#ifdef SIMT_PROGRAM
        if (stream_ && !simt_in_kernel() && simt_is_captured(stream_)) {
            using kept_t = bundle<std::decay_t<A>...>;
            auto *kept = new kept_t{call_, std::tuple<std::decay_t<A>...>(std::forward<A>(args)...)};
            simt_capture_launch(stream_, name_, nullptr, grid_, block_, shared_, run<std::decay_t<A>...>, kept,
                                sizeof *kept, [](void *b) { delete static_cast<kept_t *>(b); });
            return;
        }
#endif
        bundle<std::decay_t<A>...> b{call_, std::tuple<std::decay_t<A>...>(std::forward<A>(args)...)};
#ifdef SIMT_PROGRAM
        if (simt_in_kernel())
            return simt_run_child(name_, nullptr, grid_, block_, shared_, run<std::decay_t<A>...>, &b, sizeof b,
                                  stream_);
        if (stream_)
            return simt_run_in(stream_, name_, nullptr, grid_, block_, shared_, run<std::decay_t<A>...>, &b, sizeof b);
#endif
        simt_run_grid(name_, nullptr, grid_, block_, shared_, run<std::decay_t<A>...>, &b, sizeof b);
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
    cudaStream_t stream_;
};

template <class F>
configured_call<F> launch_call(const char *name, F call, dim3 grid, dim3 block,
                               size_t shared = 0, cudaStream_t stream = nullptr)
{ return configured_call<F>(name, call, grid, block, shared, stream); }

/* Returns the address of a kernel and registers it, so that a program can launch the kernel by this address. */
template <class... P> void *kernel_address(void (*kernel)(P...))
{
#ifdef SIMT_PROGRAM
    simt_know_kernel((const void *)kernel, configured_kernel<P...>::by_address());
#endif
    return (void *)kernel;
}
inline void *kernel_address(const void *kernel) { return const_cast<void *>(kernel); }
template <class T> T kernel_address(T what) { return what; }    /* for anything that is not a kernel */
/* The kernel or variable that a name expression of NVRTC names. */
template <class... P> void *named(void (*kernel)(P...)) { return kernel_address(kernel); }
template <class T> void *named(T &variable) { return (void *)&variable; }

#ifdef SIMT_PROGRAM
} // namespace program
#endif
} // namespace simt

#ifdef SIMT_PROGRAM
template <class... P> cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **args,
                                                   size_t shared = 0, cudaStream_t stream = nullptr)
{ return cudaLaunchKernel((const void *)simt::kernel_address(kernel), grid, block, args, shared, stream); }
template <class... P> cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **args,
                                                              size_t shared = 0, cudaStream_t stream = nullptr)
{ return cudaLaunchCooperativeKernel((const void *)simt::kernel_address(kernel), grid, block, args, shared, stream); }
template <class... P> cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, void (*kernel)(P...))
{ return cudaGetFuncBySymbol(function, (const void *)simt::kernel_address(kernel)); }
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...arguments)
{
    return [&](std::decay_t<P>... v) {
        void *args[] = {(void *)&v..., nullptr};
        return cudaLaunchKernelExC(config, simt::kernel_address(kernel), args);
    }(std::forward<A>(arguments)...);
}
#endif

/* A dependent kernel begins when the one before it has ended, so these two calls have nothing to do. */
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}

#endif
