/*
 * test_matgen.c - matrices by recipe: the same everywhere, the sizes they promise, the shape they claim.
 *
 * Generated matrices (like:NAME) of more than 4 million nonzeros only with COURSE_SLOW=1.
 */
#include <stdbool.h>
#include <stdio.h>

#include "battery.h"

/* A number for all of a matrix (Fowler, Noll, Vo), to compare with another machine's. */
static uint64_t fingerprint(const csr_t *A)
{
    uint64_t h = 14695981039346656037u;
    for (size_t r = 0; r <= A->rows; ++r) h = (h ^ (uint64_t)A->row_offsets[r]) * 1099511628211u;
    for (size_t nz = 0; nz < A->nnz; ++nz) {
        uint64_t bits;
        memcpy(&bits, &A->values[nz], sizeof bits);
        h = (h ^ (uint64_t)A->col_indices[nz]) * 1099511628211u;
        h = (h ^ bits) * 1099511628211u;
    }
    return h;
}

TEST(same_seed_same_matrix)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = make_matrix(BATTERY[i]), *B = make_matrix(BATTERY[i]);
        assert_true(same_matrix(A, B));
        csr_free(A);
        csr_free(B);
    }
    csr_t *A = matgen("random:100,100,500", 1, NULL), *B = matgen("random:100,100,500", 2, NULL);
    assert_false(same_matrix(A, B));
    csr_free(A);
    csr_free(B);
}

/* Recorded once; any machine, compiler and libc must give the same. */
TEST(same_everywhere)
{
    static const struct {
        const char *recipe;
        uint64_t fingerprint;
    } KNOWN[] = {
        {"random:1000,1000,16000", 0x0c242d7b30ac9a48u},
        {"powerlaw:500,500,5000", 0x51dcf42f4aebaaccu},
        {"rmat:10,8", 0xcb3586e5e866d3cbu},
        {"even:300,400,7", 0xea37cc05f1dcbb6au},
        {"empty_rows:500,3", 0x152ff20d908b94e9u},
        {"like:shyy41", 0x99ab4e46f4c5e1f0u},
        {"like:ash219", 0x988fdd2636619c4cu},
        {"like:scircuit", 0x45bddf4735a572efu},
        {"like:webbase-1M", 0xe67f5832943a9b7du},
        {"like:rma10", 0xbf625d8a65390466u},
    };
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; ++i) {
        csr_t *A = matgen(KNOWN[i].recipe, 42, NULL);
        assert_non_null(A);
        if (fingerprint(A) != KNOWN[i].fingerprint)
            fail_msg("    {\"%s\", 0x%016llxu},", KNOWN[i].recipe, (unsigned long long)fingerprint(A));
        csr_free(A);
    }
}

