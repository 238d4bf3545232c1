/*
 * mtx.h - reads Matrix Market files (plain text and gzip).
 */
#ifndef COURSE_MTX_H
#define COURSE_MTX_H

#include "csr.h"

/* Reads a Matrix Market file (.mtx or .mtx.gz) into CSR.
 *   coordinate real | integer | unsigned-integer | pattern; general | symmetric | skew-symmetric.
 *   Symmetric and skew files list the lower half, which is mirrored; pattern entries become 1.0; explicit
 *   zeros are kept; duplicates are summed; a dense `array` file is converted,
 *   zeros dropped.  Lines may be indented and end in LF, CR LF or CR.
 * NULL and *err, which names file, line and reason: missing, truncated, not Matrix Market (with the name of
 * the format, if known), index out of range, wrong count, NaN or Inf, integers that no double can represent,
 * complex or hermitian, sizes beyond memory or 2^31 - 1. */
csr_t *mtx_read(const char *path, err_t *err);

/* The same, but a symmetric or skew-symmetric file may also list entries above the diagonal.  An entry listed on only
 * one side is mirrored.  If both sides are listed, both are used, and they must agree (after duplicates have been
 * summed on each side). */
csr_t *mtx_read_as_listed(const char *path, err_t *err);

#endif
