/*
 * mutants.c - test_spmv_mutants: breaks the kernels of the GPU back end in one place at a time (mutants.txt), and runs
 * them on matrices that need this place.  Every mutant must be rejected, by a wrong y or by the simulator; unchanged
 * kernels must be accepted.
 *
 * One mutant cannot be rejected here: arrive() (gpu_common.cuh) without its __threadfence.  The sums are volatile,
 * and the simulator, which has no weak memory order, takes two volatile accesses for ordered.
 */
#include "anew.h"
#include "block.h"

#include "gpu_slices.h"
#include "gpu_table.h"
#include "mutant.h"
#include "order.h"

static const struct { const char *name, *file, *on; } MUTANTS[] = {
#include "mutants.inc"
};
enum { MUTANT_COUNT = sizeof MUTANTS / sizeof *MUTANTS };

static int current; /* 1 for the first mutant; 0 for none */
int mutant(void) { return current; }

static char text[600]; /* describes the error */

static bool wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return true;
}

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
    "dense:2,40000", /* two rows with several teams each */
    "dense:2,2500",
    "edge:70,258",
    "edge:70,259",
    "edge:70,260",
    "edge:70,65535",
    "edge:70,65536",
    "edge:70,65537",
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

/* Symmetric matrices for pairs: with far diagonals, more than 32 diagonals, other slices between, and more slices than
 * warps run at once. */
static const char *const SYMMETRIC[] = {"poisson2d:9,11", "near_and_far:300,300", "band:100,20", "mixed",
                                        "band:20000,1"};

/* A problem on the GPU, and its engine. */
typedef struct gpu {
    on_gpu_t at;
    void *d_y;
    gpu_engine_t *engine;
} gpu_t;

/* Waits for launched work; returns true if it failed, or if the launch failed. */
static bool launch_is_wrong(const char *what, spmv_status_t status)
{
    err_t err = {"a launch failed"};
    return (device_sync(&err) || status != SPMV_OK) && wrong("%s: %.300s", what, err.text);
}

/* Inf and NaN count as equal. */
static bool differs(float got, double right) { return isfinite(right) ? (double)got != right : isfinite(got); }

/* Returns whether y = alpha A x + beta y is wrong; y holds NaN first if beta is 0, and with alpha 0 x is NULL. */
static bool product_is_wrong(gpu_t *c, const char *what, double alpha, double beta)
{
    const size_t rows = c->at.e.A->rows;
    float *y = malloc((rows + 2) * sizeof *y);
    for (size_t r = 0; r < rows; ++r) y[r] = beta == 0 ? NAN : (float)(r % 7);
    y[rows] = 12345;
    onto_gpu(c->d_y, y, (rows + 1) * sizeof *y);
    const spmv_status_t status =
        gpu_engine_execute(c->engine, alpha, alpha != 0 ? c->at.d_x : NULL, beta, c->d_y, NULL);
    bool bad = launch_is_wrong(what, status);
    if (!bad) from_gpu(y, c->d_y, (rows + 1) * sizeof *y);
    for (size_t r = 0; r <= rows && !bad; ++r) {
        const double right =
            r == rows ? 12345 : (alpha != 0 ? alpha * c->at.e.product[r] : 0) + beta * (double)(r % 7);
        if (differs(y[r], right)) bad = wrong("%s: y[%zu] is %g, not %g", what, r, (double)y[r], right);
    }
    free(y);
    return bad;
}

/* Returns whether Inf in the last column of x reaches other rows than those that use it. */
static bool infinity_is_wrong(gpu_t *c)
{
    const csr_t *A = c->at.e.A;
    const float inf = INFINITY;
    const size_t last = A->cols - 1;
    const float *x = c->at.e.x_typed;
    double *product = malloc((A->rows + 1) * sizeof *product), *finite = c->at.e.product;
    memcpy(product, finite, A->rows * sizeof *product);
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t k = A->row_offsets[r]; k < A->row_offsets[r + 1]; ++k)
            if (A->col_indices[k] == (int32_t)last) product[r] = INFINITY;
    onto_gpu((float *)c->at.d_x + last, &inf, sizeof inf);
    c->at.e.product = product;
    const bool bad = product_is_wrong(c, "Inf in x", 1, 0);
    c->at.e.product = finite;
    onto_gpu((float *)c->at.d_x + last, &x[last], sizeof *x);
    free(product);
    return bad;
}

