/* test_spmv_many.c - libspmv's spmv_execute_many: both engines, both orders, edges of k and of the matrix, and padding,
 * which is NaN and must stay. */
#include "block.h"

#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>

static const spmv_options_t WAYS[] = {
    {.backend = SPMV_BACKEND_CPU},
    {.backend = SPMV_BACKEND_CPU, .threads = 1},
    {.backend = SPMV_BACKEND_CPU, .threads = 7, .setup = SPMV_SETUP_NONE},
    {.backend = SPMV_BACKEND_GPU},
    {.backend = SPMV_BACKEND_GPU, .many = 1, .exclusive = 1},
    {.backend = SPMV_BACKEND_GPU, .many = 5, .exclusive = 1, .setup = SPMV_SETUP_NONE},
};
static size_t WAY_COUNT = sizeof WAYS / sizeof *WAYS; /* fewer without a GPU back end */
static const int WIDTHS[] = {1, 2, 3, 4, 5, 8, 9, 16, 31, 32, 33, 70};

static void check_everywhere(const example_t *e, int k, int padding, double alpha, double beta)
{
    for (size_t w = 0; w < WAY_COUNT; ++w) {
        spmv_plan_t *plan = plan_of(e, WAYS[w]);
        block_check(plan, block_of(e, k, false, padding, alpha, beta));
        block_check(plan, block_of(e, k, true, padding, alpha, beta));
        spmv_destroy(plan);
    }
}

/* Every k on matrices with empty rows, rows of all lengths, and one huge row. */
TEST(widths)
{
    static const char *const RECIPES[] = {"empty_rows:100,7", "powerlaw:300,300,4000", "one_dense_row:900"};
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; ++i)
        for (size_t n = 0; n < sizeof WIDTHS / sizeof *WIDTHS; ++n) {
            const spmv_type_t type = (spmv_type_t)((i + n) % 5);
            example_t e = example_from(RECIPES[i], type, n % 2 ? 64 : 32, true);
            check_everywhere(&e, WIDTHS[n], n % 3 ? 3 : 0, 1, 0);
            check_everywhere(&e, WIDTHS[n], 1, 2, -1);
            example_free(&e);
        }
}

/* Every type with the widths that have kernels of their own. */
TEST(types)
{
    static const int OWN[] = {2, 4, 8, 16, 32};
    for (int type = SPMV_F32; type <= SPMV_F32_F64; ++type)
        for (int bits = 32; bits <= 64; bits += 32)
            for (size_t n = 0; n < sizeof OWN / sizeof *OWN; ++n) {
                example_t e = example_from("powerlaw:150,90,1500", (spmv_type_t)type, bits, true);
                check_everywhere(&e, OWN[n], 2, 1, 0);
                example_free(&e);
            }
}

/* The awkward matrices of the battery: 1 x n, n x 1, without nonzeros, with all nonzeros in one row. */
TEST(battery)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        if (strcmp(BATTERY[i], "random:70000,70000,3000") == 0) continue;
        example_t e = example_of(BATTERY[i], battery_matrix(i), i % 2 ? SPMV_F64 : SPMV_F32, 32, true);
        check_everywhere(&e, 3, 1, 1, 0);
        check_everywhere(&e, 17, 0, -2, 1);
        example_free(&e);
    }
}

/* Rows that threads, blocks and spans share: they are cut, and their pieces are added. */
TEST(huge_rows)
{
    static const char *const RECIPES[] = {"dense:1,30000", "dense:3,17000", "one_dense_row:9000"};
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; ++i)
        for (int type = SPMV_F32; type <= SPMV_F64; ++type) {
            example_t e = example_from(RECIPES[i], (spmv_type_t)type, 32, true);
            check_everywhere(&e, 5, 0, 1, 0);
            check_everywhere(&e, 32, 0, 2, -1);
            example_free(&e);
        }
}

TEST(factors)
{
    static const double FACTORS[][2] = {{0, 0}, {0, 1}, {0, -2}, {1, 1}, {-2, 0}, {4, -0.25}};
    example_t e = example_from("powerlaw:300,300,4000", SPMV_F64, 32, true);
    for (size_t f = 0; f < sizeof FACTORS / sizeof *FACTORS; ++f)
        check_everywhere(&e, 7, 1, FACTORS[f][0], FACTORS[f][1]);
    example_free(&e);
}

