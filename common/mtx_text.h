/*
 * mtx_text.h - the text of a Matrix Market file, line by line, checked.
 *
 * CHOLMOD turns the text into arrays of numbers (mtx.c).  Left alone it also forgives too much:
 * an index 0 makes the whole file 0-based, "1.5" is index 1, "1.0D3" is 1.0, words after the
 * third number are skipped, a symmetric pattern gets invented values; it knows no gzip, allocates
 * whatever the size line says, and never tells which line it disliked.  So it reads through this
 * sieve, which unpacks, asks for the memory first, hands on only data lines that keep to the
 * format, and remembers line and reason of the first that does not.  Nothing is unpacked to disk
 * and the text is read once.
 */
#ifndef COURSE_MTX_TEXT_H
#define COURSE_MTX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <zlib.h>

#include "err.h"

typedef enum { FIELD_REAL, FIELD_INTEGER, FIELD_PATTERN, FIELD_COMPLEX } field_t;
typedef enum { GENERAL, SYMMETRIC, SKEW, HERMITIAN } symmetry_t;

typedef struct mtx_text {
    const char *path;
    gzFile gz;                /* reads plain text as well */
    char *buffer;
    size_t start, end;        /* what is left of it */
    bool ended;
    double text_bytes, text_limit; /* so far, and the most it may come to: more is a gzip bomb */
    size_t line;              /* number of the line last read */
    const char *pending;      /* checked text on its way to CHOLMOD */
    size_t pending_bytes;
    char head[128];           /* banner and size line as CHOLMOD gets them */
    bool is_array;
    field_t field;
    symmetry_t symmetry;
    uint64_t rows, cols, entries; /* entries the file must have */
    uint64_t seen;
    bool failed;
    err_t *err;
} mtx_text_t;

/* Opens path (plain or gzip) and reads banner and sizes.  -1 if they are wrong, absurd or
 * of a kind that is not supported; close it in any case. */
int mtx_text_open(mtx_text_t *s, const char *path, err_t *err);
void mtx_text_close(mtx_text_t *s);

/* Steps to the next entry and checks it.  False at the end of the text and after a failure. */
bool mtx_text_next(mtx_text_t *s);

/* The read function of a FILE (fopencookie) that CHOLMOD can read to the end. */
ssize_t mtx_text_read(void *cookie, char *to, size_t size);

/* Remembers "PATH:LINE: reason" and returns -1.  Only the first failure counts. */
int mtx_text_fail(mtx_text_t *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool mtx_ends_in_gz(const char *path);

#endif
