/* test_spmv_ways.c - tests every variant of the GPU back end on every awkward matrix, the features that the rule sees,
 * and the kernels that each variant runs. */
#include "tests/spmv_battery.h"

#include <ctype.h>

#include "gpu_engine.h"
#include "gpu_table.h"
#include "lib_rows.h"
#include "../../libspmv/tests/library.h"
#include "lib_variants.h"
static const chapter_t VARIANTS = {.name = "lib_variants", .doc = "libspmv's variants", .step = lib_variant};

TEST(battery)
{
    check_battery(&VARIANTS, (spmv_spec_t){.dtype = DTYPE_F32, .exact = true}, NULL);
    check_battery(&VARIANTS, (spmv_spec_t){.dtype = DTYPE_F64, .offset_bits = 64}, NULL);
}
TEST(narrow_values)
{
    check_recipe(&VARIANTS, "powerlaw:300,300,4000", (spmv_spec_t){.dtype = DTYPE_F16, .exact = true}, NULL);
    check_recipe(&VARIANTS, "poisson2d:19,11", (spmv_spec_t){.dtype = DTYPE_BF16, .misalign = 1}, NULL);
    check_recipe(&VARIANTS, "random:20,30,100", (spmv_spec_t){.dtype = DTYPE_I8}, NULL); /* refused with a message */
}
TEST(infinite_x) { check_infinite_x(&VARIANTS, NULL); }
TEST(deterministic) { check_deterministic(&VARIANTS, NULL); }

static bool by_no_spans(const step_t *s) { return strcmp(s->id, "spans_4") && strcmp(s->id, "guided_4"); }

/* The matrices of library.h, for which products are exact. */
TEST(awkward_matrices)
{
    static const struct { const char *recipe; spmv_spec_t spec; step_filter_fn leave_out; } CASES[] = {
        {"edge_of_the_sort", {.dtype = DTYPE_F32}, NULL},
        {"long_rows", {.dtype = DTYPE_F64, .offset_bits = 64}, NULL},
        {"alike", {.dtype = DTYPE_F32}, NULL},
        {"alike", {.dtype = DTYPE_F64, .offset_bits = 64}, NULL},
        {"alike", {.dtype = DTYPE_F16, .misalign = 1}, NULL},
        {"guided", {.dtype = DTYPE_F32}, by_no_spans},
        {"guided", {.dtype = DTYPE_F64, .offset_bits = 64}, by_no_spans},
        {"guided", {.dtype = DTYPE_BF16, .misalign = 1}, by_no_spans},
        {"wide", {.dtype = DTYPE_F32}, NULL},
        {"wide", {.dtype = DTYPE_F64, .offset_bits = 64}, NULL},
        {"wide", {.dtype = DTYPE_BF16, .misalign = 1}, NULL},
        {"few_rows", {.dtype = DTYPE_F32}, NULL},
        {"few_rows", {.dtype = DTYPE_F64, .offset_bits = 64}, NULL},
        {"few_rows", {.dtype = DTYPE_BF16, .misalign = 1}, NULL},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        csr_t *A = test_matrix(CASES[i].recipe);
        spmv_spec_t spec = CASES[i].spec;
        spec.A = A, spec.name = CASES[i].recipe, spec.exact = true, spec.gpu = true;
        if (!spec.offset_bits) spec.offset_bits = 32;
        check_all(&VARIANTS, &spec, CASES[i].leave_out);
        csr_free(A);
    }
}

/* ---- one engine at a time ------------------------------------------------------------------------ */

typedef struct made {
    csr_t *A;
    problem_t p;
    gpu_engine_t *engine;
    char text[2000];
} made_t;

static made_t make_of(csr_t *matrix, const char *recipe, gpu_variant_t variant, int exclusive, dtype_t dtype)
{
    made_t m = {.A = matrix};
    err_t err;
    const spmv_spec_t spec = {.A = m.A, .name = recipe, .dtype = dtype, .offset_bits = 32, .gpu = true};
    if (spmv_problem_open(&m.p, &spec, &err)) fail_msg("%s", err.text);
    const spmv_csr_t A = lib_csr(&((const spmv_data_t *)m.p.data)->device, SPMV_DEVICE);
    m.engine = engine_of(&A, (spmv_options_t){.exclusive = exclusive}, variant);
    gpu_engine_describe(m.engine, m.text, sizeof m.text);
    return m;
}

