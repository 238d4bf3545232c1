/* test_verify.c - the checker must catch what it is there for: mutants of right answers. */
#include "battery.h"
#include "verify.h"

enum { N = 1000 };

/* y = A x of a random matrix, its reference and tolerances. */
typedef struct fixture {
    csr_t *A;
    double x[N], ref[N], tol[N], y64[N];
    float y32[N];
} fixture_t;

static int set_up(void **state)
{
    fixture_t *f = calloc(1, sizeof *f);
    double abs_sum[N];
    f->A = make_matrix("random:1000,1000,8000");
    matgen_vector(f->x, N, 3, 0);
    reference_spmv(f->A, f->x, f->ref, abs_sum);
    for (int i = 0; i < N; ++i) {
        size_t length = (size_t)(f->A->row_offsets[i + 1] - f->A->row_offsets[i]);
        f->tol[i] = verify_tolerance(length, DTYPE_F32, abs_sum[i]);
        f->y32[i] = (float)f->ref[i];
        f->y64[i] = f->ref[i];
    }
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture_t *f = *state;
    csr_free(f->A);
    free(f);
    return 0;
}

TEST(near_is_near)
{
    assert_true(near_ok(1, 1, 0));
    assert_true(near_ok(1, 1.5, 0.5));
    assert_false(near_ok(1, 1.5, 0.4));
    assert_false(near_ok(1, NAN, 1e300));
    assert_false(near_ok(1, INFINITY, 1e300));
    assert_false(near_ok(INFINITY, INFINITY, 1));
    assert_false(near_ok(NAN, 1, 1));
    assert_false(near_ok(1, 1, NAN));
    assert_false(near_ok(1, 1, INFINITY));
    assert_false(near_ok(1, 1, -1));
}

TEST_IN(right_answers_pass, set_up, tear_down)
{
    fixture_t *f = *state;
    verify_result_t r = verify(f->y32, DTYPE_F32, N, f->ref, f->tol);
    assert_true(r.ok && r.err_over_tol > 0 && r.err_over_tol < 1);
    r = verify(f->y64, DTYPE_F64, N, f->ref, f->tol);
    assert_true(r.ok && r.err_over_tol == 0);
    r = verify(NULL, DTYPE_F32, 0, NULL, NULL);
    assert_true(r.ok && r.err_over_tol == 0);
    /* serial float sums are what the bound was made for */
    for (int i = 0; i < N; ++i) {
        float sum = 0;
        for (int64_t nz = f->A->row_offsets[i]; nz < f->A->row_offsets[i + 1]; ++nz)
            sum += (float)f->A->values[nz] * (float)f->x[f->A->col_indices[nz]];
        f->y32[i] = sum;
    }
    assert_true(verify(f->y32, DTYPE_F32, N, f->ref, f->tol).ok);
}

/* Whatever was done to y, both precisions must see it, at the place given. */
static void expect_caught(fixture_t *f, size_t where)
{
    verify_result_t r = verify(f->y32, DTYPE_F32, N, f->ref, f->tol);
    assert_false(r.ok);
    assert_int_equal(r.first_wrong, where);
    assert_true(!(r.err_over_tol <= 1));
    assert_true(r.expected == f->ref[where] && r.tol == f->tol[where]);
    for (int i = 0; i < N; ++i) f->y64[i] = f->y32[i];
    r = verify(f->y64, DTYPE_F64, N, f->ref, f->tol);
    assert_false(r.ok);
    assert_int_equal(r.first_wrong, where);
}

TEST_IN(one_entry_changed, set_up, tear_down)
{
    fixture_t *f = *state;
    f->y32[N - 1] += 1e-3f;
    expect_caught(f, N - 1);
}

TEST_IN(one_nan, set_up, tear_down)
{
    fixture_t *f = *state;
    f->y32[300] = NAN;
    expect_caught(f, 300);
    assert_true(isinf(verify(f->y32, DTYPE_F32, N, f->ref, f->tol).err_over_tol));
}

TEST_IN(one_infinity, set_up, tear_down)
{
    fixture_t *f = *state;
    f->y32[0] = -INFINITY;
    expect_caught(f, 0);
    assert_true(isinf(verify(f->y32, DTYPE_F32, N, f->ref, f->tol).err_over_tol));
}

TEST_IN(last_nonzero_dropped, set_up, tear_down)
{
    fixture_t *f = *state;
    size_t row = N - 1;
    while (f->A->row_offsets[row] == (int64_t)f->A->nnz) --row;
    f->y32[row] -= (float)(f->A->values[f->A->nnz - 1] * f->x[f->A->col_indices[f->A->nnz - 1]]);
    expect_caught(f, row);
}

TEST_IN(two_rows_swapped, set_up, tear_down)
{
    fixture_t *f = *state;
    float swap = f->y32[10];
    f->y32[10] = f->y32[11];
    f->y32[11] = swap;
    expect_caught(f, 10);
}

TEST_IN(output_never_written, set_up, tear_down)
{
    fixture_t *f = *state;
    verify_poison(f->y32, sizeof f->y32);
    expect_caught(f, 0);
    verify_poison(f->y64, sizeof f->y64);
    assert_false(verify(f->y64, DTYPE_F64, N, f->ref, f->tol).ok);
    for (int i = 0; i < N - 1; ++i) f->y32[i] = (float)f->ref[i]; /* all but the last */
    expect_caught(f, N - 1);
}

