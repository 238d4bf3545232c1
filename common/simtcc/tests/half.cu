// half and half2: arithmetic beside float's.
#include <cstdio>
#include <cuda_fp16.h>

__global__ void halves(int *wrong)
{
    int n = 0;
    half a = __float2half(1.5f), b = 2.25f;
    n += __half2float(a + b) != 3.75f;
    n += __half2float(__hdiv(a, b)) != __half2float(__float2half(1.5f / 2.25f));
    n += !(a < b) || __hgt(a, b) || a == b;
    a += b;
    n += (float)a != 3.75f;
    n += __half2float(__hfma(a, b, __float2half(-8.4375f))) != 0;
    half2 p(1.0f, __float2half(2)), q = __float2half2_rn(3);
    half2 r = __hfma2(p, q, p);
    n += __low2float(r) != 4 || __high2float(r) != 8;
    n += __half2float(hsqrt(__float2half(16))) != 4;
    n += __half2float(__hneg(b)) != -2.25f || __half2float(__habs(__hneg(b))) != 2.25f;
    n += __half2float(__hadd(__float2half(2048), __float2half(1))) != 2048; // a tie goes to even
    n += __half2int_rn(__float2half(2.5f)) != 2;
    *wrong = n;
}

int main()
{
    int *d, h = -1;
    cudaMalloc(&d, 4);
    halves<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("halves %d\n", h);
    return 0;
}
