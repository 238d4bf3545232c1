/*
 * solver.cu - the dense part of cuSOLVER: checks in plain loops that each result solves its equation.
 * solver N: mistakes.
 */
#include <complex>
#include <cusolverDn.h>
#include "on_gpu.h"

enum { M = 11, N = 7, C = 3, LD = 13, COUNT = 3 };
static cusolverDnHandle_t h;

template <class T> struct number_of { typedef T type, real; static const cudaDataType is; };
template <> struct number_of<cuComplex> {
    typedef std::complex<float> type;
    typedef float real;
    static const cudaDataType is;
};
template <> struct number_of<cuDoubleComplex> {
    typedef std::complex<double> type;
    typedef double real;
    static const cudaDataType is;
};
template <> const cudaDataType number_of<float>::is = CUDA_R_32F;
template <> const cudaDataType number_of<double>::is = CUDA_R_64F;
const cudaDataType number_of<cuComplex>::is = CUDA_C_32F;
const cudaDataType number_of<cuDoubleComplex>::is = CUDA_C_64F;

static float conjugate(float x) { return x; }
static double conjugate(double x) { return x; }
template <class R> std::complex<R> conjugate(std::complex<R> x) { return std::conj(x); }
template <class N_> struct random_of { static N_ get() { return (N_)(rand() % 19 - 9); } };
template <class R> struct random_of<std::complex<R>> {
    static std::complex<R> get() { return {(R)(rand() % 19 - 9), (R)(rand() % 9 - 4)}; }
};

/* A column-major matrix on the host. */
template <class N_> struct matrix {
    int rows, columns, lead;
    std::vector<N_> a;
    matrix(int rows, int columns, int lead) : rows(rows), columns(columns), lead(lead), a((size_t)(lead * columns)) {}
    N_ &operator()(int i, int j) { return a[(size_t)(i + j * lead)]; }
    N_ operator()(int i, int j) const { return a[(size_t)(i + j * lead)]; }
    matrix adjoint() const
    {
        matrix t(columns, rows, columns);
        for (int i = 0; i < rows; ++i) for (int j = 0; j < columns; ++j) t(j, i) = conjugate((*this)(i, j));
        return t;
    }
};
template <class N_> matrix<N_> operator*(const matrix<N_> &a, const matrix<N_> &b)
{
    matrix<N_> c(a.rows, b.columns, a.rows);
    for (int i = 0; i < a.rows; ++i)
        for (int j = 0; j < b.columns; ++j)
            for (int k = 0; k < a.columns; ++k) c(i, j) += a(i, k) * b(k, j);
    return c;
}
template <class N_> matrix<N_> random_matrix(int m, int n)
{
    matrix<N_> a(m, n, LD);
    for (int i = 0; i < m; ++i) for (int j = 0; j < n; ++j) a(i, j) = random_of<N_>::get();
    return a;
}
template <class N_> matrix<N_> positive(int n)
{
    const matrix<N_> a = random_matrix<N_>(n, n), b = a * a.adjoint();
    matrix<N_> c(n, n, LD);
    for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) c(i, j) = b(i, j) + (N_)(i == j ? 9 : 0);
    return c;
}
template <class N_> void near(const char *what, const matrix<N_> &a, const matrix<N_> &b)
{
    double size = 1, off = 0;
    for (int i = 0; i < b.rows; ++i)
        for (int j = 0; j < b.columns; ++j) {
            size = std::fmax(size, std::abs(b(i, j)));
            off = std::fmax(off, std::abs(a(i, j) - b(i, j)));
        }
    if (!(off <= 2e-4 * size) && ++bad) printf("%s: off by %g of %g\n", what, off, size);
}
template <class N_> matrix<N_> one(int n)
{
    matrix<N_> c(n, n, n);
    for (int i = 0; i < n; ++i) c(i, i) = (N_)1;
    return c;
}

