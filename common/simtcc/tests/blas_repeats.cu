/*
 * blas_repeats.cu - a product with equal arguments and input is not computed again; with any change it is.
 *
 * Each case multiplies six times, and prints its result and how many products were not computed.
 */
#include <cstdint>
#include <cstdio>
#include <cublas_v2.h>

extern "C" uint64_t simt_repeats(void);

enum { N = 768, TIMES = 6 };
static float host[N * N], *a, *b, *c;
static cublasHandle_t h;

static void fill(float *to, int salt)
{
    for (int i = 0; i < N * N; ++i) host[i] = (float)((i * 7 + salt) % 11);
    cudaMemcpy(to, host, sizeof host, cudaMemcpyHostToDevice);
}

static double product(cublasOperation_t op, float alpha, float beta)
{
    cublasSgemm(h, op, CUBLAS_OP_N, N, N, N, &alpha, a, N, b, N, &beta, c, N);
    cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < N * N; ++i) sum += host[i] * (i % 13);
    return sum;
}

#define SIX(name, ...)                                                                        \
    do {                                                                                      \
        double sum = 0;                                                                       \
        fill(a, 1), fill(b, 2), fill(c, 3);                                                   \
        const uint64_t before = simt_repeats();                                               \
        for (int k = 0; k < TIMES; ++k) { __VA_ARGS__ }                                       \
        printf("%s: %.9g, %d not run\n", name, sum, (int)(simt_repeats() - before));          \
    } while (0)

int main()
{
    cublasCreate(&h);
    for (float **p : {&a, &b, &c}) cudaMalloc(p, sizeof host);
    SIX("same", sum += product(CUBLAS_OP_N, 1, 0););
    SIX("output overwritten", cudaMemset(c, k, sizeof host); sum += product(CUBLAS_OP_N, 1, 0););
    SIX("other input", fill(b, 20 + k); sum += product(CUBLAS_OP_N, 1, 0););
    SIX("other scalar", sum += product(CUBLAS_OP_N, (float)(2 + k), 0););
    SIX("adds", sum += product(CUBLAS_OP_N, 1, 1););
    SIX("turned", sum += product(k % 2 ? CUBLAS_OP_T : CUBLAS_OP_N, 1, 0) * k;);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
