/*
 * matgen_family.c - matrices with the structure of other fields, to test libspmv's rule on matrices that it was not
 * trained on: bands that are not full, linear programs, blocks of finite elements, diagonals far apart, dense blocks, a
 * hypercube, and any recipe transposed, scrambled or symmetric.
 */
#include <stdlib.h>

#include "hostmem.h"
#include "matgen_impl.h"

csr_t *matgen_scattered(const uint64_t *n, uint64_t seed, err_t *err)
{
    const size_t N = n[0], width = n[1] < N ? n[1] : N, per_row = n[2];
    if (per_row > width)
        return err_null(err, "scattered: %zu entries per row do not fit in %zu columns", per_row, width);
    csr_t *A = matgen_alloc(N, N, N * per_row, err);
    for (size_t r = 0; A && r < N; ++r) {
        rng_t rng = rng_stream(seed, FOR_COLUMNS, r);
        const size_t middle = r > width / 2 ? r - width / 2 : 0, first = middle < N - width ? middle : N - width;
        A->row_offsets[r + 1] = A->row_offsets[r] + (int64_t)per_row;
        matgen_sample(A->col_indices + A->row_offsets[r], per_row, (int32_t)first, width, &rng);
    }
    if (A) matgen_random_values(A, seed);
    return A;
}

csr_t *matgen_program(const uint64_t *n, uint64_t seed, err_t *err)
{
    enum { SHORTEST = 2, LONGEST = 6, LEAST_COLS = 4 * LONGEST };
    const size_t rows = n[0], cols = n[1], heavy = n[2] < rows ? n[2] : rows;
    if (cols < LEAST_COLS && rows) return err_null(err, "program: C must be at least %d", LEAST_COLS);
    int32_t *lengths = matgen_array(rows, sizeof *lengths, err);
    run_t *runs = lengths ? matgen_array(cols / 4 + LONGEST, sizeof *runs, err) : NULL;
    csr_t *A = NULL;
    if (runs) {
        for (size_t r = 0; r < rows; ++r) {
            rng_t rng = rng_stream(seed, FOR_LENGTHS, r);
            lengths[r] = SHORTEST + (int32_t)rng_below(&rng, LONGEST - SHORTEST + 1);
        }
        for (size_t k = 0; k < heavy; ++k) lengths[k * rows / heavy] = (int32_t)(cols / 4);
        A = matgen_alloc_rows(rows, cols, lengths, err);
    }
    for (size_t r = 0; A && r < rows; ++r) {
        rng_t rng = rng_stream(seed, FOR_COLUMNS, r);
        for (int32_t k = 0; k < lengths[r]; ++k) runs[k] = (run_t){(int32_t)rng_below(&rng, cols), 1};
        matgen_place_runs(A->col_indices + A->row_offsets[r], runs, (size_t)lengths[r], (int32_t)cols);
    }
    if (A) matgen_random_values(A, seed);
    free(lengths);
    free(runs);
    return A;
}

/* Returns the number of unknowns of a node: `all`, or, if that is 0, a random number from 1 to 6. */
static size_t unknowns(size_t node, uint64_t all, uint64_t seed)
{
    rng_t rng = rng_stream(seed, FOR_GROUP_LENGTHS, node);
    return all ? all : 1 + rng_below(&rng, 6);
}

/* Lists the nodes with which a node shares elements, including itself, ascending: within 2 `neighbours` on each
 * side. */
static size_t linked(size_t node, size_t nodes, size_t neighbours, uint64_t seed, int32_t *link)
{
    const size_t window = 4 * neighbours < nodes ? 4 * neighbours : nodes;
    const size_t middle = node > window / 2 ? node - window / 2 : 0;
    const size_t first = middle < nodes - window ? middle : nodes - window;
    const size_t count = neighbours < window ? neighbours : window;
    rng_t rng = rng_stream(seed, FOR_COLUMNS, node);
    matgen_sample(link, count, (int32_t)first, window, &rng);
    return count;
}

