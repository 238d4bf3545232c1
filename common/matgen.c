/* matgen.c - see matgen.h; the stand-ins are in matgen_like.c */
#include "matgen.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostmem.h"
#include "matgen_impl.h"

/* ---- pieces the recipes are made of -------------------------------------- */

void matgen_vector(double *x, size_t count, uint64_t seed, int exact)
{
    rng_t rng = rng_stream(seed, FOR_VECTOR, 0);
    for (size_t i = 0; i < count; i++) {
        if (exact) {
            int k = (int)rng_below(&rng, 16);
            x[i] = k < 8 ? k - 8 : k - 7;
        } else {
            x[i] = rng_value(&rng);
        }
    }
}

void matgen_random_values(csr_t *A, uint64_t seed)
{
    for (size_t r = 0; r < A->rows; r++) {
        rng_t rng = rng_stream(seed, FOR_VALUES, r);
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; nz++) A->values[nz] = rng_value(&rng);
    }
}

static csr_t *alloc_checked(size_t rows, size_t cols, size_t nnz, err_t *err)
{
    char what[128];
    snprintf(what, sizeof what, "a %zu x %zu matrix of %zu nonzeros", rows, cols, nnz);
    if (hostmem_fits(hostmem_csr((double)rows, (double)nnz), what, err)) return NULL;
    csr_t *A = csr_alloc(rows, cols, nnz);
    if (!A) err_set(err, "out of memory for %s", what);
    return A;
}

csr_t *matgen_alloc_rows(size_t rows, size_t cols, const int32_t *lengths, err_t *err)
{
    size_t nnz = 0;
    for (size_t r = 0; r < rows; r++) nnz += (size_t)lengths[r];
    csr_t *A = alloc_checked(rows, cols, nnz, err);
    if (!A) return NULL;
    for (size_t r = 0; r < rows; r++) A->row_offsets[r + 1] = A->row_offsets[r] + lengths[r];
    return A;
}

/* Tries lengths[first .. first + count) += step for the whole group. */
static int step_group(int32_t *lengths, size_t first, size_t count, int32_t step, size_t cols)
{
    for (size_t r = first; r < first + count; r++) {
        int64_t next = (int64_t)lengths[r] + step;
        if (lengths[r] == 0 || next < 1 || next > (int64_t)cols) return 0;
    }
    for (size_t r = first; r < first + count; r++) lengths[r] += step;
    return 1;
}

/* One visit of every group of `group` rows in a pseudo-random order; returns what is
 * then still missing (or too much, if negative). */
