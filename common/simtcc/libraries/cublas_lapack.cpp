/*
 * cublas_lapack.cpp - cuBLAS by the LAPACK in OpenBLAS: batches of LU, solving by LU, and least squares by QR. LAPACK
 * always exchanges rows; eliminate() is for calls of cuBLAS without pivoting.
 *
 * Errors in arguments are in the host's info; matrices without a solution are in the GPU's info.
 */
#include "lapack.hpp"

using namespace simt_library;

/* Stores the number of a wrong argument as LAPACK counts them, or 0. */
static void says(blas_call *c, int *info, int wrong)
{
    c->wrong_if(!info || wrong);
    if (info)
        *info = -wrong;
}

/* C = the solution of L U C = P I. */
template <class T> static int invert(const T *A, int lda, int n, const int *pivot, T *C, int ldc)
{
    for (int k = 0; k < n; ++k)
        if (is_zero(A[k + (size_t)k * (size_t)lda]))
            return k + 1;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            ((as<T> *)C)[i + (size_t)j * (size_t)ldc] = as<T>(i == j);
    return getrs(CUBLAS_OP_N, n, n, A, lda, pivots_of(pivot, n).data(), C, ldc);
}

/* C = the inverse of A; A is unchanged. */
template <class T> static int inverse(const T *A, int lda, int n, T *C, int ldc)
{
    std::vector<T> lu((size_t)n * (size_t)n);
    std::vector<int> pivot((size_t)n);
    for (int j = 0; j < n; ++j)
        std::copy_n(A + (size_t)j * (size_t)lda, n, &lu[(size_t)j * (size_t)n]);
    const int zero = getrf(n, n, lu.data(), std::max(n, 1), pivot.data());
    return zero ? zero : invert(lu.data(), std::max(n, 1), n, pivot.data(), C, ldc);
}

/* Checks the operands of both functions that invert. */
#define INVERSES(U, name) \
    blas_call c(h, "cublas" #U #name); \
    c.sizes({n, count}); \
    const auto As = pointers(c, "the pointers to A", A, count); \
    const auto Cs = pointers(c, "the pointers to C", C, count); \
    for (const auto *a : As) \
        c.matrix("A", a, n, n, lda, READS); \
    for (auto *b : Cs) \
        c.matrix("C", b, n, n, ldc, WRITES); \
    c.vector("info", info, count, 1, WRITES)
#define FAMILY(U, l, T) \
    cublasStatus_t cublas##U##getrfBatched(cublasHandle_t h, int n, T *const A[], int lda, int *pivots, int *info, \
                                           int count) \
    { \
        blas_call c(h, "cublas" #U "getrfBatched"); \
        c.sizes({n, count}); \
        const auto As = pointers(c, "the pointers to A", A, count); \
        for (T *a : As) \
            c.matrix("A", a, n, n, lda, READS | WRITES); \
        c.vector("the pivots", pivots, pivots ? n * count : 0, 1, WRITES); \
        c.vector("info", info, count, 1, WRITES); \
        return c.run([=] { \
            for (size_t i = 0; i < As.size(); ++i) \
                info[i] = pivots ? getrf(n, n, As[i], lda, pivots + i * (size_t)n) : eliminate(n, n, As[i], lda); \
        }); \
    } \
    cublasStatus_t cublas##U##getriBatched(cublasHandle_t h, int n, const T *const A[], int lda, const int *pivots, \
                                           T *const C[], int ldc, int *info, int count) \
    { \
        INVERSES(U, getriBatched); \
        c.vector("the pivots", pivots, pivots ? n * count : 0, 1, READS); \
        return c.run([=] { \
            for (size_t i = 0; i < As.size(); ++i) \
                info[i] = invert(As[i], lda, n, pivots ? pivots + i * (size_t)n : nullptr, Cs[i], ldc); \
        }); \
    } \
    cublasStatus_t cublas##U##matinvBatched(cublasHandle_t h, int n, const T *const A[], int lda, T *const C[], \
                                            int ldc, int *info, int count) \
    { \
        INVERSES(U, matinvBatched); \
        c.wrong_if(n > 32); \
        return c.run([=] { \
            for (size_t i = 0; i < As.size(); ++i) \
                info[i] = inverse(As[i], lda, n, Cs[i], ldc); \
        }); \
    }
