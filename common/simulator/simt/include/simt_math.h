/* simt_math.h - arithmetic intrinsics in addition to those of simt_device.h, and the warp functions from before
 * Volta.  Rounding suffixes have their effect.  __sinf and similar functions are as exact as sinf. */
#ifndef SIMT_MATH_H
#define SIMT_MATH_H

#include <fenv.h>
#include <math.h>

/* ---- floating point ---- */

/* The C library uses these names, too, internally. */
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
#define __expf(x) expf(x)
#define __exp10f(x) exp10f(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __powf(x, y) powf(x, y)
#define __sincosf(x, s, c) sincosf(x, s, c)

/* f with the processor's rounding in a direction.  Arguments and result pass through an empty asm, so that g++
 * computes f between the two calls that set the direction. */
template <class T> SIMT_INLINE void simt_hide(T &x) { __asm__ volatile("" : "+m"(x) : : "memory"); }
template <int DIRECTION, class F> struct simt_directed_function {
    F f;
    template <class... X> inline __attribute__((always_inline)) auto operator()(X... x) const
    {
        const int before = fegetround();
        fesetround(DIRECTION);
        (simt_hide(x), ...);
        auto result = f(x...);
        simt_hide(result);
        fesetround(before);
        return result;
    }
};
template <int DIRECTION, class F> SIMT_INLINE simt_directed_function<DIRECTION, F> simt_directed(F f) { return {f}; }

#define SIMT_ROUNDED(name, T, parameters, arguments, value)                         \
    SIMT_INLINE T name##_rz parameters                                              \
    { return simt_directed<FE_TOWARDZERO>([] parameters -> T { return value; }) arguments; }  \
    SIMT_INLINE T name##_ru parameters                                              \
    { return simt_directed<FE_UPWARD>([] parameters -> T { return value; }) arguments; }      \
    SIMT_INLINE T name##_rd parameters                                              \
    { return simt_directed<FE_DOWNWARD>([] parameters -> T { return value; }) arguments; }
#define SIMT_ARITHMETIC(name, T, parameters, arguments, value)                      \
    SIMT_INLINE T name##_rn parameters { return value; }                            \
    SIMT_ROUNDED(name, T, parameters, arguments, value)