static made_t make(const char *recipe, gpu_variant_t variant, int exclusive, dtype_t dtype)
{
    return make_of(test_matrix(recipe), recipe, variant, exclusive, dtype);
}

static void drop(made_t *m)
{
    gpu_engine_destroy(m->engine);
    spmv_problem_close(&m->p);
    csr_free(m->A);
}

/* Builds an engine for A, which it frees, and checks that the description contains the words. */
static void says(csr_t *A, const char *recipe, gpu_variant_t variant, int exclusive, const char *words)
{
    made_t m = make_of(A, recipe, variant, exclusive, DTYPE_F32);
    if (!strstr(m.text, words))
        fail_msg("%s by %s: '%s' is not in\n%s", recipe, GPU_VARIANTS[variant].name, words, m.text);
    drop(&m);
}

/* The requested variant is built unless the matrix does not allow it: then slices are sorted, and tiles, wide tiles and
 * granules become spans. */
TEST(kernels)
{
    static const struct { const char *recipe; gpu_variant_t variant; const char *words;
    } CASES[] = {
        {"even:3000,500,7", VARIANT_ROWS_1,
         "rows_1, for 7.0 nonzeros per row\nCSR as it is, lanes on each row for 8 nonzeros at once"},
        {"even:3000,500,7", VARIANT_ROWS_2, "for 15 nonzeros at once"},
        {"even:3000,500,7", VARIANT_ROWS_4, "for 30 nonzeros at once"},
        {"even:3000,500,7", VARIANT_SPANS_2, "CSR as it is, 94 warps with 256 rows"},
        {"even:90000,500,7", VARIANT_SPANS_2, /* 8 SMs, 2 blocks of 8 warps */
         "CSR as it is, 128 warps with 5625 rows"},
        {"even:90000,500,7", VARIANT_SPANS_4, "CSR as it is, 256 warps with 2813 rows"},
        {"even:3000,500,7", VARIANT_GUIDED_4, "CSR as it is, 94 warps with 256 rows and nonzeros each; rows"},
        {"even:90000,500,7", VARIANT_GUIDED_4, /* 4/5 of 720000 in spans of 256 */
         "CSR as it is, 256 warps with 2250 rows and nonzeros each, then 282 with 512; rows"},
        {"even:90000,500,7", VARIANT_LONG_4,
         "CSR as it is, 256 warps with 2464 nonzeros each"}, /* 630000 / 256, in whole warps */
        {"even:3000,500,7", VARIANT_MIXED_1, /* 24000 slots: 94 warps of the shortest span */
         "CSR as it is, 2 lanes on each row; where 128 rows and their nonzeros exceed 2048, they form spans: 94 "
         "warps with 256 each"},
        {"dense:3,9000", VARIANT_MIXED_1, /* not 144016 */
         "where 8 rows and their nonzeros exceed 8192, they form"},
        {"even:90000,500,7", VARIANT_MIXED_1, /* no shorter */
         "exceed 5625, they form spans: 128 warps with 5625"},
        {"poisson2d:64,64", VARIANT_IN_ORDER,
         "128 slices of a warp, rows in their order\ncolumns: 128 slices by diagonals"},
        {"even:3200,500,7", VARIANT_IN_ORDER, "100 slices of a warp, rows in their order\n"},
        {"band:400,20", VARIANT_IN_ORDER, "13 slices of 4 warps, rows in their order\n"}, /* 41 steps, 10 per warp */
        {"band:400,60", VARIANT_IN_ORDER, "13 slices of 8 warps, rows in their order\n"},
        {"band:9000,20", VARIANT_IN_ORDER, "282 slices of a warp, rows in their order\n"}, /* 512 warps find room */
        {"band:9000,30", VARIANT_IN_ORDER, "282 slices of 4 warps, rows in their order\n"}, /* 61 steps are many */
        {"even:3200,500,7", VARIANT_EVEN_4,
         "200 slices of a warp, rows in their order, all slices alike"}, /* 2 lanes, 4 steps */
        {"even:3200,500,7", VARIANT_EVEN_8, /* 7 steps: 8 */
         "100 slices of a warp, rows in their order, all slices alike"},
        {"even:3200,500,7", VARIANT_SORT_4, "200 slices of a warp, rows of similar length together"},
        {"even:3200,500,7", VARIANT_SORT_8, "100 slices of a warp, rows of similar length together"},
        {"even:3200,2000,33", VARIANT_SORT_16, "400 slices"},
        {"even:3200,2000,33", VARIANT_SORT_32, "200 slices"},
        {"even:3200,2000,33", VARIANT_SORT_64, "100 slices"},
        {"even:3200,2000,33", VARIANT_BUNDLE_16, "400 slices"},
        {"even:3200,2000,33", VARIANT_BUNDLE_32, "; 0 rows share columns"},
        {"powerlaw:3000,3000,60000", VARIANT_HOT_16, "columns are copied next to each other"},
        {"even:3200,500,7", VARIANT_HOT_16, "x: the entries of the 500 most used of the 500 columns"},
        {"diagonal:500", VARIANT_HOT_32, "rows of similar length together"}, /* no column occurs twice */
        {"dense:640,70", VARIANT_BUNDLE_8, "80 slices"}, /* 160 bundles of 4 rows, 16 lanes each */
        {"dense:640,70", VARIANT_BUNDLE_8, "; 640 rows share columns"},
        {"one_dense_row:5000", VARIANT_IN_ORDER, "rows of similar length together"}, /* 5000 steps for 32 rows */
        {"one_dense_row:5000", VARIANT_EVEN_8, "rows of similar length together"},
        {"one_dense_row:5000", VARIANT_BUNDLE_8, "24 are for pieces of 1 long rows"},
        {"even:9000,60000,7", VARIANT_TILES,
         "2 groups of rows, 4 parts of columns, a block of 32 warps to each; "
         "x in shared memory by 4 tiles of 15008 columns"},
        {"even:9000,2000,7", VARIANT_TILES,
         "8 groups of rows, 1 parts of columns, a block of 32 warps to each; "
         "x in shared memory by 1 tiles of 2016 columns"},
        {"one_dense_row:5000", VARIANT_TILES, "sort_32, for 2.0"},
        {"one_dense_row:5000", VARIANT_TILES,
         "slices of a warp, rows of similar length"},                  /* 5000 steps, of which one row has a lane */
        {"dense:600000,1", VARIANT_TILES, "slices of a warp, rows of similar length"}, /* no room for so many sums */
        {"random:40,60000,90000", VARIANT_WIDE,
         "1 groups of rows, 8 parts of columns, a block of 32 warps to each; x in shared memory by 8 "
         "tiles of 7520 columns, nonzeros of a tile distributed evenly"},
        {"even:9000,9000,3", VARIANT_WIDE, "8 groups of rows, 1 parts of columns, a block of 32 warps"},
        {"dense:600000,1", VARIANT_WIDE, "slices of a warp, rows of similar length"}, /* no room for so many sums */
        {"random:3,3000000,3000", VARIANT_WIDE, /* all of x for few nonzeros */
         "slices of a warp, rows of similar length"},
        {"even:3200,500,7", VARIANT_GRANULES, /* 6400 granules on 8 SMs: 400 per block, and room for 2 x 15 more */
         "16 blocks of 480 granules of 4 nonzeros of a row, 0 blocks begin inside a row\n"
         "columns: 8 bytes for each granule; "},
        {"band:3200,20", VARIANT_GRANULES, "columns: 4 bytes for each granule"},
        {"even:300,80000,9", VARIANT_GRANULES, "columns: 12 bytes for each granule"},
        {"diagonal:70000", VARIANT_GRANULES, "sort_32, for 1.0"}, /* three of four slots would be empty */
        {"even:200000,500,7", VARIANT_EVEN_8, "all slices alike"},
        {"even:300000,500,7", VARIANT_EVEN_8, "of similar length together"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        const bool by_sms = strstr(CASES[i].words, "warps") || strcmp(CASES[i].recipe, "dense:600000,1") == 0 ||
                            strcmp(CASES[i].recipe, "band:9000,20") == 0 ||
                            (CASES[i].variant == VARIANT_GRANULES && strstr(CASES[i].words, "blocks of"));
        if (on_gpu() && by_sms) continue; /* the GPU has another number of SMs */
        says(make_matrix(CASES[i].recipe), CASES[i].recipe, CASES[i].variant, 1, CASES[i].words);
    }
}

/* Without scratch memory no row is divided among blocks or cut in pieces. */
TEST(not_exclusive)
{
    static const struct { const char *recipe; gpu_variant_t variant; int exclusive; const char *words; } CASES[] = {
        {"wide", VARIANT_TILES, 1, /* 3 tiles each: both buffers are reused */
         "2 groups of rows, 4 parts of columns, a block of 32 warps to each; x in shared memory by 12 tiles of "},
        {"even:9000,60000,7", VARIANT_TILES, 0, "8 groups of rows, 1 parts of columns"},
        {"few_rows", VARIANT_WIDE, 1, /* 3 each */
         "1 groups of rows, 8 parts of columns, a block of 32 warps to each; x in shared memory by 24 tiles of "},
        {"random:40,60000,90000", VARIANT_WIDE, 0, "8 groups of rows, 1 parts of columns"},
        {"dense:3,9000", VARIANT_GRANULES, 1, "blocks begin inside a row"},
        {"dense:3,9000", VARIANT_GRANULES, 0, "sort_32, for 9000.0"},
        {"dense:3,9000", VARIANT_LONG_4, 0,
         "CSR as it is, 106 warps with 256 rows and nonzeros each; rows that reach over several spans are not cut"},
        {"even:30000,60000,16", VARIANT_TILES, 1, "4 parts of columns"},
    };
    if (on_gpu()) skip(); /* the GPU has another number of SMs */
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i)
        says(test_matrix(CASES[i].recipe), CASES[i].recipe, CASES[i].variant, CASES[i].exclusive, CASES[i].words);
    made_t m = make("dense:3,9000", VARIANT_GRANULES, 1, DTYPE_F32);
    if (strstr(m.text, " 0 blocks begin")) fail_msg("%s", m.text);
    drop(&m);
}

