/*
 * test_spmv_reorder.c - the option `reorder`: the order that is found, what is declined and why; and products, new
 * values and several right-hand sides of reordered matrices, on either back end.
 */
#include "block.h"

#include "order.h"

/* ANY makes reorder_least accept any order; `usual` is the library's value. */
static const int64_t ANY = -1000000000;
static int64_t usual;

FIXTURE(any_order)
{
    reorder_least = ANY;
    return 0;
}
FIXTURE(usual_order)
{
    reorder_least = usual;
    return 0;
}
/* Begins a test in which any order is accepted. */
#define ANY_ORDER_TEST(name) TEST_IN(name, any_order, usual_order)

#define EACH_BACKEND(backend)                                                                        \
    for (spmv_backend_t backend = SPMV_BACKEND_CPU; backend <= SPMV_BACKEND_GPU; ++backend)          \
        if (built(backend))

static const spmv_options_t REORDER = {.reorder = 1, .exclusive = 1};

static spmv_options_t reorder_on(spmv_backend_t backend)
{
    spmv_options_t options = REORDER;
    options.backend = backend;
    return options;
}

/* ---- matrices -------------------------------------------------------------------------------------- */

typedef enum kind { DIAGONAL, CYCLE, ONE_WAY, SCATTERED, HOLES, PIECES, HUGE_ROW, TWICE, KINDS } kind_t;

static const char *const NAMES[KINDS] = {"diagonal", "cycle", "one way", "scattered", "empty rows", "pieces",
                                         "one huge row", "places that occur twice"};

/* Returns column k of a row, or -1 past the last. */
static int32_t column_of(kind_t kind, int32_t n, int32_t row, int32_t k)
{
    const uint32_t lot = ((uint32_t)row * 2654435761u + (uint32_t)k * 40503u) >> 7;
    switch (kind) {
    case DIAGONAL: return k == 0 ? row : -1;
    case CYCLE: return k == 0 ? (row + 1) % n : k == 1 ? (row + n - 1) % n : -1;
    case ONE_WAY: return k == 0 ? (int32_t)((int64_t)row * 7 % n) : -1; /* the pattern is not symmetric */
    case SCATTERED: return k < 9 ? (int32_t)(lot % (uint32_t)n) : -1;
    case HOLES: return row % 5 != 2 && k < row % 7 ? (int32_t)(lot % (uint32_t)n) : -1;
    case PIECES: return k < 3 ? row / 10 * 10 + (row * 3 + k) % (n - row / 10 * 10 < 10 ? n - row / 10 * 10 : 10) : -1;
    case HUGE_ROW: return row == n / 3 ? k < n ? k : -1 : k < 2 ? (int32_t)(lot % (uint32_t)n) : -1;
    case TWICE: return k < 6 ? (int32_t)((uint32_t)(row + k / 2 * 11) % (uint32_t)n) : -1;
    default: return -1;
    }
}

static int row_of(int row, int32_t *to, const int n[3])
{
    int count = 0;
    while ((to[count] = column_of((kind_t)n[2], n[0], row, count)) >= 0) ++count;
    return count;
}

static csr_t *matrix_of(kind_t kind, int32_t n)
{
    return matrix_by(row_of, n, n, (size_t)n * 10 + (size_t)n + 1, (const int[3]){n, n, (int)kind});
}

/* ---- the order ------------------------------------------------------------------------------------- */

static form_t form_of(const example_t *e)
{
    const spmv_matrix_t M = {.rows = e->csr.rows, .cols = e->csr.cols, .nnz = e->csr.nnz, .value_type = SPMV_F32,
                             .offset_bits = 32, .offsets = e->csr.row_offsets, .col_indices = e->csr.col_indices,
                             .values = e->csr.values};
    form_t f;
    assert_true(form_make(&f, &M, false));
    return f;
}

