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

static inline bool on_card(void) { return strcmp(device_backend(), "cuda") == 0; }

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

/* One run of a step without set-up. */
static inline int run_step(const step_t *s, const problem_t *p, void *out, err_t *err)
{
    return s->ops->run(s, p, NULL, out, err);
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
