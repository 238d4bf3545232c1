/* merge_path.c - prints the merge path of v15 to v17 step by step, for the picture. */
#include "load_balance.h"

void merge_path_write(const csr_t *A, size_t tile, FILE *f)
{
    const size_t steps = A->rows + A->nnz;
    fprintf(f, "step\trows_ended\tnonzeros_taken\ttile\tborder\n");
    for (size_t step = 0; merge_path_row && step <= steps; ++step) {
        const size_t row = merge_path_row(A, step);
        fprintf(f, "%zu\t%zu\t%zu\t%zu\t%d\n", step, row, step - row, step / tile, step % tile == 0 || step == steps);
    }
}