static bool update_is_wrong(gpu_t *c)
{
    revalue_on_gpu(&c->at, 77 + gpu_engine_variant(c->engine)); /* not the values of the variant before */
    if (launch_is_wrong("update", gpu_engine_update(c->engine, c->at.device.values, NULL))) return true;
    device_configure(false, 2); /* blocks may find sums of the previous product */
    const bool bad = product_is_wrong(c, "new values", 1, 0);
    device_configure(false, 0);
    return bad;
}

/* Returns whether the engine, or without one the plan, multiplies several right-hand sides wrongly; frees the block. */
static bool block_is_wrong(const gpu_engine_t *engine, const spmv_plan_t *plan, block_t b)
{
    const size_t y_bytes = b.y_count * sizeof(float);
    float *d_X = to_gpu(b.x, b.x_count * sizeof *d_X), *d_Y = to_gpu(b.y, y_bytes);
    const float *x = b.alpha != 0 ? d_X : NULL;
    const gpu_many_t call = {b.alpha, b.beta, b.k, b.by_columns, x, b.ldx, d_Y, b.ldy, NULL};
    bool bad = launch_is_wrong("columns", engine ? gpu_engine_execute_many(engine, &call)
                                                 : spmv_execute_many(plan, b.k, SPMV_ROW_MAJOR, b.alpha, x, b.ldx,
                                                                     b.beta, d_Y, b.ldy, NULL));
    if (!bad) from_gpu(b.y, d_Y, y_bytes);
    const size_t at = bad ? b.y_count : block_wrong(&b);
    if (at < b.y_count)
        bad = wrong("k %d, alpha %g, beta %g, by %s: element %zu of line %zu is %g, not %g", b.k, b.alpha, b.beta,
                    b.by_columns ? "columns" : "rows", at % (size_t)b.ldy, at / (size_t)b.ldy,
                    block_get(&b, b.y, at), b.right[at]);
    device_free(d_X), device_free(d_Y);
    block_free(&b);
    return bad;
}

/* Returns whether a product with k columns, with gaps between them, is wrong. */
static bool columns_are_wrong(const gpu_t *c, int k, double alpha, double beta)
{
    return block_is_wrong(c->engine, NULL, block_of(&c->at.e, k, true, 2, alpha, beta));
}

/* Stores zeros of either sign in A, the whole last column among them: times Inf they are NaN. */
static void store_zeros(gpu_t *c)
{
    const csr_t *A = c->at.e.A;
    for (size_t k = 0; k < A->nnz; ++k)
        if (k % 7 == 3 || A->col_indices[k] == (int32_t)A->cols - 1) A->values[k] = k % 3 ? -0.0 : 0.0;
    example_renew(&c->at.e);
    values_to_gpu(&c->at);
}

/* Stores small integers times 2049, which fp16 cannot hold; both values of a pair are equal, except a few. */
static void store_pairs(gpu_t *c)
{
    const csr_t *A = c->at.e.A;
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t k = A->row_offsets[r]; k < A->row_offsets[r + 1]; ++k) {
            const size_t col = (size_t)A->col_indices[k], low = r < col ? r : col, high = r < col ? col : r;
            A->values[k] = 2049 * (1 + (double)((low * 7 + high * 3 + low * high + (r * 64 + col) % 997 / 996) % 8));
        }
    example_renew(&c->at.e);
    values_to_gpu(&c->at);
}

/* Returns true, with the reason in text, if one of the variants is wrong on that matrix. */
static bool goes_wrong(const char *name, const char *variants)
{
    if (strcmp(name, "few_rows") == 0 && !strstr(variants, " wide ")) return false;
    gpu_t c = {.at = gpu_from(name, SPMV_F32, 32)};
    bool bad = false;
    c.d_y = to_gpu(NULL, (c.at.e.A->rows + 1) * sizeof(float));
    for (int w = 0; w < VARIANT_COUNT && !bad; ++w) {
        const spmv_options_t options = {.exclusive = 1, .values = strstr(variants, " values ") != NULL};
        char padded[40], why[300];
        snprintf(padded, sizeof padded, " %s ", GPU_VARIANTS[w].name);
        if (!strstr(variants, padded) || (strcmp(name, "few_rows") == 0 && w != VARIANT_WIDE)) continue;
        if (strcmp(name, "guided") == 0 && w != VARIANT_GUIDED_4) continue;
        if (strcmp(name, "diagonal:20000") == 0 && w != VARIANT_IN_ORDER) continue; /* has more slices than warps */
        if (strstr(variants, " pairs ")) store_pairs(&c);
        if (strcmp(name, "alike") == 0) store_zeros(&c); /* an update has overwritten the zeros */
        bad = launch_is_wrong("create", gpu_engine_create(&c.engine, &c.at.csr, &options, (gpu_variant_t)w, NULL)) ||
              product_is_wrong(&c, "first", 1, 0) || product_is_wrong(&c, "again", 1, 0);
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
        snprintf(why, sizeof why, "%.299s", text);
        if (bad) wrong("%s on %s, %s", GPU_VARIANTS[w].name, name, why);
        gpu_engine_destroy(c.engine);
        c.engine = NULL;
    }
    device_free(c.d_y);
    close_on_gpu(&c.at);
    return bad;
}

