/* spmv_verdict.c - see spmv_verdict.h */
#include "spmv_verdict.h"
#include "plain.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"
#include "report.h"

/* ---- the matrix ---------------------------------------------------------------------------------- */

/* Returns the number of b x b blocks that hold a nonzero; 0 if memory is short. */
static size_t count_blocks(const csr_t *A, size_t b)
{
    size_t blocks = 0, *seen = calloc(A->cols / b + 1, sizeof *seen); /* 1 + the last block row */
    for (size_t r = 0; r < A->rows && seen; ++r)
        for (int64_t k = A->row_offsets[r]; k < A->row_offsets[r + 1]; ++k) {
            size_t *s = &seen[(size_t)A->col_indices[k] / b];
            if (*s == r / b + 1) continue;
            *s = r / b + 1;
            ++blocks;
        }
    free(seen);
    return blocks;
}

void verdict_look(verdict_matrix_t *m, const csr_t *A, const char *name)
{
    const csr_stats_t s = csr_stats(A);
    *m = (verdict_matrix_t){.rows = A->rows, .cols = A->cols, .nnz = A->nnz, .longest = s.max_row,
                            .empty = s.empty_rows, .bandwidth = s.bandwidth, .mean = s.mean_row};
    snprintf(m->name, sizeof m->name, "%s", name);
    double fewest = 0.85 * 8; /* bytes per nonzero in fp32: blocks pay below 85 % of CSR's 8 bytes */
    for (size_t b = 2; b <= 4 && A->nnz > 0; ++b) {
        const size_t places = b * b * count_blocks(A, b);
        const double fill = places ? (double)A->nnz / (double)places : 0;
        if (!(fill > 0) || (4 + 4 / (double)(b * b)) / fill >= fewest) continue;
        fewest = (4 + 4 / (double)(b * b)) / fill;
        m->block = (int)b;
        m->block_fill = fill;
    }
}

/* ---- the rows ------------------------------------------------------------------------------------ */

/* The set-up time of a step divided by the time of its product, on an H200: nine of ten results are above `low`, half
 * are below `middle`, and nine of ten below `high`. */
static const struct {
    const char *chapter, *step;
    double low, middle, high;
} SETUPS[] = {
#include "spmv_setups.inc"
};

/* Returns whether a row counts as one without set-up: it has none, or a negligible one. */
static bool is_as_is(double setup_us, const char *idea) { return !(setup_us > 0) || strstr(idea, "no set-up"); }

/* Reads a row into *row: its time, and its set-up time if that is known. */
static void take(verdict_row_t *row, const record_reader_t *r)
{
    const char *chapter = record_text(r, "chapter"), *step = record_text(r, "step");
    *row = (verdict_row_t){.best = best_of_row(step, record_number(r, "cold_us"), record_number(r, "predicted_us"),
                                               record_number(r, "predicted_low_us"),
                                               record_number(r, "predicted_high_us")),
                           .setup_us = 1e3 * record_number(r, "setup_ms"), .setup_low_us = NAN, .setup_high_us = NAN};
    snprintf(row->chapter, sizeof row->chapter, "%s", chapter);
    snprintf(row->idea, sizeof row->idea, "%s", record_text(r, "idea"));
    const char *limiter = record_text(r, "limiter");
    snprintf(row->limiter, sizeof row->limiter, "%s", strcmp(limiter, "-") ? limiter : "");
    if (is_as_is(row->setup_us, row->idea)) {
        row->setup_us = NAN;
    } else if (row->best.predicted) { /* a set-up time on the simulator says nothing about a GPU */
        row->setup_us = INFINITY;
        for (size_t i = 0; i < sizeof SETUPS / sizeof *SETUPS; ++i) {
            if (strcmp(SETUPS[i].chapter, chapter) || strcmp(SETUPS[i].step, step)) continue;
            row->setup_us = SETUPS[i].middle * row->best.us;
            row->setup_low_us = SETUPS[i].low * row->best.us;
            row->setup_high_us = SETUPS[i].high * row->best.us;
        }
    } else {
        row->setup_low_us = row->setup_high_us = row->setup_us;
    }
}

