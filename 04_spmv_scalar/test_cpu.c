/* test_cpu.c - the CPU steps: every one on every awkward matrix, types, alignments, thread counts; mutants. */
#include "test_cpu.h"

#include "tests/battery.h"

#include <omp.h>
#include <stdio.h>

#include "cpu.h"
#include "cpu_steps.h"
#include "formats.h"

/* ---- a problem without a device ----------------------------------------------------------------- */

enum { GUARD = 64 };

typedef struct setting {
    dtype_t dtype;
    int offset_bits;    /* 0: 32 */
    bool exact;
    size_t misalign;    /* elements between a 64-byte border and each array, the result too */
    double threshold;   /* of c10; 0: the default, less than 0: none */
} setting_t;

typedef struct cpu_case {
    problem_t p;
    spmv_data_t data;
    spmv_scalar_options_t options;
    void *memory[5];
    size_t vector_size;
    char *out; /* where a step writes; GUARD bytes behind it */
} cpu_case_t;

/* A copy, `misalign` elements behind a 64-byte border; *base is what to free. */
static void *shifted(void **base, const void *from, size_t count, size_t size, size_t misalign)
{
    *base = aligned_alloc(64, ((count + misalign) * size + GUARD) / 64 * 64 + 64);
    assert_non_null(*base);
    char *to = (char *)*base + misalign * size;
    if (from && count) memcpy(to, from, count * size);
    return to;
}

static void open_case(cpu_case_t *c, const csr_t *A, setting_t set)
{
    err_t err;
    csr_arrays_t host;
    const size_t m = set.misalign, size = dtype_size(set.dtype);
    memset(c, 0, sizeof *c);
    c->vector_size = size;
    c->options = (spmv_scalar_options_t)SPMV_SCALAR_DEFAULTS;
    if (set.threshold) c->options.csrl_threshold = set.threshold < 0 ? 0 : set.threshold;
    c->data.options = &c->options;
    c->data.A = *A;
    c->data.A.values = malloc((A->nnz + 1) * sizeof(double));
    if (set.exact) matgen_vector(c->data.A.values, A->nnz, 5, 1);
    else for (size_t k = 0; k < A->nnz; ++k) c->data.A.values[k] = dtype_round(set.dtype, A->values[k]);
    c->data.exact = set.exact;
    if (csr_arrays_from(&host, &c->data.A, set.dtype, set.offset_bits ? set.offset_bits : 32, &err))
        fail_msg("%s", err.text);
    c->data.host = host;
    c->data.host.row_offsets = shifted(&c->memory[0], host.row_offsets, A->rows + 1, (size_t)host.offset_bits / 8, m);
    c->data.host.col_indices = shifted(&c->memory[1], host.col_indices, A->nnz, sizeof(int32_t), m);
    c->data.host.values = shifted(&c->memory[2], host.values, A->nnz, size, m);
    csr_arrays_free(&host);

    double *x = malloc((A->cols + 1) * sizeof *x);
    matgen_vector(x, A->cols, 11, set.exact);
    for (size_t k = 0; k < A->cols; ++k) x[k] = dtype_round(set.dtype, x[k]);
    c->data.x = shifted(&c->memory[3], NULL, A->cols, size, m);
    dtype_from_double(set.dtype, c->data.x, x, A->cols);
    c->data.y = malloc((A->rows + 1) * sizeof(double));
    c->data.abs_sum = malloc((A->rows + 1) * sizeof(double));
    c->data.tolerance = malloc((A->rows + 1) * sizeof(double));
    reference_spmv(&c->data.A, x, c->data.y, c->data.abs_sum);
    free(x);
    c->out = shifted(&c->memory[4], NULL, A->rows + GUARD / size, size, m);
    c->p = (problem_t){.name = "test", .dtype = set.dtype, .cpu = true, .out_bytes = A->rows * size, .data = &c->data};
}

static void close_case(cpu_case_t *c)
{
    for (int i = 0; i < 5; ++i) free(c->memory[i]);
    free(c->data.A.values);
    free(c->data.y);
    free(c->data.abs_sum);
    free(c->data.tolerance);
}

