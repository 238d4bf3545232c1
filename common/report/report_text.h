/* report_text.h - a growing string. */
#ifndef COURSE_REPORT_TEXT_H
#define COURSE_REPORT_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

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

#endif
