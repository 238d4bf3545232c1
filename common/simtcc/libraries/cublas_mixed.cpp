/*
 * cublas_mixed.cpp - cuBLAS by OpenBLAS: mixed types, and short types, which are widened first.
 */
#include <algorithm>
#include <cmath>
#include <cstring>
#ifdef __x86_64__
#include <immintrin.h>
#endif
#include "cublas.hpp"
#include "cuda_fp16.h"
#include "cuda_fp8.h"

using namespace simt_library;

namespace simt_library {

size_t bytes_of(cudaDataType t)
{
    switch (t) {
    case CUDA_R_64F: return 8;
    case CUDA_R_32F: case CUDA_R_32I: return 4;
    case CUDA_R_16F: case CUDA_R_16BF: return 2;
    case CUDA_R_8I: case CUDA_R_8F_E4M3: case CUDA_R_8F_E5M2: return 1;
    default: return 0;
    }
}

static __nv_fp8_interpretation_t eight_bits(cudaDataType t) { return t == CUDA_R_8F_E4M3 ? __NV_E4M3 : __NV_E5M2; }

double number(const void *p, cudaDataType t, size_t i)
{
    switch (t) {
    case CUDA_R_64F: return ((const double *)p)[i];
    case CUDA_R_32F: return ((const float *)p)[i];
    case CUDA_R_32I: return ((const int *)p)[i];
    case CUDA_R_8I: return ((const signed char *)p)[i];
    case CUDA_R_16F: return __half2float(((const __half *)p)[i]);
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2: return simt_from_fp8(((const uint8_t *)p)[i], eight_bits(t));
    default: break;
    }
    const uint32_t bits = (uint32_t)((const uint16_t *)p)[i] << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* bfloat16 is the upper half of a float, rounded to even. */
static uint16_t to_bfloat(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return std::isnan(f) ? 0x7fff : (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

void set_number(void *p, cudaDataType t, size_t i, double x)
{
    switch (t) {
    case CUDA_R_64F: ((double *)p)[i] = x; break;
    case CUDA_R_32F: ((float *)p)[i] = (float)x; break;
    case CUDA_R_32I: ((int *)p)[i] = (int)x; break;
    case CUDA_R_8I: ((signed char *)p)[i] = (signed char)x; break;
    case CUDA_R_16F: ((__half *)p)[i] = __float2half((float)x); break;
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2:
        ((uint8_t *)p)[i] = simt_to_fp8((float)x, __NV_SATFINITE, eight_bits(t));
        break;
    default: ((uint16_t *)p)[i] = to_bfloat((float)x);
    }
}

double scalar(blas_call &c, const char *name, const void *p, cudaDataType t)
{
    switch (t) {
    case CUDA_R_64F: return c.scalar(name, (const double *)p);
    case CUDA_R_32I: return (double)c.scalar(name, (const int *)p);
    case CUDA_R_16F: return (double)__half2float(c.scalar(name, (const __half *)p));
    default: return (double)c.scalar(name, (const float *)p);
    }
}

} // namespace simt_library

/* Converts halves, the most frequent short type, to floats; eight at once if the processor can. */
#ifdef __x86_64__
__attribute__((target("avx,f16c"))) static size_t eights(float *to, const __half *from, size_t n)
{
    for (size_t i = 0; i + 8 <= n; i += 8)
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from + i))));
    return n / 8 * 8;
}
static const bool has_f16c = __builtin_cpu_supports("f16c");
#else
static size_t eights(float *, const __half *, size_t) { return 0; }
static const bool has_f16c = false;
#endif
static void widen(float *to, const __half *from, size_t n)
{
    for (size_t i = has_f16c ? eights(to, from, n) : 0; i < n; ++i)
        to[i] = __half2float(from[i]);
}
static void widen(double *to, const __half *from, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        to[i] = __half2float(from[i]);
}

/* Copies a matrix of a short type to a matrix of R without gaps. */
template <class R> static std::vector<R> widened(const void *p, cudaDataType t, int rows, int columns, int ld)
{
    std::vector<R> all((size_t)std::max(rows, 0) * (size_t)std::max(columns, 0));
    R *to = all.data();
    for (int j = 0; j < columns; ++j) {
        const size_t first = (size_t)j * (size_t)ld;
        if (t == CUDA_R_16F)
            widen(to, (const __half *)p + first, (size_t)rows);
        for (int i = 0; i < rows && t != CUDA_R_16F; ++i)
            to[i] = (R)number(p, t, first + (size_t)i);
        to += rows;
    }
    return all;
}

struct mixed {
    cublasOperation_t opa, opb;
    int m, n, k;
    double alpha, beta;
    const void *A, *B;
    void *C;
    cudaDataType typea, typeb, typec;
    int lda, ldb, ldc;

