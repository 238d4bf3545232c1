/* report_text.h - a growing string. */
#ifndef COURSE_REPORT_TEXT_H
#define COURSE_REPORT_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* A growing string; initialise it with {0}.  `failed` is set when memory is short; test it once before using the text.
 * This is not open_memstream because glibc's silently drops text for which it has no memory. */
typedef struct text {
    char *data; /* ends with a NUL; NULL until text is appended */
    size_t length, room;
    bool failed;
} text_t;

/* Appends formatted text, printf style. */
void text_put(text_t *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vput(text_t *t, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Appends at most `most` characters of s and returns their number.  Each byte that is not UTF-8 becomes U+FFFD.  Line
 * ends become `newline` (those at the end of s are dropped) and other control characters become spaces; with newline
 * NULL none of these changes.  The thread's locale must use UTF-8. */
size_t text_put_utf8(text_t *t, const char *s, const char *newline, size_t most);

/* Appends all of s in this way; "-" if s is empty or NULL. */
void text_put_field(text_t *t, const char *s, const char *newline);
void text_free(text_t *t);

#endif
