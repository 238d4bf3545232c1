/* simt_device.h - the names that a kernel can use: threadIdx, __syncthreads, shuffles, atomics...  Each is a thin
 * always-inline wrapper over functions of the runtime (simt_calls.h), so that the runtime sees the kernel's program
 * point as the caller. */
#ifndef SIMT_DEVICE_H
#define SIMT_DEVICE_H

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <type_traits>
#include "cuda_runtime_api.h"
#include "simt_calls.h"

/* CUDA's own words - __global__, __shared__, threadIdx... - are not defined here: translate/ replaces them. */

#define SIMT_INLINE static inline __attribute__((always_inline, unused))

namespace simt {

/* Bits of a 1-, 2-, 4- or 8-byte value as an integer, and back. */
template <class T> SIMT_INLINE uint64_t bits_of(T v)
{
    static_assert(sizeof(T) <= 8, "shuffles and atomics take at most 8 bytes");
    uint64_t u = 0;
    __builtin_memcpy(&u, &v, sizeof v);
    return u;
}
template <class T> SIMT_INLINE T from_bits(uint64_t u)
{
    T v;
    __builtin_memcpy(&v, &u, sizeof v);
    return v;
}

/* The block's own copy of one __shared__ variable; `key` tells variables apart. */
template <class T> SIMT_INLINE T *shared_variable(const void *key, const char *name)
{
    return (T *)simt_static_shared(key, name, sizeof(T), alignof(T),
                                   sizeof(typename std::remove_all_extents<T>::type));
}

/* A static variable of a function: in GPU memory in a kernel, its initial variable on the host. */
template <class T> SIMT_INLINE T *kept_variable(T *first, const char *name)
{ return (T *)simt_kept_variable(first, name, sizeof(T), alignof(T)); }

/* Dynamic shared memory, which converts to any pointer type. */
struct dynamic_shared_pointer {
    void *p;
    template <class T> operator T *() const { return (T *)p; }
};
SIMT_INLINE dynamic_shared_pointer dynamic_shared() { return {simt_dynamic_shared()}; }
template <class T> struct file_scope_shared {
    inline __attribute__((always_inline)) operator T *() const { return (T *)simt_dynamic_shared(); }
    template <class U> inline __attribute__((always_inline)) explicit operator U *() const
    { return (U *)simt_dynamic_shared(); }
    inline __attribute__((always_inline)) T (*operator&() const)[] { return (T(*)[])simt_dynamic_shared(); }
};


/* Marks an iteration of a loop that is not unrolled (translate/loops.c).  It is a function because a submission may
 * not name variables of the simulator. */
SIMT_INLINE bool next_round()
{
#ifndef SIMT_SUBMISSION
    (void)simt_round_mark;
#endif
    return true;
}

} // namespace simt

/* ---- meeting points ---- */

SIMT_INLINE void __syncthreads() { simt_barrier(0); }
SIMT_INLINE void __barrier_sync(unsigned id) { simt_named_barrier(id, 0, 0, 1); }
SIMT_INLINE void __barrier_sync_count(unsigned id, unsigned count) { simt_named_barrier(id, count, 0, 1); }
SIMT_INLINE int __syncthreads_count(int p) { return simt_barrier(p != 0); }
SIMT_INLINE int __syncthreads_or(int p) { return simt_barrier(p != 0) > 0; }
SIMT_INLINE int __syncthreads_and(int p) { return simt_barrier(p == 0) == 0; }
SIMT_INLINE void __syncwarp(unsigned mask = 0xffffffffu) { simt_warp_op(SIMT_SYNCWARP, mask, 0, 0, 32); }
SIMT_INLINE void __threadfence() { simt_fence(1); }
SIMT_INLINE void __threadfence_block() { simt_fence(0); }
SIMT_INLINE void __threadfence_system() { simt_fence(1); }
SIMT_INLINE void __nanosleep(unsigned) { simt_nanosleep(); }
SIMT_INLINE void __trap() { simt_trap(); }
SIMT_INLINE long long clock64() { return simt_no_clock(); }

/* ---- shuffles, votes, warp reductions ---- */

#define SIMT_SHUFFLE(name, kind)                                                              \
    template <class T> SIMT_INLINE T name(unsigned mask, T v, unsigned argument, int width = 32) \
    { return simt::from_bits<T>(simt_warp_op(kind, mask, simt::bits_of(v), argument, width)); }
SIMT_SHUFFLE(__shfl_sync, SIMT_SHFL)
SIMT_SHUFFLE(__shfl_up_sync, SIMT_SHFL_UP)
SIMT_SHUFFLE(__shfl_down_sync, SIMT_SHFL_DOWN)
SIMT_SHUFFLE(__shfl_xor_sync, SIMT_SHFL_XOR)

