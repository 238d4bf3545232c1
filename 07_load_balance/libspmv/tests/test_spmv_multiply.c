/* test_spmv_multiply.c - libspmv's products: every type, the battery, alpha and beta, both engines. */
#include "library.h"

#include <omp.h>

/* All options that a plan of host arrays may have. */
static const spmv_options_t WAYS[] = {
    {.backend = SPMV_BACKEND_CPU},
    {.backend = SPMV_BACKEND_CPU, .threads = 1},
    {.backend = SPMV_BACKEND_CPU, .threads = 7},
    {.backend = SPMV_BACKEND_CPU, .setup = SPMV_SETUP_NONE, .threads = 3},
    {.backend = SPMV_BACKEND_CPU, .setup = SPMV_SETUP_LOOK, .threads = 2},
    {.backend = SPMV_BACKEND_GPU},
    {.backend = SPMV_BACKEND_GPU, .deterministic = 1, .exclusive = 1, .beside = 1},
    {.backend = SPMV_BACKEND_GPU, .setup = SPMV_SETUP_NONE},
    {.backend = SPMV_BACKEND_GPU, .setup = SPMV_SETUP_LOOK, .exclusive = 1},
    {.backend = SPMV_BACKEND_GPU, .setup = SPMV_SETUP_NONE, .exclusive = 1},
};
static size_t WAY_COUNT = sizeof WAYS / sizeof *WAYS; /* fewer without a GPU back end */
static size_t cpu_ways(void)
{
    size_t n = 0;
    while (n < sizeof WAYS / sizeof *WAYS && WAYS[n].backend == SPMV_BACKEND_CPU) ++n;
    return n;
}

static void check_everywhere(example_t *e, double alpha, double beta, bool exact)
{
    for (size_t w = 0; w < WAY_COUNT; ++w) check_plan(e, WAYS[w], alpha, beta, exact);
}

static void battery_of(spmv_type_t type)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        if (strcmp(BATTERY[i], "random:70000,70000,3000") == 0) continue;
        const bool exact = i % 2;
        example_t e = example_of(BATTERY[i], battery_matrix(i), type, i % 3 ? 32 : 64, exact);
        check_everywhere(&e, 1, 0, exact);
        example_free(&e);
    }
}

TEST(floats) { battery_of(SPMV_F32); }
TEST(doubles) { battery_of(SPMV_F64); }
TEST(halves) { battery_of(SPMV_F16); }
TEST(bfloats) { battery_of(SPMV_BF16); }
TEST(floats_for_doubles) { battery_of(SPMV_F32_F64); }

TEST(alpha_and_beta)
{
    static const double FACTORS[][2] = {{0, 0}, {0, 1}, {0, -2}, {1, 0}, {1, 1}, {1, 3}, {-2, 0}, {0.5, 1}, {4, -0.25}};
    for (int type = SPMV_F32; type <= SPMV_F32_F64; ++type) {
        const char *recipes[] = {"empty_rows:100,7", "powerlaw:300,300,4000", "poisson2d:9,11", "poisson2d:40,50"};
        for (size_t i = 0; i < 4; ++i) {
            example_t e = example_from(recipes[i], (spmv_type_t)type, type % 2 ? 64 : 32, true);
            for (size_t f = 0; f < sizeof FACTORS / sizeof *FACTORS; ++f)
                check_everywhere(&e, FACTORS[f][0], FACTORS[f][1], true);
            example_free(&e);
        }
    }
}

/* Matrices larger than those of the battery: rows cut between threads, many blocks, diagonals, 16- and 32-bit
 * columns.  An emulator, which takes thirty times as long, runs each matrix with two of the types. */
TEST(large)
{
    static const char *const RECIPES[] = {
        "dense:1,100000", "dense:3,50000", "one_dense_row:60000", "powerlaw:20000,90000,400000", "poisson2d:200,150",
        "stencil27:15,15,15", "empty_rows:50000,50", "random:3000,400000,60000", "even:9000,9000,17", "rmat:13,8",
    };
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; ++i)
        for (int type = SPMV_F32; type <= SPMV_F32_F64; ++type) {
            if (getenv("RUN_WITH") && (i + (size_t)type) % 5 > 1) continue;
            example_t e = example_from(RECIPES[i], (spmv_type_t)type, 32, type == SPMV_F64);
            for (size_t w = 0; w < cpu_ways(); ++w) {
                spmv_plan_t *plan = plan_of(&e, WAYS[w]);
                check_product(plan, &e, 1, 0, type == SPMV_F64);
                check_product(plan, &e, 2, -1, type == SPMV_F64);
                spmv_destroy(plan);
            }
            example_free(&e);
        }
}