TEST(shapes_of_the_recipes)
{
    static const struct {
        const char *recipe;
        size_t rows, cols, nnz, min_row, max_row;
    } EXPECTED[] = {
        {"identity:7", 7, 7, 7, 1, 1},
        {"diagonal:1", 1, 1, 1, 1, 1},
        {"band:10,2", 10, 10, 44, 3, 5}, {"band:3,99", 3, 3, 9, 3, 3},
        {"dense:3,5", 3, 5, 15, 5, 5},
        {"empty:3,5", 3, 5, 0, 0, 0}, {"empty:0,0", 0, 0, 0, 0, 0},
        {"even:10,50,7", 10, 50, 70, 7, 7}, {"even:4,4,4", 4, 4, 16, 4, 4},
        {"one_dense_row:100", 100, 100, 199, 1, 100}, {"one_dense_row:0", 0, 0, 0, 0, 0},
        {"empty_rows:100,10", 100, 100, 80, 0, 8}, {"empty_rows:5,2", 5, 5, 15, 0, 5},
        {"poisson2d:4,3", 12, 12, 46, 3, 5}, {"poisson2d:1,1", 1, 1, 1, 1, 1},
        {"poisson3d:3,3,3", 27, 27, 135, 4, 7},
        {"stencil27:3,3,3", 27, 27, 343, 8, 27},
        {"poisson3d:5,0,5", 0, 0, 0, 0, 0},
        {"random:10,10,100", 10, 10, 100, 10, 10},
        {"powerlaw:10,10,100", 10, 10, 100, 10, 10},
        {"scattered:1000,50,9", 1000, 1000, 9000, 9, 9}, {"scattered:10,99,10", 10, 10, 100, 10, 10},
        {"scattered:0,5,0", 0, 0, 0, 0, 0},
        {"program:100,400,3", 100, 400, 690, 2, 100}, {"program:0,0,0", 0, 0, 0, 0, 0},
        {"elements:10,3,4", 30, 30, 360, 12, 12}, {"elements:3,1,9", 3, 3, 9, 3, 3}, {"elements:0,3,4", 0, 0, 0, 0, 0},
        {"diagonals:50,999,100", 50, 50, 1094, 13, 25}, {"diagonals:40,7,0", 40, 40, 40, 1, 1},
        {"diagonals:1,1,100", 1, 1, 1, 1, 1}, {"diagonals:0,3,50", 0, 0, 0, 0, 0},
        {"blocks:100,7,3", 98, 98, 2058, 21, 21}, {"blocks:20,10,5", 20, 20, 400, 20, 20},
        {"blocks:9,1,1", 9, 9, 9, 1, 1}, {"blocks:5,6,1", 0, 0, 0, 0, 0}, {"blocks:0,0,0", 0, 0, 0, 0, 0},
        {"hypercube:0", 1, 1, 1, 1, 1}, {"hypercube:5", 32, 32, 192, 6, 6},
        {"triangle:10,3", 10, 10, 34, 1, 4}, {"triangle:5,99", 5, 5, 15, 1, 5}, {"triangle:0,0", 0, 0, 0, 0, 0},
        {"elasticity:3,2,0", 54, 54, 1372, 16, 54}, {"elasticity:3,2,1", 54, 54, 1372, 16, 54},
        {"elasticity:0,3,1", 0, 0, 0, 0, 0},
        {"convolution:6,5,3", 30, 30, 208, 4, 9}, {"convolution:0,0,0", 0, 0, 0, 0, 0},
        {"tomography:8,3", 24, 64, 160, 4, 8}, {"tomography:0,0", 0, 0, 0, 0, 0},
        {"small_world:50,3,20", 50, 50, 341, 6, 7}, {"small_world:3,9,0", 3, 3, 9, 3, 3},
        {"small_world:0,2,5", 0, 0, 0, 0, 0},
        {"hypergraph:60,40,5", 60, 40, 248, 0, 18}, {"hypergraph:0,0,0", 0, 0, 0, 0, 0},
        {"dense_rows:40,2,3", 40, 40, 190, 2, 40}, {"dense_rows:0,0,0", 0, 0, 0, 0, 0},
        {"arrow:20,4,2", 20, 20, 144, 4, 20}, {"arrow:3,1,3", 3, 3, 9, 3, 3}, {"arrow:0,1,0", 0, 0, 0, 0, 0},
        {"kkt:30,10,4", 40, 40, 213, 3, 6},
        {"staircase:4,5,3", 20, 40, 113, 2, 20}, {"staircase:0,1,0", 0, 0, 0, 0, 0},
        {"de_bruijn:10,2", 10, 10, 20, 2, 2}, {"de_bruijn:0,2", 0, 0, 0, 0, 0},
        {"words:20,100,6", 20, 100, 106, 3, 8}, {"words:0,0,0", 0, 0, 0, 0, 0},
        {"power_flow:40", 80, 80, 552, 2, 16}, {"power_flow:0", 0, 0, 0, 0, 0},
        {"contact:900,20,10", 900, 900, 4844, 3, 14}, {"contact:0,1,0", 0, 0, 0, 0, 0},
        {"transposed:even:4,50,7", 50, 4, 28, 0, 2},
        {"transposed:transposed:even:10,50,7", 10, 50, 70, 7, 7},
        {"scrambled:even:10,50,7", 10, 50, 70, 7, 7},
        {"scrambled:identity:9", 9, 9, 9, 1, 1},
        {"scrambled:empty:0,3", 0, 3, 0, 0, 0},
        {"symmetric:poisson2d:4,3", 12, 12, 46, 3, 5},
        {"symmetric:empty:0,3", 0, 3, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof EXPECTED / sizeof *EXPECTED; ++i) {
        csr_t *A = make_matrix(EXPECTED[i].recipe);
        csr_stats_t s = csr_stats(A);
        if (A->rows != EXPECTED[i].rows || A->cols != EXPECTED[i].cols || A->nnz != EXPECTED[i].nnz ||
            s.min_row != EXPECTED[i].min_row || s.max_row != EXPECTED[i].max_row)
            fail_msg("%s: %zu x %zu, %zu nonzeros, rows %zu to %zu", EXPECTED[i].recipe, A->rows, A->cols, A->nnz,
                     s.min_row, s.max_row);
        assert_int_equal(csr_check(A, NULL), 0);
        csr_free(A);
    }
}

/* Bands hold what they say, rows of a node are alike, a transposed or scrambled matrix is that one renamed, and a
 * symmetric one is its transpose. */
TEST(families_are_what_they_say)
{
    csr_t *A = make_matrix("scattered:1000,50,9");
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz)
            assert_true(abs(A->col_indices[nz] - (int32_t)r) <= 50);
    csr_free(A);
    A = make_matrix("elements:50,0,5");
    size_t alike = 0;
    for (size_t r = 0; r + 1 < A->rows; ++r) {
        const int64_t from = A->row_offsets[r], next = A->row_offsets[r + 1], length = next - from;
        alike += A->row_offsets[r + 2] - next == length &&
                 !memcmp(A->col_indices + from, A->col_indices + next, (size_t)length * sizeof *A->col_indices);
    }
    assert_true(alike == A->rows - 50); /* all but the last of each node */
    csr_free(A);

    A = make_matrix("hypercube:6");
    csr_t *H = csr_transpose(A);
    for (size_t nz = 0; nz < A->nnz; ++nz) {
        const uint32_t apart = (uint32_t)A->col_indices[nz] ^ (uint32_t)(nz / 7);
        assert_true((apart & (apart - 1)) == 0 && A->col_indices[nz] == H->col_indices[nz]);
    }
    csr_free(H);
    csr_free(A);
    A = make_matrix("blocks:60,6,3");
    for (size_t r = 0; r < A->rows; ++r) {
        bool is_there = false; /* the block on the diagonal */
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
            is_there = is_there || A->col_indices[nz] == (int32_t)r;
            assert_int_equal(A->col_indices[nz], A->col_indices[A->row_offsets[r / 6 * 6] + nz - A->row_offsets[r]]);
        }
        assert_true(is_there);
    }
    csr_free(A);
    A = make_matrix("diagonals:3000,9,100");
    int32_t apart[9];
    for (int k = 0; k < 9; ++k) apart[k] = A->col_indices[A->row_offsets[1500] + k] - 1500; /* all of them are there */
    assert_int_equal(A->row_offsets[1501] - A->row_offsets[1500], 9);
    for (size_t r = 0; r < A->rows; ++r) {
        int64_t nz = A->row_offsets[r];
        for (int k = 0; k < 9; ++k)
            if ((int32_t)r + apart[k] >= 0 && (int32_t)r + apart[k] < 3000)
                assert_int_equal(A->col_indices[nz++], (int32_t)r + apart[k]);
        assert_int_equal(nz, A->row_offsets[r + 1]);
    }
    csr_t *F = make_matrix("diagonals:3000,9,50");
    assert_true(F->nnz > 3000 + (A->nnz - 3000) * 2 / 5 && F->nnz < 3000 + (A->nnz - 3000) * 3 / 5);
    csr_free(F);
    csr_free(A);

    /* Unknowns of a field stand together: a row's columns are the same for each field, 27 apart. */
    A = make_matrix("elasticity:3,2,1");
    for (int64_t nz = A->row_offsets[13], half = (A->row_offsets[14] - nz) / 2; nz < A->row_offsets[13] + half; ++nz)
        assert_int_equal(A->col_indices[nz] + 27, A->col_indices[nz + half]);
    csr_free(A);
    A = make_matrix("power_flow:40");
    for (int64_t nz = A->row_offsets[5], half = (A->row_offsets[6] - nz) / 2; nz < A->row_offsets[5] + half; ++nz)
        assert_int_equal(A->col_indices[nz] + 40, A->col_indices[nz + half]);
    csr_free(A);
    A = make_matrix("kkt:30,10,4"); /* no constraint binds a constraint */
    for (int64_t nz = A->row_offsets[30]; nz < A->row_offsets[40]; ++nz) assert_true(A->col_indices[nz] < 30);
    csr_free(A);

    csr_t *P = make_matrix("poisson2d:9,11"), *B = make_matrix("scrambled:poisson2d:9,11"), *T = csr_transpose(B);
    assert_true(P->nnz == B->nnz && same_matrix(B, T)); /* symmetric still */
    assert_false(same_matrix(P, B));
    csr_free(P);
    csr_free(B);
    csr_free(T);
    A = make_matrix("program:100,400,3");
    P = make_matrix("transposed:program:100,400,3");
    T = csr_transpose(P);
    assert_true(same_matrix(A, T));
    csr_free(A);
    csr_free(P);
    csr_free(T);
    A = make_matrix("band:90,3");
    B = make_matrix("symmetric:band:90,3");
    T = csr_transpose(B);
    assert_true(same_matrix(B, T));
    assert_false(same_matrix(A, B));
    assert_false(B->values[1] == B->values[2]); /* of row 0 */
    csr_free(A);
    csr_free(B);
    csr_free(T);
}

