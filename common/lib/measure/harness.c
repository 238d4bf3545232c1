/* harness.c - see harness.h */
#include "harness.h"

#include <cuda_profiler_api.h>
#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sysexits.h>
#include <time.h>

#include "at_start.h"
#include "clock.h"
#include "version.h" /* COURSE_COMMIT, COURSE_FLAGS: written by the Makefile */

enum { GUARD_BYTES = 256 }; /* poisoned bytes past the end of every output */
/* The time limit for a row on the CPU.  Longer runs rarely give better medians, and without a GPU a run of the course
 * spends half of its time on these rows. */
static const double CPU_SECONDS = 0.2;
static const size_t CPU_SAMPLES = 5, CPU_WARMUP = 1; /* the least for such a row */

struct harness {
    const chapter_t *chapter;
    const options_t *options;
    const char *only; /* set by harness_only */
    device_facts_t facts;
    device_ceilings_t ceilings; /* cuda only */
    bool on_gpu;               /* back end cuda */
    report_t *report;
};

/* A step to be run: the context of bench_fn. */
struct task {
    const step_t *step;
    const problem_t *problem;
    void *state;
    void *out;  /* where the step writes: host or device, out_bytes + GUARD_BYTES */
    void *copy; /* host copy that is checked */
};

static bool on_gpu(const step_t *s) { return s->kind == STEP_GPU || s->kind == STEP_GPU_PEER; }

static const char *kind_name(step_kind_t kind)
{
    return kind == STEP_CPU ? "cpu" : kind == STEP_GPU ? "gpu" : "peer";
}

static int task_run(void *context, err_t *err)
{
    struct task *t = context;
    return t->step->ops->run(t->step, t->problem, t->state, t->out, err);
}

static void task_close(struct task *t)
{
    if (t->state && t->step->ops->teardown) t->step->ops->teardown(t->step, t->problem, t->state);
    if (on_gpu(t->step)) device_free(t->out);
    else free(t->out);
    free(t->copy);
}

/* Allocates the output and calls the step's set-up; *setup_ms is NAN for a step without set-up. */
static int task_open(struct task *t, const step_t *s, const problem_t *p, double *setup_ms, err_t *err)
{
    const size_t bytes = p->out_bytes + GUARD_BYTES;
    *t = (struct task){.step = s, .problem = p};
    *setup_ms = NAN;
    t->copy = aligned_alloc(64, (bytes + 63) / 64 * 64);
    t->out = on_gpu(s) ? device_alloc(bytes, "d_out", err) : aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!t->copy || !t->out) {
        if (!on_gpu(s) || !t->copy) err_set(err, "out of memory for %zu bytes of output", bytes);
        return -1;
    }
    if (!s->ops->setup) return 0;
    const double start = clock_now();
    if (s->ops->setup(s, p, &t->state, err)) return -1;
    if (on_gpu(s) && device_sync(err)) return -1;
    if (t->state) *setup_ms = 1e3 * (clock_now() - start);
    return 0;
}

/* Fills the output with NaN bytes, runs once, and checks the result. */
static int task_check(struct task *t, double *err_over_tol, err_t *err)
{
    const problem_t *p = t->problem;
    const size_t bytes = p->out_bytes + GUARD_BYTES;

    if (on_gpu(t->step)) {
        if (device_ok(cudaMemset(t->out, 0xFF, bytes), "cudaMemset", err)) return -1;
        device_forget(t->out, p->out_bytes); /* the NaNs are for the check; for kernels it is uninitialised */
        cudaProfilerStart(); /* for ncu --profile-from-start off: this run alone, without the set-up */
        const int failed = task_run(t, err);
        err_t later = {{0}};
        if (device_sync(&later)) { /* the report of a kernel's fault says more than the call that detected it */
            *err = later;
            return -1;
        }
        cudaProfilerStop();
        if (failed) return -1;
        if (device_ok(cudaMemcpy(t->copy, t->out, bytes, cudaMemcpyDeviceToHost), "copy of the result", err)) return -1;
    } else {
        verify_poison(t->out, bytes);
        if (task_run(t, err)) return -1;
        memcpy(t->copy, t->out, bytes);
    }
    if (!verify_untouched((const char *)t->copy + p->out_bytes, GUARD_BYTES))
        return err_set(err, "wrote past the end of the output");
    if (t->step->ops->check(t->step, p, t->copy, err_over_tol, err) == 0) return 0;
    if (on_gpu(t->step)) device_explain_wrong(task_run, t, err);
    return -1;
}

