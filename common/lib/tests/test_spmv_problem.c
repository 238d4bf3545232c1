/* test_spmv_problem.c - matrices as the kernels of chapters 04 to 07 get them: values that their type can hold. */
#include "battery.h"
#include "spmv_problem.h"

/* band:50,2 with values up to `largest`, as a problem of type t; *most gets the largest value in it.  -1 and *err. */
static int open_scaled(double largest, dtype_t t, double *most, err_t *err)
{
    problem_t p;
    csr_t *A = make_matrix("band:50,2");
    for (size_t nz = 0; nz < A->nnz; ++nz) A->values[nz] *= largest;
    A->values[7] = -largest;
    const spmv_spec_t spec = {.A = A, .name = "scaled", .dtype = t, .offset_bits = 32, .cpu = true};
    const int failed = spmv_problem_open(&p, &spec, err);
    const spmv_data_t *data = failed ? NULL : p.data;
    *most = 0;
    for (size_t nz = 0; data && nz < A->nnz; ++nz) *most = fmax(*most, fabs(data->A.values[nz]));
    for (size_t r = 0; data && r < A->rows; ++r) assert_true(isfinite(data->y[r]) && isfinite(data->abs_sum[r]));
    spmv_problem_close(&p);
    csr_free(A);
    return failed;
}

TEST(values_fit_their_type)
{
    static const struct {
        double largest;
        dtype_t type;
        double most;
    } CASES[] = {{1000, DTYPE_F16, 1000},       {65504, DTYPE_F16, 65504}, {4.7e9, DTYPE_F16, 65504},
                 {4.7e9, DTYPE_I8, 127},        {1e-9, DTYPE_I8, 127},     {0x1p100, DTYPE_BF16, 0x1p100},
                 {0x1p100, DTYPE_F32, 0x1p100}, {1e300, DTYPE_F64, 1e300}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        err_t err = {""};
        double most;
        if (open_scaled(CASES[i].largest, CASES[i].type, &most, &err)) fail_msg("%s", err.text);
        if (most != CASES[i].most) fail_msg("%s: %g becomes %g", dtype_name(CASES[i].type), CASES[i].largest, most);
    }
}

/* Where every result would be infinite, right or wrong, the input is to blame and not the kernels. */
TEST(values_beyond_fp32_are_refused)
{
    err_t err = {""};
    double most;
    assert_int_equal(open_scaled(1e300, DTYPE_F32, &most, &err), -1);
    assert_non_null(strstr(err.text, "does not fit fp32: take --dtype fp64"));
    assert_int_equal(open_scaled(1e300, DTYPE_BF16, &most, &err), -1);
}

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
