/*
 * spmv_scalar c4 - gathers: AVX2 and AVX-512
 *
 * Was     c3 executes one load of x per nonzero.
 * Idea    One gather instruction fetches the x of a whole vector of columns: 32 bytes (c4/avx2) or 64 (c4/avx512).
 *         AVX2 ends a row with a scalar loop; AVX-512 with a mask, whose empty lanes read nothing.
 *         c4 tests at run time what the processor has and takes the widest; on Arm it calls c3.
 * Moves   Same as c1.
 * Expect  A gather still reads one cache line per lane, so the gain is smaller than the width; it is largest where
 *         rows are long and x is in cache.  Rows shorter than a vector gain nothing with AVX2, little with AVX-512.
 * Still   Only one core works.                                          (-> c5)
 * Needs   AVX2 and FMA, or AVX-512F: only these functions, not the rest of the program, are built for those
 *         instructions.  fp32 or fp64; 32- or 64-bit offsets.
 * Launch  One thread.
 * Source  Intel Intrinsics Guide (gathers).  GCC manual: __attribute__((target)), __builtin_cpu_supports.
 */
#include "cpu_steps.h"

#ifdef __x86_64__
#include <immintrin.h>

/* Multiplies the rows of A, LANES products of type T at a time: SUM(sums) adds the lanes up. */
#define ROWS(OFFSET, T)                                                                       \
    do {                                                                                      \
        const OFFSET *row_offsets = A->row_offsets;                                           \
        const T *values = A->values, *in = x;                                                 \
        T *out = y;                                                                           \
        for (size_t row = 0; row < A->rows; ++row) {                                          \
            const OFFSET end = row_offsets[row + 1];                                          \
            OFFSET nz = row_offsets[row];                                                     \
            DOT_##T;                                                                          \
            out[row] = sum;                                                                   \
        }                                                                                     \
    } while (0)

#define LOAD_COLUMNS_4 _mm_loadu_si128((const __m128i *)&A->col_indices[nz])
#define LOAD_COLUMNS_8 _mm256_loadu_si256((const __m256i *)&A->col_indices[nz])

/* ---- AVX2: 8 floats or 4 doubles ---------------------------------------------------------------- */

__attribute__((target("avx2,fma"))) static inline float sum8(__m256 v)
{
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

__attribute__((target("avx2,fma"))) static inline double sum4(__m256d v)
{
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

#define DOT_float                                                                             \
    __m256 sums = _mm256_setzero_ps();                                                        \
    for (; end - nz >= 8; nz += 8)                                                            \
        sums = _mm256_fmadd_ps(_mm256_loadu_ps(&values[nz]), _mm256_i32gather_ps(in, LOAD_COLUMNS_8, 4), sums); \
    float sum = sum8(sums);                                                                   \
    for (; nz < end; ++nz) sum += values[nz] * in[A->col_indices[nz]]

#define DOT_double                                                                            \
    __m256d sums = _mm256_setzero_pd();                                                       \
    for (; end - nz >= 4; nz += 4)                                                            \
        sums = _mm256_fmadd_pd(_mm256_loadu_pd(&values[nz]), _mm256_i32gather_pd(in, LOAD_COLUMNS_4, 8), sums); \
    double sum = sum4(sums);                                                                  \
    for (; nz < end; ++nz) sum += values[nz] * in[A->col_indices[nz]]

__attribute__((target("avx2,fma"))) void spmv_scalar_avx2(SPMV_SCALAR_CPU_ARGS)
{
    (void)format;
    BY_TYPES(ROWS);
}

/* ---- AVX-512: 16 floats or 8 doubles ------------------------------------------------------------ */

#undef DOT_float
#undef DOT_double

#define DOT_float                                                                             \
    __m512 sums = _mm512_setzero_ps();                                                        \
    for (; nz < end; nz += 16) {                                                              \
        const __mmask16 there = end - nz >= 16 ? 0xffff : (__mmask16)((1u << (end - nz)) - 1); \
        const __m512i columns = _mm512_maskz_loadu_epi32(there, &A->col_indices[nz]);         \
        const __m512 entries = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), there, columns, in, 4); \
        sums = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(there, &values[nz]), entries, sums);     \
    }                                                                                         \
    const float sum = _mm512_reduce_add_ps(sums)

#define DOT_double                                                                            \
    __m512d sums = _mm512_setzero_pd();                                                       \
    for (; nz < end; nz += 8) {                                                               \
        const __mmask8 there = end - nz >= 8 ? 0xff : (__mmask8)((1u << (end - nz)) - 1);     \
        const __m256i columns = _mm512_castsi512_si256(_mm512_maskz_loadu_epi32(there, &A->col_indices[nz])); \
        const __m512d entries = _mm512_mask_i32gather_pd(_mm512_setzero_pd(), there, columns, in, 8); \
        sums = _mm512_fmadd_pd(_mm512_maskz_loadu_pd(there, &values[nz]), entries, sums);     \
    }                                                                                         \
    const double sum = _mm512_reduce_add_pd(sums)

__attribute__((target("avx512f"))) void spmv_scalar_avx512(SPMV_SCALAR_CPU_ARGS)
{
    (void)format;
    BY_TYPES(ROWS);
}

/* ---- the choice --------------------------------------------------------------------------------- */

void spmv_scalar_widest(SPMV_SCALAR_CPU_ARGS)
{
    if (__builtin_cpu_supports("avx512f")) spmv_scalar_avx512(A, x, y, format);
    else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) spmv_scalar_avx2(A, x, y, format);
    else spmv_scalar_unrolled(A, x, y, format);
}
#else
void spmv_scalar_avx2(SPMV_SCALAR_CPU_ARGS) { (void)A, (void)x, (void)y, (void)format; }
void spmv_scalar_avx512(SPMV_SCALAR_CPU_ARGS) { (void)A, (void)x, (void)y, (void)format; }
void spmv_scalar_widest(SPMV_SCALAR_CPU_ARGS)
{
    if (spmv_scalar_neon_built) spmv_scalar_neon(A, x, y, format);
    else spmv_scalar_unrolled(A, x, y, format);
}
#endif
