// mma, ldmatrix and stmatrix of inline PTX compared with plain sums; element positions as in the PTX manual.
#include <cstdio>
#include <cstdint>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

__device__ int value(int seed, int row, int column) { return (row * 7 + column * 3 + seed) % 9 - 4; }

// Row of this thread's element i of A, which has `rows` rows and `each` elements per register; for B, its column.
__device__ int a_row(int i, int each, int rows) { return threadIdx.x / 4 + (rows == 16 && i / each % 2 ? 8 : 0); }
__device__ int a_column(int i, int each, int rows)
{ return threadIdx.x % 4 * each + i % each + i / each / (rows / 8) * 4 * each; }
__device__ int c_row(int i) { return threadIdx.x / 4 + i / 2 * 8; }
__device__ int c_column(int i) { return threadIdx.x % 4 * 2 + i % 2; }

__device__ uint32_t bits(__half x) { return __half_as_ushort(x); }
__device__ uint32_t bits(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
template <class T, int N> __device__ void pack(uint32_t (&r)[N], bool of_b, int rows)
{
    for (int i = 0; i < 2 * N; ++i) {
        const int row = of_b ? a_row(i, 2, 8) : a_row(i, 2, rows), column = a_column(i, 2, of_b ? 8 : rows);
        const uint32_t x = bits((T)(float)value(of_b, of_b ? column : row, of_b ? row : column));
        r[i / 2] = (i % 2 ? r[i / 2] : 0) | x << 16 * (i % 2);
    }
}
template <class T> struct byte_of {
    __device__ static uint8_t at(int x) { return ((T)(float)x).__x; }
};
template <> struct byte_of<int> {
    __device__ static uint8_t at(int x) { return (uint8_t)x; }
};
template <class T, int N> __device__ void pack_bytes(uint32_t (&r)[N], bool of_b, int rows, int offset)
{
    for (int i = 0; i < 4 * N; ++i) {
        const int row = of_b ? a_row(i, 4, 8) : a_row(i, 4, rows), column = a_column(i, 4, of_b ? 8 : rows);
        const uint32_t x = byte_of<T>::at(value(of_b, of_b ? column : row, of_b ? row : column) + offset);
        r[i / 4] = (i % 4 ? r[i / 4] : 0) | x << 8 * (i % 4);
    }
}
__device__ int wanted(int i, int k_count, int offset = 0)
{
    int sum = i;
    for (int k = 0; k < k_count; ++k) sum += (value(0, c_row(i), k) + offset) * value(1, k, c_column(i));
    return sum;
}

// T d[4] = a b + c, where c is 0, 1, 2, 3.
#define MMA(name, OUT, IN, T, d)                                                                                \
    asm volatile(name " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"                    \
                 : OUT(d[0]), OUT(d[1]), OUT(d[2]), OUT(d[3])                                                   \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), IN((T)0), IN((T)1), IN((T)2), \
                   IN((T)3))

__global__ void floats(int *wrong)
{
    uint32_t a[4], b[2], h[2];
    float d[4];
    int n = 0;
    pack<__half>(a, false, 16), pack<__half>(b, true, 16);
    MMA("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "=f", "f", float, d);
    for (int i = 0; i < 4; ++i) n += d[i] != wanted(i, 16);
    for (int i = 0; i < 4; ++i) d[i] = i;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    for (int i = 0; i < 4; ++i) n += d[i] != wanted(i, 8);
    h[0] = bits(__float2half(0)) | bits(__float2half(1)) << 16;
    h[1] = bits(__float2half(2)) | bits(__float2half(3)) << 16;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(h[0]), "+r"(h[1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; ++i)
        n += __half2float(__ushort_as_half((unsigned short)(h[i / 2] >> 16 * (i % 2)))) != wanted(i, 16);
    pack<__nv_bfloat16>(a, false, 16), pack<__nv_bfloat16>(b, true, 16);
    MMA("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "=f", "f", float, d);
    for (int i = 0; i < 4; ++i) n += d[i] != wanted(i, 16);
    for (int i = 0; i < 4; ++i) a[i] = __float_as_uint((float)value(0, a_row(i, 1, 16), a_column(i, 1, 16)));
    for (int i = 0; i < 2; ++i) b[i] = __float_as_uint((float)value(1, a_column(i, 1, 8), a_row(i, 1, 8)));
    MMA("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "=f", "f", float, d);
    for (int i = 0; i < 4; ++i) n += d[i] != wanted(i, 8);
    atomicAdd(wrong, n);
}

__global__ void others(int *wrong)
{
    uint32_t a[4], b[2];
    int d[4], n = 0;
    pack_bytes<int>(a, false, 16, 0), pack_bytes<int>(b, true, 16, 0);
    MMA("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", "=r", "r", int, d);
    for (int i = 0; i < 4; ++i) n += d[i] != wanted(i, 32);
    pack_bytes<int>(a, false, 16, 200);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(0), "r"(1), "r"(2), "r"(3));
    for (int i = 0; i < 4; ++i) n += d[i] != wanted(i, 16, 200);
    float f[4];
    pack_bytes<__nv_fp8_e4m3>(a, false, 16, 0), pack_bytes<__nv_fp8_e5m2>(b, true, 16, 0);
    MMA("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", "=f", "f", float, f);
    for (int i = 0; i < 4; ++i) n += f[i] != wanted(i, 32);
    const double x = value(0, a_row(0, 1, 8), a_column(0, 1, 8)), y = value(1, a_column(0, 1, 8), a_row(0, 1, 8));
    double z[2] = {0, 1};
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
                 "{%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(z[0]), "+d"(z[1]) : "d"(x), "d"(y));
    for (int i = 0; i < 2; ++i) n += z[i] != wanted(i, 4);
    atomicAdd(wrong, n);
}

// Four 8 x 8 matrices: element e of matrix m is 64 m + e; each row is stored separately.
__global__ void matrices(int *wrong)
{
    __shared__ uint16_t in[32][16], out[32][8];
    for (int i = 0; i < 8; ++i) in[threadIdx.x][i] = (uint16_t)(8 * threadIdx.x + i);
    __syncwarp();
    uint32_t v[4], one, row = (uint32_t)__cvta_generic_to_shared(in[threadIdx.x]);
    const int g = threadIdx.x / 4, i = threadIdx.x % 4;
    int n = 0;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "r"(row));
    for (uint32_t m = 0; m < 4; ++m) n += v[m] != (64 * m + 8 * g + 2 * i) + ((64 * m + 8 * g + 2 * i + 1) << 16);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(one) : "r"(row));
    n += one != v[0];
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "r"(row));
    for (uint32_t m = 0; m < 2; ++m) n += v[m] != (64 * m + 16 * i + g) + ((64 * m + 16 * i + 8 + g) << 16);
#if __CUDA_ARCH__ >= 900
    row = (uint32_t)__cvta_generic_to_shared(out[threadIdx.x]);
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" :: "r"(row), "r"(v[0]), "r"(v[1]));
    __syncwarp();
    for (int k = 0; k < 8 && threadIdx.x < 16; ++k) n += out[threadIdx.x][k] != 8 * threadIdx.x + k;
#endif
    atomicAdd(wrong, n);
}

int main(int argc, char **argv)
{
    int *d, h[3] = {};
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    if (argc > 1 && atoi(argv[1]) == 1) matrices<<<1, 31>>>(d); // an incomplete warp
    else floats<<<1, 32>>>(d), others<<<1, 32>>>(d + 1), matrices<<<1, 32>>>(d + 2);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("mma %d %d %d %s\n", h[0], h[1], h[2], cudaGetErrorString(cudaGetLastError()));
}
