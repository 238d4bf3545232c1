/*
 * cublas_matrices.cpp - cuBLAS by OpenBLAS: a matrix and vectors, and matrices.
 */
#include <cmath>
#include <cstring>
#include "cublas.hpp"

using namespace simt_library;


/* ---- a matrix and vectors ---- */

#define TRIANGLE(U, l, T, name)                                                                                        \
    cublasStatus_t cublas##U##name(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,                      \
                                   cublasDiagType_t diagonal, int n, const T *A, int lda, T *x, int incx)              \
    CALL(U, name, c.matrix("A", A, n, n, lda, READS, part(fill)); c.wrong_if(!incx);                                   \
         c.vector("x", x, n, incx, READS | WRITES),                                                                    \
         cblas_##l##name(CblasColMajor, triangle(fill), way(op), ones(diagonal), n, A, lda, x, incx))
#define FAMILY(U, l, T)                                                                                                \
    cublasStatus_t cublas##U##gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha, const T *A,   \
                                   int lda, const T *x, int incx, const T *beta, T *y, int incy)                       \
    CALL(U, gemv, const T a = c.scalar("alpha", alpha); const T b = c.scalar("beta", beta);                            \
         const int columns = op == CUBLAS_OP_N ? n : m; const int rows = op == CUBLAS_OP_N ? m : n;                    \
         c.matrix("A", A, m, n, lda, IF_USED(a, READS)); c.wrong_if(!incx || !incy);                                   \
         c.vector("x", x, columns, incx, IF_USED(a, READS)); c.vector("y", y, rows, incy, KEEPS(b)),                   \
         cblas_##l##gemv(CblasColMajor, way(op), m, n, by(a), A, lda, x, incx, by(b), y, incy))                        \
    TRIANGLE(U, l, T, trsv) TRIANGLE(U, l, T, trmv)
TYPES(FAMILY)
#undef FAMILY

#define OUTER(U, l, T, name)                                                                                           \
    cublasStatus_t cublas##U##name(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx, const T *y,   \
                                   int incy, T *A, int lda)                                                            \
    CALL(U, name, const T a = c.scalar("alpha", alpha); c.wrong_if(!incx || !incy); c.vector("x", x, m, incx, READS);  \
         c.vector("y", y, n, incy, READS); c.matrix("A", A, m, n, lda, READS | WRITES),                                \
         cblas_##l##name(CblasColMajor, m, n, by(a), x, incx, y, incy, A, lda))
#define SYMMETRIC(U, l, T, name)                                                                                       \
    cublasStatus_t cublas##U##name(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *A,         \
                                   int lda, const T *x, int incx, const T *beta, T *y, int incy)                       \
    CALL(U, name, const T a = c.scalar("alpha", alpha); const T b = c.scalar("beta", beta);                            \
         c.matrix("A", A, n, n, lda, IF_USED(a, READS), part(fill)); c.wrong_if(!incx || !incy);                       \
         c.vector("x", x, n, incx, IF_USED(a, READS)); c.vector("y", y, n, incy, KEEPS(b)),                            \
         cblas_##l##name(CblasColMajor, triangle(fill), n, by(a), A, lda, x, incx, by(b), y, incy))
#define FAMILY(U, l, T) OUTER(U, l, T, ger) SYMMETRIC(U, l, T, symv)
REALS(FAMILY)
#undef FAMILY
#define FAMILY(U, l, T) OUTER(U, l, T, geru) OUTER(U, l, T, gerc) SYMMETRIC(U, l, T, hemv)
COMPLEXES(FAMILY)
#undef FAMILY

/* ---- the product of matrices ---- */

/* The shape and the operands of one product, C = alpha * op(A) * op(B) + beta * C. */
template <class T> struct product {
    cublasOperation_t opa, opb;
    int m, n, k;
    T alpha, beta;
    int lda, ldb, ldc;

    void operands(blas_call &c, const T *A, const T *B, T *C) const
    {
        const int used = IF_USED(alpha, READS);
        c.sizes({m, n, k});
        c.matrix("A", A, opa == CUBLAS_OP_N ? m : k, opa == CUBLAS_OP_N ? k : m, lda, m && n ? used : 0);
        c.matrix("B", B, opb == CUBLAS_OP_N ? k : n, opb == CUBLAS_OP_N ? n : k, ldb, m && n ? used : 0);
        c.matrix("C", C, m, n, ldc, KEEPS(beta));
    }
    void does_what(blas_call &c) const { c.does_what(opa, opb, m, n, k, alpha, beta, lda, ldb, ldc); }
    void multiply(const T *A, const T *B, T *C) const
    { gemm(way(opa), way(opb), m, n, k, alpha, A, lda, B, ldb, beta, C, ldc); }
};

#define SHAPE(T) const product<T> p{opa, opb, m, n, k, c.scalar("alpha", alpha), c.scalar("beta", beta), lda, ldb, ldc}
#define FAMILY(U, l, T)                                                                                                \
    cublasStatus_t cublas##U##gemm(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n,       \
                                   int k, const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta,     \
                                   T *C, int ldc)                                                                      \
    CALL(U, gemm, SHAPE(T); p.does_what(c); p.operands(c, A, B, C), p.multiply(A, B, C))                               \
    cublasStatus_t cublas##U##gemmStridedBatched(                                                                      \
        cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, const T *alpha,           \
        const T *A, int lda, long long stride_a, const T *B, int ldb, long long stride_b, const T *beta, T *C,         \
        int ldc, long long stride_c, int count)                                                                        \
    CALL(U, gemmStridedBatched, SHAPE(T); p.does_what(c); c.sizes({count});                                            \
         for (int i = 0; i < count; ++i) p.operands(c, A + i * stride_a, B + i * stride_b, C + i * stride_c),          \
         for (int i = 0; i < count; ++i) p.multiply(A + i * stride_a, B + i * stride_b, C + i * stride_c))             \
    /* the pointers lie in the GPU's memory, too: they are fetched to be looked at */                                 \
    cublasStatus_t cublas##U##gemmBatched(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m,       \
                                          int n, int k, const T *alpha, const T *const A[], int lda,                   \
                                          const T *const B[], int ldb, const T *beta, T *const C[], int ldc,           \
                                          int count)                                                                   \
    CALL(U, gemmBatched, SHAPE(T); p.does_what(c); c.sizes({count});                                                   \
         const auto As = pointers(c, "the pointers to A", A, count);                                                   \
         const auto Bs = pointers(c, "the pointers to B", B, count);                                                   \
         const auto Cs = pointers(c, "the pointers to C", C, count);                                                   \
         for (int i = 0; i < (int)Cs.size(); ++i) p.operands(c, As[i], Bs[i], Cs[i]),                                  \
         for (int i = 0; i < count; ++i) p.multiply(As[i], Bs[i], Cs[i]))
