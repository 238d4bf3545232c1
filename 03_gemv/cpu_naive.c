/*
 * gemv c1 - two loops
 *
 * Was     This is the starting point: the product as it is usually written.
 * Idea    For each row, for each column: sum += A(r, c) * x[c].
 * Moves   rows * cols elements of A once; x again for every row, from cache.
 * Expect  By rows: each add waits for the one before it, 4 cycles per element.  By
 *         columns: the loop steps a whole column at a time and uses one
 *         element of every line it fetches.  Many times slower.
 * Still   The additions form a chain; columns are read in the wrong order. (-> c2)
 * Needs   Any rows, any cols, either layout.
 * Launch  One thread.
 * Source  The definition.
 */
#include "chapter.h"

#define GEMV(T)                                                                                  \
    do {                                                                                         \
        const T *a = A, *in = x;                                                                 \
        T *out = y;                                                                              \
        const size_t down = layout == GEMV_ROW ? cols : 1, right = layout == GEMV_ROW ? 1 : rows; \
        for (size_t r = 0; r < rows; ++r) {                                                      \
            T sum = 0;                                                                           \
            for (size_t c = 0; c < cols; ++c) sum += a[r * down + c * right] * in[c];            \
            out[r] = sum;                                                                        \
        }                                                                                        \
    } while (0)

void gemv_cpu_naive(GEMV_CPU_ARGS)
{
    if (dtype == DTYPE_F64) GEMV(double);
    else GEMV(float);
}