SIMT_INLINE unsigned __ballot_sync(unsigned mask, int p) { return simt_warp_op(SIMT_BALLOT, mask, p != 0, 0, 32); }
SIMT_INLINE int __any_sync(unsigned mask, int p) { return simt_warp_op(SIMT_ANY, mask, p != 0, 0, 32); }
SIMT_INLINE int __all_sync(unsigned mask, int p) { return simt_warp_op(SIMT_ALL, mask, p != 0, 0, 32); }
SIMT_INLINE unsigned __activemask() { return simt_warp_op(SIMT_ACTIVEMASK, 0, 0, 0, 32); }
template <class T> SIMT_INLINE unsigned __match_any_sync(unsigned mask, T v)
{ return simt_warp_op(SIMT_MATCH_ANY, mask, simt::bits_of(v), 0, 32); }
template <class T> SIMT_INLINE unsigned __match_all_sync(unsigned mask, T v, int *same)
{
    unsigned m = simt_warp_op(SIMT_MATCH_ALL, mask, simt::bits_of(v), 0, 32);
    *same = m != 0;
    return m;
}
#define SIMT_REDUCE(name, T, kind) \
    SIMT_INLINE T name(unsigned mask, T v) { return (T)simt_warp_op(kind, mask, (unsigned)v, 0, 32); }
SIMT_REDUCE(__reduce_add_sync, unsigned, SIMT_REDUCE_ADD)
SIMT_REDUCE(__reduce_add_sync, int, SIMT_REDUCE_ADD)
SIMT_REDUCE(__reduce_min_sync, unsigned, SIMT_REDUCE_MIN)
SIMT_REDUCE(__reduce_min_sync, int, SIMT_REDUCE_MIN_SIGNED)
SIMT_REDUCE(__reduce_max_sync, unsigned, SIMT_REDUCE_MAX)
SIMT_REDUCE(__reduce_max_sync, int, SIMT_REDUCE_MAX_SIGNED)
SIMT_REDUCE(__reduce_and_sync, unsigned, SIMT_REDUCE_AND)
SIMT_REDUCE(__reduce_or_sync, unsigned, SIMT_REDUCE_OR)
SIMT_REDUCE(__reduce_xor_sync, unsigned, SIMT_REDUCE_XOR)

/* ---- atomics; _block and _system mean the same here ---- */

#define SIMT_ATOMIC(name, op, T, type)                                                    \
    SIMT_INLINE T name(T *p, T v)                                                         \
    { return simt::from_bits<T>(simt_atomic(p, op, type, simt::bits_of(v), 0)); }         \
    SIMT_INLINE T name##_block(T *p, T v) { return name(p, v); }                          \
    SIMT_INLINE T name##_system(T *p, T v) { return name(p, v); }
#define SIMT_ATOMIC_INTEGERS(name, op)                                                    \
    SIMT_ATOMIC(name, op, int, SIMT_S32)                                                  \
    SIMT_ATOMIC(name, op, unsigned, SIMT_U32)                                             \
    SIMT_ATOMIC(name, op, unsigned long long, SIMT_U64)
SIMT_ATOMIC_INTEGERS(atomicAdd, SIMT_ADD)
SIMT_ATOMIC(atomicAdd, SIMT_ADD, float, SIMT_F32)
SIMT_ATOMIC(atomicAdd, SIMT_ADD, double, SIMT_F64)
SIMT_ATOMIC_INTEGERS(atomicExch, SIMT_EXCH)
SIMT_ATOMIC(atomicExch, SIMT_EXCH, float, SIMT_F32)
SIMT_ATOMIC_INTEGERS(atomicMin, SIMT_MIN)
SIMT_ATOMIC(atomicMin, SIMT_MIN, long long, SIMT_S64)
SIMT_ATOMIC_INTEGERS(atomicMax, SIMT_MAX)
SIMT_ATOMIC(atomicMax, SIMT_MAX, long long, SIMT_S64)
SIMT_ATOMIC_INTEGERS(atomicAnd, SIMT_AND)
SIMT_ATOMIC_INTEGERS(atomicOr, SIMT_OR)
SIMT_ATOMIC_INTEGERS(atomicXor, SIMT_XOR)
SIMT_ATOMIC(atomicInc, SIMT_INC, unsigned, SIMT_U32)
SIMT_ATOMIC(atomicDec, SIMT_DEC, unsigned, SIMT_U32)
/* x - v is x + (-v), for both signs in two's complement. */
#define SIMT_ATOMIC_SUB(name)                                                             \
    SIMT_INLINE int name(int *p, int v)                                                   \
    { return (int)simt_atomic(p, SIMT_ADD, SIMT_S32, 0u - (unsigned)v, 0); }              \
    SIMT_INLINE unsigned name(unsigned *p, unsigned v)                                    \
    { return (unsigned)simt_atomic(p, SIMT_ADD, SIMT_U32, 0u - v, 0); }
SIMT_ATOMIC_SUB(atomicSub) SIMT_ATOMIC_SUB(atomicSub_block) SIMT_ATOMIC_SUB(atomicSub_system)
#define SIMT_CAS(T, type)                                                                 \
    SIMT_INLINE T atomicCAS(T *p, T compare, T v)                                         \
    { return (T)simt_atomic(p, SIMT_CAS, type, simt::bits_of(v), simt::bits_of(compare)); } \
    SIMT_INLINE T atomicCAS_block(T *p, T compare, T v) { return atomicCAS(p, compare, v); } \
    SIMT_INLINE T atomicCAS_system(T *p, T compare, T v) { return atomicCAS(p, compare, v); }
