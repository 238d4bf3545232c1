/*
 * reduce c3 - SIMD
 *
 * Was     c2 adds one number per instruction.
 * Idea    Four doubles are one vector; eight such vectors are eight independent
 *         chains.  Floats are widened when loaded, four at a time.
 * Moves   Same as c1.
 * Expect  Beyond the caches, the bandwidth that one core gets from memory: there
 *         faster arithmetic stops helping.
 * Still   One core cannot use the full memory bandwidth.               (-> c4)
 * Needs   Any n, any alignment.  GCC's and Clang's vector extension: from the same
 *         source the compiler makes SSE, AVX or NEON code.
 * Launch  One thread.
 * Source  GCC manual, Using Vector Instructions through Built-in Functions.
 */
#include "chapter.h"

#include <string.h>

enum { LANES = 4, VECTORS = 8, TURN = LANES * VECTORS };
typedef double vector_t __attribute__((vector_size(LANES * sizeof(double))));

#define SUM(T)                                                                      \
    do {                                                                            \
        typedef T narrow_t __attribute__((vector_size(LANES * sizeof(T))));         \
        const T *x = in;                                                            \
        vector_t sum[VECTORS] = {{0}};                                              \
        double total = 0;                                                           \
        size_t i = 0;                                                               \
        for (; i + TURN <= n; i += TURN)                                            \
            for (size_t k = 0; k < VECTORS; ++k) {                                  \
                narrow_t v;                                                         \
                memcpy(&v, &x[i + k * LANES], sizeof v); /* an unaligned load */    \
                sum[k] += __builtin_convertvector(v, vector_t);                     \
            }                                                                       \
        for (; i < n; ++i) total += x[i];                                           \
        for (size_t k = 0; k < VECTORS; ++k)                                        \
            for (size_t lane = 0; lane < LANES; ++lane) total += sum[k][lane];      \
        *sum_out = total;                                                           \
    } while (0)

void reduce_simd_sum(dtype_t dtype, const void *in, size_t n, double *sum_out)
{
    if (dtype == DTYPE_F64) SUM(double);
    else SUM(float);
}

void reduce_cpu_simd(dtype_t dtype, const void *in, size_t n, void *out)
{
    double sum;
    reduce_simd_sum(dtype, in, n, &sum);
    dtype_from_double(dtype, out, &sum, 1);
}
