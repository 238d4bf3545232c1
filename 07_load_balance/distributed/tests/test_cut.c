/* test_cut.c - tests that every cut has all rows, that the best cut has the least maximum, and that the source's
 * alternates. */
#include "tests/battery.h"

#include "../cut.h"

static const int PARTS[] = {1, 2, 3, 4, 7, 16, 100};
enum { PARTS_COUNT = sizeof PARTS / sizeof *PARTS };

static int64_t fullest(const int64_t *offsets, const int64_t *first, int parts)
{
    int64_t most = 0;
    for (int p = 0; p < parts; ++p) {
        const int64_t nnz = offsets[first[p + 1]] - offsets[first[p]];
        if (nnz > most) most = nnz;
    }
    return most;
}

static void assert_is_cut(const int64_t *first, int parts, int64_t rows)
{
    assert_int_equal(first[0], 0);
    assert_int_equal(first[parts], rows);
    for (int p = 0; p < parts; ++p) assert_true(first[p] <= first[p + 1]);
}

TEST(test_every_cut_is_one)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i);
        for (int k = 0; k < PARTS_COUNT; ++k)
            for (dist_cut_t how = DIST_CUT_BEST; how <= DIST_CUT_ROWS; ++how) {
                int64_t first[101];
                memset(first, 0xFF, sizeof first);
                cut_rows(A->row_offsets, A->rows, PARTS[k], how, first);
                assert_is_cut(first, PARTS[k], (int64_t)A->rows);
            }
        csr_free(A);
    }
}

/* Finds the least maximum by trying all cuts; best[p][r] is that of rows 0 .. r - 1 in p parts. */
static int64_t least_maximum(const int64_t *offsets, int rows, int parts)
{
    int64_t best[17][65];
    for (int r = 0; r <= rows; ++r) best[1][r] = offsets[r];
    for (int p = 2; p <= parts; ++p)
        for (int r = 0; r <= rows; ++r) {
            best[p][r] = INT64_MAX;
            for (int cut = 0; cut <= r; ++cut) {
                const int64_t last = offsets[r] - offsets[cut],
                              most = best[p - 1][cut] > last ? best[p - 1][cut] : last;
                if (most < best[p][r]) best[p][r] = most;
            }
        }
    return best[parts][rows];
}

TEST(test_best_is_the_best)
{
    static const char *const RECIPES[] = {"dense:1,30",      "identity:33",      "one_dense_row:40",
                                          "empty_rows:60,7", "random:50,30,400", "powerlaw:60,60,700",
                                          "rmat:6,8",        "poisson2d:8,8",    "empty:9,9"};
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; ++i) {
        csr_t *A = make_matrix(RECIPES[i]);
        for (int parts = 1; parts <= 16; ++parts) {
            int64_t first[17], rows[17], source[17];
            cut_rows(A->row_offsets, A->rows, parts, DIST_CUT_BEST, first);
            cut_rows(A->row_offsets, A->rows, parts, DIST_CUT_ROWS, rows);
            cut_rows(A->row_offsets, A->rows, parts, DIST_CUT_SOURCE, source);
            const int64_t best = fullest(A->row_offsets, first, parts);
            assert_int_equal(best, least_maximum(A->row_offsets, (int)A->rows, parts));
            assert_true(best <= fullest(A->row_offsets, rows, parts));
            assert_true(best <= fullest(A->row_offsets, source, parts));
        }
        csr_free(A);
    }
}

/* Rows have 10 nonzeros, so a share of 25 ends inside a row: the first part takes that row, the second leaves it. */
TEST(test_source_alternates)
{
    int64_t offsets[11], first[5];
    static const int64_t EXPECTED[] = {0, 3, 5, 8, 10};
    for (int r = 0; r <= 10; ++r) offsets[r] = 10 * r;
    cut_rows(offsets, 10, 4, DIST_CUT_SOURCE, first);
    for (int p = 0; p <= 4; ++p) assert_int_equal(first[p], EXPECTED[p]);
}

/* No part may be empty if there are enough rows; a greedy cut would leave the last part empty. */
TEST(test_best_leaves_nobody_idle)
{
    int64_t offsets[101], first[8];
    for (int r = 0; r <= 100; ++r) offsets[r] = 3 * r;
    cut_rows(offsets, 100, 7, DIST_CUT_BEST, first);
    for (int p = 0; p < 7; ++p) assert_in_range(first[p + 1] - first[p], 14, 15);
}

TEST(test_rows_without_nonzeros_are_shared)
{
    const int64_t offsets[9] = {0}, even[5] = {0, 2, 4, 6, 8};
    int64_t first[5];
    for (dist_cut_t how = DIST_CUT_BEST; how <= DIST_CUT_ROWS; ++how) {
        cut_rows(offsets, 8, 4, how, first);
        assert_memory_equal(first, even, sizeof even);
    }
}

int main(void) { return cmocka_run_group_tests_name("cut", tests, NULL, NULL); }
