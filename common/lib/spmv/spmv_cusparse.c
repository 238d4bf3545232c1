/*
 * spmv_cusparse.c - the library baseline on a GPU: cusparseSpMV, with every matrix format that it supports.
 *
 * Set-up (setup_ms) creates the handle, the descriptors and the buffer, builds COO, SELL and BSR on the host and copies
 * them, and calls cusparseSpMV_preprocess if the form has `preprocess`.  A run is one cusparseSpMV; with SpMVOp, which
 * keeps a plan, one cusparseSpMVOp.
 */
#include "spmv_peers_impl.h"

#define CUSPARSE_ENABLE_EXPERIMENTAL_API // SpMVOp
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats.h"

enum { SLICE = 32, BSR_BLOCK = 2, ARRAYS = 6 };

/* Features that older versions lack: SELL and BSR need 12.1 (CUDA 12.1.1), preprocess needs 12.3 (CUDA 12.4), and
 * SpMVOp as called here needs 12.9 (CUDA 13.4). */
const char *cusparse_lacks(const cusparse_form_t *form)
{
    if (CUSPARSE_VERSION < 12100 && (form->format == CUSPARSE_SELL || form->format == CUSPARSE_BSR))
        return "needs cuSPARSE 12.1, of CUDA 12.1.1";
    if (CUSPARSE_VERSION < 12300 && form->format == CUSPARSE_CSR && form->preprocess)
        return "needs cuSPARSE 12.3, of CUDA 12.4";
    if (CUSPARSE_VERSION < 12900 && form->format == CUSPARSE_OP) return "needs cuSPARSE 12.9, of CUDA 13.4";
    return NULL;
}
#if CUSPARSE_VERSION < 12900
typedef struct nothing *cusparseSpMVOpDescr_t, *cusparseSpMVOpPlan_t;
typedef int cusparseSpMVOpAlg_t;
enum { CUSPARSE_SPMVOP_ALG1, CUSPARSE_SPMVOP_ALG2 };
#define cusparseSpMVOp_bufferSize(...) not_there(__VA_ARGS__)
#define cusparseSpMVOp_createDescr(...) not_there(__VA_ARGS__)
#define cusparseSpMVOp_createPlan(...) not_there(__VA_ARGS__)
#define cusparseSpMVOp_destroyDescr(descr) ((void)(descr))
#define cusparseSpMVOp_destroyPlan(plan) ((void)(plan))
#define cusparseSpMVOp(...) not_there(__VA_ARGS__)
static inline cusparseStatus_t not_there(const void *first, ...)
{
    (void)first;
    return CUSPARSE_STATUS_NOT_SUPPORTED;
}
#endif
#if CUSPARSE_VERSION < 12300
#define cusparseSpMV_preprocess(...) not_there(__VA_ARGS__)
#endif
#if CUSPARSE_VERSION < 12100
#define cusparseCreateSlicedEll(...) not_there(__VA_ARGS__)
#define cusparseCreateBsr(...) not_there(__VA_ARGS__)
#define CUSPARSE_SPMV_SELL_ALG1 CUSPARSE_SPMV_ALG_DEFAULT
#endif

const char *spmv_cusparse_version(void)
{
    static char text[40];
    int part[3] = {0};
    cusparseGetProperty(MAJOR_VERSION, &part[0]);
    cusparseGetProperty(MINOR_VERSION, &part[1]);
    cusparseGetProperty(PATCH_LEVEL, &part[2]);
    snprintf(text, sizeof text, "%d.%d.%d", part[0], part[1], part[2]);
    return text;
}

typedef struct state {
    cusparseHandle_t handle;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t x, y;
    cudaDataType type;
    cusparseSpMVAlg_t alg;
    cusparseSpMVOpAlg_t op_alg; /* the algorithm and the plan of SpMVOp */
    cusparseSpMVOpDescr_t op;
    cusparseSpMVOpPlan_t plan;
    void *arrays[ARRAYS]; /* device memory that is freed with the state: the format, padded vectors, the buffer */
    int used;
    void *buffer;
    void *padded_y;       /* BSR whose last block row reaches past y: gets the product, which is then copied */
    size_t y_bytes;
} state_t;

