// Inlining all its nested calls takes minutes.
__device__ float f0(float x)
{
    for (int i = 0; i < 3; ++i) x = x * x + i;
    return x;
}
__device__ float f1(float x) { return f0(x) + f0(x + 1) * f0(x - 1); }
__device__ float f2(float x) { return f1(x) + f1(x + 1) * f1(x - 1); }
__device__ float f3(float x) { return f2(x) + f2(x + 1) * f2(x - 1); }
__device__ float f4(float x) { return f3(x) + f3(x + 1) * f3(x - 1); }
__device__ float f5(float x) { return f4(x) + f4(x + 1) * f4(x - 1); }
__device__ float f6(float x) { return f5(x) + f5(x + 1) * f5(x - 1); }
__device__ float f7(float x) { return f6(x) + f6(x + 1) * f6(x - 1); }
__device__ float f8(float x) { return f7(x) + f7(x + 1) * f7(x - 1); }
__device__ float f9(float x) { return f8(x) + f8(x + 1) * f8(x - 1); }
__device__ float f10(float x) { return f9(x) + f9(x + 1) * f9(x - 1); }
__global__ void k(float *p) { *p = f10(*p); }
int main()
{
    float *p;
    cudaMalloc(&p, 4);
    cudaMemset(p, 0, 4);
    k<<<1, 1>>>(p);
    return cudaDeviceSynchronize();
}
