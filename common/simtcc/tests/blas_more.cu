/*
 * blas_more.cu - more of cuBLAS: bands, packed triangles, Hermitian matrices, rotations, batches, LAPACK.
 *
 * Each is compared with loops over the whole matrix in double complex.  blas_more N: mistakes.
 */
#include <complex>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include "on_gpu.h"

typedef std::complex<double> number;
typedef std::vector<number> numbers;
enum { N = 7, K = 3, LD = 9 };
static const cublasFillMode_t fills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
static const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
static const cublasDiagType_t diagonals[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};

template <class T> static T as(number v) { return (T)v.real(); }
template <> cuComplex as(number v) { return make_cuComplex((float)v.real(), (float)v.imag()); }
template <> cuDoubleComplex as(number v) { return make_cuDoubleComplex(v.real(), v.imag()); }
template <class T> static number from(T v) { return v; }
static number from(cuComplex v) { return number(v.x, v.y); }
static number from(cuDoubleComplex v) { return number(v.x, v.y); }

template <class T> std::vector<T> all_as(const numbers &v)
{
    std::vector<T> all;
    for (number x : v) all.push_back(as<T>(x));
    return all;
}

/* What a call gets: numbers of type T on the GPU, freed with this. */
template <class T> struct on_gpu : gpu<T> {
    explicit on_gpu(const numbers &v) : gpu<T>(all_as<T>(v)) {}
    numbers back() const
    {
        numbers v;
        for (T x : gpu<T>::back()) v.push_back(from(x));
        return v;
    }
};
static void same(const char *what, const numbers &got, const numbers &expected)
{
    for (size_t i = 0; i < expected.size(); ++i)
        if (!(std::abs(got[i] - expected[i]) <= 1e-4 * (1 + std::abs(expected[i])))) {
            ++bad;
            printf("%s: [%zu] is %g %+gi instead of %g %+gi\n", what, i, got[i].real(), got[i].imag(),
                   expected[i].real(), expected[i].imag());
            return;
        }
}

/* Different numbers that T can represent. */
template <class T> static const bool is_complex = false;
template <> const bool is_complex<cuComplex> = true;
template <> const bool is_complex<cuDoubleComplex> = true;
template <class T> static numbers some(size_t n, int salt)
{
    numbers v(n);
    for (size_t i = 0; i < n; ++i)
        v[i] = number((double)((i * 37 + (size_t)salt * 11) % 23) / 8 - 1,
                      is_complex<T> ? (double)((i * 29 + (size_t)salt * 5) % 19) / 8 - 1 : 0);
    return v;
}

/* An n x n matrix for the plain loops, with all its elements. */
struct whole {
    numbers a;
    number &operator()(int i, int j) { return a[(size_t)(i + j * LD)]; }
    number operator()(int i, int j) const { return a[(size_t)(i + j * LD)]; }
};
static bool in_triangle(cublasFillMode_t fill, int i, int j)
{ return fill == CUBLAS_FILL_MODE_UPPER ? i <= j : i >= j; }
/* Copies one triangle to the other: conjugated if `hermitian`, with a real diagonal. */
static whole mirrored(const whole &m, cublasFillMode_t fill, bool hermitian)
{
    whole w = m;
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i) {
            if (!in_triangle(fill, i, j)) w(i, j) = hermitian ? std::conj(m(j, i)) : m(j, i);
            if (hermitian && i == j) w(i, j) = m(i, j).real();
        }
    return w;
}
static whole only(const whole &m, cublasFillMode_t fill, cublasDiagType_t diagonal, int width = N)
{
    whole w = m;
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i) {
            if (!in_triangle(fill, i, j) || std::abs(i - j) > width) w(i, j) = 0;
            if (i == j && diagonal == CUBLAS_DIAG_UNIT) w(i, j) = 1;
        }
    return w;
}
static whole band_of(const whole &m, int kl, int ku)
{
    whole w = m;
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i)
            if (i - j > kl || j - i > ku) w(i, j) = 0;
    return w;
}
static numbers stored_band(const whole &m, int kl, int ku)
{
    numbers v((size_t)(LD * N));
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i)
            if (i - j <= kl && j - i <= ku) v[(size_t)(ku + i - j + j * LD)] = m(i, j);
    return v;
}
static numbers stored_band(const whole &m, cublasFillMode_t fill)
{ return fill == CUBLAS_FILL_MODE_UPPER ? stored_band(m, 0, K) : stored_band(m, K, 0); }
static numbers packed(const whole &m, cublasFillMode_t fill)
{
    numbers v;
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i)
            if (in_triangle(fill, i, j)) v.push_back(m(i, j));
    return v;
}
static number at(const whole &m, cublasOperation_t op, int i, int j)
{ return op == CUBLAS_OP_N ? m(i, j) : op == CUBLAS_OP_T ? m(j, i) : std::conj(m(j, i)); }
/* Every second element, starting at the last. */
enum { STEP = -2 };
static numbers spread(const numbers &x)
{
    numbers v((size_t)(2 * x.size() - 1));
    for (size_t i = 0; i < x.size(); ++i) v[2 * (x.size() - 1 - i)] = x[i];
    return v;
}
static numbers times(const whole &m, cublasOperation_t op, const numbers &x)
{
    numbers y(N);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) y[(size_t)i] += at(m, op, i, j) * x[(size_t)j];
    return y;
}
static numbers sum(number a, const numbers &x, number b, const numbers &y)
{
    numbers v = x;
    for (size_t i = 0; i < x.size(); ++i) v[i] = a * x[i] + b * y[i];
    return v;
}

