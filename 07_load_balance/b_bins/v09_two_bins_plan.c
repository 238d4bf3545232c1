/* v09_two_bins_plan.c - the rows of some length, ascending, listed on the host; how many there are. */
#include "v09_two_bins_plan.h"

unsigned rows_of_length(const csr_t *A, int64_t least, int64_t most, unsigned *list)
{
    unsigned count = 0;
    for (size_t row = 0; row < A->rows; ++row) {
        const int64_t length = A->row_offsets[row + 1] - A->row_offsets[row];
        if (least <= length && length <= most) list[count++] = (unsigned)row;
    }
    return count;
}
