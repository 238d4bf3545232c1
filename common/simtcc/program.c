/*
 * program.c - linked into every program that simtcc builds.  It reads SIMT_* from the environment before main, and
 * prints at the end what the kernels did (simt run sets these variables; simt(1) explains them).
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "limiter.h"
#include "simt.h"

enum { FAULT_STATUS = 86, TRACED_REQUESTS = 64 };

/* Defined in objects that simtcc --unchecked has compiled. */
extern char simt_unchecked_code __attribute__((weak));
static bool is_unchecked(void) { return &simt_unchecked_code != NULL; }

/* A kernel with one launch shape: a row of the table. */
typedef struct row {
    char *kernel;
    unsigned grid[3], block[3];
    size_t shared_bytes;
    uint64_t launches;
    simt_counts_t counts; /* sums of the printed counts */
    double lanes;         /* sum over launches of active lanes times requests */
    double us, low_us, high_us;
    char limiter[160];
} row_t;

static struct {
    bool counts, explains, predicts, leaks;
    const char *trace;
    FILE *each; /* one row per launch */
    unsigned launches, most_launches;
    gpu_t gpu;
    kernel_table_t *table;
    row_t *row;
    size_t n_rows;
} asked;

/* ---- before main ---- */

static bool is_on(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

/* Reads a whole number from the environment; returns fallback if the variable is not set, and ends the program if
 * it is not a number. */
static unsigned long long number(const char *name, unsigned long long least, unsigned long long most,
                                 unsigned long long fallback)
{
    const char *value = getenv(name);
    if (!value || !*value) return fallback;
    char *end;
    errno = 0;
    const unsigned long long n = strtoull(value, &end, 10);
    if (errno || *end || *value == '-' || n < least || n > most) {
        err_say("simt: %s=%s must be a whole number from %llu to %llu", name, value, least, most);
        exit(64);
    }
    return n;
}

static void predict_for(const char *gpu)
{
    err_t err;
    char table[PATH_MAX];
    const char *home = getenv("SIMT_HOME");
    snprintf(table, sizeof table, "%s/kernels.tsv", home ? home : "");
    if (gpu_read(&asked.gpu, gpu, &err)) {
        err_say("simt: SIMT_PREDICT: %s", err.text);
        exit(64);
    }
    asked.table = home ? kernels_read(table, NULL) : NULL; /* without the table predictions would be guesses */
    asked.predicts = true;
    simt_set_sm_count((int)asked.gpu.sms);
}

/* Writes a row for each launch to the file, in addition to the table at the end. */
static FILE *open_each(const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f) {
        err_say("simt: SIMT_COUNTS: %s: %s", path, strerror(errno));
        exit(73);
    }
    fprintf(f, "launch\tkernel\tgrid\tblock\tld_requests\tld_sectors\tst_requests\tst_sectors\tsh_ld_wavefronts\t"
               "sh_st_wavefronts\tactive_lanes\n");
    return f;
}

static void heard(const simt_launch_t *launch);
static void say_all(int status, void *unused);

/* Runs before the simulator's objects are created (at 102: KEEPS_OBJECTS, common/workshop/build/config.mk). */
__attribute__((constructor(101))) static void begin_unchecked(void)
{
    if (is_unchecked()) simt_set_unchecked();
}

/* Runs after these objects and before the program's own are created: their constructors may call CUDA, and their
 * destructors run before say_all. */
