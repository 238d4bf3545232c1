/*
 * matgen_fields.c - matrices with the structure that other fields have: triangles, elasticity, convolution, tomography,
 * small worlds, hypergraphs, LP by stages, de Bruijn graphs, bags of words, power flow, contact zones.
 *
 * A recipe here is a function that lists the columns of one row, in any order; columns listed twice or out of range
 * are dropped.  It draws from the stream of its row and is called twice: to count, and to write.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hostmem.h"
#include "matgen_impl.h"

typedef struct shape {
    size_t rows, cols, most; /* most: the largest number of columns that a row lists */
    uint64_t n[3], seed;
    double nnz; /* the largest number of nonzeros of the matrix; 0: rows * most */
} shape_t;

/* Lists the columns of row r in to[0 .. most - 1]; returns their number. */
typedef size_t (*list_t)(const shape_t *s, int64_t r, rng_t *rng, int64_t *to);

static int ascending(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p > q) - (p < q);
}

/* Sorts the columns, and drops duplicates and columns out of range. */
static size_t tidy(int64_t *columns, size_t count, size_t cols)
{
    size_t kept = 0;
    qsort(columns, count, sizeof *columns, ascending);
    for (size_t i = 0; i < count; ++i)
        if (columns[i] >= 0 && columns[i] < (int64_t)cols && (kept == 0 || columns[i] != columns[kept - 1]))
            columns[kept++] = columns[i];
    return kept;
}

static csr_t *by_rows(const shape_t *s, list_t list, err_t *err)
{
    const double nnz = s->nnz != 0 ? s->nnz : (double)s->rows * (double)s->most;
    char what[128];
    snprintf(what, sizeof what, "a matrix of %zu rows and %.0f nonzeros", s->rows, nnz);
    if (s->rows > INT32_MAX || s->cols > INT32_MAX)
        return err_null(err, "%zu x %zu is too large for 32-bit indices", s->rows, s->cols);
    if (hostmem_fits(hostmem_csr((double)s->rows, nnz) + 4 * (double)s->rows, what, err)) return NULL;
    int64_t *columns = matgen_array(s->most, sizeof *columns, err);
    int32_t *lengths = columns ? matgen_array(s->rows, sizeof *lengths, err) : NULL;
    csr_t *A = NULL;
    if (lengths) {
        for (size_t r = 0; r < s->rows; ++r) {
            rng_t rng = rng_stream(s->seed, FOR_COLUMNS, r);
            lengths[r] = (int32_t)tidy(columns, list(s, (int64_t)r, &rng, columns), s->cols);
        }
        A = matgen_alloc_rows(s->rows, s->cols, lengths, err);
    }
    for (size_t r = 0; A && r < s->rows; ++r) {
        rng_t rng = rng_stream(s->seed, FOR_COLUMNS, r);
        const size_t count = tidy(columns, list(s, (int64_t)r, &rng, columns), s->cols);
        for (size_t k = 0; k < count; ++k) A->col_indices[A->row_offsets[r] + (int64_t)k] = (int32_t)columns[k];
    }
    if (A) matgen_random_values(A, s->seed);
    free(columns);
    free(lengths);
    return A;
}

static int64_t draw(rng_t *rng, size_t below) { return below ? (int64_t)rng_below(rng, below) : 0; }

/* ---- the rows of each recipe ------------------------------------------------------------------- */

static size_t list_triangle(const shape_t *s, int64_t r, rng_t *rng, int64_t *to)
{
    size_t count = 0;
    (void)rng;
    for (int64_t c = r < (int64_t)s->n[1] ? 0 : r - (int64_t)s->n[1]; c <= r; ++c) to[count++] = c;
    return count;
}

csr_t *matgen_triangle(const uint64_t *n, uint64_t seed, err_t *err)
{
    const size_t most = n[1] < n[0] ? n[1] + 1 : n[0];
    const shape_t s = {n[0], n[0], most, {n[0], n[1], 0}, seed, 0};
    return by_rows(&s, list_triangle, err);
}

/* If BY_FIELD is not 0, unknown d of a point has the number d * points + point. */
static size_t list_elasticity(const shape_t *s, int64_t r, rng_t *rng, int64_t *to)
{
    const int64_t side = (int64_t)s->n[0], dof = (int64_t)s->n[1], points = side * side * side;
    const bool by_field = s->n[2] != 0;
    const int64_t p = by_field ? r % points : r / dof, x = p % side, y = p / side % side, z = p / side / side;
    size_t count = 0;
    (void)rng;
    for (int64_t k = z - 1; k <= z + 1; ++k)
        for (int64_t j = y - 1; j <= y + 1; ++j)
            for (int64_t i = x - 1; i <= x + 1; ++i)
                for (int64_t d = 0; d < dof; ++d) {
                    const int64_t q = i + side * (j + side * k);
                    const bool there = i >= 0 && i < side && j >= 0 && j < side && k >= 0 && k < side;
                    to[count++] = !there ? -1 : by_field ? d * points + q : q * dof + d;
                }
    return count;
}

