/* test_formats.c - every format there and back over the battery, its limits, its bytes. */
#include "battery.h"
#include "formats.h"

/* Checks that B is A again, then frees both. */
static void expect_same(const csr_t *A, csr_t *B, const char *recipe, const char *format)
{
    err_t err = {""};
    if (!B) fail_msg("%s: no matrix back from %s", recipe, format);
    if (csr_check(B, &err)) fail_msg("%s from %s: %s", recipe, format, err.text);
    if (!same_matrix(A, B)) fail_msg("%s comes back changed from %s", recipe, format);
    csr_free(B);
}

/* There and back; `bytes` must be what the format says for fp32. */
#define ROUND_TRIP(X, expected_bytes, ...)                                                                  \
    do {                                                                                                    \
        err_t err_ = {""};                                                                                  \
        X##_t *M = X##_from_csr(__VA_ARGS__, SIZE_MAX, &err_);                                              \
        if (!M) fail_msg("%s: %s", BATTERY[i], err_.text);                                                  \
        assert_int_equal(X##_bytes(M, DTYPE_F32), expected_bytes);                                          \
        expect_same(A, csr_from_##X(M, &err_), BATTERY[i], #X);                                             \
        assert_null(X##_free(M));                                                                           \
    } while (0)

TEST(coo_and_csrl)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i);
        ROUND_TRIP(coo, A->nnz * 12, A);
        ROUND_TRIP(csrl, (A->rows + 1) * 4 + csr_nzseg(A) * 8 + A->nnz * 4, A);
        csr_free(A);
    }
}

TEST(blocked_coo)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i);
        for (int bits = 8; bits <= 16; bits += 8) {
            bcoo_t *M = bcoo_from_csr(A, bits, SIZE_MAX, NULL);
            assert_non_null(M);
            assert_int_equal(bcoo_bytes(M, DTYPE_F32),
                             M->blocks * 8 + (M->blocks + 1) * 4 + A->nnz * (4 + (size_t)bits / 4));
            for (size_t b = 0; b < M->blocks; ++b) { /* blocks in order, none empty */
                assert_true(M->block_offsets[b + 1] > M->block_offsets[b]);
                if (b == 0) continue;
                assert_true(M->block_rows[b] > M->block_rows[b - 1] ||
                            (M->block_rows[b] == M->block_rows[b - 1] && M->block_cols[b] > M->block_cols[b - 1]));
            }
            expect_same(A, csr_from_bcoo(M, NULL), BATTERY[i], "bcoo");
            bcoo_free(M);
        }
        csr_free(A);
    }
}

TEST(ell_and_hyb)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i);
        size_t longest = csr_stats(A).max_row;
        ROUND_TRIP(ell, A->rows * longest * 8, A);
        for (int64_t width = HYB_BY_RULE; width < 4; ++width) {
            size_t cut = width == HYB_BY_RULE ? hyb_width(A) : (size_t)width, rest = 0;
            for (size_t r = 0; r < A->rows; ++r) {
                size_t length = (size_t)(A->row_offsets[r + 1] - A->row_offsets[r]);
                rest += length > cut ? length - cut : 0;
            }
            ROUND_TRIP(hyb, A->rows * cut * 8 + rest * 12, A, width);
        }
        csr_free(A);
    }
}

TEST(diagonals)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i);
        if (A->rows > 10000) { /* 3000 diagonals of 70000 rows: see limits_say_the_number */
            csr_free(A);
            continue;
        }
        dia_t *M = dia_from_csr(A, SIZE_MAX, NULL);
        assert_non_null(M);
        assert_int_equal(dia_bytes(M, DTYPE_F32), M->diagonals * (4 + A->rows * 4));
        for (size_t d = 1; d < M->diagonals; ++d) assert_true(M->offsets[d] > M->offsets[d - 1]);
        expect_same(A, csr_from_dia(M, NULL), BATTERY[i], "dia");
        dia_free(M);
        csr_free(A);
    }
}

