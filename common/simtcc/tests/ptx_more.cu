// Less common instructions of inline PTX: carries, double shifts, byte products, comparisons, conversions,
// halves.
#include <cstdint>
#include <cstdio>

/* 128-bit sums and a 64 x 64-bit product, in 32-bit words. */
__global__ void carries(const uint32_t *x, const uint32_t *y, uint32_t *out)
{
    uint32_t s[4], d[4], p[4];
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(s[0]) : "r"(x[0]), "r"(y[0]));
    for (int i = 1; i < 3; ++i) asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(s[i]) : "r"(x[i]), "r"(y[i]));
    asm volatile("addc.u32 %0, %1, %2;" : "=r"(s[3]) : "r"(x[3]), "r"(y[3]));
    asm volatile("sub.cc.u32 %0, %4, %8;\n\tsubc.cc.u32 %1, %5, %9;\n\t"
                 "subc.cc.u32 %2, %6, %10;\n\tsubc.u32 %3, %7, %11;"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]));
    asm("{\n\tmul.lo.u32 %0, %4, %6;\n\tmul.hi.u32 %1, %4, %6;\n\tmad.lo.cc.u32 %1, %4, %7, %1;\n\t"
        "madc.hi.u32 %2, %4, %7, 0;\n\tmad.lo.cc.u32 %1, %5, %6, %1;\n\tmadc.hi.cc.u32 %2, %5, %6, %2;\n\t"
        "madc.hi.u32 %3, %5, %7, 0;\n\tmad.lo.cc.u32 %2, %5, %7, %2;\n\taddc.u32 %3, %3, 0;\n\t}"
        : "=&r"(p[0]), "=&r"(p[1]), "=&r"(p[2]), "=&r"(p[3])
        : "r"(x[0]), "r"(x[1]), "r"(y[0]), "r"(y[1]));
    for (int i = 0; i < 4; ++i) {
        out[i] = s[i];
        out[4 + i] = d[i];
        out[8 + i] = p[i];
    }
    uint64_t low, high;
    asm volatile("add.cc.u64 %0, %1, %2;" : "=l"(low) : "l"(~0ull), "l"(2ull));
    asm volatile("addc.u64 %0, 5, 7;" : "=l"(high));
    out[12] = (uint32_t)(low + high);
}

__global__ void others(int *wrong, uint32_t a, uint32_t b, int s, float f)
{
    int n = 0;
    uint32_t r;
    int i;
    float g;
    unsigned short h;
    asm("shf.l.wrap.b32 %0, %1, %2, 7;" : "=r"(r) : "r"(a), "r"(b));        n += r != (b << 7 | a >> 25);
    asm("shf.r.wrap.b32 %0, %1, %1, 8;" : "=r"(r) : "r"(a));                n += r != (a >> 8 | a << 24);
    asm("shf.r.clamp.b32 %0, %1, %2, 40;" : "=r"(r) : "r"(a), "r"(b));      n += r != b;
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(i) : "r"(0x01ff02fe), "r"(0x03030303), "r"(10));   n += i != 10;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(0xff000001u), "r"(0x02000003u), "r"(1u)); n += r != 514;
    asm("sad.s32 %0, %1, %2, %3;" : "=r"(i) : "r"(s), "r"(5), "r"(100));    n += i != 100 + 5 - s;
    asm("mad.hi.u32 %0, %1, %2, 1;" : "=r"(r) : "r"(a), "r"(b));            n += r != __umulhi(a, b) + 1;
    asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(s)); n += r != (s >= 0 ? a : b);
    asm("set.lt.u32.s32 %0, %1, 0;" : "=r"(r) : "r"(s));                    n += r != (s < 0 ? ~0u : 0u);
    asm("set.gt.f32.f32 %0, %1, 0f00000000;" : "=f"(g) : "f"(f));           n += g != 1;
    asm("{ .reg .pred p, q; setp.lo.u32 p, %1, %2; setp.eq.and.s32 q, %3, -3, p; selp.u32 %0, 1, 2, q; }"
        : "=r"(r) : "r"(b), "r"(a), "r"(s));                                n += r != (b < a && s == -3 ? 1 : 2);
    asm("{ .reg .pred p; setp.ltu.f32 p, %1, %2; selp.u32 %0, 1, 2, p; }" : "=r"(r) : "f"(f), "f"(nanf("")));
    n += r != 1;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(g) : "f"(f), "f"(nanf("")));       n += g == g;
    asm("copysign.f32 %0, %1, %2;" : "=f"(g) : "f"(-1.0f), "f"(f));         n += g != -f;
    asm("fma.rn.sat.f32 %0, %1, %1, %1;" : "=f"(g) : "f"(f));               n += g != 1;
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r) : "r"(s));                       n += r != (s < 0 ? 0u : (uint32_t)s);
    asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(i) : "f"(-2.5f));                  n += i != -3;
    asm("cvt.rpi.s32.f32 %0, %1;" : "=r"(i) : "f"(-2.5f));                  n += i != -2;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(1.0f));                  n += r != 0x3f800000u;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(2.5f));                    n += h != 0x4100;
    asm("cvt.f32.f16 %0, %1;" : "=f"(g) : "h"(h));                          n += g != 2.5f;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(1.0f), "f"(2.0f));   n += r != 0x3c004000u;
    asm("fma.rn.f16x2 %0, %1, %1, %2;" : "=r"(r) : "r"(r), "r"(0x3c003c00)); n += r != 0x40004500u;    // 2, 5
    asm("max.f16x2 %0, %1, %2;" : "=r"(r) : "r"(r), "r"(0x42004200));       n += r != 0x42004500u;     // 3, 5
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(1.0f), "f"(-2.0f)); n += r != 0x3f80c000u;
    asm("add.rn.bf16x2 %0, %1, %1;" : "=r"(r) : "r"(r));                    n += r != 0x4000c080u;
    asm("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(threadIdx.x & 1)); n += __popc(r) != 16;
    asm("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(r));
    n += r != (threadIdx.x == 0);
    uint64_t policy;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("ld.global.L1::evict_unchanged.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(r) : "l"(wrong), "l"(policy));
    n += r != 0;
    atomicAdd(wrong + 1, n);
}

int main()
{
    const uint32_t x[4] = {0xffffffff, 0xffffffff, 5, 9}, y[4] = {2, 0xfffffff0, 7, 3};
    uint32_t *d_x, *d_y, *d_out, out[13];
    int *d_wrong, wrong[2], bad = 0;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMalloc(&d_out, sizeof out);
    cudaMalloc(&d_wrong, sizeof wrong);
    cudaMemset(d_wrong, 0, sizeof wrong);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y, sizeof y, cudaMemcpyHostToDevice);
    carries<<<1, 1>>>(d_x, d_y, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    typedef unsigned __int128 wide;
    auto number = [](const uint32_t *w, int n) { wide v = 0; for (int i = n; i-- > 0;) v = v << 32 | w[i]; return v; };
    bad += number(out, 4) != number(x, 4) + number(y, 4);
    bad += number(out + 4, 4) != number(x, 4) - number(y, 4);
    bad += number(out + 8, 4) != number(x, 2) * number(y, 2);
    bad += out[12] != 14;
    others<<<1, 32>>>(d_wrong, 0x89abcdef, 0x01234567, -3, 1.5f);
    cudaMemcpy(wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost);
    printf("more %d %d %s\n", bad, wrong[1], cudaGetErrorString(cudaGetLastError()));
}
