/* test_gemv.c - every step on every awkward shape, what the simulator counts, and mutants that must be rejected. */
#include "tests/chapter_test.h"

#include "gemv.h"

#define MUTANT_ARGS GEMV_ARGS
#include "tests/mutants.h"

typedef struct shape { size_t rows, cols; } shape_t;

/* Sizes that break things, against short and long partners; every step meets each twice: by rows and by columns. */
static const shape_t SHAPES[] = {
    {0, 0},     {0, 7},     {7, 0},     {1, 1},    {1, 31},   {31, 1},   {32, 32},   {33, 31},  {31, 33},   {1, 1000},
    {1000, 1},  {255, 4},   {256, 8},   {257, 12}, {255, 16}, {257, 16}, {256, 20},  {33, 64},  {257, 33},  {33, 257},
    {64, 128},  {65, 132},  {31, 256},  {32, 255}, {36, 260}, {17, 516}, {3, 1000},  {1000, 3}, {100, 100}, {1009, 16},
    {16, 1009}, {1009, 17}, {1, 20011}, {3001, 1}, {5, 8200}, {2050, 5}, {64, 2048}, {516, 64}, {2, 32768},
};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof *SHAPES };

static void open_or_fail(problem_t *p, const gemv_spec_t *spec)
{
    err_t err = {{0}};
    if (gemv_open(p, spec, &err)) fail_msg("%zux%zu: %s", spec->rows, spec->cols, err.text);
}

static void check_all(const gemv_spec_t *spec)
{
    problem_t p;
    char about[32];
    open_or_fail(&p, spec);
    snprintf(about, sizeof about, " misalign=%zu", spec->misalign);
    check_steps(&GEMV, &p, NULL, about);
    gemv_close(&p);
}

static void all_shapes(dtype_t dtype, gemv_layout_t layout, bool exact, size_t misalign, size_t every)
{
    for (size_t i = 0; i < SHAPE_COUNT; i += every)
        check_all(&(gemv_spec_t){.rows = SHAPES[i].rows, .cols = SHAPES[i].cols, .layout = layout, .dtype = dtype,
                                 .seed = 7 + i, .exact = exact, .misalign = misalign, .cpu = true, .gpu = true});
}

TEST(test_rows_fp32) { all_shapes(DTYPE_F32, GEMV_ROW, false, 0, 1); }
TEST(test_rows_fp64) { all_shapes(DTYPE_F64, GEMV_ROW, false, 0, 1); }
TEST(test_columns_fp32) { all_shapes(DTYPE_F32, GEMV_COL, false, 0, 1); }
TEST(test_columns_fp64) { all_shapes(DTYPE_F64, GEMV_COL, false, 0, 1); }

TEST(test_exact)
{
    for (gemv_layout_t layout = GEMV_ROW; layout <= GEMV_COL; ++layout) {
        all_shapes(DTYPE_F32, layout, true, 0, 1);
        all_shapes(DTYPE_F64, layout, true, 0, 3);
    }
}

TEST(test_misaligned)
{
    for (gemv_layout_t layout = GEMV_ROW; layout <= GEMV_COL; ++layout) {
        all_shapes(DTYPE_F64, layout, true, 1, 2);
        for (size_t elements = 1; elements < 4; ++elements) all_shapes(DTYPE_F32, layout, true, elements, 3);
    }
}

/* Rows enough that a thread takes them one after the other (v19), and that v26 chooses v20. */
TEST(test_tall_columns)
{
    for (dtype_t t = DTYPE_F32; t <= DTYPE_F64; ++t)
        for (size_t rows = 33000; rows < 33004; rows += 3)
            check_all(
                &(gemv_spec_t){.rows = rows, .cols = 11, .layout = GEMV_COL, .dtype = t, .seed = rows, .gpu = true});
}

