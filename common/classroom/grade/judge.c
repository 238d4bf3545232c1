/* judge.c - see judge.h */
#include "judge.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "report.h"
#include "scratch.h"

enum { MEMORY_MB = 2048, FILE_MB = 1024, PROCESSES = 64, PRINTED = 1 << 20 };

static int write_source(const char *path, const char *source, size_t bytes, err_t *err)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    const int failed = fd < 0 || fchmod(fd, 0644) || job_write_all(fd, source, bytes); /* independent of the umask */
    if (fd >= 0) close(fd);
    return failed ? err_set(err, "%s: %s", path, strerror(errno)) : 0;
}

/* Runs build.sh in the sandbox.  until: the last stage to run, "" for all. */
static int run_build(const judge_t *j, const char *until, sandbox_result_t *r, err_t *err)
{
    char script[4200], entry[64];
    snprintf(script, sizeof script, "%s/build.sh", j->kit);
    snprintf(entry, sizeof entry, "%s_student", j->chapter->entry);
    const sandbox_t s = {.read_only = {j->kit},
                         .scratch = j->scratch,
                         .unsandboxed = j->unsandboxed,
                         .seconds = j->compile_seconds ? j->compile_seconds : 6 * j->seconds,
                         .memory_mb = MEMORY_MB,
                         .address_mb = 2 * MEMORY_MB,
                         .file_mb = 64,
                         .processes = PROCESSES,
                         .output_bytes = PRINTED};
    char *const argv[] = {"/bin/sh", script, (char *)j->kit, (char *)j->chapter->folder, entry, (char *)j->name,
                          j->rules ? "yes" : "no", (char *)until, NULL};
    return sandbox_run(&s, argv, NULL, 0, r, err);
}

int judge_build(judge_t *j, const char *source, size_t bytes, judge_built_t *built, char *text, size_t text_size,
                err_t *err)
{
    enum { REFUSED = 10, NOT_COMPILED = 11 };
    char path[4200];
    static sandbox_result_t r, good;
    /* If root grades, the compiler runs as another user, who must be able to write to the scratch folder. */
    if ((j->lock = scratch_make(j->scratch, sizeof j->scratch, sandbox_user(), err)) < 0) return -1;
    snprintf(path, sizeof path, "%s/student.cu", j->scratch);
    if (write_source(path, source, bytes, err) || run_build(j, "", &r, err)) return -1;
    *built = r.end != SANDBOX_EXITED || r.code == NOT_COMPILED ? DID_NOT_COMPILE : r.code == 0 ? BUILT : BROKE_A_RULE;
    if (r.end == SANDBOX_EXITED && r.code != 0 && r.code != REFUSED && r.code != NOT_COMPILED)
        return err_set(err, "the grader cannot build anything on this machine (%s): %.800s", r.why, r.output);
    if (r.end != SANDBOX_EXITED) { /* build.sh was stopped before it could try the skeleton */
        if (run_build(j, "good", &good, err)) return -1;
        if (good.end != SANDBOX_EXITED || good.code != 0)
            return err_set(err, "the grader cannot build anything on this machine (%s): %.800s", good.why, good.output);
    }
    snprintf(text, text_size, "%s%s%s", r.output, r.end == SANDBOX_EXITED ? "" : "the compiler was ",
             r.end == SANDBOX_EXITED ? "" : r.why);
    return 0;
}

void judge_clean(judge_t *j)
{
    if (*j->scratch) scratch_remove(j->scratch, j->lock);
    *j->scratch = 0;
}

/* ---- a case ------------------------------------------------------------------------------------ */

/* Stores the reason why a run is wrong, without a final newline. */
static void say(judge_result_t *r, int run, int runs, const char *text)
{
    snprintf(r->why, sizeof r->why, "run %d of %d: %.1300s", run + 1, runs, text);
    for (size_t n = strlen(r->why); n > 0 && r->why[n - 1] == '\n';) r->why[--n] = 0;
}

/* Shortens "/tmp/grade.x8Jk2a/e1.cu:7" to the student's e1.cu:7. */
static void forget_folder(char *text, const char *folder)
{
    const size_t n = strlen(folder);
    for (char *at; n > 0 && (at = strstr(text, folder)) && at[n] == '/';)
        memmove(at, at + n + 1, strlen(at + n + 1) + 1);
}

/* Checks that the answer's values are possible, because the process is not trusted. */
static bool makes_sense(job_answer_t *a, int run)
{
    const int64_t counts[] = {
        a->ld_requests,      a->ld_sectors,      a->st_requests,  a->st_sectors, a->sh_ld_wavefronts,
        a->sh_st_wavefronts, a->atomic_requests, a->atomic_sectors, a->atomic_lanes, a->work,
        a->warp_work,        a->block_work,      a->warps,          a->blocks};
    bool fine = a->magic == JOB_ANSWER_MAGIC && a->run == run;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) /* REPORT_NONE: not counted */
        fine = fine && (counts[i] == REPORT_NONE || (counts[i] >= 0 && counts[i] < (int64_t)1 << 53));
    a->text[sizeof a->text - 1] = 0;
    a->limiter[sizeof a->limiter - 1] = 0;
    if (!(a->predicted_us > 0 && a->predicted_low_us > 0 && a->predicted_high_us < 1e12)) a->predicted_us = NAN;
    return fine;
}

