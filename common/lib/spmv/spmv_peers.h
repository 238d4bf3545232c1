/*
 * spmv_peers.h - the library baselines, the same rows in chapters 04 to 07.
 *
 * librsb on the CPU, and cuSPARSE with every matrix format on the GPU.  A chapter's step() returns
 * spmv_peer(i) after its own steps.
 */
#ifndef COURSE_SPMV_PEERS_H
#define COURSE_SPMV_PEERS_H

#include "spmv_problem.h"

/* Returns the step of the i-th library baseline, NULL past the last: librsb, librsb_tuned, cusparse_csr,
 * cusparse_csr_alg1, ...  They are for problems whose data is a spmv_data_t. */
const step_t *spmv_peer(size_t i);

/* Returns the version of the cuSPARSE that runs, such as 12.9.4, for the results file. */
const char *spmv_cusparse_version(void);

#endif
