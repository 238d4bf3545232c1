/*
 * mutants.c - test_spmv_mutants: the kernels of the GPU back end, each broken in one place (mutants.txt), on matrices
 * that need that place.  Every mutant must be rejected, by a wrong y or by the simulator; the kernels as they are must
 * not.
 *
 * One thing cannot be shown broken here: arrive() (gpu_common.cuh) without its __threadfence.  The sums are volatile,
 * and the simulator, which has no weak memory order, takes two volatile accesses for ordered.
 */
#include "anew.h"

#include "gpu_engine.h"
#include "gpu_slices.h"
#include "gpu_table.h"
#include "mutant.h"
#include "order.h"

static const struct { const char *name, *file; } MUTANTS[] = {
#include "mutants.inc"
};
enum { MUTANT_COUNT = sizeof MUTANTS / sizeof *MUTANTS };

static int current; /* 1 for the first; 0: none */
int mutant(void) { return current; }

/* edge:D is edge_matrix(D), long_rows is long_rows_matrix(), alike is alike_matrix(), wide is wide_matrix(), few_rows
 * is few_rows_matrix(). */
static const char *const RECIPES[] = {
    "powerlaw:300,300,4000",
    "few_rows",
    "empty_rows:100,7",
    "even:75,64,5",
    "poisson2d:9,11",
    "dense:33,31",
    "one_dense_row:500",
    "random:150,130,900",
    "random:20,2000,5000",
    "powerlaw:2000,2000,40000",
    "one_dense_row:9000",
    "dense:2,40000", /* two rows of several teams each */
    "dense:2,2500",
    "edge:254",
    "edge:255",
    "edge:256",
    "edge:65531",
    "edge:65532",
    "edge:65533",
    "even:9000,9000,3",
    "diagonal:257",
    "long_rows",
    "rmat:12,4", /* more than 32 long rows in a block */
    "alike",
    "wide",
    "guided",
    "diagonal:20000",
    "band:100,20", /* more than 32 diagonals */
};

/* For pairs: they want symmetric values.  Far diagonals, more than 32, other slices between, more of them than warps at
 * once. */
static const char *const SYMMETRIC[] = {"poisson2d:9,11", "diagonals", "band:100,20", "mixed", "band:20000,1"};

static csr_t *recipe(const char *name)
{
    int distance;
    if (strcmp(name, "diagonals") == 0) return diagonals_matrix(300, 300, false);
    if (strcmp(name, "mixed") == 0) return mixed_matrix();
    if (strcmp(name, "long_rows") == 0) return long_rows_matrix();
    if (strcmp(name, "alike") == 0) return alike_matrix();
    if (strcmp(name, "wide") == 0) return wide_matrix();
    if (strcmp(name, "few_rows") == 0) return few_rows_matrix();
    if (strcmp(name, "guided") == 0) return guided_matrix();
    return sscanf(name, "edge:%d", &distance) == 1 ? edge_matrix((size_t)distance) : make_matrix(name);
}

/* One problem on the GPU. */
typedef struct card {
    on_card_t at;
    void *d_y;
    gpu_engine_t *engine;
    char text[400]; /* what was wrong */
} card_t;

static bool wrong(card_t *c, const char *what, size_t r, double got, double right)
{
    if (!c->text[0]) snprintf(c->text, sizeof c->text, "%s: y[%zu] is %g, not %g", what, r, got, right);
    return true;
}

/* y = alpha A x + beta y is wrong; y holds NaN first where beta is 0, and with alpha 0 there is no x. */
static bool product_is_wrong(card_t *c, const char *what, double alpha, double beta)
{
    const size_t rows = c->at.e.A->rows;
    float *y = malloc((rows + 2) * sizeof *y);
    err_t err = {"a launch failed"};
    bool bad = false;
    for (size_t r = 0; r < rows; ++r) y[r] = beta == 0 ? NAN : (float)(r % 7);
    y[rows] = 12345;
    assert_int_equal(cudaMemcpy(c->d_y, y, (rows + 1) * sizeof *y, cudaMemcpyHostToDevice), 0);
    const spmv_status_t status =
        gpu_engine_execute(c->engine, alpha, alpha != 0 ? c->at.d_x : NULL, beta, c->d_y, NULL);
    if (device_sync(&err) || status != SPMV_OK) {
        snprintf(c->text, sizeof c->text, "%s: %.300s", what, err.text);
        bad = true;
    }
    if (!bad) assert_int_equal(cudaMemcpy(y, c->d_y, (rows + 1) * sizeof *y, cudaMemcpyDeviceToHost), 0);
    for (size_t r = 0; r < rows && !bad; ++r) {
        const double right = (alpha != 0 ? alpha * c->at.e.product[r] : 0) + beta * (double)(r % 7);
        if (isinf(right) || isnan(right) ? (double)y[r] == (double)y[r] && !isinf(y[r]) : (double)y[r] != right)
            bad = wrong(c, what, r, (double)y[r], right);
    }
    if (!bad && y[rows] != 12345) bad = wrong(c, what, rows, (double)y[rows], 12345);
    free(y);
    return bad;
}

