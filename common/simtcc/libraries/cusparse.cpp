/*
 * cusparse.cpp - cuSPARSE in plain loops: handles, descriptors, and checks of the arrays behind them.
 */
#include "cusparse.hpp"

using namespace simt_library;

namespace simt_library {

size_t value_bytes(cudaDataType t)
{
    switch (t) {
    case CUDA_R_8I: return 1;
    case CUDA_R_16F: case CUDA_R_16BF: return 2;
    case CUDA_R_32F: case CUDA_R_32I: return 4;
    case CUDA_R_64F: case CUDA_C_32F: return 8;
    case CUDA_C_64F: return 16;
    default: return 0;
    }
}

void set_value(void *p, cudaDataType t, int64_t i, complex x)
{
    switch (t) {
    case CUDA_R_32F: ((float *)p)[i] = (float)x.real(); break;
    case CUDA_R_64F: ((double *)p)[i] = x.real(); break;
    case CUDA_C_32F: ((std::complex<float> *)p)[i] = std::complex<float>(x); break;
    case CUDA_C_64F: ((complex *)p)[i] = x; break;
    case CUDA_R_16F: ((__half *)p)[i] = __float2half((float)x.real()); break;
    case CUDA_R_16BF: ((__nv_bfloat16 *)p)[i] = __float2bfloat16((float)x.real()); break;
    case CUDA_R_8I: ((int8_t *)p)[i] = (int8_t)x.real(); break;
    case CUDA_R_32I: ((int32_t *)p)[i] = (int32_t)x.real(); break;
    default: break;
    }
}

complex sparse_call::scalar(const char *name, const void *p, cudaDataType t)
{
    wrong_if(!p);
    if (!fine())
        return 0;
    switch (t) {
    case CUDA_R_32F: return value_at(*this, name, (const float *)p, on_gpu_);
    case CUDA_R_64F: return value_at(*this, name, (const double *)p, on_gpu_);
    case CUDA_C_32F: return value_at(*this, name, (const std::complex<float> *)p, on_gpu_);
    case CUDA_C_64F: return value_at(*this, name, (const complex *)p, on_gpu_);
    case CUDA_R_32I: return value_at(*this, name, (const int32_t *)p, on_gpu_);
    default: wrong_if(true, CUSPARSE_STATUS_NOT_SUPPORTED); return 0;
    }
}

void sparse_call::operand(const char *name, const cusparseDnVecDescr *x, int64_t size, int does)
{
    wrong_if(!x || x->size != size);
    if (fine())
        vector(name, x->values, (size_t)size, 1, value_bytes(x->type), does);
}

void sparse_call::operand(const char *name, const cusparseSpVecDescr *x, int does)
{
    wrong_if(!x);
    if (!fine())
        return;
    vector("the indices", x->indices, (size_t)x->nnz, 1, index_bytes(x->index), READS);
    vector(name, x->values, (size_t)x->nnz, 1, value_bytes(x->type), does);
}

void sparse_call::operand(const char *name, const cusparseDnMatDescr *A, int does)
{
    wrong_if(!A);
    for (int b = 0; fine() && b < A->count; ++b) {
        const char *const from = (const char *)A->values + (size_t)(b * A->stride) * value_bytes(A->type);
        const bool by_columns = A->order == CUSPARSE_ORDER_COL;
        call::matrix(name, from, (size_t)(by_columns ? A->rows : A->columns),
                     (size_t)(by_columns ? A->columns : A->rows), (size_t)A->leading, value_bytes(A->type), does);
    }
}

void sparse_call::operand(const char *name, const cusparseSpMatDescr *A, int does)
{
    wrong_if(!A);
    for (int b = 0; fine() && b < A->count; ++b) {
        const auto at = [&](const void *p, int64_t stride, size_t element) {
            return (const char *)p + (size_t)(b * stride) * element;
        };
        const size_t offset = index_bytes(A->offset), index = index_bytes(A->index), value = value_bytes(A->type);
        vector(A->format == CUSPARSE_FORMAT_COO ? "the rows" : "the offsets", at(A->offsets, A->offset_stride, offset),
               (size_t)A->offsets_length(), 1, offset, READS);
        vector("the indices", at(A->indices, A->value_stride, index), (size_t)A->nnz, 1, index, READS);
        vector(name, at(A->values, A->value_stride, value), (size_t)A->nnz, 1, value, does);
    }
}

void sparse_call::room(const void *buffer, size_t bytes)
{
    if (fine())
        vector("the buffer", buffer, bytes, 1, 1, WRITES);
}

static std::string is_not(const char *name, const char *what, int64_t index, int64_t k, int64_t size)
{
    return std::string(name) + " has " + std::to_string(size) + " " + what + "s, but nonzero " + std::to_string(k) +
           " is in " + what + " " + std::to_string(index);
}

bool sparse_call::sound(const char *name, const cusparseSpMatDescr &A) const
{
    const char *const hint = "are its arrays those of this format, and counted from its index base on?";
    for (int b = 0; b < A.count; ++b) {
        const char *const offsets = (const char *)A.offsets + (size_t)(b * A.offset_stride) * index_bytes(A.offset);
        int64_t before = 0;
        for (int64_t i = 0; A.format != CUSPARSE_FORMAT_COO && i < A.offsets_length(); ++i) {
            const int64_t now = index(offsets, A.offset, i) - A.base;
            if (now < before || now > A.nnz || (i == 0 && now != 0)) {
                is_wrong(std::string(name) + ": offset " + std::to_string(i) + " is " +
                         std::to_string(now) + ", but must be from " + std::to_string(before) + " to " +
                         std::to_string(i == 0 ? 0 : A.nnz), hint);
                return false;
            }
            before = now;
        }
        int64_t bad = -1, row = 0, column = 0;
        walk(A, b, [&](int64_t i, int64_t j, int64_t k) {
            if (bad < 0 && (i < 0 || i >= A.rows || j < 0 || j >= A.columns))
                bad = k, row = i, column = j;
        });
        if (bad < 0)
            continue;
        is_wrong(column < 0 || column >= A.columns ? is_not(name, "column", column, bad, A.columns)
                                                   : is_not(name, "row", row, bad, A.rows), hint);
        return false;
    }
    return true;
}

bool sparse_call::sound(const char *name, const cusparseSpVecDescr &x) const
{
    for (int64_t k = 0; k < x.nnz; ++k) {
        const int64_t i = index(x.indices, x.index, k) - x.base;
        if (i >= 0 && i < x.size)
            continue;
        is_wrong(is_not(name, "element", i, k, x.size), "are its indices counted from its index base on?");
        return false;
    }
    return true;
}

} // namespace simt_library

