/* test_spmv_forms.c - libspmv's spmv_create_from: every form, base, triangle and transpose on both engines, new values,
 * and refused arrays. */
#include "lists.h"

/* Computes y = 2 A x - y by definition. */
static void right_answer(const list_t *l, spmv_part_t part, bool transpose, const double *x, double *y, int64_t rows)
{
    for (int64_t r = 0; r < rows; ++r) y[r] = -(double)(r % 5);
    for (int64_t k = 0; k < l->nnz; ++k) {
        const int32_t row = transpose ? l->col[k] : l->row[k], col = transpose ? l->row[k] : l->col[k];
        y[row] += 2 * l->value[k] * x[col];
        if (part != SPMV_ALL && row != col) y[col] += 2 * l->value[k] * x[row];
    }
}

/* Checks one product of small integers, so nothing is rounded; then the same with X of one column. */
static void check(const spmv_plan_t *plan, const list_t *l, spmv_part_t part, bool transpose, spmv_type_t type,
                  const char *what)
{
    const int64_t rows = transpose ? l->cols : l->rows, cols = transpose ? l->rows : l->cols;
    const dtype_t vector = VECTORS[type];
    const size_t size = dtype_size(vector);
    double *x = malloc((size_t)cols * 8 + 8), *y = malloc((size_t)rows * 8 + 8), *before = malloc((size_t)rows * 8 + 8);
    void *x_typed = malloc((size_t)cols * 8 + 8), *y_typed = malloc((size_t)rows * 8 + 8);
    matgen_vector(x, (size_t)cols, 5, 1);
    right_answer(l, part, transpose, x, y, rows);
    for (int64_t r = 0; r < rows; ++r) before[r] = (double)(r % 5);
    for (int many = 0; many < 2; ++many) {
        dtype_from_double(vector, x_typed, x, (size_t)cols);
        dtype_from_double(vector, y_typed, before, (size_t)rows);
        void *x_there = go_to(plan, x_typed, (size_t)cols * size), *y_there = go_to(plan, y_typed, (size_t)rows * size);
        if (many) ok(spmv_execute_many(plan, 1, SPMV_ROW_MAJOR, 2, x_there, 1, -1, y_there, 1, NULL));
        else ok(spmv_execute(plan, 2, x_there, -1, y_there, NULL));
        come_back(plan, y_typed, y_there, (size_t)rows * size);
        come_back(plan, NULL, x_there, 0);
        for (int64_t r = 0; r < rows; ++r) {
            double got;
            dtype_to_double(vector, &got, (char *)y_typed + (size_t)r * size, 1);
            if (got != y[r]) fail_msg("%s: y[%lld] is %g, not %g", what, (long long)r, got, y[r]);
        }
    }
    free(x), free(y), free(before), free(x_typed), free(y_typed);
}

/* Checks a plan and its product, then both with other values: in the same array, and from another array. */
static void check_form(const list_t *given, spmv_format_t format, spmv_part_t part, int base, int bits,
                       spmv_type_t type, bool transpose, int where)
{
    static const char *const NAMES[] = {"CSR", "CSC", "COO"}, *const WHERE[] = {"CPU", "host to GPU", "GPU"};
    char what[120];
    list_t l = *given;
    const spmv_options_t options = {.backend = where ? SPMV_BACKEND_GPU : SPMV_BACKEND_CPU, .transpose = transpose,
                                    .threads = 3, .copy = base};
    arrays_t a = arrays_of(&l, format, part, base, bits, type, where == 2);
    spmv_plan_t *plan;
    snprintf(what, sizeof what, "%s from %d, part %d, %d bits, type %d, transpose %d, %s", NAMES[format], base,
             (int)part, bits, (int)type, transpose, WHERE[where]);
    ok(spmv_create_from(&plan, &a.M, &options, NULL));
    check(plan, &l, part, transpose, type, what);
    l.value = malloc((size_t)l.nnz * 8 + 1);
    matgen_vector(l.value, (size_t)l.nnz, 99, 1);
    dtype_from_double(DTYPES[type], a.value, l.value, (size_t)l.nnz);
    void *other = where == 2 ? to_gpu(a.value, (size_t)l.nnz * dtype_size(DTYPES[type])) : a.value;
    ok(spmv_update_values(plan, other, NULL));
    check(plan, &l, part, transpose, type, what);
    spmv_destroy(plan);
    if (where == 2) device_free(other);
    free(l.value);
    arrays_free(&a);
}

static int WHERES = 3; /* 1 if the library has no GPU back end */

