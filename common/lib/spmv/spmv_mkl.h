/*
 * spmv_mkl.h - the baseline on an Intel CPU: MKL's inspector-executor routines.
 *
 * MKL is not a package of the system.  The first row that needs it opens $MKL_RT, else build/mkl/libmkl_rt.so, where
 * ./bootstrap mkl installs it, else the library that the system's loader finds, else that of oneAPI or pip.  If there
 * is none, its rows are skipped.
 */
#ifndef COURSE_SPMV_MKL_H
#define COURSE_SPMV_MKL_H

#include "spmv_problem.h"

/* Returns step i: 0 is mkl (CSR as it is), 1 is mkl_tuned (after mkl_sparse_optimize for a thousand products); else
 * NULL. */
const step_t *spmv_mkl(size_t i);

#endif
