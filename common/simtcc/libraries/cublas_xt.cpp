/*
 * cublas_xt.cpp - cuBLAS-XT, whose operands may be on the host.  They are copied to the GPU, cuBLAS checks them and
 * does the work, and the result is copied back.
 */
#include <climits>
#include "cublas.hpp"
#include "cublasXt.h"

using namespace simt_library;

struct cublasXtContext {
    cublasHandle_t blas;
    int size = 2048;
    cublasXtPinnedMemMode_t pinning = CUBLASXT_PINNING_DISABLED;
};

/* A matrix on the GPU: the program's if it is there, otherwise a copy. */
template <class T> class on_gpu {
    static constexpr size_t element = sizeof(T);
    T *host_, *gpu_;
    size_t pitch_, width_, columns_;
    bool copied_ = false;

public:
    on_gpu(const T *p, size_t rows, size_t columns, size_t leading)
        : host_(const_cast<T *>(p)), gpu_(host_), pitch_(leading * element), width_(rows * element), columns_(columns)
    {
        cudaPointerAttributes is;
        const bool known = p && cudaPointerGetAttributes(&is, p) == cudaSuccess;
        const bool there = known && is.type != cudaMemoryTypeUnregistered;
        if (there || rows == 0 || columns == 0 || leading < rows || leading > INT_MAX || columns > INT_MAX)
            return;                 /* cuBLAS reports the error */
        copied_ = cudaMalloc(&gpu_, pitch_ * columns) == cudaSuccess &&
                  cudaMemcpy2D(gpu_, pitch_, host_, pitch_, width_, columns, cudaMemcpyHostToDevice) == cudaSuccess;
    }
    ~on_gpu()
    {
        if (gpu_ != host_)
            cudaFree(gpu_);
    }
    on_gpu(const on_gpu &) = delete;
    on_gpu &operator=(const on_gpu &) = delete;
    T *at() const { return gpu_; }
    void bring_back() const
    {
        if (copied_)
            cudaMemcpy2D(host_, pitch_, gpu_, pitch_, width_, columns_, cudaMemcpyDeviceToHost);
    }
};

static bool fit(std::initializer_list<size_t> all)
{
    for (size_t n : all)
        if (n > INT_MAX)
            return false;
    return true;
}

/* Does one thing if the handle and its arguments are valid. */
#define HAS(condition, ...)                             \
    {                                                   \
        if (!handle)                                    \
            return CUBLAS_STATUS_NOT_INITIALIZED;       \
        SIMT_DOES(cublasStatus_t, condition, __VA_ARGS__) \
    }

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle)
SIMT_DOES(cublasStatus_t, handle, *handle = new cublasXtContext; return cublasCreate(&(*handle)->blas))
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle)
HAS(true, const cublasStatus_t status = cublasDestroy(handle->blas); delete handle; return status)
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[])
HAS(count > 0 && devices, (void)0)
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int size) HAS(size > 0, handle->size = size)
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *size) HAS(size, *size = handle->size)
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode)
HAS(true, handle->pinning = mode)
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t *mode)
HAS(mode, *mode = handle->pinning)

/* One operation: refuses sizes that are too large, brings the operands to the GPU, and copies `result` back. */
#define XT(sizes, operands, result, does)               \
    {                                                   \
        if (!h)                                         \
            return CUBLAS_STATUS_NOT_INITIALIZED;       \
        if (!fit sizes)                                 \
            return CUBLAS_STATUS_NOT_SUPPORTED;         \
        operands;                                       \
        const cublasStatus_t status = does;             \
        if (status == CUBLAS_STATUS_SUCCESS)            \
            result.bring_back();                        \
        return status;                                  \
    }
#define FAMILY(U, T)                                                                                                   \
    cublasStatus_t cublasXt##U##gemm(cublasXtHandle_t h, cublasOperation_t opa, cublasOperation_t opb, size_t m,       \
                                     size_t n, size_t k, const T *alpha, const T *A, size_t lda, const T *B,           \
                                     size_t ldb, const T *beta, T *C, size_t ldc)                                      \
    XT(({m, n, k, lda, ldb, ldc}),                                                                                     \
       const on_gpu<T> a(A, opa == CUBLAS_OP_N ? m : k, opa == CUBLAS_OP_N ? k : m, lda);                             \
       const on_gpu<T> b(B, opb == CUBLAS_OP_N ? k : n, opb == CUBLAS_OP_N ? n : k, ldb);                             \
       const on_gpu<T> c(C, m, n, ldc), c,                                                                            \
       cublas##U##gemm(h->blas, opa, opb, (int)m, (int)n, (int)k, alpha, a.at(), (int)lda, b.at(), (int)ldb, beta,     \
                       c.at(), (int)ldc))                                                                              \
    cublasStatus_t cublasXt##U##symm(cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, size_t m,       \
                                     size_t n, const T *alpha, const T *A, size_t lda, const T *B, size_t ldb,         \
                                     const T *beta, T *C, size_t ldc)                                                  \
    XT(({m, n, lda, ldb, ldc}), const size_t rows = side == CUBLAS_SIDE_LEFT ? m : n;                                  \
       const on_gpu<T> a(A, rows, rows, lda); const on_gpu<T> b(B, m, n, ldb); const on_gpu<T> c(C, m, n, ldc), c,  \
       cublas##U##symm(h->blas, side, fill, (int)m, (int)n, alpha, a.at(), (int)lda, b.at(), (int)ldb, beta, c.at(),   \
                       (int)ldc))                                                                                      \
    cublasStatus_t cublasXt##U##syrk(cublasXtHandle_t h, cublasFillMode_t fill, cublasOperation_t op, size_t n,        \
                                     size_t k, const T *alpha, const T *A, size_t lda, const T *beta, T *C,            \
                                     size_t ldc)                                                                       \
    XT(({n, k, lda, ldc}), const on_gpu<T> a(A, op == CUBLAS_OP_N ? n : k, op == CUBLAS_OP_N ? k : n, lda);           \
       const on_gpu<T> c(C, n, n, ldc), c,                                                                            \
       cublas##U##syrk(h->blas, fill, op, (int)n, (int)k, alpha, a.at(), (int)lda, beta, c.at(), (int)ldc))            \
    cublasStatus_t cublasXt##U##trsm(cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,                 \
                                     cublasOperation_t op, cublasDiagType_t diagonal, size_t m, size_t n,              \
                                     const T *alpha, const T *A, size_t lda, T *B, size_t ldb)                         \
    XT(({m, n, lda, ldb}), const size_t rows = side == CUBLAS_SIDE_LEFT ? m : n;                                       \
       const on_gpu<T> a(A, rows, rows, lda); const on_gpu<T> b(B, m, n, ldb), b,                                    \
       cublas##U##trsm(h->blas, side, fill, op, diagonal, (int)m, (int)n, alpha, a.at(), (int)lda, b.at(), (int)ldb))
FAMILY(S, float)
FAMILY(D, double)
FAMILY(C, cuComplex)
FAMILY(Z, cuDoubleComplex)