/* As many pieces as a large GPU gets: the simulator with 132 multiprocessors. */
TEST(test_many_pieces)
{
    if (on_gpu()) skip();
    device_pretend_sms(132);
    static const shape_t WIDE[] = {{64, 20000}, {5, 70000}, {300, 4100}, {7, 40001}};
    for (size_t i = 0; i < sizeof WIDE / sizeof *WIDE; ++i)
        for (gemv_layout_t layout = GEMV_ROW; layout <= GEMV_COL; ++layout)
            check_all(&(gemv_spec_t){.rows = WIDE[i].rows, .cols = WIDE[i].cols, .layout = layout,
                                     .dtype = i % 2 ? DTYPE_F64 : DTYPE_F32, .seed = i, .exact = true, .gpu = true});
    device_pretend_sms(8);
}

/* A step says so when it is asked for the other layout, and does nothing. */
TEST(test_other_layout)
{
    const step_t *s;
    for (gemv_layout_t layout = GEMV_ROW; layout <= GEMV_COL; ++layout) {
        err_t err;
        problem_t p;
        open_or_fail(&p, &(gemv_spec_t){.rows = 8, .cols = 8, .layout = layout, .gpu = true});
        for (size_t i = 0; (s = GEMV.step(i)); ++i) {
            if (s->kind != STEP_GPU || !refusal(s, &p)) continue;
            assert_int_equal(s->ops->run(s, &p, NULL, NULL, &err), -1);
        }
        gemv_close(&p);
    }
}

/* On a GPU: the shapes of the chapter's table, and odd ones of that size. */
TEST(test_large)
{
    if (!on_gpu()) skip();
    static const shape_t LARGE[] = {{1048576, 16}, {1048577, 17}, {300001, 128}, {64, 1048576},
                                    {65, 300007},  {4096, 4096},  {5000, 4099}};
    for (size_t i = 0; i < sizeof LARGE / sizeof *LARGE; ++i)
        for (dtype_t t = DTYPE_F32; t <= DTYPE_F64; ++t)
            for (gemv_layout_t layout = GEMV_ROW; layout <= GEMV_COL; ++layout)
                for (size_t misalign = 0; misalign < 2; ++misalign)
                    check_all(&(gemv_spec_t){.rows = LARGE[i].rows, .cols = LARGE[i].cols, .layout = layout, .dtype = t,
                                             .seed = i, .exact = misalign == 1, .misalign = misalign, .gpu = true});
}

/* The words the blocks signal each other with are zero again after each launch, and the same input gives the same
 * bits: the order of additions does not depend on who arrives first. */
TEST(test_repeatable)
{
    static unsigned words[GEMV_WORDS];
    static const shape_t SPLIT[] = {{16, 16384}, {64, 8192}, {256, 256}};
    const step_t *s;
    for (size_t i = 0; i < sizeof SPLIT / sizeof *SPLIT; ++i)
        for (gemv_layout_t layout = GEMV_ROW; layout <= GEMV_COL; ++layout) {
            problem_t p;
            open_or_fail(&p, &(gemv_spec_t){.rows = SPLIT[i].rows, .cols = SPLIT[i].cols, .layout = layout,
                                            .dtype = DTYPE_F64, .seed = 3, .gpu = true});
            const gemv_data_t *data = p.data;
            for (size_t k = 0; (s = GEMV.step(k)); ++k) {
                if (s->kind != STEP_GPU || refusal(s, &p)) continue;
                check_same_bits(s, &p, 3);
                assert_int_equal(cudaMemcpy(words, data->d_words, sizeof words, cudaMemcpyDeviceToHost), 0);
                for (size_t w = 0; w < GEMV_WORDS; ++w)
                    if (words[w]) fail_msg("%s %s left word %zu = %u", s->id, p.name, w, words[w]);
            }
            gemv_close(&p);
        }
    device_configure(false, 0);
}

/* ---- the lessons, as counts ---------------------------------------------------------------------- */

static report_row_t count(const char *id, size_t rows, size_t cols, gemv_layout_t layout)
{
    problem_t p;
    open_or_fail(&p, &(gemv_spec_t){.rows = rows, .cols = cols, .layout = layout, .seed = 1, .gpu = true});
    device_configure(true, 0);
    const report_row_t row = counts_of_run(&GEMV, id, &p);
    device_configure(false, 0);
    gemv_close(&p);
    return row;
}

