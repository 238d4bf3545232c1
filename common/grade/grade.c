/*
 * grade.c - marks a submission: builds it, runs it on cases with fresh numbers, compares its counts with named steps.
 *
 * Exit code: 0 all points, 1 not all, 2 the file cannot be read, 3 it could not be graded, 64 a bad option.
 */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "judge.h"
#include "report.h"
#include "verify.h"
#include "version.h" /* COURSE_COMMIT */

enum {
    MOST_SOURCE = 1 << 18,
    LINES = 8,
    RESULTS = 40,
    EXIT_PASSED = 0,
    EXIT_NOT_ALL = 1,
    EXIT_NO_FILE = 2,
    EXIT_NOT_GRADED = 3
};

typedef struct options {
    int chapter, exercise;
    const char *file, *name, *build, *card, *record, *row;
    uint64_t seed;
    unsigned seconds;
    bool seed_set, unsandboxed, no_rules, list;
} options_t;

/* One line of the table. */
typedef struct line {
    int points, of;
    bool bonus;         /* counts beyond 100 */
    char what[160];
    char why[1500];     /* empty if there is nothing to say */
} line_t;

/* A case that was run, for the record. */
typedef struct kept {
    char step[16], name[96];
    const char *dtype;
    judge_result_t result;
} kept_t;

typedef struct grading {
    const grade_chapter_t *chapter;
    const exercise_t *exercise;
    const options_t *options;
    judge_t judge;
    report_t *report;
    rng_t rng;
    line_t line[LINES];
    int lines;
    kept_t kept[RESULTS];
    int kept_count, done, total;
    const char *verdict;
    int points;
    bool stopped; /* the sandbox had to: nothing more is run */
    char printed[200];
} grading_t;

/* ---- options ----------------------------------------------------------------------------------- */

enum { OPTION_UNSANDBOXED = 256, OPTION_NO_RULES, OPTION_NAME, OPTION_ROW, OPTION_SECONDS };

static const struct argp_option OPTIONS[] = {
    {"build", 'b', "FOLDER", 0, "where the course was built for the stand-in (build/simt)", 0},
    {"card", 'c', "FOLDER", 0, "where it was built for a card: takes times, too", 0},
    {"list", 'l', NULL, 0, "shows the exercises and what they are worth", 0},
    {"name", OPTION_NAME, "NAME", 0, "what messages and the record call the file", 0},
    {"no-rules", OPTION_NO_RULES, NULL, 0,
     "looks at no header, word or function of the file: to test the sandbox and the judge", 0},
    {"record", 'r', "FILE", 0, "keeps a record; JSON if FILE ends in .json", 0},
    {"row", OPTION_ROW, "FILE", 0, "keeps one line for a leaderboard", 0},
    {"seconds", OPTION_SECONDS, "N", 0, "one case may take that long (10)", 0},
    {"seed", 's', "N", 0, "the same hidden cases again (fresh ones each time)", 0},
    {"unsandboxed", OPTION_UNSANDBOXED, NULL, 0,
     "without bubblewrap, for files you trust: they could do what you can do", 0},
    {0},
};

static unsigned long number(const char *text, unsigned long most, struct argp_state *state)
{
    char *end;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || value > most)
        argp_error(state, "%s is no number from 0 to %lu", text, most);
    return value;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    options_t *o = state->input;
    switch (key) {
    case 'b': o->build = text; break;
    case 'c': o->card = text; break;
    case 'l': o->list = true; break;
    case 'r': o->record = text; break;
    case 's': o->seed = number(text, ULONG_MAX, state), o->seed_set = true; break;
    case OPTION_NAME: o->name = text; break;
    case OPTION_NO_RULES: o->no_rules = true; break;
    case OPTION_ROW: o->row = text; break;
    case OPTION_SECONDS: o->seconds = (unsigned)number(text, 3600, state); break;
    case OPTION_UNSANDBOXED: o->unsandboxed = true; break;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0) o->chapter = (int)number(text, 99, state);
        else if (state->arg_num == 1) o->exercise = (int)number(text, 99, state);
        else if (state->arg_num == 2) o->file = text;
        else return ARGP_ERR_UNKNOWN;
        break;
    case ARGP_KEY_END:
        if (!o->list && state->arg_num < 3) argp_error(state, "which chapter, exercise and file?");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp ARGP = {.options = OPTIONS,
                                 .parser = parse,
                                 .args_doc = "CHAPTER EXERCISE FILE",
                                 .doc = "Marks a submission: builds it, runs it on cases with fresh numbers in a "
                                        "sandbox, compares its counts with named "
                                        "steps.\vExit code: 0 all points, 1 not all, 2 the file cannot be read, 3 it "
                                        "could not be graded, 64 a bad option."};

