/* cpu_kernels_avx2.c - x86 with AVX2, FMA and F16C; empty elsewhere. */
#ifdef __x86_64__
#pragma GCC target("avx2,fma,f16c")
#include <immintrin.h>
#define ISA avx2
#define NARROW_LANES 8
#define DOUBLE_LANES 4
#define FLOATS_TO_DOUBLES(p) _mm256_cvtps_pd(_mm_loadu_ps(p))
#define HALVES(p) _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(p)))
#define BFLOATS(p) _mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(p))), 16)
#include "cpu_kernels.h"
#else
typedef int not_for_this_processor;
#endif