static int64_t sweep(int32_t *lengths, size_t rows, size_t cols, int64_t missing, size_t group, int32_t unit,
                     uint64_t seed)
{
    size_t groups = rows / group;
    int64_t weight = (int64_t)group * unit;
    rng_t rng = rng_stream(seed, FOR_LENGTHS, UINT64_MAX);
    for (size_t k = 0; k < 2 * groups && llabs(missing) >= weight; k++) {
        /* first at random places, so that nothing clusters; then all, so that nothing is left out */
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
    for (size_t r = 0; r < rows; r++) missing -= lengths[r];
    for (int64_t before = 0; missing != before;) {
        before = missing;
        missing = sweep(lengths, rows, cols, missing, group, unit, seed++);
    }
    for (int64_t before = 0; missing != before;) {
        before = missing;
        missing = sweep(lengths, rows, cols, missing, 1, 1, seed++);
    }
    for (size_t r = 0; r < rows && missing > 0; r++) { /* the full rows are full: now the empty ones */
        int64_t room = (int64_t)cols - lengths[r], more = room < missing ? room : missing;
        lengths[r] += (int32_t)more;
        missing -= more;
    }
    for (size_t r = 0; r < rows && missing < 0; r++) {
        int64_t less = lengths[r] < -missing ? lengths[r] : -missing;
        lengths[r] -= (int32_t)less;
        missing += less;
    }
    return 0;
}

/* Shell sort by first column, Ciura's gaps: no workspace, fast on the short and
 * half-sorted lists a row brings. */
static void sort_runs(run_t *runs, size_t count)
{
    static const size_t GAPS[] = {1391376, 463792, 154597, 51532, 17177, 5724, 1908, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof GAPS / sizeof *GAPS; g++) {
        size_t gap = GAPS[g];
        for (size_t i = gap; i < count; i++) {
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
    for (size_t i = 0; i < count; i++) { /* push right what overlaps ... */
        if (runs[i].first < free_from) runs[i].first = (int32_t)(free_from < cols ? free_from : cols);
        free_from = (int64_t)runs[i].first + runs[i].len;
    }
    int32_t free_to = cols;
    for (size_t i = count; i-- > 0;) { /* ... and back left what was pushed over the edge */
        if (runs[i].first <= free_to - runs[i].len) break;
        free_to = runs[i].first = free_to - runs[i].len;
    }
    for (size_t i = 0; i < count; i++)
        for (int32_t k = 0; k < runs[i].len; k++) *columns++ = runs[i].first + k;
}

void matgen_sample_columns(int32_t *columns, run_t *runs, size_t count, int32_t cols, rng_t *rng)
{
    if (count < (size_t)cols / 4) {
        for (size_t k = 0; k < count; k++) runs[k] = (run_t){(int32_t)rng_below(rng, (uint64_t)cols), 1};
        matgen_place_runs(columns, runs, count, cols);
        return;
    }
    /* dense rows: selection sampling (Knuth, TAOCP 2, 3.4.2, algorithm S) */
    size_t taken = 0;
    for (int32_t col = 0; taken < count; col++)
        if (rng_below(rng, (uint64_t)(cols - col)) < count - taken) columns[taken++] = col;
}

/* Random columns and values for rows of the given lengths. */
static csr_t *random_rows(size_t rows, size_t cols, const int32_t *lengths, uint64_t seed, err_t *err)
{
    int32_t longest = 0;
    for (size_t r = 0; r < rows; r++)
        if (lengths[r] > longest) longest = lengths[r];
    run_t *runs = calloc((size_t)longest + 1, sizeof *runs);
    csr_t *A = runs ? matgen_alloc_rows(rows, cols, lengths, err) : NULL;
    if (!runs) err_set(err, "out of memory");
    for (size_t r = 0; A && r < rows; r++) {
        rng_t rng = rng_stream(seed, FOR_COLUMNS, r);
        matgen_sample_columns(A->col_indices + A->row_offsets[r], runs, (size_t)lengths[r], (int32_t)cols, &rng);
    }
    if (A) matgen_random_values(A, seed);
    free(runs);
    return A;
}

/* lengths[rows], zeroed, for a matrix of nnz nonzeros; NULL and *err if memory is short. */
static int32_t *alloc_lengths(size_t rows, double nnz, err_t *err)
{
    char what[128];
    snprintf(what, sizeof what, "a matrix of %zu rows and %.0f nonzeros", rows, nnz);
    if (hostmem_fits(hostmem_csr((double)rows, nnz) + 4 * (double)rows, what, err)) return NULL;
    int32_t *lengths = calloc(rows + 1, sizeof *lengths);
    if (!lengths) err_set(err, "out of memory for %zu row lengths", rows);
    return lengths;
}

/* ---- the recipes: n holds the numbers after the colon -------------------- */

static csr_t *make_band(const uint64_t *n, uint64_t seed, err_t *err)
{
    size_t N = n[0], half = n[1] < N ? n[1] : N;
    int32_t *lengths = alloc_lengths(N, (double)N * (2 * (double)half + 1), err);
    if (!lengths) return NULL;
    for (size_t r = 0; r < N; r++) {
        size_t first = r > half ? r - half : 0, last = r + half < N ? r + half : N - 1;
        lengths[r] = (int32_t)(last - first + 1);
    }
    csr_t *A = matgen_alloc_rows(N, N, lengths, err);
    free(lengths);
    if (!A) return NULL;
    for (size_t r = 0; r < N; r++) {
        int32_t col = (int32_t)(r > half ? r - half : 0);
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; nz++) A->col_indices[nz] = col++;
    }
    matgen_random_values(A, seed);
    return A;
}

static csr_t *make_diagonal(const uint64_t *n, uint64_t seed, err_t *err)
{
    return make_band((const uint64_t[]){n[0], 0}, seed, err);
}

static csr_t *make_identity(const uint64_t *n, uint64_t seed, err_t *err)
{
    csr_t *A = make_diagonal(n, seed, err);
    for (size_t nz = 0; A && nz < A->nnz; nz++) A->values[nz] = 1;
    return A;
}

static csr_t *make_empty(const uint64_t *n, uint64_t seed, err_t *err)
{
    (void)seed;
    return alloc_checked(n[0], n[1], 0, err);
}

/* Every row the same length. */
static csr_t *make_even(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[2] > n[1]) {
        err_set(err, "even: %" PRIu64 " entries a row in %" PRIu64 " columns", n[2], n[1]);
        return NULL;
    }
    int32_t *lengths = alloc_lengths(n[0], (double)n[0] * (double)n[2], err);
    if (!lengths) return NULL;
    for (size_t r = 0; r < n[0]; r++) lengths[r] = (int32_t)n[2];
    csr_t *A = random_rows(n[0], n[1], lengths, seed, err);
    free(lengths);
    return A;
}

static csr_t *make_dense(const uint64_t *n, uint64_t seed, err_t *err)
{
    return make_even((const uint64_t[]){n[0], n[1], n[1]}, seed, err);
}

static csr_t *refuse_too_many(const char *recipe, const uint64_t *n, err_t *err)
{
    err_set(err, "%s: %" PRIu64 " nonzeros do not fit in %" PRIu64 " x %" PRIu64, recipe, n[2], n[0], n[1]);
    return NULL;
}

/* Every nonzero picks its row. */
static csr_t *make_random(const uint64_t *n, uint64_t seed, err_t *err)
{
    if ((double)n[2] > (double)n[0] * (double)n[1]) return refuse_too_many("random", n, err);
    int32_t *lengths = alloc_lengths(n[0], (double)n[2], err);
    if (!lengths) return NULL;
    rng_t rng = rng_stream(seed, FOR_LENGTHS, 0);
    for (uint64_t k = 0; k < n[2]; k++) {
        size_t r = (size_t)rng_below(&rng, n[0]);
        if ((uint64_t)lengths[r] < n[1]) lengths[r]++;
    }
    matgen_fit_lengths(lengths, n[0], n[1], n[2], 1, 1, seed);
    csr_t *A = random_rows(n[0], n[1], lengths, seed, err);
    free(lengths);
    return A;
}

/* Whether min(scale / rank, cols), summed over the rows, is more than nnz; known after nnz + 1 rows. */
static bool powerlaw_exceeds(uint64_t rows, uint64_t cols, uint64_t nnz, uint64_t scale)
{
    uint64_t total = 0;
    for (uint64_t rank = 1; rank <= rows && rank <= scale && total <= nnz; rank++)
        total += scale / rank < cols ? scale / rank : cols;
    return total > nnz;
}

/* The row of rank k gets scale / k entries; scale is the largest that does not give too many. */
static csr_t *make_powerlaw(const uint64_t *n, uint64_t seed, err_t *err)
{
    uint64_t rows = n[0], cols = n[1], nnz = n[2];
    if ((double)nnz > (double)rows * (double)cols) return refuse_too_many("powerlaw", n, err);
    int32_t *lengths = alloc_lengths(rows, (double)nnz, err);
    if (!lengths) return NULL;
    uint64_t low = 0, high = rows && cols ? (uint64_t)INT32_MAX * INT32_MAX : 0;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (powerlaw_exceeds(rows, cols, nnz, middle)) high = middle - 1;
        else low = middle;
    }
    for (uint64_t r = 0; r < rows; r++) lengths[r] = (int32_t)(low / (r + 1) < cols ? low / (r + 1) : cols);
    rng_t rng = rng_stream(seed, FOR_LENGTHS, 0);
    for (uint64_t r = rows; r-- > 1;) { /* Fisher and Yates */
        uint64_t other = rng_below(&rng, r + 1);
        int32_t swap = lengths[r];
        lengths[r] = lengths[other];
        lengths[other] = swap;
    }
    matgen_fit_lengths(lengths, rows, cols, nnz, 1, 1, seed);
    csr_t *A = random_rows(rows, cols, lengths, seed, err);
    free(lengths);
    return A;
}

