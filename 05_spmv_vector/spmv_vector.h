/* spmv_vector.h - the host side of the chapter, for main.c and the tests. */
#ifndef SPMV_VECTOR_H
#define SPMV_VECTOR_H

#include "chapter.h"
#include "spmv_problem.h"

/* The chapter's own options of a problem, for spmv_spec_t. */
typedef struct spmv_vector_options {
    int lanes; /* 2, 4, 8, 16, 32; 0 = by the mean row */
} spmv_vector_options_t;

/* Lanes for rows of that mean length, for a kernel with `in_flight` (1, 4 or 8) nonzeros per lane in flight. */
int spmv_vector_lanes(double mean_row, int in_flight);

/* pad.c: copies A with every row padded to a multiple of `multiple` entries: column -1, value 0.  Host arrays, fp32 or
 * fp64, 32-bit offsets; free with csr_arrays_free. */
int spmv_vector_pad(csr_arrays_t *out, const csr_arrays_t *A, unsigned multiple, err_t *err);

/* Prints what the mean row of A is and which lanes follow from it, on stderr. */
void spmv_vector_describe(const char *name, const csr_t *A);

extern const chapter_t SPMV_VECTOR;

#endif