TEST(random_is_uniform)
{
    enum { ROWS = 4000, COLS = 1000, NNZ = 80000 };
    csr_t *A = make_matrix("random:4000,1000,80000");
    csr_stats_t s = csr_stats(A);
    assert_true(A->nnz == NNZ && csr_check(A, NULL) == 0);
    assert_true(s.stddev_row > 4 && s.stddev_row < 5); /* Poisson: sqrt(20) = 4.47 */
    int count[COLS] = {0}, least = NNZ, most = 0;
    for (size_t nz = 0; nz < A->nnz; ++nz) count[A->col_indices[nz]]++;
    for (int c = 0; c < COLS; ++c) {
        least = count[c] < least ? count[c] : least;
        most = count[c] > most ? count[c] : most;
    }
    assert_true(least > 40 && most < 130); /* 80 +- 5 standard deviations */
    csr_free(A);
    A = make_matrix("random:50,100,4900"); /* nearly full rows take another way */
    assert_true(A->nnz == 4900 && csr_check(A, NULL) == 0);
    csr_free(A);
}

static int longer_first(const void *a, const void *b)
{
    int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p < q) - (p > q);
}

/* Row lengths of A, longest first; to be freed. */
static int64_t *sorted_lengths(const csr_t *A)
{
    int64_t *lengths = calloc(A->rows + 1, sizeof *lengths);
    for (size_t r = 0; r < A->rows; ++r) lengths[r] = A->row_offsets[r + 1] - A->row_offsets[r];
    qsort(lengths, A->rows, sizeof *lengths, longer_first);
    return lengths;
}

