/* peer_mkl.h - Intel's MKL, found when the program runs; never needed. */
#ifndef SPMV_SCALAR_PEER_MKL_H
#define SPMV_SCALAR_PEER_MKL_H

#include <stdbool.h>

#include "csr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL, or why there is no MKL here. */
const char *spmv_mkl_missing(void);

/* optimize: tell it what is to come and let it choose a format of its own (the inspector).  32-bit offsets only. */
int spmv_mkl_setup(const csr_arrays_t *A, bool optimize, void **state, err_t *err);
int spmv_mkl_run(void *state, const void *x, void *y, err_t *err);
void spmv_mkl_teardown(void *state);

#ifdef __cplusplus
}
#endif
#endif
