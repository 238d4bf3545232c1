/* library.h - shared by the tests of libspmv: a matrix, x and the expected y, on either back end and on the GPU. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "tests/battery.h"

#include <ctype.h>
#include <stdio.h>

#include "device.h"
#include "gpu_engine.h"
#include "spmv.h"
#include "verify.h"

/* The types of values, and of the elements of x and y, by spmv_type_t. */
static const dtype_t DTYPES[] = {DTYPE_F32, DTYPE_F64, DTYPE_F16, DTYPE_BF16, DTYPE_F32};
static const dtype_t VECTORS[] = {DTYPE_F32, DTYPE_F64, DTYPE_F32, DTYPE_F32, DTYPE_F64};

typedef struct example {
    const char *name;
    csr_t *A;
    csr_arrays_t host;
    spmv_csr_t csr;       /* host arrays */
    dtype_t vector;       /* type of x and y */
    size_t vector_bytes;  /* bytes of one element */
    double *x, *product, *abs_sum, *tolerance; /* in double: x, A x, |A| |x|, scratch */
    void *x_typed;
} example_t;

/* Returns arrays of the host or GPU as libspmv takes them. */
static inline spmv_csr_t library_csr(const csr_arrays_t *a, spmv_type_t type, spmv_memory_t memory)
{
    const spmv_csr_t A = {(int64_t)a->rows, (int64_t)a->cols, (int64_t)a->nnz, type, a->offset_bits, memory,
                          a->row_offsets, a->col_indices, a->values};
    return A;
}

/* ---- matrices ------------------------------------------------------------------------------------- */

/* Writes the columns of a row into to[]; returns their number.  n: the numbers of the recipe. */
typedef int (*columns_fn)(int row, int32_t *to, const int n[3]);

/* Makes a matrix of small integers with room for `most` nonzeros. */
static inline csr_t *matrix_by(columns_fn columns, int rows, int cols, size_t most, const int n[3])
{
    csr_t *A = csr_alloc((size_t)rows, (size_t)cols, most);
    assert_non_null(A);
    A->row_offsets[0] = 0;
    for (int row = 0; row < rows; ++row) {
        const int64_t start = A->row_offsets[row];
        A->row_offsets[row + 1] = start + columns(row, A->col_indices + start, n);
    }
    A->nnz = (size_t)A->row_offsets[rows];
    matgen_vector(A->values, A->nnz, 3, 1);
    return A;
}

/* Rows with the first four columns and the last four, in turn: a slice spans all columns, a step 3 fewer.  Columns in 8
 * or 16 bits can just hold this, or just cannot. */
static inline int edge_row(int row, int32_t *to, const int n[3])
{
    for (int k = 0; k < 4; ++k) to[k] = row % 2 * (n[1] - 4) + k;
    return 4;
}

/* Diagonals on both sides, near, at the ends of slices, and far; with holes (a third number) some rows and columns are
 * empty. */
static inline int near_and_far_row(int row, int32_t *to, const int n[3])
{
    static const int AT[] = {-130, -96, -65, -64, -33, -32, -31, -2, -1, 0, 1, 2, 31, 32, 33, 64, 65, 96, 130};
    int count = 0;
    for (size_t k = 0; k < sizeof AT / sizeof *AT; ++k) {
        const int col = row + AT[k];
        if (col >= 0 && col < n[1] && !(n[2] && (row % 29 == 3 || col % 29 == 3))) to[count++] = col;
    }
    return count;
}

/* A band in which every other 300 rows have random columns. */
static inline int mixed_row(int row, int32_t *to, const int n[3])
{
    int count = 0;
    for (int k = 0; k < 9; ++k) {
        const int col = row / 300 % 2 ? k * 80 + row * 37 % 80 : row - 4 + k;
        if (col >= 0 && col < n[1]) to[count++] = col;
    }
    return count;
}

