/* spmv_vector.h - the host side of the chapter: what main.c and the tests share. */
#ifndef SPMV_VECTOR_H
#define SPMV_VECTOR_H

#include "chapter.h"
#include "harness.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One matrix in one type, x, and the right y. */
typedef struct spmv_vector_data {
    char name[160];
    csr_t A;              /* offsets and columns of spec->A; values of its own, as the kernels see them */
    bool exact;           /* small integers: results are compared with == */
    int lanes;            /* --lanes, or 0: by the mean row */
    double mean_row;      /* nonzeros a row */
    size_t misalign;
    csr_arrays_t host;    /* the same matrix in the types of the problem */
    csr_arrays_t device;  /* ... on the card; arrays may be misaligned within d_memory */
    void *x, *d_x;
    void *d_memory[4];
    double *y, *abs_sum;  /* [rows] reference in double */
    double *tolerance;    /* [rows] scratch of check() */
} spmv_vector_data_t;

typedef struct spmv_vector_spec {
    const csr_t *A;       /* borrowed: must outlive the problem */
    const char *name;
    dtype_t dtype;
    int offset_bits;      /* 32 or 64 */
    int lanes;            /* 2, 4, 8, 16, 32; 0 = by the mean row */
    double mean_row;      /* 0 = that of A; a sample of rows takes the whole matrix's, so that lanes are the same */
    uint64_t seed;
    bool exact;
    size_t misalign;      /* elements between a 256-byte border and each array of the device */
    bool cpu, gpu;        /* for which rows */
} spmv_vector_spec_t;

/* Makes the problem, on the card too if spec->gpu.  Owned by the caller: spmv_vector_close. */
int spmv_vector_open(problem_t *p, const spmv_vector_spec_t *spec, err_t *err);
void spmv_vector_close(problem_t *p);

/* Lanes for rows of that mean length, for a kernel with `in_flight` (1, 4 or 8) nonzeros a lane in flight. */
int spmv_vector_lanes(double mean_row, int in_flight);

/* A with every row filled up to a multiple of `multiple` entries: column -1, value 0.  Host arrays from
 * host arrays, fp32 or fp64 and 32-bit offsets; free with csr_arrays_free. */
int spmv_vector_pad(csr_arrays_t *out, const csr_arrays_t *A, unsigned multiple, err_t *err);

/* Prints what the mean row of A is and which lanes follow from it, on stderr. */
void spmv_vector_describe(const char *name, const csr_t *A);

extern const chapter_t SPMV_VECTOR;

/* ---- peers -------------------------------------------------------------------------------------- */

/* The forms in which cuSPARSE takes a matrix. */
typedef enum spmv_cusparse_format { CUSPARSE_CSR, CUSPARSE_COO, CUSPARSE_SELL, CUSPARSE_BSR } spmv_cusparse_format_t;
typedef struct spmv_cusparse_form {
    spmv_cusparse_format_t format;
    int alg;         /* 0 the default, 1 or 2 */
    bool preprocess; /* cusparseSpMV_preprocess in setup */
} spmv_cusparse_form_t;

/* cuda back end only.  Set-up: handle, descriptors, the format built on the host and copied, buffer, preprocess. */
int spmv_cusparse_setup(const spmv_cusparse_form_t *form, const spmv_vector_data_t *data, void **state, err_t *err);
int spmv_cusparse_run(void *state, void *d_y, err_t *err);
void spmv_cusparse_teardown(void *state);

/* librsb; present is false in a build without it. */
bool spmv_librsb_present(void);
int spmv_librsb_setup(const spmv_vector_data_t *data, bool tune, void **state, err_t *err);
int spmv_librsb_run(void *state, const void *x, void *y, err_t *err);
void spmv_librsb_teardown(void *state);

#ifdef __cplusplus
}
#endif
#endif
