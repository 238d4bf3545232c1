/* blas_lt.cu - cuBLASLt compared with loops: transposes, orders, epilogues, batches, 8 bits; blas_lt N: mistakes */
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_fp8.h>
#include "on_gpu.h"

enum { M = 13, N = 7, K = 11 };
static cublasLtHandle_t handle;
static int refused;

static float value(size_t i) { return (float)((i * 37 + 11) % 23) / 8 - 1.25f; }
template <class T> static T *on_gpu(size_t n)
{
    std::vector<T> h(n);
    for (size_t i = 0; i < n; ++i) h[i] = (T)value(i);
    return to_gpu(h);
}
template <class T> static void set(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t a, const T &v)
{ refused += cublasLtMatmulDescSetAttribute(d, a, &v, sizeof v) != CUBLAS_STATUS_SUCCESS; }

static double gelu(double x) { return 0.5 * x * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }
static double slope(double x) { return (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5; }
static void near(double x, double want, double room) { bad += !(fabs(x - want) <= room * (1 + fabs(want))); }

/* One product of floats with an epilogue; by_rows: D is row-major. */
static void floats(bool turn_a, bool turn_b, int epilogue, bool by_rows, int batches)
{
    const int lda = turn_a == by_rows ? M : K, ldb = turn_b == by_rows ? K : N, ldd = by_rows ? N + 2 : M + 3;
    const auto place = [=](int i, int j, int ld) { return by_rows ? i * ld + j : i + j * ld; };
    const int64_t size_a = M * K, size_b = K * N, size_d = (M + 3) * (N + 2);
    float *a = on_gpu<float>(size_a * batches), *b = on_gpu<float>(size_b * batches), *bias = on_gpu<float>(M + N);
    float *d = on_gpu<float>(size_d * batches), *aux = on_gpu<float>(size_d * batches);
    cublasLtMatmulDesc_t desc;
    cublasLtMatrixLayout_t la, lb, ld;
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t found;
    int n_found = 0;
    cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    set(desc, CUBLASLT_MATMUL_DESC_TRANSA, turn_a ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(desc, CUBLASLT_MATMUL_DESC_TRANSB, turn_b ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    const int64_t ld_aux = (epilogue & (2 | 8)) ? 128 : M + 3;
    if (epilogue & (4 | 16 | 256 | 512)) set(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    if (epilogue & 128) set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux);
    if (epilogue & 128) set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, ld_aux);
    if (epilogue & 128 && !(epilogue & (2 | 8))) set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, size_d);
    cublasLtMatrixLayoutCreate(&la, CUDA_R_32F, turn_a ? K : M, turn_a ? M : K, lda);
    cublasLtMatrixLayoutCreate(&lb, CUDA_R_32F, turn_b ? N : K, turn_b ? K : N, ldb);
    cublasLtMatrixLayoutCreate(&ld, CUDA_R_32F, M, N, ldd);
    const int32_t order = by_rows ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
    for (cublasLtMatrixLayout_t l : {la, lb, ld})
        cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order);
    const struct { cublasLtMatrixLayout_t l; int64_t stride; } all[] = {{la, size_a}, {lb, size_b}, {ld, size_d}};
    for (const auto &l : all) {
        cublasLtMatrixLayoutSetAttribute(l.l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches, sizeof batches);
        cublasLtMatrixLayoutSetAttribute(l.l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &l.stride, sizeof l.stride);
    }
    cublasLtMatmulPreferenceCreate(&preference);
    refused += cublasLtMatmulAlgoGetHeuristic(handle, desc, la, lb, ld, ld, preference, 1, &found, &n_found) != 0;
    const std::vector<float> ha = from_gpu(a, size_a * batches), hb = from_gpu(b, size_b * batches);
    const std::vector<float> hc = from_gpu(d, size_d * batches);
    const std::vector<float> hbias = from_gpu(bias, M + N), haux = from_gpu(aux, size_d * batches);
    const float alpha = 0.5f, beta = 0.25f;
    refused += cublasLtMatmul(handle, desc, &alpha, a, la, b, lb, &beta, d, ld, d, ld, &found.algo, nullptr, 0, 0) != 0;
    const std::vector<float> hd = from_gpu(d, size_d * batches), hbias_after = from_gpu(bias, M + N);
    const std::vector<float> haux_after = from_gpu(aux, size_d * batches);
    double gradient[M + N] = {};
    for (int q = 0; q < batches; ++q)
        for (int j = 0; j < N; ++j)
            for (int i = 0; i < M; ++i) {
                const size_t at = q * size_d + place(i, j, ldd);
                const size_t at_aux = q * size_d + i + j * ld_aux;
                double x = 0;
                for (int k = 0; k < K; ++k)
                    x += (double)ha[q * size_a + (turn_a ? place(k, i, lda) : place(i, k, lda))] *
                         (double)hb[q * size_b + (turn_b ? place(j, k, ldb) : place(k, j, ldb))];
                x = alpha * x + beta * hc[at];
                if (epilogue & 4) x += hbias[i];
                if (epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS) near(haux_after[at_aux], x, 1e-5);
                if (epilogue == CUBLASLT_EPILOGUE_RELU_AUX)
                    bad += (((const char *)haux_after.data())[(i + j * ld_aux) / 8] >> i % 8 & 1) != (x > 0);
                if (epilogue & 2) x = x > 0 ? x : 0;
                if (epilogue & 32) x = gelu(x);
                if (epilogue & 64) x *= slope(haux[at_aux]);
                if (epilogue & 8) x = ((const char *)haux.data())[(i + j * ld_aux) / 8] >> i % 8 & 1 ? x : 0;
                gradient[i] += x;
                near(hd[at], x, 1e-4);
            }
    for (int i = 0; i < M && (epilogue & 16); ++i) near(hbias_after[i], gradient[i], 1e-4);
    for (int j = 0; j < N && epilogue == CUBLASLT_EPILOGUE_BGRADB; ++j) {
        double sum = 0;
        for (int k = 0; k < K; ++k) sum += hb[turn_b ? j + k * ldb : k + j * ldb];
        near(hbias_after[j], sum, 1e-5);
    }
    cublasLtMatmulPreferenceDestroy(preference);
    cublasLtMatrixLayoutDestroy(la), cublasLtMatrixLayoutDestroy(lb), cublasLtMatrixLayoutDestroy(ld);
    cublasLtMatmulDescDestroy(desc);
    for (float *p : {a, b, bias, d, aux}) cudaFree(p);
}

