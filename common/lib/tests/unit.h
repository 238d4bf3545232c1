/* unit.h - cmocka and what it needs before it, and a test of it that takes nothing from its set-up. */
#ifndef COURSE_TESTS_UNIT_H
#define COURSE_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TEST(name) static void name(void **state __attribute__((unused)))

#endif