    int rows_a() const { return opa == CUBLAS_OP_N ? m : k; }
    int rows_b() const { return opb == CUBLAS_OP_N ? k : n; }
    int columns_a() const { return opa == CUBLAS_OP_N ? k : m; }
    int columns_b() const { return opb == CUBLAS_OP_N ? n : k; }
    void does_what(blas_call &c, cublasComputeType_t how) const
    { c.does_what(opa, opb, m, n, k, alpha, beta, typea, typeb, typec, lda, ldb, ldc, how); }
    void operands(blas_call &c) const
    {
        c.sizes({m, n, k});
        c.wrong_if(!bytes_of(typea) || !bytes_of(typeb) || !bytes_of(typec) || lda < rows_a() || ldb < rows_b() ||
                   ldc < m || lda < 1 || ldb < 1 || ldc < 1);
        c.refused_if(typea == CUDA_R_8I && (lda % 4 || ldb % 4)); // a GPU multiplies four bytes at once
        if (c.status() != CUBLAS_STATUS_SUCCESS)
            return;
        const int used = alpha != 0 && m && n ? READS : 0;
        const auto size = [](int x) { return (size_t)x; };
        c.call::matrix("A", A, size(rows_a()), size(columns_a()), size(lda), bytes_of(typea), used);
        c.call::matrix("B", B, size(rows_b()), size(columns_b()), size(ldb), bytes_of(typeb), used);
        c.call::matrix("C", C, size(m), size(n), size(ldc), bytes_of(typec), beta != 0 ? READS | WRITES : WRITES);
    }
    /* The same product with other matrices. */
    mixed at(const void *a, const void *b, void *c) const
    {
        mixed other = *this;
        other.A = a, other.B = b, other.C = c;
        return other;
    }
    /* Computes the sums in R and rounds each once at the end. */
    template <class R> void multiply() const
    {
        std::vector<R> a, b, c((size_t)m * (size_t)n);
        if (alpha != 0) {
            a = widened<R>(A, typea, rows_a(), columns_a(), lda);
            b = widened<R>(B, typeb, rows_b(), columns_b(), ldb);
        }
        if (beta != 0)
            c = widened<R>(C, typec, m, n, ldc);
        const auto atleast1 = [](int x) { return x > 1 ? x : 1; };
        gemm(way(opa), way(opb), m, n, k, (R)alpha, a.data(), atleast1(rows_a()), b.data(), atleast1(rows_b()), (R)beta,
             c.data(), atleast1(m));
        for (size_t j = 0; j < (size_t)n; ++j)
            for (size_t i = 0; i < (size_t)m; ++i)
                set_number(C, typec, i + j * (size_t)ldc, (double)c[i + j * (size_t)m]);
    }
};

static double scalar_of(blas_call &c, const char *name, const void *p, const arithmetic &how)
{
    return scalar(c, name, p, how.in_half() ? CUDA_R_16F : how.in_double() ? CUDA_R_64F : how.in_int() ? CUDA_R_32I
                                                                                                        : CUDA_R_32F);
}
static void multiply(const mixed &p, const arithmetic &how)
{ how.sums_in_double() ? p.multiply<double>() : p.multiply<float>(); }

static const char *at(const void *p, cudaDataType t, long long i)
{ return (const char *)p + i * (long long)bytes_of(t); }

#define SHAPE                                                                                                          \
    cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, const void *alpha
#define PRODUCT                                                                                                        \
    const arithmetic how{compute};                                                                                     \
    const double a = scalar_of(c, "alpha", alpha, how), b = scalar_of(c, "beta", beta, how);                           \
    const mixed p { opa, opb, m, n, k, a, b, A, B, C, typea, typeb, typec, lda, ldb, ldc };            \
    p.does_what(c, compute)

cublasStatus_t cublasGemmEx(SHAPE, const void *A, cudaDataType typea, int lda, const void *B, cudaDataType typeb,
                            int ldb, const void *beta, void *C, cudaDataType typec, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t)
{
    blas_call c(h, "cublasGemmEx");
    PRODUCT;
    p.operands(c);
    return c.run([=] { multiply(p, how); });
}

cublasStatus_t cublasGemmStridedBatchedEx(SHAPE, const void *A, cudaDataType typea, int lda, long long stride_a,
                                          const void *B, cudaDataType typeb, int ldb, long long stride_b,
                                          const void *beta, void *C, cudaDataType typec, int ldc, long long stride_c,
                                          int count, cublasComputeType_t compute, cublasGemmAlgo_t)
{
    blas_call c(h, "cublasGemmStridedBatchedEx");
    PRODUCT;
    c.sizes({count});
    const auto one = [=](int i) {
        return p.at(at(A, typea, i * stride_a), at(B, typeb, i * stride_b), (void *)at(C, typec, i * stride_c));
    };
    for (int i = 0; i < count; ++i)
        one(i).operands(c);
    return c.run([=] {
        for (int i = 0; i < count; ++i)
            multiply(one(i), how);
    });
}

