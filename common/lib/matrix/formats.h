/*
 * formats.h - the other ways to store a sparse matrix, from CSR.
 *
 * For every format X:
 *     X_t *X_from_csr(A, parameters, max_bytes, err)   NULL and *err if memory is short, or if its
 *                                                      arrays would exceed max_bytes ("DIA of 1999 diagonals
 *                                                      of 500000 rows needs 8.121 GB, the limit is 1.000 GB"),
 *                                                      found before allocating them
 *     X_t *X_free(M)                                   takes NULL, returns NULL
 *     size_t X_bytes(M, type)                          bytes of the arrays that one y = A x reads, values in
 *                                                      `type`, x and y not counted
 * max_bytes SIZE_MAX means no limit.  Values are double here; typed copies are made on upload, by
 * dtype_from_double.  X_bytes counts an offset as 4 bytes if the largest one fits in an int32_t,
 * else as 8.
 *
 * Padding always has the value 0.  Formats with a column per slot mark padding with column -1 (PADDING),
 * which no kernel may use to read x.  DIA and BSR have slots without a column: there `stored` holds one bit
 * per slot, 1 for a nonzero of A.  It distinguishes explicit zeros from padding, and no SpMV reads it.
 */
#ifndef COURSE_FORMATS_H
#define COURSE_FORMATS_H

#include <stdbool.h>

#include "csr.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PADDING = -1 };

/* ---- COO: row, column, value ------------------------------------------------------------------- */

typedef struct coo {
    size_t rows, cols, nnz;
    int32_t *row_indices, *col_indices; /* [nnz] by row, then column */
    double *values;                     /* [nnz] */
} coo_t;

coo_t *coo_from_csr(const csr_t *A, size_t max_bytes, err_t *err);
coo_t *coo_free(coo_t *M);
size_t coo_bytes(const coo_t *M, dtype_t type);

/* ---- CSRL: runs of consecutive columns ----------------------------------------------------------
 * Liu, Yang et al.'s val, jas, jan and ptr are values, run_cols, run_lengths and run_offsets.  A loop
 * over all rows in order needs only these: the values of a run follow those of the run before.  A thread
 * that starts at row r finds its first value at value_offsets[r]; csrl_bytes does not count that array. */

typedef struct csrl {
    size_t rows, cols, nnz, runs;
    int64_t *run_offsets;   /* [rows + 1]  row r holds runs run_offsets[r] .. run_offsets[r + 1] - 1 */
    int64_t *value_offsets; /* [rows + 1]  the row_offsets of the CSR matrix */
    int32_t *run_cols;      /* [runs]  first column */
    int32_t *run_lengths;   /* [runs] */
    double *values;         /* [nnz]  in CSR's order */
} csrl_t;

/* Returns the number of runs of A (nzseg in the papers).  CSRL pays if runs / nnz is small. */
size_t csr_nzseg(const csr_t *A);

csrl_t *csrl_from_csr(const csr_t *A, size_t max_bytes, err_t *err);
csrl_t *csrl_free(csrl_t *M);
size_t csrl_bytes(const csrl_t *M, dtype_t type);

/* ---- Blocked COO: square blocks, indices local to the block --------------------------------------
 * Blocks have 2^index_bits rows and columns, so that a local index has index_bits: 8 (256 x 256) or 16. */

typedef struct bcoo {
    size_t rows, cols, nnz, blocks;
    int index_bits;
    int32_t *block_rows, *block_cols; /* [blocks]  in units of blocks, by block row, then block column */
    int64_t *block_offsets;           /* [blocks + 1]  block b holds entries block_offsets[b] .. */
    void *local_rows, *local_cols;    /* [nnz] uint8_t or uint16_t, by row, then column, within a block */
    double *values;                   /* [nnz] */
} bcoo_t;

bcoo_t *bcoo_from_csr(const csr_t *A, int index_bits, size_t max_bytes, err_t *err);
bcoo_t *bcoo_free(bcoo_t *M);
size_t bcoo_bytes(const bcoo_t *M, dtype_t type);

/* ---- ELL: every row as long as the longest ------------------------------------------------------- */

typedef struct ell {
    size_t rows, cols, width;
    int32_t *col_indices; /* [width * rows]  column-major: entry k of row r at k * rows + r; then PADDING */
    double *values;       /* [width * rows] */
} ell_t;

