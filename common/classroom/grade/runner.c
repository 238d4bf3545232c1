/*
 * runner.c - the program that holds a submission: `runner ENTRY` reads a job from descriptor 3 and writes answers to 4.
 *
 * It runs in the sandbox, and the grader does not trust its answers.  Each run has new numbers in the same memory and
 * an output filled with poison.  After each run, also a timed one, the output goes to the grader.
 *
 * With the simulator the submission is confined (simt.h): its code on the host and on the GPU may only access its own
 * variables, its stack, its arguments and the GPU's memory.
 */
#include "runner.h"

#include <dlfcn.h>
#include <errno.h>
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

/* ---- input ------------------------------------------------------------------------------------- */

enum { MOST_INPUTS = 8 };
static struct input {
    void *d;
    char *host; /* the expected contents after a run */
    size_t bytes;
    const char *name;
} inputs[MOST_INPUTS];

static int keep(void *d, const void *host, size_t bytes, const char *name, err_t *err)
{
    struct input *in = inputs;
    while (in < inputs + MOST_INPUTS - 1 && in->d && in->d != d) ++in;
    free(in->host);
    *in = (struct input){.d = d, .host = malloc(bytes + 1), .bytes = bytes, .name = name};
    if (!in->host) return err_set(err, "out of memory for %s", name);
    memcpy(in->host, host, bytes);
    return 0;
}

int runner_fill(void *d, const void *host, size_t bytes, const char *name, err_t *err)
{
    if (keep(d, host, bytes, name, err)) return -1;
#ifndef COURSE_CUDA
    simt_set_read_only(d);
#endif
    return device_ok(cudaMemcpy(d, host, bytes, cudaMemcpyHostToDevice), name, err);
}

int runner_zeros(void *d, size_t bytes, const char *name, err_t *err)
{
    void *zeros = calloc(bytes + 1, 1);
    int failed = zeros ? keep(d, zeros, bytes, name, err) : err_set(err, "out of memory for %s", name);
    free(zeros);
    return failed ? -1 : device_ok(cudaMemset(d, 0, bytes), name, err);
}

/* Checks that the run has not changed its input. */
static int check_inputs(err_t *err)
{
    for (const struct input *in = inputs; in < inputs + MOST_INPUTS && in->d; ++in) {
        char *now = malloc(in->bytes + 1);
        int failed = now ? device_ok(cudaMemcpy(now, in->d, in->bytes, cudaMemcpyDeviceToHost), in->name, err)
                         : err_set(err, "out of memory for %s", in->name);
        if (!failed && memcmp(now, in->host, in->bytes))
            failed = err_set(err, "the input %s was changed: a kernel must not write to it", in->name);
        free(now);
        if (failed) return -1;
    }
    return 0;
}

void *runner_array(const job_t *job, const void *host, size_t count, size_t size, const char *name, err_t *err)
{
    char *base = device_alloc((count + job->misalign) * size, name, err);
    if (!base) return NULL;
    void *d = base + job->misalign * size;
    if (host && runner_fill(d, host, count * size, name, err)) return NULL;
    return d;
}

int runner_numbers(const job_t *job, int run, int which, void *d, size_t count, const char *name, err_t *err)
{
    const size_t size = dtype_size(job->dtype);
    double *x = malloc((count + 1) * sizeof *x);
    void *typed = malloc((count + 1) * size);
    int failed = x && typed ? 0 : err_set(err, "out of memory for %zu numbers", count);
    if (!failed) {
        job_numbers(job, run, which, x, count);
        dtype_from_double(job->dtype, typed, x, count);
        failed = runner_fill(d, typed, count * size, name, err);
    }
    free(x);
    free(typed);
    return failed;
}

/* ---- the call ---------------------------------------------------------------------------------- */

typedef struct call {
    runner_entry_t entry;
    const job_t *job;
    void *d_out;
    cudaError_t status;
} call_t;

static void call_it(void *context)
{
    call_t *c = context;
    c->status = call_entry(c->entry, c->job, c->d_out);
}

#ifdef COURSE_CUDA
void runner_readable(const void *p, size_t size) { (void)p, (void)size; }
static void call_confined(call_t *c) { call_it(c); }
#else
/* The sections into which build.sh has put a submission.  A step has none of these sections and is trusted. */
#define PART(name) \
    extern char __start_student_##name[] __attribute__((weak)), __stop_student_##name[] __attribute__((weak))
#define SPAN(name) ((simt_span_t){__start_student_##name, (size_t)(__stop_student_##name - __start_student_##name)})
PART(text);
PART(constants);
PART(variables);

static simt_span_t readable[4];

void runner_readable(const void *p, size_t size)
{
    for (size_t i = 0; i < sizeof readable / sizeof *readable; ++i)
        if (!readable[i].size) {
            readable[i] = (simt_span_t){p, size};
            return;
        }
}

static void call_confined(call_t *c)
{
    simt_confinement_t own = {.code = SPAN(text), .variables = {SPAN(variables)}, .readable = {SPAN(constants)}};
    for (size_t i = 0; i < sizeof readable / sizeof *readable; ++i) own.readable[1 + i] = readable[i];
    c->status = cudaErrorUnknown; /* it does not return */
    if (__start_student_text) simt_call_confined(&own, call_it, c);
    else call_it(c);
}
#endif

#ifdef COURSE_CUDA
/* Measures with a cold cache: fills L2 with other, clean lines, records an event, calls the function, and records
 * another event. */
