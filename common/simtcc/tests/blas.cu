/* blas.cu - cuBLAS against plain loops, and what is wrong: blas N */
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include "on_gpu.h"

static void near(const char *what, double got, double expected)
{
    if (fabs(got - expected) > 1e-4 * (1 + fabs(expected)) && ++bad)
        printf("%s: %g instead of %g\n", what, got, expected);
}

static void vectors(cublasHandle_t h)
{
    std::vector<float> x(100), y(100);
    double dot = 0, norm = 0, sum = 0;
    for (int i = 0; i < 100; ++i) {
        x[i] = (float)(i * 7 % 23 - 11);
        y[i] = (float)(i % 5);
        dot += x[i] * y[i];
        norm += x[i] * x[i];
        sum += fabs(x[i]);
    }
    float *dx = to_gpu(x), *dy = to_gpu(y), result, *gpu, alpha = 3;
    int largest;
    IS(cublasSdot(h, 100, dx, 1, dy, 1, &result));
    near("dot", result, dot);
    IS(cublasSnrm2(h, 100, dx, 1, &result));
    near("nrm2", result, sqrt(norm));
    IS(cublasSasum(h, 100, dx, 1, &result));
    near("asum", result, sum);
    IS(cublasIsamax(h, 100, dx, 1, &largest));
    near("amax", fabs(x[largest - 1]), 11);
    IS(cublasSaxpy(h, 50, &alpha, dx, 2, dy, 2));
    near("axpy", from_gpu(dy, 100)[98], y[98] + 3 * x[98]);
    cudaMalloc(&gpu, sizeof *gpu);
    IS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    IS(cublasSdot(h, 100, dx, 1, dx, 1, gpu));
    near("a result on the GPU", from_gpu(gpu, 1)[0], norm);
    IS(cublasSscal(h, 100, gpu, dx, 1));
    IS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    near("scal", from_gpu(dx, 100)[5], norm * x[5]);
}

/* C = 2 A B - C, with A transposed. */
static void matrices(cublasHandle_t h)
{
    const int m = 7, n = 5, k = 6;
    std::vector<double> A(k * m), B(k * n), C(m * n), D(m * n);
    for (size_t i = 0; i < A.size(); ++i) A[i] = (double)(i % 7) - 3;
    for (size_t i = 0; i < B.size(); ++i) B[i] = (double)(i % 5) - 2;
    for (size_t i = 0; i < C.size(); ++i) C[i] = (double)(i % 3);
    const double two = 2, less = -1, one = 1, none = 0;
    double *a, *b, *c = to_gpu(C);
    cudaMalloc(&a, A.size() * sizeof *a);
    cudaMalloc(&b, B.size() * sizeof *b);
    IS(cublasSetMatrix(k, m, sizeof *a, A.data(), k, a, k));
    IS(cublasSetMatrix(k, n, sizeof *b, B.data(), k, b, k));
    IS(cublasDgemm(h, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &two, a, k, b, k, &less, c, m));
    IS(cublasGetMatrix(m, n, sizeof *c, c, m, D.data(), m));
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            double sum = -C[i + j * m];
            for (int l = 0; l < k; ++l)
                sum += 2 * A[l + i * k] * B[l + j * k];
            near("gemm", D[i + j * m], sum);
        }
    /* a batch of three products: their A overlap by a column, their C do not */
    IS(cublasDgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, 4, b, 2, 4, &none, c, 2, 4, 3));
    near("batch", from_gpu(c, 12)[8], A[8] * B[8] + A[10] * B[9]);
    std::vector<double> L = {2, 1, 1, NAN, 4, 2, NAN, NAN, 8}, x = {2, 5, 15};
    double *l = to_gpu(L), *dx = to_gpu(x);
    IS(cublasDtrsv(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 3, l, 3, dx, 1));
    near("trsv", from_gpu(dx, 3)[2], 1.5);
    IS(cublasDgemv(h, CUBLAS_OP_N, 3, 1, &one, dx, 3, dx, 1, &none, c, 1));
    IS(cublasDgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one, a, k, &none, nullptr, m, c, m));
    near("geam", from_gpu(c, 2)[1], A[k]);
    is("a leading dimension that is too small", cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a, m - 1, b, k,
                                                            &none, c, m), CUBLAS_STATUS_INVALID_VALUE);
}

/* Inverts two matrices by their LU factors, and multiplies the inverses by the matrices. */
static void inverses(cublasHandle_t h)
{
    const int n = 3;
    const double one = 1, none = 0;
    const std::vector<double> A = {0, 2, 1, 1, 1, 0, 3, 0, 1, 4, 1, 2, 0, 5, 1, 1, 0, 3};
    double *a = to_gpu(A), *lu = to_gpu(A), *inverse = to_gpu(A), *product = to_gpu(A);
    double **as = to_gpu(std::vector<double *>{a, a + 9}), **lus = to_gpu(std::vector<double *>{lu, lu + 9}),
           **inverses = to_gpu(std::vector<double *>{inverse, inverse + 9}),
           **products = to_gpu(std::vector<double *>{product, product + 9});
    int *pivots, *info;
    cudaMalloc(&pivots, 2 * n * sizeof *pivots);
    cudaMalloc(&info, 2 * sizeof *info);
    IS(cublasDgetrfBatched(h, n, lus, n, pivots, info, 2));
    near("the first pivot", from_gpu(pivots, 1)[0], 2);
    IS(cublasDgetriBatched(h, n, lus, n, pivots, inverses, n, info, 2));
    IS(cublasDgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, as, n, inverses, n, &none, products, n, 2));
    const std::vector<double> ones = from_gpu(product, 18);
    for (int i = 0; i < 18; ++i)
        near("an inverse", ones[i], i % 9 % 4 == 0);
    IS(cublasDgetrfBatched(h, n, as, n, nullptr, info, 2));
    near("a pivot of zero", from_gpu(info, 1)[0], 1);
}

