/* test_counts.c - the counts of kernels that can be worked out by hand. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/unit.h"
#include "simt/tests/kernels.h"
#include "simt/simt.h"

enum { N = 4096, WARPS = N / 32 };

static float *d_in, *d_out;
static int *d_index;
static simt_counts_t c;

static void get(void)
{
    if (simt_fault())
        fail_msg("%s", simt_fault());
    simt_counts_get(&c);
    simt_counts_reset();
}

FIXTURE(setup)
{
    cudaMalloc((void **)&d_in, 64 * N * sizeof(float));
    cudaMemset(d_in, 0, 64 * N * sizeof(float));
    cudaMalloc((void **)&d_out, 8 * N * sizeof(float));
    cudaMemset(d_out, 0, 8 * N * sizeof(float));
    cudaMalloc((void **)&d_index, 2 * N * sizeof(int));
    simt_name_buffer(d_in, "d_in");
    return 0;
}

FIXTURE(teardown)
{
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_index);
    return 0;
}

TEST(coalesced)
{
    copy_strided(d_in, d_out, N, 1, 0);
    get();
    assert_int_equal(c.launches, 1);
    assert_int_equal(c.threads, N);
    assert_int_equal(c.ld_requests, WARPS);
    assert_int_equal(c.ld_sectors, 4 * WARPS);
    assert_int_equal(c.st_requests, WARPS);
    assert_int_equal(c.st_sectors, 4 * WARPS);
    assert_int_equal(c.ld_useful_bytes, 4 * N);
    assert_int_equal(c.sh_ld_requests + c.sh_st_requests + c.atomic_requests, 0);
    assert_true(c.active_lanes == 32.0);
    assert_int_equal(c.warps, WARPS);
    assert_int_equal(c.warp_work_max, 2);
    assert_true(c.warp_work_mean == 2.0);
    assert_int_equal(c.blocks, N / 256);
    assert_int_equal(c.block_work_max, 16);
}

TEST(strided)
{
    const int stride[] = {2, 8, 32}, sectors[] = {8, 32, 32};
    for (int i = 0; i < 3; ++i) {
        copy_strided(d_in, d_out, N, stride[i], 0);
        get();
        assert_int_equal(c.ld_requests, WARPS);
        assert_int_equal(c.ld_sectors, sectors[i] * WARPS);
        assert_int_equal(c.ld_useful_bytes, 4 * N);
    }
}

TEST(misaligned_by_one)
{
    copy_strided(d_in, d_out, N, 1, 1);
    get();
    assert_int_equal(c.ld_sectors, 5 * WARPS);
    copy_strided(d_in, d_out, N, 1, 8);      /* by a whole sector: no harm */
    get();
    assert_int_equal(c.ld_sectors, 4 * WARPS);
}

TEST(element_sizes)
{
    copy_float4((const float4 *)d_in, (float4 *)d_out, N);
    get();
    assert_int_equal(c.ld_requests, WARPS);
    assert_int_equal(c.ld_sectors, 16 * WARPS);
    assert_int_equal(c.st_sectors, 16 * WARPS);
    copy_double((const double *)d_in, (double *)d_out, N);
    get();
    assert_int_equal(c.ld_requests, WARPS);
    assert_int_equal(c.ld_sectors, 8 * WARPS);
    copy_bytes((const unsigned char *)d_in, (unsigned char *)d_out, N);
    get();
    assert_int_equal(c.ld_requests, WARPS);
    assert_int_equal(c.ld_sectors, WARPS);
    /* Three loads, each touching all 12 sectors of the warp's 384 bytes. */
    copy_struct(d_in, d_out, N);
    get();
    assert_int_equal(c.ld_requests, 3 * WARPS);
    assert_int_equal(c.ld_sectors, 3 * 12 * WARPS);
    assert_int_equal(c.st_requests, 3 * WARPS);
}

TEST(same_address)
{
    broadcast(d_in, d_out, N);
    get();
    assert_int_equal(c.ld_requests, WARPS);
    assert_int_equal(c.ld_sectors, WARPS);
    assert_int_equal(c.ld_useful_bytes, 4 * WARPS);
}

TEST(partial_warp)
{
    copy_strided(d_in, d_out, 32 + 9, 1, 0);     /* a full warp and nine lanes */
    get();
    assert_int_equal(c.ld_requests, 2);
    assert_int_equal(c.ld_sectors, 4 + 2);
    assert_true(c.active_lanes == 20.5);
}

