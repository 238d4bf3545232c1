/* cuda_bf16.h - bfloat16: the upper half of a float.  Storage, conversions, sums through float. */
#ifndef SIMT_CUDA_BF16_H
#define SIMT_CUDA_BF16_H

#include <stdint.h>
#include <string.h>
#include "vector_types.h"

typedef struct __nv_bfloat16 { uint16_t bits; } __nv_bfloat16;
typedef struct __attribute__((aligned(4))) __nv_bfloat162 { __nv_bfloat16 x, y; } __nv_bfloat162;

static inline __attribute__((always_inline, unused)) float __bfloat162float(__nv_bfloat16 b)
{
    uint32_t u = (uint32_t)b.bits << 16;
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

/* Rounds to nearest even. */
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

static inline __nv_bfloat16 __float2bfloat16_rn(float f) { return __float2bfloat16(f); }
static inline __nv_bfloat16 __double2bfloat16(double d) { return __float2bfloat16((float)d); }
static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short u) { __nv_bfloat16 b = {u}; return b; }
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
#endif

#endif