static int sparse_ok(cusparseStatus_t status, const char *what, err_t *err)
{
    if (status == CUSPARSE_STATUS_SUCCESS) return 0;
    return err_set(err, "%s: %s", what, cusparseGetErrorString(status));
}

/* Allocates device memory that is freed with the state; NULL and *err. */
static void *take(state_t *s, const void *host, size_t bytes, const char *name, err_t *err)
{
    void *d = host ? device_upload(host, bytes, name, err) : device_alloc(bytes, name, err);
    if (d) s->arrays[s->used++] = d;
    return d;
}

/* Copies the values of a format to the GPU, rounded to the problem's type. */
static void *upload_values(state_t *s, const double *values, size_t count, dtype_t type, err_t *err)
{
    void *host = malloc(count * dtype_size(type) + 1), *d = NULL;
    if (!host) return err_null(err, "out of memory for %zu values", count);
    dtype_from_double(type, host, values, count);
    d = take(s, host, count * dtype_size(type), "values (format)", err);
    free(host);
    return d;
}

/* Converts 64-bit offsets to 32 bits, as required with 32-bit columns. */
static void *upload_offsets(state_t *s, const int64_t *offsets, size_t count, err_t *err)
{
    if (offsets[count - 1] > INT32_MAX)
        return err_null(err, "%lld entries do not fit 32-bit offsets", (long long)offsets[count - 1]);
    int32_t *host = malloc(count * sizeof *host);
    void *d = NULL;
    if (!host) return err_null(err, "out of memory for %zu offsets", count);
    for (size_t i = 0; i < count; ++i) host[i] = (int32_t)offsets[i];
    d = take(s, host, count * sizeof *host, "offsets (format)", err);
    free(host);
    return d;
}

/* ---- the matrix in each format ------------------------------------------------------------------- */

static int make_csr(state_t *s, const spmv_data_t *data, err_t *err)
{
    const csr_arrays_t *A = &data->device;
    return sparse_ok(cusparseCreateCsr(&s->matrix, (int64_t)A->rows, (int64_t)A->cols, (int64_t)A->nnz, A->row_offsets,
                                       A->col_indices, A->values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                       CUSPARSE_INDEX_BASE_ZERO, s->type),
                     "cusparseCreateCsr", err);
}

/* Makes COO: columns and values are the arrays of CSR. */
static int make_coo(state_t *s, const spmv_data_t *data, err_t *err)
{
    const csr_arrays_t *A = &data->device;
    coo_t *M = coo_from_csr(&data->A, SIZE_MAX, err);
    if (!M) return -1;
    void *rows = take(s, M->row_indices, M->nnz * sizeof *M->row_indices, "row_indices", err);
    coo_free(M);
    if (!rows) return -1;
    return sparse_ok(cusparseCreateCoo(&s->matrix, (int64_t)A->rows, (int64_t)A->cols, (int64_t)A->nnz, rows,
                                       A->col_indices, A->values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                       s->type),
                     "cusparseCreateCoo", err);
}

static int make_sell(state_t *s, const spmv_data_t *data, err_t *err)
{
    sell_t *M = sell_from_csr(&data->A, SLICE, 1, SIZE_MAX, err);
    if (!M) return -1;
    void *offsets = upload_offsets(s, M->slice_offsets, M->slices + 1, err);
    void *cols = offsets ? take(s, M->col_indices, M->slots * sizeof *M->col_indices, "col_indices (SELL)", err) : NULL;
    void *values = cols ? upload_values(s, M->values, M->slots, data->host.value_type, err) : NULL;
    const int64_t slots = (int64_t)M->slots;
    sell_free(M);
    if (!values) return -1;
    return sparse_ok(cusparseCreateSlicedEll(&s->matrix, (int64_t)data->A.rows, (int64_t)data->A.cols,
                                             (int64_t)data->A.nnz, slots, SLICE, offsets, cols, values,
                                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, s->type),
                     "cusparseCreateSlicedEll", err);
}

