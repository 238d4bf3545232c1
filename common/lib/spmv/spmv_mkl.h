/*
 * spmv_mkl.h - the baseline on an Intel CPU: MKL's inspector-executor routines.
 *
 * MKL is not a package of the system.  The first row that needs it opens it: $MKL_RT, else build/mkl/libmkl_rt.so,
 * where ./bootstrap mkl installs it, else what the system's loader finds, else that of oneAPI or pip.  If there is
 * none, its rows are skipped.
 */
#ifndef COURSE_SPMV_MKL_H
#define COURSE_SPMV_MKL_H

#include "spmv_problem.h"

/* The i-th of mkl (CSR as it is) and mkl_tuned (after mkl_sparse_optimize for a thousand products); NULL past them. */
const step_t *spmv_mkl(size_t i);

#endif
