/*
 * mtx.h - Matrix Market files in and out (plain text and gzip).
 */
#ifndef COURSE_MTX_H
#define COURSE_MTX_H

#include "csr.h"

/* Reads a Matrix Market file (.mtx or .mtx.gz) into CSR.
 *   coordinate real | integer | unsigned-integer | pattern; general | symmetric | skew-symmetric.
 *   Symmetric and skew files list the lower half, which is mirrored; pattern entries become 1.0; explicit
 *   zeros are kept; duplicates are summed; a dense `array` file is converted,
 *   zeros dropped.  Lines may be indented and end in LF, CR LF or CR.
 * NULL and one line in *err naming file, line and reason: missing, truncated, not
 * Matrix Market (other formats by their name), index out of range, wrong count, NaN or Inf, integers
 * that no double holds, complex or hermitian (refused by name), sizes beyond memory or 2^31 - 1. */
csr_t *mtx_read(const char *path, err_t *err);

/* The same, but a symmetric or skew-symmetric file may list entries above the diagonal too.  An entry listed on one
 * side only is mirrored; of a pair that is listed on both sides each is taken as it is listed, and the two (sums of
 * duplicates, each side by itself) must agree. */
csr_t *mtx_read_as_listed(const char *path, err_t *err);

/* Writes A as `coordinate real general`, 17 significant digits; gzip'd when path
 * ends in .gz.  The file appears whole or not at all. */
int mtx_write(const char *path, const csr_t *A, err_t *err);

#endif