static const state<cusparseStatus_t> states[] = {
    {CUSPARSE_STATUS_SUCCESS, "CUSPARSE_STATUS_SUCCESS", "success"},
    {CUSPARSE_STATUS_NOT_INITIALIZED, "CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    {CUSPARSE_STATUS_ALLOC_FAILED, "CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
    {CUSPARSE_STATUS_INVALID_VALUE, "CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    {CUSPARSE_STATUS_ARCH_MISMATCH, "CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch"},
    {CUSPARSE_STATUS_MAPPING_ERROR, "CUSPARSE_STATUS_MAPPING_ERROR", "texture mapping error"},
    {CUSPARSE_STATUS_EXECUTION_FAILED, "CUSPARSE_STATUS_EXECUTION_FAILED", "execution failed"},
    {CUSPARSE_STATUS_INTERNAL_ERROR, "CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
    {CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
     "matrix type not supported"},
    {CUSPARSE_STATUS_ZERO_PIVOT, "CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    {CUSPARSE_STATUS_NOT_SUPPORTED, "CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
    {CUSPARSE_STATUS_INSUFFICIENT_RESOURCES, "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
};

const char *cusparseGetErrorName(cusparseStatus_t status)
{ return state_text(states, status, &state<cusparseStatus_t>::name, "unrecognized error code"); }
const char *cusparseGetErrorString(cusparseStatus_t status)
{ return state_text(states, status, &state<cusparseStatus_t>::text, "unrecognized error code"); }

/* ---- handles ---- */

#define DOES(condition, ...) SIMT_DOES(cusparseStatus_t, condition, __VA_ARGS__)
#define HAS_HANDLE(...) SIMT_HAS(cusparseStatus_t, handle, __VA_ARGS__)

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) DOES(handle, *handle = new cusparseContext)
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) HAS_HANDLE(delete handle)
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t s) HAS_HANDLE(handle->stream = s)
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *s) HAS_HANDLE(*s = handle->stream)
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode)
HAS_HANDLE(handle->pointers = mode)
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode)
HAS_HANDLE(*mode = handle->pointers)
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version) HAS_HANDLE(*version = CUSPARSE_VERSION)
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value)
DOES(value, *value = type == MAJOR_VERSION   ? CUSPARSE_VER_MAJOR
                     : type == MINOR_VERSION ? CUSPARSE_VER_MINOR : CUSPARSE_VER_PATCH)

/* ---- properties of a matrix ---- */