csr_t *matgen_elasticity(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[0] > 1000 || n[1] > 64)
        return err_null(err, "elasticity: SIDE is %llu, DOF is %llu; SIDE must be at most 1000, DOF at most 64",
                        (unsigned long long)n[0], (unsigned long long)n[1]);
    const size_t unknowns = n[0] * n[0] * n[0] * n[1];
    const shape_t s = {unknowns, unknowns, 27 * n[1], {n[0], n[1], n[2]}, seed, 0};
    return by_rows(&s, list_elasticity, err);
}

static size_t list_convolution(const shape_t *s, int64_t r, rng_t *rng, int64_t *to)
{
    const int64_t nx = (int64_t)s->n[0], ny = (int64_t)s->n[1], k = (int64_t)s->n[2], x = r % nx, y = r / nx;
    size_t count = 0;
    (void)rng;
    for (int64_t j = y - k / 2; j < y - k / 2 + k; ++j)
        for (int64_t i = x - k / 2; i < x - k / 2 + k; ++i)
            to[count++] = i >= 0 && i < nx && j >= 0 && j < ny ? i + nx * j : -1;
    return count;
}

csr_t *matgen_convolution(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[2] > 1000) return err_null(err, "convolution: K is at most 1000");
    const shape_t s = {n[0] * n[1], n[0] * n[1], n[2] * n[2], {n[0], n[1], n[2]}, seed, 0};
    return by_rows(&s, list_convolution, err);
}

/* A ray through an image of SIDE x SIDE points, with SIDE rays for each angle.  It has one point per step along x, or,
 * for the second half of the angles, along y. */
static size_t list_tomography(const shape_t *s, int64_t r, rng_t *rng, int64_t *to)
{
    const int64_t side = (int64_t)s->n[0], half = ((int64_t)s->n[1] + 1) / 2, angle = r / side;
    (void)rng;
    for (int64_t t = 0; t < side; ++t) {
        const int64_t across = r % side + (t - side / 2) * (2 * (angle % half) - half) / half;
        to[t] = across < 0 || across >= side ? -1 : angle < half ? t + side * across : across + side * t;
    }
    return (size_t)side;
}

csr_t *matgen_tomography(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[0] > 40000) return err_null(err, "tomography: SIDE is at most 40000");
    const shape_t s = {n[0] * n[1], n[0] * n[0], n[0], {n[0], n[1], 0}, seed, 0};
    return by_rows(&s, list_tomography, err);
}

/* D. Watts, S. Strogatz, Collective dynamics of small-world networks, Nature 393 (1998): a ring in which PERCENT of
 * the links end anywhere. */
static size_t list_small_world(const shape_t *s, int64_t r, rng_t *rng, int64_t *to)
{
    const int64_t n = (int64_t)s->rows, k = (int64_t)s->n[1];
    size_t count = 0;
    for (int64_t d = -k; d <= k; ++d) {
        const bool anywhere = d && rng_below(rng, 100) < s->n[2];
        to[count++] = anywhere ? draw(rng, s->rows) : ((r + d) % n + n) % n;
    }
    return count;
}

csr_t *matgen_small_world(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[1] > 10000) return err_null(err, "small_world: K is at most 10000");
    const shape_t s = {n[0], n[0], 2 * n[1] + 1, {n[0], n[1], n[2]}, seed, 0};
    return by_rows(&s, list_small_world, err);
}

/* Lists the pins of a net: four of ten nets have 2 pins, the others up to 65; three of four pins are near. */
static size_t list_hypergraph(const shape_t *s, int64_t r, rng_t *rng, int64_t *to)
{
    const int64_t home = (int64_t)((double)r * (double)s->cols / (double)s->rows);
    const size_t pins = 2 + (rng_below(rng, 10) < 4 ? 0 : (size_t)draw(rng, (size_t)1 << (1 + draw(rng, 6))));
    for (size_t k = 0; k < pins; ++k)
        to[k] = rng_below(rng, 4) ? home + draw(rng, 4 * s->n[2] + 1) - 2 * (int64_t)s->n[2] : draw(rng, s->cols);
    return pins;
}

csr_t *matgen_hypergraph(const uint64_t *n, uint64_t seed, err_t *err)
{
    const shape_t s = {n[0], n[1], 66, {n[0], n[1], n[2] < 1 << 28 ? n[2] : 1 << 28}, seed, 0};
    return by_rows(&s, list_hypergraph, err);
}

