/*
 * direct.h - an independent solution by CHOLMOD's sparse Cholesky factorisation, and the residual of a solution, in
 * double.
 */
#ifndef APPS_DIRECT_H
#define APPS_DIRECT_H

#include "csr.h"

/* x [rows] with A x = b.  A is symmetric.  *inverse_norm gets an estimate of ||A^-1||_2 (inverse iteration, from below;
 * some percent too small at most unless the start is unlucky).  0; 1 and *err if the factor would take more than
 * max_flops operations; -1 and *err if A is not positive definite or memory is short. */
int direct_solve(const csr_t *A, const double *b, double max_flops, double *x, double *inverse_norm, err_t *err);

/* ||b - A x||_2 in double, row by row. */
double direct_residual(const csr_t *A, const double *b, const double *x);

#endif
