/* inspect_quote.c - texts with a launch in them.  See inspect.h */
#include "inspect.h"

#include <ctype.h>
#include <string.h>

/* Copies a comment; it begins behind the slash. */
static int copy_comment(FILE *in, FILE *out, int c)
{
    const int kind = c;
    int before = 0;
    putc(c, out);
    while ((c = getc(in)) != EOF) {
        putc(c, out);
        if (kind == '/' ? c == '\n' && before != '\\' : c == '/' && before == '*') break;
        before = c;
    }
    return c;
}

/* Copies a text to its closing quote, < as \074. */
static void copy_text(FILE *in, FILE *out, int quote)
{
    for (int c; (c = getc(in)) != EOF;) {
        if (c == '<') fputs("\\074", out);
        else putc(c, out);
        if (c == '\\' && (c = getc(in)) != EOF) putc(c, out);
        else if (c == quote || c == '\n') return;
    }
}

/* Copies R"x( ... )x" as it is; the quote has been copied. */
static void copy_raw(FILE *in, FILE *out)
{
    char end[32] = ")";
    size_t n = 1, have = 0;
    for (int c; (c = getc(in)) != EOF && putc(c, out) != '(';)
        if (n < sizeof end - 2) end[n++] = (char)c;
    end[n++] = '"';
    for (int c; have < n && (c = getc(in)) != EOF;) {
        putc(c, out);
        have = c == end[have] ? have + 1 : c == ')' ? 1 : 0;
    }
}

int inspect_quote(FILE *in, FILE *out)
{
    char word[4] = ""; /* the end of what stands before */
    for (int c; (c = getc(in)) != EOF;) {
        putc(c, out);
        if (c == '/') {
            const int after = getc(in);
            if (after == '/' || after == '*') copy_comment(in, out, after);
            else if (after != EOF) ungetc(after, in);
        } else if (c == '"' && word[2] == 'R') {
            copy_raw(in, out);
        } else if (c == '"' || (c == '\'' && !isalnum((unsigned char)word[2]))) { /* 1'000 is a number */
            copy_text(in, out, c);
        }
        memmove(word, word + 1, 2);
        word[2] = (char)c;
    }
    return ferror(out) ? -1 : 0;
}
