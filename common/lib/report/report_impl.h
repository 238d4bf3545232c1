/*
 * report_impl.h - shared by the parts of the report.  Each part uses only the parts before it:
 *
 *   report_text.c     a growing string
 *   best.c            chooses the best of several rows
 *   report_columns.c  status, columns, numbers of a row
 *   record_file.c     a file written completely or not at all
 *   report_table.c    the terminal: the table, and the progress line
 *   report.c          the results file as TSV and JSON, and the interface
 */
#ifndef COURSE_REPORT_IMPL_H
#define COURSE_REPORT_IMPL_H

#include <dirent.h>
#include <jansson.h>
#include <limits.h>
#include <locale.h>

#include "best.h"
#include "report_columns.h"

/* Kinds of rows; each has its own best row: kernels, libraries on the GPU, code on the CPU, libraries on the CPU. */
enum { KERNELS, GPU_LIBRARIES, CPU_CODE, CPU_LIBRARIES, RIVALS };

/* A file whose path always holds the last complete version, even if the program is killed. */
typedef struct record_file {
    char path[PATH_MAX];
    char temporary[PATH_MAX + 32]; /* PATH.PID.tmp, exists only while a version is written */
    DIR *folder;                   /* NULL if it may not be read */
} record_file_t;

/* Creates the missing folders of the path, removes temporary files of killed programs, and checks with an empty
 * temporary file that it can write there.  Does not change a file at `path`; keeps a link.  -1 and *err. */
int record_file_open(record_file_t *f, const char *path, err_t *err);

/* Replaces the file by these n bytes (temporary file, fsync, rename).  After -1 and *err the file is unchanged. */
int record_file_save(const record_file_t *f, const char *bytes, size_t n, err_t *err);

enum { REST_ROOM = 1000 };

struct report {
    report_format_t format, record_format;
    record_file_t file;        /* path "": no results file is written */
    text_t record;             /* the header and the rows of the results file so far */
    locale_t plain;            /* UTF-8, and numbers with a point, whatever the program's locale */
    json_t *meta;              /* strings by key, in the order in which they were added */
    text_t rest;               /* the text under the last row; allocated at the start, because closing cannot fail */
    bool meta_lost;            /* a string of meta was lost: out of memory */
    size_t rows, failures;
    text_t heading;            /* the table's current heading: case and dtype, then bytes */
    size_t name_length;        /* how many characters of the heading are case and dtype */
    bool heading_shown;        /* it is printed only when a line follows */
    const cell_t *columns;     /* the table's columns under this heading; NULL: none yet */
    json_t *skipped;           /* the steps skipped under this heading, such as "v1, v2", by reason */
    text_t said;               /* the lines about skipped and predicted rows printed so far, each with its end */
    best_t best[RIVALS];       /* the best row of each kind under this heading so far */
    size_t timed[RIVALS];      /* how many rows of each kind under this heading have a time */
    double kernel_us[64];      /* the predicted times of the first kernels under this heading, timed[KERNELS] in all */
    char limiter[160];         /* what limits the step best[KERNELS]; "" if unknown */
    bool wide, colour, progress_shown;
    bool predicted;            /* the table has a predicted row */
    double progress_start;     /* when the current work began */
    size_t progress_last, progress_total;
};

/* Writes the header lines that a reader of the table needs; `chapter` if the header names no chapter. */
void report_table_header(text_t *t, const report_t *r, const char *chapter);
void report_table_row(text_t *t, report_t *r, const view_t *v);
void report_table_end(text_t *t, report_t *r); /* prints the lines about skipped rows that are new */
void report_wipe_progress(report_t *r);

#endif