static void describe_goal(const grade_goal_t *goal, char *what, size_t size)
{
    snprintf(what, size, "%s, at most %.4g%s%s", grade_metric_name(goal->metric), goal->most,
             goal->step ? "x of step " : "", goal->step ? goal->step : "");
}

static int list_exercises(void)
{
    size_t count;
    const exercise_t *e = grade_exercises(&count);
    for (size_t i = 0; i < count; ++i) {
        const grade_chapter_t *c = grade_chapter(e[i].chapter);
        char what[160];
        printf("N=%d E=%d  %s/%s  %s\n", e[i].chapter, e[i].number, c->folder, e[i].file, e[i].title);
        printf("  %3d  right: %s\n  %3d  edges: %s\n  %3d  shapes: %s\n", POINTS_RIGHT, c->what_r, POINTS_EDGES,
               c->what_e, POINTS_SHAPES, c->what_s);
        for (int k = 0; k < GRADE_GOALS && e[i].goals[k].points; ++k) {
            describe_goal(&e[i].goals[k], what, sizeof what);
            const bool second = e[i].cases[1].group == e[i].goals[k].group;
            printf("  %3d  %s, on %s\n", e[i].goals[k].points, what, e[i].cases[second].recipe);
        }
    }
    return 0;
}

/* ---- the lines of the table ---------------------------------------------------------------------- */

static line_t *add_line(grading_t *g, int of, const char *what)
{
    line_t *l = &g->line[g->lines < LINES - 1 ? g->lines++ : LINES - 1];
    *l = (line_t){.of = of};
    snprintf(l->what, sizeof l->what, "%s", what);
    return l;
}

/* Opens a case, runs it, keeps the result.  step NULL: the submission. */
static int run_case(grading_t *g, const judge_t *j, const battery_case_t *c, const char *step, judge_result_t **result,
                    err_t *err)
{
    kept_t *k = &g->kept[g->kept_count < RESULTS - 1 ? g->kept_count++ : RESULTS - 1];
    report_progress(g->report, (size_t)g->done++, (size_t)g->total, "%s %s", step ? step : g->judge.name, c->name);
    snprintf(k->step, sizeof k->step, "%s", step ? step : "student");
    snprintf(k->name, sizeof k->name, "%s", c->name);
    k->dtype = dtype_name(c->job.dtype);
    *result = &k->result;
    if (judge_case(j, c, step, &k->result, err)) return -1;
    g->stopped = g->stopped || k->result.stopped;
    if (!step && *k->result.printed && !*g->printed) memcpy(g->printed, k->result.printed, sizeof g->printed);
    return 0;
}

static dtype_t type_of(char c) { return c == '8' ? DTYPE_F64 : DTYPE_F32; }

static const char NOT_TRIED[] = "not tried after that";

/* All cases of a group: one line, right or not. */
static int mark_group(grading_t *g, char group, int of, const char *title, const char *what, err_t *err)
{
    char text[160];
    snprintf(text, sizeof text, "%s: %s", title, what);
    line_t *l = add_line(g, of, text);
    for (int i = 0; i < GRADE_CASES && g->chapter->cases[i].recipe; ++i) {
        const grade_case_t *spec = &g->chapter->cases[i];
        for (const char *t = spec->types; spec->group == group && *t; ++t) {
            if (g->stopped) {
                strcpy(l->why, NOT_TRIED);
                return 0;
            }
            battery_case_t c;
            judge_result_t *r;
            int failed = battery_open(&c, g->chapter, spec, type_of(*t), false, &g->rng, err);
            if (!failed) failed = run_case(g, &g->judge, &c, NULL, &r, err);
            if (!failed && !r->right) snprintf(l->why, sizeof l->why, "%s: %s", c.name, r->why);
            battery_close(&c);
            if (failed) return -1;
            if (*l->why) return 0; /* the first reason is enough */
        }
    }
    l->points = l->of;
    return 0;
}

