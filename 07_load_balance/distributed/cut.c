/* cut.c - see cut.h */
#include "cut.h"

void cut_even(int64_t n, int parts, int64_t *first)
{
    for (int p = 0; p <= parts; ++p) first[p] = n / parts * p + (p < n % parts ? p : n % parts);
}

/* The last row r of from .. rows with row_offsets[r] <= nnz; `from` itself if there is none. */
static int64_t last_within(const int64_t *row_offsets, int64_t from, int64_t rows, int64_t nnz)
{
    int64_t low = from, high = rows;
    while (low < high) {
        const int64_t middle = low + (high - low + 1) / 2;
        if (row_offsets[middle] <= nnz) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* Article S4.  A part should get nnz / parts nonzeros, but rows do not end exactly there.  If every part stopped before
 * the row that crosses this limit, the last part would get all remainders; if every part took it, the last would get
 * nothing.  So parts 0, 2, 4 ... take the row that crosses, and parts 1, 3, 5 ... leave it to the next part. */
static void cut_alternately(const int64_t *row_offsets, int64_t rows, int parts, int64_t *first)
{
    const int64_t share = row_offsets[rows] / parts;
    first[0] = 0;
    for (int p = 0; p + 1 < parts; ++p) {
        const int64_t want = row_offsets[first[p]] + share;
        int64_t end = last_within(row_offsets, first[p], rows, want);
        if (p % 2 == 0 && end < rows && row_offsets[end] < want) ++end;
        first[p + 1] = end;
    }
    first[parts] = rows;
}

/* Returns whether `parts` parts of at most `most` nonzeros can hold all rows; each part takes as many rows as it
 * can. */
static int enough(const int64_t *row_offsets, int64_t rows, int parts, int64_t most)
{
    int64_t row = 0;
    for (int p = 0; p < parts && row < rows; ++p) row = last_within(row_offsets, row, rows, row_offsets[row] + most);
    return row == rows;
}

/* The first row r of 0 .. to with row_offsets[r] >= nnz. */
static int64_t first_from(const int64_t *row_offsets, int64_t to, int64_t nnz)
{
    int64_t low = 0, high = to;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (row_offsets[middle] >= nnz) high = middle;
        else low = middle + 1;
    }
    return low;
}

/* The least maximum, by bisection over it ("chains on chains": Pinar and Aykanat, J. Parallel Distrib. Comput. 64,
 * 2004).  Among the cuts with
 * that maximum it takes borders near p / parts of the nonzeros, so that no part is idle. */
static void cut_best(const int64_t *row_offsets, int64_t rows, int parts, int64_t *first)
{
    const int64_t nnz = row_offsets[rows];
    int64_t low = nnz / parts, high = nnz;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (enough(row_offsets, rows, parts, middle)) high = middle;
        else low = middle + 1;
    }
    /* first[p]: the least row from which parts p .. parts - 1 can hold all remaining rows */
    first[parts] = rows;
    for (int p = parts - 1; p > 0; --p)
        first[p] = first_from(row_offsets, first[p + 1], row_offsets[first[p + 1]] - low);
    first[0] = 0;
    for (int p = 1; p < parts; ++p) {
        const int64_t want = nnz / parts * p + nnz % parts * p / parts;
        const int64_t reach = last_within(row_offsets, first[p - 1], rows, row_offsets[first[p - 1]] + low);
        int64_t near = first_from(row_offsets, rows, want); /* empty rows at a border go to the right part */
        if (near > 0 && want - row_offsets[near - 1] < row_offsets[near] - want) --near;
        if (near > reach) near = reach;
        if (near > first[p]) first[p] = near;
    }
}

void cut_rows(const int64_t *row_offsets, size_t rows, int parts, dist_cut_t how, int64_t *first)
{
    if (how == DIST_CUT_ROWS || row_offsets[rows] == 0) cut_even((int64_t)rows, parts, first);
    else if (how == DIST_CUT_SOURCE) cut_alternately(row_offsets, (int64_t)rows, parts, first);
    else cut_best(row_offsets, (int64_t)rows, parts, first);
}
