/*
 * epochs.cpp - the execution of a block between two barriers or fences is an epoch, with its own number.
 */
#include <sys/mman.h>
#include "internal.hpp"

namespace simt {

static std::atomic<uint64_t> next_epoch{1};
enum { BATCH = 256 };
static const uint64_t OWNERS = 1ull << 26;      /* the number of epochs whose block is remembered */
static uint32_t *owners = static_cast<uint32_t *>(reserve(OWNERS * sizeof(uint32_t)));

/* Returns the first epoch of a new launch.  *wrapped: the numbers start over, so the caller must clear all tags. */
uint64_t first_epoch_of_launch(uint64_t blocks, bool *wrapped)
{
    static uint64_t kept;
    if (!owners)
        give_up("address space for the owners of epochs");
    *wrapped = next_epoch + blocks + (1u << 30) > UINT32_MAX;   /* room for barriers */
    if (*wrapped)
        next_epoch = 1;
    if (*wrapped || next_epoch - kept > 1 << 16) {  /* older epochs are no longer needed */
        madvise(owners, OWNERS * sizeof(uint32_t), MADV_DONTNEED);
        kept = next_epoch;
    }
    return next_epoch;
}

uint64_t epoch_of_copy() { return next_epoch.fetch_add(1); }

/* Returns the block that had `epoch`; NULL if the epoch is so old that its block is not stored any more. */
const uint32_t *epoch_owner(uint64_t epoch)
{ return epoch + OWNERS >= next_epoch.load(std::memory_order_relaxed) ? &owners[epoch % OWNERS] : nullptr; }

void new_epoch(Block *b)
{
    if (unchecked())
        return;                     /* unchecked programs have no marks, which store epochs */
    Worker *w = b->worker;
    if (w->epoch_next == w->epoch_end) {
        w->epoch_next = next_epoch.fetch_add(BATCH);
        w->epoch_end = w->epoch_next + BATCH;
        if (w->epoch_end > UINT32_MAX)
            give_up("numbers for so many blocks and barriers in one launch");
        order_owns(b->launch->order, w->epoch_next, w->epoch_end);
    }
    b->epoch = w->epoch_next++;
    owners[b->epoch % OWNERS] = (uint32_t)b->linear;
}

} // namespace simt
