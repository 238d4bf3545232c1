/*
 * exercise.h - reads the practice exercises from the head comments of their files.
 *
 *     * p1_tail - threads beyond the end          name and title, the second line
 *     * Kind    repair                            fill, repair, predict or choose
 *     * Idea    one or two sentences
 *     * Page    docs/01_reduce.md, "A section"    where it is explained
 *     * Task    what to do; a line with deeper indentation continues the line before
 *     * Data    copy 1000 10007                   a family and sizes (data.h); the last size is counted
 *     * Goal    ld_sectors <= 1251, lanes >= 31   limits of counts (runner.c); predict and choose only name counts
 *     * Turns   yes                               atomics take turns (simt_set_turns)
 *     * Hint    a hint; there are three
 */
#ifndef PRACTICE_EXERCISE_H
#define PRACTICE_EXERCISE_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"

enum { EXERCISE_GOALS = 6, EXERCISE_HINTS = 3, EXERCISE_TEXT = 1000, EXERCISE_MOST = 99 };

typedef struct exercise_goal {
    char count[24], relation[4]; /* <=, >= or ==; empty in a `choose`, which only names counts */
    double bound;
} exercise_goal_t;

typedef struct exercise {
    int chapter, number; /* 1 and 2: 01_reduce/practice/p2_... */
    char name[64];       /* "01/p2_name" */
    char file[128];      /* in the chapter's folder */
    char copy[80];       /* the learner's copy: work/01/p2_name.cu */
    char solution[128];  /* common/classroom/practice/solutions/01_p2_name.patch */
    char title[128], kind[16], turns[8];
    char idea[EXERCISE_TEXT], page[EXERCISE_TEXT], task[EXERCISE_TEXT], data[EXERCISE_TEXT];
    char hint[EXERCISE_HINTS][EXERCISE_TEXT];
    int hints, goals;
    exercise_goal_t goal[EXERCISE_GOALS];
} exercise_t;

/* Stores all exercises in order in list[EXERCISE_MOST]; returns their number, or -1 and *err with the file. */
int exercise_list(exercise_t *list, err_t *err);

/* Whether a learner writes only answers in it. */
bool exercise_asks(const exercise_t *e);

/* Returns the file for a learner: without hints, and with each DRAW(...) replaced by one of its numbers, chosen by the
 * seed (0: the first).  The caller frees it.  NULL and *err on failure. */
char *exercise_text(const exercise_t *e, uint64_t seed, err_t *err);

/* Reads a text file; the caller frees it.  NULL and *err on failure. */
char *exercise_read(const char *path, err_t *err);

#endif
