/*
 * cublas_v2.h - linear algebra on the GPU, as its documentation describes it.  Here OpenBLAS does the work after every
 * operand has been checked (simtcc(1), LIBRARIES).
 *
 * A function for several types is declared as a family: U is S, D, C or Z in its name, l the same letter in lower case,
 * T the type.  Matrices are column-major.  Scalars and results that are numbers are on the host or on the GPU, as
 * cublasSetPointerMode says.
 */
#ifndef SIMT_CUBLAS_V2_H
#define SIMT_CUBLAS_V2_H
#define CUBLAS_V2_H_
#define CUBLAS_API_H_

#ifdef SIMT_CUBLAS_H
#error "cublas.h and cublas_v2.h are two interfaces: include one of them"
#endif

#include "cublas_types.h"

typedef struct cublasContext *cublasHandle_t;

#define CUBLAS_REALS(FAMILY) FAMILY(S, s, float) FAMILY(D, d, double)
#define CUBLAS_COMPLEXES(FAMILY) FAMILY(C, c, cuComplex) FAMILY(Z, z, cuDoubleComplex)
#define CUBLAS_TYPES(FAMILY) CUBLAS_REALS(FAMILY) CUBLAS_COMPLEXES(FAMILY)
/* The linker's name ends with _v2; without it, it is the first interface's function.  Programs may use both names. */
#define CUBLAS_V2(name, ...)                               \
    cublasStatus_t name(__VA_ARGS__) __asm__(#name "_v2"); \
    cublasStatus_t name##_v2(__VA_ARGS__);
#define CUBLAS_OP cublasOperation_t
#define CUBLAS_FILL cublasFillMode_t
#define CUBLAS_TRIANGLE cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal

#ifdef __cplusplus
extern "C" {
#endif

CUBLAS_V2(cublasCreate, cublasHandle_t *handle)
CUBLAS_V2(cublasDestroy, cublasHandle_t handle)
CUBLAS_V2(cublasGetVersion, cublasHandle_t handle, int *version)
CUBLAS_V2(cublasSetStream, cublasHandle_t handle, cudaStream_t stream)
CUBLAS_V2(cublasGetStream, cublasHandle_t handle, cudaStream_t *stream)
CUBLAS_V2(cublasSetPointerMode, cublasHandle_t handle, cublasPointerMode_t mode)
CUBLAS_V2(cublasGetPointerMode, cublasHandle_t handle, cublasPointerMode_t *mode)
CUBLAS_V2(cublasSetWorkspace, cublasHandle_t handle, void *workspace, size_t bytes)
/* Accepted without effect. */
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int *count);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);

/* ---- vectors: n elements, every inc-th ---- */

