/* test_csr.c - the CSR matrix: building, checking, transposing, typed copies. */
#include "battery.h"

TEST(freeing_nothing)
{
    csr_arrays_t none = {0};
    assert_null(csr_free(NULL));
    csr_arrays_free(&none);
}

TEST(absurd_shapes_are_refused)
{
    assert_null(csr_alloc((size_t)INT32_MAX + 1, 1, 0));
    assert_null(csr_alloc(1, (size_t)INT32_MAX + 1, 0));
    assert_null(csr_alloc(1, 1, SIZE_MAX));
    err_t err = {""};
    assert_null(csr_from_triplets((size_t)1 << 31, 1, 0, NULL, NULL, NULL, &err));
    assert_non_null(strstr(err.text, "2147483648 x 1"));
}

TEST(battery_keeps_the_invariants)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i), *B = csr_copy(A);
        err_t err = {""};
        if (csr_check(A, &err)) fail_msg("%s: %s", BATTERY[i], err.text);
        assert_true(same_matrix(A, B));
        csr_free(A);
        csr_free(B);
    }
}

TEST(triplets_are_sorted_and_summed)
{
    const int32_t rows[] = {2, 0, 2, 0, 2, 2}, cols[] = {3, 1, 0, 1, 3, 3};
    const double values[] = {1e16, 1, 5, 2, 1, -1e16};
    csr_t *A = csr_from_triplets(3, 4, 6, rows, cols, values, NULL);
    assert_non_null(A);
    assert_int_equal(csr_check(A, NULL), 0);
    assert_int_equal(A->nnz, 3);
    const int64_t offsets[] = {0, 1, 1, 3};
    assert_memory_equal(A->row_offsets, offsets, sizeof offsets);
    assert_true(A->col_indices[0] == 1 && A->col_indices[1] == 0 && A->col_indices[2] == 3);
    /* in the order given: (1e16 + 1) - 1e16 is 0 in double, any other order gives 1 */
    assert_true(A->values[0] == 3 && A->values[1] == 5 && A->values[2] == 0);
    csr_free(A);
}

TEST(triplets_out_of_range_are_named)
{
    const int32_t bad[][2] = {{-1, 0}, {3, 0}, {0, -1}, {0, 4}};
    for (int i = 0; i < 4; ++i) {
        const int32_t rows[] = {0, bad[i][0]}, cols[] = {0, bad[i][1]};
        const double values[] = {1, 1};
        err_t err = {""};
        assert_null(csr_from_triplets(3, 4, 2, rows, cols, values, &err));
        assert_non_null(strstr(err.text, "triplet 1: ("));
        assert_non_null(strstr(err.text, "3 x 4"));
    }
}

/* Shuffled triplets of any matrix give that matrix. */
TEST(triplets_round_trip)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i);
        int32_t *rows = calloc(A->nnz + 1, sizeof *rows), *cols = calloc(A->nnz + 1, sizeof *cols);
        double *values = calloc(A->nnz + 1, sizeof *values);
        size_t step = A->nnz > 1 ? A->nnz - 1 : 1, at = 0; /* every entry once: the first, then from the last back */
        int64_t *row_of = calloc(A->nnz + 1, sizeof *row_of);
        for (size_t r = 0; r < A->rows; ++r)
            for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) row_of[nz] = (int64_t)r;
        for (size_t k = 0; k < A->nnz; ++k, at = (at + step) % A->nnz) {
            rows[k] = (int32_t)row_of[at];
            cols[k] = A->col_indices[at];
            values[k] = A->values[at];
        }
        csr_t *B = csr_from_triplets(A->rows, A->cols, A->nnz, rows, cols, values, NULL);
        assert_non_null(B);
        assert_true(same_matrix(A, B));
        csr_free(A);
        csr_free(B);
        free(rows);
        free(cols);
        free(values);
        free(row_of);
    }
}

TEST(transposing_twice_changes_nothing)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i), *T = csr_transpose(A), *B = csr_transpose(T);
        assert_int_equal(T->rows, A->cols);
        assert_int_equal(T->cols, A->rows);
        assert_int_equal(csr_check(T, NULL), 0);
        assert_true(same_matrix(A, B));
        csr_free(A);
        csr_free(T);
        csr_free(B);
    }
}

/* Breaks one thing of a sound matrix and looks for the word in the complaint. */
static void expect_complaint(void (*spoil)(csr_t *A), const char *word)
{
    csr_t *A = make_matrix("band:10,1");
    err_t err = {""};
    spoil(A);
    assert_int_equal(csr_check(A, &err), -1);
    if (!strstr(err.text, word)) fail_msg("'%s' does not say '%s'", err.text, word);
    csr_free(A);
}