const step_t *chapter_row(size_t i, const step_t *own, size_t count, const step_t *student,
                          const step_t *(*more)(size_t i))
{
    if (i < count) return &own[i];
    i -= count;
    if (student && i-- == 0) return student;
    return more ? more(i) : NULL;
}

const step_t *chapter_step(const chapter_t *c, const char *id)
{
    const step_t *s;
    for (size_t i = 0; (s = c->step(i)); ++i)
        if (strcmp(s->id, id) == 0) return s;
    return NULL;
}

int harness_check(const step_t *s, const problem_t *p, double *err_over_tol, err_t *err)
{
    struct task t;
    double setup_ms;
    int failed = task_open(&t, s, p, &setup_ms, err);
    if (!failed) failed = task_check(&t, err_over_tol, err);
    if (!failed) failed = task_check(&t, err_over_tol, err); /* one correct run is not enough: it may add to y */
    task_close(&t);
    return failed;
}

/* ---- one row ---------------------------------------------------------------------------------- */

/* On the simulator: the step's counts, and its predicted time on the named GPU, unless that is known already. */
static int count(struct task *t, report_row_t *row, err_t *err)
{
    const bool predicts = device_predicts() && !row->predicted_for;
    device_count_begin();
    if (predicts) device_predict_begin();
    const int failed = task_run(t, err) || device_sync(err);
    if (predicts) device_predict_end(row);
    device_count_end(row);
    return failed ? -1 : 0;
}

/* Predicts a step whose work depends on the number of SMs: sets it up and runs it again with the SMs of that GPU. */
static int predict_as_gpu(const step_t *s, const problem_t *p, report_row_t *row, err_t *err)
{
    struct task t;
    double unused;
    report_row_t as_gpu = *row; /* a copy, because these counts are for that GPU; measure() counts again */
    device_predict_as_gpu(true);
    int failed = task_open(&t, s, p, &unused, err);
    if (!failed) failed = count(&t, &as_gpu, err);
    task_close(&t);
    device_predict_as_gpu(false);
    if (!failed) *row = as_gpu;
    return failed;
}

static int measure(harness_t *h, struct task *t, report_row_t *row, err_t *err)
{
    bench_policy_t policy = bench_policy(h->options->reps);
    bench_stats_t cold, warm;

    if (on_gpu(t->step) && !h->on_gpu) return count(t, row, err); /* the simulator cannot measure its time */
    if (on_gpu(t->step)) {
        if (device_time(task_run, t, true, &policy, &cold, err)) return -1;
        if (device_time(task_run, t, false, &policy, &warm, err)) return -1;
        const double ceiling = t->problem->reads_only ? h->ceilings.read_gbps : h->ceilings.copy_gbps;
        row->cold_gbps = row->bytes / (cold.median_us * 1e3);
        row->pct_ceiling = 100 * row->cold_gbps / ceiling;
        row->efficiency = (h->ceilings.floor_us + row->bytes / (ceiling * 1e3)) / cold.median_us;
    } else {
        if (h->options->reps == 0) {
            policy.max_seconds = CPU_SECONDS;
            policy.min_samples = CPU_SAMPLES;
            policy.warmup = CPU_WARMUP;
        }
        if (bench_cpu(task_run, t, true, &policy, &cold, err)) return -1;
        if (bench_cpu(task_run, t, false, &policy, &warm, err)) return -1;
        row->cold_gbps = row->bytes / (cold.median_us * 1e3);
    }
    row->cold_us = cold.median_us;
    row->warm_us = warm.median_us;
    row->spread_pct = cold.spread_pct;
    return 0;
}