static double metric_of(grade_metric_t m, const job_answer_t *a)
{
    switch (m) {
    case METRIC_LD_SECTORS: return (double)a->ld_sectors;
    case METRIC_LD_REQUESTS: return (double)a->ld_requests;
    case METRIC_SHARED: return (double)(a->sh_ld_wavefronts + a->sh_st_wavefronts);
    case METRIC_ATOMICS: return (double)a->atomic_requests;
    default: return a->warp_max_mean;
    }
}

/* One goal: what the submission did on its case, beside what the step did. */
static int mark_goal(grading_t *g, const grade_goal_t *goal, const battery_case_t *c, const judge_result_t *student,
                     bool right, err_t *err)
{
    char what[160];
    describe_goal(goal, what, sizeof what);
    line_t *l = add_line(g, goal->points, what);
    if (!student || !student->right) {
        snprintf(l->why, sizeof l->why, "%s%s%s", student ? c->name : "", student ? ": " : "",
                 student ? student->why : NOT_TRIED);
        return 0;
    }
    double step = 1;
    if (goal->step) {
        judge_result_t *r;
        if (run_case(g, &g->judge, c, goal->step, &r, err)) return -1;
        if (!r->right) return err_set(err, "step %s is wrong on %s: %s", goal->step, c->name, r->why);
        step = metric_of(goal->metric, &r->counts);
    }
    const double own = metric_of(goal->metric, &student->counts);
    const double ratio = step > 0 ? own / step : own > 0 ? INFINITY : 0;
    const bool known = isfinite(own) && own >= 0;
    if (known && right) l->points = ratio <= goal->most ? l->of : ratio <= 1.5 * goal->most ? l->of / 2 : 0;
    if (goal->step)
        snprintf(l->why, sizeof l->why, "%s: %.2fx of step %s (%.0f, and %.0f)", c->name, ratio, goal->step, own, step);
    else snprintf(l->why, sizeof l->why, "%s: %.2f", c->name, own);
    if (!right)
        snprintf(l->why + strlen(l->why), sizeof l->why - strlen(l->why), "; counts once ordinary input is right");
    return 0;
}

static int mark_goals(grading_t *g, bool right, err_t *err)
{
    for (int i = 0; i < 2 && g->exercise->cases[i].recipe; ++i) {
        battery_case_t c;
        judge_result_t *student = NULL;
        int failed = battery_open(&c, g->chapter, &g->exercise->cases[i], DTYPE_F32, false, &g->rng, err);
        if (!failed && !g->stopped) failed = run_case(g, &g->judge, &c, NULL, &student, err);
        for (int k = 0; k < GRADE_GOALS && !failed; ++k)
            if (g->exercise->goals[k].points && g->exercise->goals[k].group == g->exercise->cases[i].group)
                failed = mark_goal(g, &g->exercise->goals[k], &c, student, right, err);
        battery_close(&c);
        if (failed) return -1;
    }
    return 0;
}

/* Where a folder that was named really is. */
static int resolve(char *out, size_t size, const char *folder, const char *inside, err_t *err)
{
    char joined[PATH_MAX], real[PATH_MAX];
    snprintf(joined, sizeof joined, "%s/%s", folder, inside);
    if (!realpath(joined, real)) return err_set(err, "%s: %s; make grade builds it", joined, strerror(errno));
    snprintf(out, size, "%s", real);
    return 0;
}

/* On a card: built by nvcc, every timed run on new numbers and judged. */
static int mark_time(grading_t *g, const char *source, size_t bytes, err_t *err)
{
    judge_t j = g->judge;
    judge_built_t built;
    char text[2000], what[160];
    *j.scratch = 0;
    snprintf(text, sizeof text, "grade/steps_%s", g->chapter->folder);
    if (resolve(j.kit, sizeof j.kit, g->options->card, "grade/kit", err)) return -1;
    if (resolve(j.steps, sizeof j.steps, g->options->card, text, err)) return -1;
    j.card = true;
    j.seconds = 60;
    snprintf(what, sizeof what, "time on this card, at most 1.1x of step %s", g->exercise->timed_step);
    line_t *l = add_line(g, POINTS_SPEED, what);
    l->bonus = true;
    int failed = judge_build(&j, source, bytes, &built, text, sizeof text, err);
    if (!failed && built != BUILT) {
        snprintf(l->why, sizeof l->why, "nvcc: %.1400s", text);
    } else if (!failed) {
        const grade_case_t spec = {'T', "4", g->exercise->timed_recipe};
        battery_case_t c;
        judge_result_t *own, *step;
        failed = battery_open(&c, g->chapter, &spec, DTYPE_F32, true, &g->rng, err);
        if (!failed) failed = run_case(g, &j, &c, NULL, &own, err);
        if (!failed && !own->right) {
            snprintf(l->why, sizeof l->why, "%s: %s", c.name, own->why);
        } else if (!failed) {
            failed = run_case(g, &j, &c, g->exercise->timed_step, &step, err);
            if (!failed && !step->right)
                failed = err_set(err, "step %s is wrong on %s: %s", g->exercise->timed_step, c.name, step->why);
            if (!failed) {
                const double ratio = own->time_us / step->time_us;
                l->points = ratio <= 1.1 ? l->of : ratio <= 1.5 ? l->of / 2 : 0;
                snprintf(l->why, sizeof l->why, "%s: %.1f us (+-%.1f %%), %.2fx of step %s (%.1f us)", c.name,
                         own->time_us, own->spread_pct, ratio, g->exercise->timed_step, step->time_us);
            }
        }
        battery_close(&c);
    }
    judge_clean(&j);
    return failed;
}

