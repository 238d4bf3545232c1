/*
 * cusparse.h - sparse matrices on the GPU, as its documentation describes them.  Here plain loops do the work after
 * every array of a descriptor, and its indices, have been checked (simtcc(1), LIBRARIES).
 *
 * A matrix or vector is a descriptor with pointers to arrays on the GPU.  Const ones are only read.  Scalars are on the
 * host or on the GPU, as cusparseSetPointerMode says.  All algorithms that a call can name are the same here.
 */
#ifndef SIMT_CUSPARSE_H
#define SIMT_CUSPARSE_H
#define CUSPARSE_H_
#define CUSPARSEAPI     /* helpers of the CUDA samples use it */

#include <stddef.h>
#include <stdint.h>
#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VER_PATCH 3
#define CUSPARSE_VER_BUILD 0
#define CUSPARSE_VERSION 12603

typedef enum {
    CUSPARSE_STATUS_SUCCESS = 0, CUSPARSE_STATUS_NOT_INITIALIZED = 1, CUSPARSE_STATUS_ALLOC_FAILED = 2,
    CUSPARSE_STATUS_INVALID_VALUE = 3, CUSPARSE_STATUS_ARCH_MISMATCH = 4, CUSPARSE_STATUS_MAPPING_ERROR = 5,
    CUSPARSE_STATUS_EXECUTION_FAILED = 6, CUSPARSE_STATUS_INTERNAL_ERROR = 7,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8, CUSPARSE_STATUS_ZERO_PIVOT = 9, CUSPARSE_STATUS_NOT_SUPPORTED = 10,
    CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum {
    CUSPARSE_MATRIX_TYPE_GENERAL = 0, CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1, CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE = 0, CUSPARSE_OPERATION_TRANSPOSE = 1, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;
typedef enum { CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0, CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1 } cusparseSolvePolicy_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;
typedef enum {
    CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC = 2, CUSPARSE_FORMAT_COO = 3, CUSPARSE_FORMAT_BLOCKED_ELL = 5,
    CUSPARSE_FORMAT_BSR = 6, CUSPARSE_FORMAT_SLICED_ELLPACK = 7
} cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
typedef enum {
    CUSPARSE_SPMV_ALG_DEFAULT = 0, CUSPARSE_SPMV_CSR_ALG1 = 2, CUSPARSE_SPMV_CSR_ALG2 = 3, CUSPARSE_SPMV_COO_ALG1 = 1,
    CUSPARSE_SPMV_COO_ALG2 = 4, CUSPARSE_SPMV_SELL_ALG1 = 5, CUSPARSE_SPMV_BSR_ALG1 = 6
} cusparseSpMVAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum {
    CUSPARSE_SPMM_ALG_DEFAULT = 0, CUSPARSE_SPMM_COO_ALG1 = 1, CUSPARSE_SPMM_COO_ALG2 = 2, CUSPARSE_SPMM_COO_ALG3 = 3,
    CUSPARSE_SPMM_COO_ALG4 = 5, CUSPARSE_SPMM_CSR_ALG1 = 4, CUSPARSE_SPMM_CSR_ALG2 = 6, CUSPARSE_SPMM_CSR_ALG3 = 12,
    CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13, CUSPARSE_SPMM_BSR_ALG1 = 14
} cusparseSpMMAlg_t;
typedef enum {
    CUSPARSE_SPGEMM_DEFAULT = 0, CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1, CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
    CUSPARSE_SPGEMM_ALG1 = 3, CUSPARSE_SPGEMM_ALG2 = 4, CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct csric02Info *csric02Info_t;

#ifdef __cplusplus
extern "C" {
#endif

#define CUSPARSE(name, ...) cusparseStatus_t cusparse##name(__VA_ARGS__);

const char *cusparseGetErrorName(cusparseStatus_t status);
const char *cusparseGetErrorString(cusparseStatus_t status);
CUSPARSE(Create, cusparseHandle_t *handle)
CUSPARSE(Destroy, cusparseHandle_t handle)
CUSPARSE(GetVersion, cusparseHandle_t handle, int *version)
CUSPARSE(GetProperty, libraryPropertyType type, int *value)
CUSPARSE(SetStream, cusparseHandle_t handle, cudaStream_t stream)
CUSPARSE(GetStream, cusparseHandle_t handle, cudaStream_t *stream)
CUSPARSE(SetPointerMode, cusparseHandle_t handle, cusparsePointerMode_t mode)
CUSPARSE(GetPointerMode, cusparseHandle_t handle, cusparsePointerMode_t *mode)

/* ---- properties of a matrix, for calls without descriptors ---- */

CUSPARSE(CreateMatDescr, cusparseMatDescr_t *A)
CUSPARSE(DestroyMatDescr, cusparseMatDescr_t A)
CUSPARSE(SetMatType, cusparseMatDescr_t A, cusparseMatrixType_t type)
CUSPARSE(SetMatFillMode, cusparseMatDescr_t A, cusparseFillMode_t fill)
CUSPARSE(SetMatDiagType, cusparseMatDescr_t A, cusparseDiagType_t diagonal)
CUSPARSE(SetMatIndexBase, cusparseMatDescr_t A, cusparseIndexBase_t base)
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t A);
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t A);
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t A);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t A);

