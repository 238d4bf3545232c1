/*
 * spmv_mkl.h - what one would call instead on an Intel CPU: MKL's inspector-executor routines.
 *
 * MKL is no package of the system.  It is opened when a row first wants it: $MKL_RT, else build/mkl/libmkl_rt.so, where
 * ./bootstrap mkl puts it, else what the system's loader finds.  Where there is none its rows are skipped.
 */
#ifndef COURSE_SPMV_MKL_H
#define COURSE_SPMV_MKL_H

#include "spmv_problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The i-th of mkl (CSR as it is) and mkl_tuned (after mkl_sparse_optimize for a thousand products); NULL past them. */
const step_t *spmv_mkl(size_t i);

#ifdef __cplusplus
}
#endif
#endif
