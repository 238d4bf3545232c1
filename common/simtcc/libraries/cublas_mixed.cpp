/*
 * cublas_mixed.cpp - cuBLAS by OpenBLAS: types that are mixed, and short ones, which are widened first.
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

} // namespace simt_library

/* Halves as floats, the most frequent of them all: eight at once where the processor can. */
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

/* A matrix of short numbers as one of R without gaps. */
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

#define FAMILY(U, l, T)                                                                                                \
    static void gemm(CBLAS_TRANSPOSE opa, CBLAS_TRANSPOSE opb, int m, int n, int k, T alpha, const T *A, int lda,      \
                     const T *B, int ldb, T beta, T *C, int ldc)                                                       \
    {                                                                                                                  \
        if (n == 1 && opb == CblasNoTrans)                                                                             \
            cblas_##l##gemv(CblasColMajor, opa, opa == CblasNoTrans ? m : k, opa == CblasNoTrans ? k : m, alpha, A,    \
                            lda, B, 1, beta, C, 1);                                                                    \
        else                                                                                                           \
            cblas_##l##gemm(CblasColMajor, opa, opb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);                    \
    }
REALS(FAMILY)
#undef FAMILY

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
        c.refused_if(typea == CUDA_R_8I && (lda % 4 || ldb % 4)); // four bytes are multiplied at once
        if (c.status() != CUBLAS_STATUS_SUCCESS)
            return;
        const int used = alpha != 0 && m && n ? READS : 0;
        const auto size = [](int x) { return (size_t)x; };
        c.call::matrix("A", A, size(rows_a()), size(columns_a()), size(lda), bytes_of(typea), used);
        c.call::matrix("B", B, size(rows_b()), size(columns_b()), size(ldb), bytes_of(typeb), used);
        c.call::matrix("C", C, size(m), size(n), size(ldc), bytes_of(typec), beta != 0 ? READS | WRITES : WRITES);
    }
    /* The same of other matrices. */
    mixed at(const void *a, const void *b, void *c) const
    {
        mixed other = *this;
        other.A = a, other.B = b, other.C = c;
        return other;
    }
    /* Sums are R; each is rounded once at the end. */
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

/* How a product computes: in which type are its sums and its scalars. */
struct arithmetic {
    cublasComputeType_t type;
    bool in_half() const { return type == CUBLAS_COMPUTE_16F || type == CUBLAS_COMPUTE_16F_PEDANTIC; }
    bool in_double() const { return type == CUBLAS_COMPUTE_64F || type == CUBLAS_COMPUTE_64F_PEDANTIC; }
    bool in_int() const { return type == CUBLAS_COMPUTE_32I || type == CUBLAS_COMPUTE_32I_PEDANTIC; }
    double scalar(blas_call &c, const char *name, const void *p) const
    {
        if (in_half()) return (double)__half2float(c.scalar(name, (const __half *)p));
        if (in_double()) return c.scalar(name, (const double *)p);
        return in_int() ? (double)c.scalar(name, (const int *)p) : (double)c.scalar(name, (const float *)p);
    }
    /* Sums of whole numbers are exact in double. */
    void multiply(const mixed &p) const { in_double() || in_int() ? p.multiply<double>() : p.multiply<float>(); }
};

static const char *at(const void *p, cudaDataType t, long long i)
{ return (const char *)p + i * (long long)bytes_of(t); }

#define SHAPE                                                                                                          \
    cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, const void *alpha
#define PRODUCT                                                                                                        \
    const arithmetic how{compute};                                                                                     \
    const double a = how.scalar(c, "alpha", alpha), b = how.scalar(c, "beta", beta);                                   \
    const mixed p { opa, opb, m, n, k, a, b, A, B, C, typea, typeb, typec, lda, ldb, ldc };            \
    p.does_what(c, compute)