/* ---- vectors ---- */

CUSPARSE(CreateDnVec, cusparseDnVecDescr_t *x, int64_t size, void *values, cudaDataType type)
CUSPARSE(CreateConstDnVec, cusparseConstDnVecDescr_t *x, int64_t size, const void *values, cudaDataType type)
CUSPARSE(DestroyDnVec, cusparseConstDnVecDescr_t x)
CUSPARSE(DnVecGet, cusparseDnVecDescr_t x, int64_t *size, void **values, cudaDataType *type)
CUSPARSE(DnVecGetValues, cusparseDnVecDescr_t x, void **values)
CUSPARSE(DnVecSetValues, cusparseDnVecDescr_t x, void *values)
CUSPARSE(CreateSpVec, cusparseSpVecDescr_t *x, int64_t size, int64_t nnz, void *indices, void *values,
         cusparseIndexType_t index, cusparseIndexBase_t base, cudaDataType type)
CUSPARSE(CreateConstSpVec, cusparseConstSpVecDescr_t *x, int64_t size, int64_t nnz, const void *indices,
         const void *values, cusparseIndexType_t index, cusparseIndexBase_t base, cudaDataType type)
CUSPARSE(DestroySpVec, cusparseConstSpVecDescr_t x)
CUSPARSE(SpVecGet, cusparseSpVecDescr_t x, int64_t *size, int64_t *nnz, void **indices, void **values,
         cusparseIndexType_t *index, cusparseIndexBase_t *base, cudaDataType *type)
CUSPARSE(SpVecGetIndexBase, cusparseConstSpVecDescr_t x, cusparseIndexBase_t *base)
CUSPARSE(SpVecGetValues, cusparseSpVecDescr_t x, void **values)
CUSPARSE(SpVecSetValues, cusparseSpVecDescr_t x, void *values)

/* ---- matrices ---- */

CUSPARSE(CreateDnMat, cusparseDnMatDescr_t *A, int64_t rows, int64_t columns, int64_t leading, void *values,
         cudaDataType type, cusparseOrder_t order)
CUSPARSE(CreateConstDnMat, cusparseConstDnMatDescr_t *A, int64_t rows, int64_t columns, int64_t leading,
         const void *values, cudaDataType type, cusparseOrder_t order)
CUSPARSE(DestroyDnMat, cusparseConstDnMatDescr_t A)
CUSPARSE(DnMatGet, cusparseDnMatDescr_t A, int64_t *rows, int64_t *columns, int64_t *leading, void **values,
         cudaDataType *type, cusparseOrder_t *order)
CUSPARSE(DnMatGetValues, cusparseDnMatDescr_t A, void **values)
CUSPARSE(DnMatSetValues, cusparseDnMatDescr_t A, void *values)
CUSPARSE(DnMatSetStridedBatch, cusparseDnMatDescr_t A, int count, int64_t stride)
CUSPARSE(DnMatGetStridedBatch, cusparseConstDnMatDescr_t A, int *count, int64_t *stride)
CUSPARSE(CreateCsr, cusparseSpMatDescr_t *A, int64_t rows, int64_t columns, int64_t nnz, void *offsets, void *indices,
         void *values, cusparseIndexType_t offset, cusparseIndexType_t index, cusparseIndexBase_t base,
         cudaDataType type)
CUSPARSE(CreateConstCsr, cusparseConstSpMatDescr_t *A, int64_t rows, int64_t columns, int64_t nnz, const void *offsets,
         const void *indices, const void *values, cusparseIndexType_t offset, cusparseIndexType_t index,
         cusparseIndexBase_t base, cudaDataType type)