struct cusparseMatDescr {
    cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
    cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
    cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
    cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *A) DOES(A, *A = new cusparseMatDescr)
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t A) DOES(true, delete A)
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t A, cusparseMatrixType_t type) DOES(A, A->type = type)
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t A, cusparseFillMode_t fill) DOES(A, A->fill = fill)
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t A, cusparseDiagType_t d) DOES(A, A->diagonal = d)
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t A, cusparseIndexBase_t base) DOES(A, A->base = base)
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t A) { return A->type; }
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t A) { return A->fill; }
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t A) { return A->diagonal; }
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t A) { return A->base; }

/* ---- vectors ---- */

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *x, int64_t size, void *values, cudaDataType type)
DOES(x && size >= 0 && value_bytes(type), *x = new cusparseDnVecDescr{size, values, type})
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *x, int64_t size, const void *values,
                                          cudaDataType type)
{ return cusparseCreateDnVec((cusparseDnVecDescr_t *)x, size, (void *)values, type); }
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t x) DOES(x, delete x)
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t x, int64_t *size, void **values, cudaDataType *type)
DOES(x && size && values && type, *size = x->size; *values = x->values; *type = x->type)
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t x, void **values) DOES(x && values, *values = x->values)
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t x, void *values) DOES(x && values, x->values = values)

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *x, int64_t size, int64_t nnz, void *indices, void *values,
                                     cusparseIndexType_t index, cusparseIndexBase_t base, cudaDataType type)
DOES(x && nnz >= 0 && nnz <= size && value_bytes(type),
     *x = new cusparseSpVecDescr{size, nnz, indices, values, index, base, type})
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *x, int64_t size, int64_t nnz, const void *indices,
                                          const void *values, cusparseIndexType_t index, cusparseIndexBase_t base,
                                          cudaDataType type)
{
    return cusparseCreateSpVec((cusparseSpVecDescr_t *)x, size, nnz, (void *)indices, (void *)values, index, base,
                               type);
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t x) DOES(x, delete x)
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t x, int64_t *size, int64_t *nnz, void **indices, void **values,
                                  cusparseIndexType_t *index, cusparseIndexBase_t *base, cudaDataType *type)
DOES(x, *size = x->size; *nnz = x->nnz; *indices = x->indices; *values = x->values; *index = x->index;
     *base = x->base; *type = x->type)
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t x, cusparseIndexBase_t *base)
DOES(x && base, *base = x->base)
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t x, void **values) DOES(x && values, *values = x->values)
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t x, void *values) DOES(x && values, x->values = values)

/* ---- matrices ---- */

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *A, int64_t rows, int64_t columns, int64_t leading,
                                     void *values, cudaDataType type, cusparseOrder_t order)
DOES(A && rows >= 0 && columns >= 0 && leading >= (order == CUSPARSE_ORDER_COL ? rows : columns) && value_bytes(type),
     *A = new cusparseDnMatDescr{rows, columns, leading, values, type, order})
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *A, int64_t rows, int64_t columns, int64_t leading,
                                          const void *values, cudaDataType type, cusparseOrder_t order)
{ return cusparseCreateDnMat((cusparseDnMatDescr_t *)A, rows, columns, leading, (void *)values, type, order); }
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t A) DOES(A, delete A)
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t A, int64_t *rows, int64_t *columns, int64_t *leading,
                                  void **values, cudaDataType *type, cusparseOrder_t *order)
DOES(A, *rows = A->rows; *columns = A->columns; *leading = A->leading; *values = A->values; *type = A->type;
     *order = A->order)
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t A, void **values) DOES(A && values, *values = A->values)
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t A, void *values) DOES(A && values, A->values = values)
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t A, int count, int64_t stride)
DOES(A && count > 0, A->count = count; A->stride = stride)
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t A, int *count, int64_t *stride)
DOES(A && count && stride, *count = A->count; *stride = A->stride)

static cusparseStatus_t create(cusparseSpMatDescr_t *A, cusparseFormat_t format, int64_t rows, int64_t columns,
                               int64_t nnz, const void *offsets, const void *indices, const void *values,
                               cusparseIndexType_t offset, cusparseIndexType_t index, cusparseIndexBase_t base,
                               cudaDataType type)
DOES(A && rows >= 0 && columns >= 0 && nnz >= 0 && value_bytes(type),
     *A = new cusparseSpMatDescr{format, rows, columns, nnz, (void *)offsets, (void *)indices, (void *)values, offset,
                                 index, base, type})

#define COMPRESSED(name, FORMAT, mutability, descriptor)                                                             \
    cusparseStatus_t cusparseCreate##name(descriptor *A, int64_t rows, int64_t columns, int64_t nnz,                   \
                                          mutability void *offsets, mutability void *indices, mutability void *values, \
                                          cusparseIndexType_t offset, cusparseIndexType_t index,                       \
                                          cusparseIndexBase_t base, cudaDataType type)                                 \
    {                                                                                                                  \
        return create((cusparseSpMatDescr_t *)A, FORMAT, rows, columns, nnz, offsets, indices, values, offset, index,  \
                      base, type);                                                                                     \
    }