/* 24 long rows one after the other, more than a block has warps, then short rows. */
static inline int long_rows_row(int row, int32_t *to, const int n[3])
{
    const int length = row >= 24 ? 3 : row % 2 ? 300 : 900;
    (void)n;
    for (int k = 0; k < length; ++k) to[k] = k + row % 100;
    return length;
}

/* Rows at the length from which the sort treats all rows alike; some are cut and some are not. */
static inline int edge_of_the_sort_row(int row, int32_t *to, const int n[3])
{
    const int length = row % 5 == 4 ? 3 : 2044 + row % 7;
    (void)n;
    for (int k = 0; k < length; ++k) to[k] = k + row;
    return length;
}

/* Groups of 1 to 9 rows with nearly the same columns: some rows lack one or have one of their own.  Other groups differ
 * more from row to row, have descending columns, are long, or are empty. */
static inline int alike_row(int row, int32_t *to, const int n[3])
{
    int group = 0, i = row, count = 0; /* i: index of the row in its group */
    for (; i > group % 9; ++group) i -= 1 + group % 9;
    const int length = group % 17 == 16 ? 0 : group % 23 == 22 ? 1100 : group % 13 == 12 ? 200 : 3 + group * 7 % 45;
    const int drift = group % 7 == 6 ? 2 * (length / 10) : 0, falls = group % 11 == 10;
    for (int k = 0; k < length; ++k)
        if (drift || k % 11 != 10 || i % 3 != 1) {
            const int col = group * 37 % 700 + 2 * (k + i * drift / 2);
            to[count++] = falls ? n[1] - 2 - col : col;
        }
    if (length > 8 && !falls && !drift && i % 2) to[count++] = n[1] - 1 - (group % 5 != 4) * (1 + i);
    return count;
}

/* Returns a random column.  The sequence starts again at row 0 of each matrix. */
static inline int32_t any_column(int row, int k, int first_row, int cols)
{
    static uint32_t lot;
    if (row == first_row && k == 0) lot = 1;
    lot = lot * 1664525u + 1013904223u;
    return (int32_t)((lot >> 8) % (uint32_t)cols);
}

/* More columns than tiles of x hold.  Columns are random and unordered; some rows have one column several times, some
 * are empty, and one in 400 has so many nonzeros in one place that it needs more steps than the other rows of its
 * warp. */
static inline int wide_row(int row, int32_t *to, const int n[3])
{
    const int length = row % 9 == 5 ? 0 : row % 400 == 7 ? 30 : 1 + row % 20;
    for (int k = 0; k < length; ++k) {
        const int32_t any = any_column(row, k, 0, n[1]);
        to[k] = k % 13 == 12 ? to[k - 3] : row % 400 == 7 ? (row * 50 + 30 - k) % n[1] : any;
        if (k == 1 && row % 50 == 1) to[k] = n[1] - 1;
    }
    return length;
}

/* For wide plans (gpu_wide.cu): 90 rows with up to a quarter of the nonzeros each, over so many columns that a part of
 * them is several tiles.  Some rows are empty, the first and the last included; some columns occur twice; a long row
 * has all its columns in one tile. */
static inline int few_rows_row(int row, int32_t *to, const int n[3])
{
    const bool narrow = row == 41;
    const int length = row % 7 == 0 || row == n[0] - 1 ? 0 : row == 40 ? 20000 : narrow ? 9000 : 1 + row * 37 % 1400;
    for (int k = 0; k < length; ++k) {
        const int32_t any = any_column(row, k, 1, n[1]);
        to[k] = k % 13 == 12 ? to[k - 3] : narrow ? 5000 + k : any;
        if (k == 1 && row % 5 == 1) to[k] = n[1] - 1;
    }
    return length;
}

/* For several right-hand sides: rows for lanes, for a warp, and for pieces, one with many pieces; few rows use column
 * 0. */
