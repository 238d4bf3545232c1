/*
 * cublas.cpp - cuBLAS by OpenBLAS: handles, copies to the GPU and back, and operations on vectors.
 */
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include "cublas.hpp"

using namespace simt_library;

namespace simt_library {

static std::mutex lock;
static std::set<cublasHandle_t> handles;

bool is_handle(cublasHandle_t h)
{
    std::lock_guard<std::mutex> hold(lock);
    return handles.count(h) > 0;
}

} // namespace simt_library

static const state<cublasStatus_t> states[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an invalid value was provided"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH", "this GPU does not support the function"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the function failed on the GPU"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "the function is not there with these parameters"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "a licence is missing"},
};

const char *cublasGetStatusName(cublasStatus_t status)
{ return state_text(states, status, &state<cublasStatus_t>::name, "CUBLAS_STATUS_UNKNOWN"); }
const char *cublasGetStatusString(cublasStatus_t status)
{ return state_text(states, status, &state<cublasStatus_t>::text, "unknown status"); }

/* ---- handles ---- */

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    *handle = new cublasContext;
    std::lock_guard<std::mutex> hold(lock);
    handles.insert(*handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    std::lock_guard<std::mutex> hold(lock);
    if (!handles.erase(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

#define WITH_HANDLE(...) SIMT_HAS(cublasStatus_t, is_handle(handle), __VA_ARGS__)

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version) WITH_HANDLE(*version = CUBLAS_VERSION)
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
    if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = type == MAJOR_VERSION ? CUBLAS_VER_MAJOR : 0;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t s) WITH_HANDLE(handle->stream = s)
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *s) WITH_HANDLE(*s = handle->stream)
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode)
WITH_HANDLE(handle->pointers = mode)
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode)
WITH_HANDLE(*mode = handle->pointers)
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) WITH_HANDLE(handle->math = mode)
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode) WITH_HANDLE(*mode = handle->math)
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode)
WITH_HANDLE(handle->atomics = mode)
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode)
WITH_HANDLE(*mode = handle->atomics)
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) WITH_HANDLE(handle->processors = count)
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int *count) WITH_HANDLE(*count = handle->processors)
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *, size_t) WITH_HANDLE((void)0)

/* ---- to the GPU and back ---- */

/* Copies columns from x to y, and checks the one of the two that is in GPU memory. */
static cublasStatus_t move(const char *name, int rows, int columns, int size, const void *x, int ldx, void *y, int ldy,
                           bool to_gpu)
{
    if (rows < 0 || columns < 0 || size <= 0 || ldx < rows || ldy < rows || ldx < 1 || ldy < 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    call c(name);
    c.matrix(to_gpu ? "the destination" : "the source", to_gpu ? y : x, (size_t)rows, (size_t)columns,
             (size_t)(to_gpu ? ldy : ldx), (size_t)size, to_gpu ? WRITES : READS);
    if (!c.begins())
        return CUBLAS_STATUS_MAPPING_ERROR;
    for (int j = 0; j < columns; ++j)
        memcpy((char *)y + (size_t)j * (size_t)ldy * (size_t)size,
               (const char *)x + (size_t)j * (size_t)ldx * (size_t)size, (size_t)rows * (size_t)size);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy)
{ return move("cublasSetVector", n > 0, n, size, x, incx, y, incy, true); }
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy)
{ return move("cublasGetVector", n > 0, n, size, x, incx, y, incy, false); }
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy, cudaStream_t)
{ return move("cublasSetVectorAsync", n > 0, n, size, x, incx, y, incy, true); }
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy, cudaStream_t)
{ return move("cublasGetVectorAsync", n > 0, n, size, x, incx, y, incy, false); }
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *A, int lda, void *B, int ldb)
{ return move("cublasSetMatrix", rows, columns, size, A, lda, B, ldb, true); }
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *A, int lda, void *B, int ldb)
{ return move("cublasGetMatrix", rows, columns, size, A, lda, B, ldb, false); }
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void *A, int lda, void *B, int ldb,
                                    cudaStream_t)
{ return move("cublasSetMatrixAsync", rows, columns, size, A, lda, B, ldb, true); }
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void *A, int lda, void *B, int ldb,
                                    cudaStream_t)
{ return move("cublasGetMatrixAsync", rows, columns, size, A, lda, B, ldb, false); }

/* ---- vectors ---- */


