/*
 * cublas_first.cpp - the first interface of cuBLAS, implemented by the second: it keeps one handle and the last error.
 */
#include "cublas.h"

/* Declares the second interface's functions; the first interface's header takes their names in C++. */
extern "C" {
typedef struct cublasContext *handle_t;
cublasStatus_t v2_create(handle_t *) __asm__("cublasCreate_v2");
cublasStatus_t v2_destroy(handle_t) __asm__("cublasDestroy_v2");
cublasStatus_t v2_stream(handle_t, cudaStream_t) __asm__("cublasSetStream_v2");
#define SECOND(name, ...) cublasStatus_t v2_##name(handle_t, __VA_ARGS__) __asm__("cublas" #name "_v2");
#define FAMILY(U, l, T)                                                                                                \
    SECOND(U##axpy, int, const T *, const T *, int, T *, int)                                                          \
    SECOND(U##copy, int, const T *, int, T *, int)                                                                     \
    SECOND(U##swap, int, T *, int, T *, int)                                                                           \
    SECOND(U##scal, int, const T *, T *, int)                                                                          \
    SECOND(I##l##amax, int, const T *, int, int *)                                                                     \
    SECOND(I##l##amin, int, const T *, int, int *)                                                                     \
    SECOND(U##gemv, cublasOperation_t, int, int, const T *, const T *, int, const T *, int, const T *, T *, int)       \
    SECOND(U##trsv, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, const T *, int, T *, int)              \
    SECOND(U##gemm, cublasOperation_t, cublasOperation_t, int, int, int, const T *, const T *, int, const T *, int,    \
           const T *, T *, int)                                                                                        \
    SECOND(U##symm, cublasSideMode_t, cublasFillMode_t, int, int, const T *, const T *, int, const T *, int,           \
           const T *, T *, int)                                                                                        \
    SECOND(U##syrk, cublasFillMode_t, cublasOperation_t, int, int, const T *, const T *, int, const T *, T *, int)     \
    SECOND(U##trsm, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int, const T *,      \
           const T *, int, T *, int)
FAMILY(S, s, float)
FAMILY(D, d, double)
FAMILY(C, c, cuComplex)
FAMILY(Z, z, cuDoubleComplex)
#undef FAMILY
#define FAMILY(U, T)                                                                                                   \
    SECOND(U##dot, int, const T *, int, const T *, int, T *)                                                           \
    SECOND(U##nrm2, int, const T *, int, T *)                                                                          \
    SECOND(U##asum, int, const T *, int, T *)                                                                          \
    SECOND(U##ger, int, int, const T *, const T *, int, const T *, int, T *, int)
FAMILY(S, float)
FAMILY(D, double)
#undef FAMILY
}

static handle_t handle;
static cublasStatus state;

static void keep(cublasStatus s)
{
    if (s != CUBLAS_STATUS_SUCCESS)
        state = s;
}

/* Calls that function with these arguments and a place for its result, which it returns. */
template <class T, class F, class... A> static T result_of(F function, A... arguments)
{
    T result = 0;
    keep(function(handle, arguments..., &result));
    return result;
}

cublasStatus cublasInit(void) { return handle ? CUBLAS_STATUS_SUCCESS : v2_create(&handle); }

cublasStatus cublasShutdown(void)
{
    const cublasStatus s = v2_destroy(handle);
    handle = nullptr;
    return s;
}

cublasStatus cublasGetError(void)
{
    const cublasStatus s = state;
    state = CUBLAS_STATUS_SUCCESS;
    return s;
}

cublasStatus cublasAlloc(int n, int size, void **p)
{
    if (n <= 0 || size <= 0 || !p)
        return CUBLAS_STATUS_INVALID_VALUE;
    return cudaMalloc(p, (size_t)n * (size_t)size) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus cublasFree(void *p)
{ return cudaFree(p) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR; }
cublasStatus cublasSetKernelStream(cudaStream_t stream) { return v2_stream(handle, stream); }

static cublasOperation_t op(char c)
{ return c == 'n' || c == 'N' ? CUBLAS_OP_N : c == 't' || c == 'T' ? CUBLAS_OP_T : CUBLAS_OP_C; }
static cublasFillMode_t fill(char c) { return c == 'u' || c == 'U' ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER; }
static cublasDiagType_t diagonal(char c) { return c == 'u' || c == 'U' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT; }
static cublasSideMode_t from(char c) { return c == 'r' || c == 'R' ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT; }

#define FAMILY(U, l, T)                                                                                                \
    void cublas##U##axpy(int n, T alpha, const T *x, int incx, T *y, int incy)                                         \
    { keep(v2_##U##axpy(handle, n, &alpha, x, incx, y, incy)); }                                                       \
    void cublas##U##copy(int n, const T *x, int incx, T *y, int incy)                                                  \
    { keep(v2_##U##copy(handle, n, x, incx, y, incy)); }                                                               \
    void cublas##U##swap(int n, T *x, int incx, T *y, int incy) { keep(v2_##U##swap(handle, n, x, incx, y, incy)); }   \
    void cublas##U##scal(int n, T alpha, T *x, int incx) { keep(v2_##U##scal(handle, n, &alpha, x, incx)); }           \
    int cublasI##l##amax(int n, const T *x, int incx)                                                                  \
    { return result_of<int>(v2_I##l##amax, n, x, incx); }                                                              \
    int cublasI##l##amin(int n, const T *x, int incx)                                                                  \
    { return result_of<int>(v2_I##l##amin, n, x, incx); }                                                              \
    void cublas##U##gemv(char trans, int m, int n, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y,   \
                         int incy)                                                                                     \
    { keep(v2_##U##gemv(handle, op(trans), m, n, &alpha, A, lda, x, incx, &beta, y, incy)); }                          \
    void cublas##U##trsv(char uplo, char trans, char diag, int n, const T *A, int lda, T *x, int incx)                 \
    { keep(v2_##U##trsv(handle, fill(uplo), op(trans), diagonal(diag), n, A, lda, x, incx)); }                         \
    void cublas##U##gemm(char transa, char transb, int m, int n, int k, T alpha, const T *A, int lda, const T *B,      \
                         int ldb, T beta, T *C, int ldc)                                                               \
    { keep(v2_##U##gemm(handle, op(transa), op(transb), m, n, k, &alpha, A, lda, B, ldb, &beta, C, ldc)); }            \
    void cublas##U##symm(char side, char uplo, int m, int n, T alpha, const T *A, int lda, const T *B, int ldb,        \
                         T beta, T *C, int ldc)                                                                        \
    { keep(v2_##U##symm(handle, from(side), fill(uplo), m, n, &alpha, A, lda, B, ldb, &beta, C, ldc)); }               \
    void cublas##U##syrk(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, T beta, T *C, int ldc)     \
    { keep(v2_##U##syrk(handle, fill(uplo), op(trans), n, k, &alpha, A, lda, &beta, C, ldc)); }                        \
    void cublas##U##trsm(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T *A, int lda,      \
                         T *B, int ldb)                                                                                \
    { keep(v2_##U##trsm(handle, from(side), fill(uplo), op(trans), diagonal(diag), m, n, &alpha, A, lda, B, ldb)); }
FAMILY(S, s, float)
FAMILY(D, d, double)
FAMILY(C, c, cuComplex)
FAMILY(Z, z, cuDoubleComplex)
#undef FAMILY

#define FAMILY(U, T)                                                                                                   \
    T cublas##U##dot(int n, const T *x, int incx, const T *y, int incy)                                                \
    { return result_of<T>(v2_##U##dot, n, x, incx, y, incy); }                                                         \
    T cublas##U##nrm2(int n, const T *x, int incx)                                                                     \
    { return result_of<T>(v2_##U##nrm2, n, x, incx); }                                                                 \
    T cublas##U##asum(int n, const T *x, int incx)                                                                     \
    { return result_of<T>(v2_##U##asum, n, x, incx); }                                                                 \
    void cublas##U##ger(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, int lda)              \
    { keep(v2_##U##ger(handle, m, n, &alpha, x, incx, y, incy, A, lda)); }
FAMILY(S, float)
FAMILY(D, double)
#undef FAMILY
