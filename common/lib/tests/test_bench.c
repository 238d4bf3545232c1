/* test_bench.c - statistics on samples whose answer is known, and timing within what any machine can promise. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/unit.h"
#include "bench.h"
#include "clock.h"

/* Equal but for rounding; NaN never is. */
static bool near(double got, double expected)
{
    return isfinite(got) && fabs(got - expected) <= 1e-9 * fabs(expected) + 1e-12;
}

#define COUNT_OF(a) (sizeof(a) / sizeof(a)[0])

/* ---- statistics ------------------------------------------------------------------------------ */

TEST(test_summary_of_an_odd_number)
{
    double us[] = {50, 10, 40, 20, 30};
    bench_stats_t s = bench_summary(us, COUNT_OF(us));
    assert_int_equal(s.samples, 5);
    assert_true(near(s.median_us, 30));
    assert_true(near(s.spread_pct, 100.0 * 10 / 30)); /* quartiles 20 and 40 */
    for (size_t i = 1; i < COUNT_OF(us); ++i) assert_true(us[i - 1] <= us[i]);
}

TEST(test_summary_of_an_even_number)
{
    double us[] = {4, 1, 3, 2};
    bench_stats_t s = bench_summary(us, COUNT_OF(us));
    assert_int_equal(s.samples, 4);
    assert_true(near(s.median_us, 2.5));
    assert_true(near(s.spread_pct, 100 * 0.75 / 2.5)); /* quartiles 1.75 and 3.25 */
}

TEST(test_summary_of_few)
{
    double one[] = {7}, two[] = {3, 1};
    bench_stats_t s = bench_summary(one, 1);
    assert_int_equal(s.samples, 1);
    assert_true(near(s.median_us, 7));
    assert_true(s.spread_pct == 0);
    s = bench_summary(two, 2);
    assert_true(near(s.median_us, 2));
    assert_true(near(s.spread_pct, 25));
}

TEST(test_an_outlier_moves_nothing)
{
    double calm[] = {10, 10.1, 10.2, 10.3, 10.4, 10.5, 10.6}, wild[] = {10, 10.1, 10.2, 10.3, 10.4, 10.5, 1e6};
    bench_stats_t a = bench_summary(calm, COUNT_OF(calm)), b = bench_summary(wild, COUNT_OF(wild));
    assert_true(near(a.median_us, 10.3) && near(b.median_us, 10.3));
    assert_true(near(a.spread_pct, b.spread_pct));
}

TEST(test_statistics_are_never_nan)
{
    double zeros[] = {0, 0, 0}, mostly[] = {0, 0, 0, 0, 5, 5}, huge[] = {DBL_MAX, 1, DBL_MAX},
           tiny[] = {1e-300, 0, 1e-300};
    struct { double *us; size_t n; } all[] = {{zeros, 3}, {mostly, 6}, {huge, 3}, {tiny, 3}, {zeros, 1}};
    for (size_t i = 0; i < COUNT_OF(all); ++i) {
        bench_stats_t s = bench_summary(all[i].us, all[i].n);
        assert_false(isnan(s.median_us));
        assert_false(isnan(s.spread_pct));
        assert_false(isnan(bench_known_pct(&s)));
    }
    bench_stats_t none = {0};
    assert_false(isnan(bench_known_pct(&none)));
}

TEST(test_how_well_the_median_is_known)
{
    bench_stats_t s = {.samples = 100, .median_us = 50, .spread_pct = 2};
    assert_true(near(bench_known_pct(&s), 1.57 * 4 / 10)); /* the IQR is twice the spread */
    s.samples = 400;
    assert_true(near(bench_known_pct(&s), 1.57 * 4 / 20));
    s.samples = 1;
    assert_true(isinf(bench_known_pct(&s))); /* one sample knows nothing */
}

/* ---- when to stop ---------------------------------------------------------------------------- */

TEST(test_policy)
{
    bench_policy_t p = bench_policy(0);
    assert_int_equal(p.warmup, 3);
    assert_int_equal(p.min_samples, 10);
    assert_int_equal(p.max_samples, 300);
    assert_true(near(p.target_pct, 0.3) && near(p.max_seconds, 1));
    p = bench_policy(7);
    assert_int_equal(p.min_samples, 7);
    assert_int_equal(p.max_samples, 7);
}

