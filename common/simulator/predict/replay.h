/*
 * replay.h - the ways of a launch's warps, replayed on a small model of a GPU.
 *
 * Blocks are dealt to SMs as places get free.  Each warp takes its steps in order; a step waits for what it needs and
 * then for its turn at every server on its way: issue, L1 or shared memory, the SM's port to L2, L2, DRAM, an address
 * that atomics share.  The earliest warp goes next, so servers see requests in the order of time.
 */
#ifndef COURSE_REPLAY_H
#define COURSE_REPLAY_H

#include <stdbool.h>

#include "gpus.h"
#include "kernels.h"

enum replay_server { AT_ISSUE, AT_L1, AT_PORT, AT_L2, AT_DRAM, AT_ATOMIC, REPLAY_SERVERS };

typedef struct replay {
    double cycles;                  /* from the first block's start to the last one's end */
    double busy[REPLAY_SERVERS];    /* cycles that each was at work; of an SM's own the busiest SM's */
    unsigned blocks_per_sm;         /* resident at most */
    double warps_per_sm;            /* there were, over the SMs that the grid could reach */
    unsigned rounds_max;            /* waits of the warp that waited most often, one after another */
    double rounds_mean;
    unsigned barriers_max;          /* barriers of the warp that had most */
    uint64_t steps;
} replay_t;

/* Replays one launch, whose first block starts at cycle `start`.  queues false: every server is free at once, what is
 * left is latency.  0, or -1 and *err: out of memory, or a block that does not fit the GPU. */
int replay_run(replay_t *r, const gpu_t *gpu, const simt_way_t *way, const kernel_facts_t *facts, bool queues,
               double start, err_t *err);

#endif
