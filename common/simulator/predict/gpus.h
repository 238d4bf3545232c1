/*
 * gpus.h - what the model knows of a GPU: some thirty numbers, read from a small text file.
 *
 * A line is `key value  # source`.  Every key of GPU_NUMBERS has to be there, once; `name` and `checked` are words.
 */
#ifndef COURSE_GPUS_H
#define COURSE_GPUS_H

#include <stdbool.h>

#include "err.h"

/* clang-format off */
/*     key                       unit, and what it is */
#define GPU_NUMBERS(N)                                                                            \
    N(sms)                    /* multiprocessors */                                                \
    N(clock_ghz)              /* boost clock */                                                    \
    N(warps_per_sm)           /* resident at most */                                               \
    N(blocks_per_sm)                                                                               \
    N(registers_per_sm)       /* of 32 bits */                                                     \
    N(shared_kb)              /* an SM's blocks together */                                        \
    N(l1_kb)                  /* L1 and shared memory together */                                  \
    N(l2_mb)                  /* what a cold run finds of it */                                    \
    N(dram_gbps)              /* read by the best kernel */                                        \
    N(lone_gsectors)          /* 64-byte pieces read from scattered places, 1e9/s */               \
    N(l2_gsectors)            /* 32-byte sectors out of L2, 1e9/s */                               \
    N(port_sectors)           /* sectors a clock from L2 into one SM */                            \
    N(l1_sectors)             /* sectors a clock out of L1 */                                      \
    N(l1_lines)               /* 128-byte lines a clock looked up in L1 */                         \
    N(issue)                  /* instructions a clock of one SM */                                 \
    N(step_cycles)            /* cycles between two instructions of one warp */                    \
    N(shared_cycles)          /* latencies, in cycles: shared memory, ... */                       \
    N(l1_cycles)                                                                                   \
    N(l2_cycles)                                                                                   \
    N(dram_cycles)                                                                                 \
    N(barrier_cycles)                                                                              \
    N(shuffle_cycles)                                                                              \
    N(fetch_length)         /* instructions of code that come with one trip to memory */                   \
    N(block_cycles)           /* from a free place in an SM to the block's first instruction */    \
    N(block_rate)             /* blocks that the whole GPU starts in a clock */                   \
    N(atomic_gops)            /* additions of floats to one address, 1e9/s */                      \
    N(atomic_int_gops)        /* atomics on one integer */                                         \
    N(floor_us)               /* an empty kernel, timed as a row is */                             \
    N(gap_us)                 /* a further launch of the same run */                               \
    N(memset_us)              /* a cudaMemset between launches */                                  \
    N(fit_floor)              /* fitted to rows of this GPU: factor of floor_us; 1: not fitted */ \
    N(fit_gap)                /* factor of gap_us and memset_us */                                 \
    N(fit_time)               /* factor of the replayed time */                                    \
    N(low)                    /* the range: nine of ten held-out rows took between low and high */ \
    N(high)                   /* times what was predicted */

/* clang-format on */

typedef struct gpu {
    char name[64];  /* "H200" */
    bool checked;   /* compared with measured rows */
#define NUMBER(key) double key;
    GPU_NUMBERS(NUMBER)
#undef NUMBER
} gpu_t;

/* Reads a GPU description: a path, or the name of one in common/simulator/predict/cards ("h200").  0, or -1 and
 * which line is wrong or which number is missing. */
int gpu_read(gpu_t *gpu, const char *name_or_path, err_t *err);

#endif