#define FAMILY(U, l, T)                                                                                                \
    CUBLAS_V2(cublas##U##axpy, cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y, int incy)          \
    CUBLAS_V2(cublas##U##copy, cublasHandle_t h, int n, const T *x, int incx, T *y, int incy)                          \
    CUBLAS_V2(cublas##U##swap, cublasHandle_t h, int n, T *x, int incx, T *y, int incy)                                \
    CUBLAS_V2(cublas##U##scal, cublasHandle_t h, int n, const T *alpha, T *x, int incx)                                \
    CUBLAS_V2(cublasI##l##amax, cublasHandle_t h, int n, const T *x, int incx, int *result)                            \
    CUBLAS_V2(cublasI##l##amin, cublasHandle_t h, int n, const T *x, int incx, int *result)
CUBLAS_TYPES(FAMILY)
#undef FAMILY
#define FAMILY(U, l, T)                                                                                                \
    CUBLAS_V2(cublas##U##dot, cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result)          \
    CUBLAS_V2(cublas##U##nrm2, cublasHandle_t h, int n, const T *x, int incx, T *result)                               \
    CUBLAS_V2(cublas##U##asum, cublasHandle_t h, int n, const T *x, int incx, T *result)                               \
    CUBLAS_V2(cublas##U##rot, cublasHandle_t h, int n, T *x, int incx, T *y, int incy, const T *c, const T *s)
CUBLAS_REALS(FAMILY)
#undef FAMILY
#define FAMILY(U, l, T)                                                                                                \
    CUBLAS_V2(cublas##U##dotu, cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result)         \
    CUBLAS_V2(cublas##U##dotc, cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result)
CUBLAS_COMPLEXES(FAMILY)
#undef FAMILY
/* Functions with both types in their names: the result is real. */
CUBLAS_V2(cublasScnrm2, cublasHandle_t h, int n, const cuComplex *x, int incx, float *result)
CUBLAS_V2(cublasDznrm2, cublasHandle_t h, int n, const cuDoubleComplex *x, int incx, double *result)
CUBLAS_V2(cublasScasum, cublasHandle_t h, int n, const cuComplex *x, int incx, float *result)
CUBLAS_V2(cublasDzasum, cublasHandle_t h, int n, const cuDoubleComplex *x, int incx, double *result)
CUBLAS_V2(cublasCsscal, cublasHandle_t h, int n, const float *alpha, cuComplex *x, int incx)
CUBLAS_V2(cublasZdscal, cublasHandle_t h, int n, const double *alpha, cuDoubleComplex *x, int incx)
/* Givens' rotation that makes b zero, the modified one without square roots, and the rotation of x and y by either. */
#define FAMILY(U, l, T)                                                                                                \
    CUBLAS_V2(cublas##U##rotg, cublasHandle_t h, T *a, T *b, T *c, T *s)                                               \
    CUBLAS_V2(cublas##U##rotmg, cublasHandle_t h, T *d1, T *d2, T *x1, const T *y1, T *param)                          \
    CUBLAS_V2(cublas##U##rotm, cublasHandle_t h, int n, T *x, int incx, T *y, int incy, const T *param)
CUBLAS_REALS(FAMILY)
#undef FAMILY
#define FAMILY_OF(name, T, R, S)                                                                                       \
    CUBLAS_V2(name, cublasHandle_t h, int n, T *x, int incx, T *y, int incy, const R *c, const S *s)
FAMILY_OF(cublasCrot, cuComplex, float, cuComplex)
FAMILY_OF(cublasCsrot, cuComplex, float, float)
FAMILY_OF(cublasZrot, cuDoubleComplex, double, cuDoubleComplex)
FAMILY_OF(cublasZdrot, cuDoubleComplex, double, double)
#undef FAMILY_OF
CUBLAS_V2(cublasCrotg, cublasHandle_t h, cuComplex *a, cuComplex *b, float *c, cuComplex *s)
CUBLAS_V2(cublasZrotg, cublasHandle_t h, cuDoubleComplex *a, cuDoubleComplex *b, double *c, cuDoubleComplex *s)

/* ---- a matrix and vectors ---- */

#define FAMILY(U, l, T)                                                                                                \
    CUBLAS_V2(cublas##U##gemv, cublasHandle_t h, CUBLAS_OP op, int m, int n, const T *alpha, const T *A, int lda,      \
              const T *x, int incx, const T *beta, T *y, int incy)                                                     \
    CUBLAS_V2(cublas##U##trsv, cublasHandle_t h, CUBLAS_TRIANGLE, int n, const T *A, int lda, T *x, int incx)          \
    CUBLAS_V2(cublas##U##trmv, cublasHandle_t h, CUBLAS_TRIANGLE, int n, const T *A, int lda, T *x, int incx)
CUBLAS_TYPES(FAMILY)
#undef FAMILY
#define FAMILY_OF(U, T, name)                                                                                          \
    CUBLAS_V2(cublas##U##name, cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx, const T *y,       \
              int incy, T *A, int lda)
#define FAMILY(U, l, T) FAMILY_OF(U, T, ger)
CUBLAS_REALS(FAMILY)
#undef FAMILY
#define FAMILY(U, l, T) FAMILY_OF(U, T, geru) FAMILY_OF(U, T, gerc)
CUBLAS_COMPLEXES(FAMILY)
#undef FAMILY
#undef FAMILY_OF
#define FAMILY_OF(U, T, name)                                                                                          \
    CUBLAS_V2(cublas##U##name, cublasHandle_t h, CUBLAS_FILL fill, int n, const T *alpha, const T *A, int lda,         \
              const T *x, int incx, const T *beta, T *y, int incy)
#define FAMILY(U, l, T) FAMILY_OF(U, T, symv)
CUBLAS_TYPES(FAMILY)
#undef FAMILY
#define FAMILY(U, l, T) FAMILY_OF(U, T, hemv)
CUBLAS_COMPLEXES(FAMILY)
#undef FAMILY
#undef FAMILY_OF
/* A + alpha x x^T and A + alpha (x y^T + y x^T), for one triangle of A or for a packed triangle AP. */
#define FAMILY(U, l, T)                                                                                                \
    CUBLAS_V2(cublas##U##syr, cublasHandle_t h, CUBLAS_FILL fill, int n, const T *alpha, const T *x, int incx, T *A,   \
              int lda)                                                                                                 \
    CUBLAS_V2(cublas##U##syr2, cublasHandle_t h, CUBLAS_FILL fill, int n, const T *alpha, const T *x, int incx,        \
              const T *y, int incy, T *A, int lda)
CUBLAS_TYPES(FAMILY)
#undef FAMILY
#define FAMILY_OF(U, T, R, name)                                                                                       \
    CUBLAS_V2(cublas##U##name, cublasHandle_t h, CUBLAS_FILL fill, int n, const R *alpha, const T *x, int incx, T *AP) \
    CUBLAS_V2(cublas##U##name##2, cublasHandle_t h, CUBLAS_FILL fill, int n, const T *alpha, const T *x, int incx,     \
              const T *y, int incy, T *AP)
FAMILY_OF(S, float, float, spr)
FAMILY_OF(D, double, double, spr)
FAMILY_OF(C, cuComplex, float, hpr)
FAMILY_OF(Z, cuDoubleComplex, double, hpr)
#undef FAMILY_OF
#define FAMILY_OF(U, T, R)                                                                                             \
    CUBLAS_V2(cublas##U##her, cublasHandle_t h, CUBLAS_FILL fill, int n, const R *alpha, const T *x, int incx, T *A,   \
              int lda)                                                                                                 \
    CUBLAS_V2(cublas##U##her2, cublasHandle_t h, CUBLAS_FILL fill, int n, const T *alpha, const T *x, int incx,        \
              const T *y, int incy, T *A, int lda)
FAMILY_OF(C, cuComplex, float)
FAMILY_OF(Z, cuDoubleComplex, double)
#undef FAMILY_OF
/* A band matrix has one diagonal per stored row; a packed triangle is stored column by column. */
#define FAMILY(U, l, T)                                                                                                \
    CUBLAS_V2(cublas##U##gbmv, cublasHandle_t h, CUBLAS_OP op, int m, int n, int kl, int ku, const T *alpha,           \
              const T *A, int lda, const T *x, int incx, const T *beta, T *y, int incy)                                \
    CUBLAS_V2(cublas##U##tbmv, cublasHandle_t h, CUBLAS_TRIANGLE, int n, int k, const T *A, int lda, T *x, int incx)   \
    CUBLAS_V2(cublas##U##tbsv, cublasHandle_t h, CUBLAS_TRIANGLE, int n, int k, const T *A, int lda, T *x, int incx)   \
    CUBLAS_V2(cublas##U##tpmv, cublasHandle_t h, CUBLAS_TRIANGLE, int n, const T *AP, T *x, int incx)                  \
    CUBLAS_V2(cublas##U##tpsv, cublasHandle_t h, CUBLAS_TRIANGLE, int n, const T *AP, T *x, int incx)                  \
    cublasStatus_t cublas##U##tpttr(cublasHandle_t h, CUBLAS_FILL fill, int n, const T *AP, T *A, int lda);            \
    cublasStatus_t cublas##U##trttp(cublasHandle_t h, CUBLAS_FILL fill, int n, const T *A, int lda, T *AP);
CUBLAS_TYPES(FAMILY)
#undef FAMILY
#define FAMILY_OF(U, T, banded, packed)                                                                                \
    CUBLAS_V2(cublas##U##banded, cublasHandle_t h, CUBLAS_FILL fill, int n, int k, const T *alpha, const T *A,         \
              int lda, const T *x, int incx, const T *beta, T *y, int incy)                                            \
    CUBLAS_V2(cublas##U##packed, cublasHandle_t h, CUBLAS_FILL fill, int n, const T *alpha, const T *AP, const T *x,   \
              int incx, const T *beta, T *y, int incy)
FAMILY_OF(S, float, sbmv, spmv)
FAMILY_OF(D, double, sbmv, spmv)
FAMILY_OF(C, cuComplex, hbmv, hpmv)
FAMILY_OF(Z, cuDoubleComplex, hbmv, hpmv)
#undef FAMILY_OF

/* ---- matrices ---- */

#define FAMILY(U, l, T)                                                                                                \
    CUBLAS_V2(cublas##U##gemm, cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k, const T *alpha,    \
              const T *A, int lda, const T *B, int ldb, const T *beta, T *C, int ldc)                                  \
    cublasStatus_t cublas##U##gemmBatched(cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k,         \
                                          const T *alpha, const T *const A[], int lda, const T *const B[], int ldb,    \
                                          const T *beta, T *const C[], int ldc, int count);                            \
    cublasStatus_t cublas##U##gemmStridedBatched(                                                                      \
        cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k, const T *alpha, const T *A, int lda,      \
        long long stride_a, const T *B, int ldb, long long stride_b, const T *beta, T *C, int ldc, long long stride_c, \
        int count);                                                                                                    \
    CUBLAS_V2(cublas##U##symm, cublasHandle_t h, cublasSideMode_t side, CUBLAS_FILL fill, int m, int n,                \
              const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C, int ldc)                  \
    CUBLAS_V2(cublas##U##syrk, cublasHandle_t h, CUBLAS_FILL fill, CUBLAS_OP op, int n, int k, const T *alpha,         \
              const T *A, int lda, const T *beta, T *C, int ldc)                                                       \
    CUBLAS_V2(cublas##U##syr2k, cublasHandle_t h, CUBLAS_FILL fill, CUBLAS_OP op, int n, int k, const T *alpha,        \
              const T *A, int lda, const T *B, int ldb, const T *beta, T *C, int ldc)                                  \
    CUBLAS_V2(cublas##U##trsm, cublasHandle_t h, cublasSideMode_t side, CUBLAS_TRIANGLE, int m, int n, const T *alpha, \
              const T *A, int lda, T *B, int ldb)                                                                      \
    /* C = alpha * op(A) * B, or alpha * B * op(A); C may be B */                                                      \
    CUBLAS_V2(cublas##U##trmm, cublasHandle_t h, cublasSideMode_t side, CUBLAS_TRIANGLE, int m, int n, const T *alpha, \
              const T *A, int lda, const T *B, int ldb, T *C, int ldc)                                                 \
    /* C = alpha * op(A) + beta * op(B); C may be A or B if op does not transpose it */                                \
    cublasStatus_t cublas##U##geam(cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, const T *alpha,       \
                                   const T *A, int lda, const T *beta, const T *B, int ldb, T *C, int ldc);            \
    /* C = diag(x) * A, or A * diag(x) */                                                                              \
    cublasStatus_t cublas##U##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T *A, int lda,         \
                                   const T *x, int incx, T *C, int ldc);                                              \
    /* P A = L U, in place: pivots has n numbers per matrix (NULL: no row exchange), info one number per matrix */     \
    cublasStatus_t cublas##U##getrfBatched(cublasHandle_t h, int n, T *const A[], int lda, int *pivots, int *info,     \
                                           int count);                                                                 \
    /* C = the inverse of each A; A, pivots: from getrfBatched */                                                      \
    cublasStatus_t cublas##U##getriBatched(cublasHandle_t h, int n, const T *const A[], int lda, const int *pivots,    \
                                           T *const C[], int ldc, int *info, int count);                               \
    /* B = the solutions of op(A) X = B; A, pivots: from getrfBatched; info: one number on the host */                 \
    cublasStatus_t cublas##U##getrsBatched(cublasHandle_t h, CUBLAS_OP op, int n, int columns, const T *const A[],     \
                                           int lda, const int *pivots, T *const B[], int ldb, int *info, int count);   \
    /* C = the inverses of A, n at most 32 */                                                                          \
    cublasStatus_t cublas##U##matinvBatched(cublasHandle_t h, int n, const T *const A[], int lda, T *const C[],        \
                                            int ldc, int *info, int count);                                            \
    /* A = Q R as LAPACK stores it; info is on the host */                                                             \
    cublasStatus_t cublas##U##geqrfBatched(cublasHandle_t h, int m, int n, T *const A[], int lda, T *const tau[],      \
                                           int *info, int count);                                                      \
    /* C = the least-squares solution of A X = C, m >= n; infos: one number per matrix on the GPU, or NULL */          \
    cublasStatus_t cublas##U##gelsBatched(cublasHandle_t h, CUBLAS_OP op, int m, int n, int columns, T *const A[],     \
                                          int lda, T *const C[], int ldc, int *info, int *infos, int count);           \
    cublasStatus_t cublas##U##gemvBatched(cublasHandle_t h, CUBLAS_OP op, int m, int n, const T *alpha,                \
                                          const T *const A[], int lda, const T *const x[], int incx, const T *beta,    \
                                          T *const y[], int incy, int count);                                          \
    cublasStatus_t cublas##U##gemvStridedBatched(                                                                      \
        cublasHandle_t h, CUBLAS_OP op, int m, int n, const T *alpha, const T *A, int lda, long long stride_a,         \
        const T *x, int incx, long long stride_x, const T *beta, T *y, int incy, long long stride_y, int count);       \
    cublasStatus_t cublas##U##trsmBatched(cublasHandle_t h, cublasSideMode_t side, CUBLAS_TRIANGLE, int m, int n,      \
                                          const T *alpha, const T *const A[], int lda, T *const B[], int ldb,          \
                                          int count);                                                                  \
    /* syrk with two matrices whose product the caller knows to be symmetric */                                        \
    cublasStatus_t cublas##U##syrkx(cublasHandle_t h, CUBLAS_FILL fill, CUBLAS_OP op, int n, int k, const T *alpha,    \
                                    const T *A, int lda, const T *B, int ldb, const T *beta, T *C, int ldc);
CUBLAS_TYPES(FAMILY)
#undef FAMILY
/* Hermitian products.  alpha of herk and beta of both rank-k updates are real.  gemm3m is gemm. */
#define FAMILY_OF(U, T, R)                                                                                             \
    CUBLAS_V2(cublas##U##hemm, cublasHandle_t h, cublasSideMode_t side, CUBLAS_FILL fill, int m, int n,                \
              const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C, int ldc)                  \
    CUBLAS_V2(cublas##U##herk, cublasHandle_t h, CUBLAS_FILL fill, CUBLAS_OP op, int n, int k, const R *alpha,         \
              const T *A, int lda, const R *beta, T *C, int ldc)                                                       \
    CUBLAS_V2(cublas##U##her2k, cublasHandle_t h, CUBLAS_FILL fill, CUBLAS_OP op, int n, int k, const T *alpha,        \
              const T *A, int lda, const T *B, int ldb, const R *beta, T *C, int ldc)                                  \
    cublasStatus_t cublas##U##herkx(cublasHandle_t h, CUBLAS_FILL fill, CUBLAS_OP op, int n, int k, const T *alpha,    \
                                    const T *A, int lda, const T *B, int ldb, const R *beta, T *C, int ldc);           \
    cublasStatus_t cublas##U##gemm3m(cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k,              \
                                     const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C,    \
                                     int ldc);
FAMILY_OF(C, cuComplex, float)
FAMILY_OF(Z, cuDoubleComplex, double)
#undef FAMILY_OF
cublasStatus_t cublasCgemm3mBatched(cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k,
                                    const cuComplex *alpha, const cuComplex *const A[], int lda,
                                    const cuComplex *const B[], int ldb, const cuComplex *beta, cuComplex *const C[],
                                    int ldc, int count);
cublasStatus_t cublasCgemm3mStridedBatched(cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k,
                                           const cuComplex *alpha, const cuComplex *A, int lda, long long stride_a,
                                           const cuComplex *B, int ldb, long long stride_b, const cuComplex *beta,
                                           cuComplex *C, int ldc, long long stride_c, int count);
/* A and C have type CUDA_C_32F. */
#define FAMILY(name, R)                                                                                                \
    cublasStatus_t name(cublasHandle_t h, CUBLAS_FILL fill, CUBLAS_OP op, int n, int k, const R *alpha, const void *A, \
                        cudaDataType typea, int lda, const R *beta, void *C, cudaDataType typec, int ldc);
FAMILY(cublasCsyrkEx, cuComplex)
FAMILY(cublasCsyrk3mEx, cuComplex)
FAMILY(cublasCherkEx, float)
FAMILY(cublasCherk3mEx, float)
#undef FAMILY
/* Groups of products: shapes, scalars and counts are host arrays; the pointers are in one array on the GPU. */
#define CUBLAS_GROUPS                                                                                                  \
    cublasHandle_t h, const CUBLAS_OP opa[], const CUBLAS_OP opb[], const int m[], const int n[], const int k[]
#define FAMILY(U, l, T)                                                                                                \
    cublasStatus_t cublas##U##gemmGroupedBatched(CUBLAS_GROUPS, const T alpha[], const T *const A[], const int lda[],  \
                                                 const T *const B[], const int ldb[], const T beta[], T *const C[],    \
                                                 const int ldc[], int groups, const int counts[]);
CUBLAS_REALS(FAMILY)
#undef FAMILY
cublasStatus_t cublasGemmGroupedBatchedEx(CUBLAS_GROUPS, const void *alpha, const void *const A[], cudaDataType_t typea,
                                          const int lda[], const void *const B[], cudaDataType_t typeb, const int ldb[],
                                          const void *beta, void *const C[], cudaDataType_t typec, const int ldc[],
                                          int groups, const int counts[], cublasComputeType_t compute);
#undef CUBLAS_GROUPS

/* All matrices have one type (float, double, half or bfloat16), or A and B have a shorter one than C (bytes: C is
 * int). */
cublasStatus_t cublasGemmEx(cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k, const void *alpha,
                            const void *A, cudaDataType typea, int lda, const void *B, cudaDataType typeb, int ldb,
                            const void *beta, void *C, cudaDataType typec, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k, const void *alpha, const void *A,
    cudaDataType typea, int lda, long long stride_a, const void *B, cudaDataType typeb, int ldb, long long stride_b,
    const void *beta, void *C, cudaDataType typec, int ldc, long long stride_c, int count, cublasComputeType_t compute,
    cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k,
                                   const void *alpha, const void *const A[], cudaDataType typea, int lda,
                                   const void *const B[], cudaDataType typeb, int ldb, const void *beta,
                                   void *const C[], cudaDataType typec, int ldc, int count,
                                   cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
/* Each vector has a type; the last type is the one of the sums, which is always double here. */
cublasStatus_t cublasDotEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, const void *y,
                           cudaDataType typey, int incy, void *out, cudaDataType type, cudaDataType sums);
cublasStatus_t cublasDotcEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, const void *y,
                            cudaDataType typey, int incy, void *out, cudaDataType type, cudaDataType sums);
cublasStatus_t cublasNrm2Ex(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, void *out,
                            cudaDataType type, cudaDataType sums);
cublasStatus_t cublasAxpyEx(cublasHandle_t h, int n, const void *alpha, cudaDataType typealpha, const void *x,
                            cudaDataType typex, int incx, void *y, cudaDataType typey, int incy, cudaDataType sums);
cublasStatus_t cublasScalEx(cublasHandle_t h, int n, const void *alpha, cudaDataType typealpha, void *x,
                            cudaDataType typex, int incx, cudaDataType sums);
cublasStatus_t cublasAsumEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, void *out,
                            cudaDataType type, cudaDataType sums);
cublasStatus_t cublasCopyEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, void *y,
                            cudaDataType typey, int incy);
cublasStatus_t cublasSwapEx(cublasHandle_t h, int n, void *x, cudaDataType typex, int incx, void *y,
                            cudaDataType typey, int incy);
cublasStatus_t cublasIamaxEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, int *result);
cublasStatus_t cublasIaminEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, int *result);
cublasStatus_t cublasRotEx(cublasHandle_t h, int n, void *x, cudaDataType typex, int incx, void *y, cudaDataType typey,
                           int incy, const void *c, const void *s, cudaDataType type, cudaDataType sums);