static void expect(const char *id, size_t rows, size_t cols, gemv_layout_t layout, int64_t requests, int64_t sectors,
                   int64_t stored, double lanes)
{
    const report_row_t r = count(id, rows, cols, layout);
    if (r.ld_requests != requests || r.ld_sectors != sectors || r.st_sectors != stored ||
        fabs(r.active_lanes - lanes) > 0.05)
        fail_msg("%s %zux%zu: %lld requests, %lld sectors, %lld stored, %.2f lanes; expected %lld, %lld, %lld, %.2f",
                 id, rows, cols, (long long)r.ld_requests, (long long)r.ld_sectors, (long long)r.st_sectors,
                 r.active_lanes, (long long)requests, (long long)sectors, (long long)stored, lanes);
}

TEST(test_counts)
{
    if (on_gpu()) skip();
    /* 256 x 128 floats by rows.  v1: 8 warps, 128 turns, each 32 sectors of A, a row apart, and one of x. */
    expect("v1", 256, 128, GEMV_ROW, 8 * 128 * 2, 8 * 128 * 33, 32, 32);
    /* v2: 256 warps, 4 turns, 4 sectors of A and 4 of x; one lane stores. */
    expect("v2", 256, 128, GEMV_ROW, 256 * 4 * 2, 256 * 4 * 8, 256, (8 * 32 + 1) / 9.);
    /* v3: one turn of 512 bytes: 16 sectors per request. */
    expect("v3", 256, 128, GEMV_ROW, 256 * 2, 256 * 32, 256, (2 * 32 + 1) / 3.);

    /* 256 x 16: v3 uses 4 lanes of 32, v4 all of them, for an eighth of the requests (8 rows per warp instead of one,
     * for 8). */
    expect("v3", 256, 16, GEMV_ROW, 256 * 2, 256 * 4, 256, (4 + 4 + 1) / 3.);
    expect("v4", 256, 16, GEMV_ROW, 32 * 2, 32 * (16 + 2), 32, (32 + 32 + 8) / 3.);
    /* v5: 8 warps, each four loads of A for one of x, and 32 neighbours of y by one store. */
    expect("v5", 256, 16, GEMV_ROW, 8 * 5, 8 * (4 * 16 + 2), 8 * 4, 32);
    expect("v6", 256, 16, GEMV_ROW, 8 * 5, 8 * (4 * 16 + 2), 8 * 4, 32);

    /* By columns: 8 warps, 16 turns, 4 sectors of A and one of x.  v19: 2 warps, 16 sectors of A. */
    expect("v17", 256, 16, GEMV_COL, 8 * 16 * 2, 8 * 16 * 5, 32, 32);
    expect("v19", 256, 16, GEMV_COL, 2 * 16 * 2, 2 * 16 * 17, 32, 32);
}

/* x is read once for a block and tile by v7, once for four rows of a warp by v6. */
TEST(test_staging_counts)
{
    if (on_gpu()) skip();
    const report_row_t v6 = count("v6", 256, 1024, GEMV_ROW), v7 = count("v7", 256, 1024, GEMV_ROW);
    assert_int_equal(v6.ld_requests, 64 * 8 * 5);         /* 64 warps, 8 turns: 4 loads of A and one of x */
    assert_int_equal(v7.ld_requests, 64 * 8 * 4 + 8 * 8); /* 8 blocks of 8 warps: one load of x each */
    assert_int_equal(v7.sh_ld_wavefronts, 64 * 8 * 4);    /* 512 bytes are four wavefronts */
}

/* x is read once for a warp by v8, once for each of its units by v6. */
TEST(test_kept_counts)
{
    if (on_gpu()) skip();
    device_pretend_sms(1);
    const report_row_t v6 = count("v6", 8192, 16, GEMV_ROW), v8 = count("v8", 8192, 16, GEMV_ROW);
    assert_int_equal(v6.ld_requests, 256 * 5);      /* 256 units of 32 rows: four loads of A and one of x */
    assert_int_equal(v8.ld_requests, 256 * 4 + 64); /* 8 blocks of 8 warps */
    assert_int_equal(v8.st_sectors, v6.st_sectors);
    device_pretend_sms(8);
}

