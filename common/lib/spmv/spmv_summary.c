/* spmv_summary.c - see spmv_summary.h */
#include "spmv_summary.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "record.h"
#include "report.h"

enum { MOST_STEPS = 64 };

/* ---- the results file --------------------------------------------------------------------------- */

typedef enum who { OURS, CSR_AS_IS, CUSPARSE } who_t;

/* A correct row with a cold time. */
typedef struct timed {
    char name[192], step[32]; /* name: case and type */
    who_t who;
    double us, efficiency, setup_us; /* NAN where the results file has "-" */
    bool as_is;                      /* uses CSR as it is: no set-up, or a negligible one */
} timed_t;

typedef struct record {
    timed_t *rows;
    size_t count;
} record_t;

static bool is_csr_as_is(const char *step)
{
    return strcmp(step, "cusparse_csr") == 0 || strcmp(step, "cusparse_csr_alg1") == 0 ||
           strcmp(step, "cusparse_csr_alg2") == 0;
}

/* Stores the row in *t.  Returns false if the summary omits it: CPU, variant (v3/8), student's step, failed,
 * untimed. */
static bool take_row(timed_t *t, const record_reader_t *row)
{
    const char *step = record_text(row, "step"), *name = record_text(row, "case"), *dtype = record_text(row, "dtype");
    const bool cusparse = strncmp(step, "cusparse", 8) == 0;
    if (!*step || !*name || !*dtype || report_status_of(record_text(row, "status")) != REPORT_OK) return false;
    if (!cusparse && (strcmp(record_text(row, "kind"), "gpu") || strchr(step, '/') || strcmp(step, "student") == 0))
        return false;
    t->us = record_number(row, "cold_us");
    if (!(t->us > 0)) return false;
    t->who = !cusparse ? OURS : is_csr_as_is(step) ? CSR_AS_IS : CUSPARSE;
    t->efficiency = record_number(row, "efficiency");
    t->setup_us = 1e3 * record_number(row, "setup_ms");
    t->as_is = !(t->setup_us > 0) || strstr(record_text(row, "idea"), "no set-up");
    snprintf(t->name, sizeof t->name, "%s %s", name, dtype);
    snprintf(t->step, sizeof t->step, "%s", step);
    return true;
}

static int read_record(const char *path, record_t *r)
{
    record_reader_t row;
    size_t room = 0;
    bool memory = true;
    *r = (record_t){0};
    if (record_open(&row, path)) {
        err_say("%s: %s", path, strerror(errno));
        return -1;
    }
    while (record_next(&row)) {
        if (r->count == room) {
            timed_t *more = realloc(r->rows, (room = room ? 2 * room : 256) * sizeof *more);
            if (!(memory = more != NULL)) break;
            r->rows = more;
        }
        r->count += take_row(&r->rows[r->count], &row);
    }
    const int unread = record_close(&row), failed = memory ? unread : ENOMEM;
    if (!failed) return 0;
    err_say("%s: %s", path, strerror(failed));
    free(r->rows);
    return -1;
}

/* ---- a case: the adjacent rows of one matrix and type ------------------------------- */

typedef struct best {
    const timed_t *ours, *unprepared, *csr, *all; /* NULL: no such row; unprepared: our best step without set-up */
} best_t;

static void keep(const timed_t **best, const timed_t *row)
{
    if (!*best || row->us < (*best)->us) *best = row;
}

/* Returns the best rows of the case that begins at row i; *end gets the start of the next case. */
static best_t best_of_case(const record_t *r, size_t i, size_t *end)
{
    best_t b = {0};
    const char *name = r->rows[i].name;
    for (; i < r->count && strcmp(r->rows[i].name, name) == 0; ++i) {
        const timed_t *row = &r->rows[i];
        if (row->who == OURS) keep(&b.ours, row);
        else keep(&b.all, row);
        if (row->who == OURS && row->as_is) keep(&b.unprepared, row);
        if (row->who == CSR_AS_IS) keep(&b.csr, row);
    }
    *end = i;
    return b;
}

static void print_cases(const record_t *r, FILE *to)
{
    for (size_t i = 0, end; i < r->count; i = end) {
        const best_t b = best_of_case(r, i, &end);
        if (!b.ours) continue;
        fprintf(to, "%-28s best step %-7s %9.2f us", b.ours->name, b.ours->step, b.ours->us);
        if (b.csr) fprintf(to, "   cuSPARSE CSR as is %9.2f us, %.2fx", b.csr->us, b.csr->us / b.ours->us);
        if (b.all) fprintf(to, "   best of all %-21s %9.2f us, %.2fx", b.all->step, b.all->us, b.all->us / b.ours->us);
        fputc('\n', to);
    }
}