template <class T> struct blas;
#define BLAS(U, T, R, sy, sb, sp)                                                                              \
    template <> struct blas<T> {                                                                               \
        typedef R real;                                                                                        \
        static constexpr auto gbmv = cublas##U##gbmv;                                                          \
        static constexpr auto band = cublas##U##sb;                                                            \
        static constexpr auto pack = cublas##U##sp;                                                            \
        static constexpr auto tbmv = cublas##U##tbmv, tbsv = cublas##U##tbsv;                                  \
        static constexpr auto tpmv = cublas##U##tpmv, tpsv = cublas##U##tpsv;                                  \
        static constexpr auto symv = cublas##U##symv;                                                          \
        static constexpr auto syr2 = cublas##U##syr2;                                                          \
        static constexpr auto tpttr = cublas##U##tpttr;                                                        \
        static constexpr auto trttp = cublas##U##trttp;                                                        \
        static constexpr auto syrkx = cublas##U##syrkx;                                                        \
        static constexpr auto gemv_batched = cublas##U##gemvBatched;                                           \
        static constexpr auto gemv_strided = cublas##U##gemvStridedBatched;                                    \
        static constexpr auto trsm_batched = cublas##U##trsmBatched;                                           \
        static constexpr auto getrf = cublas##U##getrfBatched;                                                 \
        static constexpr auto getrs = cublas##U##getrsBatched;                                                 \
        static constexpr auto matinv = cublas##U##matinvBatched;                                               \
        static constexpr auto geqrf = cublas##U##geqrfBatched;                                                 \
        static constexpr auto gels = cublas##U##gelsBatched;                                                   \
    }
BLAS(S, float, float, symv, sbmv, spmv);
BLAS(D, double, double, symv, sbmv, spmv);
BLAS(C, cuComplex, float, symv, hbmv, hpmv);
BLAS(Z, cuDoubleComplex, double, symv, hbmv, hpmv);