/* ---- what is said ---------------------------------------------------------------------------------- */

static void print_indented(const char *text)
{
    for (const char *at = text; *at;) {
        const size_t n = strcspn(at, "\n");
        printf("          ");
        for (size_t i = 0; i < n; ++i) putchar(iscntrl((unsigned char)at[i]) ? ' ' : at[i]);
        putchar('\n');
        at += n + (at[n] == '\n');
    }
}

static void print_table(const grading_t *g, const char *message)
{
    printf("%s, exercise %d: %s\n%s   seed %llu\n\n", g->chapter->folder, g->exercise->number, g->exercise->title,
           g->judge.name, (unsigned long long)g->options->seed);
    for (int i = 0; i < g->lines; ++i) {
        const line_t *l = &g->line[i];
        printf("%s%3d/%-3d  %s\n", l->bonus ? "+" : " ", l->points, l->of, l->what);
        print_indented(l->why);
    }
    print_indented(message);
    if (*g->printed) printf("\n          It printed \"%s\", which is not looked at.\n", g->printed);
    printf("\n %3d/100  %s\n", g->points, g->verdict);
}

/* The first thing to repair: of the first line that is not full. */
static void first_reason(const grading_t *g, const char *message, char *text, size_t size)
{
    const char *why = *message ? message : "";
    for (int i = g->lines - 1; i >= 0; --i)
        if (g->line[i].points < g->line[i].of && !g->line[i].bonus) why = g->line[i].why;
    snprintf(text, size, "%.*s", (int)size - 1, why);
    for (char *c = text; *c; ++c)
        if (iscntrl((unsigned char)*c)) *c = ' ';
}

static void time_of(const grading_t *g, const char *step, double *us, double *spread)
{
    *us = *spread = NAN;
    for (int i = 0; i < g->kept_count; ++i)
        if (strcmp(g->kept[i].step, step) == 0 && isfinite(g->kept[i].result.time_us)) {
            *us = g->kept[i].result.time_us;
            *spread = g->kept[i].result.spread_pct;
        }
}

static int write_row(const grading_t *g, const char *message, err_t *err)
{
    char reason[1500];
    double us, spread;
    FILE *f = fopen(g->options->row, "w");
    if (!f) return err_set(err, "%s: %s", g->options->row, strerror(errno));
    first_reason(g, message, reason, sizeof reason);
    time_of(g, "student", &us, &spread);
    fprintf(f, "%d\t%s\t", g->points, g->verdict);
    if (isfinite(us)) fprintf(f, "%.3f\t", us);
    else fprintf(f, "-\t");
    fprintf(f, "%.300s\n", *reason ? reason : "-");
    return fclose(f) ? err_set(err, "%s: %s", g->options->row, strerror(errno)) : 0;
}

