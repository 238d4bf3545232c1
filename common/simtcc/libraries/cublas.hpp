/* cublas.hpp - shared by the files of cuBLAS: a handle, a call with it, and the families of types. */
#ifndef SIMT_LIBRARY_CUBLAS_HPP
#define SIMT_LIBRARY_CUBLAS_HPP

#include <cblas.h>
#include <initializer_list>
#include "call.hpp"
#include "cublas_v2.h"

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
    cublasMath_t math = CUBLAS_DEFAULT_MATH;
    cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
    int processors = 0;
};

namespace simt_library {

SIMT_STATUSES(cublasStatus_t, CUBLAS)
bool is_handle(cublasHandle_t h);

class blas_call : public checked_call<cublasStatus_t> {
public:
    blas_call(cublasHandle_t h, const char *name)
        : blas_call(h, name, is_handle(h) ? h->stream : nullptr,
                    is_handle(h) && h->pointers == CUBLAS_POINTER_MODE_DEVICE) {}
    /* on_gpu: the scalars and results are in GPU memory. */
    blas_call(cublasHandle_t h, const char *name, cudaStream_t stream, bool on_gpu)
        : checked_call(name, stream, is_handle(h)), on_gpu_(on_gpu) {}

    /* Sizes that must not be negative. */
    void sizes(std::initializer_list<int> all)
    {
        for (int n : all)
            wrong_if(n < 0);
    }
    /* Refuses a combination for which cuBLAS has no kernel. */
    void refused_if(bool refused) { wrong_if(refused, CUBLAS_STATUS_NOT_SUPPORTED); }
    template <class T> T scalar(const char *name, const T *p)
    {
        wrong_if(!p);
        return fine() ? value_at(*this, name, p, on_gpu_) : T{};
    }
    /* The place of a result; it is checked if it is in GPU memory. */
    template <class T> void result(const T *p)
    {
        wrong_if(!p);
        if (on_gpu_)
            vector("the result", p, 1, 1, sizeof *p, WRITES);
    }
    template <class T> void vector(const char *name, const T *p, int n, int step, int does)
    { call::vector(name, p, n > 0 ? (size_t)n : 0, step, sizeof *p, does); }
    using call::vector;

private:
    bool on_gpu_;
};

/* Makes a call.  If its scalars are in GPU memory and its stream is captured, all of it is done when the graph is
 * launched. */
template <class F> cublasStatus_t now_or_at_launch(cublasHandle_t h, const char *name, F does)
{
    const auto again = [=]() mutable {
        blas_call c(h, name, nullptr, true);
        return (int)does(c);
    };
    if (is_handle(h) && h->pointers == CUBLAS_POINTER_MODE_DEVICE && at_launch(h->stream, name, again))
        return CUBLAS_STATUS_SUCCESS;
    blas_call c(h, name);
    return does(c);
}

/* Numbers of a type that is given at run time (cublas_mixed.cpp); 0 bytes: the type is unknown. */
size_t bytes_of(cudaDataType t);
double number(const void *p, cudaDataType t, size_t i);
double scalar(blas_call &c, const char *name, const void *p, cudaDataType t); /* float if t is no type of a scalar */
void set_number(void *p, cudaDataType t, size_t i, double x);    /* rounded to the type */

/* The type in which a product computes its sums, and the type of its scalars. */
struct arithmetic {
    cublasComputeType_t type;
    bool is(cublasComputeType_t t, cublasComputeType_t pedantic) const { return type == t || type == pedantic; }
    bool in_half() const { return is(CUBLAS_COMPUTE_16F, CUBLAS_COMPUTE_16F_PEDANTIC); }
    bool in_double() const { return is(CUBLAS_COMPUTE_64F, CUBLAS_COMPUTE_64F_PEDANTIC); }
    bool in_int() const { return is(CUBLAS_COMPUTE_32I, CUBLAS_COMPUTE_32I_PEDANTIC); }
    /* Sums of whole numbers are exact in double. */
    bool sums_in_double() const { return in_double() || in_int(); }
};

/* A scalar as cblas takes it: real ones by value, complex ones by their address. */
inline float by(const float &x) { return x; }
inline double by(const double &x) { return x; }
inline const void *by(const cuComplex &x) { return &x; }
inline const void *by(const cuDoubleComplex &x) { return &x; }

/* The position of element i of n, every step-th; a negative step counts from the last element, as in BLAS. */
inline size_t place(int i, int n, int step)
{ return (size_t)(step < 0 ? (i - n + 1) * (long long)step : i * (long long)step); }

/* The real type that belongs to a complex type. */
template <class T> struct real_of { typedef T type; };
template <> struct real_of<cuComplex> { typedef float type; };
template <> struct real_of<cuDoubleComplex> { typedef double type; };
template <class T> using real = typename real_of<T>::type;

template <class T> bool is_zero(const T &x) { return x == 0; }
inline bool is_zero(const cuComplex &x) { return x.x == 0 && x.y == 0; }
inline bool is_zero(const cuDoubleComplex &x) { return x.x == 0 && x.y == 0; }

/* Arithmetic of all four types. */
inline float times(float a, float b) { return a * b; }
inline double times(double a, double b) { return a * b; }
inline cuComplex times(cuComplex a, cuComplex b) { return cuCmulf(a, b); }
inline cuDoubleComplex times(cuDoubleComplex a, cuDoubleComplex b) { return cuCmul(a, b); }
inline float plus(float a, float b) { return a + b; }
inline double plus(double a, double b) { return a + b; }
inline cuComplex plus(cuComplex a, cuComplex b) { return cuCaddf(a, b); }
inline cuDoubleComplex plus(cuDoubleComplex a, cuDoubleComplex b) { return cuCadd(a, b); }
inline float conjugate(float a) { return a; }
inline double conjugate(double a) { return a; }
inline cuComplex conjugate(cuComplex a) { return cuConjf(a); }
inline cuDoubleComplex conjugate(cuDoubleComplex a) { return cuConj(a); }
inline cuComplex times(float a, cuComplex b) { return make_cuComplex(a * b.x, a * b.y); }
inline cuDoubleComplex times(double a, cuDoubleComplex b) { return make_cuDoubleComplex(a * b.x, a * b.y); }
inline cuComplex minus(cuComplex a, cuComplex b) { return cuCsubf(a, b); }
inline cuDoubleComplex minus(cuDoubleComplex a, cuDoubleComplex b) { return cuCsub(a, b); }

inline CBLAS_TRANSPOSE way(cublasOperation_t op)
{ return op == CUBLAS_OP_N ? CblasNoTrans : op == CUBLAS_OP_T ? CblasTrans : CblasConjTrans; }
inline CBLAS_UPLO triangle(cublasFillMode_t fill) { return fill == CUBLAS_FILL_MODE_UPPER ? CblasUpper : CblasLower; }
inline part_t part(cublasFillMode_t fill) { return fill == CUBLAS_FILL_MODE_UPPER ? UPPER : LOWER; }
inline CBLAS_DIAG ones(cublasDiagType_t d) { return d == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit; }
inline CBLAS_SIDE from(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight; }

} // namespace simt_library

