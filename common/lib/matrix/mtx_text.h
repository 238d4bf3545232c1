/*
 * mtx_text.h - parses and checks the text of a Matrix Market file line by line.
 *
 * strtod parses the numbers; everything else is checked here.  CHOLMOD's reader is not used because it accepts too much
 * (an index 0 makes the whole file 0-based, "1.5" is index 1, words after the third number are skipped, a symmetric
 * pattern gets invented values), makes 1e308 infinite, and does not name the line of an error.  This parser checks
 * the available memory before it allocates, unpacks nothing to disk, and reads the text once.
 */
#ifndef COURSE_MTX_TEXT_H
#define COURSE_MTX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "mtx_bytes.h"

typedef enum { FIELD_REAL, FIELD_INTEGER, FIELD_PATTERN, FIELD_COMPLEX } field_t;
typedef enum { GENERAL, SYMMETRIC, SKEW, HERMITIAN } symmetry_t;

typedef struct mtx_text {
    const char *path;
    mtx_bytes_t bytes;
    char *buffer;
    size_t start, end;            /* the part of buffer that is not parsed yet */
    bool ended;
    bool cr_ends;                 /* a CR alone ends a line, as on old Macintoshes */
    size_t line;                  /* number of the line last read */
    bool is_array;
    bool as_listed;               /* a symmetric file may list entries above the diagonal */
    field_t field;
    symmetry_t symmetry;
    uint64_t rows, cols, entries; /* entries: the number that the file announces */
    size_t room;                  /* the largest number of entries that the rest of the file can hold */
    uint64_t seen;
    uint64_t row, col;            /* position of the next value of a dense array, from 1 */
    bool failed;
    err_t *err;
} mtx_text_t;

typedef struct mtx_entry {
    int32_t row, col; /* from 0 */
    double value;     /* 1 in a pattern file */
} mtx_entry_t;

/* Opens path (plain or gzip) and reads banner and sizes.  -1 if they are wrong, absurd or
 * of a kind that is not supported.  Close it also after an error. */
int mtx_text_open(mtx_text_t *s, const char *path, bool as_listed, err_t *err);
void mtx_text_close(mtx_text_t *s);

/* Reads the next entry.  Returns false at the end of the text, and after a failure, which sets s->failed.  Call it in
 * the C locale: in others strtod may expect a decimal comma. */
bool mtx_text_next(mtx_text_t *s, mtx_entry_t *entry);

/* Stores "PATH:LINE: reason" and returns -1.  Only the first failure is stored. */
int mtx_text_fail(mtx_text_t *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
