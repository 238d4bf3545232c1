/* battery.c - see battery.h */
#include "battery.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matgen.h"
#include "verify.h"

/* DEPTH limits the error bound, because the bound for a long chain of additions would accept any result.  The numbers
 * have signs, so even one thread that adds up all of them stays far below the bound for DEPTH additions (an exercise
 * may remove the signs).  The exact runs allow no error at all. */
enum { RUNS = 3, TIMED_RUNS = 11, DEPTH = 64, DEPTH_WITHOUT_SIGNS = 512 };

/* "random:{9-20},7" -> "random:14,7" */
static void draw(char *out, size_t size, const char *recipe, rng_t *rng)
{
    size_t n = 0;
    for (const char *at = recipe; *at && n + 24 < size;) {
        unsigned long low, high;
        if (*at == '{' && sscanf(at, "{%lu-%lu}", &low, &high) == 2 && low <= high) {
            n += (size_t)snprintf(out + n, size - n, "%lu", low + (unsigned long)rng_below(rng, high - low + 1));
            at = strchr(at, '}') + 1;
        } else {
            out[n++] = *at++;
        }
    }
    out[n] = 0;
}

/* Removes the number after `mark` from the end of the recipe; returns it, or `otherwise`. */
static unsigned long suffix(char *recipe, char mark, unsigned long otherwise)
{
    char *at = strrchr(recipe, mark);
    if (!at) return otherwise;
    *at = 0;
    return strtoul(at + 1, NULL, 10);
}

static int open_matrix(battery_case_t *c, const char *recipe, unsigned long lanes, uint64_t seed, err_t *err)
{
    job_t *job = &c->job;
    c->A = matgen(recipe, seed, err);
    if (!c->A) return -1;
    const size_t rows = c->A->rows, nnz = c->A->nnz;
    int32_t *offsets = malloc((rows + 1) * sizeof *offsets), *columns = malloc((nnz + 1) * sizeof *columns);
    job->array[0] = offsets;
    job->array[1] = columns;
    if (!offsets || !columns) return err_set(err, "out of memory for %s", recipe);
    for (size_t r = 0; r <= rows; ++r) offsets[r] = (int32_t)c->A->row_offsets[r];
    memcpy(columns, c->A->col_indices, nnz * sizeof *columns);
    job->array_bytes[0] = (rows + 1) * sizeof *offsets;
    job->array_bytes[1] = nnz * sizeof *columns;
    if (lanes == 0) /* the power of two at or above the mean row */
        for (lanes = 2; lanes < 32 && lanes * rows < nnz;) lanes *= 2;
    job->size[0] = (int64_t)rows;
    job->size[1] = (int64_t)c->A->cols;
    job->size[2] = (int64_t)nnz;
    job->size[3] = (int64_t)lanes;
    job->out_bytes = rows * dtype_size(job->dtype);
    c->least_bytes = (double)nnz * (double)(dtype_size(job->dtype) + sizeof *columns);
    return 0;
}

static int open_sizes(battery_case_t *c, const char *recipe, err_t *err)
{
    job_t *job = &c->job;
    long a = 0, b = 0, d = 0, e = 0;
    const double size = (double)dtype_size(job->dtype);
    char layout[4] = "";
    if (job->chapter == 1 && sscanf(recipe, "%ld", &a) == 1) {
        job->out_bytes = dtype_size(job->dtype);
        c->least_bytes = size * (double)a;
    } else if (job->chapter == 2 && sscanf(recipe, "%ld,%ld,%ld,%ld", &a, &b, &d, &e) == 4) {
        job->out_bytes = (uint64_t)(a + d);
        c->least_bytes = (double)a;
    } else if (job->chapter == 3 && sscanf(recipe, "%3[a-z],%ld,%ld", layout, &b, &d) == 3) {
        a = strcmp(layout, "col") == 0;
        job->out_bytes = (uint64_t)b * dtype_size(job->dtype);
        c->least_bytes = size * (double)b * (double)d;
    } else {
        return err_set(err, "\"%s\" is not a case of this chapter", recipe);
    }
    const long sizes[] = {a, b, d, e};
    for (int i = 0; i < 4; ++i) job->size[i] = sizes[i];
    return 0;
}

