/*
 * cublas_rotations.cpp - cuBLAS by OpenBLAS: Givens rotations and modified Givens rotations.
 */
#include "cublas.hpp"

using namespace simt_library;

/* The parameter of rotm: a flag and a 2 x 2 matrix; the flag tells which elements of the matrix are given. */
template <class T> struct five { T value[5]; };

#define FAMILY(U, l, T)                                                                                                \
    cublasStatus_t cublas##U##rotg(cublasHandle_t h, T *a, T *b, T *cosine, T *sine)                                   \
    CALL(U, rotg, c.result(a); c.result(b); c.result(cosine); c.result(sine), cblas_##l##rotg(a, b, cosine, sine))     \
    cublasStatus_t cublas##U##rotm(cublasHandle_t h, int n, T *x, int incx, T *y, int incy, const T *param)            \
    CALL(U, rotm, const five<T> p = c.scalar("param", (const five<T> *)param);                                         \
         c.vector("x", x, n, incx, READS | WRITES); c.vector("y", y, n, incy, READS | WRITES),                         \
         cblas_##l##rotm(n, x, incx, y, incy, p.value))                                                                \
    cublasStatus_t cublas##U##rotmg(cublasHandle_t h, T *d1, T *d2, T *x1, const T *y1, T *param)                      \
    CALL(U, rotmg, const T y = c.scalar("y1", y1); c.result(d1); c.result(d2); c.result(x1);                           \
         c.result((five<T> *)param), cblas_##l##rotmg(d1, d2, x1, y, param))
REALS(FAMILY)
#undef FAMILY

/* Computes x = c x + s y and y = c y - conj(s) x, because OpenBLAS has no complex s. */
template <class T, class R, class S> static void rotate(int n, T *x, int incx, T *y, int incy, R cosine, S sine)
{
    for (int i = 0; i < n; ++i) {
        T &to_x = x[place(i, n, incx)], &to_y = y[place(i, n, incy)];
        const T old = to_x;
        to_x = plus(times(cosine, old), times(sine, to_y));
        to_y = minus(times(cosine, to_y), times(conjugate(sine), old));
    }
}
#define ROTATION(U, T, S, name)                                                                                        \
    cublasStatus_t cublas##U##name(cublasHandle_t h, int n, T *x, int incx, T *y, int incy, const real<T> *cosine,     \
                                   const S *sine)                                                                      \
    CALL(U, name, const real<T> a = c.scalar("c", cosine); const S b = c.scalar("s", sine);                            \
         c.vector("x", x, n, incx, READS | WRITES); c.vector("y", y, n, incy, READS | WRITES),                         \
         rotate(n, x, incx, y, incy, a, b))
ROTATION(C, cuComplex, cuComplex, rot)
ROTATION(C, cuComplex, float, srot)
ROTATION(Z, cuDoubleComplex, cuDoubleComplex, rot)
ROTATION(Z, cuDoubleComplex, double, drot)
cublasStatus_t cublasCrotg(cublasHandle_t h, cuComplex *a, cuComplex *b, float *cosine, cuComplex *sine)
CALL(C, rotg, c.result(a); c.result(b); c.result(cosine); c.result(sine), cblas_crotg(a, b, cosine, sine))
cublasStatus_t cublasZrotg(cublasHandle_t h, cuDoubleComplex *a, cuDoubleComplex *b, double *cosine,
                           cuDoubleComplex *sine)
CALL(Z, rotg, c.result(a); c.result(b); c.result(cosine); c.result(sine), cblas_zrotg(a, b, cosine, sine))
