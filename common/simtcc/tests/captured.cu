// cuBLAS, cuFFT and cuRAND on a captured stream become nodes of the graph, with the scalars of that time.
// Argument 1: scalars in GPU memory, which are set later; 2: an operand that is too small, reported at the launch;
// 3: as 1, with a leading dimension that is too small.
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
__global__ void fill(float *x, int n, float v)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = v;
}
int main(int argc, char **argv)
{
    const int mistake = argc > 1 ? atoi(argv[1]) : 0;
    enum { N = 8 };
    float *a, *b, *c, *numbers, h[N * N], *scalar;
    cufftComplex *z, hz[N];
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMalloc(&c, mistake == 2 ? 4 * N : sizeof h);
    cudaMalloc(&numbers, 64 * sizeof(float));
    cudaMalloc(&scalar, 8);
    cudaMalloc(&z, sizeof hz);
    for (auto &x : hz) x = {1, 0};
    cudaMemcpy(z, hz, sizeof hz, cudaMemcpyHostToDevice);
    cudaMemset(c, 0, mistake == 2 ? 4 * N : sizeof h);
    cublasHandle_t blas;
    cufftHandle plan;
    curandGenerator_t random;
    cublasCreate(&blas);
    cublasSetStream(blas, stream);
    cufftPlan1d(&plan, N, CUFFT_C2C, 1);
    cufftSetStream(plan, stream);
    curandCreateGenerator(&random, CURAND_RNG_PSEUDO_PHILOX4_32_10);
    curandSetStream(random, stream);
    cudaDeviceSynchronize();

    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    fill<<<1, 64, 0, stream>>>(a, N * N, 1);
    fill<<<1, 64, 0, stream>>>(b, N * N, 2);
    {
        float alpha = 3, beta = 1; // out of scope when the graph is launched
        const bool on_gpu = mistake % 2 == 1;
        if (on_gpu) cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE);
        const float *three = on_gpu ? scalar : &alpha, *one = on_gpu ? scalar + 1 : &beta;
        const cublasOperation_t n = CUBLAS_OP_N;
        const int status = cublasSgemm(blas, n, n, N, N, N, three, a, N, b, N, one, c, mistake == 3 ? N - 1 : N);
        if (status) return 10 + status;
        alpha = beta = 100;
    }
    cufftExecC2C(plan, z, z, CUFFT_FORWARD);
    curandGenerateUniform(random, numbers, 64);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    fill<<<1, 2>>>(scalar, 2, 1.0f);
    fill<<<1, 1>>>(scalar, 1, 3.0f);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (float x : h) wrong += x != 3 * (3 * 2 * N); // added three times
    cudaMemcpy(hz, z, sizeof hz, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; ++i) wrong += hz[i].x != (i == 0 ? N * N : 0); // transformed three times
    cudaMemcpy(h, numbers, sizeof h, cudaMemcpyDeviceToHost);
    for (float x : h) wrong += !(x > 0 && x <= 1);
    printf("captured %d %g %s\n", wrong, hz[0].x, cudaGetErrorString(cudaGetLastError()));
}
