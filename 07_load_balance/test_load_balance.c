/* test_load_balance.c - every step on every awkward matrix, mutants that must be rejected, the lessons in counts. */
#include "tests/spmv_battery.h"

#include "load_balance.h"
#include "b_bins/v10_long_rows_plan.h"
#include "b_bins/v14_streamed_rows_plan.h"

#define MUTANT_ARGS LOAD_BALANCE_ARGS
#include "tests/mutants.h"

static bool is_no_variant(const step_t *s) { return s->kind != STEP_GPU || !is_variant(s); }

TEST(test_battery)
{
    check_types_and_alignments(&LOAD_BALANCE, is_variant);
    check_battery(&LOAD_BALANCE, (spmv_spec_t){.dtype = DTYPE_F32, .exact = true}, is_no_variant);
}
TEST(test_row_counts) { check_row_counts(&LOAD_BALANCE, is_variant); }
TEST(test_infinite_x) { check_infinite_x(&LOAD_BALANCE, NULL); }
/* libspmv_tuned may keep another plan each time it is set up. */
static bool not_the_same_twice(const step_t *s)
{
    return load_balance_any_order(s) || strcmp(s->id, "libspmv_tuned") == 0;
}
TEST(test_deterministic) { check_deterministic(&LOAD_BALANCE, not_the_same_twice); }

static bool promises_nothing(const step_t *s) { return is_variant(s) || not_the_same_twice(s); }

/* A matrix by row lengths, columns from 0 on. */
static csr_t *of_lengths(const size_t *lengths, size_t rows, size_t cols)
{
    size_t nnz = 0;
    for (size_t r = 0; r < rows; ++r) nnz += lengths[r];
    csr_t *A = csr_alloc(rows, cols, nnz);
    assert_non_null(A);
    for (size_t r = 0; r < rows; ++r) {
        A->row_offsets[r + 1] = A->row_offsets[r] + (int64_t)lengths[r];
        for (size_t k = 0; k < lengths[r]; ++k) {
            A->col_indices[(size_t)A->row_offsets[r] + k] = (int32_t)k;
            A->values[(size_t)A->row_offsets[r] + k] = 1;
        }
    }
    return A;
}

/* A row of 18 tiles, more than SHORT_RUN, among short ones. */
static csr_t *long_row(void)
{
    enum { ROWS = 601, LONG = 32000 };
    size_t lengths[ROWS];
    for (size_t r = 0; r < ROWS; ++r) lengths[r] = r == ROWS / 2 ? LONG : 1 + r % 3;
    return of_lengths(lengths, ROWS, LONG);
}

/* Every step that promises the same bits does so where rows cross many tiles too; the others say that they do not. */
TEST(test_deterministic_over_tiles)
{
    assert_true(check_same_bits_on(&LOAD_BALANCE, long_row(), 3, promises_nothing) >= 5);
    assert_true(load_balance_any_order(step_named(&LOAD_BALANCE, "v6")));
}

TEST(test_64_bit_offsets)
{
    static const char *const SOME[] = {"empty:0,0",          "empty:17,19",      "dense:1,300",
                                       "dense:33,31",        "empty_rows:100,7", "powerlaw:300,300,4000",
                                       "one_dense_row:5000", "poisson2d:9,11"};
    for (size_t i = 0; i < sizeof SOME / sizeof *SOME; ++i)
        for (int t = 0; t < 2; ++t)
            check_recipe(&LOAD_BALANCE, SOME[i], (spmv_spec_t){.dtype = t ? DTYPE_F64 : DTYPE_F32, .offset_bits = 64,
                                                               .exact = i % 2 != 0, .misalign = i % 3}, NULL);
}

/* Rows that cross one, many and more than SHORT_RUN tiles; more rows and more empty ones than a tile; nonzeros around
 * whole tiles. */
TEST(test_tiles)
{
    static const char *const SOME[] = {"dense:3,2000",      "dense:1,1792",     "dense:1,1791",        "dense:2,1793",
                                       "dense:1792,1",      "empty_rows:9000,600", "empty_rows:5000,4999",
                                       "even:1000,3000,9",  "even:12,2000,1000", "even:6,4000,3100",
                                       "empty:5000,3"};
    csr_t *A = long_row();
    device_configure(false, 0);
    check_all(&LOAD_BALANCE, &(spmv_spec_t){.A = A, .name = "a long row", .dtype = DTYPE_F32, .offset_bits = 32,
                                            .exact = true, .gpu = true}, is_variant);
    csr_free(A);
    for (size_t i = 0; i < sizeof SOME / sizeof *SOME; ++i)
        check_recipe(&LOAD_BALANCE, SOME[i], (spmv_spec_t){.dtype = i % 2 ? DTYPE_F32 : DTYPE_F64, .exact = true},
                     is_variant);
    device_configure(true, 0);
}

