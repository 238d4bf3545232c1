/*
 * memory_order.h - the machine's operations that protocol.h needs: flags, words, a barrier, a time limit.  There are
 * three versions: for a GPU (nvcc), for the simulator (g++ as C++), for threads and processes of a CPU (C).
 *
 *   memory_signal     stores a flag (release): a thread that sees it also sees all writes that this thread, and the
 *                     threads which it met at memory_meet, made before
 *   memory_see        loads a flag (acquire): writes made before it was stored can be read afterwards
 *   memory_put_word   stores 8 bytes at once, without any order
 *   memory_put_words  stores two adjacent words, to an address that is a multiple of 16
 *   memory_get_word   loads 8 bytes
 *   memory_meet       waits for all threads of the block (on a CPU there is one); true if `any` is true for one of them
 *   memory_patient    is called in a waiting loop; false after the time limit, or once *ended is not 0 (CPU)
 */
#ifndef DIST_MEMORY_ORDER_H
#define DIST_MEMORY_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* How long to wait: in nanoseconds; on the simulator, which has no clock, in tries. */
typedef struct patience {
    uint64_t limit, since, tries;
    const uint32_t *ended;
} patience_t;

#ifdef __NVCC__ /* ---- a GPU ---------------------------------------------------------------------- */

#define DIST_FN static __device__ __forceinline__

/* Entries are moved as bits, whatever their type. */
typedef uint32_t bits32_t;
typedef uint64_t bits64_t;

DIST_FN void memory_signal(uint32_t *flag, uint32_t value)
{
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}
DIST_FN uint32_t memory_see(const uint32_t *flag)
{
    uint32_t value;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}
DIST_FN void memory_put_word(uint64_t *to, uint64_t word)
{
    asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}
DIST_FN void memory_put_words(uint64_t *to, uint64_t first, uint64_t second)
{
    asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(first), "l"(second) : "memory");
}
DIST_FN uint64_t memory_get_word(const uint64_t *from)
{
    uint64_t word;
    asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
    return word;
}
DIST_FN bool memory_meet(bool any) { return __syncthreads_or(any) != 0; }
/* Reading the clock takes longer than reading a word, so only every 32nd try reads it. */
DIST_FN bool memory_patient(patience_t *p)
{
    enum { LOOK = 32 };
    uint64_t now;
    if (++p->tries % LOOK) return true;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (p->since == 0) p->since = now;
    return now - p->since < p->limit;
}

#elif defined(__cplusplus) /* ---- the simulator ------------------------------------------------------- */

#define DIST_FN static __device__ __forceinline__
typedef uint32_t __attribute__((__may_alias__)) bits32_t;
typedef uint64_t __attribute__((__may_alias__)) bits64_t;

DIST_FN void memory_signal(uint32_t *flag, uint32_t value)
{
    __threadfence();
    *(volatile uint32_t *)flag = value;
}
DIST_FN uint32_t memory_see(const uint32_t *flag)
{
    const uint32_t value = *(const volatile uint32_t *)flag;
    __threadfence();
    return value;
}
DIST_FN void memory_put_word(uint64_t *to, uint64_t word) { *(volatile uint64_t *)to = word; }
DIST_FN void memory_put_words(uint64_t *to, uint64_t first, uint64_t second)
{
    memory_put_word(to, first);
    memory_put_word(to + 1, second);
}
DIST_FN uint64_t memory_get_word(const uint64_t *from) { return *(const volatile uint64_t *)from; }
DIST_FN bool memory_meet(bool any) { return __syncthreads_or(any) != 0; }
DIST_FN bool memory_patient(patience_t *p) { return ++p->tries < p->limit; }

#else /* ---- a CPU: processes that share memory, or threads ------------------------------------------- */

#include <sched.h>
#include <time.h>

#define DIST_FN static inline
typedef uint32_t __attribute__((__may_alias__)) bits32_t;
typedef uint64_t __attribute__((__may_alias__)) bits64_t;

DIST_FN void memory_signal(uint32_t *flag, uint32_t value) { __atomic_store_n(flag, value, __ATOMIC_RELEASE); }
DIST_FN uint32_t memory_see(const uint32_t *flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }
DIST_FN void memory_put_word(uint64_t *to, uint64_t word) { __atomic_store_n(to, word, __ATOMIC_RELAXED); }
DIST_FN void memory_put_words(uint64_t *to, uint64_t first, uint64_t second)
{
    memory_put_word(to, first);
    memory_put_word(to + 1, second);
}
DIST_FN uint64_t memory_get_word(const uint64_t *from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }
DIST_FN bool memory_meet(bool any) { return any; }

/* If there are more ranks than cores, a thread that waits for long yields its core to another. */
DIST_FN bool memory_patient(patience_t *p)
{
    enum { SPIN = 300, LOOK = 64 };
    if (++p->tries < SPIN) return true;
    sched_yield();
    if (p->tries % LOOK) return true;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const uint64_t now = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    if (p->since == 0) p->since = now;
    return now - p->since < p->limit && !(p->ended && __atomic_load_n(p->ended, __ATOMIC_RELAXED));
}
#endif

#endif