/* Runs a function twice on poisoned output and judges what is there as `judged_as` would be. */
static int check_function(cpu_case_t *c, spmv_scalar_cpu_fn fn, const step_t *judged_as, void *state, err_t *err)
{
    const csr_t *A = &c->data.A;
    for (int time = 0; time < 2; ++time) {
        verify_poison(c->out, c->p.out_bytes + GUARD);
        if (fn) fn(&c->data.host, c->data.x, c->out, state);
        else if (judged_as->ops->run(judged_as, &c->p, state, c->out, err)) return -1;
        if (!verify_untouched(c->out + c->p.out_bytes, GUARD)) return err_set(err, "wrote past the end of y");
        for (size_t r = 0; r < A->rows; ++r) {
            const size_t length = (size_t)(A->row_offsets[r + 1] - A->row_offsets[r]);
            c->data.tolerance[r] = c->data.exact ? 0 : verify_tolerance(spmv_scalar_cpu_depth(length, judged_as),
                                                                        c->p.dtype, c->data.abs_sum[r]);
        }
        const verify_result_t v = verify(c->out, c->p.dtype, A->rows, c->data.y, c->data.tolerance);
        if (v.ok) continue;
        verify_describe(&v, "y", err->text, sizeof err->text);
        return -1;
    }
    return 0;
}

static int check_step(cpu_case_t *c, const step_t *s, err_t *err)
{
    void *state = NULL;
    int failed = s->ops->setup(s, &c->p, &state, err);
    if (!failed) failed = check_function(c, NULL, s, state, err);
    if (state) s->ops->teardown(s, &c->p, state);
    return failed;
}

/* Bracketed: cmocka has a macro skip(). */
static const char *refused(const step_t *s, const problem_t *p) { return (s->ops->skip)(s, p); }

/* ---- every step --------------------------------------------------------------------------------- */

static const step_t *cpu_step_named(const char *id)
{
    const step_t *s;
    for (size_t i = 0; (s = spmv_scalar_cpu_step(i)); ++i)
        if (strcmp(s->id, id) == 0) return s;
    fail_msg("no step is called %s", id);
    return NULL;
}

static void check_steps(const csr_t *A, const char *name, setting_t set)
{
    cpu_case_t c;
    const step_t *s;
    open_case(&c, A, set);
    for (size_t i = 0; (s = spmv_scalar_cpu_step(i)); ++i) {
        err_t err;
        if (refused(s, &c.p)) continue;
        if (check_step(&c, s, &err))
            fail_msg("%s on %s %s, %d-bit offsets, misalign %zu: %s", s->id, name, dtype_name(set.dtype),
                     c.data.host.offset_bits, set.misalign, err.text);
    }
    close_case(&c);
}

static void check_all_matrices(setting_t set)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i);
        check_steps(A, BATTERY[i], set);
        csr_free(A);
    }
}

TEST(test_cpu_rounded)
{
    check_all_matrices((setting_t){.dtype = DTYPE_F32});
    check_all_matrices((setting_t){.dtype = DTYPE_F64});
}

TEST(test_cpu_exact)
{
    check_all_matrices((setting_t){.dtype = DTYPE_F32, .exact = true, .offset_bits = 64});
    check_all_matrices((setting_t){.dtype = DTYPE_F64, .exact = true, .offset_bits = 64});
}

TEST(test_cpu_misaligned)
{
    for (size_t m = 1; m < 4; ++m) {
        check_all_matrices((setting_t){.dtype = DTYPE_F32, .exact = true, .misalign = m});
        check_all_matrices((setting_t){.dtype = DTYPE_F64, .exact = true, .misalign = m, .offset_bits = 64});
    }
}

static bool runs_on_threads(const step_t *s) { return s->kind == STEP_CPU && s->id[1] >= '5' && s->id[1] <= '9'; }