TEST(blocks)
{
    const size_t sizes[] = {1, 2, 3, 4, 7, 16};
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
            for (int row_major = 0; row_major < 2; ++row_major) {
                bsr_t *M = bsr_from_csr(A, sizes[k], row_major, SIZE_MAX, NULL);
                assert_non_null(M);
                assert_int_equal(bsr_bytes(M, DTYPE_F32), (M->block_rows + 1) * 4 + M->blocks * 4 +
                                                              M->blocks * sizes[k] * sizes[k] * 4);
                expect_same(A, csr_from_bsr(M, NULL), BATTERY[i], "bsr");
                bsr_free(M);
            }
        }
        csr_free(A);
    }
}

TEST(slices)
{
    const size_t shapes[][2] = {{1, 1}, {32, 1}, {32, 32}, {32, 128}, {4, 100000}, {7, 14}, {1000, 1}};
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i);
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
            sell_t *M = sell_from_csr(A, shapes[k][0], shapes[k][1], SIZE_MAX, NULL);
            assert_non_null(M);
            assert_int_equal(sell_bytes(M, DTYPE_F32),
                             (M->slices + 1) * 4 + M->slots * 8 + (shapes[k][1] > 1 ? A->rows * 4 : 0));
            if (shapes[k][1] == 1)
                for (size_t r = 0; r < A->rows; ++r) assert_int_equal(M->row_order[r], r);
            expect_same(A, csr_from_sell(M, NULL), BATTERY[i], "sell");
            sell_free(M);
        }
        csr_free(A);
    }
}

/* y = A x straight from the arrays, by the rules formats.h gives to kernels. */
TEST(arrays_mean_what_the_header_says)
{
    enum { ROWS = 9 * 11 };
    csr_t *A = make_matrix("poisson2d:9,11");
    double x[ROWS], y[ROWS], z[ROWS];
    matgen_vector(x, ROWS, 1, 1);
    for (size_t r = 0; r < ROWS; ++r) {
        y[r] = 0;
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz)
            y[r] += A->values[nz] * x[A->col_indices[nz]];
    }

    ell_t *ell = ell_from_csr(A, SIZE_MAX, NULL);
    memset(z, 0, sizeof z);
    for (size_t k = 0; k < ell->width; ++k)
        for (size_t r = 0; r < ROWS; ++r)
            if (ell->col_indices[k * ROWS + r] != PADDING)
                z[r] += ell->values[k * ROWS + r] * x[ell->col_indices[k * ROWS + r]];
            else
                assert_true(ell->values[k * ROWS + r] == 0); /* padding */
    assert_memory_equal(y, z, sizeof z);
    ell_free(ell);

    dia_t *dia = dia_from_csr(A, SIZE_MAX, NULL);
    assert_int_equal(dia->diagonals, 5);
    memset(z, 0, sizeof z);
    for (size_t d = 0; d < dia->diagonals; ++d)
        for (int64_t r = 0; r < ROWS; ++r)
            if (r + dia->offsets[d] >= 0 && r + dia->offsets[d] < ROWS)
                z[r] += dia->values[d * ROWS + (size_t)r] * x[r + dia->offsets[d]];
    assert_memory_equal(y, z, sizeof z);
    dia_free(dia);

    sell_t *sell = sell_from_csr(A, 4, 8, SIZE_MAX, NULL);
    for (size_t p = 0; p < ROWS; ++p) {
        size_t s = p / 4, start = (size_t)sell->slice_offsets[s] + p % 4, r = (size_t)sell->row_order[p];
        z[r] = 0;
        for (size_t slot = start; slot < (size_t)sell->slice_offsets[s + 1]; slot += 4)
            if (sell->col_indices[slot] != PADDING) z[r] += sell->values[slot] * x[sell->col_indices[slot]];
            else assert_true(sell->values[slot] == 0);
    }
    assert_memory_equal(y, z, sizeof z);
    sell_free(sell);

    csrl_t *csrl = csrl_from_csr(A, SIZE_MAX, NULL);
    const double *value = csrl->values;
    for (size_t r = 0; r < ROWS; ++r) {
        assert_true(value == csrl->values + csrl->value_offsets[r]);
        z[r] = 0;
        for (int64_t run = csrl->run_offsets[r]; run < csrl->run_offsets[r + 1]; ++run)
            for (int32_t k = 0; k < csrl->run_lengths[run]; ++k) z[r] += *value++ * x[csrl->run_cols[run] + k];
    }
    assert_memory_equal(y, z, sizeof z);
    csrl_free(csrl);
    csr_free(A);
}

