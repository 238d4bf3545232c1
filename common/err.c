/* err.c - see err.h */
#include "err.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

int err_steers(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x61C || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/* Bytes of the UTF-8 character at s, which is *c; 0 if there is none. */
static size_t decode(const char *s, uint32_t *c)
{
    static const uint32_t LEAST[] = {0, 0, 0x80, 0x800, 0x10000}; /* that needs so many bytes */
    const unsigned char *p = (const unsigned char *)s;
    const size_t length = *p < 0x80 ? 1 : *p >> 5 == 6 ? 2 : *p >> 4 == 14 ? 3 : *p >> 3 == 30 ? 4 : 0;
    *c = length < 2 ? *p : *p & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (p[i] >> 6 != 2) return 0;
        *c = *c << 6 | (p[i] & 0x3F);
    }
    return *c < LEAST[length] || *c > 0x10FFFF || *c >> 11 == 0x1B ? 0 : length; /* 0x1B: half of a UTF-16 pair */
}

int err_is_clean(const char *text)
{
    uint32_t c;
    for (size_t length; *text; text += length)
        if ((length = decode(text, &c)) == 0 || err_steers(c)) return 0;
    return 1;
}

void err_clean(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        uint32_t c;
        const size_t length = decode(from, &c);
        if (length && !err_steers(c)) memmove(to, from, length);
        else *to = '?';
        to += length && !err_steers(c) ? length : 1;
        from += length ? length : 1;
    }
    *to = 0;
}

int err_set(err_t *err, const char *format, ...)
{
    if (!err) return -1;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    err_clean(err->text);
    return -1;
}
