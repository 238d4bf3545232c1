/* test_spmv_api.c - libspmv refuses invalid arguments and reports the error; threads; a thousand plans. */
#include "library.h"

#include <malloc.h>
#include <pthread.h>

static const int32_t OFFSETS[] = {0, 2, 2, 3}, COLUMNS[] = {0, 3, 1};
static const double VALUES[] = {1, 2, 3};
static const spmv_csr_t SMALL = {.rows = 3, .cols = 4, .nnz = 3, .value_type = SPMV_F64, .offset_bits = 32,
                                 .row_offsets = OFFSETS, .col_indices = COLUMNS, .values = VALUES};

/* Creating a plan must fail with that status, no plan, and a text with that word. */
static void refused(const spmv_csr_t *A, const spmv_options_t *options, spmv_status_t status, const char *word)
{
    spmv_plan_t *plan = (spmv_plan_t *)1;
    fails_with(spmv_create(&plan, A, options, NULL), status, word);
    assert_null(plan);
}

#define REFUSED(status, word, ...)                                              \
    do {                                                                        \
        spmv_csr_t A = SMALL;                                                   \
        spmv_options_t o = {0};                                                 \
        __VA_ARGS__;                                                            \
        refused(&A, &o, status, word);                                          \
    } while (0)

TEST(bad_matrices)
{
    int32_t late[] = {1, 2, 2, 3}, falls[] = {0, 2, 1, 3}, shorter[] = {0, 2, 2, 2}, far[] = {0, 4, 1},
            negative[] = {0, -1, 1};
    refused(NULL, NULL, SPMV_BAD_ARGUMENT, "NULL");
    assert_int_equal(spmv_create(NULL, &SMALL, NULL, NULL), SPMV_BAD_ARGUMENT);
    REFUSED(SPMV_BAD_ARGUMENT, "negative", A.rows = -1);
    REFUSED(SPMV_BAD_ARGUMENT, "negative", A.cols = -1);
    REFUSED(SPMV_BAD_ARGUMENT, "negative", A.nnz = -1);
    REFUSED(SPMV_BAD_ARGUMENT, "2147483647", A.rows = INT64_C(1) << 31);
    REFUSED(SPMV_BAD_ARGUMENT, "2147483647", A.cols = INT64_C(1) << 40);
    REFUSED(SPMV_BAD_ARGUMENT, "64-bit", A.nnz = INT64_C(1) << 31);
    REFUSED(SPMV_BAD_ARGUMENT, "any memory", A.nnz = INT64_C(1) << 61; A.offset_bits = 64);
    REFUSED(SPMV_BAD_ARGUMENT, "value_type 5", A.value_type = (spmv_type_t)5);
    REFUSED(SPMV_BAD_ARGUMENT, "value_type -1", A.value_type = (spmv_type_t)-1);
    REFUSED(SPMV_BAD_ARGUMENT, "offset_bits", A.offset_bits = 0);
    REFUSED(SPMV_BAD_ARGUMENT, "memory", A.memory = (spmv_memory_t)2);
    REFUSED(SPMV_BAD_ARGUMENT, "row_offsets is NULL", A.row_offsets = NULL);
    REFUSED(SPMV_BAD_ARGUMENT, "col_indices is NULL", A.col_indices = NULL);
    REFUSED(SPMV_BAD_ARGUMENT, "values is NULL", A.values = NULL);
    REFUSED(SPMV_BAD_ARGUMENT, "misaligned", A.row_offsets = (const char *)OFFSETS + 2);
    REFUSED(SPMV_BAD_ARGUMENT, "misaligned", A.col_indices = (const void *)((const char *)COLUMNS + 1));
    REFUSED(SPMV_BAD_ARGUMENT, "misaligned", A.values = (const char *)VALUES + 4);
    REFUSED(SPMV_BAD_MATRIX, "0 x 4", A.rows = 0);
    REFUSED(SPMV_BAD_MATRIX, "3 x 0", A.cols = 0);
    REFUSED(SPMV_BAD_MATRIX, "row_offsets[0] is 1", A.row_offsets = late);
    REFUSED(SPMV_BAD_MATRIX, "row_offsets[2] is 1", A.row_offsets = falls);
    REFUSED(SPMV_BAD_MATRIX, "row_offsets[3] is 2", A.row_offsets = shorter);
    REFUSED(SPMV_BAD_MATRIX, "col_indices[1] is 4", A.col_indices = far);
    REFUSED(SPMV_BAD_MATRIX, "col_indices[1] is -1", A.col_indices = negative);
}