static int run_timed(runner_entry_t entry, const job_t *job, void *d_out, job_answer_t *answer, err_t *err)
{
    call_t c = {.entry = entry, .job = job, .d_out = d_out};
    cudaEvent_t start, stop;
    float ms = NAN;
    if (device_ok(cudaEventCreate(&start), "event", err) || device_ok(cudaEventCreate(&stop), "event", err)) return -1;
    int failed = device_flush(err);
    if (!failed) failed = device_ok(cudaEventRecord(start, 0), "event", err);
    if (!failed) {
        call_confined(&c);
        failed = device_ok(c.status, "the launcher", err);
    }
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
    return err_set(err, "the simulator measures no times: grade with BACKEND=cuda on a machine with a GPU");
}
#endif

static void keep_prediction(report_row_t *row, job_answer_t *answer)
{
    device_predict_end(row);
    answer->predicted_us = row->predicted_us;
    answer->predicted_low_us = row->predicted_low_us;
    answer->predicted_high_us = row->predicted_high_us;
    snprintf(answer->limiter, sizeof answer->limiter, "%s", row->limiter);
}

static int run_counted(runner_entry_t entry, const job_t *job, int run, void *d_out, job_answer_t *answer, err_t *err)
{
    call_t c = {.entry = entry, .job = job, .d_out = d_out};
    device_configure(true, job->run[run].order);
    const bool predict = job->predict && run == 0;
    device_count_begin();
    if (predict) device_predict_begin();
    call_confined(&c);
    const int failed = device_ok(c.status, "the launcher", err);
    err_t later;
    if (device_sync(&later)) { /* the kernel's error explains more than the later call's */
        *err = later;
        return -1;
    }
    report_row_t row = report_row_empty();
    if (predict) keep_prediction(&row, answer);
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
    answer->atomic_sectors = (int64_t)counts.atomic_sectors;
    answer->atomic_lanes = (int64_t)counts.atomic_lanes;
    answer->warps = (int64_t)counts.warps;
    answer->blocks = (int64_t)counts.blocks;
    answer->work = (int64_t)(counts.warp_work_mean * (double)counts.warps + 0.5);
    answer->warp_work = (int64_t)counts.warp_work_chain;
    answer->block_work = (int64_t)counts.block_work_chain;
#endif
    return failed;
}

/* Adds guard memory around the output on a GPU; the simulator needs none to detect accesses outside the output. */
#ifdef COURSE_CUDA
enum { MARGIN = JOB_MARGIN };
#else
enum { MARGIN = 0 };
#endif

/* Makes one run and writes its answer. */
static int answer_run(runner_entry_t entry, const job_t *job, int run, char *d_memory, char *copy, err_t *err)
{
    const size_t bytes = job->out_bytes + 2 * JOB_MARGIN, taken = job->out_bytes + 2 * MARGIN;
    job_answer_t answer = {.magic = JOB_ANSWER_MAGIC, .run = run, .time_us = NAN, .warp_max_mean = NAN,
                           .active_lanes = NAN, .useful_pct = NAN, .predicted_us = NAN};
    memset(copy, job->run[run].poison, bytes);
    if (call_prepare(job, run, err) || device_ok(cudaMemset(d_memory, job->run[run].poison, taken), "poison", err) ||
        device_sync(err))
        return -1; /* an error before the submission was called */
#ifndef COURSE_CUDA
    simt_forget_contents(d_memory, job->out_bytes); /* the submission must not read the old contents */
#endif
    int failed = job->timed ? run_timed(entry, job, d_memory + MARGIN, &answer, err)
                        : run_counted(entry, job, run, d_memory + MARGIN, &answer, err);
    if (!failed)
        failed = device_ok(cudaMemcpy(copy + JOB_MARGIN - MARGIN, d_memory, taken, cudaMemcpyDeviceToHost),
                           "the result", err);
    if (!failed) failed = check_inputs(err);
    answer.failed = failed != 0;
    if (failed) snprintf(answer.text, sizeof answer.text, "%s", err->text);
    if (job_write_all(ANSWER_FD, &answer, sizeof answer) || job_write_all(ANSWER_FD, copy, bytes))
        return err_set(err, "cannot write the results to the grader: %s", strerror(errno));
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
    int failed = 0;
    if (!entry.object)
        failed = err_set(&err, "the submission does not define %s: copy the last line of the skeleton", argv[1]);
    if (!failed) failed = device_open(&facts, &err) || job_read(JOB_FD, &job, &err) ? -1 : 0;
    char *d_out = NULL, *copy = NULL;
    if (!failed) {
#ifndef COURSE_CUDA
        simt_set_workers(job.sms == 1 || job.predict ? 1 : 2);
        simt_set_turns(job.sms == 1);
        simt_set_step_limit(2000000); /* for these sizes a thread that takes more steps never ends */
        if (job.sms) device_pretend_sms(job.sms);
        if (job.predict) device_predict_gpu(&job.gpu);
#endif
        copy = malloc(job.out_bytes + 2 * JOB_MARGIN);
        d_out = device_alloc(job.out_bytes + 2 * MARGIN, "d_out", &err);
        failed = !copy || !d_out || call_open(&job, &err) ? -1 : 0;
#ifndef COURSE_CUDA /* the simulator needs few system calls, CUDA's library many */
        if (!failed) failed = confine(&err);
#endif
    }
    for (int run = 0; run < job.runs && !failed; ++run)
        failed = answer_run(entry.function, &job, run, d_out, copy, &err);
    if (failed < 0) fprintf(stderr, "runner: %s\n", err.text);
    return failed < 0 ? 3 : 0;
}