/* If all columns are in the first of four parts, three of four blocks would have nothing to do. */
TEST(parts_of_columns)
{
    if (on_gpu()) skip(); /* the GPU has another number of SMs */
    csr_t *A = make_matrix("even:30000,60000,16");
    for (size_t k = 0; k < A->nnz; ++k) A->col_indices[k] %= 15000;
    says(A, "narrow", VARIANT_TILES, 1, "slices of a warp");
    A = test_matrix("few_rows");
    for (size_t k = 0; k < A->nnz; ++k) A->col_indices[k] %= 75000;
    says(A, "few rows, narrow", VARIANT_WIDE, 1, "slices of a warp");
    A = test_matrix("few_rows"); /* each row in its own columns, so a block has more threads than sums */
    for (size_t row = 0; row < A->rows; ++row)
        for (int64_t k = A->row_offsets[row]; k < A->row_offsets[row + 1]; ++k)
            A->col_indices[k] = (int32_t)row * 6000 + A->col_indices[k] % 6000;
    says(A, "few rows, each narrow", VARIANT_WIDE, 1, "slices of a warp");
}

/* Features that can be computed by hand. */
TEST(features)
{
    made_t m = make("even:6400,4000,7", VARIANT_IN_ORDER, 0, DTYPE_F32);
    const gpu_features_t *f = gpu_engine_features(m.engine);
    assert_true(f->rows == 6400 && f->cols == 4000 && f->nnz == 44800 && f->value_bytes == 4 && f->mean == 7);
    assert_true(f->longest == 7 && f->skew == 1 && f->in_order_fill == 1 && f->diagonals == 0);
    assert_true(f->near_fill == 1 && f->sectors > 0.9 &&
                f->alike == 0); /* 7 <= 16 steps: one lane per row; random columns */
    assert_true(f->gathered == f->sectors * 4);                           /* 32 bytes of 4 + 4 */
    drop(&m);

    m = make("poisson2d:64,64", VARIANT_IN_ORDER, 0, DTYPE_F64);
    f = gpu_engine_features(m.engine);
    assert_true(f->value_bytes == 8 && f->diagonals == 1 && f->longest == 5);
    assert_true(f->sectors > 0.2 && f->sectors < 0.5); /* 32 adjacent columns: 8 or 9 sectors for four slices */
    drop(&m);

    m = make("band:3200,60", VARIANT_IN_ORDER, 0, DTYPE_F32); /* 121 a row */
    assert_true(gpu_engine_features(m.engine)->diagonals == 1);
    drop(&m);
    m = make("band:3200,70", VARIANT_IN_ORDER, 0, DTYPE_F32);
    assert_true(gpu_engine_features(m.engine)->diagonals < 0.1);
    drop(&m);

    m = make("one_dense_row:5000", VARIANT_SORT_4, 1, DTYPE_F32);
    f = gpu_engine_features(m.engine);
    assert_true(f->longest == 5000 && f->mean == f->nnz / 5000 && f->skew == 5000 / f->mean);
    assert_true(f->in_order_fill > 16 && f->near_fill < 1.2); /* 5000 steps for 32 rows, or one warp for each of them */
    drop(&m);

    m = make("dense:40,40", VARIANT_IN_ORDER, 0, DTYPE_F32);
    f = gpu_engine_features(m.engine);
    assert_true(f->alike == 1 && f->in_order_fill == 32.0 * 2 * 40 / 1600);
    assert_true(f->near_fill == 32.0 * 10 * 5 / 1600); /* 4 lanes: 10 steps for 8 rows, 5 slices */
    drop(&m);

    m = make("even:3200,500,7", VARIANT_BY_RULE, 1, DTYPE_F32); /* the rule selected from these */
    gpu_variant_t second;
    assert_int_equal(gpu_engine_variant(m.engine), gpu_choose(gpu_engine_features(m.engine), SPMV_SETUP_PLAN, &second));
    assert_true(strstr(m.text, GPU_VARIANTS[gpu_engine_variant(m.engine)].name) == m.text);
    drop(&m);
}

