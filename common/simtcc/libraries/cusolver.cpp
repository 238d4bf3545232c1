/*
 * cusolver.cpp - the dense part of cuSOLVER by the LAPACK in OpenBLAS.
 *
 * Each call checks its operands and the workspace that it has asked for, although LAPACK gets workspaces of our own.
 */
#include "cusolverDn.h"
#include "lapack.hpp"

using namespace simt_library;

namespace simt_library {

SIMT_STATUSES(cusolverStatus_t, CUSOLVER)
static const char *letter(cusolverEigMode_t vectors) { return vectors == CUSOLVER_EIG_MODE_VECTOR ? "V" : "N"; }

} // namespace simt_library

struct cusolverDnContext { cudaStream_t stream = nullptr; };
struct cusolverDnParams { cusolverAlgMode_t algorithm = CUSOLVER_ALG_0; };
struct syevjInfo { double tolerance = 0; int sweeps = 100, sort = 1; };
struct gesvdjInfo { double tolerance = 0; int sweeps = 100, sort = 1; };

extern "C" {
#define FAMILY(U, l, T, R) void l##potrf_(), l##potrs_(), l##potri_(), l##gesvd_();
CUSOLVER_TYPES(FAMILY)
#undef FAMILY
void sorgqr_(), sormqr_(), dorgqr_(), dormqr_(), cungqr_(), cunmqr_(), zungqr_(), zunmqr_();
void ssyevd_(), ssygvd_(), dsyevd_(), dsygvd_(), cheevd_(), chegvd_(), zheevd_(), zhegvd_();
}

