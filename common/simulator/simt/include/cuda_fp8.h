/*
 * cuda_fp8.h - numbers of 8 bits: e4m3, without infinities, up to 448; e5m2, up to 57344.  Storage and conversions,
 * which round to nearest even; there is no arithmetic.
 */
#ifndef SIMT_CUDA_FP8_H
#define SIMT_CUDA_FP8_H

#include <math.h>
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#ifdef __cplusplus
#define SIMT_FP8 static inline __attribute__((always_inline, unused))

/* A NaN loses its sign. */
SIMT_FP8 __nv_fp8_storage_t simt_to_fp8(double x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind)
{
    const int digits = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
    const unsigned sign = signbit(x) ? 0x80 : 0, largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
    const double magnitude = fabs(x), least = ldexp(1, 1 - bias), top = kind == __NV_E4M3 ? 448 : 57344;
    if (isnan(x)) return 0x7f;
    int exponent = 1 - bias;
    if (magnitude >= least && !isinf(x)) {
        frexp(magnitude, &exponent);
        --exponent;
    }
    const double steps = isinf(x) ? magnitude : rint(ldexp(magnitude, digits - exponent));
    if (ldexp(steps, exponent - digits) > top)
        return (__nv_fp8_storage_t)(sign | (saturation == __NV_SATFINITE ? largest : kind == __NV_E4M3 ? 0x7f : 0x7c));
    /* Rounding up to the next power of two carries into the exponent, which is correct. */
    const unsigned bits = ((unsigned)(exponent + bias - 1) << digits) + (unsigned)steps;
    return (__nv_fp8_storage_t)(sign | bits);
}

SIMT_FP8 float simt_from_fp8(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind)
{
    const int digits = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
    const int exponent = (x & 0x7f) >> digits, mantissa = x & ((1 << digits) - 1);
    float f;
    if (kind == __NV_E4M3 ? (x & 0x7f) == 0x7f : (x & 0x7f) > 0x7c) return NAN;
    if (kind == __NV_E5M2 && (x & 0x7f) == 0x7c)
        f = INFINITY;
    else
        f = exponent == 0 ? ldexpf((float)mantissa, 1 - bias - digits)
                          : ldexpf((float)(mantissa | 1 << digits), exponent - bias - digits);
    return x & 0x80 ? -f : f;
}

#ifdef SIMT_PROGRAM
/* ---- by their names in CUDA ---- */

#define SIMT_FP8_FROM(name, T, name2, T2, value, x2, y2)                                                             \
    SIMT_FP8 __nv_fp8_storage_t __nv_cvt_##name##_to_fp8(T x, __nv_saturation_t s, __nv_fp8_interpretation_t k)      \
    { return simt_to_fp8(value, s, k); }                                                                             \
    SIMT_FP8 __nv_fp8x2_storage_t __nv_cvt_##name2##_to_fp8x2(T2 v, __nv_saturation_t s, __nv_fp8_interpretation_t k) \
    { return (__nv_fp8x2_storage_t)(simt_to_fp8(x2, s, k) | simt_to_fp8(y2, s, k) << 8); }
SIMT_FP8_FROM(float, float, float2, float2, x, v.x, v.y)
SIMT_FP8_FROM(double, double, double2, double2, x, v.x, v.y)
SIMT_FP8_FROM(halfraw, __half_raw, halfraw2, __half2_raw, (float)__half(x), (float)__half2(v).x, (float)__half2(v).y)
SIMT_FP8_FROM(bfloat16raw, __nv_bfloat16_raw, bfloat16raw2, __nv_bfloat162_raw, (float)__nv_bfloat16(x),
              (float)__nv_bfloat162(v).x, (float)__nv_bfloat162(v).y)
SIMT_FP8 __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t k)
{ return __half(simt_from_fp8(x, k)); }
SIMT_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t k)
{ return __half2(simt_from_fp8((__nv_fp8_storage_t)x, k), simt_from_fp8((__nv_fp8_storage_t)(x >> 8), k)); }

/* ---- the types ---- */

namespace simt {

template <__nv_fp8_interpretation_t k> struct fp8 {
    __nv_fp8_storage_t __x;
    fp8() = default;
    explicit fp8(__half h) : __x(simt_to_fp8((float)h, __NV_SATFINITE, k)) {}
    explicit fp8(__nv_bfloat16 b) : __x(simt_to_fp8((float)b, __NV_SATFINITE, k)) {}
    template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
    explicit fp8(T x) : __x(simt_to_fp8((double)x, __NV_SATFINITE, k)) {}
    explicit operator __half() const { return simt_from_fp8(__x, k); }
    explicit operator __nv_bfloat16() const { return simt_from_fp8(__x, k); }
    explicit operator bool() const { return (__x & 0x7f) != 0; }
    template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type> explicit operator T() const
    { return (T)simt_from_fp8(__x, k); }
};

/* All of 2 or 4 numbers together, the first in the lowest byte. */
template <__nv_fp8_interpretation_t k> struct fp8x2 {
    __nv_fp8x2_storage_t __x;
    fp8x2() = default;
    explicit fp8x2(float2 f) : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, k)) {}
    explicit fp8x2(double2 d) : __x(__nv_cvt_double2_to_fp8x2(d, __NV_SATFINITE, k)) {}
    explicit fp8x2(__half2 h) : __x(__nv_cvt_halfraw2_to_fp8x2(h, __NV_SATFINITE, k)) {}
    explicit fp8x2(__nv_bfloat162 b) : __x(__nv_cvt_bfloat16raw2_to_fp8x2(b, __NV_SATFINITE, k)) {}
    explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, k); }
    explicit operator float2() const
    { return {simt_from_fp8((__nv_fp8_storage_t)__x, k), simt_from_fp8((__nv_fp8_storage_t)(__x >> 8), k)}; }
};
template <__nv_fp8_interpretation_t k> struct fp8x4 {
    __nv_fp8x4_storage_t __x;
    fp8x4() = default;
    explicit fp8x4(float4 f) { put(fp8x2<k>(float2{f.x, f.y}), fp8x2<k>(float2{f.z, f.w})); }
    explicit fp8x4(double4 d) { put(fp8x2<k>(double2{d.x, d.y}), fp8x2<k>(double2{d.z, d.w})); }
    explicit fp8x4(__half2 low, __half2 high) { put(fp8x2<k>(low), fp8x2<k>(high)); }
    explicit fp8x4(__nv_bfloat162 low, __nv_bfloat162 high) { put(fp8x2<k>(low), fp8x2<k>(high)); }
    explicit operator float4() const
    {
        fp8x2<k> low, high;
        low.__x = (__nv_fp8x2_storage_t)__x, high.__x = (__nv_fp8x2_storage_t)(__x >> 16);
        const float2 a = float2(low), b = float2(high);
        return {a.x, a.y, b.x, b.y};
    }
private:
    void put(fp8x2<k> low, fp8x2<k> high) { __x = low.__x | (__nv_fp8x4_storage_t)high.__x << 16; }
};

} // namespace simt

typedef simt::fp8<__NV_E4M3> __nv_fp8_e4m3;
typedef simt::fp8<__NV_E5M2> __nv_fp8_e5m2;
typedef simt::fp8x2<__NV_E4M3> __nv_fp8x2_e4m3;
typedef simt::fp8x2<__NV_E5M2> __nv_fp8x2_e5m2;
typedef simt::fp8x4<__NV_E4M3> __nv_fp8x4_e4m3;
typedef simt::fp8x4<__NV_E5M2> __nv_fp8x4_e5m2;
#endif
#endif

#endif
