/* marks.c - see marks.h */
#include "marks.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "copied.h"

static const char NOT_TRIED[] = "not tried after that";

static marks_line_t *add_line(marks_t *m, int of, const char *what)
{
    marks_line_t *l = &m->line[m->lines++];
    l->of = of;
    snprintf(l->what, sizeof l->what, "%s", what);
    return l;
}

/* Gives all points for a ratio up to the goal, and half of them up to 1.5 times the goal. */
static int points_for(double ratio, double most, int of)
{
    return ratio <= most ? of : ratio <= 1.5 * most ? of / 2 : 0;
}

/* Called if a submission ended without an answer: runs the timed step on the first goal's input, to find out whether
 * this machine can run anything. */
static int check_machine(marks_t *m, err_t *err)
{
    battery_case_t c;
    judge_result_t r = {.right = false};
    rng_t rng = m->rng; /* keeps the generator's state, so that the cases remain those of the seed */
    int failed = battery_open(&c, m->exercise->chapter, &m->exercise->goals[0].input, false, &rng, err);
    c.job.runs = 1;
    if (!failed) failed = judge_case(&m->judge, &c, m->exercise->timed_step, &r, err);
    battery_close(&c);
    if (failed || r.right) return failed;
    return err_set(err, "the grader cannot run anything on this machine: step %s has %.900s", m->exercise->timed_step,
                   r.why);
}

/* Runs a case and stores the result.  step NULL: the submission. */
static int run_case(marks_t *m, const judge_t *j, const battery_case_t *c, const char *step, judge_result_t **result,
                    err_t *err)
{
    for (int i = 0; step && i < m->runs; ++i) /* each case is run once per step */
        if (!c->job.timed && !c->job.predict && !strcmp(m->run[i].step, step) && !strcmp(m->run[i].name, c->name)) {
            *result = &m->run[i].result;
            return 0;
        }
    marks_run_t *k = &m->run[m->runs++];
    report_progress(m->report, (size_t)m->done++, (size_t)m->total, "%s %s", step ? step : m->judge.name, c->name);
    snprintf(k->step, sizeof k->step, "%s", step ? step : "student");
    snprintf(k->name, sizeof k->name, "%s", c->name);
    k->dtype = c->job.dtype;
    *result = &k->result;
    battery_case_t judged = *c;
    judged.asks = step ? ASKED_STEP : m->exercise->asks;
    if (step && !c->job.timed) judged.job.runs = 1; /* its counts are those of the first run */
    if (judge_case(j, &judged, step, &k->result, err)) return -1;
    if (step && !k->result.right) return err_set(err, "step %s is wrong on %s: %s", step, c->name, k->result.why);
    if (k->result.silent && !j->gpu && !m->silent && check_machine(m, err)) return -1;
    m->silent = m->silent || k->result.silent;
    m->hidden = m->hidden || k->result.hidden;
    m->stopped = m->stopped || k->result.stopped || m->hidden;
    if (!step && !*m->printed) memcpy(m->printed, k->result.printed, sizeof m->printed);
    return 0;
}

/* Few requests get no points if one warp makes all of them, because most of the GPU waits for it. */
enum { MOST_FOR_ONE = 16, MOST_IN_ALL = 4, MOST_OF_ONE = 2, GOOD_PART = 8, MOST_TIME = 8 };
enum { SERIAL_WORK = 256, LONELY_WORK = 1024 };
enum { POINTS_SERIAL = 30, POINTS_COPIED = 30, POINTS_SLOW = 30 };

/* Whether one warp does all work on ordinary input.  The first case of the first group has many numbers or rows. */
static bool is_lonely(const job_answer_t *own)
{
    return own->work > LONELY_WORK && 2 * own->warp_work > own->work;
}