TEST_IN(sum_added_twice, set_up, tear_down)
{
    fixture_t *f = *state;
    for (int i = 0; i < N; ++i) f->y32[i] *= 2;
    assert_false(verify(f->y32, DTYPE_F32, N, f->ref, f->tol).ok);
}

TEST_IN(wrong_column_read, set_up, tear_down)
{
    fixture_t *f = *state;
    int64_t nz = f->A->row_offsets[500];
    int32_t col = f->A->col_indices[nz];
    f->y32[500] += (float)(f->A->values[nz] * (f->x[(col + 1) % N] - f->x[col]));
    expect_caught(f, 500);
}

/* Where the terms cancel, a bound relative to the result would be zero or nothing. */
TEST(zero_tolerance_is_exact)
{
    const double ref[] = {0, 3}, tol[] = {0, 0};
    const float right[] = {0, 3}, wrong[] = {0, 3.0000002f};
    verify_result_t r = verify(right, DTYPE_F32, 2, ref, tol);
    assert_true(r.ok && r.err_over_tol == 0);
    r = verify(wrong, DTYPE_F32, 2, ref, tol);
    assert_true(!r.ok && r.first_wrong == 1 && isinf(r.err_over_tol));
}

TEST(small_types_are_checked_too)
{
    double ref[300], tol[300];
    unsigned char out[600];
    for (int i = 0; i < 300; ++i) {
        ref[i] = i % 100;
        tol[i] = 0;
    }
    for (dtype_t t = DTYPE_F16; t < DTYPE_COUNT; ++t) {
        dtype_from_double(t, out, ref, 300);
        assert_true(verify(out, t, 300, ref, tol).ok);
        out[290 * dtype_size(t)] ^= 1;
        verify_result_t r = verify(out, t, 300, ref, tol);
        assert_true(!r.ok && r.first_wrong == 290);
    }
}

TEST(description_names_the_element)
{
    const double ref[] = {1, 3.25}, tol[] = {0, 1e-6};
    const double out[] = {1, NAN};
    char text[128];
    verify_result_t r = verify(out, DTYPE_F64, 2, ref, tol);
    verify_describe(&r, "y", text, sizeof text);
    assert_string_equal(text, "y[1]: got nan, expected 3.25, tolerance 1e-06");
    r.got = nextafter(3.25, 4); /* not "got 3.25, expected 3.25" */
    verify_describe(&r, "y", text, sizeof text);
    assert_string_equal(text, "y[1]: got 3.2500000000000004, expected 3.25, tolerance 1e-06");
    verify_describe(&r, "y", text, 5); /* cut off, not overrun */
    assert_string_equal(text, "y[1]");
}

TEST(tolerance_follows_the_formula)
{
    assert_true(verify_tolerance(9, DTYPE_F32, 2) == 4 * 10 * 0x1p-24 * 2);
    assert_true(verify_tolerance(0, DTYPE_F64, 1) == 4 * 0x1p-53);
    assert_true(verify_tolerance(5, DTYPE_F32, 0) == 0);
}

TEST(poison_is_nan_and_seen)
{
    float words[8] = {0};
    assert_true(verify_untouched(words, 0));
    assert_false(verify_untouched(words, 1));
    verify_poison(words, sizeof words);
    verify_poison(NULL, 0);
    assert_true(isnan(words[7]));
    assert_true(verify_untouched(words, sizeof words));
    ((unsigned char *)words)[sizeof words - 1] = 0xfe;
    assert_false(verify_untouched(words, sizeof words));
    assert_true(verify_untouched(words, sizeof words - 1));
}

TEST(reference_sum_is_exact_enough)
{
    double absolute;
    const double cancel[] = {1, 1e100, 1, -1e100}; /* Kahan's own loop gives 0 here */
    assert_true(reference_sum(cancel, 4, &absolute) == 2);
    assert_true(absolute == 2e100);
    assert_true(reference_sum(NULL, 0, &absolute) == 0 && absolute == 0);
    enum { COUNT = 1 << 20 };
    double *x = malloc(COUNT * sizeof *x);
    long double exact = 0;
    for (int i = 0; i < COUNT; ++i) exact += x[i] = 0.1 * (i % 7 + 1) * (i % 2 ? 1e8 : 1e-8);
    assert_true(fabsl(reference_sum(x, COUNT, NULL) - exact) <= 1e-15L * exact);
    matgen_vector(x, COUNT, 5, 1); /* small integers: any order gives the same */
    double sum = 0;
    for (int i = COUNT; i-- > 0;) sum += x[i];
    assert_true(reference_sum(x, COUNT, NULL) == sum);
    free(x);
}

TEST(reference_spmv_by_hand)
{
    const int32_t rows[] = {0, 0, 2}, cols[] = {0, 2, 1};
    const double values[] = {2, -3, 4}, x[] = {1, 10, 100};
    double y[3], abs_sum[3];
    csr_t *A = csr_from_triplets(3, 3, 3, rows, cols, values, NULL);
    reference_spmv(A, x, y, abs_sum);
    assert_true(y[0] == -298 && y[1] == 0 && y[2] == 40);
    assert_true(abs_sum[0] == 302 && abs_sum[1] == 0 && abs_sum[2] == 40);
    csr_free(A);
}

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