template <class T> static void bands_and_triangles(cublasHandle_t h)
{
    typedef blas<T> b;
    const whole m = {some<T>(LD * N, 1)};
    const numbers x = some<T>(N, 2), y = some<T>(N, 3);
    const number a = is_complex<T> ? number(2, 1) : 2, c = is_complex<T> ? number(1, -1) : 3;
    const T alpha = as<T>(a), beta = as<T>(c);
    const on_gpu<T> dx(spread(x));
    for (cublasOperation_t op : ops) {
        const on_gpu<T> A(stored_band(m, 2, 1)), dy(y);
        IS(b::gbmv(h, op, N, N, 2, 1, &alpha, A.p, LD, dx.p, STEP, &beta, dy.p, 1));
        same("gbmv", dy.back(), sum(a, times(band_of(m, 2, 1), op, x), c, y));
    }
    for (cublasFillMode_t fill : fills) {
        const whole w = mirrored(m, fill, is_complex<T>);
        const on_gpu<T> AB(stored_band(w, fill)), AP(packed(w, fill)), dy(y), dz(y), A(m.a), du(y);
        IS(b::band(h, fill, N, K, &alpha, AB.p, LD, dx.p, STEP, &beta, dy.p, 1));
        same("sbmv, hbmv", dy.back(), sum(a, times(band_of(w, K, K), CUBLAS_OP_N, x), c, y));
        IS(b::pack(h, fill, N, &alpha, AP.p, dx.p, STEP, &beta, dz.p, 1));
        same("spmv, hpmv", dz.back(), sum(a, times(w, CUBLAS_OP_N, x), c, y));
        IS(b::symv(h, fill, N, &alpha, A.p, LD, dx.p, STEP, &beta, du.p, 1));
        same("symv", du.back(), sum(a, times(mirrored(m, fill, false), CUBLAS_OP_N, x), c, y));
        whole to = m;
        const on_gpu<T> B(m.a), yy(y);
        IS(b::syr2(h, fill, N, &alpha, dx.p, STEP, yy.p, 1, B.p, LD));
        for (int j = 0; j < N; ++j)
            for (int i = 0; i < N; ++i)
                if (in_triangle(fill, i, j)) to(i, j) += a * (x[i] * y[j] + y[i] * x[j]);
        same("syr2", B.back(), to.a);
        const on_gpu<T> P(packed(m, fill)), C(numbers(LD * N)), Q(numbers(N * (N + 1) / 2));
        IS(b::tpttr(h, fill, N, P.p, C.p, LD));
        IS(b::trttp(h, fill, N, C.p, LD, Q.p));
        same("tpttr and trttp", Q.back(), packed(m, fill));
        for (cublasOperation_t op : ops)
            for (cublasDiagType_t diagonal : diagonals) {
                whole t = m;
                for (int i = 0; i < N; ++i) t(i, i) += 8.0;
                const on_gpu<T> TB(stored_band(t, fill)), TP(packed(t, fill)), v(spread(x)), u(spread(x));
                IS(b::tbmv(h, fill, op, diagonal, N, K, TB.p, LD, v.p, STEP));
                numbers e = spread(times(only(t, fill, diagonal, K), op, x));
                for (size_t i = 1; i < e.size(); i += 2) e[i] = 0;
                same("tbmv", v.back(), e);
                IS(b::tbsv(h, fill, op, diagonal, N, K, TB.p, LD, v.p, STEP));
                same("tbsv", v.back(), spread(x));
                IS(b::tpmv(h, fill, op, diagonal, N, TP.p, u.p, STEP));
                same("tpmv", u.back(), spread(times(only(t, fill, diagonal), op, x)));
                IS(b::tpsv(h, fill, op, diagonal, N, TP.p, u.p, STEP));
                same("tpsv", u.back(), spread(x));
            }
    }
}

/* C = a op(A) op(B)^T + c C on one triangle; the test's products are symmetric only there. */
template <class T> static whole product(const whole &A, const whole &B, cublasOperation_t op, number a, number c,
                                        const whole &C, cublasFillMode_t fill, bool conjugate)
{
    whole to = C;
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i) {
            number s = 0;
            for (int k = 0; k < N; ++k) {
                const number p = op == CUBLAS_OP_N ? A(i, k) : conjugate ? std::conj(A(k, i)) : A(k, i);
                const number q = op == CUBLAS_OP_N ? B(j, k) : B(k, j);
                s += p * (conjugate && op == CUBLAS_OP_N ? std::conj(q) : q);
            }
            if (in_triangle(fill, i, j)) to(i, j) = a * s + c * C(i, j);
        }
    return to;
}

/* Part k of vectors stored one after the other. */
static numbers piece(const numbers &all, int k) { return numbers(all.begin() + k * N, all.begin() + (k + 1) * N); }