TEST(powerlaw_is_one)
{
    csr_t *A = make_matrix("powerlaw:10000,100000,100000");
    assert_true(A->nnz == 100000 && csr_check(A, NULL) == 0);
    int64_t *lengths = sorted_lengths(A);
    for (int rank = 1; rank <= 100; rank *= 10) /* length x rank is constant */
        assert_true(llabs(lengths[rank - 1] * rank - lengths[0]) <= rank + 100);
    assert_true(A->row_offsets[1] != lengths[0]); /* and shuffled */
    free(lengths);
    csr_free(A);
}

TEST(rmat_is_skewed)
{
    csr_t *A = make_matrix("rmat:12,16");
    csr_stats_t s = csr_stats(A);
    assert_true(A->rows == 4096 && A->nnz <= 65536 && A->nnz > 50000 && csr_check(A, NULL) == 0);
    assert_true((double)s.max_row > 20 * s.mean_row && s.empty_rows > 400);
    int64_t upper = A->row_offsets[2048]; /* a + b = .76 of the edges start in the first half */
    assert_true((double)upper > 0.7 * (double)A->nnz && (double)upper < 0.82 * (double)A->nnz);
    csr_free(A);
}

TEST(stencils_are_symmetric)
{
    const char *const recipes[] = {"poisson2d:9,11", "poisson3d:4,5,6", "stencil27:4,5,6"};
    for (int i = 0; i < 3; ++i) {
        csr_t *A = make_matrix(recipes[i]), *T = csr_transpose(A);
        assert_true(same_matrix(A, T));
        csr_free(A);
        csr_free(T);
    }
    csr_t *A = make_matrix("poisson2d:3,3");
    const int32_t middle[] = {1, 3, 4, 5, 7};
    assert_memory_equal(A->col_indices + A->row_offsets[4], middle, sizeof middle);
    assert_true(A->values[A->row_offsets[4] + 2] == 4 && A->values[A->row_offsets[4]] == -1);
    csr_free(A);
}