/* A variant's name is that of the enum without VARIANT_, in lower case; the number after _ is its size. */
TEST(table)
{
    static const char *const NAMES[] = {"ROWS_1", "ROWS_2", "ROWS_4", "SPANS_2", "SPANS_4", "GUIDED_4", "LONG_4",
                                        "MIXED_1", "IN_ORDER", "EVEN_4", "EVEN_8", "SORT_4", "SORT_8", "SORT_16",
                                        "SORT_32", "SORT_38", "SORT_64", "BUNDLE_4", "BUNDLE_8", "BUNDLE_16",
                                        "BUNDLE_32", "HOT_16", "HOT_32", "TILES", "WIDE", "GRANULES"};
    assert_int_equal(sizeof NAMES / sizeof *NAMES, VARIANT_COUNT);
    size_t none = 0, plan = 0;
    for (int w = 0; w < VARIANT_COUNT; ++w) {
        const gpu_variant_facts_t *variant = &GPU_VARIANTS[w];
        const char *size = strchr(variant->name, '_');
        assert_int_equal(strlen(variant->name), strlen(NAMES[w]));
        for (size_t i = 0; variant->name[i]; ++i) assert_int_equal(toupper(variant->name[i]), NAMES[w][i]);
        assert_int_equal(size ? atoi(size + 1) : 0, variant->size);
        assert_string_equal(lib_variant((size_t)w)->id, variant->name);
        const bool as_it_is = variant->family <= GPU_MIXED;
        assert_true(variant->as_it_is == as_it_is); /* all others need a set-up */
        none += variant->as_it_is;
        plan += variant->plan;
    }
    assert_true(none >= 2 && plan >= 2);
    assert_null(lib_variant(VARIANT_COUNT));
}