TEST(runs_are_counted)
{
    const char *const recipes[] = {"band:100,3", "identity:33", "dense:33,31", "empty:17,19", "one_dense_row:500"};
    const size_t runs[] = {100, 33, 33, 0, 500};
    for (int i = 0; i < 5; ++i) {
        csr_t *A = make_matrix(recipes[i]);
        assert_int_equal(csr_nzseg(A), runs[i]);
        csr_free(A);
    }
}

/* The rule's width is where a third of the rows, and 4096 at least, still reach. */
TEST(hyb_rule)
{
    csr_t *A = make_matrix("even:30000,100,6");
    assert_int_equal(hyb_width(A), 6);
    csr_free(A);
    A = make_matrix("empty_rows:30000,4"); /* 7500 of 30000 rows: less than a third */
    assert_int_equal(hyb_width(A), 0);
    csr_free(A);
    A = make_matrix("empty_rows:30000,3"); /* exactly a third */
    assert_int_equal(hyb_width(A), 8);
    csr_free(A);
    A = make_matrix("even:4095,100,6"); /* too few rows to bother */
    assert_int_equal(hyb_width(A), 0);
    csr_free(A);
}

/* Refused before allocating, with both numbers. */
TEST(limits_say_the_number)
{
    csr_t *A = make_matrix("one_dense_row:50000");
    err_t err = {""};
    assert_null(ell_from_csr(A, 1000000000, &err)); /* 50000 x 50000 x 12 bytes */
    assert_string_equal(err.text, "ELL of 50000 rows, 50000 wide, needs 30.000 GB, the limit is 1.000 GB");
    assert_null(dia_from_csr(A, 1000000000, &err));
    assert_non_null(strstr(err.text, "DIA of 50000 diagonals of 50000 rows needs 20.3"));
    assert_null(hyb_from_csr(A, 50000, 1000000000, &err));
    assert_non_null(strstr(err.text, "HYB needs 30"));
    assert_null(bsr_from_csr(A, 1024, true, 10000000, &err));
    assert_non_null(strstr(err.text, "BSR of 97 blocks 1024 x 1024 needs 0.8"));
    assert_null(sell_from_csr(A, 1024, 1, 1000000, &err));
    assert_non_null(strstr(err.text, "SELL needs 0.6"));
    assert_null(coo_from_csr(A, 1000, &err));
    assert_non_null(strstr(err.text, "COO needs 0.002 GB"));
    assert_null(csrl_from_csr(A, 1000, &err));
    assert_null(bcoo_from_csr(A, 8, 1000, &err));
    hyb_t *M = hyb_from_csr(A, HYB_BY_RULE, 10000000, &err); /* and the right cut fits */
    assert_non_null(M);
    assert_int_equal(M->ell->width, 1);
    hyb_free(M);
    csr_free(A);
}

TEST(wrong_parameters_are_refused)
{
    csr_t *A = make_matrix("identity:33");
    err_t err = {""};
    assert_null(bcoo_from_csr(A, 12, SIZE_MAX, &err));
    assert_non_null(strstr(err.text, "12-bit"));
    assert_null(bsr_from_csr(A, 0, true, SIZE_MAX, &err));
    assert_null(bsr_from_csr(A, 5000, true, SIZE_MAX, &err));
    assert_null(sell_from_csr(A, 0, 1, SIZE_MAX, &err));
    assert_null(sell_from_csr(A, 8, 0, SIZE_MAX, &err));
    assert_null(sell_from_csr(A, 8, 12, SIZE_MAX, &err));
    csr_free(A);
}

TEST(freeing_nothing)
{
    assert_null(coo_free(NULL));
    assert_null(csrl_free(NULL));
    assert_null(bcoo_free(NULL));
    assert_null(ell_free(NULL));
    assert_null(hyb_free(NULL));
    assert_null(dia_free(NULL));
    assert_null(bsr_free(NULL));
    assert_null(sell_free(NULL));
}

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
