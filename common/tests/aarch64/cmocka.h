/*
 * cmocka.h - as much of cmocka as the course's tests use, for the cross build: cmocka itself is not there for
 * AArch64 on an x86 machine.  Same names, same output; a test that fails is left by longjmp.
 */
#ifndef COURSE_TESTS_SMALL_CMOCKA_H
#define COURSE_TESTS_SMALL_CMOCKA_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state), (*teardown)(void **state);
};

#define cmocka_unit_test(f) {#f, f, NULL, NULL}
#define cmocka_unit_test_setup_teardown(f, setup, teardown) {#f, f, setup, teardown}

__attribute__((weak)) jmp_buf small_cmocka_next; /* one for all files of a program */

#define fail_msg(...)                                            \
    do {                                                         \
        printf("%s:%d: ", __FILE__, __LINE__);                   \
        printf(__VA_ARGS__);                                     \
        printf("\n");                                            \
        longjmp(small_cmocka_next, 1);                           \
    } while (0)

#define assert_true(x)                                           \
    do {                                                         \
        if (!(x)) fail_msg("not true: %s", #x);                  \
    } while (0)
#define assert_false(x) assert_true(!(x))
#define assert_non_null(p) assert_true((p) != NULL)
#define assert_null(p) assert_true((p) == NULL)
#define assert_memory_equal(a, b, n) assert_true(memcmp(a, b, n) == 0)
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_int_equal(a, b)                                                              \
    do {                                                                                    \
        const intmax_t left = (intmax_t)(a), right = (intmax_t)(b);                         \
        if (left != right) fail_msg("%s is %jd, not %jd", #a, left, right);                 \
    } while (0)

static inline int small_cmocka_run(const struct CMUnitTest *tests, size_t count, int (*setup)(void **),
                                   int (*teardown)(void **))
{
    static void *state; /* static: longjmp must not lose it */
    static size_t i, failed;
    if (setup && setup(&state)) return 1;
    for (i = failed = 0; i < count; ++i) {
        if (setjmp(small_cmocka_next)) {
            ++failed;
            printf("[  FAILED  ] %s\n", tests[i].name);
        } else {
            if (tests[i].setup && tests[i].setup(&state)) fail_msg("set-up");
            tests[i].test(&state);
            if (tests[i].teardown && tests[i].teardown(&state)) fail_msg("teardown");
        }
        fflush(stdout);
    }
    if (teardown) teardown(&state);
    printf("[  PASSED  ] %zu test(s).\n", count - failed);
    if (failed) printf("[  FAILED  ] %zu test(s).\n", failed);
    return (int)failed;
}

#define cmocka_run_group_tests(tests, setup, teardown) \
    small_cmocka_run(tests, sizeof(tests) / sizeof *(tests), setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown) cmocka_run_group_tests(tests, setup, teardown)

#endif
