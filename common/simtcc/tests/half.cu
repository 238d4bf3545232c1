// half and half2: arithmetic compared with float's; rounding, comparisons with NaN, atomics.
#include <cmath>
#include <cstdio>
#include <cuda_bf16.h>
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
    n += __half2float(__hadd(__float2half(2048), __float2half(1))) != 2048; // ties round to even
    n += __half2int_rn(__float2half(2.5f)) != 2;
    *wrong = n;
}

__global__ void rounded(int *wrong)
{
    int n = 0;
    n += (float)__float2half_ru(2049.0f) != 2050 || (float)__float2half_rd(2051.0f) != 2050;
    n += (float)__float2half_rz(-2051.0f) != -2050 || (float)__float2half_rd(-2049.0f) != -2050;
    n += __half_as_ushort(__float2half_ru(1e-9f)) != 1 || (float)__float2bfloat16_ru(257.0f) != 258;
    // Rounded once; by way of float they would be ties.
    n += __half_as_ushort(__double2half(1 + 0x1p-11 + 0x1p-40)) != 0x3c01;
    n += __half_as_ushort(half(1 + 0x1p-11)) != 0x3c00;
    n += (float)__int2bfloat16_rn((1 << 24) + (1 << 16) + 1) != (1 << 24) + (1 << 17);
    n += !((float)__ll2bfloat16_rd((1ll << 60) + 1) < (float)__ll2bfloat16_ru((1ll << 60) + 1));
    n += __half_as_ushort(__hfma(half(1 + 0x1p-10), half(1 + 0x1p-10), half(0x1p-11))) != 0x3c03;
    n += (float)__float2half_rz(1e9f) != 65504 || __half2short_rz(half(-3.7f)) != -3;
    n += __half2uint_rn(half(-1)) != 0 || __half2int_ru(half(2.1)) != 3 || __half2ll_rz(half(size_t(7))) != 7;
    *wrong = n;
}

__global__ void compared(int *wrong)
{
    const half no_number = NAN, one = 1;
    half x = 1;
    int n = 0;
    n += __hne(no_number, one) || !__hneu(no_number, one) || !__hne(one, half(2));
    n += __hbne2(half2(1, no_number), half2(2, 2));
    n += __hne2_mask(half2(1, no_number), half2(2, 2)) != 0xffff || __hne(__nv_bfloat16(no_number), __nv_bfloat16(1));
    n += !(no_number != one) || !(half2(1, no_number) != half2(2, 2));
    n += !__hequ(no_number, one) || __heq(no_number, one) || !__hltu(no_number, one);
    n += __hlt2_mask(half2(1, 2), half2(2, 2)) != 0xffff || !__hbneu2(half2(1, no_number), half2(2, 2));
    n += (float)__hfma_relu(-one, half(2), one) != 0 || (float)__hmul_sat(half(2), half(2)) != 1;
    n += !__hisnan(__hmax_nan(no_number, one)) || (float)__hmax(no_number, one) != 1;
    n += (float)x++ != 1 || (float)x != 2 || __half_raw(one).x != 0x3c00;
    n += static_cast<half>(__nv_bfloat16(3)) != half(3);
    n += static_cast<__nv_bfloat16>(half(2.5f)) != __nv_bfloat16(2.5f);
    n += fabsf((float)htanh(one) - tanhf(1)) > 1e-3f;
    const half2 c = __hcmadd(half2(1, 2), half2(3, 4), half2(5, 6)); // (1 + 2i)(3 + 4i) + 5 + 6i
    n += (float)c.x != 0 || (float)c.y != 16;
    *wrong = n;
}

__global__ void summed(half *h, half2 *h2, __nv_bfloat16 *b, unsigned short *most)
{
    atomicAdd(h, half(1));
    atomicAdd(h2, half2(1, 2));
    atomicAdd(b, __nv_bfloat16(1));
    unsigned short seen = 0, mine = (unsigned short)threadIdx.x;
    for (unsigned short other; seen < mine && (other = atomicCAS(most, seen, mine)) != seen;) seen = other;
}

int main()
{
    int *d, wrong[3];
    struct sums { half h, beside; half2 h2; __nv_bfloat16 b; unsigned short most; } *s, sum;
    cudaMalloc(&d, sizeof wrong);
    cudaMalloc(&s, sizeof *s);
    cudaMemset(s, 0, sizeof *s);
    halves<<<1, 1>>>(d);
    rounded<<<1, 1>>>(d + 1);
    compared<<<1, 1>>>(d + 2);
    summed<<<4, 32>>>(&s->h, &s->h2, &s->b, &s->most);
    cudaMemcpy(wrong, d, sizeof wrong, cudaMemcpyDeviceToHost);
    cudaMemcpy(&sum, s, sizeof sum, cudaMemcpyDeviceToHost);
    printf("halves %d %d %d\n", wrong[0], wrong[1], wrong[2]);
    printf("sums %g %g %g %g %g %d\n", (float)sum.h, (float)sum.beside, (float)sum.h2.x, (float)sum.h2.y,
           (float)sum.b, sum.most);
    return 0;
}
