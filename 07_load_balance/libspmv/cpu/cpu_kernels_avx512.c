/* cpu_kernels_avx512.c - x86 with AVX-512 F, BW, DQ and VL; empty elsewhere. */
#ifdef __x86_64__
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c")
#include <immintrin.h>
#define ISA avx512
#define NARROW_LANES 16
#define DOUBLE_LANES 8
#define FOR_DOUBLES(p) _mm256_loadu_si256((const __m256i *)(p))
#define FOR_FLOATS(p) _mm512_loadu_si512(p)
#define FOR_DOUBLES_NARROW(p) _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(p)))
#define FOR_FLOATS_NARROW(p) _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(p)))
#define GATHER_DOUBLES(x, columns) _mm512_i32gather_pd(columns, x, 8)
#define GATHER_FLOATS(x, columns) _mm512_i32gather_ps(columns, x, 4)
#define FLOATS_TO_DOUBLES(p) _mm512_cvtps_pd(_mm256_loadu_ps(p))
#define HALVES(p) _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(p)))
#define BFLOATS(p) _mm512_slli_epi32(FOR_FLOATS_NARROW(p), 16)
#define FEW_DOUBLES(table, p)                                                               \
    _mm512_permutex2var_pd(_mm512_loadu_pd(table), _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(p))), \
                           _mm512_loadu_pd((table) + 8))
#define FEW_FLOATS(table, p)                                                                \
    _mm512_permutex2var_ps(_mm512_loadu_ps(table), _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(p))), \
                           _mm512_loadu_ps((table) + 16))
#define NAN_FLOATS(v) _mm512_cmp_ps_mask((__m512)(v), (__m512)(v), _CMP_UNORD_Q)
#define NAN_DOUBLES(v) _mm512_cmp_pd_mask((__m512d)(v), (__m512d)(v), _CMP_UNORD_Q)
#include "cpu_kernels.h"
#else
typedef int not_for_this_processor;
#endif