static int write_record(grading_t *g, const char *message, err_t *err)
{
    report_t *r = g->report;
    char date[32], key[32], reason[1500];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    report_meta(r, "kind", "grading");
    report_meta(r, "chapter", "%s", g->chapter->folder);
    report_meta(r, "exercise", "%d", g->exercise->number);
    report_meta(r, "title", "%s", g->exercise->title);
    report_meta(r, "file", "%s", g->judge.name);
    report_meta(r, "verdict", "%s", g->verdict);
    report_meta(r, "points", "%d", g->points);
    report_meta(r, "of", "100");
    for (int i = 0; i < g->lines; ++i) {
        snprintf(key, sizeof key, "line_%d", i + 1);
        report_meta(r, key, "%d/%d%s %s%s%s", g->line[i].points, g->line[i].of, g->line[i].bonus ? " bonus" : "",
                    g->line[i].what, *g->line[i].why ? ": " : "", g->line[i].why);
    }
    first_reason(g, message, reason, sizeof reason);
    report_meta(r, "reason", "%s", *reason ? reason : "-");
    report_meta(r, "printed", "%s", *g->printed ? g->printed : "-");
    report_meta(r, "sandbox", "%s", g->options->unsandboxed ? "none" : "bubblewrap");
    report_meta(r, "rules", "%s", g->options->no_rules ? "not looked at" : "kept");
    report_meta(r, "backend", "%s", g->options->card ? "simt, cuda" : "simt");
    report_meta(r, "commit", "%s", COURSE_COMMIT);
    report_meta(r, "seed", "%llu", (unsigned long long)g->options->seed);
    report_meta(r, "date", "%s", date);

    for (int i = 0; i < g->kept_count || i == 0; ++i) {
        const kept_t *k = &g->kept[i];
        const job_answer_t *a = &k->result.counts;
        char status[1500];
        const bool none = g->kept_count == 0, timed = isfinite(k->result.time_us);
        snprintf(status, sizeof status, "%s%.1400s",
                 !none && k->result.right ? "ok" : "FAIL: ", none ? message : k->result.why);
        if (!none && k->result.right) strcpy(status, "ok");
        const report_row_t row = {.chapter = g->chapter->folder,
                                  .step = none ? "student" : k->step,
                                  .kind = "gpu",
                                  .case_name = none ? "-" : k->name,
                                  .dtype = none ? "-" : k->dtype,
                                  .idea = strcmp(k->step, "student") && !none ? "compared with" : "your own",
                                  .setup_ms = NAN,
                                  .cold_us = k->result.time_us,
                                  .warm_us = NAN,
                                  .spread_pct = k->result.spread_pct,
                                  .bytes = NAN,
                                  .cold_gbps = NAN,
                                  .pct_ceiling = NAN,
                                  .efficiency = NAN,
                                  .err_over_tol = NAN,
                                  .status = status,
                                  .counted = !none && k->result.right && !timed,
                                  .ld_requests = a->ld_requests,
                                  .ld_sectors = a->ld_sectors,
                                  .st_requests = a->st_requests,
                                  .st_sectors = a->st_sectors,
                                  .sh_ld_wavefronts = a->sh_ld_wavefronts,
                                  .sh_st_wavefronts = a->sh_st_wavefronts,
                                  .active_lanes = a->active_lanes,
                                  .useful_pct = a->useful_pct,
                                  .atomic_requests = a->atomic_requests,
                                  .warp_max_mean = a->warp_max_mean,
                                  .block_max_mean = NAN};
        if (report_add(r, &row, err)) return -1;
    }
    return 0;
}

/* ---- all of it --------------------------------------------------------------------------------- */

/* The submission, whole.  NULL and *err. */
static char *read_source(const char *path, size_t *bytes, err_t *err)
{
    struct stat status;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    char *source = NULL;
    if (fd < 0 || fstat(fd, &status)) err_set(err, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(status.st_mode)) err_set(err, "%s is not a file", path);
    else if (status.st_size > MOST_SOURCE)
        err_set(err, "%s has %lld bytes; a submission has at most %d", path, (long long)status.st_size, MOST_SOURCE);
    else if (!(source = malloc((size_t)status.st_size + 1))) err_set(err, "out of memory for %s", path);
    if (source) *bytes = (size_t)job_read_all(fd, source, (size_t)status.st_size);
    if (fd >= 0) close(fd);
    return source;
}

/* Messages, scripts and records get a name without surprises. */
static char *plain_name(const char *name)
{
    char *plain = strdup(name);
    for (char *c = plain; c && *c; ++c)
        if (!isalnum((unsigned char)*c) && !strchr("._/+-", *c)) *c = '_';
    return plain;
}