CUSPARSE(CreateCsc, cusparseSpMatDescr_t *A, int64_t rows, int64_t columns, int64_t nnz, void *offsets, void *indices,
         void *values, cusparseIndexType_t offset, cusparseIndexType_t index, cusparseIndexBase_t base,
         cudaDataType type)
CUSPARSE(CreateConstCsc, cusparseConstSpMatDescr_t *A, int64_t rows, int64_t columns, int64_t nnz, const void *offsets,
         const void *indices, const void *values, cusparseIndexType_t offset, cusparseIndexType_t index,
         cusparseIndexBase_t base, cudaDataType type)
CUSPARSE(CreateCoo, cusparseSpMatDescr_t *A, int64_t rows, int64_t columns, int64_t nnz, void *row, void *column,
         void *values, cusparseIndexType_t index, cusparseIndexBase_t base, cudaDataType type)
CUSPARSE(CreateConstCoo, cusparseConstSpMatDescr_t *A, int64_t rows, int64_t columns, int64_t nnz, const void *row,
         const void *column, const void *values, cusparseIndexType_t index, cusparseIndexBase_t base,
         cudaDataType type)
CUSPARSE(DestroySpMat, cusparseConstSpMatDescr_t A)
CUSPARSE(CsrGet, cusparseSpMatDescr_t A, int64_t *rows, int64_t *columns, int64_t *nnz, void **offsets, void **indices,
         void **values, cusparseIndexType_t *offset, cusparseIndexType_t *index, cusparseIndexBase_t *base,
         cudaDataType *type)
CUSPARSE(CscGet, cusparseSpMatDescr_t A, int64_t *rows, int64_t *columns, int64_t *nnz, void **offsets, void **indices,
         void **values, cusparseIndexType_t *offset, cusparseIndexType_t *index, cusparseIndexBase_t *base,
         cudaDataType *type)
CUSPARSE(CooGet, cusparseSpMatDescr_t A, int64_t *rows, int64_t *columns, int64_t *nnz, void **row, void **column,
         void **values, cusparseIndexType_t *index, cusparseIndexBase_t *base, cudaDataType *type)
CUSPARSE(CsrSetPointers, cusparseSpMatDescr_t A, void *offsets, void *indices, void *values)
CUSPARSE(CscSetPointers, cusparseSpMatDescr_t A, void *offsets, void *indices, void *values)
CUSPARSE(CooSetPointers, cusparseSpMatDescr_t A, void *row, void *column, void *values)
CUSPARSE(CsrSetStridedBatch, cusparseSpMatDescr_t A, int count, int64_t offsets, int64_t values)
CUSPARSE(CooSetStridedBatch, cusparseSpMatDescr_t A, int count, int64_t values)
CUSPARSE(SpMatGetSize, cusparseConstSpMatDescr_t A, int64_t *rows, int64_t *columns, int64_t *nnz)
CUSPARSE(SpMatGetFormat, cusparseConstSpMatDescr_t A, cusparseFormat_t *format)
CUSPARSE(SpMatGetIndexBase, cusparseConstSpMatDescr_t A, cusparseIndexBase_t *base)
CUSPARSE(SpMatGetValues, cusparseSpMatDescr_t A, void **values)
CUSPARSE(SpMatSetValues, cusparseSpMatDescr_t A, void *values)
CUSPARSE(SpMatSetAttribute, cusparseSpMatDescr_t A, cusparseSpMatAttribute_t which, void *data, size_t bytes)
CUSPARSE(SpMatGetAttribute, cusparseConstSpMatDescr_t A, cusparseSpMatAttribute_t which, void *data, size_t bytes)

/* ---- products; each has a function for its buffer size, and some have one that analyses the matrix first ---- */

#define CUSPARSE_SPMV                                                                                                  \
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t A,                   \
        cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType compute,                   \
        cusparseSpMVAlg_t algorithm
CUSPARSE(SpMV, CUSPARSE_SPMV, void *buffer)                         /* y = alpha op(A) x + beta y */
CUSPARSE(SpMV_bufferSize, CUSPARSE_SPMV, size_t *bytes)
CUSPARSE(SpMV_preprocess, CUSPARSE_SPMV, void *buffer)
#define CUSPARSE_SPMM                                                                                                  \
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,                    \
        cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B, const void *beta, cusparseDnMatDescr_t C,            \
        cudaDataType compute, cusparseSpMMAlg_t algorithm