/* On the GPU. */
template <class T> struct array {
    T *p = nullptr;
    size_t n;
    explicit array(size_t n) : n(n) { cudaMalloc(&p, n * sizeof(T)); }
    template <class N_> array(const matrix<N_> &m) : array(m.a.size())
    { cudaMemcpy(p, m.a.data(), n * sizeof(T), cudaMemcpyHostToDevice); }
    ~array() { cudaFree(p); }
    template <class N_> matrix<N_> back(int rows, int columns, int lead, size_t from = 0) const
    {
        matrix<N_> m(rows, columns, lead);
        cudaMemcpy2D(m.a.data(), sizeof(T) * (size_t)lead, p + from, sizeof(T) * (size_t)lead, sizeof(T) * (size_t)rows,
                     (size_t)columns, cudaMemcpyDeviceToHost);
        return m;
    }
};
struct info_t : array<int> {
    info_t() : array<int>(COUNT) {}
    void is_zero(const char *what)
    {
        int i;
        cudaMemcpy(&i, p, sizeof i, cudaMemcpyDeviceToHost);
        if (i && ++bad) printf("%s: info %d\n", what, i);
    }
};

/* The calls of one type, under names without the type. */
#define NAMES(U, Q, E, T, R)                                                                                           \
    template <> struct calls<T> {                                                                                      \
        static constexpr auto potrf_size = cusolverDn##U##potrf_bufferSize;                                            \
        static constexpr auto potrf = cusolverDn##U##potrf;                                                            \
        static constexpr auto potrs = cusolverDn##U##potrs;                                                            \
        static constexpr auto potri = cusolverDn##U##potri;                                                            \
        static constexpr auto potrf_batch = cusolverDn##U##potrfBatched;                                               \
        static constexpr auto potrs_batch = cusolverDn##U##potrsBatched;                                               \
        static constexpr auto getrf_size = cusolverDn##U##getrf_bufferSize;                                            \
        static constexpr auto getrf = cusolverDn##U##getrf;                                                            \
        static constexpr auto getrs = cusolverDn##U##getrs;                                                            \
        static constexpr auto geqrf_size = cusolverDn##U##geqrf_bufferSize;                                            \
        static constexpr auto geqrf = cusolverDn##U##geqrf;                                                            \
        static constexpr auto gesvd_size = cusolverDn##U##gesvd_bufferSize;                                            \
        static constexpr auto gesvd = cusolverDn##U##gesvd;                                                            \
        static constexpr auto gesvdj_size = cusolverDn##U##gesvdj_bufferSize;                                          \
        static constexpr auto gesvdj = cusolverDn##U##gesvdj;                                                          \
        static constexpr auto gesvdj_batch_size = cusolverDn##U##gesvdjBatched_bufferSize;                             \
        static constexpr auto gesvdj_batch = cusolverDn##U##gesvdjBatched;                                             \
        static constexpr auto make_q_size = cusolverDn##U##Q##gqr_bufferSize;                                          \
        static constexpr auto make_q = cusolverDn##U##Q##gqr;                                                          \
        static constexpr auto times_q_size = cusolverDn##U##Q##mqr_bufferSize;                                         \
        static constexpr auto times_q = cusolverDn##U##Q##mqr;                                                         \
        static constexpr auto eigen_size = cusolverDn##U##E##evd_bufferSize;                                           \
        static constexpr auto eigen = cusolverDn##U##E##evd;                                                           \
        static constexpr auto eigen_of_two_size = cusolverDn##U##E##gvd_bufferSize;                                    \
        static constexpr auto eigen_of_two = cusolverDn##U##E##gvd;                                                    \
        static constexpr auto jacobi_of_two_size = cusolverDn##U##E##gvj_bufferSize;                                   \
        static constexpr auto jacobi_of_two = cusolverDn##U##E##gvj;                                                   \
        static constexpr auto jacobi_size = cusolverDn##U##E##evj_bufferSize;                                          \
        static constexpr auto jacobi = cusolverDn##U##E##evj;                                                          \
        static constexpr auto jacobi_batch_size = cusolverDn##U##E##evjBatched_bufferSize;                             \
        static constexpr auto jacobi_batch = cusolverDn##U##E##evjBatched;                                             \
    };