/* The rule selects only variants that its set-up allows, for any matrix. */
TEST(rule)
{
    uint64_t seed = 1;
    size_t picked[3][VARIANT_COUNT] = {{0}};
    for (int i = 0; i < 200000; ++i) {
        double number[12];
        for (int k = 0; k < 12; ++k) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            number[k] = (double)(seed >> 11) / 9007199254740992.0;
        }
        gpu_features_t f = {.rows = exp(20 * number[0]),
                            .cols = exp(20 * number[1]),
                            .value_bytes = i % 2 ? 4 : 8,
                            .mean = exp(8 * number[2] - 1),
                            .skew = exp(10 * number[3]),
                            .in_order_fill = exp(4 * number[4]),
                            .alike = number[5],
                            .near_fill = exp(2 * number[6]),
                            .diagonals = number[7],
                            .sectors = number[8],
                            .hot = number[9]};
        f.nnz = f.rows * f.mean;
        f.longest = f.mean * f.skew;
        f.gathered = f.sectors * 32 / (f.value_bytes + 4);
        for (int setup = 0; setup < 3; ++setup) {
            gpu_variant_t second;
            const gpu_variant_t variant = gpu_choose(&f, (spmv_setup_t)setup, &second);
            assert_true(variant < VARIANT_COUNT &&
                        (setup == SPMV_SETUP_PLAN ? GPU_VARIANTS[variant].plan : GPU_VARIANTS[variant].as_it_is));
            const double longest = setup == SPMV_SETUP_NONE ? f.cols : f.longest;
            assert_true(GPU_VARIANTS[variant].family != GPU_ROWS || longest <= GPU_LONGEST_ROW);
            assert_true(second == VARIANT_COUNT || (setup != SPMV_SETUP_NONE && f.nnz >= GPU_TRY &&
                                                ((setup == SPMV_SETUP_PLAN && GPU_VARIANTS[second].plan) ||
                                                 GPU_VARIANTS[second].as_it_is)));
            /* A variant that needs a set-up for many nonzeros is always timed beside CSR. */
            if (!GPU_VARIANTS[variant].as_it_is && f.nnz >= GPU_TRY_ALWAYS && f.longest <= GPU_LONGEST_ROW)
                assert_true(second != VARIANT_COUNT);
            /* For `deterministic` nothing is timed beside diagonals. */
            assert_true(second != VARIANT_IN_ORDER || f.diagonals < GPU_MOSTLY_DIAGONALS || f.skew >= GPU_UNEVEN);
            assert_true(variant != VARIANT_IN_ORDER || second == VARIANT_COUNT || f.skew < GPU_UNEVEN ||
                        GPU_VARIANTS[second].as_it_is);
            if (setup == SPMV_SETUP_PLAN && f.nnz >= GPU_TRY && f.diagonals >= GPU_ALL_DIAGONALS &&
                f.skew < GPU_UNEVEN && f.in_order_fill <= GPU_FULL && f.sectors >= GPU_OWN_X * f.value_bytes / 32)
                assert_true(variant == VARIANT_IN_ORDER || GPU_VARIANTS[variant].as_it_is);
            if (setup == SPMV_SETUP_PLAN && f.value_bytes == 4 && f.nnz >= GPU_GRANULES_FROM &&
                f.nnz <= GPU_GRANULES_TO && f.near_fill >= GPU_UNEVEN_NEIGHBOURS && f.mean >= GPU_GRANULES_MEAN &&
                f.longest <= GPU_GRANULES_LONGEST && f.diagonals < 1 - GPU_ALL_DIAGONALS)
                assert_true(variant == VARIANT_GRANULES && (f.nnz < GPU_TRY || second != VARIANT_COUNT));
            ++picked[setup][variant];
        }
    }
    for (int setup = 0; setup < 3; ++setup) {
        size_t kinds = 0;
        for (int w = 0; w < VARIANT_COUNT; ++w) kinds += picked[setup][w] > 0;
        assert_true(kinds >= 2);
    }
}