__attribute__((constructor(103))) static void begin(void)
{
    asked.explains = is_on("SIMT_EXPLAIN");
    asked.leaks = is_on("SIMT_LEAKS");
    asked.trace = getenv("SIMT_TRACE");
    const char *gpu = getenv("SIMT_PREDICT");
    if (gpu && *gpu) predict_for(gpu);
    const char *each = getenv("SIMT_COUNTS");
    if (each && *each) asked.each = open_each(each);
    asked.most_launches = (unsigned)number("SIMT_LAUNCHES", 1, UINT_MAX, 0);
    asked.counts = is_on("SIMT_COUNT") || asked.explains || asked.trace || asked.predicts || asked.each;
    if (is_unchecked() && (asked.counts || asked.leaks || is_on("SIMT_STRICT"))) {
        err_say("simt: this program was built by simtcc --unchecked, so it can be neither counted nor checked: "
                "build it without --unchecked, and without SIMTCC_UNCHECKED in the environment");
        exit(64);
    }
    simt_set_checks(is_unchecked() ? 0 : (SIMT_CHECK_EVERYTHING & ~SIMT_CHECK_EXACT_MASKS) | SIMT_CHECK_STREAMS);
    simt_set_counting(asked.counts);
    simt_set_lenient(!is_on("SIMT_STRICT"));
    simt_set_cpu_time(1);
    simt_set_index_checks(1);
    const char *every = getenv("SIMT_EVERY_LAUNCH");
    simt_set_every_launch(every && strcmp(every, "never") == 0 ? -1 : is_on("SIMT_EVERY_LAUNCH"));
    simt_set_seed(number("SIMT_SEED", 0, ULLONG_MAX, 0));
    simt_set_sample((unsigned)number("SIMT_SAMPLE", 1, UINT_MAX, 1));
    simt_set_workers((int)number("SIMT_WORKERS", 1, 256, 0));
    if (getenv("SIMT_SMS")) simt_set_sm_count((int)number("SIMT_SMS", 1, 1024, 8));
    if (getenv("SIMT_STEPS")) simt_set_step_limit(number("SIMT_STEPS", 1, ULLONG_MAX, 0));
    if (asked.trace) simt_set_trace(TRACED_REQUESTS);
    if (asked.predicts) simt_set_replay((size_t)1 << 30);
    if (asked.counts || asked.most_launches) simt_set_listener(heard);
    on_exit(say_all, NULL);
}

/* ---- during it ---- */

static row_t *row_of(const simt_launch_t *l)
{
    for (size_t i = 0; i < asked.n_rows; ++i) {
        row_t *r = &asked.row[i];
        if (strcmp(r->kernel, l->kernel) == 0 && memcmp(r->grid, l->grid, sizeof r->grid) == 0 &&
            memcmp(r->block, l->block, sizeof r->block) == 0 && r->shared_bytes == l->shared_bytes)
            return r;
    }
    row_t *more = realloc(asked.row, (asked.n_rows + 1) * sizeof *more);
    if (!more) return NULL;
    asked.row = more;
    row_t *r = &asked.row[asked.n_rows];
    *r = (row_t){.kernel = strdup(l->kernel), .shared_bytes = l->shared_bytes};
    if (!r->kernel) return NULL;
    memcpy(r->grid, l->grid, sizeof r->grid);
    memcpy(r->block, l->block, sizeof r->block);
    ++asked.n_rows;
    return r;
}

static void shape(char *text, size_t size, const unsigned s[3])
{
    if (s[2] > 1) snprintf(text, size, "%ux%ux%u", s[0], s[1], s[2]);
    else if (s[1] > 1) snprintf(text, size, "%ux%u", s[0], s[1]);
    else snprintf(text, size, "%u", s[0]);
}

static double memsets_of(const simt_way_t *ways, size_t n)
{
    double all = 0;
    for (size_t i = 0; ways && i < n; ++i) all += !ways[i].kernel;
    return all;
}

/* A launch that repeats an earlier one takes the same time, except for the memsets before it. */
static void predict_again(row_t *r, const double *note)
{
    size_t n;
    const simt_way_t *ways = simt_ways(&n);
    const double more = memsets_of(ways, n) - note[3];
    const double us = note[0] + asked.gpu.fit_gap * more * asked.gpu.memset_us;
    r->us += us;
    r->low_us += more == 0 ? note[1] : us / note[0] * note[1];
    r->high_us += more == 0 ? note[2] : us / note[0] * note[2];
    simt_set_replay((size_t)1 << 30);
}

static void predict_launch(row_t *r, double *note)
{
    size_t n;
    err_t err;
    const simt_way_t *ways = simt_ways(&n);
    prediction_t p = {.us = NAN, .low_us = NAN, .high_us = NAN};
    if (!ways) snprintf(r->limiter, sizeof r->limiter, "not modelled: too many requests to keep");
    else if (predict(&p, &asked.gpu, asked.table, ways, n, &err)) p.us = NAN;
    else if (!isfinite(p.us)) snprintf(r->limiter, sizeof r->limiter, "%s", p.why);
    else limiter_words(&p, &asked.gpu, r->limiter, sizeof r->limiter);
    r->us += p.us;
    r->low_us += p.low_us;
    r->high_us += p.high_us;
    if (note) memcpy(note, (double[]){p.us, p.low_us, p.high_us, memsets_of(ways, n)}, 4 * sizeof *note);
    simt_set_replay((size_t)1 << 30); /* for the next launch */
}