cublasStatus_t cublasSgemmEx(cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k, const float *alpha,
                             const void *A, cudaDataType typea, int lda, const void *B, cudaDataType typeb, int ldb,
                             const float *beta, void *C, cudaDataType typec, int ldc);
#ifdef __cplusplus
struct __half;
cublasStatus_t cublasHgemm(cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k, const __half *alpha,
                           const __half *A, int lda, const __half *B, int ldb, const __half *beta, __half *C, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k,
                                         const __half *alpha, const __half *A, int lda, long long stride_a,
                                         const __half *B, int ldb, long long stride_b, const __half *beta, __half *C,
                                         int ldc, long long stride_c, int count);
cublasStatus_t cublasHgemmBatched(cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k,
                                  const __half *alpha, const __half *const A[], int lda, const __half *const B[],
                                  int ldb, const __half *beta, __half *const C[], int ldc, int count);
}

/* The interfaces before CUDA 11, which give the type of the sums instead of a compute type. */
static inline cublasComputeType_t simt_compute_of(cudaDataType t)
{
    return t == CUDA_R_64F ? CUBLAS_COMPUTE_64F : t == CUDA_R_32I ? CUBLAS_COMPUTE_32I
        : t == CUDA_R_16F ? CUBLAS_COMPUTE_16F : CUBLAS_COMPUTE_32F;
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType typea, int lda, const void *B,
                                          cudaDataType typeb, int ldb, const void *beta, void *C, cudaDataType typec,
                                          int ldc, cudaDataType compute, cublasGemmAlgo_t algorithm)
{
    return cublasGemmEx(h, opa, opb, m, n, k, alpha, A, typea, lda, B, typeb, ldb, beta, C, typec, ldc,
                        simt_compute_of(compute), algorithm);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k, const void *alpha, const void *A,
    cudaDataType typea, int lda, long long stride_a, const void *B, cudaDataType typeb, int ldb, long long stride_b,
    const void *beta, void *C, cudaDataType typec, int ldc, long long stride_c, int count, cudaDataType compute,
    cublasGemmAlgo_t algorithm)
{
    return cublasGemmStridedBatchedEx(h, opa, opb, m, n, k, alpha, A, typea, lda, stride_a, B, typeb, ldb, stride_b,
                                      beta, C, typec, ldc, stride_c, count, simt_compute_of(compute), algorithm);
}
static inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t h, CUBLAS_OP opa, CUBLAS_OP opb, int m, int n, int k,
                                                 const void *alpha, const void *const A[], cudaDataType typea, int lda,
                                                 const void *const B[], cudaDataType typeb, int ldb, const void *beta,
                                                 void *const C[], cudaDataType typec, int ldc, int count,
                                                 cudaDataType compute, cublasGemmAlgo_t algorithm)
{
    return cublasGemmBatchedEx(h, opa, opb, m, n, k, alpha, A, typea, lda, B, typeb, ldb, beta, C, typec, ldc, count,
                               simt_compute_of(compute), algorithm);
}
#endif

#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm

#undef CUBLAS_REALS
#undef CUBLAS_COMPLEXES
#undef CUBLAS_TYPES
#undef CUBLAS_V2
#undef CUBLAS_OP
#undef CUBLAS_FILL
#undef CUBLAS_TRIANGLE

#endif