/* Distances that 8 and 16 bits can just hold, or just cannot. */
TEST(column_edges)
{
    static const char *const RECIPES[] = {"edge:70,258", "edge:70,259", "edge:70,260", "edge:70,65535", "edge:70,65536",
                                          "edge:70,65537", "edge:70,65538", "edge:70,65539", "edge:70,65540"};
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; ++i)
        for (int type = SPMV_F32; type <= SPMV_F32_F64; ++type) {
            example_t e = example_from(RECIPES[i], (spmv_type_t)type, 32, true);
            check_everywhere(&e, 1, 0, true);
            example_free(&e);
        }
}

/* Columns may be in any order, and twice in a row. */
TEST(unsorted_columns)
{
    csr_t *A = make_matrix("even:200,60,6");
    for (size_t nz = 0; nz + 6 <= A->nnz; nz += 6) {
        A->col_indices[nz] = A->col_indices[nz + 3];
        A->col_indices[nz + 1] = A->col_indices[nz + 4] / 2;
    }
    example_t e = example_of("unsorted", A, SPMV_F32, 32, true);
    check_everywhere(&e, 1, 0, true);
    example_free(&e);
}

/* Inf and NaN in x must reach the rows that use them, and no others. */
TEST(infinite_x)
{
    static const char *const RECIPES[] = {"random:200,50,900", "powerlaw:300,300,3000", "empty_rows:100,7",
                                          "poisson2d:12,12"};
    for (size_t i = 0; i < 4; ++i) {
        example_t e = example_from(RECIPES[i], SPMV_F32, 32, true);
        float y[300];
        for (size_t w = 0; w < WAY_COUNT; ++w)
            for (int nan = 0; nan < 2; ++nan) {
                spmv_plan_t *plan = plan_of(&e, WAYS[w]);
                enum { WHERE = 20 };
                ((float *)e.x_typed)[WHERE] = nan ? NAN : INFINITY;
                multiply(plan, &e, 1, 0, y);
                for (size_t r = 0; r < e.A->rows; ++r)
                    if (uses(&e, r, WHERE) ? !(nan ? isnan(y[r]) : isinf(y[r])) : (double)y[r] != e.product[r])
                        fail_msg("%s, way %zu: y[%zu] is %g", RECIPES[i], w, r, (double)y[r]);
                spmv_destroy(plan);
            }
        example_free(&e);
    }
}

/* Diagonals with holes: at the ends of a line a neighbour is missing.  Kernels read x there, but it may not change y.
 * Columns are out of order and twice; x ends at the end of readable memory. */
TEST(diagonals_with_holes)
{
    static const char *const RECIPES[] = {"poisson2d:20,9", "stencil27:7,6,5", "band:90,4"};
    for (size_t i = 0; i < 10 * (sizeof RECIPES / sizeof *RECIPES); ++i) {
        csr_t *A = make_matrix(RECIPES[i / 10]);
        for (size_t r = 0; i % 2 && r < A->rows; r += 3) { /* a row in reverse order, with its first column twice */
            const int64_t from = A->row_offsets[r], to = A->row_offsets[r + 1];
            for (int64_t a = from, b = to - 1; a < b; ++a, --b) {
                const int32_t column = A->col_indices[a];
                A->col_indices[a] = A->col_indices[b], A->col_indices[b] = column;
            }
            if (to - from > 1) A->col_indices[from] = A->col_indices[from + 1];
        }
        example_t e = example_of(RECIPES[i / 10], A, (spmv_type_t)(i / 2 % 5), 32, true);
        void *x = e.x_typed;
        e.x_typed = memcpy(malloc(A->cols * e.vector_bytes), x, A->cols * e.vector_bytes);
        free(x);
        spmv_plan_t *plan = plan_of(&e, (spmv_options_t){.backend = SPMV_BACKEND_CPU});
        check_product(plan, &e, 1, 0, true);
        for (size_t where = 0; where < A->cols; ++where) {
            char before[8], *place = (char *)e.x_typed + where * e.vector_bytes;
            const double nan = NAN;
            double y[512], wide[512];
            memcpy(before, place, e.vector_bytes);
            dtype_from_double(e.vector, place, &nan, 1);
            multiply(plan, &e, 1, 0, y);
            dtype_to_double(e.vector, wide, y, A->rows);
            for (size_t r = 0; r < A->rows; ++r)
                if (uses(&e, r, where) ? !isnan(wide[r]) : wide[r] != e.product[r])
                    fail_msg("%s, NaN in x[%zu]: y[%zu] is %g", e.name, where, r, wide[r]);
            memcpy(place, before, e.vector_bytes);
        }
        spmv_destroy(plan);
        example_free(&e);
    }
}