/* Rows 7 to 18 alone are those of the whole, and no recipe but a stencil has such. */
TEST(some_rows_of_a_stencil)
{
    const char *const recipes[] = {"poisson2d:9,11", "poisson3d:4,5,6", "stencil27:4,5,6"};
    for (int i = 0; i < 3; ++i) {
        size_t points = 0;
        csr_t *A = make_matrix(recipes[i]), *B = matgen_stencil_rows(recipes[i], 7, 12, NULL);
        assert_true(matgen_stencil_points(recipes[i], &points) && points == A->rows);
        assert_true(B && B->rows == 12 && B->cols == A->cols);
        const int64_t from = A->row_offsets[7];
        for (size_t r = 0; r <= B->rows; ++r) assert_int_equal(B->row_offsets[r], A->row_offsets[7 + r] - from);
        assert_memory_equal(B->col_indices, A->col_indices + from, B->nnz * sizeof *B->col_indices);
        assert_memory_equal(B->values, A->values + from, B->nnz * sizeof *B->values);
        assert_null(matgen_stencil_rows(recipes[i], 7, A->rows - 6, NULL));
        csr_free(A);
        csr_free(B);
    }
    const char *const others[] = {"band:5,1", "poisson2d:5", "poisson2d:100000,100000", "like:ash219", "file.mtx"};
    for (int i = 0; i < 5; ++i) {
        size_t points = 77;
        err_t err = {""};
        assert_false(matgen_stencil_points(others[i], &points));
        assert_int_equal(points, 77);
        assert_null(matgen_stencil_rows(others[i], 0, 1, &err));
        assert_true(err.text[0]);
    }
}

TEST(values_are_never_zero_or_equal)
{
    csr_t *A = make_matrix("diagonal:10000");
    for (size_t nz = 0; nz < A->nnz; ++nz) {
        assert_true(fabs(A->values[nz]) < 1 && A->values[nz] != 0);
        if (nz) assert_true(A->values[nz] != A->values[nz - 1]);
    }
    csr_free(A);
}

TEST(vectors)
{
    enum { N = 100000 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), sum = 0;
    int seen[17] = {0};
    matgen_vector(x, N, 1, 0);
    for (int i = 0; i < N; ++i) {
        assert_true(fabs(x[i]) < 1 && x[i] != 0);
        sum += x[i];
    }
    assert_true(fabs(sum / N) < 0.01);
    matgen_vector(y, N / 2, 1, 0); /* the start does not depend on the length */
    assert_memory_equal(x, y, N / 2 * sizeof *x);
    matgen_vector(y, N, 2, 0);
    assert_true(memcmp(x, y, N * sizeof *x) != 0);
    matgen_vector(x, N, 1, 1);
    for (int i = 0; i < N; ++i) {
        assert_true(x[i] == rint(x[i]) && fabs(x[i]) <= 8);
        seen[(int)x[i] + 8]++;
    }
    for (int i = 0; i < 17; ++i) assert_true(i == 8 ? seen[i] == 0 : seen[i] > N / 20);
    matgen_vector(NULL, 0, 1, 0);
    free(x);
    free(y);
}

/* What the generated matrix must share with the original: its size, the longest row, how the rows
 * spread (10 %, half, 90 % of them are at most so long), the share of nonzeros that start a run of
 * consecutive columns, how far a row reaches on average (in columns of the matrix). */
