/*
 * spmv_peers.h - what one would call instead, the same rows in chapters 04 to 07.
 *
 * librsb on the CPU; cuSPARSE in every form it takes a matrix in, on the GPU.  A chapter's step() goes on
 * with spmv_peer(i) after its own.
 */
#ifndef COURSE_SPMV_PEERS_H
#define COURSE_SPMV_PEERS_H

#include "spmv_problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The i-th peer's step, NULL past the last: librsb, librsb_tuned, cusparse_csr, cusparse_csr_alg1, ...  For problems
 * whose data is a spmv_data_t. */
const step_t *spmv_peer(size_t i);

/* Of the library that runs, like 12.9.4; for the record. */
const char *spmv_cusparse_version(void);

#ifdef __cplusplus
}
#endif
#endif
