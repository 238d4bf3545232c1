/* exercises.c - see exercises.h */
#include "exercises.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *const GRADE_METRIC_NAMES[METRICS] = {"sectors loaded",          "load requests",
                                                 "shared wavefronts",       "global atomics",
                                                 "lanes in global atomics", "busiest warp / mean warp"};
const char *const GRADE_GROUP_NAMES[GROUPS] = {"right", "edges", "shapes"};
const int GRADE_GROUP_POINTS[GROUPS] = {30, 15, 15};

/* The words for them in the file. */
static const char *const METRIC_WORDS[METRICS] = {"ld_sectors", "ld_requests", "shared", "atomics",
                                                   "atomic_lanes", "max_warp"};

static const char *const ASKED_WORDS[ASKED_COUNT] = {"step", "absolute", "squares", "inverted", "counted"};

enum { FULL = sizeof((exercises_t *)NULL)->list / sizeof(exercise_t),
       FULL_CHAPTERS = sizeof((exercises_t *)NULL)->chapters / sizeof(grade_chapter_t) };

static int find(const char *word, const char *const *words, int count)
{
    int i = 0;
    while (i < count && strcmp(word, words[i])) ++i;
    return i;
}

/* Each read_ function returns NULL, or the error in the rest of its line. */

static const char *read_chapter(exercises_t *t, const char *rest)
{
    int end = 0;
    if (t->chapter_count == FULL_CHAPTERS) return "there is room for 16 chapters";
    grade_chapter_t *c = &t->chapters[t->chapter_count];
    if (t->chapter_count > 0) *c = c[-1]; /* the groups of the previous chapter are the default */
    if (sscanf(rest, "%63s %31s %n", c->folder, c->entry, &end) != 2 || rest[end] ||
        sscanf(c->folder, "%2d_", &c->number) != 1)
        return "expected: chapter FOLDER NAME, as in: chapter 05_spmv_vector spmv_vector";
    ++t->chapter_count;
    return NULL;
}

static const char *read_case(grade_chapter_t *c, int group, char *rest)
{
    const char *types = strtok(rest, " \n"), *recipe = strtok(NULL, " \n");
    if (!recipe) return "expected: case TYPES RECIPE...";
    const bool f32 = strstr(types, "fp32"), f64 = strstr(types, "fp64");
    if (strlen(types) != (f32 && f64 ? 9 : 4) || !(f32 || f64))
        return "the types of a case are fp32, fp64 or fp32,fp64";
    for (; recipe; recipe = strtok(NULL, " \n"))
        for (dtype_t type = f32 ? DTYPE_F32 : DTYPE_F64; type <= (f64 ? DTYPE_F64 : DTYPE_F32); ++type) {
            if (c->groups[group].count == GRADE_CASES) return "a group has at most 12 cases";
            grade_case_t *one = &c->groups[group].cases[c->groups[group].count++];
            one->dtype = type;
            snprintf(one->recipe, sizeof one->recipe, "%s", recipe);
        }
    return NULL;
}

static const char *read_goal(exercise_t *e, const char *rest)
{
    char word[16];
    int end = 0;
    if (e->goal_count == GRADE_GOALS) return "an exercise has at most 3 goals";
    grade_goal_t *g = &e->goals[e->goal_count++];
    if (e->goal_count > 1) g->input = g[-1].input;
    const int read =
        sscanf(rest, "%d %15s %lf %15s %n%79s %n", &g->points, word, &g->most, g->step, &end, g->input.recipe, &end);
    if (read < 4 || rest[end] || !*g->input.recipe)
        return "expected: goal POINTS COUNT MOST STEP RECIPE, as in: goal 20 ld_sectors 1.1 v8 {1000-2000}";
    g->metric = (grade_metric_t)find(word, METRIC_WORDS, METRICS);
    if (g->metric == METRICS)
        return "the count of a goal is ld_sectors, ld_requests, shared, atomics, atomic_lanes or max_warp";
    if (g->points < 1 || !(g->most > 0)) return "a goal has points, and a factor above 0";
    if (!strcmp(g->step, "-")) *g->step = 0;
    return NULL;
}

