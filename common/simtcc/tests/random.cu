/* random.cu - cuRAND: published numbers of its generators, and moments of distributions; random 1: a mistake */
#include <cmath>
#include <cstdio>
#include <curand.h>
#include <curand_kernel.h>
#include <vector>

__global__ void bits(unsigned *out)
{
    curandStatePhilox4_32_10_t philox;
    curand_init(0, 0, 0, &philox);
    for (int i = 0; i < 4; ++i)
        out[i] = curand(&philox);
    curandState xorwow;
    curand_init(1234, 0, 0, &xorwow);
    out[4] = curand(&xorwow);
}

/* Each thread has its own state, which persists between kernels. */
__global__ void start(curandState *state)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(42, i, 0, &state[i]);
}
__global__ void pi(curandState *state, unsigned *inside, int n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState s = state[i];
    unsigned count = 0;
    for (int k = 0; k < n; ++k) {
        const float x = curand_uniform(&s), y = curand_uniform(&s);
        count += x * x + y * y <= 1;
    }
    state[i] = s;
    atomicAdd(inside, count);
}
template <class State> __global__ void normal(float *out, int n)
{
    State s;
    curand_init(7, threadIdx.x, 3, &s);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = curand_normal(&s);
}

template <class T> static bool moments(const T *d, size_t n, double mean, double deviation)
{
    std::vector<T> v(n);
    cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
    double sum = 0, squares = 0;
    for (T x : v) {
        sum += x;
        squares += (double)x * x;
    }
    const double m = sum / n, s = sqrt(squares / n - m * m);
    const bool good = fabs(m - mean) < 0.03 * deviation && fabs(s - deviation) < 0.03 * deviation;
    if (!good)
        printf("mean %g, deviation %g instead of %g, %g\n", m, s, mean, deviation);
    return good;
}

int main(int argc, char **)
{
    const size_t n = 40000;
    unsigned *u, first[5], inside;
    float *f;
    double *d;
    cudaMalloc(&u, n * sizeof *u);
    cudaMalloc(&f, n * sizeof *f);
    cudaMalloc(&d, n * sizeof *d);
    curandGenerator_t g;
    if (argc > 1) {
        curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
        printf("%d\n", curandGenerateUniform(g, f, n + 1));
        return 0;
    }
    bits<<<1, 1>>>(u);
    cudaMemcpy(first, u, sizeof first, cudaMemcpyDeviceToHost);
    printf("philox %08x %08x %08x %08x\nxorwow %u\n", first[0], first[1], first[2], first[3], first[4]);
    curandState *state;
    cudaMalloc(&state, 512 * sizeof *state);
    cudaMemset(u, 0, sizeof *u);
    start<<<4, 128>>>(state);
    pi<<<4, 128>>>(state, u, 200);
    cudaMemcpy(&inside, u, sizeof inside, cudaMemcpyDeviceToHost);
    int good = fabs(4.0 * inside / 512 / 200 - 3.14159) < 0.03;
    normal<curandState><<<1, 64>>>(f, n);
    good += moments(f, n, 0, 1);
    normal<curandStatePhilox4_32_10_t><<<1, 64>>>(f, n);
    good += moments(f, n, 0, 1);
    normal<curandStateMRG32k3a><<<1, 64>>>(f, n);
    good += moments(f, n, 0, 1);
    for (curandRngType_t type : {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_MT19937,
                                 CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
        curandCreateGenerator(&g, type);
        curandSetPseudoRandomGeneratorSeed(g, 99);
        good += !curandGenerateUniform(g, f, n) && moments(f, n, 0.5, 0.288675);
        good += !curandGenerateNormal(g, f, n, 5, 2) && moments(f, n, 5, 2);
        good += !curandGenerateNormalDouble(g, d, n, -1, 0.5) && moments(d, n, -1, 0.5);
        good += !curandGenerateLogNormal(g, f, n, 0, 0.5) && moments(f, n, exp(0.125), 0.603901);
        good += !curandGeneratePoisson(g, u, n, 4) && moments(u, n, 4, 2);
        good += !curandGeneratePoisson(g, u, n, 100) && moments(u, n, 100, 10);
        const bool any = type == CURAND_RNG_PSEUDO_MT19937 || type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
        const curandStatus_t status = any ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LENGTH_NOT_MULTIPLE;
        good += curandGenerateNormal(g, f, 3, 0, 1) == status;
        curandDestroyGenerator(g);
    }
    printf("good %d of 32, %s\n", good, cudaGetErrorString(cudaGetLastError()));
}