TEST(bad_options)
{
    REFUSED(SPMV_BAD_ARGUMENT, "backend 3", o.backend = (spmv_backend_t)3);
    REFUSED(SPMV_BAD_ARGUMENT, "setup 3", o.setup = (spmv_setup_t)3);
    REFUSED(SPMV_BAD_ARGUMENT, "copy is 2", o.copy = 2);
    REFUSED(SPMV_BAD_ARGUMENT, "deterministic is -1", o.deterministic = -1);
    REFUSED(SPMV_BAD_ARGUMENT, "check is 7", o.check = 7);
    REFUSED(SPMV_BAD_ARGUMENT, "exclusive is 2", o.exclusive = 2);
    REFUSED(SPMV_BAD_ARGUMENT, "beside is 2", o.beside = 2);
    REFUSED(SPMV_BAD_ARGUMENT, "tune is 2", o.tune = 2);
    REFUSED(SPMV_BAD_ARGUMENT, "threads is -1", o.threads = -1);
    REFUSED(SPMV_BAD_ARGUMENT, "reserved", o.reserved = 1);
    REFUSED(SPMV_BAD_ARGUMENT, "on the GPU", A.memory = SPMV_DEVICE; o.backend = SPMV_BACKEND_CPU);
}

TEST(bad_calls)
{
    double x[8] = {1, 2, 3, 4}, y[8];
    spmv_plan_t *plan;
    ok(spmv_create(&plan, &SMALL, NULL, NULL));
    assert_int_equal(spmv_backend_of(plan), SPMV_BACKEND_CPU);
    assert_int_equal(spmv_execute(NULL, 1, x, 0, y, NULL), SPMV_BAD_ARGUMENT);
    assert_int_equal(spmv_execute(plan, 1, NULL, 0, y, NULL), SPMV_BAD_ARGUMENT);
    assert_int_equal(spmv_execute(plan, 1, x, 0, NULL, NULL), SPMV_BAD_ARGUMENT);
    assert_int_equal(spmv_execute(plan, 1, x, 0, x, NULL), SPMV_BAD_ARGUMENT);
    assert_non_null(strstr(spmv_last_error(), "overlap"));
    assert_int_equal(spmv_execute(plan, 1, x, 0, x + 3, NULL), SPMV_BAD_ARGUMENT); /* y overlaps the last of x */
    assert_int_equal(spmv_execute(plan, 1, x + 2, 0, x, NULL), SPMV_BAD_ARGUMENT);
    ok(spmv_execute(plan, 1, x, 0, x + 4, NULL));
    assert_true(x[4] == 9 && x[5] == 0 && x[6] == 6);
    assert_int_equal(spmv_execute(plan, 1, (char *)x + 4, 0, y, NULL), SPMV_BAD_ARGUMENT);
    assert_int_equal(spmv_execute(plan, 1, x, 0, (char *)y + 4, NULL), SPMV_BAD_ARGUMENT);
    ok(spmv_execute(plan, 0, NULL, 0, y, NULL)); /* alpha 0 needs no x */
    assert_true(y[0] == 0 && y[1] == 0 && y[2] == 0);
    assert_int_equal(spmv_update_values(NULL, VALUES, NULL), SPMV_BAD_ARGUMENT);
    assert_int_equal(spmv_update_values(plan, NULL, NULL), SPMV_BAD_ARGUMENT);
    assert_int_equal(spmv_update_values(plan, (const char *)VALUES + 4, NULL), SPMV_BAD_ARGUMENT);
    spmv_destroy(plan);
    spmv_destroy(NULL);
    assert_int_equal(spmv_backend_of(NULL), SPMV_BACKEND_AUTO);
    assert_int_equal(spmv_bytes(NULL), 0);
}

