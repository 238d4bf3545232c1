/*
 * spmv_battery.h - what the tests of chapters 04 to 07 share: every step of a chapter on every awkward matrix,
 * Inf in x, the same bits twice, mutants.
 */
#ifndef COURSE_TESTS_SPMV_BATTERY_H
#define COURSE_TESTS_SPMV_BATTERY_H

#include "tests/battery.h"
#include "tests/chapter_test.h"

#include "spmv_problem.h"

#ifdef __SIMT__
#include "simt.h"
#endif

/* One run of a step outside the harness, set-up and teardown around it; d_y on the GPU. */
static inline void run_once(const step_t *s, const problem_t *p, void *d_y)
{
    err_t err = {{0}};
    void *kept = NULL;
    if ((s->ops->setup && s->ops->setup(s, p, &kept, &err)) || s->ops->run(s, p, kept, d_y, &err) || device_sync(&err))
        fail_msg("%s: %s", s->id, err.text);
    if (s->ops->teardown && kept) s->ops->teardown(s, p, kept);
}

/* A step a test leaves out; NULL leaves out none. */
typedef bool (*step_filter_fn)(const step_t *);

/* Rows whose lanes are part of the name: v3/8. */
static inline bool is_variant(const step_t *s) { return strchr(s->id, '/') != NULL; }

/* Every step on one problem; fails the test with the step's own words.  Steps that skip() refuses are left out. */
static inline void check_all(const chapter_t *c, const spmv_spec_t *spec, step_filter_fn leave_out)
{
    err_t err = {{0}};
    problem_t p;
    const step_t *s;
    if (spmv_problem_open(&p, spec, &err)) fail_msg("%s: %s", spec->name, err.text);
    for (size_t i = 0; (s = c->step(i)); ++i) {
        double err_over_tol = -1;
        if (s->kind == STEP_GPU_PEER && !on_card()) continue;
        if (strcmp(s->id, "librsb_tuned") == 0) continue; /* tuning takes its time; librsb is the same code */
        if (leave_out && leave_out(s)) continue;
        if (refusal(s, &p)) continue;
        if (harness_check(s, &p, &err_over_tol, &err))
            fail_msg("%s on %s %s, %d-bit offsets, misalign %zu: %s", s->id, spec->name, dtype_name(spec->dtype),
                     spec->offset_bits, spec->misalign, err.text);
        assert_true(err_over_tol >= 0 && err_over_tol <= 1);
    }
    spmv_problem_close(&p);
}

/* The same on a recipe; spec.A and .name are filled in, 32-bit offsets unless spec says more. */
static inline void check_recipe(const chapter_t *c, const char *recipe, spmv_spec_t spec, step_filter_fn leave_out)
{
    csr_t *A = make_matrix(recipe);
    spec.A = A;
    spec.name = recipe;
    spec.cpu = spec.gpu = true;
    if (!spec.offset_bits) spec.offset_bits = 32;
    check_all(c, &spec, leave_out);
    csr_free(A);
}

/* All of BATTERY but its one large matrix. */
static inline void check_battery(const chapter_t *c, spmv_spec_t spec, step_filter_fn leave_out)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        if (strcmp(BATTERY[i], "random:70000,70000,3000") == 0) continue;
        spec.seed = 7 + i;
        check_recipe(c, BATTERY[i], spec, leave_out);
    }
}

/* fp32 and fp64, as rounded numbers and as integers where == is fair, and behind arrays that are aligned to
 * nothing but their elements. */
static inline void check_types_and_alignments(const chapter_t *c, step_filter_fn leave_out)
{
    for (int t = 0; t < 2; ++t) {
        const dtype_t dtype = t ? DTYPE_F64 : DTYPE_F32;
        check_battery(c, (spmv_spec_t){.dtype = dtype}, leave_out);
        check_battery(c, (spmv_spec_t){.dtype = dtype, .exact = true}, leave_out);
        check_battery(c, (spmv_spec_t){.dtype = dtype, .exact = true, .misalign = 1}, leave_out);
        for (size_t m = 2; m < 4; ++m)
            check_recipe(c, "powerlaw:300,300,4000", (spmv_spec_t){.dtype = dtype, .misalign = m}, leave_out);
    }
}

/* The sizes that break things, as numbers of rows. */
static inline void check_row_counts(const chapter_t *c, step_filter_fn leave_out)
{
    static const int ROWS[] = {1, 31, 32, 33, 255, 256, 257, 1000, 1009};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; ++i) {
        char recipe[64];
        snprintf(recipe, sizeof recipe, "even:%d,50,%d", ROWS[i], 3 + (int)i);
        check_recipe(c, recipe, (spmv_spec_t){.dtype = DTYPE_F32}, leave_out);
        check_recipe(c, recipe, (spmv_spec_t){.dtype = DTYPE_F64}, leave_out);
    }
}

