/*
 * device_heap.cpp - malloc, new, free and delete in a kernel.  The heap has the size that cudaLimitMallocHeapSize has
 * when the first kernel allocates memory.
 *
 * Memory between the allocated pieces counts as not allocated, so an index past a piece and a use after free are
 * detected.  If the heap is full, malloc returns a null pointer, as on a GPU.
 */
#include <cstring>
#include <map>
#include "internal.hpp"

namespace simt {

enum { GAP = 64, STEP = 16 };           /* the bytes between pieces, and the alignment of pieces */
static std::mutex lock;
static uintptr_t base, next_piece, end;
struct Piece { size_t bytes; uintptr_t pc; };
static std::map<uintptr_t, Piece> pieces;
static std::multimap<size_t, uintptr_t> freed;          /* key: their size */

uintptr_t device_heap() { return base; }

static bool have_heap()
{
    if (base)
        return true;
    const size_t bytes = limit_of(cudaLimitMallocHeapSize);
    base = (uintptr_t)heap_allocate(bytes);
    if (!base)
        return false;
    simt_name_buffer((void *)base, "the heap of kernels");
    set_exists((void *)base, bytes, false);
    heap_open_more(base, bytes);
    next_piece = base;
    end = base + bytes;
    return true;
}

/* Finds memory; reuses a freed piece only when no fresh memory is left, so that uses after free are detected longer. */
static uintptr_t find_piece(size_t room)
{
    if (next_piece + room + GAP <= end) {
        const uintptr_t p = next_piece;
        next_piece += room + GAP;
        return p;
    }
    const auto old = freed.lower_bound(room);
    if (old == freed.end())
        return 0;
    const uintptr_t p = old->second;
    freed.erase(old);
    return p;
}

void device_free(void *p, uintptr_t pc)
{
    if (!p)
        return;
    kernel_frees((uintptr_t)p);
    {
        std::lock_guard<std::mutex> hold(lock);
        const auto found = pieces.find((uintptr_t)p);
        if (found != pieces.end()) {
            const size_t bytes = found->second.bytes;
            set_exists(p, bytes, false);
            forget_hidden(current->block->launch, found->first, bytes);
            freed.emplace((bytes + STEP - 1) / STEP * STEP, found->first);
            pieces.erase(found);
            return;
        }
    }
    fault(current, cudaErrorIllegalAddress, pc,
          format("free, delete or cudaFree of %p, which no kernel has allocated, or which is already freed", p),
          "free each allocation once; host code must free what host code has allocated");
}

void *device_malloc(size_t bytes, uintptr_t pc)
{
    std::lock_guard<std::mutex> hold(lock);
    const uintptr_t p = bytes && have_heap() ? find_piece((bytes + STEP - 1) / STEP * STEP) : 0;
    if (!p)
        return nullptr;
    pieces[p] = {bytes, pc};
    set_exists((void *)p, bytes, true);
    kernel_allocates(p);
    return (void *)p;
}

} // namespace simt

using namespace simt;

void *simt_device_malloc(size_t bytes) { return device_malloc(bytes, (uintptr_t)__builtin_return_address(0)); }

void simt_say_lost(FILE *f)
{
    std::map<uintptr_t, std::pair<size_t, size_t>> lost;        /* key: program point; value: pieces, bytes */
    for (const auto &p : pieces) {
        ++lost[p.second.pc].first;
        lost[p.second.pc].second += p.second.bytes;
    }
    for (const auto &l : lost)
        fprintf(f, "simt: hint: no kernel has freed %zu piece%s of the kernels' heap, %zu bytes, allocated at %s\n",
                l.second.first, l.second.first == 1 ? "" : "s", l.second.second, at_line(short_pc(l.first)).c_str());
}

void simt_device_free(void *p) { device_free(p, (uintptr_t)__builtin_return_address(0)); }
