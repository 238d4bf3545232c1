/*
 * call.hpp - one call of a CUDA library; checks the GPU memory that the call reads and writes before it runs.
 *
 * The CPU libraries that do the work know nothing of a GPU.  So each call first lists its operands, and runs only if
 * their memory exists.  Otherwise it reports a fault as a kernel does, under the name of the call.
 */
#ifndef SIMT_LIBRARY_CALL_HPP
#define SIMT_LIBRARY_CALL_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>
#include "cuda_runtime_api.h"

namespace simt_library {

/* SOME: the call reads some elements between the first and the last, so it is not checked whether all of them were
 * written. */
enum { READS = 1, WRITES = 2, SOME = 4 };
/* The part of a matrix that is read: all, or the upper or lower triangle with the diagonal. */
enum part_t { ALL, UPPER, LOWER };

class call {
public:
    /* name: as in the program.  stream: the stream of the call. */
    explicit call(const char *name, cudaStream_t stream = nullptr);
    /* Makes GPU memory inaccessible to the host again. */
    ~call();
    call(const call &) = delete;
    call &operator=(const call &) = delete;

    /* rows x columns elements, `leading` elements from one column to the next. */
    void matrix(const char *name, const void *p, size_t rows, size_t columns, size_t leading, size_t element, int does,
                part_t part = ALL);
    /* n elements, every |step|-th; a step of 0 is one element. */
    void vector(const char *name, const void *p, size_t n, int64_t step, size_t element, int does);
    /* false: something is not right and has been reported, or an earlier fault has stopped the program's CUDA calls.
     * true: the memory is open as long as this lives, and what is written counts as written. */
    bool begins();
    /* If the stream is captured into a graph: work() becomes a node, which checks the operands at each launch.
     * false: the stream is not captured, or the call depends on values in GPU memory, which begins() refuses. */
    bool later(std::function<void()> work);
    /* Runs the work, in the graph (later()) or at once; false: begins() has failed. */
    template <class F> bool run(F work)
    {
        if (later(work))
            return true;
        if (!arguments_.empty())
            return runs_once(work);
        if (!begins())
            return false;
        work();
        return true;
    }
    /* Adds arguments.  If the arguments and operands determine the result, and the same call has run before on
     * unchanged memory, it is not run again (simt/programs/repeats.cpp). */
    template <class... T> void does_what(const T &...argument)
    { (arguments_.append((const char *)&argument, sizeof argument), ...); }
    /* The call depends on a value that it has read from GPU memory. */
    void depends_on_now() { depends_on_now_ = true; }
    /* Reports a fault that only the values show, such as a column that the matrix does not have, in the form of a
     * kernel's fault. */
    void is_wrong(const std::string &what, const char *hint) const { report((name_ + (": " + what)).c_str(), hint); }
    const char *name() const { return name_; }

private:
    struct operand {
        const char *name;
        uintptr_t at;
        size_t rows, columns, leading, element;
        int does;
        part_t part;
        size_t bytes() const { return ((columns - 1) * leading + rows) * element; }
    };
    bool may_begin();
    bool all_there() const;
    bool all_written() const;
    bool runs_once(const std::function<void()> &work);
    void mark_written();
    bool is_there(const operand &o) const;
    bool is_written(const operand &o) const;
    void report(const char *what, const char *hint) const;

    const char *name_;
    cudaStream_t stream_;
    std::vector<operand> operands_;
    std::string arguments_;
    bool open_ = false, depends_on_now_ = false;
};

/* If the stream is captured: makes again() a node of the graph, which does the entire call at each launch.  This is for
 * calls whose scalars are in GPU memory and have their values only then.  again() returns the library's status; one
 * that is not 0 is reported, because the program cannot see it.  false: the stream is not captured. */
bool at_launch(cudaStream_t stream, const char *name, std::function<int()> again);

/* Reads a value to which the program passes a host pointer or, in that pointer mode, a device pointer. */
template <class T> T value_at(call &c, const char *name, const T *p, bool on_gpu)
{
    T value{};
    if (!on_gpu)
        return p ? *p : value;
    c.vector(name, p, 1, 1, sizeof(T), READS);
    c.depends_on_now();
    return cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess ? value : T{};
}

/* The library's statuses for an invalid handle, a wrong argument and a failed call. */
template <class S> struct statuses;
#define SIMT_STATUSES(S, NAME)                                               \
    template <> struct statuses<S> {                                         \
        static constexpr S not_initialised = NAME##_STATUS_NOT_INITIALIZED;  \
        static constexpr S invalid = NAME##_STATUS_INVALID_VALUE;            \
        static constexpr S failed = NAME##_STATUS_EXECUTION_FAILED;          \
    };

/* A call whose arguments are checked one after the other; the first error becomes its status. */
template <class S> class checked_call : public call {
public:
    checked_call(const char *name, cudaStream_t stream, bool has_handle)
        : call(name, stream), status_(has_handle ? S() : statuses<S>::not_initialised) {}
    bool fine() const { return status_ == S(); }
    S status() const { return status_; }
    void wrong_if(bool wrong, S status = statuses<S>::invalid)
    {
        if (wrong && fine())
            status_ = status;
    }
    template <class T>
    void matrix(const char *name, const T *p, int rows, int columns, int leading, int does, part_t part = ALL)
    {
        wrong_if(rows < 0 || columns < 0 || leading < (rows > 1 ? rows : 1));
        if (fine())
            call::matrix(name, p, (size_t)rows, (size_t)columns, (size_t)leading, sizeof *p, does, part);
    }
    /* Runs the library's work now or, if the stream is captured, when the graph is launched. */
    template <class F> S run(F does)
    {
        if (fine() && !call::run(does))
            status_ = statuses<S>::failed;
        return status_;
    }

private:
    S status_;
};

/* Reads an array of pointers from the GPU after checking it; an empty vector if the array is invalid. */
template <class T, class S> std::vector<T *> pointers(checked_call<S> &c, const char *name, T *const *p, int count)
{
    call look(c.name());
    look.vector(name, p, count > 0 ? (size_t)count : 0, 1, sizeof *p, READS);
    if (count > 0 && c.fine() && look.begins())
        return std::vector<T *>(p, p + count);
    c.wrong_if(count > 0);
    return {};
}

/* A status, its name and its meaning. */
template <class S> struct state { S value; const char *name, *text; };
template <class S, size_t N>
const char *state_text(const state<S> (&all)[N], S status, const char *state<S>::*which, const char *unknown)
{
    for (const state<S> &s : all)
        if (s.value == status)
            return s.*which;
    return unknown;
}

/* Bodies of functions that do one thing if their argument, or the handle, is valid. */
#define SIMT_DOES(S, condition, ...)            \
    {                                           \
        if (!(condition))                       \
            return statuses<S>::invalid;          \
        __VA_ARGS__;                            \
        return S();                             \
    }
#define SIMT_HAS(S, handle, ...)                \
    {                                           \
        if (!(handle))                          \
            return statuses<S>::not_initialised;        \
        __VA_ARGS__;                            \
        return S();                             \
    }

} // namespace simt_library

#endif