static inline int many_columns_row(int row, int32_t *to, const int n[3])
{
    const int length = row == 40 ? n[1] - 1 : row % 50 == 7 ? 600 + row % 40 : row % 20 == 5 ? 130 + row % 100
                       : row % 9 == 4 ? 0 : row % 7;
    for (int k = 0; k < length; ++k) to[k] = row == 3 && k == 0 ? 0 : 1 + (row * 7 + k) % (n[1] - 1);
    return length;
}

/* For guided spans (gpu_spans.cu): enough nonzeros for small spans behind the large ones on the simulator's 8 SMs, and
 * rows that reach over several spans: among the large ones, from these to the small ones, and among the small ones,
 * where the last row is. */
static inline int guided_row(int row, int32_t *to, const int n[3])
{
    const int length = row % 20000 == 7777 || row == n[0] - 1 ? n[1] - row % 5 : row % 4;
    for (int k = 0; k < length; ++k) to[k] = length < 4 ? (row * 7 + k * 1000) % n[1] : k;
    return length;
}

/* Returns one of the matrices above by its name, followed by rows and columns unless its size is fixed; or that of a
 * recipe. */
static inline csr_t *test_matrix(const char *recipe)
{
    static const struct { const char *name; columns_fn columns; int rows, cols, most; } MADE[] = {
        {"edge", edge_row, 0, 0, 280},
        {"near_and_far", near_and_far_row, 0, 0, 8000},
        {"mixed", mixed_row, 1200, 1200, 1200 * 9},
        {"long_rows", long_rows_row, 624, 1000, 624 * 1000},
        {"edge_of_the_sort", edge_of_the_sort_row, 80, 3000, 80 * 3000},
        {"alike", alike_row, 420, 3000, 420 * 1200},
        {"wide", wide_row, 6000, 300001, 6000 * 30},
        {"few_rows", few_rows_row, 90, 600001, 90 * 1400 + 29000},
        {"many_columns", many_columns_row, 701, 3001, 701 * 100},
        {"guided", guided_row, 120000, 9000, 120000 * 3},
    };
    char name[32] = "";
    int n[3] = {0};
    sscanf(recipe, "%31[a-z_]:%d,%d,%d", name, &n[0], &n[1], &n[2]);
    for (size_t i = 0; i < sizeof MADE / sizeof *MADE; ++i)
        if (strcmp(name, MADE[i].name) == 0) {
            if (MADE[i].rows) n[0] = MADE[i].rows, n[1] = MADE[i].cols;
            return matrix_by(MADE[i].columns, n[0], n[1], (size_t)MADE[i].most, n);
        }
    return make_matrix(recipe);
}

/* ---- a problem ------------------------------------------------------------------------------------ */

/* Makes a problem; takes over A. */
static inline example_t example_of(const char *name, csr_t *A, spmv_type_t type, int offset_bits, bool exact)
{
    err_t err;
    example_t e = {.name = name, .A = A, .vector = VECTORS[type]};
    e.vector_bytes = dtype_size(e.vector);
    e.x = malloc((A->cols + 1) * sizeof(double));
    e.x_typed = malloc((A->cols + 1) * sizeof(double));
    e.product = malloc((A->rows + 1) * sizeof(double));
    e.abs_sum = malloc((A->rows + 1) * sizeof(double));
    e.tolerance = malloc((A->rows + 1) * sizeof(double));
    if (exact) matgen_vector(A->values, A->nnz, 3, 1);
    csr_round(A, DTYPES[type]);
    matgen_vector(e.x, A->cols, 5, exact);
    dtype_from_double(e.vector, e.x_typed, e.x, A->cols);
    dtype_to_double(e.vector, e.x, e.x_typed, A->cols);
    reference_spmv(A, e.x, e.product, e.abs_sum);
    if (csr_arrays_from(&e.host, A, DTYPES[type], offset_bits, &err)) fail_msg("%s", err.text);
    e.csr = library_csr(&e.host, type, SPMV_HOST);
    return e;
}

/* Makes a problem from test_matrix(recipe). */
static inline example_t example_from(const char *recipe, spmv_type_t type, int offset_bits, bool exact)
{
    return example_of(recipe, test_matrix(recipe), type, offset_bits, exact);
}

