/* plain.c - see plain.h */
#include "plain.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Decodes the character at s and the number of its bytes; 0 bytes if it is not UTF-8.  Longer forms than needed and
 * UTF-16 surrogates are rejected, because two encodings of one character can hide it from a check. */
static size_t decode(const unsigned char *s, uint32_t *c)
{
    static const uint32_t LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t n = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    *c = n < 2 ? s[0] : s[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; ++i) {
        if (s[i] >> 6 != 2) return 0; /* also at the end of the string */
        *c = *c << 6 | (s[i] & 0x3Fu);
    }
    return *c < LEAST[n] || *c > 0x10FFFF || (*c >= 0xD800 && *c <= 0xDFFF) ? 0 : n;
}

bool plain_seen(uint32_t c)
{
    static const uint32_t UNSEEN[][2] = {
        {0x00, 0x1F},     {0x7F, 0x9F},     /* controls */
        {0xAD, 0xAD},     {0x61C, 0x61C},   /* soft hyphen; direction mark */
        {0x180E, 0x180E}, {0x200B, 0x200B}, /* zero width (but not the joiners, which scripts need) */
        {0x200E, 0x200F},                   /* direction marks */
        {0x2028, 0x202E}, {0x2060, 0x206F}, /* separators, direction overrides; isolates */
        {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, /* zero width; interlinear annotation */
        {0xE0000, 0xE0FFF},                 /* tags */
    };
    for (size_t i = 0; i < sizeof UNSEEN / sizeof *UNSEEN; ++i)
        if (c >= UNSEEN[i][0] && c <= UNSEEN[i][1]) return false;
    return true;
}

static char *plain(char *text, const char *kept)
{
    char *to = text;
    for (const char *from = text; *from;) {
        uint32_t c;
        const size_t n = decode((const unsigned char *)from, &c);
        if (n > 0 && (plain_seen(c) || (n == 1 && strchr(kept, *from)))) {
            memmove(to, from, n);
            to += n;
        } else {
            *to++ = n == 1 && strchr("\t\n\v\f\r", *from) ? ' ' : '?';
        }
        from += n > 0 ? n : 1;
    }
    *to = 0;
    return text;
}

char *plain_line(char *text) { return plain(text, ""); }
char *plain_lines(char *text) { return plain(text, "\t\n"); }

bool plain_is(const char *text)
{
    uint32_t c;
    for (size_t n; *text; text += n)
        if ((n = decode((const unsigned char *)text, &c)) == 0 || !plain_seen(c)) return false;
    return true;
}

static ssize_t write_plain(void *to, const char *data, size_t size)
{
    char *text = strndup(data, size);
    if (!text) return 0;
    const int failed = fputs(plain_lines(text), to) == EOF || fflush(to) == EOF;
    free(text);
    return failed ? 0 : (ssize_t)size;
}

FILE *plain_stream(FILE *to)
{
    FILE *stream = fopencookie(to, "w", (cookie_io_functions_t){.write = write_plain});
    if (stream) setvbuf(stream, NULL, _IOLBF, 0); /* line-buffered, so that no character is split */
    return stream;
}