TYPES(FAMILY)
#undef FAMILY

/* ---- other products ---- */

#define SYMMETRIC_SIDE(U, l, T, name)                                                                                  \
    cublasStatus_t cublas##U##name(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,       \
                                   const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C,      \
                                   int ldc)                                                                            \
    CALL(U, name, const T a = c.scalar("alpha", alpha); const T b = c.scalar("beta", beta); const int k = LEFT(m, n);  \
         c.matrix("A", A, k, k, lda, IF_USED(a, READS), part(fill)); c.matrix("B", B, m, n, ldb, IF_USED(a, READS));   \
         c.matrix("C", C, m, n, ldc, KEEPS(b)),                                                                        \
         cblas_##l##name(CblasColMajor, from(side), triangle(fill), m, n, by(a), A, lda, B, ldb, by(b), C, ldc))
#define FAMILY(U, l, T)                                                                                                \
    SYMMETRIC_SIDE(U, l, T, symm)                                                                                      \
    cublasStatus_t cublas##U##syrk(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k,        \
                                   const T *alpha, const T *A, int lda, const T *beta, T *C, int ldc)                  \
    CALL(U, syrk, const T a = c.scalar("alpha", alpha); const T b = c.scalar("beta", beta);                            \
         const bool plain = op == CUBLAS_OP_N;                                                                         \
         c.matrix("A", A, plain ? n : k, plain ? k : n, lda, IF_USED(a, READS));                                       \
         c.matrix("C", C, n, n, ldc, KEEPS(b), part(fill)),                                                            \
         cblas_##l##syrk(CblasColMajor, triangle(fill), plain ? CblasNoTrans : CblasTrans, n, k, by(a), A, lda, by(b), \
                         C, ldc))                                                                                      \
    cublasStatus_t cublas##U##syr2k(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k,       \
                                    const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C,     \
                                    int ldc)                                                                           \
    CALL(U, syr2k, const T a = c.scalar("alpha", alpha); const T b = c.scalar("beta", beta);                           \
         const bool plain = op == CUBLAS_OP_N;                                                                         \
         c.matrix("A", A, plain ? n : k, plain ? k : n, lda, IF_USED(a, READS));                                       \
         c.matrix("B", B, plain ? n : k, plain ? k : n, ldb, IF_USED(a, READS));                                       \
         c.matrix("C", C, n, n, ldc, KEEPS(b), part(fill)),                                                            \
         cblas_##l##syr2k(CblasColMajor, triangle(fill), plain ? CblasNoTrans : CblasTrans, n, k, by(a), A, lda, B,    \
                          ldb, by(b), C, ldc))                                                                         \
    cublasStatus_t cublas##U##trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,                     \
                                   cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const T *alpha,      \
                                   const T *A, int lda, T *B, int ldb)                                                 \
    CALL(U, trsm, const T a = c.scalar("alpha", alpha); const int k = LEFT(m, n);                                      \
         c.matrix("A", A, k, k, lda, IF_USED(a, READS), part(fill)); c.matrix("B", B, m, n, ldb, READS | WRITES),      \
         cblas_##l##trsm(CblasColMajor, from(side), triangle(fill), way(op), ones(diagonal), m, n, by(a), A, lda, B,   \
                         ldb))                                                                                         \
    cublasStatus_t cublas##U##trmm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,                     \
                                   cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const T *alpha,      \
                                   const T *A, int lda, const T *B, int ldb, T *C, int ldc)                            \
    CALL(U, trmm, const T a = c.scalar("alpha", alpha); const int k = LEFT(m, n);                                      \
         c.matrix("A", A, k, k, lda, IF_USED(a, READS), part(fill)); c.matrix("B", B, m, n, ldb, READS);               \
         c.matrix("C", C, m, n, ldc, WRITES), copy_columns(B, ldb, C, ldc, m, n);                                      \
         cblas_##l##trmm(CblasColMajor, from(side), triangle(fill), way(op), ones(diagonal), m, n, by(a), A, lda, C,   \
                         ldc))

