/*
 * test_spmv_columns.c - several right-hand sides, column after column, of a plan with slices of rows as they stand
 * (gpu_many_slices.cu): the bits of each column of Y are those of a product for it.
 */
#include "library.h"

#include "gpu_slices.h"
#include "gpu_table.h"

/* Diagonals, and slices of 8, 16 and 32 bits; a last slice that is not full; more rows than columns and fewer. */
static const char *const RECIPES[] = {
    "poisson2d:31,34", "stencil27:7,6,5", "band:400,9", "even:300,300,7", "even:300,3000,10", "even:70,70000,9",
    "diagonal:33", "dense:40,1", "empty:40,40", "mixed", "near_and_far:410,300,1",
    "near_and_far:300,410",
};
static const int WIDTHS[] = {1, 2, 3, 4, 5, 8, 9, 17, 33};

/* What a plan makes of the values. */
typedef enum seen { AS_THEY_ARE, TABLE, PAIRS } seen_t;

/* Whatever there are: of a symmetric matrix the same on both sides, more than a table holds. */
static void set_values(on_card_t *c)
{
    const csr_t *A = c->e.A;
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
            const double i = (double)r, j = (double)A->col_indices[nz];
            A->values[nz] = 1 / (3 + i + j) - 1 / (7 + i * j);
        }
    dtype_from_double(c->e.host.value_type, c->e.host.values, A->values, A->nnz);
    values_to_card(c);
}

/* X and Y of k columns with gaps, and one column of y by itself; on the GPU. */
typedef struct block {
    int k;
    size_t ldx, ldy, x_bytes, y_bytes;
    char *before; /* host: Y as it was: NaN in the gaps */
    char *X, *Y, *y;
} block_t;

static block_t block_of(const on_card_t *c, int k)
{
    const size_t rows = c->e.A->rows, cols = c->e.A->cols, size = c->e.vector_bytes;
    block_t b = {.k = k, .ldx = cols + 3, .ldy = rows + 1};
    b.x_bytes = ((size_t)(k - 1) * b.ldx + cols) * size, b.y_bytes = (size_t)k * b.ldy * size;
    b.before = malloc(b.y_bytes);
    char *x = malloc(b.x_bytes);
    memset(x, 0xff, b.x_bytes);
    memset(b.before, 0xff, b.y_bytes);
    for (size_t j = 0; j < (size_t)k; ++j) {
        for (size_t i = 0; i < cols; ++i) {
            const double value = 1 / (1.0 + (double)((i + 7 * j) % 1001));
            dtype_from_double(c->e.vector, x + (j * b.ldx + i) * size, &value, 1);
        }
        for (size_t i = 0; i < rows; ++i) {
            const double value = (double)(i % 5) - 1.7;
            dtype_from_double(c->e.vector, b.before + (j * b.ldy + i) * size, &value, 1);
        }
    }
    b.X = to_card(x, b.x_bytes), b.Y = to_card(NULL, b.y_bytes), b.y = to_card(NULL, b.y_bytes);
    free(x);
    return b;
}

static void block_free(block_t *b)
{
    device_free(b->X), device_free(b->Y), device_free(b->y);
    free(b->before);
}

static void same_as_one_by_one(const gpu_engine_t *engine, const on_card_t *c, block_t *b, double alpha, double beta)
{
    const size_t size = c->e.vector_bytes;
    char *got = malloc(b->y_bytes), *right = malloc(b->y_bytes), text[1000] = "";
    onto_card(b->Y, b->before, b->y_bytes);
    onto_card(b->y, b->before, b->y_bytes);
    const gpu_many_t call = {alpha, beta, b->k, true, alpha != 0 ? b->X : NULL, (int64_t)b->ldx, b->Y,
                             (int64_t)b->ldy, NULL};
    assert_int_equal(gpu_engine_execute_many(engine, &call), SPMV_OK);
    for (size_t j = 0; j < (size_t)b->k; ++j)
        assert_int_equal(gpu_engine_execute(engine, alpha, b->X + j * b->ldx * size, beta, b->y + j * b->ldy * size,
                                            NULL), SPMV_OK);
    from_card(got, b->Y, b->y_bytes);
    from_card(right, b->y, b->y_bytes);
    gpu_engine_describe(engine, text, sizeof text);
    for (size_t at = 0; at < b->y_bytes; at += size)
        if (memcmp(got + at, right + at, size))
            fail_msg("%s, k %d, alpha %g, beta %g: Y(%zu, %zu) has other bits\n%s", c->e.name, b->k, alpha, beta,
                     at / size % b->ldy, at / size / b->ldy, text);
    free(got), free(right);
}

static void check(const char *name, spmv_type_t type, seen_t seen)
{
    on_card_t c = card_from(name, type, type == SPMV_F64 ? 64 : 32);
    const spmv_options_t options = {.exclusive = 1, .values = seen != AS_THEY_ARE};
    char text[1000];
    gpu_table_least = seen == TABLE ? 0 : SIZE_MAX;
    if (seen != TABLE) set_values(&c); /* else integers, of which there are few */
    gpu_engine_t *engine = engine_of(&c.csr, options, VARIANT_IN_ORDER);
    gpu_engine_describe(engine, text, sizeof text);
    if (strstr(text, "of similar length")) fail_msg("%s is sorted, and nothing is tested", name);
    for (size_t i = 0; i < sizeof WIDTHS / sizeof *WIDTHS; ++i) {
        block_t b = block_of(&c, WIDTHS[i]);
        same_as_one_by_one(engine, &c, &b, 1, 0);
        same_as_one_by_one(engine, &c, &b, -2, 3);
        same_as_one_by_one(engine, &c, &b, 0, 2);
        block_free(&b);
    }
    gpu_engine_destroy(engine);
    close_on_card(&c);
}

static void check_all(seen_t seen)
{
    const size_t least = gpu_table_least;
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; ++i)
        for (int type = SPMV_F32; type <= SPMV_F32_F64; ++type)
            if (seen == AS_THEY_ARE || (type != SPMV_F16 && type != SPMV_BF16))
                check(RECIPES[i], (spmv_type_t)type, seen);
    gpu_table_least = least;
}

TEST(values_as_they_are) { check_all(AS_THEY_ARE); }
TEST(values_in_a_table) { check_all(TABLE); }
TEST(values_of_pairs) { check_all(PAIRS); }

/* X is not turned, so no memory is kept for that; by another way it is. */
TEST(memory)
{
    static const gpu_variant_t VARIANTS[] = {VARIANT_IN_ORDER, VARIANT_ROWS_2};
    on_card_t c = card_from("poisson2d:31,34", SPMV_F64, 32);
    for (size_t w = 0; w < 2; ++w) {
        size_t bytes[2];
        for (int many = 0; many < 2; ++many) {
            gpu_engine_t *engine = engine_of(&c.csr, (spmv_options_t){.exclusive = 1, .many = many}, VARIANTS[w]);
            bytes[many] = gpu_engine_bytes(engine);
            gpu_engine_destroy(engine);
        }
        assert_int_equal(bytes[1] - bytes[0], w == 0 ? 0 : (size_t)31 * 34 * 32 * sizeof(double));
    }
    close_on_card(&c);
}

int main(void)
{
    open_card();
    gpu_pairs_least = 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
