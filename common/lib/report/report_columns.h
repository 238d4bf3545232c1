/*
 * report_columns.h - the columns of the results file and of the terminal's table, a row's status, and the formats of
 * numbers.  A new column is one line in columns.def.
 */
#ifndef COURSE_REPORT_COLUMNS_H
#define COURSE_REPORT_COLUMNS_H

#include "report.h"
#include "report_text.h"

/* A row ready to be written: with derived numbers, and without times if it failed or was skipped. */
typedef struct view {
    report_row_t row;
    double sectors_per_request, iterations_per_s, ranks;
    int64_t requests, wavefronts; /* requests to global memory, atomics included; wavefronts of shared memory */
    text_t status; /* "ok", "skip: ...", "FAIL: ..." */
} view_t;

/* The formats of numbers. */
typedef enum style {
    TEXT, STATUS,                                     /* text fields of the results file */
    SHORT, MICROSECONDS, WHOLE, COUNT,                /* in the results file */
    TIME, SPREAD, RATE, FIXED1, FIXED2, MARGIN, TALLY, PREDICTED /* on the terminal */
} style_t;

typedef struct number {
    char text[32];
} number_t;

/* Formats one number of a row, "-" if there is none.  `offset` is its offset in view_t: an int64_t for COUNT and TALLY,
 * else a double. */
number_t report_number(const view_t *v, style_t style, size_t offset);

/* A column of the results file. */
typedef struct column {
    const char *name;
    style_t style;
    size_t offset;
} column_t;

/* A column of the terminal's table. */
typedef struct cell {
    const char *head;
    int width;
    style_t style;
    size_t offset;
} cell_t;

/* Each array ends with {0}. */
extern const column_t REPORT_COLUMNS[];
extern const cell_t REPORT_TIMED[], REPORT_COUNTED[], REPORT_PREDICTED[];
extern const cell_t REPORT_WIDE_TIMED[], REPORT_WIDE_COUNTED[], REPORT_WIDE_PREDICTED[];

view_t report_view(const report_row_t *row);
void report_view_free(view_t *v);

/* Returns the text of a TEXT or STATUS column, "" if the row has none; NULL for a column of numbers. */
const char *report_words(const view_t *v, const column_t *c);

#endif
