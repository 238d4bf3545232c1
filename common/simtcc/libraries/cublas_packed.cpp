/*
 * cublas_packed.cpp - cuBLAS by OpenBLAS: band matrices, packed triangles, and updates of a matrix by vectors.
 *
 * A band of kl diagonals below and ku above the main one is stored as kl + ku + 1 rows, one diagonal each.  A packed
 * triangle is stored column after column, n (n + 1) / 2 numbers.
 */
#include "cublas.hpp"

using namespace simt_library;

/* Copies a vector with a step (from its end if the step is negative) to one without gaps, and back. */
template <class T> static std::vector<T> in_order(const T *x, int n, int step)
{
    std::vector<T> all((size_t)(n > 0 ? n : 0));
    for (int i = 0; i < n; ++i)
        all[(size_t)i] = x[place(i, n, step)];
    return all;
}
template <class T> static void put_back(const std::vector<T> &all, T *y, int n, int step)
{
    for (int i = 0; i < n; ++i)
        y[place(i, n, step)] = all[(size_t)i];
}

static cuComplex unit(cuComplex) { return make_cuComplex(1, 0); }
static cuDoubleComplex unit(cuDoubleComplex) { return make_cuDoubleComplex(1, 0); }

static int triangle_of(int n) { return n > 0 ? n * (n + 1) / 2 : 0; }

/* The corners of a band are not read. */
#define BAND(rows, columns, used) c.sizes({(rows) - 1}); c.matrix("A", A, rows, columns, lda, (used) ? SOME : 0)
#define PACKED(does) c.sizes({n}); c.vector("the triangle", AP, triangle_of(n), 1, does)
#define SCALARS                                                                                                        \
    const auto a = c.scalar("alpha", alpha); const auto b = c.scalar("beta", beta); c.wrong_if(!incx || !incy)
#define X_AND_Y(columns, rows)                                        \
    c.vector("x", x, columns, incx, is_zero(a) ? 0 : READS);          \
    c.vector("y", y, rows, incy, is_zero(b) ? WRITES : READS | WRITES)

/* ---- y = alpha op(A) x + beta y ---- */

#define FAMILY(U, l, T)                                                                                                \
    cublasStatus_t cublas##U##gbmv(cublasHandle_t h, cublasOperation_t op, int m, int n, int kl, int ku,               \
                                   const T *alpha, const T *A, int lda, const T *x, int incx, const T *beta, T *y,     \
                                   int incy)                                                                           \
    CALL(U, gbmv, SCALARS; c.sizes({m, n, kl, ku}); BAND(kl + ku + 1, n, !is_zero(a));                                 \
         X_AND_Y(op == CUBLAS_OP_N ? n : m, op == CUBLAS_OP_N ? m : n),                                                \
         cblas_##l##gbmv(CblasColMajor, way(op), m, n, kl, ku, by(a), A, lda, x, incx, by(b), y, incy))
TYPES(FAMILY)
#undef FAMILY

#define BANDED(U, l, T, name)                                                                                          \
    cublasStatus_t cublas##U##name(cublasHandle_t h, cublasFillMode_t fill, int n, int k, const T *alpha, const T *A,  \
                                   int lda, const T *x, int incx, const T *beta, T *y, int incy)                       \
    CALL(U, name, SCALARS; c.sizes({k}); BAND(k + 1, n, !is_zero(a)); X_AND_Y(n, n),                                   \
         cblas_##l##name(CblasColMajor, triangle(fill), n, k, by(a), A, lda, x, incx, by(b), y, incy))
#define IN_A_TRIANGLE(U, l, T, name)                                                                                   \
    cublasStatus_t cublas##U##name(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *AP,        \
                                   const T *x, int incx, const T *beta, T *y, int incy)                                \
    CALL(U, name, SCALARS; PACKED(is_zero(a) ? 0 : READS); X_AND_Y(n, n),                                              \
         cblas_##l##name(CblasColMajor, triangle(fill), n, by(a), AP, x, incx, by(b), y, incy))
#define FAMILY(U, l, T) BANDED(U, l, T, sbmv) IN_A_TRIANGLE(U, l, T, spmv)
REALS(FAMILY)
#undef FAMILY
#define FAMILY(U, l, T) BANDED(U, l, T, hbmv) IN_A_TRIANGLE(U, l, T, hpmv)
COMPLEXES(FAMILY)
#undef FAMILY

/* OpenBLAS multiplies a complex symmetric matrix only by another matrix, so each vector is a matrix of one column. */
#define FAMILY(U, l, T)                                                                                                \
    cublasStatus_t cublas##U##symv(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *A,         \
                                   int lda, const T *x, int incx, const T *beta, T *y, int incy)                       \
    CALL(U, symv, SCALARS; c.matrix("A", A, n, n, lda, is_zero(a) ? 0 : READS, part(fill)); X_AND_Y(n, n),             \
         std::vector<T> in = in_order(x, n, incx), out = in_order(y, n, incy);                                         \
         if (n) cblas_##l##symm(CblasColMajor, CblasLeft, triangle(fill), n, 1, by(a), A, lda, in.data(), n, by(b),    \
                                out.data(), n);                                                                        \
         put_back(out, y, n, incy))