int summary_print(const char *path, FILE *to)
{
    record_t r;
    if (read_record(path, &r)) return -1;
    print_cases(&r, to);
    free(r.rows);
    return 0;
}

/* ---- over all cases ----------------------------------------------------------------------------- */

typedef struct spread {
    double log_sum, least, most;
    size_t count;
    const char *least_name;
} spread_t;

static void add(spread_t *s, double v, const char *name)
{
    if (!(v > 0)) return;
    if (s->count == 0 || v < s->least) s->least = v, s->least_name = name;
    if (s->count == 0 || v > s->most) s->most = v;
    s->log_sum += log(v);
    ++s->count;
}

static double geomean(const spread_t *s) { return s->count ? exp(s->log_sum / (double)s->count) : NAN; }

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_spread(const spread_t *s, FILE *to)
{
    if (s->count) fprintf(to, "  %5.2fx (%.2f to %.2f)", geomean(s), s->least, s->most);
    else fprintf(to, "  %20s", "-");
}

static const char BEST[] = "best step", UNPREPARED[] = "best without set-up"; /* of each case */

/* Prints one line for the step with this id over all its cases, or for BEST, or UNPREPARED.  -1 if memory is short. */
static int print_step(const record_t *r, const char *step, FILE *to)
{
    spread_t to_csr = {0}, to_all = {0}, efficiency = {0};
    double *payback = malloc((r->count + 1) * sizeof *payback);
    if (!payback) {
        fprintf(stderr, "summary of %s: out of memory\n", step);
        return -1;
    }
    size_t cases = 0, planned = 0, paid = 0;
    for (size_t i = 0, end; i < r->count; i = end) {
        const best_t b = best_of_case(r, i, &end);
        const timed_t *row = step == BEST ? b.ours : step == UNPREPARED ? b.unprepared : NULL;
        for (size_t k = i; k < end && !row; ++k)
            if (strcmp(r->rows[k].step, step) == 0) row = &r->rows[k];
        if (!row) continue;
        ++cases;
        add(&efficiency, row->efficiency, row->name);
        if (b.csr) add(&to_csr, b.csr->us / row->us, row->name);
        if (b.all) add(&to_all, b.all->us / row->us, row->name);
        if (!(row->setup_us > 0)) continue;
        ++planned;
        if (b.csr && row->us < b.csr->us) payback[paid++] = ceil(row->setup_us / (b.csr->us - row->us));
    }
    fprintf(to, "%-22s %5zu", step, cases);
    print_spread(&to_csr, to);
    print_spread(&to_all, to);
    fprintf(to, "  %5.3f", geomean(&efficiency));
    if (planned) {
        qsort(payback, paid, sizeof *payback, ascending);
        if (paid)
            fprintf(to, "  pays back after %.0f runs (median), never in %zu of %zu", payback[paid / 2], planned - paid,
                    planned);
        else fprintf(to, "  never pays back");
    }
    if (to_all.count && (step == BEST || step == UNPREPARED))
        fprintf(to, "  worst against best of all: %s", to_all.least_name);
    fputc('\n', to);
    free(payback);
    return 0;
}

int summary_suite(const char *path, FILE *to)
{
    record_t r;
    const char *steps[MOST_STEPS];
    size_t count = 0;
    if (read_record(path, &r)) return -1;
    print_cases(&r, to);
    for (int ours = 1; ours >= 0; --ours)
        for (size_t i = 0; i < r.count; ++i) {
            size_t k = 0;
            while (k < count && strcmp(steps[k], r.rows[i].step)) ++k;
            if (k == count && count < MOST_STEPS && (r.rows[i].who == OURS) == ours) steps[count++] = r.rows[i].step;
        }
    if (r.count)
        fprintf(to, "\n%-22s %5s  %-22s %-22s efficiency\n", "step", "cases", "x cuSPARSE CSR as is",
                "x cuSPARSE best of all");
    int failed = 0;
    for (size_t k = 0; k < count && !failed; ++k) failed = print_step(&r, steps[k], to);
    if (r.count && !failed) failed = print_step(&r, UNPREPARED, to) || print_step(&r, BEST, to) ? -1 : 0;
    free(r.rows);
    return failed;
}
