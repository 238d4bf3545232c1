/* lapack.hpp - how cuBLAS and cuSOLVER call the LAPACK in OpenBLAS. */
#ifndef SIMT_LIBRARY_LAPACK_HPP
#define SIMT_LIBRARY_LAPACK_HPP

#include <algorithm>
#include <complex>
#include "cublas.hpp"

extern "C" {
#define FAMILY(U, l, T) void l##getrf_(), l##getrs_(), l##geqrf_(), l##gels_();
TYPES(FAMILY)
#undef FAMILY
}

namespace simt_library {

/* The type for which C++ has arithmetic. */
template <class T> struct number_of { typedef T type; };
template <> struct number_of<cuComplex> { typedef std::complex<float> type; };
template <> struct number_of<cuDoubleComplex> { typedef std::complex<double> type; };
template <class T> using as = typename number_of<T>::type;

inline const char *letter(cublasOperation_t op) { return op == CUBLAS_OP_N ? "N" : op == CUBLAS_OP_T ? "T" : "C"; }
inline const char *letter(cublasFillMode_t fill) { return fill == CUBLAS_FILL_MODE_UPPER ? "U" : "L"; }
inline const char *letter(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT ? "L" : "R"; }

inline int *by_address(int &n) { return &n; }
template <class T> T *by_address(T *p) { return p; }

/* Fortran takes every argument by address.  The lengths of string arguments follow info; no function has more than
 * two. */
template <class... A> int lapack(void (*function)(), A... a)
{
    int info = 0;
    ((void (*)(decltype(by_address(a))..., int *, size_t, size_t))function)(by_address(a)..., &info, 1, 1);
    return info;
}

#define ROOM_OF(work) work.data(), (int)work.size()
#define FAMILY(U, l, T)                                                                                                \
    inline int getrf(int m, int n, T *A, int lda, int *pivots) { return lapack(l##getrf_, m, n, A, lda, pivots); }     \
    inline int getrs(cublasOperation_t op, int n, int columns, const T *A, int lda, const int *pivots, T *B, int ldb)  \
    { return lapack(l##getrs_, letter(op), n, columns, A, lda, pivots, B, ldb); }                                      \
    inline int geqrf(int m, int n, T *A, int lda, T *tau)                                                              \
    {                                                                                                                  \
        std::vector<T> work(64 * (size_t)std::max(n, 1));                                                              \
        return lapack(l##geqrf_, m, n, A, lda, tau, ROOM_OF(work));                                                    \
    }
TYPES(FAMILY)
#undef FAMILY

/* LU without row exchanges. */
template <class T> int eliminate(int m, int n, T *matrix, int lda)
{
    as<T> *const A = (as<T> *)matrix;
    const auto at = [=](int i, int j) -> as<T> & { return A[i + (size_t)j * (size_t)lda]; };
    int zero = 0;
    for (int k = 0; k < std::min(m, n); ++k) {
        if (at(k, k) == as<T>(0)) {
            zero = zero ? zero : k + 1;
            continue;
        }
        for (int i = k + 1; i < m; ++i)
            at(i, k) /= at(k, k);
        for (int j = k + 1; j < n; ++j)
            for (int i = k + 1; i < m; ++i)
                at(i, j) -= at(i, k) * at(k, j);
    }
    return zero;
}

/* Without pivots no row is exchanged.  P: int, or int64_t for the calls with type arguments. */
template <class P> std::vector<int> pivots_of(const P *pivots, int n)
{
    std::vector<int> all((size_t)n);
    for (int i = 0; i < n; ++i)
        all[(size_t)i] = pivots ? (int)pivots[i] : i + 1;
    return all;
}

} // namespace simt_library

#endif