/* Marks all cases of a group in one line. */
static int mark_group(marks_t *m, grade_group_t group, err_t *err)
{
    const grade_chapter_t *chapter = m->exercise->chapter;
    char text[160];
    snprintf(text, sizeof text, "%s: %s", GRADE_GROUP_NAMES[group], chapter->groups[group].what);
    marks_line_t *l = add_line(m, GRADE_GROUP_POINTS[group], text);
    for (int i = 0; i < chapter->groups[group].count; ++i) {
        if (m->stopped) {
            strcpy(l->why, NOT_TRIED);
            return 0;
        }
        battery_case_t c;
        judge_result_t *r;
        int failed = battery_open(&c, chapter, &chapter->groups[group].cases[i], false, &m->rng, err);
        if (!failed) failed = run_case(m, &m->judge, &c, NULL, &r, err);
        if (!failed && !r->right) snprintf(l->why, sizeof l->why, "%s: %s", c.name, r->why);
        battery_close(&c);
        if (failed) return -1;
        if (!failed && group == GROUP_RIGHT && i == 0 && is_lonely(&r->counts)) m->serial = true;
        if (*l->why) return 0; /* the first reason is enough */
    }
    l->points = l->of;
    return 0;
}

void marks_describe_goal(const grade_goal_t *goal, char *what, size_t size)
{
    snprintf(what, size, "%s, at most %.4g%s%s", GRADE_METRIC_NAMES[goal->metric], goal->most,
             *goal->step ? "x of step " : "", goal->step);
}

/* Loads include atomics, because an atomic can replace a load. */
static double metric_of(grade_metric_t m, const job_answer_t *a)
{
    switch (m) {
    case METRIC_LD_SECTORS: return (double)(a->ld_sectors + a->atomic_sectors);
    case METRIC_LD_REQUESTS: return (double)(a->ld_requests + a->atomic_requests);
    case METRIC_SHARED: return (double)(a->sh_ld_wavefronts + a->sh_st_wavefronts);
    case METRIC_ATOMICS: return (double)a->atomic_requests;
    case METRIC_ATOMIC_LANES: return (double)a->atomic_lanes;
    default: return a->warp_max_mean;
    }
}

/* If one warp or block works while the others wait, appends this reason and returns true. */
static bool says_not_parallel(const char *what, int64_t own, int64_t all, int64_t step, const char *step_name,
                              char *why, size_t size)
{
    if (own <= MOST_FOR_ONE * step) return false;
    snprintf(why, size, "; not parallel: one %s executes %s%lld of %lld memory instructions (%s: at most %lld)", what,
             own == all ? "all " : "", (long long)own, (long long)all, step_name, (long long)step);
    return true;
}

/* A goal must not be reached by increasing another count instead.  If the submission does that, appends the reason why
 * the goal has no points, and returns true. */
static bool says_too_much(const exercise_t *e, grade_metric_t metric, const job_answer_t *own, const job_answer_t *step,
                          const char *step_name, char *why, size_t size)
{
    enum { LOADS = 1 << METRIC_LD_SECTORS | 1 << METRIC_LD_REQUESTS };
    const struct {
        const char *what;
        unsigned metrics; /* the goals that a larger count could help to reach */
        int64_t own, step, most;
    } counts[] = {
        {"sectors loaded", 1 << METRIC_LD_REQUESTS, own->ld_sectors, step->ld_sectors, MOST_OF_ONE},
        {"store requests", LOADS, own->st_requests, step->st_requests, MOST_OF_ONE},
        {"sectors stored", LOADS, own->st_sectors, step->st_sectors, MOST_OF_ONE},
        {"lanes in global atomics", LOADS, own->atomic_lanes, step->atomic_lanes, MOST_OF_ONE},
        /* useless work would raise the mean */
        {"memory instructions", 1 << METRIC_MAX_WARP, own->work, step->work, MOST_IN_ALL},
    };
    bool sectors_count = false; /* whether sectors have a goal of their own */
    for (int i = 0; i < e->goal_count; ++i) sectors_count |= e->goals[i].metric == METRIC_LD_SECTORS;
    if (says_not_parallel("warp", own->warp_work, own->work, step->warp_work, step_name, why, size) ||
        says_not_parallel("block", own->block_work, own->work, step->block_work, step_name, why, size))
        return true;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        if (!(counts[i].metrics & 1u << metric) || (i == 0 && sectors_count)) continue;
        if (counts[i].own <= counts[i].most * counts[i].step + step->ld_requests) continue; /* the step may have 0 */
        snprintf(why, size, "; no points: %lld %s (%s: %lld)", (long long)counts[i].own, counts[i].what, step_name,
                 (long long)counts[i].step);
        return true;
    }
    return false;
}

