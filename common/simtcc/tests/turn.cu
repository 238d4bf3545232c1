// Turns a matrix, with a mistake at its end: docs/first-hour.md goes on from here.
#include <cstdio>
#include <cuda_runtime.h>

enum { N = 1000 };

__global__ void turn(const float *in, float *out)
{
    const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < N) out[col * N + row] = in[row * N + col];
}

int main()
{
    static float a[N * N], b[N * N];
    for (int i = 0; i < N * N; ++i) a[i] = (float)i;
    float *in, *out;
    cudaMalloc(&in, sizeof a);
    cudaMalloc(&out, sizeof b);
    cudaMemcpy(in, a, sizeof a, cudaMemcpyHostToDevice);
    turn<<<dim3(32, 32), dim3(32, 32)>>>(in, out);
    cudaMemcpy(b, out, sizeof b, cudaMemcpyDeviceToHost);
    printf("b[1] is %g, and should be %d\n", b[1], N);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
