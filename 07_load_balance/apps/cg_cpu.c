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

static int start(const cg_vectors_t *v, err_t *err)
{
    (void)err;
    if (v->type == DTYPE_F64) start_fp64(v);
    else start_fp32(v);
    return 0;
}

#define LOOP(name)                                               \
    static int name(const cg_vectors_t *v, size_t k, err_t *err) \
    {                                                            \
        (void)err;                                               \
        if (v->type == DTYPE_F64) name##_fp64(v, k);             \
        else name##_fp32(v, k);                                  \
        return 0;                                                \
    }
LOOP(dot)
LOOP(update)
LOOP(direction)

const cg_loops_t CG_CPU = {start, dot, update, direction};