static csr_t *make_one_dense_row(const uint64_t *n, uint64_t seed, err_t *err)
{
    size_t N = n[0], dense = N / 2;
    csr_t *A = alloc_checked(N, N, N ? 2 * N - 1 : 0, err);
    if (!A) return NULL;
    int64_t nz = 0;
    for (size_t r = 0; r < N; r++) {
        for (size_t col = r == dense ? 0 : r; col < (r == dense ? N : r + 1); col++)
            A->col_indices[nz++] = (int32_t)col;
        A->row_offsets[r + 1] = nz;
    }
    matgen_random_values(A, seed);
    return A;
}

static csr_t *make_empty_rows(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[1] == 0) {
        err_set(err, "empty_rows: K must be at least 1");
        return NULL;
    }
    int32_t *lengths = alloc_lengths(n[0], 8 * (double)n[0] / (double)n[1], err);
    if (!lengths) return NULL;
    for (size_t r = 0; r < n[0]; r += n[1]) lengths[r] = (int32_t)(n[0] < 8 ? n[0] : 8);
    csr_t *A = random_rows(n[0], n[0], lengths, seed, err);
    free(lengths);
    return A;
}

/* One edge: SCALE times a quadrant, by probabilities .57 .19 .19 .05 (of 2^16). */
static void rmat_edge(rng_t *rng, unsigned scale, int32_t *row, int32_t *col)
{
    enum { A = 37356, AB = A + 12452, ABC = AB + 12452 };
    uint64_t bits = 0;
    uint32_t r = 0, c = 0;
    for (unsigned level = 0; level < scale; level++) {
        if (level % 4 == 0) bits = rng_next(rng);
        unsigned draw = bits & 0xffff;
        bits >>= 16;
        r = r << 1 | (draw >= AB);
        c = c << 1 | ((draw >= A && draw < AB) || draw >= ABC);
    }
    *row = (int32_t)r;
    *col = (int32_t)c;
}

