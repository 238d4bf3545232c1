// A program that does not know the course: no header of its own, __CUDA_ARCH__ code, a comment with <<<, >>>.
#include <cstdio>
#define CHECK(call)                                              \
    do {                                                         \
        cudaError_t e = call;                                    \
        if (e != cudaSuccess) {                                  \
            printf("%s: %s\n", #call, cudaGetErrorString(e));    \
            return 1;                                            \
        }                                                        \
    } while (0)

__host__ __device__ int where()
{
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 0;
#endif
}

__global__ void add(const float *a, const float *b, float *c, int n)
{
#ifdef __CUDA_ARCH__
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i] + where() - 1;
#endif
}

int main(int argc, char **argv)
{
    const int n = 1000;
    float h[n], *a, *b, *c;
    for (int i = 0; i < n; ++i) h[i] = i;
    CHECK(cudaMalloc(&a, sizeof h));
    CHECK(cudaMalloc(&b, sizeof h));
    CHECK(cudaMalloc(&c, sizeof h));
    CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice));
    add<<<(n + 255) / 256, 256>>>(a, b, c, argc > 1 ? n + 1 : n); /* with an argument, n is one too large */
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost));
    printf("%s <<<%g, %d>>>\n", argv[0] ? "done" : "", h[n - 1], where());
    return 0;
}
