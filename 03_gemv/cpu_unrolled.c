/*
 * gemv c2 - four rows or four columns at a time
 *
 * Was     c1 waits for each addition, and reads columns with a large stride.
 * Idea    By rows: four rows at a time are four sums that do not wait for each other and
 *         share each x.  By columns: add four whole columns to y, so that memory
 *         is read in order and y is read and written once per four columns.
 * Moves   Same A; a quarter of the reads of x, or of the passes over y.
 * Expect  About three times c1 by rows; by columns far more.
 * Still   By rows it multiplies one number per instruction, where a core could take 4 or 8.  (-> c3)
 * Needs   Any rows, any cols, either layout: remaining elements are added one by one.
 * Launch  One thread.
 * Source  van de Geijn, how-to-optimize-gemm: 1x4 and register reuse.
 */
#include "chapter.h"

#include <string.h>

enum { AT_ONCE = 4 };

#define BY_ROWS(T)                                                                            \
    do {                                                                                      \
        const T *a = A, *in = x;                                                              \
        T *out = y;                                                                           \
        size_t r = 0;                                                                         \
        for (; r + AT_ONCE <= rows; r += AT_ONCE) {                                           \
            T sum[AT_ONCE] = {0};                                                             \
            for (size_t c = 0; c < cols; ++c)                                                 \
                for (size_t j = 0; j < AT_ONCE; ++j) sum[j] += a[(r + j) * cols + c] * in[c]; \
            memcpy(&out[r], sum, sizeof sum);                                                 \
        }                                                                                     \
        for (; r < rows; ++r) {                                                               \
            T sum = 0;                                                                        \
            for (size_t c = 0; c < cols; ++c) sum += a[r * cols + c] * in[c];                 \
            out[r] = sum;                                                                     \
        }                                                                                     \
    } while (0)

#define BY_COLUMNS(T)                                                                                    \
    do {                                                                                                 \
        const T *a = A, *in = x;                                                                         \
        T *restrict out = y;                                                                             \
        size_t c = 0;                                                                                    \
        memset(out, 0, rows * sizeof *out);                                                              \
        for (; c + AT_ONCE <= cols; c += AT_ONCE)                                                        \
            for (size_t r = 0; r < rows; ++r)                                                            \
                out[r] += (a[c * rows + r] * in[c] + a[(c + 1) * rows + r] * in[c + 1]) +                \
                          (a[(c + 2) * rows + r] * in[c + 2] + a[(c + 3) * rows + r] * in[c + 3]);       \
        for (; c < cols; ++c)                                                                            \
            for (size_t r = 0; r < rows; ++r) out[r] += a[c * rows + r] * in[c];                         \
    } while (0)

void gemv_cpu_unrolled(GEMV_CPU_ARGS)
{
    if (layout == GEMV_ROW && dtype == DTYPE_F64) BY_ROWS(double);
    else if (layout == GEMV_ROW) BY_ROWS(float);
    else if (dtype == DTYPE_F64) BY_COLUMNS(double);
    else BY_COLUMNS(float);
}
