/*
 * cublasXt.h - products of matrices that may be on the host and be divided among GPUs, as its documentation describes
 * it.  Here whole matrices are copied to the GPU and back.  It has gemm, symm, syrk and trsm.
 */
#ifndef SIMT_CUBLAS_XT_H
#define SIMT_CUBLAS_XT_H
#define CUBLAS_XT_H_

#include "cublas_v2.h"

typedef struct cublasXtContext *cublasXtHandle_t;
typedef enum { CUBLASXT_PINNING_DISABLED, CUBLASXT_PINNING_ENABLED } cublasXtPinnedMemMode_t;

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
/* Accepted without effect: one GPU does the work. */
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int size);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *size);
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode);
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t *mode);

#define FAMILY(U, T)                                                                                                   \
    cublasStatus_t cublasXt##U##gemm(cublasXtHandle_t h, cublasOperation_t opa, cublasOperation_t opb, size_t m,       \
                                     size_t n, size_t k, const T *alpha, const T *A, size_t lda, const T *B,           \
                                     size_t ldb, const T *beta, T *C, size_t ldc);                                     \
    cublasStatus_t cublasXt##U##symm(cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, size_t m,       \
                                     size_t n, const T *alpha, const T *A, size_t lda, const T *B, size_t ldb,         \
                                     const T *beta, T *C, size_t ldc);                                                 \
    cublasStatus_t cublasXt##U##syrk(cublasXtHandle_t h, cublasFillMode_t fill, cublasOperation_t op, size_t n,        \
                                     size_t k, const T *alpha, const T *A, size_t lda, const T *beta, T *C,            \
                                     size_t ldc);                                                                      \
    cublasStatus_t cublasXt##U##trsm(cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,                 \
                                     cublasOperation_t op, cublasDiagType_t diagonal, size_t m, size_t n,              \
                                     const T *alpha, const T *A, size_t lda, T *B, size_t ldb);
FAMILY(S, float) FAMILY(D, double) FAMILY(C, cuComplex) FAMILY(Z, cuDoubleComplex)
#undef FAMILY

#ifdef __cplusplus
}
#endif

#endif
