// cuBLAS-XT: operands on the host, on the GPU and managed, with gaps between columns; short: a buffer is too small.
#include <cstdio>
#include <vector>
#include <cublasXt.h>
enum { M = 5, N = 4, K = 3, LD = 7 };
int main(int argc, char **)
{
    std::vector<double> a(LD * K), b(LD * N), c(LD * N, 1), want;
    for (size_t i = 0; i < a.size(); ++i) a[i] = (double)(i % 5);
    for (size_t i = 0; i < b.size(); ++i) b[i] = (double)(i % 3);
    want = c;
    const double alpha = 2, beta = 3;
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < M; ++i) {
            double sum = 0;
            for (int k = 0; k < K; ++k) sum += a[k * LD + i] * b[j * LD + k];
            want[j * LD + i] = alpha * sum + beta;
        }
    double *d_b;
    cudaMalloc(&d_b, LD * N * sizeof *d_b / (argc > 1 ? 2 : 1));
    cudaMemcpy(d_b, b.data(), LD * N * sizeof *d_b / (argc > 1 ? 2 : 1), cudaMemcpyHostToDevice);
    cublasXtHandle_t h;
    int gpu = 0, size = 0;
    cublasXtCreate(&h);
    cublasXtDeviceSelect(h, 1, &gpu);
    cublasXtSetBlockDim(h, 64);
    cublasXtGetBlockDim(h, &size);
    const cublasOperation_t as_is = CUBLAS_OP_N;
    const int status = cublasXtDgemm(h, as_is, as_is, M, N, K, &alpha, a.data(), LD, d_b, LD, &beta, c.data(), LD);
    const int large =
        cublasXtDgemm(h, as_is, as_is, 1ull << 40, N, K, &alpha, a.data(), LD, d_b, LD, &beta, c.data(), LD);
    std::vector<float> t = {2, 1, 0, 4}, x = {2, 5}, s = {0, 0, 0, 0};
    const float one = 1, none = 0;
    const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    cublasXtStrsm(h, CUBLAS_SIDE_LEFT, lower, as_is, CUBLAS_DIAG_NON_UNIT, 2, 1, &one, t.data(), 2, x.data(), 2);
    cublasXtSsyrk(h, lower, as_is, 2, 2, &one, t.data(), 2, &none, s.data(), 2);
    cublasXtDestroy(h);
    printf("xt %d %d %d %d, %g %g, %g %g %g %g\n", status, large, c == want, size, x[0], x[1], s[0], s[1], s[2], s[3]);
}
