/* v12_whole_rows.c - the stretches, cut on the host: rows are taken as long as there is room, one at least. */
#include "v12_whole_rows.h"

unsigned cut_stretches(const csr_t *A, unsigned *first)
{
    unsigned count = 0;
    size_t end;
    for (size_t row = 0; row < A->rows; row = end) {
        first[count++] = (unsigned)row;
        end = row + 1;
        while (end < A->rows && end - row < MOST_ROWS && A->row_offsets[end + 1] - A->row_offsets[row] <= STREAMED) ++end;
    }
    first[count] = (unsigned)A->rows;
    return count;
}
