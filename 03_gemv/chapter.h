/*
 * 03_gemv - y = A x for a dense matrix A: the signature of all steps.
 */
#ifndef GEMV_CHAPTER_H
#define GEMV_CHAPTER_H

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>

#include "asked.h"
#include "dtype.h"

/* The layout of A: element (r, c) is A[r * cols + c], or A[c * rows + r].  No gaps. */
typedef enum gemv_layout { GEMV_ROW, GEMV_COL } gemv_layout_t;

/* Compulsory bytes of one run: every element of A and x read once, every y written once. */
static inline size_t gemv_bytes(size_t rows, size_t cols, dtype_t t)
{
    return (rows * cols + cols + rows) * dtype_size(t);
}

/* Elements a step may use in d_sums, for the parts of a row that several blocks share:
 * 64 parts for each row of up to 65536, more if there are few rows, fewer if there are more. */
static inline size_t gemv_sums_count(size_t rows)
{
    return 65536 + 64 * (rows < 65536 ? rows : 65536);
}

/* Words for blocks to signal each other. */
enum { GEMV_WORDS = 32768 };

#ifdef __cplusplus
extern "C" {
#endif

/* A GPU step: d_y[r] = sum over c of A(r, c) * d_x[c], fp32 or fp64, enqueued on stream.
 *   d_A        [rows * cols] in that layout, d_x [cols], d_y [rows]: aligned to their type and no more
 *   d_sums     [gemv_sums_count(rows)] scratch, holds anything
 *   d_words    [GEMV_WORDS] zero before the call, and zero again after it
 * A step made for one layout says cudaErrorNotSupported to the other.                            */
#define GEMV_ARGS                                                                                        \
    dtype_t dtype, gemv_layout_t layout, size_t rows, size_t cols, const void *d_A, const void *d_x, void *d_y, \
        void *d_sums, unsigned *d_words, cudaStream_t stream
typedef cudaError_t (*gemv_gpu_fn)(GEMV_ARGS);

/* A CPU step: the same, all arrays in host memory. */
#define GEMV_CPU_ARGS \
    dtype_t dtype, gemv_layout_t layout, size_t rows, size_t cols, const void *A, const void *x, void *y
typedef void (*gemv_cpu_fn)(GEMV_CPU_ARGS);

/* The step that v26 chooses for a problem, as text: "v16, the rows split between blocks".  NULL without v26. */
const char *gemv_v26_choice(dtype_t dtype, gemv_layout_t layout, size_t rows, size_t cols, const void *d_A,
                            const void *d_x, const void *d_y) __attribute__((weak));

/* The loop of c3, which c4 also calls: computes rows first..end-1 of y; a column-major A has `height` rows. */
void gemv_simd_rows(dtype_t dtype, gemv_layout_t layout, size_t first, size_t end, size_t height, size_t cols,
                    const void *A, const void *x, void *y);

/* False in a build without OpenBLAS. */
bool gemv_openblas_present(void);

/* Steps that others call. */
cudaError_t gemv_v2(GEMV_ARGS), gemv_v12(GEMV_ARGS), gemv_v16(GEMV_ARGS),
    gemv_v17(GEMV_ARGS), gemv_v20(GEMV_ARGS), gemv_v25(GEMV_ARGS);

#ifdef __cplusplus
}

/* Last line of a step file: the C function `name` calls the template `name_launch` with real types.
 * GEMV_STEP_FOR(GEMV_ROW, gemv_v1): a step for that layout only. */
#define GEMV_STEP_FOR(the_layout, name)                                                                           \
    extern "C" cudaError_t name(GEMV_ARGS)                                                                        \
    {                                                                                                             \
        if (layout != the_layout) return cudaErrorNotSupported;                                                   \
        if (rows == 0) return cudaSuccess;                                                                        \
        if (dtype == DTYPE_F64)                                                                                   \
            return name##_launch(rows, cols, (const double *)d_A, (const double *)d_x, (double *)d_y,             \
                                 (double *)d_sums, d_words, stream);                                              \
        return name##_launch(rows, cols, (const float *)d_A, (const float *)d_x, (float *)d_y, (float *)d_sums,   \
                             d_words, stream);                                                                    \
    }
#endif
#endif
