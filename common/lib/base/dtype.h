/*
 * dtype.h - the value types of the course and their rounding.
 *
 * Matrices may be stored in any of the five; vectors and sums are fp64 for fp64
 * matrices and fp32 for all others (dtype_vector).
 */
#ifndef COURSE_DTYPE_H
#define COURSE_DTYPE_H

#include <stddef.h>

#include "err.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dtype { DTYPE_F32, DTYPE_F64, DTYPE_F16, DTYPE_BF16, DTYPE_I8, DTYPE_COUNT } dtype_t;

size_t dtype_size(dtype_t t);            /* bytes of one value */
const char *dtype_name(dtype_t t);       /* "fp32" "fp64" "fp16" "bf16" "int8" */
dtype_t dtype_vector(dtype_t t);         /* type of x, y and sums beside a matrix of type t */
double dtype_roundoff(dtype_t t);        /* unit roundoff u: 2^-24, 2^-53, 2^-11, 2^-8, 0 for int8 */
double dtype_round(dtype_t t, double v); /* v rounded to nearest even in t; int8 clamps to -128..127 */

/* Parses "fp32" (or f32, float), "fp64" (f64, double), "fp16" (f16, half), "bf16" (bfloat16, bfloat) or "int8" (i8,
 * char).  Returns 0, or -1 with the list of names in *err. */
int dtype_parse(const char *name, dtype_t *t, err_t *err);

/* Stores n doubles at src, rounded to t, at dst (n * dtype_size(t) bytes); the second converts them back. */
void dtype_from_double(dtype_t t, void *dst, const double *src, size_t n);
void dtype_to_double(dtype_t t, double *dst, const void *src, size_t n);

#ifdef __cplusplus
}
#endif
#endif
