/*
 * gemv c3 - SIMD
 *
 * Was     c2 multiplies one number per instruction where A lies by rows.
 * Idea    32 bytes are one vector.  By rows: multiply two vectors of each of four rows by the same two of x.
 *         By columns: 8 KiB of y stay in L1 while all columns are added to it, eight at a time.
 * Moves   Same as c2; by columns y now goes to memory once.
 * Expect  Beyond the caches, the bandwidth that one core gets from memory.
 * Still   One core cannot use the full memory bandwidth.                 (-> c4)
 * Needs   Any rows, any cols, any alignment, either layout.  GCC's and Clang's vector
 *         extension: from the same source the compiler makes SSE, AVX or NEON code.
 * Launch  One thread.
 * Source  GCC manual, Using Vector Instructions through Built-in Functions.
 */
#include "chapter.h"

#include <string.h>

enum { VECTOR_BYTES = 32, TILE_BYTES = 8192, ROWS = 4, COLUMNS = 8 };

#define LOAD(from) (*(const loose_t *)(from)) /* an unaligned vector */

/* Computes the sums of `COUNT` rows from r on. */
#define ROWS_AT(T, COUNT)                                                                              \
    do {                                                                                               \
        vector_t sum[COUNT] = {{0}}, more[COUNT] = {{0}};                                              \
        T rest[COUNT] = {0};                                                                           \
        size_t c = 0;                                                                                  \
        for (; c + 2 * LANES <= cols; c += 2 * LANES) {                                                \
            const vector_t x0 = LOAD(&in[c]), x1 = LOAD(&in[c + LANES]);                               \
            for (size_t j = 0; j < COUNT; ++j) {                                                       \
                sum[j] += LOAD(&a[(r + j) * cols + c]) * x0;                                           \
                more[j] += LOAD(&a[(r + j) * cols + c + LANES]) * x1;                                  \
            }                                                                                          \
        }                                                                                              \
        for (; c < cols; ++c)                                                                          \
            for (size_t j = 0; j < COUNT; ++j) rest[j] += a[(r + j) * cols + c] * in[c];               \
        for (size_t j = 0; j < COUNT; ++j) {                                                           \
            sum[j] += more[j];                                                                         \
            for (size_t l = 0; l < LANES; ++l) rest[j] += sum[j][l];                                   \
            out[r + j] = rest[j];                                                                      \
        }                                                                                              \
    } while (0)

/* Adds `COUNT` columns from c on to rows r..r + count - 1 of y. */
#define COLUMNS_AT(T, COUNT)                                                                           \
    do {                                                                                               \
        const T *from = &a[c * height + r];                                                            \
        size_t i = 0;                                                                                  \
        for (; i + LANES <= count; i += LANES) {                                                       \
            vector_t sum = LOAD(&out[r + i]);                                                          \
            for (size_t j = 0; j < COUNT; ++j) sum += LOAD(&from[j * height + i]) * in[c + j];         \
            memcpy(&out[r + i], &sum, sizeof sum);                                                     \
        }                                                                                              \
        for (; i < count; ++i)                                                                         \
            for (size_t j = 0; j < COUNT; ++j) out[r + i] += from[j * height + i] * in[c + j];         \
    } while (0)

#define GEMV(T)                                                                                        \
    do {                                                                                               \
        enum { LANES = VECTOR_BYTES / sizeof(T), TILE = TILE_BYTES / sizeof(T) };                      \
        typedef T vector_t __attribute__((vector_size(VECTOR_BYTES)));                                 \
        typedef T loose_t __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(T)), may_alias));   \
        const T *a = A, *in = x;                                                                       \
        T *out = y;                                                                                    \
        size_t r = first;                                                                              \
        if (layout == GEMV_ROW) {                                                                      \
            for (; r + ROWS <= end; r += ROWS) ROWS_AT(T, ROWS);                                       \
            for (; r < end; ++r) ROWS_AT(T, 1);                                                        \
            return;                                                                                    \
        }                                                                                              \
        for (; r < end; r += TILE) {                                                                   \
            const size_t count = r + TILE < end ? TILE : end - r;                                      \
            size_t c = 0;                                                                              \
            memset(&out[r], 0, count * sizeof *out);                                                   \
            for (; c + COLUMNS <= cols; c += COLUMNS) COLUMNS_AT(T, COLUMNS);                          \
            for (; c < cols; ++c) COLUMNS_AT(T, 1);                                                    \
        }                                                                                              \
    } while (0)

void gemv_simd_rows(dtype_t dtype, gemv_layout_t layout, size_t first, size_t end, size_t height, size_t cols,
                    const void *A, const void *x, void *y)
{
    if (dtype == DTYPE_F64) GEMV(double);
    else GEMV(float);
}

void gemv_cpu_simd(GEMV_CPU_ARGS) { gemv_simd_rows(dtype, layout, 0, rows, rows, cols, A, x, y); }
