/* predict.c - see predict.h */
#include "predict.h"

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "tickets.h"

/* Returns whether the kernel of launch i has already run in this run. */
static bool ran_before(const simt_way_t *ways, size_t i)
{
    for (size_t k = 0; k < i; ++k)
        if (ways[k].kernel && strcmp(ways[k].symbol, ways[i].symbol) == 0) return true;
    return false;
}

/* Adds the time of a launch, and keeps the replay of the longest launch for the limiter. */
static int add_launch(prediction_t *p, const gpu_t *gpu, const kernel_table_t *table, const simt_way_t *way,
                      bool again, err_t *err)
{
    kernel_facts_t facts;
    replay_t queued, alone;
    if (kernels_facts(table, way, &facts, err)) return -1;
    /* Code and arguments are fetched from memory, or from L2 if the kernel has just run. */
    const double trips = 1 + facts.length / gpu->fetch_length;
    const double start = trips * (again ? gpu->l2_cycles : gpu->dram_cycles);
    if (tickets_to_blocks(way, &facts))
        snprintf(p->why, sizeof p->why, "not modelled: %.40s hands out rows to blocks at run time", way->kernel);
    int failed = replay_run(&queued, gpu, way, &facts, true, start, err);
    if (!failed) failed = replay_run(&alone, gpu, way, &facts, false, start, err);
    free(facts.sites);
    if (failed) return -1;
    ++p->launches;
    p->known = p->known && facts.known;
    p->replay_us += queued.cycles / (gpu->clock_ghz * 1e3);
    p->latency_us += alone.cycles / (gpu->clock_ghz * 1e3);
    if (queued.cycles > p->most.cycles) {
        queued.rounds_max = alone.rounds_max;   /* without queues: waits that more SMs would not shorten */
        queued.rounds_mean = alone.rounds_mean;
        p->most = queued;
        snprintf(p->kernel, sizeof p->kernel, "%s", way->kernel);
    }
    return 0;
}

int predict(prediction_t *p, const gpu_t *gpu, const kernel_table_t *table, const simt_way_t *ways, size_t n,
            err_t *err)
{
    *p = (prediction_t){.us = NAN, .low_us = NAN, .high_us = NAN, .known = true};
    for (size_t i = 0; i < n; ++i) {
        if (!ways[i].kernel) ++p->memsets;
        else if (add_launch(p, gpu, table, &ways[i], ran_before(ways, i), err)) return -1;
    }
    if (p->launches == 0) snprintf(p->why, sizeof p->why, "not modelled: it launches no kernel");
    if (*p->why) return 0;
    p->launch_us = gpu->fit_floor * gpu->floor_us +
                   gpu->fit_gap * ((p->launches - 1) * gpu->gap_us + p->memsets * gpu->memset_us);
    p->us = p->launch_us + gpu->fit_time * p->replay_us;
    const double wider = p->known ? 1 : 2;  /* without nvcc's table the range is twice as wide, in logarithms */
    p->low_us = p->us * pow(gpu->low, wider);
    p->high_us = p->us * pow(gpu->high, wider);
    return 0;
}
