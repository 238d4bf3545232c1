/*
 * cublas_hermitian.cpp - cuBLAS by OpenBLAS: products of Hermitian matrices, products that the caller knows to be
 * symmetric, and the names of cuBLAS's faster complex products.
 */
#include "cublas.hpp"

using namespace simt_library;

#define SIDE_OF_C(name, p, ld, used)                                                                                   \
    c.matrix(name, p, op == CUBLAS_OP_N ? n : k, op == CUBLAS_OP_N ? k : n, ld, (used) ? READS : 0)

#define FAMILY(U, l, T)                                                                                                \
    cublasStatus_t cublas##U##herk(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k,        \
                                   const real<T> *alpha, const T *A, int lda, const real<T> *beta, T *C, int ldc)      \
    CALL(U, herk, const real<T> a = c.scalar("alpha", alpha); const real<T> b = c.scalar("beta", beta);                \
         c.wrong_if(op == CUBLAS_OP_T); SIDE_OF_C("A", A, lda, a != 0);                                                \
         c.matrix("C", C, n, n, ldc, KEEPS(b), part(fill)),                                                            \
         cblas_##l##herk(CblasColMajor, triangle(fill), way(op), n, k, a, A, lda, b, C, ldc))                          \
    cublasStatus_t cublas##U##her2k(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k,       \
                                    const T *alpha, const T *A, int lda, const T *B, int ldb, const real<T> *beta,     \
                                    T *C, int ldc)                                                                     \
    CALL(U, her2k, const T a = c.scalar("alpha", alpha); const real<T> b = c.scalar("beta", beta);                     \
         c.wrong_if(op == CUBLAS_OP_T); SIDE_OF_C("A", A, lda, !is_zero(a)); SIDE_OF_C("B", B, ldb, !is_zero(a));      \
         c.matrix("C", C, n, n, ldc, KEEPS(b), part(fill)),                                                            \
         cblas_##l##her2k(CblasColMajor, triangle(fill), way(op), n, k, by(a), A, lda, B, ldb, b, C, ldc))             \
    cublasStatus_t cublas##U##gemm3m(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n,     \
                                     int k, const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta,   \
                                     T *C, int ldc)                                                                    \
    { return cublas##U##gemm(h, opa, opb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc); }
COMPLEXES(FAMILY)
#undef FAMILY
cublasStatus_t cublasCgemm3mBatched(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                                    const cuComplex *alpha, const cuComplex *const A[], int lda,
                                    const cuComplex *const B[], int ldb, const cuComplex *beta, cuComplex *const C[],
                                    int ldc, int count)
{ return cublasCgemmBatched(h, opa, opb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, count); }
cublasStatus_t cublasCgemm3mStridedBatched(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                                           int k, const cuComplex *alpha, const cuComplex *A, int lda,
                                           long long stride_a, const cuComplex *B, int ldb, long long stride_b,
                                           const cuComplex *beta, cuComplex *C, int ldc, long long stride_c, int count)
{
    return cublasCgemmStridedBatched(h, opa, opb, m, n, k, alpha, A, lda, stride_a, B, ldb, stride_b, beta, C, ldc,
                                     stride_c, count);
}

/* ---- C = alpha op(A) op(B)^T + beta C, one triangle only ---- */

template <class T, class B>
static void add_triangle(cublasFillMode_t fill, int n, const std::vector<T> &p, B beta, T *C, int ldc)
{
    for (int j = 0; j < n; ++j)
        for (int i = fill == CUBLAS_FILL_MODE_UPPER ? 0 : j; i < (fill == CUBLAS_FILL_MODE_UPPER ? j + 1 : n); ++i) {
            T &to = C[i + (size_t)j * (size_t)ldc];
            const T &product = p[(size_t)i + (size_t)j * (size_t)n];
            to = is_zero(beta) ? product : plus(product, times(beta, to));
        }
}
template <class T> static void real_diagonal(int n, T *C, int ldc)
{
    for (int i = 0; i < n; ++i)
        C[i + (size_t)i * (size_t)ldc].y = 0;
}

#define BOTH_SIDES                                                                                                     \
    SIDE_OF_C("A", A, lda, !is_zero(a)); SIDE_OF_C("B", B, ldb, !is_zero(a));                                          \
    c.matrix("C", C, n, n, ldc, KEEPS(b), part(fill))
#define KNOWN_PRODUCT(l, T, turned)                                                                                    \
    std::vector<T> p((size_t)n * (size_t)n); const T zero = {};                                                        \
    const bool plain = op == CUBLAS_OP_N;                                                                              \
    if (n) cblas_##l##gemm(CblasColMajor, plain ? CblasNoTrans : turned, plain ? turned : CblasNoTrans, n, n, k,       \
                           by(a), A, lda, B, ldb, by(zero), p.data(), n)
#define FAMILY(U, l, T)                                                                                                \
    cublasStatus_t cublas##U##syrkx(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k,       \
                                    const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C,     \
                                    int ldc)                                                                           \
    CALL(U, syrkx, const T a = c.scalar("alpha", alpha); const T b = c.scalar("beta", beta); BOTH_SIDES,               \
         KNOWN_PRODUCT(l, T, CblasTrans); add_triangle(fill, n, p, b, C, ldc))
TYPES(FAMILY)
#undef FAMILY
#define FAMILY(U, l, T)                                                                                                \
    cublasStatus_t cublas##U##herkx(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k,       \
                                    const T *alpha, const T *A, int lda, const T *B, int ldb, const real<T> *beta,     \
                                    T *C, int ldc)                                                                     \
    CALL(U, herkx, const T a = c.scalar("alpha", alpha); const real<T> b = c.scalar("beta", beta);                     \
         c.wrong_if(op == CUBLAS_OP_T); BOTH_SIDES,                                                                    \
         KNOWN_PRODUCT(l, T, CblasConjTrans); add_triangle(fill, n, p, b, C, ldc); real_diagonal(n, C, ldc))
COMPLEXES(FAMILY)
#undef FAMILY

/* Complex numbers of floats; complex numbers of bytes are refused. */
#define EX(name, R, does)                                                                                              \
    cublasStatus_t cublas##name(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k,           \
                                const R *alpha, const void *A, cudaDataType typea, int lda, const R *beta, void *C,    \
                                cudaDataType typec, int ldc)                                                           \
    {                                                                                                                  \
        if (typea != CUDA_C_32F || typec != CUDA_C_32F)                                                                \
            return CUBLAS_STATUS_NOT_SUPPORTED;                                                                        \
        return does(h, fill, op, n, k, alpha, (const cuComplex *)A, lda, beta, (cuComplex *)C, ldc);                   \
    }
EX(CsyrkEx, cuComplex, cublasCsyrk)
EX(Csyrk3mEx, cuComplex, cublasCsyrk)
EX(CherkEx, float, cublasCherk)
EX(Cherk3mEx, float, cublasCherk)
