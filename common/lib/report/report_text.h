/* report_text.h - a growing string. */
#ifndef COURSE_REPORT_TEXT_H
#define COURSE_REPORT_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* A growing string; initialise it with {0}.  `failed` stores that memory ran out; test it once before using the text.
 * This is not open_memstream because glibc's silently drops text for which it has no memory. */
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

/* The same for all of s; puts "-" if that is empty or s is NULL. */
void text_put_field(text_t *t, const char *s, const char *newline);
void text_free(text_t *t);

#endif
