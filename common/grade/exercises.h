/*
 * exercises.h - the table of exercises: what is tried, what is counted, what it is worth.
 */
#ifndef GRADE_EXERCISES_H
#define GRADE_EXERCISES_H

#include <stddef.h>

/* What a goal looks at.  Loads and stores are those of global memory. */
typedef enum grade_metric {
    METRIC_LD_SECTORS, METRIC_LD_REQUESTS, METRIC_SHARED, METRIC_ATOMICS, METRIC_MAX_WARP
} grade_metric_t;

/* A case.  {20-90} in the recipe is a number drawn anew for each grading.
 *   chapter 1    N            2   BYTES,UNIT,TO,FROM       3   row|col,ROWS,COLS       4 to 7   a recipe of matgen.h
 * and at its end, where wanted: +K elements beside alignment, /L lanes a row. */
typedef struct grade_case {
    char group;        /* 'r' ordinary, 'e' edges, 's' shapes; 'A', 'B': cases of the goals */
    const char *types; /* "48": fp32 and fp64; chapter 2: one of them */
    const char *recipe;
} grade_case_t;

/* At most `most` times what the step does (step NULL: at most `most`).  Half the points up to 1.5 times that. */
typedef struct grade_goal {
    grade_metric_t metric;
    char group;
    const char *step;
    double most;
    int points;
} grade_goal_t;

enum { GRADE_CASES = 12, GRADE_GOALS = 3, POINTS_RIGHT = 30, POINTS_EDGES = 15, POINTS_SHAPES = 15, POINTS_SPEED = 10 };

/* What the exercises of a chapter share. */
typedef struct grade_chapter {
    int number;
    const char *folder; /* "05_spmv_vector" */
    const char *entry;  /* "spmv_vector": entry_student, entry_v3 */
    const char *what_r, *what_e, *what_s; /* the three groups, in words */
    grade_case_t cases[GRADE_CASES];
} grade_chapter_t;

typedef struct exercise {
    int chapter, number;
    const char *file;   /* the skeleton, in the chapter's folder */
    const char *title;
    grade_case_t cases[2];
    grade_goal_t goals[GRADE_GOALS]; /* their points add up to 40 */
    const char *timed_recipe, *timed_step; /* on a card: fp32, and the step to be as fast as */
} exercise_t;

/* NULL if there is none. */
const grade_chapter_t *grade_chapter(int chapter);
const exercise_t *grade_exercise(int chapter, int number);
const exercise_t *grade_exercises(size_t *count);
const char *grade_metric_name(grade_metric_t m);

#endif