static inline void example_free(example_t *e)
{
    csr_arrays_free(&e->host);
    csr_free(e->A);
    free(e->x), free(e->x_typed), free(e->product), free(e->abs_sum), free(e->tolerance);
}

/* Gets the name of the CPU kernels that a plan uses now: "plain", "avx2" or "avx512". */
static inline void kernels_taken(char name[16])
{
    static const int64_t row_offsets[] = {0, 1};
    static const int32_t col_indices[] = {0};
    static const double values[] = {1};
    const spmv_csr_t A = {1, 1, 1, SPMV_F64, 64, SPMV_HOST, row_offsets, col_indices, values};
    const spmv_options_t cpu = {.backend = SPMV_BACKEND_CPU};
    spmv_plan_t *plan = NULL;
    char text[1024];
    assert_int_equal(spmv_create(&plan, &A, &cpu, NULL), SPMV_OK);
    assert_int_equal(spmv_describe(plan, text, sizeof text), SPMV_OK);
    const char *end = strstr(text, " kernels"), *begin = end;
    assert_non_null(end);
    while (begin > text && isalnum((unsigned char)begin[-1])) --begin;
    snprintf(name, 16, "%.*s", (int)(end - begin), begin);
    spmv_destroy(plan);
}

/* Makes plans use the kernels of that name, until unsetenv("SPMV_CPU").  Returns false, and changes nothing, if this
 * processor cannot run them: the test would then run twice with the same kernels. */
static inline bool take_kernels(const char *name)
{
    char taken[16];
    setenv("SPMV_CPU", name, 1);
    kernels_taken(taken);
    if (strcmp(taken, name) == 0) return true;
    unsetenv("SPMV_CPU");
    return false;
}

/* After A's values have changed, updates the host's arrays and the expected result. */
static inline void example_renew(example_t *e)
{
    dtype_from_double(e->host.value_type, e->host.values, e->A->values, e->A->nnz);
    reference_spmv(e->A, e->x, e->product, e->abs_sum);
}

/* Gives A other small integers and does the same. */
static inline void example_revalue(example_t *e, uint64_t seed)
{
    matgen_vector(e->A->values, e->A->nnz, seed, 1);
    example_renew(e);
}

/* Names of the CPU's kernels, for take_kernels(). */
static const char *const KERNELS[] = {"plain", "avx2", "avx512"};
enum { KERNELS_COUNT = sizeof KERNELS / sizeof *KERNELS };

/* Returns whether the row has a nonzero in that column. */
static inline bool uses(const example_t *e, size_t row, size_t column)
{
    for (int64_t k = e->A->row_offsets[row]; k < e->A->row_offsets[row + 1]; ++k)
        if (e->A->col_indices[k] == (int32_t)column) return true;
    return false;
}

/* ---- the GPU, or its simulator ---------------------------------------------------------------------- */

/* Allocates GPU memory and copies the bytes of `host` to it, unless that is NULL. */
static inline void *to_gpu(const void *host, size_t bytes)
{
    err_t err;
    void *d = host ? device_upload(host, bytes, "an array", &err) : device_alloc(bytes, "an array", &err);
    if (!d) fail_msg("%s", err.text);
    return d;
}

/* Copies into memory that is already allocated. */
static inline void onto_gpu(void *d, const void *host, size_t bytes)
{
    assert_int_equal(cudaMemcpy(d, host, bytes, cudaMemcpyHostToDevice), 0);
}

/* Waits for launched work, fails if it failed, and copies to the host. */
static inline void from_gpu(void *host, const void *d, size_t bytes)
{
    err_t err;
    if (device_sync(&err)) fail_msg("%s", err.text);
    if (bytes) assert_int_equal(cudaMemcpy(host, d, bytes, cudaMemcpyDeviceToHost), 0);
}

