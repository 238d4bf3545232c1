/* dtype.c - see dtype.h */
#include "dtype.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

_Static_assert(FLT_RADIX == 2 && FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53, "float and double must be IEEE 754");

/* One row per type, in the order of dtype_t. */
static const struct {
    const char *name, *alias[2];
    size_t size;
    double roundoff;
} TYPES[DTYPE_COUNT] = {
    [DTYPE_F32] = {"fp32", {"f32", "float"}, 4, 0x1p-24},
    [DTYPE_F64] = {"fp64", {"f64", "double"}, 8, 0x1p-53},
    [DTYPE_F16] = {"fp16", {"f16", "half"}, 2, 0x1p-11},
    [DTYPE_BF16] = {"bf16", {"bfloat16", "bfloat"}, 2, 0x1p-8},
    [DTYPE_I8] = {"int8", {"i8", "char"}, 1, 0},
};

size_t dtype_size(dtype_t t) { return TYPES[t].size; }

const char *dtype_name(dtype_t t) { return TYPES[t].name; }

dtype_t dtype_vector(dtype_t t) { return t == DTYPE_F64 ? DTYPE_F64 : DTYPE_F32; }

double dtype_roundoff(dtype_t t) { return TYPES[t].roundoff; }

int dtype_parse(const char *name, dtype_t *t, err_t *err)
{
    for (int i = 0; name && i < DTYPE_COUNT; ++i) {
        const char *const *alias = TYPES[i].alias;
        if (!strcasecmp(name, TYPES[i].name) || !strcasecmp(name, alias[0]) || !strcasecmp(name, alias[1])) {
            *t = (dtype_t)i;
            return 0;
        }
    }
    return err_set(err, "unknown value type '%s': one of fp32 fp64 fp16 bf16 int8", name ? name : "");
}

static uint64_t bits_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Returns 2^e, which must be a normal double. */
static double power_of_two(int e) { return double_of((uint64_t)(e + 1023) << 52); }

/* We do not use the compiler's _Float16.  It gives the same bits, but clang before 15 lacks it on x86-64, -Wpedantic
 * rejects it in C11, and arithmetic with __bf16 is even newer. */

/* Rounds v to a binary format with `digits` bits of significand and exponents
 * emin..emax.  One rounding straight from double: going through float first would
 * round twice.  Scaling by a power of two is exact, rint() rounds to even. */
static double round_to(double v, int digits, int emin, int emax)
{
    if (!isfinite(v) || v == 0) return v;
    int e = (int)(bits_of(v) >> 52 & 0x7ff) - 1023;
    if (e < emin) e = emin; /* subnormal results keep the spacing of the smallest normals */
    int ulp = e - (digits - 1);
    double r = rint(v * power_of_two(-ulp)) * power_of_two(ulp);
    return fabs(r) < 2 * power_of_two(emax) ? r : copysign(INFINITY, v);
}

/* Rounds to nearest even in -128..127; -0 and NaN become 0. */
static double round_to_int8(double v)
{
    if (isnan(v)) return 0;
    double r = rint(v) + 0.0; /* -0 + 0 is 0 */
    return r < -128 ? -128 : r > 127 ? 127 : r;
}

double dtype_round(dtype_t t, double v)
{
    switch (t) {
    case DTYPE_F32: return (float)v;
    case DTYPE_F16: return round_to(v, 11, -14, 15);
    case DTYPE_BF16: return round_to(v, 8, -126, 127);
    case DTYPE_I8: return round_to_int8(v);
    default: return v;
    }
}

/* Returns the 16 bits of fp16: sign 1, exponent 5, fraction 10.  NaN keeps only its sign. */
static uint16_t f16_bits(double v)
{
    uint16_t sign = signbit(v) ? 0x8000 : 0;
    if (isnan(v)) return sign | 0x7e00;
    double r = fabs(dtype_round(DTYPE_F16, v));
    if (isinf(r)) return sign | 0x7c00;
    if (r < 0x1p-14) return sign | (uint16_t)(r * 0x1p24); /* zero and subnormals: multiples of 2^-24 */
    uint64_t bits = bits_of(r);
    return sign | (uint16_t)((bits >> 52) - 1023 + 15) << 10 | (uint16_t)(bits >> 42 & 0x3ff);
}

static double f16_value(uint16_t h)
{
    int exponent = h >> 10 & 0x1f;
    double fraction = h & 0x3ff;
    double v = exponent == 0x1f ? (fraction ? NAN : INFINITY)
             : exponent         ? (fraction + 1024) * power_of_two(exponent - 25)
                                : fraction * 0x1p-24;
    return h & 0x8000 ? -v : v;
}

/* Returns the 16 bits of bf16, which are the upper half of a float. */
static uint16_t bf16_bits(double v)
{
    if (isnan(v)) return signbit(v) ? 0xffc0 : 0x7fc0;
    float f = (float)dtype_round(DTYPE_BF16, v);
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static double bf16_value(uint16_t h)
{
    uint32_t bits = (uint32_t)h << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

void dtype_from_double(dtype_t t, void *dst, const double *src, size_t n)
{
    if (n == 0) return;
    switch (t) {
    case DTYPE_F32:
        for (size_t i = 0; i < n; ++i) ((float *)dst)[i] = (float)src[i];
        break;
    case DTYPE_F16:
        for (size_t i = 0; i < n; ++i) ((uint16_t *)dst)[i] = f16_bits(src[i]);
        break;
    case DTYPE_BF16:
        for (size_t i = 0; i < n; ++i) ((uint16_t *)dst)[i] = bf16_bits(src[i]);
        break;
    case DTYPE_I8:
        for (size_t i = 0; i < n; ++i) ((int8_t *)dst)[i] = (int8_t)round_to_int8(src[i]);
        break;
    default: memmove(dst, src, n * sizeof *src);
    }
}

void dtype_to_double(dtype_t t, double *dst, const void *src, size_t n)
{
    if (n == 0) return;
    switch (t) {
    case DTYPE_F32:
        for (size_t i = 0; i < n; ++i) dst[i] = ((const float *)src)[i];
        break;
    case DTYPE_F16:
        for (size_t i = 0; i < n; ++i) dst[i] = f16_value(((const uint16_t *)src)[i]);
        break;
    case DTYPE_BF16:
        for (size_t i = 0; i < n; ++i) dst[i] = bf16_value(((const uint16_t *)src)[i]);
        break;
    case DTYPE_I8:
        for (size_t i = 0; i < n; ++i) dst[i] = ((const int8_t *)src)[i];
        break;
    default: memmove(dst, src, n * sizeof *dst);
    }
}