template <class T> static void batches(cublasHandle_t h)
{
    typedef blas<T> b;
    const number a = is_complex<T> ? number(2, 1) : 2, c = 3;
    const T alpha = as<T>(a), beta = as<T>(c);
    whole m[2] = {{some<T>(LD * N, 1)}, {some<T>(LD * N, 7)}};
    for (whole &w : m)
        for (int i = 0; i < N; ++i) w(i, i) += 6.0;
    numbers both = m[0].a, xs = some<T>(2 * N, 3), ys = some<T>(2 * N, 4);
    both.insert(both.end(), m[1].a.begin(), m[1].a.end());
    const on_gpu<T> A(both), x(xs), y(ys), z(ys), AA(both), B(xs), I(numbers(2 * LD * N));
    T *pointers[5][2], **on[5];
    for (int k = 0; k < 2; ++k) {
        T *p[] = {A.p + k * LD * N, x.p + k * N, y.p + k * N, B.p + k * N, I.p + k * LD * N};
        for (int i = 0; i < 5; ++i) pointers[i][k] = p[i];
    }
    for (int i = 0; i < 5; ++i) {
        cudaMalloc(&on[i], sizeof pointers[i]);
        cudaMemcpy(on[i], pointers[i], sizeof pointers[i], cudaMemcpyHostToDevice);
    }
    numbers expected, solved;
    for (int k = 0; k < 2; ++k) {
        const numbers xk = piece(xs, k), yk = piece(ys, k);
        const numbers e = sum(a, times(m[k], CUBLAS_OP_T, xk), c, yk);
        expected.insert(expected.end(), e.begin(), e.end());
    }
    IS(b::gemv_batched(h, CUBLAS_OP_T, N, N, &alpha, on[0], LD, on[1], 1, &beta, on[2], 1, 2));
    same("gemvBatched", y.back(), expected);
    IS(b::gemv_strided(h, CUBLAS_OP_T, N, N, &alpha, A.p, LD, LD * N, x.p, 1, N, &beta, z.p, 1, N, 2));
    same("gemvStridedBatched", z.back(), expected);
    IS(b::trsm_batched(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, N, 1, &alpha,
                       on[0], LD, on[3], N, 2));
    numbers s = B.back();
    for (int k = 0; k < 2; ++k)
        same("trsmBatched",
             times(only(m[k], CUBLAS_FILL_MODE_UPPER, CUBLAS_DIAG_NON_UNIT), CUBLAS_OP_N, piece(s, k)),
             sum(a, piece(xs, k), 0, numbers(N)));
    int *info, of_host = 5;
    cudaMalloc(&info, 2 * sizeof *info);
    IS(b::matinv(h, N, on[0], LD, on[4], LD, info, 2));
    const numbers inverse = I.back();
    for (int k = 0; k < 2; ++k) {
        const whole w = {numbers(inverse.begin() + k * LD * N, inverse.begin() + (k + 1) * LD * N)};
        const numbers xk = piece(xs, k);
        same("matinvBatched", times(w, CUBLAS_OP_N, times(m[k], CUBLAS_OP_N, xk)), xk);
    }
    is("matinvBatched", b::matinv(h, 33, on[0], 33, on[4], 33, info, 2), CUBLAS_STATUS_INVALID_VALUE);
    /* solves by LU in all three ways, and by QR */
    int *pivots;
    cudaMalloc(&pivots, 2 * N * sizeof *pivots);
    IS(b::getrf(h, N, on[0], LD, pivots, info, 2));
    for (cublasOperation_t op : ops) {
        const on_gpu<T> right(xs);
        T *at_right[] = {right.p, right.p + N};
        cudaMemcpy(on[3], at_right, sizeof at_right, cudaMemcpyHostToDevice);
        IS(b::getrs(h, op, N, 1, on[0], LD, pivots, on[3], N, &of_host, 2));
        s = right.back();
        for (int k = 0; k < 2; ++k)
            same("getrsBatched", times(m[k], op, piece(s, k)),
                 piece(xs, k));
    }
    bad += of_host != 0;
    is("getrsBatched", b::getrs(h, CUBLAS_OP_N, -1, 1, on[0], LD, pivots, on[3], N, &of_host, 2),
       CUBLAS_STATUS_INVALID_VALUE);
    bad += of_host != -2;
    {
        const on_gpu<T> again(both), tau(numbers(2 * N)), right(xs), more(both);
        T *p[3][2] = {{again.p, again.p + LD * N}, {tau.p, tau.p + N}, {right.p, right.p + N}};
        for (int i = 0; i < 3; ++i) cudaMemcpy(on[i], p[i], sizeof p[i], cudaMemcpyHostToDevice);
        IS(b::geqrf(h, N, N, on[0], LD, on[1], &of_host, 2));
        const numbers qr = again.back();
        for (int k = 0; k < 2; ++k) {   /* columns of R are as long as those of A */
            double r = 0, of_a = 0;
            for (int i = 0; i < N; ++i) {
                if (i <= 3) r += std::norm(qr[(size_t)(k * LD * N + i + 3 * LD)]);
                of_a += std::norm(m[k](i, 3));
            }
            same("geqrfBatched", {r}, {of_a});
        }
        T *q[] = {more.p, more.p + LD * N};
        cudaMemcpy(on[0], q, sizeof q, cudaMemcpyHostToDevice);
        IS(b::gels(h, CUBLAS_OP_N, N, N, 1, on[0], LD, on[2], N, &of_host, info, 2));
        s = right.back();
        for (int k = 0; k < 2; ++k)
            same("gelsBatched", times(m[k], CUBLAS_OP_N, piece(s, k)),
                 piece(xs, k));
        is("gelsBatched", b::gels(h, CUBLAS_OP_T, N, N, 1, on[0], LD, on[2], N, &of_host, info, 2),
           CUBLAS_STATUS_NOT_SUPPORTED);
    }
    for (cublasFillMode_t fill : fills)
        for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
            const on_gpu<T> dA(m[0].a), dB(m[1].a), dC(m[1].a);
            IS(b::syrkx(h, fill, op, N, N, &alpha, dA.p, LD, dB.p, LD, &beta, dC.p, LD));
            same("syrkx", dC.back(), product<T>(m[0], m[1], op, a, c, m[1], fill, false).a);
        }
}

