/*
 * test_spmv_alloc.c - libspmv when memory runs out: the k-th allocation of the host, or of the GPU, fails, for
 * k = 1, 2, ...; spmv_create says so, and what it had is given back.  Linked with --wrap for these functions and free.
 */
#include "library.h"

#include "gpu_engine.h"
#include "gpu_slices.h"
#include "order.h"

#include <stdatomic.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *p);

static atomic_long countdown = -1; /* the allocation that counts it down to 0 fails; negative: none does */

static int fails(void) { return atomic_load(&countdown) > 0 && atomic_fetch_sub(&countdown, 1) == 1; }

static atomic_long live; /* allocations that are not freed yet */

static void *counted(void *p)
{
    if (p) atomic_fetch_add(&live, 1);
    return p;
}

void *__wrap_malloc(size_t size) { return fails() ? NULL : counted(__real_malloc(size)); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : counted(__real_calloc(count, size)); }
void *__wrap_realloc(void *p, size_t size)
{
    return fails() ? NULL : p ? __real_realloc(p, size) : counted(__real_realloc(p, size));
}
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(__real_aligned_alloc(alignment, size));
}
void __wrap_free(void *p)
{
    if (p) atomic_fetch_sub(&live, 1);
    __real_free(p);
}

/* The same matrix as nonzeros of its transpose in COO, last first: everything that storing anew has to do. */
static spmv_matrix_t turned_of(const example_t *e)
{
    const size_t nnz = e->A->nnz;
    int32_t *rows = malloc(nnz * sizeof *rows), *cols = malloc(nnz * sizeof *cols);
    float *values = malloc(nnz * sizeof *values);
    for (size_t row = 0; row < e->A->rows; ++row)
        for (int64_t k = e->A->row_offsets[row]; k < e->A->row_offsets[row + 1]; ++k) {
            const size_t at = nnz - 1 - (size_t)k;
            rows[at] = e->A->col_indices[k], cols[at] = (int32_t)row;
            values[at] = (float)e->A->values[k];
        }
    return (spmv_matrix_t){.format = SPMV_COO, .rows = e->csr.cols, .cols = e->csr.rows, .nnz = e->csr.nnz,
                           .value_type = SPMV_F32, .row_indices = rows, .col_indices = cols, .values = values};
}

static void turned_free(spmv_matrix_t *M)
{
    free((void *)M->row_indices), free((void *)M->col_indices), free((void *)M->values);
}

static spmv_status_t create(spmv_plan_t **plan, const example_t *e, const spmv_matrix_t *turned,
                            const spmv_options_t *options)
{
    return options->transpose ? spmv_create_from(plan, turned, options, NULL)
                              : spmv_create(plan, &e->csr, options, NULL);
}

static void starve(const char *recipe, spmv_options_t options)
{
    example_t e = example_of(recipe, make_matrix(recipe), SPMV_F32, 32, true);
    spmv_matrix_t turned = turned_of(&e);
    spmv_plan_t *plan;
    if (options.backend == SPMV_BACKEND_GPU) { /* what a GPU's first use takes and keeps */
        ok(create(&plan, &e, &turned, &options));
        check_product(plan, &e, 1, 0, true);
        spmv_destroy(plan);
    }
    const long before = atomic_load(&live);
    for (long k = 1;; ++k) {
        atomic_store(&countdown, k);
        const spmv_status_t status = create(&plan, &e, &turned, &options);
        const bool untouched = atomic_load(&countdown) > 0;
        atomic_store(&countdown, -1);
        if (untouched) {
            ok(status);
            assert_true(k > 3); /* it did allocate something */
            check_product(plan, &e, 1, 0, true);
            spmv_destroy(plan);
            break;
        }
        assert_true(k < 1000);
        if (status != SPMV_NO_MEMORY) fail_msg("%s, allocation %ld: %s", recipe, k, spmv_status_text(status));
        assert_null(plan);
        assert_non_null(strstr(spmv_last_error(), "memory"));
    }
    if (atomic_load(&live) != before) fail_msg("%s: %ld allocations are gone", recipe, atomic_load(&live) - before);
    turned_free(&turned);
    example_free(&e);
}

TEST(plans)
{
    starve("powerlaw:300,300,4000", (spmv_options_t){.backend = SPMV_BACKEND_CPU});
    starve("one_dense_row:30000", (spmv_options_t){.backend = SPMV_BACKEND_CPU, .threads = 3});
    starve("powerlaw:300,300,4000", (spmv_options_t){.backend = SPMV_BACKEND_CPU, .copy = 1});
    starve("powerlaw:300,300,4000", (spmv_options_t){.backend = SPMV_BACKEND_CPU, .setup = SPMV_SETUP_NONE, .copy = 1});
    starve("powerlaw:300,300,4000", (spmv_options_t){.backend = SPMV_BACKEND_CPU, .tune = 1});
    starve("powerlaw:300,300,4000", (spmv_options_t){.backend = SPMV_BACKEND_CPU, .transpose = 1});
    starve("powerlaw:300,300,4000", (spmv_options_t){.backend = SPMV_BACKEND_CPU, .exclusive = 1, .reorder = 1});
    starve("scrambled:band:300,4", (spmv_options_t){.backend = SPMV_BACKEND_CPU, .exclusive = 1, .reorder = 1});
    if (!built(SPMV_BACKEND_GPU)) return;
    starve("powerlaw:300,300,4000",
           (spmv_options_t){.backend = SPMV_BACKEND_GPU, .setup = SPMV_SETUP_NONE, .transpose = 1});
    /* No set-up there: kernels of a plan would have the simulator allocate, too, where its threads run now and then. */
}

