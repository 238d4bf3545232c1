/* matgen_rows.c - the parts of recipes and like: matrices: lengths that add up, columns in order, values; see
 * matgen_impl.h */
#include <stdio.h>
#include <stdlib.h>

#include "hostmem.h"
#include "matgen_impl.h"

/* ---- room and values ------------------------------------------------------- */

csr_t *matgen_alloc(size_t rows, size_t cols, size_t nnz, err_t *err)
{
    char what[128];
    snprintf(what, sizeof what, "a %zu x %zu matrix of %zu nonzeros", rows, cols, nnz);
    if (hostmem_fits(hostmem_csr((double)rows, (double)nnz), what, err)) return NULL;
    csr_t *A = csr_alloc(rows, cols, nnz);
    if (!A) err_set(err, "out of memory for %s", what);
    return A;
}

void *matgen_array(size_t count, size_t size, err_t *err)
{
    char what[128];
    snprintf(what, sizeof what, "an array of %zu elements of %zu bytes", count, size);
    if (hostmem_fits(((double)count + 1) * (double)size, what, err)) return NULL;
    void *array = calloc(count + 1, size);
    if (!array) err_set(err, "out of memory for %s", what);
    return array;
}

csr_t *matgen_alloc_rows(size_t rows, size_t cols, const int32_t *lengths, err_t *err)
{
    size_t nnz = 0;
    for (size_t r = 0; r < rows; ++r) nnz += (size_t)lengths[r];
    csr_t *A = matgen_alloc(rows, cols, nnz, err);
    if (!A) return NULL;
    for (size_t r = 0; r < rows; ++r) A->row_offsets[r + 1] = A->row_offsets[r] + lengths[r];
    return A;
}

void matgen_random_values(csr_t *A, uint64_t seed)
{
    for (size_t r = 0; r < A->rows; ++r) {
        rng_t rng = rng_stream(seed, FOR_VALUES, r);
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) A->values[nz] = rng_value(&rng);
    }
}

/* ---- lengths ----------------------------------------------------------------- */

/* Adds step to lengths[first .. first + count) if every row of the group allows it. */
static int step_group(int32_t *lengths, size_t first, size_t count, int32_t step, size_t cols)
{
    for (size_t r = first; r < first + count; ++r) {
        int64_t next = (int64_t)lengths[r] + step;
        if (lengths[r] == 0 || next < 1 || next > (int64_t)cols) return 0;
    }
    for (size_t r = first; r < first + count; ++r) lengths[r] += step;
    return 1;
}

/* Visits every group of `group` rows once in a pseudo-random order; returns the number of
 * nonzeros that are then still missing (negative: too many). */
static int64_t sweep(int32_t *lengths, size_t rows, size_t cols, int64_t missing, size_t group, int32_t unit,
                     uint64_t seed)
{
    size_t groups = rows / group;
    int64_t weight = (int64_t)group * unit;
    rng_t rng = rng_stream(seed, FOR_LENGTHS, UINT64_MAX);
    for (size_t k = 0; k < 2 * groups && llabs(missing) >= weight; ++k) {
        /* first random groups, so that the changes do not cluster; then all groups */
        size_t g = k < groups ? (size_t)rng_below(&rng, groups) : k - groups;
        int32_t step = missing > 0 ? unit : -unit;
        if (step_group(lengths, g * group, group, step, cols)) missing -= step * (int64_t)group;
    }
    return missing;
}

int matgen_fit_lengths(int32_t *lengths, size_t rows, size_t cols, size_t nnz, size_t group, int32_t unit,
                       uint64_t seed)
{
    if ((double)nnz > (double)rows * (double)cols) return -1;
    int64_t missing = (int64_t)nnz;
    for (size_t r = 0; r < rows; ++r) missing -= lengths[r];
    for (int64_t before = 0; missing != before;) {
        before = missing;
        missing = sweep(lengths, rows, cols, missing, group, unit, seed++);
    }
    for (int64_t before = 0; missing != before;) {
        before = missing;
        missing = sweep(lengths, rows, cols, missing, 1, 1, seed++);
    }
    for (size_t r = 0; r < rows && missing > 0; ++r) { /* the other rows are full: now use the empty ones */
        int64_t room = (int64_t)cols - lengths[r], more = room < missing ? room : missing;
        lengths[r] += (int32_t)more;
        missing -= more;
    }
    for (size_t r = 0; r < rows && missing < 0; ++r) {
        int64_t less = lengths[r] < -missing ? lengths[r] : -missing;
        lengths[r] -= (int32_t)less;
        missing += less;
    }
    return 0;
}

/* ---- columns ----------------------------------------------------------------- */

/* Selection sampling (Knuth, TAOCP 2, 3.4.2, algorithm S). */
void matgen_sample(int32_t *columns, size_t count, int32_t first, size_t width, rng_t *rng)
{
    size_t taken = 0;
    for (size_t k = 0; taken < count; ++k)
        if (rng_below(rng, width - k) < count - taken) columns[taken++] = first + (int32_t)k;
}

/* Fisher and Yates. */
void matgen_shuffle(int32_t *numbers, size_t count, rng_t *rng)
{
    for (size_t i = count; i-- > 1;) {
        const size_t other = (size_t)rng_below(rng, i + 1);
        const int32_t swap = numbers[i];
        numbers[i] = numbers[other];
        numbers[other] = swap;
    }
}

/* Shell sort by first column, Ciura's gaps: no workspace, fast on the short and
 * half-sorted lists of a row. */
static void sort_runs(run_t *runs, size_t count)
{
    static const size_t GAPS[] = {1391376, 463792, 154597, 51532, 17177, 5724, 1908, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof GAPS / sizeof *GAPS; ++g) {
        size_t gap = GAPS[g];
        for (size_t i = gap; i < count; ++i) {
            run_t run = runs[i];
            size_t k = i;
            for (; k >= gap && runs[k - gap].first > run.first; k -= gap) runs[k] = runs[k - gap];
            runs[k] = run;
        }
    }
}

void matgen_place_runs(int32_t *columns, run_t *runs, size_t count, int32_t cols)
{
    sort_runs(runs, count);
    int64_t free_from = 0;
    for (size_t i = 0; i < count; ++i) { /* move overlapping runs to the right */
        if (runs[i].first < free_from) runs[i].first = (int32_t)(free_from < cols ? free_from : cols);
        free_from = (int64_t)runs[i].first + runs[i].len;
    }
    int32_t free_to = cols;
    for (size_t i = count; i-- > 0;) { /* move runs that now end after the last column back to the left */
        if (runs[i].first <= free_to - runs[i].len) break;
        free_to = runs[i].first = free_to - runs[i].len;
    }
    for (size_t i = 0; i < count; ++i)
        for (int32_t k = 0; k < runs[i].len; ++k) *columns++ = runs[i].first + k;
}
