/*
 * cublas_batches.cpp - cuBLAS by OpenBLAS: batches of matrix-vector products, of triangular solves, and of groups of
 * matrix products with different shapes.
 */
#include "cublas.hpp"

using namespace simt_library;

#define SHAPE_OF_VECTORS \
    const auto a = c.scalar("alpha", alpha); const auto b = c.scalar("beta", beta); \
    const int used = is_zero(a) ? 0 : READS, kept = is_zero(b) ? WRITES : READS | WRITES; \
    const int columns = op == CUBLAS_OP_N ? n : m, rows = op == CUBLAS_OP_N ? m : n; \
    c.sizes({m, n, count}); c.wrong_if(!incx || !incy)
#define LOOK_AT(Ai, xi, yi) \
    c.matrix("A", Ai, m, n, lda, used); c.vector("x", xi, columns, incx, used); c.vector("y", yi, rows, incy, kept)
#define FAMILY(U, l, T) \
    cublasStatus_t cublas##U##gemvStridedBatched( \
        cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha, const T *A, int lda, long long stride_a, \
        const T *x, int incx, long long stride_x, const T *beta, T *y, int incy, long long stride_y, int count) \
    CALL(U, gemvStridedBatched, SHAPE_OF_VECTORS; \
         for (int i = 0; i < count; ++i) { LOOK_AT(A + i * stride_a, x + i * stride_x, y + i * stride_y); }, \
         for (int i = 0; i < count; ++i) \
             cblas_##l##gemv(CblasColMajor, way(op), m, n, by(a), A + i * stride_a, lda, x + i * stride_x, incx, \
                             by(b), y + i * stride_y, incy)) \
    cublasStatus_t cublas##U##gemvBatched(cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha, \
                                          const T *const A[], int lda, const T *const x[], int incx, const T *beta, \
                                          T *const y[], int incy, int count) \
    CALL(U, gemvBatched, SHAPE_OF_VECTORS; const auto As = pointers(c, "the pointers to A", A, count); \
         const auto xs = pointers(c, "the pointers to x", x, count); \
         const auto ys = pointers(c, "the pointers to y", y, count); \
         for (size_t i = 0; i < ys.size(); ++i) { LOOK_AT(As[i], xs[i], ys[i]); }, \
         for (size_t i = 0; i < ys.size(); ++i) \
             cblas_##l##gemv(CblasColMajor, way(op), m, n, by(a), As[i], lda, xs[i], incx, by(b), ys[i], \
                             incy)) \
    cublasStatus_t cublas##U##trsmBatched(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, \
                                          cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, \
                                          const T *alpha, const T *const A[], int lda, T *const B[], int ldb, \
                                          int count) \
    CALL(U, trsmBatched, const T a = c.scalar("alpha", alpha); const int k = side == CUBLAS_SIDE_LEFT ? m : n; \
         c.sizes({m, n, count}); const auto As = pointers(c, "the pointers to A", A, count); \
         const auto Bs = pointers(c, "the pointers to B", B, count); \
         for (size_t i = 0; i < Bs.size(); ++i) { \
             c.matrix("A", As[i], k, k, lda, is_zero(a) ? 0 : READS, part(fill)); \
             c.matrix("B", Bs[i], m, n, ldb, READS | WRITES); \
         }, \
         for (size_t i = 0; i < Bs.size(); ++i) \
             cblas_##l##trsm(CblasColMajor, from(side), triangle(fill), way(op), ones(diagonal), m, n, by(a), \
                             As[i], lda, Bs[i], ldb))
TYPES(FAMILY)
#undef FAMILY

/* Shapes and scalars are host arrays with one element per group; the pointers are on the GPU, group after group. */
#define FAMILY(U, l, T) \
    cublasStatus_t cublas##U##gemmGroupedBatched( \
        cublasHandle_t h, const cublasOperation_t opa[], const cublasOperation_t opb[], const int m[], const int n[], \
        const int k[], const T alpha[], const T *const A[], const int lda[], const T *const B[], const int ldb[], \
        const T beta[], T *const C[], const int ldc[], int groups, const int counts[]) \
    { \
        int first = 0; \
        cublasStatus_t status = groups < 0 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS; \
        for (int g = 0; g < groups && status == CUBLAS_STATUS_SUCCESS; first += counts[g++]) \
            status = cublas##U##gemmBatched(h, opa[g], opb[g], m[g], n[g], k[g], &alpha[g], A + first, lda[g], \
                                            B + first, ldb[g], &beta[g], C + first, ldc[g], counts[g]); \
        return status; \
    }
REALS(FAMILY)
#undef FAMILY

cublasStatus_t cublasGemmGroupedBatchedEx(
    cublasHandle_t h, const cublasOperation_t opa[], const cublasOperation_t opb[], const int m[], const int n[],
    const int k[], const void *alpha, const void *const A[], cudaDataType_t typea, const int lda[],
    const void *const B[], cudaDataType_t typeb, const int ldb[], const void *beta, void *const C[],
    cudaDataType_t typec, const int ldc[], int groups, const int counts[], cublasComputeType_t compute)
{
    const size_t bytes = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC ? 8
                       : compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC ? 2 : 4;
    int first = 0;
    cublasStatus_t status = groups < 0 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
    for (int g = 0; g < groups && status == CUBLAS_STATUS_SUCCESS; first += counts[g++])
        status = cublasGemmBatchedEx(h, opa[g], opb[g], m[g], n[g], k[g], (const char *)alpha + (size_t)g * bytes,
                                     A + first, typea, lda[g], B + first, typeb, ldb[g],
                                     (const char *)beta + (size_t)g * bytes, C + first, typec, ldc[g], counts[g],
                                     compute, CUBLAS_GEMM_DEFAULT);
    return status;
}