/* D. Chakrabarti, Y. Zhan, C. Faloutsos, R-MAT: a recursive model for graph mining, SDM
 * 2004.  Edges drawn twice become one nonzero, so nnz is a little below edges. */
static csr_t *make_rmat(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[0] > 30) {
        err_set(err, "rmat: SCALE %" PRIu64 " is above 30", n[0]);
        return NULL;
    }
    size_t nodes = (size_t)1 << n[0];
    double need = 2 * hostmem_csr((double)nodes, (double)nodes * (double)n[1]) + 16.0 * (double)nodes * (double)n[1];
    if (hostmem_fits(need, "rmat", err)) return NULL;
    size_t edges = nodes * n[1];
    int32_t *rows = malloc((edges + 1) * sizeof *rows), *cols = malloc((edges + 1) * sizeof *cols);
    double *values = calloc(edges + 1, sizeof *values);
    csr_t *A = NULL;
    if (rows && cols && values) {
        rng_t rng = rng_stream(seed, FOR_COLUMNS, 0);
        for (size_t e = 0; e < edges; e++) rmat_edge(&rng, (unsigned)n[0], &rows[e], &cols[e]);
        A = csr_from_triplets(nodes, nodes, edges, rows, cols, values, err);
    } else {
        err_set(err, "out of memory for %zu edges", edges);
    }
    if (A) matgen_random_values(A, seed);
    free(rows);
    free(cols);
    free(values);
    return A;
}

/* A stencil on an nx x ny x nz grid, x fastest.  Neighbours are at most one step away in
 * each direction and at most `reach` steps in all: reach 1 is the 5- and 7-point
 * stencil, 3 the 27-point one.  The diagonal is the number of neighbours an inner
 * point has, the rest -1, so the matrix is symmetric positive definite. */
