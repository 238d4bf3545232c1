/*
 * tiles.cpp - products of small matrices that the lanes of a warp compute together, as on tensor cores.
 *
 * The headers (mma.h, simt_ptx_mma.h) copy the lanes' registers into tables; this file has the arithmetic.  Each sum is
 * computed in the order of k, as in plain code, with four rows at a time.  A register of the processor holds several
 * adjacent columns, twice as many with AVX2.
 */
#include <cstring>
#include "internal.hpp"

namespace simt {

/* Computes N columns of c, four rows at a time. */
template <class T, int N>
static inline __attribute__((always_inline)) void some_rows(T *c, const T *a, const T *b, int m, int k)
{
    typedef T row __attribute__((vector_size(N * sizeof(T))));
    for (int i = 0; i < m; i += 4) {
        row sum[4], of_b;
        memcpy(sum, c + i * N, sizeof sum);
        for (int j = 0; j < k; ++j) {
            memcpy(&of_b, b + j * N, sizeof of_b);
            for (int r = 0; r < 4; ++r)
                sum[r] += a[(i + r) * k + j] * of_b;
        }
        memcpy(c + i * N, sum, sizeof sum);
    }
}

template <class T>
static inline __attribute__((always_inline)) void rows(T *c, const T *a, const T *b, int m, int n, int k)
{
    switch (n) {
    case 8: return some_rows<T, 8>(c, a, b, m, k);
    case 16: return some_rows<T, 16>(c, a, b, m, k);
    case 32: return some_rows<T, 32>(c, a, b, m, k);
    }
}

#ifdef __x86_64__
template <class T>
__attribute__((target("avx2"))) static void rows_avx2(T *c, const T *a, const T *b, int m, int n, int k)
{ rows(c, a, b, m, n, k); }
static const bool avx2 = __builtin_cpu_supports("avx2");
#else
template <class T> static void rows_avx2(T *, const T *, const T *, int, int, int) {}
static const bool avx2 = false;
#endif

template <class T> static void product(T *c, const T *a, const T *b, int m, int n, int k)
{
    if (confined)               /* it writes to addresses that untrusted code could choose */
        return;
    if (avx2)
        rows_avx2(c, a, b, m, n, k);
    else
        rows(c, a, b, m, n, k);
}

} // namespace simt

void simt_product_f32(float *c, const float *a, const float *b, int m, int n, int k)
{ simt::product(c, a, b, m, n, k); }
void simt_product_f64(double *c, const double *a, const double *b, int m, int n, int k)
{ simt::product(c, a, b, m, n, k); }
void simt_product_u32(uint32_t *c, const uint32_t *a, const uint32_t *b, int m, int n, int k)
{ simt::product(c, a, b, m, n, k); }
