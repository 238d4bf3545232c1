/*
 * leaks.cpp - buffers, streams and events that a program has created and not released.
 */
#include "api/streams.hpp"

namespace simt {

/* "40 bytes: d_x, allocated at add.cu:30" */
static size_t say_buffers(FILE *f)
{
    size_t n = 0;
    for (Allocation &a : heap_live()) {
        if (a.base == device_heap())
            continue;
        const char *call = a.base < pinned_base ? "cudaFree" : "cudaFreeHost";
        name_allocation(&a);
        fprintf(f, "simt: leak: %s, %zu bytes, allocated at %s: no %s\n", a.name.c_str(), a.size,
                a.pc ? at_line(short_pc(a.pc)).c_str() : "an unknown line", call);
        ++n;
    }
    return n;
}

static size_t say_handles(FILE *f, const char *what, const char *call, const std::vector<uintptr_t> &places)
{
    for (const uintptr_t pc : places)
        fprintf(f, "simt: leak: %s, created at %s: no %s\n", what, at_line(short_pc(pc)).c_str(), call);
    return places.size();
}

} // namespace simt

using namespace simt;

size_t simt_leaks(FILE *f)
{
    const size_t n = say_buffers(f) + say_handles(f, "a stream", "cudaStreamDestroy", streams_left()) +
                     say_handles(f, "an event", "cudaEventDestroy", events_left());
    fprintf(f, "simt: %zu not freed or destroyed\n", n);
    return n;
}