/* Returns the distance of the farthest nonzero from the diagonal. */
static int32_t bandwidth(const form_t *f)
{
    const int32_t *offsets = f->offsets;
    int32_t most = 0;
    for (int32_t row = 0; row < f->rows; ++row)
        for (int32_t k = offsets[row]; k < offsets[row + 1]; ++k)
            if (abs(f->columns[k] - row) > most) most = abs(f->columns[k] - row);
    return most;
}

/* Checks that g is f with rows and columns in that order, and knows the origin of its values. */
static void is_permuted(const form_t *g, const form_t *f, const order_t *o)
{
    const int32_t *from = f->offsets, *to = g->offsets, *origin = g->origin;
    char *seen = calloc((size_t)f->nnz + 1, 1);
    for (int32_t i = 0; i < o->n; ++i) assert_true(o->rows[i] >= 0 && o->rows[i] < o->n && o->places[o->rows[i]] == i);
    for (int32_t i = 0; i < o->n; ++i) {
        const int32_t row = o->rows[i];
        assert_int_equal(to[i + 1] - to[i], from[row + 1] - from[row]);
        for (int32_t k = to[i]; k < to[i + 1]; ++k) {
            assert_true(origin[k] >= from[row] && origin[k] < from[row + 1] && !seen[origin[k]]++);
            assert_int_equal(g->columns[k], o->places[f->columns[origin[k]]]);
            assert_true(k == to[i] || g->columns[k - 1] <= g->columns[k]);
        }
    }
    free(seen);
}

static int32_t bandwidth_after(csr_t *A)
{
    example_t e = example_of("a band", A, SPMV_F32, 32, true);
    form_t f = form_of(&e), g = form_of(&e), again = form_of(&e);
    order_t o, same;
    reorder_least = ANY;
    assert_true(reorder_find(&o, &g, 4, 2));
    assert_true(reorder_find(&same, &again, 4, 2));
    assert_memory_equal(o.rows, same.rows, (size_t)o.n * sizeof *o.rows); /* the order is the same each time */
    is_permuted(&g, &f, &o);
    const int32_t width = bandwidth(&g);
    reorder_least = usual;
    reorder_free(&o), reorder_free(&same);
    form_free(&f), form_free(&g), form_free(&again);
    example_free(&e);
    return width;
}

/* A path whose points have numbers 77 apart, in one direction. */
static int one_way_path(int row, int32_t *to, const int n[3])
{
    const int point = row * 13 % n[0]; /* 13 * 77 is 1 modulo 1000 */
    *to = (point + 1) * 77 % n[0];
    return point + 1 < n[0];
}

/* A path must be numbered from end to end, a grid diagonal by diagonal, whatever numbers the points had. */
TEST(narrow_bands)
{
    assert_int_equal(bandwidth_after(make_matrix("scrambled:band:1000,1")), 1);
    assert_int_equal(bandwidth_after(matrix_by(one_way_path, 1000, 1000, 1001, (const int[3]){1000})), 1);
    assert_true(bandwidth_after(make_matrix("scrambled:band:1000,4")) <= 2 * 4);
    assert_true(bandwidth_after(make_matrix("scrambled:poisson2d:20,50")) <= 20 + 1);
    assert_true(bandwidth_after(make_matrix("scrambled:poisson3d:8,8,20")) <= 2 * 64);
}

/* ---- products -------------------------------------------------------------------------------------- */

static void products(const spmv_plan_t *plan, example_t *e)
{
    static const double ALPHA_BETA[][2] = {{1, 0}, {2, -1}, {0, 3}, {0, 0}, {-1, 1}, {1, 0}};
    for (size_t i = 0; i < sizeof ALPHA_BETA / sizeof *ALPHA_BETA; ++i)
        check_product(plan, e, ALPHA_BETA[i][0], ALPHA_BETA[i][1], true);
}

static void reordered(const char *name, csr_t *A, spmv_type_t type, spmv_backend_t backend)
{
    example_t e = example_of(name, A, type, 32 << (A->rows % 2), true);
    spmv_plan_t *plan = plan_of(&e, reorder_on(backend));
    told(plan, A->nnz ? "reverse Cuthill-McKee order" : "not reordered");
    products(plan, &e);
    example_revalue(&e, 77);
    ok(spmv_update_values(plan, e.host.values, NULL));
    products(plan, &e);
    spmv_destroy(plan);
    example_free(&e);
}