ell_t *ell_from_csr(const csr_t *A, size_t max_bytes, err_t *err);
ell_t *ell_free(ell_t *M);
size_t ell_bytes(const ell_t *M, dtype_t type);

/* ---- HYB: ELL for the first entries of all rows, COO for the rest ------------------------------------------ */

typedef struct hyb {
    ell_t *ell;
    coo_t *rest;
} hyb_t;

enum { HYB_BY_RULE = -1 };

/* Returns the width by Bell and Garland's rule (SC 2009): the largest one for which at least max(4096, rows / 3)
 * rows have an entry in the last column.  For fewer than 4096 rows it is 0: all entries are COO. */
size_t hyb_width(const csr_t *A);

/* The width HYB_BY_RULE means hyb_width(A). */
hyb_t *hyb_from_csr(const csr_t *A, int64_t width, size_t max_bytes, err_t *err);
hyb_t *hyb_free(hyb_t *M);
size_t hyb_bytes(const hyb_t *M, dtype_t type);

/* ---- DIA: whole diagonals ------------------------------------------------------------------------ */

typedef struct dia {
    size_t rows, cols, diagonals;
    int32_t *offsets; /* [diagonals]  column - row, ascending */
    double *values;   /* [diagonals * rows]  row r of diagonal d at d * rows + r */
    uint8_t *stored;  /* one bit per slot */
} dia_t;

dia_t *dia_from_csr(const csr_t *A, size_t max_bytes, err_t *err);
dia_t *dia_free(dia_t *M);
size_t dia_bytes(const dia_t *M, dtype_t type);

/* ---- BSR: dense blocks --------------------------------------------------------------------------
 * The last block row and column may reach past the matrix: kernels must not read x or write y there.  For
 * cusparseCreateBsr: order CUSPARSE_ORDER_ROW or _COL according to row_major, brows = block_rows,
 * bcols = block_cols, bnnz = blocks; x and y then need block_cols * block and block_rows * block elements. */

typedef struct bsr {
    size_t rows, cols, block, block_rows, block_cols, blocks;
    bool row_major;
    int64_t *row_offsets; /* [block_rows + 1] */
    int32_t *col_indices; /* [blocks]  in units of blocks, ascending within a block row */
    double *values;       /* [blocks * block * block]  (i, j) of block b at (b * block + i) * block + j if
                             row_major, else (b * block + j) * block + i */
    uint8_t *stored;      /* one bit per slot */
} bsr_t;

bsr_t *bsr_from_csr(const csr_t *A, size_t block, bool row_major, size_t max_bytes, err_t *err);
bsr_t *bsr_free(bsr_t *M);
size_t bsr_bytes(const bsr_t *M, dtype_t type);

/* ---- SELL-C-sigma: ELL per slice of C rows, rows sorted by length within windows of sigma ----------
 * (Kreutzer, Hager, Wellein, Fehske, Bishop, SIAM J. Sci. Comput. 36(5), 2014.)  With sigma 1 nothing is
 * sorted and the arrays are what cusparseCreateSlicedEll takes: sliceOffsets = slice_offsets,
 * sellValuesSize = slots, padding column -1, column-major within a slice; the last slice is full size. */

typedef struct sell {
    size_t rows, cols, slice, sigma, slices, slots;
    int64_t *slice_offsets; /* [slices + 1]  in slots; the width of slice s is
                               (slice_offsets[s + 1] - slice_offsets[s]) / slice */
    int32_t *col_indices;   /* [slots]  entry k of the i-th row of slice s at slice_offsets[s] + k * slice + i */
    double *values;         /* [slots] */
    int32_t *row_order;     /* [rows]  at s * slice + i: row i of slice s, as a row of A; the identity for sigma 1 */
} sell_t;

/* sigma is 1 (rows keep their order), a multiple of slice, or at least rows (all rows are sorted). */
sell_t *sell_from_csr(const csr_t *A, size_t slice, size_t sigma, size_t max_bytes, err_t *err);
sell_t *sell_free(sell_t *M);
size_t sell_bytes(const sell_t *M, dtype_t type); /* row_order counts unless sigma is 1 */

#ifdef __cplusplus
}
#endif
#endif
