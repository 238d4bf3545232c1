/*
 * spmv_peers.h - what one would call instead, the same rows in chapters 04 to 07.
 *
 * librsb on the CPU; cuSPARSE in every form it takes a matrix in, on the card.  A chapter's step() goes on
 * with spmv_peer(i) after its own; its callbacks hand those steps to the functions here.
 */
#ifndef COURSE_SPMV_PEERS_H
#define COURSE_SPMV_PEERS_H

#include "spmv_problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The i-th peer's step, NULL past the last: librsb, librsb_tuned, cusparse_csr, cusparse_csr_alg1, ... */
const step_t *spmv_peer(size_t i);

/* True for the steps of spmv_peer(), and for a chapter's other peers. */
bool spmv_is_peer(const step_t *s);

/* chapter_t's callbacks for a step of spmv_peer(); p->data is a spmv_data_t. */
const char *spmv_peer_skip(const step_t *s, const problem_t *p);
int spmv_peer_setup(const step_t *s, const problem_t *p, void **state, err_t *err);
int spmv_peer_run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err);
void spmv_peer_teardown(const step_t *s, const problem_t *p, void *state);

/* Depth of a library's sums (spmv_judge): unknown, so the row's length, but no more than 1024, since none sums
 * longer rows in one chain. */
size_t spmv_peer_depth(size_t length, const void *unused);

#ifdef __cplusplus
}
#endif
#endif