/* Checks, measures, and checks again. */
static void run_row(harness_t *h, const step_t *s, const problem_t *p, report_row_t *row, err_t *err)
{
    struct task t;
    double unused;
    device_gpu_asked(); /* ask only about queries from here on */
    int failed = task_open(&t, s, p, &row->setup_ms, err);
    if (h->options->film) device_count_begin(); /* films the counted run, or the first run if that fails */
    if (!failed) failed = task_check(&t, &row->err_over_tol, err);
    const bool once = h->options->once && (h->on_gpu || !on_gpu(s)); /* the checked run was the only one */
    if (!failed && on_gpu(s) && device_predicts() && device_gpu_asked()) failed = predict_as_gpu(s, p, row, err);
    if (!failed && !once) failed = measure(h, &t, row, err);
    if (!failed && !once) failed = task_check(&t, &unused, err);
    if (!failed && s->ops->note) s->ops->note(s, p, t.state, row);
    task_close(&t);
    if (failed) row->status = REPORT_FAIL; /* the report omits the times of failed rows */
    if (failed || device_remark(err)) row->why = err->text;
}

static const char *reason_to_skip(const harness_t *h, const step_t *s, const problem_t *p)
{
    if (s->kind == STEP_GPU_PEER && !h->on_gpu) return "needs a CUDA device";
    if (on_gpu(s) && device_lost()) return "an earlier step left the GPU unusable; run this one alone with --only";
    return s->ops->skip ? s->ops->skip(s, p) : NULL;
}

/* Appends a step's rows to the file; if that fails, prints why and exits with 74. */
static void written(const harness_t *h, const char *path, FILE *f, int status, const err_t *err)
{
    if (f && status) fprintf(stderr, "%s: %s\n", h->chapter->name, err->text);
    if (f && !ferror(f) && fclose(f) == 0) return;
    err_say("%s: cannot write %s: %s", h->chapter->name, path, strerror(errno));
    exit(EX_IOERR);
}

/* Prints the whole prediction, and the page that explains it. */
static void explain_prediction(const report_row_t *row)
{
    if (row->status != REPORT_OK || !row->predicted_for || !row->limiter) return;
    const char *page = device_predict_page();
    if (isfinite(row->predicted_us))
        printf("\npredicted for %s, not measured: %.1f us (%.1f to %.1f), %.1f of them in kernels\n",
               row->predicted_for, row->predicted_us, row->predicted_low_us, row->predicted_high_us, row->replayed_us);
    printf("%s%s%s\n", row->limiter, page ? ": docs/" : "", page ? page : "");
}

static void explain_if_asked(harness_t *h, const step_t *s, const report_row_t *row)
{
    err_t err;
    const options_t *o = h->options;
    if (s->kind != STEP_GPU) {
        if (o->explain)
            fprintf(stderr,
                    "%s: %s is not a kernel of the course, so --explain cannot count it: choose a step (--list)\n",
                    h->chapter->name, s->id);
        return;
    }
    if (o->explain && strcmp(o->explain, s->id) == 0) {
        if (device_explain(stdout, &err)) fprintf(stderr, "%s: %s\n", h->chapter->name, err.text);
        explain_prediction(row);
    }
    if (o->lines) {
        FILE *f = fopen(o->lines, "a");
        written(h, o->lines, f, f ? device_lines(f, row, &err) : 0, &err);
    }
    if (o->trace) {
        FILE *f = fopen(o->trace, "a");
        written(h, o->trace, f, f ? device_trace(f, &err) : 0, &err);
    }
    if (o->film) {
        FILE *f = fopen(o->film, "a");
        written(h, o->film, f, f ? device_film(f, row, &err) : 0, &err);
    }
}

void harness_only(harness_t *h, const char *only)
{
    h->only = only;
}

static bool selected(const harness_t *h, const step_t *s, const problem_t *p)
{
    if (!(on_gpu(s) ? p->gpu : p->cpu)) return false;
    if (h->only) return cli_selects(&(const options_t){.only = h->only}, s->id);
    return h->options->explain ? strcmp(h->options->explain, s->id) == 0 : cli_selects(h->options, s->id);
}

