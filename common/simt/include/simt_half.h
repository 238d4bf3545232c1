/*
 * simt_half.h - arithmetic of 16-bit floating point for programs of simtcc.  cuda_fp16.h and cuda_bf16.h include it
 * once each, with SIMT_H and SIMT_H2 the types, SIMT_FROM_FLOAT and SIMT_TO_FLOAT the conversions.
 *
 * Each operation is done in float, which has more than twice the digits, and rounded: right for + - * / and roots.
 */
#include <math.h>

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

#define SIMT_HALF_COMPARE(op, name)                                                                  \
    SIMT_HALF bool operator op(SIMT_H a, SIMT_H b) { return SIMT_TO_FLOAT(a) op SIMT_TO_FLOAT(b); }    \
    SIMT_HALF bool __h##name(SIMT_H a, SIMT_H b) { return a op b; }                                  \
    SIMT_HALF SIMT_H2 __h##name##2(SIMT_H2 a, SIMT_H2 b) { return {(float)(a.x op b.x), (float)(a.y op b.y)}; }      \
    SIMT_HALF bool __hb##name##2(SIMT_H2 a, SIMT_H2 b) { return a.x op b.x && a.y op b.y; }
SIMT_HALF_COMPARE(==, eq)
SIMT_HALF_COMPARE(!=, ne)
SIMT_HALF_COMPARE(<, lt)
SIMT_HALF_COMPARE(<=, le)
SIMT_HALF_COMPARE(>, gt)
SIMT_HALF_COMPARE(>=, ge)
SIMT_HALF bool __hisnan(SIMT_H a) { return isnan(SIMT_TO_FLOAT(a)); }
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
/* In double, where the product is exact; rounded to float on the way to half. */
SIMT_HALF SIMT_H __hfma(SIMT_H a, SIMT_H b, SIMT_H c)
{
    const double product = (double)(float)a * (float)b, sum = product + (double)(float)c;
    return SIMT_FROM_FLOAT((float)sum);
}
SIMT_HALF SIMT_H __hadd_sat(SIMT_H a, SIMT_H b) { const float s = a + b; return s > 0 ? (s < 1 ? s : 1.0f) : 0.0f; }
SIMT_HALF SIMT_H2 __hadd2(SIMT_H2 a, SIMT_H2 b) { return a + b; }
SIMT_HALF SIMT_H2 __hsub2(SIMT_H2 a, SIMT_H2 b) { return a - b; }
SIMT_HALF SIMT_H2 __hmul2(SIMT_H2 a, SIMT_H2 b) { return a * b; }
SIMT_HALF SIMT_H2 __h2div(SIMT_H2 a, SIMT_H2 b) { return a / b; }
SIMT_HALF SIMT_H2 __hneg2(SIMT_H2 a) { return -a; }
SIMT_HALF SIMT_H2 __habs2(SIMT_H2 a) { return {__habs(a.x), __habs(a.y)}; }
SIMT_HALF SIMT_H2 __hfma2(SIMT_H2 a, SIMT_H2 b, SIMT_H2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }

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