TEST(test_enough)
{
    double still[400], noisy[400], keep[400];
    for (size_t i = 0; i < 400; ++i) {
        still[i] = 100;
        noisy[i] = i % 2 ? 50 : 150;
    }
    bench_policy_t p = bench_policy(0);
    assert_false(bench_enough(&p, still, 0, 10));  /* nothing is never enough */
    assert_false(bench_enough(&p, still, 9, 10));  /* fewer than the least, however late */
    assert_true(bench_enough(&p, still, 10, 0));   /* known */
    assert_false(bench_enough(&p, noisy, 10, 0));  /* not known yet */
    assert_true(bench_enough(&p, noisy, 10, 1));   /* no time left */
    assert_false(bench_enough(&p, noisy, 299, 0.9));
    assert_true(bench_enough(&p, noisy, 300, 0));  /* no more than that */

    memcpy(keep, noisy, sizeof keep);
    bench_enough(&p, noisy, 200, 0);
    assert_memory_equal(keep, noisy, sizeof keep); /* the order of the samples is not touched */

    p = bench_policy(50);
    assert_false(bench_enough(&p, still, 49, 1e9));
    assert_true(bench_enough(&p, noisy, 50, 0));
    p = bench_policy(1);
    assert_true(bench_enough(&p, still, 1, 0));
}

/* Stops at the sample where 1.57 * IQR / sqrt(n) / median first reaches the target. */
TEST(test_enough_follows_the_rule)
{
    double us[300];
    for (size_t i = 0; i < 300; ++i) us[i] = 100 + (i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : -1); /* IQR 2: spread 1 % */
    bench_policy_t p = bench_policy(0);
    for (size_t n = 10; n < 300; ++n) {
        double copy[300];
        memcpy(copy, us, sizeof copy);
        bench_stats_t s = bench_summary(copy, n);
        assert_int_equal(bench_enough(&p, us, n, 0), bench_known_pct(&s) <= 0.3);
    }
    assert_false(bench_enough(&p, us, 60, 0));
    assert_true(bench_enough(&p, us, 150, 0));
}

/* ---- timing ---------------------------------------------------------------------------------- */

struct work {
    size_t runs, fail_at;      /* fail_at: the run that fails, 0 = none */
    double began_first, began; /* when the first and the last run began */
    long sleep_ns;
    double *data;
    size_t n;
    volatile double sum;
};

static int run_work(void *context, err_t *err)
{
    struct work *w = context;
    w->began = clock_now();
    if (w->runs == 0) w->began_first = w->began;
    if (++w->runs == w->fail_at) return err_set(err, "run %zu went wrong", w->runs);
    if (w->sleep_ns > 0) nanosleep(&(struct timespec){.tv_nsec = w->sleep_ns}, NULL);
    double sum = 0;
    for (size_t i = 0; i < w->n; i += 8) sum += w->data[i];
    w->sum = sum;
    return 0;
}

TEST(test_the_clock_goes_on)
{
    double before = clock_now();
    for (int i = 0; i < 1000; ++i) {
        double now = clock_now();
        assert_true(now >= before);
        before = now;
    }
    assert_true(before > 0);
}

TEST(test_a_sleep_takes_its_time)
{
    for (int cold = 0; cold <= 1; ++cold) {
        struct work w = {.sleep_ns = 2000000};
        bench_policy_t p = bench_policy(3);
        bench_stats_t s;
        err_t err;
        assert_int_equal(bench_cpu(run_work, &w, cold, &p, &s, &err), 0);
        assert_int_equal(s.samples, 3);
        assert_true(s.median_us >= 2000); /* how much longer is up to the machine */
        assert_true(isfinite(s.median_us) && isfinite(s.spread_pct));
        assert_int_equal(w.runs, cold ? 3 + 3 : 3 + 2 + 3); /* warm: two more to see how long a run is */
    }
}

