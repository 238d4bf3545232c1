/*
 * reduce c1 - one accumulator
 *
 * Was     This is the starting point: the sum as it is usually written.
 * Idea    for (i...) sum += in[i].  The sum is a double even for floats: a float
 *         sum of equal terms stops growing after 2^24 additions, and this loop
 *         makes 2^26.  (A tree adds numbers of similar size: v1 sums in float.)
 * Moves   n elements, once.
 * Expect  Each add waits for the one before it: 3 to 4 cycles per element, on any
 *         core, however fast its memory is.
 * Still   The additions form a chain, which C forbids the compiler to reorder. (-> c2)
 * Needs   Any n.
 * Launch  One thread.
 * Source  D. Goldberg, What Every Computer Scientist Should Know (1991), for the rounding.
 */
#include "chapter.h"

#define SUM(T)                                      \
    do {                                            \
        const T *x = in;                            \
        double sum = 0;                             \
        for (size_t i = 0; i < n; ++i) sum += x[i]; \
        *(T *)out = (T)sum;                         \
    } while (0)

void reduce_cpu_serial(dtype_t dtype, const void *in, size_t n, void *out)
{
    if (dtype == DTYPE_F64) SUM(double);
    else SUM(float);
}