/* ---- Hermitian matrices ---- */

template <class T> struct hermitian;
#define HERMITIAN(U, T, R)                                                                                      \
    template <> struct hermitian<T> {                                                                          \
        typedef R real;                                                                                        \
        static constexpr auto her = cublas##U##her;                                                            \
        static constexpr auto her2 = cublas##U##her2;                                                          \
        static constexpr auto hpr = cublas##U##hpr;                                                            \
        static constexpr auto hpr2 = cublas##U##hpr2;                                                          \
        static constexpr auto hemm = cublas##U##hemm;                                                          \
        static constexpr auto herk = cublas##U##herk;                                                          \
        static constexpr auto her2k = cublas##U##her2k;                                                        \
        static constexpr auto herkx = cublas##U##herkx;                                                        \
        static constexpr auto gemm3m = cublas##U##gemm3m;                                                      \
    }
HERMITIAN(C, cuComplex, float);
HERMITIAN(Z, cuDoubleComplex, double);

template <class T> static void with_conjugates(cublasHandle_t h)
{
    typedef hermitian<T> b;
    const number a(2, 1);
    const T alpha = as<T>(a), zero = as<T>(0);
    const typename b::real three = 3, half = 0.5;
    const whole A = {some<T>(LD * N, 1)}, B = {some<T>(LD * N, 2)};
    const numbers x = some<T>(N, 3), y = some<T>(N, 4);
    const on_gpu<T> dx(spread(x)), dy(y), dA(A.a), dB(B.a);
    for (cublasFillMode_t fill : fills) {
        const whole C = mirrored({some<T>(LD * N, 5)}, fill, true);
        whole one = C, two = C;
        for (int j = 0; j < N; ++j)
            for (int i = 0; i < N; ++i)
                if (in_triangle(fill, i, j)) {
                    one(i, j) += 3.0 * x[i] * std::conj(x[j]);
                    two(i, j) += a * x[i] * std::conj(y[j]) + std::conj(a) * y[i] * std::conj(x[j]);
                }
        const on_gpu<T> c1(C.a), c2(C.a), p1(packed(C, fill)), p2(packed(C, fill));
        IS(b::her(h, fill, N, &three, dx.p, STEP, c1.p, LD));
        same("her", c1.back(), one.a);
        IS(b::her2(h, fill, N, &alpha, dx.p, STEP, dy.p, 1, c2.p, LD));
        same("her2", c2.back(), two.a);
        IS(b::hpr(h, fill, N, &three, dx.p, STEP, p1.p));
        same("hpr", p1.back(), packed(one, fill));
        IS(b::hpr2(h, fill, N, &alpha, dx.p, STEP, dy.p, 1, p2.p));
        same("hpr2", p2.back(), packed(two, fill));
        for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_C}) {
            const on_gpu<T> k1(C.a), k2(C.a), kx(C.a);
            IS(b::herk(h, fill, op, N, N, &three, dA.p, LD, &half, k1.p, LD));
            same("herk", k1.back(), product<T>(A, A, op, 3, 0.5, C, fill, true).a);
            whole e = product<T>(A, B, op, a, 0.5, C, fill, true);
            e = product<T>(B, A, op, std::conj(a), 1, e, fill, true);
            IS(b::her2k(h, fill, op, N, N, &alpha, dA.p, LD, dB.p, LD, &half, k2.p, LD));
            same("her2k", k2.back(), e.a);
            e = product<T>(A, A, op, 3, 0.5, C, fill, true);
            const T thrice = as<T>(3);
            IS(b::herkx(h, fill, op, N, N, &thrice, dA.p, LD, dA.p, LD, &half, kx.p, LD));
            same("herkx", kx.back(), e.a);
        }
        is("herk", b::herk(h, fill, CUBLAS_OP_T, N, N, &three, dA.p, LD, &half, dB.p, LD), CUBLAS_STATUS_INVALID_VALUE);
        const on_gpu<T> right(C.a), dC(C.a);
        IS(b::hemm(h, CUBLAS_SIDE_LEFT, fill, N, N, &alpha, dC.p, LD, dB.p, LD, &zero, right.p, LD));
        whole e = C;
        for (int j = 0; j < N; ++j) {
            const numbers column = times(C, CUBLAS_OP_N, numbers(B.a.begin() + j * LD, B.a.begin() + j * LD + N));
            for (int i = 0; i < N; ++i) e(i, j) = a * column[(size_t)i];
        }
        same("hemm", right.back(), e.a);
        IS(b::gemm3m(h, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &alpha, dC.p, LD, dB.p, LD, &zero, right.p, LD));
        same("gemm3m", right.back(), e.a);
    }
}

