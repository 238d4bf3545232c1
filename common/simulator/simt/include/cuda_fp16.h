/*
 * cuda_fp16.h - half precision: storage, conversions, and arithmetic through float.
 *
 * float -> half rounds to nearest even, as CUDA does.  Usable from C (types and
 * conversions) and C++ (operators too).
 */
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H

#include <stdint.h>
#include <string.h>
#if defined __cplusplus && defined SIMT_PROGRAM
#include <type_traits>
#endif
#include "vector_types.h"

typedef struct { unsigned short x; } __half_raw;
typedef struct __attribute__((aligned(4))) { unsigned short x, y; } __half2_raw;
typedef struct __half {
    uint16_t bits;
#if defined __cplusplus && defined SIMT_PROGRAM /* in the course it stays plain data */
    __half() = default;
    template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
    inline __half(T x);
    /* Of another number of few bits. */
    template <class T, class = typename std::enable_if<std::is_class<T>::value && !std::is_same<T, __half>::value &&
                                                       std::is_convertible<T, float>::value>::type, class = void>
    explicit __half(const T &x) : __half((float)x) {}
    __half(const __half_raw &raw) : bits(raw.x) {}
    operator __half_raw() const { return {bits}; }
    inline operator float() const;
#endif
} __half;
typedef struct __attribute__((aligned(4))) __half2 {
    __half x, y;
#if defined __cplusplus && defined SIMT_PROGRAM
    __half2() = default;
    __half2(const __half &a, const __half &b) : x(a), y(b) {}
    __half2(const __half2_raw &raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
    operator __half2_raw() const { return {x.bits, y.bits}; }
#endif
} __half2;

/* In checked programs the two are functions of the runtime: inlined at each operation they would take g++ minutes. */
#if defined SIMT_PROGRAM && !defined SIMT_UNCHECKED
#ifdef __cplusplus
extern "C" {
#endif
float simt_float_of_half(uint16_t bits) __attribute__((const));
uint16_t simt_half_of_float(float f) __attribute__((const));
#ifdef __cplusplus
}
#endif
static inline __attribute__((always_inline, unused)) float __half2float(__half h) { return simt_float_of_half(h.bits); }
static inline __attribute__((always_inline, unused)) __half __float2half(float f)
{
    __half h;
    h.bits = simt_half_of_float(f);
    return h;
}
#else
static inline __attribute__((always_inline, unused)) float __half2float(__half h)
{
    uint32_t sign = (uint32_t)(h.bits & 0x8000u) << 16, exponent = h.bits >> 10 & 31, mantissa = h.bits & 0x3ffu, u;
    float f;
    if (exponent == 0) {            /* zero and subnormal: mantissa units of 2^-24 */
        f = (float)mantissa / 16777216;
        memcpy(&u, &f, sizeof u);
        u |= sign;
    } else {
        u = sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | mantissa << 13;
    }
    memcpy(&f, &u, sizeof f);
    return f;
}

static inline __attribute__((always_inline, unused)) __half __float2half(float f)
{
    uint32_t u, magnitude;
    __half h;
    memcpy(&u, &f, sizeof u);
    magnitude = u & 0x7fffffffu;
    if (magnitude > 0x7f800000u) {                  /* NaN */
        h.bits = 0x7fff;
        return h;
    }
    if (magnitude >= 0x477ff000u) {                 /* rounds to 2^16 or more: infinity */
        h.bits = 0x7c00;
    } else if (magnitude >= 0x38800000u) {          /* normal: round off 13 bits */
        h.bits = (uint16_t)((magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1)) >> 13);
    } else {                                        /* subnormal: the sum's last bit is 2^-24 */
        float a, sum;
        uint32_t r;
        memcpy(&a, &magnitude, sizeof a);
        sum = a + 0.5f;
        memcpy(&r, &sum, sizeof r);
        h.bits = (uint16_t)(r - 0x3f000000u);
    }
    h.bits |= (uint16_t)(u >> 16 & 0x8000u);
    return h;
}
#endif

static inline __half __float2half_rn(float f) { return __float2half(f); }
#ifndef SIMT_PROGRAM
static inline __half __double2half(double d) { return __float2half((float)d); }
#endif
static inline __half __ushort_as_half(unsigned short u) { __half h; h.bits = u; return h; }
static inline unsigned short __half_as_ushort(__half h) { return h.bits; }
static inline float2 __half22float2(__half2 v) { return make_float2(__half2float(v.x), __half2float(v.y)); }
static inline __half2 __floats2half2_rn(float x, float y)
{ __half2 v; v.x = __float2half(x); v.y = __float2half(y); return v; }

#ifdef __cplusplus
typedef __half half;
typedef __half2 half2;
#ifndef SIMT_PROGRAM
static inline __half __int2half_rn(int i) { return __float2half((float)i); }
#endif
static inline __half2 make_half2(__half x, __half y) { return {x, y}; }
static inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
static inline __half __low2half(__half2 v) { return v.x; }
static inline __half __high2half(__half2 v) { return v.y; }
static inline float __low2float(__half2 v) { return __half2float(v.x); }
static inline float __high2float(__half2 v) { return __half2float(v.y); }
static inline __half __hadd(__half a, __half b) { return __float2half(__half2float(a) + __half2float(b)); }
static inline __half __hmul(__half a, __half b) { return __float2half(__half2float(a) * __half2float(b)); }
static inline __half operator+(__half a, __half b) { return __hadd(a, b); }
static inline __half operator*(__half a, __half b) { return __hmul(a, b); }
static inline __half operator-(__half a, __half b) { return __float2half(__half2float(a) - __half2float(b)); }
#ifdef SIMT_PROGRAM
inline __half::operator float() const { return __half2float(*this); }
#define SIMT_H __half
#define SIMT_H2 __half2
#define SIMT_FROM_FLOAT __float2half
#define SIMT_TO_FLOAT __half2float
#define SIMT_H_WORD half
#define SIMT_H_ATOMIC F16
#include "simt_half.h"
template <class T, class> inline __half::__half(T x) : bits(__float2half(simt_odd(x)).bits) {}

SIMT_HALF __half2 __half2half2(__half h) { return {h, h}; }
#endif
#endif

#endif