/* Empty rows at both ends, lengths at the borders of bins, stretches and tiles. */
TEST(test_lengths)
{
    enum { ROWS = 2100, COLS = 4000 };
    static const size_t BORDERS[] = {8, 9, 1024, 1025, 1536, 1537, 3072, 3073, 1792, 1791,
                                     1, 0, 7,    3584, 0,    0,    32,   31,   33};
    static size_t lengths[ROWS];
    for (size_t i = 0; i < sizeof BORDERS / sizeof *BORDERS; ++i) {
        lengths[1000 + 3 * i] = BORDERS[i];
        lengths[1100 + i] = BORDERS[i];
    }
    csr_t *A = of_lengths(lengths, ROWS, COLS);
    device_configure(false, 0);
    for (int bits = 32; bits <= 64; bits += 32) {
        const spmv_spec_t spec = {
            .A = A, .name = "borders", .dtype = DTYPE_F32, .offset_bits = bits, .exact = true, .gpu = true};
        check_all(&LOAD_BALANCE, &spec, NULL);
    }
    device_configure(true, 0);
    csr_free(A);
}

/* The same kernels with all numbers made on the GPU: huge.cu in small. */
TEST(test_huge_in_small)
{
    device_configure(false, 0);
    assert_int_equal(load_balance_huge(100000), 0);
    device_configure(true, 0);
}

/* ---- plans -------------------------------------------------------------------------------------- */

/* The plan of a step on a matrix; *p must be closed by the caller, after destroy. */
static void *plan_of(const load_balance_plan_ops_t *ops, const csr_t *A, int bits, problem_t *p)
{
    void *plan = NULL;
    *p = spmv_opened(A, (spmv_spec_t){.dtype = DTYPE_F32, .offset_bits = bits});
    assert_int_equal(ops->create(&((const spmv_data_t *)p->data)->device, &plan, 0), cudaSuccess);
    return plan;
}

/* Every row in one list, ascending, in the list its length belongs to: v11's lists, and v10's from the host. */
static void check_bins(const load_balance_plan_ops_t *ops, const csr_t *A, int bits)
{
    problem_t p;
    row_bins_t *bins = plan_of(ops, A, bits, &p);
    assert_int_equal(bins->count[0] + bins->count[1] + bins->count[2], A->rows);
    for (int b = 0; b < BINS; ++b) {
        unsigned *rows = malloc((bins->count[b] + 1) * sizeof *rows);
        cudaMemcpy(rows, bins->rows[b], bins->count[b] * sizeof *rows, cudaMemcpyDeviceToHost);
        for (unsigned k = 0; k < bins->count[b]; ++k) {
            const int64_t length = A->row_offsets[rows[k] + 1] - A->row_offsets[rows[k]];
            assert_int_equal(b, length <= SHORT_MOST ? BIN_SHORT : length <= MIDDLING_MOST ? BIN_MIDDLING : BIN_LONG);
            assert_true(k == 0 || rows[k] > rows[k - 1]);
        }
        free(rows);
    }
    ops->destroy(bins);
    spmv_problem_close(&p);
}

TEST(test_bins)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i);
        check_bins(&load_balance_v10_plan, A, i % 2 ? 64 : 32);
        check_bins(&load_balance_v11_plan, A, i % 2 ? 32 : 64);
        csr_free(A);
    }
}

/* The host's list of the rows of some length has them all, and no others. */
TEST(test_rows_of_length)
{
    static const size_t LENGTHS[] = {8, 9, 0, 7, 8, 1024, 9};
    enum { ROWS = sizeof LENGTHS / sizeof *LENGTHS };
    csr_t *A = of_lengths(LENGTHS, ROWS, 2000);
    unsigned list[ROWS];
    assert_int_equal(rows_of_length(A, 0, 8, list), 4);
    assert_memory_equal(list, ((unsigned[]){0, 2, 3, 4}), 4 * sizeof *list);
    assert_int_equal(rows_of_length(A, 9, INT64_MAX, list), 3);
    assert_memory_equal(list, ((unsigned[]){1, 5, 6}), 3 * sizeof *list);
    assert_int_equal(rows_of_length(A, 1025, INT64_MAX, list), 0);
    csr_free(A);
}

