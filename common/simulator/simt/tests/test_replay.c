/* test_replay.c - the ways of warps that a replay gets. */
#include <string.h>
#include "tests/unit.h"
#include "simt/tests/kernels.h"
#include "simt/simt.h"

enum { N = 1024, WARPS = N / 32, ENOUGH = 1 << 20 };

static float *d_in, *d_out;
static int *d_index;

FIXTURE(setup)
{
    cudaMalloc((void **)&d_in, N * sizeof(float));
    cudaMalloc((void **)&d_out, N * sizeof(float));
    cudaMalloc((void **)&d_index, N * sizeof(int));
    cudaMemset(d_in, 0, N * sizeof(float));
    simt_set_replay(ENOUGH);
    return 0;
}

FIXTURE(teardown)
{
    simt_set_replay(0);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_index);
    return 0;
}

static const simt_way_t *only_launch(void)
{
    size_t n;
    const simt_way_t *ways = simt_ways(&n);
    assert_non_null(ways);
    assert_int_equal(n, 1);
    return ways;
}

TEST_IN(a_copy, setup, teardown)
{
    copy_strided(d_in, d_out, N, 1, 0);
    const simt_way_t *way = only_launch();
    assert_int_equal(way->blocks, N / 256);
    assert_int_equal(way->warps, 8);
    assert_non_null(strstr(way->kernel, "strided_kernel"));
    assert_non_null(strstr(way->symbol, "strided_kernel"));
    for (int w = 0; w < WARPS; ++w) {
        const simt_warp_way_t *warp = &way->warp[w];
        assert_int_equal(warp->n_steps, 2);
        assert_int_equal(warp->steps[0].kind, SIMT_LOAD);
        assert_int_equal(warp->steps[1].kind, SIMT_STORE);
        assert_int_equal(warp->steps[0].units, 4);
        assert_int_equal(warp->steps[0].after, 0);
        for (int i = 0; i < 4; ++i) assert_int_equal(warp->sectors[i], way->warp[0].sectors[0] + 4 * w + i);
        assert_int_equal(way->sites[warp->steps[0].site].line, way->sites[warp->steps[1].site].line);
        assert_non_null(strstr(way->sites[warp->steps[0].site].file, "traffic.cu"));
    }
}

/* in[index[i]] comes from the load before; where the index is loaded and not used, nothing does. */
TEST_IN(dependent_loads, setup, teardown)
{
    int index[N];
    for (int i = 0; i < N; ++i) index[i] = (i * 37 + 11) % N;
    cudaMemcpy(d_index, index, sizeof index, cudaMemcpyHostToDevice);
    gather(d_in, d_index, d_out, N);
    const simt_way_t *way = only_launch();
    for (int w = 0; w < WARPS; ++w) {
        assert_int_equal(way->warp[w].n_steps, 3);
        assert_int_equal(way->warp[w].steps[0].after, 0);
        assert_int_equal(way->warp[w].steps[1].after, 1);
    }
}

TEST_IN(independent_loads, setup, teardown)
{
    branches(d_in, d_in, d_out, N);
    const simt_way_t *way = only_launch();
    for (int w = 0; w < WARPS; ++w)
        for (size_t i = 0; i < way->warp[w].n_steps; ++i) assert_int_equal(way->warp[w].steps[i].after, 0);
}

TEST_IN(marks, setup, teardown)
{
    int kinds[SIMT_WARP_OP + 1] = {0};
    reduce_step(3, d_in, d_out, N);
    size_t n;
    const simt_way_t *ways = simt_ways(&n);
    for (size_t l = 0; l < n; ++l)
        for (uint64_t w = 0; w < ways[l].blocks * ways[l].warps; ++w)
            for (size_t i = 0; i < ways[l].warp[w].n_steps; ++i) ++kinds[ways[l].warp[w].steps[i].kind];
    assert_true(kinds[SIMT_BARRIER] > 0);
    assert_int_equal(kinds[SIMT_BARRIER] % 8, 0); /* each by all warps of a block */
    assert_true(kinds[SIMT_SHARED_LOAD] > 0);
    assert_true(ways[0].shared_bytes >= 1024);
}

TEST_IN(nodes_and_limits, setup, teardown)
{
    size_t n;
    copy_strided(d_in, d_out, N, 1, 0);
    cudaMemsetAsync(d_out, 0, 64, 0);
    copy_strided(d_in, d_out, N, 1, 0);
    const simt_way_t *ways = simt_ways(&n);
    assert_int_equal(n, 3);
    assert_null(ways[1].kernel);
    assert_int_equal(ways[1].memset_bytes, 64);
    simt_set_replay(100); /* too little for a launch */
    copy_strided(d_in, d_out, N, 1, 0);
    assert_null(simt_ways(&n));
    simt_set_replay(0);
    copy_strided(d_in, d_out, N, 1, 0);
    assert_non_null(simt_ways(&n));
    assert_int_equal(n, 0);
    simt_set_replay(ENOUGH);
    simt_set_counting(0); /* what is only checked is not kept */
    copy_strided(d_in, d_out, N, 1, 0);
    simt_set_counting(1);
    simt_ways(&n);
    assert_int_equal(n, 0);
}

TEST_IN(gpu_asked, setup, teardown)
{
    int value;
    simt_gpu_asked();
    cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0);
    assert_false(simt_gpu_asked());
    cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0);
    assert_true(simt_gpu_asked());
    assert_false(simt_gpu_asked());
}

int test_replay(void) { return cmocka_run_group_tests_name("replay", tests, NULL, NULL); }
