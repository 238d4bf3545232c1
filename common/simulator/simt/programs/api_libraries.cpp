/*
 * api_libraries.cpp - functions of the simulator that only CUDA's libraries call (common/simtcc/libraries): for their
 * own kernels, and for memory that a thread of a kernel allocates.
 */
#include <cstdlib>
#include <execinfo.h>
#include "internal.hpp"
#include "simt_libraries.h"

/* Every object that simtcc compiles refers to this symbol.  So if another linker is used, its error message names
 * the cure. */
extern "C" {
extern const char simt_links_with_simtcc__CMake_needs_its_toolchain_file;
const char simt_links_with_simtcc__CMake_needs_its_toolchain_file = 1;
}

extern "C" char __etext;                /* by the linker: where the program's code ends */

namespace simt {

__thread uintptr_t asked_at;
__thread int in_library;
static void *callers[64];               /* of the running library kernel */
static int n_callers;

uintptr_t readers_place(uintptr_t pc)
{
    const std::string file = pc ? place_of(short_pc(pc)).file : "";
    if (!file.empty() && !is_ours(file.c_str()))        /* installed libraries have no line numbers */
        return pc;
    void *here[64], **frames = current ? callers : here;
    const int n = current ? n_callers : backtrace(here, 64);
    for (int i = 0; i < n; ++i) {
        const uintptr_t at = (uintptr_t)frames[i];
        if (at < (uintptr_t)&__executable_start || at >= (uintptr_t)&__etext)
            continue;
        const Place p = place_of(short_pc(at));
        if (!p.file.empty() && !is_ours(p.file.c_str()) && p.file.find("common/simulator/simt/") == std::string::npos)
            return at;
    }
    return pc;
}

} // namespace simt

using namespace simt;

void simt_library_begin(void)
{
    ++in_library;
    n_callers = backtrace(callers, 64);
}

void simt_library_end(void)
{
    --in_library;
    n_callers = 0;
}

/* Memory that a kernel allocates is accessible at once; it is closed with all other memory when no kernel runs. */
void *simt_thread_malloc(size_t bytes)
{
    if (!current)
        return malloc(bytes);
    void *p = heap_allocate(bytes ? bytes : 1);
    if (p) {
        copy_window open(p, bytes);
        simt_name_buffer(p, "memory that a kernel has allocated");
        kernel_allocates((uintptr_t)p);
    }
    return p;
}

void simt_thread_free(void *p)
{
    if (!current)
        return free(p);
    if (p)
        kernel_frees((uintptr_t)p);
    if (p && !heap_free(p))
        fault(current, cudaErrorIllegalAddress, (uintptr_t)__builtin_return_address(0),
              "a kernel frees what no kernel has allocated", "host code frees its memory, and a kernel its own");
}

void simt_library_wrote(const void *p, size_t bytes)
{
    if (heap_covers(p, bytes))
        mark_initialised(p, bytes);
}