/* ---- rotations ---- */

static void rotations(cublasHandle_t h)
{
    float a = 3, b = 4, c, s;
    IS(cublasSrotg(h, &a, &b, &c, &s));
    same("rotg", {a, c, s}, {5, 0.6, 0.8});
    const numbers x = some<float>(N, 1), y = some<float>(N, 2), u = some<cuComplex>(N, 3), v = some<cuComplex>(N, 4);
    double d1 = 2, d2 = 3, x1 = 1.5, y1 = 0.5, param[5];
    IS(cublasDrotmg(h, &d1, &d2, &x1, &y1, param));
    const on_gpu<double> dx({1.5, 1}), dy({0.5, 2});
    IS(cublasDrotm(h, 2, dx.p, 1, dy.p, 1, param));
    same("rotm", {dx.back()[0], dy.back()[0]}, {x1, 0});    /* the second number is zero then */
    cuComplex ca = as<cuComplex>(number(3, 4)), cb = as<cuComplex>(number(0, 12)), cs;
    IS(cublasCrotg(h, &ca, &cb, &c, &cs));
    same("crotg", {std::abs(from(ca)), c}, {13, 5.0 / 13});
    const on_gpu<cuComplex> p(u), q(spread(v));
    IS(cublasCrot(h, N, p.p, 1, q.p, STEP, &c, &cs));
    same("crot", p.back(), sum(c, u, from(cs), v));
    same("crot", q.back(), spread(sum(c, v, -std::conj(from(cs)), u)));
    const on_gpu<cuDoubleComplex> z(u), w(v);
    const double cosine = 0.6, sine = 0.8;
    IS(cublasZdrot(h, N, z.p, 1, w.p, 1, &cosine, &sine));
    same("zdrot", w.back(), sum(0.6, v, -0.8, u));
    const on_gpu<float> ex(x), ey(y);
    const float c1 = 0.6f, s1 = 0.8f;
    IS(cublasRotEx(h, N, ex.p, CUDA_R_32F, 1, ey.p, CUDA_R_32F, 1, &c1, &s1, CUDA_R_32F, CUDA_R_32F));
    same("RotEx", ey.back(), sum(0.6, y, -0.8, x));
    int largest, least;
    float total;
    IS(cublasSwapEx(h, N, ex.p, CUDA_R_32F, 1, ey.p, CUDA_R_32F, 1));
    same("SwapEx", ex.back(), sum(0.6, y, -0.8, x));
    IS(cublasCopyEx(h, N, ey.p, CUDA_R_32F, 1, ex.p, CUDA_R_32F, 1));
    same("CopyEx", ex.back(), sum(0.6, x, 0.8, y));
    const on_gpu<float> few({-1, 4, 0.5, -7, 7, 0.5});
    IS(cublasIamaxEx(h, 6, few.p, CUDA_R_32F, 1, &largest));
    IS(cublasIaminEx(h, 6, few.p, CUDA_R_32F, 1, &least));
    IS(cublasAsumEx(h, 6, few.p, CUDA_R_32F, 1, &total, CUDA_R_32F, CUDA_R_32F));
    same("IamaxEx, IaminEx, AsumEx", {(double)largest, (double)least, total}, {4, 3, 20});
}