cublasStatus_t cublasGemmEx(SHAPE, const void *A, cudaDataType typea, int lda, const void *B, cudaDataType typeb,
                            int ldb, const void *beta, void *C, cudaDataType typec, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t)
{
    blas_call c(h, "cublasGemmEx");
    PRODUCT;
    p.operands(c);
    return c.run([=] { how.multiply(p); });
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
            how.multiply(one(i));
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
    const pointers<const void> a_s(c, "the pointers to A", As, count), b_s(c, "the pointers to B", Bs, count);
    const pointers<void> c_s(c, "the pointers to C", Cs, count);
    const size_t all = c_s.all.size();
    for (size_t i = 0; i < all; ++i)
        p.at(a_s.all[i], b_s.all[i], c_s.all[i]).operands(c);
    return c.run([=] {
        for (size_t i = 0; i < all; ++i)
            how.multiply(p.at(a_s.all[i], b_s.all[i], c_s.all[i]));
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

/* ---- vectors; sums are in double ---- */

static void operand(blas_call &c, const char *name, const void *p, cudaDataType t, int n, int step, int does)
{
    c.wrong_if(!bytes_of(t) || step == 0);
    c.call::vector(name, p, n > 0 ? (size_t)n : 0, step, bytes_of(t), does);
}
static double scalar(blas_call &c, const void *p, cudaDataType t)
{
    if (t == CUDA_R_64F) return c.scalar("alpha", (const double *)p);
    if (t == CUDA_R_32F) return (double)c.scalar("alpha", (const float *)p);
    c.wrong_if(t != CUDA_R_16F);
    return (double)__half2float(c.scalar("alpha", (const __half *)p));
}
static void result(blas_call &c, const cublasHandle_t h, const void *p, cudaDataType t)
{
    c.wrong_if(!p || !bytes_of(t));
    if (c.status() == CUBLAS_STATUS_SUCCESS && h->pointers == CUBLAS_POINTER_MODE_DEVICE)
        c.call::vector("the result", p, 1, 1, bytes_of(t), WRITES);
}

cublasStatus_t cublasDotEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, const void *y,
                           cudaDataType typey, int incy, void *out, cudaDataType type, cudaDataType)
{
    blas_call c(h, "cublasDotEx");
    c.refused_if(typex != typey || typex != type);
    operand(c, "x", x, typex, n, incx, READS);
    operand(c, "y", y, typey, n, incy, READS);
    result(c, h, out, type);
    return c.run([=] {
        double sum = 0;
        for (int i = 0; i < n; ++i)
            sum += number(x, typex, place(i, n, incx)) * number(y, typey, place(i, n, incy));
        set_number(out, type, 0, sum);
    });
}

/* Of real numbers the conjugate is the number. */
cublasStatus_t cublasDotcEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, const void *y,
                            cudaDataType typey, int incy, void *out, cudaDataType type, cudaDataType sums)
{ return cublasDotEx(h, n, x, typex, incx, y, typey, incy, out, type, sums); }

cublasStatus_t cublasNrm2Ex(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, void *out,
                            cudaDataType type, cudaDataType)
{
    blas_call c(h, "cublasNrm2Ex");
    c.refused_if(typex != type);
    operand(c, "x", x, typex, n, incx, READS);
    result(c, h, out, type);
    return c.run([=] {
        double sum = 0;
        for (int i = 0; i < n; ++i) {
            const double v = number(x, typex, place(i, n, incx));
            sum += v * v;
        }
        set_number(out, type, 0, std::sqrt(sum));
    });
}

cublasStatus_t cublasAxpyEx(cublasHandle_t h, int n, const void *alpha, cudaDataType typealpha, const void *x,
                            cudaDataType typex, int incx, void *y, cudaDataType typey, int incy, cudaDataType)
{
    blas_call c(h, "cublasAxpyEx");
    const double a = scalar(c, alpha, typealpha);
    operand(c, "x", x, typex, n, incx, READS);
    operand(c, "y", y, typey, n, incy, READS | WRITES);
    return c.run([=] {
        for (int i = 0; i < n; ++i) {
            const size_t to = place(i, n, incy);
            set_number(y, typey, to, a * number(x, typex, place(i, n, incx)) + number(y, typey, to));
        }
    });
}

cublasStatus_t cublasScalEx(cublasHandle_t h, int n, const void *alpha, cudaDataType typealpha, void *x,
                            cudaDataType typex, int incx, cudaDataType)
{
    blas_call c(h, "cublasScalEx");
    const double a = scalar(c, alpha, typealpha);
    operand(c, "x", x, typex, n, incx, READS | WRITES);
    return c.run([=] {
        for (int i = 0; i < n; ++i)
            set_number(x, typex, place(i, n, incx), a * number(x, typex, place(i, n, incx)));
    });
}

cublasStatus_t cublasAsumEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, void *out,
                            cudaDataType type, cudaDataType)
{
    blas_call c(h, "cublasAsumEx");
    c.refused_if(typex != type);
    operand(c, "x", x, typex, n, incx, READS);
    result(c, h, out, type);
    return c.run([=] {
        double sum = 0;
        for (int i = 0; i < n; ++i)
            sum += std::fabs(number(x, typex, place(i, n, incx)));
        set_number(out, type, 0, sum);
    });
}

