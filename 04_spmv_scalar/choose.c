/* choose.c - the rule of v9: estimates a step's time from the size of its format. */
#include <math.h>

#include "spmv_scalar.h"

/* The rule as data, for rows (BSR: block rows) of up to that many slots on average.  A byte of this format costs as
 * much as `weight` bytes of a plain stream.  A thread (BSR: a warp) takes walk_us for each entry of its row.  Each run
 * takes fixed_us more: to wait for offsets, for a memset, for a second launch. */
static const struct {
    form_t first, last;
    double slots_up_to, weight, walk_us, fixed_us;
} COSTS[] = {
    {FORM_CSR, FORM_CSR, 8, 1.3, 0.17, 0.5},
    {FORM_CSR, FORM_CSR, 16, 2, 0.17, 0.5},
    {FORM_CSR, FORM_CSR, 32, 4, 0.17, 0.5},
    {FORM_CSR, FORM_CSR, INFINITY, 6, 0.17, 0.5},
    {FORM_COO, FORM_COO, INFINITY, 1.5, 0.6, 3},
    {FORM_ELL, FORM_ELL, INFINITY, 1.1, 0.15, 0},
    {FORM_DIA, FORM_DIA, INFINITY, 1, 0.15, 0},
    {FORM_HYB, FORM_HYB, INFINITY, 1.2, 0.15, 2},
    {FORM_BSR2, FORM_BSR4, 16, 4, 0.6, 0.5},
    {FORM_BSR2, FORM_BSR4, 32, 2, 0.6, 0.5},
    {FORM_BSR2, FORM_BSR4, INFINITY, 1.2, 0.6, 0.5},
};
enum { COST_COUNT = sizeof COSTS / sizeof *COSTS };

/* Bytes per microsecond of a plain stream on a current GPU. */
static const double BYTES_PER_US = 4e6;

double form_estimate(const csr_t *A, form_t f, const form_size_t *s, dtype_t type)
{
    const double rows = (double)A->rows / (double)s->serves, mean = rows > 0 ? (double)s->slots / rows : 0;
    int i = 0;
    while (i < COST_COUNT - 1 && !(f >= COSTS[i].first && f <= COSTS[i].last && mean <= COSTS[i].slots_up_to)) ++i;
    /* a warp of v8 processes several blocks of a block row at a time */
    const double at_once = s->serves > 1 ? floor(32.0 / (double)(s->serves * s->serves)) : 1;
    const double stream = COSTS[i].weight * (double)form_bytes(s, type) / BYTES_PER_US;
    const double walk = COSTS[i].walk_us * ceil((double)s->longest / at_once);
    return COSTS[i].fixed_us + walk + stream;
}

form_t form_best_block(const csr_t *A, dtype_t type)
{
    form_t best = FORM_BSR2;
    size_t fewest = SIZE_MAX;
    for (form_t f = FORM_BSR2; f <= FORM_BSR4; ++f) {
        err_t err;
        form_size_t s;
        if (form_size(A, f, &s, &err) || form_bytes(&s, type) >= fewest) continue;
        fewest = form_bytes(&s, type);
        best = f;
    }
    return best;
}

form_t form_choose(const csr_t *A, dtype_t type, size_t limit)
{
    form_t best = FORM_CSR;
    double least = INFINITY;
    for (form_t f = 0; f < FORM_STEPS; ++f) {
        err_t err;
        form_size_t s;
        if (form_size(A, f, &s, &err) || (f != FORM_CSR && s.host_bytes > (double)limit)) continue;
        if (f == FORM_HYB && s.longest == 0) continue; /* all in COO, after an empty kernel */
        const double us = form_estimate(A, f, &s, type);
        if (us >= least) continue;
        least = us;
        best = f;
    }
    return best;
}
