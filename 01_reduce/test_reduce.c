/* test_reduce.c - every step at every awkward size, and mutants that must be rejected. */
#include "tests/chapter_test.h"

#include "reduce.h"

#define MUTANT_ARGS REDUCE_ARGS
#include "tests/mutants.h"

static const size_t SIZES[] = {0, 1, 31, 32, 33, 255, 256, 257, 511, 513, 1000, 1023, 1025, 2047, 2049, 4097, 99991};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

static void open_or_fail(problem_t *p, const reduce_spec_t *spec)
{
    err_t err = {{0}};
    if (reduce_open(p, spec, &err)) fail_msg("n=%zu: %s", spec->n, err.text);
}

static void check_all(const reduce_spec_t *spec)
{
    problem_t p;
    char about[32];
    open_or_fail(&p, spec);
    snprintf(about, sizeof about, " misalign=%zu", spec->misalign);
    check_steps(&REDUCE, &p, NULL, about);
    reduce_close(&p);
}

static void all_steps(dtype_t dtype, bool exact, size_t misalign)
{
    for (size_t i = 0; i < SIZE_COUNT; ++i)
        check_all(&(reduce_spec_t){.n = SIZES[i], .dtype = dtype, .seed = 7 + i, .exact = exact, .misalign = misalign,
                                   .cpu = true, .gpu = true});
}

TEST(test_fp32) { all_steps(DTYPE_F32, false, 0); }
TEST(test_fp64) { all_steps(DTYPE_F64, false, 0); }
TEST(test_exact_fp32) { all_steps(DTYPE_F32, true, 0); }
TEST(test_exact_fp64) { all_steps(DTYPE_F64, true, 0); }
TEST(test_misaligned_fp32)
{
    for (size_t elements = 1; elements < 4; ++elements) all_steps(DTYPE_F32, true, elements);
}
TEST(test_misaligned_fp64) { all_steps(DTYPE_F64, true, 1); }

/* On a GPU: more passes, more blocks than fit at once. */
TEST(test_large)
{
    if (!on_gpu()) skip();
    for (size_t n = (1u << 20) - 1; n < (1u << 27); n = 5 * n + 3)
        for (dtype_t t = DTYPE_F32; t <= DTYPE_F64; ++t) {
            check_all(&(reduce_spec_t){.n = n, .dtype = t, .seed = n, .cpu = true, .gpu = true});
            check_all(&(reduce_spec_t){
                .n = n, .dtype = t, .seed = n, .exact = true, .misalign = 1, .cpu = true, .gpu = true});
        }
}

/* More numbers than any memory holds, whose bytes do not even fit in a size_t, are refused before they are made. */
TEST(test_too_many)
{
    for (int bits = 50; bits < 64; ++bits) {
        err_t err = {{0}};
        problem_t p;
        assert_int_equal(reduce_open(&p, &(reduce_spec_t){.n = (size_t)1 << bits, .cpu = true}, &err), -1);
        assert_non_null(strstr(err.text, "needs"));
    }
}

/* The words the blocks signal each other with are zero again after each launch. */
TEST(test_words_are_left_zero)
{
    err_t err = {{0}};
    static unsigned long long words[REDUCE_WORDS];
    for (dtype_t t = DTYPE_F32; t <= DTYPE_F64; ++t) {
        problem_t p;
        open_or_fail(&p, &(reduce_spec_t){.n = 99991, .dtype = t, .seed = 1, .gpu = true});
        const reduce_data_t *data = p.data;
        const step_t *s;
        for (size_t i = 0; (s = REDUCE.step(i)); ++i) {
            double unused;
            if (s->kind != STEP_GPU) continue;
            assert_int_equal(harness_check(s, &p, &unused, &err), 0);
            assert_int_equal(cudaMemcpy(words, data->d_words, sizeof words, cudaMemcpyDeviceToHost), 0);
            for (size_t w = 0; w < REDUCE_WORDS; ++w)
                if (words[w]) fail_msg("%s left word %zu = %llx", s->id, w, words[w]);
        }
        reduce_close(&p);
    }
}

/* Same input, same launch, same bits: the order of additions does not depend on who arrives first. */
TEST(test_deterministic)
{
    problem_t p;
    const step_t *s;
    open_or_fail(&p, &(reduce_spec_t){.n = 99991, .dtype = DTYPE_F32, .seed = 3, .gpu = true});
    for (size_t i = 0; (s = REDUCE.step(i)); ++i)
        if (s->kind == STEP_GPU) check_same_bits(s, &p, 5);
    reduce_close(&p);
}

/* ---- mutants ----------------------------------------------------------------------------------- */

