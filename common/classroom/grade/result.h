/*
 * result.h - the output of grading: a table for the author of the file, a results file, a row of a leaderboard.
 */
#ifndef GRADE_RESULT_H
#define GRADE_RESULT_H

#include "marks.h"

/* Removes control characters from texts of the compiler and the submission; call it before the functions below. */
void result_clean(marks_t *m);

void result_print(const marks_t *m); /* to stdout */

/* Writes the header and a row for every case that was run.  -1 and *err if that failed. */
int result_record(const marks_t *m, report_t *r, err_t *err);

/* Writes a row: points, verdict, microseconds on a GPU (or -) and the first problem to fix, separated by tabs.  -1 and
 * *err. */
int result_row(const marks_t *m, const char *path, err_t *err);

#endif