/* More threads than rows, than blocks, than cores; and the same bits from any number of them. */
TEST(test_cpu_threads)
{
    static const char *const SOME[] = {"empty:0,7", "dense:1,300", "one_dense_row:500", "powerlaw:3000,3000,40000",
                                       "band:5000,9", "empty_rows:1000,50"};
    const int before = omp_get_max_threads();
    for (size_t i = 0; i < sizeof SOME / sizeof *SOME; ++i) {
        csr_t *A = make_matrix(SOME[i]);
        cpu_case_t c;
        const step_t *s;
        open_case(&c, A, (setting_t){.dtype = DTYPE_F32});
        char *first = malloc(c.p.out_bytes + 1);
        for (size_t k = 0; (s = spmv_scalar_cpu_step(k)); ++k) {
            if (!runs_on_threads(s) && strcmp(s->id, "c10")) continue;
            for (int threads = 1; threads <= 7; threads += 2) {
                err_t err;
                omp_set_num_threads(threads);
                if (check_step(&c, s, &err)) fail_msg("%s on %s, %d threads: %s", s->id, SOME[i], threads, err.text);
                if (threads == 1) memcpy(first, c.out, c.p.out_bytes);
                if (memcmp(first, c.out, c.p.out_bytes))
                    fail_msg("%s on %s: %d threads, other bits", s->id, SOME[i], threads);
            }
        }
        free(first);
        close_case(&c);
        csr_free(A);
    }
    omp_set_num_threads(before);
}

TEST(test_cpu_row_counts)
{
    static const int ROWS[] = {1, 31, 32, 33, 255, 256, 257, 1000, 1009};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; ++i) {
        char recipe[64];
        snprintf(recipe, sizeof recipe, "even:%d,50,%d", ROWS[i], 3 + (int)i);
        csr_t *A = make_matrix(recipe);
        check_steps(A, recipe, (setting_t){.dtype = DTYPE_F32});
        check_steps(A, recipe, (setting_t){.dtype = DTYPE_F64});
        csr_free(A);
    }
    for (int length = 1; length <= 40; ++length) { /* each end of a row that a vector can leave over */
        char recipe[64];
        snprintf(recipe, sizeof recipe, "even:20,90,%d", length);
        csr_t *A = make_matrix(recipe);
        check_steps(A, recipe, (setting_t){.dtype = DTYPE_F32, .exact = true});
        check_steps(A, recipe, (setting_t){.dtype = DTYPE_F64, .exact = true});
        csr_free(A);
    }
}

/* Inf and NaN in x reach the rows that use them, and no others.  Objects built with fast-math are promised that
 * there are none. */
TEST(test_cpu_infinite_x)
{
    csr_t *A = make_matrix("random:200,50,900");
    cpu_case_t c;
    const step_t *s;
    for (int kind = 0; kind < 2; ++kind) {
        open_case(&c, A, (setting_t){.dtype = DTYPE_F32, .exact = true});
        ((float *)c.data.x)[20] = kind ? NAN : INFINITY;
        for (size_t i = 0; (s = spmv_scalar_cpu_step(i)); ++i) {
            if (refused(s, &c.p) || strncmp(s->id, "c1/fast", 7) == 0 || s->kind != STEP_CPU) continue;
            err_t err;
            void *format = NULL;
            assert_int_equal(s->ops->setup(s, &c.p, &format, &err), 0);
            assert_int_equal(s->ops->run(s, &c.p, format, c.out, &err), 0);
            if (format) s->ops->teardown(s, &c.p, format);
            const float *y = (const float *)c.out;
            for (size_t r = 0; r < 200; ++r) {
                bool reached = false;
                for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz)
                    reached = reached || A->col_indices[nz] == 20;
                if (reached ? isfinite(y[r]) != 0 : (double)y[r] != c.data.y[r])
                    fail_msg("%s: y[%zu] = %g", s->id, r, (double)y[r]);
            }
        }
        close_case(&c);
    }
    csr_free(A);
}

/* c4 is one of its own: the same bits as the widest row that runs here. */
TEST(test_cpu_widest)
{
    static const char *const BY_WIDTH[] = {"c4/avx512", "c4/avx2", "c3", "c2"};
    csr_t *A = make_matrix("powerlaw:300,300,4000");
    cpu_case_t c;
    open_case(&c, A, (setting_t){.dtype = DTYPE_F32});
    err_t err;
    size_t i = 0;
    while (refused(cpu_step_named(BY_WIDTH[i]), &c.p)) ++i;
#ifndef __aarch64__
    if (i == 2) i = 3; /* NEON through SIMDe is for reading, not for speed */
#endif
    char first[300 * sizeof(float)];
    assert_int_equal(check_step(&c, cpu_step_named(BY_WIDTH[i]), &err), 0);
    memcpy(first, c.out, sizeof first);
    assert_int_equal(check_step(&c, cpu_step_named("c4"), &err), 0);
    assert_memory_equal(first, c.out, sizeof first);
    close_case(&c);
    csr_free(A);
}