TYPES(FAMILY)
#undef FAMILY

#define FAMILY(U, l, T) \
    cublasStatus_t cublas##U##getrsBatched(cublasHandle_t h, cublasOperation_t op, int n, int columns, \
                                           const T *const A[], int lda, const int *pivots, T *const B[], int ldb, \
                                           int *info, int count) \
    CALL(U, getrsBatched, says(&c, info, n < 0 ? 2 : columns < 0 ? 3 : lda < std::max(n, 1) ? 5 : \
                                         ldb < std::max(n, 1) ? 8 : count < 0 ? 10 : 0); \
         const auto As = pointers(c, "the pointers to A", A, count); \
         const auto Bs = pointers(c, "the pointers to B", B, count); \
         for (size_t i = 0; i < Bs.size(); ++i) { \
             c.matrix("A", As[i], n, n, lda, READS); \
             c.matrix("B", Bs[i], n, columns, ldb, READS | WRITES); \
         } c.vector("the pivots", pivots, pivots ? n * count : 0, 1, READS), \
         for (size_t i = 0; i < Bs.size(); ++i) \
             getrs(op, n, columns, As[i], lda, pivots_of(pivots ? pivots + i * (size_t)n : nullptr, n).data(), Bs[i], \
                   ldb)) \
    cublasStatus_t cublas##U##geqrfBatched(cublasHandle_t h, int m, int n, T *const A[], int lda, T *const tau[], \
                                           int *info, int count) \
    CALL(U, geqrfBatched, says(&c, info, m < 0 ? 1 : n < 0 ? 2 : lda < std::max(m, 1) ? 4 : count < 0 ? 7 : 0); \
         const auto As = pointers(c, "the pointers to A", A, count); \
         const auto taus = pointers(c, "the pointers to tau", tau, count); \
         for (size_t i = 0; i < As.size(); ++i) { \
             c.matrix("A", As[i], m, n, lda, READS | WRITES); \
             c.vector("tau", taus[i], std::min(m, n), 1, WRITES); \
         }, \
         for (size_t i = 0; i < As.size(); ++i) geqrf(m, n, As[i], lda, taus[i])) \
    cublasStatus_t cublas##U##gelsBatched(cublasHandle_t h, cublasOperation_t op, int m, int n, int columns, \
                                          T *const A[], int lda, T *const C[], int ldc, int *info, int *infos, \
                                          int count) \
    CALL(U, gelsBatched, says(&c, info, m < 0 ? 2 : n < 0 ? 3 : columns < 0 ? 4 : lda < std::max(m, 1) ? 6 : \
                                        ldc < std::max(m, 1) ? 8 : 0); \
         c.refused_if(op != CUBLAS_OP_N || m < n); const auto As = pointers(c, "the pointers to A", A, count); \
         const auto Cs = pointers(c, "the pointers to C", C, count); \
         for (size_t i = 0; i < As.size(); ++i) { \
             c.matrix("A", As[i], m, n, lda, READS | WRITES); \
             c.matrix("C", Cs[i], m, columns, ldc, READS | WRITES); \
         } c.vector("infos", infos, infos ? count : 0, 1, WRITES), \
         for (size_t i = 0; i < As.size(); ++i) { \
             std::vector<T> work(64 * (size_t)std::max({m, columns, 1})); \
             const int none = lapack(l##gels_, "N", m, n, columns, As[i], lda, Cs[i], ldc, ROOM_OF(work)); \
             if (infos) \
                 infos[i] = none; \
         })
TYPES(FAMILY)
#undef FAMILY
