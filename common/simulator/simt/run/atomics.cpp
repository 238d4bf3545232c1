/*
 * atomics.cpp - atomics, fences, and the detection of threads that wait by polling memory.
 */
#include <algorithm>
#include <cstring>
#include <ctime>
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "internal.hpp"

namespace simt {

/* Acquires everything released so far, for the thread, and if `global` also for its block. */
void acquire(Thread *t, bool global)
{
    Block *b = t->block;
    if (!global && !b->fenced)
        return;     /* no thread of the block has released writes */
    t->acquired = b->launch->clock.fetch_add(1) + 1;
    if (global)
        b->acquired.store(t->acquired, std::memory_order_relaxed);
}

/* If the thread has executed a fence: releases the writes of the thread before the fence, and those of its warp and its
   block before they last met at a barrier. */
void release(Thread *t)
{
    Block *b = t->block;
    uint64_t cover = std::max(t->fence_cover, b->fence_cover);
    if (t->block_fence_epoch == 0 && cover == 0)
        return;
    Launch *l = b->launch;
    std::lock_guard<std::mutex> hold(l->release_lock);
    std::vector<Release> &list = l->releases[b->linear];
    Release r = {0, t->id, t->fence_epoch, t->block_fence_epoch, cover, {}};
    if (!list.empty() && list.back().thread == r.thread && list.back().own_epoch == r.own_epoch &&
        list.back().block_epoch == r.block_epoch && list.back().cover_epoch == cover)
        return;     /* no new writes to release */
    r.time = l->clock.fetch_add(1) + 1;
    memcpy(r.seen, t->warp->clock[t->lane], sizeof r.seen);
    list.push_back(r);
}

/* A bit of Thread::Spin::fold: this address has been polled more than once.  The first read of an address is an
   ordinary read, not part of a wait. */
enum : uint32_t { AGAIN = 1u << 31 };

/* Returns whether all events of the thread since event `from` are reads of the addresses that it polls. */
static bool only_polls(const Thread *t, uint32_t from)
{
    if (from > t->n_events || t->n_events - from > 64)
        return false;
    for (uint32_t i = from; i < t->n_events; ++i) {
        bool known = t->events[i].size == 0;
        for (uint32_t k = 0; k < t->n_spins(); ++k)
            known |= t->spin[k].pc == t->events[i].pc && t->spin[k].fold & AGAIN;
        if (!known)
            return false;
    }
    return true;
}

/*
 * A thread that repeatedly reads the same value from the same address is waiting for another
 * thread, so the other threads run first.  Only one round of the wait stays in the trace, so
 * that the counts do not depend on how long the wait took.
 */
void note_polled_value(Thread *t, uintptr_t a, uint64_t value, bool changed, uintptr_t pc)
{
    uint32_t p = short_pc(pc);
    for (uint32_t k = 0; k < t->n_spins(); ++k) {
        Thread::Spin &s = t->spin[k];
        if (s.pc != p || s.address != a)
            continue;
        if (changed || s.value != value) {
            s = {a, value, p, t->n_events, t->folds};
            t->spin_count = 0;
            t->block->launch->progress.fetch_add(1, std::memory_order_relaxed);
            return;
        }
        const bool no_fold = (s.fold & ~AGAIN) == t->folds;
        s.fold |= AGAIN;
        if (no_fold && only_polls(t, s.event))
            t->n_events = s.event;
        if (++t->spin_count >= 8) {
            t->spin_count = 0;
            spin_here(t);
        }
        s.event = t->n_events;
        s.fold = t->folds | AGAIN;
        return;
    }
    t->spin_count = 0;
    t->spin[t->spin_next++ % 4] = {a, value, p, t->n_events, t->folds};
    t->block->launch->progress.fetch_add(1, std::memory_order_relaxed);
}

/* For unchecked programs.  They call no hooks, so the simulator does not know what the thread did between two polls:
   after 16 polls it lets other threads run. */
void polled(Thread *t)
{
    if (++t->spin_count < 16)
        return;
    t->spin_count = 0;
    if (t->block->launch->aborted.load(std::memory_order_relaxed))
        leave_kernel();
    spin_here(t);
}

/* The lock that this worker holds during an atomic operation.  A fault in the operation (on a protected page) leaves
   the kernel, and leave_kernel() has to unlock it. */
static thread_local std::mutex *held;

void unlock_location()
{
    if (held)
        held->unlock();
    held = nullptr;
}

template <class T> static T bits(uint64_t u)
{
    T v;
    memcpy(&v, &u, sizeof v);
    return v;
}

template <class T> static uint64_t word(T v)
{
    uint64_t u = 0;
    memcpy(&u, &v, sizeof v);
    return u;
}

/* Returns the value of the memory location after `op`. */
template <class T> static T after(int op, T old, T v)
{
    switch (op) {
    case SIMT_ADD: return old + v;
    case SIMT_MIN: return v < old ? v : old;
    case SIMT_MAX: return old < v ? v : old;
    case SIMT_INC: return old >= v ? 0 : old + 1;
    case SIMT_DEC: return old == 0 || old > v ? v : old - 1;
    default: return v;
    }
}

static uint16_t half_sum(uint64_t a, uint64_t b)
{
    const float sum = __half2float(__ushort_as_half((uint16_t)a)) + __half2float(__ushort_as_half((uint16_t)b));
    return __half_as_ushort(__float2half(sum));
}

static uint16_t bfloat_sum(uint64_t a, uint64_t b)
{
    const float x = __bfloat162float(__ushort_as_bfloat16((uint16_t)a));
    return __bfloat16_as_ushort(__float2bfloat16(x + __bfloat162float(__ushort_as_bfloat16((uint16_t)b))));
}

static uint64_t next_value(int op, int type, uint64_t old, uint64_t v)
{
    switch (op) {
    case SIMT_AND: return old & v;
    case SIMT_OR: return old | v;
    case SIMT_XOR: return old ^ v;
    case SIMT_EXCH: return v;
    }
    switch (type) {
    case SIMT_S32:
        return op == SIMT_ADD ? (uint32_t)((uint32_t)old + (uint32_t)v)
                              : word(after(op, bits<int32_t>(old), bits<int32_t>(v)));
    case SIMT_U32: return word(after(op, (uint32_t)old, (uint32_t)v));
    case SIMT_S64: return word(after(op, (int64_t)old, (int64_t)v));
    case SIMT_U64: return after(op, old, v);
    case SIMT_U16: return word(after(op, (uint16_t)old, (uint16_t)v));
    case SIMT_S16: return word(after(op, (int16_t)old, (int16_t)v));
    case SIMT_U8: return word(after(op, (uint8_t)old, (uint8_t)v));
    case SIMT_S8: return word(after(op, (int8_t)old, (int8_t)v));
    case SIMT_F32: return word(after(op, bits<float>(old), bits<float>(v)));
    case SIMT_F16: return half_sum(old, v);
    case SIMT_BF16: return bfloat_sum(old, v);
    case SIMT_F16X2: return half_sum(old, v) | (uint32_t)half_sum(old >> 16, v >> 16) << 16;
    case SIMT_BF16X2: return bfloat_sum(old, v) | (uint32_t)bfloat_sum(old >> 16, v >> 16) << 16;
    default: return word(after(op, bits<double>(old), bits<double>(v)));
    }
}

template <class U> static uint64_t update(U *p, int op, int type, uint64_t v, uint64_t compare, bool *changed)
{
    U old = __atomic_load_n(p, __ATOMIC_SEQ_CST), next;
    if (op == SIMT_LOOK)
        return old;
    do {
        if (op == SIMT_CAS && old != (U)compare) {
            __atomic_fetch_or(p, 0, __ATOMIC_RELAXED);      /* a failed CAS also faults on read-only memory */
            return old;
        }
        next = op == SIMT_CAS ? (U)v : (U)next_value(op, type, old, v);
    } while (!__atomic_compare_exchange_n(p, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    *changed = old != next;
    return old;
}

static unsigned bytes_of(int type)
{
    switch (type) {
    case SIMT_U64: case SIMT_S64: case SIMT_F64: return 8;
    case SIMT_U16: case SIMT_S16: case SIMT_F16: case SIMT_BF16: return 2;
    case SIMT_U8: case SIMT_S8: return 1;
    default: return 4;
    }
}

static uint64_t perform(void *p, int op, int type, uint64_t v, uint64_t compare, bool *changed)
{
    switch (bytes_of(type)) {
    case 8: return update((uint64_t *)p, op, type, v, compare, changed);
    case 2: return update((uint16_t *)p, op, type, v, compare, changed);
    case 1: return update((uint8_t *)p, op, type, v, compare, changed);
    default: return update((uint32_t *)p, op, type, v, compare, changed);
    }
}

/* For the counts: returns whether a GPU executes this atomic on shared memory as one instruction or as a retry loop.
   64-bit min and max are not counted as loops: whether they store a value depends on the order of the threads. */
static uintptr_t tries_of(int op, int type)
{
    switch (type) {
    case SIMT_F32: case SIMT_F64: case SIMT_F16X2: case SIMT_BF16X2: return op == SIMT_ADD ? TRIES : NO_TRIES;
    case SIMT_U64: case SIMT_S64:
        if (op == SIMT_ADD)
            return TRIES | ONE_FOR_ALL;
        return op == SIMT_AND || op == SIMT_OR || op == SIMT_XOR ? TRIES : NO_TRIES;
    default: return NO_TRIES;
    }
}

} // namespace simt

using namespace simt;

/* Reports an atomic on the thread's own stack, which a GPU does not support, or an atomic in host code. */
static void local_atomic(Thread *t, uintptr_t pc)
{
    if (t)
        fault(t, cudaErrorIllegalAddress, pc, "atomic on a local variable",
              "atomics are for global and shared memory; a local variable has one thread only");
    report_host_fault(pc, "an atomic of CUDA's in host code", "launch a kernel");
    leave_confined();
    abort();
}

/* Loads from memory that other blocks can access.  Like a volatile read, it does not race with a plain read. */
static uint64_t atomic_load(Thread *t, void *address, int type, uintptr_t pc)
{
    bool changed = false;
    access(t, (uintptr_t)address, bytes_of(type), READ, true, pc);
    t->block->wrote = true;     /* not an endless loop: another block may write; launch.cpp detects if all wait */
    const uint64_t now = perform(address, SIMT_LOOK, type, 0, 0, &changed);
    note_polled_value(t, (uintptr_t)address, now, false, pc);
    acquire(t, true);
    return now;
}

/* Executes an atomic.  object: the address is that of a cuda::atomic, which may be a local variable. */
static uint64_t atomic_at(void *address, int op, int type, uint64_t operand, uint64_t compare, bool object,
                          uintptr_t pc)
{
    Thread *t = current;
    const unsigned bytes = bytes_of(type);
    bool changed = false;
    const bool local = t && (uintptr_t)address - (uintptr_t)t->carrier->low <
                                (uintptr_t)t->carrier->high - (uintptr_t)t->carrier->low;
    if (local && object)
        return perform(address, op, type, operand, compare, &changed);
    if (!t || local)
        local_atomic(t, pc);
    if (unchecked()) {
        const uint64_t before = perform(address, op, type, operand, compare, &changed);
        if (!changed)
            polled(t);
        return before;
    }
    if (op == SIMT_LOOK && !block_of_shared(t, (uintptr_t)address))
        return atomic_load(t, address, type, pc);
    if (op == SIMT_EXCH)    /* a store: the old value is rarely used, so it may be uninitialised */
        initialise(t, (uintptr_t)address, bytes);
    bool shared = access(t, (uintptr_t)address, bytes, ATOMIC, false, pc) == SHARED;
    if (shared && counting)
        t->events[t->n_events - 1].address |= tries_of(op, type);
    uint64_t old;
    release(t);
    if (shared) {
        old = perform(address, op, type, operand, compare, &changed);
    } else {
        if (t->block->launch->turns)
            spin_here(t);       /* until no waiting warp has executed fewer memory instructions */
        static std::mutex locks[64];
        held = &locks[(uintptr_t)address / 8 % 64];
        held->lock();
        old = perform(address, op, type, operand, compare, &changed);
        if (t->block->launch->checks & SIMT_CHECK_RACES)
            for (Region *r : {&heap, &program, &managed})     /* pinned memory is in none, and has no shadow */
                if (r->contains((uintptr_t)address))
                    mark_atomic(t, *r, (uintptr_t)address, bytes);
        unlock_location();
    }
    note_polled_value(t, (uintptr_t)address, old, changed, pc);
    acquire(t, !shared || t->block->cluster);
    return old;
}

uint64_t simt_atomic(void *address, int op, int type, uint64_t operand, uint64_t compare)
{
    return atomic_at(address, op, type, operand, compare, false, (uintptr_t)__builtin_return_address(0));
}

uint64_t simt_atomic_object(void *address, int op, int type, uint64_t operand, uint64_t compare)
{
    return atomic_at(address, op, type, operand, compare, true, (uintptr_t)__builtin_return_address(0));
}

void simt_fence(int other_blocks)
{
    if (unchecked())
        return __atomic_thread_fence(__ATOMIC_SEQ_CST);
    Thread *t = current;
    Block *b = t->block;
    new_epoch(b);       /* the earlier writes of the thread have a smaller epoch */
    t->block_fence_epoch = b->epoch;
    b->fenced = true;
    if (!other_blocks)
        return;
    t->fence_epoch = b->epoch;
    t->fence_cover = b->barrier_epoch;
    b->fenced_since_barrier = true;
}

void simt_polled(void)
{
    if (current)
        polled(current);
}

void simt_trap(void)
{
    fault(current, cudaErrorLaunchFailure, (uintptr_t)__builtin_return_address(0),
          "the kernel called __trap()", "see the condition before it");
}

/* Programs of simtcc get the host's clock, because they may wait by it.  The course's kernels must not read a clock:
   the simulator has no notion of time. */
long long simt_nanoseconds(void)
{
    if (settings.cpu_time) {
        leaves_something();
        timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        current->block->launch->progress.fetch_add(1, std::memory_order_relaxed);   /* the time has advanced */
        current->block->wrote = true;
        spin_here(current);     /* a thread that waits by the clock lets other threads run */
        return now.tv_sec * 1000000000ll + now.tv_nsec;
    }
    fault(current, cudaErrorNotSupported, (uintptr_t)__builtin_return_address(0),
          "clock64(): the simulator has no clock", "run this kernel on a GPU");
}

/* Returns the time in ticks of the clock rate that cudaDeviceProp reports. */
long long simt_no_clock(void) { return (long long)((double)simt_nanoseconds() * (CLOCK_KHZ * 1e-6)); }