static void open_case(problem_t *p, const char *on)
{
    reduce_spec_t spec = {.dtype = DTYPE_F32, .seed = 5, .exact = true, .gpu = true};
    if (sscanf(on, "%zu+%zu", &spec.n, &spec.misalign) < 1) fail_msg("no size: %s", on);
    open_or_fail(p, &spec);
}

static int run_mutant(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    (void)s, (void)state;
    const reduce_data_t *data = p->data;
    return device_ok(mutant->run(p->dtype, data->d_in, data->n, out, data->d_sums, data->d_words, 0), "mutant", err);
}

TEST(test_mutants)
{
    static const mutant_ops_t OPS = {open_case, reduce_close, {.run = run_mutant}};
    check_mutants(&REDUCE, &OPS, NULL);
}
TEST(test_mutant_of_every_step) { check_mutant_of_every_step(&REDUCE); }

/* ---- the lessons, as the simulator counts them -------------------------------------------------- */

/* The counts of one launch of step `id` on n floats. */
static report_row_t count(const char *id, size_t n)
{
    problem_t p;
    open_or_fail(&p, &(reduce_spec_t){.n = n, .dtype = DTYPE_F32, .seed = 1, .gpu = true});
    const report_row_t row = counts_of_run(&REDUCE, id, &p);
    reduce_close(&p);
    return row;
}

/* v2 and v3 in one block of 256.  Round s of v3 keeps ceil(s / 32) warps busy, each load of a warp one wavefront.
 * Round s of v2 has 128 / s pairs, 2s words apart: a load of 32 lanes takes as many wavefronts as
 * there are lanes in the fullest bank. */
TEST(test_lesson_conflicts)
{
    if (on_gpu()) skip();
    int64_t sequential = 1, strided = 1; /* the last line reads partial[0] once */
    for (int s = 1; s < 256; s *= 2) {
        sequential += 2 * (s > 32 ? s / 32 : 1);
        const int pairs = 128 / s, warps = pairs > 32 ? pairs / 32 : 1, lanes = pairs < 32 ? pairs : 32;
        int in_bank[32] = {0}, fullest = 0;
        for (int t = 0; t < lanes; ++t) {
            const int bank = 2 * s * t % 32;
            if (++in_bank[bank] > fullest) fullest = in_bank[bank];
        }
        strided += 2 * warps * fullest;
    }
    assert_int_equal(sequential, 25); /* as worked out by hand */
    assert_int_equal(strided, 95);
    assert_int_equal(count("v3", 256).sh_ld_wavefronts, sequential);
    assert_int_equal(count("v2", 256).sh_ld_wavefronts, strided);
    assert_int_equal(count("v3", 256 * 200).sh_ld_wavefronts, (200 + 1) * sequential); /* 200 blocks, then one */
}

/* Retired warps and idle lanes: v2 uses more of its lanes than v1 for the same wavefronts. */
TEST(test_lesson_divergence)
{
    if (on_gpu()) skip();
    const report_row_t v1 = count("v1", 1 << 16), v2 = count("v2", 1 << 16);
    assert_int_equal(v1.sh_ld_wavefronts, v2.sh_ld_wavefronts);
    assert_true(v1.active_lanes < 9 && v2.active_lanes > 20);
}

/* Contiguous per thread moves 8 times the sectors of strided by block; 16-byte loads need a quarter of the requests. */
TEST(test_lesson_sectors)
{
    if (on_gpu()) skip();
    const size_t n = 2048; /* one block, one pass */
    const report_row_t v7 = count("v7", n), v8 = count("v8", n), v11 = count("v11", n);
    assert_int_equal(v8.ld_sectors, n * sizeof(float) / 32);
    assert_int_equal(v7.ld_sectors, 8 * v8.ld_sectors);
    assert_int_equal(v7.ld_requests, v8.ld_requests);
    assert_int_equal(v11.ld_sectors, v8.ld_sectors);
    assert_int_equal(4 * v11.ld_requests, v8.ld_requests);
}

/* Shuffles take the tree out of shared memory: one word for each warp is left. */
TEST(test_lesson_shuffle)
{
    if (on_gpu()) skip();
    assert_int_equal(count("v9", 2048).sh_st_wavefronts, 8);
    assert_int_equal(count("v9", 2048).sh_ld_wavefronts, 1);
}

/* A grid sized to the GPU leaves as many sums as it has blocks, and one launch adds them up, for any n. */
TEST(test_lesson_grid)
{
    if (on_gpu()) skip();
    const size_t n = 2048 * 300;
    const report_row_t v9 = count("v9", n), v10 = count("v10", n), twice = count("v10", 2 * n);
    assert_int_equal(v9.st_requests, 300 + 1);
    assert_true(v10.st_requests < v9.st_requests);
    assert_int_equal(twice.st_requests, v10.st_requests);
}

CHAPTER_TEST_MAIN("01_reduce", NULL)