static const struct {
    const char *name;
    size_t rows, cols, nnz, longest;
    int64_t short_most, half_most, long_least; /* 10 % of rows <= .., median <= .., 10 % of rows >= .. */
    double runs_low, runs_high, reach_low, reach_high;
} CLAIMS[] = {
    {"shyy41", 4720, 4720, 20042, 6, 4, 5, 5, 0.4, 1, 0, 0.05},
    {"mip1", 66463, 66463, 10352819, 66395, 40, 100, 300, 0.02, 0.15, 0.4, 0.7},
    {"ash219", 219, 85, 438, 2, 2, 2, 2, 0.8, 1, 0, 0.3},
    {"Si41Ge41H72", 185639, 185639, 15011265, 662, 25, 40, 120, 0.25, 0.5, 0.1, 0.3},
    {"Ga41As41H72", 268096, 268096, 18488476, 702, 25, 40, 90, 0.25, 0.5, 0.1, 0.3},
    {"webbase-1M", 1000005, 1000005, 3105536, 4700, 1, 1, 3, 0.8, 1, 0.05, 0.2},
    {"cop20k_A", 121192, 121192, 2624331, 81, 1, 30, 35, 0.35, 0.6, 0.5, 0.75},
    {"cant", 62451, 62451, 4007383, 78, 50, 75, 72, 0.1, 0.3, 0.004, 0.02},
    {"consph", 83334, 83334, 6010480, 81, 60, 81, 81, 0.1, 0.25, 0.04, 0.1},
    {"pwtk", 217918, 217918, 11524432, 180, 54, 54, 54, 0.04, 0.15, 0.02, 0.1},
    {"scircuit", 170998, 170998, 958936, 353, 2, 6, 8, 0.4, 0.7, 0.15, 0.4},
    {"mac_econ_fwd500", 206500, 206500, 1273389, 44, 2, 6, 11, 0.85, 1, 0, 0.01},
    {"mc2depi", 525825, 525825, 2100225, 4, 4, 4, 4, 0.5, 1, 0, 0.003},
    {"rma10", 46835, 46835, 2329092, 145, 20, 50, 80, 0.1, 0.3, 0.08, 0.3},
    {"circuit5M", 5558326, 5558326, 59524291, 1290501, 5, 10, 12, 0.3, 0.7, 0.3, 0.6},
    {"eu-2005", 862664, 862664, 19235140, 6985, 5, 20, 40, 0.25, 0.5, 0.15, 0.4},
    {"in-2004", 1382908, 1382908, 16917053, 7753, 0, 6, 20, 0.15, 0.4, 0.01, 0.05},
    {"web-Google", 916428, 916428, 5105039, 456, 0, 5, 10, 0.95, 1, 0.3, 0.6},
    {"ldoor", 952203, 952203, 42493817, 77, 28, 49, 56, 0.05, 0.2, 0.1, 0.3},
    {"bone010", 986703, 986703, 47851783, 63, 36, 57, 60, 0.1, 0.25, 0.01, 0.03},
    {"rail4284", 4284, 1096894, 11284032, 56182, 150, 1500, 5000, 0.15, 0.3, 0.85, 1},
};
enum { CLAIM_COUNT = sizeof CLAIMS / sizeof *CLAIMS };

