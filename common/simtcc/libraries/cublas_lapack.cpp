/*
 * cublas_lapack.cpp - cuBLAS by the LAPACK in OpenBLAS: many small systems, with what LU has left or by QR.
 *
 * What LAPACK says of an argument is the host's info; of a matrix that has no solution, the GPU's.
 */
#include <algorithm>
#include "cublas.hpp"

using namespace simt_library;

extern "C" {
#define FAMILY(U, l, T) \
    void l##getrs_(const char *op, const int *n, const int *columns, const T *A, const int *lda, const int *pivots, \
                   T *B, const int *ldb, int *info, size_t); \
    void l##geqrf_(const int *m, const int *n, T *A, const int *lda, T *tau, T *work, const int *room, int *info); \
    void l##gels_(const char *op, const int *m, const int *n, const int *columns, T *A, const int *lda, T *B, \
                  const int *ldb, T *work, const int *room, int *info, size_t);
TYPES(FAMILY)
#undef FAMILY
}

static const char *letter(cublasOperation_t op) { return op == CUBLAS_OP_N ? "N" : op == CUBLAS_OP_T ? "T" : "C"; }

/* What is wrong with the arguments, as LAPACK counts them: 0 for nothing. */
static void says(blas_call *c, int *info, int wrong)
{
    c->wrong_if(!info || wrong);
    if (info)
        *info = -wrong;
}

/* Rows stay where they are if there are no pivots. */
static std::vector<int> pivots_of(const int *pivots, int n)
{
    std::vector<int> all((size_t)n);
    for (int i = 0; i < n; ++i)
        all[(size_t)i] = pivots ? pivots[i] : i + 1;
    return all;
}

#define FAMILY(U, l, T) \
    cublasStatus_t cublas##U##getrsBatched(cublasHandle_t h, cublasOperation_t op, int n, int columns, \
                                           const T *const A[], int lda, const int *pivots, T *const B[], int ldb, \
                                           int *info, int count) \
    CALL(U, getrsBatched, says(&c, info, n < 0 ? 2 : columns < 0 ? 3 : lda < std::max(n, 1) ? 5 : \
                                         ldb < std::max(n, 1) ? 8 : count < 0 ? 10 : 0); \
         const pointers<const T> As(c, "the pointers to A", A, count); \
         const pointers<T> Bs(c, "the pointers to B", B, count); \
         for (size_t i = 0; i < Bs.all.size(); ++i) { \
             c.matrix("A", As.all[i], n, n, lda, READS); \
             c.matrix("B", Bs.all[i], n, columns, ldb, READS | WRITES); \
         } c.vector("the pivots", pivots, pivots ? n * count : 0, 1, READS), \
         for (size_t i = 0; i < Bs.all.size(); ++i) { \
             int wrong; \
             const std::vector<int> p = pivots_of(pivots ? pivots + i * (size_t)n : nullptr, n); \
             l##getrs_(letter(op), &n, &columns, As.all[i], &lda, p.data(), Bs.all[i], &ldb, &wrong, 1); \
         }) \
    cublasStatus_t cublas##U##geqrfBatched(cublasHandle_t h, int m, int n, T *const A[], int lda, T *const tau[], \
                                           int *info, int count) \
    CALL(U, geqrfBatched, says(&c, info, m < 0 ? 1 : n < 0 ? 2 : lda < std::max(m, 1) ? 4 : count < 0 ? 7 : 0); \
         const pointers<T> As(c, "the pointers to A", A, count); \
         const pointers<T> taus(c, "the pointers to tau", tau, count); \
         for (size_t i = 0; i < As.all.size(); ++i) { \
             c.matrix("A", As.all[i], m, n, lda, READS | WRITES); \
             c.vector("tau", taus.all[i], std::min(m, n), 1, WRITES); \
         }, \
         for (size_t i = 0; i < As.all.size(); ++i) { \
             int wrong; \
             const int room = 64 * std::max(n, 1); \
             std::vector<T> work((size_t)room); \
             l##geqrf_(&m, &n, As.all[i], &lda, taus.all[i], work.data(), &room, &wrong); \
         }) \
    cublasStatus_t cublas##U##gelsBatched(cublasHandle_t h, cublasOperation_t op, int m, int n, int columns, \
                                          T *const A[], int lda, T *const C[], int ldc, int *info, int *infos, \
                                          int count) \
    CALL(U, gelsBatched, says(&c, info, m < 0 ? 2 : n < 0 ? 3 : columns < 0 ? 4 : lda < std::max(m, 1) ? 6 : \
                                        ldc < std::max(m, 1) ? 8 : 0); \
         c.refused_if(op != CUBLAS_OP_N || m < n); const pointers<T> As(c, "the pointers to A", A, count); \
         const pointers<T> Cs(c, "the pointers to C", C, count); \
         for (size_t i = 0; i < As.all.size(); ++i) { \
             c.matrix("A", As.all[i], m, n, lda, READS | WRITES); \
             c.matrix("C", Cs.all[i], m, columns, ldc, READS | WRITES); \
         } c.vector("infos", infos, infos ? count : 0, 1, WRITES), \
         for (size_t i = 0; i < As.all.size(); ++i) { \
             int none; \
             const int room = 64 * std::max(std::max(m, columns), 1); \
             std::vector<T> work((size_t)room); \
             l##gels_("N", &m, &n, &columns, As.all[i], &lda, Cs.all[i], &ldc, work.data(), &room, &none, 1); \
             if (infos) \
                 infos[i] = none; \
         })
TYPES(FAMILY)
#undef FAMILY