/* With any number of lanes nearly all slices must be diagonals: of a grid with short lines; of a band, although each
 * row is a run of columns; and of diagonals with two holes in five, as long as the values are in cache. */
TEST(grid_is_diagonals)
{
    static const char *const RECIPES[] = {"poisson2d:20,100", "band:2000,10", "diagonals:3000,7,60"};
    for (size_t i = 0; i < 6 * KERNELS_COUNT; ++i) {
        if (!take_kernels(KERNELS[i / 6])) continue;
        const char *recipe = RECIPES[i / 2 % 3];
        example_t e = example_from(recipe, (spmv_type_t)(i % 2), 32, true);
        size_t diagonals = 0, slices = 1;
        spmv_plan_t *plan = plan_of(&e, (spmv_options_t){.backend = SPMV_BACKEND_CPU, .threads = 1});
        unsetenv("SPMV_CPU");
        const char *text = text_of(plan), *where = strstr(text, "%; ");
        if (!where || sscanf(where, "%%; %zu of %zu slices", &diagonals, &slices) != 2) fail_msg("%s", text);
        if (slices == 0 || diagonals * 10 < slices * 9) fail_msg("%s", text);
        spmv_destroy(plan);
        example_free(&e);
    }
}

/* Returns a matrix of stretches of 1 to 400 rows that are alike: on the same diagonals, with holes or without, or of
 * the same length; some stretches have a row too long for a slice. */
static csr_t *stretches_of_rows(void)
{
    enum { ROWS = 6000, MOST = 300 };
    csr_t *A = csr_alloc(ROWS, ROWS, (size_t)ROWS * MOST);
    uint64_t dice = 1;
    size_t nz = 0;
    for (size_t r = 0, left = 0, kind = 0, width = 0; r < ROWS; ++r, --left) {
        if (left == 0) {
            dice = dice * 6364136223846793005u + 1442695040888963407u;
            left = 1 + (dice >> 33) % (dice >> 60 ? 130 : 400), kind = (dice >> 50) % 3, width = 1 + (dice >> 40) % 9;
        }
        const bool is_long = kind == 2 && left == 40;
        const size_t length = is_long ? MOST : width;
        for (size_t k = 0; k < length; ++k) {
            const size_t step = is_long ? 17 : kind < 2 ? 1 + width % 4 * 7 : 613 + r % 50, far = r + 5 + k * step;
            if (kind == 1 && (r + k) % 11 == 3) continue; /* a hole */
            A->col_indices[nz++] = (int32_t)(kind < 2 && far >= ROWS ? ROWS - 1 - k : far % ROWS);
        }
        A->row_offsets[r + 1] = (int64_t)nz;
    }
    A->nnz = nz;
    return A;
}

TEST(stretches)
{
    const size_t all = WAY_COUNT;
    for (int type = SPMV_F32; type <= SPMV_F32_F64; ++type) {
        example_t e = example_of("stretches", stretches_of_rows(), (spmv_type_t)type, 32, true);
        check_everywhere(&e, 1, 0, true);
        WAY_COUNT = cpu_ways();
        for (size_t i = 0; i < 2 * KERNELS_COUNT; ++i) {
            if (!take_kernels(KERNELS[i / 2])) continue;
            setenv("SPMV_GATHER", i % 2 ? "1" : "0", 1);
            check_everywhere(&e, 2, -1, true);
        }
        unsetenv("SPMV_CPU");
        unsetenv("SPMV_GATHER");
        WAY_COUNT = all;
        example_free(&e);
    }
}