/* Reads one line; returns NULL, or the error in it.  Cases are added to group *group. */
static const char *read_line(exercises_t *t, char *line, int *group)
{
    char key[16];
    int at = 0;
    if (sscanf(line, " %15s %n", key, &at) < 1 || *key == '#') return NULL;
    char *rest = line + at;
    if (!strcmp(key, "chapter")) {
        *group = GROUPS;
        return read_chapter(t, rest);
    }
    if (t->chapter_count == 0) return "a chapter comes first: chapter FOLDER NAME";
    grade_chapter_t *c = &t->chapters[t->chapter_count - 1];
    exercise_t *e = t->count > 0 && t->list[t->count - 1].chapter == c ? &t->list[t->count - 1] : NULL;
    if (!strcmp(key, "exercise")) {
        if (t->count == FULL) return "there is room for 64 exercises";
        e = &t->list[t->count++];
        e->chapter = c;
        if (sscanf(rest, "%d %95[^\n]", &e->number, e->title) != 2) return "expected: exercise E TITLE";
        if (exercises_find(t, c->number, e->number) != e) return "the chapter has an exercise of that number already";
        return NULL;
    }
    if (!strcmp(key, "goal") && e) return read_goal(e, rest);
    if (!strcmp(key, "time") && e) {
        int end = 0;
        const int read = sscanf(rest, "%15s %79s %n", e->timed_step, e->timed.recipe, &end);
        return read == 2 && !rest[end] ? NULL : "expected: time STEP RECIPE";
    }
    if (!strcmp(key, "asks") && e) {
        rest[strcspn(rest, " \n")] = 0;
        e->asks = (asked_t)find(rest, ASKED_WORDS, ASKED_COUNT);
        return e->asks < ASKED_COUNT ? NULL : "an exercise asks for step, absolute, squares, inverted or counted";
    }
    if (!strcmp(key, "case") && *group < GROUPS) return read_case(c, *group, rest);
    *group = find(key, GRADE_GROUP_NAMES, GROUPS);
    if (*group == GROUPS) return "expected here: chapter, right, edges, shapes, case, exercise, asks, goal or time";
    c->groups[*group].count = 0;
    return sscanf(rest, "%95[^\n]", c->groups[*group].what) == 1 ? NULL : "expected: what the cases are, in words";
}

int exercises_read(exercises_t *t, const char *path, err_t *err)
{
    char line[512];
    int failed = 0, group = GROUPS;
    *t = (exercises_t){0};
    FILE *f = fopen(path, "r");
    if (!f) return err_set(err, "%s: %s", path, strerror(errno));
    for (int n = 1; !failed && fgets(line, sizeof line, f); ++n) {
        const char *why = strlen(line) < sizeof line - 1 ? read_line(t, line, &group) : "the line is too long";
        if (why) failed = err_set(err, "%s:%d: %s", path, n, why);
    }
    if (!failed && (ferror(f) || t->count == 0)) failed = err_set(err, "%s holds no exercises", path);
    fclose(f);
    for (int i = 0; i < t->count && !failed; ++i) {
        const exercise_t *e = &t->list[i];
        int points = 0;
        for (int k = 0; k < e->goal_count; ++k) points += e->goals[k].points;
        if (points != POINTS_GOALS)
            failed = err_set(err, "%s: exercise %d of %s: its goals add up to %d points, not to %d", path, e->number,
                             e->chapter->folder, points, POINTS_GOALS);
        else if (!*e->timed_step)
            failed = err_set(err, "%s: exercise %d of %s has no line: time STEP RECIPE", path, e->number,
                             e->chapter->folder);
    }
    return failed;
}

const exercise_t *exercises_find(const exercises_t *t, int chapter, int number)
{
    for (int i = 0; i < t->count; ++i)
        if (t->list[i].chapter->number == chapter && t->list[i].number == number) return &t->list[i];
    return NULL;
}
