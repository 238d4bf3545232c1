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

/* A float of one bit of sign, EXPONENT and FRACTION bits; infinite: its largest exponent is no number. */
template <int EXPONENT, int FRACTION> SIMT_PTX float short_float(uint32_t bits, bool infinite)
{
    const int least = 2 - (1 << (EXPONENT - 1)), exponent = (int)(bits >> FRACTION & ((1u << EXPONENT) - 1));
    const int fraction = (int)(bits & ((1u << FRACTION) - 1));
    float v = __builtin_ldexpf((float)(exponent ? fraction + (1 << FRACTION) : fraction),
                               least + (exponent ? exponent - 1 : 0) - FRACTION);
    if (infinite && exponent == (1 << EXPONENT) - 1) v = fraction ? __builtin_nanf("") : __builtin_inff();
    return bits >> (EXPONENT + FRACTION) & 1 ? -v : v;
}
/* Rounded to the nearest, to even. */
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
    SIMT_PTX float at(reg r, int) { return as<float>((uint32_t)(r & 0xffffe000u)); } // the rest is not looked at
};
struct mma_s8 {
    enum { EACH = 4 };
    typedef uint32_t reg;
    SIMT_PTX int64_t at(reg r, int i) { return (int8_t)(r >> 8 * i); }
};
struct mma_u8 {
    enum { EACH = 4 };
    typedef uint32_t reg;
    SIMT_PTX int64_t at(reg r, int i) { return (uint8_t)(r >> 8 * i); }
};
struct mma_e5m2 {
    enum { EACH = 4 };
    typedef uint32_t reg;
    SIMT_PTX float at(reg r, int i) { return short_float<5, 2>(r >> 8 * i & 0xff, true); }
};
struct mma_e4m3 { // one number alone is none
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

/* Sums: what a register of C and D holds, and the elements in it. */
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

/* No accesses of the program's: a thread reads the registers of others from a table of lane 0's. */
#define SIMT_PTX_UNSEEN __attribute__((no_sanitize("thread"), no_sanitize_coverage, noinline))

template <class A, class B, int NA, int NB> struct mma_table {
    typename A::reg a[32][NA];
    typename B::reg b[32][NB];
};
template <class T, class A, class B, int NA, int NB>
SIMT_PTX_UNSEEN void mma_publish(T *table, unsigned lane, const A (&a)[NA], const B (&b)[NB])
{
    __builtin_memcpy(table->a[lane], a, sizeof a);
    __builtin_memcpy(table->b[lane], b, sizeof b);
}
template <int M, int K, class A, class B, class C, class D, class T, int NC, int ND>
SIMT_PTX_UNSEEN void mma_multiply(typename D::reg (&d)[ND], const T *table, const typename C::reg (&c)[NC],
                                  unsigned lane, bool saturates)
{
    constexpr int BLOCKS = M / 8, EACH = A::EACH;
    const unsigned g = lane / 4, i = lane % 4;
    for (int h = 0; h < BLOCKS; ++h)
        for (int n = 0; n < 2; ++n) {
            const int at = 2 * h + n;
            typename D::sum sum = C::at(c[at / C::EACH], at % C::EACH);
            for (int k = 0; k < K; ++k)
                sum += A::at(table->a[4 * g + k / EACH % 4][h + BLOCKS * (k / (4 * EACH))], k % EACH) *
                       B::at(table->b[4 * (2 * i + n) + k / EACH % 4][k / (4 * EACH)], k % EACH);
            D::set(d[at / D::EACH], at % D::EACH, sum, saturates);
        }
}

template <int M, int K, class A, class B, class C, class D, int NA, int NB, int NC, int ND>
SIMT_PTX void mma(typename D::reg (&d)[ND], const typename A::reg (&a)[NA], const typename B::reg (&b)[NB],
                  const typename C::reg (&c)[NC], bool saturates)
{
    constexpr int BLOCKS = M / 8, STEPS = K / (4 * A::EACH);
    static_assert(NA == BLOCKS * STEPS && NB == STEPS && NC == 2 * BLOCKS / C::EACH && ND == 2 * BLOCKS / D::EACH,
                  "mma: another number of registers than this shape has");
    mma_table<A, B, NA, NB> own;
    auto *table = (mma_table<A, B, NA, NB> *)__shfl_sync(0xffffffffu, (unsigned long long)&own, 0);
    mma_publish(table, lane(), a, b);
    __syncwarp();
    mma_multiply<M, K, A, B, C, D>(d, table, c, lane(), saturates);
    __syncwarp();
}

/* ---- 8 x 8 elements of 16 bits: thread 8 m + r has the address of row r of matrix m ---- */

/* Where row `row` of the matrix lies. */
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