/* Inf in one column of X must reach only the same column of Y, in rows that use it. */
TEST(infinite_x)
{
    enum { K = 9, COLUMN = 4, WHERE = 20 };
    example_t e = example_from("powerlaw:300,300,3000", SPMV_F32, 32, true);
    for (size_t n = 0; n < 2 * WAY_COUNT; ++n) {
        spmv_plan_t *plan = plan_of(&e, WAYS[n / 2]);
        block_t b = block_of(&e, K, n % 2, 0, 1, 0);
        block_put(&b, WHERE, COLUMN, INFINITY);
        block_answer(&b);
        block_check(plan, b);
        spmv_destroy(plan);
    }
    example_free(&e);
}

/* The bits of Y must be the same each time, for every order of blocks and every number of threads. */
TEST(same_bits)
{
    const int threads = omp_get_max_threads();
    example_t e = example_from("powerlaw:2000,2000,30000", SPMV_F32, 32, false);
    for (size_t n = 0; n < 2 * WAY_COUNT; ++n) {
        spmv_plan_t *plan = plan_of(&e, WAYS[n / 2]);
        block_t first = block_of(&e, 6, n % 2, 0, 1, 0);
        for (size_t i = 0; i < 6 * e.A->cols; ++i)
            block_put(&first, i / 6, (int)(i % 6), 1 / (1.0 + (double)(i % 1001)));
        block_run(plan, &first);
        void *bits = malloc(first.y_count * e.vector_bytes);
        memcpy(bits, first.y, first.y_count * e.vector_bytes);
        for (uint64_t i = 1; i < 4; ++i) {
            device_configure(false, i);
            omp_set_num_threads((int)i);
            block_run(plan, &first);
            assert_memory_equal(bits, first.y, first.y_count * e.vector_bytes);
        }
        omp_set_num_threads(threads);
        device_configure(false, 0);
        free(bits);
        block_free(&first);
        spmv_destroy(plan);
    }
    example_free(&e);
}

/* Kernels that this processor can run but does not choose. */
TEST(lesser_processors)
{
    const size_t all = WAY_COUNT;
    char best[16];
    unsetenv("SPMV_CPU");
    kernels_taken(best);
    WAY_COUNT = 3;
    for (size_t i = 0; i < KERNELS_COUNT; ++i) {
        if (!strcmp(KERNELS[i], best) || !take_kernels(KERNELS[i])) continue;
        widths(state);
        types(state);
        huge_rows(state);
    }
    unsetenv("SPMV_CPU");
    WAY_COUNT = all;
}

/* X and Y end at the end of readable memory, so a CPU kernel that reads or writes behind them faults. */
TEST(end_of_memory)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (100 * 70 * sizeof(double) / page + 1) * page;
    char *ends[2];
    for (int i = 0; i < 2; ++i) {
        char *at = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(at != MAP_FAILED && mprotect(at + room, page, PROT_NONE) == 0);
        ends[i] = at + room;
    }
    for (int type = SPMV_F32; type <= SPMV_F32_F64; ++type)
        for (size_t n = 0; n < KERNELS_COUNT; ++n) {
            if (!take_kernels(KERNELS[n])) continue; /* the default kernels would run again */
            example_t e = example_from("dense:40,100", (spmv_type_t)type, 32, true);
            spmv_plan_t *plan = plan_of(&e, WAYS[0]);
            for (int k = 1; k <= 70; ++k) {
                block_t b = block_of(&e, k, false, 0, 1, 1);
                const size_t x_bytes = b.x_count * e.vector_bytes, y_bytes = b.y_count * e.vector_bytes;
                void *x = memcpy(ends[0] - x_bytes, b.x, x_bytes), *y = memcpy(ends[1] - y_bytes, b.y, y_bytes);
                ok(spmv_execute_many(plan, k, SPMV_ROW_MAJOR, 1, x, k, 1, y, k, NULL));
                assert_true(block_get(&b, y, b.y_count - 1) == b.right[b.y_count - 1]);
                block_free(&b);
            }
            spmv_destroy(plan);
            example_free(&e);
        }
    unsetenv("SPMV_CPU");
    for (int i = 0; i < 2; ++i) assert_int_equal(munmap(ends[i] - room, room + page), 0);
}

/* So many pieces of rows that the stack has no room for their sums of 32 columns; passes must be narrower. */
TEST(many_pieces)
{
    example_t e = example_from("dense:2,500000", SPMV_F32, 32, true);
    spmv_plan_t *plan = plan_of(&e, (spmv_options_t){.backend = SPMV_BACKEND_CPU, .threads = 400});
    block_check(plan, block_of(&e, 11, false, 0, 1, 0));
    block_check(plan, block_of(&e, 11, true, 0, 1, 0));
    spmv_destroy(plan);
    example_free(&e);
}