/* ---- the same with the memory of the GPU ------------------------------------------------------- */

static long card_countdown = -1;
static long card_calls;

static bool card_fails(void)
{
    ++card_calls;
    return card_countdown > 0 && --card_countdown == 0;
}

cudaError_t __real_cudaMalloc(void **d, size_t bytes);
cudaError_t __wrap_cudaMalloc(void **d, size_t bytes);
cudaError_t __wrap_cudaMalloc(void **d, size_t bytes)
{
    return card_fails() ? cudaErrorMemoryAllocation : __real_cudaMalloc(d, bytes);
}

cudaError_t __real_cudaMallocFromPoolAsync(void **d, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t __wrap_cudaMallocFromPoolAsync(void **d, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t __wrap_cudaMallocFromPoolAsync(void **d, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return card_fails() ? cudaErrorMemoryAllocation : __real_cudaMallocFromPoolAsync(d, bytes, pool, stream);
}

static size_t card_free(void)
{
    size_t available = 0, total = 0;
    spmv_trim();
    assert_int_equal(cudaMemGetInfo(&available, &total), cudaSuccess);
    return available;
}

static void starve_card(const char *recipe, spmv_options_t options)
{
    example_t e = example_of(recipe, make_matrix(recipe), SPMV_F32, 32, true);
    spmv_matrix_t turned = turned_of(&e);
    spmv_plan_t *plan;
    options.backend = SPMV_BACKEND_GPU;
    ok(create(&plan, &e, &turned, &options)); /* kernels are loaded when they are first used, and take memory too */
    check_product(plan, &e, 1, 0, true);
    spmv_destroy(plan);
    const size_t before = card_free();
    int without = 0; /* memory that a plan can do without */
    for (long k = 1;; ++k) {
        card_countdown = k;
        card_calls = 0;
        const spmv_status_t status = create(&plan, &e, &turned, &options);
        card_countdown = -1;
        if (card_calls < k) {
            ok(status);
            assert_true(k > 3); /* the arrays at least */
            check_product(plan, &e, 1, 0, true);
            spmv_destroy(plan);
            break;
        }
        assert_true(k < 1000);
        if (status == SPMV_OK && options.many) { /* X is not turned then */
            ++without;
            check_product(plan, &e, 1, 0, true);
            spmv_destroy(plan);
            continue;
        }
        if (status != SPMV_NO_MEMORY) fail_msg("%s, memory of the GPU %ld: %s", recipe, k, spmv_status_text(status));
        assert_null(plan);
        assert_non_null(strstr(spmv_last_error(), "memory"));
    }
    assert_int_equal(without, options.many ? 1 : 0);
    assert_int_equal(card_free(), before);
    turned_free(&turned);
    example_free(&e);
}

TEST(plans_on_the_card)
{
    if (!built(SPMV_BACKEND_GPU)) skip();
    starve_card("powerlaw:300,300,4000", (spmv_options_t){0});
    starve_card("one_dense_row:3000", (spmv_options_t){0});
    starve_card("band:1000,3", (spmv_options_t){.copy = 1});
    starve_card("powerlaw:300,300,4000", (spmv_options_t){.setup = SPMV_SETUP_NONE});
    starve_card("powerlaw:300,300,4000", (spmv_options_t){.exclusive = 1, .many = 1});
    starve_card("powerlaw:300,300,4000", (spmv_options_t){.transpose = 1});
    starve_card("powerlaw:300,300,4000", (spmv_options_t){.setup = SPMV_SETUP_NONE, .exclusive = 1});
    starve_card("powerlaw:300,300,4000", (spmv_options_t){.exclusive = 1, .reorder = 1});
}

/* A plan that stores the pairs of a symmetric matrix once, and its update: they fail, and all is given back. */
TEST(pairs_on_the_card)
{
    if (!built(SPMV_BACKEND_GPU)) skip();
    const spmv_options_t options = {.exclusive = 1, .values = 1};
    const size_t least = gpu_pairs_least;
    on_card_t c = open_on_card("diagonals", diagonals_matrix(300, 300, false), SPMV_F64, 32);
    for (int r = 0; r < 300; ++r)
        for (int64_t k = c.e.A->row_offsets[r]; k < c.e.A->row_offsets[r + 1]; ++k)
            ((double *)c.e.host.values)[k] = 1.0 / (r + c.e.A->col_indices[k] + 3);
    assert_int_equal(
        cudaMemcpy(c.device.values, c.e.host.values, c.e.A->nnz * sizeof(double), cudaMemcpyHostToDevice), 0);
    gpu_pairs_least = 0;
    size_t before = 0;
    bool done = false;
    for (long k = 0; !done; ++k) { /* the first time nothing fails */
        gpu_engine_t *engine;
        char text[1000] = "";
        card_countdown = k ? k : -1;
        card_calls = 0;
        spmv_status_t status =
            gpu_engine_create_as(&engine, &c.csr, &options, VARIANT_IN_ORDER, NULL, text, sizeof text);
        if (status == SPMV_OK) {
            gpu_engine_describe(engine, text, sizeof text);
            assert_non_null(strstr(text, "pairs: "));
            status = gpu_engine_update(engine, c.device.values, NULL);
            done = k && card_calls < k;
            gpu_engine_destroy(engine);
        }
        card_countdown = -1;
        assert_int_equal(status, k == 0 || done ? SPMV_OK : SPMV_NO_MEMORY);
        if (k == 0) before = card_free();
        assert_int_equal(card_free(), before);
        assert_true(k < 1000);
    }
    gpu_pairs_least = least;
    close_on_card(&c);
}

int main(void)
{
    reorder_least = -10000; /* the option `reorder` takes any order */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
