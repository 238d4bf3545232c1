/*
 * test_spmv_launch.c - spmv_execute, and an update of device arrays, must only launch kernels: they may not allocate,
 * copy or wait.  An update of host arrays waits for its kernels.  Linked with --wrap, so that the CUDA calls are
 * counted.
 */
#include "library.h"
#include "order.h"
#ifndef COURSE_CUDA
#include "simt.h"
#endif

static int calls; /* number of CUDA calls since it was last set to 0 */
static int launches, waited_for; /* kernels so far, and the number of them when the host last waited */

#define WRAP(name, parameters, arguments)        \
    cudaError_t __real_##name parameters;        \
    cudaError_t __wrap_##name parameters;        \
    cudaError_t __wrap_##name parameters         \
    {                                            \
        ++calls;                                 \
        return __real_##name arguments;          \
    }
WRAP(cudaMalloc, (void **d, size_t size), (d, size))
WRAP(cudaFree, (void *d), (d))
WRAP(cudaMemcpy, (void *to, const void *from, size_t size, enum cudaMemcpyKind kind), (to, from, size, kind))
WRAP(cudaMemcpyAsync, (void *to, const void *from, size_t size, enum cudaMemcpyKind kind, cudaStream_t stream),
     (to, from, size, kind, stream))
WRAP(cudaMemset, (void *d, int value, size_t size), (d, value, size))
WRAP(cudaMemsetAsync, (void *d, int value, size_t size, cudaStream_t stream), (d, value, size, stream))
WRAP(cudaDeviceSynchronize, (void), ())
/* Query functions are forbidden, too: each costs part of the microsecond that a call may cost the host. */
WRAP(cudaGetDevice, (int *device), (device))
WRAP(cudaDeviceGetAttribute, (int *value, enum cudaDeviceAttr attribute, int device), (value, attribute, device))
WRAP(cudaFuncSetAttribute, (const void *kernel, enum cudaFuncAttribute attribute, int value),
     (kernel, attribute, value))
WRAP(cudaStreamQuery, (cudaStream_t stream), (stream))
WRAP(cudaStreamIsCapturing, (cudaStream_t stream, enum cudaStreamCaptureStatus *status), (stream, status))
WRAP(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))

cudaError_t __real_cudaStreamSynchronize(cudaStream_t stream);
cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream);
cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream)
{
    ++calls;
    waited_for = launches;
    return __real_cudaStreamSynchronize(stream);
}

/* The library calls cudaPeekAtLastError once per launch, so this counts launches. */
cudaError_t __real_cudaPeekAtLastError(void);
cudaError_t __wrap_cudaPeekAtLastError(void);
cudaError_t __wrap_cudaPeekAtLastError(void)
{
    ++launches;
    return __real_cudaPeekAtLastError();
}

static const char *const RECIPES[] = {"powerlaw:300,300,4000", "powerlaw:2000,2000,30000", "poisson2d:64,64",
                                      "one_dense_row:9000", "even:9000,9000,7"};

TEST(only_launches)
{
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; ++i)
        for (int way = 0; way < 4; ++way) {
            on_gpu_t c = gpu_from(RECIPES[i], SPMV_F32, 32);
            const spmv_options_t options = {.setup = (spmv_setup_t)(way & 1), .exclusive = way >> 1};
            const size_t rows = c.e.A->rows;
            float *d_y = to_gpu(NULL, rows * sizeof *d_y), *y = malloc(rows * sizeof *y);

            calls = 0;
            spmv_plan_t *plan = plan_on_gpu(&c, options);
            assert_true(calls > 0); /* creating a plan makes such calls, so they are counted */
            calls = 0;
            ok(spmv_execute(plan, 1, c.d_x, 0, d_y, NULL));
            ok(spmv_update_values(plan, c.csr.values, NULL));
            ok(spmv_execute(plan, 2, c.d_x, 0, d_y, NULL));
            ok(spmv_execute(plan, 0, NULL, 0.5, d_y, NULL));
            if (calls) fail_msg("%s, way %d: %d calls that allocate, copy or wait", RECIPES[i], way, calls);
            from_gpu(y, d_y, rows * sizeof *y);
            for (size_t r = 0; r < rows; ++r) assert_true((double)y[r] == c.e.product[r]);
            spmv_destroy(plan);
            device_free(d_y), free(y);
            close_on_gpu(&c);
        }
}

#ifndef COURSE_CUDA
static int started;
static void count_start(const simt_launch_t *launch) { (void)launch, ++started; }
#endif

