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

/* A problem on A, 32-bit offsets unless spec says more; the caller closes the problem before A. */
static inline problem_t spmv_opened(const csr_t *A, spmv_spec_t spec)
{
    err_t err = {{0}};
    problem_t p;
    spec.A = A;
    if (!spec.name) spec.name = "test";
    if (!spec.offset_bits) spec.offset_bits = 32;
    spec.gpu = true;
    if (spmv_problem_open(&p, &spec, &err)) fail_msg("%s: %s", spec.name, err.text);
    return p;
}

/* Rows whose lanes are part of the name: v3/8. */
static inline bool is_variant(const step_t *s) { return strchr(s->id, '/') != NULL; }

/* Every step on one problem; fails the test with the step's own words. */
static inline void check_all(const chapter_t *c, const spmv_spec_t *spec, step_filter_fn leave_out)
{
    err_t err = {{0}};
    problem_t p;
    char about[64];
    if (spmv_problem_open(&p, spec, &err)) fail_msg("%s: %s", spec->name, err.text);
    snprintf(about, sizeof about, ", %d-bit offsets, misalign %zu", spec->offset_bits, spec->misalign);
    check_steps(c, &p, leave_out, about);
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

/* y [rows] of a step with x[20] infinite; right [rows] gets what it must be without. */
static inline void run_infinite(const step_t *s, const problem_t *p, float *y, double *right)
{
    err_t err = {{0}};
    const spmv_data_t *data = p->data;
    const float inf = INFINITY;
    assert_int_equal(cudaMemcpy((float *)data->d_x + 20, &inf, sizeof inf, cudaMemcpyHostToDevice), 0);
    float *d_y = device_alloc(p->out_bytes, "y", &err);
    run_once(s, p, d_y);
    assert_int_equal(cudaMemcpy(y, d_y, p->out_bytes, cudaMemcpyDeviceToHost), 0);
    memcpy(right, data->y, data->A.rows * sizeof *right);
    device_free(d_y);
}

static inline bool uses_column(const csr_t *A, size_t r, int32_t column)
{
    for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz)
        if (A->col_indices[nz] == column) return true;
    return false;
}

/* Inf in x[20] reaches the rows that use it, and no others. */
static inline void check_infinite_in(const step_t *s, const problem_t *p)
{
    const csr_t *A = &((const spmv_data_t *)p->data)->A;
    float *y = malloc((A->rows + 1) * sizeof *y);
    double *right = malloc((A->rows + 1) * sizeof *right);
    run_infinite(s, p, y, right);
    for (size_t r = 0; r < A->rows; ++r)
        if (uses_column(A, r, 20) ? !isinf(y[r]) : (double)y[r] != right[r])
            fail_msg("%s: y[%zu] = %g", s->id, r, (double)y[r]);
    free(y), free(right);
}

static inline bool is_no_kernel(const step_t *s) { return s->kind != STEP_GPU; }

/* A kernel of the chapter that takes the problem and is not left out. */
static inline bool is_tried(const step_t *s, const problem_t *p, step_filter_fn leave_out)
{
    return !is_no_kernel(s) && !(leave_out && leave_out(s)) && !refusal(s, p);
}

static inline void check_infinite_x(const chapter_t *c, step_filter_fn leave_out)
{
    csr_t *A = make_matrix("random:200,50,900");
    problem_t p = spmv_opened(A, (spmv_spec_t){.dtype = DTYPE_F32, .exact = true});
    const step_t *s;
    for (size_t i = 0; (s = c->step(i)); ++i)
        if (is_tried(s, &p, leave_out)) check_infinite_in(s, &p);
    spmv_problem_close(&p);
    csr_free(A);
}

/* Same input, same bits, whatever the order of blocks and warps; how many steps that were.  A is taken. */
static inline size_t check_same_bits_on(const chapter_t *c, csr_t *A, uint64_t runs, step_filter_fn leave_out)
{
    problem_t p = spmv_opened(A, (spmv_spec_t){.dtype = DTYPE_F32});
    const step_t *s;
    size_t count = 0;
    for (size_t i = 0; (s = c->step(i)); ++i)
        if (is_tried(s, &p, leave_out)) check_same_bits(s, &p, runs), ++count;
    spmv_problem_close(&p);
    csr_free(A);
    return count;
}

static inline void check_deterministic(const chapter_t *c, step_filter_fn leave_out)
{
    check_same_bits_on(c, make_matrix("powerlaw:500,500,9000"), 5, leave_out);
}

/* Offsets beyond 2^32 without the memory for them: row r's nonzeros are said to begin at 2^33 + offset[r], and the
 * arrays to begin as much earlier.  What is read is what was there before. */
static inline void move_far(problem_t *p)
{
    enum { ROWS = 3000 };
    const int64_t far = (int64_t)1 << 33;
    spmv_data_t *data = (spmv_data_t *)p->data;
    int64_t offsets[ROWS + 1];
    assert_int_equal(data->A.rows, ROWS);
    for (size_t r = 0; r <= ROWS; ++r) offsets[r] = far + data->A.row_offsets[r];
    assert_int_equal(cudaMemcpy(data->device.row_offsets, offsets, sizeof offsets, cudaMemcpyHostToDevice), 0);
    data->device.col_indices = (int32_t *)((uintptr_t)data->device.col_indices - (uintptr_t)far * sizeof(int32_t));
    data->device.values = (void *)((uintptr_t)data->device.values - (uintptr_t)far * sizeof(float));
    data->device.nnz += (size_t)far;
}

static inline void check_far_offsets(const chapter_t *c)
{
    csr_t *A = make_matrix("powerlaw:3000,3000,20000");
    problem_t p = spmv_opened(A, (spmv_spec_t){.name = "far", .dtype = DTYPE_F32, .offset_bits = 64, .exact = true});
    move_far(&p);
    check_steps(c, &p, is_no_kernel, "");
    spmv_problem_close(&p);
    csr_free(A);
}

/* The counts of one step on one recipe. */
static inline report_row_t counts_of(const chapter_t *c, const char *id, const char *recipe, dtype_t dtype,
                                     const void *options)
{
    csr_t *A = make_matrix(recipe);
    problem_t p = spmv_opened(A, (spmv_spec_t){.name = recipe, .dtype = dtype, .options = options});
    const report_row_t row = counts_of_run(c, id, &p);
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
    spec.name = recipe;
    spec.seed = 5;
    spec.exact = true;
    *p = spmv_opened(*spmv_mutant_matrix() = make_matrix(recipe), spec);
}
static inline void spmv_mutant_close(problem_t *p)
{
    spmv_problem_close(p);
    csr_free(*spmv_mutant_matrix());
}

#endif