CUSPARSE(SpMM, CUSPARSE_SPMM, void *buffer)                         /* C = alpha op(A) op(B) + beta C */
CUSPARSE(SpMM_bufferSize, CUSPARSE_SPMM, size_t *bytes)
CUSPARSE(SpMM_preprocess, CUSPARSE_SPMM, void *buffer)
#define CUSPARSE_SDDMM                                                                                                 \
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,                    \
        cusparseConstDnMatDescr_t A, cusparseConstDnMatDescr_t B, const void *beta, cusparseSpMatDescr_t C,            \
        cudaDataType compute, cusparseSDDMMAlg_t algorithm
CUSPARSE(SDDMM, CUSPARSE_SDDMM, void *buffer)                       /* the same, where the sparse C has elements */
CUSPARSE(SDDMM_bufferSize, CUSPARSE_SDDMM, size_t *bytes)
CUSPARSE(SDDMM_preprocess, CUSPARSE_SDDMM, void *buffer)
CUSPARSE(SpVV, cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
         cusparseConstDnVecDescr_t y, void *result, cudaDataType compute, void *buffer)
CUSPARSE(SpVV_bufferSize, cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
         cusparseConstDnVecDescr_t y, const void *result, cudaDataType compute, size_t *bytes)
CUSPARSE(Axpby, cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t x, const void *beta,
         cusparseDnVecDescr_t y)
CUSPARSE(Gather, cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x)
CUSPARSE(Scatter, cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y)
/* Rotates x and y in their plane, at the elements of the sparse x. */
CUSPARSE(Rot, cusparseHandle_t handle, const void *cosine, const void *sine, cusparseSpVecDescr_t x,
         cusparseDnVecDescr_t y)
/* Products of two CSR matrices: the sizes of two buffers, then the product, whose nnz is known after compute. */
CUSPARSE(SpGEMM_createDescr, cusparseSpGEMMDescr_t *product)
CUSPARSE(SpGEMM_destroyDescr, cusparseSpGEMMDescr_t product)
#define CUSPARSE_SPGEMM                                                                                                \
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,                    \
        cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B, const void *beta, cusparseSpMatDescr_t C,            \
        cudaDataType compute, cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t product
CUSPARSE(SpGEMM_workEstimation, CUSPARSE_SPGEMM, size_t *bytes, void *buffer)
CUSPARSE(SpGEMM_compute, CUSPARSE_SPGEMM, size_t *bytes, void *buffer)
CUSPARSE(SpGEMM_copy, CUSPARSE_SPGEMM)

/* ---- triangles: op(A) y = alpha x, with a vector or with the columns of a matrix ---- */

CUSPARSE(SpSV_createDescr, cusparseSpSVDescr_t *solution)
CUSPARSE(SpSV_destroyDescr, cusparseSpSVDescr_t solution)
#define CUSPARSE_SPSV                                                                                                  \
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t A,                   \
        cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t algorithm,        \
        cusparseSpSVDescr_t solution
CUSPARSE(SpSV_bufferSize, CUSPARSE_SPSV, size_t *bytes)
CUSPARSE(SpSV_analysis, CUSPARSE_SPSV, void *buffer)
CUSPARSE(SpSV_solve, CUSPARSE_SPSV)
CUSPARSE(SpSM_createDescr, cusparseSpSMDescr_t *solution)
CUSPARSE(SpSM_destroyDescr, cusparseSpSMDescr_t solution)
#define CUSPARSE_SPSM                                                                                                  \
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,                    \
        cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B, cusparseDnMatDescr_t C, cudaDataType compute,        \
        cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t solution
CUSPARSE(SpSM_bufferSize, CUSPARSE_SPSM, size_t *bytes)
CUSPARSE(SpSM_analysis, CUSPARSE_SPSM, void *buffer)
CUSPARSE(SpSM_solve, CUSPARSE_SPSM)

/* ---- incomplete LU and Cholesky, in place; the columns of a row must be sorted ---- */