#define FAMILY(U, l, T)                                                                                                \
    cublasStatus_t cublas##U##axpy(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y, int incy)      \
    CALL(U, axpy, const T a = c.scalar("alpha", alpha); c.vector("x", x, n, incx, READS);                              \
         c.vector("y", y, n, incy, READS | WRITES), cblas_##l##axpy(n, by(a), x, incx, y, incy))                       \
    cublasStatus_t cublas##U##copy(cublasHandle_t h, int n, const T *x, int incx, T *y, int incy)                      \
    CALL(U, copy, c.vector("x", x, n, incx, READS); c.vector("y", y, n, incy, WRITES),                                 \
         cblas_##l##copy(n, x, incx, y, incy))                                                                         \
    cublasStatus_t cublas##U##swap(cublasHandle_t h, int n, T *x, int incx, T *y, int incy)                            \
    CALL(U, swap, c.vector("x", x, n, incx, READS | WRITES); c.vector("y", y, n, incy, READS | WRITES),                \
         cblas_##l##swap(n, x, incx, y, incy))                                                                         \
    cublasStatus_t cublas##U##scal(cublasHandle_t h, int n, const T *alpha, T *x, int incx)                            \
    CALL(U, scal, const T a = c.scalar("alpha", alpha); c.vector("x", x, n, incx, READS | WRITES),                     \
         cblas_##l##scal(n, by(a), x, incx))                                                                           \
    cublasStatus_t cublasI##l##amax(cublasHandle_t h, int n, const T *x, int incx, int *result)                        \
    CALL(I, l##amax, c.vector("x", x, n, incx, READS); c.result(result),                                               \
         *result = n > 0 && incx > 0 ? (int)cblas_i##l##amax(n, x, incx) + 1 : 0)                                      \
    cublasStatus_t cublasI##l##amin(cublasHandle_t h, int n, const T *x, int incx, int *result)                        \
    CALL(I, l##amin, c.vector("x", x, n, incx, READS); c.result(result),                                               \
         *result = n > 0 && incx > 0 ? (int)cblas_i##l##amin(n, x, incx) + 1 : 0)
TYPES(FAMILY)
#undef FAMILY

#define FAMILY(U, l, T)                                                                                                \
    cublasStatus_t cublas##U##dot(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result)      \
    CALL(U, dot, c.vector("x", x, n, incx, READS); c.vector("y", y, n, incy, READS); c.result(result),                 \
         *result = cblas_##l##dot(n, x, incx, y, incy))                                                                \
    cublasStatus_t cublas##U##rot(cublasHandle_t h, int n, T *x, int incx, T *y, int incy, const T *cosine,            \
                                  const T *sine)                                                                       \
    CALL(U, rot, const T a = c.scalar("c", cosine); const T b = c.scalar("s", sine);                                   \
         c.vector("x", x, n, incx, READS | WRITES); c.vector("y", y, n, incy, READS | WRITES),                         \
         cblas_##l##rot(n, x, incx, y, incy, a, b))
REALS(FAMILY)
#undef FAMILY

#define FAMILY(U, l, T)                                                                                                \
    cublasStatus_t cublas##U##dotu(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result)     \
    CALL(U, dotu, c.vector("x", x, n, incx, READS); c.vector("y", y, n, incy, READS); c.result(result),                \
         cblas_##l##dotu_sub(n, x, incx, y, incy, (void *)result))                                                     \
    cublasStatus_t cublas##U##dotc(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result)     \
    CALL(U, dotc, c.vector("x", x, n, incx, READS); c.vector("y", y, n, incy, READS); c.result(result),                \
         cblas_##l##dotc_sub(n, x, incx, y, incy, (void *)result))
COMPLEXES(FAMILY)
#undef FAMILY

/* Functions with two types in their names: the type of the vector and the type of the number. */
#define FAMILY(U, l, T, R)                                                                                             \
    cublasStatus_t cublas##U##nrm2(cublasHandle_t h, int n, const T *x, int incx, R *result)                           \
    CALL(U, nrm2, c.vector("x", x, n, incx, READS); c.result(result), *result = cblas_##l##nrm2(n, x, incx))           \
    cublasStatus_t cublas##U##asum(cublasHandle_t h, int n, const T *x, int incx, R *result)                           \
    CALL(U, asum, c.vector("x", x, n, incx, READS); c.result(result), *result = cblas_##l##asum(n, x, incx))
FAMILY(S, s, float, float)
FAMILY(D, d, double, double)
FAMILY(Sc, sc, cuComplex, float)
FAMILY(Dz, dz, cuDoubleComplex, double)
#undef FAMILY
#define FAMILY(U, l, T, R)                                                                                             \
    cublasStatus_t cublas##U##scal(cublasHandle_t h, int n, const R *alpha, T *x, int incx)                            \
    CALL(U, scal, const R a = c.scalar("alpha", alpha); c.vector("x", x, n, incx, READS | WRITES),                     \
         cblas_##l##scal(n, a, x, incx))
FAMILY(Cs, cs, cuComplex, float)
FAMILY(Zd, zd, cuDoubleComplex, double)
#undef FAMILY
