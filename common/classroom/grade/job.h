/*
 * job.h - the messages between the grader and the process that runs a submission.
 *
 * The grader writes a job: sizes, arrays that do not change, and a seed for each run.  The other process generates the
 * numbers of a run from its seed, runs the submission, and writes the output buffer after each run.  It does not know
 * the right answers; the grader judges in its own process.
 */
#ifndef GRADE_JOB_H
#define GRADE_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpus.h"
#include "dtype.h"
#include "err.h"

enum { JOB_RUNS = 16, JOB_ARRAYS = 2, JOB_MARGIN = 256 }; /* JOB_MARGIN: poisoned bytes before and after every output */

/* One run.  Exact: small integers, whose sums have no rounding error. */
typedef struct job_run {
    uint64_t seed;   /* of the numbers */
    uint64_t order;  /* seed of the order of blocks, warps and lanes in the simulator; 0: natural order */
    uint8_t poison;  /* the value of every byte of the output before the run */
    bool exact;
} job_run_t;

/* Chapter 1: size = n.  2: bytes, unit, offsets of target and source.  3: layout, rows, cols.  4 to 7: rows, cols, nnz,
 * lanes, and two arrays, row_offsets (int32_t [rows + 1]) and col_indices (int32_t [nnz]). */
typedef struct job {
    uint64_t magic;
    int32_t chapter;
    dtype_t dtype;
    int64_t size[4];
    uint64_t misalign;  /* elements between a 256-byte boundary and each array */
    int32_t offset_bits; /* of row_offsets on the GPU: 32 or 64 */
    int32_t special;    /* not 0: some numbers of array 0 are infinite or NaN */
    uint64_t out_bytes;
    int32_t runs;
    bool timed;         /* on a GPU: measure the time of each run */
    bool predict;       /* on the simulator: predict the time of the first run on `gpu` */
    gpu_t gpu;
    int32_t
        sms; /* of the simulated GPU; 0: its default.  1: idle warps also get atomics first (chapter 06) */
    job_run_t run[JOB_RUNS];
    uint64_t array_bytes[JOB_ARRAYS];
    const void *array[JOB_ARRAYS]; /* in the file they follow the struct, one after the other */
} job_t;

/* Written after each run; out_bytes + 2 * JOB_MARGIN bytes of output follow. */
typedef struct job_answer {
    uint64_t magic;
    int32_t run;
    int32_t failed;        /* not 0: the simulator or CUDA reported a fault: `text` */
    double time_us;        /* NAN unless timed */
    int64_t ld_requests, ld_sectors, st_requests, st_sectors, sh_ld_wavefronts, sh_st_wavefronts, atomic_requests,
        atomic_sectors, atomic_lanes;
    /* Memory instructions: all; those of the busiest warp and of the busiest block of each launch, summed over
     * launches. */
    int64_t work, warp_work, block_work;
    int64_t warps, blocks;
    double warp_max_mean, active_lanes, useful_pct;
    double predicted_us, predicted_low_us, predicted_high_us; /* NAN unless predicted */
    char limiter[160];      /* the predicted limit, or why there is no prediction */
    char text[1024];
} job_answer_t;

/* Part of `text` if the submission accessed memory without a hook (reported by simt/check/witness.cpp). */
#define JOB_HIDDEN "without the simulator's seeing it"

#define JOB_MAGIC 0x32626f6a65647267u
#define JOB_ANSWER_MAGIC 0x32736e6165647267u

/* Writes and reads a job.  The caller frees job_read's arrays.  -1 and *err on failure. */
int job_write(int fd, const job_t *job, err_t *err);
int job_read(int fd, job_t *job, err_t *err);

/* Write or read all bytes; job_read_all returns the number of bytes before the end of the file, -1 on an error. */
int job_write_all(int fd, const void *data, size_t bytes);
long job_read_all(int fd, void *data, size_t bytes);

/* The `count` numbers of array `which` in a run, rounded to the job's type. */
void job_numbers(const job_t *job, int run, int which, double *x, size_t count);
/* The row_offsets of a run, [rows + 1]: the job's.  In the last run the order of the row lengths is reversed, so that a
 * submission that stored the structure of earlier runs is wrong. */
void job_offsets(const job_t *job, int run, int32_t *offsets);
/* The bytes of a run, for chapter 2. */
void job_bytes(const job_t *job, int run, unsigned char *bytes, size_t count);

#endif
