/* test_checks.c - every mutant is caught, its twin is not, and without its check it is not either. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "tests/unit.h"
#include "simt/tests/kernels.h"
#include "simt/simt.h"

static int n_mutants(void) { return N_MUTANTS + N_ORDER_MUTANTS + N_HOST_MUTANTS + N_HOST_SIDE_MUTANTS; }

static const struct mutant *mutant(int i)
{
    if (i < N_MUTANTS)
        return &MUTANTS[i];
    i -= N_MUTANTS;
    if (i < N_ORDER_MUTANTS)
        return &ORDER_MUTANTS[i];
    i -= N_ORDER_MUTANTS;
    return i < N_HOST_MUTANTS ? &HOST_MUTANTS[i] : &HOST_SIDE_MUTANTS[i - N_HOST_MUTANTS];
}

static void *kept[8]; /* as many as the largest case has */
static int n_kept;

void keep_for_case(void *buffer, const char *name)
{
    assert_true(n_kept < 8);
    if (name) simt_name_buffer(buffer, name);
    kept[n_kept++] = buffer;
}

void free_after_case(void)
{
    while (n_kept > 0) cudaFree(kept[--n_kept]);
}

float add_up_in_c(const float *numbers, int n)
{
    float sum = 0;
    for (int i = 0; i < n; ++i)
        sum += numbers[i];
    return sum;
}

/* What simt_fault() says after a run; "" if nothing. */
static const char *run(const struct mutant *m, int wrong, unsigned checks, uint64_t seed)
{
    const char *report;
    simt_fault_clear();
    simt_set_checks(checks);
    simt_set_step_limit(100000000);
    simt_set_seed(seed);
    m->run(wrong);
    free_after_case();
    report = simt_fault();
    return report ? report : "";
}

static void caught(void **state)
{
    const struct mutant *m = *state;
    for (int seed = 0; seed < orders(4); ++seed)
        for (int counting = 0; counting < 2; ++counting) {
            void *p;
            simt_set_counting(counting);
            simt_set_workers(seed == 0);    /* one runs blocks in their order: the report is the same one each time */
            const char *report = run(m, 1, SIMT_CHECK_EVERYTHING, (uint64_t)seed);
            simt_set_workers(0);
            for (int i = 0; i < 4 && m->says[i]; ++i)
                if (seed == 0 && !strstr(report, m->says[i]))
                    fail_msg("the report lacks \"%s\":\n%s", m->says[i], report);
            if (!*report)       /* with another order another thread may be the first */
                fail_msg("not caught with seed %d", seed);
            assert_int_equal(cudaPeekAtLastError(), m->error);
            if (m->error != cudaErrorInvalidConfiguration) {    /* sticky, until cleared */
                assert_int_equal(cudaDeviceSynchronize(), m->error);
                assert_int_equal(cudaMalloc(&p, 4), m->error);
                assert_int_equal(cudaGetLastError(), m->error);
            }
            simt_fault_clear();
            assert_int_equal(cudaGetLastError(), cudaSuccess);
            assert_null(simt_fault());
        }
}

static void twin_is_fine(void **state)
{
    const struct mutant *m = *state;
    for (int seed = 0; seed < orders(10); ++seed) {
        simt_set_counting(seed % 2 == 0);
        const char *report = run(m, 0, SIMT_CHECK_EVERYTHING, (uint64_t)seed);
        if (*report)
            fail_msg("false alarm with seed %d:\n%s", seed, report);
        assert_int_equal(cudaGetLastError(), cudaSuccess);
    }
}

/* Shows that it is this check that speaks.  Mutants that need no switch are left out. */
static void missed_without_its_check(void **state)
{
    const struct mutant *m = *state;
    if (!m->check)
        return;
    simt_set_checks(SIMT_CHECK_EVERYTHING);
    simt_set_counting(1);
    const char *report = run(m, 1, SIMT_CHECK_EVERYTHING & ~m->check, 0);
    if (strstr(report, m->says[0]))
        fail_msg("caught although its check is off:\n%s", report);
    simt_fault_clear();
}

/* Long before the step limit, because no thread is left that could write the flag. */
TEST(deadlock_is_noticed)
{
    simt_set_step_limit(200000000);
    wait_for_nobody();
    free_after_case();
    assert_non_null(simt_fault());
    if (!strstr(simt_fault(), "waits for a value that no thread will write"))
        fail_msg("%s", simt_fault());
    assert_int_equal(cudaGetLastError(), cudaErrorLaunchTimeout);
    simt_fault_clear();
}