/* With Inf in the last column of x: only rows that use it may have Inf or NaN. */
static bool infinity_is_wrong(card_t *c)
{
    const csr_t *A = c->at.e.A;
    const float inf = INFINITY;
    const size_t last = A->cols - 1;
    float *x = c->at.e.x_typed, kept = x[last];
    double *product = malloc((A->rows + 1) * sizeof *product), *finite = c->at.e.product;
    memcpy(product, finite, A->rows * sizeof *product);
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t k = A->row_offsets[r]; k < A->row_offsets[r + 1]; ++k)
            if (A->col_indices[k] == (int32_t)last) product[r] = INFINITY;
    assert_int_equal(cudaMemcpy((float *)c->at.d_x + last, &inf, sizeof inf, cudaMemcpyHostToDevice), 0);
    c->at.e.product = product;
    const bool bad = product_is_wrong(c, "Inf in x", 1, 0);
    c->at.e.product = finite;
    assert_int_equal(cudaMemcpy((float *)c->at.d_x + last, &kept, sizeof kept, cudaMemcpyHostToDevice), 0);
    free(product);
    return bad;
}

static bool update_is_wrong(card_t *c)
{
    err_t err = {"not taken"};
    revalue_on_card(&c->at, 77 + gpu_engine_variant(c->engine)); /* not those of the variant before */
    const spmv_status_t status = gpu_engine_update(c->engine, c->at.device.values, NULL);
    if (device_sync(&err) || status != SPMV_OK) {
        snprintf(c->text, sizeof c->text, "update: %.300s", err.text);
        return true;
    }
    device_configure(false, 2); /* what a block waits for may be here from the product before */
    const bool bad = product_is_wrong(c, "new values", 1, 0);
    device_configure(false, 0);
    return bad;
}

/* Y = alpha A X + beta Y is wrong, k columns one after the other with gaps between them, which are NaN and stay; column
 * j of X is x moved up by j. */
static bool columns_are_wrong(card_t *c, int k, double alpha, double beta)
{
    const csr_t *A = c->at.e.A;
    const size_t ldx = A->cols + 2, ldy = A->rows + 3, columns = (size_t)k, count = columns * ldy;
    float *x = malloc(columns * ldx * sizeof *x), *y = malloc((count + 1) * sizeof *y);
    double *column = malloc(A->cols * sizeof *column), *right = malloc(count * sizeof *right);
    double *abs_sum = malloc((A->rows + 1) * sizeof *abs_sum);
    err_t err = {"a launch failed"};
    for (size_t i = 0; i < columns * ldx; ++i) x[i] = NAN;
    for (size_t i = 0; i < count; ++i) right[i] = 5, y[i] = i % ldy < A->rows && beta == 0 ? NAN : 5;
    for (size_t j = 0; j < columns; ++j) {
        for (size_t i = 0; i < A->cols; ++i) x[j * ldx + i] = (float)(column[i] = c->at.e.x[(i + j) % A->cols]);
        reference_spmv(A, column, right + j * ldy, abs_sum);
        for (size_t i = 0; i < A->rows; ++i)
            right[j * ldy + i] = (alpha != 0 ? alpha * right[j * ldy + i] : 0) + beta * 5;
    }
    float *d_x = device_upload(x, ((columns - 1) * ldx + A->cols) * sizeof *x, "X", &err);
    float *d_y = device_upload(y, count * sizeof *y, "Y", &err);
    const gpu_many_t call = {alpha, beta, k, true, alpha != 0 ? d_x : NULL, (int64_t)ldx, d_y, (int64_t)ldy, NULL};
    bool bad = gpu_engine_execute_many(c->engine, &call) != SPMV_OK;
    bad = device_sync(&err) || bad;
    if (bad) snprintf(c->text, sizeof c->text, "%d columns: %.300s", k, err.text);
    else assert_int_equal(cudaMemcpy(y, d_y, count * sizeof *y, cudaMemcpyDeviceToHost), 0);
    for (size_t i = 0; i < count && !bad; ++i)
        if ((double)y[i] != right[i]) bad = wrong(c, "columns", i, (double)y[i], right[i]);
    device_free(d_x), device_free(d_y);
    free(x), free(y), free(column), free(right), free(abs_sum);
    return bad;
}