static const int32_t SIZES[] = {1, 2, 31, 32, 33, 255, 256, 257, 997, 1000};

ANY_ORDER_TEST(every_kind_and_size)
{
    for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES; ++s)
        for (int kind = 0; kind < KINDS; ++kind)
            EACH_BACKEND(backend) {
                const spmv_type_t type = (spmv_type_t)((s + (size_t)kind) % 5);
                reordered(NAMES[kind], matrix_of((kind_t)kind, SIZES[s]), type, backend);
            }
}

ANY_ORDER_TEST(every_type)
{
    for (int type = SPMV_F32; type <= SPMV_F32_F64; ++type)
        EACH_BACKEND(backend)
            reordered("a grid", make_matrix("scrambled:poisson2d:40,40"), (spmv_type_t)type, backend);
}

/* A matrix without rows, and one without nonzeros. */
ANY_ORDER_TEST(nothing)
{
    EACH_BACKEND(backend)
        for (int i = 0; i < 2; ++i)
            reordered("nothing", make_matrix(i ? "empty:40,40" : "empty:0,0"), SPMV_F32, backend);
}

/* The values of device arrays stay on the GPU: new values go through the map. */
TEST(on_the_gpu)
{
    if (!built(SPMV_BACKEND_GPU)) return;
    reorder_least = 0;
    for (int type = SPMV_F32; type <= SPMV_F32_F64; ++type) {
        on_gpu_t c = gpu_from("scrambled:stencil27:12,12,12", (spmv_type_t)type, 32 << type % 2);
        spmv_plan_t *plan = plan_on_gpu(&c, REORDER);
        told(plan, "reverse Cuthill-McKee order");
        products(plan, &c.e);
        revalue_on_gpu(&c, 78);
        ok(spmv_update_values(plan, c.csr.values, NULL));
        products(plan, &c.e);
        spmv_destroy(plan);
        close_on_gpu(&c);
    }
    reorder_least = usual;
}

/* x and y are aligned to their elements only. */
ANY_ORDER_TEST(misaligned)
{
    for (int type = SPMV_F32; type <= SPMV_F64; ++type)
        EACH_BACKEND(backend) {
            example_t e = example_from("scrambled:poisson2d:40,41", (spmv_type_t)type, 32, true);
            spmv_plan_t *plan = plan_of(&e, reorder_on(backend));
            const size_t n = e.A->rows, size = e.vector_bytes;
            const size_t bytes = (2 * n + 3) * size;
            char *both = calloc(2 * n + 3, size);
            memcpy(both + size, e.x_typed, n * size);
            char *there = go_to(plan, both, bytes);
            ok(spmv_execute(plan, 1, there + size, 0, there + (n + 2) * size, NULL));
            come_back(plan, both, there, bytes);
            double *const y = malloc(n * sizeof *y);
            dtype_to_double(e.vector, y, both + (n + 2) * size, n);
            for (size_t r = 0; r < n; ++r) assert_true(y[r] == e.product[r]);
            free(y);
            free(both);
            spmv_destroy(plan);
            example_free(&e);
        }
}

/* Inf in x must reach the rows that use it, and no others. */
ANY_ORDER_TEST(infinite_x)
{
    EACH_BACKEND(backend) {
        example_t e = example_from("scrambled:poisson2d:40,40", SPMV_F64, 32, true);
        spmv_plan_t *plan = plan_of(&e, reorder_on(backend));
        enum { AT = 77 };
        double y[1600];
        ((double *)e.x_typed)[AT] = INFINITY;
        multiply(plan, &e, 1, 0, y);
        for (size_t row = 0; row < e.A->rows; ++row)
            assert_true(uses(&e, row, AT) ? !isfinite(y[row]) : y[row] == e.product[row]);
        spmv_destroy(plan);
        example_free(&e);
    }
}