/* 8-bit types with scales; the largest magnitude is returned. */
static void eight_bits(void)
{
    __nv_fp8_e4m3 *a = on_gpu<__nv_fp8_e4m3>(16 * 16), *b = on_gpu<__nv_fp8_e4m3>(16 * 16);
    float *d = on_gpu<float>(16 * 16), *scales = on_gpu<float>(3);
    cublasLtMatmulDesc_t desc;
    cublasLtMatrixLayoutOpaque_t l, out;
    cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    set(desc, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    set(desc, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, (const float *)scales);
    set(desc, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, (const float *)(scales + 1));
    set(desc, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, scales + 2);
    cublasLtMatrixLayoutInit(&l, CUDA_R_8F_E4M3, 16, 16, 16);
    cublasLtMatrixLayoutInit(&out, CUDA_R_32F, 16, 16, 16);
    const float one = 1, zero = 0;
    refused += cublasLtMatmul(handle, desc, &one, a, &l, b, &l, &zero, d, &out, d, &out, nullptr, nullptr, 0, 0) != 0;
    const auto ha = from_gpu(a, 256), hb = from_gpu(b, 256);
    const auto hd = from_gpu(d, 256), s = from_gpu(scales, 3);
    double largest = 0;
    for (int j = 0; j < 16; ++j)
        for (int i = 0; i < 16; ++i) {
            double x = 0;
            for (int k = 0; k < 16; ++k) x += (double)(float)ha[k + 16 * i] * (double)(float)hb[k + 16 * j];
            near(hd[i + 16 * j], x * value(0) * value(1), 1e-5);
            largest = fmax(largest, fabs(x * value(0) * value(1)));
        }
    near(s[2], largest, 1e-5);
    cublasLtMatmulDescDestroy(desc);
}

int main(int argc, char **argv)
{
    cublasLtCreate(&handle);
    if (argc > 1) {
        cublasLtMatmulDesc_t desc;
        cublasLtMatrixLayout_t l, small;
        cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
        cublasLtMatrixLayoutCreate(&l, CUDA_R_32F, 8, 8, 8);
        cublasLtMatrixLayoutCreate(&small, CUDA_R_32F, 8, 7, 8);
        float *p = on_gpu<float>(64), *q = on_gpu<float>(60), one = 1, zero = 0;
        if (atoi(argv[1]) == 1) // D is too small
            return cublasLtMatmul(handle, desc, &one, p, l, p, l, &zero, q, l, q, l, nullptr, nullptr, 0, 0);
        return cublasLtMatmul(handle, desc, &one, p, small, p, l, &zero, p, l, p, l, nullptr, nullptr, 0, 0);
    }
    for (int ways = 0; ways < 4; ++ways) floats(ways & 1, ways & 2, CUBLASLT_EPILOGUE_DEFAULT, false, 1);
    floats(true, false, CUBLASLT_EPILOGUE_DEFAULT, true, 3);
    for (int epilogue : {CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_RELU_BIAS,
                         CUBLASLT_EPILOGUE_RELU_AUX, CUBLASLT_EPILOGUE_DRELU, CUBLASLT_EPILOGUE_GELU,
                         CUBLASLT_EPILOGUE_GELU_BIAS, CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_DGELU,
                         CUBLASLT_EPILOGUE_DGELU_BGRAD, CUBLASLT_EPILOGUE_BGRADB})
        floats(false, true, epilogue, false, 1);
    floats(true, true, CUBLASLT_EPILOGUE_GELU_AUX_BIAS, false, 2);
    eight_bits();
    cublasLtDestroy(handle);
    printf("products %d %d %s\n", bad, refused, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
