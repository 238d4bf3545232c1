/*
 * simt_simd.h - two or four small numbers in one word: __vadd4, __vabsdiffu4, __vcmpgts2...
 */
#ifndef SIMT_SIMD_H
#define SIMT_SIMD_H

namespace simt {

/* Applies f to each part of T's size of a and b, and joins the results. */
template <class T, class F> SIMT_INLINE unsigned by_parts(unsigned a, unsigned b, F f)
{
    const unsigned bits = 8 * sizeof(T), ones = (1u << bits) - 1;
    unsigned r = 0;
    for (unsigned i = 0; i < 32; i += bits)
        r |= ((unsigned)f((int)(T)(a >> i), (int)(T)(b >> i)) & ones) << i;
    return r;
}
template <class T> SIMT_INLINE int saturated(int x)
{
    const int bits = 8 * sizeof(T), low = T(-1) < T(0) ? -(1 << (bits - 1)) : 0;
    const int high = T(-1) < T(0) ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    return x < low ? low : x > high ? high : x;
}
/* The sum of the parts' absolute differences. */
template <class T> SIMT_INLINE unsigned differences(unsigned a, unsigned b)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 32; i += 8 * sizeof(T)) {
        const int d = (int)(T)(a >> i) - (int)(T)(b >> i);
        sum += (unsigned)(d < 0 ? -d : d);
    }
    return sum;
}

} // namespace simt

#define SIMT_SIMD(name, T, value)                                                                    \
    SIMT_INLINE unsigned name(unsigned a, unsigned b)                                                \
    { return simt::by_parts<T>(a, b, [](int x, int y) { return value; }); }
#define SIMT_SIMD_ONE(name, T, value)                                                                \
    SIMT_INLINE unsigned name(unsigned a)                                                            \
    { return simt::by_parts<T>(a, 0, [](int x, int) { return value; }); }