static csr_t *stencil_rows(const uint64_t *n, int dimensions, int reach, size_t first, size_t rows, err_t *err)
{
    size_t nx = n[0], ny = n[1], nz = dimensions == 3 ? n[2] : 1;
    int points = reach == 1 ? 2 * dimensions + 1 : 27;
    csr_t *A = alloc_checked(rows, nx * ny * nz, rows * (size_t)points, err);
    if (!A) return NULL;
    int64_t to = 0;
    for (size_t p = first; p < first + rows; p++) {
        int64_t x = (int64_t)(p % nx), y = (int64_t)(p / nx % ny), z = (int64_t)(p / nx / ny);
        for (int k = -1; k <= 1; k++)
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++) {
                    if (abs(i) + abs(j) + abs(k) > reach) continue;
                    if (x + i < 0 || x + i >= (int64_t)nx || y + j < 0 || y + j >= (int64_t)ny) continue;
                    if (z + k < 0 || z + k >= (int64_t)nz) continue;
                    A->col_indices[to] = (int32_t)((int64_t)p + i + (int64_t)nx * (j + (int64_t)ny * k));
                    A->values[to++] = i || j || k ? -1 : points - 1;
                }
        A->row_offsets[p - first + 1] = to;
    }
    A->nnz = (size_t)to; /* points on the border have fewer: the end of the arrays stays unused */
    return A;
}

/* Points of the grid; -1 and *err if there are too many. */
static int64_t grid_points(const uint64_t *n, int dimensions, err_t *err)
{
    const size_t nx = n[0], ny = n[1], nz = dimensions == 3 ? n[2] : 1;
    if ((double)nx * (double)ny * (double)nz <= INT32_MAX) return (int64_t)(nx * ny * nz);
    return err_set(err, "stencil: %zu x %zu x %zu is more than 2147483647 points", nx, ny, nz);
}

static csr_t *make_stencil(const uint64_t *n, int dimensions, int reach, err_t *err)
{
    const int64_t points = grid_points(n, dimensions, err);
    return points < 0 ? NULL : stencil_rows(n, dimensions, reach, 0, (size_t)points, err);
}

static csr_t *make_poisson2d(const uint64_t *n, uint64_t seed, err_t *err)
{
    (void)seed;
    return make_stencil(n, 2, 1, err);
}

static csr_t *make_poisson3d(const uint64_t *n, uint64_t seed, err_t *err)
{
    (void)seed;
    return make_stencil(n, 3, 1, err);
}

static csr_t *make_stencil27(const uint64_t *n, uint64_t seed, err_t *err)
{
    (void)seed;
    return make_stencil(n, 3, 3, err);
}

/* ---- reading a recipe ---------------------------------------------------- */

static const struct recipe {
    const char *name;
    int numbers; /* how many after the colon */
    csr_t *(*make)(const uint64_t *n, uint64_t seed, err_t *err);
} RECIPES[] = {
    {"identity", 1, make_identity},       {"diagonal", 1, make_diagonal},
    {"band", 2, make_band},               {"dense", 2, make_dense},
    {"empty", 2, make_empty},             {"random", 3, make_random},
    {"even", 3, make_even},               {"one_dense_row", 1, make_one_dense_row},
    {"empty_rows", 2, make_empty_rows},   {"powerlaw", 3, make_powerlaw},
    {"rmat", 2, make_rmat},               {"poisson2d", 2, make_poisson2d},
    {"poisson3d", 3, make_poisson3d},     {"stencil27", 3, make_stencil27},
};

const char *const *matgen_recipes(void)
{
    static const char *const LINES[] = {
        "identity:N                    ones on the diagonal",
        "diagonal:N                    random values on the diagonal",
        "band:N,HALFWIDTH              all of |column - row| <= HALFWIDTH",
        "dense:R,C                     nothing is zero",
        "empty:R,C                     everything is",
        "random:R,C,NNZ                uniform columns, row lengths as they fall",
        "even:R,C,PER_ROW              PER_ROW random columns in every row",
        "one_dense_row:N               diagonal and one full row in the middle",
        "empty_rows:N,K                only every K-th row has entries, 8 of them",
        "powerlaw:R,C,NNZ              row lengths like 1/rank, shuffled",
        "rmat:SCALE,EDGE_FACTOR        recursive graph of 2^SCALE nodes, EDGE_FACTOR edges each",
        "poisson2d:NX,NY               5-point stencil",
        "poisson3d:NX,NY,NZ            7-point stencil",
        "stencil27:NX,NY,NZ            27-point stencil",
        "like:NAME                     a stand-in for a matrix of the SuiteSparse collection",
        NULL,
    };
    return LINES;
}

