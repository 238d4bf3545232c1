/*
 * cpu_pool.h - the threads of the CPU back end.  They are the library's own, because OpenMP ends the program if a
 * thread or its memory is refused, and its threads do not exist in a child after fork.  Not installed.
 */
#ifndef SPMV_CPU_POOL_H
#define SPMV_CPU_POOL_H

#include <stdbool.h>

enum { POOL_PARTS = 512 }; /* the most parts of one job */

/* Returns the number of threads that 0 means: OpenMP's number in a program with OpenMP; otherwise OMP_NUM_THREADS;
 * otherwise the number of processors that this process may use. */
int cpu_pool_threads(void);

/* Calls work(context, part) for part = 0 .. parts - 1 (at most POOL_PARTS), each once, and returns when all are done.
 * The calling thread works too, so the call succeeds even if the system refuses threads.  Threads are started when they
 * are first needed, and stay.  A thread gets the same part each time, unless it comes too late.  Several threads may
 * call this at once; `work` may not call it.  If threads sleep, the caller wakes some of them, which wake more; for
 * `large` parts, which take longer than that, it wakes all. */
void cpu_pool_run(int parts, bool large, void (*work)(void *context, int part), void *context);

/* Allows the pool to start threads again that the system refused before. */
void cpu_pool_retry(void);

#endif