static void other_types(cublasHandle_t h)
{
    const cuDoubleComplex one = {1, 0}, none = {0, 0};
    cuDoubleComplex *z = to_gpu(std::vector<cuDoubleComplex>{{1, 1}, {0, 2}, {3, 0}, {1, -1}}), *c;
    cudaMalloc(&c, 4 * sizeof *c);
    IS(cublasZgemm(h, CUBLAS_OP_C, CUBLAS_OP_N, 2, 2, 2, &one, z, 2, z, 2, &none, c, 2));
    near("complex", from_gpu(c, 4)[1].y, 5);
    __half *a = to_gpu(std::vector<__half>{1, 2, 3, 4});
    float *f, alpha = 1, beta = 0;
    cudaMalloc(&f, 4 * sizeof *f);
    IS(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &alpha, a, CUDA_R_16F, 2, a, CUDA_R_16F, 2, &beta, f,
                    CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    near("half", from_gpu(f, 4)[3], 22);
}

static void short_types(cublasHandle_t h)
{
    const __half one = 1, none = 0;
    __half *a = to_gpu(std::vector<__half>{1, 2, 3, 4, 0, 1, 1, 0}), *c = to_gpu(std::vector<__half>(8, 0));
    IS(cublasHgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one, a, 2, 4, a, 2, 0, &none, c, 2, 4, 2));
    near("half, strided", from_gpu(c, 8)[2], 14);
    near("half, strided, the second", from_gpu(c, 8)[4], 3);
    const __half **as = to_gpu(std::vector<const __half *>{a + 4, a});
    __half **cs = to_gpu(std::vector<__half *>{c, c + 4});
    IS(cublasHgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, as, 2, as, 2, &none, cs, 2, 2));
    near("half, batched", from_gpu(c, 8)[7], 22);
    std::vector<signed char> numbers(16);
    numbers[0] = 100, numbers[1] = -100, numbers[4] = 3, numbers[5] = 4;
    signed char *bytes = to_gpu(numbers);
    int *sums, two = 2, zero = 0;
    cudaMalloc(&sums, 16 * sizeof *sums);
    IS(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, 4, 4, 4, &two, bytes, CUDA_R_8I, 4, bytes, CUDA_R_8I, 4, &zero, sums,
                    CUDA_R_32I, 4, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
    near("bytes", from_gpu(sums, 4)[0], 40000);
    is("two bytes", cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &two, bytes, CUDA_R_8I, 2, bytes, CUDA_R_8I, 2,
                                 &zero, sums, CUDA_R_32I, 2, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
       CUBLAS_STATUS_NOT_SUPPORTED);
    __half dot = 0;
    float wide, three = 3;
    IS(cublasDotEx(h, 4, a, CUDA_R_16F, 1, a, CUDA_R_16F, -1, &dot, CUDA_R_16F, CUDA_R_32F));
    near("half's dot", dot, 20);
    is("a wider dot", cublasDotEx(h, 4, a, CUDA_R_16F, 1, a, CUDA_R_16F, 1, &wide, CUDA_R_32F, CUDA_R_32F),
       CUBLAS_STATUS_NOT_SUPPORTED);
    IS(cublasNrm2Ex(h, 2, a + 2, CUDA_R_16F, 1, &dot, CUDA_R_16F, CUDA_R_32F));
    near("half's norm", dot, 5);
    IS(cublasAxpyEx(h, 2, &three, CUDA_R_32F, a, CUDA_R_16F, 2, c, CUDA_R_16F, 1, CUDA_R_32F));
    near("half's sum", from_gpu(c, 8)[1], 1 * 0 + 0 * 1 + 3 * 3);
    IS(cublasScalEx(h, 2, &three, CUDA_R_32F, a, CUDA_R_16F, 1, CUDA_R_32F));
    near("half, scaled", from_gpu(a, 8)[1], 6);
}

static void wrong(cublasHandle_t h, int which)
{
    const float one = 1;
    std::vector<float> host(64, 1);
    float *d = to_gpu(host), *empty;
    cudaMalloc(&empty, 64 * sizeof *empty);
    const float *a = which == 2 ? host.data() : d;
    const int lda = which == 1 ? 16 : 8;
    if (which == 4) cudaFree(d);
    is("gemm", cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, a, lda, a, lda, &one, which == 3 ? empty : d, 8),
       CUBLAS_STATUS_EXECUTION_FAILED);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

int main(int argc, char **argv)
{
    cublasHandle_t h;
    IS(cublasCreate(&h));
    if (argc > 1) {
        wrong(h, atoi(argv[1]));
    } else {
        vectors(h);
        matrices(h);
        inverses(h);
        other_types(h);
        short_types(h);
        IS(cublasDestroy(h));
    }
    printf("bad %d\n", bad);
}