static int make_bsr(state_t *s, const spmv_data_t *data, err_t *err)
{
    bsr_t *M = bsr_from_csr(&data->A, BSR_BLOCK, true, SIZE_MAX, err);
    if (!M) return -1;
    void *offsets = upload_offsets(s, M->row_offsets, M->block_rows + 1, err);
    void *cols = offsets ? take(s, M->col_indices, M->blocks * sizeof *M->col_indices, "col_indices (BSR)", err) : NULL;
    const size_t count = M->blocks * BSR_BLOCK * BSR_BLOCK;
    void *values = cols ? upload_values(s, M->values, count, data->host.value_type, err) : NULL;
    const int64_t block_rows = (int64_t)M->block_rows, block_cols = (int64_t)M->block_cols;
    const int64_t blocks = (int64_t)M->blocks;
    bsr_free(M);
    if (!values) return -1;
    return sparse_ok(cusparseCreateBsr(&s->matrix, block_rows, block_cols, blocks, BSR_BLOCK, BSR_BLOCK, offsets, cols,
                                       values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                       s->type, CUSPARSE_ORDER_ROW),
                     "cusparseCreateBsr", err);
}

static int make_matrix(state_t *s, const cusparse_form_t *form, const spmv_data_t *data, err_t *err)
{
    switch (form->format) {
    case CUSPARSE_COO:
        s->alg = form->alg == 2 ? CUSPARSE_SPMV_COO_ALG2 : CUSPARSE_SPMV_COO_ALG1;
        return make_coo(s, data, err);
    case CUSPARSE_SELL:
        s->alg = CUSPARSE_SPMV_SELL_ALG1;
        return make_sell(s, data, err);
    case CUSPARSE_BSR:
#if CUSPARSE_VERSION >= 12603
        s->alg = CUSPARSE_SPMV_BSR_ALG1;
#else
        s->alg = CUSPARSE_SPMV_ALG_DEFAULT;
#endif
        return make_bsr(s, data, err);
    case CUSPARSE_OP:
        s->op_alg = form->alg == 2 ? CUSPARSE_SPMVOP_ALG2 : CUSPARSE_SPMVOP_ALG1;
        return make_csr(s, data, err);
    default:
        s->alg = form->alg == 0   ? CUSPARSE_SPMV_ALG_DEFAULT
                 : form->alg == 1 ? CUSPARSE_SPMV_CSR_ALG1
                                  : CUSPARSE_SPMV_CSR_ALG2;
        return make_csr(s, data, err);
    }
}

/* ---- set-up, run, teardown ---------------------------------------------------------------------- */

/* Creates the vector descriptors.  BSR multiplies whole blocks: if the last block reaches past the matrix, x is
 * copied to a padded array, and the product is stored in another one. */
static int make_vectors(state_t *s, const cusparse_form_t *form, const spmv_data_t *data, err_t *err)
{
    const size_t size = dtype_size(data->host.value_type), block = form->format == CUSPARSE_BSR ? BSR_BLOCK : 1;
    const size_t rows = (data->A.rows + block - 1) / block * block, cols = (data->A.cols + block - 1) / block * block;
    void *x = data->d_x, *y = take(s, NULL, rows * size, "y (cuSPARSE)", err);
    if (!y) return -1;
    s->y_bytes = data->A.rows * size;
    if (rows != data->A.rows) s->padded_y = y;
    if (cols != data->A.cols) {
        x = take(s, NULL, cols * size, "x (padded)", err);
        if (!x || device_ok(cudaMemset(x, 0, cols * size), "cudaMemset", err)) return -1;
        if (device_ok(cudaMemcpy(x, data->d_x, data->A.cols * size, cudaMemcpyDeviceToDevice), "copy of x", err))
            return -1;
    }
    if (sparse_ok(cusparseCreateDnVec(&s->x, (int64_t)cols, x, s->type), "cusparseCreateDnVec", err)) return -1;
    return sparse_ok(cusparseCreateDnVec(&s->y, (int64_t)rows, y, s->type), "cusparseCreateDnVec", err);
}

static const double ONE_D = 1, ZERO_D = 0;
static const float ONE_F = 1, ZERO_F = 0;
static const void *one(const state_t *s)
{
    return s->type == CUDA_R_64F ? (const void *)&ONE_D : (const void *)&ONE_F;
}
static const void *zero(const state_t *s)
{
    return s->type == CUDA_R_64F ? (const void *)&ZERO_D : (const void *)&ZERO_F;
}

