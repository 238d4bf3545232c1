/*
 * report_impl.h - what the parts of the report share: report.c (rows, TSV, JSON), report_table.c (the terminal),
 * report_text.c (a growing string), record_file.c (a file written whole or not at all).
 */
#ifndef COURSE_REPORT_IMPL_H
#define COURSE_REPORT_IMPL_H

#include <dirent.h>
#include <jansson.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>

#include "report.h"

/* A growing string; begins as {0}.  Out of memory is remembered in `failed`: whoever uses the text looks there, once.
 * Not open_memstream: glibc's drops what it has no memory for, and neither ferror, fflush nor fclose says so. */
typedef struct text {
    char *data; /* ends with a NUL; NULL as long as nothing was put */
    size_t length, room;
    bool failed;
} text_t;

/* Appends, printf style. */
void text_put(text_t *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vput(text_t *t, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Appends at most `most` characters of s and returns how many.  Each byte that is no UTF-8 becomes U+FFFD.  `newline`
 * stands for line ends (those at the end of s are dropped) and a space for other control characters; newline NULL: all
 * of these stay.  The thread's locale must be a UTF-8 one. */
size_t text_put_utf8(text_t *t, const char *s, const char *newline, size_t most);

/* All of s so; "-" where that is nothing or s is NULL. */
void text_put_field(text_t *t, const char *s, const char *newline);
void text_free(text_t *t);

/* What stands at its path is the last version that was finished, whenever the program is stopped. */
typedef struct record_file {
    char path[PATH_MAX];
    char temporary[PATH_MAX + 32]; /* PATH.PID.tmp, there only while a version is written */
    DIR *folder;                   /* NULL if it may not be read */
} record_file_t;

/* Makes the folders on the way, removes what killed programs left beside the file, and shows with an empty temporary one
 * that it can be written; what is at `path` stays as it is.  A link stays a link to the file.  -1 and *err. */
int record_file_open(record_file_t *f, const char *path, err_t *err);

/* The file is now these n bytes (temporary file, fsync, rename).  On -1 and *err it is what it was. */
int record_file_save(const record_file_t *f, const char *bytes, size_t n, err_t *err);

struct report {
    report_format_t format, record_format;
    record_file_t file; /* path "": no record is kept */
    text_t record;      /* its header and rows so far */
    locale_t plain;     /* UTF-8, and numbers with a point, whatever the program's locale */
    json_t *meta;       /* strings by key, in the order they came */
    bool meta_lost;     /* out of memory */
    size_t rows, failures;
    text_t heading;     /* of the table: case and dtype in force, then bytes */
    size_t name_length; /* ... characters of case and dtype */
    bool heading_shown;         /* ... and whether it was printed: not before there is something under it */
    const struct cell *columns; /* ... and columns in force; NULL: none yet under this heading */
    json_t *skipped;    /* ... and why rows were skipped under it: steps, "v1, v2", by reason */
    text_t said;        /* lines about skipped rows so far, each with its line end */
    bool colour, progress_shown;
    double progress_start; /* when the work now counted began */
    size_t progress_last, progress_total;
};

/* A row ready to be written: failed and skipped rows without times, and what is derived from others. */
typedef struct view {
    report_row_t row;
    double sectors_per_request, iterations_per_s, ranks;
    bool ok, skipped, failed;
} view_t;

/* How a number is written. */
typedef enum style {
    TEXT, STATUS,                                     /* no numbers: fields of the record */
    SHORT, MICROSECONDS, WHOLE, COUNT,                /* in the record */
    TIME, SPREAD, RATE, FIXED1, FIXED2, MARGIN, TALLY /* on the terminal */
} style_t;

typedef struct number {
    char text[32];
} number_t;

/* One number of a row, "-" if there is none.  `offset` is its place in view_t: an int64_t for COUNT and TALLY, else a
 * double. */
number_t report_number(const view_t *v, style_t style, size_t offset);

/* The header lines that a reader of the table needs; `chapter` where there is no such line. */
void report_table_header(text_t *t, const report_t *r, const char *chapter);
void report_table_row(text_t *t, report_t *r, const view_t *v);
void report_table_end(text_t *t, report_t *r); /* the lines about skipped rows, those that were not said before */
void report_wipe_progress(report_t *r);

#endif
