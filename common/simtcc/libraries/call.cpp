/* call.cpp - checks the operands of a library call: whether their memory exists, and whether all that the call
 * reads has been written. */
#define XXH_INLINE_ALL
#include <algorithm>
#include <cstring>
#include <xxhash.h>
#include "call.hpp"
#include "internal.hpp"
#include "simt_launch.h"

using namespace simt;

namespace simt_library {

call::call(const char *name, cudaStream_t stream) : name_(name), stream_(stream) { memory_init(); }

call::~call()
{
    if (!open_)
        return;
    heap_close();
    mark_written();
}

void call::mark_written()
{
    for (const operand &o : operands_)
        for (size_t j = 0; o.does & WRITES && j < o.columns; ++j) {
            const size_t from = o.part == LOWER ? j : 0, to = o.part == UPPER ? std::min(j + 1, o.rows) : o.rows;
            if (from < to)
                mark_initialised((const void *)(o.at + (j * o.leading + from) * o.element), (to - from) * o.element);
        }
}

void call::matrix(const char *name, const void *p, size_t rows, size_t columns, size_t leading, size_t element,
                  int does, part_t part)
{
    if (rows && columns && does)
        operands_.push_back({name, (uintptr_t)p, rows, columns, leading, element, does, part});
}

void call::vector(const char *name, const void *p, size_t n, int64_t step, size_t element, int does)
{
    if (step == 0)
        n = n ? 1 : 0;
    matrix(name, p, 1, n, (size_t)(step < 0 ? -step : step), element, does);
}

void call::report(const char *what, const char *hint) const
{
    report_host_fault((uintptr_t)__builtin_return_address(0), what, hint);
}

/* The text of a message: "reads A, 4 x 3 elements of 4 bytes with a leading dimension of 8". */
static std::string words(const char *name, const char *operand, size_t rows, size_t columns, size_t leading,
                         size_t element, bool writes)
{
    const char *verb = writes ? "writes" : "reads";
    if (rows == 1)
        return format("%s %s %s, %zu element%s of %zu bytes%s", name, verb, operand, columns, columns == 1 ? "" : "s",
                      element, leading > 1 ? format(", every %zu-th", leading).c_str() : "");
    return format("%s %s %s, %zu x %zu elements of %zu bytes with a leading dimension of %zu", name, verb, operand,
                  rows, columns, element, leading);
}

bool call::is_there(const operand &o) const
{
    const size_t bytes = o.bytes();
    if (range_ok((const void *)o.at, bytes, DEVICE))
        return true;
    const std::string what = words(name_, o.name, o.rows, o.columns, o.leading, o.element, o.does & WRITES);
    Allocation a;
    if (!o.at)
        report(("null pointer: " + what).c_str(), "has the memory been allocated (cudaMalloc)?");
    else if (!heap.contains(o.at))
        report(("not device memory: " + what + format(", at %p", (void *)o.at)).c_str(),
               "the library works on GPU memory: copy it there (cudaMemcpy, cublasSetMatrix)");
    else if (!heap_find(o.at, &a))
        report(("out of bounds: " + what + ", where no buffer is").c_str(), "is the pointer one of cudaMalloc's?");
    else if (!a.live)
        report(("freed memory: " + what + " in " + a.name).c_str(), "cudaFree has been called on it before");
    else
        report(("out of bounds: " + what + format(", from byte %zu of ", (size_t)(o.at - a.base)) + a.name +
                format(" on: %zu bytes, but it has %zu", bytes, a.size)).c_str(),
               o.rows > 1 ? "compare rows, columns and the leading dimension with the size of the buffer"
                          : "compare the number of elements and the step with the size of the buffer");
    return false;
}

/* The first byte of [a, a + bytes) that was never written, or the end. */
static uintptr_t first_unwritten(uintptr_t a, size_t bytes)
{
    for (const uintptr_t end = a + bytes; a < end;) {
        const uint8_t *const word = &heap.state[(a - heap.base) / 4];
        uint64_t eight;
        if ((a & 3) == 0 && end - a >= 32 &&
            (memcpy(&eight, word, sizeof eight), ~eight & 0x0f0f0f0f0f0f0f0full) == 0) {
            a += 32;
            continue;
        }
        const unsigned state = *word;
        if (!(state >> (a & 3) & 1))
            return a;
        a += (a & 3) == 0 && (state & 15) == 15 ? 4 : 1;
    }
    return a;
}

bool call::is_written(const operand &o) const
{
    if (!heap.contains(o.at) || !(settings.checks & SIMT_CHECK_UNINITIALISED))
        return true;
    for (size_t j = 0; j < o.columns; ++j) {
        const size_t from = o.part == LOWER ? j : 0, to = o.part == UPPER ? std::min(j + 1, o.rows) : o.rows;
        const uintptr_t column = o.at + j * o.leading * o.element, end = column + to * o.element;
        const uintptr_t bad = from < to ? first_unwritten(column + from * o.element, (to - from) * o.element) : end;
        if (bad >= end)
            continue;
        const size_t row = (bad - column) / o.element;
        const std::string what = format("uninitialised memory: %s reads %s(%zu,%zu), which was never written", name_,
                                        o.name, o.rows == 1 ? j : row, o.rows == 1 ? 0 : j);
        const char *hint = "copy or set the whole operand before; counting is from 0";
        if (settings.lenient) {
            pass_host(WARNING, readers_place((uintptr_t)__builtin_return_address(0)), what, hint);
            return true;
        }
        report(what.c_str(), hint);
        return false;
    }
    return true;
}

bool call::later(std::function<void()> work)
{
    if (!stream_ || depends_on_now_ || !simt_is_captured(stream_) || sticky_error() != cudaSuccess)
        return false;
    const char *const name = name_;
    const std::vector<operand> operands = operands_;
    capture(stream_, cudaGraphNodeTypeKernel, [name, operands, work] {
        call again(name);
        again.operands_ = operands;
        if (again.begins())
            work();
        return sticky_error();
    });
    return true;
}

bool at_launch(cudaStream_t stream, const char *name, std::function<int()> again)
{
    if (!stream || !simt_is_captured(stream) || sticky_error() != cudaSuccess)
        return false;
    capture(stream, cudaGraphNodeTypeKernel, [name, again] {
        const int status = again();
        if (status != 0 && sticky_error() == cudaSuccess)
            call(name).is_wrong(format("refused with status %d", status),
                                "are the sizes and leading dimensions right?  A captured call is checked here when "
                                "the graph is launched; a GPU's library would have returned this status at once");
        return sticky_error();
    });
    return true;
}

bool call::may_begin()
{
    if (sticky_error() != cudaSuccess)
        return false;
    if (stream_ && simt_is_captured(stream_)) {
        report(format("%s with a scalar in GPU memory, on a stream that is captured", name_).c_str(),
               "the simulator would read it now, and not when the graph is launched: pass it in host memory");
        return false;
    }
    return true;
}

/* Many operands are in the same few buffers, so the last buffer is remembered. */
bool call::all_there() const
{
    std::vector<Allocation> buffers;
    for (const operand &o : operands_) {
        const auto holds = [&](const Allocation &a) {
            return o.at - a.base < a.size && o.bytes() <= a.base + a.size - o.at;
        };
        if (std::any_of(buffers.begin(), buffers.end(), holds))
            continue;
        if (!is_there(o))
            return false;
        Allocation a;
        if (buffers.size() < 8 && heap.contains(o.at) && heap_find(o.at, &a))
            buffers.push_back(a);
    }
    return true;
}

bool call::all_written() const
{
    for (const operand &o : operands_)
        if (o.does & READS && !is_written(o))
            return false;
    return true;
}

bool call::begins()
{
    if (!may_begin() || !all_there() || !all_written())
        return false;
    if (std::any_of(operands_.begin(), operands_.end(), [](const operand &o) { return (o.does & WRITES) != 0; }))
        heap_open();
    else
        heap_look();
    return open_ = true;
}

bool call::runs_once(const std::function<void()> &work)
{
    if (!may_begin() || !all_there())
        return false;
    const auto turn = host_turn();
    uintptr_t from = UINTPTR_MAX, end = 0;
    for (const operand &o : operands_)
        if (o.does & WRITES) {
            from = std::min(from, o.at);
            end = std::max(end, o.at + o.bytes());
        }
    /* Memory that the call only writes does not belong to its input. */
    const bool settled = std::none_of(operands_.begin(), operands_.end(), [&](const operand &o) {
        return o.does & READS && (o.does & WRITES || (o.at < end && o.at + o.bytes() > from));
    });
    const XXH128_hash_t all = XXH3_128bits(operands_.data(), operands_.size() * sizeof(operand));
    Repetition repetition(name_, std::string(name_) + '\0' + arguments_ + std::string((const char *)&all, sizeof all));
    if (repetition.again())
        return true;
    if (!all_written())
        return false;
    const double begin = seconds_now();
    heap_look();
    memory_touched(from, end > from ? end - from : 0);
    work();
    mark_written();
    repetition.over(seconds_now() - begin, {}, settled);
    heap_close();
    return true;
}

} // namespace simt_library
