/*
 * cpu_kernels.h - all value types for one instruction set.  Included by cpu_kernels_*.c, which define
 *   ISA   its name       NARROW_LANES, DOUBLE_LANES   lanes of a slice of floats, of doubles: what one register holds.
 *
 * and may define FEW_FLOATS, FEW_DOUBLES (table, places): a vector of values out of a table of two registers.
 *
 * (The compiler builds a wider vector in memory: with AVX2 and 8 doubles a product took 3.5 times as long.)  Loads of x
 * are written out one by one, because on the machines we know this is faster than the gather instruction as long as x
 * is in cache.  The files are compiled without automatic vectorisation, which would use gathers.
 */
#include <string.h>

#include "cpu_part.h"

#define PASTE_(a, b, c) a##_##b##_##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define NAME(function) PASTE(function, ISA, TYPE)
#define INLINE static inline __attribute__((always_inline))

enum { SHORT_ROW = 16 }; /* a row with fewer nonzeros is short */

INLINE float float_of_half(uint16_t h)
{
#ifdef __F16C__
    return _cvtsh_ss(h);
#else
    const uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, mantissa = h & 0x3ff;
    uint32_t bits;
    float f;
    if (exponent == 0) { /* zero or subnormal: units of 2^-24 */
        f = (float)mantissa * 0x1p-24f;
        memcpy(&bits, &f, sizeof bits);
        bits |= sign;
    } else {
        bits = sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | mantissa << 13;
    }
    memcpy(&f, &bits, sizeof f);
    return f;
#endif
}

INLINE float float_of_bfloat(uint16_t b)
{
    const uint32_t bits = (uint32_t)b << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

#define TYPE f32
#define VALUE float
#define SUM float
#define LANES NARROW_LANES
#define WIDEN(v) (v)
#define VALUES_ARE_SUMS
#define WIDEN_VECTOR(p) *(const NAME(vector) *)(p)
#define NARROW uint16_t
#ifdef FEW_FLOATS
#define FROM_FEW FEW_FLOATS
#endif
#define WIDEN_NARROW(v) float_of_half(v)
#ifdef HALVES
#define WIDEN_NARROW_VECTOR(p) HALVES(p)
#endif
#include "cpu_kernels_type.h"

#define TYPE f64
#define VALUE double
#define SUM double
#define LANES DOUBLE_LANES
#define WIDEN(v) (v)
#define VALUES_ARE_SUMS
#define WIDEN_VECTOR(p) *(const NAME(vector) *)(p)
#define NARROW float
#ifdef FEW_DOUBLES
#define FROM_FEW FEW_DOUBLES
#endif
#define WIDEN_NARROW(v) ((double)(v))
#ifdef FLOATS_TO_DOUBLES
#define WIDEN_NARROW_VECTOR(p) FLOATS_TO_DOUBLES(p)
#endif
#include "cpu_kernels_type.h"

#define TYPE f16
#define VALUE uint16_t
#define SUM float
#define LANES NARROW_LANES
#define WIDEN(v) float_of_half(v)
#ifdef HALVES
#define WIDEN_VECTOR(p) HALVES(p)
#endif
#include "cpu_kernels_type.h"

#define TYPE bf16
#define VALUE uint16_t
#define SUM float
#define LANES NARROW_LANES
#define WIDEN(v) float_of_bfloat(v)
#ifdef BFLOATS
#define WIDEN_VECTOR(p) BFLOATS(p)
#endif
#include "cpu_kernels_type.h"

#define TYPE f32_f64
#define VALUE float
#define SUM double
#define LANES DOUBLE_LANES
#define WIDEN(v) ((double)(v))
#ifdef FLOATS_TO_DOUBLES
#define WIDEN_VECTOR(p) FLOATS_TO_DOUBLES(p)
#endif
#include "cpu_kernels_type.h"

#define TABLE__(isa) cpu_kernels_##isa
#define TABLE_(isa) TABLE__(isa)
#define TEXT_(isa) #isa
#define TEXT(isa) TEXT_(isa)
#define BLOCK_(isa, type) block_##isa##_##type
#define BLOCK(isa, type) BLOCK_(isa, type)
#define MANY_(isa, type) many_##isa##_##type
#define MANY(isa, type) MANY_(isa, type)
const cpu_kernels_t TABLE_(ISA) = {
    TEXT(ISA),
    {NARROW_LANES, DOUBLE_LANES, NARROW_LANES, NARROW_LANES, DOUBLE_LANES},
#ifdef FEW_DOUBLES
    {2 * NARROW_LANES, 2 * DOUBLE_LANES, 0, 0, 0},
#else
    {0, 0, 0, 0, 0},
#endif
    {BLOCK(ISA, f32), BLOCK(ISA, f64), BLOCK(ISA, f16), BLOCK(ISA, bf16), BLOCK(ISA, f32_f64)},
    {MANY(ISA, f32), MANY(ISA, f64), MANY(ISA, f16), MANY(ISA, bf16), MANY(ISA, f32_f64)},
};