void harness_run(harness_t *h, const problem_t *p)
{
    const step_t *s;
    err_t err = {{0}}, unwritten;
    size_t done = 0, total = 0;
    for (size_t i = 0; (s = h->chapter->step(i)); ++i) total += selected(h, s, p);
    for (size_t i = 0; (s = h->chapter->step(i)); ++i) {
        if (!selected(h, s, p)) continue;
        report_progress(h->report, done++, total, "%s %s", s->id, p->name);

        report_row_t row = report_row_empty();
        row.chapter = h->chapter->name;
        row.step = s->id;
        row.kind = kind_name(s->kind);
        row.case_name = p->name;
        row.dtype = dtype_name(p->dtype);
        row.idea = s->idea;
        row.bytes = (double)p->bytes;
        row.status = REPORT_OK;
        row.counted = on_gpu(s) && !h->on_gpu;
        const char *skip = reason_to_skip(h, s, p);
        if (skip) {
            row.status = REPORT_SKIP;
            row.why = skip;
        } else {
            run_row(h, s, p, &row, &err);
        }
        if (report_add(h->report, &row, &unwritten)) {
            fprintf(stderr, "%s: %s\n", h->chapter->name, unwritten.text);
            exit(EX_IOERR);
        }
        if (!skip) explain_if_asked(h, s, &row);
    }
}

/* ---- opening and closing ---------------------------------------------------------------------- */

static void list_steps(const chapter_t *c)
{
    const step_t *s;
    for (size_t i = 0; (s = c->step(i)); ++i) printf("%-18s %-5s %s\n", s->id, kind_name(s->kind), s->idea);
}

/* Checks that --explain, and each name in --only, is that of a step, or `student`, which is a step only with STUDENT=.
 * Of names with * or ? one must select a step. */
static void refuse_unknown_steps(const chapter_t *c, const options_t *o)
{
    const step_t *s;
    bool selected = !o->only, explained = !o->explain;
    for (size_t i = 0; (s = c->step(i)); ++i) {
        selected = selected || cli_selects(o, s->id);
        explained = explained || strcmp(o->explain, s->id) == 0;
    }
    char name[STEP_NAME] = "";
    for (const char *p = selected && o->only ? o->only : ""; *p && selected; p += *p == ',') {
        const size_t length = strcspn(p, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, p);
        selected = !*name || strpbrk(name, "*?[") || strcmp(name, "student") == 0 || chapter_step(c, name);
        p += length;
    }
    if (selected && explained) return;
    err_say("%s: no step is called '%s'; --list shows them", c->name, selected ? o->explain : *name ? name : o->only);
    exit(EX_USAGE);
}

/* Returns the processor's name if Linux reports it, else its architecture. */
static void cpu_name(char *name, size_t size)
{
    char line[256], model[256];
    struct utsname u;
    snprintf(name, size, "%s", uname(&u) == 0 ? u.machine : "unknown");
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name : %255[^\n]", model) == 1) {
            snprintf(name, size, "%s", model);
            break;
        }
    if (f) fclose(f);
}

/* Writes the command line without folders, which differ between machines. */
static void command_line(const options_t *o, char *text, size_t size)
{
    size_t length = 0;
    text[0] = 0;
    for (int i = 0; i < o->argc && length < size - 1; ++i) {
        const char *word = o->argv[i], *equals = strchr(word, '='), *slash = strrchr(word, '/');
        const size_t digits = strspn(word, "0123456789");
        if (digits > 0 && word[digits] == '/') slash = NULL; /* 05/v7: a chapter's step; 1/2: a part */
        const int option = equals && slash > equals ? (int)(equals - word) + 1 : 0; /* "--record=" */
        length += (size_t)snprintf(text + length, size - length, "%s%.*s%s", i ? " " : "", option, word,
                                   slash ? slash + 1 : word);
    }
}

