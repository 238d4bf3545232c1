/* test_formats.c - every format over the battery: its product, its limits, its bytes. */
#include "battery.h"
#include "formats.h"

/* ---- y += A x straight from the arrays, by the rules formats.h gives to kernels --------------------
 * Each returns the number of A's entries that it found; all add the terms of a row in the order of columns. */

static size_t coo_product(const coo_t *M, const double *x, double *y)
{
    for (size_t i = 0; i < M->nnz; ++i) y[M->row_indices[i]] += M->values[i] * x[M->col_indices[i]];
    return M->nnz;
}

static size_t csrl_product(const csrl_t *M, const double *x, double *y)
{
    const double *value = M->values;
    for (size_t r = 0; r < M->rows; ++r) {
        assert_true(value == M->values + M->value_offsets[r]);
        for (int64_t run = M->run_offsets[r]; run < M->run_offsets[r + 1]; ++run)
            for (int32_t k = 0; k < M->run_lengths[run]; ++k) y[r] += *value++ * x[M->run_cols[run] + k];
    }
    return (size_t)(value - M->values);
}

static size_t local(const void *indices, int bits, size_t i)
{
    return bits == 8 ? ((const uint8_t *)indices)[i] : ((const uint16_t *)indices)[i];
}

static size_t bcoo_product(const bcoo_t *M, const double *x, double *y)
{
    for (size_t b = 0; b < M->blocks; ++b)
        for (size_t i = (size_t)M->block_offsets[b]; i < (size_t)M->block_offsets[b + 1]; ++i)
            y[((size_t)M->block_rows[b] << M->index_bits) + local(M->local_rows, M->index_bits, i)] +=
                M->values[i] * x[((size_t)M->block_cols[b] << M->index_bits) + local(M->local_cols, M->index_bits, i)];
    return (size_t)M->block_offsets[M->blocks];
}

/* The term of one slot of a format with a column per slot; padding must be 0. */
static size_t slot_product(int32_t col, double value, const double *x, double *y)
{
    if (col == PADDING) assert_true(value == 0);
    else *y += value * x[col];
    return col != PADDING;
}

static size_t ell_product(const ell_t *M, const double *x, double *y)
{
    size_t found = 0;
    for (size_t slot = 0; slot < M->width * M->rows; ++slot)
        found += slot_product(M->col_indices[slot], M->values[slot], x, &y[slot % M->rows]);
    return found;
}

static size_t hyb_product(const hyb_t *M, const double *x, double *y)
{
    return ell_product(M->ell, x, y) + coo_product(M->rest, x, y);
}

static size_t sell_product(const sell_t *M, const double *x, double *y)
{
    size_t found = 0;
    for (size_t s = 0; s < M->slices; ++s) {
        const size_t begin = (size_t)M->slice_offsets[s], end = (size_t)M->slice_offsets[s + 1];
        for (size_t slot = begin; slot < end; ++slot) {
            const size_t p = s * M->slice + (slot - begin) % M->slice;
            double past_the_last_row = 0;
            found += slot_product(M->col_indices[slot], M->values[slot], x,
                                  p < M->rows ? &y[M->row_order[p]] : &past_the_last_row);
        }
    }
    return found;
}

static size_t bits_of(const uint8_t *stored, size_t slots)
{
    size_t set = 0;
    for (size_t i = 0; i < slots; ++i) set += stored[i / 8] >> i % 8 & 1;
    return set;
}

static size_t dia_product(const dia_t *M, const double *x, double *y)
{
    for (size_t d = 0; d < M->diagonals; ++d)
        for (int64_t r = 0; r < (int64_t)M->rows; ++r)
            if (r + M->offsets[d] >= 0 && r + M->offsets[d] < (int64_t)M->cols)
                y[r] += M->values[d * M->rows + (size_t)r] * x[r + M->offsets[d]];
    return bits_of(M->stored, M->diagonals * M->rows);
}