/* Empty products succeed, and arrays without elements may be NULL. */
TEST(empty)
{
    for (int gpu = 0; gpu < 1 + built(SPMV_BACKEND_GPU); ++gpu)
        for (int rows = 0; rows < 4; rows += 3)
            for (int cols = 0; cols < 4; cols += 3) {
                const int32_t offsets[4] = {0};
                const spmv_csr_t A = {.rows = rows, .cols = cols, .value_type = SPMV_F64, .offset_bits = 32,
                                      .row_offsets = rows ? offsets : NULL};
                const spmv_options_t options = {.backend = gpu ? SPMV_BACKEND_GPU : SPMV_BACKEND_CPU};
                spmv_plan_t *plan;
                ok(spmv_create(&plan, &A, &options, NULL));
                ok(spmv_update_values(plan, NULL, NULL));
                text_of(plan);
                double y[3] = {NAN, NAN, NAN};
                double x[4] = {0}, *x_there = go_to(plan, x, sizeof x), *out = go_to(plan, y, sizeof y);
                ok(spmv_execute(plan, 1, cols ? x_there : NULL, 0, rows ? out : NULL, NULL));
                come_back(plan, y, out, sizeof y);
                come_back(plan, NULL, x_there, 0);
                for (int r = 0; r < 3; ++r) assert_true(r < rows ? y[r] == 0 : isnan(y[r]));
                spmv_destroy(plan);
            }
}

TEST(texts)
{
    char text[2000], cut[20];
    for (int s = SPMV_OK; s <= SPMV_GPU_ERROR; ++s)
        for (int t = SPMV_OK; t < s; ++t)
            assert_string_not_equal(spmv_status_text((spmv_status_t)s), spmv_status_text((spmv_status_t)t));
    assert_string_equal(spmv_status_text((spmv_status_t)99), "unknown status");
    snprintf(text, sizeof text, "%d.%d.%d", SPMV_VERSION_MAJOR, SPMV_VERSION_MINOR, SPMV_VERSION_PATCH);
    assert_string_equal(spmv_version(), text);

    for (int way = 0; way < (built(SPMV_BACKEND_GPU) ? 4 : 2); ++way) {
        const spmv_options_t options = {.backend = way / 2 ? SPMV_BACKEND_GPU : SPMV_BACKEND_CPU,
                                        .setup = way % 2 ? SPMV_SETUP_NONE : SPMV_SETUP_PLAN};
        spmv_plan_t *plan;
        ok(spmv_create(&plan, &SMALL, &options, NULL));
        ok(spmv_describe(plan, text, sizeof text));
        assert_non_null(strstr(text, way / 2 ? "GPU: 3 x 4, 3 nonzeros, fp64" : "CPU: 3 x 4, 3 nonzeros, fp64"));
        assert_true(strlen(text) > 80 && text[strlen(text) - 1] == '\n'); /* the engine has written something */
        for (size_t size = 1; size < strlen(text); ++size) { /* the text may be cut at any size, and is terminated */
            memset(text + 1000, 'x', 1000);
            ok(spmv_describe(plan, text + 1000, size));
            assert_true(strlen(text + 1000) < size);
            assert_memory_equal(text, text + 1000, strlen(text + 1000));
        }
        assert_int_equal(spmv_describe(plan, NULL, 10), SPMV_BAD_ARGUMENT);
        assert_int_equal(spmv_describe(plan, cut, 0), SPMV_BAD_ARGUMENT);
        assert_int_equal(spmv_describe(NULL, cut, sizeof cut), SPMV_BAD_ARGUMENT);
        assert_true(spmv_bytes(plan) > 0);
        spmv_destroy(plan);
    }
}

