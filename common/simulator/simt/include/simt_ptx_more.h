/*
 * simt_ptx_more.h - instructions of inline PTX that are less common (translate/ptx_table.h): sums that carry, shifts of
 * two registers, products of bytes, comparisons and conversions of all kinds, and arithmetic of halves.
 */
#ifndef SIMT_PTX_MORE_H
#define SIMT_PTX_MORE_H

namespace simt_ptx {

/* ---- sums with the carry of the thread's previous instruction ---- */

template <class T> struct double_wide { typedef uint64_t type; };
template <> struct double_wide<uint64_t> { typedef simt_uint128 type; };
/* a + b plus the carry; stores the new carry if requested. */
template <bool IN, bool OUT, class T> SIMT_PTX T sum_carry(T a, T b)
{
    typedef std::make_unsigned_t<T> word;
    typedef typename double_wide<word>::type wide;
    const wide sum = (wide)(word)a + (word)b + (IN ? simt_carry() : 0u);
    if (OUT) simt_set_carry((unsigned)(sum >> 8 * sizeof(T)) & 1);
    return (T)sum;
}
template <bool IN, bool OUT, class T> SIMT_PTX T difference_borrow(T a, T b)
{
    typedef std::make_unsigned_t<T> word;
    typedef typename double_wide<word>::type wide;
    const wide difference = (wide)(word)a - (word)b - (IN ? simt_carry() : 0u);
    if (OUT) simt_set_carry((unsigned)(difference >> 8 * sizeof(T)) & 1);
    return (T)difference;
}
template <class T> SIMT_PTX T add_cc(T a, T b) { return sum_carry<false, true>(a, b); }
template <class T> SIMT_PTX T addc(T a, T b) { return sum_carry<true, false>(a, b); }
template <class T> SIMT_PTX T addc_cc(T a, T b) { return sum_carry<true, true>(a, b); }
template <class T> SIMT_PTX T sub_cc(T a, T b) { return difference_borrow<false, true>(a, b); }
template <class T> SIMT_PTX T subc(T a, T b) { return difference_borrow<true, false>(a, b); }
template <class T> SIMT_PTX T subc_cc(T a, T b) { return difference_borrow<true, true>(a, b); }
#define SIMT_PTX_MAD(half)                                                                                       \
    template <class T> SIMT_PTX T mad_##half##_cc(T a, T b, T c) { return add_cc<T>(mul_##half<T>(a, b), c); }   \
    template <class T> SIMT_PTX T madc_##half(T a, T b, T c) { return addc<T>(mul_##half<T>(a, b), c); }         \
    template <class T> SIMT_PTX T madc_##half##_cc(T a, T b, T c) { return addc_cc<T>(mul_##half<T>(a, b), c); }
SIMT_PTX_MAD(lo)
SIMT_PTX_MAD(hi)
template <class T> SIMT_PTX T mad_hi(T a, T b, T c) { return (T)(mul_hi<T>(a, b) + c); }

/* ---- shifts, bytes, bits ---- */

SIMT_PTX uint64_t joined(uint32_t low, uint32_t high) { return (uint64_t)high << 32 | low; }
template <class T> SIMT_PTX uint32_t shf_l_wrap(uint32_t low, uint32_t high, uint32_t n)
{ return (uint32_t)(joined(low, high) << (n & 31) >> 32); }
template <class T> SIMT_PTX uint32_t shf_r_wrap(uint32_t low, uint32_t high, uint32_t n)
{ return (uint32_t)(joined(low, high) >> (n & 31)); }
template <class T> SIMT_PTX uint32_t shf_l_clamp(uint32_t low, uint32_t high, uint32_t n)
{ return n >= 32 ? low : shf_l_wrap<T>(low, high, n); }
template <class T> SIMT_PTX uint32_t shf_r_clamp(uint32_t low, uint32_t high, uint32_t n)
{ return n >= 32 ? high : shf_r_wrap<T>(low, high, n); }

template <class B, class A> SIMT_PTX uint32_t dp4a(uint32_t a, uint32_t b, uint32_t c)
{
    typedef std::conditional_t<std::is_signed<A>::value, int8_t, uint8_t> of_a;
    typedef std::conditional_t<std::is_signed<B>::value, int8_t, uint8_t> of_b;
    for (int i = 0; i < 32; i += 8) c += (uint32_t)((int32_t)(of_a)(a >> i) * (int32_t)(of_b)(b >> i));
    return c;
}
template <class T> SIMT_PTX T sad(T a, T b, T c) { return (T)(c + (a < b ? b - a : a - b)); }
template <class T> SIMT_PTX T mul24_lo(T a, T b) { return (T)((T)(a << 8) >> 8) * (T)((T)(b << 8) >> 8); }
template <class T> SIMT_PTX T mad24_lo(T a, T b, T c) { return mul24_lo<T>(a, b) + c; }
template <class T> SIMT_PTX T cnot(T a) { return a == 0; }
template <class T> SIMT_PTX uint32_t bfind_shift(T a)
{
    const uint32_t at = bfind<T>(a);
    return at == 0xffffffffu ? at : (uint32_t)(8 * sizeof(T) - 1) - at;
}
template <class T> SIMT_PTX T match_any(T v, uint32_t mask) { return (T)__match_any_sync(mask, v); }
template <class T> SIMT_PTX uint32_t elect(uint32_t mask) { return __syncwarp(mask), (uint32_t)__builtin_ctz(mask); }
SIMT_PTX bool elect_in_range(uint32_t mask) { return lane() == (uint32_t)__builtin_ctz(mask); }
template <class T> SIMT_PTX uint64_t cache_policy(...) { return 0; }

/* ---- comparisons ---- */

template <class T> SIMT_PTX bool equ(T a, T b) { return !(a < b || b < a); }
template <class T> SIMT_PTX bool neu(T a, T b) { return !(a == b); }
template <class T> SIMT_PTX bool ltu(T a, T b) { return !(a >= b); }
template <class T> SIMT_PTX bool leu(T a, T b) { return !(a > b); }
template <class T> SIMT_PTX bool gtu(T a, T b) { return !(a <= b); }
template <class T> SIMT_PTX bool geu(T a, T b) { return !(a < b); }
/* Combined with another predicate; and as a word that is all ones, or 1.0, if it holds. */
#define SIMT_PTX_COMPARED(name)                                                                                \
    template <class T> SIMT_PTX bool name##_and(T a, T b, bool p) { return name<T>(a, b) && p; }               \
    template <class T> SIMT_PTX bool name##_or(T a, T b, bool p) { return name<T>(a, b) || p; }                \
    template <class T> SIMT_PTX bool name##_xor(T a, T b, bool p) { return name<T>(a, b) != p; }               \
    template <class T, class D, class A, class B> SIMT_PTX D set_##name(A a, B b)                              \
    { return name<T>(as<T>(a), as<T>(b)) ? (D)(std::is_floating_point<D>::value ? 1 : -1) : (D)0; }
SIMT_PTX_COMPARED(eq)
SIMT_PTX_COMPARED(ne)
SIMT_PTX_COMPARED(lt)
SIMT_PTX_COMPARED(le)
SIMT_PTX_COMPARED(gt)
SIMT_PTX_COMPARED(ge)
template <class T, class D, class A, class B, class C> SIMT_PTX D slct(A a, B b, C c)
{ return as<T>(c) >= 0 ? as<D>(a) : as<D>(b); }
template <class T> SIMT_PTX T min_nan(T a, T b) { return a != a ? a : b != b ? b : min<T>(a, b); }
template <class T> SIMT_PTX T max_nan(T a, T b) { return a != a ? a : b != b ? b : max<T>(a, b); }
template <class T> SIMT_PTX T copysign(T sign, T a) { return std::copysign(a, sign); }

/* ---- conversions: to 0..1, into the range of a type, in other directions ---- */

template <class T> SIMT_PTX T saturated(T v) { return v > 0 ? (v < 1 ? v : (T)1) : (T)0; }
template <class T> SIMT_PTX T add_sat(T a, T b) { return saturated<T>(a + b); }
template <class T> SIMT_PTX T mul_sat(T a, T b) { return saturated<T>(a * b); }
template <class T> SIMT_PTX T fma_sat(T a, T b, T c) { return saturated<T>(std::fma(a, b, c)); }
template <class T, class D, class R> SIMT_PTX D cvt_sat(R r)
{
    const T v = as<T>(r);
    if constexpr (std::is_floating_point<D>::value) return saturated<D>((D)v);
    const D least = std::numeric_limits<D>::min(), most = std::numeric_limits<D>::max();
    if constexpr (std::is_floating_point<T>::value) return in_range<D>(v);
    else return (simt_int128)v < (simt_int128)least ? least : (simt_int128)v > (simt_int128)most ? most : (D)v;
}
template <class T, class D, class R> SIMT_PTX D cvt_rni_sat(R r) { return cvt_sat<T, D>((T)std::rint(as<T>(r))); }
template <class T, class D, class R> SIMT_PTX D cvt_rmi(R r) { return in_range<D>(std::floor(as<T>(r))); }
template <class T, class D, class R> SIMT_PTX D cvt_rpi(R r) { return in_range<D>(std::ceil(as<T>(r))); }
/* To tf32: 10 bits of fraction, ties away from 0. */
template <class T, class R> SIMT_PTX uint32_t cvt_tf32(R r)
{ return (uint32_t)simt::bits_of(as<float>(r)) + 0x1000u & 0xffffe000u; }

/* ---- halves: each operation in float, and rounded ---- */

SIMT_PTX uint16_t bfloat_bits(float v)
{
    const uint32_t u = (uint32_t)simt::bits_of(v);
    return (uint16_t)(v != v ? 0x7fff : (u + 0x7fff + (u >> 16 & 1)) >> 16);
}
struct f16 {
    uint16_t bits;
    f16() = default;
    explicit inline __attribute__((always_inline)) f16(float v) : bits((uint16_t)half_bits(v)) {}
    inline __attribute__((always_inline)) operator float() const { return mma_f16::at(bits, 0); }
};
struct bf16 {
    uint16_t bits;
    bf16() = default;
    explicit inline __attribute__((always_inline)) bf16(float v) : bits(bfloat_bits(v)) {}
    inline __attribute__((always_inline)) operator float() const { return mma_bf16::at(bits, 0); }
};
template <class H> struct pair {
    H x, y;
    pair() = default;
    inline __attribute__((always_inline)) pair(H low, H high) : x(low), y(high) {}
};
typedef pair<f16> f16x2;
typedef pair<bf16> bf16x2;

#define SIMT_PTX_FOR inline __attribute__((always_inline))
#define SIMT_PTX_HALF(H)                                                                                        \
    template <> SIMT_PTX_FOR auto add<H>(H a, H b) { return H((float)a + (float)b); }                           \
    template <> SIMT_PTX_FOR auto sub<H>(H a, H b) { return H((float)a - (float)b); }                           \
    template <> SIMT_PTX_FOR auto mul_lo<H>(H a, H b) { return H((float)a * (float)b); }                        \
    template <> SIMT_PTX_FOR auto min<H>(H a, H b) { return H(std::fmin((float)a, (float)b)); }                 \
    template <> SIMT_PTX_FOR auto max<H>(H a, H b) { return H(std::fmax((float)a, (float)b)); }                 \
    template <> SIMT_PTX_FOR H mad_lo<H>(H a, H b, H c)                                                         \
    { return H((float)std::fma((double)a, (double)b, (double)c)); }                                             \
    template <> SIMT_PTX_FOR H neg<H>(H a) { return H(-(float)a); }                                             \
    template <> SIMT_PTX_FOR H abs<H>(H a) { return H(std::fabs((float)a)); }                                   \
    template <> SIMT_PTX_FOR H ex2<H>(H a) { return H(std::exp2((float)a)); }                                   \
    template <> SIMT_PTX_FOR H tanh<H>(H a) { return H(std::tanh((float)a)); }                                  \
    SIMT_PTX_PAIR(pair<H>, H)
#define SIMT_PTX_PAIR(P, H)                                                                                     \
    template <> SIMT_PTX_FOR auto add<P>(P a, P b) { return P(add<H>(a.x, b.x), add<H>(a.y, b.y)); }            \
    template <> SIMT_PTX_FOR auto sub<P>(P a, P b) { return P(sub<H>(a.x, b.x), sub<H>(a.y, b.y)); }            \
    template <> SIMT_PTX_FOR auto mul_lo<P>(P a, P b) { return P(mul_lo<H>(a.x, b.x), mul_lo<H>(a.y, b.y)); }   \
    template <> SIMT_PTX_FOR auto min<P>(P a, P b) { return P(min<H>(a.x, b.x), min<H>(a.y, b.y)); }            \
    template <> SIMT_PTX_FOR auto max<P>(P a, P b) { return P(max<H>(a.x, b.x), max<H>(a.y, b.y)); }            \
    template <> SIMT_PTX_FOR P mad_lo<P>(P a, P b, P c)                                                         \
    { return P(mad_lo<H>(a.x, b.x, c.x), mad_lo<H>(a.y, b.y, c.y)); }                                           \
    template <> SIMT_PTX_FOR P neg<P>(P a) { return P(neg<H>(a.x), neg<H>(a.y)); }                              \
    template <> SIMT_PTX_FOR P abs<P>(P a) { return P(abs<H>(a.x), abs<H>(a.y)); }                              \
    template <> SIMT_PTX_FOR P ex2<P>(P a) { return P(ex2<H>(a.x), ex2<H>(a.y)); }                              \
    template <> SIMT_PTX_FOR P tanh<P>(P a) { return P(tanh<H>(a.x), tanh<H>(a.y)); }
SIMT_PTX_HALF(f16)
SIMT_PTX_HALF(bf16)
/* Two numbers into one register, the first high. */
template <class T, class D, class R> SIMT_PTX D cvt(R high, R low)
{
    typedef decltype(D().x) half;
    return D(half(as<T>(low)), half(as<T>(high)));
}

} // namespace simt_ptx

#endif
