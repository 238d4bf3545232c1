/*
 * reduce c2 - eight accumulators
 *
 * Was     c1 waits for each addition before it starts the next.
 * Idea    Keep eight sums that do not wait for each other; add them up at the end.
 * Moves   Same as c1.
 * Expect  Several times c1: the adders are pipelined and now have work.
 * Still   One number per instruction, where the core could add 2 to 8. (-> c3)
 * Needs   Any n: the last n % 8 elements go one by one.
 * Launch  One thread.
 * Source  R. Bryant, D. O'Hallaron, Computer Systems, ch. 5 (loop unrolling).
 */
#include "chapter.h"

enum { ACCUMULATORS = 8 };

#define SUM(T)                                                            \
    do {                                                                  \
        const T *x = in;                                                  \
        double sum[ACCUMULATORS] = {0}, total = 0;                        \
        size_t i = 0;                                                     \
        for (; i + ACCUMULATORS <= n; i += ACCUMULATORS)                  \
            for (size_t k = 0; k < ACCUMULATORS; ++k) sum[k] += x[i + k]; \
        for (; i < n; ++i) total += x[i];                                 \
        for (size_t k = 0; k < ACCUMULATORS; ++k) total += sum[k];        \
        *(T *)out = (T)total;                                             \
    } while (0)

void reduce_cpu_accumulators(dtype_t dtype, const void *in, size_t n, void *out)
{
    if (dtype == DTYPE_F64) SUM(double);
    else SUM(float);
}
