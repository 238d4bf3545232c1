/* job.c - see job.h */
#include "job.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "matgen.h"
#include "rng.h"

int job_write_all(int fd, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        const ssize_t n = write(fd, at, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return -1;
        at += n;
        bytes -= (size_t)n;
    }
    return 0;
}

long job_read_all(int fd, void *data, size_t bytes)
{
    size_t have = 0;
    while (have < bytes) {
        const ssize_t n = read(fd, (char *)data + have, bytes - have);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        have += (size_t)n;
    }
    return (long)have;
}

int job_write(int fd, const job_t *job, err_t *err)
{
    job_t head = *job;
    head.magic = JOB_MAGIC;
    int failed = job_write_all(fd, &head, sizeof head);
    for (int i = 0; i < JOB_ARRAYS && !failed; ++i) failed = job_write_all(fd, job->array[i], job->array_bytes[i]);
    return failed ? err_set(err, "the job cannot be written: %s", strerror(errno)) : 0;
}

int job_read(int fd, job_t *job, err_t *err)
{
    if (job_read_all(fd, job, sizeof *job) != (long)sizeof *job || job->magic != JOB_MAGIC)
        return err_set(err, "the grader's job is damaged: run the grader again");
    memset(job->array, 0, sizeof job->array);
    for (int i = 0; i < JOB_ARRAYS; ++i) {
        void *array = malloc(job->array_bytes[i] + 1);
        job->array[i] = array;
        if (!array || job_read_all(fd, array, job->array_bytes[i]) != (long)job->array_bytes[i])
            return err_set(err, "the grader's job is incomplete: run the grader again");
    }
    return 0;
}

void job_numbers(const job_t *job, int run, int which, double *x, size_t count)
{
    const job_run_t *r = &job->run[run];
    matgen_vector(x, count, rng_mix(r->seed + (uint64_t)which), r->exact);
    for (size_t i = 0; i < count; ++i) x[i] = dtype_round(job->dtype, x[i]);
    if (job->special && which == 0 && count > 0) { /* run 0: an infinity; run 1: a NaN; run 2: both */
        rng_t rng = rng_stream(r->seed, 2, 0);
        if (run % 3 != 1) x[rng_below(&rng, count)] = INFINITY;
        if (run % 3 != 0) x[rng_below(&rng, count)] = NAN;
    }
    for (size_t i = 0; job->special && which == 1 && i < count; i += 2) x[i] = 0; /* infinity times 0 is NaN */
}

void job_offsets(const job_t *job, int run, int32_t *offsets)
{
    const int32_t *given = job->array[0];
    const size_t rows = (size_t)job->size[0];
    const bool turned = !job->timed && run > 0 && run == job->runs - 1;
    for (size_t r = 0; r <= rows; ++r) offsets[r] = turned ? given[rows] - given[rows - r] : given[r];
}

void job_bytes(const job_t *job, int run, unsigned char *bytes, size_t count)
{
    rng_t r = rng_stream(job->run[run].seed, 1, 0);
    for (size_t i = 0; i < count; i += 8) {
        const uint64_t word = rng_next(&r);
        memcpy(bytes + i, &word, count - i < 8 ? count - i : 8);
    }
}
