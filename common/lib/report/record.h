/* record.h - reads a TSV results file of report.h row by row; fields are found by the names of their columns. */
#ifndef COURSE_RECORD_H
#define COURSE_RECORD_H

#include <stdbool.h>
#include <stdio.h>

enum { RECORD_FIELDS = 64 };

typedef struct record_reader {
    FILE *file;
    char *head, *line;  /* the line with the columns' names, and the row; cut at their tabs */
    size_t line_room;
    char *name[RECORD_FIELDS], *field[RECORD_FIELDS];
    int names, fields;
} record_reader_t;

/* -1 and errno if the file at path cannot be opened.  Ends with record_close. */
int record_open(record_reader_t *r, const char *path);

/* The next row.  A file may contain several results files in sequence: each begins with the names of its columns. */
bool record_next(record_reader_t *r);

/* The row's field in that column, valid until the next row; "" if the record has no such column or the row ends before.
 */
const char *record_text(const record_reader_t *r, const char *column);
/* The same as a number; NAN for "-" and other text that is not a number. */
double record_number(const record_reader_t *r, const char *column);

/* 0, or errno if an error ended the reading before the end of the file. */
int record_close(record_reader_t *r);

#endif
