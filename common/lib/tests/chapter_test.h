/*
 * chapter_test.h - what the tests of every chapter share: cmocka and what it needs before it, where they run, a step
 * by its name, main().
 */
#ifndef COURSE_TESTS_CHAPTER_TEST_H
#define COURSE_TESTS_CHAPTER_TEST_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "harness.h"

static inline bool on_gpu(void) { return strcmp(device_backend(), "cuda") == 0; }

static inline const step_t *step_named(const chapter_t *c, const char *id)
{
    const step_t *s = chapter_step(c, id);
    if (!s) fail_msg("no step is called %s", id);
    return s;
}

/* Why a step cannot take a problem, or NULL; in parentheses, because cmocka defines a macro skip(). */
static inline const char *refusal(const step_t *s, const problem_t *p)
{
    return s->ops->skip ? (s->ops->skip)(s, p) : NULL;
}

/* A step a test leaves out; NULL leaves out none. */
typedef bool (*step_filter_fn)(const step_t *);

/* Checks the steps of a chapter that can run here, as the harness does.  A failure names the step and the problem;
 * `about` adds what the problem's name does not say. */
static inline void check_steps(const chapter_t *c, const problem_t *p, step_filter_fn leave_out, const char *about)
{
    const step_t *s;
    for (size_t i = 0; (s = c->step(i)); ++i) {
        err_t err = {{0}};
        double err_over_tol = -1;
        if (s->kind == STEP_GPU_PEER && !on_gpu()) continue;
        if (strcmp(s->id, "librsb_tuned") == 0) continue; /* tuning takes its time; librsb is the same code */
        if ((leave_out && leave_out(s)) || refusal(s, p)) continue;
        if (harness_check(s, p, &err_over_tol, &err))
            fail_msg("%s on %s %s%s: %s", s->id, p->name, dtype_name(p->dtype), about, err.text);
        assert_true(err_over_tol >= 0 && err_over_tol <= 1);
    }
}

/* One run of a step outside the harness, set-up and teardown around it; d_out on the GPU. */
static inline void run_once(const step_t *s, const problem_t *p, void *d_out)
{
    err_t err = {{0}};
    void *kept = NULL;
    if ((s->ops->setup && s->ops->setup(s, p, &kept, &err)) || s->ops->run(s, p, kept, d_out, &err) ||
        device_sync(&err))
        fail_msg("%s: %s", s->id, err.text);
    if (s->ops->teardown && kept) s->ops->teardown(s, p, kept);
}

/* The counts of such a run. */
static inline report_row_t counts_of_run(const chapter_t *c, const char *id, const problem_t *p)
{
    err_t err = {{0}};
    report_row_t row = {0};
    void *d_out = device_alloc(p->out_bytes, "d_out", &err);
    device_count_begin();
    run_once(step_named(c, id), p, d_out);
    device_count_end(&row);
    device_free(d_out);
    return row;
}

/* Several runs, each with another order of blocks and warps on the simulator, give the same bits. */
static inline void check_same_bits(const step_t *s, const problem_t *p, uint64_t runs)
{
    err_t err = {{0}};
    void *d_out = device_alloc(p->out_bytes, "d_out", &err), *first = calloc(p->out_bytes + 1, 1);
    void *again = calloc(p->out_bytes + 1, 1);
    for (uint64_t run = 0; run < runs; ++run) {
        device_configure(false, run);
        run_once(s, p, d_out);
        assert_int_equal(cudaMemcpy(run ? again : first, d_out, p->out_bytes, cudaMemcpyDeviceToHost), 0);
        if (run && memcmp(first, again, p->out_bytes))
            fail_msg("%s %s: run %d gave other bits", s->id, p->name, (int)run);
    }
    device_configure(true, 0);
    device_free(d_out);
    free(first), free(again);
}

/* main() of such a test: opens the device, runs the tests; setup is cmocka's, before the first test; others: number of
 * failed tests of another file, added to the exit status. */
#define CHAPTER_TEST_MAIN(name, setup) CHAPTER_TESTS_MAIN(name, setup, 0)
#define CHAPTER_TESTS_MAIN(name, setup, others)                                  \
    int main(void)                                                               \
    {                                                                            \
        device_facts_t facts;                                                    \
        err_t err;                                                               \
        if (device_open(&facts, &err)) {                                         \
            fprintf(stderr, "%s\n", err.text);                                   \
            return 1;                                                            \
        }                                                                        \
        return cmocka_run_group_tests_name(name, tests, setup, NULL) + (others); \
    }

#endif
