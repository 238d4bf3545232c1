/*
 * cublas.h - the first interface of cuBLAS: no handles, scalars by value, results returned, and the status from
 * cublasGetError.  trans, uplo, side and diag are letters as in BLAS.
 */
#ifndef SIMT_CUBLAS_H
#define SIMT_CUBLAS_H
#define CUBLAS_H_

#ifdef SIMT_CUBLAS_V2_H
#error "cublas.h and cublas_v2.h are two interfaces: include one of them"
#endif

#include "cublas_types.h"

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus cublasInit(void);
cublasStatus cublasShutdown(void);
/* The first error since the last call of this function. */
cublasStatus cublasGetError(void);
/* Allocates n elements of `size` bytes on the GPU. */
cublasStatus cublasAlloc(int n, int size, void **p);
cublasStatus cublasFree(void *p);
cublasStatus cublasSetKernelStream(cudaStream_t stream);

#define CUBLAS_FAMILY(U, l, T)                                                                                         \
    void cublas##U##axpy(int n, T alpha, const T *x, int incx, T *y, int incy);                                        \
    void cublas##U##copy(int n, const T *x, int incx, T *y, int incy);                                                 \
    void cublas##U##swap(int n, T *x, int incx, T *y, int incy);                                                       \
    void cublas##U##scal(int n, T alpha, T *x, int incx);                                                              \
    int cublasI##l##amax(int n, const T *x, int incx);                                                                 \
    int cublasI##l##amin(int n, const T *x, int incx);                                                                 \
    void cublas##U##gemv(char trans, int m, int n, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y,   \
                         int incy);                                                                                    \
    void cublas##U##trsv(char uplo, char trans, char diag, int n, const T *A, int lda, T *x, int incx);                \
    void cublas##U##gemm(char transa, char transb, int m, int n, int k, T alpha, const T *A, int lda, const T *B,      \
                         int ldb, T beta, T *C, int ldc);                                                              \
    void cublas##U##symm(char side, char uplo, int m, int n, T alpha, const T *A, int lda, const T *B, int ldb,        \
                         T beta, T *C, int ldc);                                                                       \
    void cublas##U##syrk(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, T beta, T *C, int ldc);    \
    void cublas##U##trsm(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T *A, int lda,      \
                         T *B, int ldb);
CUBLAS_FAMILY(S, s, float)
CUBLAS_FAMILY(D, d, double)
CUBLAS_FAMILY(C, c, cuComplex)
CUBLAS_FAMILY(Z, z, cuDoubleComplex)
#undef CUBLAS_FAMILY
#define CUBLAS_FAMILY(U, T)                                                                                            \
    T cublas##U##dot(int n, const T *x, int incx, const T *y, int incy);                                               \
    T cublas##U##nrm2(int n, const T *x, int incx);                                                                    \
    T cublas##U##asum(int n, const T *x, int incx);                                                                    \
    void cublas##U##ger(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, int lda);
CUBLAS_FAMILY(S, float)
CUBLAS_FAMILY(D, double)
#undef CUBLAS_FAMILY

#ifdef __cplusplus
}
#endif

#endif