cublasStatus_t cublasGemmBatchedEx(SHAPE, const void *const As[], cudaDataType typea, int lda, const void *const Bs[],
                                   cudaDataType typeb, int ldb, const void *beta, void *const Cs[], cudaDataType typec,
                                   int ldc, int count, cublasComputeType_t compute, cublasGemmAlgo_t)
{
    blas_call c(h, "cublasGemmBatchedEx");
    const void *A = nullptr, *B = nullptr;
    void *C = nullptr;
    PRODUCT;
    c.sizes({count});
    const auto a_s = pointers(c, "the pointers to A", As, count), b_s = pointers(c, "the pointers to B", Bs, count);
    const auto c_s = pointers(c, "the pointers to C", Cs, count);
    for (size_t i = 0; i < c_s.size(); ++i)
        p.at(a_s[i], b_s[i], c_s[i]).operands(c);
    return c.run([=] {
        for (size_t i = 0; i < c_s.size(); ++i)
            multiply(p.at(a_s[i], b_s[i], c_s[i]), how);
    });
}

cublasStatus_t cublasSgemmEx(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                             const float *alpha, const void *A, cudaDataType typea, int lda, const void *B,
                             cudaDataType typeb, int ldb, const float *beta, void *C, cudaDataType typec, int ldc)
{
    return cublasGemmEx(h, opa, opb, m, n, k, alpha, A, typea, lda, B, typeb, ldb, beta, C, typec, ldc,
                        CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasHgemm(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                           const __half *alpha, const __half *A, int lda, const __half *B, int ldb, const __half *beta,
                           __half *C, int ldc)
{
    return cublasGemmEx(h, opa, opb, m, n, k, alpha, A, CUDA_R_16F, lda, B, CUDA_R_16F, ldb, beta, C, CUDA_R_16F, ldc,
                        CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                                         int k, const __half *alpha, const __half *A, int lda, long long stride_a,
                                         const __half *B, int ldb, long long stride_b, const __half *beta, __half *C,
                                         int ldc, long long stride_c, int count)
{
    return cublasGemmStridedBatchedEx(h, opa, opb, m, n, k, alpha, A, CUDA_R_16F, lda, stride_a, B, CUDA_R_16F, ldb,
                                      stride_b, beta, C, CUDA_R_16F, ldc, stride_c, count, CUBLAS_COMPUTE_16F,
                                      CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t cublasHgemmBatched(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                                  const __half *alpha, const __half *const A[], int lda, const __half *const B[],
                                  int ldb, const __half *beta, __half *const C[], int ldc, int count)
{
    return cublasGemmBatchedEx(h, opa, opb, m, n, k, alpha, (const void *const *)A, CUDA_R_16F, lda,
                               (const void *const *)B, CUDA_R_16F, ldb, beta, (void *const *)C, CUDA_R_16F, ldc, count,
                               CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}

/* ---- vectors; sums are double ---- */

/* An operand: n numbers of a type that is given at run time. */
struct elements {
    void *p;
    cudaDataType type;
    int n, step;
    elements(blas_call &c, const char *name, const void *p, cudaDataType type, int n, int step, int does)
        : p(const_cast<void *>(p)), type(type), n(n), step(step)
    {
        c.wrong_if(!bytes_of(type) || step == 0);
        c.call::vector(name, p, n > 0 ? (size_t)n : 0, step, bytes_of(type), does);
    }
    double operator[](int i) const { return number(p, type, place(i, n, step)); }
    void set(int i, double x) const { set_number(p, type, place(i, n, step), x); }
};
#define X(does) X(c, "x", x, typex, n, incx, does)
#define Y(does) Y(c, "y", y, typey, n, incy, does)

static double factor(blas_call &c, const void *p, cudaDataType t)
{
    c.wrong_if(t != CUDA_R_64F && t != CUDA_R_32F && t != CUDA_R_16F);
    return scalar(c, "alpha", p, t);
}

/* Stores the sum of of(i), or its square root, as the result. */
template <class F>
static cublasStatus_t sum_of(blas_call &c, cublasHandle_t h, int n, void *out, cudaDataType type, F of,
                             bool root = false)
{
    c.wrong_if(!out || !bytes_of(type));
    if (c.fine() && h->pointers == CUBLAS_POINTER_MODE_DEVICE)
        c.call::vector("the result", out, 1, 1, bytes_of(type), WRITES);
    return c.run([=] {
        double sum = 0;
        for (int i = 0; i < n; ++i)
            sum += of(i);
        set_number(out, type, 0, root ? std::sqrt(sum) : sum);
    });
}
/* Calls does(i) for each element. */
template <class F> static cublasStatus_t each(blas_call &c, int n, F does)
{
    return c.run([=] {
        for (int i = 0; i < n; ++i)
            does(i);
    });
}

cublasStatus_t cublasDotEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, const void *y,
                           cudaDataType typey, int incy, void *out, cudaDataType type, cudaDataType)
{
    blas_call c(h, "cublasDotEx");
    c.refused_if(typex != typey || typex != type);
    const elements X(READS), Y(READS);
    return sum_of(c, h, n, out, type, [=](int i) { return X[i] * Y[i]; });
}

/* The conjugate of a real number is the number itself. */
cublasStatus_t cublasDotcEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, const void *y,
                            cudaDataType typey, int incy, void *out, cudaDataType type, cudaDataType sums)
{ return cublasDotEx(h, n, x, typex, incx, y, typey, incy, out, type, sums); }

cublasStatus_t cublasNrm2Ex(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, void *out,
                            cudaDataType type, cudaDataType)
{
    blas_call c(h, "cublasNrm2Ex");
    c.refused_if(typex != type);
    const elements X(READS);
    return sum_of(c, h, n, out, type, [=](int i) { return X[i] * X[i]; }, true);
}

cublasStatus_t cublasAsumEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, void *out,
                            cudaDataType type, cudaDataType)
{
    blas_call c(h, "cublasAsumEx");
    c.refused_if(typex != type);
    const elements X(READS);
    return sum_of(c, h, n, out, type, [=](int i) { return std::fabs(X[i]); });
}

cublasStatus_t cublasAxpyEx(cublasHandle_t h, int n, const void *alpha, cudaDataType typealpha, const void *x,
                            cudaDataType typex, int incx, void *y, cudaDataType typey, int incy, cudaDataType)
{
    blas_call c(h, "cublasAxpyEx");
    const double a = factor(c, alpha, typealpha);
    const elements X(READS), Y(READS | WRITES);
    return each(c, n, [=](int i) { Y.set(i, a * X[i] + Y[i]); });
}

cublasStatus_t cublasScalEx(cublasHandle_t h, int n, const void *alpha, cudaDataType typealpha, void *x,
                            cudaDataType typex, int incx, cudaDataType)
{
    blas_call c(h, "cublasScalEx");
    const double a = factor(c, alpha, typealpha);
    const elements X(READS | WRITES);
    return each(c, n, [=](int i) { X.set(i, a * X[i]); });
}

cublasStatus_t cublasCopyEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, void *y,
                            cudaDataType typey, int incy)
{
    blas_call c(h, "cublasCopyEx");
    c.refused_if(typex != typey);
    const elements X(READS), Y(WRITES);
    return each(c, n, [=](int i) { Y.set(i, X[i]); });
}

cublasStatus_t cublasSwapEx(cublasHandle_t h, int n, void *x, cudaDataType typex, int incx, void *y,
                            cudaDataType typey, int incy)
{
    blas_call c(h, "cublasSwapEx");
    c.refused_if(typex != typey);
    const elements X(READS | WRITES), Y(READS | WRITES);
    return each(c, n, [=](int i) {
        const double old = X[i];
        X.set(i, Y[i]);
        Y.set(i, old);
    });
}

cublasStatus_t cublasRotEx(cublasHandle_t h, int n, void *x, cudaDataType typex, int incx, void *y, cudaDataType typey,
                           int incy, const void *cosine, const void *sine, cudaDataType type, cudaDataType)
{
    blas_call c(h, "cublasRotEx");
    c.refused_if(typex != typey);
    const double a = factor(c, cosine, type), b = factor(c, sine, type);
    const elements X(READS | WRITES), Y(READS | WRITES);
    return each(c, n, [=](int i) {
        const double u = X[i], v = Y[i];
        X.set(i, a * u + b * v);
        Y.set(i, a * v - b * u);
    });
}

/* The first largest or smallest element, counted from 1; 0 if there is none. */
static cublasStatus_t extreme(cublasHandle_t h, const char *name, int n, const void *x, cudaDataType typex, int incx,
                              int *which, bool least)
{
    blas_call c(h, name);
    const elements X(READS);
    c.result(which);
    return c.run([=] {
        *which = n > 0 && incx > 0;
        for (int i = 1; i < n && incx > 0; ++i) {
            const double v = std::fabs(X[i]), best = std::fabs(X[*which - 1]);
            if (least ? v < best : v > best)
                *which = i + 1;
        }
    });
}
cublasStatus_t cublasIamaxEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, int *which)
{ return extreme(h, "cublasIamaxEx", n, x, typex, incx, which, false); }
cublasStatus_t cublasIaminEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, int *which)
{ return extreme(h, "cublasIaminEx", n, x, typex, incx, which, true); }
