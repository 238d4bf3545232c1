/*
 * verify.h - checks results against a reference.
 *
 * Outputs are compared with a reference in double, element by element, under
 *     tol = 4 * (depth + 1) * u * sum|a_i x_i|
 * where depth is the longest chain of additions through which a term goes (serial
 * part + log2 of the tree) and u the unit roundoff of the sums.  NaN and Inf
 * never pass.  (Higham, Accuracy and Stability of Numerical Algorithms, 4.2.)
 */
#ifndef COURSE_VERIFY_H
#define COURSE_VERIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "csr.h"
#include "dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns whether out is finite and within tol of ref. */
bool near_ok(double ref, double out, double tol);

/* Returns the tolerance above for one element. */
double verify_tolerance(size_t depth, dtype_t sum_type, double abs_sum);

typedef struct verify_result {
    bool ok;
    size_t first_wrong;       /* index of the first wrong element, if !ok */
    double got, expected, tol; /* its values and tolerance */
    double err_over_tol;      /* largest |out - ref| / tol over all elements; 0/0 counts as 0 */
} verify_result_t;

/* Compares count elements of type t at out with ref[i] +- tol[i]. */
verify_result_t verify(const void *out, dtype_t t, size_t count, const double *ref, const double *tol);

/* Writes "y[17]: got nan, expected 3.25, tolerance 1e-06"; numbers that would look the same get 17 digits. */
void verify_describe(const verify_result_t *r, const char *name, char *text, size_t text_size);

/* For the check of a step: returns 0 if r is ok, else -1 and that text in *err; *share gets r.err_over_tol. */
int verify_verdict(verify_result_t r, const char *name, double *share, err_t *err);

/* Before a run: fills guard bytes with 0xFF (NaN in every float type). */
void verify_poison(void *p, size_t bytes);
/* After the run: returns whether the guard bytes at p are unchanged. */
bool verify_untouched(const void *p, size_t bytes);

/* These compute references in double, by the simplest loops.
 * Returns the sum of n values; *abs_sum gets sum|x_i| (compensated, so that n = 2^28 is exact enough). */
double reference_sum(const double *x, size_t n, double *abs_sum);
/* Computes y = A x in doubles; abs_sum[r] gets sum|a x| of row r (both [rows]). */
void reference_spmv(const csr_t *A, const double *x, double *y, double *abs_sum);

#ifdef __cplusplus
}
#endif
#endif