/* The first thread runs to its limit; the others need not follow. */
TEST(endless_loop_ends_soon)
{
    int *out = NULL;
    const clock_t start = clock();
    simt_set_step_limit(10000000);
    simt_set_counting(0);
    cudaMalloc((void **)&out, 1024 * sizeof *out);
    count_for_ever(out, 1024);
    assert_non_null(simt_fault());
    assert_non_null(strstr(simt_fault(), "endless loop"));
    assert_true(clock() - start < 10 * CLOCKS_PER_SEC);
    simt_fault_clear();
    simt_set_counting(1);
    cudaFree(out);
}

/* The report that explains a sum in which a value was not added. */
TEST(unread_values_are_named)
{
    int *out = NULL;
    cudaMalloc((void **)&out, sizeof *out);
    simt_watch_unread(1);
    add_too_few(out, 128);
    assert_null(simt_unread());
    add_too_few(out, 192);
    assert_non_null(simt_unread());
    assert_memory_equal(simt_unread(), "partial[128] to partial[191], written at ", 41);
    assert_non_null(strstr(simt_unread(), "mutants.cu:"));
    simt_watch_unread(0);
    assert_null(simt_unread());
    assert_null(simt_fault());
    cudaFree(out);
}

/* All lanes of a warp store one value: allowed, and said once. */
TEST(one_value_is_remarked_upon)
{
    int *out = NULL;
    cudaMalloc((void **)&out, sizeof *out);
    simt_remark();
    store_one_value(out);
    const char *remark = simt_remark();
    assert_non_null(remark);
    assert_non_null(
        strstr(remark, "all lanes store the same value, so their order does not matter: race on global memory: "));
    assert_non_null(strstr(remark, "mutants.cu:"));
    store_one_value(out);
    assert_null(simt_remark());
    assert_null(simt_fault());
    cudaFree(out);
}

/* Bytes in use: what malloc has handed out, and all mappings that are not malloc's.  Resident memory would count the
 * heap's holes, whose number differs from run to run. */
static size_t in_use(void)
{
    size_t pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%zu", &pages), 1);
    fclose(f);
    const struct mallinfo2 m = mallinfo2();
    return m.uordblks + pages * (size_t)sysconf(_SC_PAGESIZE) - m.arena;
}

/* Faults and launches leave nothing behind. */
TEST(memory_stays_flat)
{
    size_t before = 0;
#ifdef __SANITIZE_ADDRESS__
    skip();         /* that one keeps freed memory itself */
#endif
    if (getenv("RUN_WITH"))
        skip();         /* what an emulator keeps is counted with ours */
    simt_set_workers(1);        /* each has pools of its own, and who gets a block is chance */
    for (int round = 0; round < 60; ++round) {
        for (int i = 0; i < n_mutants(); ++i)
            if (!strstr(mutant(i)->name, "endless")) {
                run(mutant(i), round % 2, SIMT_CHECK_EVERYTHING, 0);
                simt_counts_reset();
            }
        if (round == 20)
            before = in_use();
    }
    simt_fault_clear();
    simt_set_workers(0);
    if (in_use() > before + 65536)
        fail_msg("grew by %zu bytes", in_use() - before);
}

int test_checks(void)
{
    static struct CMUnitTest all[256];
    static char names[256][64];
    int n = 0;
    for (int i = 0; i < n_mutants(); ++i) {
        const struct mutant *m = mutant(i);
        void (*const parts[])(void **) = {caught, twin_is_fine, missed_without_its_check};
        const char *const what[] = {"caught", "twin is fine", "missed without its check"};
        for (int k = 0; k < 3; ++k) {
            if (k == 2 && !m->check)
                continue;
            snprintf(names[n], sizeof names[n], "%s: %s", m->name, what[k]);
            all[n] = (struct CMUnitTest){names[n], parts[k], NULL, NULL, (void *)(uintptr_t)m};
            ++n;
        }
    }
    for (int i = 0; tests[i].name; ++i) all[n++] = tests[i];
    return _cmocka_run_group_tests("checks", all, (size_t)n, NULL, NULL);
}