/* The description must name a form that was chosen for its shape. */
TEST(choices)
{
    static const struct { const char *recipe, *words; } CASES[] = {
        {"dense:100,300", "100 % in runs of columns"}, {"even:90,2000,300", "100 % row by row"},
        {"even:500,500,5", "100 % in slices"},         {"one_dense_row:100000", "1 rows cut"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        example_t e = example_from(CASES[i].recipe, SPMV_F32, 32, true);
        spmv_plan_t *plan = plan_of(&e, (spmv_options_t){.threads = 4});
        told(plan, CASES[i].words);
        spmv_destroy(plan);
        example_free(&e);
    }
}

/* A plan with N threads has N parts. */
TEST(fewer_threads)
{
    example_t e = example_from("even:9000,9000,17", SPMV_F32, 32, true);
    for (int threads = 1; threads < 6; ++threads) {
        spmv_plan_t *plan = plan_of(&e, (spmv_options_t){.threads = threads});
        char words[40];
        snprintf(words, sizeof words, threads > 1 ? "%d parts" : "%d part", threads);
        told(plan, words);
        spmv_destroy(plan);
    }
    example_free(&e);
}

/* ---- threads ------------------------------------------------------------------------------------ */

typedef struct worker {
    const example_t *e;
    const spmv_plan_t *plan; /* NULL: a plan of its own for each product */
    double alpha;
    int wrong;
} worker_t;

static void *work(void *arg)
{
    worker_t *w = arg;
    const size_t rows = w->e->A->rows;
    double *y = malloc(rows * sizeof *y);
    for (int i = 0; i < 20; ++i) {
        spmv_plan_t *own = NULL;
        if (!w->plan && spmv_create(&own, &w->e->csr, NULL, NULL)) ++w->wrong;
        if (spmv_execute(w->plan ? w->plan : own, w->alpha, w->e->x_typed, 0, y, NULL)) ++w->wrong;
        for (size_t r = 0; r < rows; ++r) w->wrong += y[r] != w->alpha * w->e->product[r];
        spmv_destroy(own);
        /* The last error is this thread's own. */
        if (spmv_execute(NULL, 1, NULL, 0, NULL, NULL) != SPMV_BAD_ARGUMENT || !strstr(spmv_last_error(), "plan"))
            ++w->wrong;
    }
    free(y);
    return NULL;
}

/* Threads multiply at once, each with its own alpha: first by one plan for all, then by plans of their own. */
TEST(threads)
{
    enum { THREADS = 6 };
    example_t e = example_from("one_dense_row:20000", SPMV_F64, 32, true);
    spmv_plan_t *shared = plan_of(&e, (spmv_options_t){.threads = 3});
    for (int own = 0; own < 2; ++own) {
        pthread_t ids[THREADS];
        worker_t workers[THREADS];
        for (int t = 0; t < THREADS; ++t) {
            workers[t] = (worker_t){&e, own ? NULL : shared, 1 + t, 0};
            assert_int_equal(pthread_create(&ids[t], NULL, work, &workers[t]), 0);
        }
        for (int t = 0; t < THREADS; ++t) {
            assert_int_equal(pthread_join(ids[t], NULL), 0);
            assert_int_equal(workers[t].wrong, 0);
        }
    }
    spmv_destroy(shared);
    example_free(&e);
}

/* A thousand plans leave nothing behind.  The simulator keeps what it knows of kernels: ten of its plans come first. */
TEST(no_growth)
{
    example_t e = example_from("powerlaw:300,300,4000", SPMV_F32, 32, true);
    size_t before = 0;
    for (int i = 0; i < 1210; ++i) {
        if (i == 210) before = mallinfo2().uordblks;
        const bool gpu = i % 20 == 0 && built(SPMV_BACKEND_GPU);
        spmv_destroy(plan_of(&e, (spmv_options_t){.backend = gpu ? SPMV_BACKEND_GPU : SPMV_BACKEND_CPU,
                                                  .copy = i % 3 == 0, .threads = 1 + i % 4}));
    }
    const size_t after = mallinfo2().uordblks;
    if (after > before + (64 << 10)) fail_msg("%zu bytes more after 1000 plans", after - before);
    example_free(&e);
}

int main(void)
{
    open_gpu();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