/* Zeros in A that are stored, of either sign, the whole last column among them: times Inf they are NaN. */
static void store_zeros(card_t *c)
{
    const csr_t *A = c->at.e.A;
    for (size_t k = 0; k < A->nnz; ++k)
        if (k % 7 == 3 || A->col_indices[k] == (int32_t)A->cols - 1) A->values[k] = k % 3 ? -0.0 : 0.0;
    dtype_from_double(DTYPE_F32, c->at.e.host.values, A->values, A->nnz);
    reference_spmv(A, c->at.e.x, c->at.e.product, c->at.e.abs_sum);
    assert_int_equal(
        cudaMemcpy(c->at.device.values, c->at.e.host.values, A->nnz * sizeof(float), cudaMemcpyHostToDevice), 0);
}

/* Small integers times 2049, which no fp16 is, the same for both of a pair; all but a few. */
static void store_pairs(card_t *c)
{
    const csr_t *A = c->at.e.A;
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t k = A->row_offsets[r]; k < A->row_offsets[r + 1]; ++k) {
            const size_t col = (size_t)A->col_indices[k], low = r < col ? r : col, high = r < col ? col : r;
            A->values[k] = 2049 * (1 + (double)((low * 7 + high * 3 + low * high + (r * 64 + col) % 997 / 996) % 8));
        }
    dtype_from_double(DTYPE_F32, c->at.e.host.values, A->values, A->nnz);
    reference_spmv(A, c->at.e.x, c->at.e.product, c->at.e.abs_sum);
    assert_int_equal(
        cudaMemcpy(c->at.device.values, c->at.e.host.values, A->nnz * sizeof(float), cudaMemcpyHostToDevice), 0);
}

/* True, and why in text, if a variant of those goes wrong on that matrix. */
static bool goes_wrong(const char *name, const char *variants, char *text, size_t size)
{
    err_t err = {""};
    card_t c = {.at = open_on_card(name, recipe(name), SPMV_F32, 32)};
    bool bad = false;
    c.d_y = device_alloc((c.at.e.A->rows + 1) * sizeof(float), "y", &err);
    for (int w = 0; w < VARIANT_COUNT && !bad; ++w) {
        const spmv_options_t options = {.exclusive = 1, .values = strstr(variants, " values ") != NULL};
        char why[200], padded[40];
        snprintf(padded, sizeof padded, " %s ", GPU_VARIANTS[w].name);
        if (!strstr(variants, padded) || (strcmp(name, "few_rows") == 0 && w != VARIANT_WIDE)) continue;
        if (strcmp(name, "guided") == 0 && w != VARIANT_GUIDED_4) continue;
        if (strcmp(name, "diagonal:20000") == 0 && w != VARIANT_IN_ORDER) continue; /* more slices than warps at once */
        if (strstr(variants, " pairs ")) store_pairs(&c);
        if (strcmp(name, "alike") == 0) store_zeros(&c); /* the update of the variant before has overwritten them */
        const spmv_status_t status =
            gpu_engine_create_as(&c.engine, &c.at.csr, &options, (gpu_variant_t)w, NULL, why, sizeof why);
        if (device_sync(&err) || status != SPMV_OK) {
            snprintf(c.text, sizeof c.text, "create: %.300s", err.text[0] ? err.text : why);
            bad = true;
        }
        bad = bad || product_is_wrong(&c, "first", 1, 0) || product_is_wrong(&c, "again", 1, 0);
        for (uint64_t seed = 1; seed <= 3 && !bad; ++seed) {
            device_configure(false, seed);
            bad = product_is_wrong(&c, "in another order", 1, 0);
        }
        device_configure(false, 0);
        bad = bad || product_is_wrong(&c, "alpha and beta", 2, -1) || product_is_wrong(&c, "alpha 0", 0, 3) ||
              infinity_is_wrong(&c);
        if (strstr(variants, " columns "))
            bad = bad || columns_are_wrong(&c, 2, 1, 0) || columns_are_wrong(&c, 3, 2, -1) ||
                  columns_are_wrong(&c, 11, 1, 0) || columns_are_wrong(&c, 9, 0, 3);
        bad = bad || update_is_wrong(&c);
        if (bad) snprintf(text, size, "%s on %s, %s", GPU_VARIANTS[w].name, name, c.text);
        gpu_engine_destroy(c.engine);
        c.engine = NULL;
    }
    device_free(c.d_y);
    close_on_card(&c.at);
    return bad;
}