void harness_header(report_t *r, const char *chapter, const options_t *o, const device_facts_t *f,
                    const device_ceilings_t *ceilings)
{
    const bool on_gpu = strcmp(f->backend, "cuda") == 0;
    report_meta(r, "chapter", "%s", chapter);
    report_meta(r, "backend", "%s", f->backend);
    report_meta(r, "gpu", "%s", f->name);
    if (on_gpu) {
        report_meta(r, "arch", "%s", f->arch);
        report_meta(r, "driver", "%s", f->driver);
        report_meta(r, "toolkit", "%s", f->toolkit);
        report_meta(r, "sms", "%d", f->sms);
        report_meta(r, "l2_bytes", "%zu", f->l2_bytes);
    }
    char cpu[256];
    cpu_name(cpu, sizeof cpu);
    report_meta(r, "cpu", "%s", cpu);
    report_meta(r, "cpu_threads", "%d", omp_get_max_threads());
    report_meta(r, "flags", "%s", COURSE_FLAGS);
    report_meta(r, "commit", "%s", COURSE_COMMIT);
    report_meta(r, "seed", "%llu", (unsigned long long)o->seed);

    char date[32], command[1024];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    report_meta(r, "date", "%s", date);
    command_line(o, command, sizeof command);
    report_meta(r, "command", "%s", command);
    if (on_gpu && ceilings) {
        report_meta(r, "peak_gbps", isfinite(f->peak_gbps) ? "%.0f" : "-", f->peak_gbps);
        report_meta(r, "ceiling_copy_gbps", "%.1f", ceilings->copy_gbps);
        report_meta(r, "ceiling_read_gbps", "%.1f", ceilings->read_gbps);
        report_meta(r, "floor_us", "%.3f", ceilings->floor_us);
    }
}

/* Creates the files of --lines, --trace and --film with a heading only; each step appends its rows. */
static void start_rows(const chapter_t *c, const char *path, const char *heading)
{
    FILE *f = path ? fopen(path, "w") : NULL;
    if (f) fputs(heading, f);
    if (!path || (f && !ferror(f) && fclose(f) == 0)) return;
    err_say("%s: cannot write %s: %s", c->name, path, strerror(errno));
    exit(EX_IOERR);
}

/* Turns predictions on if the machine has no GPU, unless --predict none. */
static void predict_for(harness_t *h)
{
    err_t err;
    char about[256] = "";
    const char *gpu = h->options->predict ? h->options->predict : h->on_gpu ? "none" : "h200";
    if (strcmp(gpu, "none") == 0) gpu = NULL;
    if (device_predict_for(gpu, about, sizeof about, &err)) {
        fprintf(stderr, "%s: %s\n", h->chapter->name, err.text);
        exit(EX_USAGE);
    }
    if (gpu) report_meta(h->report, "predicted", "%s", about);
}

harness_t *harness_open(const chapter_t *c, const options_t *o)
{
    if (o->list) {
        list_steps(c);
        exit(0);
    }
    refuse_unknown_steps(c, o);
    start_rows(c, o->lines, "step\tcase\tdtype\tfile\tline\tdoes\trequests\tper_request\tleast\tlanes\tsource\n");
    start_rows(c, o->trace, "");
    start_rows(c, o->film, "");

    err_t err = {{0}};
    if (try_threads(o->threads - 1, &err)) {
        fprintf(stderr, "%s: --threads: %s\n", c->name, err.text);
        exit(1);
    }
    if (o->threads) omp_set_num_threads(o->threads);
    harness_t *h = calloc(1, sizeof *h);
    if (!h) err_set(&err, "out of memory");
    if (o->sms) device_pretend_sms(o->sms);
    int failed = !h || device_open(&h->facts, &err);
    if (!failed) {
        h->chapter = c;
        h->options = o;
        h->on_gpu = strcmp(h->facts.backend, "cuda") == 0;
        device_configure(o->count, o->shuffle);
        if (o->film) device_keep_film();
        if (h->on_gpu && !o->once) failed = device_ceilings(&h->ceilings, &err);
    }
    int status = 1;
    if (!failed && !(h->report = report_open(o->format, o->record, &err))) failed = status = EX_IOERR;
    if (failed) {
        fprintf(stderr, "%s: %s\n", c->name, err.text);
        exit(status);
    }
    report_wide(h->report, o->wide);
    harness_header(h->report, c->name, o, &h->facts, o->once ? NULL : &h->ceilings);
    if (h->on_gpu && c->cusparse) report_meta(h->report, "cusparse", "%s", c->cusparse());
    predict_for(h);
    return h;
}

int harness_close(harness_t *h)
{
    const size_t failures = report_failures(h->report);
    report_close(h->report);
    if (failures) fprintf(stderr, "%s: %zu row%s FAILED\n", h->chapter->name, failures, failures == 1 ? "" : "s");
    free(h);
    return failures ? 1 : 0;
}
