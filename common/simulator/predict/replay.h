/*
 * replay.h - replays the traces (`ways`) of a launch's warps on a small model of a GPU.
 *
 * Blocks are assigned to SMs as slots become free.  Each warp takes its steps in order.  A step waits for the values
 * that it needs, and then at each server that it uses: issue, L1 or shared memory, the SM's port to L2, L2, DRAM, an
 * address that atomics share.  The earliest warp is always next, so servers get requests in the order of time.
 */
#ifndef COURSE_REPLAY_H
#define COURSE_REPLAY_H

#include <stdbool.h>

#include "gpus.h"
#include "kernels.h"

enum replay_server { AT_ISSUE, AT_L1, AT_PORT, AT_L2, AT_DRAM, AT_ATOMIC, REPLAY_SERVERS };

typedef struct replay {
    double cycles;                  /* from the first block's start to the last one's end */
    double busy[REPLAY_SERVERS];    /* cycles that each server was busy; of servers in an SM, those of the busiest SM */
    unsigned blocks_per_sm;         /* the most resident blocks */
    double warps_per_sm;            /* resident warps per SM, over the SMs that have a block */
    unsigned rounds_max;            /* waits for loads, one after another, of the warp that waited most often */
    double rounds_mean;
    unsigned barriers_max;          /* the most barriers of a warp */
    uint64_t steps;
} replay_t;

/* Replays one launch, whose first block starts at cycle `start`.  With queues false every server is always free, so
 * that only latencies count.  0, or -1 and *err if memory is short or a block does not fit into an SM. */
int replay_run(replay_t *r, const gpu_t *gpu, const simt_way_t *way, const kernel_facts_t *facts, bool queues,
               double start, err_t *err);

#endif
