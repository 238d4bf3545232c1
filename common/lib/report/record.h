/* record.h - reads a TSV results file of report.h row by row; fields are found by the names of their columns. */
#ifndef COURSE_RECORD_H
#define COURSE_RECORD_H

#include <stdbool.h>
#include <stdio.h>

enum { RECORD_FIELDS = 64 };

typedef struct record_reader {
    FILE *file;
    char *head, *line;  /* the line with the column names, and the row, both split at tabs */
    size_t line_room;
    char *name[RECORD_FIELDS], *field[RECORD_FIELDS];
    int names, fields;
} record_reader_t;

/* Opens the file at path; record_close closes it.  -1 and errno if that fails. */
int record_open(record_reader_t *r, const char *path);

/* Reads the next row.  A file may contain several results files in sequence, each with its line of column names. */
bool record_next(record_reader_t *r);

/* Returns the row's field in this column, valid until the next row; "" if there is no such column or the row is too
 * short. */
const char *record_text(const record_reader_t *r, const char *column);
/* Returns the field as a number; NAN for "-" and other text that is not a number. */
double record_number(const record_reader_t *r, const char *column);

/* Closes the file.  Returns 0, or errno if an error ended the reading before the end of the file. */
int record_close(record_reader_t *r);

#endif