csr_t *matgen_elements(const uint64_t *n, uint64_t seed, err_t *err)
{
    const size_t nodes = n[0], neighbours = n[2] ? n[2] : 1;
    size_t *first = matgen_array(nodes, sizeof *first, err); /* the first unknown of each node */
    int32_t *link = first ? matgen_array(neighbours, sizeof *link, err) : NULL, *lengths = NULL;
    csr_t *A = NULL;
    if (link) {
        for (size_t i = 0; i < nodes; ++i) first[i + 1] = first[i] + unknowns(i, n[1], seed);
        if (first[nodes] <= INT32_MAX) lengths = matgen_array(first[nodes], sizeof *lengths, err);
        else err_set(err, "elements: %zu unknowns are too many for 32-bit indices", first[nodes]);
    }
    for (size_t i = 0; lengths && i < nodes; ++i) {
        const size_t count = linked(i, nodes, neighbours, seed, link);
        for (size_t r = first[i]; r < first[i + 1]; ++r)
            for (size_t k = 0; k < count; ++k) lengths[r] += (int32_t)(first[link[k] + 1] - first[link[k]]);
    }
    if (lengths) A = matgen_alloc_rows(first[nodes], first[nodes], lengths, err);
    for (size_t i = 0; A && i < nodes; ++i) {
        const size_t count = linked(i, nodes, neighbours, seed, link);
        for (size_t r = first[i]; r < first[i + 1]; ++r) {
            int32_t *to = A->col_indices + A->row_offsets[r];
            for (size_t k = 0; k < count; ++k)
                for (size_t c = first[link[k]]; c < first[link[k] + 1]; ++c) *to++ = (int32_t)c;
        }
    }
    if (A) matgen_random_values(A, seed);
    free(first);
    free(link);
    free(lengths);
    return A;
}

/* ---- matrices of one shape ---------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

csr_t *matgen_diagonals(const uint64_t *n, uint64_t seed, err_t *err)
{
    const size_t N = n[0], span = N < 2 ? N : N / 2, count = n[1] < span ? n[1] : span;
    const uint64_t percent = n[2];
    if (percent > 100) return err_null(err, "diagonals: PERCENT is at most 100");
    int32_t *below = matgen_array(count, sizeof *below, err);
    csr_t *A = below ? matgen_alloc(N, N, N * count, err) : NULL;
    rng_t places = rng_stream(seed, FOR_GROUP_LENGTHS, 0);
    if (A) matgen_sample(below, count, 0, span, &places);
    int64_t to = 0;
    for (size_t r = 0; A && r < N; ++r) {
        rng_t rng = rng_stream(seed, FOR_COLUMNS, r);
        for (size_t k = 0; k < count; ++k) { /* from span / 2 to the left to span / 2 to the right */
            const int64_t column = (int64_t)r + below[k] - below[count / 2];
            if (column < 0 || column >= (int64_t)N) continue;
            if (k == count / 2 || rng_below(&rng, 100) < percent) A->col_indices[to++] = (int32_t)column;
        }
        A->row_offsets[r + 1] = to;
    }
    if (A) A->nnz = (size_t)to; /* the end of the arrays is unused */
    if (A) matgen_random_values(A, seed);
    free(below);
    return A;
}

csr_t *matgen_blocks(const uint64_t *n, uint64_t seed, err_t *err)
{
    const size_t size = n[1], count = size ? n[0] / size : 0, N = count * size;
    const size_t per_row = n[2] < count ? n[2] : count;
    if (size == 0 && n[0]) return err_null(err, "blocks: SIZE must be at least 1");
    int32_t *block = matgen_array(per_row, sizeof *block, err);
    run_t *runs = block ? matgen_array(per_row, sizeof *runs, err) : NULL;
    csr_t *A = runs ? matgen_alloc(N, N, N * per_row * size, err) : NULL;
    int64_t to = 0;
    for (size_t b = 0; A && b < count; ++b) {
        rng_t rng = rng_stream(seed, FOR_COLUMNS, b);
        for (size_t k = 0; k < per_row; ++k) runs[k] = (run_t){(int32_t)(k ? rng_below(&rng, count) : b), 1};
        matgen_place_runs(block, runs, per_row, (int32_t)count);
        for (size_t r = b * size; r < (b + 1) * size; ++r) {
            for (size_t k = 0; k < per_row; ++k)
                for (size_t c = 0; c < size; ++c) A->col_indices[to++] = block[k] * (int32_t)size + (int32_t)c;
            A->row_offsets[r + 1] = to;
        }
    }
    if (A) matgen_random_values(A, seed);
    free(block);
    free(runs);
    return A;
}

