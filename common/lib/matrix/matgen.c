/* matgen.c - recipes: see matgen.h */
#include "matgen.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostmem.h"
#include "matgen_impl.h"

/* ---- parts of the recipes -------------------------------------- */

void matgen_vector(double *x, size_t count, uint64_t seed, int exact)
{
    rng_t rng = rng_stream(seed, FOR_VECTOR, 0);
    for (size_t i = 0; i < count; ++i) {
        if (exact) {
            int k = (int)rng_below(&rng, 16);
            x[i] = k < 8 ? k - 8 : k - 7;
        } else {
            x[i] = rng_value(&rng);
        }
    }
}

/* Writes count distinct columns of 0..cols-1, ascending; a column drawn twice moves right.  runs[count] is
 * workspace. */
static void sample_columns(int32_t *columns, run_t *runs, size_t count, int32_t cols, rng_t *rng)
{
    if (count < (size_t)cols / 4) {
        for (size_t k = 0; k < count; ++k) runs[k] = (run_t){(int32_t)rng_below(rng, (uint64_t)cols), 1};
        matgen_place_runs(columns, runs, count, cols);
    } else {
        matgen_sample(columns, count, 0, (size_t)cols, rng);
    }
}

/* Makes a matrix with random columns and values for rows of the given lengths; frees lengths. */
static csr_t *random_rows(size_t rows, size_t cols, int32_t *lengths, uint64_t seed, err_t *err)
{
    int32_t longest = 0;
    for (size_t r = 0; r < rows; ++r)
        if (lengths[r] > longest) longest = lengths[r];
    run_t *runs = matgen_array((size_t)longest, sizeof *runs, err);
    csr_t *A = runs ? matgen_alloc_rows(rows, cols, lengths, err) : NULL;
    for (size_t r = 0; A && r < rows; ++r) {
        rng_t rng = rng_stream(seed, FOR_COLUMNS, r);
        sample_columns(A->col_indices + A->row_offsets[r], runs, (size_t)lengths[r], (int32_t)cols, &rng);
    }
    if (A) matgen_random_values(A, seed);
    free(runs);
    free(lengths);
    return A;
}

/* Allocates lengths[rows], zeroed, for a matrix of nnz nonzeros; NULL and *err if memory is short. */
static int32_t *alloc_lengths(size_t rows, double nnz, err_t *err)
{
    char what[128];
    snprintf(what, sizeof what, "a matrix of %zu rows and %.0f nonzeros", rows, nnz);
    if (hostmem_fits(hostmem_csr((double)rows, nnz) + 4 * (double)rows, what, err)) return NULL;
    return matgen_array(rows, sizeof(int32_t), err);
}

/* ---- the recipes: n holds the numbers after the colon -------------------- */

static csr_t *make_band(const uint64_t *n, uint64_t seed, err_t *err)
{
    size_t N = n[0], half = N == 0 ? 0 : n[1] < N ? n[1] : N - 1;
    csr_t *A = matgen_alloc(N, N, N * (2 * half + 1) - half * (half + 1), err);
    if (!A) return NULL;
    int64_t nz = 0;
    for (size_t r = 0; r < N; ++r) {
        for (size_t col = r > half ? r - half : 0; col <= r + half && col < N; ++col)
            A->col_indices[nz++] = (int32_t)col;
        A->row_offsets[r + 1] = nz;
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
    for (size_t nz = 0; A && nz < A->nnz; ++nz) A->values[nz] = 1;
    return A;
}

static csr_t *make_empty(const uint64_t *n, uint64_t seed, err_t *err)
{
    (void)seed;
    return matgen_alloc(n[0], n[1], 0, err);
}

/* All rows have the same length. */
static csr_t *make_even(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[2] > n[1])
        return err_null(err, "even: %" PRIu64 " entries per row do not fit in %" PRIu64 " columns", n[2], n[1]);
    int32_t *lengths = alloc_lengths(n[0], (double)n[0] * (double)n[2], err);
    if (!lengths) return NULL;
    for (size_t r = 0; r < n[0]; ++r) lengths[r] = (int32_t)n[2];
    return random_rows(n[0], n[1], lengths, seed, err);
}

static csr_t *make_dense(const uint64_t *n, uint64_t seed, err_t *err)
{
    return make_even((const uint64_t[]){n[0], n[1], n[1]}, seed, err);
}

static csr_t *refuse_too_many(const char *recipe, const uint64_t *n, err_t *err)
{
    return err_null(err, "%s: %" PRIu64 " nonzeros do not fit in %" PRIu64 " x %" PRIu64, recipe, n[2], n[0], n[1]);
}

