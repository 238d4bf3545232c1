/* cpu_kernels_avx2.c - x86 with AVX2, FMA and F16C; empty elsewhere. */
#ifdef __x86_64__
#pragma GCC target("avx2,fma,f16c")
#include <immintrin.h>
#define ISA avx2
#define NARROW_LANES 8
#define DOUBLE_LANES 4
#define FOR_DOUBLES(p) _mm_loadu_si128((const __m128i *)(p))
#define FOR_FLOATS(p) _mm256_loadu_si256((const __m256i *)(p))
#define FOR_DOUBLES_NARROW(p) _mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)(p)))
#define FOR_FLOATS_NARROW(p) _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(p)))
#define GATHER_DOUBLES(x, columns) _mm256_i32gather_pd(x, columns, 8)
#define GATHER_FLOATS(x, columns) _mm256_i32gather_ps(x, columns, 4)
#define FLOATS_TO_DOUBLES(p) _mm256_cvtps_pd(_mm_loadu_ps(p))
#define HALVES(p) _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(p)))
#define BFLOATS(p) _mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(p))), 16)
#define NAN_FLOATS(v) _mm256_movemask_ps(_mm256_cmp_ps((__m256)(v), (__m256)(v), _CMP_UNORD_Q))
#define NAN_DOUBLES(v) _mm256_movemask_pd(_mm256_cmp_pd((__m256d)(v), (__m256d)(v), _CMP_UNORD_Q))
#include "cpu_kernels.h"
#else
typedef int not_for_this_processor;
#endif
