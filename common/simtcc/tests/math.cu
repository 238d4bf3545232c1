// Intrinsics beside what they stand for; the shuffles and votes of before Volta.  nvcc compiles it but for these.
#include <cmath>
#include <cstdio>

__global__ void numbers(int *wrong, float x, double y, int i)
{
    int n = 0;
    n += fabsf(__sinf(x) - sinf(x)) > 1e-5f;
    n += fabsf(__powf(x, 2) - x * x) > 1e-4f;
    n += __fsqrt_rn(x * x) != x;
    n += __frcp_rn(4.0f) != 0.25f;
    n += __ddiv_rn(y, 4) != y / 4;
    n += __float2int_rn(2.5f) != 2;
    n += __float2int_ru(2.1f) != 3;
    n += __float2int_rd(-2.1f) != -3;
    n += __float2int_rz(1e20f) != 2147483647;
    n += __float2uint_rz(-3.0f) != 0;
    n += __double2ll_rn(-1e30) != -9223372036854775807ll - 1;
    n += __int2float_rn(i) != 7.0f;
    n += __saturatef(1.5f) != 1 || __saturatef(NAN) != 0;
    n += fabs(sinpi(1e6 + 0.5) - 1) > 1e-12;
    n += fabs(erfinv(erf(y)) - y) > 1e-9;
    n += fabs(normcdf(normcdfinv(0.3)) - 0.3) > 1e-9;
    n += __mulhi(1 << 30, 8) != 2;
    n += __umul64hi(1ull << 63, 4) != 2;
    n += __brevll(1) != 1ull << 63;
    n += __dp4a(0x01020304, 0x01010101, 10) != 20;
    n += __hiloint2double(__double2hiint(y), __double2loint(y)) != y;
    n += llabs(clock64() - (long long)clock()) > 1000000000; // one clock, the card's
    *wrong = n;
}

__global__ void warps(int *wrong)
{
    int lane = threadIdx.x, n = 0;
#ifndef __NVCC__
#error what compiles this says that it is nvcc
#endif
#if defined __SIMT__
    n += __shfl_down(lane, 1) != (lane < 31 ? lane + 1 : 31);
    n += __shfl(lane, 3) != 3;
    n += __shfl_xor(lane, 1) != (lane ^ 1);
    n += __ballot(lane < 4) != 15;
    n += !__any(lane == 7) || __all(lane == 7);
    if (lane < 8) n += __ballot(1) != 255;
#endif
    atomicAdd(wrong, n);
}

int main()
{
    int *d, h;
    cudaMalloc(&d, sizeof h);
    numbers<<<1, 1>>>(d, 1.25f, 0.7, 7);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("numbers %d\n", h);
    cudaMemset(d, 0, sizeof h);
    warps<<<1, 32>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("warps %d\n", h);
    return 0;
}
