/*
 * test_spmv_alloc.c - libspmv when memory runs out: the k-th allocation of the host, or of the GPU, fails, for k = 1,
 * 2, ...; spmv_create must report it and free its memory.  Linked with --wrap for these functions and free.
 */
#include "library.h"

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

/* For the host and for the GPU: the allocation that counts this down to 0 fails; if it is negative, none fails. */
enum { HOST, GPU };
static atomic_long countdown[2] = {-1, -1};

static bool fails(int whose)
{
    return atomic_load(&countdown[whose]) > 0 && atomic_fetch_sub(&countdown[whose], 1) == 1;
}

static atomic_long live; /* allocations that are not freed yet */

static void *counted(void *p)
{
    if (p) atomic_fetch_add(&live, 1);
    return p;
}

void *__wrap_malloc(size_t size) { return fails(HOST) ? NULL : counted(__real_malloc(size)); }
void *__wrap_calloc(size_t count, size_t size) { return fails(HOST) ? NULL : counted(__real_calloc(count, size)); }
void *__wrap_realloc(void *p, size_t size)
{
    return fails(HOST) ? NULL : p ? __real_realloc(p, size) : counted(__real_realloc(p, size));
}
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails(HOST) ? NULL : counted(__real_aligned_alloc(alignment, size));
}
void __wrap_free(void *p)
{
    if (p) atomic_fetch_sub(&live, 1);
    __real_free(p);
}

/* Returns the same matrix as nonzeros of its transpose in COO, last first, so that the conversion does all its work. */
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

cudaError_t __real_cudaMalloc(void **d, size_t bytes);
cudaError_t __wrap_cudaMalloc(void **d, size_t bytes);
cudaError_t __wrap_cudaMalloc(void **d, size_t bytes)
{
    return fails(GPU) ? cudaErrorMemoryAllocation : __real_cudaMalloc(d, bytes);
}