static void keep(verdict_row_t *best, const verdict_row_t *row)
{
    if (best_better(&row->best, &best->best)) *best = *row;
}

/* Returns the better of the best rows with and without set-up. */
static const verdict_row_t *better(const verdict_row_t *as_is, const verdict_row_t *prepared)
{
    return best_better(&prepared->best, &as_is->best) ? prepared : as_is;
}

static void add_row(verdict_t *v, const record_reader_t *r)
{
    verdict_row_t row;
    const char *kind = record_text(r, "kind"), *step = record_text(r, "step");
    const bool ours = strcmp(kind, "gpu") == 0, library = strncmp(step, "cusparse", 8) == 0;
    if (report_status_of(record_text(r, "status")) != REPORT_OK || (!ours && !library)) return;
    take(&row, r);
    if (!*row.best.step) return;
    if (row.best.predicted) snprintf(v->predicted_for, sizeof v->predicted_for, "%s", record_text(r, "predicted_for"));
    if (library) {
        keep(&v->library, &row);
        return;
    }
    const bool as_is = isnan(row.setup_us);
    keep(as_is ? &v->as_is : &v->prepared, &row);
    if (strncmp(step, "libspmv", 7)) keep(as_is ? &v->step_as_is : &v->step_prepared, &row);
    if (strcmp(step, "libspmv_plan") == 0) v->libspmv = row;
}

int verdict_make(verdict_t *v, const verdict_matrix_t *m, const char *dtype, const char *const *paths, err_t *err)
{
    *v = (verdict_t){.matrix = *m};
    snprintf(v->dtype, sizeof v->dtype, "%s", dtype);
    for (; *paths; ++paths) {
        record_reader_t r;
        if (record_open(&r, *paths)) return err_set(err, "%s: %s", *paths, strerror(errno));
        while (record_next(&r))
            if (!strcmp(record_text(&r, "case"), m->name) && !strcmp(record_text(&r, "dtype"), dtype)) add_row(v, &r);
        const int failed = record_close(&r);
        if (failed) return err_set(err, "%s: %s", *paths, strerror(failed));
    }
    if (!*v->as_is.best.step && !*v->prepared.best.step)
        return err_set(err, "no kernel of this run has a time for %s in %s", m->name, dtype);
    return 0;
}

/* ---- the text -------------------------------------------------------------------------------- */

static const char *skew_words(const verdict_matrix_t *m)
{
    const double skew = m->mean > 0 ? (double)m->longest / m->mean : 1;
    return skew <= 2 ? "its rows are about equally long" : skew <= 8 ? "its rows differ in length"
           : skew <= 100 ? "some rows are much longer than the others"
                         : "a few rows are so long that one thread or warp for each row would wait for them";
}

static void put_us(double us, FILE *to) { fprintf(to, us < 10 ? "%.2f" : us < 1000 ? "%.1f" : "%.0f", us); }

/* Prints "v17 of chapter 05, predicted 8.10 us (6.90 to 9.80) on an H200". */
static void put_row(const verdict_t *v, const verdict_row_t *r, bool in_full, FILE *to)
{
    fprintf(to, "%s", r->best.step);
    if (in_full) fprintf(to, " of chapter %.2s", r->chapter);
    fprintf(to, ", %s", r->best.predicted && in_full ? "predicted " : "");
    put_us(r->best.us, to);
    fputs(" us", to);
    if (!r->best.predicted) return;
    fputs(" (", to);
    put_us(r->best.low_us, to);
    fputs(" to ", to);
    put_us(r->best.high_us, to);
    fputc(')', to);
    if (in_full) fprintf(to, " on %s", v->predicted_for);
}

