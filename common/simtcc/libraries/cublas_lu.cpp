/*
 * cublas_lu.cpp - LU of many small matrices.  LAPACK always exchanges rows, and cuBLAS need not, so this is a plain
 * elimination of our own, column by column.
 */
#include <algorithm>
#include <complex>
#include "cublas.hpp"

using namespace simt_library;

namespace {

/* A type with the arithmetic that C++ has for it. */
template <class T> struct as { typedef T type; };
template <> struct as<cuComplex> { typedef std::complex<float> type; };
template <> struct as<cuDoubleComplex> { typedef std::complex<double> type; };

template <class N> struct square {
    N *a;
    int lead;
    N &operator()(int i, int j) const { return a[i + (size_t)j * (size_t)lead]; }
};

/* Returns the number of the first pivot that is zero, counted from 1; 0: there is none. */
template <class N> int factorise(square<N> a, int n, int *pivot)
{
    int zero = 0;
    for (int k = 0; k < n; ++k) {
        int p = k;
        for (int i = k + 1; pivot && i < n; ++i)
            if (std::abs(a(i, k)) > std::abs(a(p, k)))
                p = i;
        if (pivot)
            pivot[k] = p + 1;
        for (int j = 0; p != k && j < n; ++j)
            std::swap(a(k, j), a(p, j));
        if (a(k, k) == N(0)) {
            zero = zero ? zero : k + 1;
            continue;
        }
        for (int i = k + 1; i < n; ++i)
            a(i, k) /= a(k, k);
        for (int j = k + 1; j < n; ++j)
            for (int i = k + 1; i < n; ++i)
                a(i, j) -= a(i, k) * a(k, j);
    }
    return zero;
}

/* c = the solution of L U c = P 1. */
template <class N> int invert(square<const N> a, int n, const int *pivot, square<N> c)
{
    for (int k = 0; k < n; ++k)
        if (a(k, k) == N(0))
            return k + 1;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            c(i, j) = N(i == j);
    for (int j = 0; j < n; ++j) {
        for (int k = 0; pivot && k < n; ++k)
            std::swap(c(k, j), c(pivot[k] - 1, j));
        for (int k = 0; k < n; ++k)
            for (int i = k + 1; i < n; ++i)
                c(i, j) -= a(i, k) * c(k, j);
        for (int k = n - 1; k >= 0; --k) {
            c(k, j) /= a(k, k);
            for (int i = 0; i < k; ++i)
                c(i, j) -= a(i, k) * c(k, j);
        }
    }
    return 0;
}

/* c = the inverse of a, which stays. */
template <class N> int inverse(const N *a, int lda, int n, square<N> c)
{
    std::vector<N> lu((size_t)n * (size_t)n);
    std::vector<int> pivot((size_t)n);
    for (int j = 0; j < n; ++j)
        std::copy_n(a + (size_t)j * (size_t)lda, n, &lu[(size_t)j * (size_t)n]);
    const int zero = factorise(square<N>{lu.data(), n}, n, pivot.data());
    return zero ? zero : invert(square<const N>{lu.data(), n}, n, pivot.data(), c);
}

} // namespace

#define FAMILY(U, l, T)                                                                                                \
    cublasStatus_t cublas##U##getrfBatched(cublasHandle_t h, int n, T *const A[], int lda, int *pivots, int *info,     \
                                           int count)                                                                  \
    {                                                                                                                  \
        typedef as<T>::type number;                                                                                    \
        blas_call c(h, "cublas" #U "getrfBatched");                                                                    \
        c.sizes({n, count});                                                                                           \
        const pointers<T> As(c, "the pointers to A", A, count);                                                        \
        for (T *a : As.all)                                                                                            \
            c.matrix("A", a, n, n, lda, READS | WRITES);                                                               \
        c.vector("the pivots", pivots, pivots ? n * count : 0, 1, WRITES);                                             \
        c.vector("info", info, count, 1, WRITES);                                                                      \
        return c.run([=] {                                                                                             \
            for (int i = 0; i < count; ++i)                                                                            \
                info[i] = factorise(square<number>{(number *)As.all[(size_t)i], lda}, n,                           \
                                    pivots ? pivots + i * n : nullptr);                                                \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##U##getriBatched(cublasHandle_t h, int n, const T *const A[], int lda, const int *pivots,    \
                                           T *const C[], int ldc, int *info, int count)                                \
    {                                                                                                                  \
        typedef as<T>::type number;                                                                                    \
        blas_call c(h, "cublas" #U "getriBatched");                                                                    \
        c.sizes({n, count});                                                                                           \
        const pointers<const T> As(c, "the pointers to A", A, count);                                                  \
        const pointers<T> Cs(c, "the pointers to C", C, count);                                                        \
        for (const T *a : As.all)                                                                                      \
            c.matrix("A", a, n, n, lda, READS);                                                                        \
        for (T *b : Cs.all)                                                                                            \
            c.matrix("C", b, n, n, ldc, WRITES);                                                                       \
        c.vector("the pivots", pivots, pivots ? n * count : 0, 1, READS);                                              \
        c.vector("info", info, count, 1, WRITES);                                                                      \
        return c.run([=] {                                                                                             \
            for (size_t i = 0; i < As.all.size(); ++i)                                                                 \
                info[i] = invert(square<const number>{(const number *)As.all[i], lda}, n,                              \
                                 pivots ? pivots + i * (size_t)n : nullptr, square<number>{(number *)Cs.all[i], ldc}); \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##U##matinvBatched(cublasHandle_t h, int n, const T *const A[], int lda, T *const C[],        \
                                            int ldc, int *info, int count)                                             \
    {                                                                                                                  \
        typedef as<T>::type number;                                                                                    \
        blas_call c(h, "cublas" #U "matinvBatched");                                                                   \
        c.sizes({n, count});                                                                                           \
        c.wrong_if(n > 32);                                                                                            \
        const pointers<const T> As(c, "the pointers to A", A, count);                                                  \
        const pointers<T> Cs(c, "the pointers to C", C, count);                                                        \
        for (const T *a : As.all)                                                                                      \
            c.matrix("A", a, n, n, lda, READS);                                                                        \
        for (T *b : Cs.all)                                                                                            \
            c.matrix("C", b, n, n, ldc, WRITES);                                                                       \
        c.vector("info", info, count, 1, WRITES);                                                                      \
        return c.run([=] {                                                                                             \
            for (size_t i = 0; i < As.all.size(); ++i)                                                                 \
                info[i] = inverse((const number *)As.all[i], lda, n, square<number>{(number *)Cs.all[i], ldc});        \
        });                                                                                                            \
    }
TYPES(FAMILY)
#undef FAMILY
