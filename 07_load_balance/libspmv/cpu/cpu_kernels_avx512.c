/* cpu_kernels_avx512.c - x86 with AVX-512 F, BW, DQ and VL; empty elsewhere. */
#ifdef __x86_64__
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c")
#include <immintrin.h>
#define ISA avx512
#define NARROW_LANES 16
#define DOUBLE_LANES 8
#define LOAD_8(p) _mm256_loadu_si256((const __m256i *)(p))
#define LOAD_16(p) _mm512_loadu_si512(p)
#define LOAD_8_NARROW(p) _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(p)))
#define LOAD_16_NARROW(p) _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(p)))
#define GATHER_DOUBLES(x, columns) _mm512_i32gather_pd(columns, x, 8)
#define GATHER_FLOATS(x, columns) _mm512_i32gather_ps(columns, x, 4)
#define FLOATS_TO_DOUBLES(p) _mm512_cvtps_pd(_mm256_loadu_ps(p))
#define HALVES(p) _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(p)))
#define BFLOATS(p) _mm512_slli_epi32(LOAD_16_NARROW(p), 16)
#define FEW_DOUBLES(table, p)                                                               \
    _mm512_permutex2var_pd(_mm512_loadu_pd(table), _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(p))), \
                           _mm512_loadu_pd((table) + 8))
#define FEW_FLOATS(table, p)                                                                \
    _mm512_permutex2var_ps(_mm512_loadu_ps(table), _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(p))), \
                           _mm512_loadu_ps((table) + 16))
#include "cpu_kernels.h"
#else
typedef int not_for_this_processor;
#endif
