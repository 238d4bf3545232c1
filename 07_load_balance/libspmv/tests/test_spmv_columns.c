/*
 * test_spmv_columns.c - several right-hand sides in column-major order, for a plan with slices of consecutive rows
 * (gpu_many_slices.cu): each column of Y must have the bits of a product with that column.
 */
#include "block.h"

#include "gpu_slices.h"
#include "gpu_table.h"

/* Diagonals, and slices of 8, 16 and 32 bits; an incomplete last slice; more rows than columns and fewer. */
static const char *const RECIPES[] = {
    "poisson2d:31,34", "stencil27:7,6,5", "band:400,9", "even:300,300,7", "even:300,3000,10", "even:70,70000,9",
    "diagonal:33", "dense:40,1", "empty:40,40", "mixed", "near_and_far:410,300,1",
    "near_and_far:300,410",
};
enum { MOST = 33 };
static const int WIDTHS[] = {1, 2, 3, 4, 5, 8, 9, 17, MOST};

/* How a plan stores the values. */
typedef enum seen { AS_THEY_ARE, TABLE, PAIRS } seen_t;

/* Sets values of any kind: more than a table holds, and symmetric in a symmetric matrix. */
static void set_values(on_gpu_t *c)
{
    const csr_t *A = c->e.A;
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
            const double i = (double)r, j = (double)A->col_indices[nz];
            A->values[nz] = 1 / (3 + i + j) - 1 / (7 + i * j);
        }
    dtype_from_double(c->e.host.value_type, c->e.host.values, A->values, A->nnz);
    values_to_gpu(c);
}

/* The first columns of a block with most columns are multiplied for each width; one by one each column only once. */
static void same_as_one_by_one(const gpu_engine_t *engine, const on_gpu_t *c, double alpha, double beta)
{
    const size_t size = c->e.vector_bytes;
    block_t b = block_of(&c->e, MOST, true, 1, alpha, beta);
    for (int j = 0; j < MOST; ++j) { /* numbers that every operation rounds */
        for (size_t i = 0; i < c->e.A->cols; ++i) block_put(&b, i, j, 1 / (1.0 + (double)((i + 7 * (size_t)j) % 1001)));
        for (size_t i = 0; i < c->e.A->rows && beta != 0; ++i) block_set(&b, b.y, b.ldy, i, j, (double)(i % 5) - 1.7);
    }
    char *x = to_gpu(b.x, b.x_count * size), *y = to_gpu(b.y, b.y_count * size);
    char *got = malloc(b.y_count * size), *right = malloc(b.y_count * size);
    for (int64_t j = 0; j < MOST; ++j)
        assert_int_equal(gpu_engine_execute(engine, alpha, x + (size_t)(j * b.ldx) * size, beta,
                                            y + (size_t)(j * b.ldy) * size, NULL), SPMV_OK);
    from_gpu(right, y, b.y_count * size);
    for (size_t w = 0; w < sizeof WIDTHS / sizeof *WIDTHS; ++w) {
        const size_t k = (size_t)WIDTHS[w], y_count = k * (size_t)b.ldy;
        char *X = to_gpu(b.x, (k * (size_t)b.ldx - 1) * size), *Y = to_gpu(b.y, y_count * size);
        const gpu_many_t call = {alpha, beta, WIDTHS[w], true, alpha != 0 ? X : NULL, b.ldx, Y, b.ldy, NULL};
        assert_int_equal(gpu_engine_execute_many(engine, &call), SPMV_OK);
        from_gpu(got, Y, y_count * size);
        for (size_t at = 0; at < y_count; ++at)
            if (memcmp(got + at * size, right + at * size, size))
                fail_msg("%s, k %zu, alpha %g, beta %g: Y(%zu, %zu) has other bits\n%s", c->e.name, k, alpha, beta,
                         at % (size_t)b.ldy, at / (size_t)b.ldy, text_of_engine(engine));
        device_free(X), device_free(Y);
    }
    device_free(x), device_free(y);
    free(got), free(right);
    block_free(&b);
}

static void check(const char *name, spmv_type_t type, seen_t seen)
{
    on_gpu_t c = gpu_from(name, type, type == SPMV_F64 ? 64 : 32);
    const spmv_options_t options = {.exclusive = 1, .values = seen != AS_THEY_ARE};
    gpu_table_least = seen == TABLE ? 0 : SIZE_MAX;
    if (seen != TABLE) set_values(&c); /* otherwise the values are a few integers */
    gpu_engine_t *engine = engine_of(&c.csr, options, VARIANT_IN_ORDER);
    if (strstr(text_of_engine(engine), "of similar length")) fail_msg("%s is sorted, and nothing is tested", name);
    same_as_one_by_one(engine, &c, 1, 0);
    same_as_one_by_one(engine, &c, -2, 3);
    same_as_one_by_one(engine, &c, 0, 2);
    gpu_engine_destroy(engine);
    close_on_gpu(&c);
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

/* The kernel does not transpose X, so the plan keeps no memory for it; other kernels do. */
TEST(memory)
{
    static const gpu_variant_t VARIANTS[] = {VARIANT_IN_ORDER, VARIANT_ROWS_2};
    on_gpu_t c = gpu_from("poisson2d:31,34", SPMV_F64, 32);
    for (size_t w = 0; w < 2; ++w) {
        size_t bytes[2];
        for (int many = 0; many < 2; ++many) {
            gpu_engine_t *engine = engine_of(&c.csr, (spmv_options_t){.exclusive = 1, .many = many}, VARIANTS[w]);
            bytes[many] = gpu_engine_bytes(engine);
            gpu_engine_destroy(engine);
        }
        assert_int_equal(bytes[1] - bytes[0], w == 0 ? 0 : (size_t)31 * 34 * 32 * sizeof(double));
    }
    close_on_gpu(&c);
}

int main(void)
{
    open_gpu();
    gpu_pairs_least = 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