/* ---- the pieces --------------------------------------------------------------------------------- */

/* Cuts by nonzeros: in order, none lost, each within half a row of an even share. */
TEST(test_cpu_cuts)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i);
        const csr_stats_t stats = csr_stats(A);
        csr_arrays_t host;
        err_t err;
        assert_int_equal(csr_arrays_from(&host, A, DTYPE_F32, i % 2 ? 32 : 64, &err), 0);
        for (size_t parts = 1; parts < 40; parts += 3) {
            size_t before = 0;
            assert_int_equal(first_row_of_part(&host, 0, parts), 0);
            for (size_t part = 1; part <= parts; ++part) {
                const size_t row = first_row_of_part(&host, part, parts);
                assert_true(row >= before && row <= A->rows);
                const double cut = (double)A->nnz * (double)part / (double)parts;
                assert_true(fabs((double)offset_of(&host, row) - cut) <= (double)stats.max_row / 2 + 1);
                before = row;
            }
            assert_int_equal(before, A->rows);
        }
        csr_arrays_free(&host);
        csr_free(A);
    }
}

/* Bytes that c10 reads of A at that threshold, fp32. */
static size_t mixed_bytes(const csr_t *A, double threshold)
{
    err_t err;
    csr_arrays_t host;
    void *format = NULL;
    assert_int_equal(csr_arrays_from(&host, A, DTYPE_F32, 32, &err), 0);
    assert_int_equal(spmv_scalar_mixed_open(A, &host, threshold, &format, &err), 0);
    const size_t bytes = spmv_scalar_mixed_bytes(format, &host);
    spmv_scalar_mixed_close(format);
    csr_arrays_free(&host);
    return bytes;
}

static size_t csr_matrix_bytes(const csr_t *A) { return A->nnz * 8 + (A->rows + 1) * 4; }
static size_t csrl_matrix_bytes(const csr_t *A) { return A->nnz * 4 + (A->rows + 1) * 4 + csr_nzseg(A) * 8; }

/* A banded half over a scattered one: rows of B under those of A, both as wide. */
static csr_t *stacked(const csr_t *A, const csr_t *B)
{
    csr_t *C = csr_alloc(A->rows + B->rows, A->cols, A->nnz + B->nnz);
    assert_non_null(C);
    memcpy(C->row_offsets, A->row_offsets, (A->rows + 1) * sizeof *C->row_offsets);
    for (size_t r = 0; r <= B->rows; ++r) C->row_offsets[A->rows + r] = (int64_t)A->nnz + B->row_offsets[r];
    memcpy(C->col_indices, A->col_indices, A->nnz * sizeof *C->col_indices);
    memcpy(C->col_indices + A->nnz, B->col_indices, B->nnz * sizeof *C->col_indices);
    memcpy(C->values, A->values, A->nnz * sizeof *C->values);
    memcpy(C->values + A->nnz, B->values, B->nnz * sizeof *C->values);
    return C;
}

/* c10 with several parts: both kinds in one matrix, and any threshold gives the right y. */
TEST(test_cpu_parts)
{
    csr_t *band = make_matrix("band:10000,10"), *even = make_matrix("even:20000,10000,10");
    csr_t *both = stacked(band, even);
    check_steps(both, "band over scattered", (setting_t){.dtype = DTYPE_F32});
    for (int t = -1; t <= 2; ++t) {
        cpu_case_t c;
        err_t err;
        open_case(&c, both, (setting_t){.dtype = DTYPE_F64, .threshold = t == 0 ? 0.3 : t, .offset_bits = 64});
        if (check_step(&c, cpu_step_named("c10"), &err)) fail_msg("c10, threshold %d: %s", t, err.text);
        close_case(&c);
    }
    const size_t csr = csr_matrix_bytes(both), csrl = csrl_matrix_bytes(both), mixed = mixed_bytes(both, 0.3);
    assert_int_equal(mixed_bytes(both, 0), csr);    /* no part is below 0 */
    assert_int_equal(mixed_bytes(both, 1.5), csrl); /* every part is below 1.5 */
    assert_true(mixed < csr && mixed < csrl);
    /* a part lies on the border between the halves; the others save what CSRL saves there, or nothing */
    const size_t saved_on_band = csr_matrix_bytes(band) - csrl_matrix_bytes(band);
    assert_true(csr - mixed <= saved_on_band && csr - mixed > saved_on_band / 2);
    csr_free(band);
    csr_free(even);
    csr_free(both);
}