/* Whether one warp or block does all work, or a large part and far more than the step's busiest one: the other warps
 * may do useless work. */
static bool is_serial(const job_answer_t *own, const job_answer_t *step)
{
    const bool busy = own->warp_work > MOST_FOR_ONE * step->warp_work && GOOD_PART * own->warp_work > own->work;
    return own->work > SERIAL_WORK && (2 * own->warp_work > own->work || own->block_work >= own->work || busy);
}

/* Marks one goal: compares the submission's count on the goal's input with the step's.  student NULL: the submission
 * was not run. */
static int mark_goal(marks_t *m, const grade_goal_t *goal, const battery_case_t *c, const judge_result_t *student,
                     err_t *err)
{
    char what[160];
    marks_describe_goal(goal, what, sizeof what);
    marks_line_t *l = add_line(m, goal->points, what);
    if (!student || !student->right) {
        snprintf(l->why, sizeof l->why, "%s%s%s", student ? c->name : "", student ? ": " : "",
                 student ? student->why : NOT_TRIED);
        return 0;
    }
    const char *beside = *goal->step ? goal->step : m->exercise->timed_step;
    judge_result_t *r;
    if (run_case(m, &m->judge, c, beside, &r, err)) return -1;
    const double step = *goal->step ? metric_of(goal->metric, &r->counts) : 1;
    const bool right = m->line[GROUP_RIGHT].points > 0;
    const double own = metric_of(goal->metric, &student->counts);
    const double ratio = step > 0 ? own / step : own > 0 ? INFINITY : 0;
    if (isfinite(own) && own >= 0 && right) l->points = points_for(ratio, goal->most, l->of);
    const int digits = goal->metric == METRIC_MAX_WARP ? 2 : 0;
    if (*goal->step)
        snprintf(l->why, sizeof l->why, "%s: %.2fx of step %s (%.*f; the step: %.*f)", c->name, ratio, goal->step,
                 digits, own, digits, step);
    else snprintf(l->why, sizeof l->why, "%s: %.2f", c->name, own);
    if (is_serial(&student->counts, &r->counts)) m->serial = true;
    if (says_too_much(m->exercise, goal->metric, &student->counts, &r->counts, beside, l->why + strlen(l->why),
                      sizeof l->why - strlen(l->why)))
        l->points = 0;
    if (!right)
        snprintf(l->why + strlen(l->why), sizeof l->why - strlen(l->why),
                 "; these points count once ordinary input is right");
    return 0;
}

/* Marks all goals.  Goals with the same input share one run of the submission. */
static int mark_goals(marks_t *m, err_t *err)
{
    const exercise_t *e = m->exercise;
    for (int first = 0; first < e->goal_count;) {
        battery_case_t c;
        judge_result_t *student = NULL;
        int failed = battery_open(&c, e->chapter, &e->goals[first].input, false, &m->rng, err), k = first;
        if (!failed && !m->stopped) failed = run_case(m, &m->judge, &c, NULL, &student, err);
        for (; k < e->goal_count && !strcmp(e->goals[k].input.recipe, e->goals[first].input.recipe) && !failed; ++k)
            failed = mark_goal(m, &e->goals[k], &c, student, err);
        battery_close(&c);
        if (failed) return -1;
        first = k;
    }
    return 0;
}

