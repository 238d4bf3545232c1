/* limiter.c - see limiter.h */
#include "limiter.h"

#include <math.h>
#include <stdio.h>

static const struct {
    const char *what, *page;
} WORDS[] = {
    [LIMIT_LAUNCH] = {"launches", "01_reduce.md"},
    [LIMIT_WAITING] = {"waiting", "05_spmv_vector.md"},
    [LIMIT_ISSUE] = {"issuing instructions", "01_reduce.md"},
    [LIMIT_L1] = {"L1 and shared memory", "01_reduce.md"},
    [LIMIT_PORT] = {"the way from L2 to its SMs", "03_gemv.md"},
    [LIMIT_L2] = {"L2 sectors", "05_spmv_vector.md"},
    [LIMIT_DRAM] = {"DRAM", "02_memcpy_vectorized.md"},
    [LIMIT_ATOMIC] = {"atomics on one address", "06_spmv_lightspmv.md"},
};

const char *limiter_page(limiter_t limiter)
{
    return limiter < LIMIT_NONE ? WORDS[limiter].page : NULL;
}

/* Returns the share of the longest launch's replayed time in which this unit was busy. */
static double share(const prediction_t *p, limiter_t l)
{
    return p->most.busy[l - LIMIT_ISSUE] / p->most.cycles;
}

limiter_t limiter_of(const prediction_t *p, limiter_t *second)
{
    limiter_t best = LIMIT_ISSUE;
    *second = LIMIT_NONE;
    if (!isfinite(p->us)) return LIMIT_NONE;
    const bool few = p->launch_us > 0.6 * p->us;
    if (few && p->launches + p->memsets > 1) return LIMIT_LAUNCH;
    for (limiter_t l = LIMIT_ISSUE; l < LIMIT_NONE; ++l)
        if (share(p, l) > share(p, best)) best = l;
    if (p->latency_us > 0.8 * p->replay_us && share(p, best) < 0.6) return few ? LIMIT_LAUNCH : LIMIT_WAITING;
    for (limiter_t l = LIMIT_ISSUE; l < LIMIT_NONE; ++l)
        if (l != best && share(p, l) > 0.85 * share(p, best) &&
            (*second == LIMIT_NONE || share(p, l) > share(p, *second)))
            *second = l;
    return best;
}

enum { MANY_BARRIERS = 4 };

static void waiting_words(const prediction_t *p, const gpu_t *gpu, char *text, size_t size)
{
    const replay_t *r = &p->most;
    const bool small = r->warps_per_sm < 0.5 * gpu->warps_per_sm;
    char barriers[32] = "";
    if (r->barriers_max >= MANY_BARRIERS) snprintf(barriers, sizeof barriers, " and %u barriers", r->barriers_max);
    const char *slowest = r->rounds_max > 2 * r->rounds_mean + 1 ? " in the slowest warp" : "";
    snprintf(text, size, "waiting: %u round%s of loads%s one after another%s, %.0f warps per SM%s", r->rounds_max,
             r->rounds_max == 1 ? "" : "s", barriers, slowest, r->warps_per_sm, small ? " (grid too small)" : "");
}

void limiter_words(const prediction_t *p, const gpu_t *gpu, char *text, size_t size)
{
    limiter_t second;
    const limiter_t first = limiter_of(p, &second);
    const unsigned nodes = p->launches + p->memsets;
    if (first == LIMIT_NONE) snprintf(text, size, "%s", p->why);
    else if (first == LIMIT_LAUNCH) snprintf(text, size, "launch-bound: %u launch%s", nodes, nodes == 1 ? "" : "es");
    else if (first == LIMIT_WAITING) waiting_words(p, gpu, text, size);
    else if (share(p, first) < 0.5)
        snprintf(text, size, "no single limit: %s %.0f %% of the time", WORDS[first].what, 100 * share(p, first));
    else if (second == LIMIT_NONE)
        snprintf(text, size, "bound by %s (%.0f %%)", WORDS[first].what, 100 * share(p, first));
    else
        snprintf(text, size, "%s (%.0f %%) and %s (%.0f %%) about equal", WORDS[first].what, 100 * share(p, first),
                 WORDS[second].what, 100 * share(p, second));
}
