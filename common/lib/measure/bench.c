/* bench.c - see bench.h */
#include "bench.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "hostmem.h"

static const double BATCH_SECONDS = 20e-6;              /* warm runs shorter than this are timed in batches */
enum { BATCH_MAX = 1 << 20, FLUSH_STRIDE = 64 / sizeof(uint64_t) }; /* one word per cache line */
enum { ASLEEP_US = 30000 };                             /* libgomp's idle threads spin for 10 to 20 ms */
static const double SETTLED_SECONDS = 2e-3;             /* after this time all threads run, with their data in cache */

bench_policy_t bench_policy(size_t reps)
{
    bench_policy_t p = {.warmup = 3, .min_samples = 10, .max_samples = 300, .target_pct = 0.3, .max_seconds = 1};
    if (reps > 0) {
        p.min_samples = p.max_samples = reps;
        p.max_seconds = INFINITY;
    }
    return p;
}

/* ---- statistics ------------------------------------------------------------------------------ */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns quantile q of n sorted values, with linear interpolation. */
static double quantile(const double *sorted, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t below = (size_t)at;
    if (below + 1 >= n) return sorted[n - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

bench_stats_t bench_summary(double *samples_us, size_t n)
{
    qsort(samples_us, n, sizeof *samples_us, ascending);
    double median = quantile(samples_us, n, 0.5);
    double iqr = quantile(samples_us, n, 0.75) - quantile(samples_us, n, 0.25);
    bench_stats_t s = {.samples = n, .median_us = median};
    if (iqr > 0) s.spread_pct = 100 * (iqr / 2) / median; /* a median of 0 gives infinity, never NaN */
    return s;
}

double bench_known_pct(const bench_stats_t *s)
{
    if (s->samples < 2) return INFINITY; /* one sample has no spread */
    return 1.57 * 2 * s->spread_pct / sqrt((double)s->samples);
}

bool bench_enough(const bench_policy_t *p, const double *samples_us, size_t n, double seconds)
{
    if (n == 0) return false;
    if (n >= p->max_samples) return true;
    if (n < p->min_samples) return false;
    if (seconds >= p->max_seconds) return true;

    double *copy = malloc(n * sizeof *copy);
    if (!copy) return false; /* the two limits above still end the sampling */
    memcpy(copy, samples_us, n * sizeof *copy);
    bench_stats_t s = bench_summary(copy, n);
    free(copy);
    return bench_known_pct(&s) <= p->target_pct;
}

/* ---- cold: all caches are filled with other lines -------------------------------------------- */

/* Returns the bytes of the level-3 cache that the kernel lists for this CPU, if the CPU is the first of those that
 * share it; else 0. */
static size_t level3_owned_by(long cpu)
{
    char path[96];
    unsigned long kib = 0;
    long first = -1;

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/cache/index3/size", cpu);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    if (fscanf(file, "%luK", &kib) != 1) kib = 0;
    fclose(file);

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/cache/index3/shared_cpu_list", cpu);
    file = fopen(path, "r");
    if (!file) return 0;
    if (fscanf(file, "%ld", &first) != 1) first = -1;
    fclose(file);
    return first == cpu ? (size_t)kib << 10 : 0;
}

/* Returns the size of all last-level caches together.  The C library does not know it on Arm, and counts only one of
 * several caches on some x86 CPUs, so this takes the larger of its answer and of the kernel's list. */
static size_t last_level_cache(void)
{
    long told = sysconf(_SC_LEVEL3_CACHE_SIZE);
    size_t listed = 0;
    for (long cpu = 0, cpus = sysconf(_SC_NPROCESSORS_CONF); cpu < cpus; ++cpu) listed += level3_owned_by(cpu);
    return told > 0 && (size_t)told > listed ? (size_t)told : listed;
}

/* Returns twice the last-level cache, but at most a quarter of the machine's memory, and at least 64 MiB. */
static size_t flush_bytes(void)
{
    const size_t least = (size_t)64 << 20;
    size_t want = 2 * last_level_cache(), quarter = hostmem_bytes() / 4;
    if (want > quarter) want = quarter;
    return want > least ? want : least;
}

static uint64_t *flush_words; /* allocated once and kept */
static size_t flush_count;
static volatile uint64_t flush_result; /* volatile: the compiler must compute it, so the loop must read every line */

static int flush_prepare(err_t *err)
{
    if (flush_words) return 0;
    size_t bytes = flush_bytes();
    flush_words = malloc(bytes);
    if (!flush_words)
        return err_set(err, "no memory for the %zu MiB that empty the cache before a cold run", bytes >> 20);
    flush_count = bytes / sizeof *flush_words;
    /* Write every page, so that reads do not all go to the kernel's single page of zeros. */
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < flush_count; ++i) flush_words[i] = i;
    return 0;
}

/* Reads one word of every line, which fills the caches with clean lines: they cause no write-backs later. */
static void flush_caches(void)
{
    uint64_t mix = 0;
#pragma omp parallel for schedule(static) reduction(^ : mix)
    for (size_t i = 0; i < flush_count; i += FLUSH_STRIDE) mix ^= flush_words[i] * UINT64_C(0x9E3779B97F4A7C15);
    flush_result = mix;
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Takes one sample: the mean time of `runs` runs. */
static int take_sample(bench_fn fn, void *context, size_t runs, double *us, err_t *err)
{
    double start = clock_now();
    for (size_t i = 0; i < runs; ++i)
        if (fn(context, err)) return -1;
    *us = 1e6 * (clock_now() - start) / (double)runs;
    return 0;
}

/* Chooses the runs per warm sample, so that a sample is long compared with the clock's resolution.  One long
 * sample may be due to a disturbance, so a second one must confirm it. */
static int choose_batch(bench_fn fn, void *context, size_t *runs, err_t *err)
{
    const double enough_us = 1e6 * BATCH_SECONDS;
    double us;
    for (*runs = 1; *runs < BATCH_MAX; *runs *= 2) {
        if (take_sample(fn, context, *runs, &us, err)) return -1;
        if (us * (double)*runs < enough_us) continue;
        if (take_sample(fn, context, *runs, &us, err)) return -1;
        if (us * (double)*runs >= enough_us) return 0;
    }
    return 0;
}

static int take_samples(bench_fn fn, void *context, bool cold, const bench_policy_t *p, double *samples, size_t *n,
                        err_t *err)
{
    size_t runs = 1;
    if (cold && flush_prepare(err)) return -1;
    /* OpenMP's threads, which flushed the caches, still spin and slow down other threads, so wait until they sleep. */
    if (!cold && flush_words) usleep(ASLEEP_US);
    double start = clock_now();
    for (size_t i = 0; i < p->warmup || (!cold && clock_now() - start < SETTLED_SECONDS); ++i)
        if (fn(context, err)) return -1;
    if (!cold && choose_batch(fn, context, &runs, err)) return -1;

    start = clock_now();
    *n = 0;
    do {
        if (cold) flush_caches();
        if (take_sample(fn, context, runs, &samples[*n], err)) return -1;
        ++*n;
    } while (!bench_enough(p, samples, *n, clock_now() - start));
    return 0;
}

int bench_cpu(bench_fn fn, void *context, bool cold, const bench_policy_t *p, bench_stats_t *out, err_t *err)
{
    size_t n, room = p->max_samples > 0 ? p->max_samples : 1;
    double *samples = room <= SIZE_MAX / sizeof *samples ? malloc(room * sizeof *samples) : NULL;
    if (!samples) return err_set(err, "no memory for %zu samples", room);
    int rc = take_samples(fn, context, cold, p, samples, &n, err);
    if (rc == 0) *out = bench_summary(samples, n);
    free(samples);
    return rc;
}
