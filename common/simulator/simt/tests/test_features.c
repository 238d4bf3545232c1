/* test_features.c - what the kernel functions and the API calls give back. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit.h"
#include "simt/tests/kernels.h"
#include "simt/simt.h"

static void *device(const void *host, size_t bytes)
{
    void *d = NULL;
    assert_int_equal(cudaMalloc(&d, bytes), cudaSuccess);
    if (host)
        cudaMemcpy(d, host, bytes, cudaMemcpyHostToDevice);
    else
        cudaMemset(d, 0, bytes);
    return d;
}

static void fetch(void *host, void *d, size_t bytes)
{
    if (simt_fault())
        fail_msg("%s", simt_fault());
    assert_int_equal(cudaMemcpy(host, d, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    cudaFree(d);
}

TEST(warp_functions)
{
    static int out[24][32];
    for (int seed = 0; seed < orders(10); ++seed) {
        int *d = device(NULL, sizeof out);
        simt_set_seed((uint64_t)seed);
        run_warp(d);
        fetch(out, d, sizeof out);
        for (int l = 0; l < 32; ++l) {
            const int want[24] = {
                50, l / 8 * 8 + (l + 1) % 8, l < 3 ? l : l - 3, l % 16 < 13 ? l + 3 : l, l ^ 7,
                /* xor 8 in segments of 8: down into the segment before, not up into the next */
                l / 8 % 2 ? l - 8 : l,
                l < 31 ? 2 * l + 3 : 63, l ? l - 1 : 0, l ^ 1, 0x49249249, 2, 2, (int)(15u << l / 4 * 4),
                -1, 0, 496, -7, 93, 64, 255, 0, l < 16 ? 32 : -16, 16, 2
            };
            for (int k = 0; k < 24; ++k)
                if (out[k][l] != want[k])
                    fail_msg("call %d, lane %d: got %d, expected %d", k, l, out[k][l], want[k]);
        }
    }
    simt_set_seed(0);
}

TEST(tiles)
{
    static int out[9][64];
    int *d = device(NULL, sizeof out);
    run_tiles(d);
    fetch(out, d, sizeof out);
    for (int i = 0; i < 64; ++i) {
        int t = i / 8 * 8;
        const int want[9] = {i % 8 + 100 * (i / 8),
                             t + 2,
                             i % 8 < 4 ? i + 4 : i,
                             i ^ 1,
                             7,
                             (t == 16) + 2 * (t < 24),
                             8 * t + 28,
                             31,
                             i & ~1};
        for (int k = 0; k < 9; ++k)
            if (out[k][i] != want[k])
                fail_msg("call %d, thread %d: got %d, expected %d", k, i, out[k][i], want[k]);
    }
}

TEST(atomics)
{
    int i[7] = {0, 0, 0, 0, 0, 255, 0};
    unsigned u[4] = {0, 0, 0, 0};
    unsigned long long l[2] = {0, 0};
    float f[2] = {0, 0};
    double d[1] = {0};
    void *di = device(i, sizeof i), *du = device(u, sizeof u), *dl = device(l, sizeof l), *df = device(f, sizeof f),
         *dd = device(d, sizeof d);
    simt_set_checks(SIMT_CHECK_EVERYTHING & ~SIMT_CHECK_RACES);     /* u[3] is read plainly, on purpose */
    assert_int_equal(run_atomics(di, du, dl, df, dd), 1280);
    simt_set_checks(SIMT_CHECK_EVERYTHING);
    fetch(i, di, sizeof i);
    fetch(u, du, sizeof u);
    fetch(l, dl, sizeof l);
    fetch(f, df, sizeof f);
    fetch(d, dd, sizeof d);
    const int want[7] = {512 * 511 / 2, -512, -511, 511, 255, 0, 0};
    assert_memory_equal(i, want, sizeof want);
    assert_int_equal(u[0], 512 % 10);
    assert_int_equal(u[1], 8);          /* 0 9 8 ... 0 9 8: 512 steps down in tens */
    assert_true(u[2] == 0x80000000u + 511);
    assert_int_equal(u[3], 512);
    assert_true(l[0] == 512ull << 33 && l[1] == 511ull << 40);
    assert_true(f[0] == 256.0f && f[1] == 7.0f && d[0] == 128.0);
}

