/* merge_path.c - v17's path through a matrix, on the host: for the picture, and for the test of the search. */
#include "load_balance.h"

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

void merge_path_write(const csr_t *A, size_t tile, FILE *f)
{
    const size_t steps = A->rows + A->nnz;
    fprintf(f, "step\trows_ended\tnonzeros_taken\ttile\tborder\n");
    for (size_t step = 0; step <= steps; ++step) {
        const size_t row = merge_path_row(A, step);
        fprintf(f, "%zu\t%zu\t%zu\t%zu\t%d\n", step, row, step - row, step / tile, step % tile == 0 || step == steps);
    }
}
