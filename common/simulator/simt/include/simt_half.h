/*
 * simt_half.h - arithmetic of 16-bit floating point for programs of simtcc.  cuda_fp16.h and cuda_bf16.h include it
 * once each, with SIMT_H and SIMT_H2 the types, SIMT_FROM_FLOAT and SIMT_TO_FLOAT the conversions, SIMT_H_WORD what the
 * type is called in names of functions, SIMT_H_ATOMIC in those of the runtime's atomics; it undefines them.
 *
 * Each operation is done in float, which has more than twice the digits, and rounded: right for + - * / and roots.
 */
#include <limits.h>
#include <math.h>

#ifndef SIMT_HALF_H
#define SIMT_HALF_H
/* Rounds x to a float "to odd": the last bit is 1 if bits are cut off.  Rounding the result to fewer bits then
 * gives the same as rounding x. */
static inline __attribute__((unused)) float simt_odd(float x) { return x; }
template <class T> static inline __attribute__((unused)) float simt_odd(T number)
{
    const long double x = number;
    float f = (float)x;
    uint32_t bits;
    if (f == x || x != x) return f;
    memcpy(&bits, &f, sizeof bits);
    if (x > 0 ? f > x : f < x) --bits;
    bits |= 1;
    memcpy(&f, &bits, sizeof f);
    return f;
}
/* a + b rounded to odd: Knuth's TwoSum gives the exact error of the sum. */
static inline __attribute__((unused)) float simt_odd_sum(double a, double b)
{
    double sum = a + b;
    const double of_b = sum - a, rest = (a - (sum - of_b)) + (b - of_b);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if ((rest > 0 || rest < 0) && !(bits & 1)) bits += (rest > 0) == (sum > 0) ? 1 : -1;
    memcpy(&sum, &bits, sizeof sum);
    return simt_odd(sum);
}
#endif

#undef SIMT_HALF
#undef SIMT_HALF_OPERATOR
#undef SIMT_HALF_COMPARE
#undef SIMT_HALF_FUNCTION
#define SIMT_HALF static inline __attribute__((always_inline, unused))
#define SIMT_HALF_OPERATOR(op)                                                                       \
    SIMT_HALF SIMT_H2 operator op(SIMT_H2 a, SIMT_H2 b) { return {a.x op b.x, a.y op b.y}; }         \
    SIMT_HALF SIMT_H &operator op##=(SIMT_H &a, SIMT_H b) { return a = a op b; }                     \
    SIMT_HALF SIMT_H2 &operator op##=(SIMT_H2 &a, SIMT_H2 b) { return a = a op b; }
SIMT_HALF SIMT_H operator/(SIMT_H a, SIMT_H b) { return SIMT_FROM_FLOAT(SIMT_TO_FLOAT(a) / SIMT_TO_FLOAT(b)); }
SIMT_HALF_OPERATOR(+)
SIMT_HALF_OPERATOR(-)
SIMT_HALF_OPERATOR(*)
SIMT_HALF_OPERATOR(/)
SIMT_HALF SIMT_H operator-(SIMT_H a)
{
    a.bits ^= 0x8000;
    return a;
}
SIMT_HALF SIMT_H2 operator-(SIMT_H2 a) { return {-a.x, -a.y}; }
SIMT_HALF SIMT_H operator+(SIMT_H a) { return a; }
SIMT_HALF SIMT_H &operator++(SIMT_H &a) { return a = a + SIMT_FROM_FLOAT(1); }
SIMT_HALF SIMT_H &operator--(SIMT_H &a) { return a = a - SIMT_FROM_FLOAT(1); }
SIMT_HALF SIMT_H operator++(SIMT_H &a, int) { const SIMT_H before = a; return ++a, before; }
SIMT_HALF SIMT_H operator--(SIMT_H &a, int) { const SIMT_H before = a; return --a, before; }
SIMT_HALF bool simt_unordered(SIMT_H a, SIMT_H b) { return isunordered(SIMT_TO_FLOAT(a), SIMT_TO_FLOAT(b)); }

/* In the names of comparisons, u means true if an operand is NaN (without u they are false, != too), b means for
 * both halves, and mask gives all ones where the comparison holds. */
#define SIMT_HALF_PAIRS(name)                                                                        \
    SIMT_HALF SIMT_H2 name##2(SIMT_H2 a, SIMT_H2 b) { return {(float)name(a.x, b.x), (float)name(a.y, b.y)}; }       \
    SIMT_HALF unsigned name##2_mask(SIMT_H2 a, SIMT_H2 b)                                            \
    { return (name(a.x, b.x) ? 0xffffu : 0) | (name(a.y, b.y) ? 0xffff0000u : 0); }