namespace {

/* ---- LAPACK by type, with its own workspaces ---- */

#define FAMILY(U, l, T, R)                                                                                             \
    int potrf(cublasFillMode_t f, int n, T *A, int lda) { return lapack(l##potrf_, letter(f), n, A, lda); }            \
    int potrs(cublasFillMode_t f, int n, int columns, const T *A, int lda, T *B, int ldb)                              \
    { return lapack(l##potrs_, letter(f), n, columns, A, lda, B, ldb); }                                               \
    int potri(cublasFillMode_t f, int n, T *A, int lda) { return lapack(l##potri_, letter(f), n, A, lda); }
CUSOLVER_TYPES(FAMILY)
#undef FAMILY

#define QS(gqr, mqr, T)                                                                                                \
    int make_q(int m, int n, int k, T *A, int lda, const T *tau)                                                       \
    {                                                                                                                  \
        std::vector<T> work(64 * (size_t)std::max(n, 1));                                                              \
        return lapack(gqr##_, m, n, k, A, lda, tau, ROOM_OF(work));                                                    \
    }                                                                                                                  \
    int times_q(cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const T *A, int lda, const T *tau,   \
                T *C, int ldc)                                                                                         \
    {                                                                                                                  \
        std::vector<T> work(64 * (size_t)std::max({m, n, 1}) + 65 * 64);                                               \
        return lapack(mqr##_, letter(side), letter(op), m, n, k, A, lda, tau, C, ldc, ROOM_OF(work));                  \
    }
QS(sorgqr, sormqr, float)
QS(dorgqr, dormqr, double)
QS(cungqr, cunmqr, cuComplex)
QS(zungqr, zunmqr, cuDoubleComplex)
#undef QS

/* Workspaces of the largest size that LAPACK's documentation requires.  REALS: the one that complex matrices need. */
#define EIGEN(evd, gvd, T, R, REALS)                                                                                   \
    int eigen(cusolverEigMode_t v, cublasFillMode_t f, int n, T *A, int lda, R *W)                                     \
    {                                                                                                                  \
        std::vector<T> work(1 + 6 * (size_t)n + 2 * (size_t)n * (size_t)n + 64 * (size_t)n);                           \
        std::vector<R> reals(sizeof(T) > sizeof(R) ? work.size() : 0);                                                 \
        std::vector<int> whole(3 + 5 * (size_t)n);                                                                     \
        return lapack(evd##_, letter(v), letter(f), n, A, lda, W, ROOM_OF(work) REALS, ROOM_OF(whole));                \
    }                                                                                                                  \
    int eigen(int type, cusolverEigMode_t v, cublasFillMode_t f, int n, T *A, int lda, T *B, int ldb, R *W)            \
    {                                                                                                                  \
        std::vector<T> work(1 + 6 * (size_t)n + 2 * (size_t)n * (size_t)n + 64 * (size_t)n);                           \
        std::vector<R> reals(sizeof(T) > sizeof(R) ? work.size() : 0);                                                 \
        std::vector<int> whole(3 + 5 * (size_t)n);                                                                     \
        return lapack(gvd##_, type, letter(v), letter(f), n, A, lda, B, ldb, W, ROOM_OF(work) REALS, ROOM_OF(whole));  \
    }
#define NO_REALS
#define REALS_TOO , ROOM_OF(reals)
EIGEN(ssyevd, ssygvd, float, float, NO_REALS)
EIGEN(dsyevd, dsygvd, double, double, NO_REALS)
EIGEN(cheevd, chegvd, cuComplex, float, REALS_TOO)
EIGEN(zheevd, zhegvd, cuDoubleComplex, double, REALS_TOO)
#undef EIGEN

#define SVD(l, T, R, REALS)                                                                                            \
    int svd(char u, char v, int m, int n, T *A, int lda, R *S, T *left, int ldu, T *right, int ldvt)                   \
    {                                                                                                                  \
        std::vector<T> work(64 * (size_t)(m + n) + 5 * (size_t)std::max(m, n) + 1);                                    \
        std::vector<R> reals(5 * (size_t)std::max({m, n, 1}));                                                         \
        return lapack(l##gesvd_, &u, &v, m, n, A, lda, S, left, ldu, right, ldvt, ROOM_OF(work) REALS);                \
    }
SVD(s, float, float, NO_REALS)
SVD(d, double, double, NO_REALS)
#define REALS_ALONE , reals.data()
SVD(c, cuComplex, float, REALS_ALONE)
SVD(z, cuDoubleComplex, double, REALS_ALONE)
#undef SVD

/* ---- a call with its arguments ---- */

class solver_call : public checked_call<cusolverStatus_t> {
public:
    solver_call(cusolverDnHandle_t h, const char *name) : checked_call(name, h ? h->stream : nullptr, h) {}
    template <class T> void vector(const char *name, const T *p, int n, int does)
    { call::vector(name, p, n > 0 ? (size_t)n : 0, 1, sizeof *p, does); }
    /* An error if the program's workspace is smaller than required; LAPACK does not use it. */
    template <class T> void workspace(const T *p, int has, int wants)
    {
        wrong_if(has < wants);
        vector("the workspace", p, wants, WRITES);
    }
    void info(const int *p, int n = 1) { vector("info", p, p ? n : 0, WRITES); }
    /* does(i) gives LAPACK's info of matrix i. */
    template <class F> cusolverStatus_t run_each(int *info, int count, F does)
    {
        return checked_call::run([=]() mutable {
            for (int i = 0; i < count; ++i) {
                const int says = does(i);
                if (info)
                    info[i] = says;
            }
        });
    }
    template <class F> cusolverStatus_t run(int *info, F does)
    { return run_each(info, 1, [=](int) mutable { return does(); }); }
};

int room_of(int m, int n) { return 32 * std::max({m, n, 1}); }    /* elements of a workspace, as a call requires */
cusolverStatus_t answer(cusolverDnHandle_t h, int *elements, int m, int n)
{
    if (!h || !elements || m < 0 || n < 0)
        return h ? CUSOLVER_STATUS_INVALID_VALUE : CUSOLVER_STATUS_NOT_INITIALIZED;
    *elements = room_of(m, n);
    return CUSOLVER_STATUS_SUCCESS;
}

template <class T>
cusolverStatus_t run_potrf(const char *name, cusolverDnHandle_t h, cublasFillMode_t fill, int n, T *A, int lda, T *work,
                           int elements, int *info, bool invert)
{
    solver_call c(h, name);
    c.matrix("A", A, n, n, lda, READS | WRITES, part(fill));
    c.workspace(work, elements, room_of(n, n));
    c.info(info);
    return c.run(info, [=] { return invert ? potri(fill, n, A, lda) : potrf(fill, n, A, lda); });
}

template <class T> cusolverStatus_t run_potrs(const char *name, cusolverDnHandle_t h, cublasFillMode_t fill, int n,
                                              int columns, const T *A, int lda, T *B, int ldb, int *info)
{
    solver_call c(h, name);
    c.matrix("A", A, n, n, lda, READS, part(fill));
    c.matrix("B", B, n, columns, ldb, READS | WRITES);
    c.info(info);
    return c.run(info, [=] { return potrs(fill, n, columns, A, lda, B, ldb); });
}

/* P: int, or int64_t for the calls that take types as arguments. */
template <class T, class P> cusolverStatus_t run_getrf(const char *name, cusolverDnHandle_t h, int m, int n, T *A,
                                                       int lda, T *work, P *pivots, int *info)
{
    solver_call c(h, name);
    c.matrix("A", A, m, n, lda, READS | WRITES);
    c.workspace(work, room_of(m, n), room_of(m, n));
    c.vector("the pivots", pivots, pivots ? std::min(m, n) : 0, WRITES);
    c.info(info);
    return c.run(info, [=] {
        if (!pivots)
            return eliminate(m, n, A, lda);
        std::vector<int> all((size_t)std::min(m, n));
        const int says = getrf(m, n, A, lda, all.data());
        std::copy(all.begin(), all.end(), pivots);
        return says;
    });
}

template <class T, class P>
cusolverStatus_t run_getrs(const char *name, cusolverDnHandle_t h, cublasOperation_t op, int n, int columns, const T *A,
                           int lda, const P *pivots, T *B, int ldb, int *info)
{
    solver_call c(h, name);
    c.matrix("A", A, n, n, lda, READS);
    c.matrix("B", B, n, columns, ldb, READS | WRITES);
    c.vector("the pivots", pivots, pivots ? n : 0, READS);
    c.info(info);
    return c.run(info, [=] {
        return getrs(op, n, columns, A, lda, pivots_of(pivots, n).data(), B, ldb);
    });
}

template <class T> cusolverStatus_t run_geqrf(const char *name, cusolverDnHandle_t h, int m, int n, T *A, int lda,
                                              T *tau, T *work, int elements, int *info)
{
    solver_call c(h, name);
    c.matrix("A", A, m, n, lda, READS | WRITES);
    c.vector("tau", tau, std::min(m, n), WRITES);
    c.workspace(work, elements, room_of(m, n));
    c.info(info);
    return c.run(info, [=] { return geqrf(m, n, A, lda, tau); });
}

template <class T> cusolverStatus_t run_make_q(const char *name, cusolverDnHandle_t h, int m, int n, int k, T *A,
                                               int lda, const T *tau, T *work, int elements, int *info)
{
    solver_call c(h, name);
    c.wrong_if(n > m || k > n || k < 0);
    c.matrix("A", A, m, n, lda, WRITES);
    c.matrix("A", A, m, k, lda, READS);
    c.vector("tau", tau, k, READS);
    c.workspace(work, elements, room_of(m, n));
    c.info(info);
    return c.run(info, [=] { return make_q(m, n, k, A, lda, tau); });
}

template <class T>
cusolverStatus_t run_times_q(const char *name, cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op, int m,
                             int n, int k, const T *A, int lda, const T *tau, T *C, int ldc, T *work, int elements,
                             int *info)
{
    solver_call c(h, name);
    c.matrix("A", A, side == CUBLAS_SIDE_LEFT ? m : n, k, lda, READS);
    c.vector("tau", tau, k, READS);
    c.matrix("C", C, m, n, ldc, READS | WRITES);
    c.workspace(work, elements, room_of(m, n));
    c.info(info);
    return c.run(info, [=] { return times_q(side, op, m, n, k, A, lda, tau, C, ldc); });
}

int vectors_too(cusolverEigMode_t v) { return v == CUSOLVER_EIG_MODE_VECTOR ? WRITES : 0; }

/* count matrices one after the other, each n columns of lda elements. */
template <class T>
cusolverStatus_t run_eigen(const char *name, cusolverDnHandle_t h, cusolverEigMode_t v, cublasFillMode_t fill, int n,
                           T *A, int lda, real<T> *W, T *work, int elements, int *info, int count)
{
    solver_call c(h, name);
    for (int i = 0; i < count; ++i) {
        T *const each = A + (size_t)i * (size_t)lda * (size_t)std::max(n, 0);
        c.matrix("A", each, n, n, lda, READS | WRITES, part(fill));
        c.matrix("A", each, n, n, lda, vectors_too(v));
    }
    c.vector("W", W, n * count, WRITES);
    c.workspace(work, elements, room_of(n, n));
    c.info(info, count);
    return c.run_each(info, count, [=](int i) {
        return eigen(v, fill, n, A + (size_t)i * (size_t)lda * (size_t)n, lda, W + (size_t)i * (size_t)n);
    });
}

template <class T>
cusolverStatus_t run_eigen_of_two(const char *name, cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t v,
                                  cublasFillMode_t fill, int n, T *A, int lda, T *B, int ldb, real<T> *W, T *work,
                                  int elements, int *info)
{
    solver_call c(h, name);
    c.matrix("A", A, n, n, lda, READS | WRITES, part(fill));
    c.matrix("A", A, n, n, lda, vectors_too(v));
    c.matrix("B", B, n, n, ldb, READS | WRITES, part(fill));
    c.vector("W", W, n, WRITES);
    c.workspace(work, elements, room_of(n, n));
    c.info(info);
    return c.run(info, [=] { return eigen((int)type, v, fill, n, A, lda, B, ldb, W); });
}

template <class T>
cusolverStatus_t run_svd(const char *name, cusolverDnHandle_t h, signed char u, signed char v, int m, int n, T *A,
                         int lda, real<T> *S, T *left, int ldu, T *right, int ldvt, T *work, int elements, int *info)
{
    solver_call c(h, name);
    c.wrong_if(m < n);
    c.matrix("A", A, m, n, lda, READS | WRITES);
    c.vector("S", S, std::min(m, n), WRITES);
    if (u == 'A' || u == 'S')
        c.matrix("U", left, m, u == 'A' ? m : n, ldu, WRITES);
    if (v == 'A' || v == 'S')
        c.matrix("V", right, n, n, ldvt, WRITES);
    c.workspace(work, elements, room_of(m, n));
    c.info(info);
    return c.run(info, [=] {
        T none{};
        return svd((char)u, (char)v, m, n, A, lda, S, left ? left : &none, std::max(ldu, 1), right ? right : &none,
                   std::max(ldvt, 1));
    });
}

template <class N> N conjugate(N x) { return x; }
template <class N> std::complex<N> conjugate(std::complex<N> x) { return std::conj(x); }

/* Like gesvdj: V, not its transpose; all vectors (job A), or min(m, n) of them (economic). */
template <class T>
int svd_with_v(bool vectors, bool economic, int m, int n, T *A, int lda, real<T> *S, T *left, int ldu, T *right,
               int ldv)
{
    const int k = std::min(m, n), rows = economic ? k : n;
    std::vector<T> transposed((size_t)(vectors ? std::max(rows, 1) * n : 1));
    T none{};
    const char job = !vectors ? 'N' : economic ? 'S' : 'A';
    const int says = svd(job, job, m, n, A, lda, S, vectors ? left : &none, std::max(ldu, 1), transposed.data(),
                         std::max(rows, 1));
    for (int j = 0; vectors && j < rows; ++j)
        for (int i = 0; i < n; ++i)
            ((as<T> *)right)[i + (size_t)j * (size_t)ldv] =
                conjugate(((as<T> *)transposed.data())[j + (size_t)i * (size_t)rows]);
    return says;
}

template <class T>
cusolverStatus_t run_svdj(const char *name, cusolverDnHandle_t h, cusolverEigMode_t v, int economic, int m, int n, T *A,
                          int lda, real<T> *S, T *left, int ldu, T *right, int ldv, T *work, int elements, int *info,
                          int count)
{
    const int k = std::min(m, n), columns_u = economic ? k : m, columns_v = economic ? k : n;
    const auto behind = [](int i, int leading, int columns) { return (size_t)i * (size_t)leading * (size_t)columns; };
    solver_call c(h, name);
    for (int i = 0; i < count && n >= 0 && m >= 0; ++i) {
        c.matrix("A", A + behind(i, lda, n), m, n, lda, READS | WRITES);
        if (vectors_too(v)) {
            c.matrix("U", left + behind(i, ldu, columns_u), m, columns_u, ldu, WRITES);
            c.matrix("V", right + behind(i, ldv, columns_v), n, columns_v, ldv, WRITES);
        }
    }
    c.vector("S", S, k * count, WRITES);
    c.workspace(work, elements, room_of(m, n));
    c.info(info, count);
    return c.run_each(info, count, [=](int i) {
        return svd_with_v(vectors_too(v), economic, m, n, A + behind(i, lda, n), lda, S + behind(i, 1, k),
                          left + behind(i, ldu, columns_u), ldu, right + behind(i, ldv, columns_v), ldv);
    });
}

} // namespace

/* ---- handles ---- */

#define DOES(condition, ...) SIMT_DOES(cusolverStatus_t, condition, __VA_ARGS__)
#define HAS_HANDLE(...) SIMT_HAS(cusolverStatus_t, handle, __VA_ARGS__)

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value)
DOES(value, *value = type == MAJOR_VERSION   ? CUSOLVER_VER_MAJOR
                     : type == MINOR_VERSION ? CUSOLVER_VER_MINOR : CUSOLVER_VER_PATCH)
cusolverStatus_t cusolverGetVersion(int *version) DOES(version, *version = CUSOLVER_VERSION)
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) DOES(handle, *handle = new cusolverDnContext)
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) HAS_HANDLE(delete handle)
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t s) HAS_HANDLE(handle->stream = s)
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *s) HAS_HANDLE(*s = handle->stream)
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *p) DOES(p, *p = new cusolverDnParams)
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t p) DOES(p, delete p)
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t p, cusolverDnFunction_t, cusolverAlgMode_t algorithm)
DOES(p, p->algorithm = algorithm)

/* LAPACK does not sweep, so these report one sweep and no residual. */
#define SWEEPS(create, destroy, which, type)                                                                          \
    cusolverStatus_t cusolverDn##create(type##_t *info) DOES(info, *info = new type)                                   \
    cusolverStatus_t cusolverDn##destroy(type##_t info) DOES(info, delete info)                                        \
    cusolverStatus_t cusolverDn##which##SetTolerance(type##_t info, double t) DOES(info, info->tolerance = t)          \
    cusolverStatus_t cusolverDn##which##SetMaxSweeps(type##_t info, int n) DOES(info && n >= 0, info->sweeps = n)      \
    cusolverStatus_t cusolverDn##which##SetSortEig(type##_t info, int sort) DOES(info, info->sort = sort)              \
    cusolverStatus_t cusolverDn##which##GetResidual(cusolverDnHandle_t handle, type##_t, double *residual)             \
    HAS_HANDLE(*residual = 0)                                                                                          \
    cusolverStatus_t cusolverDn##which##GetSweeps(cusolverDnHandle_t handle, type##_t, int *sweeps)                    \
    HAS_HANDLE(*sweeps = 1)
SWEEPS(CreateSyevjInfo, DestroySyevjInfo, Xsyevj, syevjInfo)
SWEEPS(CreateGesvdjInfo, DestroyGesvdjInfo, Xgesvdj, gesvdjInfo)

/* ---- families of types ---- */

#define FAMILY(U, l, T, R)                                                                                             \
    cusolverStatus_t cusolverDn##U##potrf_bufferSize(cusolverDnHandle_t h, cublasFillMode_t, int n, T *, int,          \
                                                     int *elements) { return answer(h, elements, n, n); }              \
    cusolverStatus_t cusolverDn##U##potri_bufferSize(cusolverDnHandle_t h, cublasFillMode_t, int n, T *, int,          \
                                                     int *elements) { return answer(h, elements, n, n); }              \
    cusolverStatus_t cusolverDn##U##getrf_bufferSize(cusolverDnHandle_t h, int m, int n, T *, int, int *elements)      \
    { return answer(h, elements, m, n); }                                                                              \
    cusolverStatus_t cusolverDn##U##geqrf_bufferSize(cusolverDnHandle_t h, int m, int n, T *, int, int *elements)      \
    { return answer(h, elements, m, n); }                                                                              \
    cusolverStatus_t cusolverDn##U##gesvd_bufferSize(cusolverDnHandle_t h, int m, int n, int *elements)                \
    { return m < n ? CUSOLVER_STATUS_INVALID_VALUE : answer(h, elements, m, n); }                                      \
    cusolverStatus_t cusolverDn##U##gesvdj_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t, int, int m, int n,      \
        const T *, int, const R *, const T *, int, const T *, int, int *elements, gesvdjInfo_t)                        \
    { return answer(h, elements, m, n); }                                                                              \
    cusolverStatus_t cusolverDn##U##gesvdjBatched_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t, int m, int n,    \
        const T *, int, const R *, const T *, int, const T *, int, int *elements, gesvdjInfo_t, int)                   \
    { return answer(h, elements, m, n); }                                                                              \
    cusolverStatus_t cusolverDn##U##potrf(cusolverDnHandle_t h, cublasFillMode_t fill, int n, T *A, int lda, T *work,  \
                                          int elements, int *info)                                                     \
    { return run_potrf("cusolverDn" #U "potrf", h, fill, n, A, lda, work, elements, info, false); }                    \
    cusolverStatus_t cusolverDn##U##potri(cusolverDnHandle_t h, cublasFillMode_t fill, int n, T *A, int lda, T *work,  \
                                          int elements, int *info)                                                     \
    { return run_potrf("cusolverDn" #U "potri", h, fill, n, A, lda, work, elements, info, true); }                     \
    cusolverStatus_t cusolverDn##U##potrs(cusolverDnHandle_t h, cublasFillMode_t fill, int n, int columns, const T *A, \
                                          int lda, T *B, int ldb, int *info)                                           \
    { return run_potrs("cusolverDn" #U "potrs", h, fill, n, columns, A, lda, B, ldb, info); }                          \
    cusolverStatus_t cusolverDn##U##potrfBatched(cusolverDnHandle_t h, cublasFillMode_t fill, int n, T *A[], int lda,  \
                                                 int *info, int count)                                                 \
    {                                                                                                                  \
        solver_call c(h, "cusolverDn" #U "potrfBatched");                                                              \
        const std::vector<T *> all = pointers(c, "the pointers to A", A, count);                                       \
        for (T *each : all)                                                                                            \
            c.matrix("A", each, n, n, lda, READS | WRITES, part(fill));                                                \
        c.info(info, count);                                                                                           \
        return c.run_each(info, count, [=](int i) { return potrf(fill, n, all[(size_t)i], lda); });                    \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##U##potrsBatched(cusolverDnHandle_t h, cublasFillMode_t fill, int n, int columns,      \
                                                 T *A[], int lda, T *B[], int ldb, int *info, int count)               \
    {                                                                                                                  \
        solver_call c(h, "cusolverDn" #U "potrsBatched");                                                              \
        const std::vector<T *> As = pointers(c, "the pointers to A", A, count);                                        \
        const std::vector<T *> Bs = pointers(c, "the pointers to B", B, count);                                        \
        for (size_t i = 0; i < Bs.size(); ++i) {                                                                       \
            c.matrix("A", As[i], n, n, lda, READS, part(fill));                                                        \
            c.matrix("B", Bs[i], n, columns, ldb, READS | WRITES);                                                     \
        }                                                                                                              \
        c.info(info);                                                                                                  \
        return c.run(info, [=] {                                                                                       \
            for (size_t i = 0; i < Bs.size(); ++i)                                                                     \
                potrs(fill, n, columns, As[i], lda, Bs[i], ldb);                                                       \
            return 0;                                                                                                  \
        });                                                                                                            \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##U##getrf(cusolverDnHandle_t h, int m, int n, T *A, int lda, T *work, int *pivots,     \
                                          int *info)                                                                   \
    { return run_getrf("cusolverDn" #U "getrf", h, m, n, A, lda, work, pivots, info); }                                \
    cusolverStatus_t cusolverDn##U##getrs(cusolverDnHandle_t h, cublasOperation_t op, int n, int columns, const T *A,  \
                                          int lda, const int *pivots, T *B, int ldb, int *info)                        \
    { return run_getrs("cusolverDn" #U "getrs", h, op, n, columns, A, lda, pivots, B, ldb, info); }                    \
    cusolverStatus_t cusolverDn##U##geqrf(cusolverDnHandle_t h, int m, int n, T *A, int lda, T *tau, T *work,          \
                                          int elements, int *info)                                                     \
    { return run_geqrf("cusolverDn" #U "geqrf", h, m, n, A, lda, tau, work, elements, info); }                         \
    cusolverStatus_t cusolverDn##U##gesvd(cusolverDnHandle_t h, signed char u, signed char v, int m, int n, T *A,      \
        int lda, R *S, T *left, int ldu, T *right, int ldvt, T *work, int elements, R *, int *info)                    \
    {                                                                                                                  \
        return run_svd("cusolverDn" #U "gesvd", h, u, v, m, n, A, lda, S, left, ldu, right, ldvt, work, elements,      \
                       info);                                                                                          \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##U##gesvdj(cusolverDnHandle_t h, cusolverEigMode_t v, int economic, int m, int n,      \
        T *A, int lda, R *S, T *left, int ldu, T *right, int ldv, T *work, int elements, int *info, gesvdjInfo_t)      \
    {                                                                                                                  \
        return run_svdj("cusolverDn" #U "gesvdj", h, v, economic, m, n, A, lda, S, left, ldu, right, ldv, work,        \
                        elements, info, 1);                                                                            \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##U##gesvdjBatched(cusolverDnHandle_t h, cusolverEigMode_t v, int m, int n, T *A,       \
        int lda, R *S, T *left, int ldu, T *right, int ldv, T *work, int elements, int *info, gesvdjInfo_t, int count) \
    {                                                                                                                  \
        return run_svdj("cusolverDn" #U "gesvdjBatched", h, v, 0, m, n, A, lda, S, left, ldu, right, ldv, work,        \
                        elements, info, count);                                                                        \
    }
CUSOLVER_TYPES(FAMILY)
#undef FAMILY

#define QS(gqr, mqr, T)                                                                                                \
    cusolverStatus_t cusolverDn##gqr##_bufferSize(cusolverDnHandle_t h, int m, int n, int, const T *, int, const T *,  \
                                                  int *elements) { return answer(h, elements, m, n); }                 \
    cusolverStatus_t cusolverDn##mqr##_bufferSize(cusolverDnHandle_t h, cublasSideMode_t, cublasOperation_t, int m,    \
        int n, int, const T *, int, const T *, const T *, int, int *elements) { return answer(h, elements, m, n); }    \
    cusolverStatus_t cusolverDn##gqr(cusolverDnHandle_t h, int m, int n, int k, T *A, int lda, const T *tau, T *work,  \
                                     int elements, int *info)                                                          \
    { return run_make_q("cusolverDn" #gqr, h, m, n, k, A, lda, tau, work, elements, info); }                           \
    cusolverStatus_t cusolverDn##mqr(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op, int m, int n,  \
        int k, const T *A, int lda, const T *tau, T *C, int ldc, T *work, int elements, int *info)                     \
    { return run_times_q("cusolverDn" #mqr, h, side, op, m, n, k, A, lda, tau, C, ldc, work, elements, info); }
QS(Sorgqr, Sormqr, float)
QS(Dorgqr, Dormqr, double)
QS(Cungqr, Cunmqr, cuComplex)
QS(Zungqr, Zunmqr, cuDoubleComplex)

#define EIGEN(U, T, R)                                                                                                 \
    cusolverStatus_t cusolverDn##U##evd_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t, cublasFillMode_t, int n,   \
        const T *, int, const R *, int *elements) { return answer(h, elements, n, n); }                                \
    cusolverStatus_t cusolverDn##U##gvd_bufferSize(cusolverDnHandle_t h, cusolverEigType_t, cusolverEigMode_t,         \
        cublasFillMode_t, int n, const T *, int, const T *, int, const R *, int *elements)                             \
    { return answer(h, elements, n, n); }                                                                              \
    cusolverStatus_t cusolverDn##U##gvj_bufferSize(cusolverDnHandle_t h, cusolverEigType_t, cusolverEigMode_t,         \
        cublasFillMode_t, int n, const T *, int, const T *, int, const R *, int *elements, syevjInfo_t)                \
    { return answer(h, elements, n, n); }                                                                              \
    cusolverStatus_t cusolverDn##U##gvj(cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t v,             \
        cublasFillMode_t fill, int n, T *A, int lda, T *B, int ldb, R *W, T *work, int elements, int *info,            \
        syevjInfo_t)                                                                                                   \
    {                                                                                                                  \
        return run_eigen_of_two("cusolverDn" #U "gvj", h, type, v, fill, n, A, lda, B, ldb, W, work, elements, info);  \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##U##evj_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t, cublasFillMode_t, int n,   \
        const T *, int, const R *, int *elements, syevjInfo_t) { return answer(h, elements, n, n); }                   \
    cusolverStatus_t cusolverDn##U##evjBatched_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t, cublasFillMode_t,   \
        int n, const T *, int, const R *, int *elements, syevjInfo_t, int) { return answer(h, elements, n, n); }       \
    cusolverStatus_t cusolverDn##U##evd(cusolverDnHandle_t h, cusolverEigMode_t v, cublasFillMode_t fill, int n, T *A, \
                                        int lda, R *W, T *work, int elements, int *info)                               \
    { return run_eigen("cusolverDn" #U "evd", h, v, fill, n, A, lda, W, work, elements, info, 1); }                    \
    cusolverStatus_t cusolverDn##U##evj(cusolverDnHandle_t h, cusolverEigMode_t v, cublasFillMode_t fill, int n, T *A, \
                                        int lda, R *W, T *work, int elements, int *info, syevjInfo_t)                  \
    { return run_eigen("cusolverDn" #U "evj", h, v, fill, n, A, lda, W, work, elements, info, 1); }                    \
    cusolverStatus_t cusolverDn##U##evjBatched(cusolverDnHandle_t h, cusolverEigMode_t v, cublasFillMode_t fill,       \
        int n, T *A, int lda, R *W, T *work, int elements, int *info, syevjInfo_t, int count)                          \
    { return run_eigen("cusolverDn" #U "evjBatched", h, v, fill, n, A, lda, W, work, elements, info, count); }         \
    cusolverStatus_t cusolverDn##U##gvd(cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t v,             \
        cublasFillMode_t fill, int n, T *A, int lda, T *B, int ldb, R *W, T *work, int elements, int *info)            \
    {                                                                                                                  \
        return run_eigen_of_two("cusolverDn" #U "gvd", h, type, v, fill, n, A, lda, B, ldb, W, work, elements, info);  \
    }
EIGEN(Ssy, float, float)
EIGEN(Dsy, double, double)
EIGEN(Che, cuComplex, float)
EIGEN(Zhe, cuDoubleComplex, double)

/* ---- types as arguments ---- */

static size_t element_of(cudaDataType t)
{ return t == CUDA_R_32F ? 4 : t == CUDA_R_64F || t == CUDA_C_32F ? 8 : t == CUDA_C_64F ? 16 : 0; }

static cusolverStatus_t answer(cusolverDnHandle_t h, int64_t m, int64_t n, cudaDataType t, size_t *on_gpu,
                               size_t *on_host)
{
    int elements = 0;
    if (!element_of(t) || !on_gpu || !on_host)
        return CUSOLVER_STATUS_INVALID_VALUE;
    const cusolverStatus_t status = answer(h, &elements, (int)m, (int)n);
    *on_gpu = (size_t)elements * element_of(t);
    *on_host = 0;
    return status;
}

/* Runs the code with T as one of the four types.  ROOM: the workspace, and its size in elements of T. */
#define BY_TYPE(...)                                                                                                   \
    switch (type) {                                                                                                    \
    case CUDA_R_32F: { typedef float T; __VA_ARGS__; }                                                                 \
    case CUDA_R_64F: { typedef double T; __VA_ARGS__; }                                                                \
    case CUDA_C_32F: { typedef cuComplex T; __VA_ARGS__; }                                                             \
    case CUDA_C_64F: { typedef cuDoubleComplex T; __VA_ARGS__; }                                                       \
    default: return CUSOLVER_STATUS_INVALID_VALUE;                                                                     \
    }
#define ROOM (T *)device_room, (int)(on_gpu / sizeof(T))

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t, int64_t n,
                                             cudaDataType type, const void *, int64_t, cudaDataType, size_t *on_gpu,
                                             size_t *on_host)
{ return answer(h, n, n, type, on_gpu, on_host); }
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t fill, int64_t n,
                                  cudaDataType type, void *A, int64_t lda, cudaDataType, void *device_room,
                                  size_t on_gpu, void *, size_t, int *info)
{ BY_TYPE(return run_potrf("cusolverDnXpotrf", h, fill, (int)n, (T *)A, (int)lda, ROOM, info, false)) }
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t fill, int64_t n,
                                  int64_t columns, cudaDataType type, const void *A, int64_t lda, cudaDataType, void *B,
                                  int64_t ldb, int *info)
{
    BY_TYPE(return run_potrs("cusolverDnXpotrs", h, fill, (int)n, (int)columns, (const T *)A, (int)lda, (T *)B,
                             (int)ldb, info))
}
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n,
                                             cudaDataType type, const void *, int64_t, cudaDataType, size_t *on_gpu,
                                             size_t *on_host)
{ return answer(h, m, n, type, on_gpu, on_host); }
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType type,
                                  void *A, int64_t lda, int64_t *pivots, cudaDataType, void *device_room, size_t on_gpu,
                                  void *, size_t, int *info)
{
    if (element_of(type) && on_gpu < (size_t)room_of((int)m, (int)n) * element_of(type))
        return CUSOLVER_STATUS_INVALID_VALUE;
    BY_TYPE(return run_getrf("cusolverDnXgetrf", h, (int)m, (int)n, (T *)A, (int)lda, (T *)device_room, pivots, info))
}
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t h, cusolverDnParams_t, cublasOperation_t op, int64_t n,
                                  int64_t columns, cudaDataType type, const void *A, int64_t lda, const int64_t *pivots,
                                  cudaDataType, void *B, int64_t ldb, int *info)
{
    BY_TYPE(return run_getrs("cusolverDnXgetrs", h, op, (int)n, (int)columns, (const T *)A, (int)lda, pivots, (T *)B,
                             (int)ldb, info))
}
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n,
                                             cudaDataType type, const void *, int64_t, cudaDataType, const void *,
                                             cudaDataType, size_t *on_gpu, size_t *on_host)
{ return answer(h, m, n, type, on_gpu, on_host); }
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType type,
                                  void *A, int64_t lda, cudaDataType, void *tau, cudaDataType, void *device_room,
                                  size_t on_gpu, void *, size_t, int *info)
{ BY_TYPE(return run_geqrf("cusolverDnXgeqrf", h, (int)m, (int)n, (T *)A, (int)lda, (T *)tau, ROOM, info)) }
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t,
                                             cublasFillMode_t, int64_t n, cudaDataType type, const void *, int64_t,
                                             cudaDataType, const void *, cudaDataType, size_t *on_gpu, size_t *on_host)
{ return answer(h, n, n, type, on_gpu, on_host); }
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t v, cublasFillMode_t fill,
                                  int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType, void *W,
                                  cudaDataType, void *device_room, size_t on_gpu, void *, size_t, int *info)
{ BY_TYPE(return run_eigen("cusolverDnXsyevd", h, v, fill, (int)n, (T *)A, (int)lda, (real<T> *)W, ROOM, info, 1)) }
cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, signed char, signed char,
                                             int64_t m, int64_t n, cudaDataType type, const void *, int64_t,
                                             cudaDataType, const void *, cudaDataType, const void *, int64_t,
                                             cudaDataType, const void *, int64_t, cudaDataType, size_t *on_gpu,
                                             size_t *on_host)
{ return m < n ? CUSOLVER_STATUS_INVALID_VALUE : answer(h, m, n, type, on_gpu, on_host); }
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t h, cusolverDnParams_t, signed char u, signed char v, int64_t m,
                                  int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType, void *S,
                                  cudaDataType, void *left, int64_t ldu, cudaDataType, void *right, int64_t ldvt,
                                  cudaDataType, void *device_room, size_t on_gpu, void *, size_t, int *info)
{
    BY_TYPE(return run_svd("cusolverDnXgesvd", h, u, v, (int)m, (int)n, (T *)A, (int)lda, (real<T> *)S, (T *)left,
                           (int)ldu, (T *)right, (int)ldvt, ROOM, info))
}
