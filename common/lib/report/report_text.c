/* report_text.c - a growing string, and any bytes as UTF-8 on one line: see report_text.h */
#include "report_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "plain.h"

void text_vput(text_t *t, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    const size_t needed = t->length + (size_t)n + 1;
    if (n < 0) t->failed = true;
    if (!t->failed && needed > t->room) {
        char *data = realloc(t->data, 2 * needed);
        t->failed = !data;
        if (data) t->data = data, t->room = 2 * needed;
    }
    if (!t->failed) t->length += (size_t)vsnprintf(t->data + t->length, (size_t)n + 1, format, args);
}

void text_put(text_t *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vput(t, format, args);
    va_end(args);
}

size_t text_put_utf8(text_t *t, const char *s, const char *newline, size_t most)
{
    size_t count = 0;
    for (size_t bytes; *s && count < most; s += bytes, ++count) {
        mbstate_t fresh = {0};
        wchar_t c;
        bytes = mbrtowc(&c, s, strnlen(s, 4), &fresh);
        if (bytes > 4 || c > 0x10FFFF) c = 0xFFFD, bytes = 1; /* invalid, or beyond Unicode, which glibc accepts */
        if (newline && (c == '\n' || c == '\r')) {
            bytes = strspn(s, "\r\n");
            if (!s[bytes]) break;
            text_put(t, "%s", newline);
        } else {
            text_put(t, "%lc", (wint_t)(newline && !plain_seen((uint32_t)c) ? ' ' : c));
        }
    }
    return count;
}

void text_put_field(text_t *t, const char *s, const char *newline)
{
    if (!s || text_put_utf8(t, s, newline, SIZE_MAX) == 0) text_put(t, "-");
}

void text_free(text_t *t)
{
    free(t->data);
    *t = (text_t){0};
}