/* Groups of eight rows have the same diagonals, so AVX2, whose slices of floats have eight rows, must replace AVX-512;
 * but not in a band, and not if AVX-512 was requested. */
TEST(narrower)
{
#ifdef __x86_64__
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw")) return;
    setenv("SPMV_GATHER", "0", 1);
    for (int i = 0; i < 3; ++i) {
        csr_t *A = make_matrix("band:8000,8");
        for (size_t r = 0; r < A->rows && i != 1; ++r) {
            int64_t begin = A->row_offsets[r], end = A->row_offsets[r + 1];
            for (int64_t k = begin; k < end; ++k)
                A->col_indices[k] = (int32_t)((r + (size_t)(1 + k - begin) * (r / 8 % 2 ? 97 : 89)) % 7000);
        }
        example_t e = example_of("by eight", A, SPMV_F32, 32, true);
        if (i == 2) setenv("SPMV_CPU", "avx512", 1);
        spmv_plan_t *plan = plan_of(&e, (spmv_options_t){.backend = SPMV_BACKEND_CPU});
        unsetenv("SPMV_CPU");
        told(plan, i == 0 ? "avx2 kernels" : "avx512 kernels");
        check_product(plan, &e, 1, 0, true);
        spmv_destroy(plan);
        example_free(&e);
    }
    unsetenv("SPMV_GATHER");
#endif
}

TEST(updated_values)
{
    for (int type = SPMV_F32; type <= SPMV_F32_F64; ++type)
        for (size_t w = 0; w < WAY_COUNT; ++w)
            for (int copy = 0; copy < 2; ++copy) {
                example_t e = example_from("powerlaw:300,300,4000", (spmv_type_t)type, 32, true);
                spmv_options_t options = WAYS[w];
                options.copy = copy;
                spmv_plan_t *plan = plan_of(&e, options);
                check_product(plan, &e, 1, 0, true);
                for (int again = 0; again < 2; ++again) { /* first in the same array, then from another array */
                    const size_t bytes = e.A->nnz * dtype_size(DTYPES[type]);
                    example_revalue(&e, 100 + (uint64_t)again);
                    void *other = again ? malloc(bytes) : e.host.values;
                    if (again) memcpy(other, e.host.values, bytes);
                    ok(spmv_update_values(plan, other, NULL));
                    check_product(plan, &e, 1, 0, true);
                    if (again && copy) memset(other, 0xff, bytes); /* the plan must have a copy */
                    if (again && copy) check_product(plan, &e, 1, 0, true);
                    if (again) {
                        ok(spmv_update_values(plan, e.host.values, NULL));
                        free(other);
                    }
                }
                check_product(plan, &e, 1, 0, true);
                spmv_destroy(plan);
                example_free(&e);
            }
}

/* With alpha 0 the library needs no x. */
TEST(no_x)
{
    static const char *const RECIPES[] = {"powerlaw:300,300,4000", "powerlaw:2000,2000,30000", "poisson2d:40,50"};
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; ++i) {
        example_t e = example_from(RECIPES[i], SPMV_F32, 32, true);
        void *x = e.x_typed;
        e.x_typed = NULL;
        check_everywhere(&e, 0, -3, true);
        e.x_typed = x;
        example_free(&e);
    }
}

/* With `copy` the caller may free the arrays; the plan of a GPU always copies host arrays. */
TEST(copied_arrays)
{
    for (size_t i = 0; i < 2 * WAY_COUNT; ++i) {
        const size_t w = i / 2;
        example_t e = example_from("random:150,130,900", SPMV_F64, 64, true);
        spmv_options_t options = WAYS[w];
        options.copy = options.backend == SPMV_BACKEND_CPU || i % 2;
        spmv_plan_t *plan = plan_of(&e, options);
        memset(e.host.row_offsets, 0xff, (e.A->rows + 1) * 8);
        memset(e.host.col_indices, 0xff, e.A->nnz * 4);
        memset(e.host.values, 0xff, e.A->nnz * 8);
        check_product(plan, &e, 1, 0, true);
        spmv_destroy(plan);
        example_free(&e);
    }
}

