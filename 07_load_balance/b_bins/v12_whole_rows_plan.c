/* v12_whole_rows_plan.c - the stretches, cut on the host: a row begins one where the last has no room for it. */
#include "v12_whole_rows_plan.h"

unsigned cut_stretches(const csr_t *A, unsigned *first)
{
    unsigned count = 0;
    for (unsigned row = 0; row < A->rows; ++row) {
        const unsigned start = count > 0 ? first[count - 1] : 0;
        const bool full = row - start == MOST_ROWS || A->row_offsets[row + 1] - A->row_offsets[start] > STREAMED;
        if (row == 0 || full) first[count++] = row;
    }
    first[count] = (unsigned)A->rows;
    return count;
}
