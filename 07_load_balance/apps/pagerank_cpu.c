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

static int start(const pagerank_vectors_t *v, err_t *err)
{
    (void)err;
    if (v->type == DTYPE_F64) start_fp64(v);
    else start_fp32(v);
    return 0;
}

static int step(const pagerank_vectors_t *v, size_t k, err_t *err)
{
    (void)err;
    if (v->type == DTYPE_F64) step_fp64(v, k);
    else step_fp32(v, k);
    return 0;
}

const pagerank_loops_t PAGERANK_CPU = {start, step};