static void spoil_start(csr_t *A) { A->row_offsets[0] = 1; }
static void spoil_order(csr_t *A) { A->row_offsets[4] = A->row_offsets[6]; }
static void spoil_overshoot(csr_t *A) { A->row_offsets[4] = 1 << 30; }
static void spoil_end(csr_t *A) { A->row_offsets[10]--; }
static void spoil_column(csr_t *A) { A->col_indices[A->nnz - 1] = 10; }
static void spoil_negative(csr_t *A) { A->col_indices[0] = -1; }
static void spoil_twice(csr_t *A) { A->col_indices[1] = A->col_indices[0]; }
static void spoil_sorting(csr_t *A) { A->col_indices[4] = 0; }
static void spoil_nan(csr_t *A) { A->values[5] = NAN; }
static void spoil_inf(csr_t *A) { A->values[5] = -INFINITY; }

TEST(broken_invariants_are_named)
{
    expect_complaint(spoil_start, "row 0 starts at 1");
    expect_complaint(spoil_order, "row 4 ends at");
    expect_complaint(spoil_overshoot, "row 4 ends at");
    expect_complaint(spoil_end, "row 10 ends at 27");
    expect_complaint(spoil_column, "row 9: column 10 in a matrix of 10 columns");
    expect_complaint(spoil_negative, "row 0: column -1");
    expect_complaint(spoil_twice, "row 0: column 0 appears twice");
    expect_complaint(spoil_sorting, "row 1: columns must ascend, but 0 follows 1");
    expect_complaint(spoil_nan, "row 2: the value in column 1 is nan");
    expect_complaint(spoil_inf, "row 2: the value in column 1 is -inf");
    err_t err = {""};
    assert_int_equal(csr_check(NULL, &err), -1);
}

TEST(stats_of_known_matrices)
{
    csr_t *A = make_matrix("one_dense_row:101");
    csr_stats_t s = csr_stats(A);
    assert_true(s.min_row == 1 && s.max_row == 101 && s.empty_rows == 0 && s.bandwidth == 50);
    assert_true(fabs(s.mean_row - 201.0 / 101) < 1e-12);
    csr_free(A);
    A = make_matrix("empty_rows:100,7");
    s = csr_stats(A);
    assert_true(s.min_row == 0 && s.max_row == 8 && s.empty_rows == 85);
    csr_free(A);
    A = make_matrix("even:64,64,5");
    assert_true(csr_stats(A).stddev_row == 0);
    csr_free(A);
    A = make_matrix("empty:0,9");
    s = csr_stats(A);
    assert_true(s.min_row == 0 && s.max_row == 0 && s.mean_row == 0 && s.bandwidth == 0);
    csr_free(A);
}

TEST(rounding_and_typed_copies_agree)
{
    csr_t *A = make_matrix("random:150,130,900");
    double *back = calloc(A->nnz, sizeof *back);
    for (int k = 0; k < DTYPE_COUNT; ++k) {
        for (int bits = 32; bits <= 64; bits += 32) {
            csr_t *B = csr_copy(A);
            csr_arrays_t a;
            csr_round(B, (dtype_t)k);
            assert_int_equal(csr_arrays_from(&a, A, (dtype_t)k, bits, NULL), 0);
            assert_true((uintptr_t)a.row_offsets % 64 == 0 && (uintptr_t)a.col_indices % 64 == 0 &&
                        (uintptr_t)a.values % 64 == 0);
            dtype_to_double((dtype_t)k, back, a.values, A->nnz);
            assert_memory_equal(back, B->values, A->nnz * sizeof *back);
            assert_memory_equal(a.col_indices, A->col_indices, A->nnz * sizeof *a.col_indices);
            for (size_t r = 0; r <= A->rows; ++r)
                assert_true((bits == 64 ? ((int64_t *)a.row_offsets)[r] : ((int32_t *)a.row_offsets)[r]) ==
                            A->row_offsets[r]);
            csr_arrays_free(&a);
            csr_arrays_free(&a);
            csr_free(B);
        }
    }
    free(back);
    csr_free(A);
}

TEST(offsets_that_do_not_fit_are_refused)
{
    csr_t huge = {.rows = 1, .cols = 1, .nnz = (size_t)1 << 31};
    csr_arrays_t a;
    err_t err = {""};
    assert_int_equal(csr_arrays_from(&a, &huge, DTYPE_F32, 32, &err), -1);
    assert_non_null(strstr(err.text, "use 64-bit offsets"));
    assert_int_equal(csr_arrays_from(&a, &huge, DTYPE_F32, 16, &err), -1);
    csr_arrays_free(&a);
}

TEST(compulsory_bytes)
{
    assert_int_equal(csr_spmv_bytes(10, 20, 100, DTYPE_F32, 32), 100 * 8 + 11 * 4 + 30 * 4);
    assert_int_equal(csr_spmv_bytes(10, 20, 100, DTYPE_F64, 64), 100 * 12 + 11 * 8 + 30 * 8);
    assert_int_equal(csr_spmv_bytes(10, 20, 100, DTYPE_F16, 32), 100 * 6 + 11 * 4 + 30 * 4);
    assert_int_equal(csr_spmv_bytes(1, 1, (size_t)1 << 33, DTYPE_F64, 64), ((size_t)12 << 33) + 32);
}

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
