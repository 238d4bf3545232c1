/*
 * cuda_bf16.h - bfloat16: the upper half of a float.  Storage, conversions; arithmetic through float, all of it in
 * programs of simtcc (simt_half.h).
 */
#ifndef SIMT_CUDA_BF16_H
#define SIMT_CUDA_BF16_H

#include <stdint.h>
#include <string.h>
#if defined __cplusplus && defined SIMT_PROGRAM
#include <type_traits>
#endif
#include "vector_types.h"

typedef struct { unsigned short x; } __nv_bfloat16_raw;
typedef struct __attribute__((aligned(4))) { unsigned short x, y; } __nv_bfloat162_raw;
typedef struct __nv_bfloat16 {
    uint16_t bits;
#if defined __cplusplus && defined SIMT_PROGRAM /* in the course it stays plain data */
    __nv_bfloat16() = default;
    template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
    inline __nv_bfloat16(T x);
    /* Of another number of few bits. */
    template <class T, class = typename std::enable_if<
                           std::is_class<T>::value && !std::is_same<T, __nv_bfloat16>::value &&
                           std::is_convertible<T, float>::value>::type, class = void>
    explicit __nv_bfloat16(const T &x) : __nv_bfloat16((float)x) {}
    __nv_bfloat16(const __nv_bfloat16_raw &raw) : bits(raw.x) {}
    operator __nv_bfloat16_raw() const { return {bits}; }
    inline operator float() const;
#endif
} __nv_bfloat16;
typedef struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
#if defined __cplusplus && defined SIMT_PROGRAM
    __nv_bfloat162() = default;
    __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b) : x(a), y(b) {}
    __nv_bfloat162(const __nv_bfloat162_raw &raw) : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
    operator __nv_bfloat162_raw() const { return {x.bits, y.bits}; }
#endif
} __nv_bfloat162;

static inline __attribute__((always_inline, unused)) float __bfloat162float(__nv_bfloat16 b)
{
    uint32_t u = (uint32_t)b.bits << 16;
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

/* Rounds to nearest even.  In checked programs it is a function of the runtime, as for halves. */
#if defined SIMT_PROGRAM && !defined SIMT_UNCHECKED
#ifdef __cplusplus
extern "C"
#endif
uint16_t simt_bfloat16_of_float(float f) __attribute__((const));
static inline __attribute__((always_inline, unused)) __nv_bfloat16 __float2bfloat16(float f)
{
    __nv_bfloat16 b;
    b.bits = simt_bfloat16_of_float(f);
    return b;
}
#else
static inline __attribute__((always_inline, unused)) __nv_bfloat16 __float2bfloat16(float f)
{
    uint32_t u;
    __nv_bfloat16 b;
    memcpy(&u, &f, sizeof u);
    if ((u & 0x7fffffffu) > 0x7f800000u)
        b.bits = 0x7fff;
    else
        b.bits = (uint16_t)((u + 0x7fffu + (u >> 16 & 1)) >> 16);
    return b;
}
#endif

static inline __nv_bfloat16 __float2bfloat16_rn(float f) { return __float2bfloat16(f); }
#ifndef SIMT_PROGRAM
static inline __nv_bfloat16 __double2bfloat16(double d) { return __float2bfloat16((float)d); }
#endif
static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short u) { __nv_bfloat16 b; b.bits = u; return b; }
static inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 b) { return b.bits; }
static inline float2 __bfloat1622float2(__nv_bfloat162 v)
{ return make_float2(__bfloat162float(v.x), __bfloat162float(v.y)); }

#ifdef __cplusplus
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
static inline __nv_bfloat16 operator+(__nv_bfloat16 a, __nv_bfloat16 b)
{ return __float2bfloat16(__bfloat162float(a) + __bfloat162float(b)); }
static inline __nv_bfloat16 operator*(__nv_bfloat16 a, __nv_bfloat16 b)
{ return __float2bfloat16(__bfloat162float(a) * __bfloat162float(b)); }
#ifdef SIMT_PROGRAM
static inline __nv_bfloat16 operator-(__nv_bfloat16 a, __nv_bfloat16 b)
{ return __float2bfloat16(__bfloat162float(a) - __bfloat162float(b)); }
static inline __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) { return a + b; }
static inline __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) { return a * b; }
inline __nv_bfloat16::operator float() const { return __bfloat162float(*this); }
#define SIMT_H __nv_bfloat16
#define SIMT_H2 __nv_bfloat162
#define SIMT_FROM_FLOAT __float2bfloat16
#define SIMT_TO_FLOAT __bfloat162float
#define SIMT_H_WORD bfloat16
#define SIMT_H_ATOMIC BF16
#include "simt_half.h"
template <class T, class> inline __nv_bfloat16::__nv_bfloat16(T x) : bits(__float2bfloat16(simt_odd(x)).bits) {}

SIMT_HALF __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
SIMT_HALF __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 b) { return {b, b}; }
SIMT_HALF __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
SIMT_HALF __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
SIMT_HALF __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
SIMT_HALF __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
SIMT_HALF float __low2float(__nv_bfloat162 v) { return v.x; }
SIMT_HALF float __high2float(__nv_bfloat162 v) { return v.y; }
#endif
#endif

#endif
