/* cg_cpu.c - the loops of cg.h in host memory. */
#include "cg.h"
#include "sums.h"

#define T float
#define NAME(f) f##_fp32
#include "cg_cpu_type.h"
#undef T
#undef NAME
#define T double
#define NAME(f) f##_fp64
#include "cg_cpu_type.h"

SUM_LOOP(cg_vectors_t, start)
SUM_LOOP(cg_vectors_t, dot)
SUM_LOOP(cg_vectors_t, update)
SUM_LOOP(cg_vectors_t, direction)

const cg_loops_t CG_CPU = {start, dot, update, direction};
