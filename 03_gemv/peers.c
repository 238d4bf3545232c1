/* peers.c - the library baseline on a GPU: cuBLAS, as rows of the harness. */
#include "gemv.h"

#include <cublas_v2.h>
#include <stdlib.h>

static int cublas_ok(cublasStatus_t status, const char *what, err_t *err)
{
    return status == CUBLAS_STATUS_SUCCESS ? 0 : err_set(err, "%s: %s", what, cublasGetStatusString(status));
}

int gemv_cublas_setup(void **state, err_t *err)
{
    cublasHandle_t handle;
    if (cublas_ok(cublasCreate(&handle), "cublasCreate", err)) return -1;
    *state = handle;
    return 0;
}

void gemv_cublas_teardown(void *state) { cublasDestroy((cublasHandle_t)state); }

/* cuBLAS supports column-major matrices only; a row-major A is its transpose in column-major order.  The memory
 * holds `lines` contiguous columns or rows of `length` elements. */
#define CALL(T, gemv, gemm)                                                                                        \
    do {                                                                                                           \
        const T one = 1, zero = 0, *A = data->d_A, *x = data->d_x;                                                 \
        T *y = d_y;                                                                                                \
        if (form == CUBLAS_GEMV) /* y = op(A) x */                                                                 \
            return cublas_ok(gemv(handle, by_rows ? CUBLAS_OP_T : CUBLAS_OP_N, length, lines, &one, A, length, x,  \
                                  1, &zero, y, 1), #gemv, err);                                                    \
        if (form == CUBLAS_GEMM_COLUMN) /* a matrix y of one column = op(A) times a matrix x of one column */      \
            return cublas_ok(gemm(handle, by_rows ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, rows, 1, cols, &one,   \
                                  A, length, x, cols, &zero, y, rows), #gemm, err);                                \
        /* a matrix y of one row = a matrix x of one row times the transpose of op(A) */                           \
        return cublas_ok(gemm(handle, CUBLAS_OP_N, by_rows ? CUBLAS_OP_N : CUBLAS_OP_T, 1, rows, cols, &one, x, 1, \
                              A, length, &zero, y, 1), #gemm, err);                                                \
    } while (0)

int gemv_cublas_run(gemv_cublas_form_t form, void *state, dtype_t dtype, const gemv_data_t *data, void *d_y, err_t *err)
{
    const cublasHandle_t handle = state;
    const bool by_rows = data->layout == GEMV_ROW;
    const int rows = (int)data->rows, cols = (int)data->cols;
    const int length = by_rows ? cols : rows, lines = by_rows ? rows : cols;
    if (dtype == DTYPE_F64) CALL(double, cublasDgemv, cublasDgemm);
    else CALL(float, cublasSgemv, cublasSgemm);
}