/* Returns the number of products after which a set-up has paid off; INFINITY if it never does. */
static double payback(const verdict_t *v, double setup_us)
{
    const double gain = v->as_is.best.us - v->prepared.best.us;
    return *v->as_is.best.step && gain > 0 ? ceil(setup_us / gain) : INFINITY;
}

static void put_payback(const verdict_t *v, FILE *to)
{
    const double n = payback(v, v->prepared.setup_us);
    if (!*v->as_is.best.step) return;
    if (!(v->prepared.best.us < v->as_is.best.us)) fputs("; no set-up makes a product faster", to);
    else if (!isfinite(n)) fputs("; the results file has no time of its set-up", to);
    else if (!v->prepared.best.predicted) fprintf(to, "; its set-up pays after %.0f products", n);
    else
        fprintf(to, "; its set-up pays after about %.0f products (%.0f to %.0f)", n,
                payback(v, v->prepared.setup_low_us), payback(v, v->prepared.setup_high_us));
}

/* Prints "as is    ...": the best row, and the best of the chapters' steps if that is another row. */
static void put_best(const verdict_t *v, const char *label, const verdict_row_t *best, const verdict_row_t *step,
                     bool pays, FILE *to)
{
    fprintf(to, "%-8s ", label);
    if (!*best->best.step) {
        fputs("no kernel of this run\n", to);
        return;
    }
    put_row(v, best, true, to);
    if (pays) put_payback(v, to);
    if (*step->best.step && strcmp(step->best.step, best->best.step)) {
        fputs("; of the steps ", to);
        put_row(v, step, false, to);
        if (best->best.plan && step->best.us < best->best.us)
            fputs(", within the error of a prediction: on a GPU a plan also chooses among several kernels", to);
    }
    if (*best->limiter) fprintf(to, "; %s", best->limiter);
    fputc('\n', to);
}

/* Prints the command for the steps that the verdict names in the chapter of the best step. */
static void put_command(const verdict_t *v, const char *matrix, FILE *to)
{
    enum { ROWS = 4 };
    const verdict_row_t *const rows[ROWS] = {&v->prepared, &v->as_is, &v->step_prepared, &v->step_as_is};
    const char *chapter = better(&v->as_is, &v->prepared)->chapter;
    char only[256] = "";
    for (size_t i = 0; i < ROWS; ++i) {
        char name[80];
        snprintf(name, sizeof name, "%s,", rows[i]->best.step);
        if (!*rows[i]->best.step || strcmp(rows[i]->chapter, chapter) || strstr(only, name)) continue;
        snprintf(only + strlen(only), sizeof only - strlen(only), "%s", name);
    }
    char *shown = strdup(matrix);
    if (!shown) return;
    fprintf(to, "see it   make run N=%c ARGS='--matrix %s --dtype %s --wide --only %scusparse*'\n", chapter[1],
            plain_line(shown), v->dtype, only);
    free(shown);
}

static void put_matrix(const verdict_t *v, FILE *to)
{
    const verdict_matrix_t *m = &v->matrix;
    fprintf(to, "verdict  %s in %s: %zu x %zu, %zu nonzeros, %.1f per row, longest %zu, bandwidth %zu; %s", m->name,
            v->dtype, m->rows, m->cols, m->nnz, m->mean, m->longest, m->bandwidth, skew_words(m));
    if (m->empty) fprintf(to, "; %zu rows are empty", m->empty);
    if (m->block) fprintf(to, "; %d x %d blocks, %.0f %% full", m->block, m->block, 100 * m->block_fill);
    fputc('\n', to);
}

static void put_libraries(const verdict_t *v, FILE *to)
{
    if (*v->libspmv.best.step) {
        fprintf(to, "library  %s, ", v->libspmv.idea);
        put_us(v->libspmv.best.us, to);
        fputs(" us", to);
    } else {
        fputs("library  make advise MATRIX=FILE compares all chapters, and prints what libspmv chooses and why", to);
    }
    if (*v->library.best.step) {
        fprintf(to, "; of cuSPARSE %s, ", v->library.best.step);
        put_us(v->library.best.us, to);
        fputs(" us", to);
    }
    fputc('\n', to);
}