static size_t bsr_product(const bsr_t *M, const double *x, double *y)
{
    for (size_t r = 0; r < M->rows; ++r)
        for (size_t b = (size_t)M->row_offsets[r / M->block]; b < (size_t)M->row_offsets[r / M->block + 1]; ++b)
            for (size_t j = 0; j < M->block; ++j) {
                const size_t i = r % M->block, col = (size_t)M->col_indices[b] * M->block + j;
                const size_t slot = (b * M->block + (M->row_major ? i : j)) * M->block + (M->row_major ? j : i);
                if (col < M->cols) y[r] += M->values[slot] * x[col];
            }
    return bits_of(M->stored, M->blocks * M->block * M->block);
}

/* Checks that M has A's entries and gives A's y, bit by bit; then frees M.  In fp32 it has that many bytes. */
#define CHECK(X, M, bytes)                                                                                  \
    do {                                                                                                    \
        assert_non_null(M);                                                                                 \
        assert_int_equal(X##_bytes(M, DTYPE_F32), bytes);                                                   \
        double *x = malloc((A->cols + 1) * sizeof *x), *y = calloc(A->rows + 1, sizeof *y);                 \
        double *z = calloc(A->rows + 1, sizeof *z);                                                         \
        matgen_vector(x, A->cols, 1, 1);                                                                    \
        for (size_t r = 0; r < A->rows; ++r)                                                                \
            for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz)                          \
                y[r] += A->values[nz] * x[A->col_indices[nz]];                                              \
        assert_int_equal(X##_product(M, x, z), A->nnz);                                                     \
        for (size_t r = 0; r < A->rows; ++r)                                                                \
            if (y[r] != z[r]) fail_msg("%s as %s: row %zu is wrong", BATTERY[i], #X, r);                    \
        free(x), free(y), free(z);                                                                          \
        assert_null(X##_free(M));                                                                           \
    } while (0)

TEST(coo_and_csrl)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i);
        coo_t *coo = coo_from_csr(A, SIZE_MAX, NULL);
        csrl_t *csrl = csrl_from_csr(A, SIZE_MAX, NULL);
        CHECK(coo, coo, A->nnz * 12);
        CHECK(csrl, csrl, (A->rows + 1) * 4 + csr_nzseg(A) * 8 + A->nnz * 4);
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
            for (size_t b = 0; b < M->blocks; ++b) { /* blocks in order, none empty */
                assert_true(M->block_offsets[b + 1] > M->block_offsets[b]);
                if (b == 0) continue;
                assert_true(M->block_rows[b] > M->block_rows[b - 1] ||
                            (M->block_rows[b] == M->block_rows[b - 1] && M->block_cols[b] > M->block_cols[b - 1]));
            }
            CHECK(bcoo, M, M->blocks * 8 + (M->blocks + 1) * 4 + A->nnz * (4 + (size_t)bits / 4));
        }
        csr_free(A);
    }
}

TEST(ell_and_hyb)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i);
        size_t longest = csr_stats(A).max_row;
        ell_t *ell = ell_from_csr(A, SIZE_MAX, NULL);
        CHECK(ell, ell, A->rows * longest * 8);
        for (int64_t width = HYB_BY_RULE; width < 4; ++width) {
            size_t cut = width == HYB_BY_RULE ? hyb_width(A) : (size_t)width, rest = 0;
            for (size_t r = 0; r < A->rows; ++r) {
                size_t length = (size_t)(A->row_offsets[r + 1] - A->row_offsets[r]);
                rest += length > cut ? length - cut : 0;
            }
            hyb_t *hyb = hyb_from_csr(A, width, SIZE_MAX, NULL);
            CHECK(hyb, hyb, A->rows * cut * 8 + rest * 12);
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
        for (size_t d = 1; d < M->diagonals; ++d) assert_true(M->offsets[d] > M->offsets[d - 1]);
        CHECK(dia, M, M->diagonals * (4 + A->rows * 4));
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
                CHECK(bsr, M, (M->block_rows + 1) * 4 + M->blocks * 4 + M->blocks * sizes[k] * sizes[k] * 4);
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
            if (shapes[k][1] == 1)
                for (size_t r = 0; r < A->rows; ++r) assert_int_equal(M->row_order[r], r);
            CHECK(sell, M, (M->slices + 1) * 4 + M->slots * 8 + (shapes[k][1] > 1 ? A->rows * 4 : 0));
        }
        csr_free(A);
    }
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