/* ---- several right-hand sides ------------------------------------------------------------------- */

typedef struct many_card {
    on_card_t at;
    gpu_engine_t *engine;
    int k;
    size_t ldx, ldy;
    double *product; /* A X, column after column */
    float *d_x, *d_y;
} many_card_t;

/* Y = alpha A X + beta Y is wrong.  The first row of X is Inf: one row of A uses it.  All between the columns is
 * NaN. */
static bool many_is_wrong(many_card_t *c, bool by_columns, double alpha, double beta, char *text, size_t size)
{
    const csr_t *A = c->at.e.A;
    const size_t x_lines = by_columns ? (size_t)c->k : A->cols, y_lines = by_columns ? (size_t)c->k : A->rows;
    const size_t x_count = (x_lines - 1) * c->ldx + (by_columns ? A->cols : (size_t)c->k), y_count = y_lines * c->ldy;
    float *const x = malloc(x_count * sizeof *x), *const y = malloc(y_count * sizeof *y);
    err_t err = {"a launch failed"};
    bool bad = false;
    for (size_t i = 0; i < x_count; ++i) x[i] = NAN;
    for (size_t i = 0; i < A->cols; ++i)
        for (int j = 0; j < c->k; ++j)
            x[by_columns ? i + (size_t)j * c->ldx : i * c->ldx + (size_t)j] =
                i == 0 ? INFINITY : (float)((i + (size_t)j) % 5) - 2;
    for (size_t i = 0; i < y_count; ++i) y[i] = beta == 0 ? NAN : (float)(i % 7);
    c->d_x = device_upload(x, x_count * sizeof *x, "X", &err);
    c->d_y = device_upload(y, y_count * sizeof *y, "Y", &err);
    const gpu_many_t call = {alpha, beta, c->k, by_columns, alpha != 0 ? c->d_x : NULL, (int64_t)c->ldx, c->d_y,
                             (int64_t)c->ldy, NULL};
    const spmv_status_t status = gpu_engine_execute_many(c->engine, &call);
    if (device_sync(&err) || status != SPMV_OK) {
        snprintf(text, size, "%.200s", err.text);
        bad = true;
    }
    float *got = malloc(y_count * sizeof *got);
    if (!bad) assert_int_equal(cudaMemcpy(got, c->d_y, y_count * sizeof *got, cudaMemcpyDeviceToHost), 0);
    for (size_t at = 0; at < y_count && !bad; ++at) {
        const size_t line = at / c->ldy, in = at % c->ldy, r = by_columns ? in : line, j = by_columns ? line : in;
        double right = y[at];
        if (r < A->rows && j < (size_t)c->k)
            right = (alpha != 0 ? alpha * c->product[j * A->rows + r] : 0) + (beta != 0 ? beta * (double)y[at] : 0);
        if (isnan(right) || isinf(right) ? isfinite(got[at]) : (double)got[at] != right) {
            snprintf(text, size, "alpha %g, beta %g, %s: Y(%zu, %zu) is %g, not %g", alpha, beta,
                     by_columns ? "by columns" : "by rows", r, j, (double)got[at], right);
            bad = true;
        }
    }
    device_free(c->d_x), device_free(c->d_y);
    free(x), free(y), free(got);
    return bad;
}