SIMT_ROUNDED(__fadd, float, (float a, float b), (a, b), a + b)
SIMT_ROUNDED(__fmul, float, (float a, float b), (a, b), a * b)
SIMT_ROUNDED(__fmaf, float, (float a, float b, float c), (a, b, c), fmaf(a, b, c))
SIMT_ARITHMETIC(__fmaf_ieee, float, (float a, float b, float c), (a, b, c), fmaf(a, b, c))
SIMT_ARITHMETIC(__fsub, float, (float a, float b), (a, b), a - b)
SIMT_ARITHMETIC(__fdiv, float, (float a, float b), (a, b), a / b)
SIMT_ARITHMETIC(__frcp, float, (float a), (a), 1 / a)
SIMT_ARITHMETIC(__fsqrt, float, (float a), (a), sqrtf(a))
SIMT_INLINE float __frsqrt_rn(float a) { return (float)(1 / sqrt((double)a)); }
SIMT_ROUNDED(__dadd, double, (double a, double b), (a, b), a + b)
SIMT_ROUNDED(__dmul, double, (double a, double b), (a, b), a * b)
SIMT_ROUNDED(__fma, double, (double a, double b, double c), (a, b, c), fma(a, b, c))
SIMT_ARITHMETIC(__dsub, double, (double a, double b), (a, b), a - b)
SIMT_ARITHMETIC(__ddiv, double, (double a, double b), (a, b), a / b)
SIMT_ARITHMETIC(__drcp, double, (double a), (a), 1 / a)
SIMT_ARITHMETIC(__dsqrt, double, (double a), (a), sqrt(a))
SIMT_INLINE float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; } /* of NaN: 0 */
SIMT_INLINE float fdividef(float a, float b) { return a / b; }
SIMT_INLINE float rcbrtf(float x) { return 1 / cbrtf(x); }
SIMT_INLINE double rcbrt(double x) { return 1 / cbrt(x); }
SIMT_INLINE float rhypotf(float a, float b) { return 1 / hypotf(a, b); }
SIMT_INLINE double rhypot(double a, double b) { return 1 / hypot(a, b); }
SIMT_INLINE float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
SIMT_INLINE double norm3d(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }
SIMT_INLINE float rnorm3df(float a, float b, float c) { return 1 / norm3df(a, b, c); }
SIMT_INLINE double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
SIMT_INLINE float norm4df(float a, float b, float c, float d) { return sqrtf(a * a + b * b + c * c + d * d); }
SIMT_INLINE double norm4d(double a, double b, double c, double d) { return sqrt(a * a + b * b + c * c + d * d); }
SIMT_INLINE float rnorm4df(float a, float b, float c, float d) { return 1 / norm4df(a, b, c, d); }
SIMT_INLINE double rnorm4d(double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); }
SIMT_INLINE double norm(int n, const double *v)
{
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += v[i] * v[i];
    return sqrt(sum);
}
SIMT_INLINE float normf(int n, const float *v)
{
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += v[i] * v[i];
    return sqrtf(sum);
}
SIMT_INLINE double rnorm(int n, const double *v) { return 1 / norm(n, v); }
SIMT_INLINE float rnormf(int n, const float *v) { return 1 / normf(n, v); }
SIMT_INLINE float cyl_bessel_i0f(float x) { return (float)std::cyl_bessel_i(0, fabs((double)x)); }
SIMT_INLINE double cyl_bessel_i0(double x) { return std::cyl_bessel_i(0, fabs(x)); }
SIMT_INLINE float cyl_bessel_i1f(float x) { return copysignf((float)std::cyl_bessel_i(1, fabs((double)x)), x); }
SIMT_INLINE double cyl_bessel_i1(double x) { return copysign(std::cyl_bessel_i(1, fabs(x)), x); }
/* exp(x^2) erfc(x); a continued fraction where the product would lose all digits. */
SIMT_INLINE double erfcx(double x)
{
    if (x < 8) return exp(x * x) * erfc(x);
    double tail = 0;
    for (int k = 40; k > 0; --k) tail = k / 2.0 / (x + tail);
    return M_2_SQRTPI / 2 / (x + tail);
}
SIMT_INLINE float erfcxf(float x) { return (float)erfcx(x); }
/* pi * x would round, so a whole number of half turns is subtracted first, which is exact. */
SIMT_INLINE double sinpi(double x) { return sin(M_PI * remainder(x, 2)); }
SIMT_INLINE double cospi(double x) { return cos(M_PI * remainder(x, 2)); }
SIMT_INLINE float sinpif(float x) { return (float)sinpi(x); }
SIMT_INLINE float cospif(float x) { return (float)cospi(x); }
SIMT_INLINE void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
SIMT_INLINE void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
SIMT_INLINE double normcdf(double x) { return erfc(-x * M_SQRT1_2) / 2; }
SIMT_INLINE float normcdff(float x) { return (float)normcdf(x); }
/* Winitzki's first guess, then Newton's steps. */
SIMT_INLINE double erfinv(double y)
{
    if (!(fabs(y) < 1)) return y == 1 ? HUGE_VAL : y == -1 ? -HUGE_VAL : NAN;
    const double a = 0.147, l = log1p(-y * y), b = 2 / (M_PI * a) + l / 2;
    double x = copysign(sqrt(sqrt(b * b - l / a) - b), y);
    for (int i = 0; i < 4; ++i) x -= (erf(x) - y) / (M_2_SQRTPI * exp(-x * x));
    return x;
}
SIMT_INLINE float erfinvf(float y) { return (float)erfinv(y); }
SIMT_INLINE double erfcinv(double y) { return erfinv(1 - y); }
SIMT_INLINE float erfcinvf(float y) { return (float)erfcinv(y); }
SIMT_INLINE double normcdfinv(double y) { return -M_SQRT2 * erfcinv(2 * y); }
SIMT_INLINE float normcdfinvf(float y) { return (float)normcdfinv(y); }

/* ---- conversions ---- */

/* As on a GPU: converts to the nearest number of the type; NaN becomes 0. */
template <class I> SIMT_INLINE I simt_whole(double x)
{
    if (!(x == x)) return 0;
    const double low = -(sizeof(I) == 8 ? 0x1p63 : 0x1p31), high = sizeof(I) == 8 ? 0x1p63 : 0x1p31;
    const unsigned long long sign = 1ull << (8 * sizeof(I) - 1);
    if (I(-1) < I(0)) return x < low ? I(sign) : x >= high ? I(~sign) : I(x);
    return x < 0 ? I(0) : x >= 2 * high ? I(-1) : I(x);
}
#define SIMT_TO_WHOLE(from, T, to, I)                                                \
    SIMT_INLINE I __##from##2##to##_rn(T x) { return simt_whole<I>(rint(x)); }      \
    SIMT_INLINE I __##from##2##to##_rz(T x) { return simt_whole<I>(trunc(x)); }     \
    SIMT_INLINE I __##from##2##to##_ru(T x) { return simt_whole<I>(ceil(x)); }      \
    SIMT_INLINE I __##from##2##to##_rd(T x) { return simt_whole<I>(floor(x)); }
