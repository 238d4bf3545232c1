/*
 * simt_half.h - arithmetic of __half and __half2 for programs of simtcc; included by cuda_fp16.h.
 *
 * Each operation is done in float, which has more than twice the digits, and rounded to half: right for + - * / and
 * roots.
 */
#ifndef SIMT_HALF_H
#define SIMT_HALF_H

#include <math.h>

#define SIMT_HALF static inline __attribute__((always_inline, unused))
#define SIMT_HALF_OPERATOR(op)                                                                       \
    SIMT_HALF __half2 operator op(__half2 a, __half2 b) { return {a.x op b.x, a.y op b.y}; }         \
    SIMT_HALF __half &operator op##=(__half &a, __half b) { return a = a op b; }                     \
    SIMT_HALF __half2 &operator op##=(__half2 &a, __half2 b) { return a = a op b; }
SIMT_HALF __half operator/(__half a, __half b) { return __float2half(__half2float(a) / __half2float(b)); }
SIMT_HALF_OPERATOR(+)
SIMT_HALF_OPERATOR(-)
SIMT_HALF_OPERATOR(*)
SIMT_HALF_OPERATOR(/)
SIMT_HALF __half operator-(__half a) { return __ushort_as_half((unsigned short)(a.bits ^ 0x8000)); }
SIMT_HALF __half2 operator-(__half2 a) { return {-a.x, -a.y}; }

#define SIMT_HALF_COMPARE(op, name)                                                                  \
    SIMT_HALF bool operator op(__half a, __half b) { return __half2float(a) op __half2float(b); }    \
    SIMT_HALF bool __h##name(__half a, __half b) { return a op b; }                                  \
    SIMT_HALF __half2 __h##name##2(__half2 a, __half2 b) { return {(float)(a.x op b.x), (float)(a.y op b.y)}; }      \
    SIMT_HALF bool __hb##name##2(__half2 a, __half2 b) { return a.x op b.x && a.y op b.y; }
SIMT_HALF_COMPARE(==, eq)
SIMT_HALF_COMPARE(!=, ne)
SIMT_HALF_COMPARE(<, lt)
SIMT_HALF_COMPARE(<=, le)
SIMT_HALF_COMPARE(>, gt)
SIMT_HALF_COMPARE(>=, ge)
SIMT_HALF bool __hisnan(__half a) { return (a.bits & 0x7fff) > 0x7c00; }
SIMT_HALF int __hisinf(__half a) { return (a.bits & 0x7fff) != 0x7c00 ? 0 : a.bits >> 15 ? -1 : 1; }

SIMT_HALF __half __hsub(__half a, __half b) { return a - b; }
SIMT_HALF __half __hdiv(__half a, __half b) { return a / b; }
SIMT_HALF __half __hneg(__half a) { return -a; }
SIMT_HALF __half __habs(__half a) { return __ushort_as_half(a.bits & 0x7fff); }
SIMT_HALF __half __hmin(__half a, __half b) { return __float2half(fminf(a, b)); }
SIMT_HALF __half __hmax(__half a, __half b) { return __float2half(fmaxf(a, b)); }
/* In double, where the product is exact; rounded to float on the way to half. */
SIMT_HALF __half __hfma(__half a, __half b, __half c)
{
    const double product = (double)(float)a * (float)b, sum = product + (double)(float)c;
    return __float2half((float)sum);
}
SIMT_HALF __half __hadd_sat(__half a, __half b) { const float s = a + b; return s > 0 ? (s < 1 ? s : 1.0f) : 0.0f; }
SIMT_HALF __half2 __hadd2(__half2 a, __half2 b) { return a + b; }
SIMT_HALF __half2 __hsub2(__half2 a, __half2 b) { return a - b; }
SIMT_HALF __half2 __hmul2(__half2 a, __half2 b) { return a * b; }
SIMT_HALF __half2 __h2div(__half2 a, __half2 b) { return a / b; }
SIMT_HALF __half2 __hneg2(__half2 a) { return -a; }
SIMT_HALF __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }
SIMT_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }

SIMT_HALF __half __float2half_rz(float f)
{
    __half h = __float2half(f);
    if (fabsf(__half2float(h)) > fabsf(f)) --h.bits;
    return h;
}
SIMT_HALF __half2 __float2half2_rn(float f) { return {f, f}; }
SIMT_HALF __half2 __float22half2_rn(float2 f) { return {f.x, f.y}; }
SIMT_HALF __half2 __half2half2(__half h) { return {h, h}; }
SIMT_HALF __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
SIMT_HALF __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
SIMT_HALF __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
SIMT_HALF int __half2int_rn(__half h) { return (int)rintf(h); }
SIMT_HALF int __half2int_rz(__half h) { return (int)(float)h; }
SIMT_HALF short __half2short_rn(__half h) { return (short)rintf(h); }
SIMT_HALF __half __uint2half_rn(unsigned u) { return __half((float)u); }
SIMT_HALF __half __short2half_rn(short i) { return __half((int)i); }

#define SIMT_HALF_FUNCTION(name, f)                                                                  \
    SIMT_HALF __half h##name(__half a) { return __float2half(f(__half2float(a))); }                  \
    SIMT_HALF __half2 h2##name(__half2 a) { return {h##name(a.x), h##name(a.y)}; }
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

#endif