COMPLEXES(FAMILY)
#undef FAMILY

/* ---- x = op(A) x, and solving op(A) x = b, where x replaces b ---- */

#define BANDED_TRIANGLE(U, l, T, name)                                                                                 \
    cublasStatus_t cublas##U##name(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,                      \
                                   cublasDiagType_t diagonal, int n, int k, const T *A, int lda, T *x, int incx)       \
    CALL(U, name, c.sizes({k}); c.wrong_if(!incx); BAND(k + 1, n, true); c.vector("x", x, n, incx, READS | WRITES),    \
         cblas_##l##name(CblasColMajor, triangle(fill), way(op), ones(diagonal), n, k, A, lda, x, incx))
#define PACKED_TRIANGLE(U, l, T, name)                                                                                 \
    cublasStatus_t cublas##U##name(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,                      \
                                   cublasDiagType_t diagonal, int n, const T *AP, T *x, int incx)                      \
    CALL(U, name, c.wrong_if(!incx); PACKED(SOME); c.vector("x", x, n, incx, READS | WRITES),                  \
         cblas_##l##name(CblasColMajor, triangle(fill), way(op), ones(diagonal), n, AP, x, incx))
#define FAMILY(U, l, T)                                                                                                \
    BANDED_TRIANGLE(U, l, T, tbmv) BANDED_TRIANGLE(U, l, T, tbsv)                                                      \
    PACKED_TRIANGLE(U, l, T, tpmv) PACKED_TRIANGLE(U, l, T, tpsv)
TYPES(FAMILY)
#undef FAMILY

/* ---- A + alpha x x^T, and A + alpha x y^T + alpha y x^T ---- */

#define VECTORS c.wrong_if(!incx || !incy); c.vector("x", x, n, incx, READS); c.vector("y", y, n, incy, READS)
#define ONE(U, l, T, R, name)                                                                                          \
    cublasStatus_t cublas##U##name(cublasHandle_t h, cublasFillMode_t fill, int n, const R *alpha, const T *x,         \
                                   int incx, T *A, int lda)                                                            \
    CALL(U, name, const R a = c.scalar("alpha", alpha); c.wrong_if(!incx); c.vector("x", x, n, incx, READS);           \
         c.matrix("A", A, n, n, lda, READS | WRITES, part(fill)),                                                      \
         cblas_##l##name(CblasColMajor, triangle(fill), n, a, x, incx, A, lda))
#define TWO(U, l, T, name)                                                                                             \
    cublasStatus_t cublas##U##name(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *x,         \
                                   int incx, const T *y, int incy, T *A, int lda)                                      \
    CALL(U, name, const T a = c.scalar("alpha", alpha); VECTORS;                                                       \
         c.matrix("A", A, n, n, lda, READS | WRITES, part(fill)),                                                      \
         cblas_##l##name(CblasColMajor, triangle(fill), n, by(a), x, incx, y, incy, A, lda))
#define ONE_PACKED(U, l, T, R, name)                                                                                   \
    cublasStatus_t cublas##U##name(cublasHandle_t h, cublasFillMode_t fill, int n, const R *alpha, const T *x,         \
                                   int incx, T *AP)                                                                    \
    CALL(U, name, const R a = c.scalar("alpha", alpha); c.wrong_if(!incx); c.vector("x", x, n, incx, READS);           \
         PACKED(READS | WRITES), cblas_##l##name(CblasColMajor, triangle(fill), n, a, x, incx, AP))
#define TWO_PACKED(U, l, T, name)                                                                                      \
    cublasStatus_t cublas##U##name(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *x,         \
                                   int incx, const T *y, int incy, T *AP)                                              \
    CALL(U, name, const T a = c.scalar("alpha", alpha); VECTORS; PACKED(READS | WRITES),                               \
         cblas_##l##name(CblasColMajor, triangle(fill), n, by(a), x, incx, y, incy, AP))
#define FAMILY(U, l, T) ONE(U, l, T, T, syr) TWO(U, l, T, syr2) ONE_PACKED(U, l, T, T, spr) TWO_PACKED(U, l, T, spr2)
REALS(FAMILY)
#undef FAMILY
#define FAMILY(U, l, T)                                                                                                \
    ONE(U, l, T, real<T>, her) TWO(U, l, T, her2) ONE_PACKED(U, l, T, real<T>, hpr) TWO_PACKED(U, l, T, hpr2)          \
    /* the vectors are matrices of one column */                                                                       \
    cublasStatus_t cublas##U##syr(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *x,          \
                                  int incx, T *A, int lda)                                                             \
    CALL(U, syr, const T a = c.scalar("alpha", alpha); const T one = unit(a); c.wrong_if(!incx);                       \
         c.vector("x", x, n, incx, READS); c.matrix("A", A, n, n, lda, READS | WRITES, part(fill)),                    \
         if (n) cblas_##l##syrk(CblasColMajor, triangle(fill), CblasNoTrans, n, 1, by(a),                              \
                                in_order(x, n, incx).data(), n, by(one), A, lda))                                      \
    cublasStatus_t cublas##U##syr2(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *x,         \
                                   int incx, const T *y, int incy, T *A, int lda)                                      \
    CALL(U, syr2, const T a = c.scalar("alpha", alpha); const T one = unit(a); VECTORS;                                \
         c.matrix("A", A, n, n, lda, READS | WRITES, part(fill)),                                                      \
         if (n) cblas_##l##syr2k(CblasColMajor, triangle(fill), CblasNoTrans, n, 1, by(a),                             \
                                 in_order(x, n, incx).data(), n, in_order(y, n, incy).data(), n, by(one), A, lda))