/* Breaks the text into lines of at most 100 characters; later lines are indented to the start of the text. */
static void put_wrapped(const char *text, FILE *to)
{
    enum { WIDTH = 100, INDENT = 9 };
    size_t column = 0;
    while (*text) {
        const size_t blanks = strspn(text, " "), length = strcspn(text + blanks, " \n");
        const bool breaks = column > INDENT && column + blanks + length > WIDTH;
        if (breaks) fprintf(to, "\n%*s", INDENT, "");
        fprintf(to, "%.*s%.*s", breaks ? 0 : (int)blanks, text, (int)length, text + blanks);
        column = (breaks ? INDENT : column + blanks) + length;
        text += blanks + length;
        if (*text != '\n') continue;
        fputc('\n', to);
        column = 0;
        ++text;
    }
}

void verdict_print(const verdict_t *v, const char *matrix, FILE *to)
{
    char *text = NULL;
    size_t size;
    FILE *lines = open_memstream(&text, &size);
    if (!lines) return;
    put_matrix(v, lines);
    put_best(v, "as is", &v->as_is, &v->step_as_is, false, lines);
    put_best(v, "prepared", &v->prepared, &v->step_prepared, true, lines);
    put_libraries(v, lines);
    fclose(lines);
    fputc('\n', to);
    put_wrapped(text, to);
    free(text);
    put_command(v, matrix, to); /* in one line, so that it can be copied */
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

static json_t *number(double x) { return isfinite(x) ? json_real(x) : json_null(); }

static json_t *json_of(const verdict_row_t *r)
{
    if (!*r->best.step) return json_null();
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:s}", "chapter", r->chapter, "step",
                     r->best.step, "idea", r->idea, "us", number(r->best.us), "low_us", number(r->best.low_us),
                     "high_us", number(r->best.high_us), "predicted", r->best.predicted, "setup_us", number(r->setup_us),
                     "setup_low_us", number(r->setup_low_us), "setup_high_us", number(r->setup_high_us), "limiter",
                     r->limiter);
}

int verdict_json(const verdict_t *v, const char *matrix, FILE *to)
{
    const verdict_matrix_t *m = &v->matrix;
    const bool pays = *v->prepared.best.step != 0;
    json_t *const object = json_pack(
        "{s:s, s:s, s:s, s:I, s:I, s:I, s:f, s:I, s:I, s:I, s:s, s:i, s:f, s:s,"
        " s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
        "matrix", matrix, "name", m->name, "dtype", v->dtype, "rows", (json_int_t)m->rows, "cols", (json_int_t)m->cols,
        "nonzeros", (json_int_t)m->nnz, "mean_row", m->mean, "longest_row", (json_int_t)m->longest, "empty_rows",
        (json_int_t)m->empty, "bandwidth", (json_int_t)m->bandwidth, "skew", skew_words(m), "block", m->block,
        "block_fill", m->block_fill, "predicted_for", v->predicted_for,
        "best", json_of(better(&v->as_is, &v->prepared)), "best_step",
        json_of(better(&v->step_as_is, &v->step_prepared)), "as_is", json_of(&v->as_is), "prepared",
        json_of(&v->prepared), "step_as_is", json_of(&v->step_as_is), "step_prepared", json_of(&v->step_prepared),
        "cusparse", json_of(&v->library), "libspmv_plan", json_of(&v->libspmv), "pays_after_products",
        number(pays ? payback(v, v->prepared.setup_us) : NAN));
    if (!object || json_dumpf(object, to, JSON_INDENT(2) | JSON_REAL_PRECISION(6))) {
        json_decref(object);
        return -1;
    }
    fputc('\n', to);
    json_decref(object);
    return 0;
}