TEST(random_gather)
{
    static int index[N];
    long sectors = 0;
    for (int i = 0; i < N; ++i)
        index[i] = (int)((i * 2654435761u) % (16 * N));
    for (int w = 0; w < WARPS; ++w)
        for (int i = 0; i < 32; ++i) {
            int seen = 0;
            for (int k = 0; k < i; ++k)
                seen |= index[32 * w + k] / 8 == index[32 * w + i] / 8;
            sectors += !seen;
        }
    cudaMemcpy(d_index, index, sizeof index, cudaMemcpyHostToDevice);
    gather(d_in, d_index, d_out, N);
    get();
    assert_int_equal(c.ld_requests, 2 * WARPS);
    assert_int_equal(c.ld_sectors, sectors + 4 * WARPS);
}

TEST(both_sides_of_a_branch)
{
    branches(d_in, d_in, d_out, N);
    get();
    assert_int_equal(c.ld_requests, 2 * WARPS);      /* one per side, half the lanes each */
    assert_int_equal(c.ld_sectors, 8 * WARPS);
    assert_int_equal(c.st_requests, WARPS);          /* together again */
    assert_true(c.active_lanes == 64.0 / 3);
}

/* Sum over warps and grid-stride rounds of the longest loop among the lanes. */
static long longest(const int *length, int n, int stride)
{
    long sum = 0;
    for (int from = 0; from < n; from += stride)
        for (int w = 0; w < stride; w += 32) {
            int most = 0;
            for (int i = from + w; i < from + w + 32 && i < n; ++i)
                most = length[i] > most ? length[i] : most;
            sum += most;
        }
    return sum;
}

TEST(loops_of_different_length)
{
    static int length[N];
    for (int i = 0; i < N; ++i)
        length[i] = (int)(i * 2654435761u >> 28);
    cudaMemcpy(d_index, length, sizeof length, cudaMemcpyHostToDevice);
    for (int stride = N; stride >= 64; stride /= 4) {
        uneven_loops(d_index, d_in, d_out, N, stride);
        get();
        /* Lanes of a warp agree on the outer round: its store is one request, the
           length is read once by all. */
        long steps = longest(length, N, stride);
        assert_int_equal(c.st_requests, WARPS);
        assert_int_equal(c.ld_requests, steps + WARPS);
    }
}

TEST(rows_without_a_store_between)
{
    static int offsets[N + 1];
    int length[512], rows = 512;
    for (int i = 0; i < rows; ++i) {
        length[i] = (int)(i * 2654435761u >> 29);
        offsets[i + 1] = offsets[i] + length[i];
    }
    cudaMemcpy(d_index, offsets, sizeof offsets, cudaMemcpyHostToDevice);
    uneven_rows(d_index, d_in, d_out, rows);
    get();
    assert_int_equal(c.ld_requests, longest(length, rows, 32) + 2 * rows / 32);
    assert_int_equal(c.st_requests, 1);
}

TEST(branch_in_an_uneven_loop)
{
    int length[32], most = 0, taken = 0;
    for (int i = 0; i < 32; ++i) {
        length[i] = i * 7 % 20 + 1;
        most = length[i] > most ? length[i] : most;
    }
    for (int k = 0; k < most; ++k) {
        int any = 0;
        for (int i = 0; i < 32; ++i)
            any |= k < length[i] && (k + i) % 2;
        taken += any;
    }
    cudaMemcpy(d_index, length, sizeof length, cudaMemcpyHostToDevice);
    loop_with_if(d_index, d_in, d_out, N);
    get();
    /* length: once; in[k]: each step; in[n + k]: where some lane wants it. */
    assert_int_equal(c.ld_requests, 1 + most + taken);
}

/* Two warps; each step some lane reads in[k]; the branch is taken by half the long lanes each step,
   all of them long from step 20 on. */
TEST(traces_that_do_not_fit)
{
    const int most = 100000;
    long resident[2], all;
    for (int i = 0; i < 2; ++i) {
        long_loops(d_in, d_out, i ? most : 100);
        get();
        assert_int_equal(c.ld_requests, 2 * 2 * (i ? most : 100));
        assert_int_equal(c.st_requests, 2);
        assert_int_equal(c.sh_st_requests, 2);
        FILE *f = fopen("/proc/self/statm", "r");
        assert_int_equal(fscanf(f, "%ld %ld", &all, &resident[i]), 2);
        fclose(f);
    }
    assert_true(resident[1] - resident[0] < (32 << 20) / 4096);
}

TEST(bank_conflicts)
{
    for (int stride = 1; stride <= 32; stride *= 2) {
        shared_strided(d_out, N, stride);
        get();
        if (stride * 256 * 4 > 48 << 10)
            break;
        assert_int_equal(c.sh_st_requests, WARPS * stride);
        assert_int_equal(c.sh_st_wavefronts, WARPS * stride);
        assert_int_equal(c.sh_ld_requests, WARPS);
        assert_int_equal(c.sh_ld_wavefronts, WARPS * stride);
    }
    shared_strided(d_out, N, 33);       /* odd: no conflicts */
    get();
    assert_int_equal(c.sh_ld_wavefronts, WARPS);
}