static void keep_launch(const simt_launch_t *l)
{
    row_t *r = row_of(l);
    if (!r) return;
    simt_counts_t *sum = &r->counts;
    const simt_counts_t *c = &l->counts;
    ++r->launches;
    sum->ld_requests += c->ld_requests;
    sum->ld_sectors += c->ld_sectors;
    sum->st_requests += c->st_requests;
    sum->st_sectors += c->st_sectors;
    sum->atomic_requests += c->atomic_requests;
    sum->sh_ld_requests += c->sh_ld_requests + c->sh_st_requests;
    sum->sh_ld_wavefronts += c->sh_ld_wavefronts + c->sh_st_wavefronts;
    sum->ld_useful_bytes += c->ld_useful_bytes + c->st_useful_bytes;
    const uint64_t instructions = c->ld_requests + c->st_requests + c->atomic_requests + c->sh_ld_requests +
                                  c->sh_st_requests + c->sh_atomic_requests;
    sum->warps += instructions;
    r->lanes += c->active_lanes * (double)instructions;
    if (asked.predicts && l->repeats) predict_again(r, l->note);
    else if (asked.predicts) predict_launch(r, l->note);
}

static void say_launch(const simt_launch_t *l)
{
    char grid[40], block[40];
    const simt_counts_t *c = &l->counts;
    shape(grid, sizeof grid, l->grid);
    shape(block, sizeof block, l->block);
    fprintf(asked.each, "%u\t%s\t%s\t%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%.2f\n", asked.launches, l->kernel, grid,
            block, (unsigned long long)c->ld_requests, (unsigned long long)c->ld_sectors,
            (unsigned long long)c->st_requests, (unsigned long long)c->st_sectors,
            (unsigned long long)c->sh_ld_wavefronts, (unsigned long long)c->sh_st_wavefronts, c->active_lanes);
    fflush(asked.each); /* so that it is there if the program is stopped */
}

static void heard(const simt_launch_t *l)
{
    ++asked.launches;
    if (asked.counts) keep_launch(l);
    if (asked.each) say_launch(l);
    if (asked.most_launches && asked.launches == asked.most_launches) exit(0);
}

/* ---- what kernels print ---- */

/* Replaces printf for the program, its kernels, libraries and modules, because a kernel that prints must run at every
 * launch.  Weak: this file may be linked in twice (lib/simt/libcudart.a, libcudadevrt.a). */
#define WEAK __attribute__((weak))

WEAK int vprintf(const char *format, va_list arguments)
{
    simt_leaves_something();
    return vfprintf(stdout, format, arguments);
}

WEAK int printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vprintf(format, arguments);
    va_end(arguments);
    return n;
}

/* Functions to which compilers convert printf. */
WEAK int __vprintf_chk(int level, const char *format, va_list arguments)
{
    (void)level;
    return vprintf(format, arguments);
}

WEAK int __printf_chk(int level, const char *format, ...)
{
    (void)level;
    va_list arguments;
    va_start(arguments, format);
    const int n = vprintf(format, arguments);
    va_end(arguments);
    return n;
}

WEAK int puts(const char *text)
{
    simt_leaves_something();
    flockfile(stdout);
    const bool fails = fputs(text, stdout) < 0 || putc_unlocked('\n', stdout) < 0;
    funlockfile(stdout);
    return fails ? EOF : 1;
}

WEAK int putchar(int c)
{
    simt_leaves_something();
    return putc(c, stdout);
}

/* ---- at its end ---- */

static void ratio(char *text, size_t size, double a, double b)
{
    if (b > 0) snprintf(text, size, "%.2f", a / b);
    else snprintf(text, size, "-");
}

