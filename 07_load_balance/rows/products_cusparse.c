/*
 * products_cusparse.c - the calls of cuSPARSE: cusparseSpMM for several right-hand sides, cusparseSpMV of the
 * transpose.  Set-up (setup_ms): handle, descriptors, the buffer, and for ALG2 cusparseSpMM_preprocess.
 */
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <stdlib.h>

#include "lib_products.h"

typedef struct state {
    cusparseHandle_t handle;
    cusparseSpMatDescr_t matrix;
    cusparseDnMatDescr_t X, Y; /* SpMM */
    cusparseDnVecDescr_t x, y; /* the transpose */
    cusparseSpMMAlg_t alg;
    cudaDataType type;
    void *buffer, *d_y;        /* d_y: any Y, for the set-up */
} state_t;

static int sparse_ok(cusparseStatus_t status, const char *what, err_t *err)
{
    return status == CUSPARSE_STATUS_SUCCESS ? 0 : err_set(err, "%s: %s", what, cusparseGetErrorString(status));
}

static const double ONE_D = 1, ZERO_D = 0;
static const float ONE_F = 1, ZERO_F = 0;
static const void *one(const state_t *s) { return s->type == CUDA_R_64F ? (const void *)&ONE_D : (const void *)&ONE_F; }
static const void *zero(const state_t *s)
{
    return s->type == CUDA_R_64F ? (const void *)&ZERO_D : (const void *)&ZERO_F;
}

static int setup_many(state_t *s, const products_data_t *d, err_t *err)
{
    const cusparseOrder_t order = d->by_columns ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW;
    const int64_t in = (int64_t)d->in, out = (int64_t)d->out;
    size_t bytes = 0;
    if (sparse_ok(cusparseCreateDnMat(&s->X, in, d->k, d->by_columns ? in : d->k, d->d_x, s->type, order),
                  "cusparseCreateDnMat", err) ||
        sparse_ok(cusparseCreateDnMat(&s->Y, out, d->k, d->by_columns ? out : d->k, s->d_y, s->type, order),
                  "cusparseCreateDnMat", err) ||
        sparse_ok(cusparseSpMM_bufferSize(s->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                          one(s), s->matrix, s->X, zero(s), s->Y, s->type, s->alg, &bytes),
                  "cusparseSpMM_bufferSize", err))
        return -1;
    if (!(s->buffer = device_alloc(bytes + 1, "buffer (cuSPARSE)", err))) return -1;
    if (s->alg != CUSPARSE_SPMM_CSR_ALG2) return 0;
    return sparse_ok(cusparseSpMM_preprocess(s->handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                             CUSPARSE_OPERATION_NON_TRANSPOSE, one(s), s->matrix, s->X, zero(s), s->Y,
                                             s->type, s->alg, s->buffer),
                     "cusparseSpMM_preprocess", err);
}

static int setup_transpose(state_t *s, const products_data_t *d, err_t *err)
{
    size_t bytes = 0;
    if (sparse_ok(cusparseCreateDnVec(&s->x, (int64_t)d->in, d->d_x, s->type), "cusparseCreateDnVec", err) ||
        sparse_ok(cusparseCreateDnVec(&s->y, (int64_t)d->out, s->d_y, s->type), "cusparseCreateDnVec", err) ||
        sparse_ok(cusparseSpMV_bufferSize(s->handle, CUSPARSE_OPERATION_TRANSPOSE, one(s), s->matrix, s->x, zero(s),
                                          s->y, s->type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes),
                  "cusparseSpMV_bufferSize", err))
        return -1;
    s->buffer = device_alloc(bytes + 1, "buffer (cuSPARSE)", err);
    return s->buffer ? 0 : -1;
}

int products_cusparse_setup(const products_data_t *d, int alg, void **state, err_t *err)
{
    const csr_arrays_t *A = &d->of->device;
    state_t *s = calloc(1, sizeof *s);
    if (!s) return err_set(err, "out of memory");
    *state = s;
    s->type = A->value_type == DTYPE_F64 ? CUDA_R_64F : CUDA_R_32F;
    s->alg = alg == 2 ? CUSPARSE_SPMM_CSR_ALG2 : CUSPARSE_SPMM_ALG_DEFAULT;
    s->d_y = device_alloc(d->out * (size_t)d->k * dtype_size(A->value_type) + 1, "Y (cuSPARSE)", err);
    if (!s->d_y || sparse_ok(cusparseCreate(&s->handle), "cusparseCreate", err)) return -1;
    if (sparse_ok(cusparseCreateCsr(&s->matrix, (int64_t)A->rows, (int64_t)A->cols, (int64_t)A->nnz, A->row_offsets,
                                    A->col_indices, A->values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                    CUSPARSE_INDEX_BASE_ZERO, s->type),
                  "cusparseCreateCsr", err))
        return -1;
    return d->transpose ? setup_transpose(s, d, err) : setup_many(s, d, err);
}

int products_cusparse_run(void *state, void *d_y, err_t *err)
{
    state_t *s = state;
    if (s->y) {
        if (sparse_ok(cusparseDnVecSetValues(s->y, d_y), "cusparseDnVecSetValues", err)) return -1;
        return sparse_ok(cusparseSpMV(s->handle, CUSPARSE_OPERATION_TRANSPOSE, one(s), s->matrix, s->x, zero(s), s->y,
                                      s->type, CUSPARSE_SPMV_ALG_DEFAULT, s->buffer),
                         "cusparseSpMV", err);
    }
    if (sparse_ok(cusparseDnMatSetValues(s->Y, d_y), "cusparseDnMatSetValues", err)) return -1;
    return sparse_ok(cusparseSpMM(s->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, one(s),
                                  s->matrix, s->X, zero(s), s->Y, s->type, s->alg, s->buffer),
                     "cusparseSpMM", err);
}

void products_cusparse_teardown(void *state)
{
    state_t *s = state;
    if (!s) return;
    if (s->X) cusparseDestroyDnMat(s->X);
    if (s->Y) cusparseDestroyDnMat(s->Y);
    if (s->x) cusparseDestroyDnVec(s->x);
    if (s->y) cusparseDestroyDnVec(s->y);
    if (s->matrix) cusparseDestroySpMat(s->matrix);
    if (s->handle) cusparseDestroy(s->handle);
    device_free(s->buffer);
    device_free(s->d_y);
    free(s);
}