/* Creates the engine of a variant. */
static inline gpu_engine_t *engine_of(const spmv_csr_t *A, spmv_options_t options, gpu_variant_t variant)
{
    gpu_engine_t *engine;
    if (gpu_engine_create(&engine, A, &options, variant, NULL)) fail_msg("%s", spmv_last_error());
    return engine;
}

/* A problem with A and x on the GPU. */
typedef struct on_gpu {
    example_t e;
    csr_arrays_t device;
    spmv_csr_t csr;       /* device arrays */
    void *d_x;
} on_gpu_t;

/* Makes a problem on the GPU; takes over A. */
static inline on_gpu_t open_on_gpu(const char *name, csr_t *A, spmv_type_t type, int offset_bits)
{
    err_t err;
    on_gpu_t c = {.e = example_of(name, A, type, offset_bits, true)};
    if (csr_arrays_upload(&c.device, &c.e.host, &err)) fail_msg("%s", err.text);
    c.csr = library_csr(&c.device, type, SPMV_DEVICE);
    c.d_x = to_gpu(c.e.x_typed, A->cols * c.e.vector_bytes);
    return c;
}

static inline on_gpu_t gpu_from(const char *recipe, spmv_type_t type, int offset_bits)
{
    return open_on_gpu(recipe, test_matrix(recipe), type, offset_bits);
}

static inline void close_on_gpu(on_gpu_t *c)
{
    csr_arrays_free_device(&c->device);
    device_free(c->d_x);
    example_free(&c->e);
}

/* Copies the host's values into the same array on the GPU. */
static inline void values_to_gpu(on_gpu_t *c)
{
    onto_gpu(c->device.values, c->e.host.values, c->e.A->nnz * dtype_size(c->device.value_type));
}

/* Gives the matrix new values on the host and on the GPU. */
static inline void revalue_on_gpu(on_gpu_t *c, uint64_t seed)
{
    example_revalue(&c->e, seed);
    values_to_gpu(c);
}

