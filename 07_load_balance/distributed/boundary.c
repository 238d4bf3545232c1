/* boundary.c - see boundary.h */
#include "boundary.h"

#include <stdlib.h>

/* The rows for which boundary_make was called. */
typedef struct input {
    int64_t rows;
    const int64_t *row_offsets;
    const int32_t *slots;
    const double *values;
} input_t;

void boundary_free(boundary_rows_t *b)
{
    free(b->slots);
    free(b->diagonals);
    free(b->values);
    *b = (boundary_rows_t){0};
}

int64_t boundary_longest(int64_t rows, const int64_t *row_offsets)
{
    int64_t longest = 0;
    for (int64_t r = 0; r < rows; ++r)
        if (row_offsets[r + 1] - row_offsets[r] > longest) longest = row_offsets[r + 1] - row_offsets[r];
    return longest;
}

/* ---- diagonals ---------------------------------------------------------------------------------- */

/* Returns the start of the diagonal of a nonzero in row i of its group: the diagonal's slot in row 0.  Starts in the
 * rank's own x are negative, so they sort before those in the halo. */
static int32_t start_of(int32_t slot, int32_t i)
{
    return slot < BOUNDARY_NONE ? slot + i - BOUNDARY_GROUP : slot - i + BOUNDARY_GROUP;
}

/* Orders diagonals by column; the slots of the rank's own x fall as the column rises. */
static bool comes_before(int32_t a, int32_t b)
{
    if ((a < 0) != (b < 0)) return a < 0;
    return a < 0 ? a > b : a < b;
}

/* Marks the nonzeros of a row of its group in list, which is sorted.  Returns the length of the list, or
 * BOUNDARY_LONGEST + 1 if it would be longer than allowed or cannot represent the row. */
static int mark(diagonal_t *list, int count, const input_t *in, int64_t row)
{
    const int32_t i = (int32_t)(row % BOUNDARY_GROUP);
    for (int64_t nz = in->row_offsets[row]; nz < in->row_offsets[row + 1]; ++nz) {
        const int32_t start = start_of(in->slots[nz], i);
        int at = 0;
        while (at < count && comes_before(list[at].start, start)) ++at;
        if (at == count || list[at].start != start) {
            if (count == BOUNDARY_LONGEST) return BOUNDARY_LONGEST + 1;
            for (int k = count++; k > at; --k) list[k] = list[k - 1];
            list[at] = (diagonal_t){start, 0};
        }
        if (list[at].rows >> i & 1) return BOUNDARY_LONGEST + 1; /* the row has two nonzeros in one column */
        list[at].rows |= 1u << i;
    }
    return count;
}

/* Finds the diagonals of a group of rows. */
static int group_diagonals(diagonal_t *list, const input_t *in, int64_t group)
{
    int count = 0;
    for (int64_t row = group * BOUNDARY_GROUP; row < in->rows && row < (group + 1) * BOUNDARY_GROUP; ++row) {
        count = mark(list, count, in, row);
        if (count > BOUNDARY_LONGEST) break;
    }
    return count;
}

/* Returns the largest number of diagonals of a group, or BOUNDARY_LONGEST + 1 if a group has too many. */
static int most_diagonals(const input_t *in)
{
    diagonal_t list[BOUNDARY_LONGEST];
    int most = 0;
    for (int64_t g = 0; g < boundary_groups(in->rows) && most <= BOUNDARY_LONGEST; ++g) {
        const int count = group_diagonals(list, in, g);
        if (count > most) most = count;
    }
    return most;
}

/* ---- both --------------------------------------------------------------------------------------- */

static void set_value(void *values, size_t element, int64_t at, double value)
{
    if (element == 8) ((double *)values)[at] = value;
    else ((float *)values)[at] = (float)value;
}

static void fill_diagonals(boundary_rows_t *out, const input_t *in, size_t element)
{
    const int64_t groups = boundary_groups(in->rows);
    diagonal_t list[BOUNDARY_LONGEST];
    for (int64_t g = 0; g < groups; ++g) {
        const int count = group_diagonals(list, in, g);
        for (int k = 0; k < count; ++k) out->diagonals[g + k * groups] = list[k];
        for (int64_t row = g * BOUNDARY_GROUP; row < in->rows && row < (g + 1) * BOUNDARY_GROUP; ++row)
            for (int64_t nz = in->row_offsets[row]; nz < in->row_offsets[row + 1]; ++nz) {
                const int32_t start = start_of(in->slots[nz], (int32_t)(row % BOUNDARY_GROUP));
                int k = 0;
                while (list[k].start != start) ++k;
                set_value(out->values, element, row + k * in->rows, in->values[nz]);
            }
    }
}

static void fill_ell(boundary_rows_t *out, const input_t *in, size_t element)
{
    for (int64_t i = 0; i < out->width * in->rows; ++i) out->slots[i] = BOUNDARY_NONE;
    for (int64_t row = 0; row < in->rows; ++row)
        for (int64_t nz = in->row_offsets[row]; nz < in->row_offsets[row + 1]; ++nz) {
            const int64_t at = row + (nz - in->row_offsets[row]) * in->rows;
            out->slots[at] = in->slots[nz];
            set_value(out->values, element, at, in->values[nz]);
        }
}

int boundary_make(boundary_rows_t *out, int64_t rows, const int64_t *row_offsets, const int32_t *slots,
                  const double *values, size_t element, err_t *err)
{
    const input_t in = {rows, row_offsets, slots, values};
    const int64_t longest = boundary_longest(rows, row_offsets), groups = boundary_groups(rows);
    const int64_t diagonals = most_diagonals(&in);
    const int64_t ell_bytes = longest * rows * (int64_t)(element + sizeof(int32_t));
    const int64_t bytes = diagonals * (rows * (int64_t)element + groups * (int64_t)sizeof(diagonal_t));
    const bool by_diagonals = diagonals <= BOUNDARY_LONGEST && bytes < ell_bytes;
    *out = (boundary_rows_t){.width = (int32_t)(by_diagonals ? diagonals : longest)};
    const size_t places = (size_t)(out->width * rows);
    out->values = calloc(places + 1, element);
    if (by_diagonals) out->diagonals = calloc((size_t)(out->width * groups) + 1, sizeof *out->diagonals);
    else out->slots = malloc((places + 1) * sizeof *out->slots);
    if (!out->values || (!out->diagonals && !out->slots)) {
        boundary_free(out);
        return err_set(err, "out of memory for %zu nonzeros of the boundary", places);
    }
    if (by_diagonals) fill_diagonals(out, &in, element);
    else fill_ell(out, &in, element);
    return 0;
}
