/* library.h - what the tests of libspmv share: a matrix, x and the right answer, on either back end and on the GPU. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "tests/battery.h"

#include <ctype.h>
#include <stdio.h>

#include "device.h"
#include "spmv.h"
#include "verify.h"

/* By spmv_type_t: values, and the elements of x and y. */
static const dtype_t DTYPES[] = {DTYPE_F32, DTYPE_F64, DTYPE_F16, DTYPE_BF16, DTYPE_F32};
static const dtype_t VECTORS[] = {DTYPE_F32, DTYPE_F64, DTYPE_F32, DTYPE_F32, DTYPE_F64};

typedef struct example {
    const char *name;
    csr_t *A;
    csr_arrays_t host;
    spmv_csr_t csr;       /* host arrays */
    dtype_t vector;       /* type of x and y */
    size_t vector_bytes;  /* of one element */
    double *x, *product, *abs_sum, *tolerance; /* in double: x, A x, |A| |x|, scratch */
    void *x_typed;
    bool no_x;            /* multiply() hands NULL over */
} example_t;

/* Arrays of host or GPU as libspmv takes them. */
static inline spmv_csr_t library_csr(const csr_arrays_t *a, spmv_type_t type, spmv_memory_t memory)
{
    const spmv_csr_t A = {(int64_t)a->rows, (int64_t)a->cols, (int64_t)a->nnz, type, a->offset_bits, memory,
                          a->row_offsets, a->col_indices, a->values};
    return A;
}

/* Takes A. */
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

static inline void example_free(example_t *e)
{
    csr_arrays_free(&e->host);
    csr_free(e->A);
    free(e->x), free(e->x_typed), free(e->product), free(e->abs_sum), free(e->tolerance);
}

/* The kernels of the CPU that a plan takes now: "plain", "avx2" or "avx512". */
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

/* Plans take the kernels of that name from here on, until unsetenv("SPMV_CPU").  Returns false, and changes nothing,
 * where this processor cannot run them: a test would repeat the one with the kernels that it takes instead. */
static inline bool take_kernels(const char *name)
{
    char taken[16];
    setenv("SPMV_CPU", name, 1);
    kernels_taken(taken);
    if (strcmp(taken, name) == 0) return true;
    unsetenv("SPMV_CPU");
    return false;
}

/* Other small integers for A's values, on the host; and what the right answer is then. */
static inline void example_revalue(example_t *e, uint64_t seed)
{
    matgen_vector(e->A->values, e->A->nnz, seed, 1);
    dtype_from_double(e->host.value_type, e->host.values, e->A->values, e->A->nnz);
    reference_spmv(e->A, e->x, e->product, e->abs_sum);
}

/* The same with A and x on the GPU. */
typedef struct on_card {
    example_t e;
    csr_arrays_t device;
    spmv_csr_t csr;       /* device arrays */
    void *d_x;
} on_card_t;

/* Takes A. */
static inline on_card_t open_on_card(const char *name, csr_t *A, spmv_type_t type, int offset_bits)
{
    err_t err;
    on_card_t c = {.e = example_of(name, A, type, offset_bits, true)};
    if (csr_arrays_upload(&c.device, &c.e.host, &err)) fail_msg("%s", err.text);
    c.csr = library_csr(&c.device, type, SPMV_DEVICE);
    c.d_x = device_upload(c.e.x_typed, A->cols * c.e.vector_bytes, "x", &err);
    if (!c.d_x) fail_msg("%s", err.text);
    return c;
}

static inline void close_on_card(on_card_t *c)
{
    csr_arrays_free_device(&c->device);
    device_free(c->d_x);
    example_free(&c->e);
}

/* example_revalue(), in the same array on the GPU. */
static inline void revalue_on_card(on_card_t *c, uint64_t seed)
{
    example_revalue(&c->e, seed);
    assert_int_equal(cudaMemcpy(c->device.values, c->e.host.values, c->e.A->nnz * dtype_size(c->device.value_type),
                                cudaMemcpyHostToDevice), 0);
}