/* The experiment's matrices have as many runs as they say, and each row stays within its columns. */
TEST(test_cpu_matrix_of_runs)
{
    err_t err;
    for (size_t runs = 1; runs <= SPMV_SCALAR_RUNS_ROW; ++runs)
        for (int equal = 0; equal < 2; ++equal)
            for (size_t width = 64; width <= 1024; width *= 4) {
                const size_t rows = 1024, both[2] = {runs, SPMV_SCALAR_RUNS_ROW + 1 - runs};
                csr_t *A = spmv_scalar_matrix_of_runs(rows, both, equal, width, 3, &err);
                assert_non_null(A);
                if (csr_check(A, &err)) fail_msg("%zu runs, width %zu: %s", runs, width, err.text);
                assert_int_equal(csr_nzseg(A), rows / 2 * (SPMV_SCALAR_RUNS_ROW + 1));
                for (size_t r = 0; r < rows; ++r) {
                    const int64_t *offsets = A->row_offsets + r;
                    assert_true(A->col_indices[offsets[1] - 1] - A->col_indices[offsets[0]] < (int)width);
                }
                csr_free(A);
            }
}

/* ---- mutants ------------------------------------------------------------------------------------ */

#define ROW_LOOP(FIRST, END, BODY)                                                     \
    (void)format;                                                                      \
    const int32_t *offsets = A->row_offsets, *columns = A->col_indices;                \
    const float *values = A->values, *in = x;                                          \
    float *out = y;                                                                    \
    for (size_t row = (FIRST); row < (END); ++row) {                                   \
        float sum = 0;                                                                 \
        BODY;                                                                          \
    }

#define PLAIN_SUM(FROM, TO) for (int32_t nz = (FROM); nz < (TO); ++nz) sum += values[nz] * in[columns[nz]]

static void right(SPMV_SCALAR_CPU_ARGS)
{
    ROW_LOOP(0, A->rows, PLAIN_SUM(offsets[row], offsets[row + 1]); out[row] = sum)
}
static void drops_last_nonzero(SPMV_SCALAR_CPU_ARGS)
{
    ROW_LOOP(0, A->rows, PLAIN_SUM(offsets[row], offsets[row + 1] - 1); out[row] = sum)
}
static void skips_empty_rows(SPMV_SCALAR_CPU_ARGS)
{
    ROW_LOOP(0, A->rows, PLAIN_SUM(offsets[row], offsets[row + 1]); if (offsets[row] < offsets[row + 1]) out[row] = sum)
}
static void adds_into_y(SPMV_SCALAR_CPU_ARGS)
{
    ROW_LOOP(0, A->rows, PLAIN_SUM(offsets[row], offsets[row + 1]); out[row] += sum)
}
static void writes_past_end(SPMV_SCALAR_CPU_ARGS)
{
    ROW_LOOP(0, A->rows, PLAIN_SUM(offsets[row], offsets[row + 1]); out[row] = sum; out[row + 1] = 0)
}
/* c2 without the rest */
static void no_tail(SPMV_SCALAR_CPU_ARGS)
{
    ROW_LOOP(0, A->rows, const int32_t length = offsets[row + 1] - offsets[row];
             PLAIN_SUM(offsets[row], offsets[row] + length / 4 * 4); out[row] = sum)
}
/* c4 without the mask */
static void reads_past_row(SPMV_SCALAR_CPU_ARGS)
{
    const int32_t nnz = (int32_t)A->nnz;
    ROW_LOOP(0, A->rows, int32_t to = offsets[row] + (offsets[row + 1] - offsets[row] + 7) / 8 * 8;
             PLAIN_SUM(offsets[row], to < nnz ? to : nnz); out[row] = sum)
}
/* c7 without the rows behind the last nonzero */
static void loses_last_rows(SPMV_SCALAR_CPU_ARGS)
{
    size_t end = A->rows;
    while (end > 0 && offset_of(A, end - 1) == (int64_t)A->nnz) --end;
    ROW_LOOP(0, end, PLAIN_SUM(offsets[row], offsets[row + 1]); out[row] = sum)
}
/* c7 with each cut one row late */
static void loses_row_at_cut(SPMV_SCALAR_CPU_ARGS)
{
    const size_t cut = first_row_of_part(A, 1, 2);
    ROW_LOOP(0, A->rows, if (row == cut) continue; PLAIN_SUM(offsets[row], offsets[row + 1]); out[row] = sum)
}
/* c8 with the second value of a run forgotten */
static void first_of_run_only(SPMV_SCALAR_CPU_ARGS)
{
    ROW_LOOP(0, A->rows, for (int32_t nz = offsets[row]; nz < offsets[row + 1]; ++nz)
             if (nz == offsets[row] || columns[nz] != columns[nz - 1] + 1) sum += values[nz] * in[columns[nz]];
             out[row] = sum)
}
/* c8 whose second thread starts with the first thread's values */
static void starts_at_wrong_value(SPMV_SCALAR_CPU_ARGS)
{
    const size_t cut = first_row_of_part(A, 1, 2);
    const int32_t behind = (int32_t)offset_of(A, cut);
    ROW_LOOP(0, A->rows, for (int32_t nz = offsets[row]; nz < offsets[row + 1]; ++nz)
             sum += values[row < cut ? nz : nz - behind] * in[columns[nz]];
             out[row] = sum)
}
/* c9 that keeps the last product instead of adding it up */
static void overwrites(SPMV_SCALAR_CPU_ARGS)
{
    ROW_LOOP(0, A->rows, for (int32_t nz = offsets[row]; nz < offsets[row + 1]; ++nz)
             sum = values[nz] * in[columns[nz]];
             out[row] = sum)
}
/* c9 with 8 bits where more are needed */
static void narrow_columns(SPMV_SCALAR_CPU_ARGS)
{
    ROW_LOOP(0, A->rows, for (int32_t nz = offsets[row]; nz < offsets[row + 1]; ++nz)
             sum += values[nz] * in[columns[nz] & 255];
             out[row] = sum)
}