/* Each nonzero draws its row. */
static csr_t *make_random(const uint64_t *n, uint64_t seed, err_t *err)
{
    if ((double)n[2] > (double)n[0] * (double)n[1]) return refuse_too_many("random", n, err);
    int32_t *lengths = alloc_lengths(n[0], (double)n[2], err);
    if (!lengths) return NULL;
    rng_t rng = rng_stream(seed, FOR_LENGTHS, 0);
    for (uint64_t k = 0; k < n[2]; ++k) {
        size_t r = (size_t)rng_below(&rng, n[0]);
        if ((uint64_t)lengths[r] < n[1]) ++lengths[r];
    }
    matgen_fit_lengths(lengths, n[0], n[1], n[2], 1, 1, seed);
    return random_rows(n[0], n[1], lengths, seed, err);
}

/* Returns whether min(scale / rank, cols), summed over the rows, exceeds nnz; this is known after nnz + 1 rows. */
static bool powerlaw_exceeds(uint64_t rows, uint64_t cols, uint64_t nnz, uint64_t scale)
{
    uint64_t total = 0;
    for (uint64_t rank = 1; rank <= rows && rank <= scale && total <= nnz; ++rank)
        total += scale / rank < cols ? scale / rank : cols;
    return total > nnz;
}

/* The row of rank k gets scale / k entries, with the largest scale that does not exceed nnz. */
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
    for (uint64_t r = 0; r < rows; ++r) lengths[r] = (int32_t)(low / (r + 1) < cols ? low / (r + 1) : cols);
    rng_t rng = rng_stream(seed, FOR_LENGTHS, 0);
    matgen_shuffle(lengths, rows, &rng);
    matgen_fit_lengths(lengths, rows, cols, nnz, 1, 1, seed);
    return random_rows(rows, cols, lengths, seed, err);
}

static csr_t *make_one_dense_row(const uint64_t *n, uint64_t seed, err_t *err)
{
    size_t N = n[0], dense = N / 2;
    csr_t *A = matgen_alloc(N, N, N ? 2 * N - 1 : 0, err);
    if (!A) return NULL;
    int64_t nz = 0;
    for (size_t r = 0; r < N; ++r) {
        for (size_t col = r == dense ? 0 : r; col < (r == dense ? N : r + 1); ++col)
            A->col_indices[nz++] = (int32_t)col;
        A->row_offsets[r + 1] = nz;
    }
    matgen_random_values(A, seed);
    return A;
}

static csr_t *make_empty_rows(const uint64_t *n, uint64_t seed, err_t *err)
{
    if (n[1] == 0) return err_null(err, "empty_rows: K must be at least 1");
    int32_t *lengths = alloc_lengths(n[0], 8 * (double)n[0] / (double)n[1], err);
    if (!lengths) return NULL;
    for (size_t r = 0; r < n[0]; r += n[1]) lengths[r] = (int32_t)(n[0] < 8 ? n[0] : 8);
    return random_rows(n[0], n[0], lengths, seed, err);
}