/* Writes a name of the case from which a learner can build the same input. */
static void name_case(battery_case_t *c, const char *recipe, unsigned long lanes)
{
    const job_t *job = &c->job;
    const long a = (long)job->size[0], b = (long)job->size[1], d = (long)job->size[2], e = (long)job->size[3];
    char *name = c->name;
    const size_t size = sizeof c->name;
    int n;
    if (job->chapter == 2)
        n = snprintf(name, size, "%ld bytes in units of %ld, target %ld and source %ld bytes past a boundary", a, b,
                     d, e);
    else if (job->chapter == 3)
        n = snprintf(name, size, "%ld x %ld by %s %s", b, d, a ? "columns" : "rows", dtype_name(job->dtype));
    else
        n = snprintf(name, size, "%s%s %s", job->chapter == 1 ? "n=" : "", recipe, dtype_name(job->dtype));
    if (lanes) n += snprintf(name + n, size - (size_t)n, ", %lu lanes", lanes);
    if (job->offset_bits == 64) n += snprintf(name + n, size - (size_t)n, ", 64-bit row_offsets");
    if (job->misalign)
        n += snprintf(name + n, size - (size_t)n, ", %lu elements past a boundary", (unsigned long)job->misalign);
    if (job->special) snprintf(name + n, size - (size_t)n, ", Inf and NaN");
}

int battery_open(battery_case_t *c, const grade_chapter_t *chapter, const grade_case_t *spec, bool timed, rng_t *rng,
                 err_t *err)
{
    char recipe[GRADE_RECIPE];
    *c = (battery_case_t){.job = {.chapter = chapter->number, .dtype = spec->dtype, .runs = timed ? TIMED_RUNS : RUNS,
                                  .timed = timed, .sms = chapter->number == 6}};
    draw(recipe, sizeof recipe, spec->recipe, rng);
    for (int i = 0; i < c->job.runs; ++i) {
        const uint64_t seed = rng_next(rng), order = rng_next(rng) | 1, poison = rng_next(rng);
        const bool exact = !timed && i != 1;
        c->job.run[i] = (job_run_t){.seed = seed, .order = i == 0 ? 0 : order, .exact = exact,
                                    .poison = exact || chapter->number == 2 ? (uint8_t)poison : 0xFF};
    }
    c->job.special = (int32_t)suffix(recipe, '~', 0);
    c->job.offset_bits = (int32_t)suffix(recipe, '@', 32);
    const unsigned long lanes = suffix(recipe, '/', 0);
    c->job.misalign = suffix(recipe, '+', 0);
    const int failed = chapter->number <= 3 ? open_sizes(c, recipe, err)
                                            : open_matrix(c, recipe, lanes, rng_next(rng), err);
    name_case(c, recipe, lanes);
    return failed;
}

void battery_close(battery_case_t *c)
{
    csr_free(c->A);
    for (int i = 0; i < JOB_ARRAYS; ++i) free((void *)c->job.array[i]);
    *c = (battery_case_t){0};
}

/* ---- judging ----------------------------------------------------------------------------------- */

/* Like verify, for answers that may be infinite or NaN: these must be equal. */
static verify_result_t verify_special(const void *out, dtype_t t, size_t count, const double *ref,
                                      const double *tolerance)
{
    const size_t size = dtype_size(t);
    verify_result_t v = {.ok = true};
    for (size_t from = 0, to; from < count && v.ok; from = to) {
        const char *at = (const char *)out + from * size;
        for (to = from; to < count && isfinite(ref[to]);) ++to;
        if (to > from) {
            v = verify(at, t, to - from, ref + from, tolerance + from);
        } else {
            double got;
            dtype_to_double(t, &got, at, 1);
            v.ok = isnan(ref[to]) ? isnan(got) : got == ref[to];
            v.got = got;
            v.expected = ref[to++];
            v.first_wrong = 0;
        }
        v.first_wrong += from;
    }
    return v;
}

/* Compares out[count] with ref.  Element i is a sum of `all` terms (for a matrix: those of row i); abs_sum[i] is the
 * sum of their absolute values. */
static int judge_numbers(const battery_case_t *c, int run, const void *out, const char *name, size_t count,
                         const double *ref, const double *abs_sum, size_t all, err_t *err)
{
    const bool exact = c->job.run[run].exact;
    double *tolerance = malloc((count + 1) * sizeof *tolerance);
    if (!tolerance) return err_set(err, "out of memory for %zu results", count);
    const size_t deep = c->asks == ASKED_STEP ? DEPTH : DEPTH_WITHOUT_SIGNS;
    for (size_t i = 0; i < count; ++i) {
        const size_t terms = c->A ? (size_t)(c->A->row_offsets[i + 1] - c->A->row_offsets[i]) : all;
        tolerance[i] = exact ? 0 : verify_tolerance((terms < deep ? terms : deep) + 8, c->job.dtype, abs_sum[i]);
    }
    const verify_result_t v = verify_special(out, c->job.dtype, count, ref, tolerance);
    free(tolerance);
    if (v.ok) return 0;
    const size_t size = dtype_size(c->job.dtype);
    const unsigned char *at = (const unsigned char *)out + v.first_wrong * size;
    size_t poisoned = 0;
    while (poisoned < size && at[poisoned] == c->job.run[run].poison) ++poisoned;
    if (poisoned == size)
        return err_set(err, "%s[%zu] was never written; expected %.9g", name, v.first_wrong, v.expected);
    char text[200];
    verify_describe(&v, name, text, sizeof text);
    return err_set(err, "%s", text);
}