TEST(no_columns)
{
    example_t e = example_from("dense:2,3", SPMV_F64, 32, true);
    for (size_t w = 0; w < WAY_COUNT; ++w) {
        spmv_plan_t *plan = plan_of(&e, WAYS[w]);
        ok(spmv_execute_many(plan, 0, SPMV_ROW_MAJOR, 1, NULL, 0, 0, NULL, 0, NULL));
        spmv_destroy(plan);
    }
    example_free(&e);
}

static void refused(const spmv_plan_t *plan, const char *word, int k, int order, const double *X, int64_t ldx,
                    double *Y, int64_t ldy)
{
    const double y = Y ? *Y : 0;
    fails_with(spmv_execute_many(plan, k, (spmv_order_t)order, 1, X, ldx, 0, Y, ldy, NULL), SPMV_BAD_ARGUMENT, word);
    if (Y) assert_true(*Y == y);
}

TEST(bad_arguments)
{
    double X[64] = {0}, Y[64] = {7};
    example_t e = example_from("dense:2,3", SPMV_F64, 32, true);
    spmv_plan_t *plan = plan_of(&e, WAYS[0]);
    refused(NULL, "plan is NULL", 2, 0, X, 2, Y, 2);
    refused(plan, "k is -1", -1, 0, X, 2, Y, 2);
    refused(plan, "order 2", 2, 2, X, 3, Y, 2);
    refused(plan, "X is NULL", 2, 0, NULL, 2, Y, 2);
    refused(plan, "Y is NULL", 2, 0, X, 2, NULL, 2);
    refused(plan, "X is misaligned", 2, 0, (const double *)((const char *)X + 1), 2, Y, 2);
    refused(plan, "ldx is 1, less than 2", 2, SPMV_ROW_MAJOR, X, 1, Y, 2);
    refused(plan, "ldy is 1, less than 2", 2, SPMV_ROW_MAJOR, X, 2, Y, 1);
    refused(plan, "ldx is 2, less than 3", 2, SPMV_COL_MAJOR, X, 2, Y, 2);
    refused(plan, "ldy is 1, less than 2", 2, SPMV_COL_MAJOR, X, 3, Y, 1);
    refused(plan, "ldx is -5", 2, SPMV_ROW_MAJOR, X, -5, Y, 2);
    refused(plan, "any memory", 2, SPMV_ROW_MAJOR, X, INT64_MAX, Y, 2);
    refused(plan, "overlap", 2, SPMV_ROW_MAJOR, X, 2, X + 5, 2);
    ok(spmv_execute_many(plan, 2, SPMV_ROW_MAJOR, 1, X, 2, 0, X + 6, 2, NULL)); /* X and Y are adjacent */
    spmv_destroy(plan);
    example_free(&e);
}

/* The bytes of a plan include its memory for several columns: the transposed X, lists of rows, the sums of pieces. */
TEST(bytes)
{
    static const struct { const char *recipe; size_t cut, pieces, turned; } CASES[] = {
        {"one_dense_row:300", 1, 2, 300}, {"even:300,300,7", 0, 0, 300}, {"random:100,3000,900", 0, 0, 0}};
    if (!built(SPMV_BACKEND_GPU)) return;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i)
        for (int many = 1; many < 40; many += 2) {
            const size_t width = many == 1 || many > 16 ? 32 : many > 8 ? 16 : many > 4 ? 8 : 4;
            example_t e = example_from(CASES[i].recipe, SPMV_F64, 32, true);
            spmv_options_t options = {.backend = SPMV_BACKEND_GPU, .exclusive = 1};
            spmv_plan_t *without = plan_of(&e, options);
            options.many = many;
            spmv_plan_t *with = plan_of(&e, options);
            assert_int_equal(spmv_bytes(with), spmv_bytes(without) + CASES[i].cut * 12 + CASES[i].pieces * 8 +
                                                   (CASES[i].pieces + CASES[i].turned) * width * 8);
            spmv_destroy(with);
            spmv_destroy(without);
            example_free(&e);
        }
}

int main(void)
{
    open_gpu();
    if (!built(SPMV_BACKEND_GPU)) WAY_COUNT = 3;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