/* ---- several right-hand sides ---------------------------------------------------------------------- */

ANY_ORDER_TEST(several_right_hand_sides)
{
    static const int COUNTS[] = {1, 2, 5, 33};
    EACH_BACKEND(backend)
        for (size_t i = 0; i < 2 * (sizeof COUNTS / sizeof *COUNTS); ++i) {
            example_t e = example_from("scrambled:poisson2d:40,40", SPMV_F64, 32, true);
            spmv_options_t options = reorder_on(backend);
            options.many = COUNTS[i / 2];
            spmv_plan_t *plan = plan_of(&e, options);
            block_check(plan, block_of(&e, COUNTS[i / 2], i % 2, 3, 1, 0));
            block_check(plan, block_of(&e, COUNTS[i / 2], i % 2, 3, 2, -1));
            block_check(plan, block_of(&e, COUNTS[i / 2], i % 2, 3, 0, 3));
            spmv_destroy(plan);
            example_free(&e);
        }
}

/* ---- forms ----------------------------------------------------------------------------------------- */

/* A triangle in COO with base 1, and CSR to be transposed: new values come in the caller's order. */
ANY_ORDER_TEST(other_forms)
{
    EACH_BACKEND(backend) {
        enum { N = 300 };
        static int32_t rows[2 * N], cols[2 * N];
        static double values[2 * N], x[N], y[N], right[N];
        int nnz = 0;
        for (int i = 0; i < N; ++i) { /* the diagonal, and a nonzero below it, in rows that are not neighbours */
            rows[nnz] = cols[nnz] = i + 1, ++nnz;
            if (i >= 40) rows[nnz] = i + 1, cols[nnz] = i * 7 % 40 + 1, ++nnz;
        }
        spmv_matrix_t M = {.format = SPMV_COO, .part = SPMV_LOWER, .index_base = 1, .rows = N, .cols = N, .nnz = nnz,
                           .value_type = SPMV_F64, .row_indices = rows, .col_indices = cols, .values = values};
        const spmv_options_t options = reorder_on(backend);
        example_t e = {.name = "a triangle", .vector_bytes = sizeof(double), .x_typed = x};
        csr_t sizes = {.rows = N, .cols = N};
        spmv_plan_t *plan = NULL;
        e.A = &sizes;
        for (int round = 0; round < 2; ++round) {
            for (int k = 0; k < nnz; ++k) values[k] = (k + round) % 5 - 2;
            if (round == 0) {
                ok(spmv_create_from(&plan, &M, &options, NULL));
                told(plan, "reverse Cuthill-McKee order");
                told(plan, "COO from 1 on, lower triangle");
            } else {
                ok(spmv_update_values(plan, values, NULL));
            }
            for (int i = 0; i < N; ++i) x[i] = i % 7 - 3, right[i] = 0;
            for (int k = 0; k < nnz; ++k) {
                right[rows[k] - 1] += values[k] * x[cols[k] - 1];
                if (rows[k] != cols[k]) right[cols[k] - 1] += values[k] * x[rows[k] - 1];
            }
            multiply(plan, &e, 1, 0, y);
            for (int i = 0; i < N; ++i) assert_true(y[i] == right[i]);
        }
        spmv_destroy(plan);
    }
}

ANY_ORDER_TEST(transposed)
{
    EACH_BACKEND(backend) {
        example_t e = example_of("scattered", matrix_of(SCATTERED, 500), SPMV_F64, 32, true);
        csr_t *T = csr_transpose(e.A);
        spmv_options_t options = reorder_on(backend);
        options.transpose = 1;
        spmv_plan_t *plan = plan_of(&e, options);
        told(plan, "transposed");
        reference_spmv(T, e.x, e.product, e.abs_sum);
        products(plan, &e);
        spmv_destroy(plan);
        csr_free(T);
        example_free(&e);
    }
}

/* ---- declined orders ------------------------------------------------------------------------------ */