/* Finds the absolute paths of the kit and of the chapter's steps, which the sandbox needs. */
static int find_build(const marks_t *m, judge_t *j, const char *build, err_t *err)
{
    char joined[PATH_MAX], real[PATH_MAX];
    for (int steps = 0; steps < 2; ++steps) {
        snprintf(joined, sizeof joined, "%s/grade/%s%s", build, steps ? "steps_" : "kit",
                 steps ? m->exercise->chapter->folder : "");
        if (!realpath(joined, real)) return err_set(err, "%s: %s: build it by make grade", joined, strerror(errno));
        snprintf(steps ? j->steps : j->kit, sizeof j->kit, "%s", real);
    }
    return 0;
}

/* Marks the time on a GPU: builds with nvcc; every timed run has new numbers and is judged. */
static int mark_time(marks_t *m, const char *source, size_t bytes, const char *gpu, err_t *err)
{
    const char *step_name = m->exercise->timed_step;
    judge_t j = m->judge;
    judge_built_t built;
    char text[2000], what[160];
    *j.scratch = 0;
    j.gpu = true;
    j.seconds = 60;
    if (find_build(m, &j, gpu, err)) return -1;
    snprintf(what, sizeof what, "time on this GPU, at most 1.1x of step %s", step_name);
    marks_line_t *l = add_line(m, POINTS_SPEED, what);
    l->bonus = true;
    int failed = judge_build(&j, source, bytes, &built, text, sizeof text, err);
    if (!failed && built != BUILT) {
        snprintf(l->why, sizeof l->why, "nvcc: %.1400s", text);
    } else if (!failed) {
        battery_case_t c;
        judge_result_t *own, *step;
        failed = battery_open(&c, m->exercise->chapter, &m->exercise->timed, true, &m->rng, err);
        if (!failed) failed = run_case(m, &j, &c, NULL, &own, err);
        if (!failed && !own->right) {
            snprintf(l->why, sizeof l->why, "%s: %s", c.name, own->why);
        } else if (!failed && !(failed = run_case(m, &j, &c, step_name, &step, err))) {
            const double ratio = own->time_us / step->time_us;
            m->times_slower = ratio;
            l->points = points_for(ratio, 1.1, l->of);
            snprintf(l->why, sizeof l->why, "%s: %.1f us (+-%.1f %%), %.2fx of step %s (%.1f us)", c.name, own->time_us,
                     own->spread_pct, ratio, step_name, step->time_us);
        }
        battery_close(&c);
    }
    judge_clean(&j);
    return failed;
}

/* Predicts the time of a run on the first goal's input for the named GPU, on the simulator. */
static int mark_prediction(marks_t *m, err_t *err)
{
    const char *step_name = m->exercise->timed_step;
    battery_case_t c;
    judge_result_t *own, *step;
    char who[240];
    if (battery_open(&c, m->exercise->chapter, &m->exercise->goals[0].input, false, &m->rng, err)) return -1;
    c.job.predict = true;
    c.job.runs = 1; /* the first one is predicted, and the goals have judged the others */
    c.job.gpu = *m->predict;
    c.job.sms = (int32_t)m->predict->sms;
    snprintf(who, sizeof who, "%s for %s", m->predict->name, c.name);
    int failed = run_case(m, &m->judge, &c, NULL, &own, err);
    if (!failed) failed = run_case(m, &m->judge, &c, step_name, &step, err);
    battery_close(&c);
    if (failed) return -1;
    const job_answer_t *a = &own->counts, *b = &step->counts;
    const bool predicted = own->right && a->predicted_us > 0;
    if (predicted)
        snprintf(m->predicted, sizeof m->predicted, "%.1f us (%.1f to %.1f) on an %s: %s; step %s %.1f",
                 a->predicted_us, a->predicted_low_us, a->predicted_high_us, who, a->limiter, step_name,
                 b->predicted_us);
    else snprintf(m->predicted, sizeof m->predicted, "none for %s: %.300s", who, own->right ? a->limiter : own->why);
    if (predicted && b->predicted_us > 0) m->times_slower = a->predicted_us / b->predicted_us;
    if (!m->predict_counts) return 0;
    char what[160];
    snprintf(what, sizeof what, "predicted time, at most 1.1x of step %s", step_name);
    marks_line_t *l = add_line(m, POINTS_SPEED, what);
    l->bonus = true;
    if (m->times_slower > 0) l->points = points_for(m->times_slower, 1.1, l->of);
    snprintf(l->why, sizeof l->why, "%s", m->predicted);
    return 0;
}