TEST(wide_shared_accesses)
{
    for (int bytes = 8; bytes <= 16; bytes *= 2) {
        shared_wide(d_out, N, bytes);
        get();
        assert_int_equal(c.sh_ld_requests, WARPS);
        assert_int_equal(c.sh_st_requests, WARPS);
        assert_int_equal(c.sh_ld_wavefronts, WARPS * bytes / 4);
        assert_int_equal(c.sh_st_wavefronts, WARPS * bytes / 4);
    }
}

/* As many requests as nvcc's code has; and of 16 bytes that all lanes want two wavefronts, as ncu counts them. */
TEST(neighbours_at_once)
{
    const join_case_t *want;
    for (int i = 0; (want = joins(i, d_out)); ++i) {
        get();
        if (c.sh_ld_requests != want->loads || c.sh_st_requests != 32 + want->stores)
            fail_msg("%s: %u loads, not %u, %u stores, not %u", want->name, (unsigned)c.sh_ld_requests, want->loads,
                     (unsigned)c.sh_st_requests - 32, want->stores);
        if (!strcmp(want->name, "the same for all lanes"))
            assert_int_equal(c.sh_ld_wavefronts, 8);
    }
}

TEST(atomics_apart)
{
    cudaMemset(d_index, 0, N * sizeof(int));
    atomic_add(d_index, N, 32);
    get();
    assert_int_equal(c.atomic_requests, WARPS);
    assert_int_equal(c.atomic_sectors, 4 * WARPS);
    assert_int_equal(c.atomic_lanes, N);
    assert_int_equal(c.ld_requests + c.st_requests, 0);
}

/* Rounds with 1, 2, 4 ... 256 threads at work: 6 rounds of one warp, then 2, 4, 8 warps. */
TEST(more_lanes_each_round)
{
    const int requests = 6 + 2 + 4 + 8;
    growing(d_out, 256);
    get();
    assert_int_equal(c.sh_ld_requests, requests + 8);
    assert_int_equal(c.sh_st_requests, requests + 8);
}

TEST(order_does_not_matter)
{
    simt_counts_t first;
    for (uint64_t seed = 0; seed < 10; ++seed)
        for (int workers = 1; workers <= 2; ++workers) {
            simt_set_seed(seed);
            simt_set_workers(workers);
            growing(d_out, N);
            branches(d_in, d_in, d_out, N);
            shared_strided(d_out, N, 3);
            get();
            if (seed == 0 && workers == 1)
                first = c;
            assert_memory_equal(&c, &first, sizeof c);
        }
    simt_set_seed(0);
    simt_set_workers(0);
}

TEST(counting_off)
{
    simt_set_counting(0);
    copy_strided(d_in, d_out, N, 1, 0);
    simt_set_counting(1);
    get();
    assert_int_equal(c.launches, 1);
    assert_int_equal(c.ld_requests + c.st_requests + c.warps, 0);
}

/* What a writing function prints; kept until the next call. */
static const char *printed(int (*write)(FILE *), int *result)
{
    static char text[1 << 18];
    FILE *f = fmemopen(text, sizeof text, "w");
    assert_non_null(f);
    *result = write(f);
    fclose(f);
    return text;
}

TEST(explain_names_the_line)
{
    int lines;
    copy_strided(d_in, d_out, N, 8, 0);
    const char *text = printed(simt_explain, &lines);
    assert_int_equal(lines, 2);
    /* The strided load first: it is the worse of the two. */
    const char *load = strstr(text, "32.00 sect"), *store = strstr(text, "4.00 sect");
    assert_non_null(load);
    assert_non_null(strstr(text, "traffic.cu:12"));
    assert_non_null(strstr(text, "out[i] = in[i * stride + offset];"));
    assert_true(store && load < store);
    get();
}

static int lines_of_v7(FILE *f) { return simt_lines(f, "v7\tn=1\tfp32"); }

/* The same as rows of a record: in the order of the source, behind what the caller says. */
TEST(lines_are_rows)
{
    int lines;
    copy_strided(d_in, d_out, N, 8, 0);
    const char *text = printed(lines_of_v7, &lines);
    char load[160], store[160];
    const int requests = N / 32;
    snprintf(load, sizeof load, "\tload\t%d\t32\t4\t32\tout[i] = in[i * stride + offset];\n", requests);
    snprintf(store, sizeof store, "\tstore\t%d\t4\t4\t32\tout[i] = in[i * stride + offset];\n", requests);
    assert_int_equal(lines, 2);
    assert_true(strncmp(text, "v7\tn=1\tfp32\t", 12) == 0);
    assert_non_null(strstr(text, "traffic.cu\t12\t"));
    if (!strstr(text, load) || !strstr(text, store)) fail_msg("not the rows expected:\n%s", text);
    get();
}