/* Stretches are whole rows one behind the other; all but single long rows fit into shared memory. */
static void check_stretches(const csr_t *A, const unsigned *first, unsigned count)
{
    assert_int_equal(first[0], 0);
    assert_int_equal(first[count], A->rows);
    for (unsigned k = 0; k < count; ++k) {
        assert_true(first[k + 1] > first[k] && first[k + 1] - first[k] <= MOST_ROWS);
        assert_true(first[k + 1] - first[k] == 1 ||
                    A->row_offsets[first[k + 1]] - A->row_offsets[first[k]] <= STREAMED);
    }
}

/* v14's, cut on the GPU, and v12's, cut on the host: there no row would have had room in the stretch before its own.
 */
TEST(test_stretches)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = i == 0 ? make_matrix("even:300,2000,700") : battery_matrix(i);
        problem_t p;
        row_stretches_t *s = plan_of(&load_balance_v14_plan, A, i % 2 ? 64 : 32, &p);
        unsigned *first = malloc((A->rows + 1) * sizeof *first);
        cudaMemcpy(first, s->first, (s->count + 1) * sizeof *first, cudaMemcpyDeviceToHost);
        check_stretches(A, first, s->count);
        const unsigned count = cut_stretches(A, first);
        check_stretches(A, first, count);
        for (unsigned k = 0; k + 1 < count; ++k)
            assert_true(first[k + 1] - first[k] == MOST_ROWS ||
                        A->row_offsets[first[k + 1] + 1] - A->row_offsets[first[k]] > STREAMED);
        free(first);
        load_balance_v14_plan.destroy(s);
        spmv_problem_close(&p);
        csr_free(A);
    }
}

/* Plans say what they hold, and destroy takes NULL. */
TEST(test_plan_sizes)
{
    const load_balance_plan_ops_t *ops;
    load_balance_fn run;
    const char *id;
    csr_t *A = make_matrix("powerlaw:300,300,4000");
    for (size_t i = 0; load_balance_step(i, &id, &run, &ops); ++i) {
        if (!ops) continue;
        problem_t p;
        void *plan = plan_of(ops, A, 32, &p);
        if (!(ops->bytes(plan) > 0 && ops->bytes(plan) < 1 << 20)) fail_msg("%s: %zu bytes", id, ops->bytes(plan));
        ops->destroy(plan);
        ops->destroy(NULL);
        spmv_problem_close(&p);
    }
    csr_free(A);
}

/* A plan that the GPU has no room for is none, and the next step finds no error of it. */
TEST(test_no_room)
{
    if (on_gpu()) skip();
    const load_balance_plan_ops_t *ops;
    load_balance_fn run;
    const char *id;
    csr_t *A = make_matrix("even:200000,10,1");
    problem_t p = spmv_opened(A, (spmv_spec_t){.dtype = DTYPE_F32});
    setenv("SIMT_MEMORY_MB", "1", 1);
    for (size_t i = 0; load_balance_step(i, &id, &run, &ops); ++i) {
        void *plan = NULL;
        if (!ops) continue;
        if (ops->create(&((const spmv_data_t *)p.data)->device, &plan, 0) != cudaErrorMemoryAllocation || plan)
            fail_msg("%s: a plan without memory", id);
        if (cudaPeekAtLastError() != cudaSuccess) fail_msg("%s: its error is still there", id);
    }
    unsetenv("SIMT_MEMORY_MB");
    spmv_problem_close(&p);
    csr_free(A);
}

/* The merge path begins at 0, 0, ends at rows, nnz, and takes one step at a time: a row's end, or a nonzero of a row
 * that has not ended. */
TEST(test_merge_path)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i);
        size_t row = 0;
        for (size_t step = 1; step <= A->rows + A->nnz; ++step) {
            const size_t now = merge_path_row(A, step), taken = step - now;
            assert_true(now == row || now == row + 1);
            if (now == row) assert_true((int64_t)taken <= A->row_offsets[row + 1]);
            else assert_int_equal(taken, A->row_offsets[row + 1]);
            row = now;
        }
        assert_int_equal(row, A->rows);
        csr_free(A);
    }
}

/* ---- mutants ------------------------------------------------------------------------------------ */

static void open_case(problem_t *p, const char *on)
{
    spmv_mutant_open(p, on, (spmv_spec_t){.dtype = DTYPE_F32});
}