static void check_list(const char *recipe, spmv_part_t part, bool shuffled, int turn)
{
    for (int format = SPMV_CSR; format <= SPMV_COO; ++format)
        for (int base = 0; base < 2; ++base)
            for (int transpose = 0; transpose < 2; ++transpose)
                for (int where = 0; where < WHERES; ++where) {
                    list_t l = list_of(recipe);
                    keep(&l, part);
                    if (shuffled) shuffle(&l);
                    if (format != SPMV_COO) sort_lines(&l, (spmv_format_t)format);
                    const spmv_type_t type = (spmv_type_t)((turn + format + where + base) % 5);
                    check_form(&l, (spmv_format_t)format, part, base, (turn + transpose) % 2 ? 64 : 32, type, transpose,
                               where);
                    list_free(&l);
                }
}

static const char *const RECIPES[] = {"powerlaw:300,200,3000", "empty_rows:100,7", "one_dense_row:70", "dense:1,90",
                                      "dense:90,1", "random:5,3000,700", "dense:1,1"};

TEST(forms)
{
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; ++i) check_list(RECIPES[i], SPMV_ALL, false, (int)i);
}

TEST(any_order)
{
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; ++i) check_list(RECIPES[i], SPMV_ALL, true, (int)i);
}

TEST(triangles)
{
    static const char *const SQUARE[] = {"powerlaw:300,300,4000", "poisson2d:9,11", "one_dense_row:70", "dense:1,1"};
    for (size_t i = 0; i < sizeof SQUARE / sizeof *SQUARE; ++i)
        for (int shuffled = 0; shuffled < 2; ++shuffled) {
            /* Shuffling permutes the nonzeros, so they stay in their triangle. */
            check_list(SQUARE[i], SPMV_LOWER, shuffled, (int)i);
            check_list(SQUARE[i], SPMV_UPPER, shuffled, (int)i);
        }
}

/* Matrices of 0 x 0, without columns, without rows, and without nonzeros. */
TEST(empty)
{
    for (int n = 0; n < 4; ++n) {
        list_t l = {n % 2 ? 5 : 0, n / 2 ? 7 : 0, 0, calloc(1, 4), calloc(1, 4), calloc(1, 8)};
        for (int format = SPMV_CSR; format <= SPMV_COO; ++format)
            for (int transpose = 0; transpose < 2; ++transpose)
                for (int where = 0; where < (WHERES > 1 ? 2 : 1); ++where)
                    for (int base = 0; base < 2; ++base)
                        check_form(&l, (spmv_format_t)format, SPMV_ALL, base, 32, SPMV_F64, transpose, where);
        list_free(&l);
    }
}

/* After a conversion the caller may free the arrays; arrays that are CSR already are borrowed. */
TEST(ownership)
{
    list_t l = list_of("powerlaw:300,200,3000");
    for (int where = 0; where < WHERES; ++where)
        for (int format = SPMV_CSR; format <= SPMV_COO; ++format) {
            if (format != SPMV_COO) sort_lines(&l, (spmv_format_t)format);
            arrays_t a = arrays_of(&l, (spmv_format_t)format, SPMV_ALL, 1, 32, SPMV_F32, where == 2);
            const spmv_options_t options = {.backend = where ? SPMV_BACKEND_GPU : SPMV_BACKEND_CPU};
            spmv_plan_t *plan;
            ok(spmv_create_from(&plan, &a.M, &options, NULL));
            memset(a.value, 0xff, (size_t)l.nnz * 4);
            memset(a.col, 0xff, (size_t)l.nnz * 4);
            if (where == 2) assert_int_equal(cudaMemset(a.d_value, 0xff, (size_t)l.nnz * 4), 0);
            if (where == 2) assert_int_equal(cudaMemset(a.d_col, 0xff, (size_t)l.nnz * 4), 0);
            check(plan, &l, SPMV_ALL, false, SPMV_F32, "the caller's arrays are gone");
            spmv_destroy(plan);
            arrays_free(&a);
        }
    list_free(&l);
}

static void told_of(const list_t *l, spmv_format_t format, spmv_part_t part, int base, bool transpose,
                    const char *words, size_t least)
{
    arrays_t a = arrays_of(l, format, part, base, 32, SPMV_F64, false);
    const spmv_options_t options = {.transpose = transpose, .setup = SPMV_SETUP_NONE};
    spmv_plan_t *plan;
    ok(spmv_create_from(&plan, &a.M, &options, NULL));
    told(plan, words);
    if (spmv_bytes(plan) < least || spmv_bytes(plan) > least + 16000) /* a copy of the arrays has 280000 */
        fail_msg("%s: %zu bytes, not %zu and a little", words, spmv_bytes(plan), least);
    spmv_destroy(plan);
    arrays_free(&a);
}

