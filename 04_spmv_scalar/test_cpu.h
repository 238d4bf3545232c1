/*
 * test_cpu.h - the tests of the CPU steps, for the list of a test program's main().  They need no GPU and nothing
 * of the harness, so that they run on any machine that compiles C.
 */
#ifndef SPMV_SCALAR_TEST_CPU_H
#define SPMV_SCALAR_TEST_CPU_H

void test_cpu_rounded(void **state);
void test_cpu_exact(void **state);
void test_cpu_misaligned(void **state);
void test_cpu_threads(void **state);
void test_cpu_row_counts(void **state);
void test_cpu_infinite_x(void **state);
void test_cpu_widest(void **state);
void test_cpu_cuts(void **state);
void test_cpu_parts(void **state);
void test_cpu_matrix_of_runs(void **state);
void test_cpu_mutants(void **state);

#define CPU_TESTS                                                                                            \
    cmocka_unit_test(test_cpu_rounded), cmocka_unit_test(test_cpu_exact), cmocka_unit_test(test_cpu_misaligned), \
    cmocka_unit_test(test_cpu_threads), cmocka_unit_test(test_cpu_row_counts),                               \
    cmocka_unit_test(test_cpu_infinite_x), cmocka_unit_test(test_cpu_widest), cmocka_unit_test(test_cpu_cuts), \
    cmocka_unit_test(test_cpu_parts), cmocka_unit_test(test_cpu_matrix_of_runs),                            \
    cmocka_unit_test(test_cpu_mutants)

#endif