TEST(trace_rows)
{
    int rows;
    simt_set_trace(2);
    copy_strided(d_in, d_out, N, 2, 0);
    simt_set_trace(0);
    const char *text = printed(simt_trace, &rows);
    assert_int_equal(rows, 2 * 32);
    assert_int_equal(strncmp(text, "kernel\tfile\tline", 16), 0);
    assert_non_null(strstr(text, "simt/tests/traffic.cu\t12\t"));
    assert_non_null(strstr(text, "\td_in\t62\t-\t"));      /* lane 31 reads d_in[62] */
    get();
    text = printed(simt_trace, &rows);
    assert_int_equal(rows, 0);
}

static int occurrences(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text += strlen(what)) ++n;
    return n;
}

/* A film has every request of the counts, and what touches no memory beside; the counts are as without one. */
TEST(films)
{
    int events;
    reduce_step(4, d_in, d_out, N);
    get();
    const simt_counts_t before = c;
    simt_set_film(20000);
    reduce_step(4, d_in, d_out, N);
    simt_set_film(0);
    const char *text = printed(simt_film, &events);
    const int requests = occurrences(text, "\tload\t") + occurrences(text, "\tstore\t") +
                         occurrences(text, "\tatomic\t") + occurrences(text, "\tshared ");
    assert_int_equal(occurrences(text, "\nevent\t"), events);
    assert_int_equal(requests + occurrences(text, "\tbarrier\t") + occurrences(text, "\t__shfl_"), events);
    assert_true(occurrences(text, "\tbarrier\t") > 0);
    assert_true(occurrences(text, "\t__shfl_down_sync\t1\t-1\tffffffff\t16,17,") > 0); /* lane 0 reads 16, 1 reads 17 */
    assert_null(strstr(text, "\ncut\n"));
    get();
    assert_memory_equal(&before, &c, sizeof c);
    assert_int_equal(requests, c.ld_requests + c.st_requests + c.atomic_requests + c.sh_ld_requests + c.sh_st_requests +
                                   c.sh_atomic_requests);
}

TEST(films_that_are_cut)
{
    int events;
    simt_set_film(10);
    copy_strided(d_in, d_out, N, 1, 0);
    simt_set_film(0);
    const char *text = printed(simt_film, &events);
    assert_int_equal(events, 10);
    assert_int_equal(occurrences(text, "\nevent\t"), 10);
    assert_non_null(strstr(text, "\ncut\n"));
    get();
}

/* Of a race both accesses are in the film, with their threads. */
TEST(films_of_faults)
{
    int events;
    simt_set_report_stream(NULL);
    simt_set_film(100);
    for (int i = 0; i < N_MUTANTS; ++i)
        if (strcmp(MUTANTS[i].name, "race_read_write") == 0) MUTANTS[i].run(1);
    free_after_case();
    simt_set_film(0);
    simt_set_report_stream(stderr);
    assert_non_null(simt_fault());
    const char *text = printed(simt_film, &events);
    assert_int_equal(occurrences(text, "\tfault\t"), 1);
    const char *fault = strstr(text, "\nfault\t");
    assert_non_null(fault);
    assert_non_null(strstr(fault, "mutants.cu\t"));
    simt_fault_clear();
    simt_counts_reset();
}

extern volatile uint64_t simt_sums[]; /* counts.cpp; launches are first */

static void write_to_the_sums(void) { simt_sums[0] = 1000; }

/* Code without hooks, in the host's part of the program and in a kernel. */
TEST(sums_are_closed)
{
    if (getenv("RUN_WITH")) skip(); /* an emulator does not survive a child's fault */
    get();
    for (int in_kernel = 0; in_kernel < 2; ++in_kernel) {
        fflush(NULL);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            simt_set_workers(1); /* the others are the parent's */
            signal(SIGSEGV, SIG_DFL);
            if (in_kernel) call_in_kernel(write_to_the_sums);
            else write_to_the_sums();
            simt_counts_get(&c);
            _exit(c.launches >= 1000 ? 1 : simt_fault() ? 0 : 2);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFEXITED(status) ? WEXITSTATUS(status) != 0 : WTERMSIG(status) != SIGSEGV)
            fail_msg("%s: exit %d, signal %d", in_kernel ? "kernel" : "host", WEXITSTATUS(status), WTERMSIG(status));
    }
}

int test_counts(void) { return cmocka_run_group_tests_name("counts", tests, setup, teardown); }