#define INCOMPLETE(U, name, T)                                                                                         \
    CUSPARSE(U##name##_bufferSize, cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t A, T *values,     \
             const int *offsets, const int *indices, name##Info_t info, int *bytes)                                    \
    CUSPARSE(U##name##_analysis, cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t A, const T *values, \
             const int *offsets, const int *indices, name##Info_t info, cusparseSolvePolicy_t policy, void *buffer)    \
    CUSPARSE(U##name, cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t A, T *values,                  \
             const int *offsets, const int *indices, name##Info_t info, cusparseSolvePolicy_t policy, void *buffer)
#define INCOMPLETES(name)                                                                                              \
    INCOMPLETE(S, name, float) INCOMPLETE(D, name, double) INCOMPLETE(C, name, cuComplex)                              \
    INCOMPLETE(Z, name, cuDoubleComplex)
INCOMPLETES(csrilu02)
INCOMPLETES(csric02)
CUSPARSE(CreateCsrilu02Info, csrilu02Info_t *info)
CUSPARSE(DestroyCsrilu02Info, csrilu02Info_t info)
CUSPARSE(CreateCsric02Info, csric02Info_t *info)
CUSPARSE(DestroyCsric02Info, csric02Info_t info)
/* The first row whose pivot is zero or missing, or -1 with CUSPARSE_STATUS_SUCCESS. */
CUSPARSE(Xcsrilu02_zeroPivot, cusparseHandle_t handle, csrilu02Info_t info, int *position)
CUSPARSE(Xcsric02_zeroPivot, cusparseHandle_t handle, csric02Info_t info, int *position)
#undef INCOMPLETES
#undef INCOMPLETE

/* ---- conversions between formats ---- */

CUSPARSE(SparseToDense, cusparseHandle_t handle, cusparseConstSpMatDescr_t A, cusparseDnMatDescr_t B,
         cusparseSparseToDenseAlg_t algorithm, void *buffer)
CUSPARSE(SparseToDense_bufferSize, cusparseHandle_t handle, cusparseConstSpMatDescr_t A, cusparseDnMatDescr_t B,
         cusparseSparseToDenseAlg_t algorithm, size_t *bytes)
/* analysis writes offsets and counts; then the program allocates indices and values, and convert fills them. */
CUSPARSE(DenseToSparse_bufferSize, cusparseHandle_t handle, cusparseConstDnMatDescr_t A, cusparseSpMatDescr_t B,
         cusparseDenseToSparseAlg_t algorithm, size_t *bytes)
CUSPARSE(DenseToSparse_analysis, cusparseHandle_t handle, cusparseConstDnMatDescr_t A, cusparseSpMatDescr_t B,
         cusparseDenseToSparseAlg_t algorithm, void *buffer)
CUSPARSE(DenseToSparse_convert, cusparseHandle_t handle, cusparseConstDnMatDescr_t A, cusparseSpMatDescr_t B,
         cusparseDenseToSparseAlg_t algorithm, void *buffer)
CUSPARSE(Xcsr2coo, cusparseHandle_t handle, const int *offsets, int nnz, int m, int *rows, cusparseIndexBase_t base)
CUSPARSE(Xcoo2csr, cusparseHandle_t handle, const int *rows, int nnz, int m, int *offsets, cusparseIndexBase_t base)
/* p = 0, 1, 2, ...; sorting COO by rows or columns permutes p, which then tells where each element was. */
CUSPARSE(CreateIdentityPermutation, cusparseHandle_t handle, int n, int *p)
CUSPARSE(Xcoosort_bufferSizeExt, cusparseHandle_t handle, int m, int n, int nnz, const int *rows, const int *columns,
         size_t *bytes)
CUSPARSE(XcoosortByRow, cusparseHandle_t handle, int m, int n, int nnz, int *rows, int *columns, int *p, void *buffer)
CUSPARSE(XcoosortByColumn, cusparseHandle_t handle, int m, int n, int nnz, int *rows, int *columns, int *p,
         void *buffer)
/* Sorts each row of CSR, or each column of CSC. */
CUSPARSE(Xcsrsort_bufferSizeExt, cusparseHandle_t handle, int m, int n, int nnz, const int *offsets, const int *columns,
         size_t *bytes)
CUSPARSE(Xcsrsort, cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t A, const int *offsets,
         int *columns, int *p, void *buffer)
CUSPARSE(Xcscsort_bufferSizeExt, cusparseHandle_t handle, int m, int n, int nnz, const int *offsets, const int *rows,
         size_t *bytes)
CUSPARSE(Xcscsort, cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t A, const int *offsets,
         int *rows, int *p, void *buffer)
#define CUSPARSE_CSR2CSC                                                                                               \
    cusparseHandle_t handle, int m, int n, int nnz, const void *values, const int *offsets, const int *indices,        \
        void *csc_values, int *csc_offsets, int *csc_indices, cudaDataType type, cusparseAction_t action,              \
        cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm
CUSPARSE(Csr2cscEx2, CUSPARSE_CSR2CSC, void *buffer)
CUSPARSE(Csr2cscEx2_bufferSize, CUSPARSE_CSR2CSC, size_t *bytes)

#undef CUSPARSE
#ifdef __cplusplus
}
#endif
#endif