TEST(shared_memory)
{
    int out[64], *d = device(NULL, sizeof out);
    run_shared_once(d);
    fetch(out, d, sizeof out);
    for (int i = 0; i < 64; ++i)
        assert_int_equal(out[i], 63 - i + 1 + 5 + 3 + 6);
}

TEST(large_shared_memory_needs_opting_in)
{
    int *d = device(NULL, 64 * sizeof(int));
    assert_int_equal(run_large_shared(d, 100 << 10, 0), cudaErrorInvalidConfiguration);
    assert_int_equal(cudaGetLastError(), cudaSuccess);      /* not sticky */
    assert_non_null(simt_fault());
    simt_fault_clear();
    assert_int_equal(run_large_shared(d, 100 << 10, 1), cudaSuccess);
    assert_null(simt_fault());
    cudaFree(d);
}

TEST(vectors_and_halves)
{
    const float4 in[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    float out[4];
    double2 dd;
    char4 c;
    void *d_in = device(in, sizeof in), *d_out = device(NULL, 16), *d_d = device(NULL, 16), *d_c = device(NULL, 4);
    run_vectors(d_out, d_in, d_d, d_c);
    fetch(out, d_out, 16);
    fetch(&dd, d_d, 16);
    fetch(&c, d_c, 4);
    cudaFree(d_in);
    assert_true(out[0] == 9 && out[1] == 2 && out[3] == 4 && dd.x == 2 && dd.y == 3 && c.x == 1 && c.w == 4);

    __half h = __float2half(1.5f), h_out;
    __nv_bfloat16 b = __float2bfloat16(-0.25f);
    void *d_h = device(&h, 2), *d_b = device(&b, 2), *d_ho = device(NULL, 2);
    d_out = device(NULL, 8);
    run_halves(d_out, d_h, d_b, d_ho);
    fetch(out, d_out, 8);
    fetch(&h_out, d_ho, 2);
    cudaFree(d_h);
    cudaFree(d_b);
    assert_true(out[0] == 1.25f && out[1] == 1.25f && __half2float(h_out) == 1.25f);
}

/* Every half, there and back; and the roundings that go wrong most easily. */
TEST(conversions)
{
    for (unsigned u = 0; u < 65536; ++u) {
        __half h = __ushort_as_half((unsigned short)u);
        float f = __half2float(h);
        if (isnan(f))
            assert_true(isnan(__half2float(__float2half(f))));
        else
            assert_int_equal(__half_as_ushort(__float2half(f)), u);
        __nv_bfloat16 b = __ushort_as_bfloat16((unsigned short)u);
        f = __bfloat162float(b);
        if (!isnan(f))
            assert_int_equal(__bfloat16_as_ushort(__float2bfloat16(f)), u);
    }
    assert_true(__half2float(__float2half(65519.0f)) == 65504.0f);
    assert_true(isinf(__half2float(__float2half(65520.0f))));
    assert_true(__half2float(__float2half(0x1p-25f)) == 0.0f);              /* tie, to even */
    assert_true(__half2float(__float2half(0x1.8p-25f)) == 0x1p-24f);
    assert_true(__half2float(__float2half(1.0f + 0x1p-11f)) == 1.0f);       /* tie, to even */
    assert_true(__half2float(__float2half(1.0f + 0x1.8p-10f)) == 1.0f + 0x1p-9f);
    assert_true(__bfloat162float(__float2bfloat16(1.0f + 0x1p-8f)) == 1.0f);
    assert_true(__bfloat162float(__float2bfloat16(1.0f + 0x1.8p-7f)) == 1.0f + 0x1p-6f);
}

TEST(integers)
{
    const int want[11] = {8, 31, 4, 1, 64, 63 + 41, 3 + 4 + 1 + 2, 9, 0x3f800000, (int)0xdef01234u, 0x77445500};
    int out[11];
    int *d = device(NULL, sizeof out);
    run_integers(d);
    fetch(out, d, sizeof out);
    assert_memory_equal(out, want, sizeof want);
}

TEST(three_dimensions)
{
    int out[12 * 24], *d = device(NULL, sizeof out);
    run_indices(d);
    fetch(out, d, sizeof out);
    for (int b = 0; b < 12; ++b)
        for (int t = 0; t < 24; ++t)
            assert_int_equal(out[24 * b + t], 1000 * b + t);
}

TEST(host_api)
{
    struct cudaDeviceProp p;
    int n = 0;
    size_t free_bytes, total, after;
    assert_int_equal(cudaGetDeviceCount(&n), cudaSuccess);
    assert_int_equal(n, 1);
    assert_int_equal(cudaGetDeviceProperties(&p, 0), cudaSuccess);
    assert_string_equal(p.name, "simt");
    assert_int_equal(p.warpSize, 32);
    simt_set_sm_count(132);
    cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0);
    assert_int_equal(n, 132);
    simt_set_sm_count(8);

    void *d = NULL, *host = NULL;
    cudaMemGetInfo(&free_bytes, &total);
    assert_int_equal(cudaMalloc(&d, 1 << 20), cudaSuccess);
    assert_int_equal((uintptr_t)d % 256, 0);
    cudaMemGetInfo(&after, &total);
    assert_int_equal(free_bytes - after, 1 << 20);
    assert_int_equal(cudaMemset((char *)d + 1, 0, 1 << 20), cudaErrorInvalidValue);    /* one past the end */
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(d, d, (1 << 20) + 1, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
    int word = 0;           /* the wrong way round */
    static int variable;
    assert_int_equal(cudaMemcpy(d, &word, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(d, &variable, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(&word, d, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(d, d, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(&word, d, 4, cudaMemcpyDefault), cudaSuccess);
    assert_int_equal(cudaMemcpy(&word, d, 4, (enum cudaMemcpyKind)5), cudaErrorInvalidMemcpyDirection);
    assert_int_equal(cudaFree((char *)d + 4), cudaErrorInvalidValue);
    cudaGetLastError();
    assert_int_equal(cudaFree(d), cudaSuccess);
    assert_int_equal(cudaFree(d), cudaErrorInvalidValue);
    cudaGetLastError();
    assert_int_equal(cudaFree(NULL), cudaSuccess);
    assert_int_equal(cudaMalloc(&d, total + 1), cudaErrorMemoryAllocation);
    assert_null(d);
    cudaGetLastError();
    assert_int_equal(cudaMallocHost(&host, 100), cudaSuccess);
    assert_int_equal(cudaFreeHost(host), cudaSuccess);
    assert_string_equal(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
    assert_string_equal(cudaGetErrorString(cudaSuccess), "no error");
}

TEST(events_have_no_time)
{
    cudaEvent_t a, b;
    cudaStream_t s;
    float ms = -1;
    cudaStreamCreate(&s);
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    cudaEventRecord(a, s);
    cudaEventRecord(b, s);
    assert_int_equal(cudaEventSynchronize(b), cudaSuccess);
    assert_int_equal(cudaEventElapsedTime(&ms, a, b), cudaErrorNotSupported);
    assert_true(ms == 0.0f);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    cudaEventDestroy(a);
    cudaEventDestroy(b);
    assert_int_equal(cudaStreamDestroy(s), cudaSuccess);
}

/* Buffers of all sizes come and go; the address space of the GPU is gone through twice. */
TEST(many_allocations)
{
    void *kept[64] = {0};
    for (int i = 0; i < 3000; ++i) {
        int k = i % 64;
        size_t bytes = (size_t)1 << (i * 7 % 28);
        assert_int_equal(cudaFree(kept[k]), cudaSuccess);
        assert_int_equal(cudaMalloc(&kept[k], bytes), cudaSuccess);
        assert_int_equal(cudaMemset(kept[k], i, bytes < 64 ? bytes : 64), cudaSuccess);
    }
    for (int k = 0; k < 64; ++k)
        for (int j = 0; j < k; ++j)
            assert_ptr_not_equal(kept[k], kept[j]);
    for (int k = 0; k < 64; ++k)
        assert_int_equal(cudaFree(kept[k]), cudaSuccess);
}

int test_features(void) { return cmocka_run_group_tests_name("features", tests, NULL, NULL); }