#define SIMT_FROM_WHOLE(from, I, to, T)                                              \
    SIMT_ARITHMETIC(__##from##2##to, T, (I x), (x), (T)x)
SIMT_TO_WHOLE(float, float, int, int)
SIMT_TO_WHOLE(float, float, uint, unsigned)
SIMT_TO_WHOLE(float, float, ll, long long)
SIMT_TO_WHOLE(float, float, ull, unsigned long long)
SIMT_TO_WHOLE(double, double, int, int)
SIMT_TO_WHOLE(double, double, uint, unsigned)
SIMT_TO_WHOLE(double, double, ll, long long)
SIMT_TO_WHOLE(double, double, ull, unsigned long long)
SIMT_FROM_WHOLE(int, int, float, float)
SIMT_FROM_WHOLE(uint, unsigned, float, float)
SIMT_FROM_WHOLE(ll, long long, float, float)
SIMT_FROM_WHOLE(ull, unsigned long long, float, float)
SIMT_FROM_WHOLE(ll, long long, double, double)
SIMT_FROM_WHOLE(ull, unsigned long long, double, double)
SIMT_FROM_WHOLE(double, double, float, float)
SIMT_INLINE double __int2double_rn(int x) { return x; }
SIMT_INLINE double __uint2double_rn(unsigned x) { return x; }
SIMT_INLINE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
SIMT_INLINE int __double2loint(double x) { return (int)__double_as_longlong(x); }
SIMT_INLINE double __hiloint2double(int high, int low)
{ return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low)); }

/* ---- integers ---- */

SIMT_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
SIMT_INLINE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
__extension__ typedef __int128 simt_int128;
__extension__ typedef unsigned __int128 simt_uint128;
SIMT_INLINE long long __mul64hi(long long a, long long b) { return (long long)((simt_int128)a * b >> 64); }
SIMT_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{ return (unsigned long long)((simt_uint128)a * b >> 64); }
SIMT_INLINE unsigned long long __brevll(unsigned long long v)
{ return (unsigned long long)__brev((unsigned)v) << 32 | __brev((unsigned)(v >> 32)); }
SIMT_INLINE unsigned __sad(int a, int b, unsigned c) { return (a < b ? (unsigned)b - a : (unsigned)a - b) + c; }
SIMT_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
SIMT_INLINE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
SIMT_INLINE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
SIMT_INLINE unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
SIMT_INLINE unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }
SIMT_INLINE int __dp4a(int a, int b, int c)
{
    for (int i = 0; i < 32; i += 8) c += (signed char)(a >> i) * (signed char)(b >> i);
    return c;
}
SIMT_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int i = 0; i < 32; i += 8) c += (a >> i & 255) * (b >> i & 255);
    return c;
}
SIMT_INLINE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
SIMT_INLINE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
SIMT_INLINE long long llmin(long long a, long long b) { return min(a, b); }
SIMT_INLINE long long llmax(long long a, long long b) { return max(a, b); }
SIMT_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
SIMT_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

/* ---- the warp, before Volta: without a mask all lanes that are there take part ---- */

#define SIMT_OLD_SHUFFLE(name)                                                       \
    template <class T> SIMT_INLINE T name(T v, unsigned argument, int width = 32)    \
    { return name##_sync(__activemask(), v, argument, width); }
SIMT_OLD_SHUFFLE(__shfl)
SIMT_OLD_SHUFFLE(__shfl_up)
SIMT_OLD_SHUFFLE(__shfl_down)
SIMT_OLD_SHUFFLE(__shfl_xor)
SIMT_INLINE int __any(int p) { return __any_sync(__activemask(), p); }
SIMT_INLINE int __all(int p) { return __all_sync(__activemask(), p); }
SIMT_INLINE unsigned __ballot(int p) { return __ballot_sync(__activemask(), p); }

#endif
