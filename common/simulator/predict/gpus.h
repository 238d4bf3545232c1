/*
 * gpus.h - the description of a GPU for the model: some thirty numbers, read from a small text file.
 *
 * A line is `key value  # source`.  Every key of GPU_NUMBERS must occur once; `name` and `checked` are words.
 */
#ifndef COURSE_GPUS_H
#define COURSE_GPUS_H

#include <stdbool.h>

#include "err.h"

/* clang-format off */
/*     key                       meaning and unit */
#define GPU_NUMBERS(N)                                                                            \
    N(sms)                    /* multiprocessors */                                                \
    N(clock_ghz)              /* boost clock */                                                    \
    N(warps_per_sm)           /* the most resident warps */                                        \
    N(blocks_per_sm)                                                                               \
    N(registers_per_sm)       /* of 32 bits */                                                     \
    N(shared_kb)              /* shared memory of all blocks of an SM */                           \
    N(l1_kb)                  /* L1 and shared memory together */                                  \
    N(l2_mb)                  /* the part of L2 that a cold run can use */                         \
    N(dram_gbps)              /* bandwidth of the best kernel that only reads */                   \
    N(lone_gsectors)          /* 64-byte pieces read from scattered addresses, 1e9/s */            \
    N(l2_gsectors)            /* 32-byte sectors out of L2, 1e9/s */                               \
    N(port_sectors)           /* sectors per clock from L2 into one SM */                          \
    N(l1_sectors)             /* sectors per clock out of L1 */                                    \
    N(l1_lines)               /* 128-byte lines per clock looked up in L1 */                       \
    N(issue)                  /* instructions per clock of one SM */                               \
    N(step_cycles)            /* cycles between two instructions of one warp */                    \
    N(shared_cycles)          /* latencies in cycles, also the next five */                        \
    N(l1_cycles)                                                                                   \
    N(l2_cycles)                                                                                   \
    N(dram_cycles)                                                                                 \
    N(barrier_cycles)                                                                              \
    N(shuffle_cycles)                                                                              \
    N(fetch_length)           /* instructions of code that one trip to memory fetches */           \
    N(block_cycles)           /* from a free slot in an SM to the block's first instruction */     \
    N(block_rate)             /* blocks that the whole GPU starts per clock */                     \
    N(atomic_gops)            /* additions of floats to one address, 1e9/s */                      \
    N(atomic_int_gops)        /* atomics on one integer */                                         \
    N(floor_us)               /* time of an empty kernel, measured like a row */                   \
    N(gap_us)                 /* time of each further launch of a run */                           \
    N(memset_us)              /* time of a cudaMemset between launches */                          \
    N(fit_floor)              /* factor of floor_us, fitted to rows of this GPU; 1: not fitted */  \
    N(fit_gap)                /* factor of gap_us and memset_us */                                 \
    N(fit_time)               /* factor of the replayed time */                                    \
    N(low)                    /* nine of ten held-out rows took between low and high times */      \
    N(high)                   /* the predicted time */

/* clang-format on */

typedef struct gpu {
    char name[64];  /* "H200" */
    bool checked;   /* predictions for it were compared with measured rows */
#define NUMBER(key) double key;
    GPU_NUMBERS(NUMBER)
#undef NUMBER
} gpu_t;

/* Reads a GPU description from a path, or by its name in common/simulator/predict/cards ("h200").  0, or -1 and *err,
 * which names the wrong line or the missing number. */
int gpu_read(gpu_t *gpu, const char *name_or_path, err_t *err);

#endif
