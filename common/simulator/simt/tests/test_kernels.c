/* test_kernels.c - real kernels: right results, no false alarms, in any order of blocks, warps and lanes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit.h"
#include "simt/tests/kernels.h"
#include "simt/simt.h"

enum { SEEDS = 10 };

static void no_fault(const char *what, int seed)
{
    if (simt_fault())
        fail_msg("%s, seed %d:\n%s", what, seed, simt_fault());
    assert_int_equal(cudaGetLastError(), cudaSuccess);
}

static void *on_device(const void *host, size_t bytes)
{
    void *d = NULL;
    assert_int_equal(cudaMalloc(&d, bytes + 4), cudaSuccess);
    if (host)
        assert_int_equal(cudaMemcpy(d, host, bytes, cudaMemcpyHostToDevice), cudaSuccess);
    keep_for_case(d, NULL);
    return d;
}

TEST(reductions)
{
    const int sizes[] = {0, 1, 31, 32, 33, 255, 256, 257, 1000, 20011};
    static float in[20011];
    float *d_in, *d_out = on_device(NULL, 4);
    for (int i = 0; i < 20011; ++i)
        in[i] = (float)(i * 7 % 13 - 3);
    d_in = on_device(in, sizeof in);
    for (int step = 1; step <= N_REDUCE_STEPS; ++step)
        for (int k = 0; k < 10; ++k) {
            double want = 0;
            for (int i = 0; i < sizes[k]; ++i)
                want += in[i];
            for (int seed = 0; seed < orders(SEEDS); ++seed) {
                float got = NAN;
                simt_set_seed((uint64_t)seed);
                cudaMemset(d_out, 0xff, 4);
                assert_int_equal(reduce_step(step, d_in, d_out, sizes[k]), cudaSuccess);
                cudaMemcpy(&got, d_out, 4, cudaMemcpyDeviceToHost);
                no_fault("reduce", seed);
                assert_true((double)got == want);
            }
        }
    simt_set_seed(0);
    free_after_case();
}

enum { ROWS = 1000, COLS = 900, MOST = 40 };
static int offsets[ROWS + 1], columns[ROWS * MOST];
static float values[ROWS * MOST], x[COLS], y[ROWS];

TEST(sparse)
{
    int nnz = 0, *d_counter = on_device(NULL, 4);
    for (int r = 0; r < ROWS; ++r) {
        int length = r % 7 == 0 ? 0 : (int)(r * 2654435761u >> 27);
        for (int k = 0; k < length; ++k, ++nnz) {
            columns[nnz] = (int)((r * 131u + k * 2246822519u) % COLS);
            values[nnz] = (float)(nnz % 9 - 4);
        }
        offsets[r + 1] = nnz;
    }
    for (int i = 0; i < COLS; ++i)
        x[i] = (float)(i % 11 - 5);
    int *d_offsets = on_device(offsets, sizeof offsets), *d_columns = on_device(columns, sizeof columns);
    float *d_values = on_device(values, sizeof values), *d_x = on_device(x, sizeof x), *d_y = on_device(NULL, sizeof y);
    for (int variant = 0; variant < 7; ++variant)
        for (int seed = 0; seed < orders(SEEDS); ++seed) {
            simt_set_seed((uint64_t)seed);
            cudaMemset(d_y, 0xff, sizeof y);
            if (variant == 0)
                csr_scalar(d_offsets, d_columns, d_values, d_x, d_y, ROWS);
            else if (variant < 6)
                csr_vector(1 << variant, d_offsets, d_columns, d_values, d_x, d_y, ROWS);
            else
                csr_persistent(d_offsets, d_columns, d_values, d_x, d_y, ROWS, d_counter);
            cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
            no_fault("csr", seed);
            for (int r = 0; r < ROWS; ++r) {
                double want = 0;
                for (int k = offsets[r]; k < offsets[r + 1]; ++k)
                    want += (double)values[k] * x[columns[k]];
                assert_true((double)y[r] == want);
            }
        }
    simt_set_seed(0);
    free_after_case();
}

TEST(look_back)
{
    enum { N = 12000 };
    static int in[N], out[N];
    for (int i = 0; i < N; ++i)
        in[i] = i % 5 - 1;
    int *d_in = on_device(in, sizeof in), *d_out = on_device(NULL, sizeof out), *d_flags = on_device(NULL, 4000),
        *d_sums = on_device(NULL, 4000), *d_counter = on_device(NULL, 4);
    for (int by_counter = 0; by_counter < 2; ++by_counter)
        for (int seed = 0; seed < orders(SEEDS); ++seed)
            for (int workers = 1; workers <= 2; ++workers) {
                simt_set_seed((uint64_t)seed);
                simt_set_workers(workers);
                scan_look_back(d_in, d_out, N, d_flags, d_sums, by_counter ? d_counter : NULL);
                cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
                no_fault("look back", seed);
                int sum = 0;
                for (int i = 0; i < N; ++i)
                    assert_int_equal(out[i], sum += in[i]);
            }
    simt_set_seed(0);
    simt_set_workers(0);
    free_after_case();
}

TEST(persistent_grid)
{
    enum { BLOCKS = 64, ROUNDS = 5 };
    int out[BLOCKS];
    int *d_data = on_device(NULL, 2 * sizeof out), *d_counter = on_device(NULL, 4);
    for (int seed = 0; seed < orders(SEEDS); ++seed)
        for (int workers = 1; workers <= 2; ++workers) {
            simt_set_seed((uint64_t)seed);
            simt_set_workers(workers);
            grid_barrier(d_data, d_counter, BLOCKS, ROUNDS);
            cudaMemcpy(out, d_data + ROUNDS % 2 * BLOCKS, sizeof out, cudaMemcpyDeviceToHost);
            no_fault("grid barrier", seed);
            for (int b = 0; b < BLOCKS; ++b)
                assert_int_equal(out[b], ROUNDS);
        }
    simt_set_seed(0);
    simt_set_workers(0);
    free_after_case();
}

TEST(long_protocols)
{
    int out[32], *d_out = on_device(NULL, sizeof out), *d_flags = on_device(NULL, 400), *pinned = NULL;
    simt_set_counting(0);
    many_meetings(d_out, 40000);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    no_fault("many meetings", 0);
    for (int i = 0; i < 32; ++i)
        assert_int_equal(out[i], 1);
    simt_set_workers(1);
    simt_set_sm_count(8);
    cudaMemset(d_flags, 0, 400);
    many_flags(d_flags, d_out, 100);
    cudaMemcpy(out, d_out, sizeof *out, cudaMemcpyDeviceToHost);
    no_fault("many flags", 0);
    assert_int_equal(out[0], 100);
    simt_set_workers(0);
    simt_set_counting(1);
    assert_int_equal(cudaMallocHost((void **)&pinned, sizeof *pinned), cudaSuccess);
    *pinned = 0;
    count_threads(pinned, 64);          /* a GPU counts in the host's memory, too */
    no_fault("pinned memory", 0);
    assert_int_equal(*pinned, 64);
    cudaFreeHost(pinned);
    free_after_case();
}