cudaError_t __real_cudaMallocFromPoolAsync(void **d, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t __wrap_cudaMallocFromPoolAsync(void **d, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t __wrap_cudaMallocFromPoolAsync(void **d, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return fails(GPU) ? cudaErrorMemoryAllocation : __real_cudaMallocFromPoolAsync(d, bytes, pool, stream);
}

/* Returns the memory allocated on the host, or free on the GPU. */
static size_t state_of(int whose)
{
    size_t available = 0, total = 0;
    if (whose == HOST) return (size_t)atomic_load(&live);
    spmv_trim();
    assert_int_equal(cudaMemGetInfo(&available, &total), cudaSuccess);
    return available;
}

static void check_and_end(spmv_plan_t *plan, example_t *e)
{
    check_product(plan, e, 1, 0, true);
    spmv_destroy(plan);
}

static void starve(int whose, const char *recipe, spmv_options_t options)
{
    example_t e = example_from(recipe, SPMV_F32, 32, true);
    spmv_matrix_t turned = turned_of(&e);
    spmv_plan_t *plan;
    int without = 0; /* memory that a plan can do without: then X is not transposed */
    if (options.backend == SPMV_BACKEND_GPU) { /* the first use of a GPU takes memory and keeps it */
        ok(create(&plan, &e, &turned, &options));
        check_and_end(plan, &e);
    }
    const size_t before = state_of(whose);
    for (long k = 1;; ++k) {
        assert_true(k < 1000);
        atomic_store(&countdown[whose], k);
        const spmv_status_t status = create(&plan, &e, &turned, &options);
        const bool untouched = atomic_load(&countdown[whose]) > 0;
        atomic_store(&countdown[whose], -1);
        if (untouched) {
            ok(status);
            assert_true(k > 3); /* it has allocated something */
            check_and_end(plan, &e);
            break;
        }
        if (whose == GPU && status == SPMV_OK && options.many) {
            ++without;
            check_and_end(plan, &e);
            continue;
        }
        if (status != SPMV_NO_MEMORY)
            fail_msg("%s, allocation %ld of %s: %s", recipe, k, whose == HOST ? "the host" : "the GPU",
                     spmv_status_text(status));
        assert_null(plan);
        assert_non_null(strstr(spmv_last_error(), "memory"));
    }
    assert_int_equal(without, whose == GPU && options.many ? 1 : 0);
    if (state_of(whose) != before) fail_msg("%s: not all memory was given back", recipe);
    turned_free(&turned);
    example_free(&e);
}

#define ON_CPU(...) (spmv_options_t){.backend = SPMV_BACKEND_CPU, __VA_ARGS__}
#define ON_GPU(...) (spmv_options_t){.backend = SPMV_BACKEND_GPU, __VA_ARGS__}

TEST(plans)
{
    starve(HOST, "powerlaw:300,300,4000", ON_CPU());
    starve(HOST, "one_dense_row:30000", ON_CPU(.threads = 3));
    starve(HOST, "powerlaw:300,300,4000", ON_CPU(.copy = 1));
    starve(HOST, "powerlaw:300,300,4000", ON_CPU(.setup = SPMV_SETUP_NONE, .copy = 1));
    starve(HOST, "powerlaw:300,300,4000", ON_CPU(.tune = 1));
    starve(HOST, "powerlaw:300,300,4000", ON_CPU(.transpose = 1));
    starve(HOST, "powerlaw:300,300,4000", ON_CPU(.exclusive = 1, .reorder = 1));
    starve(HOST, "scrambled:band:300,4", ON_CPU(.exclusive = 1, .reorder = 1));
    if (!built(SPMV_BACKEND_GPU)) return;
    starve(HOST, "powerlaw:300,300,4000", ON_GPU(.setup = SPMV_SETUP_NONE, .transpose = 1));
    /* Without set-up: kernels of a plan would make the simulator allocate, too, at times that vary. */
}

TEST(plans_on_the_gpu)
{
    if (!built(SPMV_BACKEND_GPU)) skip();
    starve(GPU, "powerlaw:300,300,4000", ON_GPU());
    starve(GPU, "one_dense_row:3000", ON_GPU());
    starve(GPU, "band:1000,3", ON_GPU(.copy = 1));
    starve(GPU, "powerlaw:300,300,4000", ON_GPU(.setup = SPMV_SETUP_NONE));
    starve(GPU, "powerlaw:300,300,4000", ON_GPU(.exclusive = 1, .many = 1));
    starve(GPU, "powerlaw:300,300,4000", ON_GPU(.transpose = 1));
    starve(GPU, "powerlaw:300,300,4000", ON_GPU(.setup = SPMV_SETUP_NONE, .exclusive = 1));
    starve(GPU, "powerlaw:300,300,4000", ON_GPU(.exclusive = 1, .reorder = 1));
}

/* A plan that stores the pairs of a symmetric matrix once, and its update: both fail and free their memory. */
TEST(pairs_on_the_gpu)
{
    if (!built(SPMV_BACKEND_GPU)) skip();
    const spmv_options_t options = {.exclusive = 1, .values = 1};
    const size_t least = gpu_pairs_least;
    on_gpu_t c = gpu_from("near_and_far:300,300", SPMV_F64, 32);
    for (int r = 0; r < 300; ++r)
        for (int64_t k = c.e.A->row_offsets[r]; k < c.e.A->row_offsets[r + 1]; ++k)
            ((double *)c.e.host.values)[k] = 1.0 / (r + c.e.A->col_indices[k] + 3);
    values_to_gpu(&c);
    gpu_pairs_least = 0;
    size_t before = 0;
    bool done = false;
    for (long k = 0; !done; ++k) { /* the first time nothing fails */
        gpu_engine_t *engine;
        atomic_store(&countdown[GPU], k ? k : -1);
        spmv_status_t status = gpu_engine_create(&engine, &c.csr, &options, VARIANT_IN_ORDER, NULL);
        if (status == SPMV_OK) {
            assert_non_null(strstr(text_of_engine(engine), "pairs: "));
            status = gpu_engine_update(engine, c.device.values, NULL);
            done = atomic_load(&countdown[GPU]) > 0;
            gpu_engine_destroy(engine);
        }
        atomic_store(&countdown[GPU], -1);
        assert_int_equal(status, k == 0 || done ? SPMV_OK : SPMV_NO_MEMORY);
        if (k == 0) before = state_of(GPU);
        assert_int_equal(state_of(GPU), before);
        assert_true(k < 1000);
    }
    gpu_pairs_least = least;
    close_on_gpu(&c);
}

int main(void)
{
    reorder_least = -10000; /* the option `reorder` accepts any order */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