/* The GPU or its simulator, which does not count; for main(). */
static inline void open_card(void)
{
    device_facts_t facts;
    err_t err;
    if (device_open(&facts, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    device_configure(false, 0);
}

/* Rows with four columns from 0 and from `distance` on, in turn: a slice reaches over distance + 3 columns, a step over
 * distance.  Columns in 8 or 16 bits hold that, or just do not. */
static inline csr_t *edge_matrix(size_t distance)
{
    enum { ROWS = 70 };
    csr_t *A = csr_alloc(ROWS, distance + 4, 4 * ROWS);
    for (int r = 0; r < ROWS; ++r) {
        for (int k = 0; k < 4; ++k) A->col_indices[4 * r + k] = r % 2 * (int)distance + k;
        A->row_offsets[r + 1] = 4 * r + 4;
    }
    matgen_vector(A->values, A->nnz, 3, 1);
    return A;
}

/* Diagonals on both sides, near, at the ends of slices, and far; with holes some rows and columns are empty. */
static inline csr_t *diagonals_matrix(size_t rows, size_t cols, bool holes)
{
    static const int AT[] = {-130, -96, -65, -64, -33, -32, -31, -2, -1, 0, 1, 2, 31, 32, 33, 64, 65, 96, 130};
    enum { COUNT = sizeof AT / sizeof *AT };
    csr_t *A = csr_alloc(rows, cols, rows * COUNT);
    assert_non_null(A);
    A->nnz = 0;
    for (int r = 0; r < (int)rows; ++r) {
        for (int k = 0; k < COUNT; ++k) {
            const int c = r + AT[k];
            if (c < 0 || c >= (int)cols || (holes && (r % 29 == 3 || c % 29 == 3))) continue;
            A->col_indices[A->nnz++] = c;
        }
        A->row_offsets[r + 1] = (int64_t)A->nnz;
    }
    matgen_vector(A->values, A->nnz, 3, 1);
    return A;
}

/* A band in which every other three hundred rows have their columns anywhere. */
static inline csr_t *mixed_matrix(void)
{
    enum { ROWS = 1200, WIDTH = 4, COUNT = 2 * WIDTH + 1 };
    csr_t *A = csr_alloc(ROWS, ROWS, ROWS * COUNT);
    assert_non_null(A);
    A->nnz = 0;
    for (int r = 0; r < ROWS; ++r) {
        for (int k = 0; k < COUNT; ++k) {
            const int c = r / 300 % 2 ? k * 80 + r * 37 % 80 : r - WIDTH + k;
            if (c >= 0 && c < ROWS) A->col_indices[A->nnz++] = c;
        }
        A->row_offsets[r + 1] = (int64_t)A->nnz;
    }
    matgen_vector(A->values, A->nnz, 3, 1);
    return A;
}

/* 24 long rows one after the other, more than a block has warps, then 600 short ones. */
static inline csr_t *long_rows_matrix(void)
{
    enum { ROWS = 624, LONG = 24, COLS = 1000 };
    csr_t *A = csr_alloc(ROWS, COLS, (size_t)ROWS * COLS);
    assert_non_null(A);
    A->nnz = 0;
    for (int row = 0; row < ROWS; ++row) {
        const int length = row >= LONG ? 3 : row % 2 ? 300 : 900;
        for (int k = 0; k < length; ++k) A->col_indices[A->nnz++] = k + row % 100;
        A->row_offsets[row + 1] = (int64_t)A->nnz;
    }
    matgen_vector(A->values, A->nnz, 3, 1);
    return A;
}

/* Groups of 1 to 9 rows with nearly the same columns: some lack one or have one of their own.  Also groups that drift
 * apart row by row, whose columns fall, that are long, and that are empty. */
static inline csr_t *alike_matrix(void)
{
    enum { ROWS = 420, COLS = 3000 };
    csr_t *A = csr_alloc(ROWS, COLS, (size_t)ROWS * 1200);
    assert_non_null(A);
    A->nnz = 0;
    A->row_offsets[0] = 0;
    for (int row = 0, group = 0; row < ROWS; ++group) {
        const int length = group % 17 == 16 ? 0 : group % 23 == 22 ? 1100 : group % 13 == 12 ? 200 : 3 + group * 7 % 45;
        const int drift = group % 7 == 6 ? 2 * (length / 10) : 0, falls = group % 11 == 10;
        for (int i = 0; i < 1 + group % 9 && row < ROWS; ++i, ++row) {
            for (int k = 0; k < length; ++k)
                if (drift || k % 11 != 10 || i % 3 != 1) {
                    const int col = group * 37 % 700 + 2 * (k + i * drift / 2);
                    A->col_indices[A->nnz++] = falls ? COLS - 2 - col : col;
                }
            if (length > 8 && !falls && !drift && i % 2)
                A->col_indices[A->nnz++] = COLS - 1 - (group % 5 != 4) * (1 + i);
            A->row_offsets[row + 1] = (int64_t)A->nnz;
        }
    }
    matgen_vector(A->values, A->nnz, 3, 1);
    return A;
}

/* More columns than tiles of x hold.  They stand anywhere, in no order; some rows have one column several times, some
 * are empty, and one in 400 has so many in one place that they want more steps than all others of its warp. */
static inline csr_t *wide_matrix(void)
{
    enum { ROWS = 6000, COLS = 300001 };
    uint32_t lot = 1;
    csr_t *A = csr_alloc(ROWS, COLS, (size_t)ROWS * 30);
    assert_non_null(A);
    A->nnz = 0;
    for (int row = 0; row < ROWS; ++row) {
        const int length = row % 9 == 5 ? 0 : row % 400 == 7 ? 30 : 1 + row % 20;
        for (int k = 0; k < length; ++k) {
            lot = lot * 1664525u + 1013904223u;
            int32_t *const col = &A->col_indices[A->nnz++];
            *col = k % 13 == 12 ? col[-3] : row % 400 == 7 ? (row * 50 + 30 - k) % COLS : (int32_t)((lot >> 8) % COLS);
            if (k == 1 && row % 50 == 1) *col = COLS - 1;
        }
        A->row_offsets[row + 1] = (int64_t)A->nnz;
    }
    matgen_vector(A->values, A->nnz, 3, 1);
    return A;
}

/* For wide plans (gpu_wide.cu): 90 rows up to a quarter of the nonzeros long, over so many columns that a part of them
 * is several tiles.  Empty rows, the first and the last among them; columns that occur twice; a long row with all its
 * columns in one tile. */
static inline csr_t *few_rows_matrix(void)
{
    enum { ROWS = 90, COLS = 600001, NARROW = 41 };
    uint32_t lot = 1;
    csr_t *A = csr_alloc(ROWS, COLS, (size_t)ROWS * 1400 + 29000);
    assert_non_null(A);
    A->nnz = 0;
    A->row_offsets[0] = 0;
    for (int row = 0; row < ROWS; ++row) {
        const int length = row % 7 == 0 || row == ROWS - 1 ? 0
                           : row == 40                     ? 20000
                           : row == NARROW                 ? 9000
                                                           : 1 + row * 37 % 1400;
        for (int k = 0; k < length; ++k) {
            lot = lot * 1664525u + 1013904223u;
            int32_t *const col = &A->col_indices[A->nnz++];
            *col = k % 13 == 12 ? col[-3] : row == NARROW ? 5000 + k : (int32_t)((lot >> 8) % COLS);
            if (k == 1 && row % 5 == 1) *col = COLS - 1;
        }
        A->row_offsets[row + 1] = (int64_t)A->nnz;
    }
    matgen_vector(A->values, A->nnz, 3, 1);
    return A;
}

/* For several right-hand sides: rows that lanes, a warp, and pieces are for, one of many pieces; few use column 0. */
static inline csr_t *many_matrix(void)
{
    enum { ROWS = 701, COLS = 3001 };
    csr_t *A = csr_alloc(ROWS, COLS, (size_t)ROWS * 100);
    assert_non_null(A);
    A->nnz = 0;
    A->row_offsets[0] = 0;
    for (int row = 0; row < ROWS; ++row) {
        const int length = row == 40 ? COLS - 1 : row % 50 == 7 ? 600 + row % 40 : row % 20 == 5 ? 130 + row % 100
                           : row % 9 == 4 ? 0 : row % 7;
        for (int k = 0; k < length; ++k)
            A->col_indices[A->nnz++] = row == 3 && k == 0 ? 0 : 1 + (row * 7 + k) % (COLS - 1);
        A->row_offsets[row + 1] = (int64_t)A->nnz;
    }
    matgen_vector(A->values, A->nnz, 3, 1);
    return A;
}

/* For spans that are guided (gpu_spans.cu): a line long enough for small ones behind it on the simulator's 8 SMs, and
 * rows that reach over several spans among the large ones, from those to the small ones, and among these; the last row
 * is one. */
static inline csr_t *guided_matrix(void)
{
    enum { ROWS = 120000, COLS = 9000 };
    csr_t *A = csr_alloc(ROWS, COLS, (size_t)ROWS * 3);
    assert_non_null(A);
    A->nnz = 0;
    A->row_offsets[0] = 0;
    for (int row = 0; row < ROWS; ++row) {
        const int length = row % 20000 == 7777 || row == ROWS - 1 ? COLS - row % 5 : row % 4;
        for (int k = 0; k < length; ++k) A->col_indices[A->nnz++] = length < 4 ? (row * 7 + k * 1000) % COLS : k;
        A->row_offsets[row + 1] = (int64_t)A->nnz;
    }
    matgen_vector(A->values, A->nnz, 3, 1);
    return A;
}

static inline void ok_(spmv_status_t status, const char *file, int line)
{
    if (status == SPMV_OK) return;
    fprintf(stderr, "%s: %s\n", spmv_status_text(status), spmv_last_error());
    _fail(file, line);
}
#define ok(status) ok_(status, __FILE__, __LINE__)

/* Whether the library that is linked has this back end; one with sanitizers has no GPU's. */
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

/* y on the host from alpha, beta and y (host), wherever the plan works. */
static inline void multiply(const spmv_plan_t *plan, const example_t *e, double alpha, double beta, void *y)
{
    const size_t x_bytes = e->A->cols * e->vector_bytes, y_bytes = e->A->rows * e->vector_bytes;
    if (spmv_backend_of(plan) == SPMV_BACKEND_CPU) {
        ok(spmv_execute(plan, alpha, e->no_x ? NULL : e->x_typed, beta, y, NULL));
        return;
    }
    err_t err;
    void *d_x = device_upload(e->x_typed, x_bytes, "x", &err), *d_y = device_upload(y, y_bytes, "y", &err);
    ok(spmv_execute(plan, alpha, e->no_x ? NULL : d_x, beta, d_y, NULL));
    if (device_sync(&err)) fail_msg("%s: %s", e->name, err.text);
    assert_int_equal(cudaMemcpy(y, d_y, y_bytes, cudaMemcpyDeviceToHost), 0);
    device_free(d_x);
    device_free(d_y);
}

/* One execute against the reference; y holds `before` first, a NaN where beta is 0. */
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
        char text[256], described[1000] = "";
        verify_describe(&v, "y", text, sizeof text);
        spmv_describe(plan, described, sizeof described);
        fail_msg("%s, alpha %g, beta %g: %s\n%s", e->name, alpha, beta, text, described);
    }
    assert_true(verify_untouched(y + rows * e->vector_bytes, e->vector_bytes));
    free(right), free(before), free(y);
}

#endif