static void groups(cublasHandle_t h)
{
    const cublasOperation_t op[] = {CUBLAS_OP_N, CUBLAS_OP_T};
    const int m[] = {2, 1}, n[] = {1, 2}, k[] = {2, 2}, lda[] = {2, 2}, ldb[] = {2, 2}, ldc[] = {2, 1};
    const int counts[] = {2, 1};
    const double alpha[] = {1, 2}, beta[] = {0, 0};
    const on_gpu<double> A({1, 2, 3, 4, 5, 6, 7, 8, 1, 2}), B({1, 1, 2, 1, 1, 2, 3, 4}), C(numbers(6));
    const double *as[] = {A.p, A.p + 4, A.p + 8}, *bs[] = {B.p, B.p + 2, B.p + 4};
    double *cs[] = {C.p, C.p + 2, C.p + 4};
    const double **da, **db;
    double **dc;
    cudaMalloc(&da, sizeof as), cudaMalloc(&db, sizeof bs), cudaMalloc(&dc, sizeof cs);
    cudaMemcpy(da, as, sizeof as, cudaMemcpyHostToDevice), cudaMemcpy(db, bs, sizeof bs, cudaMemcpyHostToDevice);
    cudaMemcpy(dc, cs, sizeof cs, cudaMemcpyHostToDevice);
    const cublasOperation_t plain[] = {CUBLAS_OP_N, CUBLAS_OP_N};
    IS(cublasDgemmGroupedBatched(h, op, plain, m, n, k, alpha, da, lda, db, ldb, beta, dc, ldc, 2, counts));
    const numbers expected = {4, 6, 17, 20, 10, 22};
    same("gemmGroupedBatched", C.back(), expected);
    IS(cublasGemmGroupedBatchedEx(h, op, plain, m, n, k, alpha, (const void *const *)da, CUDA_R_64F, lda,
                                  (const void *const *)db, CUDA_R_64F, ldb, beta, (void *const *)dc, CUDA_R_64F, ldc, 2,
                                  counts, CUBLAS_COMPUTE_64F));
    same("GemmGroupedBatchedEx", C.back(), expected);
}

/* Calls with one operand that is too small. */
static void wrong(cublasHandle_t h, int which)
{
    const float one = 1;
    const on_gpu<float> A{numbers(N * (N + 1) / 2 - 1)}, x{numbers(N)}, y{numbers(N)};
    if (which == 1) cublasSspmv(h, CUBLAS_FILL_MODE_UPPER, N, &one, A.p, x.p, 1, &one, y.p, 1);
    if (which == 2) cublasSgbmv(h, CUBLAS_OP_N, N, N, 2, 2, &one, A.p, 5, x.p, 1, &one, y.p, 1);
    if (which == 3) cublasStbsv(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, N, 1, A.p, 2, x.p, 2);
}

int main(int argc, char **argv)
{
    cublasHandle_t h;
    IS(cublasCreate(&h));
    if (argc > 1) {
        wrong(h, atoi(argv[1]));
    } else {
        bands_and_triangles<float>(h), bands_and_triangles<double>(h);
        bands_and_triangles<cuComplex>(h), bands_and_triangles<cuDoubleComplex>(h);
        batches<float>(h), batches<double>(h), batches<cuComplex>(h), batches<cuDoubleComplex>(h);
        with_conjugates<cuComplex>(h), with_conjugates<cuDoubleComplex>(h);
        rotations(h);
        groups(h);
    }
    IS(cublasDestroy(h));
    printf("bad %d, %s\n", bad, cudaGetErrorString(cudaDeviceSynchronize()));
    return bad != 0;
}
