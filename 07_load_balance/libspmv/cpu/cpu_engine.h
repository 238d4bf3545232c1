/*
 * cpu_engine.h - the CPU back end: rows cut by nonzeros into parts for several threads.  Not installed.
 *
 * cpu_engine.c cuts the rows and runs the parts.  It uses cpu_pool.c for the threads, cpu_part.c, which chooses the
 * form of each block and stores it, and cpu_kernels_*.c, which multiply.
 */
#ifndef SPMV_CPU_ENGINE_H
#define SPMV_CPU_ENGINE_H

#include <stdbool.h>

#include "spmv.h"

typedef struct cpu_engine cpu_engine_t;

/* The functions of gpu_engine.h without a GPU: A's arrays are host memory that outlives the engine, and each call has
 * finished when it returns.  The only error is SPMV_NO_MEMORY. */
spmv_status_t cpu_engine_create(cpu_engine_t **engine, const spmv_csr_t *A, const spmv_options_t *options);
void cpu_engine_execute(const cpu_engine_t *engine, double alpha, const void *x, double beta, void *y);
/* Computes Y = alpha A X + beta Y for k > 0 columns.  Element (i, j) of X is x[i * ldx + j], or x[i + j * ldx] with
 * by_columns; Y likewise. */
void cpu_engine_execute_many(const cpu_engine_t *engine, int k, bool by_columns, double alpha, const void *x,
                             int64_t ldx, double beta, void *y, int64_t ldy);
/* An error is possible only with the option `values`; it leaves the engine with its old values. */
spmv_status_t cpu_engine_update(cpu_engine_t *engine, const void *values);
/* cpu_engine_run() calls work(context, part) for each of the cpu_engine_parts() parts, as cpu_pool_run() does. */
int cpu_engine_parts(const cpu_engine_t *engine);
void cpu_engine_run(const cpu_engine_t *engine, void (*work)(void *context, int part), void *context);
void cpu_engine_describe(const cpu_engine_t *engine, char *text, size_t size);
size_t cpu_engine_bytes(const cpu_engine_t *engine);
void cpu_engine_destroy(cpu_engine_t *engine);

#endif
