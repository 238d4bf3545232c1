/*
 * carriers.cpp - the stacks on which threads run, with guard pages below them.
 */
#include <algorithm>
#include <atomic>
#include <sys/mman.h>
#include <unistd.h>
#include "internal.hpp"

namespace simt {

void carrier_reset(Carrier *c)
{
    c->context = place_new<carrier_main>(c->high - c->colour, c->high - c->colour - c->low);
}

/* Returns the bytes of a thread's stack.  A GPU has up to 512 KiB of local memory per thread; cudaLimitStackSize may
   require more. */
static size_t stack_bytes()
{
    const size_t plain = 64 << 10;
    return plain + std::max<size_t>(512 << 10, (limit_of(cudaLimitStackSize) + 4095) & ~(size_t)4095);
}

/* Returns the bytes of the guard: an access to a large local array could skip a guard of a few pages. */
size_t guard_bytes() { return 1 << 20; }

/* Guard pages: every access to them is a fault.  Since 6.13 Linux can make them without another mapping per stack, but
   writes an entry of a page table for each page, which costs more.  A process may have 65530 mappings, but a GPU of 132
   multiprocessors holds 270336 threads: only the first stacks get mappings. */
enum { GUARD_INSTALL = 102, POPULATE_READ = 22 };       /* MADV_*: older headers of the C library lack them */
enum { MAPPED_GUARDS = 4096 };

/* Returns whether Linux has such guards.  An emulator may accept any advice and do nothing, so this tests the guard by
   reading a page. */
static bool has_guards()
{
    const size_t bytes = (size_t)getpagesize();
    void *p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return false;
    const bool closed = madvise(p, bytes, GUARD_INSTALL) == 0 && madvise(p, bytes, POPULATE_READ) != 0;
    munmap(p, bytes);
    return closed;
}

static bool close_pages(char *p, size_t bytes)
{
    static std::atomic<unsigned> closed;
    if (closed.fetch_add(1, std::memory_order_relaxed) >= MAPPED_GUARDS) {
        static const bool guards = has_guards();
        if (guards && madvise(p, bytes, GUARD_INSTALL) == 0)
            return true;
    }
    return mprotect(p, bytes, PROT_NONE) == 0;
}

static void carrier_make(Carrier *c)
{
    const size_t guard = guard_bytes(), stack = stack_bytes();
    char *p = static_cast<char *>(mmap(nullptr, guard + stack, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0));
    if (p == MAP_FAILED || !close_pages(p, guard))
        give_up("memory for another thread's stack");
    c->low = p + guard;
    c->high = c->low + stack;
    carrier_reset(c);
}

static void carrier_unmap(const Carrier *c)
{
    const size_t guard = guard_bytes();
    munmap(c->low - guard, c->high - c->low + guard);
}

Carrier *carrier_take(Worker *w)
{
    if (w->idle.empty()) {
        Carrier *c = new Carrier;
        /* Stacks that all start at the same offset in a page would compete for the same few cache lines. */
        c->colour = w->carriers.size() % 32 * 192;
        carrier_make(c);
        w->carriers.push_back(c);
        w->idle.push_back(c);
    }
    Carrier *c = w->idle.back();
    w->idle.pop_back();
    if ((size_t)(c->high - c->low) < stack_bytes()) {   /* the limit has been raised */
        carrier_unmap(c);
        carrier_make(c);
    }
    return c;
}

void carrier_delete(Carrier *c)
{
    carrier_unmap(c);
    delete c;
}

} // namespace simt