/* Draws an edge: chooses a quadrant SCALE times, with probabilities .57 .19 .19 .05 (of 2^16). */
static void rmat_edge(rng_t *rng, unsigned scale, int32_t *row, int32_t *col)
{
    enum { A = 37356, AB = A + 12452, ABC = AB + 12452 };
    uint64_t bits = 0;
    uint32_t r = 0, c = 0;
    for (unsigned level = 0; level < scale; ++level) {
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
    if (n[0] > 30) return err_null(err, "rmat: SCALE %" PRIu64 " is above 30", n[0]);
    size_t nodes = (size_t)1 << n[0];
    double need = 2 * hostmem_csr((double)nodes, (double)nodes * (double)n[1]) + 16.0 * (double)nodes * (double)n[1];
    if (hostmem_fits(need, "rmat", err)) return NULL;
    size_t edges = nodes * n[1];
    int32_t *rows = malloc((edges + 1) * sizeof *rows), *cols = malloc((edges + 1) * sizeof *cols);
    double *values = calloc(edges + 1, sizeof *values);
    csr_t *A = NULL;
    if (rows && cols && values) {
        rng_t rng = rng_stream(seed, FOR_COLUMNS, 0);
        for (size_t e = 0; e < edges; ++e) rmat_edge(&rng, (unsigned)n[0], &rows[e], &cols[e]);
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

/* Makes a stencil on an nx x ny x nz grid, x fastest.  Neighbours are at most one step away
 * in each direction and at most `reach` steps in all: reach 1 is the 5- and 7-point
 * stencil, 3 the 27-point one.  Diagonal values are the number of neighbours of an inner
 * point, all others -1, so the matrix is symmetric positive definite. */
static csr_t *stencil_rows(const uint64_t *n, int dimensions, int reach, size_t first, size_t rows, err_t *err)
{
    size_t nx = n[0], ny = n[1], nz = dimensions == 3 ? n[2] : 1;
    int points = reach == 1 ? 2 * dimensions + 1 : 27;
    csr_t *A = matgen_alloc(rows, nx * ny * nz, rows * (size_t)points, err);
    if (!A) return NULL;
    if (nx * ny * nz == 0) return A; /* no points, no rows */
    int64_t to = 0;
    for (size_t p = first; p < first + rows; ++p) {
        int64_t x = (int64_t)(p % nx), y = (int64_t)(p / nx % ny), z = (int64_t)(p / nx / ny);
        for (int k = -1; k <= 1; ++k)
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i) {
                    if (abs(i) + abs(j) + abs(k) > reach) continue;
                    if (x + i < 0 || x + i >= (int64_t)nx || y + j < 0 || y + j >= (int64_t)ny) continue;
                    if (z + k < 0 || z + k >= (int64_t)nz) continue;
                    A->col_indices[to] = (int32_t)((int64_t)p + i + (int64_t)nx * (j + (int64_t)ny * k));
                    A->values[to++] = i || j || k ? -1 : points - 1;
                }
        A->row_offsets[p - first + 1] = to;
    }
    A->nnz = (size_t)to; /* points on the border have fewer neighbours, so the end of the arrays is unused */
    return A;
}

/* Returns the number of grid points; -1 and *err if there are too many. */
static int64_t grid_points(const uint64_t *n, int dimensions, err_t *err)
{
    const size_t nx = n[0], ny = n[1], nz = dimensions == 3 ? n[2] : 1;
    if ((double)nx * (double)ny * (double)nz <= INT32_MAX) return (int64_t)(nx * ny * nz);
    return err_set(err, "stencil: %zu x %zu x %zu is more than 2147483647 points", nx, ny, nz);
}

/* ---- reading a recipe ---------------------------------------------------- */

static const struct recipe {
    const char *usage;
    int numbers; /* the count of numbers after the colon; a stencil's dimensions */
    int reach;   /* of a stencil: see stencil_rows */
    csr_t *(*make)(const uint64_t *n, uint64_t seed, err_t *err); /* NULL: a stencil */
} RECIPES[] = {
    {"identity:N", 1, 0, make_identity},
    {"diagonal:N", 1, 0, make_diagonal},
    {"band:N,HALFWIDTH", 2, 0, make_band},
    {"dense:R,C", 2, 0, make_dense},
    {"empty:R,C", 2, 0, make_empty},
    {"random:R,C,NNZ", 3, 0, make_random},
    {"even:R,C,PER_ROW", 3, 0, make_even},
    {"one_dense_row:N", 1, 0, make_one_dense_row},
    {"empty_rows:N,K", 2, 0, make_empty_rows},
    {"powerlaw:R,C,NNZ", 3, 0, make_powerlaw},
    {"rmat:SCALE,EDGE_FACTOR", 2, 0, make_rmat},
    {"scattered:N,WIDTH,PER_ROW", 3, 0, matgen_scattered},
    {"program:R,C,LONG", 3, 0, matgen_program},
    {"elements:NODES,DOF,K", 3, 0, matgen_elements},
    {"diagonals:N,K,PERCENT", 3, 0, matgen_diagonals},
    {"blocks:N,SIZE,K", 3, 0, matgen_blocks},
    {"hypercube:SCALE", 1, 0, matgen_hypercube},
    {"triangle:N,WIDTH", 2, 0, matgen_triangle},
    {"elasticity:SIDE,DOF,BY_FIELD", 3, 0, matgen_elasticity},
    {"convolution:NX,NY,K", 3, 0, matgen_convolution},
    {"tomography:SIDE,ANGLES", 2, 0, matgen_tomography},
    {"small_world:N,K,PERCENT", 3, 0, matgen_small_world},
    {"hypergraph:R,C,NEAR", 3, 0, matgen_hypergraph},
    {"dense_rows:N,COUNT,PER_ROW", 3, 0, matgen_dense_rows},
    {"arrow:N,SIZE,BORDER", 3, 0, matgen_arrow},
    {"kkt:N,M,PER_ROW", 3, 0, matgen_kkt},
    {"staircase:STAGES,SIZE,PER_ROW", 3, 0, matgen_staircase},
    {"de_bruijn:N,SYMBOLS", 2, 0, matgen_de_bruijn},
    {"words:DOCUMENTS,TERMS,PER_DOCUMENT", 3, 0, matgen_words},
    {"power_flow:BUSES", 1, 0, matgen_power_flow},
    {"contact:N,ZONE,PER_ROW", 3, 0, matgen_contact},
    {"poisson2d:NX,NY", 2, 1, NULL},
    {"poisson3d:NX,NY,NZ", 3, 1, NULL},
    {"stencil27:NX,NY,NZ", 3, 3, NULL},
};

/* Parses exactly `count` numbers, separated by commas, of at most 2^31 - 1.  The third, which may be NNZ, may be up to
 * 2^40: its recipe checks it against the others. */
static int parse_numbers(const char *text, int count, uint64_t *n)
{
    for (int i = 0; i < count; ++i) {
        if (i > 0 && *text++ != ',') return -1;
        if (!isdigit((unsigned char)*text)) return -1;
        char *end;
        n[i] = strtoull(text, &end, 10);
        if (n[i] > (i < 2 ? (uint64_t)INT32_MAX : (uint64_t)1 << 40)) return -1;
        text = end;
    }
    return *text ? -1 : 0;
}

/* Finds the recipe and reads its numbers.  NULL and *err as matgen. */
static const struct recipe *parse(const char *recipe, uint64_t n[3], err_t *err)
{
    char usages[1200] = "";
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; ++i) {
        const struct recipe *known = &RECIPES[i];
        const size_t name = strcspn(known->usage, ":"), used = strlen(usages);
        snprintf(usages + used, sizeof usages - used, "%s ", known->usage);
        if (!recipe || strncmp(recipe, known->usage, name + 1)) continue;
        if (!parse_numbers(recipe + name + 1, known->numbers, n)) return known;
        return err_null(err, "recipe '%s': '%.*s:' needs %d whole number%s up to 2147483647 (NNZ: 2^40), separated by "
                             "commas",
                        recipe, (int)name, known->usage, known->numbers, known->numbers == 1 ? "" : "s");
    }
    return err_null(err, "unknown recipe '%.60s': use one of %slike:NAME, or transposed:, scrambled: or symmetric: "
                         "before one of these", recipe ? recipe : "", usages);
}

/* Returns the text after the word and its colon; NULL if the recipe does not begin with them. */
static const char *behind(const char *word, const char *what)
{
    const size_t length = strlen(word);
    return !strncmp(what, word, length) && what[length] == ':' ? what + length + 1 : NULL;
}

bool matgen_is_recipe(const char *what)
{
    if (behind("transposed", what) || behind("scrambled", what) || behind("symmetric", what)) return true;
    const size_t name = strcspn(what, ":");
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; ++i)
        if (strcspn(RECIPES[i].usage, ":") == name && !strncmp(what, RECIPES[i].usage, name)) return true;
    return name == strlen("like") && !strncmp(what, "like", name);
}