template <class T> static void copy_columns(const T *from, int ldf, T *to, int ldt, int m, int n)
{
    for (int j = 0; j < n; ++j)
        memmove(to + (size_t)j * (size_t)ldt, from + (size_t)j * (size_t)ldf, (size_t)m * sizeof *to);
}
TYPES(FAMILY)
#undef FAMILY
#define FAMILY(U, l, T) SYMMETRIC_SIDE(U, l, T, hemm)
COMPLEXES(FAMILY)
#undef FAMILY

/* ---- operations that OpenBLAS does not have ---- */

/* alpha times an element of op(A), or zero if alpha is zero. */
template <class T> static T element(T alpha, const T *A, int lda, cublasOperation_t op, int i, int j)
{
    if (is_zero(alpha))
        return T{};
    const T a = op == CUBLAS_OP_N ? A[i + (size_t)j * (size_t)lda] : A[j + (size_t)i * (size_t)lda];
    return times(alpha, op == CUBLAS_OP_C ? conjugate(a) : a);
}

template <class T>
static void add(cublasOperation_t opa, cublasOperation_t opb, int m, int n, T alpha, const T *A, int lda, T beta,
                const T *B, int ldb, T *C, int ldc)
{
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
            C[i + (size_t)j * (size_t)ldc] = plus(element(alpha, A, lda, opa, i, j), element(beta, B, ldb, opb, i, j));
}

template <class T>
static void scale(cublasSideMode_t side, int m, int n, const T *A, int lda, const T *x, int incx, T *C, int ldc)
{
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            const int k = LEFT(i, j), last = LEFT(m, n) - 1;
            const T s = x[(ptrdiff_t)(incx < 0 ? k - last : k) * incx];
            C[i + (size_t)j * (size_t)ldc] = times(s, A[i + (size_t)j * (size_t)lda]);
        }
}

#define SIDE(op, p, name, x, ld)                                                                                       \
    c.matrix(name, p, op == CUBLAS_OP_N ? m : n, op == CUBLAS_OP_N ? n : m, ld, IF_USED(x, READS))
#define FAMILY(U, l, T)                                                                                                \
    cublasStatus_t cublas##U##geam(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n,       \
                                   const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C,      \
                                   int ldc)                                                                            \
    CALL(U, geam, const T a = c.scalar("alpha", alpha); const T b = c.scalar("beta", beta); SIDE(opa, A, "A", a, lda); \
         SIDE(opb, B, "B", b, ldb); c.matrix("C", C, m, n, ldc, WRITES);                                               \
         c.wrong_if((C == A && (opa != CUBLAS_OP_N || lda != ldc)) || (C == B && (opb != CUBLAS_OP_N || ldb != ldc))), \
         add(opa, opb, m, n, a, A, lda, b, B, ldb, C, ldc))                                                            \
    cublasStatus_t cublas##U##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T *A, int lda,         \
                                   const T *x, int incx, T *C, int ldc)                                                \
    CALL(U, dgmm, c.matrix("A", A, m, n, lda, READS); c.vector("x", x, LEFT(m, n), incx, READS);                       \
         c.matrix("C", C, m, n, ldc, WRITES), scale(side, m, n, A, lda, x, incx, C, ldc))
TYPES(FAMILY)
#undef FAMILY
