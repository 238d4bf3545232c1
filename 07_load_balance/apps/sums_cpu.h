/* sums_cpu.h - sums.h on the CPU: rows in pieces, a sum or two for each piece, then those in order. */
#ifndef APPS_SUMS_CPU_H
#define APPS_SUMS_CPU_H

#include "sums.h"

/* Rows of a piece; there are SUM_BLOCKS pieces at most. */
static inline size_t sum_piece(size_t rows)
{
    const size_t least = 4096, piece = (rows + SUM_BLOCKS - 1) / SUM_BLOCKS;
    return piece < least ? least : piece;
}

/* Piece i of the rows v has, and `row` in it; each piece leaves its two sums in partial[2 * i] and [2 * i + 1]. */
#define PIECES(v) \
    const size_t piece = sum_piece((v)->rows), pieces = ((v)->rows + piece - 1) / piece; \
    _Pragma("omp parallel for schedule(static)") for (size_t i = 0; i < pieces; ++i)
#define ROWS(v) (size_t row = i * piece; row < (i + 1) * piece && row < (v)->rows; ++row)

static inline void sum_pieces(const double *partial, size_t pieces, double *first, double *second)
{
    *first = *second = 0;
    for (size_t i = 0; i < pieces; ++i) *first += partial[2 * i], *second += partial[2 * i + 1];
}
#endif