static void declines(const char *recipe, spmv_options_t options, const char *why)
{
    EACH_BACKEND(backend) {
        example_t e = example_from(recipe, SPMV_F64, 32, true);
        options.backend = backend;
        options.reorder = 1;
        spmv_plan_t *plan = plan_of(&e, options);
        told(plan, why);
        options.reorder = 0;
        spmv_plan_t *plain = plan_of(&e, options);
        assert_int_equal(spmv_bytes(plan), spmv_bytes(plain)); /* the plan is the one without `reorder` */
        products(plan, &e);
        spmv_destroy(plan), spmv_destroy(plain);
        example_free(&e);
    }
}

TEST(what_does_not_pay)
{
    const spmv_options_t exclusive = {.exclusive = 1};
    reorder_least = 0;
    declines("random:1500,1300,9000", exclusive, "not reordered: the matrix is not square");
    declines("scrambled:poisson2d:40,40", (spmv_options_t){0}, "not reordered: the option `exclusive` is 0");
    declines("scrambled:poisson2d:40,40", (spmv_options_t){.exclusive = 1, .setup = SPMV_SETUP_NONE},
             "not reordered: setup is not SPMV_SETUP_PLAN");
    declines("poisson2d:40,40", exclusive, "no order saves enough"); /* the order is good already */
    declines("random:3000,3000,30000", exclusive, "which saves too little");  /* no order helps */
    reorder_least = usual;
    declines("scrambled:poisson2d:40,40", exclusive, "no order saves enough"); /* the matrix is too small */
}

/* A grid of seven points is reordered on a GPU, on a CPU only one of more points; one of five points on neither. */
TEST(what_pays)
{
    static const char *const RECIPES[] = {"scrambled:poisson2d:40,40", "scrambled:poisson3d:20,20,20",
                                          "scrambled:stencil27:14,14,14"};
    reorder_least = 0;
    EACH_BACKEND(backend)
        for (int i = 0; i < 3; ++i) {
            example_t e = example_from(RECIPES[i], SPMV_F64, 32, true);
            spmv_plan_t *plan = plan_of(&e, reorder_on(backend));
            const bool pays = i == 2 || (i == 1 && backend == SPMV_BACKEND_GPU);
            told(plan, pays ? "in reverse Cuthill-McKee order" : "not reordered");
            spmv_destroy(plan);
            example_free(&e);
        }
    reorder_least = usual;
}

/* Device arrays are checked, because the host reads them; an invalid option is refused. */
TEST(refused)
{
    spmv_options_t options = REORDER;
    spmv_plan_t *plan;
    example_t e = example_from("band:40,1", SPMV_F32, 32, true);
    for (int value = -1; value <= 2; value += 3) {
        options.reorder = (short)value;
        fails_with(spmv_create(&plan, &e.csr, &options, NULL), SPMV_BAD_ARGUMENT, "option reorder is ");
    }
    example_free(&e);
    if (!built(SPMV_BACKEND_GPU)) return;
    on_gpu_t c = gpu_from("band:40,1", SPMV_F32, 32);
    c.csr.rows = c.csr.cols = 39;
    assert_int_equal(spmv_create(&plan, &c.csr, &REORDER, NULL), SPMV_BAD_MATRIX);
    assert_null(plan);
    close_on_gpu(&c);
}

/* The plan holds the map of values, the order and its inverse, and x and y. */
ANY_ORDER_TEST(bytes)
{
    example_t e = example_from("scrambled:poisson2d:40,40", SPMV_F64, 32, true);
    spmv_options_t options = reorder_on(SPMV_BACKEND_CPU);
    options.copy = 1;
    spmv_plan_t *plan = plan_of(&e, options);
    assert_true(spmv_bytes(plan) > e.A->nnz * (8 + 4 + 4) + e.A->rows * (4 + 2 * 4 + 2 * 8));
    spmv_destroy(plan);
    example_free(&e);
}

int main(void)
{
    open_gpu();
    usual = reorder_least;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