csr_t *matgen(const char *recipe, uint64_t seed, err_t *err)
{
    uint64_t n[3] = {0};
    const char *rest;
    if (recipe && (rest = behind("like", recipe))) return matgen_like(rest, seed, err);
    if (recipe && (rest = behind("transposed", recipe))) return matgen_transposed(matgen(rest, seed, err), err);
    if (recipe && (rest = behind("scrambled", recipe))) return matgen_scrambled(matgen(rest, seed, err), seed, err);
    if (recipe && (rest = behind("symmetric", recipe))) return matgen_symmetric(matgen(rest, seed, err), seed);
    const struct recipe *known = parse(recipe, n, err);
    if (!known) return NULL;
    if (known->make) return known->make(n, seed, err);
    const int64_t points = grid_points(n, known->numbers, err);
    return points < 0 ? NULL : stencil_rows(n, known->numbers, known->reach, 0, (size_t)points, err);
}

/* ---- some rows of a stencil ---------------------------------------------- */

bool matgen_stencil_points(const char *recipe, size_t *points)
{
    uint64_t n[3] = {0};
    const struct recipe *known = parse(recipe, n, NULL);
    const int64_t found = known && !known->make ? grid_points(n, known->numbers, NULL) : -1;
    if (found >= 0) *points = (size_t)found;
    return found >= 0;
}

csr_t *matgen_stencil_rows(const char *recipe, size_t first, size_t rows, err_t *err)
{
    uint64_t n[3] = {0};
    const struct recipe *known = parse(recipe, n, err);
    if (!known) return NULL;
    const int64_t points = known->make ? 0 : grid_points(n, known->numbers, err);
    if (points < 0) return NULL;
    if (!known->make && first <= (size_t)points && rows <= (size_t)points - first)
        return stencil_rows(n, known->numbers, known->reach, first, rows, err);
    if (known->make) err_set(err, "'%.60s' is no grid: its rows cannot be made alone", recipe);
    else if (rows == 0) err_set(err, "'%.60s' has %lld rows: row %zu does not exist", recipe, (long long)points, first);
    else
        err_set(err, "'%.60s' has %lld rows: rows %zu to %zu do not all exist", recipe, (long long)points, first,
                first + rows - 1);
    return NULL;
}
