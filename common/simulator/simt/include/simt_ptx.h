/* simt_ptx.h - the instructions of inline PTX (translate/ptx_table.h).  A register is an integer of its width;
 * as<T>() reads it as a T, put() and out() store a result.  Copies are done at once; a thread must not access what
 * cp.async has copied before it has waited. */
#ifndef SIMT_PTX_H
#define SIMT_PTX_H

extern "C" unsigned simt_sm(unsigned *count);   /* the multiprocessor that this thread's block might run on */

namespace simt_ptx {

#define SIMT_PTX SIMT_INLINE

/* ---- registers ---- */

/* The low bytes of a register as a T; numbers of the text are converted. */
template <class T, class R> SIMT_PTX T as(R r)
{
    constexpr bool is_class = std::is_class<T>::value || std::is_class<R>::value;
    if constexpr (!is_class && (std::is_floating_point<T>::value == std::is_floating_point<R>::value ||
                                sizeof(T) != sizeof(R))) {
        return (T)r;
    } else {
        T v;
        __builtin_memcpy(&v, &r, sizeof v < sizeof r ? sizeof v : sizeof r);
        return v;
    }
}
/* What C++ has as a register of type R, and back: the same bits. */
template <class R, class T> SIMT_PTX R in(const T &v)
{
    R r = 0;
    if constexpr (sizeof(T) < sizeof(R) && std::is_integral<T>::value)
        r = (R)v;
    else
        __builtin_memcpy(&r, &v, sizeof(T) < sizeof(R) ? sizeof(T) : sizeof(R));
    return r;
}
template <class T, class R> SIMT_PTX void out(T &to, R r)
{
    if constexpr (sizeof(T) != sizeof(R) && std::is_integral<T>::value) {
        to = (T)r;
    } else {
        static_assert(sizeof(T) == sizeof(R), "the register of an asm statement has another width than its variable");
        T v;
        __builtin_memcpy(&v, &r, sizeof v);
        to = v;
    }
}
/* Stores a result in a register; a narrower number is extended with its sign. */
template <class D, class V> SIMT_PTX void put(D &to, V v) { to = as<D>(v); }

/* ---- addresses ---- */

SIMT_PTX char *generic(uint64_t a) { return (char *)a; }
/* Bits 24 to 28 of an address of shared memory: of which block of the cluster it is, counted from 1; 0: its own. */
SIMT_PTX char *shared(uint64_t a)
{
    const uint32_t block = (uint32_t)a >> 24;
    if (block - 1 < 16)
        return (char *)simt_cluster_map((char *)simt_dynamic_shared() + (a & 0xffffff), block - 1);
    return (char *)simt_dynamic_shared() + (int32_t)a;
}
SIMT_PTX size_t shared_address(const void *p)
{
    char *const own = (char *)simt_dynamic_shared();
    const size_t far = (size_t)((const char *)p - own);
    if (far + (2 << 20) < 4 << 20)
        return far;
    const unsigned rank = simt_cluster_rank_of(p);
    return (size_t)((const char *)p - (char *)simt_cluster_map(own, rank)) | (size_t)(rank + 1) << 24;
}
template <class T> SIMT_PTX T to_space(T a) { return a; }
template <class T> SIMT_PTX T to_shared(T a) { return (T)shared_address((const void *)(uint64_t)a); }
template <class T> SIMT_PTX T from_shared(T a) { return (T)(uint64_t)shared((uint64_t)a); }
SIMT_PTX unsigned thread()
{
    const uint3 i = simt_thread_idx(), n = simt_block_dim();
    return (i.z * n.y + i.y) * n.x + i.x;
}
SIMT_PTX unsigned lane() { return thread() % 32; }
SIMT_PTX unsigned sm()
{
    unsigned count;
    return simt_sm(&count);
}
SIMT_PTX unsigned sms()
{
    unsigned count;
    simt_sm(&count);
    return count;
}

/* ---- arithmetic ---- */

template <class T> struct wide { typedef uint64_t type; };
template <> struct wide<int32_t> { typedef int64_t type; };
template <> struct wide<int16_t> { typedef int32_t type; };
template <> struct wide<uint16_t> { typedef uint32_t type; };

#define SIMT_PTX_TWO(name, expression) \
    template <class T> SIMT_PTX auto name(T a, T b) { return expression; }
SIMT_PTX_TWO(add, (T)(a + b))
SIMT_PTX_TWO(sub, (T)(a - b))
SIMT_PTX_TWO(mul_lo, (T)(a * b))
SIMT_PTX_TWO(div, (T)(a / b))
SIMT_PTX_TWO(rem, (T)(a % b))
SIMT_PTX_TWO(min, (T)(b < a ? b : a))
SIMT_PTX_TWO(max, (T)(a < b ? b : a))
SIMT_PTX_TWO(and_, (T)(a & b))
SIMT_PTX_TWO(or_, (T)(a | b))
SIMT_PTX_TWO(xor_, (T)(a ^ b))
SIMT_PTX_TWO(eq, a == b)
SIMT_PTX_TWO(ne, a != b)
SIMT_PTX_TWO(lt, a < b)
SIMT_PTX_TWO(le, a <= b)
SIMT_PTX_TWO(gt, a > b)
SIMT_PTX_TWO(ge, a >= b)
SIMT_PTX_TWO(mul_wide, (typename wide<T>::type)a * b)
SIMT_PTX_TWO(mul_hi, (T)(sizeof(T) == 8
    ? (std::is_signed<T>::value ? (uint64_t)((simt_int128)a * b >> 64) : (uint64_t)((simt_uint128)a * b >> 64))
    : (uint64_t)((typename wide<T>::type)a * b >> 32)))
template <class T> SIMT_PTX T mov(T a) { return a; }
/* The bits of several registers in one, the first lowest; and one of so many that a register is cut into. */
template <size_t BYTES> struct word;
template <> struct word<1> { typedef uint8_t type; };
template <> struct word<2> { typedef uint16_t type; };
template <> struct word<4> { typedef uint32_t type; };
template <> struct word<8> { typedef uint64_t type; };
template <> struct word<16> { typedef float4 type; };
template <class T, class... V> SIMT_PTX T pack(V... values)
{
    typedef typename word<sizeof(T) / sizeof...(V)>::type part;
    uint64_t all = 0, shift = 0;
    ((all |= (uint64_t)as<part>(values) << shift, shift += 8 * sizeof(part)), ...);
    return (T)all;
}
template <class T, int N> SIMT_PTX typename word<sizeof(T) / N>::type piece(T v, int i)
{ return (typename word<sizeof(T) / N>::type)((uint64_t)v >> (8 * sizeof(T) / N * (size_t)i)); }
template <class T> SIMT_PTX T abs(T a) { return a < 0 ? -a : a; }
template <class T> SIMT_PTX T neg(T a) { return -a; }
template <class T> SIMT_PTX T not_(T a)
{
    if constexpr (std::is_same<T, bool>::value) return !a;
    else return (T)~a;
}
template <class T> SIMT_PTX T mad_lo(T a, T b, T c)
{
    if constexpr (std::is_floating_point<T>::value) return std::fma(a, b, c);
    else return (T)(a * b + c);
}
template <class T> SIMT_PTX auto mad_wide(T a, T b, uint64_t c)
{ return (typename wide<T>::type)((typename wide<T>::type)a * b + (typename wide<T>::type)c); }
template <class T> SIMT_PTX T selp(T a, T b, bool p) { return p ? a : b; }
template <class T> SIMT_PTX T shl(T a, uint32_t n) { return n >= 8 * sizeof(T) ? 0 : (T)(a << n); }
template <class T> SIMT_PTX T shr(T a, uint32_t n)
{ return n < 8 * sizeof(T) ? (T)(a >> n) : a < 0 ? (T)-1 : (T)0; }
template <class T> SIMT_PTX T bfe(T a, uint32_t at, uint32_t n)
{
    const uint32_t bits = 8 * sizeof(T);
    at &= 255, n &= 255;
    if (n == 0)
        return 0;
    const T sign = std::is_signed<T>::value ? shr(a, at + n - 1 < bits ? at + n - 1 : bits - 1) & 1 : 0;
    T r = at < bits ? (T)((std::make_unsigned_t<T>)a >> at) : (T)0;
    if (n < bits)
        r &= (T)(((std::make_unsigned_t<T>)1 << n) - 1);
    if (sign)
        for (uint32_t i = at + n > bits ? (at < bits ? bits - at : 0) : n; i < bits; ++i)
            r |= (T)((std::make_unsigned_t<T>)1 << i);
    return r;
}
template <class T> SIMT_PTX T bfi(T a, T b, uint32_t at, uint32_t n)
{
    at &= 255, n &= 255;
    for (uint32_t i = 0; i < n && at + i < 8 * sizeof(T); ++i)
        b = (T)((b & ~((T)1 << (at + i))) | (a >> i & 1) << (at + i));
    return b;
}
template <class T> SIMT_PTX uint32_t prmt(uint32_t a, uint32_t b, uint32_t selector)
{
    const uint64_t all = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (int i = 0; i < 4; ++i) {
        const uint32_t s = selector >> 4 * i, byte = (uint32_t)(all >> 8 * (s & 7)) & 255;
        r |= (s & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * i;
    }
    return r;
}
template <class T> SIMT_PTX uint32_t popc(T a) { return (uint32_t)__builtin_popcountll((std::make_unsigned_t<T>)a); }
/* The index of the highest bit that differs from the sign; all ones if there is none. */
template <class T> SIMT_PTX uint32_t bfind(T a)
{
    const auto bits = (std::make_unsigned_t<T>)(a < 0 ? ~a : a);
    return bits ? 63 - (uint32_t)__builtin_clzll(bits) : 0xffffffffu;
}
template <class T> SIMT_PTX uint32_t clz(T a)
{ return a ? (uint32_t)__builtin_clzll((std::make_unsigned_t<T>)a) - (64 - 8 * sizeof(T)) : 8 * sizeof(T); }
template <class T> SIMT_PTX T brev(T a)
{
    T r = 0;
    for (uint32_t i = 0; i < 8 * sizeof(T); ++i)
        r = (T)(r << 1 | (a >> i & 1));
    return r;
}
template <class T> SIMT_PTX uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t r = 0;
    for (uint32_t i = 0; i < 8; ++i)
        if (table >> i & 1)
            r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return r;
}
/* Converts T to D.  An integer result is the nearest number of its type, and 0 for NaN. */
template <class D, class T> SIMT_PTX D in_range(T v)
{
    if constexpr (std::is_integral<D>::value && std::is_floating_point<T>::value) {
        const D least = std::numeric_limits<D>::min(), most = std::numeric_limits<D>::max();
        return v != v ? 0 : v <= (T)least ? least : v >= (T)most ? most : (D)v;
    } else if constexpr (std::is_integral<D>::value && std::is_class<T>::value) {
        return in_range<D>((float)v);
    } else {
        return (D)v;
    }
}
template <class T, class D, class R> SIMT_PTX D cvt(R r) { return in_range<D>(as<T>(r)); }
template <class T, class D, class R> SIMT_PTX D cvt_rni(R r) { return in_range<D>(std::rint(as<T>(r))); }

#define SIMT_PTX_ONE(name, expression) template <class T> SIMT_PTX T name(T a) { return expression; }
SIMT_PTX_ONE(sqrt, std::sqrt(a))
SIMT_PTX_ONE(rcp, 1 / a)
SIMT_PTX_ONE(rsqrt, 1 / std::sqrt(a))
SIMT_PTX_ONE(ex2, std::exp2(a))
SIMT_PTX_ONE(lg2, std::log2(a))
SIMT_PTX_ONE(sin, std::sin(a))
SIMT_PTX_ONE(cos, std::cos(a))
SIMT_PTX_ONE(tanh, std::tanh(a))

/* ---- memory ---- */

template <class T> SIMT_PTX T ld(const char *a, uint64_t = 0) { return *(const T *)a; }
template <class T> SIMT_PTX T ld_volatile(const char *a)
{
    SIMT_POLLED();
    return *(const volatile T *)a;
}
template <class T> SIMT_PTX T ld_acquire(const char *a)
{
    const T v = ld_volatile<T>(a);
    simt_fence(1);
    return v;
}
template <class T> SIMT_PTX void st(char *a, T v, uint64_t = 0) { *(T *)a = v; }
template <class T> SIMT_PTX void st_volatile(char *a, T v) { *(volatile T *)a = v; }
template <class T> SIMT_PTX void st_release(char *a, T v)
{
    simt_fence(1);
    *(volatile T *)a = v;
}

template <class T, int N> struct several { T x[N]; };
/* One access of all values. */
template <class T, int N> SIMT_PTX several<T, N> ld_vector(const char *a)
{
    several<T, N> v;
    const auto w = *(const typename word<sizeof v>::type *)a;
    __builtin_memcpy(&v, &w, sizeof v);
    return v;
}
template <class T, int N, class... V> SIMT_PTX void st_vector(char *a, V... values)
{
    const several<T, N> v = {{values...}};
    typename word<sizeof v>::type w;
    __builtin_memcpy(&w, &v, sizeof v);
    *(typename word<sizeof v>::type *)a = w;
}

/* The first `from_bytes` bytes are copied, the others become 0. */
SIMT_PTX void copy_word(char *to, const char *from, int bytes)
{
    if (bytes == 16) *(float4 *)to = *(const float4 *)from;
    else if (bytes == 8) *(uint64_t *)to = *(const uint64_t *)from;
    else *(uint32_t *)to = *(const uint32_t *)from;
}
template <class T> SIMT_PTX void cp_async(char *to, const char *from, int bytes, int from_bytes = -1)
{
    if (from_bytes < 0 || from_bytes == bytes) copy_word(to, from, bytes);
    else for (int i = 0; i < bytes; ++i) to[i] = i < from_bytes ? from[i] : 0;
    simt_async_begin(to, (size_t)bytes, nullptr);
}
template <class T> SIMT_PTX void async_commit() { simt_async_commit(); }
template <class T> SIMT_PTX void async_wait(uint32_t prior) { simt_async_wait(prior); }
template <class T> SIMT_PTX void async_wait_all()
{
    simt_async_commit();
    simt_async_wait(0);
}
template <class T, class... A> SIMT_PTX void nothing(A...) {}

/* ---- atomics, fences, meeting points ---- */

template <class T> struct atomic_word { typedef T type; };
template <> struct atomic_word<uint64_t> { typedef unsigned long long type; };
template <> struct atomic_word<int64_t> { typedef unsigned long long type; };   /* the same for addition */
#define SIMT_PTX_ATOMIC(name, function)                                             \
    template <class T> SIMT_PTX T name(char *a, T v)                                \
    {                                                                               \
        typedef typename atomic_word<T>::type word_t;                               \
        return (T)function((word_t *)a, (word_t)v);                                 \
    }
SIMT_PTX_ATOMIC(atom_add, atomicAdd)
SIMT_PTX_ATOMIC(atom_exch, atomicExch)
SIMT_PTX_ATOMIC(atom_min, atomicMin)
SIMT_PTX_ATOMIC(atom_max, atomicMax)
SIMT_PTX_ATOMIC(atom_and, atomicAnd)
SIMT_PTX_ATOMIC(atom_or, atomicOr)
SIMT_PTX_ATOMIC(atom_xor, atomicXor)
template <class T> SIMT_PTX T atom_cas(char *a, T compare, T v)
{
    typedef typename atomic_word<T>::type word_t;
    return (T)atomicCAS((word_t *)a, (word_t)compare, (word_t)v);
}
template <class T> SIMT_PTX void fence() { simt_fence(1); }
template <class T> SIMT_PTX void fence_block() { simt_fence(0); }
template <class T> SIMT_PTX void bar_sync(uint32_t id, uint32_t count = 0) { simt_named_barrier(id, count, 0, 1); }
template <class T> SIMT_PTX void bar_arrive(uint32_t id, uint32_t count) { simt_named_barrier(id, count, 0, 0); }
template <class T> SIMT_PTX uint32_t bar_popc(uint32_t id, bool p) { return (uint32_t)simt_named_barrier(id, 0, p, 1); }
template <class T> SIMT_PTX bool bar_or(uint32_t id, bool p) { return simt_named_barrier(id, 0, p, 1) > 0; }
template <class T> SIMT_PTX bool bar_and(uint32_t id, bool p) { return simt_named_barrier(id, 0, !p, 1) == 0; }
template <class T> SIMT_PTX void warp_sync(uint32_t mask) { __syncwarp(mask); }
template <class T> SIMT_PTX void cluster_arrive() { simt_cluster_arrive(); }
template <class T> SIMT_PTX void cluster_wait() { simt_cluster_wait(); }
/* The place in the block of that rank, of a generic address or of one of shared memory; and the other way round. */
template <class T> SIMT_PTX T map_shared(T a, uint32_t rank)
{ return (T)((uint32_t)a & 0xffffff) | (T)(rank + 1) << 24; }
template <class T> SIMT_PTX T map_generic(T a, uint32_t rank)
{ return (T)(uint64_t)simt_cluster_map((const void *)(uint64_t)a, rank); }
template <class T> SIMT_PTX uint32_t rank_of_shared(uint64_t a) { return simt_cluster_rank_of(shared(a)); }
template <class T> SIMT_PTX uint32_t rank_of_generic(uint64_t a) { return simt_cluster_rank_of((const void *)a); }
SIMT_PTX uint32_t cluster_rank()
{
    const uint3 i = simt_block_idx(), n = simt_cluster_dim();
    return (i.z % n.z * n.y + i.y % n.y) * n.x + i.x % n.x;
}
SIMT_PTX uint32_t cluster_size()
{
    const uint3 n = simt_cluster_dim();
    return n.x * n.y * n.z;
}
template <class T> SIMT_PTX void trap() { simt_trap(); }
template <class T> SIMT_PTX void nanosleep(uint32_t) { simt_nanosleep(); }
template <class T> SIMT_PTX uint32_t activemask() { return __activemask(); }
/* Without a mask, as before Volta: applies to the lanes that are active. */
template <class T> SIMT_PTX uint32_t ballot(bool p) { return __ballot_sync(__activemask(), p); }
template <class T> SIMT_PTX bool any(bool p) { return __any_sync(__activemask(), p) != 0; }
template <class T> SIMT_PTX bool all(bool p) { return __all_sync(__activemask(), p) != 0; }
template <class T> SIMT_PTX uint32_t ballot(bool p, uint32_t mask) { return __ballot_sync(mask, p); }
template <class T> SIMT_PTX bool any(bool p, uint32_t mask) { return __any_sync(mask, p) != 0; }
template <class T> SIMT_PTX bool all(bool p, uint32_t mask) { return __all_sync(mask, p) != 0; }
/* Bits 8 to 12 of the operand c give the segments of the warp. */
#define SIMT_PTX_SHUFFLE(name, function)                                                      \
    template <class T> SIMT_PTX T name(T v, uint32_t argument, uint32_t c, uint32_t mask)     \
    { return function(mask, v, argument, 32 - (int)(c >> 8 & 31)); }
SIMT_PTX_SHUFFLE(shfl_idx, __shfl_sync)
SIMT_PTX_SHUFFLE(shfl_up, __shfl_up_sync)
SIMT_PTX_SHUFFLE(shfl_down, __shfl_down_sync)
SIMT_PTX_SHUFFLE(shfl_bfly, __shfl_xor_sync)
/* Whether the lane that is read lies in the segment that c defines. */
#define SIMT_PTX_IN_RANGE(name, reads, compare)                                               \
    SIMT_PTX bool name##_in_range(uint32_t argument, uint32_t c)                              \
    {                                                                                         \
        const int part = (int)(c >> 8 & 31), me = (int)lane(), n = (int)(argument & 31);      \
        const int last = (me & part) | ((int)(c & 31) & ~part);                               \
        return (reads) compare last;                                                          \
    }
SIMT_PTX_IN_RANGE(shfl_idx, (me & part) | (n & ~part), <=)
SIMT_PTX_IN_RANGE(shfl_up, me - n, >=)
SIMT_PTX_IN_RANGE(shfl_down, me + n, <=)
SIMT_PTX_IN_RANGE(shfl_bfly, me ^ n, <=)
#define SIMT_PTX_REDUX(name, function) \
    template <class T> SIMT_PTX T name(T v, uint32_t mask) { return (T)function(mask, v); }
SIMT_PTX_REDUX(redux_add, __reduce_add_sync)
SIMT_PTX_REDUX(redux_min, __reduce_min_sync)
SIMT_PTX_REDUX(redux_max, __reduce_max_sync)
SIMT_PTX_REDUX(redux_and, __reduce_and_sync)
SIMT_PTX_REDUX(redux_or, __reduce_or_sync)
SIMT_PTX_REDUX(redux_xor, __reduce_xor_sync)

} // namespace simt_ptx

SIMT_INLINE size_t __cvta_generic_to_shared(const void *p)
{ return simt_ptx::shared_address(p); }
SIMT_INLINE void *__cvta_shared_to_generic(size_t a) { return simt_ptx::shared(a); }
SIMT_INLINE size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
SIMT_INLINE void *__cvta_global_to_generic(size_t address) { return reinterpret_cast<void *>(address); }

#endif