template <class T> struct calls;
NAMES(S, or, sy, float, float)
NAMES(D, or, sy, double, double)
NAMES(C, un, he, cuComplex, float)
NAMES(Z, un, he, cuDoubleComplex, double)

static const cublasFillMode_t fills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};

template <class T> static void systems()
{
    typedef calls<T> lapack;
    typedef typename number_of<T>::type number;
    int size;
    info_t info;
    const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
    const matrix<number> P = positive<number>(N), A = random_matrix<number>(N, N), B = random_matrix<number>(N, C),
                         column = random_matrix<number>(N, 1);
    for (cublasFillMode_t fill : fills) {
        array<T> p(P), b(B);
        IS(lapack::potrf_size(h, fill, N, p.p, LD, &size));
        array<T> work((size_t)size);
        IS(lapack::potrf(h, fill, N, p.p, LD, work.p, size, info.p));
        info.is_zero("potrf");
        IS(lapack::potrs(h, fill, N, C, p.p, LD, b.p, LD, info.p));
        near("potrs", P * b.template back<number>(N, C, LD), B);
        IS(lapack::potri(h, fill, N, p.p, LD, work.p, size, info.p));
        matrix<number> inverse = p.template back<number>(N, N, LD);
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < i; ++j)
                fill == CUBLAS_FILL_MODE_LOWER ? inverse(j, i) = conjugate(inverse(i, j))
                                               : inverse(i, j) = conjugate(inverse(j, i));
        near("potri", P * inverse, one<number>(N));
        /* many of them */
        array<T> each[2] = {array<T>(P), array<T>(P)}, right[2] = {array<T>(B), array<T>(column)};
        T *all[2] = {each[0].p, each[1].p}, *sides[2] = {right[0].p, right[1].p};
        array<T *> As(2), Bs(2);
        cudaMemcpy(As.p, all, sizeof all, cudaMemcpyHostToDevice);
        cudaMemcpy(Bs.p, sides, sizeof sides, cudaMemcpyHostToDevice);
        IS(lapack::potrf_batch(h, fill, N, As.p, LD, info.p, 2));
        info.is_zero("potrfBatched");
        IS(lapack::potrs_batch(h, fill, N, 1, As.p, LD, Bs.p, LD, info.p, 2));
        near("potrsBatched", P * right[1].template back<number>(N, 1, LD), column);
    }
    for (cublasOperation_t op : ops)
        for (int pivots = 0; pivots < 2; ++pivots) {
            const matrix<number> &system = pivots ? A : P;
            array<T> a(system), b(B);
            array<int> order(N);
            IS(lapack::getrf_size(h, N, N, a.p, LD, &size));
            array<T> work((size_t)size);
            IS(lapack::getrf(h, N, N, a.p, LD, work.p, pivots ? order.p : nullptr, info.p));
            info.is_zero("getrf");
            IS(lapack::getrs(h, op, N, C, a.p, LD, pivots ? order.p : nullptr, b.p, LD, info.p));
            matrix<number> as = op == CUBLAS_OP_N ? system : system.adjoint();
            if (op == CUBLAS_OP_T) for (number &x : as.a) x = conjugate(x);
            near("getrs", as * b.template back<number>(N, C, LD), B);
        }
    /* Q R = A; Q as a matrix, and its products */
    const matrix<number> tall = random_matrix<number>(M, N), D = random_matrix<number>(M, C);
    array<T> a(tall), tau(N), d(D);
    IS(lapack::geqrf_size(h, M, N, a.p, LD, &size));
    array<T> work((size_t)size);
    IS(lapack::geqrf(h, M, N, a.p, LD, tau.p, work.p, size, info.p));
    info.is_zero("geqrf");
    matrix<number> R = a.template back<number>(N, N, LD);
    for (int j = 0; j < N; ++j) for (int i = j + 1; i < N; ++i) R(i, j) = 0;
    array<T> q(a.template back<number>(M, N, LD));
    IS(lapack::make_q_size(h, M, N, N, q.p, LD, tau.p, &size));
    IS(lapack::make_q(h, M, N, N, q.p, LD, tau.p, work.p, size, info.p));
    const matrix<number> Q = q.template back<number>(M, N, LD);
    near("Q R", Q * R, tall);
    near("Q' Q", Q.adjoint() * Q, one<number>(N));
    IS(lapack::times_q_size(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_C, M, C, N, a.p, LD, tau.p, d.p, LD, &size));
    const cublasOperation_t back = std::is_same<number, typename number_of<T>::real>::value ? CUBLAS_OP_T : CUBLAS_OP_C;
    IS(lapack::times_q(h, CUBLAS_SIDE_LEFT, back, M, C, N, a.p, LD, tau.p, d.p, LD, work.p, size, info.p));
    near("ormqr", d.template back<number>(N, C, LD), Q.adjoint() * D);
}

