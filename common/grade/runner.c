/*
 * runner.c - the program that holds a submission: `runner ENTRY` reads a job from descriptor 3 and writes answers to 4.
 *
 * It runs in the sandbox, and everything it writes is taken for a claim.  Each run has numbers of its own in the same
 * memory and an output full of poison; what the output holds afterwards goes to the grader, run by run, the timed ones
 * too.
 */
#include "runner.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "confine.h"
#include "device.h"
#ifndef COURSE_CUDA
#include "simt.h"
#endif

enum { JOB_FD = 3, ANSWER_FD = 4 };

void *runner_array(const job_t *job, const void *host, size_t count, size_t size, const char *name, err_t *err)
{
    char *base = device_alloc((count + job->misalign) * size, name, err);
    if (!base) return NULL;
    void *d = base + job->misalign * size;
    if (host && device_ok(cudaMemcpy(d, host, count * size, cudaMemcpyHostToDevice), name, err)) return NULL;
    return d;
}

int runner_numbers(const job_t *job, int run, int which, void *d, size_t count, err_t *err)
{
    const size_t size = dtype_size(job->dtype);
    double *x = malloc((count + 1) * sizeof *x);
    void *typed = malloc((count + 1) * size);
    int failed = x && typed ? 0 : err_set(err, "out of memory for %zu numbers", count);
    if (!failed) {
        job_numbers(job, run, which, x, count);
        dtype_from_double(job->dtype, typed, x, count);
        failed = device_ok(cudaMemcpy(d, typed, count * size, cudaMemcpyHostToDevice), "numbers", err);
    }
    free(x);
    free(typed);
    return failed;
}

#ifdef COURSE_CUDA
/* Cold: L2 is filled with other, clean lines; then an event, the call, an event. */
static int run_timed(runner_entry_t entry, const job_t *job, void *d_out, job_answer_t *answer, err_t *err)
{
    cudaEvent_t start, stop;
    float ms = NAN;
    if (device_ok(cudaEventCreate(&start), "event", err) || device_ok(cudaEventCreate(&stop), "event", err)) return -1;
    int failed = device_flush(err);
    if (!failed) failed = device_ok(cudaEventRecord(start, 0), "event", err);
    if (!failed) failed = device_ok(call_entry(entry, job, d_out), "the launcher", err);
    if (!failed) failed = device_ok(cudaEventRecord(stop, 0), "event", err);
    if (device_sync(err)) failed = -1;
    if (!failed) failed = device_ok(cudaEventElapsedTime(&ms, start, stop), "event", err);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    answer->time_us = 1e3 * (double)ms;
    return failed;
}
#else
static int run_timed(runner_entry_t entry, const job_t *job, void *d_out, job_answer_t *answer, err_t *err)
{
    (void)entry, (void)job, (void)d_out, (void)answer;
    return err_set(err, "the stand-in has no times");
}
#endif

static int run_counted(runner_entry_t entry, const job_t *job, int run, void *d_out, job_answer_t *answer, err_t *err)
{
    device_configure(true, job->run[run].order);
    device_count_begin();
    const int failed = device_ok(call_entry(entry, job, d_out), "the launcher", err);
    err_t later;
    if (device_sync(&later)) { /* what a kernel did wrong says more than the call that noticed it */
        *err = later;
        return -1;
    }
    report_row_t row = {.ld_requests = REPORT_NONE, .warp_max_mean = NAN, .active_lanes = NAN, .useful_pct = NAN};
    device_count_end(&row);
    answer->ld_requests = row.ld_requests;
    answer->ld_sectors = row.ld_sectors;
    answer->st_requests = row.st_requests;
    answer->st_sectors = row.st_sectors;
    answer->sh_ld_wavefronts = row.sh_ld_wavefronts;
    answer->sh_st_wavefronts = row.sh_st_wavefronts;
    answer->atomic_requests = row.atomic_requests;
    answer->warp_max_mean = row.warp_max_mean;
    answer->active_lanes = row.active_lanes;
    answer->useful_pct = row.useful_pct;
#ifndef COURSE_CUDA
    simt_counts_t counts;
    simt_counts_get(&counts);
    answer->atomic_lanes = (int64_t)counts.atomic_lanes;
#endif
    return failed;
}

/* One run, and its answer. */
static int answer_run(runner_entry_t entry, const job_t *job, int run, char *d_memory, char *copy, err_t *err)
{
    const size_t bytes = job->out_bytes + 2 * JOB_MARGIN;
    const size_t margin = JOB_MARGIN;
    job_answer_t answer = {.magic = JOB_ANSWER_MAGIC, .run = run, .time_us = NAN, .warp_max_mean = NAN,
                           .active_lanes = NAN, .useful_pct = NAN};
    memset(copy, job->run[run].poison, bytes);
    if (call_prepare(job, run, err) || device_ok(cudaMemset(d_memory, job->run[run].poison, bytes), "poison", err) ||
        device_sync(err))
        return -1; /* before the submission was called */
    int failed = job->timed ? run_timed(entry, job, d_memory + margin, &answer, err)
                        : run_counted(entry, job, run, d_memory + margin, &answer, err);
    if (!failed) failed = device_ok(cudaMemcpy(copy, d_memory, bytes, cudaMemcpyDeviceToHost), "the result", err);
    answer.failed = failed != 0;
    if (failed) snprintf(answer.text, sizeof answer.text, "%s", err->text);
    if (job_write_all(ANSWER_FD, &answer, sizeof answer) || job_write_all(ANSWER_FD, copy, bytes))
        return err_set(err, "the answer cannot be written");
    return failed ? 1 : 0;
}

int main(int argc, char **argv)
{
    err_t err = {{0}};
    job_t job;
    device_facts_t facts;
    if (argc != 2) {
        fprintf(stderr, "usage: runner ENTRY   (the grader calls this: make grade)\n");
        return 64;
    }
    union {
        void *object;
        runner_entry_t function;
    } entry = {.object = dlsym(RTLD_DEFAULT, argv[1])};
    int failed = entry.object ? 0 : err_set(&err, "there is no function %s", argv[1]);
    if (!failed) failed = device_open(&facts, &err) || job_read(JOB_FD, &job, &err) ? -1 : 0;
    char *d_out = NULL, *copy = NULL;
    if (!failed) {
#ifndef COURSE_CUDA
        simt_set_workers(job.sms == 1 ? 1 : 2);
        simt_set_turns(job.sms == 1);
        simt_set_step_limit(2000000); /* a thread that needs more than that for these sizes does not end */
        if (job.sms) device_pretend_sms(job.sms);
#endif
        copy = malloc(job.out_bytes + 2 * JOB_MARGIN);
        d_out = device_alloc(job.out_bytes + 2 * JOB_MARGIN, "d_out", &err);
        failed = !copy || !d_out || call_open(&job, &err) ? -1 : 0;
#ifndef COURSE_CUDA /* the stand-in needs little of the system, CUDA's library much */
        if (!failed) failed = confine(&err);
#endif
    }
    for (int run = 0; run < job.runs && !failed; ++run)
        failed = answer_run(entry.function, &job, run, d_out, copy, &err);
    if (failed < 0) fprintf(stderr, "runner: %s\n", err.text);
    return failed < 0 ? 3 : 0;
}
