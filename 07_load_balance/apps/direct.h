/*
 * direct.h - an independent solution by CHOLMOD's sparse Cholesky factorisation, and the residual of a solution, in
 * double.
 */
#ifndef APPS_DIRECT_H
#define APPS_DIRECT_H

#include "csr.h"

/* Solves A x = b for a symmetric A and stores x [rows].  *inverse_norm gets an estimate of ||A^-1||_2 (inverse
 * iteration, from below; at most some percent too small unless the start is unlucky).  0; 1 and *err if the
 * factorisation would take more than max_flops operations; -1 and *err if A is not positive definite or memory is
 * short. */
int direct_solve(const csr_t *A, const double *b, double max_flops, double *x, double *inverse_norm, err_t *err);

/* ||b - A x||_2 in double precision, row by row. */
double direct_residual(const csr_t *A, const double *b, const double *x);

#endif
