/* test_reduce.c - every step at every awkward size, and mutants that must be rejected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reduce.h"

static const size_t SIZES[] = {0, 1, 31, 32, 33, 255, 256, 257, 511, 513, 1000, 1023, 1025, 2047, 2049, 4097, 99991};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

static bool on_card(void) { return strcmp(device_backend(), "cuda") == 0; }

/* Runs every step on one problem; fails the test with the step's own words. */
static void check_all(const reduce_spec_t *spec)
{
    err_t err = {{0}};
    problem_t p;
    const step_t *s;
    if (reduce_open(&p, spec, &err)) fail_msg("n=%zu: %s", spec->n, err.text);
    for (size_t i = 0; (s = REDUCE.step(i)); ++i) {
        double err_over_tol;
        if (s->kind == STEP_GPU_PEER && !on_card()) continue;
        if ((REDUCE.skip)(s, &p)) continue; /* bracketed: cmocka has a macro skip() */
        if (harness_check(&REDUCE, s, &p, &err_over_tol, &err))
            fail_msg("%s n=%zu %s misalign=%zu: %s", s->id, spec->n, dtype_name(spec->dtype), spec->misalign, err.text);
    }
    reduce_close(&p);
}

static void all_steps(dtype_t dtype, bool exact, size_t misalign)
{
    for (size_t i = 0; i < SIZE_COUNT; ++i)
        check_all(&(reduce_spec_t){.n = SIZES[i], .dtype = dtype, .seed = 7 + i, .exact = exact, .misalign = misalign,
                                   .cpu = true, .gpu = true});
}

static void test_fp32(void **state) { (void)state, all_steps(DTYPE_F32, false, 0); }
static void test_fp64(void **state) { (void)state, all_steps(DTYPE_F64, false, 0); }
static void test_exact_fp32(void **state) { (void)state, all_steps(DTYPE_F32, true, 0); }
static void test_exact_fp64(void **state) { (void)state, all_steps(DTYPE_F64, true, 0); }
static void test_misaligned_fp32(void **state)
{
    (void)state;
    for (size_t elements = 1; elements < 4; ++elements) all_steps(DTYPE_F32, true, elements);
}
static void test_misaligned_fp64(void **state) { (void)state, all_steps(DTYPE_F64, true, 1); }

/* On a card: more passes, more blocks than fit at once. */
static void test_large(void **state)
{
    (void)state;
    if (!on_card()) skip();
    for (size_t n = (1u << 20) - 1; n < (1u << 27); n = 5 * n + 3)
        for (dtype_t t = DTYPE_F32; t <= DTYPE_F64; ++t) {
            check_all(&(reduce_spec_t){.n = n, .dtype = t, .seed = n, .cpu = true, .gpu = true});
            check_all(&(reduce_spec_t){.n = n, .dtype = t, .seed = n, .exact = true, .misalign = 1, .cpu = true, .gpu = true});
        }
}

/* The words the blocks signal each other with are zero again after each launch. */
static void test_words_are_left_zero(void **state)
{
    (void)state;
    err_t err = {{0}};
    static unsigned long long words[REDUCE_WORDS];
    for (dtype_t t = DTYPE_F32; t <= DTYPE_F64; ++t) {
        problem_t p;
        const reduce_spec_t spec = {.n = 99991, .dtype = t, .seed = 1, .gpu = true};
        assert_int_equal(reduce_open(&p, &spec, &err), 0);
        const reduce_data_t *data = p.data;
        const step_t *s;
        for (size_t i = 0; (s = REDUCE.step(i)); ++i) {
            double unused;
            if (s->kind != STEP_GPU) continue;
            assert_int_equal(harness_check(&REDUCE, s, &p, &unused, &err), 0);
            assert_int_equal(cudaMemcpy(words, data->d_words, sizeof words, cudaMemcpyDeviceToHost), 0);
            for (size_t w = 0; w < REDUCE_WORDS; ++w)
                if (words[w]) fail_msg("%s left word %zu = %llx", s->id, w, words[w]);
        }
        reduce_close(&p);
    }
}

/* Same input, same launch, same bits: the order of additions does not depend on who arrives first. */
static void test_deterministic(void **state)
{
    (void)state;
    err_t err = {{0}};
    problem_t p;
    const reduce_spec_t spec = {.n = 99991, .dtype = DTYPE_F32, .seed = 3, .gpu = true};
    assert_int_equal(reduce_open(&p, &spec, &err), 0);
    float *d_out = device_alloc(sizeof(float), "d_out", &err), first = 0, again;
    const step_t *s;
    for (size_t i = 0; (s = REDUCE.step(i)); ++i) {
        if (s->kind != STEP_GPU) continue;
        for (uint64_t run = 0; run < 5; ++run) {
            device_configure(false, run); /* simt: another order of blocks and warps */
            assert_int_equal(REDUCE.run(s, &p, NULL, d_out, &err), 0);
            if (device_sync(&err)) fail_msg("%s: %s", s->id, err.text);
            assert_int_equal(cudaMemcpy(&again, d_out, sizeof again, cudaMemcpyDeviceToHost), 0);
            if (run == 0) first = again;
            assert_memory_equal(&first, &again, sizeof first);
        }
    }
    device_configure(true, 0);
    device_free(d_out);
    reduce_close(&p);
}

int main(void)
{
    device_facts_t facts;
    err_t err;
    if (device_open(&facts, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fp32),           cmocka_unit_test(test_fp64),
        cmocka_unit_test(test_exact_fp32),     cmocka_unit_test(test_exact_fp64),
        cmocka_unit_test(test_misaligned_fp32), cmocka_unit_test(test_misaligned_fp64),
        cmocka_unit_test(test_large),          cmocka_unit_test(test_words_are_left_zero),
        cmocka_unit_test(test_deterministic),
    };
    return cmocka_run_group_tests_name("01_reduce", tests, NULL, NULL);
}