#define SIMT_SIMD_COMPARE(name, op, T, parts)                                                        \
    SIMT_SIMD(__vcmp##name##parts, T, x op y ? -1 : 0)                                               \
    SIMT_SIMD(__vset##name##parts, T, x op y ? 1 : 0)
#define SIMT_SIMD_ALL(S, U, parts)                                                                   \
    SIMT_SIMD(__vadd##parts, U, x + y)                                                               \
    SIMT_SIMD(__vaddss##parts, S, simt::saturated<S>(x + y))                                         \
    SIMT_SIMD(__vaddus##parts, U, simt::saturated<U>(x + y))                                         \
    SIMT_SIMD(__vsub##parts, U, x - y)                                                               \
    SIMT_SIMD(__vsubss##parts, S, simt::saturated<S>(x - y))                                         \
    SIMT_SIMD(__vsubus##parts, U, simt::saturated<U>(x - y))                                         \
    SIMT_SIMD(__vabsdiffs##parts, S, x < y ? y - x : x - y)                                          \
    SIMT_SIMD(__vabsdiffu##parts, U, x < y ? y - x : x - y)                                          \
    SIMT_SIMD(__vavgs##parts, S, (x + y + (x + y >= 0)) >> 1)                                        \
    SIMT_SIMD(__vavgu##parts, U, (x + y + 1) >> 1)                                                   \
    SIMT_SIMD(__vhaddu##parts, U, (x + y) >> 1)                                                      \
    SIMT_SIMD(__vmaxs##parts, S, x < y ? y : x)                                                      \
    SIMT_SIMD(__vmaxu##parts, U, x < y ? y : x)                                                      \
    SIMT_SIMD(__vmins##parts, S, y < x ? y : x)                                                      \
    SIMT_SIMD(__vminu##parts, U, y < x ? y : x)                                                      \
    SIMT_SIMD_ONE(__vabs##parts, S, x < 0 ? -x : x)                                                  \
    SIMT_SIMD_ONE(__vabsss##parts, S, simt::saturated<S>(x < 0 ? -x : x))                            \
    SIMT_SIMD_ONE(__vneg##parts, S, -x)                                                              \
    SIMT_SIMD_ONE(__vnegss##parts, S, simt::saturated<S>(-x))                                        \
    SIMT_SIMD_COMPARE(eq, ==, U, parts)                                                              \
    SIMT_SIMD_COMPARE(ne, !=, U, parts)                                                              \
    SIMT_SIMD_COMPARE(ges, >=, S, parts)                                                             \
    SIMT_SIMD_COMPARE(geu, >=, U, parts)                                                             \
    SIMT_SIMD_COMPARE(gts, >, S, parts)                                                              \
    SIMT_SIMD_COMPARE(gtu, >, U, parts)                                                              \
    SIMT_SIMD_COMPARE(les, <=, S, parts)                                                             \
    SIMT_SIMD_COMPARE(leu, <=, U, parts)                                                             \
    SIMT_SIMD_COMPARE(lts, <, S, parts)                                                              \
    SIMT_SIMD_COMPARE(ltu, <, U, parts)                                                              \
    SIMT_INLINE unsigned __vsads##parts(unsigned a, unsigned b) { return simt::differences<S>(a, b); } \
    SIMT_INLINE unsigned __vsadu##parts(unsigned a, unsigned b) { return simt::differences<U>(a, b); }
SIMT_SIMD_ALL(signed char, unsigned char, 4)
SIMT_SIMD_ALL(short, unsigned short, 2)
#undef SIMT_SIMD_ALL
#undef SIMT_SIMD_COMPARE
#undef SIMT_SIMD_ONE
#undef SIMT_SIMD

/* Maximum and minimum of a sum, of three numbers, or with a flag for the chosen one; relu: at least 0.  Sums wrap
 * around. */
#define SIMT_SIMD_PICK(pick, op, T, U, suffix)                                                       \
    SIMT_INLINE T __vi##pick##3_##suffix(T a, T b, T c) { return pick(pick(a, b), c); }              \
    SIMT_INLINE T __viadd##pick##_##suffix(T a, T b, T c) { return pick((T)((U)a + (U)b), c); }      \
    SIMT_INLINE T __vib##pick##_##suffix(T a, T b, bool *first) { return *first = a op b, pick(a, b); }
#define SIMT_SIMD_RELU(pick)                                                                         \
    SIMT_INLINE int __vi##pick##_s32_relu(int a, int b) { return max(pick(a, b), 0); }               \
    SIMT_INLINE int __vi##pick##3_s32_relu(int a, int b, int c) { return max(pick(pick(a, b), c), 0); }      \
    SIMT_INLINE int __viadd##pick##_s32_relu(int a, int b, int c) { return max(__viadd##pick##_s32(a, b, c), 0); }
#define SIMT_SIMD_HALVES(pick, op, T, suffix)                                                        \
    SIMT_INLINE unsigned simt_##pick##_##suffix(unsigned a, unsigned b)                              \
    { return simt::by_parts<T>(a, b, [](int x, int y) { return x op y ? x : y; }); }                 \
    SIMT_INLINE unsigned __vi##pick##3_##suffix(unsigned a, unsigned b, unsigned c)                  \
    { return simt_##pick##_##suffix(simt_##pick##_##suffix(a, b), c); }                              \
    SIMT_INLINE unsigned __viadd##pick##_##suffix(unsigned a, unsigned b, unsigned c)                \
    { return simt_##pick##_##suffix(__vadd2(a, b), c); }                                             \
    SIMT_INLINE unsigned __vib##pick##_##suffix(unsigned a, unsigned b, bool *high, bool *low)       \
    { return *high = (T)(a >> 16) op (T)(b >> 16), *low = (T)a op (T)b, simt_##pick##_##suffix(a, b); }
#define SIMT_SIMD_HALVES_RELU(pick)                                                                  \
    SIMT_INLINE unsigned __vi##pick##_s16x2_relu(unsigned a, unsigned b)                             \
    { return __vmaxs2(simt_##pick##_s16x2(a, b), 0); }                                               \
    SIMT_INLINE unsigned __vi##pick##3_s16x2_relu(unsigned a, unsigned b, unsigned c)                \
    { return __vmaxs2(__vi##pick##3_s16x2(a, b, c), 0); }                                            \
    SIMT_INLINE unsigned __viadd##pick##_s16x2_relu(unsigned a, unsigned b, unsigned c)              \
    { return __vmaxs2(__viadd##pick##_s16x2(a, b, c), 0); }
#define SIMT_SIMD_EXTREME(pick, op)                                                                  \
    SIMT_SIMD_PICK(pick, op, int, unsigned, s32)                                                     \
    SIMT_SIMD_PICK(pick, op, unsigned, unsigned, u32)                                                \
    SIMT_SIMD_RELU(pick)                                                                             \
    SIMT_SIMD_HALVES(pick, op, short, s16x2)                                                         \
    SIMT_SIMD_HALVES(pick, op, unsigned short, u16x2)                                                \
    SIMT_SIMD_HALVES_RELU(pick)
SIMT_SIMD_EXTREME(max, >=)
SIMT_SIMD_EXTREME(min, <=)
#undef SIMT_SIMD_EXTREME
#undef SIMT_SIMD_HALVES_RELU
#undef SIMT_SIMD_HALVES
#undef SIMT_SIMD_RELU
#undef SIMT_SIMD_PICK

/* Dot products of the two halves of a with the low or the high two bytes of b. */
#define SIMT_DOT(T, H, B)                                                                            \
    SIMT_INLINE T __dp2a_lo(T a, T b, T c) { return c + (H)a * (B)b + (H)(a >> 16) * (B)(b >> 8); }  \
    SIMT_INLINE T __dp2a_hi(T a, T b, T c) { return c + (H)a * (B)(b >> 16) + (H)(a >> 16) * (B)(b >> 24); }
SIMT_DOT(int, short, signed char)
SIMT_DOT(unsigned, unsigned short, unsigned char)
#undef SIMT_DOT
/* The same of vectors. */
#define SIMT_DOT(T, T4, T2)                                                                                      \
    SIMT_INLINE T __dp4a(T4 a, T4 b, T c) { return c + (T)a.x * b.x + (T)a.y * b.y + (T)a.z * b.z + (T)a.w * b.w; } \
    SIMT_INLINE T __dp2a_lo(T2 a, T4 b, T c) { return c + (T)a.x * b.x + (T)a.y * b.y; }                         \
    SIMT_INLINE T __dp2a_hi(T2 a, T4 b, T c) { return c + (T)a.x * b.z + (T)a.y * b.w; }
SIMT_DOT(int, char4, short2)
SIMT_DOT(unsigned, uchar4, ushort2)
#undef SIMT_DOT

/* The n-th bit that is set from `base` on, upwards if n > 0, downwards if n < 0; -1 (all ones) if there is none. */
SIMT_INLINE unsigned __fns(unsigned mask, unsigned base, int n)
{
    const int step = n < 0 ? -1 : 1;
    int left = n < 0 ? -n : n;
    if (n == 0)
        return mask >> (base & 31) & 1 ? base : ~0u;
    for (int i = (int)base; i >= 0 && i < 32; i += step)
        if ((mask >> i & 1) && --left == 0)
            return (unsigned)i;
    return ~0u;
}
/* Shifts by min(count, 32), not by the lowest five bits of the count. */
SIMT_INLINE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned s)
{ return (unsigned)((((unsigned long long)hi << 32 | lo) << (s < 32 ? s : 32)) >> 32); }
SIMT_INLINE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned s)
{ return (unsigned)(((unsigned long long)hi << 32 | lo) >> (s < 32 ? s : 32)); }

#endif
