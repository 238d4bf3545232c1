// Intrinsics compared with C++; shuffles and votes from before Volta, which nvcc no longer compiles.
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
    n += fabs(erfcx(0.5) - 0.61569034419) > 1e-10 || fabs(erfcx(20.0) - 0.02817434874) > 1e-10;
    n += fabs(cyl_bessel_i0(1.0) - 1.26606587775) > 1e-10 || fabs(cyl_bessel_i1(-1.0) + 0.56515910399) > 1e-10;
    const double three[3] = {1, 2, 2};
    n += norm(3, three) != 3 || fabs(rnorm4d(1, 2, 2, 4) - 0.2) > 1e-12;
    n += __mulhi(1 << 30, 8) != 2;
    n += __umul64hi(1ull << 63, 4) != 2;
    n += __brevll(1) != 1ull << 63;
    n += __dp4a(0x01020304, 0x01010101, 10) != 20;
    n += __hiloint2double(__double2hiint(y), __double2loint(y)) != y;
    n += llabs(clock64() - (long long)clock()) > 1000000000; // both read the GPU's clock
    *wrong = n;
}

// Rounding modes: down is not above up, and toward zero equals one of them.
__global__ void rounded(int *wrong, float x, float y, double u, double v, int i, long long l)
{
    int n = 0;
    n += !(__fadd_rd(x, y) < __fadd_ru(x, y)) || !(__fsub_rd(x, y) < __fsub_ru(x, y));
    n += !(__fmul_rd(x, y) < __fmul_ru(x, y)) || !(__fdiv_rd(x, y) < __fdiv_ru(x, y));
    n += !(__frcp_rd(y) < __frcp_ru(y)) || !(__fsqrt_rd(y) < __fsqrt_ru(y));
    n += !(__fmaf_rd(x, y, x) < __fmaf_ru(x, y, x));
    n += !(__dadd_rd(u, v) < __dadd_ru(u, v)) || !(__dsub_rd(u, -v) < __dsub_ru(u, -v));
    n += !(__dmul_rd(u, v) < __dmul_ru(u, v)) || !(__ddiv_rd(u, v) < __ddiv_ru(u, v));
    n += !(__drcp_rd(v) < __drcp_ru(v)) || !(__dsqrt_rd(v) < __dsqrt_ru(v)) || !(__fma_rd(u, v, u) < __fma_ru(u, v, u));
    n += !(__double2float_rd(v) < __double2float_ru(v)) || !(__int2float_rd(i) < __int2float_ru(i));
    n += !(__ll2float_rd(l) < __ll2float_ru(l)) || !(__ll2double_rd(l) < __ll2double_ru(l));
    n += !(__ull2double_rd(l) < __ull2double_ru(l)) || !(__uint2float_rd(i) < __uint2float_ru(i));
    n += __fadd_rz(x, y) != __fadd_rd(x, y) || __fadd_rz(-x, -y) != __fadd_ru(-x, -y);
    n += __dmul_rz(u, -v) != __dmul_ru(u, -v) || __ll2float_rz(-l) != __ll2float_ru(-l);
    n += __fadd_rn(x, y) != x + y || __fmul_ru(2.0f, x) != 2 * x; // to nearest again; exact results
    n += __mul24(0x01000001, 3) != 3 || __mul24(0x01fffffd, 2) != -6 || __mul24(-5, 7) != -35;
    *wrong += n;
}

__global__ void words(int *wrong)
{
    int n = 0;
    n += __vadd4(0x01ff7f80, 0x01010180) != 0x02008000 || __vsub2(0x00010000, 0x00020001) != 0xffffffff;
    n += __vaddss4(0x7f807f80, 0x01ff0180) != 0x7f807f80 || __vaddus4(0xff010203, 0x01010101) != 0xff020304;
    n += __vsubus2(0x00010005, 0x00020001) != 0x00000004 || __vsubss2(0x80000005, 0x00010001) != 0x80000004;
    n += __vabsdiffu4(0x01ff0080, 0xff010180) != 0xfefe0100 || __vabsdiffs4(0x01ff0080, 0xff010180) != 0x02020100;
    n += __vcmpgts2(0xffff0001, 0x00000000) != 0x0000ffff || __vcmpgtu2(0xffff0001, 0x00000000) != 0xffffffff;
    n += __vsetles4(0x7f80ff00, 0x007f0000) != 0x00010101 || __vcmpeq4(0x01020304, 0x01ff03ff) != 0xff00ff00;
    n += __vavgu4(0x01020304, 0x02020200) != 0x02020302 || __vavgs4(0x01fdff00, 0x0200ff01) != 0x02feff01;
    n += __vmaxs4(0x7f800102, 0x807f0201) != 0x7f7f0202 || __vminu4(0x7f800102, 0x807f0201) != 0x7f7f0101;
    n += __vabs4(0xff80017f) != 0x0180017f || __vabsss4(0xff80017f) != 0x017f017f || __vneg2(0x0001ffff) != 0xffff0001;
    n += __vsadu4(0x01020304, 0x04030201) != 8 || __vsads2(0xffff0003, 0x00010001) != 4;
    n += __dp4a(make_char4(4, 3, -2, 1), make_char4(1, 1, 1, 2), 10) != 17;
    n += __dp4a(make_uchar4(200, 0, 0, 1), make_uchar4(2, 9, 9, 1), 1u) != 402;
    n += __dp2a_lo(make_short2(3, 2), make_char4(5, 4, 0, 0), 1) != 24;
    n += __dp2a_hi(make_ushort2(1, 2), make_uchar4(0, 0, 3, 4), 0u) != 11;
    n += __dp2a_lo(0x00020003, 0x00000405, 1) != 24 || __dp2a_hi(0x0002ffff, 0x04050000, 1) != 4;
    n += __fns(0x16, 0, 2) != 2 || __fns(0x16, 4, -2) != 2 || __fns(0x16, 1, 0) != 1 || __fns(0x16, 0, 4) != ~0u;
    bool first = false, second = true;
    n += __vimax3_s32(-5, 3, 2) != 3 || __vimin_s32_relu(-5, 3) != 0 || __viaddmax_u32(~0u, 2, 0) != 1;
    n += __vimin3_u16x2(0x00050001, 0x00030009, 0x00040002) != 0x00030001;
    n += __viaddmin_s16x2_relu(0x00010001, 0xfff00001, 0x00050001) != 1;
    n += __vibmax_s16x2(0x0005ffff, 0x00050000, &first, &second) != 0x00050000 || !first || second;
    n += __vibmin_u32(1, 2, &first) != 1 || !first || __fmaf_ieee_rn(2, 3, 4) != 10;
    n += __funnelshift_lc(1, 2, 40) != 1 || __funnelshift_rc(1, 2, 32) != 2 || __funnelshift_rc(8, 0, 2) != 2;
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
    rounded<<<1, 1>>>(d, 1.1f, 3.3f, 1.1, 3.3, 16777219, (1ll << 60) + 1);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("numbers %d\n", h);
    words<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("words %d\n", h);
    cudaMemset(d, 0, sizeof h);
    warps<<<1, 32>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("warps %d\n", h);
    return 0;
}
