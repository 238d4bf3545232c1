/*
 * bench.h - how times are measured: samples, their median, and when to stop.
 *
 * One policy serves the CPU rows (bench_cpu) and the GPU rows (device_time).
 */
#ifndef COURSE_BENCH_H
#define COURSE_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the code that is timed once.  0, or -1 and *err. */
typedef int (*bench_fn)(void *context, err_t *err);

typedef struct bench_policy {
    size_t warmup;         /* runs before the first sample; for warm times on the CPU they take at least 2 ms in all */
    size_t min_samples;    /* at least this many samples */
    size_t max_samples;    /* at most this many samples */
    double target_pct;     /* stop once the uncertainty of the median is below this (bench_known_pct) */
    double max_seconds;    /* stop after this time at the latest */
} bench_policy_t;

/* Returns the default policy: 3 warm-ups, 10..300 samples, 0.3 %, 1 s.  reps > 0 requires exactly reps samples. */
bench_policy_t bench_policy(size_t reps);

typedef struct bench_stats {
    size_t samples;
    double median_us;
    double spread_pct; /* half the inter-quartile range divided by the median, in percent */
} bench_stats_t;

/* Summarises n >= 1 samples in microseconds; sorts them in place. */
bench_stats_t bench_summary(double *samples_us, size_t n);

/* Returns the uncertainty of the median of these samples, in percent (notched-box-plot rule:
 * 1.57 * IQR / sqrt(n) / median; McGill, Tukey, Larsen 1978). */
double bench_known_pct(const bench_stats_t *s);

/* Returns whether the policy requires no more samples. */
bool bench_enough(const bench_policy_t *p, const double *samples_us, size_t n, double seconds);


/* Times fn on the CPU.  cold: the last-level cache is overwritten by other data before each
 * sample.  -1 if fn fails (with its *err), or if memory for overwriting the cache is short. */
int bench_cpu(bench_fn fn, void *context, bool cold, const bench_policy_t *p, bench_stats_t *out, err_t *err);

#ifdef __cplusplus
}
#endif
#endif