/* True, and why in text, with lists of long rows or without, if k columns of many_matrix() go wrong. */
static bool many_goes_wrong(bool lists, int k, char *text, size_t size)
{
    many_card_t c = {.at = open_on_card("many", many_matrix(), SPMV_F32, 32), .k = k};
    const csr_t *A = c.at.e.A;
    double *const x = malloc(A->cols * sizeof *x), *const abs_sum = malloc(A->rows * sizeof *abs_sum);
    const spmv_options_t options = {.exclusive = 1, .many = lists, .setup = SPMV_SETUP_NONE};
    char why[300] = "";
    c.product = malloc(A->rows * (size_t)k * sizeof *c.product);
    for (int j = 0; j < k; ++j) {
        for (size_t i = 0; i < A->cols; ++i) x[i] = i == 0 ? INFINITY : (double)((i + (size_t)j) % 5) - 2;
        reference_spmv(A, x, c.product + (size_t)j * A->rows, abs_sum);
    }
    err_t err = {""};
    const spmv_status_t status = gpu_engine_create(&c.engine, &c.at.csr, &options, NULL, why, sizeof why);
    bool bad = device_sync(&err) || status != SPMV_OK;
    if (err.text[0]) snprintf(why, sizeof why, "create: %.250s", err.text);
    for (int by_columns = 0; by_columns < 2 && !bad; ++by_columns) {
        c.ldx = (by_columns ? A->cols : (size_t)k) + (k == 32 ? 3 : k == 3);
        c.ldy = (by_columns ? A->rows : (size_t)k) + (k != 12);
        bad = many_is_wrong(&c, by_columns, 1, 0, why, sizeof why) ||
              many_is_wrong(&c, by_columns, 2, -1, why, sizeof why) ||
              many_is_wrong(&c, by_columns, 0, 3, why, sizeof why);
    }
    if (bad) snprintf(text, size, "%s, k %d, %s", lists ? "with lists" : "without", k, why);
    gpu_engine_destroy(c.engine);
    close_on_card(&c.at);
    free(x), free(abs_sum), free(c.product);
    return bad;
}

static bool many_rejected(char *text, size_t size)
{
    for (int lists = 0; lists < 2; ++lists) /* 12: lanes load and store 16 bytes */
        if (many_goes_wrong(lists, 3, text, size) || many_goes_wrong(lists, 12, text, size) ||
            many_goes_wrong(lists, 32, text, size))
            return true;
    return false;
}

/* ---- values of a matrix stored anew --------------------------------------------------------------- */

/* True, and why in text, if values of that size are not gathered right by places of so many bits. */
static bool gather_goes_wrong(size_t size, int bits, char *text, size_t text_size)
{
    enum { COUNT = 300 };
    unsigned char source[COUNT * 8], values[COUNT * 8];
    int64_t wide[COUNT];
    int32_t narrow[COUNT];
    err_t err = {"a launch failed"};
    bool bad = false;
    for (int i = 0; i < COUNT; ++i) wide[i] = narrow[i] = (i * 77 + 5) % COUNT;
    for (int i = 0; i < COUNT * 8; ++i) source[i] = (unsigned char)(i * 31 / 7);
    void *d_source = device_upload(source, COUNT * size, "source", &err);
    void *d_values = device_alloc(COUNT * size, "values", &err);
    void *d_places = bits == 64 ? device_upload(wide, sizeof wide, "places", &err)
                                : device_upload(narrow, sizeof narrow, "places", &err);
    const gpu_origin_t origin = {d_places, bits, COUNT};
    const spmv_status_t status = gpu_gather(d_values, d_source, &origin, size, NULL);
    if (device_sync(&err) || status != SPMV_OK) { /* the sync clears what is wrong, for the next mutant */
        snprintf(text, text_size, "gather: %.300s", err.text);
        bad = true;
    }
    if (!bad) bad = cudaMemcpy(values, d_values, COUNT * size, cudaMemcpyDeviceToHost) != 0;
    for (int i = 0; i < COUNT && !bad; ++i)
        if (memcmp(values + (size_t)i * size, source + (size_t)narrow[i] * size, size) != 0) {
            snprintf(text, text_size, "gather, %zu bytes, %d bits: value %d is wrong", size, bits, i);
            bad = true;
        }
    device_free(d_source), device_free(d_values), device_free(d_places);
    return bad;
}