TEST(test_cpu_mutants)
{
    static const struct {
        const char *name, *recipe;
        spmv_scalar_cpu_fn fn;
        bool right;
    } MUTANTS[] = {
        {"right", "empty_rows:100,7", right, true},
        {"right", "powerlaw:300,300,4000", right, true},
        {"drops the last nonzero", "even:130,80,21", drops_last_nonzero, false},
        {"skips empty rows", "empty_rows:100,7", skips_empty_rows, false},
        {"adds into y", "even:130,80,21", adds_into_y, false},
        {"writes past the end", "even:130,80,21", writes_past_end, false},
        {"no tail", "even:130,80,21", no_tail, false},
        {"reads past the row", "even:130,80,21", reads_past_row, false},
        {"loses the last rows", "empty:17,19", loses_last_rows, false},
        {"loses a row at a cut", "even:130,80,21", loses_row_at_cut, false},
        {"first of a run only", "band:100,3", first_of_run_only, false},
        {"starts at the wrong value", "even:130,80,21", starts_at_wrong_value, false},
        {"overwrites", "even:130,80,21", overwrites, false},
        {"narrow columns", "one_dense_row:500", narrow_columns, false},
    };
    for (size_t i = 0; i < sizeof MUTANTS / sizeof *MUTANTS; ++i)
        for (int exact = 0; exact < 2; ++exact) {
            err_t err = {""};
            cpu_case_t c;
            csr_t *A = make_matrix(MUTANTS[i].recipe);
            open_case(&c, A, (setting_t){.dtype = DTYPE_F32, .exact = exact});
            const bool accepted = check_function(&c, MUTANTS[i].fn, cpu_step_named("c1"), NULL, &err) == 0;
            if (accepted != MUTANTS[i].right)
                fail_msg("%s on %s: %s", MUTANTS[i].name, MUTANTS[i].recipe, accepted ? "was accepted" : err.text);
            close_case(&c);
            csr_free(A);
        }
}

int test_cpu(void) { return cmocka_run_group_tests_name("cpu", tests, NULL, NULL); }

#ifdef CPU_TESTS_ALONE /* where the chapter's own tests cannot be built: common/workshop/tests/aarch64.mk */
int main(void) { return test_cpu(); }
#endif