/* The description must name the conversion; the plan holds 8 + 4 + 4 bytes per nonzero in fp64, and the offsets. */
TEST(texts_and_bytes)
{
    list_t l = list_of("poisson2d:60,60");
    const size_t offsets = (3600 + 1) * 4, nnz = (size_t)l.nnz;
    told_of(&l, SPMV_CSR, SPMV_ALL, 0, false, "arrays borrowed", 0);
    told_of(&l, SPMV_CSC, SPMV_ALL, 0, true, "arrays borrowed", 0);
    told_of(&l, SPMV_CSR, SPMV_ALL, 0, true, "converted from CSR from 0 on, transposed", nnz * 16 + offsets);
    told_of(&l, SPMV_CSC, SPMV_ALL, 1, false, "converted from CSC from 1 on", nnz * 16 + offsets);
    told_of(&l, SPMV_COO, SPMV_ALL, 0, false, "converted from COO from 0 on", nnz * 16 + offsets);
    keep(&l, SPMV_LOWER);
    told_of(&l, SPMV_CSR, SPMV_LOWER, 0, true, "converted from CSR from 0 on, lower triangle\n", nnz * 16 + offsets);
    list_free(&l);
}

/* From COO with the nonzeros in reverse order the plan must be that of CSR; only the first line of the description
 * differs. */
TEST(sorted_columns)
{
    list_t l = list_of("dense:100,300"), turned = list_of("dense:100,300");
    for (int64_t k = 0; k < l.nnz; ++k)
        turned.row[l.nnz - 1 - k] = l.row[k], turned.col[l.nnz - 1 - k] = l.col[k];
    arrays_t csr = arrays_of(&l, SPMV_CSR, SPMV_ALL, 0, 32, SPMV_F64, false),
             coo = arrays_of(&turned, SPMV_COO, SPMV_ALL, 0, 32, SPMV_F64, false);
    char texts[2][1000];
    for (int i = 0; i < 2; ++i) {
        spmv_plan_t *plan;
        ok(spmv_create_from(&plan, i ? &coo.M : &csr.M, NULL, NULL));
        ok(spmv_describe(plan, texts[i], sizeof texts[i]));
        spmv_destroy(plan);
    }
    assert_non_null(strstr(texts[0], "100 % in runs of columns"));
    assert_string_equal(strchr(texts[0], '\n'), strchr(texts[1], '\n'));
    arrays_free(&csr);
    arrays_free(&coo);
    list_free(&l);
    list_free(&turned);
}

/* ---- refused matrices ---------------------------------------------------------------------------- */

/* (1 2 . .)
 * (. 3 . .)
 * (. . . 4) */
static const int32_t ROWS[] = {0, 0, 1, 2}, COLS[] = {0, 1, 1, 3}, CSR[] = {0, 2, 3, 4}, CSC[] = {0, 1, 3, 3, 4};
static const double VALUES[] = {1, 2, 3, 4};

static spmv_matrix_t small(spmv_format_t format)
{
    const spmv_matrix_t M = {.format = format, .rows = 3, .cols = 4, .nnz = 4,
                             .value_type = SPMV_F64, .offset_bits = 32,
                             .offsets = format == SPMV_CSC ? CSC : CSR, .row_indices = ROWS, .col_indices = COLS,
                             .values = VALUES};
    return M;
}

static void refuse_where(const spmv_matrix_t *M, const spmv_options_t *options, spmv_status_t status,
                         const char *word)
{
    spmv_plan_t *plan = (spmv_plan_t *)1;
    fails_with(spmv_create_from(&plan, M, options, NULL), status, word);
    assert_null(plan);
}

/* Checks that a matrix is refused in host memory, and with the same words if its arrays are on the GPU. */
static void refuse(const spmv_matrix_t *M, spmv_status_t status, const char *word)
{
    refuse_where(M, NULL, status, word);
    if (WHERES < 3 || status != SPMV_BAD_MATRIX || M->memory == SPMV_DEVICE) return;
    const size_t lines = (size_t)(M->format == SPMV_CSC ? M->cols : M->rows), nnz = (size_t)M->nnz;
    spmv_matrix_t gpu = *M;
    const spmv_options_t options = {.check = 1};
    gpu.memory = SPMV_DEVICE;
    gpu.offsets = to_gpu(M->offsets, (lines + 1) * 4);
    gpu.row_indices = to_gpu(M->row_indices, nnz * 4), gpu.col_indices = to_gpu(M->col_indices, nnz * 4);
    gpu.values = to_gpu(M->values, nnz * 8);
    refuse_where(&gpu, &options, status, word);
    device_free((void *)gpu.offsets), device_free((void *)gpu.row_indices);
    device_free((void *)gpu.col_indices), device_free((void *)gpu.values);
}

#define REFUSED(form, status, word, ...)                                        \
    do {                                                                        \
        spmv_matrix_t M = small(form);                                          \
        __VA_ARGS__;                                                            \
        refuse(&M, status, word);                                               \
    } while (0)