static int mark_all(marks_t *m, const char *source, size_t bytes, const char *gpu, err_t *err)
{
    for (grade_group_t group = 0; group < GROUPS; ++group)
        if (mark_group(m, group, err)) return -1;
    if (mark_goals(m, err)) return -1;
    if (m->line[GROUP_RIGHT].points == 0) return 0;
    if (gpu) return mark_time(m, source, bytes, gpu, err);
    return m->predict && !m->stopped ? mark_prediction(m, err) : 0;
}

/* Adds a line that removes the points above `most`. */
static void limit(marks_t *m, int most, const char *why)
{
    int sum = 0;
    for (int i = 0; i < m->lines; ++i) sum += m->line[i].points;
    marks_line_t *l = add_line(m, 0, why);
    if (sum > most) l->points = most - sum;
}

void marks_refuse(marks_t *m, const char *why)
{
    m->verdict = "refused";
    snprintf(m->message, sizeof m->message, "%s", why);
}

int marks_take(marks_t *m, const char *source, size_t bytes, const char *build, const char *gpu, err_t *err)
{
    const exercise_t *e = m->exercise;
    judge_built_t built;
    if (find_build(m, &m->judge, build, err)) return -1;
    m->judge.chapter = e->chapter;
    copied_from(source, bytes, e->chapter->folder, m->copied, sizeof m->copied);
    m->rng = rng_stream(m->seed, 0, (uint64_t)(e->chapter->number * 100 + e->number));
    for (grade_group_t group = 0; group < GROUPS; ++group) m->total += e->chapter->groups[group].count;
    /* an upper bound, because goals may share an input or have no step */
    m->total += 2 * e->goal_count + (gpu || m->predict ? 2 : 0);
    m->verdict = "failed";
    int failed = judge_build(&m->judge, source, bytes, &built, m->message, sizeof m->message, err);
    if (!failed && built != BUILT) m->verdict = built == BROKE_A_RULE ? "refused" : "does not compile";
    if (!failed && built == BUILT) {
        *m->message = 0; /* removes warnings */
        failed = mark_all(m, source, bytes, gpu, err);
    }
    judge_clean(&m->judge);
    if (m->hidden) limit(m, 0, "it accesses memory in a way that the simulator cannot count: no points");
    if (m->serial) limit(m, POINTS_SERIAL, "not parallel: one warp or one block does the work, or they work one after "
                                           "the other: at most 30 points");
    char what[160];
    /* In chapter 06 warps draw work from a counter.  In the model one warp may draw all of it, so the predicted
     * time does not limit the points. */
    if (m->times_slower > MOST_TIME && e->chapter->number != 6) {
        snprintf(what, sizeof what, "it takes %.1f times as long as step %s, more than %d times: at most %d points",
                 m->times_slower, e->timed_step, MOST_TIME, POINTS_SLOW);
        limit(m, POINTS_SLOW, what);
    }
    if (*m->copied) {
        snprintf(what, sizeof what, "this is an unchanged copy of step %s of the course: at most 30 points", m->copied);
        limit(m, POINTS_COPIED, what);
    }
    int base = 0;
    for (int i = 0; i < m->lines; ++i) {
        m->points += m->line[i].points;
        base += m->line[i].bonus ? 0 : m->line[i].points;
    }
    if (m->points > 0) m->verdict = base == 100 ? "passed" : "partial";
    return failed;
}
