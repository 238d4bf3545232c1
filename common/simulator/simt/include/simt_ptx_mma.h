/*
 * simt_ptx_mma.h - the instructions of inline PTX by which a warp loads, stores and multiplies small matrices.
 *
 * Each thread has some elements of each matrix in its registers; which, the PTX manual draws for each shape.  All are
 * one rule: with E elements in a register, thread 4 g + i has in register r of A
 *     row g, of 16 rows also g + 8 in every second register, columns i E ... of the next 4 E,
 * of B the same with rows for columns, and of C and D columns 2 i and 2 i + 1 of those rows.
 */
#ifndef SIMT_PTX_MMA_H
#define SIMT_PTX_MMA_H

namespace simt_ptx {

/* ---- types of elements: how many are in a register, and element i of it ---- */

/* A float of one bit of sign, EXPONENT and FRACTION bits; infinite: its largest exponent is no number.  Its bits are
   put where a float has them, and the difference of the two exponents is a factor, for small numbers, too. */
template <int EXPONENT, int FRACTION> SIMT_PTX float short_float(uint32_t bits, bool infinite)
{
    constexpr uint32_t LARGEST = ((1u << EXPONENT) - 1) << FRACTION;
    const float FACTOR = __builtin_ldexpf(1, 128 - (1 << (EXPONENT - 1)));
    const uint32_t size = bits & (LARGEST | ((1u << FRACTION) - 1)), sign = bits >> (EXPONENT + FRACTION) & 1;
    float v = as<float>(size << (23 - FRACTION)) * FACTOR;
    v = infinite && size >= LARGEST ? (size > LARGEST ? __builtin_nanf("") : __builtin_inff()) : v;
    return as<float>(as<uint32_t>(v) | sign << 31);
}
/* Rounds to the nearest value, ties to even. */
SIMT_PTX uint32_t half_bits(float v)
{
    const uint32_t sign = as<uint32_t>(v) >> 16 & 0x8000;
    const float size = __builtin_fabsf(v);
    int exponent = 0;
    if (!(size < 65520)) return sign | (size != size ? 0x7e00 : 0x7c00);
    __builtin_frexpf(size, &exponent);
    exponent = exponent - 1 < -14 || size == 0 ? -14 : exponent - 1;
    const uint32_t fraction = (uint32_t)__builtin_rintf(__builtin_ldexpf(size, 10 - exponent)); // up to 2048
    return sign | (fraction + ((uint32_t)(exponent + 14) << 10));
}

struct mma_f16 {
    enum { EACH = 2 };
    typedef uint32_t reg;
    SIMT_PTX float at(reg r, int i) { return short_float<5, 10>(r >> 16 * i & 0xffff, true); }
};
struct mma_bf16 {
    enum { EACH = 2 };
    typedef uint32_t reg;
    SIMT_PTX float at(reg r, int i) { return as<float>((uint32_t)(uint16_t)(r >> 16 * i) << 16); }
};
struct mma_tf32 {
    enum { EACH = 1 };
    typedef uint32_t reg;
    SIMT_PTX float at(reg r, int) { return as<float>((uint32_t)(r & 0xffffe000u)); } // the other bits are ignored
};
struct mma_s8 {
    enum { EACH = 4 };
    typedef uint32_t reg;
    SIMT_PTX uint32_t at(reg r, int i) { return (uint32_t)(int8_t)(r >> 8 * i); }
};
struct mma_u8 {
    enum { EACH = 4 };
    typedef uint32_t reg;
    SIMT_PTX uint32_t at(reg r, int i) { return (uint8_t)(r >> 8 * i); }
};
struct mma_e5m2 {
    enum { EACH = 4 };
    typedef uint32_t reg;
    SIMT_PTX float at(reg r, int i) { return short_float<5, 2>(r >> 8 * i & 0xff, true); }
};
struct mma_e4m3 { // only one number of the type is NaN
    enum { EACH = 4 };
    typedef uint32_t reg;
    SIMT_PTX float at(reg r, int i)
    {
        const uint32_t bits = r >> 8 * i & 0xff;
        return (bits & 0x7f) == 0x7f ? __builtin_nanf("") : short_float<4, 3>(bits, false);
    }
};
struct mma_f64 {
    enum { EACH = 1 };
    typedef double reg;
    SIMT_PTX double at(reg r, int) { return r; }
};

/* Sums: the contents of a register of C and D, and its elements. */
struct mma_sum_f32 {
    enum { EACH = 1 };
    typedef float reg, sum;
    SIMT_PTX sum at(reg r, int) { return r; }
    SIMT_PTX void set(reg &r, int, sum v, bool) { r = v; }
};
struct mma_sum_f16 {
    enum { EACH = 2 };
    typedef uint32_t reg;
    typedef float sum;
    SIMT_PTX sum at(reg r, int i) { return mma_f16::at(r, i); }
    SIMT_PTX void set(reg &r, int i, sum v, bool)
    {
        r = (r & ~(0xffffu << 16 * i)) | half_bits(v) << 16 * i;
    }
};
struct mma_sum_s32 {
    enum { EACH = 1 };
    typedef int32_t reg;
    typedef int64_t sum;
    SIMT_PTX sum at(reg r, int) { return r; }
    SIMT_PTX void set(reg &r, int, sum v, bool saturates)
    {
        if (saturates) v = v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v;
        r = (int32_t)(uint32_t)(uint64_t)v;
    }
};
struct mma_sum_f64 {
    enum { EACH = 1 };
    typedef double reg, sum;
    SIMT_PTX sum at(reg r, int) { return r; }
    SIMT_PTX void set(reg &r, int, sum v, bool) { r = v; }
};

/* ---- D = A B + C ---- */

/* The type in which products are summed.  Sums of floats begin with C.  Sums of integers have 32 bits, in which no
 * sum of products overflows; C is added in a wider type. */
SIMT_PTX void mma_product(float *c, const float *a, const float *b, int m, int k)
{ simt_product_f32(c, a, b, m, 8, k); }
SIMT_PTX void mma_product(double *c, const double *a, const double *b, int m, int k)
{ simt_product_f64(c, a, b, m, 8, k); }
SIMT_PTX void mma_product(uint32_t *c, const uint32_t *a, const uint32_t *b, int m, int k)
{ simt_product_u32(c, a, b, m, 8, k); }
SIMT_PTX float mma_first(float c) { return c; }
SIMT_PTX double mma_first(double c) { return c; }
SIMT_PTX uint32_t mma_first(int64_t) { return 0; }
SIMT_PTX float mma_sum(float, float sum) { return sum; }
SIMT_PTX double mma_sum(double, double sum) { return sum; }
SIMT_PTX int64_t mma_sum(int64_t c, uint32_t sum) { return c + (int32_t)sum; }

/* The registers of a thread. */
template <class A, class B, class C, class D, int NA, int NB, int NC, int ND> struct mma_part : simt_part {
    typename D::reg *d;
    typename A::reg a[NA];
    typename B::reg b[NB];
    typename C::reg c[NC];
    bool saturates;
};

/* These are not accesses of the program: the last lane that arrives reads the registers of all others. */
template <int M, int K, class A, class B, class C, class D, class P, int NA, int NB>
__attribute__((no_sanitize("thread"), no_sanitize_coverage, noinline, optimize("O3")))
void mma_multiply(const simt_part *const *all)
{
    typedef decltype(A::at(typename A::reg(), 0)) number;
    constexpr int BLOCKS = M / 8, EACH = A::EACH;
    number a[M * K] = {}, b[K * 8] = {}, c[M * 8] = {};
    for (int lane = 0; lane < 32; ++lane) {
        const P *p = (const P *)all[lane];
        const int g = lane / 4, i = lane % 4;
        if (!p) continue;
        for (int r = 0; r < NA; ++r)
            for (int e = 0; e < EACH; ++e)
                a[(g + r % BLOCKS * 8) * K + r / BLOCKS * 4 * EACH + i * EACH + e] = A::at(p->a[r], e);
        for (int r = 0; r < NB; ++r)
            for (int e = 0; e < EACH; ++e) b[(r * 4 * EACH + i * EACH + e) * 8 + g] = B::at(p->b[r], e);
        for (int at = 0; at < 2 * BLOCKS; ++at)
            c[(g + at / 2 * 8) * 8 + 2 * i + at % 2] = mma_first(C::at(p->c[at / C::EACH], at % C::EACH));
    }
    mma_product(c, a, b, M, K);
    for (int lane = 0; lane < 32; ++lane) {
        const P *p = (const P *)all[lane];
        const int g = lane / 4, i = lane % 4;
        for (int at = 0; at < 2 * BLOCKS && p; ++at)
            D::set(p->d[at / D::EACH], at % D::EACH,
                   mma_sum(C::at(p->c[at / C::EACH], at % C::EACH), c[(g + at / 2 * 8) * 8 + 2 * i + at % 2]),
                   p->saturates);
    }
}

template <int M, int K, class A, class B, class C, class D, int NA, int NB, int NC, int ND>
SIMT_PTX void mma(typename D::reg (&d)[ND], const typename A::reg (&a)[NA], const typename B::reg (&b)[NB],
                  const typename C::reg (&c)[NC], bool saturates)
{
    constexpr int BLOCKS = M / 8, STEPS = K / (4 * A::EACH);
    static_assert(NA == BLOCKS * STEPS && NB == STEPS && NC == 2 * BLOCKS / C::EACH && ND == 2 * BLOCKS / D::EACH,
                  "mma: another number of registers than this shape has");
    typedef mma_part<A, B, C, D, NA, NB, NC, ND> part_t;
    part_t mine = {{mma_multiply<M, K, A, B, C, D, part_t, NA, NB>}, d, {}, {}, {}, saturates};
    __builtin_memcpy(mine.a, a, sizeof a);
    __builtin_memcpy(mine.b, b, sizeof b);
    __builtin_memcpy(mine.c, c, sizeof c);
    simt_warp_op(SIMT_TOGETHER, 0xffffffffu, (uint64_t)&mine, 0, 32);
}

/* ---- 8 x 8 elements of 16 bits: thread 8 m + r has the address of row r of matrix m ---- */

/* The address of row `row` of the matrix. */
SIMT_PTX char *row_of_matrix(const char *mine, int matrix, int row)
{ return (char *)__shfl_sync(0xffffffffu, (unsigned long long)mine, 8 * matrix + row); }

template <int N, bool TURNED> SIMT_PTX several<uint32_t, N> ldmatrix(const char *mine)
{
    const int g = (int)lane() / 4, i = (int)lane() % 4;
    several<uint32_t, N> v;
    for (int m = 0; m < N; ++m)
        if (TURNED) {
            const char *first = row_of_matrix(mine, m, 2 * i), *second = row_of_matrix(mine, m, 2 * i + 1);
            v.x[m] = *(const uint16_t *)(first + 2 * g) | (uint32_t)*(const uint16_t *)(second + 2 * g) << 16;
        } else {
            v.x[m] = *(const uint32_t *)(row_of_matrix(mine, m, g) + 4 * i);
        }
    return v;
}
template <int N, bool TURNED> SIMT_PTX void stmatrix(char *mine, const uint32_t (&v)[N])
{
    const int g = (int)lane() / 4, i = (int)lane() % 4;
    for (int m = 0; m < N; ++m)
        if (TURNED) {
            char *first = row_of_matrix(mine, m, 2 * i), *second = row_of_matrix(mine, m, 2 * i + 1);
            *(uint16_t *)(first + 2 * g) = (uint16_t)v[m];
            *(uint16_t *)(second + 2 * g) = (uint16_t)(v[m] >> 16);
        } else {
            *(uint32_t *)(row_of_matrix(mine, m, g) + 4 * i) = v[m];
        }
}

} // namespace simt_ptx

#endif