COMPLEXES(FAMILY)
#undef FAMILY

/* ---- packed triangle to triangle of a matrix, and back ---- */

/* Calls does(packed, i, j) for each element of the triangle, in the packed order. */
template <class F> static void each(cublasFillMode_t fill, int n, F does)
{
    size_t packed = 0;
    for (int j = 0; j < n; ++j)
        for (int i = fill == CUBLAS_FILL_MODE_UPPER ? 0 : j; i < (fill == CUBLAS_FILL_MODE_UPPER ? j + 1 : n); ++i)
            does(packed++, (size_t)i, (size_t)j);
}

#define FAMILY(U, l, T)                                                                                                \
    cublasStatus_t cublas##U##tpttr(cublasHandle_t h, cublasFillMode_t fill, int n, const T *AP, T *A, int lda)        \
    CALL(U, tpttr, PACKED(READS); c.matrix("A", A, n, n, lda, WRITES, part(fill)),                                     \
         each(fill, n, [=](size_t k, size_t i, size_t j) { A[i + j * (size_t)lda] = AP[k]; }))                         \
    cublasStatus_t cublas##U##trttp(cublasHandle_t h, cublasFillMode_t fill, int n, const T *A, int lda, T *AP)        \
    CALL(U, trttp, PACKED(WRITES); c.matrix("A", A, n, n, lda, READS, part(fill)),                                     \
         each(fill, n, [=](size_t k, size_t i, size_t j) { AP[k] = A[i + j * (size_t)lda]; }))
TYPES(FAMILY)
#undef FAMILY