COMPRESSED(Csr, CUSPARSE_FORMAT_CSR, , cusparseSpMatDescr_t)
COMPRESSED(ConstCsr, CUSPARSE_FORMAT_CSR, const, cusparseConstSpMatDescr_t)
COMPRESSED(Csc, CUSPARSE_FORMAT_CSC, , cusparseSpMatDescr_t)
COMPRESSED(ConstCsc, CUSPARSE_FORMAT_CSC, const, cusparseConstSpMatDescr_t)

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *A, int64_t rows, int64_t columns, int64_t nnz, void *row,
                                   void *column, void *values, cusparseIndexType_t index, cusparseIndexBase_t base,
                                   cudaDataType type)
{ return create(A, CUSPARSE_FORMAT_COO, rows, columns, nnz, row, column, values, index, index, base, type); }
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *A, int64_t rows, int64_t columns, int64_t nnz,
                                        const void *row, const void *column, const void *values,
                                        cusparseIndexType_t index, cusparseIndexBase_t base, cudaDataType type)
{
    return create((cusparseSpMatDescr_t *)A, CUSPARSE_FORMAT_COO, rows, columns, nnz, row, column, values, index, index,
                  base, type);
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t A) DOES(A, delete A)

#define COMPRESSED_GET(name, FORMAT)                                                                                   \
    cusparseStatus_t cusparse##name##Get(cusparseSpMatDescr_t A, int64_t *rows, int64_t *columns, int64_t *nnz,        \
                                         void **offsets, void **indices, void **values, cusparseIndexType_t *offset,   \
                                         cusparseIndexType_t *index, cusparseIndexBase_t *base, cudaDataType *type)    \
    DOES(A && A->format == FORMAT, *rows = A->rows; *columns = A->columns; *nnz = A->nnz; *offsets = A->offsets;       \
         *indices = A->indices; *values = A->values; *offset = A->offset; *index = A->index; *base = A->base;          \
         *type = A->type)                                                                                              \
    cusparseStatus_t cusparse##name##SetPointers(cusparseSpMatDescr_t A, void *offsets, void *indices, void *values)   \
    DOES(A && A->format == FORMAT, A->offsets = offsets; A->indices = indices; A->values = values)
COMPRESSED_GET(Csr, CUSPARSE_FORMAT_CSR)
COMPRESSED_GET(Csc, CUSPARSE_FORMAT_CSC)

cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t A, int64_t *rows, int64_t *columns, int64_t *nnz, void **row,
                                void **column, void **values, cusparseIndexType_t *index, cusparseIndexBase_t *base,
                                cudaDataType *type)
DOES(A && A->format == CUSPARSE_FORMAT_COO, *rows = A->rows; *columns = A->columns; *nnz = A->nnz; *row = A->offsets;
     *column = A->indices; *values = A->values; *index = A->index; *base = A->base; *type = A->type)
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t A, void *row, void *column, void *values)
DOES(A && A->format == CUSPARSE_FORMAT_COO, A->offsets = row; A->indices = column; A->values = values)
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t A, int count, int64_t offsets, int64_t values)
DOES(A && count > 0, A->count = count; A->offset_stride = offsets; A->value_stride = values)
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t A, int count, int64_t values)
DOES(A && count > 0, A->count = count; A->offset_stride = A->value_stride = values)
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t A, int64_t *rows, int64_t *columns, int64_t *nnz)
DOES(A && rows && columns && nnz, *rows = A->rows; *columns = A->columns; *nnz = A->nnz)
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t A, cusparseFormat_t *format)
DOES(A && format, *format = A->format)
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t A, cusparseIndexBase_t *base)
DOES(A && base, *base = A->base)
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t A, void **values) DOES(A && values, *values = A->values)
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t A, void *values) DOES(A && values, A->values = values)
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t A, cusparseSpMatAttribute_t which, void *data,
                                           size_t bytes)
DOES(A && data && bytes == sizeof(int), if (which == CUSPARSE_SPMAT_FILL_MODE) A->fill = *(cusparseFillMode_t *)data;
     else A->diagonal = *(cusparseDiagType_t *)data)
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t A, cusparseSpMatAttribute_t which, void *data,
                                           size_t bytes)
DOES(A && data && bytes == sizeof(int), *(int *)data = which == CUSPARSE_SPMAT_FILL_MODE ? (int)A->fill
                                                                                         : (int)A->diagonal)