/* Where the tree would take more steps, a plan gets more warps: features of rma10 and of dense_rows:100000,20,5. */
TEST(fewer_steps)
{
    const gpu_features_t rma10 = {.rows = 46835, .cols = 46835, .nnz = 2329092, .value_bytes = 4, .mean = 49.73,
                                  .longest = 145, .skew = 2.916, .in_order_fill = 1.882, .near_fill = 1.194,
                                  .sectors = 0.0645, .gathered = 0.258, .alike = 0.763};
    const gpu_features_t dense_rows = {.rows = 100000, .cols = 100000, .nnz = 2499893, .value_bytes = 4, .mean = 25,
                                       .longest = 100000, .skew = 4000, .in_order_fill = 25.8, .near_fill = 1.007,
                                       .sectors = 0.997, .gathered = 3.99, .hot = 0.134};
    gpu_features_t other = rma10;
    gpu_variant_t second;
    assert_int_equal(gpu_choose(&rma10, SPMV_SETUP_PLAN, &second), VARIANT_BUNDLE_8);
    other.value_bytes = 8; /* in fp64 both are equally fast */
    assert_int_equal(gpu_choose(&other, SPMV_SETUP_PLAN, &second), VARIANT_BUNDLE_16);
    assert_int_equal(gpu_choose(&dense_rows, SPMV_SETUP_PLAN, &second), VARIANT_SORT_16);
    other = dense_rows;
    other.longest /= 4; /* not a fortieth of the nonzeros any more */
    other.skew /= 4;
    assert_true(gpu_choose(&other, SPMV_SETUP_PLAN, &second) != VARIANT_SORT_16);
}

