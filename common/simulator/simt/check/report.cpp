/*
 * report.cpp - stores and prints the first fault, with which every later CUDA call fails.
 */
#include <cstdarg>
#include <cstdlib>
#include "internal.hpp"

namespace simt {

static std::mutex lock;
static std::string text;
static bool have_fault;
static cudaError_t sticky = cudaSuccess;

std::string format(const char *fmt, ...)
{
    char buffer[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(buffer, sizeof buffer, fmt, args);
    va_end(args);
    return buffer;
}

std::string at_line(uint32_t pc)
{
    Place p = place_of(pc);
    return p.file.empty() ? format("program point 0x%x", pc) : p.file + format(":%d", p.line);
}

std::string thread_name(const Block *b, uint32_t id)
{
    uint3 i = b->threads[id].index;
    return format("thread (%u,%u,%u)", i.x, i.y, i.z);
}

std::string place_text(Thread *t, uintptr_t pc)
{
    const Block *b = t->block;
    pc = readers_place(pc);
    const std::string source = line_text(place_of(short_pc(pc)));
    return format("  in %s, block (%u,%u,%u), ", b->launch->name, b->index.x, b->index.y, b->index.z) +
           thread_name(b, t->id) + "\n  at " + at_line(short_pc(pc)) + (source.empty() ? "" : ":  " + source) + "\n";
}

static std::string place_line(uintptr_t pc)
{
    const std::string source = line_text(place_of(short_pc(pc)));
    return "  at " + at_line(short_pc(pc)) + (source.empty() ? "" : ":  " + source) + "\n";
}

std::string host_place_text(uintptr_t pc)
{ return "  in host code, outside of all kernels\n" + place_line(readers_place(pc)); }

static void keep(const std::string &report)
{
    if (have_fault)
        return;
    have_fault = true;
    text = report;
    if (settings.report) {
        fputs(text.c_str(), settings.report);
        fflush(settings.report);
    }
}

void report_fault(Thread *t, cudaError_t error, uintptr_t pc, const std::string &what, const std::string &hint)
{
    const Block *b = t->block;
    std::lock_guard<std::mutex> hold(lock);
    if (!b->launch->aborted.exchange(true)) {
        keep("simt: " + what + "\n" + place_text(t, pc) + "  note: " + hint + "\n");
        sticky = error;
        film_fault(t, pc);
    }
}

void report_host_fault(uintptr_t pc, const std::string &what, const std::string &hint)
{
    std::lock_guard<std::mutex> hold(lock);
    keep("simt: " + what + "\n" + host_place_text(pc) + "  note: " + hint + "\n");
    sticky = cudaErrorIllegalAddress;
}

void report_late(const std::string &report)
{
    std::lock_guard<std::mutex> hold(lock);
    keep(report);
    sticky = cudaErrorLaunchFailure;
}

void report_launch(const char *kernel, cudaError_t error, const std::string &what)
{
    std::lock_guard<std::mutex> hold(lock);
    const uintptr_t pc = current ? 0 : readers_place(0);
    keep("simt: bad launch of " + std::string(kernel) + ": " + what + "\n" + (pc ? place_line(pc) : ""));
    set_last_error(error);
}

void fault(Thread *t, cudaError_t error, uintptr_t pc, std::string what, std::string hint)
{
    {
        std::string w = std::move(what), h = std::move(hint);   /* freed here: the caller never returns */
        report_fault(t, error, pc, w, h);
    }
    leave_kernel();
}

cudaError_t sticky_error() { return sticky; }

} // namespace simt

using namespace simt;

const char *simt_fault(void) { return have_fault ? text.c_str() : nullptr; }

void simt_fault_clear(void)
{
    have_fault = false;
    text.clear();
    sticky = cudaSuccess;
    set_last_error(cudaSuccess);
    heap_forget_fault();
}

/* A failed assert() calls this, in kernels and in host code. */
extern "C" void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) noexcept
{
    if (Thread *t = current)
        fault(t, cudaErrorAssert, (uintptr_t)__builtin_return_address(0),
              format("assertion failed: %s", expression),
              "print the values in the assertion, and find the one that is wrong");
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
    abort();
}
