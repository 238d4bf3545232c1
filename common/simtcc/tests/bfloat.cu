// bfloat16: arithmetic compared with float's, and half in the same file.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> __device__ T horner(T x) { return (x * x + x) / T(2.0f) - x; }

__global__ void bfloats(int *wrong)
{
    int n = 0;
    __nv_bfloat16 a = __float2bfloat16(1.5f), b = 2.25f;
    n += __bfloat162float(a + b) != 3.75f;
    n += !(a < b) || __hgt(a, b) || a == b;
    a += b;
    n += (float)a != 3.75f;
    n += __bfloat162float(__hfma(a, b, __float2bfloat16(-8.4375f))) != 0;
    __nv_bfloat162 p = __floats2bfloat162_rn(1, 2), q = __float2bfloat162_rn(3);
    __nv_bfloat162 r = __hfma2(p, q, p);
    n += __low2float(r) != 4 || __high2float(r) != 8;
    n += __bfloat162float(hsqrt(__float2bfloat16(16))) != 4;
    n += __bfloat162float(__hneg(b)) != -2.25f || __bfloat162float(__habs(__hneg(b))) != 2.25f;
    n += __bfloat162float(__hadd(__float2bfloat16(256), __float2bfloat16(1))) != 256; // ties round to even
    n += __bfloat162float(__float2bfloat16(1e38f) * __float2bfloat16(0.5f)) < 4e37f;  // a half would be infinite
    n += __bfloat162float(__float2bfloat16_rz(1.99999f)) != 1.9921875f;
    n += __hisinf(__float2bfloat16(1e38f) * __float2bfloat16(1e38f)) != 1;
    n += (float)horner(__float2bfloat16(4)) != 6 || (float)horner(__float2half(4)) != 6;
    *wrong = n;
}

int main()
{
    int *d, h = -1;
    cudaMalloc(&d, 4);
    bfloats<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("bfloats %d\n", h);
    return 0;
}