/* A V = V diag(W) */
template <class number, class R>
static void are_eigen(const char *what, const matrix<number> &A, const matrix<number> &V, const matrix<R> &W)
{
    matrix<number> scaled(N, N, N);
    for (int i = 0; i < N; ++i) for (int j = 0; j < N; ++j) scaled(i, j) = V(i, j) * (number)W(j, 0);
    near(what, A * V, scaled);
    for (int i = 1; i < N; ++i) if (W(i, 0) < W(i - 1, 0) && ++bad) printf("%s: not sorted\n", what);
}

template <class T> static void eigenvalues()
{
    typedef calls<T> lapack;
    typedef typename number_of<T>::type number;
    typedef typename number_of<T>::real R;
    const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
    int size;
    info_t info;
    const matrix<number> A = positive<number>(N), B = positive<number>(N);
    for (cublasFillMode_t fill : fills) {
        array<T> a(A), b(B);
        array<R> w(N);
        IS(lapack::eigen_size(h, with, fill, N, a.p, LD, w.p, &size));
        array<T> work((size_t)size);
        IS(lapack::eigen(h, with, fill, N, a.p, LD, w.p, work.p, size, info.p));
        info.is_zero("syevd");
        are_eigen("syevd", A, a.template back<number>(N, N, LD), w.template back<R>(N, 1, N));
        cudaMemcpy(a.p, A.a.data(), sizeof(T) * a.n, cudaMemcpyHostToDevice);
        IS(lapack::eigen_of_two_size(h, CUSOLVER_EIG_TYPE_1, with, fill, N, a.p, LD, b.p, LD, w.p, &size));
        IS(lapack::eigen_of_two(h, CUSOLVER_EIG_TYPE_1, with, fill, N, a.p, LD, b.p, LD, w.p, work.p, size, info.p));
        info.is_zero("sygvd");
        const matrix<number> V = a.template back<number>(N, N, LD);
        const matrix<R> W = w.template back<R>(N, 1, N);
        matrix<number> scaled(N, N, N);
        for (int i = 0; i < N; ++i) for (int j = 0; j < N; ++j) scaled(i, j) = V(i, j) * (number)W(j, 0);
        near("sygvd", A * V, B * scaled);
        syevjInfo_t params;
        IS(cusolverDnCreateSyevjInfo(&params));
        IS(cusolverDnXsyevjSetTolerance(params, 1e-7));
        cudaMemcpy(a.p, A.a.data(), sizeof(T) * a.n, cudaMemcpyHostToDevice);
        IS(lapack::jacobi_size(h, with, fill, N, a.p, LD, w.p, &size, params));
        IS(lapack::jacobi(h, with, fill, N, a.p, LD, w.p, work.p, size, info.p, params));
        are_eigen("syevj", A, a.template back<number>(N, N, LD), w.template back<R>(N, 1, N));
        array<T> many((size_t)(COUNT * LD * N));
        array<R> values((size_t)(COUNT * N));
        for (int i = 0; i < COUNT; ++i)
            cudaMemcpy(many.p + i * LD * N, (i == 1 ? B : A).a.data(), sizeof(T) * LD * N, cudaMemcpyHostToDevice);
        cudaMemcpy(a.p, A.a.data(), sizeof(T) * a.n, cudaMemcpyHostToDevice);
        cudaMemcpy(b.p, B.a.data(), sizeof(T) * b.n, cudaMemcpyHostToDevice);
        IS(lapack::jacobi_of_two_size(h, CUSOLVER_EIG_TYPE_1, with, fill, N, a.p, LD, b.p, LD, w.p, &size, params));
        IS(lapack::jacobi_of_two(h, CUSOLVER_EIG_TYPE_1, with, fill, N, a.p, LD, b.p, LD, w.p, work.p, size, info.p,
                                 params));
        const matrix<R> values_of_two = w.template back<R>(N, 1, N);
        near("sygvj", values_of_two, W);
        IS(lapack::jacobi_batch_size(h, with, fill, N, many.p, LD, values.p, &size, params, COUNT));
        IS(lapack::jacobi_batch(h, with, fill, N, many.p, LD, values.p, work.p, size, info.p, params, COUNT));
        are_eigen("syevjBatched", B, many.template back<number>(N, N, LD, LD * N), values.template back<R>(N, 1, N, N));
        IS(cusolverDnDestroySyevjInfo(params));
    }
}

