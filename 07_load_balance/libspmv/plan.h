/* plan.h - what a plan holds, for plan.c, plan_storage.c and plan_reorder.c.  Not installed. */
#ifndef SPMV_PLAN_H
#define SPMV_PLAN_H

#include "check.h"
#include "cpu_engine.h"
#include "gpu_engine.h"

/* calloc() makes an empty plan, which spmv_destroy() frees after any error. */
struct spmv_plan {
    spmv_backend_t backend;
    cpu_engine_t *cpu;
    gpu_engine_t *gpu;
    /* plan_storage.c */
    spmv_csr_t A;         /* the matrix that the engine multiplies: the caller's arrays, or the plan's arrays below */
    spmv_memory_t source; /* where the caller's arrays are */
    int64_t source_nnz;   /* the number of the caller's values */
    bool copied;
    void *row_offsets, *col_indices, *values; /* the arrays of the plan; NULL where A has the caller's */
    size_t copy_bytes;
    /* Whether the matrix was converted: then value k of A is the caller's value origin[k]. */
    bool anew;
    void *origin;         /* [A.nnz] integers of A.offset_bits bits, where the caller's arrays are; or NULL */
    void *staging;        /* buffer for values copied from the host to the GPU; or NULL */
    char told[80];        /* the form it was converted from, for spmv_describe() */
    /* plan_reorder.c: for a reordered matrix (order.h), which is always converted; in the back end's memory. */
    bool reordered;
    void *rows, *places;  /* [n] int32_t */
    void *own_x, *own_y;  /* [n] x and y in that order */
    char order_told[200]; /* a line about the order, for spmv_describe() */
};

#endif
