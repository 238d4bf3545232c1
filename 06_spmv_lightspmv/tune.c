/* tune.c - computes the table of lanes from the times of all numbers of lanes. */
#include "spmv_lightspmv.h"

#include <stdlib.h>
#include <string.h>

#include "record.h"

enum { CASES = 64 };

/* All odd, so that a band of half-width (mean - 1) / 2 has exactly that mean. */
static const size_t MEANS[] = {1, 3, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 257};
enum { MEAN_COUNT = sizeof MEANS / sizeof *MEANS };

const char *spmv_lightspmv_tune_recipe(size_t i, char recipe[64], double *mean)
{
    enum { NNZ = 1 << 23 };
    if (i >= 2 * (size_t)MEAN_COUNT) return NULL;
    const size_t m = MEANS[i / 2], rows = NNZ / m;
    *mean = (double)m;
    if (i % 2 == 0) snprintf(recipe, 64, "band:%zu,%zu", rows, (m - 1) / 2);
    else snprintf(recipe, 64, "random:%zu,%zu,%zu", rows, rows, rows * m);
    return recipe;
}

/* best[i][w]: the least cost of means 0 .. i if mean i gets width w and lanes never fall. */
void spmv_lightspmv_rule(const double *means, const double (*cost)[TUNE_WIDTHS], size_t count, lanes_rule_t *rule)
{
    double best[CASES][TUNE_WIDTHS];
    int from[CASES][TUNE_WIDTHS], width[CASES];
    for (size_t i = 0; i < count; ++i) {
        int at = 0;
        for (int w = 0; w < TUNE_WIDTHS; ++w) {
            if (i > 0 && best[i - 1][w] < best[i - 1][at]) at = w;
            from[i][w] = at;
            best[i][w] = cost[i][w] + (i > 0 ? best[i - 1][at] : 0);
        }
    }
    int w = 0;
    for (int k = 1; k < TUNE_WIDTHS; ++k)
        if (best[count - 1][k] < best[count - 1][w]) w = k;
    for (size_t i = count; i-- > 0; w = from[i][w]) width[i] = w;

    /* A line ends midway, on a logarithmic scale, before the first mean that gets more lanes. */
    for (size_t i = 0; i < count; ++i) {
        rule->lanes = 1 << width[i];
        rule->mean_up_to = INFINITY;
        if (i + 1 == count) return;
        if (width[i + 1] != width[i]) rule++->mean_up_to = round(10 * sqrt(means[i] * means[i + 1])) / 10;
    }
}

/* ---- the results file --------------------------------------------------------------------------------- */

/* Times by case, type and width. */
typedef double times_t[2 * MEAN_COUNT][2][TUNE_WIDTHS];

static int read_times(const char *record, const char *step, times_t us, err_t *err)
{
    for (size_t i = 0; i < 2 * (size_t)MEAN_COUNT; ++i)
        for (int t = 0; t < 2; ++t)
            for (int w = 0; w < TUNE_WIDTHS; ++w) us[i][t][w] = NAN;
    record_reader_t row;
    if (record_open(&row, record)) return err_set(err, "%s cannot be read", record);
    while (record_next(&row)) {
        const char *id = record_text(&row, "step"), *slash = strchr(id, '/');
        if (!slash || strncmp(id, step, (size_t)(slash - id)) || step[slash - id]) continue;
        char recipe[64];
        double mean;
        for (size_t i = 0; spmv_lightspmv_tune_recipe(i, recipe, &mean); ++i)
            for (int w = 0; w < TUNE_WIDTHS; ++w)
                if (strcmp(recipe, record_text(&row, "case")) == 0 && atoi(slash + 1) == 1 << w)
                    us[i][strcmp(record_text(&row, "dtype"), "fp64") == 0][w] = record_number(&row, "cold_us");
    }
    return record_close(&row) ? err_set(err, "%s cannot be read to its end", record) : 0;
}

/* One table: C, then where it differs from the published one and by how much time. */
static int print_rule(const char *record, const char *step, const char *name, FILE *to, err_t *err)
{
    times_t us;
    double means[MEAN_COUNT], cost[MEAN_COUNT][TUNE_WIDTHS] = {{0}};
    if (read_times(record, step, us, err)) return -1;
    for (size_t i = 0; i < 2 * (size_t)MEAN_COUNT; ++i) {
        means[i / 2] = (double)MEANS[i / 2];
        for (int t = 0; t < 2; ++t) {
            int timed = 0;
            double best = INFINITY;
            for (int w = 0; w < TUNE_WIDTHS; ++w) timed += us[i][t][w] > 0, best = fmin(best, us[i][t][w]);
            if (timed == 0) continue; /* this type was not run */
            if (timed < TUNE_WIDTHS)
                return err_set(err, "%s: no times of all widths of %s for rows of %zu", record, step, MEANS[i / 2]);
            for (int w = 0; w < TUNE_WIDTHS; ++w) cost[i / 2][w] += log(us[i][t][w] / best);
        }
    }
    lanes_rule_t rule[TUNE_WIDTHS];
    spmv_lightspmv_rule(means, (const double(*)[TUNE_WIDTHS])cost, MEAN_COUNT, rule);

    fprintf(to, "static const lanes_rule_t %s[] = {", name);
    for (const lanes_rule_t *r = rule;; ++r) {
        if (isinf(r->mean_up_to)) {
            fprintf(to, "{INFINITY, %d}};\n", r->lanes);
            break;
        }
        fprintf(to, "{%g, %d}, ", r->mean_up_to, r->lanes);
    }
    for (size_t i = 0; i < MEAN_COUNT; ++i) {
        const int ours = lanes_by_rule(rule, means[i]), published = lanes_by_rule(PUBLISHED_LANES, means[i]);
        int a = 0, b = 0;
        while (1 << a < ours) ++a;
        while (1 << b < published) ++b;
        if (a == b) continue;
        int measured = 0;
        for (int k = 0; k < 2; ++k)
            for (int t = 0; t < 2; ++t) measured += us[2 * i + (size_t)k][t][0] > 0;
        fprintf(to, "/* rows of %g: published %d, here %d lanes: %.2f x as fast */\n", means[i], published, ours,
                exp((cost[i][b] - cost[i][a]) / (measured ? measured : 1)));
    }
    return 0;
}

int spmv_lightspmv_tune_print(const char *record, FILE *to, err_t *err)
{
    return print_rule(record, "v11", "RETUNED_LANES", to, err) || print_rule(record, "v13", "RETUNED_LANES_4", to, err)
               ? -1
               : 0;
}