/* U diag(S) V' = A */
template <class number, class R> static void are_singular(const char *what, const matrix<number> &A,
                                                          const matrix<number> &U, const matrix<R> &S,
                                                          const matrix<number> &adjoint)
{
    matrix<number> scaled(U.rows, adjoint.rows, U.rows);
    for (int i = 0; i < U.rows; ++i)
        for (int j = 0; j < adjoint.rows && j < S.rows; ++j) scaled(i, j) = U(i, j) * (number)S(j, 0);
    near(what, scaled * adjoint, A);
    near(what, U.adjoint() * U, one<number>(U.columns));
}

template <class T> static void singular_values()
{
    typedef calls<T> lapack;
    typedef typename number_of<T>::type number;
    typedef typename number_of<T>::real R;
    int size;
    info_t info;
    const matrix<number> A = random_matrix<number>(M, N), wide = random_matrix<number>(N, M);
    array<T> a(A), u((size_t)(LD * M)), v((size_t)(LD * M));
    array<R> s((size_t)(COUNT * N));
    is("a wide matrix", lapack::gesvd_size(h, N, M, &size), CUSOLVER_STATUS_INVALID_VALUE);
    IS(lapack::gesvd_size(h, M, N, &size));
    array<T> work((size_t)size);
    for (char job : {'A', 'S'}) {
        cudaMemcpy(a.p, A.a.data(), sizeof(T) * a.n, cudaMemcpyHostToDevice);
        IS(lapack::gesvd(h, job, job, M, N, a.p, LD, s.p, u.p, LD, v.p, LD, work.p, size, nullptr, info.p));
        info.is_zero("gesvd");
        are_singular("gesvd", A, u.template back<number>(M, job == 'A' ? M : N, LD), s.template back<R>(N, 1, N),
                     v.template back<number>(N, N, LD));
    }
    gesvdjInfo_t params;
    IS(cusolverDnCreateGesvdjInfo(&params));
    for (int economic = 0; economic < 2; ++economic)
        for (const matrix<number> *m : {&A, &wide}) {
            const int few = economic ? (int)N : (int)M, columns_u = m->rows == N ? (int)N : few,
                      columns_v = m->rows == N ? few : (int)N;
            array<T> given(*m);
            IS(lapack::gesvdj_size(h, CUSOLVER_EIG_MODE_VECTOR, economic, m->rows, m->columns, given.p, LD, s.p, u.p,
                                   LD, v.p, LD, &size, params));
            IS(lapack::gesvdj(h, CUSOLVER_EIG_MODE_VECTOR, economic, m->rows, m->columns, given.p, LD, s.p, u.p, LD,
                              v.p, LD, work.p, size, info.p, params));
            are_singular("gesvdj", *m, u.template back<number>(m->rows, columns_u, LD), s.template back<R>(N, 1, N),
                         v.template back<number>(m->columns, columns_v, LD).adjoint());
        }
    array<T> many((size_t)(COUNT * LD * N)), lefts((size_t)(COUNT * LD * M)), rights((size_t)(COUNT * LD * N));
    for (int i = 0; i < COUNT; ++i)
        cudaMemcpy(many.p + i * LD * N, A.a.data(), sizeof(T) * LD * N, cudaMemcpyHostToDevice);
    IS(lapack::gesvdj_batch_size(h, CUSOLVER_EIG_MODE_VECTOR, M, N, many.p, LD, s.p, lefts.p, LD, rights.p, LD, &size,
                                 params, COUNT));
    IS(lapack::gesvdj_batch(h, CUSOLVER_EIG_MODE_VECTOR, M, N, many.p, LD, s.p, lefts.p, LD, rights.p, LD, work.p, size,
                            info.p, params, COUNT));
    are_singular("gesvdjBatched", A, lefts.template back<number>(M, M, LD, 2 * LD * M),
                 s.template back<R>(N, 1, N, 2 * N),
                 rights.template back<number>(N, N, LD, 2 * LD * N).adjoint());
    IS(cusolverDnDestroyGesvdjInfo(params));
}

