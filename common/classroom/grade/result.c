/* result.c - see result.h */
#include "result.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "plain.h"
#include "version.h" /* COURSE_COMMIT */

void result_clean(marks_t *m)
{
    for (int i = 0; i < m->lines; ++i) plain_lines(m->line[i].why);
    for (int i = 0; i < m->runs; ++i) plain_lines(m->run[i].result.why);
    plain_lines(m->message);
    plain_line(m->printed);
    plain_line(m->predicted);
}

static void print_indented(const char *text)
{
    for (const char *at = text; *at;) {
        const size_t n = strcspn(at, "\n");
        printf("          %.*s\n", (int)n, at);
        at += n + (at[n] == '\n');
    }
}

/* The position of a fault and its remedy: a reason without its first line, which has the numbers of its case. */
static const char *place_of(const marks_line_t *l) { return l->why + strcspn(l->why, "\n"); }

/* Prints the reason of line i.  If an earlier line has reported the same fault, prints only its case. */
static void print_reason(const marks_t *m, int i)
{
    const char *why = m->line[i].why, *run = strstr(why, ": run ");
    for (int j = 0; j < i; ++j)
        if (*place_of(&m->line[i]) && !strcmp(place_of(&m->line[j]), place_of(&m->line[i]))) {
            printf("          %.*s: the same fault\n", (int)(run ? run - why : (long)strcspn(why, ":")), why);
            return;
        }
    print_indented(why);
}

void result_print(const marks_t *m)
{
    printf("%s, exercise %d: %s\n%s   seed %llu\n\n", m->exercise->chapter->folder, m->exercise->number,
           m->exercise->title, m->judge.name, (unsigned long long)m->seed);
    for (int i = 0; i < m->lines; ++i) {
        const marks_line_t *l = &m->line[i];
        printf("%s%3d/%-3d  %s\n", l->bonus ? "+" : " ", l->points, l->of, l->what);
        print_reason(m, i);
    }
    print_indented(m->message);
    if (*m->printed) printf("\n          It printed \"%s\"; the grader ignores output.\n", m->printed);
    if (*m->predicted && !m->predict_counts) printf("\n          Predicted, without points: %s\n", m->predicted);
    printf("\n %3d/100  %s\n", m->points, m->verdict);
}

/* The first problem to fix: the reason of the first line without full points. */
static void first_reason(const marks_t *m, char *text, size_t size)
{
    const marks_line_t *l = m->line, *end = m->line + m->lines;
    while (l < end && (l->points == l->of || l->bonus)) ++l;
    const bool goal = l < end && l - m->line >= GROUPS; /* for a group of cases the reason is enough */
    snprintf(text, size, "%s%s%.*s", goal ? l->what : "", goal ? ": " : "", (int)size / 2,
             l < end ? l->why : m->message);
    plain_line(text); /* removes line ends and an incomplete last character */
}

static double own_time(const marks_t *m)
{
    double us = NAN;
    for (int i = 0; i < m->runs; ++i)
        if (!strcmp(m->run[i].step, "student") && isfinite(m->run[i].result.time_us)) us = m->run[i].result.time_us;
    return us;
}

int result_row(const marks_t *m, const char *path, err_t *err)
{
    char reason[1500];
    const double us = own_time(m);
    FILE *f = fopen(path, "w");
    if (!f) return err_set(err, "cannot write %s: %s", path, strerror(errno));
    first_reason(m, reason, sizeof reason);
    reason[300] = 0;
    plain_line(reason);
    fprintf(f, "%d\t%s\t", m->points, m->verdict);
    if (isfinite(us)) fprintf(f, "%.3f\t", us);
    else fprintf(f, "-\t");
    fprintf(f, "%s\n", *reason ? reason : "-");
    int failed = ferror(f) || fflush(f) ? errno : 0;
    if (fclose(f) && !failed) failed = errno;
    return failed ? err_set(err, "cannot write %s: %s", path, strerror(failed)) : 0;
}

