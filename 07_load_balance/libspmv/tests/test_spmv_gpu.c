/* test_spmv_gpu.c - libspmv on device arrays: borrowed and copied, streams, and (on a GPU) threads and CUDA graphs.
 */
#include "library.h"
#include "order.h"

#include <pthread.h>

TEST(device_arrays)
{
    for (int type = SPMV_F32; type <= SPMV_F32_F64; ++type)
        for (int bits = 32; bits <= 64; bits += 32)
            for (int way = 0; way < 8; ++way) {
                on_gpu_t c = gpu_from("powerlaw:300,300,4000", (spmv_type_t)type, bits);
                const spmv_options_t options = {
                    .copy = way & 1, .check = way >> 1 & 1, .setup = (spmv_setup_t)(way >> 2)};
                spmv_plan_t *plan = plan_on_gpu(&c, options);
                assert_int_equal(spmv_backend_of(plan), SPMV_BACKEND_GPU);
                if (options.copy) {
                    assert_int_equal(cudaMemset(c.device.row_offsets, 0xff, (c.e.A->rows + 1) * (size_t)bits / 8), 0);
                    assert_int_equal(cudaMemset(c.device.col_indices, 0xff, c.e.A->nnz * 4), 0);
                }
                check_product(plan, &c.e, 1, 0, true);
                check_product(plan, &c.e, 2, -1, true);

                /* The same array has new values. */
                revalue_on_gpu(&c, 77);
                ok(spmv_update_values(plan, c.csr.values, NULL));
                check_product(plan, &c.e, 1, 0, true);
                spmv_destroy(plan);
                close_on_gpu(&c);
            }
}

/* Offsets and columns of device arrays are checked only with the option `check`. */
TEST(checked_arrays)
{
    on_gpu_t c = gpu_from("random:150,130,900", SPMV_F32, 32);
    const spmv_options_t options = {.check = 1};
    spmv_plan_t *plan;
    c.csr.nnz = 899;
    fails_with(spmv_create(&plan, &c.csr, &options, NULL), SPMV_BAD_MATRIX, "row_offsets[150] is 900");
    c.csr.nnz = 900;
    c.csr.cols = 100;
    fails_with(spmv_create(&plan, &c.csr, &options, NULL), SPMV_BAD_MATRIX, "there are 100 columns");
    ok(spmv_create(&plan, &c.csr, &(spmv_options_t){.setup = SPMV_SETUP_NONE}, NULL)); /* without `check` */
    spmv_destroy(plan);
    c.csr.cols = 130;
    ok(spmv_create(&plan, &c.csr, &options, NULL));
    spmv_destroy(plan);
    close_on_gpu(&c);
}

/* Runs one plan on several streams, each with its own y and alpha. */
TEST(streams)
{
    enum { STREAMS = 4, ROUNDS = 5 };
    on_gpu_t c = gpu_from("powerlaw:2000,2000,30000", SPMV_F32, 32);
    const size_t rows = c.e.A->rows;
    for (int setup = SPMV_SETUP_PLAN; setup <= SPMV_SETUP_LOOK; ++setup) {
        const spmv_options_t options = {.setup = (spmv_setup_t)setup};
        cudaStream_t stream[STREAMS];
        float *d_y[STREAMS], y[2000];
        spmv_plan_t *plan = plan_on_gpu(&c, options);
        for (int s = 0; s < STREAMS; ++s) {
            assert_int_equal(cudaStreamCreate(&stream[s]), 0);
            d_y[s] = to_gpu(NULL, rows * sizeof(float));
        }
        for (int i = 0; i < ROUNDS; ++i)
            for (int s = 0; s < STREAMS; ++s) ok(spmv_execute(plan, 1 + s, c.d_x, 0, d_y[s], stream[s]));
        for (int s = 0; s < STREAMS; ++s) {
            from_gpu(y, d_y[s], sizeof y);
            for (size_t r = 0; r < rows; ++r) assert_true((double)y[r] == (1 + s) * c.e.product[r]);
            device_free(d_y[s]);
            cudaStreamDestroy(stream[s]);
        }
        spmv_destroy(plan);
    }
    close_on_gpu(&c);
}

#ifndef __SIMT__ /* the simulator has one host thread and no graphs */

