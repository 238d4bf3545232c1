/*
 * cusolverDn.h - dense linear systems, eigenvalues and singular values on the GPU, as its documentation describes them.
 * Here the LAPACK in OpenBLAS does the work after every operand has been checked (simtcc(1), LIBRARIES).
 *
 * A function for several types is declared as a family: U is S, D, C or Z in its name, T the type, R its real type.
 * Matrices are column-major.  LAPACK's info is stored on the GPU.  Eigenvectors and singular vectors have LAPACK's
 * signs.
 */
#ifndef SIMT_CUSOLVER_DN_H
#define SIMT_CUSOLVER_DN_H
#define CUSOLVERDN_H_

#include "cublas_v2.h"
#include "cusolver_common.h"

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1 } cusolverDnFunction_t;

#ifdef __cplusplus
extern "C" {
#endif

#define CUSOLVER(name, ...) cusolverStatus_t cusolverDn##name(__VA_ARGS__);
#define CUSOLVER_REALS(FAMILY) FAMILY(S, s, float, float) FAMILY(D, d, double, double)
#define CUSOLVER_COMPLEXES(FAMILY) FAMILY(C, c, cuComplex, float) FAMILY(Z, z, cuDoubleComplex, double)
#define CUSOLVER_TYPES(FAMILY) CUSOLVER_REALS(FAMILY) CUSOLVER_COMPLEXES(FAMILY)

CUSOLVER(Create, cusolverDnHandle_t *handle)
CUSOLVER(Destroy, cusolverDnHandle_t handle)
CUSOLVER(SetStream, cusolverDnHandle_t handle, cudaStream_t stream)
CUSOLVER(GetStream, cusolverDnHandle_t handle, cudaStream_t *stream)

/* ---- Cholesky, LU, QR; the size of a workspace is in elements ---- */

#define FAMILY(U, l, T, R)                                                                                             \
    CUSOLVER(U##potrf_bufferSize, cusolverDnHandle_t h, cublasFillMode_t fill, int n, T *A, int lda, int *elements)    \
    CUSOLVER(U##potrf, cusolverDnHandle_t h, cublasFillMode_t fill, int n, T *A, int lda, T *work, int elements,       \
             int *info)                                                                                                \
    CUSOLVER(U##potrs, cusolverDnHandle_t h, cublasFillMode_t fill, int n, int columns, const T *A, int lda, T *B,     \
             int ldb, int *info)                                                                                       \
    CUSOLVER(U##potri_bufferSize, cusolverDnHandle_t h, cublasFillMode_t fill, int n, T *A, int lda, int *elements)    \
    CUSOLVER(U##potri, cusolverDnHandle_t h, cublasFillMode_t fill, int n, T *A, int lda, T *work, int elements,       \
             int *info)                                                                                                \
    CUSOLVER(U##potrfBatched, cusolverDnHandle_t h, cublasFillMode_t fill, int n, T *A[], int lda, int *info,          \
             int count)                                                                                                \
    CUSOLVER(U##potrsBatched, cusolverDnHandle_t h, cublasFillMode_t fill, int n, int columns, T *A[], int lda,        \
             T *B[], int ldb, int *info, int count)                                                                    \
    CUSOLVER(U##getrf_bufferSize, cusolverDnHandle_t h, int m, int n, T *A, int lda, int *elements)                    \
    CUSOLVER(U##getrf, cusolverDnHandle_t h, int m, int n, T *A, int lda, T *work, int *pivots, int *info)             \
    CUSOLVER(U##getrs, cusolverDnHandle_t h, cublasOperation_t op, int n, int columns, const T *A, int lda,            \
             const int *pivots, T *B, int ldb, int *info)                                                              \
    CUSOLVER(U##geqrf_bufferSize, cusolverDnHandle_t h, int m, int n, T *A, int lda, int *elements)                    \
    CUSOLVER(U##geqrf, cusolverDnHandle_t h, int m, int n, T *A, int lda, T *tau, T *work, int elements, int *info)
CUSOLVER_TYPES(FAMILY)
#undef FAMILY

/* ---- Q of a QR factorisation: generates it, or multiplies by it.  Real functions are called or, complex ones un
 * ---- */

#define QS(gqr, mqr, T)                                                                                                \
    CUSOLVER(gqr##_bufferSize, cusolverDnHandle_t h, int m, int n, int k, const T *A, int lda, const T *tau,           \
             int *elements)                                                                                            \
    CUSOLVER(gqr, cusolverDnHandle_t h, int m, int n, int k, T *A, int lda, const T *tau, T *work, int elements,       \
             int *info)                                                                                                \
    CUSOLVER(mqr##_bufferSize, cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, \
             const T *A, int lda, const T *tau, const T *C, int ldc, int *elements)                                    \
    CUSOLVER(mqr, cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const T *A,  \
             int lda, const T *tau, T *C, int ldc, T *work, int elements, int *info)
QS(Sorgqr, Sormqr, float)
QS(Dorgqr, Dormqr, double)
QS(Cungqr, Cunmqr, cuComplex)
QS(Zungqr, Zunmqr, cuDoubleComplex)
#undef QS

/* ---- eigenvalues; functions of real matrices are called sy, of complex ones he ---- */

CUSOLVER(CreateSyevjInfo, syevjInfo_t *info)
CUSOLVER(DestroySyevjInfo, syevjInfo_t info)
CUSOLVER(XsyevjSetTolerance, syevjInfo_t info, double tolerance)
CUSOLVER(XsyevjSetMaxSweeps, syevjInfo_t info, int sweeps)
CUSOLVER(XsyevjSetSortEig, syevjInfo_t info, int sort)
CUSOLVER(XsyevjGetResidual, cusolverDnHandle_t h, syevjInfo_t info, double *residual)
CUSOLVER(XsyevjGetSweeps, cusolverDnHandle_t h, syevjInfo_t info, int *sweeps)

#define EIGEN(U, T, R)                                                                                                 \
    CUSOLVER(U##evd_bufferSize, cusolverDnHandle_t h, cusolverEigMode_t vectors, cublasFillMode_t fill, int n,         \
             const T *A, int lda, const R *W, int *elements)                                                           \
    CUSOLVER(U##evd, cusolverDnHandle_t h, cusolverEigMode_t vectors, cublasFillMode_t fill, int n, T *A, int lda,     \
             R *W, T *work, int elements, int *info)                                                                   \
    CUSOLVER(U##gvd_bufferSize, cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t vectors,               \
             cublasFillMode_t fill, int n, const T *A, int lda, const T *B, int ldb, const R *W, int *elements)        \
    CUSOLVER(U##gvd, cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t vectors, cublasFillMode_t fill,   \
             int n, T *A, int lda, T *B, int ldb, R *W, T *work, int elements, int *info)                              \
    CUSOLVER(U##gvj_bufferSize, cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t vectors,               \
             cublasFillMode_t fill, int n, const T *A, int lda, const T *B, int ldb, const R *W, int *elements,        \
             syevjInfo_t params)                                                                                       \
    CUSOLVER(U##gvj, cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t vectors, cublasFillMode_t fill,   \
             int n, T *A, int lda, T *B, int ldb, R *W, T *work, int elements, int *info, syevjInfo_t params)          \
    CUSOLVER(U##evj_bufferSize, cusolverDnHandle_t h, cusolverEigMode_t vectors, cublasFillMode_t fill, int n,         \
             const T *A, int lda, const R *W, int *elements, syevjInfo_t params)                                       \
    CUSOLVER(U##evj, cusolverDnHandle_t h, cusolverEigMode_t vectors, cublasFillMode_t fill, int n, T *A, int lda,     \
             R *W, T *work, int elements, int *info, syevjInfo_t params)                                               \
    CUSOLVER(U##evjBatched_bufferSize, cusolverDnHandle_t h, cusolverEigMode_t vectors, cublasFillMode_t fill, int n,  \
             const T *A, int lda, const R *W, int *elements, syevjInfo_t params, int count)                            \
    CUSOLVER(U##evjBatched, cusolverDnHandle_t h, cusolverEigMode_t vectors, cublasFillMode_t fill, int n, T *A,       \
             int lda, R *W, T *work, int elements, int *info, syevjInfo_t params, int count)
EIGEN(Ssy, float, float)
EIGEN(Dsy, double, double)
EIGEN(Che, cuComplex, float)
EIGEN(Zhe, cuDoubleComplex, double)
#undef EIGEN

/* ---- singular values: gesvd requires m >= n and returns V transposed; gesvdj returns V ---- */

CUSOLVER(CreateGesvdjInfo, gesvdjInfo_t *info)
CUSOLVER(DestroyGesvdjInfo, gesvdjInfo_t info)
CUSOLVER(XgesvdjSetTolerance, gesvdjInfo_t info, double tolerance)
CUSOLVER(XgesvdjSetMaxSweeps, gesvdjInfo_t info, int sweeps)
CUSOLVER(XgesvdjSetSortEig, gesvdjInfo_t info, int sort)
CUSOLVER(XgesvdjGetResidual, cusolverDnHandle_t h, gesvdjInfo_t info, double *residual)
CUSOLVER(XgesvdjGetSweeps, cusolverDnHandle_t h, gesvdjInfo_t info, int *sweeps)

#define FAMILY(U, l, T, R)                                                                                             \
    CUSOLVER(U##gesvd_bufferSize, cusolverDnHandle_t h, int m, int n, int *elements)                                   \
    CUSOLVER(U##gesvd, cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, T *A, int lda, R *S,   \
             T *left, int ldu, T *right, int ldvt, T *work, int elements, R *real_work, int *info)                     \
    CUSOLVER(U##gesvdj_bufferSize, cusolverDnHandle_t h, cusolverEigMode_t vectors, int economic, int m, int n,        \
             const T *A, int lda, const R *S, const T *left, int ldu, const T *right, int ldv, int *elements,          \
             gesvdjInfo_t params)                                                                                      \
    CUSOLVER(U##gesvdj, cusolverDnHandle_t h, cusolverEigMode_t vectors, int economic, int m, int n, T *A, int lda,    \
             R *S, T *left, int ldu, T *right, int ldv, T *work, int elements, int *info, gesvdjInfo_t params)         \
    CUSOLVER(U##gesvdjBatched_bufferSize, cusolverDnHandle_t h, cusolverEigMode_t vectors, int m, int n, const T *A,   \
             int lda, const R *S, const T *left, int ldu, const T *right, int ldv, int *elements, gesvdjInfo_t params, \
             int count)                                                                                                \
    CUSOLVER(U##gesvdjBatched, cusolverDnHandle_t h, cusolverEigMode_t vectors, int m, int n, T *A, int lda, R *S,     \
             T *left, int ldu, T *right, int ldv, T *work, int elements, int *info, gesvdjInfo_t params, int count)
CUSOLVER_TYPES(FAMILY)
#undef FAMILY

/* ---- the same with 64-bit sizes and type arguments; workspaces are in bytes ---- */

CUSOLVER(CreateParams, cusolverDnParams_t *params)
CUSOLVER(DestroyParams, cusolverDnParams_t params)
CUSOLVER(SetAdvOptions, cusolverDnParams_t params, cusolverDnFunction_t function, cusolverAlgMode_t algorithm)
#define CUSOLVER_SIZES cudaDataType compute, size_t *on_gpu, size_t *on_host
#define CUSOLVER_ROOM \
    cudaDataType compute, void *device_room, size_t on_gpu, void *host_room, size_t on_host, int *info
CUSOLVER(Xpotrf_bufferSize, cusolverDnHandle_t h, cusolverDnParams_t params, cublasFillMode_t fill, int64_t n,
         cudaDataType type, const void *A, int64_t lda, CUSOLVER_SIZES)
CUSOLVER(Xpotrf, cusolverDnHandle_t h, cusolverDnParams_t params, cublasFillMode_t fill, int64_t n, cudaDataType type,
         void *A, int64_t lda, CUSOLVER_ROOM)
CUSOLVER(Xpotrs, cusolverDnHandle_t h, cusolverDnParams_t params, cublasFillMode_t fill, int64_t n, int64_t columns,
         cudaDataType type, const void *A, int64_t lda, cudaDataType type_b, void *B, int64_t ldb, int *info)
CUSOLVER(Xgetrf_bufferSize, cusolverDnHandle_t h, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType type,
         const void *A, int64_t lda, CUSOLVER_SIZES)
CUSOLVER(Xgetrf, cusolverDnHandle_t h, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType type, void *A,
         int64_t lda, int64_t *pivots, CUSOLVER_ROOM)
CUSOLVER(Xgetrs, cusolverDnHandle_t h, cusolverDnParams_t params, cublasOperation_t op, int64_t n, int64_t columns,
         cudaDataType type, const void *A, int64_t lda, const int64_t *pivots, cudaDataType type_b, void *B,
         int64_t ldb, int *info)
CUSOLVER(Xgeqrf_bufferSize, cusolverDnHandle_t h, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType type,
         const void *A, int64_t lda, cudaDataType type_tau, const void *tau, CUSOLVER_SIZES)
CUSOLVER(Xgeqrf, cusolverDnHandle_t h, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType type, void *A,
         int64_t lda, cudaDataType type_tau, void *tau, CUSOLVER_ROOM)
CUSOLVER(Xsyevd_bufferSize, cusolverDnHandle_t h, cusolverDnParams_t params, cusolverEigMode_t vectors,
         cublasFillMode_t fill, int64_t n, cudaDataType type, const void *A, int64_t lda, cudaDataType type_w,
         const void *W, CUSOLVER_SIZES)
CUSOLVER(Xsyevd, cusolverDnHandle_t h, cusolverDnParams_t params, cusolverEigMode_t vectors, cublasFillMode_t fill,
         int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType type_w, void *W, CUSOLVER_ROOM)
CUSOLVER(Xgesvd_bufferSize, cusolverDnHandle_t h, cusolverDnParams_t params, signed char jobu, signed char jobvt,
         int64_t m, int64_t n, cudaDataType type, const void *A, int64_t lda, cudaDataType type_s, const void *S,
         cudaDataType type_u, const void *left, int64_t ldu, cudaDataType type_v, const void *right, int64_t ldvt,
         CUSOLVER_SIZES)
CUSOLVER(Xgesvd, cusolverDnHandle_t h, cusolverDnParams_t params, signed char jobu, signed char jobvt, int64_t m,
         int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType type_s, void *S, cudaDataType type_u,
         void *left, int64_t ldu, cudaDataType type_v, void *right, int64_t ldvt, CUSOLVER_ROOM)

#undef CUSOLVER
#ifdef __cplusplus
}
#endif
#endif
