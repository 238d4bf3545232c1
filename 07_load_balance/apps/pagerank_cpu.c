/* pagerank_cpu.c - the loops of pagerank.h in host memory. */
#include <math.h>

#include "pagerank.h"
#include "sums.h"

#define T float
#define NAME(f) f##_fp32
#include "pagerank_cpu_type.h"
#undef T
#undef NAME
#define T double
#define NAME(f) f##_fp64
#include "pagerank_cpu_type.h"

SUM_LOOP(pagerank_vectors_t, start)
SUM_LOOP(pagerank_vectors_t, step)

const pagerank_loops_t PAGERANK_CPU = {start, step};