/* ---- plans that inspect values ------------------------------------------------------------------- */

/* Runs one product of an engine; returns the sectors that it loads on the simulator, 0 on a GPU. */
static int64_t product_of(const gpu_engine_t *engine, const on_gpu_t *c, void *y)
{
    const size_t bytes = c->e.A->rows * c->e.vector_bytes;
    report_row_t row = {0};
    void *d_y = to_gpu(NULL, bytes);
    device_configure(true, 0);
#ifdef __SIMT__
    simt_set_workers(1); /* with several workers, one may poll for another's sum, and these reads are counted */
#endif
    device_count_begin();
    assert_int_equal(gpu_engine_execute(engine, 1, c->d_x, 0, d_y, NULL), SPMV_OK);
    from_gpu(y, d_y, 0);
    device_count_end(&row);
    device_configure(false, 0);
#ifdef __SIMT__
    simt_set_workers(0);
#endif
    from_gpu(y, d_y, bytes);
    device_free(d_y);
    return row.ld_sectors > 0 ? row.ld_sectors : 0;
}

/* Values that half the bytes can hold, including -0; or all but one of them. */
static void set_values(on_gpu_t *c, bool fit)
{
    const size_t nnz = c->e.A->nnz;
    for (size_t k = 0; k < nnz; ++k) {
        const double v = k % 11 == 3 ? -0.0 : (double)(k * 2654435761u % 2001) / 1024 - 1, odd = 0.1 + 1e-5;
        if (c->csr.value_type == SPMV_F64) ((double *)c->e.host.values)[k] = !fit && k == nnz / 2 ? odd : v;
        else ((float *)c->e.host.values)[k] = !fit && k == nnz / 2 ? (float)odd : (float)v;
    }
    values_to_gpu(c);
}

/* Every variant must give the bits of the plan without inspected values, load fewer sectors if the values fit, and
 * adapt when the values change back and forth. */
TEST(values_seen)
{
    static const char *const RECIPES[] = {"even:3000,700,9", "powerlaw:900,900,9000", "poisson2d:40,40",
                                          "random:40,9000,20000", "dense:100,70"};
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; ++i)
        for (int w = 0; w < VARIANT_COUNT; ++w) {
            const spmv_type_t type = (i + (size_t)w) % 2 ? SPMV_F64 : SPMV_F32;
            on_gpu_t c = gpu_from(RECIPES[i], type, 32);
            const size_t bytes = c.e.A->rows * c.e.vector_bytes;
            gpu_engine_t *engines[2];
            char *y[2] = {malloc(bytes), malloc(bytes)};
            set_values(&c, true);
            for (int seen = 0; seen < 2; ++seen)
                engines[seen] = engine_of(&c.csr, (spmv_options_t){.exclusive = 1, .values = seen}, (gpu_variant_t)w);
            for (int round = 0; round < 3; ++round) {
                int64_t sectors[2];
                set_values(&c, round != 1);
                for (int seen = 0; seen < 2; ++seen) {
                    if (round) assert_int_equal(gpu_engine_update(engines[seen], c.csr.values, NULL), SPMV_OK);
                    sectors[seen] = product_of(engines[seen], &c, y[seen]);
                }
                const char *text = text_of_engine(engines[1]);
                const bool half = strstr(text, "in half the bytes") != NULL;
                const bool dealt = strstr(text, "distributed evenly") != NULL;
                if (memcmp(y[0], y[1], bytes)) fail_msg("%s, round %d: other bits\n%s", RECIPES[i], round, text);
                if (half != (round != 1 && !dealt)) fail_msg("%s, round %d\n%s", RECIPES[i], round, text);
                if (half ? sectors[1] > sectors[0] : sectors[1] != sectors[0])
                    fail_msg("%s, round %d: %d sectors, not %d\n%s", RECIPES[i], round, (int)sectors[1],
                             (int)sectors[0], text);
            }
            gpu_engine_destroy(engines[0]), gpu_engine_destroy(engines[1]);
            free(y[0]), free(y[1]);
            close_on_gpu(&c);
        }
}

