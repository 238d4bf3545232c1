/* matrix_of_runs.c - generates matrices with given runs of consecutive columns; see cpu.h */
#include "cpu.h"
#include "rng.h"

enum { PER_ROW = SPMV_SCALAR_RUNS_ROW };

/* Writes the columns of one row, ascending: PER_ROW columns in `runs` runs of equal or random length, with random gaps,
 * all within first .. first + width - 1; width is at least 2 * PER_ROW. */
static void fill_row(int32_t *columns, size_t runs, bool equal, size_t first, size_t width, rng_t *rng)
{
    bool starts[PER_ROW] = {true};
    for (size_t cuts = 1; cuts < runs; ++cuts) {
        size_t at = cuts * PER_ROW / runs;
        while (!equal && starts[at = rng_below(rng, PER_ROW)]) continue;
        starts[at] = true;
    }
    size_t column = first, spare = width - PER_ROW - runs, left = runs;
    for (size_t k = 0; k < PER_ROW; ++k) {
        if (starts[k]) {
            size_t gap = rng_below(rng, 2 * spare / (left + 1) + 1); /* the mean is the gap of an even spread */
            if (gap > spare) gap = spare;
            spare -= gap;
            --left;
            column += gap + (k > 0); /* at least 1, else the runs would join */
        }
        columns[k] = (int32_t)column++;
    }
}

csr_t *spmv_scalar_matrix_of_runs(size_t rows, const size_t runs[2], bool equal, size_t width, uint64_t seed,
                                  err_t *err)
{
    csr_t *A = csr_alloc(rows, rows, rows * PER_ROW);
    if (!A) return err_null(err, "out of memory");
    for (size_t r = 0; r < rows; ++r) {
        rng_t rng = rng_stream(seed, 4, r);
        const size_t middle = r > width / 2 ? r - width / 2 : 0, last = rows - width;
        fill_row(A->col_indices + r * PER_ROW, runs[r >= rows / 2], equal, middle < last ? middle : last, width, &rng);
        for (size_t k = 0; k < PER_ROW; ++k) A->values[r * PER_ROW + k] = rng_value(&rng);
        A->row_offsets[r + 1] = (int64_t)((r + 1) * PER_ROW);
    }
    return A;
}