/* ---- several right-hand sides ------------------------------------------------------------------- */

/* Returns true, with the reason in text, if k columns of that matrix are wrong, with lists of long rows or not.  The
 * first row of X is Inf: one row of A uses it. */
static bool many_goes_wrong(bool lists, int k)
{
    on_gpu_t c = gpu_from("many_columns", SPMV_F32, 32);
    const spmv_options_t options = {.exclusive = 1, .many = lists, .setup = SPMV_SETUP_NONE};
    gpu_engine_t *engine = NULL;
    bool bad = launch_is_wrong("create", gpu_engine_create(&engine, &c.csr, &options, VARIANT_BY_RULE, NULL));
    static const double ALPHA_BETA[][2] = {{1, 0}, {2, -1}, {0, 3}};
    for (int i = 0; i < 6 && !bad; ++i) {
        block_t b = block_of(&c.e, k, i >= 3, k == 32 ? 3 : k == 3, ALPHA_BETA[i % 3][0], ALPHA_BETA[i % 3][1]);
        for (int j = 0; j < k; ++j) block_put(&b, 0, j, INFINITY);
        block_answer(&b);
        bad = block_is_wrong(engine, NULL, b);
    }
    gpu_engine_destroy(engine);
    close_on_gpu(&c);
    return bad;
}

static bool many_rejected(void)
{
    for (int lists = 0; lists < 2; ++lists) /* 12: lanes load and store 16 bytes */
        if (many_goes_wrong(lists, 3) || many_goes_wrong(lists, 12) || many_goes_wrong(lists, 32)) return true;
    return false;
}

/* ---- values of a converted matrix --------------------------------------------------------------- */

/* Returns true, with the reason in text, if values of that type are not gathered correctly by places of so many
 * bits. */
static bool gather_goes_wrong(spmv_type_t type, int bits)
{
    enum { COUNT = 300 };
    unsigned char source[COUNT * 8], values[COUNT * 8];
    int64_t wide[COUNT];
    int32_t narrow[COUNT];
    const size_t size = dtype_size(DTYPES[type]);
    const spmv_csr_t A = {.nnz = COUNT, .value_type = type, .offset_bits = bits};
    for (int i = 0; i < COUNT; ++i) wide[i] = narrow[i] = (i * 77 + 5) % COUNT;
    for (int i = 0; i < COUNT * 8; ++i) source[i] = (unsigned char)(i * 31 / 7);
    void *d_source = to_gpu(source, COUNT * size), *d_values = to_gpu(NULL, COUNT * size);
    void *d_places = bits == 64 ? to_gpu(wide, sizeof wide) : to_gpu(narrow, sizeof narrow);
    bool bad = launch_is_wrong("gather", gpu_gather(d_values, d_source, d_places, &A, NULL));
    if (!bad) from_gpu(values, d_values, COUNT * size);
    for (int i = 0; i < COUNT && !bad; ++i)
        if (memcmp(values + (size_t)i * size, source + (size_t)narrow[i] * size, size) != 0)
            bad = wrong("gather, %zu bytes, %d bits: value %d is wrong", size, bits, i);
    device_free(d_source), device_free(d_values), device_free(d_places);
    return bad;
}

static bool gather_rejected(void)
{
    for (int type = SPMV_F32; type <= SPMV_F16; ++type) /* 4, 8 and 2 bytes */
        for (int bits = 32; bits <= 64; bits += 32)
            if (gather_goes_wrong((spmv_type_t)type, bits)) return true;
    return false;
}

/* ---- another order of rows and columns ------------------------------------------------------------ */