/* For main(): opens the GPU, or the simulator without counters. */
static inline void open_gpu(void)
{
    device_facts_t facts;
    err_t err;
    if (device_open(&facts, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    device_configure(false, 0);
}

static inline void ok_(spmv_status_t status, const char *file, int line)
{
    if (status == SPMV_OK) return;
    fprintf(stderr, "%s: %s\n", spmv_status_text(status), spmv_last_error());
    _fail(file, line);
}
#define ok(status) ok_(status, __FILE__, __LINE__)

/* Fails unless a call returned `status` and spmv_last_error() contains `word`. */
static inline void fails_with(spmv_status_t got, spmv_status_t status, const char *word)
{
    if (got != status) fail_msg("expected %s (%s), got %s", spmv_status_text(status), word, spmv_status_text(got));
    if (!strstr(spmv_last_error(), word)) fail_msg("expected '%s' in: %s", word, spmv_last_error());
}

/* Returns whether the library has this back end; a build with sanitizers has no GPU back end. */
static inline bool built(spmv_backend_t backend)
{
    static const int32_t OFFSETS[2];
    const spmv_csr_t A = {.rows = 1, .cols = 1, .offset_bits = 32, .row_offsets = OFFSETS};
    const spmv_options_t options = {.backend = backend};
    spmv_plan_t *plan;
    const spmv_status_t status = spmv_create(&plan, &A, &options, NULL);
    spmv_destroy(plan);
    return status != SPMV_NO_GPU;
}

static inline spmv_plan_t *plan_of(const example_t *e, spmv_options_t options)
{
    spmv_plan_t *plan = NULL;
    ok(spmv_create(&plan, &e->csr, &options, NULL));
    return plan;
}

static inline spmv_plan_t *plan_on_gpu(const on_gpu_t *c, spmv_options_t options)
{
    spmv_plan_t *plan = NULL;
    ok(spmv_create(&plan, &c->csr, &options, NULL));
    return plan;
}

/* Creates a plan with these options, multiplies and checks. */
static inline void check_product(const spmv_plan_t *plan, example_t *e, double alpha, double beta, bool exact);
static inline void check_plan(example_t *e, spmv_options_t options, double alpha, double beta, bool exact)
{
    spmv_plan_t *plan = plan_of(e, options);
    check_product(plan, e, alpha, beta, exact);
    spmv_destroy(plan);
}

/* Returns the description of a plan or an engine, valid until the next call. */
static inline const char *text_of(const spmv_plan_t *plan)
{
    static char text[2000];
    ok(spmv_describe(plan, text, sizeof text));
    return text;
}
static inline const char *text_of_engine(const gpu_engine_t *engine)
{
    static char text[2000];
    gpu_engine_describe(engine, text, sizeof text);
    return text;
}

/* Fails unless spmv_describe() contains the words. */
static inline void told(const spmv_plan_t *plan, const char *words)
{
    if (!strstr(text_of(plan), words)) fail_msg("'%s' is not in\n%s", words, text_of(plan));
}

/* Returns a vector of the host where the plan works: itself, or a copy on the GPU; NULL stays NULL.  come_back() waits
 * for the plan, copies so many bytes back, and frees the copy. */
static inline void *go_to(const spmv_plan_t *plan, void *host, size_t bytes)
{
    return !host || spmv_backend_of(plan) == SPMV_BACKEND_CPU ? host : to_gpu(host, bytes);
}
static inline void come_back(const spmv_plan_t *plan, void *host, void *there, size_t bytes)
{
    if (spmv_backend_of(plan) == SPMV_BACKEND_CPU) return;
    from_gpu(host, there, bytes);
    device_free(there);
}

/* Computes y on the host from alpha, beta and y (host), wherever the plan works.  x_typed may be NULL if alpha is 0. */
static inline void multiply(const spmv_plan_t *plan, const example_t *e, double alpha, double beta, void *y)
{
    const size_t x_bytes = e->A->cols * e->vector_bytes, y_bytes = e->A->rows * e->vector_bytes;
    void *x_there = go_to(plan, e->x_typed, x_bytes), *y_there = go_to(plan, y, y_bytes);
    ok(spmv_execute(plan, alpha, x_there, beta, y_there, NULL));
    come_back(plan, y, y_there, y_bytes);
    come_back(plan, NULL, x_there, 0);
}

/* Checks one execute against the reference; y holds `before` first, or NaN if beta is 0. */
static inline void check_product(const spmv_plan_t *plan, example_t *e, double alpha, double beta, bool exact)
{
    const size_t rows = e->A->rows;
    double *right = malloc((rows + 1) * sizeof *right), *before = malloc((rows + 1) * sizeof *before);
    char *y = malloc((rows + 2) * e->vector_bytes);
    matgen_vector(before, rows, 11, 1);
    for (size_t r = 0; r < rows; ++r) {
        const size_t length = (size_t)(e->A->row_offsets[r + 1] - e->A->row_offsets[r]);
        right[r] = alpha * e->product[r] + beta * before[r];
        e->tolerance[r] = exact ? 0
                                : verify_tolerance(length + 2, e->vector,
                                                   fabs(alpha) * e->abs_sum[r] + fabs(beta * before[r]));
    }
    if (beta == 0) memset(y, 0xff, rows * e->vector_bytes);
    else dtype_from_double(e->vector, y, before, rows);
    verify_poison(y + rows * e->vector_bytes, e->vector_bytes);
    multiply(plan, e, alpha, beta, y);
    const verify_result_t v = verify(y, e->vector, rows, right, e->tolerance);
    if (!v.ok) {
        char text[256];
        verify_describe(&v, "y", text, sizeof text);
        fail_msg("%s, alpha %g, beta %g: %s\n%s", e->name, alpha, beta, text, text_of(plan));
    }
    assert_true(verify_untouched(y + rows * e->vector_bytes, e->vector_bytes));
    free(right), free(before), free(y);
}

#endif