/* Counts of the ladder that the lessons rest on: 65536 floats, 256 blocks. */
TEST(ladder_counts)
{
    enum { N = 65536, WARPS = N / 32, BLOCKS = N / 256 };
    static float in[N];
    float *d_in = on_device(in, sizeof in), *d_out = on_device(NULL, 4);
    simt_counts_t c[16];
    for (int step = 1; step <= N_REDUCE_STEPS; ++step) {
        simt_counts_reset();
        reduce_step(step, d_in, d_out, N);
        simt_counts_get(&c[step]);
        no_fault("ladder", 0);
    }
    /* Sequential: no conflicts.  Strided: the s[k] of round d are 2d apart, so it has them. */
    assert_int_equal(c[3].sh_ld_wavefronts, c[3].sh_ld_requests);
    assert_int_equal(c[3].sh_st_wavefronts, c[3].sh_st_requests);
    assert_true(c[2].sh_ld_wavefronts > 2 * c[2].sh_ld_requests);
    /* Modulo keeps all warps at work for five rounds, then every other, ... */
    assert_true(c[1].sh_ld_requests > 3 * c[3].sh_ld_requests);
    /* The first launch and the second, of one block. */
    assert_int_equal(c[3].ld_requests, WARPS + 8);
    assert_int_equal(c[3].ld_sectors, 4 * (WARPS + 8));
    assert_int_equal(c[3].st_requests, BLOCKS + 1);
    /* 8 warps in rounds of 128, 64 (loads: both operands), then one warp. */
    assert_int_equal(c[3].sh_st_requests, (BLOCKS + 1) * (8 + 4 + 2 + 6));
    assert_int_equal(c[3].sh_ld_requests, (BLOCKS + 1) * (2 * (4 + 2 + 6) + 1));
    simt_counts_reset();
    free_after_case();
}

int test_kernels(void) { return cmocka_run_group_tests_name("kernels", tests, NULL, NULL); }
