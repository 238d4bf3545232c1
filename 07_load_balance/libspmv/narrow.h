/*
 * narrow.h - converts a number to a type of half the size if no bit is lost, for plans with the option `values`; for
 * both engines.  Not installed.
 * GPU code defines NARROW_FUNCTION before it includes this file.
 */
#ifndef SPMV_NARROW_H
#define SPMV_NARROW_H

#include <stdbool.h>
#include <stdint.h>

#ifndef NARROW_FUNCTION
#define NARROW_FUNCTION static inline
#endif

/* Converts an fp32 number to the bits of fp16.  Returns false if fp16 cannot hold the number, or if it is NaN. */
NARROW_FUNCTION bool half_of(uint32_t bits, uint16_t *half)
{
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    const uint32_t magnitude = bits & 0x7fffffff, mantissa = magnitude & 0x7fffff;
    const int exponent = (int)(magnitude >> 23) - 127;
    *half = sign;
    if (magnitude == 0) return true;
    if (exponent == 128) {
        *half = sign | 0x7c00;
        return mantissa == 0;
    }
    if (exponent > 15 || exponent < -24) return false;
    const int drop = exponent >= -14 ? 13 : -1 - exponent; /* mantissa bits that fp16 lacks */
    const uint32_t whole = mantissa | 0x800000;
    if (whole & ((1u << drop) - 1)) return false;
    if (exponent >= -14) *half |= (uint16_t)((uint32_t)(exponent + 15) << 10 | mantissa >> 13);
    else *half |= (uint16_t)(whole >> drop);
    return true;
}

/* Converts an fp64 number to fp32, also a negative zero.  Returns false if fp32 cannot hold it, or if it is NaN. */
NARROW_FUNCTION bool float_of(double wide, float *narrow)
{
    *narrow = (float)wide;
    return (double)*narrow == wide;
}

#endif