/* Creates buffer, descriptor and plan of SpMVOp, without a user-defined epilogue. */
static int prepare_op(state_t *s, err_t *err)
{
    size_t bytes = 0;
    if (sparse_ok(cusparseSpMVOp_bufferSize(s->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, s->matrix, s->x, s->y, s->y,
                                            s->type, s->op_alg, &bytes),
                  "cusparseSpMVOp_bufferSize", err))
        return -1;
    s->buffer = take(s, NULL, bytes, "buffer (cuSPARSE)", err);
    if (!s->buffer) return -1;
    if (sparse_ok(cusparseSpMVOp_createDescr(s->handle, &s->op, CUSPARSE_OPERATION_NON_TRANSPOSE, s->matrix, s->x, s->y,
                                             s->y, s->type, s->op_alg, s->buffer),
                  "cusparseSpMVOp_createDescr", err))
        return -1;
    return sparse_ok(cusparseSpMVOp_createPlan(s->handle, s->op, &s->plan, NULL, 0), "cusparseSpMVOp_createPlan", err);
}

int cusparse_setup(const cusparse_form_t *form, const spmv_data_t *data, void **state, err_t *err)
{
    state_t *s = calloc(1, sizeof *s);
    if (!s) return err_set(err, "out of memory");
    *state = s;
    s->type = data->host.value_type == DTYPE_F64 ? CUDA_R_64F : CUDA_R_32F;
    if (sparse_ok(cusparseCreate(&s->handle), "cusparseCreate", err)) return -1;
    if (make_matrix(s, form, data, err) || make_vectors(s, form, data, err)) return -1;
    if (form->format == CUSPARSE_OP) return prepare_op(s, err);

    size_t bytes = 0;
    if (sparse_ok(cusparseSpMV_bufferSize(s->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, one(s), s->matrix, s->x, zero(s),
                                          s->y, s->type, s->alg, &bytes),
                  "cusparseSpMV_bufferSize", err))
        return -1;
    s->buffer = take(s, NULL, bytes, "buffer (cuSPARSE)", err);
    if (!s->buffer) return -1;
    if (!form->preprocess) return 0;
    const cusparseStatus_t status =
        cusparseSpMV_preprocess(s->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, one(s), s->matrix, s->x, zero(s), s->y,
                                s->type, s->alg, s->buffer);
    if (status == CUSPARSE_STATUS_NOT_SUPPORTED && form->format != CUSPARSE_CSR) return 0; /* it has no preprocessing */
    return sparse_ok(status, "cusparseSpMV_preprocess", err);
}

int cusparse_run(void *state, void *d_y, err_t *err)
{
    state_t *s = state;
    if (!s->padded_y && sparse_ok(cusparseDnVecSetValues(s->y, d_y), "cusparseDnVecSetValues", err)) return -1;
    if (s->plan)
        return sparse_ok(cusparseSpMVOp(s->handle, s->plan, one(s), zero(s), s->x, s->y, s->y), "cusparseSpMVOp", err);
    if (sparse_ok(cusparseSpMV(s->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, one(s), s->matrix, s->x, zero(s), s->y,
                               s->type, s->alg, s->buffer),
                  "cusparseSpMV", err))
        return -1;
    if (!s->padded_y) return 0;
    return device_ok(cudaMemcpyAsync(d_y, s->padded_y, s->y_bytes, cudaMemcpyDeviceToDevice, 0), "copy of y", err);
}

void cusparse_teardown(void *state)
{
    state_t *s = state;
    if (!s) return;
    if (s->plan) cusparseSpMVOp_destroyPlan(s->plan);
    if (s->op) cusparseSpMVOp_destroyDescr(s->op);
    if (s->y) cusparseDestroyDnVec(s->y);
    if (s->x) cusparseDestroyDnVec(s->x);
    if (s->matrix) cusparseDestroySpMat(s->matrix);
    if (s->handle) cusparseDestroy(s->handle);
    for (int i = 0; i < s->used; ++i) device_free(s->arrays[i]);
    free(s);
}
