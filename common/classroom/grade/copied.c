/* copied.c - see copied.h */
#include "copied.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_STEP = 1 << 18 };

/* The length of a comment at text[at]; 0 if there is none. */
static size_t comment_at(const char *text, size_t at, size_t bytes)
{
    if (at + 1 >= bytes || text[at] != '/') return 0;
    size_t end = at + 2;
    if (text[at + 1] == '/') {
        while (end < bytes && text[end] != '\n') ++end;
    } else if (text[at + 1] == '*') {
        while (end < bytes && !(text[end - 1] == '*' && text[end] == '/' && end > at + 2)) ++end;
        if (end < bytes) ++end;
    } else {
        return 0;
    }
    return end - at;
}

/* The length of "v8" in "reduce_v8"; 0 if text[at] is not such a number. */
static size_t number_at(const char *text, size_t at, size_t bytes)
{
    if (at == 0 || text[at - 1] != '_' || text[at] != 'v') return 0;
    size_t end = at + 1;
    while (end < bytes && isdigit((unsigned char)text[end])) ++end;
    return end == at + 1 ? 0 : end - at;
}

/* Returns the text without comments and blanks; the caller frees it; NULL if memory is short. */
static char *bare(const char *text, size_t bytes)
{
    static const char OWN[] = "student";
    char *out = malloc(4 * bytes + 1), *to = out; /* _v8 becomes _student */
    for (size_t at = 0; out && at < bytes;) {
        const size_t comment = comment_at(text, at, bytes), number = number_at(text, at, bytes);
        if (number > 0) to += sprintf(to, "%s", OWN);
        else if (comment == 0 && text[at] != '\\' && !isspace((unsigned char)text[at])) *to++ = text[at];
        at += comment > 0 ? comment : number > 0 ? number : 1;
    }
    if (out) *to = 0;
    return out;
}

static char *bare_file(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = f ? malloc(LONGEST_STEP) : NULL;
    char *out = text ? bare(text, fread(text, 1, LONGEST_STEP, f)) : NULL;
    free(text);
    if (f) fclose(f);
    return out;
}

bool copied_from(const char *source, size_t bytes, const char *folder, char *step, size_t size)
{
    char pattern[128];
    glob_t found;
    bool same = false;
    snprintf(pattern, sizeof pattern, "%s/{,[a-z]_*/}v*_*.cu", folder); /* also in the acts of chapter 07 */
    char *own = bare(source, bytes);
    if (own && glob(pattern, GLOB_BRACE, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc && !same; ++i) {
            char *other = bare_file(found.gl_pathv[i]);
            same = other && !strcmp(own, other);
            const char *name = strrchr(found.gl_pathv[i], '/') + 1;
            if (same) snprintf(step, size, "v%lu", strtoul(name + 1, NULL, 10)); /* v08_block_strided.cu is v8 */
            free(other);
        }
        globfree(&found);
    }
    free(own);
    return same;
}