/* Writes the header: the exercise, its marks line by line, and how they were obtained. */
static void record_header(const marks_t *m, report_t *r)
{
    char date[32], key[32], reason[1500];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    report_meta(r, "kind", "grading");
    report_meta(r, "chapter", "%s", m->exercise->chapter->folder);
    report_meta(r, "exercise", "%d", m->exercise->number);
    report_meta(r, "title", "%s", m->exercise->title);
    report_meta(r, "file", "%s", m->judge.name);
    report_meta(r, "verdict", "%s", m->verdict);
    report_meta(r, "points", "%d", m->points);
    report_meta(r, "of", "100");
    for (int i = 0; i < m->lines; ++i) {
        snprintf(key, sizeof key, "line_%d", i + 1);
        report_meta(r, key, "%d/%d%s %s%s%s", m->line[i].points, m->line[i].of, m->line[i].bonus ? " bonus" : "",
                    m->line[i].what, *m->line[i].why ? ": " : "", m->line[i].why);
        snprintf(key, sizeof key, "why_%d", i + 1);
        report_meta(r, key, "%s", *m->line[i].why ? m->line[i].why : "-");
    }
    first_reason(m, reason, sizeof reason);
    report_meta(r, "reason", "%s", *reason ? reason : "-");
    report_meta(r, "message", "%s", *m->message ? m->message : "-");
    report_meta(r, "printed", "%s", *m->printed ? m->printed : "-");
    report_meta(r, "predicted", "%s", *m->predicted ? m->predicted : "-");
    report_meta(r, "sandbox", "%s", m->judge.unsandboxed ? "none" : "bubblewrap");
    report_meta(r, "rules", "%s", m->judge.rules ? "kept" : "not looked at");
    report_meta(r, "backend", "%s", isfinite(own_time(m)) ? "simt, cuda" : "simt");
    report_meta(r, "commit", "%s", COURSE_COMMIT);
    report_meta(r, "seed", "%llu", (unsigned long long)m->seed);
    report_meta(r, "date", "%s", date);
}

/* Adds a row for each run; if there was no run (m->runs is 0), a row with the reason. */
static int record_run(const marks_t *m, const marks_run_t *k, report_t *r, err_t *err)
{
    const job_answer_t *a = &k->result.counts;
    char why[1401];
    const bool none = m->runs == 0, own = none || !strcmp(k->step, "student"), right = !none && k->result.right;
    snprintf(why, sizeof why, "%.1400s", none ? m->message : k->result.why);
    report_row_t row = report_row_empty();
    row.chapter = m->exercise->chapter->folder;
    row.step = none ? "student" : k->step;
    row.kind = "gpu";
    row.case_name = none ? "-" : k->name;
    row.dtype = none ? "-" : dtype_name(k->dtype);
    row.idea = own ? "your own" : "compared with";
    row.cold_us = k->result.time_us;
    row.spread_pct = k->result.spread_pct;
    row.status = right ? REPORT_OK : REPORT_FAIL;
    row.why = why;
    row.counted = right && !isfinite(k->result.time_us);
    row.ld_requests = a->ld_requests;
    row.ld_sectors = a->ld_sectors;
    row.st_requests = a->st_requests;
    row.st_sectors = a->st_sectors;
    row.sh_ld_wavefronts = a->sh_ld_wavefronts;
    row.sh_st_wavefronts = a->sh_st_wavefronts;
    row.active_lanes = a->active_lanes;
    row.useful_pct = a->useful_pct;
    row.atomic_requests = a->atomic_requests;
    row.warp_max_mean = a->warp_max_mean;
    row.predicted_for = right && a->predicted_us > 0 ? m->predict->name : NULL;
    row.predicted_us = a->predicted_us;
    row.predicted_low_us = a->predicted_low_us;
    row.predicted_high_us = a->predicted_high_us;
    row.limiter = a->limiter;
    return report_add(r, &row, err);
}

int result_record(const marks_t *m, report_t *r, err_t *err)
{
    record_header(m, r);
    for (int i = 0; i < m->runs || i == 0; ++i)
        if (record_run(m, &m->run[i], r, err)) return -1;
    return 0;
}