/* The last row and column are in the middle of the plan's order. */
static bool order_rejected(void)
{
    const int64_t least = reorder_least;
    const spmv_options_t options = {.exclusive = 1, .reorder = 1};
    on_gpu_t c = gpu_from("scrambled:poisson2d:31,33", SPMV_F32, 32);
    reorder_least = -10000;
    spmv_plan_t *plan = plan_on_gpu(&c, options);
    reorder_least = least;
    const bool bad = block_is_wrong(NULL, plan, block_of(&c.e, 1, false, 0, 1, 0)) ||
                     block_is_wrong(NULL, plan, block_of(&c.e, 1, false, 0, 2, -1)) ||
                     block_is_wrong(NULL, plan, block_of(&c.e, 3, false, 1, 1, 0));
    spmv_destroy(plan);
    close_on_gpu(&c);
    return bad;
}

/* Conversions of forms: both kinds of lines, rows of one and of three digits, any order, a triangle. */
static bool anew_rejected(void)
{
    const size_t size = sizeof text;
    return bad_is_made(text, size) || anew_is_wrong("dense:33,31", SPMV_CSR, SPMV_ALL, false, true, text, size) ||
           anew_is_wrong("random:70000,66000,3000", SPMV_COO, SPMV_ALL, true, false, text, size) ||
           anew_is_wrong("even:3000,3000,2", SPMV_CSC, SPMV_ALL, false, false, text, size) ||
           anew_is_wrong("even:3000,3000,2", SPMV_COO, SPMV_UPPER, false, false, text, size);
}

/* Returns the variants whose kernels are in a file; names of mutants select values in a table, or pairs. */
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

static bool any_goes_wrong(const char *variants)
{
    const bool pairs = strstr(variants, " pairs ") != NULL;
    const char *first = current ? MUTANTS[current - 1].on : ""; /* rejects the mutant sooner than the others */
    gpu_table_least = pairs ? SIZE_MAX : 0;
    if (*first && goes_wrong(first, variants)) return true;
    for (size_t i = 0; pairs && i < sizeof SYMMETRIC / sizeof *SYMMETRIC; ++i)
        if (goes_wrong(SYMMETRIC[i], variants)) return true;
    for (size_t i = 0; !pairs && i < sizeof RECIPES / sizeof *RECIPES; ++i)
        if (goes_wrong(RECIPES[i], variants)) return true;
    return false;
}

/* Runs slices of consecutive rows with teams if slices are few, and more than 32 steps with a warp for each slice. */
static bool rejected(const char *variants)
{
    bool bad = any_goes_wrong(variants);
    slices_teams = 0;
    bad = bad || (strstr(variants, " in_order ") && goes_wrong("band:100,20", variants));
    slices_teams = 1;
    return bad;
}

TEST(as_they_are)
{
    static const char *const NAMES[] = {"table: ", "pairs: ", "many, slices: ", "many, table: ", "many, pairs: "};
    bool bad = rejected(
        " rows_1 rows_4 spans_4 guided_4 long_4 mixed_1 in_order even_4 sort_4 hot_16 bundle_4 tiles wide granules ");
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; ++i) bad = bad || rejected(variants_of("", NAMES[i]));
    if (bad || many_rejected() || gather_rejected() || anew_rejected() || order_rejected()) fail_msg("%s", text);
}

/* Returns whether the mutant `current` is rejected. */
static bool is_rejected(const char *file, const char *name)
{
    const char *variants = variants_of(file, name);
    if (strncmp(file, "gpu_many", 8) == 0 && !strstr(variants, " columns ")) return many_rejected();
    if (strcmp(file, "gpu_gather.cu") == 0) return gather_rejected();
    if (strcmp(file, "gpu_permute.cu") == 0) return order_rejected();
    if (strcmp(file, "gpu_sort.cu") == 0 || strcmp(file, "gpu_forms.cu") == 0) return anew_rejected();
    return rejected(variants);
}

TEST(all_mutants)
{
    size_t accepted = 0;
    for (current = 1; current <= MUTANT_COUNT; ++current) {
        const char *name = MUTANTS[current - 1].name;
        const bool seen = is_rejected(MUTANTS[current - 1].file, name);
        if (getenv("VERBOSE") || !seen) printf("%s\n    %s\n", name, seen ? text : "was accepted");
        accepted += !seen;
    }
    current = 0;
    assert_true(MUTANT_COUNT >= 100);
    assert_int_equal(accepted, 0);
}

int main(void)
{
    open_gpu();
    gpu_table_least = gpu_pairs_least = 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
