/*
 * cpu_pool.h - the threads of the CPU back end: the library's own, for OpenMP's end the program when no thread or no
 * memory for them can be had, and are gone in a child after fork.  Not installed.
 */
#ifndef SPMV_CPU_POOL_H
#define SPMV_CPU_POOL_H

#include <stdbool.h>

enum { POOL_PARTS = 512 }; /* of one job */

/* How many threads are meant by 0: as many as OpenMP has, in a program that has OpenMP; else OMP_NUM_THREADS, else the
 * processors this process may use. */
int cpu_pool_threads(void);

/* Calls work(context, part) for part = 0 .. parts - 1 (at most POOL_PARTS), each once, and returns when all are done.
 * The calling thread works too, so it succeeds whatever the system refuses; threads are made when they are first
 * wanted, and stay.  The same thread gets the same part, where it comes in time.  Several threads may call at once;
 * `work` may not.  Where threads sleep, the caller wakes some, who wake more; or all, for `large` parts, which take
 * longer than that. */
void cpu_pool_run(int parts, bool large, void (*work)(void *context, int part), void *context);

/* Asks again for threads that were refused before. */
void cpu_pool_retry(void);

#endif