csr_t *matgen_hypercube(const uint64_t *n, uint64_t seed, err_t *err)
{
    const unsigned scale = (unsigned)n[0];
    if (n[0] > 26) return err_null(err, "hypercube: SCALE is at most 26");
    const size_t nodes = (size_t)1 << scale;
    csr_t *A = matgen_alloc(nodes, nodes, nodes * (scale + 1), err);
    for (size_t r = 0; A && r < nodes; ++r) {
        int32_t *to = A->col_indices + r * (scale + 1);
        to[scale] = (int32_t)r;
        for (unsigned bit = 0; bit < scale; ++bit) to[bit] = (int32_t)(r ^ (size_t)1 << bit);
        qsort(to, scale + 1, sizeof *to, ascending);
        A->row_offsets[r + 1] = (int64_t)((r + 1) * (scale + 1));
    }
    if (A) matgen_random_values(A, seed);
    return A;
}

/* ---- recipes made from another matrix --------------------------------------------------- */

/* Makes a random permutation of 0 .. count - 1. */
static void permute(int32_t *order, size_t count, rng_t *rng)
{
    for (size_t i = 0; i < count; ++i) order[i] = (int32_t)i;
    matgen_shuffle(order, count, rng);
}

csr_t *matgen_transposed(csr_t *A, err_t *err)
{
    const bool fits = A && !hostmem_fits(hostmem_csr((double)A->cols, (double)A->nnz), "the transpose", err);
    csr_t *T = fits ? csr_transpose(A) : NULL;
    if (fits && !T) err_set(err, "out of memory for the transpose");
    csr_free(A);
    return T;
}

/* Renumbers rows and columns by the same permutation, as far as there are both. */
csr_t *matgen_scrambled(csr_t *A, uint64_t seed, err_t *err)
{
    if (!A) return NULL;
    const size_t most = A->rows > A->cols ? A->rows : A->cols;
    int32_t *order = matgen_array(most, sizeof *order, err);
    int32_t *rows = order ? matgen_array(A->nnz, sizeof *rows, err) : NULL;
    int32_t *cols = rows ? matgen_array(A->nnz, sizeof *cols, err) : NULL;
    csr_t *B = NULL;
    if (cols) {
        rng_t rng = rng_stream(seed, FOR_ROUNDING, 1);
        permute(order, A->rows, &rng);
        for (size_t r = 0; r < A->rows; ++r)
            for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) rows[nz] = order[r];
        if (A->cols != A->rows) permute(order, A->cols, &rng);
        for (size_t nz = 0; nz < A->nnz; ++nz) cols[nz] = order[A->col_indices[nz]];
        B = csr_from_triplets(A->rows, A->cols, A->nnz, rows, cols, A->values, err);
    }
    free(order);
    free(rows);
    free(cols);
    csr_free(A);
    return B;
}

/* Draws a value from a stream of the pair (i, j), which is the same for (j, i). */
csr_t *matgen_symmetric(csr_t *A, uint64_t seed)
{
    for (size_t r = 0; A && r < A->rows; ++r)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
            const uint64_t c = (uint64_t)A->col_indices[nz], low = r < c ? r : c, high = r < c ? c : r;
            rng_t rng = rng_stream(seed, FOR_VALUES, high << 32 | low);
            A->values[nz] = rng_value(&rng);
        }
    return A;
}
