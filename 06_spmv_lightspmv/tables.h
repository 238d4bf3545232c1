/*
 * tables.h - the number of lanes per row as a function of the mean row: published rules and ours.
 *
 * The first line of a rule whose `mean_up_to` is at least the mean row gives the number of lanes.
 */
#ifndef SPMV_LIGHTSPMV_TABLES_H
#define SPMV_LIGHTSPMV_TABLES_H

#include <math.h>

typedef struct lanes_rule {
    double mean_up_to; /* nonzeros per row, on average; INFINITY ends the rule */
    int lanes;
} lanes_rule_t;

/* Y. Liu, B. Schmidt, LightSpMV (ASAP 2015). */
static const lanes_rule_t LIGHTSPMV_LANES[] = {{2, 2}, {4, 4}, {64, 8}, {INFINITY, 32}};

/* Article S4 in docs/sources.md, tuned on a GPU of 2017. */
static const lanes_rule_t PUBLISHED_LANES[] = {{8, 1}, {16, 2}, {32, 4}, {64, 8}, {128, 16}, {INFINITY, 32}};

// region: ours
/* What --tune prints on the GPU of the recorded results: for one nonzero in flight in each lane (v11), and for
 * four (v12, v13). */
static const lanes_rule_t RETUNED_LANES[] = {{10.8, 1}, {20.6, 2}, {182.1, 4}, {INFINITY, 8}};
static const lanes_rule_t RETUNED_LANES_4[] = {{3.9, 1}, {7.9, 2}, {14.9, 4}, {28.7, 8}, {INFINITY, 16}};
// end: ours

static inline int lanes_by_rule(const lanes_rule_t *rule, double mean_row)
{
    while (mean_row > rule->mean_up_to) ++rule;
    return rule->lanes;
}

#endif