/* The order of threads changes a count slightly.  A factor of more than two means that the submission did other
 * work. */
static bool differs(int64_t now, int64_t first) { return now > 2 * first + 256; }

/* Reads the answers of the process and judges each run.  `how`: how the process ended. */
static int judge_answers(const battery_case_t *c, int fd, const sandbox_result_t *how, judge_result_t *r, err_t *err)
{
    const job_t *job = &c->job;
    const size_t bytes = job->out_bytes + (size_t)2 * JOB_MARGIN;
    double times[JOB_RUNS];
    unsigned char *output = malloc(bytes);
    if (!output) return err_set(err, "out of memory for %zu bytes of output", bytes);
    lseek(fd, 0, SEEK_SET);
    r->right = true;
    for (int run = 0; run < job->runs && r->right; ++run) {
        job_answer_t answer;
        const bool whole = job_read_all(fd, &answer, sizeof answer) == (long)sizeof answer &&
                           job_read_all(fd, output, bytes) == (long)bytes;
        err_t wrong = {{0}};
        if (!whole || !makes_sense(&answer, run)) {
            char text[300];
            snprintf(text, sizeof text, "the program ended without an answer (%s)%s%.*s", how->why,
                     how->code == 3 ? ": " : "", how->code == 3 ? (int)strcspn(how->output, "\n") : 0,
                     how->output); /* exit code 3: the runner reported an error */
            say(r, run, job->runs, text);
            r->silent = true;
            r->right = false;
        } else if (answer.failed) {
            say(r, run, job->runs, answer.text);
            r->hidden = strstr(answer.text, JOB_HIDDEN);
            r->right = false;
        } else if (battery_judge(c, run, output, &wrong)) {
            say(r, run, job->runs, wrong.text);
            r->right = false;
        } else if (!job->timed && 32.0 * (double)answer.ld_sectors < 0.9 * c->least_bytes) {
            char text[200];
            snprintf(text, sizeof text, "the kernels read only %.0f of the %.0f bytes of input: read all in kernels",
                     32.0 * (double)answer.ld_sectors, c->least_bytes);
            say(r, run, job->runs, text);
            r->right = false;
        }
        if (run == 0) r->counts = answer;
        if (r->right && !job->timed &&
            (differs(answer.work, r->counts.work) || differs(answer.warp_work, r->counts.warp_work))) {
            char text[200];
            snprintf(text, sizeof text,
                     "the work differs between runs of one input: %lld memory instructions, %lld of the busiest warp; in the "
                     "first run %lld and %lld",
                     (long long)answer.work, (long long)answer.warp_work, (long long)r->counts.work,
                     (long long)r->counts.warp_work);
            say(r, run, job->runs, text);
            r->right = false;
        }
        times[run] = answer.time_us;
    }
    free(output);
    if (r->right && job->timed) {
        const bench_stats_t s = bench_summary(times, (size_t)job->runs);
        r->time_us = s.median_us;
        r->spread_pct = s.spread_pct;
    }
    return 0;
}

/* Stores the first line of its output without control characters. */
static void keep_printed(judge_result_t *r, const char *output)
{
    size_t n = 0;
    for (; n < 150 && output[n] && output[n] != '\n'; ++n)
        r->printed[n] = iscntrl((unsigned char)output[n]) ? ' ' : output[n];
    r->printed[n] = 0;
}

int judge_case(const judge_t *j, const battery_case_t *c, const char *step, judge_result_t *r, err_t *err)
{
    static sandbox_result_t how;
    char program[4200], entry[64];
    *r = (judge_result_t){.time_us = NAN, .spread_pct = NAN};
    snprintf(program, sizeof program, "%s%s", step ? j->steps : j->scratch, step ? "" : "/runner");
    snprintf(entry, sizeof entry, "%s_%s", j->chapter->entry, step ? step : "student");

    const int fds[2] = {memfd_create("job", MFD_CLOEXEC), memfd_create("answers", MFD_CLOEXEC)};
    int failed = fds[0] < 0 || fds[1] < 0 ? err_set(err, "no memory for a job: %s", strerror(errno)) : 0;
    if (!failed) failed = job_write(fds[0], &c->job, err);
    if (!failed) {
        lseek(fds[0], 0, SEEK_SET);
        const sandbox_t s = {.read_only = {program},
                             .gpu = j->gpu,
                             .unsandboxed = j->unsandboxed,
                             .seconds = j->seconds,
                             .memory_mb = j->gpu ? 16 * MEMORY_MB : MEMORY_MB,
                             .file_mb = FILE_MB,
                             .processes = PROCESSES,
                             .output_bytes = PRINTED};
        char *const argv[] = {program, entry, NULL};
        failed = sandbox_run(&s, argv, fds, 2, &how, err);
    }
    if (!failed) failed = judge_answers(c, fds[1], &how, r, err);
    if (!failed) {
        forget_folder(r->why, j->scratch);
        r->stopped = how.end == SANDBOX_STOPPED;
        keep_printed(r, how.output);
        /* Ignores the answers of a process that did not end properly. */
        if (r->right && (how.end != SANDBOX_EXITED || how.code != 0)) {
            r->right = false;
            snprintf(r->why, sizeof r->why, "%s", how.why);
        }
    }
    for (int i = 0; i < 2; ++i)
        if (fds[i] >= 0) close(fds[i]);
    return failed;
}