/* 17 columns: 16 bytes are not allowed; v10 asks as v2 does, v11 for eight rows with one load of x. */
TEST(test_border_counts)
{
    if (on_gpu()) skip();
    const report_row_t v10 = count("v10", 4096, 17, GEMV_ROW), v11 = count("v11", 4096, 17, GEMV_ROW);
    assert_int_equal(v10.ld_requests, 4096 * 2);
    assert_int_equal(v11.ld_requests, 512 * 8 + 512); /* 512 warps, a unit of eight rows each */
    assert_true(count("v19", 4095, 16, GEMV_COL).ld_requests == count("v20", 4095, 16, GEMV_COL).ld_requests);
}

/* 16 rows of floats are four vectors of a column: v21 reads one column by a request, v24 eight. */
TEST(test_short_columns_counts)
{
    if (on_gpu()) skip();
    const report_row_t v21 = count("v21", 16, 1024, GEMV_COL), v24 = count("v24", 16, 1024, GEMV_COL);
    assert_int_equal(v21.ld_requests, 2 * 1024);
    assert_int_equal(v24.ld_requests, 2 * 1024 / 8);
}

/* Few rows: v6 leaves most of the GPU idle, v16 and v25 do not; v26 takes the right one. */
TEST(test_choice)
{
    static const struct { size_t rows, cols; gemv_layout_t layout; const char *word;
    } CASES[] = {
        {1048576, 16, GEMV_ROW, "v12"},   {1048576, 128, GEMV_ROW, "v12"}, {4096, 4096, GEMV_ROW, "v12"},
        {64, 1048576, GEMV_ROW, "v16"},   {16384, 16384, GEMV_ROW, "v16"}, {4096, 4095, GEMV_ROW, "v12"},
        {1048576, 16, GEMV_COL, "v20"},   {1048575, 16, GEMV_COL, "v20"},
        {64, 1048576, GEMV_COL, "v25"},   {4096, 4096, GEMV_COL, "v25"},   {4095, 4096, GEMV_COL, "v25"},
    };
    device_pretend_sms(132); /* the GPU the plan was measured on */
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        const char *took = gemv_v26_choice(DTYPE_F32, CASES[i].layout, CASES[i].rows, CASES[i].cols, NULL, NULL, NULL);
        if (!strstr(took, CASES[i].word)) fail_msg("%zux%zu: %s", CASES[i].rows, CASES[i].cols, took);
    }
    device_pretend_sms(8);
}

/* ---- mutants ----------------------------------------------------------------------------------- */

static void open_case(problem_t *p, const char *on)
{
    gemv_spec_t spec = {.layout = strstr(on, "col") ? GEMV_COL : GEMV_ROW, .seed = 5, .exact = true, .gpu = true};
    const char *misalign = strchr(on, '+');
    if (sscanf(on, "%zux%zu", &spec.rows, &spec.cols) != 2) fail_msg("no shape: %s", on);
    if (misalign) spec.misalign = strtoul(misalign, NULL, 10);
    open_or_fail(p, &spec);
}

static int run_mutant(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    (void)s, (void)state;
    const gemv_data_t *d = p->data;
    return device_ok(mutant->run(p->dtype, d->layout, d->rows, d->cols, d->d_A, d->d_x, out, d->d_sums, d->d_words, 0),
                     "mutant", err);
}

TEST(test_mutants)
{
    static const mutant_ops_t OPS = {open_case, gemv_close, {.run = run_mutant}};
    check_mutants(&GEMV, &OPS, NULL);
}
TEST(test_mutant_of_every_step) { check_mutant_of_every_step(&GEMV); }

/* The tests of counts switch them on. */
FIXTURE(checks_only)
{
    device_configure(false, 0);
    return 0;
}

CHAPTER_TEST_MAIN("03_gemv", checks_only)
