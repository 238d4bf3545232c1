/*
 * exercises.h - the table of exercises: the cases, the counts, the points.  The head of exercises.txt describes the
 * format of that file.
 */
#ifndef GRADE_EXERCISES_H
#define GRADE_EXERCISES_H

#include "asked.h"
#include "dtype.h"
#include "err.h"

/* The count that a goal limits.  Loads and stores are those of global memory. */
typedef enum grade_metric {
    METRIC_LD_SECTORS, METRIC_LD_REQUESTS, METRIC_SHARED, METRIC_ATOMICS, METRIC_ATOMIC_LANES, METRIC_MAX_WARP, METRICS
} grade_metric_t;

typedef enum grade_group { GROUP_RIGHT, GROUP_EDGES, GROUP_SHAPES, GROUPS } grade_group_t;

enum { GRADE_RECIPE = 80, GRADE_STEP = 16, GRADE_CASES = 12, GRADE_GOALS = 3, POINTS_GOALS = 40, POINTS_SPEED = 10 };

/* One input, as a recipe in which {20-90} is replaced by a random number. */
typedef struct grade_case {
    dtype_t dtype;
    char recipe[GRADE_RECIPE];
} grade_case_t;

/* A goal: on the input, at most `most` times the count of the step (step "": at most `most`).  Up to 1.5 times that
 * limit it gives half of the points. */
typedef struct grade_goal {
    grade_metric_t metric;
    grade_case_t input; /* fp32 */
    char step[GRADE_STEP];
    double most;
    int points;
} grade_goal_t;

/* Shared by the exercises of a chapter. */
typedef struct grade_chapter {
    int number;
    char folder[64]; /* "05_spmv_vector" */
    char entry[32];  /* as in spmv_vector_student and spmv_vector_v3 */
    struct {
        char what[96];
        grade_case_t cases[GRADE_CASES];
        int count;
    } groups[GROUPS];
} grade_chapter_t;

typedef struct exercise {
    const grade_chapter_t *chapter;
    int number;
    char title[96];
    asked_t asks; /* the function to compute, instead of the steps' */
    grade_goal_t goals[GRADE_GOALS];
    int goal_count;
    char timed_step[GRADE_STEP]; /* on a GPU: the step whose time is the goal */
    grade_case_t timed;
} exercise_t;

typedef struct exercises {
    grade_chapter_t chapters[16];
    exercise_t list[64]; /* in the order of the file; each points to its chapter */
    int chapter_count, count;
} exercises_t;

/* Reads the file.  -1 and *err (file, line, reason) if it cannot be read or a line is wrong. */
int exercises_read(exercises_t *t, const char *path, err_t *err);
/* NULL if it does not exist. */
const exercise_t *exercises_find(const exercises_t *t, int chapter, int number);

extern const char *const GRADE_METRIC_NAMES[METRICS]; /* "sectors loaded", ... */
extern const char *const GRADE_GROUP_NAMES[GROUPS];   /* "right", "edges", "shapes" */
extern const int GRADE_GROUP_POINTS[GROUPS];

#endif