/* The calls with type arguments. */
template <class T> static void by_name()
{
    typedef typename number_of<T>::type number;
    typedef typename number_of<T>::real R;
    const cudaDataType type = number_of<T>::is, type_of_r = number_of<R>::is;
    const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    cusolverDnParams_t params;
    IS(cusolverDnCreateParams(&params));
    IS(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_0));
    size_t on_gpu, on_host;
    info_t info;
    const matrix<number> P = positive<number>(N), A = random_matrix<number>(N, N), B = random_matrix<number>(N, C);
    array<char> room(1 << 16);
    array<T> p(P), b(B), a(A), tau(N), u((size_t)(LD * N)), v((size_t)(LD * N));
    array<R> w(N);
    array<int64_t> pivots(N);
    IS(cusolverDnXpotrf_bufferSize(h, params, lower, N, type, p.p, LD, type, &on_gpu, &on_host));
    IS(cusolverDnXpotrf(h, params, lower, N, type, p.p, LD, type, room.p, on_gpu, nullptr, on_host, info.p));
    IS(cusolverDnXpotrs(h, params, lower, N, C, type, p.p, LD, type, b.p, LD, info.p));
    near("Xpotrs", P * b.template back<number>(N, C, LD), B);
    cudaMemcpy(b.p, B.a.data(), sizeof(T) * b.n, cudaMemcpyHostToDevice);
    IS(cusolverDnXgetrf_bufferSize(h, params, N, N, type, a.p, LD, type, &on_gpu, &on_host));
    IS(cusolverDnXgetrf(h, params, N, N, type, a.p, LD, pivots.p, type, room.p, on_gpu, nullptr, on_host, info.p));
    IS(cusolverDnXgetrs(h, params, CUBLAS_OP_N, N, C, type, a.p, LD, pivots.p, type, b.p, LD, info.p));
    near("Xgetrs", A * b.template back<number>(N, C, LD), B);
    cudaMemcpy(p.p, P.a.data(), sizeof(T) * p.n, cudaMemcpyHostToDevice);
    IS(cusolverDnXsyevd_bufferSize(h, params, CUSOLVER_EIG_MODE_VECTOR, lower, N, type, p.p, LD, type_of_r, w.p, type,
                                   &on_gpu, &on_host));
    IS(cusolverDnXsyevd(h, params, CUSOLVER_EIG_MODE_VECTOR, lower, N, type, p.p, LD, type_of_r, w.p, type, room.p,
                        on_gpu, nullptr, on_host, info.p));
    are_eigen("Xsyevd", P, p.template back<number>(N, N, LD), w.template back<R>(N, 1, N));
    cudaMemcpy(a.p, A.a.data(), sizeof(T) * a.n, cudaMemcpyHostToDevice);
    IS(cusolverDnXgesvd_bufferSize(h, params, 'A', 'A', N, N, type, a.p, LD, type_of_r, w.p, type, u.p, LD, type, v.p,
                                   LD, type, &on_gpu, &on_host));
    IS(cusolverDnXgesvd(h, params, 'A', 'A', N, N, type, a.p, LD, type_of_r, w.p, type, u.p, LD, type, v.p, LD, type,
                        room.p, on_gpu, nullptr, on_host, info.p));
    are_singular("Xgesvd", A, u.template back<number>(N, N, LD), w.template back<R>(N, 1, N),
                 v.template back<number>(N, N, LD));
    cudaMemcpy(a.p, A.a.data(), sizeof(T) * a.n, cudaMemcpyHostToDevice);
    IS(cusolverDnXgeqrf_bufferSize(h, params, N, N, type, a.p, LD, type, tau.p, type, &on_gpu, &on_host));
    IS(cusolverDnXgeqrf(h, params, N, N, type, a.p, LD, type, tau.p, type, room.p, on_gpu, nullptr, on_host, info.p));
    matrix<number> R_ = a.template back<number>(N, N, LD);
    for (int j = 0; j < N; ++j) for (int i = j + 1; i < N; ++i) R_(i, j) = 0;
    near("Xgeqrf", R_.adjoint() * R_, A.adjoint() * A);
    IS(cusolverDnDestroyParams(params));
}