static size_t list_dense_rows(const shape_t *s, int64_t r, rng_t *rng, int64_t *to)
{
    const size_t every = s->n[1] ? s->rows / s->n[1] : 0;
    const bool dense = every && (size_t)r % every == every / 2 && (size_t)r / every < s->n[1];
    const size_t count = dense ? s->cols : s->n[2];
    for (size_t k = 0; k < count; ++k) to[k] = dense ? (int64_t)k : draw(rng, s->cols);
    return count;
}

csr_t *matgen_dense_rows(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[1] > n[0] || n[2] > n[0])
        return err_null(err,
                        "dense_rows: N is %llu, COUNT is %llu, PER_ROW is %llu; COUNT and PER_ROW must be at most N",
                        (unsigned long long)n[0], (unsigned long long)n[1], (unsigned long long)n[2]);
    const double nnz = (double)n[0] * ((double)n[1] + (double)n[2]);
    const shape_t s = {n[0], n[0], n[0], {n[0], n[1], n[2]}, seed, nnz};
    return by_rows(&s, list_dense_rows, err);
}

static size_t list_arrow(const shape_t *s, int64_t r, rng_t *rng, int64_t *to)
{
    const int64_t n = (int64_t)s->rows, size = (int64_t)s->n[1], border = n - (int64_t)s->n[2];
    const int64_t first = r >= border ? 0 : r / size * size;
    const int64_t end = r >= border || first + size > border ? border : first + size;
    size_t count = 0;
    (void)rng;
    for (int64_t c = first; c < end; ++c) to[count++] = c;
    for (int64_t c = border; c < n; ++c) to[count++] = c;
    return count;
}

csr_t *matgen_arrow(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[1] == 0 || n[2] > n[0])
        return err_null(err,
                        "arrow: N is %llu, SIZE is %llu, BORDER is %llu; SIZE must be at least 1, BORDER at most N",
                        (unsigned long long)n[0], (unsigned long long)n[1], (unsigned long long)n[2]);
    const double nnz = (double)n[0] * ((double)n[1] + 2 * (double)n[2]);
    const shape_t s = {n[0], n[0], n[0], {n[0], n[1], n[2]}, seed, nnz};
    return by_rows(&s, list_arrow, err);
}

/* Returns the k-th unknown of constraint i. */
static int64_t bound_by(const shape_t *s, int64_t i, uint64_t k)
{
    rng_t rng = rng_stream(s->seed, FOR_HEAVY_ROWS, (uint64_t)i * s->n[2] + k);
    const int64_t home = (int64_t)((double)i * (double)s->n[0] / (double)s->n[1]);
    return k % 2 ? draw(&rng, s->n[0]) : (home + draw(&rng, 64)) % (int64_t)s->n[0];
}

/* The matrix [H B; C 0] of a quadratic program: H is a band of 5, C the constraints; the rows of B have as many
 * nonzeros as those of C in the mean. */
static size_t list_kkt(const shape_t *s, int64_t r, rng_t *rng, int64_t *to)
{
    const int64_t n = (int64_t)s->n[0];
    size_t count = 0;
    if (r >= n) {
        for (uint64_t k = 0; k < s->n[2]; ++k) to[count++] = bound_by(s, r - n, k);
        return count;
    }
    for (int64_t c = r - 2; c <= r + 2; ++c) to[count++] = c < n ? c : -1;
    const uint64_t share = s->n[2] * s->n[1] / s->n[0];
    for (uint64_t k = 0; k < share; ++k) to[count++] = n + draw(rng, s->n[1]);
    return count;
}

csr_t *matgen_kkt(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[0] == 0 || n[1] == 0 || n[1] > n[0] || n[2] > 1000)
        return err_null(err, "kkt: N is %llu, M is %llu, PER_ROW is %llu; M must be 1 to N, PER_ROW at most 1000",
                        (unsigned long long)n[0], (unsigned long long)n[1], (unsigned long long)n[2]);
    const shape_t s = {n[0] + n[1], n[0] + n[1], n[2] + 5, {n[0], n[1], n[2]}, seed, 0};
    return by_rows(&s, list_kkt, err);
}

/* A linear program by stages of SIZE rows and 2 SIZE columns: a row has a few columns of its stage and of the next. */
static size_t list_staircase(const shape_t *s, int64_t r, rng_t *rng, int64_t *to)
{
    const int64_t size = (int64_t)s->n[1], stage = r / size;
    const uint64_t per_row = r % size ? s->n[2] : 4 * (uint64_t)size; /* one row per stage is full in both stages */
    for (uint64_t k = 0; k < per_row; ++k)
        to[k] = r % size ? (2 * stage + (k % 3 == 0 ? 2 : 0)) * size + draw(rng, 2 * (size_t)size)
                         : 2 * stage * size + (int64_t)k;
    return per_row;
}