#define SIMT_HALF_COMPARE(op, name)                                                                  \
    SIMT_HALF bool operator op(SIMT_H a, SIMT_H b) { return SIMT_TO_FLOAT(a) op SIMT_TO_FLOAT(b); }    \
    SIMT_HALF bool __h##name(SIMT_H a, SIMT_H b) { return !simt_unordered(a, b) && a op b; }         \
    SIMT_HALF bool __h##name##u(SIMT_H a, SIMT_H b) { return simt_unordered(a, b) || a op b; }       \
    SIMT_HALF_PAIRS(__h##name)                                                                       \
    SIMT_HALF_PAIRS(__h##name##u)                                                                    \
    SIMT_HALF bool __hb##name##2(SIMT_H2 a, SIMT_H2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }  \
    SIMT_HALF bool __hb##name##u2(SIMT_H2 a, SIMT_H2 b) { return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y); }  \
    SIMT_HALF bool operator op(SIMT_H2 a, SIMT_H2 b) { return a.x op b.x && a.y op b.y; }
SIMT_HALF_COMPARE(==, eq)
SIMT_HALF_COMPARE(!=, ne)
SIMT_HALF_COMPARE(<, lt)
SIMT_HALF_COMPARE(<=, le)
SIMT_HALF_COMPARE(>, gt)
SIMT_HALF_COMPARE(>=, ge)
SIMT_HALF bool __hisnan(SIMT_H a) { return isnan(SIMT_TO_FLOAT(a)); }
SIMT_HALF SIMT_H2 __hisnan2(SIMT_H2 a) { return {(float)__hisnan(a.x), (float)__hisnan(a.y)}; }
SIMT_HALF int __hisinf(SIMT_H a) { return !isinf(SIMT_TO_FLOAT(a)) ? 0 : a.bits >> 15 ? -1 : 1; }

SIMT_HALF SIMT_H __hsub(SIMT_H a, SIMT_H b) { return a - b; }
SIMT_HALF SIMT_H __hdiv(SIMT_H a, SIMT_H b) { return a / b; }
SIMT_HALF SIMT_H __hneg(SIMT_H a) { return -a; }
SIMT_HALF SIMT_H __habs(SIMT_H a)
{
    a.bits &= 0x7fff;
    return a;
}
SIMT_HALF SIMT_H __hmin(SIMT_H a, SIMT_H b) { return SIMT_FROM_FLOAT(fminf(a, b)); }
SIMT_HALF SIMT_H __hmax(SIMT_H a, SIMT_H b) { return SIMT_FROM_FLOAT(fmaxf(a, b)); }
SIMT_HALF SIMT_H __hmin_nan(SIMT_H a, SIMT_H b) { return simt_unordered(a, b) ? SIMT_FROM_FLOAT(NAN) : __hmin(a, b); }
SIMT_HALF SIMT_H __hmax_nan(SIMT_H a, SIMT_H b) { return simt_unordered(a, b) ? SIMT_FROM_FLOAT(NAN) : __hmax(a, b); }
/* Computed in double, in which the product is exact. */
SIMT_HALF SIMT_H __hfma(SIMT_H a, SIMT_H b, SIMT_H c)
{ return SIMT_FROM_FLOAT(simt_odd_sum((double)(float)a * (float)b, (float)c)); }
SIMT_HALF SIMT_H simt_saturated(SIMT_H a) { const float f = a; return f > 0 ? (f < 1 ? f : 1.0f) : 0.0f; }
SIMT_HALF SIMT_H simt_not_negative(SIMT_H a) { const float f = a; return f < 0 ? 0.0f : f; }
SIMT_HALF SIMT_H __hfma_sat(SIMT_H a, SIMT_H b, SIMT_H c) { return simt_saturated(__hfma(a, b, c)); }
SIMT_HALF SIMT_H __hfma_relu(SIMT_H a, SIMT_H b, SIMT_H c) { return simt_not_negative(__hfma(a, b, c)); }
#define SIMT_HALF_ARITHMETIC(name, op)                                                               \
    SIMT_HALF SIMT_H __h##name##_rn(SIMT_H a, SIMT_H b) { return a op b; }                           \
    SIMT_HALF SIMT_H __h##name##_sat(SIMT_H a, SIMT_H b) { return simt_saturated(a op b); }          \
    SIMT_HALF SIMT_H2 __h##name##2(SIMT_H2 a, SIMT_H2 b) { return a op b; }                          \
    SIMT_HALF SIMT_H2 __h##name##2_rn(SIMT_H2 a, SIMT_H2 b) { return a op b; }                       \
    SIMT_HALF SIMT_H2 __h##name##2_sat(SIMT_H2 a, SIMT_H2 b)                                         \
    { return {simt_saturated(a.x op b.x), simt_saturated(a.y op b.y)}; }
SIMT_HALF_ARITHMETIC(add, +)
SIMT_HALF_ARITHMETIC(sub, -)
SIMT_HALF_ARITHMETIC(mul, *)
SIMT_HALF SIMT_H2 __h2div(SIMT_H2 a, SIMT_H2 b) { return a / b; }
SIMT_HALF SIMT_H2 __hneg2(SIMT_H2 a) { return -a; }
SIMT_HALF SIMT_H2 __habs2(SIMT_H2 a) { return {__habs(a.x), __habs(a.y)}; }
SIMT_HALF SIMT_H2 __hmin2(SIMT_H2 a, SIMT_H2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
SIMT_HALF SIMT_H2 __hmax2(SIMT_H2 a, SIMT_H2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
SIMT_HALF SIMT_H2 __hmin2_nan(SIMT_H2 a, SIMT_H2 b) { return {__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)}; }
SIMT_HALF SIMT_H2 __hmax2_nan(SIMT_H2 a, SIMT_H2 b) { return {__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)}; }
#define SIMT_HALF_FMA(name)                                                                          \
    SIMT_HALF SIMT_H2 __hfma2##name(SIMT_H2 a, SIMT_H2 b, SIMT_H2 c)                                 \
    { return {__hfma##name(a.x, b.x, c.x), __hfma##name(a.y, b.y, c.y)}; }
SIMT_HALF_FMA()
SIMT_HALF_FMA(_sat)
SIMT_HALF_FMA(_relu)
/* a * b + c of complex numbers. */
SIMT_HALF SIMT_H2 __hcmadd(SIMT_H2 a, SIMT_H2 b, SIMT_H2 c)
{ return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))}; }

#define SIMT_HALF_FUNCTION(name, f)                                                                  \
    SIMT_HALF SIMT_H h##name(SIMT_H a) { return SIMT_FROM_FLOAT(f(SIMT_TO_FLOAT(a))); }                  \
    SIMT_HALF SIMT_H2 h2##name(SIMT_H2 a) { return {h##name(a.x), h##name(a.y)}; }
SIMT_HALF_FUNCTION(sqrt, sqrtf)
SIMT_HALF_FUNCTION(rsqrt, 1 / sqrtf)
SIMT_HALF_FUNCTION(rcp, 1 / (float))
SIMT_HALF_FUNCTION(exp, expf)
SIMT_HALF_FUNCTION(exp2, exp2f)
SIMT_HALF_FUNCTION(log, logf)
SIMT_HALF_FUNCTION(log2, log2f)
SIMT_HALF_FUNCTION(sin, sinf)
SIMT_HALF_FUNCTION(cos, cosf)
SIMT_HALF_FUNCTION(floor, floorf)
SIMT_HALF_FUNCTION(ceil, ceilf)
SIMT_HALF_FUNCTION(trunc, truncf)
SIMT_HALF_FUNCTION(rint, rintf)
SIMT_HALF_FUNCTION(exp10, exp10f)
SIMT_HALF_FUNCTION(log10, log10f)
SIMT_HALF_FUNCTION(tanh, tanhf)
SIMT_HALF_FUNCTION(tanh_approx, tanhf)

/* ---- conversions that say how to round ---- */

SIMT_HALF SIMT_H simt_next(SIMT_H h)
{
    h.bits = (uint16_t)(h.bits == 0x8000 ? 1 : h.bits >> 15 ? h.bits - 1 : h.bits + 1);
    return h;
}
/* near: the value nearest to x; direction: 1 up, -1 down, 0 to zero. */
SIMT_HALF SIMT_H simt_towards(SIMT_H near, long double x, int direction)
{
    const long double there = SIMT_TO_FLOAT(near);
    if (direction == 0)
        direction = x > 0 ? -1 : 1;
    return direction > 0 ? (there < x ? simt_next(near) : near) : there > x ? -simt_next(-near) : near;
}
#define SIMT_PASTE(a, b, c, d) a##b##c##d
#define SIMT_JOIN(a, b, c, d) SIMT_PASTE(a, b, c, d)
#define SIMT_HALF_FROM(from, T)                                                                      \
    SIMT_HALF SIMT_H SIMT_JOIN(__##from##2, SIMT_H_WORD, _rz, )(T x)                                 \
    { return simt_towards(SIMT_FROM_FLOAT(simt_odd(x)), x, 0); }                                \
    SIMT_HALF SIMT_H SIMT_JOIN(__##from##2, SIMT_H_WORD, _ru, )(T x)                                 \
    { return simt_towards(SIMT_FROM_FLOAT(simt_odd(x)), x, 1); }                                \
    SIMT_HALF SIMT_H SIMT_JOIN(__##from##2, SIMT_H_WORD, _rd, )(T x)                                 \
    { return simt_towards(SIMT_FROM_FLOAT(simt_odd(x)), x, -1); }
/* Converts to the nearest number of the type; NaN becomes 0. */
#define SIMT_HALF_TO(to, T, low, high, suffix, round)                                                \
    SIMT_HALF T SIMT_JOIN(__, SIMT_H_WORD, 2, to##suffix)(SIMT_H h)                                  \
    {                                                                                                \
        const double x = round(SIMT_TO_FLOAT(h));                                                    \
        return isnan(x) ? (T)0 : x <= (double)(low) ? (T)(low) : x >= (double)(high) ? (T)(high) : (T)x;             \
    }
#define SIMT_HALF_AND(name, T, low, high)                                                            \
    SIMT_HALF_FROM(name, T)                                                                          \
    SIMT_HALF SIMT_H SIMT_JOIN(__##name##2, SIMT_H_WORD, _rn, )(T x) { return SIMT_FROM_FLOAT(simt_odd(x)); }         \
    SIMT_HALF_TO(name, T, low, high, _rn, rint)                                                      \
    SIMT_HALF_TO(name, T, low, high, _rz, trunc)                                                     \
    SIMT_HALF_TO(name, T, low, high, _ru, ceil)                                                      \
    SIMT_HALF_TO(name, T, low, high, _rd, floor)
SIMT_HALF_FROM(float, float)
SIMT_HALF_AND(int, int, INT_MIN, INT_MAX)
SIMT_HALF_AND(uint, unsigned, 0, UINT_MAX)
SIMT_HALF_AND(short, short, SHRT_MIN, SHRT_MAX)
SIMT_HALF_AND(ushort, unsigned short, 0, USHRT_MAX)
SIMT_HALF_AND(ll, long long, LLONG_MIN, LLONG_MAX)
SIMT_HALF_AND(ull, unsigned long long, 0, ULLONG_MAX)
SIMT_HALF_TO(char, signed char, SCHAR_MIN, SCHAR_MAX, _rz, trunc)
SIMT_HALF_TO(uchar, unsigned char, 0, UCHAR_MAX, _rz, trunc)

/* ---- bits, and pairs ---- */

SIMT_HALF SIMT_H SIMT_JOIN(__double2, SIMT_H_WORD, , )(double d) { return SIMT_FROM_FLOAT(simt_odd(d)); }
SIMT_HALF SIMT_H SIMT_JOIN(__short_as_, SIMT_H_WORD, , )(short s)
{ return SIMT_JOIN(__ushort_as_, SIMT_H_WORD, , )((unsigned short)s); }
SIMT_HALF short SIMT_JOIN(__, SIMT_H_WORD, _as_short, )(SIMT_H h) { return (short)h.bits; }
SIMT_HALF SIMT_H2 SIMT_JOIN(__low2, SIMT_H_WORD, 2, )(SIMT_H2 v) { return {v.x, v.x}; }
SIMT_HALF SIMT_H2 SIMT_JOIN(__high2, SIMT_H_WORD, 2, )(SIMT_H2 v) { return {v.y, v.y}; }
SIMT_HALF SIMT_H2 SIMT_JOIN(__lows2, SIMT_H_WORD, 2, )(SIMT_H2 a, SIMT_H2 b) { return {a.x, b.x}; }
SIMT_HALF SIMT_H2 SIMT_JOIN(__highs2, SIMT_H_WORD, 2, )(SIMT_H2 a, SIMT_H2 b) { return {a.y, b.y}; }
SIMT_HALF SIMT_H2 __lowhigh2highlow(SIMT_H2 v) { return {v.y, v.x}; }
SIMT_HALF SIMT_H2 SIMT_JOIN(__float22, SIMT_H_WORD, 2, _rn)(float2 f) { return {f.x, f.y}; }
SIMT_HALF SIMT_H2 SIMT_JOIN(__float2, SIMT_H_WORD, 2, _rn)(float f) { return {f, f}; }

#ifdef SIMT_DEVICE_H
SIMT_ATOMIC(atomicAdd, SIMT_ADD, SIMT_H, SIMT_JOIN(SIMT_, SIMT_H_ATOMIC, , ))
SIMT_ATOMIC(atomicAdd, SIMT_ADD, SIMT_H2, SIMT_JOIN(SIMT_, SIMT_H_ATOMIC, X2, ))
#endif
#undef SIMT_PASTE
#undef SIMT_JOIN
#undef SIMT_HALF_PAIRS
#undef SIMT_HALF_ARITHMETIC
#undef SIMT_HALF_FMA
#undef SIMT_HALF_FROM
#undef SIMT_HALF_TO
#undef SIMT_HALF_AND
#undef SIMT_H
#undef SIMT_H2
#undef SIMT_FROM_FLOAT
#undef SIMT_TO_FLOAT
#undef SIMT_H_WORD
#undef SIMT_H_ATOMIC