/* 1: a leading dimension for which A is too small.  2: no workspace.  3: a singular matrix, see its info.
 * 4: a triangle that was never written. */
static void wrong(int which)
{
    const matrix<float> A = which == 3 ? matrix<float>(N, N, LD) : random_matrix<float>(N, N);
    array<float> a(A), none((size_t)(LD * N));
    array<int> pivots(N);
    info_t info;
    int size, says = -1;
    cudaMemset(info.p, 0, sizeof says);
    cusolverDnSgetrf_bufferSize(h, N, N, a.p, LD, &size);
    array<float> work((size_t)size);
    const cusolverStatus_t status = cusolverDnSgetrf(h, N, N, which == 4 ? none.p : a.p, which == 1 ? LD + 2 : LD,
                                                     which == 2 ? nullptr : work.p, pivots.p, info.p);
    cudaMemcpy(&says, info.p, sizeof says, cudaMemcpyDeviceToHost);
    printf("status %d, info %d\n", (int)status, says);
}

int main(int argc, char **argv)
{
    IS(cusolverDnCreate(&h));
    if (argc > 1) {
        wrong(atoi(argv[1]));
        return 0;
    }
    systems<float>(), systems<double>(), systems<cuComplex>(), systems<cuDoubleComplex>();
    eigenvalues<float>(), eigenvalues<double>(), eigenvalues<cuComplex>(), eigenvalues<cuDoubleComplex>();
    singular_values<float>(), singular_values<double>();
    singular_values<cuComplex>(), singular_values<cuDoubleComplex>();
    by_name<float>(), by_name<double>(), by_name<cuComplex>(), by_name<cuDoubleComplex>();
    IS(cusolverDnDestroy(h));
    printf("bad %d, %s\n", bad, cudaGetErrorString(cudaGetLastError()));
}
