/* sobol.cu - quasi-random numbers: the first numbers equal libcurand's, on the host and in a kernel */
#include <cmath>
#include <cstdio>
#include <curand.h>
#include <curand_kernel.h>

__global__ void numbers(const unsigned *directions, unsigned scramble, unsigned *out, float *uniform)
{
    unsigned mine[32];
    for (int i = 0; i < 32; ++i)
        mine[i] = directions[32 * threadIdx.x + i];
    curandStateSobol32_t plain;
    curand_init(mine, 0u, &plain);
    curandStateScrambledSobol32_t scrambled;
    curand_init(mine, scramble, 2u, &scrambled);
    for (int i = 0; i < 4; ++i)
        out[4 * threadIdx.x + i] = curand(&plain);
    uniform[2 * threadIdx.x] = curand_uniform(&plain);
    uniform[2 * threadIdx.x + 1] = (float)(curand(&scrambled) ^ scramble);
}

static int different(const unsigned *a, const unsigned *b, int n)
{
    int wrong = 0;
    for (int i = 0; i < n; ++i)
        wrong += a[i] != b[i];
    return wrong;
}

int main()
{
    const unsigned first[8] = {0, 0x80000000, 0xc0000000, 0x40000000, 0, 0x80000000, 0x40000000, 0xc0000000};
    const unsigned scrambled[8] = {0xe20866fe, 0x0c04e445, 0x5527f5cb, 0xbb2b7770, 0xe63d901f, 0x2524bff9, 0xa29d0050,
                                   0x61842fb6};
    curandGenerator_t g;
    if (curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32) != CURAND_STATUS_SUCCESS) {
        printf("no tables\n");
        return 0;
    }
    int wrong = 0;
    unsigned *d, h[8], *table;
    float *f, u[4];
    double *x, normal[2];
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&f, sizeof u);
    cudaMalloc(&x, sizeof normal);
    wrong += curandSetQuasiRandomGeneratorDimensions(g, 2) || curandGenerate(g, d, 8);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    wrong += different(h, first, 8);
    wrong += curandGenerateUniform(g, f, 4) || curandGenerate(g, d, 7) != CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    cudaMemcpy(u, f, sizeof u, cudaMemcpyDeviceToHost);
    wrong += u[0] != 0.375f || u[1] != 0.875f || u[2] != 0.375f || u[3] != 0.875f;
    wrong += curandSetGeneratorOffset(g, 1000000) || curandGenerateUniform(g, f, 4);
    cudaMemcpy(u, f, sizeof u, cudaMemcpyDeviceToHost);
    wrong += fabsf(u[0] - 0.0264749527f) > 1e-9f || fabsf(u[3] - 0.811919212f) > 1e-7f;
    curandCreateGenerator(&g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);
    wrong += curandSetQuasiRandomGeneratorDimensions(g, 2) || curandGenerate(g, d, 8);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    wrong += different(h, scrambled, 8);
    curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL64);
    wrong += curandGenerate(g, d, 8) != CURAND_STATUS_TYPE_ERROR || curandSetGeneratorOffset(g, 16) ||
             curandGenerateNormalDouble(g, x, 2, 0, 1);
    cudaMemcpy(normal, x, sizeof normal, cudaMemcpyDeviceToHost);
    wrong += !(fabs(normal[0]) < 3 && normal[0] != normal[1]);
    curandDirectionVectors32_t *vectors;
    curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
    cudaMalloc(&table, 2 * sizeof *vectors);
    cudaMemcpy(table, vectors, 2 * sizeof *vectors, cudaMemcpyHostToDevice);
    numbers<<<1, 2>>>(table, 0x12345678, d, f);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(u, f, sizeof u, cudaMemcpyDeviceToHost);
    wrong += different(h, first, 8) || u[0] != 0.375f || u[1] != (float)0xc0000000u || u[3] != (float)0x40000000u;
    printf("quasi-random %d: %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
