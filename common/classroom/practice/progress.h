/*
 * progress.h - a learner's progress: work/progress, a text file that the learner may read, change and delete.
 *
 *     current 01/p2_name
 *     01/p1_name done 3 1 12345 678   attempts, shown hints, the seed of its numbers, and a hash of the file that was
 *                                     tried last (0: none)
 */
#ifndef PRACTICE_PROGRESS_H
#define PRACTICE_PROGRESS_H

#include "exercise.h"

typedef struct progress_entry {
    bool begun, done;
    int attempts, hints;
    uint64_t seed, tried;
} progress_entry_t;

typedef struct progress {
    int current;                             /* index into the list */
    progress_entry_t entry[EXERCISE_MOST];   /* as the list */
} progress_t;

/* Loads the progress; a missing file means the beginning.  -1 and *err if it cannot be read. */
int progress_load(progress_t *p, const exercise_t *list, int count, err_t *err);
/* Replaces the file.  -1 and *err on failure. */
int progress_save(const progress_t *p, const exercise_t *list, int count, err_t *err);
/* The first exercise after `from` that is not done, else the first one that is not done, else -1. */
int progress_next(const progress_t *p, int count, int from);

#endif
