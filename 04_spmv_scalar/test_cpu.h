/*
 * test_cpu.h - the tests of the CPU steps.  They need no GPU and nothing of the harness, so that they run on any
 * machine that compiles C.
 */
#ifndef SPMV_SCALAR_TEST_CPU_H
#define SPMV_SCALAR_TEST_CPU_H

/* Runs them, and returns how many failed. */
int test_cpu(void);

#endif
