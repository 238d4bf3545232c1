/*
 * mtx.h - Matrix Market files in and out, through CHOLMOD (plain text and gzip).
 */
#ifndef COURSE_MTX_H
#define COURSE_MTX_H

#include "csr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a Matrix Market file (.mtx or .mtx.gz) into CSR.
 *   coordinate real | integer | pattern; general | symmetric | skew-symmetric.
 *   Symmetric and skew halves are expanded; pattern entries become 1.0; explicit
 *   zeros are kept; duplicates are summed; a dense `array` file is converted,
 *   zeros dropped.
 * NULL and one line in *err naming file, line and reason: missing, truncated, not
 * Matrix Market, index out of range, wrong count, NaN or Inf, complex or hermitian
 * (refused by name), sizes beyond memory or 2^31 - 1. */
csr_t *mtx_read(const char *path, err_t *err);

/* Writes A as `coordinate real general`, 17 significant digits; gzip'd when path
 * ends in .gz.  The file appears whole or not at all. */
int mtx_write(const char *path, const csr_t *A, err_t *err);

#ifdef __cplusplus
}
#endif
#endif
