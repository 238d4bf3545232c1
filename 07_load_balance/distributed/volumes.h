/*
 * volumes.h - what each of P ranks would have to do and to receive, counted in one process: for P beyond the cores
 * at hand.
 */
#ifndef DIST_VOLUMES_H
#define DIST_VOLUMES_H

#include "csr.h"
#include "cut.h"

enum { VOLUMES_HOST = 8 }; /* ranks of one host: ranks 0 to 7, 8 to 15, ... */

/* What the rank that has most of it has; one number may be of one rank and the next of another. */
typedef struct volumes {
    int64_t nnz, inside_nnz, halo_nnz, rows, halo_rows;
    int64_t halo, near, far;       /* entries received: all, from ranks of the same host, from others */
    int64_t sources, near_sources, far_sources;
    int64_t halo_sum;              /* of all ranks together */
    int64_t fold;                  /* in a grid: sums of y received; near, far, sources, halo_sum have them, too */
    int64_t moved;                 /* entries and sums, received or sent, whichever is more */
    double max_over_mean;
} volumes_t;

/* A cut into `parts`; -1 if memory is short. */
int volumes_count(volumes_t *v, const csr_t *A, int parts, dist_cut_t how, err_t *err);
/* The same where part p has rows first[p] .. first[p + 1] - 1. */
int volumes_count_parts(volumes_t *v, const csr_t *A, int parts, const int64_t *first, err_t *err);
/* The same where ranks stand in a grid (grid.h), `across` in a row of it, a divisor of parts. */
int volumes_count_grid(volumes_t *v, const csr_t *A, int parts, int across, const int64_t *first, err_t *err);

#endif