/* Exactly `count` numbers of at most 2^31 - 1, comma between.  NNZ may be larger: the
 * third number of a recipe is checked against rows times columns instead. */
static int parse_numbers(const char *text, int count, uint64_t *n)
{
    for (int i = 0; i < count; i++) {
        if (i > 0 && *text++ != ',') return -1;
        if (!isdigit((unsigned char)*text)) return -1;
        char *end;
        n[i] = strtoull(text, &end, 10);
        if (n[i] > (i < 2 ? (uint64_t)INT32_MAX : (uint64_t)1 << 40)) return -1;
        text = end;
    }
    return *text ? -1 : 0;
}

csr_t *matgen(const char *recipe, uint64_t seed, err_t *err)
{
    const char *colon = recipe ? strchr(recipe, ':') : NULL;
    size_t length = colon ? (size_t)(colon - recipe) : 0;
    if (length == 4 && !strncmp(recipe, "like", 4)) return matgen_like(colon + 1, seed, err);
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; i++) {
        const struct recipe *known = &RECIPES[i];
        if (!colon || length != strlen(known->name) || strncmp(recipe, known->name, length)) continue;
        uint64_t n[3] = {0};
        if (parse_numbers(colon + 1, known->numbers, n)) {
            err_set(err, "recipe '%s': after '%s:' come %d whole numbers up to 2147483647, comma between", recipe,
                    known->name, known->numbers);
            return NULL;
        }
        return known->make(n, seed, err);
    }
    err_set(err, "unknown recipe '%.60s': one of identity:N diagonal:N band:N,HALFWIDTH dense:R,C empty:R,C "
                 "random:R,C,NNZ even:R,C,PER_ROW one_dense_row:N empty_rows:N,K powerlaw:R,C,NNZ "
                 "rmat:SCALE,EDGE_FACTOR poisson2d:NX,NY poisson3d:NX,NY,NZ stencil27:NX,NY,NZ like:NAME",
            recipe ? recipe : "");
    return NULL;
}

/* ---- some rows of a stencil ---------------------------------------------- */

/* The numbers of a stencil's recipe, 2 or 3; 0 for any other. */
static int stencil_numbers(const char *recipe, uint64_t *n, int *reach)
{
    static const struct { const char *name; int dimensions, reach; } STENCILS[] = {
        {"poisson2d:", 2, 1}, {"poisson3d:", 3, 1}, {"stencil27:", 3, 3}};
    enum { NAME = 10 };
    for (int i = 0; i < 3; i++)
        if (!strncmp(recipe, STENCILS[i].name, NAME) && !parse_numbers(recipe + NAME, STENCILS[i].dimensions, n)) {
            *reach = STENCILS[i].reach;
            return STENCILS[i].dimensions;
        }
    return 0;
}

bool matgen_stencil_points(const char *recipe, size_t *points)
{
    uint64_t n[3];
    int reach;
    const int dimensions = stencil_numbers(recipe, n, &reach);
    const int64_t found = dimensions ? grid_points(n, dimensions, NULL) : -1;
    if (found >= 0) *points = (size_t)found;
    return found >= 0;
}

csr_t *matgen_stencil_rows(const char *recipe, size_t first, size_t rows, err_t *err)
{
    uint64_t n[3];
    int reach;
    const int dimensions = stencil_numbers(recipe, n, &reach);
    const int64_t points = dimensions ? grid_points(n, dimensions, err) : -1;
    if (dimensions && points < 0) return NULL;
    if (dimensions && first <= (size_t)points && rows <= (size_t)points - first)
        return stencil_rows(n, dimensions, reach, first, rows, err);
    err_set(err, "'%.60s' has no rows %zu to %zu", recipe, first, first + rows);
    return NULL;
}