TEST(bad_recipes_are_explained)
{
    static const char *const BAD[][2] = {
        {"", "one of identity:N"},
        {"hilbert:5", "unknown recipe 'hilbert:5'"},
        {"identity", "unknown recipe"},
        {"identity:", "'identity:' needs 1 whole number"},
        {"identity:5,5", "needs 1 whole"},
        {"identity:-5", "needs 1 whole"},
        {"identity: 5", "needs 1 whole"},
        {"identity:5x", "needs 1 whole"},
        {"identity:2147483648", "up to 2147483647"},
        {"identity:99999999999999999999999", "up to 2147483647"},
        {"band:5", "needs 2 whole"},
        {"random:10,10,101", "101 nonzeros do not fit in 10 x 10"},
        {"powerlaw:3,3,10", "10 nonzeros do not fit in 3 x 3"},
        {"powerlaw:2147483647,512,1099511627264",
         " GB, this machine has "}, /* at once, not after adding up 2^31 rows 62 times */
        {"iden\ntity:3", "unknown recipe 'iden tity:3'"},
        {"random:0,10,1", "do not fit"},
        {"even:10,5,6", "6 entries per row do not fit in 5 columns"},
        {"scattered:10,5,6", "6 entries per row do not fit in 5 columns"},
        {"program:10,23,1", "C must be at least 24"},
        {"transposed:", "unknown recipe ''"},
        {"scrambled:transposed:moon", "unknown recipe 'moon'"},
        {"symmetric:moon", "unknown recipe 'moon'"},
        {"empty_rows:10,0", "at least 1"},
        {"rmat:31,1", "above 30"},
        {"stencil27:2000,2000,2000", "more than 2147483647 points"},
        {"dense:2147483647,2147483647", "this machine has"},
        {"rmat:30,1000000", "this machine has"},
        {"like:moon", "choose one of: shyy41 mip1"},
        {"like:", "choose one of:"},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; ++i) {
        err_t err = {""};
        assert_null(matgen(BAD[i][0], 1, &err));
        if (!strstr(err.text, BAD[i][1])) fail_msg("%s: '%s' does not say '%s'", BAD[i][0], err.text, BAD[i][1]);
        assert_null(strchr(err.text, '\n'));
    }
    err_t err = {""};
    const char *const recipes[] = {"random:1,2,3", "random:", "random", "like:moon", "like", "poisson2d:no"};
    const char *const others[] = {"", "randm:1,2", "rand", "randoms:1", "moon", ":", "./random:1", "x:random:1"};
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; ++i) assert_true(matgen_is_recipe(recipes[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) assert_false(matgen_is_recipe(others[i]));
    assert_null(matgen(NULL, 1, &err));
    matgen("like:moon", 1, &err);
    for (size_t i = 0; i < CLAIM_COUNT; ++i) assert_non_null(strstr(err.text, CLAIMS[i].name)); /* none cut off */
    matgen("moon", 1, &err);
    assert_non_null(strstr(err.text, "one of identity:N diagonal:N band:N,HALFWIDTH dense:R,C"));
    assert_non_null(strstr(err.text, " stencil27:NX,NY,NZ like:NAME, or transposed:, scrambled: or symmetric:"));
}

static void check_claims(size_t i, const csr_t *A)
{
    csr_stats_t s = csr_stats(A);
    int64_t *lengths = sorted_lengths(A);
    size_t runs = 0;
    double reach = 0;
    for (size_t r = 0; r < A->rows; ++r) {
        int64_t first = A->row_offsets[r], end = A->row_offsets[r + 1];
        for (int64_t nz = first; nz < end; ++nz)
            runs += nz == first || A->col_indices[nz] != A->col_indices[nz - 1] + 1;
        if (end > first) reach += (double)(A->col_indices[end - 1] - A->col_indices[first]);
    }
    double share = (double)runs / (double)A->nnz, mean_reach = reach / (double)A->rows / (double)A->cols;
    bool ok = A->rows == CLAIMS[i].rows && A->cols == CLAIMS[i].cols && A->nnz == CLAIMS[i].nnz &&
              s.max_row == CLAIMS[i].longest && lengths[A->rows * 9 / 10] <= CLAIMS[i].short_most &&
              lengths[A->rows / 2] <= CLAIMS[i].half_most && lengths[A->rows / 10] >= CLAIMS[i].long_least &&
              share >= CLAIMS[i].runs_low && share <= CLAIMS[i].runs_high && mean_reach >= CLAIMS[i].reach_low &&
              mean_reach <= CLAIMS[i].reach_high;
    if (!ok)
        fail_msg("%s: %zu x %zu, %zu nonzeros, longest row %zu, 10/50/90 %% of rows up to %lld %lld %lld, runs %.3f, "
                 "reach %.4f",
                 CLAIMS[i].name, A->rows, A->cols, A->nnz, s.max_row, (long long)lengths[A->rows * 9 / 10],
                 (long long)lengths[A->rows / 2], (long long)lengths[A->rows / 10], share, mean_reach);
    free(lengths);
}

TEST(standins_are_exact_and_alike)
{
    for (size_t i = 0; i < CLAIM_COUNT; ++i) {
        if (CLAIMS[i].nnz > 4100000 && !getenv("COURSE_SLOW")) continue;
        char recipe[64];
        err_t err = {""};
        snprintf(recipe, sizeof recipe, "like:%s", CLAIMS[i].name);
        for (uint64_t seed = 1; seed <= (CLAIMS[i].nnz < 100000 ? 20 : 1); ++seed) {
            csr_t *A = matgen(recipe, seed, &err);
            if (!A) fail_msg("%s: %s", recipe, err.text);
            if (csr_check(A, &err)) fail_msg("%s: %s", recipe, err.text);
            check_claims(i, A);
            csr_free(A);
        }
    }
}

/* mc2depi is a regular grid: nearly everything on a handful of diagonals. */
TEST(grids_have_diagonals)
{
    csr_t *A = make_matrix("like:mc2depi");
    int32_t *on = calloc(2 * A->cols + 1, sizeof *on);
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz)
            on[(size_t)A->col_indices[nz] + A->cols - r]++;
    size_t on_long = 0;
    for (size_t d = 0; d < 2 * A->cols; ++d)
        if (on[d] > 100000) on_long += (size_t)on[d];
    assert_true((double)on_long > 0.98 * (double)A->nnz);
    free(on);
    csr_free(A);
}

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