/* Inf in x reaches the rows that use it, and no others. */
static inline void check_infinite_x(const chapter_t *c, step_filter_fn leave_out)
{
    err_t err = {{0}};
    csr_t *A = make_matrix("random:200,50,900");
    problem_t p;
    const spmv_spec_t spec = {.A = A, .name = "Inf", .dtype = DTYPE_F32, .offset_bits = 32, .exact = true, .gpu = true};
    assert_int_equal(spmv_problem_open(&p, &spec, &err), 0);
    const spmv_data_t *data = p.data;
    const float inf = INFINITY;
    assert_int_equal(cudaMemcpy((float *)data->d_x + 20, &inf, sizeof inf, cudaMemcpyHostToDevice), 0);
    float *d_y = device_alloc(200 * sizeof *d_y, "y", &err), y[200];
    const step_t *s;
    for (size_t i = 0; (s = c->step(i)); ++i) {
        if (s->kind != STEP_GPU || (leave_out && leave_out(s)) || refusal(s, &p)) continue;
        run_once(s, &p, d_y);
        assert_int_equal(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost), 0);
        for (size_t r = 0; r < 200; ++r) {
            bool infinite = false;
            for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz)
                infinite = infinite || A->col_indices[nz] == 20;
            if (infinite ? !isinf(y[r]) : (double)y[r] != data->y[r])
                fail_msg("%s: y[%zu] = %g", s->id, r, (double)y[r]);
        }
    }
    device_free(d_y);
    spmv_problem_close(&p);
    csr_free(A);
}

/* Same input, same bits, whatever the order of blocks and warps. */
static inline void check_deterministic(const chapter_t *c, step_filter_fn leave_out)
{
    err_t err = {{0}};
    csr_t *A = make_matrix("powerlaw:500,500,9000");
    problem_t p;
    const spmv_spec_t spec = {.A = A, .name = "twice", .dtype = DTYPE_F32, .offset_bits = 32, .gpu = true};
    assert_int_equal(spmv_problem_open(&p, &spec, &err), 0);
    float *d_y = device_alloc(500 * sizeof *d_y, "y", &err), first[500], again[500];
    const step_t *s;
    for (size_t i = 0; (s = c->step(i)); ++i) {
        if (s->kind != STEP_GPU || (leave_out && leave_out(s)) || refusal(s, &p)) continue;
        for (uint64_t run = 0; run < 5; ++run) {
            device_configure(false, run);
            run_once(s, &p, d_y);
            assert_int_equal(cudaMemcpy(again, d_y, sizeof again, cudaMemcpyDeviceToHost), 0);
            if (run == 0) memcpy(first, again, sizeof first);
            if (memcmp(first, again, sizeof first)) fail_msg("%s: run %d gave other bits", s->id, (int)run);
        }
    }
    device_configure(true, 0);
    device_free(d_y);
    spmv_problem_close(&p);
    csr_free(A);
}

/* The counts of one step on one recipe. */
static inline report_row_t counts_of(const chapter_t *c, const char *id, const char *recipe, dtype_t dtype,
                                     const void *options)
{
    err_t err = {{0}};
    csr_t *A = make_matrix(recipe);
    const spmv_spec_t spec = {.A = A, .name = recipe, .dtype = dtype, .offset_bits = 32, .gpu = true,
                              .options = options};
    problem_t p;
    report_row_t row = {0};
    assert_int_equal(spmv_problem_open(&p, &spec, &err), 0);
    void *d_y = device_alloc(p.out_bytes, "y", &err);
    device_count_begin();
    run_once(step_named(c, id), &p, d_y);
    device_count_end(&row);
    device_free(d_y);
    spmv_problem_close(&p);
    csr_free(A);
    return row;
}

/* ---- mutants ------------------------------------------------------------------------------------ */

/* The problem of a mutant's case (mutants.h): a recipe, and of the spec what is not as usual.  One at a time: the
 * problem borrows its matrix. */
static inline csr_t **spmv_mutant_matrix(void)
{
    static csr_t *A;
    return &A;
}
static inline void spmv_mutant_open(problem_t *p, const char *recipe, spmv_spec_t spec)
{
    err_t err = {{0}};
    spec.A = *spmv_mutant_matrix() = make_matrix(recipe);
    spec.name = recipe;
    spec.seed = 5;
    spec.exact = spec.gpu = true;
    if (!spec.offset_bits) spec.offset_bits = 32;
    if (spmv_problem_open(p, &spec, &err)) fail_msg("%s: %s", recipe, err.text);
}
static inline void spmv_mutant_close(problem_t *p)
{
    spmv_problem_close(p);
    csr_free(*spmv_mutant_matrix());
}

#endif
