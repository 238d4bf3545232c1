/* unit.h - cmocka and what it needs before it; the tests of a file, which list themselves. */
#ifndef COURSE_TESTS_UNIT_H
#define COURSE_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Those of this file in the order in which they are written.  cmocka passes over the empty places behind them. */
static struct CMUnitTest tests[64];

static inline void list_test(struct CMUnitTest test)
{
    size_t n = 0;
    while (tests[n].name)
        if (++n == sizeof tests / sizeof *tests) abort();
    tests[n] = test;
}

/* The head of a set-up or a tear-down. */
#define FIXTURE(name) static int name(void **state __attribute__((unused)))

/* The head of a test for a list of one's own. */
#define UNLISTED_TEST(name) static void name(void **state __attribute__((unused)))

/* The head of a test, and of one with a set-up and a tear-down: TEST(name) { assert_true(1); } */
#define TEST(name) TEST_IN(name, NULL, NULL)
#define TEST_IN(name, set_up, tear_down)                                                         \
    UNLISTED_TEST(name);                                                                         \
    __attribute__((constructor(101 + __LINE__))) static void list_##name(void)                   \
    {                                                                                            \
        list_test((struct CMUnitTest)cmocka_unit_test_setup_teardown(name, set_up, tear_down));  \
    }                                                                                            \
    UNLISTED_TEST(name)

#endif
