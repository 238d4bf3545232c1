/* spmv_scalar.h - the host side of the chapter, for main.c and the tests. */
#ifndef SPMV_SCALAR_H
#define SPMV_SCALAR_H

#include <stdio.h>

#include "chapter.h"
#include "cpu.h"
#include "spmv_problem.h"

extern const chapter_t SPMV_SCALAR;

/* ---- the sizes of formats: sizes.c ------------------------------------------------------------ */

/* Every form of formats.h; the steps run those up to FORM_BSR4. */
typedef enum form {
    FORM_CSR, FORM_COO, FORM_ELL, FORM_DIA, FORM_HYB, FORM_BSR2, FORM_BSR3, FORM_BSR4,
    FORM_CSRL, FORM_BCOO8, FORM_BCOO16, FORM_SELL32, FORM_COUNT, FORM_STEPS = FORM_CSRL
} form_t;

const char *form_name(form_t f); /* "CSR", "BSR3", "SELL32" */

typedef struct form_size {
    size_t slots;         /* values, including padding */
    size_t index_bytes;   /* everything that is not a value */
    size_t longest;       /* entries that one thread of the step processes sequentially */
    size_t serves;        /* rows that share a walk: the block of BSR, else 1 */
    double host_bytes;    /* what formats.h compares with max_bytes: with double values, and the bits of BSR and DIA */
    char shape[64];       /* "4700 wide" */
} form_size_t;

/* Computes the size without building the format, so it is quick for any size.  -1 if memory is short. */
int form_size(const csr_t *A, form_t f, form_size_t *s, err_t *err);

/* Bytes of the arrays one y = A x reads, values in `type`: X_bytes of formats.h. */
size_t form_bytes(const form_size_t *s, dtype_t type);

/* --max-format-bytes, or without it eight times CSR's bytes, at least 16 MiB. */
size_t form_limit(const csr_t *A, const spmv_scalar_options_t *options);

/* NULL, or why A is not stored in this form: the error of formats.h.  Valid until the next call. */
const char *form_refusal(const csr_t *A, form_t f, size_t limit);

/* ---- the choice of a format: choose.c -------------------------------------------------------------------------- */

/* The microseconds that v9's rule estimates for a form of size s on a current GPU. */
double form_estimate(const csr_t *A, form_t f, const form_size_t *s, dtype_t type);
/* v9's choice: the form with the least estimated time, of the steps' forms that the limit allows. */
form_t form_choose(const csr_t *A, dtype_t type, size_t limit);
/* BSR of 2, 3 or 4: the fewest bytes. */
form_t form_best_block(const csr_t *A, dtype_t type);

/* ---- on the GPU: gpu_matrix.c ------------------------------------------------------------------- */

/* A step's matrix and the memory behind it. */
typedef struct gpu_matrix {
    spmv_scalar_matrix_t matrix;
    void *memory[8];
    int used;
} gpu_matrix_t;

/* The problem's matrix in that form, built on the host and copied.  *m is freed by gpu_matrix_free, also after a
 * failure. */
int gpu_matrix_build(gpu_matrix_t *m, const spmv_data_t *data, form_t f, size_t limit, err_t *err);
/* The problem's own CSR arrays. */
void gpu_matrix_csr(spmv_scalar_matrix_t *m, const spmv_data_t *data);
void gpu_matrix_free(gpu_matrix_t *m);

/* ---- --formats: table.c --------------------------------------------------------------------------- */

/* The table behind --formats: bytes per nonzero and padding of every form. */
void form_table(FILE *to, const char *name, const csr_t *A, const spmv_scalar_options_t *options);
/* The same as rows of a record. */
void form_rows(FILE *to, const char *name, const csr_t *A, const spmv_scalar_options_t *options);
void form_rows_head(FILE *to, const char *command);

/* Reads the TSV record at path; for each case and type the fastest CPU row, step and peer on the GPU; where only
 * counts are there, the step that moves the fewest sectors. */
void winners_print(const char *path, FILE *to);

/* ---- for the page: picture.c ----------------------------------------------------------------------- */

/* A matrix of 8 x 8 in each format, slot by slot, for plots/04_formats.gp. */
int picture_write(FILE *to, err_t *err);

#endif
