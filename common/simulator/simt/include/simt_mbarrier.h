/*
 * simt_mbarrier.h - barriers in shared memory that count arrivals and bytes: mbarrier of PTX, and the copies that tell
 * one how many bytes have come (cp.async.bulk).  Copies are done at once.
 *
 * A barrier is 64 bits, changed as a whole:
 *     0-15 arrivals that are missing    16-31 arrivals a phase    32-55 bytes that are missing    56-63 phase
 * A phase is over when nothing is missing.  What arrives releases, what sees that a phase is over acquires.
 */
#ifndef SIMT_MBARRIER_H
#define SIMT_MBARRIER_H

namespace simt_ptx {

enum { MBARRIER_EXPECTED = 16, MBARRIER_BYTES = 32, MBARRIER_PHASE = 56 };

template <class T> SIMT_PTX void mbarrier_init(char *at, uint32_t expected)
{ *(uint64_t *)at = (uint64_t)expected << MBARRIER_EXPECTED | expected; }
template <class T> SIMT_PTX void mbarrier_inval(char *) {}

/* Subtracts missing arrivals, changes the number of missing bytes, and reduces the arrivals of later phases.
 * Returns the old barrier. */
SIMT_PTX uint64_t mbarrier_change(char *at, uint32_t arrivals, int32_t bytes, uint32_t dropped)
{
    unsigned long long *const b = (unsigned long long *)at;
    simt_fence(cluster_size() > 1);
    uint64_t seen = atomicOr(b, 0ull), old;
    do {
        old = seen;
        const uint32_t expected = (uint32_t)(old >> MBARRIER_EXPECTED & 0xffff) - dropped;
        const uint32_t missing = (uint32_t)(old & 0xffff) - arrivals;
        const uint32_t rest = (uint32_t)((old >> MBARRIER_BYTES & 0xffffff) + (uint32_t)bytes) & 0xffffff;
        const bool over = missing == 0 && rest == 0;
        const uint64_t phase = ((old >> MBARRIER_PHASE) + over) & 0xff;
        const uint64_t now = phase << MBARRIER_PHASE | (uint64_t)rest << MBARRIER_BYTES |
                             (uint64_t)expected << MBARRIER_EXPECTED | (over ? expected : missing & 0xffff);
        seen = atomicCAS(b, old, now);
    } while (seen != old);
    simt_fence(cluster_size() > 1);
    return old;
}
template <class T> SIMT_PTX uint64_t mbarrier_arrive(char *at, uint32_t arrivals = 1)
{ return mbarrier_change(at, arrivals, 0, 0); }
template <class T> SIMT_PTX uint64_t mbarrier_arrive_drop(char *at, uint32_t arrivals = 1)
{ return mbarrier_change(at, arrivals, 0, arrivals); }
template <class T> SIMT_PTX uint64_t mbarrier_arrive_expect(char *at, uint32_t bytes)
{ return mbarrier_change(at, 1, (int32_t)bytes, 0); }
template <class T> SIMT_PTX void mbarrier_expect(char *at, uint32_t bytes)
{ mbarrier_change(at, 0, (int32_t)bytes, 0); }
template <class T> SIMT_PTX void mbarrier_complete(char *at, uint32_t bytes)
{ mbarrier_change(at, 0, -(int32_t)bytes, 0); }

/* Reports the copies of this thread, which are complete, to the barrier: as an additional arrival, or as one of
 * those that it expects. */
template <class T> SIMT_PTX void async_arrive(char *) { async_wait_all<T>(); }
template <class T> SIMT_PTX uint64_t async_arrive_noinc(char *at)
{ return async_wait_all<T>(), mbarrier_arrive<T>(at); }

/* Whether the phase is over in which `state` was returned, or the phase of this parity. */
template <class T> SIMT_PTX uint64_t mbarrier_phase(char *at)
{
    const uint64_t now = atomicOr((unsigned long long *)at, 0ull);
    simt_fence(cluster_size() > 1);
    return now >> MBARRIER_PHASE;
}
template <class T> SIMT_PTX bool mbarrier_is_past(char *at, uint64_t state, uint32_t = 0)
{ return mbarrier_phase<T>(at) != state >> MBARRIER_PHASE; }
template <class T> SIMT_PTX bool mbarrier_is_past_parity(char *at, uint32_t parity, uint32_t = 0)
{ return (mbarrier_phase<T>(at) & 1) != (parity & 1); }

/* cp.async.bulk: one thread copies multiples of 16 bytes; the barrier, if there is one, gets the number of bytes. */
SIMT_PTX void bulk_words(char *to, const char *from, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 16) *(float4 *)(to + i) = *(const float4 *)(from + i);
}
template <class T> SIMT_PTX void bulk_in(char *to, const char *from, uint32_t bytes, char *barrier)
{
    bulk_words(to, from, bytes);
    mbarrier_complete<T>(barrier, bytes);
}
template <class T> SIMT_PTX void bulk_out(char *to, const char *from, uint32_t bytes) { bulk_words(to, from, bytes); }

} // namespace simt_ptx

#endif