static bool gather_rejected(char *text, size_t size)
{
    for (size_t bytes = 2; bytes <= 8; bytes *= 2)
        for (int bits = 32; bits <= 64; bits += 32)
            if (gather_goes_wrong(bytes, bits, text, size)) return true;
    return false;
}

/* ---- another order of rows and columns ------------------------------------------------------------ */

/* Y = alpha A X + beta Y is wrong, k columns side by side; the last of rows and columns is in the middle of the plan's
 * order. */
static bool in_order_is_wrong(const on_card_t *c, const spmv_plan_t *plan, int k, double alpha, double beta, char *text,
                              size_t size)
{
    const csr_t *A = c->e.A;
    const size_t n = A->rows, count = n * (size_t)k;
    float *x = malloc(count * sizeof *x), *y = malloc((count + 1) * sizeof *y);
    err_t err = {"a launch failed"};
    for (size_t i = 0; i < count; ++i) x[i] = (float)c->e.x[i / (size_t)k] + (float)(i % (size_t)k);
    for (size_t i = 0; i < count; ++i) y[i] = beta == 0 ? NAN : (float)(i % 7);
    y[count] = 12345;
    float *d_x = device_upload(x, count * sizeof *x, "X", &err);
    float *d_y = device_upload(y, (count + 1) * sizeof *y, "Y", &err);
    const spmv_status_t status = spmv_execute_many(plan, k, SPMV_ROW_MAJOR, alpha, d_x, k, beta, d_y, k, NULL);
    bool bad = device_sync(&err) || status != SPMV_OK;
    if (bad) snprintf(text, size, "order, %d columns: %.200s", k, err.text);
    if (!bad) assert_int_equal(cudaMemcpy(y, d_y, (count + 1) * sizeof *y, cudaMemcpyDeviceToHost), 0);
    for (size_t i = 0; i <= count && !bad; ++i) {
        double right = 12345;
        if (i < count) {
            right = beta * (double)(i % 7);
            for (int64_t nz = A->row_offsets[i / (size_t)k]; nz < A->row_offsets[i / (size_t)k + 1]; ++nz)
                right += alpha * A->values[nz] * (double)x[(size_t)A->col_indices[nz] * (size_t)k + i % (size_t)k];
        }
        bad = (double)y[i] != right;
        if (bad)
            snprintf(text, size, "order, %d columns, alpha %g, beta %g: %zu is %g, not %g", k, alpha, beta, i,
                     (double)y[i], right);
    }
    device_free(d_x), device_free(d_y);
    free(x), free(y);
    return bad;
}

static bool order_rejected(char *text, size_t size)
{
    const int64_t least = reorder_least;
    const spmv_options_t options = {.exclusive = 1, .reorder = 1};
    on_card_t c = open_on_card("order", make_matrix("scrambled:poisson2d:31,33"), SPMV_F32, 32);
    spmv_plan_t *plan;
    reorder_least = -10000;
    ok(spmv_create(&plan, &c.csr, &options, NULL));
    reorder_least = least;
    const bool bad = in_order_is_wrong(&c, plan, 1, 1, 0, text, size) ||
                     in_order_is_wrong(&c, plan, 1, 2, -1, text, size) ||
                     in_order_is_wrong(&c, plan, 3, 1, 0, text, size);
    spmv_destroy(plan);
    close_on_card(&c);
    return bad;
}

/* Forms that are stored anew: both kinds of lines, rows of one and of three digits, any order, a triangle. */
static bool anew_rejected(char *text, size_t size)
{
    return bad_is_made(text, size) || anew_is_wrong("dense:33,31", SPMV_CSR, SPMV_ALL, false, true, text, size) ||
           anew_is_wrong("random:70000,66000,3000", SPMV_COO, SPMV_ALL, true, false, text, size) ||
           anew_is_wrong("even:3000,3000,2", SPMV_CSC, SPMV_ALL, false, false, text, size) ||
           anew_is_wrong("even:3000,3000,2", SPMV_COO, SPMV_UPPER, false, false, text, size);
}