cublasStatus_t cublasCopyEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, void *y,
                            cudaDataType typey, int incy)
{
    blas_call c(h, "cublasCopyEx");
    c.refused_if(typex != typey);
    operand(c, "x", x, typex, n, incx, READS);
    operand(c, "y", y, typey, n, incy, WRITES);
    return c.run([=] {
        for (int i = 0; i < n; ++i)
            set_number(y, typey, place(i, n, incy), number(x, typex, place(i, n, incx)));
    });
}

cublasStatus_t cublasSwapEx(cublasHandle_t h, int n, void *x, cudaDataType typex, int incx, void *y,
                            cudaDataType typey, int incy)
{
    blas_call c(h, "cublasSwapEx");
    c.refused_if(typex != typey);
    operand(c, "x", x, typex, n, incx, READS | WRITES);
    operand(c, "y", y, typey, n, incy, READS | WRITES);
    return c.run([=] {
        for (int i = 0; i < n; ++i) {
            const size_t at = place(i, n, incx), other = place(i, n, incy);
            const double old = number(x, typex, at);
            set_number(x, typex, at, number(y, typey, other));
            set_number(y, typey, other, old);
        }
    });
}

/* The first of the largest, or of the smallest, counted from 1; 0: there is none. */
static cublasStatus_t extreme(cublasHandle_t h, const char *name, int n, const void *x, cudaDataType typex, int incx,
                              int *which, bool least)
{
    blas_call c(h, name);
    operand(c, "x", x, typex, n, incx, READS);
    c.result(which);
    return c.run([=] {
        *which = n > 0 && incx > 0;
        double best = *which ? std::fabs(number(x, typex, 0)) : 0;
        for (int i = 1; i < n && incx > 0; ++i) {
            const double v = std::fabs(number(x, typex, place(i, n, incx)));
            if (least ? v < best : v > best) {
                best = v;
                *which = i + 1;
            }
        }
    });
}
cublasStatus_t cublasIamaxEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, int *which)
{ return extreme(h, "cublasIamaxEx", n, x, typex, incx, which, false); }
cublasStatus_t cublasIaminEx(cublasHandle_t h, int n, const void *x, cudaDataType typex, int incx, int *which)
{ return extreme(h, "cublasIaminEx", n, x, typex, incx, which, true); }

cublasStatus_t cublasRotEx(cublasHandle_t h, int n, void *x, cudaDataType typex, int incx, void *y, cudaDataType typey,
                           int incy, const void *cosine, const void *sine, cudaDataType type, cudaDataType)
{
    blas_call c(h, "cublasRotEx");
    c.refused_if(typex != typey);
    const double a = scalar(c, cosine, type), b = scalar(c, sine, type);
    operand(c, "x", x, typex, n, incx, READS | WRITES);
    operand(c, "y", y, typey, n, incy, READS | WRITES);
    return c.run([=] {
        for (int i = 0; i < n; ++i) {
            const size_t at = place(i, n, incx), other = place(i, n, incy);
            const double u = number(x, typex, at), v = number(y, typey, other);
            set_number(x, typex, at, a * u + b * v);
            set_number(y, typey, other, a * v - b * u);
        }
    });
}
