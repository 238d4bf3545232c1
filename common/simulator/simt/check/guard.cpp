/*
 * guard.cpp - reports accesses to device memory by host code, which are faults on a GPU, too.
 *
 * The pages of the heap are accessible only while a kernel or one of the simulator's copies runs.  Host code of a .cu
 * file has hooks, which see an access before it happens and know its size.  Other host code (C files, memcpy, a
 * library) hits an inaccessible page, and the signal handler reports the same fault.
 *
 * In both cases the program continues: the fault is stored, every later CUDA call fails with it, and the pages stay
 * accessible until simt_fault_clear(), so that the user sees one report instead of a crash.
 *
 * In an unchecked program (simtcc --unchecked) the pages are always open.
 */
#include <execinfo.h>
#include <sys/mman.h>
#include <unistd.h>
#include "internal.hpp"

extern "C" char __etext;                /* the end of the program's code, defined by the linker */

namespace simt {

static std::mutex lock;
static int openers;                     /* number of running kernels, plus 1 after a fault */
static bool broken;                     /* the heap stays open because of a fault */
static bool closed = true;              /* the heap is closed now */
static std::vector<Allocation> opened;  /* the ranges that heap_close has to close */

static void protect(uintptr_t from, uintptr_t to, int rights)
{
    if (unchecked())
        return;                         /* the heap is open */
    const uintptr_t page = (uintptr_t)getpagesize();
    from &= ~(page - 1);
    to = (to + page - 1) & ~(page - 1);
    if (from < to && mprotect((void *)from, to - from, rights) != 0)
        give_up("memory maps for the pages of device memory");
}

static bool is_guarded(uintptr_t a) { return heap.contains(a) && !is_managed(a); }

/* Opens only live buffers: opening freed ones, too, would take longer with every allocation.  One call opens buffers
   that are near each other and the pages between them, because splitting a mapping costs more than opening a few pages
   more. */
static void open_heap()
{
    const uintptr_t near = 1 << 20;
    uintptr_t from = 0, to = 0;
    bool reads = false;
    auto open_run = [&] {
        if (from == to)
            return;
        protect(from, to, reads ? PROT_READ : PROT_READ | PROT_WRITE);
        opened.push_back({from, to - from, true, ""});
    };
    for (const Allocation &a : heap_live()) {   /* in order */
        if (is_managed(a.base))
            continue;                   /* this memory is never closed */
        if (a.base > to + near || a.read_only != reads) {
            open_run();
            from = a.base;
            reads = a.read_only;
        }
        to = a.base + a.size;
    }
    open_run();
    closed = false;
}

void heap_look()
{
    if (unchecked())
        return;
    std::lock_guard<std::mutex> hold(lock);
    ++openers;
    open_heap();                        /* also if it is open: there may be new buffers */
}

void heap_open()
{
    heap_look();
    memory_touched();
}

void heap_open_more(uintptr_t from, size_t bytes)
{
    std::lock_guard<std::mutex> hold(lock);
    protect(from, from + bytes, PROT_READ | PROT_WRITE);
    opened.push_back({from, bytes, true, ""});
}

void heap_close()
{
    if (unchecked())
        return;
    std::lock_guard<std::mutex> hold(lock);
    if (--openers > 0)
        return;
    for (const Allocation &a : opened)
        protect(a.base, a.base + a.size, PROT_NONE);
    opened.clear();
    closed = true;
}

/* Opens the two ranges of a copy by the simulator; they may also be outside the heap. */
copy_window::copy_window(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
    : from{(uintptr_t)a, (uintptr_t)b}, size{a_bytes, b_bytes}
{
    lock.lock();
    for (int i = 0; i < 2; ++i) {
        if (!is_guarded(from[i]))
            continue;
        memory_touched(from[i], size[i]);
        protect(from[i], from[i] + size[i], PROT_READ | PROT_WRITE);
        if (!closed)                    /* open for another thread's kernel, maybe since before this buffer existed */
            opened.push_back({from[i], size[i], true, ""});
    }
}

copy_window::~copy_window()
{
    for (int i = 0; i < 2 && closed; ++i)
        if (is_guarded(from[i]))
            protect(from[i], from[i] + size[i], PROT_NONE);
    lock.unlock();
}

static void report(uintptr_t a, unsigned size, const char *does, uintptr_t pc)
{
    const bool variable = program.contains(a);
    report_host_fault(pc, format("host code %s device memory: %s; a GPU would %s", does,
                                 place_in_memory(a, size).c_str(),
                                 variable ? "not let it see it" : "crash"),
                      variable ? "cudaMemcpyFromSymbol or cudaMemcpyToSymbol, or launch a kernel"
                               : "copy it (cudaMemcpy), or launch a kernel that does the work");
    std::lock_guard<std::mutex> hold(lock);
    if (!broken)
        ++openers;
    broken = true;
    open_heap();                        /* also if it is open: there may be new buffers */
}

/* Reports the fault; a submission of the grader does not continue after it. */
static void report_and_leave(uintptr_t a, unsigned size, const char *does, uintptr_t pc)
{
    report(a, size, does, pc);
    leave_confined();
}

void host_access_fault(uintptr_t a, unsigned size, AccessKind k, uintptr_t pc)
{
    if (!broken)
        report_and_leave(a, size, k == READ ? "reads" : "writes", pc);
}

/* Returns the innermost program point in the program's code, for a fault in library code. */
static uintptr_t calling_place(void *at)
{
    void *frames[64];
    const int n = backtrace(frames, 64);
    int i = 0;
    while (i < n && frames[i] != at)    /* skip the frames of this handler */
        ++i;
    for (; i < n; ++i) {
        const uintptr_t pc = (uintptr_t)frames[i];
        if (pc >= (uintptr_t)&__executable_start && pc < (uintptr_t)&__etext)
            return pc + (frames[i] == at);      /* as if it were a return address */
    }
    return (uintptr_t)at;
}

bool host_signal(uintptr_t a, const char *does, void *at)
{
    if (!heap.contains(a))
        return false;
    std::unique_lock<std::mutex> hold(lock);
    Allocation al;
    if (!closed && heap_find(a, &al) && al.live && a - al.base < al.size)
        return false;                   /* the page is open, so the fault has another cause */
    hold.unlock();
    if (!broken)
        report_and_leave(a, 0, does, calling_place(at));
    protect(a, a + 1, PROT_READ | PROT_WRITE);      /* it may be outside of all buffers */
    return true;
}

void heap_forget_fault()
{
    std::unique_lock<std::mutex> hold(lock);
    const bool was = broken;
    broken = false;
    hold.unlock();
    if (was)
        heap_close();
}

} // namespace simt