static void say_row(FILE *f, const row_t *r, int width)
{
    char grid[40], block[40], ld[24], st[24], shared[24], lanes[24], useful[24];
    const simt_counts_t *c = &r->counts;
    shape(grid, sizeof grid, r->grid);
    shape(block, sizeof block, r->block);
    ratio(ld, sizeof ld, (double)c->ld_sectors, (double)c->ld_requests);
    ratio(st, sizeof st, (double)c->st_sectors, (double)c->st_requests);
    ratio(shared, sizeof shared, (double)c->sh_ld_wavefronts, (double)c->sh_ld_requests);
    ratio(lanes, sizeof lanes, r->lanes, (double)c->warps);
    ratio(useful, sizeof useful, 100 * (double)c->ld_useful_bytes, 32 * (double)(c->ld_sectors + c->st_sectors));
    fprintf(f, "%-*s %11s %9s %8llu %10llu %6s %10llu %6s %9llu %6s %7llu %6s %7s", width, r->kernel, grid, block,
            (unsigned long long)r->launches, (unsigned long long)c->ld_requests, ld, (unsigned long long)c->st_requests,
            st, (unsigned long long)c->sh_ld_requests, shared, (unsigned long long)c->atomic_requests, lanes, useful);
    if (asked.predicts && isfinite(r->us))
        fprintf(f, " %11.2f  %.2f to %.2f; %s", r->us, r->low_us, r->high_us, r->limiter);
    else if (asked.predicts)
        fprintf(f, " %11s  %s", "-", r->limiter);
    fputc('\n', f);
}

static void say_table(FILE *f)
{
    int width = 6;
    for (size_t i = 0; i < asked.n_rows; ++i) {
        const int length = (int)strlen(asked.row[i].kernel);
        if (length > width) width = length;
    }
    fprintf(f, "\nsimt: counts of the kernels' memory operations, as a profiler reports them; the simulator measures "
               "no times\n");
    fprintf(f, "%-*s %11s %9s %8s %10s %6s %10s %6s %9s %6s %7s %6s %7s%s\n", width, "", "", "", "", "ld", "sect", "st",
            "sect", "shared", "wave", "atomic", "active", "useful", asked.predicts ? "   predicted" : "");
    fprintf(f, "%-*s %11s %9s %8s %10s %6s %10s %6s %9s %6s %7s %6s %7s%s\n", width, "kernel", "grid", "block",
            "launches", "requests", "/req", "requests", "/req", "requests", "/req", "reqs", "lanes", "%",
            asked.predicts ? "          us  range; what it waits for" : "");
    for (size_t i = 0; i < asked.n_rows; ++i) say_row(f, &asked.row[i], width);
    if (asked.predicts)
        fprintf(f,
                "predicted for %s, not measured (model " PREDICT_VERSION "); the range holds for kernels of the "
                "course; other programs can lie outside it\n",
                asked.gpu.name);
}

static int write_trace(void)
{
    FILE *f = fopen(asked.trace, "w");
    const int failed = !f || simt_trace(f) < 0 || fclose(f);
    if (failed) err_say("simt: %s: %s", asked.trace, strerror(errno));
    return failed;
}

/* Runs last at exit.  Changes status 0 if a kernel had a fault. */
static void say_all(int status, void *unused)
{
    (void)unused;
    fflush(NULL);
    if (asked.n_rows) say_table(stderr);
    if (asked.explains && asked.n_rows) {
        fprintf(stderr, "\n");
        simt_explain(stderr);
    }
    const bool failed = asked.trace && write_trace();
    if (!is_unchecked() && !simt_fault()) simt_say_lost(stderr); /* a fault prevents freeing */
    if (asked.leaks) simt_leaks(stderr);
    kernels_free(asked.table);
    for (size_t i = 0; i < asked.n_rows; ++i) free(asked.row[i].kernel);
    free(asked.row);
    if (is_unchecked())
        fprintf(stderr, "simt: this program was compiled with simtcc --unchecked: no checks, no counts\n");
    uint64_t errors, warnings;
    simt_passed(&errors, &warnings);
    if (errors || warnings)
        fprintf(stderr,
                "simt: total: %llu source line%s with errors, %llu with warnings (the kernels continued; simt run "
                "--strict stops at the first)\n",
                (unsigned long long)errors, errors == 1 ? "" : "s", (unsigned long long)warnings);
    const bool fault = simt_fault() && !simt_assertion_told();
    if (status == 0 && (fault || errors || failed)) {
        fflush(NULL);
        _exit(fault || errors ? FAULT_STATUS : 74);
    }
}