#define REALS(FAMILY) FAMILY(S, s, float) FAMILY(D, d, double)
#define COMPLEXES(FAMILY) FAMILY(C, c, cuComplex) FAMILY(Z, z, cuDoubleComplex)
#define TYPES(FAMILY) REALS(FAMILY) COMPLEXES(FAMILY)

/* The matrix product.  With one column it calls gemv, which reads A once. */
#define FAMILY(U, l, T)                                                                                                \
    inline void gemm(CBLAS_TRANSPOSE opa, CBLAS_TRANSPOSE opb, int m, int n, int k, const T &alpha, const T *A,        \
                     int lda, const T *B, int ldb, const T &beta, T *C, int ldc)                                       \
    {                                                                                                                  \
        using simt_library::by;                                                                                        \
        if (n == 1 && opb == CblasNoTrans)                                                                             \
            cblas_##l##gemv(CblasColMajor, opa, opa == CblasNoTrans ? m : k, opa == CblasNoTrans ? k : m, by(alpha),   \
                            A, lda, B, 1, by(beta), C, 1);                                                             \
        else                                                                                                           \
            cblas_##l##gemm(CblasColMajor, opa, opb, m, n, k, by(alpha), A, lda, B, ldb, by(beta), C, ldc);            \
    }
TYPES(FAMILY)
#undef FAMILY

/* An operand that is multiplied by zero is not read. */
#define IF_USED(x, does) (is_zero(x) ? 0 : (does))
#define KEEPS(b) (is_zero(b) ? WRITES : READS | WRITES)
/* The size of the square matrix beside an m x n matrix, which depends on the side. */
#define LEFT(n_left, n_right) (side == CUBLAS_SIDE_LEFT ? (n_left) : (n_right))

/* The body of a call with handle h: its operands, then the call of OpenBLAS. */
#define CALL(U, name, operands, ...)               \
    {                                                                        \
        return now_or_at_launch(h, "cublas" #U #name, [=](blas_call &c) mutable { \
            operands;                                                        \
            return c.run([=]() mutable { __VA_ARGS__; });                    \
        });                                                                  \
    }

#endif