static int judge_sum(const battery_case_t *c, int run, const void *out, err_t *err)
{
    const size_t n = (size_t)c->job.size[0];
    double *x = malloc((n + 1) * sizeof *x), abs_sum;
    if (!x) return err_set(err, "out of memory for %zu numbers", n);
    job_numbers(&c->job, run, 0, x, n);
    asked_numbers(c->asks, x, n);
    double sum = reference_sum(x, n, &abs_sum);
    if (c->job.special) { /* its compensation would compute infinity minus infinity */
        sum = 0;
        for (size_t i = 0; i < n; ++i) sum += x[i];
    }
    free(x);
    return judge_numbers(c, run, out, "sum", 1, &sum, &abs_sum, n, err);
}

static int judge_copy(const battery_case_t *c, int run, const unsigned char *out, err_t *err)
{
    const size_t bytes = (size_t)c->job.size[0], to = (size_t)c->job.size[2];
    const unsigned poison = c->job.run[run].poison;
    unsigned char *from = malloc(bytes + 1);
    if (!from) return err_set(err, "out of memory for %zu bytes", bytes);
    job_bytes(&c->job, run, from, bytes);
    asked_bytes(c->asks, from, bytes);
    size_t wrong = 0;
    while (wrong < bytes && out[to + wrong] == from[wrong]) ++wrong;
    int failed = 0;
    if (wrong < bytes)
        failed = err_set(err, "byte %zu of %zu: got 0x%02x%s, expected 0x%02x", wrong, bytes, out[to + wrong],
                         out[to + wrong] == poison ? " (what was there before)" : "", from[wrong]);
    free(from);
    for (size_t i = 0; i < to && !failed; ++i)
        if (out[i] != poison) failed = err_set(err, "wrote %zu bytes before the target", to - i);
    return failed;
}

static int judge_gemv(const battery_case_t *c, int run, const void *out, err_t *err)
{
    const bool columns = c->job.size[0];
    const size_t rows = (size_t)c->job.size[1], cols = (size_t)c->job.size[2];
    double *A = malloc((rows * cols + 1) * sizeof *A), *x = malloc((cols + 1) * sizeof *x);
    double *y = calloc(2 * rows + 1, sizeof *y);
    int failed = -1;
    if (!A || !x || !y) {
        err_set(err, "out of memory for a matrix of %zu x %zu", rows, cols);
    } else {
        job_numbers(&c->job, run, 0, A, rows * cols);
        job_numbers(&c->job, run, 1, x, cols);
        asked_numbers(c->asks, x, cols);
        for (size_t r = 0; r < rows; ++r)
            for (size_t k = 0; k < cols; ++k) {
                const double term = A[columns ? k * rows + r : r * cols + k] * x[k];
                y[r] += term;
                y[rows + r] += fabs(term);
            }
        failed = judge_numbers(c, run, out, "y", rows, y, y + rows, cols, err);
    }
    free(A);
    free(x);
    free(y);
    return failed;
}

static int judge_spmv(const battery_case_t *c, int run, const void *out, err_t *err)
{
    const size_t rows = c->A->rows;
    double *x = malloc((c->A->cols + 1) * sizeof *x), *y = malloc((2 * rows + 1) * sizeof *y);
    int32_t *offsets = malloc((rows + 1) * sizeof *offsets);
    int failed = -1;
    if (!x || !y || !offsets) {
        err_set(err, "out of memory for %zu rows", rows);
    } else {
        job_offsets(&c->job, run, offsets);
        for (size_t r = 0; r <= rows; ++r) c->A->row_offsets[r] = offsets[r];
        job_numbers(&c->job, run, 0, c->A->values, c->A->nnz);
        job_numbers(&c->job, run, 1, x, c->A->cols);
        asked_numbers(c->asks, x, c->A->cols);
        reference_spmv(c->A, x, y, y + rows);
        failed = judge_numbers(c, run, out, "y", rows, y, y + rows, 0, err);
    }
    free(offsets);
    free(x);
    free(y);
    return failed;
}

int battery_judge(const battery_case_t *c, int run, const unsigned char *output, err_t *err)
{
    const unsigned char *out = output + JOB_MARGIN, *end = out + c->job.out_bytes;
    for (int i = 0; i < JOB_MARGIN; ++i)
        if (output[i] != c->job.run[run].poison || end[i] != c->job.run[run].poison)
            return err_set(err, "the kernel wrote outside of the output");
    switch (c->job.chapter) {
    case 1: return judge_sum(c, run, out, err);
    case 2: return judge_copy(c, run, out, err);
    case 3: return judge_gemv(c, run, out, err);
    default: return judge_spmv(c, run, out, err);
    }
}
