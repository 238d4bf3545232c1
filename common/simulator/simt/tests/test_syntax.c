/* test_syntax.c - CUDA's syntax in all the shapes of syntax.cu, and the runtime's host side (host_side.cu). */
#include "tests/unit.h"
#include "simt/tests/kernels.h"
#include "simt/simt.h"

static void case_is_right(void **state)
{
    const struct syntax_case *c = *state;
    simt_fault_clear();
    const int wrong = c->run();
    if (simt_fault()) fail_msg("%s: %s", c->name, simt_fault());
    if (wrong) fail_msg("%s: %d values are wrong", c->name, wrong);
}

int test_syntax(void)
{
    struct CMUnitTest cases[64] = {{0}};
    for (int i = 0; i < N_SYNTAX; ++i)
        cases[i] = (struct CMUnitTest){SYNTAX[i].name, case_is_right, NULL, NULL, (void *)&SYNTAX[i]};
    return _cmocka_run_group_tests("syntax", cases, (size_t)N_SYNTAX, NULL, NULL);
}

int test_host_side(void)
{
    struct CMUnitTest cases[64] = {{0}};
    for (int i = 0; i < N_HOST_SIDE; ++i)
        cases[i] = (struct CMUnitTest){HOST_SIDE[i].name, case_is_right, NULL, NULL, (void *)&HOST_SIDE[i]};
    return _cmocka_run_group_tests("host side", cases, (size_t)N_HOST_SIDE, NULL, NULL);
}