/* Groups of rows that are too large for a block, in spans, with and without cut rows, must give the sums of lanes on
 * each row. */
TEST(heavy_groups)
{
    static const char *const RECIPES[] = {"one_dense_row:20000", "powerlaw:9000,9000,70000", "rmat:12,6",
                                          "dense:2,9000"};
    static const struct { gpu_variant_t variant; int exclusive; } MADE[] = {{VARIANT_ROWS_1, 0}, {VARIANT_MIXED_1, 0},
                                                                    {VARIANT_MIXED_1, 1}};
    enum { COUNT = sizeof MADE / sizeof *MADE };
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; ++i) {
        on_gpu_t c = gpu_from(RECIPES[i], SPMV_F64, 32);
        double *y[COUNT];
        for (int k = 0; k < COUNT; ++k) {
            gpu_engine_t *engine =
                engine_of(&c.csr, (spmv_options_t){.exclusive = MADE[k].exclusive}, MADE[k].variant);
            y[k] = malloc(c.e.A->rows * sizeof **y);
            for (int run = 0; run < 2; ++run) product_of(engine, &c, y[k]); /* counters must be 0 for the second */
            gpu_engine_destroy(engine);
            for (size_t row = 0; row < c.e.A->rows; ++row)
                if (fabs(y[k][row] - y[0][row]) > 1e-9 * (1 + fabs(y[0][row])))
                    fail_msg("%s, %s, exclusive %d: row %d is %g, not %g", RECIPES[i],
                             GPU_VARIANTS[MADE[k].variant].name, MADE[k].exclusive, (int)row, y[k][row], y[0][row]);
        }
        for (int k = 0; k < COUNT; ++k) free(y[k]);
        close_on_gpu(&c);
    }
}

/* The sectors saved for fp64 values: four bytes per value, which is nearly half of the loads on a band of diagonals; or
 * seven bytes if there are few different values, minus a table for each block. */
static void sectors_saved_of(bool few)
{
    const size_t least = gpu_table_least;
    if (few) gpu_table_least = 0;
    on_gpu_t c = gpu_from("band:4000,20", SPMV_F64, 32);
    int64_t sectors[2];
    double *y = malloc(c.e.A->rows * sizeof *y);
    set_values(&c, true);
    if (few) {
        for (size_t k = 0; k < c.e.A->nnz; ++k) ((double *)c.e.host.values)[k] = k % 13 / 10.0;
        values_to_gpu(&c);
    }
    for (int seen = 0; seen < 2; ++seen) {
        gpu_engine_t *engine = engine_of(&c.csr, (spmv_options_t){.values = seen}, VARIANT_SORT_16);
        sectors[seen] = product_of(engine, &c, y);
        gpu_engine_destroy(engine);
    }
    gpu_table_least = least;
    const int64_t expected = (int64_t)c.e.A->nnz * (few ? 7 : 4) / 32, saved = sectors[0] - sectors[1];
    const int64_t least_saved = expected - (few ? expected / 20 : 0); /* the table is loaded, too */
    if (sectors[0] != 0 /* a GPU does not count */ && (saved < least_saved || saved > expected * 6 / 5))
        fail_msg("%d sectors of %d", (int)saved, (int)expected);
    free(y);
    close_on_gpu(&c);
}

TEST(sectors_saved)
{
    sectors_saved_of(false);
    sectors_saved_of(true);
}
CHAPTER_TEST_MAIN("lib_variants", NULL)