/* Captures two products once and replays them, with new x and new values in the same arrays. */
TEST(graphs)
{
    for (int way = 0; way < 5; ++way) { /* way 4 reorders the matrix */
        on_gpu_t c = gpu_from("powerlaw:2000,2000,30000", SPMV_F64, 32);
        const spmv_options_t options = {.setup = (spmv_setup_t)(way & 1), .exclusive = way >> 1 != 0,
                                        .reorder = way == 4};
        const size_t rows = c.e.A->rows;
        double *d_y = to_gpu(NULL, rows * sizeof *d_y), y[2000];
        cudaStream_t stream;
        cudaGraph_t graph;
        cudaGraphExec_t ready;
        reorder_least = -1000000;
        spmv_plan_t *plan = plan_on_gpu(&c, options);
        assert_int_equal(cudaStreamCreate(&stream), 0);
        assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), 0);
        ok(spmv_execute(plan, 1, c.d_x, 0, d_y, stream));
        ok(spmv_execute(plan, 2, c.d_x, 1, d_y, stream));
        assert_int_equal(cudaStreamEndCapture(stream, &graph), 0);
        assert_int_equal(cudaGraphInstantiateWithFlags(&ready, graph, 0), 0);
        for (int i = 0; i < 5; ++i) {
            if (i == 2) { /* x has new values */
                matgen_vector(c.e.x, c.e.A->cols, 99, 1);
                onto_gpu(c.d_x, c.e.x, c.e.A->cols * 8);
            }
            if (i == 3) { /* A has new values */
                revalue_on_gpu(&c, 98);
                ok(spmv_update_values(plan, c.csr.values, stream));
            }
            reference_spmv(c.e.A, c.e.x, c.e.product, c.e.abs_sum);
            assert_int_equal(cudaMemset(d_y, 0xff, rows * 8), 0);
            assert_int_equal(cudaDeviceSynchronize(), 0);
            assert_int_equal(cudaGraphLaunch(ready, stream), 0);
            assert_int_equal(cudaStreamSynchronize(stream), 0);
            assert_int_equal(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost), 0);
            for (size_t r = 0; r < rows; ++r)
                if (y[r] != 3 * c.e.product[r])
                    fail_msg("way %d, replay %d: y[%zu] is %g, not %g", way, i, r, y[r], 3 * c.e.product[r]);
        }
        cudaGraphExecDestroy(ready);
        cudaGraphDestroy(graph);
        cudaStreamDestroy(stream);
        spmv_destroy(plan);
        device_free(d_y);
        close_on_gpu(&c);
    }
}

typedef struct worker {
    on_gpu_t *c;
    const spmv_plan_t *plan;
    double alpha;
    int wrong;
} worker_t;

static void *work(void *arg)
{
    worker_t *w = arg;
    const size_t rows = w->c->e.A->rows;
    double *d_y = NULL, *y = malloc(rows * sizeof *y);
    cudaStream_t stream = NULL;
    if (cudaMalloc((void **)&d_y, rows * sizeof *y) || cudaStreamCreate(&stream)) ++w->wrong;
    for (int i = 0; i < 50 && !w->wrong; ++i) {
        if (spmv_execute(w->plan, w->alpha, w->c->d_x, 0, d_y, stream)) ++w->wrong;
        if (cudaMemcpyAsync(y, d_y, rows * sizeof *y, cudaMemcpyDeviceToHost, stream) || cudaStreamSynchronize(stream))
            ++w->wrong;
        for (size_t r = 0; r < rows; ++r) w->wrong += y[r] != w->alpha * w->c->e.product[r];
    }
    cudaStreamDestroy(stream);
    cudaFree(d_y);
    free(y);
    return NULL;
}

TEST(threads)
{
    enum { THREADS = 6 };
    on_gpu_t c = gpu_from("one_dense_row:20000", SPMV_F64, 32);
    pthread_t ids[THREADS];
    worker_t workers[THREADS];
    spmv_plan_t *plan;
    ok(spmv_create(&plan, &c.csr, NULL, NULL));
    for (int t = 0; t < THREADS; ++t) {
        workers[t] = (worker_t){&c, plan, 1 + t, 0};
        assert_int_equal(pthread_create(&ids[t], NULL, work, &workers[t]), 0);
    }
    for (int t = 0; t < THREADS; ++t) {
        assert_int_equal(pthread_join(ids[t], NULL), 0);
        assert_int_equal(workers[t].wrong, 0);
    }
    spmv_destroy(plan);
    close_on_gpu(&c);
}

/* After a thousand plans as much GPU memory is free as before. */
TEST(no_growth)
{
    on_gpu_t c = gpu_from("powerlaw:2000,2000,300000", SPMV_F64, 32);
    size_t before = 0, after = 0, total;
    for (int i = 0; i < 1010; ++i) {
        spmv_destroy(plan_on_gpu(&c, (spmv_options_t){.copy = i % 2, .exclusive = i / 2 % 2}));
        if (i == 9) assert_int_equal(cudaMemGetInfo(&before, &total), 0);
    }
    assert_int_equal(cudaMemGetInfo(&after, &total), 0);
    if (after + (8 << 20) < before) fail_msg("%zu bytes of GPU memory are gone", before - after);
    close_on_gpu(&c);
}

#endif

int main(void)
{
    open_gpu();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