csr_t *matgen_staircase(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[1] == 0 || n[2] > 4 * n[1]) return err_null(err, "staircase: SIZE is at least 1, PER_ROW at most 4 SIZE");
    const double nnz = (double)n[0] * (double)n[1] * ((double)n[2] + 4);
    const shape_t s = {n[0] * n[1], 2 * n[0] * n[1], 4 * n[1], {n[0], n[1], n[2]}, seed, nnz};
    return by_rows(&s, list_staircase, err);
}

static size_t list_de_bruijn(const shape_t *s, int64_t r, rng_t *rng, int64_t *to)
{
    (void)rng;
    for (uint64_t k = 0; k < s->n[1]; ++k) to[k] = (int64_t)(((uint64_t)r * s->n[1] + k) % s->rows);
    return s->n[1];
}

csr_t *matgen_de_bruijn(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[1] > 1000) return err_null(err, "de_bruijn: SYMBOLS is at most 1000");
    const shape_t s = {n[0], n[0], n[1], {n[0], n[1], 0}, seed, 0};
    return by_rows(&s, list_de_bruijn, err);
}

/* Documents and their terms, by Zipf's law: the first term, the next 2, the next 4, ... are equally frequent. */
static size_t list_words(const shape_t *s, int64_t r, rng_t *rng, int64_t *to)
{
    const size_t half = s->n[2] / 2, count = half + (size_t)draw(rng, 2 * half + 1);
    size_t octaves = 1;
    (void)r;
    while (s->cols >> octaves) ++octaves;
    for (size_t k = 0; k < count; ++k) {
        const size_t first = (size_t)1 << draw(rng, octaves);
        to[k] = (int64_t)first - 1 + draw(rng, first);
    }
    return count;
}

csr_t *matgen_words(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[2] > n[1]) return err_null(err, "words: PER_DOCUMENT is at most TERMS");
    const shape_t s = {n[0], n[1], 2 * n[2] + 2, {n[0], n[1], n[2]}, seed, 0};
    return by_rows(&s, list_words, err);
}

enum { NEAR = 30 }; /* the largest difference between the numbers of neighbouring buses */

/* Lists the links of a bus to buses with lower numbers: one or two near ones; one bus in eight has a third link
 * anywhere. */
static size_t feeds(const shape_t *s, int64_t bus, int64_t *to)
{
    rng_t rng = rng_stream(s->seed, FOR_GROUP_LENGTHS, (uint64_t)bus);
    size_t count = 0;
    to[count++] = bus - 1 - draw(&rng, 8);
    if (rng_below(&rng, 2)) to[count++] = bus - 1 - draw(&rng, NEAR);
    if (rng_below(&rng, 8) == 0) to[count++] = draw(&rng, (size_t)bus + 1);
    return count;
}

/* The Jacobian of power flow: angles, then voltages; each is linked with the angle and voltage of each neighbour. */
static size_t list_power_flow(const shape_t *s, int64_t r, rng_t *rng, int64_t *to)
{
    const int64_t buses = (int64_t)s->n[0], bus = r % buses;
    size_t count = feeds(s, bus, to);
    (void)rng;
    to[count++] = bus;
    for (int64_t other = bus + 1; other <= bus + NEAR && other < buses; ++other) { /* the buses that it feeds */
        int64_t link[3];
        const size_t links = feeds(s, other, link);
        for (size_t k = 0; k < links; ++k)
            if (link[k] == bus && count < 64) to[count++] = other;
    }
    for (size_t k = 0; k < count; ++k) to[count + k] = to[k] < 0 ? -1 : to[k] + buses;
    return 2 * count;
}

csr_t *matgen_power_flow(const uint64_t *n, uint64_t seed, err_t *err)
{
    const shape_t s = {2 * n[0], 2 * n[0], 128, {n[0], 0, 0}, seed, 0};
    return by_rows(&s, list_power_flow, err);
}

/* A grid of 5-point rows; of every 20 ZONE rows the first ZONE touch PER_ROW others of their zone, too. */
static size_t list_contact(const shape_t *s, int64_t r, rng_t *rng, int64_t *to)
{
    const int64_t side = (int64_t)sqrt((double)s->rows), zone = (int64_t)s->n[1], first = r / (20 * zone) * (20 * zone);
    const int64_t apart[] = {-side, -1, 0, 1, side};
    size_t count = 0;
    for (size_t k = 0; k < 5; ++k) to[count++] = r + apart[k];
    for (uint64_t k = 0; k < s->n[2] && r - first < zone; ++k) to[count++] = first + draw(rng, (size_t)zone);
    return count;
}

csr_t *matgen_contact(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[1] == 0 || n[2] > n[1]) return err_null(err, "contact: ZONE is at least 1, PER_ROW at most ZONE");
    const shape_t s = {n[0], n[0], n[2] + 5, {n[0], n[1], n[2]}, seed, 0};
    return by_rows(&s, list_contact, err);
}