/* The bits of y must be the same each time, for every order of blocks and every number of threads, even without
 * `deterministic`. */
TEST(same_bits)
{
    const int threads = omp_get_max_threads();
    for (size_t k = 0; k < 2 * WAY_COUNT; ++k) {
        example_t e = example_from("powerlaw:2000,2000,30000", SPMV_F32, 32, false);
        float first[2000], again[2000];
        spmv_options_t options = WAYS[k / 2];
        options.deterministic = k % 2;
        spmv_plan_t *plan = plan_of(&e, options), *twin = plan_of(&e, options);
        multiply(plan, &e, 1, 0, first);
        for (uint64_t i = 0; i < 4; ++i) {
            device_configure(false, i);
            omp_set_num_threads(1 + (int)i);
            multiply(i % 2 ? twin : plan, &e, 1, 0, again);
            assert_memory_equal(first, again, sizeof first);
        }
        omp_set_num_threads(threads);
        device_configure(false, 0);
        spmv_destroy(plan);
        spmv_destroy(twin);
        example_free(&e);
    }
}

/* Kernels that this processor can run but does not choose. */
TEST(lesser_processors)
{
    const size_t all = WAY_COUNT;
    char best[16], taken[16];
    unsetenv("SPMV_CPU");
    kernels_taken(best);
    setenv("SPMV_CPU", "no such thing", 1);
    kernels_taken(taken);
    assert_string_equal(taken, best);
    WAY_COUNT = cpu_ways();
    for (size_t i = 0; i < KERNELS_COUNT; ++i) {
        if (!strcmp(KERNELS[i], best) || !take_kernels(KERNELS[i])) continue;
        for (int type = SPMV_F32; type <= SPMV_F32_F64; ++type) battery_of((spmv_type_t)type);
        alpha_and_beta(state);
        large(state);
        infinite_x(state);
    }
    unsetenv("SPMV_CPU");
    WAY_COUNT = all;
}

/* Loads x by the gather instruction, which this processor may not choose. */
TEST(gathered)
{
    const size_t all = WAY_COUNT;
    WAY_COUNT = cpu_ways();
    setenv("SPMV_GATHER", "1", 1);
    for (size_t i = 0; i < KERNELS_COUNT; ++i) {
        if (!take_kernels(KERNELS[i])) continue;
        large(state);
        infinite_x(state);
    }
    unsetenv("SPMV_CPU");
    unsetenv("SPMV_GATHER");
    WAY_COUNT = all;
}

TEST(tuned)
{
    const spmv_options_t options = {.backend = SPMV_BACKEND_CPU, .tune = 1};
    for (int type = SPMV_F32; type <= SPMV_F64; ++type) {
        example_t e = example_from("rmat:10,8", (spmv_type_t)type, 32, true);
        spmv_plan_t *plan = plan_of(&e, options);
        check_product(plan, &e, 1, 0, true);
        check_product(plan, &e, -1, 2, true);
        spmv_destroy(plan);
        example_free(&e);
    }
}

/* Arrays that are aligned to their elements only. */
TEST(misaligned)
{
    for (int type = SPMV_F32; type <= SPMV_F32_F64; ++type)
        for (size_t w = 0; w < WAY_COUNT; ++w) {
            example_t e = example_from("powerlaw:300,300,4000", (spmv_type_t)type, 32, true);
            const size_t size = dtype_size(DTYPES[type]), nnz = e.A->nnz;
            char *values = malloc((nnz + 1) * size), *columns = malloc((nnz + 1) * 4);
            void *x = e.x_typed;
            char *shifted = malloc((e.A->cols + 1) * e.vector_bytes);
            e.csr.values = memcpy(values + size, e.host.values, nnz * size);
            e.csr.col_indices = memcpy(columns + 4, e.host.col_indices, nnz * 4);
            e.x_typed = memcpy(shifted + e.vector_bytes, x, e.A->cols * e.vector_bytes);
            check_plan(&e, WAYS[w], 1, 0, true);
            e.x_typed = x;
            free(values), free(columns), free(shifted);
            example_free(&e);
        }
}

int main(void)
{
    open_gpu();
    if (!built(SPMV_BACKEND_GPU)) WAY_COUNT = cpu_ways();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