/* Its own if that is what is broken, else that of its step. */
static const load_balance_plan_ops_t *mutant_plan(void)
{
#define MUTANT(...)
#define MUTANT_PLAN(k) extern const load_balance_plan_ops_t mutant_##k##_plan;
#include "mutants.inc"
#undef MUTANT_PLAN
#define MUTANT_PLAN(k) if (mutant->number == k) return &mutant_##k##_plan;
#include "mutants.inc"
#undef MUTANT_PLAN
#undef MUTANT
    const load_balance_plan_ops_t *plan;
    load_balance_fn run;
    const char *id;
    for (size_t i = 0; load_balance_step(i, &id, &run, &plan); ++i)
        if (strcmp(id, mutant->step) == 0) return plan;
    return NULL;
}

static int setup_mutant(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    const load_balance_plan_ops_t *plan = mutant_plan();
    (void)s;
    return plan ? device_ok(plan->create(&((const spmv_data_t *)p->data)->device, state, 0), "plan", err) : 0;
}
static void teardown_mutant(const step_t *s, const problem_t *p, void *state)
{
    const load_balance_plan_ops_t *plan = mutant_plan();
    (void)s, (void)p;
    if (plan) plan->destroy(state);
}
static int run_mutant(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const spmv_data_t *data = p->data;
    (void)s;
    return device_ok(mutant->run(&data->device, state, data->d_x, out, 0), "mutant", err);
}

TEST(test_mutants)
{
    static const mutant_ops_t OPS = {
        open_case, spmv_mutant_close, {.setup = setup_mutant, .teardown = teardown_mutant, .run = run_mutant}};
    check_mutants(&LOAD_BALANCE, &OPS, NULL);
}
TEST(test_mutant_of_every_step) { check_mutant_of_every_step(&LOAD_BALANCE); }

/* ---- the lessons, in counts: the simulator only ---------------------------------------------------- */

static report_row_t counts(const char *id, const char *recipe)
{
    return counts_of(&LOAD_BALANCE, id, recipe, DTYPE_F32, NULL);
}

/* v1's busiest warp works as long as its longest row; equal shares of nonzeros do not. */
TEST(lesson_balance)
{
    if (on_gpu()) skip();
    const report_row_t v1 = counts("v1", "one_dense_row:20000"), v6 = counts("v6", "one_dense_row:20000"),
                       v17 = counts("v17", "one_dense_row:20000");
    assert_true(v1.warp_max_mean > 100 && v1.block_max_mean > 100);
    assert_true(v6.warp_max_mean < 2 && v6.block_max_mean < 1.5);
    assert_true(v17.warp_max_mean < 2 && v17.block_max_mean < 1.5);
}

/* 50000 empty rows behind 2000 others: one of v8's tiles of nonzeros writes them all, v17's share them. */
TEST(lesson_empty_rows)
{
    if (on_gpu()) skip();
    enum { ROWS = 52000 };
    static size_t lengths[ROWS];
    for (size_t r = 0; r < 2000; ++r) lengths[r] = 8;
    csr_t *A = of_lengths(lengths, ROWS, 10);
    problem_t p = spmv_opened(A, (spmv_spec_t){.dtype = DTYPE_F32});
    assert_true(counts_of_run(&LOAD_BALANCE, "v8", &p).block_max_mean > 5);
    assert_true(counts_of_run(&LOAD_BALANCE, "v17", &p).block_max_mean < 1.7);
    spmv_problem_close(&p);
    csr_free(A);
}

/* Atomics: two a tile in v6, none elsewhere. */
TEST(lesson_atomics)
{
    if (on_gpu()) skip();
    const report_row_t v6 = counts("v6", "poisson2d:48,48"), v8 = counts("v8", "poisson2d:48,48");
    const int64_t tiles = (11328 + 1791) / 1792;
    assert_true(v6.atomic_requests >= tiles && v6.atomic_requests <= 2 * tiles);
    assert_int_equal(v8.atomic_requests, 0);
}

/* A stream of nonzeros moves whole sectors; threads on rows of their own do not. */
TEST(lesson_streams)
{
    if (on_gpu()) skip();
    const report_row_t v11 = counts("v11", "poisson2d:48,48"), v14 = counts("v14", "poisson2d:48,48"),
                       v17 = counts("v17", "poisson2d:48,48");
    assert_true(2 * v14.ld_sectors < v11.ld_sectors && 2 * v17.ld_sectors < v11.ld_sectors);
}

int test_formats07(void); /* test_formats07.c */

CHAPTER_TESTS_MAIN("07_load_balance", NULL, test_formats07())
