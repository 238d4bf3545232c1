// Inline PTX: each instruction compared with C++.
#include <cstdio>
#include <cstdint>

__device__ __forceinline__ unsigned lane()
{
    unsigned x;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(x));
    return x;
}
__device__ __forceinline__ float load(const float *p)
{
    float x;
    asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(x) : "l"(p));
    return x;
}

__global__ void bits(int *wrong, unsigned a, unsigned b, int s)
{
    unsigned r;
    int i, n = 0;
    asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));                    n += r != a + b;
    asm("shl.b32 %0, %1, 5;" : "=r"(r) : "r"(a));                             n += r != a << 5;
    asm("shr.s32 %0, %1, %2;" : "=r"(i) : "r"(s), "n"(3));                    n += i != s >> 3;
    asm("bfe.u32 %0, %1, 8, 12;" : "=r"(r) : "r"(a));                         n += r != (a >> 8 & 0xfff);
    asm("bfe.s32 %0, %1, 4, 8;" : "=r"(i) : "r"(0xf80));                      n += i != -8;
    asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(r) : "r"(a), "r"(b));
    n += r != ((b & ~0xff0u) | (a & 0xff) << 4);
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(r) : "r"(a), "r"(b));           n += r != ((a & 0xffff) | b << 16);
    asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a & 0xfff | 0x800));              n += r != 11;
    asm("bfind.s32 %0, %1;" : "=r"(r) : "r"(-5));                             n += r != 2;
    asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(0));                              n += r != 0xffffffff;
    asm("popc.b32 %0, %1;" : "=r"(r) : "r"(a));                               n += r != __popc(a);
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(s)); n += r != (a ^ b ^ (unsigned)s);
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(i) : "r"(s), "r"(7), "r"(5));     n += i != s * 7 + 5;
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));                 n += r != __umulhi(a, b);
    uint64_t w = 1;
    asm("mad.wide.u32 %0, %1, %2, %0;" : "+l"(w) : "r"(a), "r"(b));           n += w != (uint64_t)a * b + 1;
    asm("{\n\t.reg .pred p;\n\t.reg .u32 t;\n\tsetp.lt.s32 p, %1, 0;\n\tselp.b32 t, 10, 20, p;\n\t"
        "@p add.u32 t, t, 1;\n\tmov.u32 %0, t;\n\t}" : "=r"(r) : "r"(s));
    n += r != (s < 0 ? 11 : 20);
    float f;
    asm("fma.rn.f32 %0, %1, %1, 0f3F800000;" : "=f"(f) : "f"(3.0f));          n += f != 10;
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(-2.7f));                    n += i != -2;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"(3.0f));                  n += f != 8;
    *wrong = n;
}

__global__ void memory(float *to, const float *from, unsigned *count)
{
    __shared__ float tile[64];
    const unsigned at = (unsigned)__cvta_generic_to_shared(&tile[2 * threadIdx.x]);
    unsigned same;
    unsigned long long there;
    asm("{.reg .u64 wide;\n cvta.to.shared.u64 wide, %1;\n cvt.u32.u64 %0, wide;}\n"
        : "=r"(same) : "l"(&tile[2 * threadIdx.x]));
    asm("cvta.shared.u64 %0, %1;" : "=l"(there) : "l"((unsigned long long)at));
    if (same != at || there != (unsigned long long)&tile[2 * threadIdx.x]) atomicAdd(count, 100);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;\n" ::"r"(at), "l"(from + 2 * threadIdx.x) : "memory");
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;");
    asm volatile("bar.sync 0;");
    float x, y;
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "r"(at));
    asm volatile("st.global.cs.f32 [%0+4], %1;" ::"l"(to + threadIdx.x), "f"(x + y + load(from)));
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(count), "r"(1 << (lane() == 31)));
    asm volatile("membar.gl;");
    unsigned votes;
    asm volatile("{.reg .pred p; setp.lt.u32 p, %1, 5; vote.ballot.b32 %0, p;}" : "=r"(votes) : "r"(lane()));
    if (votes != 31) atomicAdd(count, 100000);
    unsigned inside; // a prefix sum with the predicate of a shuffle; a constraint of two strings
    asm("{.reg .u32 a; .reg .pred p; mov.u32 %0, 1; shfl.sync.up.b32 a|p, %0, 1, 0, 0xffffffff; @p add.u32 %0, %0, a;\n"
        "shfl.sync.down.b32 a|p, %0, 1, 31, 0xffffffff; @!p mov.u32 %0, 7;}" : "=" "r"(inside) :: "memory");
    if (inside != (lane() == 0 ? 1 : lane() == 31 ? 7 : 2)) atomicAdd(count, 10000);
    unsigned lo, hi;
    double sum;
    asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "d"(1.5));
    asm("{.reg .b32 a, b; .reg .b16 h; mov.b64 {a, b}, %1; mov.b32 {_, h}, b; mov.b64 %0, {a, b};}"
        : "=d"(sum) : "d"(2.5));
    asm("mov.b64 %0, {%1, %2};" : "=l"(there) : "r"(7), "r"(9));
    if (lo != 0 || hi != 0x3ff80000u || sum != 2.5 || there != (9ull << 32 | 7)) atomicAdd(count, 1000);
}

int main()
{
    int *wrong, n = -1;
    float *from, *to, h[64], back[33];
    unsigned *count, counted = 0;
    for (int i = 0; i < 64; ++i) h[i] = i + 1;
    cudaMalloc(&wrong, 4);
    cudaMalloc(&from, sizeof h);
    cudaMalloc(&to, sizeof back);
    cudaMalloc(&count, 4);
    cudaMemset(count, 0, 4);
    cudaMemset(to, 0, sizeof back);
    cudaMemcpy(from, h, sizeof h, cudaMemcpyHostToDevice);
    bits<<<1, 1>>>(wrong, 0x12345678u, 0x9abcdef0u, -77);
    cudaMemcpy(&n, wrong, 4, cudaMemcpyDeviceToHost);
    memory<<<1, 32>>>(to, from, count);
    cudaMemcpy(back, to, sizeof back, cudaMemcpyDeviceToHost);
    cudaMemcpy(&counted, count, 4, cudaMemcpyDeviceToHost);
    printf("ptx %d: %g %g %u %s\n", n, back[1], back[32], counted, cudaGetErrorString(cudaGetLastError()));
}