TEST(bad_matrices)
{
    const int32_t late[] = {1, 2, 2, 3, 4}, far[] = {0, 1, 3, 2}, negative[] = {0, -1, 1, 2},
                  one_based[] = {1, 3, 4, 5};
    refuse(NULL, SPMV_BAD_ARGUMENT, "NULL");
    const spmv_matrix_t M = small(SPMV_COO);
    assert_int_equal(spmv_create_from(NULL, &M, NULL, NULL), SPMV_BAD_ARGUMENT);
    REFUSED(SPMV_COO, SPMV_BAD_ARGUMENT, "format 3", M.format = (spmv_format_t)3);
    REFUSED(SPMV_COO, SPMV_BAD_ARGUMENT, "part 3", M.part = (spmv_part_t)3);
    REFUSED(SPMV_COO, SPMV_BAD_ARGUMENT, "index_base is 2", M.index_base = 2);
    REFUSED(SPMV_COO, SPMV_BAD_ARGUMENT, "reserved[3]", M.reserved[3] = 1);
    REFUSED(SPMV_COO, SPMV_BAD_ARGUMENT, "row_indices is NULL", M.row_indices = NULL);
    REFUSED(SPMV_COO, SPMV_BAD_ARGUMENT, "col_indices is NULL", M.col_indices = NULL);
    REFUSED(SPMV_CSC, SPMV_BAD_ARGUMENT, "row_indices is NULL", M.row_indices = NULL);
    REFUSED(SPMV_CSC, SPMV_BAD_ARGUMENT, "col_offsets is NULL", M.offsets = NULL);
    REFUSED(SPMV_CSC, SPMV_BAD_ARGUMENT, "row_indices is misaligned",
            M.row_indices = (const void *)((const char *)ROWS + 1));
    REFUSED(SPMV_CSC, SPMV_BAD_ARGUMENT, "offset_bits", M.offset_bits = 0);
    REFUSED(SPMV_CSR, SPMV_BAD_ARGUMENT, "64-bit", M.nnz = INT32_MAX; M.index_base = 1);
    REFUSED(SPMV_COO, SPMV_BAD_MATRIX, "row_indices[2] is 3; there are 3 rows", M.row_indices = far);
    REFUSED(SPMV_COO, SPMV_BAD_MATRIX, "row_indices[1] is -1", M.row_indices = negative);
    REFUSED(SPMV_COO, SPMV_BAD_MATRIX, "col_indices[1] is -1", M.col_indices = negative);
    REFUSED(SPMV_COO, SPMV_BAD_MATRIX, "row_indices[0] is 0; there are 3 rows from 1 on", M.index_base = 1);
    REFUSED(SPMV_CSR, SPMV_BAD_MATRIX, "row_offsets[0] is 0, not 1", M.index_base = 1);
    REFUSED(SPMV_CSR, SPMV_BAD_MATRIX, "col_indices[0] is 0", M.index_base = 1; M.offsets = one_based);
    REFUSED(SPMV_CSC, SPMV_BAD_MATRIX, "col_offsets[0] is 1, not 0", M.offsets = late);
    REFUSED(SPMV_CSC, SPMV_BAD_MATRIX, "row_indices[2] is 3", M.row_indices = far);
    REFUSED(SPMV_COO, SPMV_BAD_MATRIX, "need a square matrix", M.part = SPMV_LOWER);
    REFUSED(SPMV_COO, SPMV_BAD_MATRIX, "nonzero 1, in row 0 and column 1, is not in the lower", M.rows = 4;
            M.part = SPMV_LOWER);
    REFUSED(SPMV_CSR, SPMV_BAD_MATRIX, "nonzero 1, in row 0 and column 1, is not in the lower",
            M.cols = 3; M.nnz = 3; M.offsets = (const int32_t[]){0, 2, 3, 3}; M.part = SPMV_LOWER);
    REFUSED(SPMV_CSC, SPMV_BAD_MATRIX, "nonzero 1, in row 0 and column 1, is not in the lower", M.rows = 4;
            M.part = SPMV_LOWER);
    REFUSED(SPMV_COO, SPMV_BAD_MATRIX, "nonzero 1, in row 3 and column 1, is not in the upper", M.rows = 4;
            M.row_indices = (const int32_t[]){0, 3, 1, 2}; M.part = SPMV_UPPER);
}

/* Indices of device arrays that the conversion loads anyway are checked even without the option `check`. */
TEST(checked_on_gpu)
{
    if (WHERES < 3) return;
    list_t l = list_of("powerlaw:300,200,3000");
    arrays_t a = arrays_of(&l, SPMV_COO, SPMV_ALL, 0, 32, SPMV_F32, true);
    a.M.rows = 100;
    refuse(&a.M, SPMV_BAD_MATRIX, "there are 100 rows");
    arrays_free(&a);
    list_free(&l);
}

int main(void)
{
    open_gpu();
    if (!built(SPMV_BACKEND_GPU)) WHERES = 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
