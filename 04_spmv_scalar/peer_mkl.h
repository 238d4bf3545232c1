/* peer_mkl.h - Intel's MKL, loaded at run time if it is installed. */
#ifndef SPMV_SCALAR_PEER_MKL_H
#define SPMV_SCALAR_PEER_MKL_H

#include <stdbool.h>

#include "csr.h"

/* NULL, or why MKL cannot be used. */
const char *spmv_mkl_missing(void);

/* optimize: call the inspector, which chooses MKL's own format for many products.  32-bit offsets only. */
int spmv_mkl_setup(const csr_arrays_t *A, bool optimize, void **state, err_t *err);
int spmv_mkl_run(void *state, const void *x, void *y, err_t *err);
void spmv_mkl_teardown(void *state);

#endif