SIMT_CAS(int, SIMT_S32)
SIMT_CAS(unsigned, SIMT_U32)
SIMT_CAS(unsigned long long, SIMT_U64)
SIMT_CAS(unsigned short, SIMT_U16)

/* ---- loads and stores with a hint: the hint is not modelled ---- */

#define SIMT_LOAD(name) template <class T> SIMT_INLINE T name(const T *p) { return *p; }
#define SIMT_STORE(name) template <class T> SIMT_INLINE void name(T *p, T v) { *p = v; }
SIMT_LOAD(__ldg) SIMT_LOAD(__ldcs) SIMT_LOAD(__ldca) SIMT_LOAD(__ldcg) SIMT_LOAD(__ldlu)
SIMT_STORE(__stcs) SIMT_STORE(__stcg) SIMT_STORE(__stwb)
/* Accesses that bypass caches: for a scalar they are like volatile ones. */
template <class T> SIMT_INLINE T __ldcv(const T *p)
{
    SIMT_POLLED();
    if constexpr (std::is_scalar<T>::value)
        return *(const volatile T *)p;
    else
        return *p;
}
template <class T> SIMT_INLINE void __stwt(T *p, T v)
{
    if constexpr (std::is_scalar<T>::value)
        *(volatile T *)p = v;
    else
        *p = v;
}

/* ---- integers ---- */

SIMT_INLINE int __popc(unsigned v) { return __builtin_popcount(v); }
SIMT_INLINE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
SIMT_INLINE int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
SIMT_INLINE int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
SIMT_INLINE int __ffs(int v) { return __builtin_ffs(v); }
SIMT_INLINE int __ffsll(long long v) { return __builtin_ffsll(v); }
SIMT_INLINE unsigned __brev(unsigned v)
{
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(v);
}
SIMT_INLINE int __mul24(int a, int b) /* uses the low 24 bits of both with their sign */
{ return (int)((unsigned)((int)((unsigned)a << 8) >> 8) * (unsigned)((int)((unsigned)b << 8) >> 8)); }
SIMT_INLINE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
SIMT_INLINE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s)
{ return (unsigned)((((unsigned long long)hi << 32) | lo) >> (s & 31)); }
SIMT_INLINE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s)
{ return (unsigned)(((((unsigned long long)hi << 32) | lo) << (s & 31)) >> 32); }
SIMT_INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector)
{
    unsigned long long all = (unsigned long long)b << 32 | a;
    unsigned r = 0;
    for (int i = 0; i < 4; ++i)
        r |= (unsigned)(all >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return r;
}

#define SIMT_MIN_MAX(T)                                             \
    SIMT_INLINE T min(T a, T b) { return b < a ? b : a; }           \
    SIMT_INLINE T max(T a, T b) { return a < b ? b : a; }
SIMT_MIN_MAX(int) SIMT_MIN_MAX(unsigned) SIMT_MIN_MAX(long) SIMT_MIN_MAX(unsigned long)
SIMT_MIN_MAX(long long) SIMT_MIN_MAX(unsigned long long)
SIMT_INLINE unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
SIMT_INLINE unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
SIMT_INLINE unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
SIMT_INLINE unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
SIMT_INLINE float min(float a, float b) { return fminf(a, b); }
SIMT_INLINE float max(float a, float b) { return fmaxf(a, b); }
SIMT_INLINE double min(double a, double b) { return fmin(a, b); }
SIMT_INLINE double max(double a, double b) { return fmax(a, b); }

/* ---- floating point ---- */

SIMT_INLINE float rsqrtf(float x) { return 1.0f / sqrtf(x); }
SIMT_INLINE double rsqrt(double x) { return 1.0 / sqrt(x); }
SIMT_INLINE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
SIMT_INLINE double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
SIMT_INLINE float __fadd_rn(float a, float b) { return a + b; }
SIMT_INLINE float __fmul_rn(float a, float b) { return a * b; }
SIMT_INLINE double __dadd_rn(double a, double b) { return a + b; }
SIMT_INLINE double __dmul_rn(double a, double b) { return a * b; }
SIMT_INLINE float __fdividef(float a, float b) { return a / b; }
SIMT_INLINE float __int_as_float(int v) { return simt::from_bits<float>(simt::bits_of(v)); }
SIMT_INLINE float __uint_as_float(unsigned v) { return simt::from_bits<float>(v); }
SIMT_INLINE int __float_as_int(float v) { return simt::from_bits<int>(simt::bits_of(v)); }
SIMT_INLINE unsigned __float_as_uint(float v) { return (unsigned)simt::bits_of(v); }
SIMT_INLINE long long __double_as_longlong(double v) { return (long long)simt::bits_of(v); }
SIMT_INLINE double __longlong_as_double(long long v) { return simt::from_bits<double>((uint64_t)v); }

#endif