/* The variants that a file's kernels are part of; of a mutant named so, with values in a table, or with pairs. */
static const char *variants_of(const char *file, const char *name)
{
    if (strncmp(name, "table: ", 7) == 0) return " in_order sort_4 bundle_4 values ";
    if (strncmp(name, "pairs: ", 7) == 0) return " in_order values pairs ";
    if (strncmp(name, "hot: ", 5) == 0) return " hot_16 ";
    if (strncmp(name, "many, table: ", 13) == 0) return " in_order values columns ";
    if (strncmp(name, "many, pairs: ", 13) == 0) return " in_order values pairs columns ";
    if (strncmp(name, "many, slices: ", 14) == 0) return " in_order columns ";
    if (strcmp(file, "gpu_rows.cuh") == 0) return " rows_1 rows_4 ";
    if (strcmp(file, "gpu_span.cuh") == 0) return " spans_4 guided_4 ";
    if (strcmp(file, "gpu_mixed.cu") == 0) return " mixed_1 ";
    if (strcmp(file, "gpu_long.cu") == 0) return " long_4 ";
    if (strcmp(file, "gpu_common.cuh") == 0) return " spans_4 sort_4 ";
    if (strncmp(file, "gpu_wide", 8) == 0) return " wide ";
    if (strncmp(file, "gpu_granules", 12) == 0) return " granules ";
    if (strncmp(file, "gpu_tiles", 9) == 0) return strstr(file, ".cuh") ? " tiles wide " : " tiles ";
    return " in_order even_4 sort_4 bundle_4 ";
}

static bool any_goes_wrong(const char *variants, char *text, size_t size)
{
    const bool pairs = strstr(variants, " pairs ") != NULL;
    gpu_table_least = pairs ? SIZE_MAX : 0;
    for (size_t i = 0; pairs && i < sizeof SYMMETRIC / sizeof *SYMMETRIC; ++i)
        if (goes_wrong(SYMMETRIC[i], variants, text, size)) return true;
    for (size_t i = 0; !pairs && i < sizeof RECIPES / sizeof *RECIPES; ++i)
        if (goes_wrong(RECIPES[i], variants, text, size)) return true;
    return false;
}

/* Rows as they stand: with teams where slices are few, and more than 32 steps with a warp for each slice. */
static bool rejected(const char *variants, char *text, size_t size)
{
    bool bad = any_goes_wrong(variants, text, size);
    slices_teams = 0;
    bad = bad || (strstr(variants, " in_order ") && goes_wrong("band:100,20", variants, text, size));
    slices_teams = 1;
    return bad;
}

TEST(as_they_are)
{
    char text[600];
    current = 0;
    const char *variants =
        " rows_1 rows_4 spans_4 guided_4 long_4 mixed_1 in_order even_4 sort_4 hot_16 bundle_4 tiles wide granules ";
    if (rejected(variants, text, sizeof text) || rejected(variants_of("", "table: "), text, sizeof text) ||
        rejected(variants_of("", "pairs: "), text, sizeof text) ||
        rejected(variants_of("", "many, slices: "), text, sizeof text) ||
        rejected(variants_of("", "many, table: "), text, sizeof text) ||
        rejected(variants_of("", "many, pairs: "), text, sizeof text) ||
        many_rejected(text, sizeof text) || gather_rejected(text, sizeof text) || anew_rejected(text, sizeof text) ||
        order_rejected(text, sizeof text))
        fail_msg("%s", text);
}

TEST(all_mutants)
{
    char text[600];
    size_t accepted = 0;
    for (current = 1; current <= MUTANT_COUNT; ++current) {
        const char *file = MUTANTS[current - 1].file, *variants = variants_of(file, MUTANTS[current - 1].name);
        const bool many = strncmp(file, "gpu_many", 8) == 0 && !strstr(variants, " columns ");
        const bool seen = many                                 ? many_rejected(text, sizeof text)
                          : strcmp(file, "gpu_gather.cu") == 0   ? gather_rejected(text, sizeof text)
                          : strcmp(file, "gpu_permute.cu") == 0  ? order_rejected(text, sizeof text)
                          : strcmp(file, "gpu_sort.cu") == 0 || strcmp(file, "gpu_forms.cu") == 0
                              ? anew_rejected(text, sizeof text)
                                                                 : rejected(variants, text, sizeof text);
        if (getenv("VERBOSE") || !seen)
            printf("%s\n    %s\n", MUTANTS[current - 1].name, seen ? text : "was accepted");
        accepted += !seen;
    }
    current = 0;
    assert_true(MUTANT_COUNT >= 100);
    assert_int_equal(accepted, 0);
}

int main(void)
{
    open_card();
    gpu_table_least = gpu_pairs_least = 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
