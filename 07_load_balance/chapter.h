/*
 * 07_load_balance - y = A x, no row may hold up the rest: the one signature all steps share.
 */
#ifndef LOAD_BALANCE_CHAPTER_H
#define LOAD_BALANCE_CHAPTER_H

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csr.h"

/* Compulsory bytes of one run: csr_spmv_bytes() of csr.h.  Matrix, x and y once. */

#ifdef __cplusplus
extern "C" {
#endif

/* A step: d_y[r] = sum of value * d_x[column] over row r, for every row, enqueued on stream.
 *   A     arrays in device memory, each aligned to its type and no more; columns in range; fp32 or fp64
 *   plan  what the step's plan made of A, NULL for a step without one.  Scratch memory of a run is part
 *         of the plan: two runs with one plan at the same time would share it
 *   d_x   [cols], d_y [rows], of A's value type  */
#define LOAD_BALANCE_ARGS const csr_arrays_t *A, void *plan, const void *d_x, void *d_y, cudaStream_t stream
typedef cudaError_t (*load_balance_fn)(LOAD_BALANCE_ARGS);

/* What a step wants to be done once for a matrix: a format, lists of rows, scratch memory. */
typedef struct load_balance_plan_ops {
    /* Done when it returns.  On an error nothing is left of it: no memory, and no error for the next call to find. */
    cudaError_t (*create)(const csr_arrays_t *A, void **plan, cudaStream_t stream);
    size_t (*bytes)(const void *plan); /* device memory it holds */
    void (*destroy)(void *plan);       /* takes NULL */
} load_balance_plan_ops_t;

cudaError_t load_balance_v1(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v2(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v3(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v4(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v5(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v6(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v7(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v8(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v9(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v10(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v11(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v12(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v13(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v14(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v15(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v16(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v17(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v18(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v19(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v20(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v21(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v22(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v23(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v24(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v25(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v26(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v27(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v28(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v29(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v30(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v31(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v32(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v33(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v34(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v35(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v36(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v37(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v38(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v39(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v40(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v41(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v42(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v43(LOAD_BALANCE_ARGS);
cudaError_t load_balance_v44(LOAD_BALANCE_ARGS);

extern const load_balance_plan_ops_t load_balance_v7_plan, load_balance_v8_plan,
    load_balance_v9_plan, load_balance_v10_plan, load_balance_v11_plan,
    load_balance_v12_plan, load_balance_v13_plan, load_balance_v14_plan,
    load_balance_v15_plan, load_balance_v16_plan,
    load_balance_v17_plan, load_balance_v18_plan, load_balance_v19_plan, load_balance_v20_plan,
    load_balance_v21_plan, load_balance_v22_plan, load_balance_v23_plan, load_balance_v24_plan,
    load_balance_v25_plan, load_balance_v26_plan, load_balance_v27_plan, load_balance_v28_plan,
    load_balance_v29_plan, load_balance_v30_plan, load_balance_v31_plan, load_balance_v32_plan,
    load_balance_v33_plan, load_balance_v34_plan, load_balance_v35_plan, load_balance_v36_plan,
    load_balance_v37_plan, load_balance_v38_plan, load_balance_v39_plan,
    load_balance_v40_plan, load_balance_v41_plan, load_balance_v42_plan, load_balance_v43_plan, load_balance_v44_plan;

/* v39's other ways to store: rows where they stand, all rows sorted, and the paper's (one lane a row, windows sorted). */
extern const load_balance_plan_ops_t load_balance_v39_natural_plan, load_balance_v39_sorted_plan,
    load_balance_v39_paper_plan;

#ifdef __cplusplus
}

/* Last line of a step file: the C function `name` calls the template `name_launch<T, O>` with the value
 * type T and the offset type O of A. */
#define LOAD_BALANCE_STEP(name)                                                                      \
    template <typename T>                                                                            \
    static cudaError_t name##_offsets(LOAD_BALANCE_ARGS)                                             \
    {                                                                                                \
        return A->offset_bits == 64 ? name##_launch<T, uint64_t>(A, plan, (const T *)d_x, (T *)d_y, stream)  \
                                    : name##_launch<T, uint32_t>(A, plan, (const T *)d_x, (T *)d_y, stream); \
    }                                                                                                \
    extern "C" cudaError_t name(LOAD_BALANCE_ARGS)                                                   \
    {                                                                                                \
        return A->value_type == DTYPE_F64 ? name##_offsets<double>(A, plan, d_x, d_y, stream)        \
                                          : name##_offsets<float>(A, plan, d_x, d_y, stream);        \
    }
#endif
#endif
