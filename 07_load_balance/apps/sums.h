/* sums.h - how the loops of the applications sum: in blocks, then the blocks in order, so that the same vectors give
 * the same bits for any number of threads.  Sums are in double for all types. */
#ifndef APPS_SUMS_H
#define APPS_SUMS_H

#include <stddef.h>

enum { SUM_BLOCKS = 1024 }; /* at most */

/* The number of rows per piece on the CPU, where each piece has one or two sums, which are added in order.  There are
 * at most SUM_BLOCKS pieces. */
static inline size_t sum_piece(size_t rows)
{
    const size_t least = 4096, piece = (rows + SUM_BLOCKS - 1) / SUM_BLOCKS;
    return piece < least ? least : piece;
}

/* Loops over the pieces of v's rows and the rows in piece i; each piece stores its sums in partial[2 * i] and [2 * i +
 * 1]. */
#define PIECES(v) \
    const size_t piece = sum_piece((v)->rows), pieces = ((v)->rows + piece - 1) / piece; \
    _Pragma("omp parallel for schedule(static)") for (size_t i = 0; i < pieces; ++i)
#define ROWS(v) (size_t row = i * piece; row < (i + 1) * piece && row < (v)->rows; ++row)

/* A loop over vectors on the CPU, by functions of each type, at step k. */
#define SUM_LOOP(vectors_t, name)                              \
    static int name(const vectors_t *v, size_t k, err_t *err) \
    {                                                          \
        (void)err;                                             \
        if (v->type == DTYPE_F64) name##_fp64(v, k);           \
        else name##_fp32(v, k);                                \
        return 0;                                              \
    }

static inline void sum_pieces(const double *partial, size_t pieces, double *first, double *second)
{
    *first = *second = 0;
    for (size_t i = 0; i < pieces; ++i) *first += partial[2 * i], *second += partial[2 * i + 1];
}
#endif
