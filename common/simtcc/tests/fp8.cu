// 8-bit floats: the value of each code, ties to even, overflow; nvcc compiles this file, too.
#include <cmath>
#include <cstdio>
#include <cuda_fp8.h>

__global__ void codes(int *wrong)
{
    int n = 0;
    for (int c = 0; c < 256; ++c) { // converts to float and back
        const __nv_fp8_storage_t x = (__nv_fp8_storage_t)c;
        const float a = __half(__nv_cvt_fp8_to_halfraw(x, __NV_E4M3));
        const float b = __half(__nv_cvt_fp8_to_halfraw(x, __NV_E5M2));
        n += isnan(a) != ((c & 127) == 127) || (!isnan(a) && __nv_cvt_float_to_fp8(a, __NV_NOSAT, __NV_E4M3) != x);
        n += isnan(b) != ((c & 127) > 124) || (!isnan(b) && __nv_cvt_float_to_fp8(b, __NV_NOSAT, __NV_E5M2) != x);
    }
    *wrong = n;
}

__global__ void rounded(int *wrong)
{
    int n = 0;
    n += float(__nv_fp8_e4m3(1.0625f)) != 1 || float(__nv_fp8_e4m3(1.1875f)) != 1.25f;
    n += float(__nv_fp8_e4m3(0.0009765625f)) != 0;
    n += float(__nv_fp8_e5m2(1.125f)) != 1 || float(__nv_fp8_e5m2(1.375f)) != 1.5f || float(__nv_fp8_e5m2(-3)) != -3;
    n += float(__nv_fp8_e4m3(1e9f)) != 448 || float(__nv_fp8_e5m2(-INFINITY)) != -57344;
    n += __nv_cvt_float_to_fp8(465, __NV_NOSAT, __NV_E4M3) != 0x7f;
    n += __nv_cvt_float_to_fp8(464, __NV_NOSAT, __NV_E4M3) != 0x7e;
    n += __nv_cvt_double_to_fp8(1e6, __NV_NOSAT, __NV_E5M2) != 0x7c;
    const float4 f = float4(__nv_fp8x4_e4m3(make_float4(1, -2, 3.3f, 1000)));
    n += f.x != 1 || f.y != -2 || f.z != 3.25f || f.w != 448;
    n += __nv_cvt_float2_to_fp8x2(make_float2(1, 2), __NV_SATFINITE, __NV_E4M3) != 0x4038;
    *wrong = n;
}

int main()
{
    int *d, wrong[2];
    cudaMalloc(&d, sizeof wrong);
    codes<<<1, 1>>>(d);
    rounded<<<1, 1>>>(d + 1);
    cudaMemcpy(wrong, d, sizeof wrong, cudaMemcpyDeviceToHost);
    printf("eight bits %d %d\n", wrong[0], wrong[1]);
    return 0;
}