static int mark(grading_t *g, const char *source, size_t bytes, err_t *err)
{
    if (mark_group(g, 'r', POINTS_RIGHT, "right", g->chapter->what_r, err)) return -1;
    const bool right = g->line[0].points > 0;
    if (mark_group(g, 'e', POINTS_EDGES, "edges", g->chapter->what_e, err)) return -1;
    if (mark_group(g, 's', POINTS_SHAPES, "shapes", g->chapter->what_s, err)) return -1;
    if (mark_goals(g, right, err)) return -1;
    return g->options->card && right ? mark_time(g, source, bytes, err) : 0;
}

static int grade(grading_t *g, const char *source, size_t bytes, err_t *err)
{
    static char message[4000];
    judge_built_t built;
    g->verdict = "failed";
    int failed = judge_build(&g->judge, source, bytes, &built, message, sizeof message, err);
    if (!failed && built != BUILT) g->verdict = built == BROKE_A_RULE ? "refused" : "does not compile";
    if (!failed && built == BUILT) {
        *message = 0;
        failed = mark(g, source, bytes, err);
    }
    judge_clean(&g->judge);
    report_progress(g->report, (size_t)g->total, (size_t)g->total, "%s", g->judge.name);
    if (failed) return -1;
    int base = 0;
    for (int i = 0; i < g->lines; ++i) {
        g->points += g->line[i].points;
        base += g->line[i].bonus ? 0 : g->line[i].points;
    }
    if (g->points > 0) g->verdict = base == 100 ? "passed" : "partial";
    if (g->options->record && write_record(g, message, err)) return -1;
    if (g->options->row && write_row(g, message, err)) return -1;
    g->report = report_close(g->report); /* wipes the progress line */
    print_table(g, message);
    return 0;
}

int main(int argc, char **argv)
{
    options_t o = {.build = "build/simt", .seconds = 10};
    err_t err = {{0}};
    argp_err_exit_status = EX_USAGE;
    argp_parse(&ARGP, argc, argv, 0, NULL, &o);
    if (o.list) return list_exercises();
    static grading_t g;
    g.chapter = grade_chapter(o.chapter);
    g.exercise = grade_exercise(o.chapter, o.exercise);
    if (!g.exercise) {
        fprintf(stderr, "grade: chapter %d has no exercise %d; --list shows them\n", o.chapter, o.exercise);
        return EX_USAGE;
    }
    size_t bytes = 0;
    char *source = read_source(o.file, &bytes, &err), *name = plain_name(o.name ? o.name : o.file);
    if (!source || !name) {
        fprintf(stderr, "grade: %s\n", *err.text ? err.text : "out of memory");
        return EXIT_NO_FILE;
    }
    if (!o.seed_set && getrandom(&o.seed, sizeof o.seed, 0) != (ssize_t)sizeof o.seed) o.seed = (uint64_t)time(NULL);
    g.options = &o;
    g.rng = rng_stream(o.seed, 0, (uint64_t)(o.chapter * 100 + o.exercise));
    g.judge = (judge_t){
        .chapter = g.chapter, .name = name, .rules = !o.no_rules, .unsandboxed = o.unsandboxed, .seconds = o.seconds};
    for (int i = 0; i < GRADE_CASES && g.chapter->cases[i].recipe; ++i)
        g.total += (int)strlen(g.chapter->cases[i].types);
    for (int i = 0; i < 2; ++i) g.total += g.exercise->cases[i].recipe != NULL;
    for (int i = 0; i < GRADE_GOALS; ++i) g.total += g.exercise->goals[i].step != NULL;
    g.total += o.card ? 2 : 0;

    char steps[64];
    snprintf(steps, sizeof steps, "grade/steps_%s", g.chapter->folder);
    int failed = !o.unsandboxed && sandbox_available(&err);
    if (failed) {
        fprintf(stderr,
                "grade: %s.\ngrade: --unsandboxed (make grade UNSANDBOXED=yes) grades without one: only for files you "
                "trust\n",
                err.text);
        return EXIT_NOT_GRADED;
    }
    failed = resolve(g.judge.kit, sizeof g.judge.kit, o.build, "grade/kit", &err) ||
             resolve(g.judge.steps, sizeof g.judge.steps, o.build, steps, &err);
    if (!failed) failed = !(g.report = report_open(REPORT_SILENT, o.record, &err));
    if (!failed) failed = grade(&g, source, bytes, &err);
    report_close(g.report);
    free(source);
    free(name);
    if (failed) {
        fprintf(stderr, "grade: %s\n", err.text);
        return EXIT_NOT_GRADED;
    }
    return strcmp(g.verdict, "passed") ? EXIT_NOT_ALL : EXIT_PASSED;
}
