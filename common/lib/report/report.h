/*
 * report.h - where results go: the table on the terminal, the TSV or JSON record,
 * and a progress line on long work.
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
/* Parses the status in a results file; REPORT_NO_STATUS: it is none. */
report_status_t report_status_of(const char *text);

/* One result.  Strings are borrowed until report_add returns.  A number that does not
 * apply is NAN (REPORT_NONE for counts) and prints as "-". */
#define REPORT_NONE (-1)
typedef struct report_row {
#define WORDS(member, name) const char *member;
#define NUMBER(member, name, style) double member;
#define EVENTS(member, name) int64_t member;
#define DERIVED(member, name, style)
#include "columns.def"
    report_status_t status;
    const char *why; /* of a skip or a failure; NULL: unknown.  Of a correct row: a remark for the table */
    bool counted;    /* true: the row has counts of the simulator */
    int ranks;       /* processes that shared the work; 0: one process alone */
    double after_us; /* the part of cold_us after a solver's last iteration: copying the result to the host */
} report_row_t;

/* A row to which nothing applies yet: numbers are NAN, counts REPORT_NONE, words NULL. */
report_row_t report_row_empty(void);

typedef enum report_format {
    REPORT_TABLE,
    REPORT_TSV,
    REPORT_JSON,
    REPORT_SILENT
} report_format_t; /* SILENT: the record only */

typedef struct report report_t;

/* A report that prints to stdout in `format` and, when record_path is not NULL, keeps a TSV
 * record there, a JSON one if the path ends in .json.  The record is rewritten whole after each row (temporary file,
 * fsync, rename): a stopped run leaves every row so far and nothing half-written; the temporary file of one that was
 * killed goes with the next.  NULL and *err if the path
 * cannot be written. */
report_t *report_open(report_format_t format, const char *record_path, err_t *err);

/* The table shows every column; without it, those that fit into 100 characters (--wide). */
void report_wide(report_t *r, bool wide);

/* A header line `# key: value` (printf style); all of them come before the first row.  The line of `predicted` is also
 * printed under each table that has a predicted row. */
void report_meta(report_t *r, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Prints and records one row.  The table prints one line "skip: REASON: v1, v2" for all skipped rows under the rows of
 * their case, unless it has printed the same line before; a results file has a row for each.  Under the rows of a case
 * the table names the best (best.h).  -1 and *err if the results file cannot be written. */
int report_add(report_t *r, const report_row_t *row, err_t *err);

/* "12/40 v3 n=1048576" on stderr, only when it is a terminal; the next row wipes it. */
void report_progress(report_t *r, size_t done, size_t total, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

size_t report_failures(const report_t *r); /* rows that failed */
report_t *report_close(report_t *r);       /* ends JSON, frees; takes NULL, returns NULL */

#ifdef __cplusplus
}
#endif
#endif
