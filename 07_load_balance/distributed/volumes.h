/*
 * volumes.h - counts in one process what each of P ranks would compute and receive, for any P.
 */
#ifndef DIST_VOLUMES_H
#define DIST_VOLUMES_H

#include "csr.h"
#include "cut.h"

enum { VOLUMES_HOST = 8 }; /* ranks of one host: ranks 0 to 7, 8 to 15, ... */

/* Each number is the largest of all ranks; different numbers may come from different ranks. */
typedef struct volumes {
    int64_t nnz, inside_nnz, halo_nnz, rows, halo_rows;
    int64_t halo, near, far;       /* entries received: all, from ranks of the same host, from other hosts */
    int64_t sources, near_sources, far_sources;
    int64_t halo_sum;              /* the sum over all ranks */
    int64_t fold;                  /* in a grid: partial sums received; near, far, sources and halo_sum include them */
    int64_t moved;                 /* entries and sums: those received or those sent, whichever is more */
    double max_over_mean;
} volumes_t;

/* Counts a cut into `parts`; returns -1 if memory is short. */
int volumes_count(volumes_t *v, const csr_t *A, int parts, dist_cut_t how, err_t *err);
/* The same if part p has rows first[p] .. first[p + 1] - 1. */
int volumes_count_parts(volumes_t *v, const csr_t *A, int parts, const int64_t *first, err_t *err);
/* The same for ranks in a grid (grid.h) with `across` ranks per row, a divisor of parts. */
int volumes_count_grid(volumes_t *v, const csr_t *A, int parts, int across, const int64_t *first, err_t *err);

#endif
