/* v15_merge_tiles_plan.c - the merge path on the host: how many rows have ended after so many steps. */
#include "../plan/plan.h"

size_t merge_path_row(const csr_t *A, size_t step);

size_t merge_path_row(const csr_t *A, size_t step)
{
    size_t least = step > A->nnz ? step - A->nnz : 0, most = step < A->rows ? step : A->rows;
    while (least < most) {
        const size_t middle = (least + most) / 2;
        if ((size_t)A->row_offsets[middle + 1] + middle < step) least = middle + 1;
        else most = middle;
    }
    return least;
}
