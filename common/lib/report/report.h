/*
 * report.h - prints results: the table on the terminal, the TSV or JSON results file,
 * and a progress line during long work.
 */
#ifndef COURSE_REPORT_H
#define COURSE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The outcome of a row; a row without one counts as failed. */
typedef enum report_status { REPORT_NO_STATUS, REPORT_OK, REPORT_SKIP, REPORT_FAIL } report_status_t;

/* "ok", "skip" or "FAIL"; in a results file ": " and the reason follow it. */
const char *report_status_name(report_status_t status);
/* Parses the status in a results file; REPORT_NO_STATUS if it is not a status. */
report_status_t report_status_of(const char *text);

/* One result.  Strings must be valid until report_add returns.  A number that does not
 * apply is NAN (REPORT_NONE for counts) and prints as "-". */
#define REPORT_NONE (-1)
typedef struct report_row {
#define WORDS(member, name) const char *member;
#define NUMBER(member, name, style) double member;
#define EVENTS(member, name) int64_t member;
#define DERIVED(member, name, style)
#include "columns.def"
    report_status_t status;
    const char *why; /* the reason of a skip or failure, NULL if unknown; for a correct row a remark for the table */
    bool counted;    /* true: the row has counts of the simulator */
    int ranks;       /* the number of MPI processes that shared the work; 0: one process without MPI */
    double after_us; /* the part of cold_us after a solver's last iteration: copying the result to the host */
} report_row_t;

/* Returns an empty row: numbers are NAN, counts REPORT_NONE, words NULL. */
report_row_t report_row_empty(void);

typedef enum report_format {
    REPORT_TABLE,
    REPORT_TSV,
    REPORT_JSON,
    REPORT_SILENT
} report_format_t; /* SILENT: only the results file */

typedef struct report report_t;

/* Opens a report that prints to stdout in `format` and, if record_path is not NULL, keeps a TSV results file there
 * (JSON if the path ends in .json).  The file is rewritten completely after each row (temporary file, fsync, rename),
 * so a run that is stopped leaves all rows so far and no partial one.  The next run removes the temporary file of a
 * killed one.  NULL and *err if the path cannot be written. */
report_t *report_open(report_format_t format, const char *record_path, err_t *err);

/* Makes the table show every column (--wide) instead of those that fit into 100 characters. */
void report_wide(report_t *r, bool wide);

/* Adds a header line `# key: value` (printf style); call it before the first row.  The line with key `predicted` is
 * also printed under each table that has a predicted row. */
void report_meta(report_t *r, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Prints one row and adds it to the results file.  The table prints one line "skip: REASON: v1, v2" for all skipped
 * rows under the rows of their case, unless it has printed the same line before; a results file has a row for each.
 * Under the rows of a case the table names the best (best.h).  -1 and *err if the results file cannot be written. */
int report_add(report_t *r, const report_row_t *row, err_t *err);

/* Prints "12/40 v3 n=1048576" on stderr if that is a terminal; the next row erases it. */
void report_progress(report_t *r, size_t done, size_t total, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

size_t report_failures(const report_t *r); /* rows that failed */
report_t *report_close(report_t *r);       /* ends JSON, frees; takes NULL, returns NULL */

#ifdef __cplusplus
}
#endif
#endif