/* The host's part of a product must be one launch and one query of its status, and no other call, for every plan. */
TEST(one_launch)
{
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; ++i)
        for (int way = 0; way < 8; ++way) {
            on_gpu_t c = gpu_from(RECIPES[i], way & 4 ? SPMV_F64 : SPMV_F32, 32);
            const spmv_options_t options = {.setup = (spmv_setup_t)(way & 1), .exclusive = way >> 1 & 1,
                                            .values = way & 1};
            err_t err;
            void *d_y = to_gpu(NULL, c.e.A->rows * c.e.vector_bytes);
            spmv_plan_t *plan = plan_on_gpu(&c, options);
            for (int again = 0; again < 2; ++again) {
                calls = launches = 0;
#ifndef COURSE_CUDA
                started = 0;
                simt_set_listener(count_start);
#endif
                ok(spmv_execute(plan, 1, c.d_x, 0, d_y, NULL));
                if (device_sync(&err)) fail_msg("%s", err.text);
                if (calls > 1 || launches != 1) /* the one call is this test's wait */
                    fail_msg("%s, way %d: %d calls, %d launches asked after", RECIPES[i], way, calls - 1, launches);
#ifndef COURSE_CUDA
                simt_set_listener(NULL);
                if (started != 1) fail_msg("%s, way %d: %d kernels", RECIPES[i], way, started);
#endif
            }
            spmv_destroy(plan);
            device_free(d_y);
            close_on_gpu(&c);
        }
}

/* Products with several right-hand sides, and updates of a converted matrix's values, make no other CUDA call. */
TEST(many_only_launches)
{
    enum { K = 5 };
    for (int exclusive = 0; exclusive < 2; ++exclusive) {
        on_gpu_t c = gpu_from("powerlaw:300,300,4000", SPMV_F32, 32);
        const spmv_options_t options = {.exclusive = exclusive, .many = 1, .transpose = 1};
        err_t err;
        float *d_X = to_gpu(NULL, 300 * K * sizeof *d_X), *d_Y = to_gpu(NULL, 300 * K * sizeof *d_Y);
        assert_int_equal(cudaMemset(d_X, 0, 300 * K * sizeof *d_X), 0);
        spmv_plan_t *plan = plan_on_gpu(&c, options);
        calls = 0;
        ok(spmv_execute_many(plan, K, SPMV_ROW_MAJOR, 1, d_X, K, 0, d_Y, K, NULL));
        ok(spmv_update_values(plan, c.csr.values, NULL));
        ok(spmv_execute_many(plan, K, SPMV_COL_MAJOR, 0, NULL, 300, 3, d_Y, 300, NULL));
        if (calls) fail_msg("exclusive %d: %d calls that allocate, copy or wait", exclusive, calls);
        if (device_sync(&err)) fail_msg("%s", err.text);
        spmv_destroy(plan);
        device_free(d_X), device_free(d_Y);
        close_on_gpu(&c);
    }
}

/* A product of a reordered plan launches three kernels, and none if alpha is 0.  It makes no other CUDA call. */
TEST(reordered_only_launches)
{
    const int64_t least = reorder_least;
    on_gpu_t c = gpu_from("scrambled:poisson2d:40,40", SPMV_F32, 32);
    const spmv_options_t options = {.exclusive = 1, .reorder = 1};
    const size_t rows = c.e.A->rows;
    float *d_y = to_gpu(NULL, rows * sizeof *d_y), *y = malloc(rows * sizeof *y);
    reorder_least = -10000; /* force the reordering */
    spmv_plan_t *plan = plan_on_gpu(&c, options);
    reorder_least = least;
    calls = launches = 0;
    ok(spmv_execute(plan, 1, c.d_x, 0, d_y, NULL));
    assert_int_equal(launches, 3);
    ok(spmv_update_values(plan, c.csr.values, NULL));
    ok(spmv_execute(plan, 2, c.d_x, 0, d_y, NULL));
    ok(spmv_execute(plan, 0, NULL, 0.5, d_y, NULL));
    if (calls) fail_msg("%d calls that allocate, copy or wait", calls);
    from_gpu(y, d_y, rows * sizeof *y);
    for (size_t r = 0; r < rows; ++r) assert_true((double)y[r] == c.e.product[r]);
    spmv_destroy(plan);
    device_free(d_y), free(y);
    close_on_gpu(&c);
}

/* New values from the host must be in the plan when the call returns, so that any stream may use them. */
TEST(host_update_waits)
{
    example_t e = example_from("powerlaw:2000,2000,30000", SPMV_F32, 32, true);
    spmv_plan_t *plan = plan_of(&e, (spmv_options_t){.backend = SPMV_BACKEND_GPU});
    launches = waited_for = 0;
    ok(spmv_update_values(plan, e.csr.values, NULL));
    assert_true(launches > 0); /* the plan has its own values to write */
    assert_int_equal(waited_for, launches);
    spmv_destroy(plan);
    example_free(&e);
}

int main(void)
{
    open_gpu();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