TEST(test_short_runs_are_timed_in_batches)
{
    struct work w = {0};
    bench_policy_t p = bench_policy(500);
    bench_stats_t s;
    err_t err;
    double sample_us = 0;
    for (int i = 0; i < 5 && sample_us < 10; ++i) { /* other work may hold up both runs that a batch is chosen by */
        w.runs = 0;
        assert_int_equal(bench_cpu(run_work, &w, false, &p, &s, &err), 0);
        assert_int_equal(s.samples, 500);
        assert_true(isfinite(s.median_us) && s.median_us > 0);
        sample_us = (double)w.runs / 500 * s.median_us;
    }
    assert_true(sample_us >= 10); /* of runs of some ns; the 2 ms of runs before the first are 4 us a sample */

    w.runs = 0;
    p = bench_policy(20);
    assert_int_equal(bench_cpu(run_work, &w, true, &p, &s, &err), 0);
    assert_int_equal(w.runs, 3 + 20); /* cold: the second run of a batch would be warm */
}

/* Threads wake up, and find their data, before the first warm sample. */
TEST(test_warm_samples_wait_until_threads_are_settled)
{
    struct work w = {.sleep_ns = 20000};
    bench_policy_t p = bench_policy(1);
    bench_stats_t s;
    err_t err;
    assert_int_equal(bench_cpu(run_work, &w, false, &p, &s, &err), 0);
    assert_true(w.began - w.began_first >= 2e-3); /* the runs that are asked for alone take a fifth of that */
}

TEST(test_a_policy_without_samples_takes_one)
{
    struct work w = {.sleep_ns = 1000};
    bench_policy_t p = {0};
    bench_stats_t s;
    err_t err;
    assert_int_equal(bench_cpu(run_work, &w, true, &p, &s, &err), 0);
    assert_int_equal(s.samples, 1);
    assert_int_equal(w.runs, 1);
}

TEST(test_a_run_that_fails_ends_it)
{
    for (int cold = 0; cold <= 1; ++cold) {
        for (size_t fail_at = 1; fail_at <= 6; ++fail_at) { /* warm-up, choice of the batch, samples */
            struct work w = {.fail_at = fail_at, .sleep_ns = 100000};
            bench_policy_t p = bench_policy(5);
            bench_stats_t s;
            err_t err = {{0}};
            char expected[32];
            snprintf(expected, sizeof expected, "run %zu went wrong", fail_at);
            assert_int_equal(bench_cpu(run_work, &w, cold, &p, &s, &err), -1);
            assert_string_equal(err.text, expected);
            assert_int_equal(w.runs, fail_at);
        }
    }
}

TEST(test_too_many_samples_to_keep)
{
    struct work w = {0};
    bench_policy_t p = bench_policy(SIZE_MAX / 2);
    bench_stats_t s;
    err_t err = {{0}};
    assert_int_equal(bench_cpu(run_work, &w, false, &p, &s, &err), -1);
    assert_non_null(strstr(err.text, "no memory for"));
}

/* Microseconds to read `bytes`, cold over warm. */
static double cold_over_warm(size_t bytes)
{
    struct work w = {.n = bytes / sizeof(double)};
    w.data = malloc(bytes);
    assert_non_null(w.data);
    for (size_t i = 0; i < w.n; ++i) w.data[i] = (double)(i % 7);
    bench_policy_t p = bench_policy(5);
    bench_stats_t cold, warm;
    err_t err;
    assert_int_equal(bench_cpu(run_work, &w, true, &p, &cold, &err), 0);
    assert_int_equal(bench_cpu(run_work, &w, false, &p, &warm, &err), 0);
    free(w.data);
    return cold.median_us / warm.median_us;
}

/* Other programs, emulators and odd caches may spoil a ratio, so that only nonsense fails; the ratios are
 * printed for the reader. */
TEST(test_cold_against_warm)
{
    double small = cold_over_warm(256 << 10), large = cold_over_warm(64 << 20);
    print_message("cold / warm: %.2f for 256 KiB, %.2f for 64 MiB\n", small, large);
    assert_true(isfinite(small) && small > 0.01);
    assert_true(isfinite(large) && large > 0.01 && large < 100);
}

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
