/*
 * tokens.h - a C++ text as tokens, each of which can be given other words; spaces, comments and lines stay as they are.
 */
#ifndef SIMT_TOKENS_H
#define SIMT_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_SIGN, TOKEN_END } token_kind_t;

/* The kind of the braces around a token. */
typedef enum scope { IN_FILE, IN_CLASS, IN_FUNCTION } scope_t;

typedef struct token {
    token_kind_t kind;
    scope_t scope;
    bool system;            /* in a header of the system or the simulator, by the line mark above it */
    size_t around, partner; /* the { that it is in, of } its own, SIZE_MAX: none; of { its }, or the count of tokens */
    const char *space;      /* the text between the previous token and this one: spaces, comments, directives */
    const char *text;
    size_t length;
    char *before, *instead; /* written before it, and in its place (NULL: its own text); owned */
    char *after;
} token_t;

typedef struct tokens {
    char *source;           /* the whole text, which the tokens point into; owned */
    token_t *token;         /* the last token is TOKEN_END */
    size_t count;           /* without TOKEN_END */
} tokens_t;

/* Cuts a text of `size` bytes, which it takes and frees even when it fails.  Signs are cut as C++ does, but that each >
 * stands alone, so that a<b<c>> is two of them, and <<< is one sign.  Of a directive only what a #define stands for is
 * cut.  0, or -1: out of memory. */
int tokens_cut(tokens_t *t, char *source, size_t size);
void tokens_free(tokens_t *t);

/* Whether token i is this word or sign; false beyond either end. */
static inline bool token_is(const tokens_t *t, size_t i, const char *text)
{
    return i < t->count && *t->token[i].text == *text && t->token[i].length == strlen(text) &&
           memcmp(t->token[i].text, text, t->token[i].length) == 0;
}
/* Whether token i is one of these words; the list ends with NULL. */
bool token_among(const tokens_t *t, size_t i, const char *const *texts);

/* The partner of a bracket ( [ { or < at i, forward; of ) ] } or >, backward.  The angle ones skip round and square
 * groups.  t->count or SIZE_MAX if there is none. */
size_t token_close(const tokens_t *t, size_t i);
size_t token_open(const tokens_t *t, size_t i);
/* The first token of the statement or declaration that i is in: behind the ; { or } before it. */
size_t token_statement(const tokens_t *t, size_t i);
/* The end of the braces that i is in: their }, or t->count. */
size_t token_end_of_braces(const tokens_t *t, size_t i);

/* Add text, formatted as by printf, before, in place of, and after token i. */
void token_before(tokens_t *t, size_t i, const char *format, ...) __attribute__((format(printf, 3, 4)));
void token_instead(tokens_t *t, size_t i, const char *format, ...) __attribute__((format(printf, 3, 4)));
void token_after(tokens_t *t, size_t i, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Removes token i; the lines around it stay. */
void token_drop(tokens_t *t, size_t i);

/* Tokens from..to-1 as one line of text, comments and line ends as a blank; the caller frees it. */
char *tokens_text(const tokens_t *t, size_t from, size_t to);

/* The line of its file on which p is, by the marks of the preprocessor; *name: the mark behind its number, up to the
 * end of its line ("" without marks). */
unsigned long tokens_line(const tokens_t *t, const char *p, const char **name);
/* "file:line" of token i.  false: there are none, or it is in a system's header. */
bool tokens_place(const tokens_t *t, size_t i, char *text, size_t size);

/* Whether token i is in a header of the system or the simulator, by the line mark above it. */
bool token_in_system_header(const tokens_t *t, size_t i);

/* 0, or -1 if it cannot be written. */
int tokens_write(const tokens_t *t, FILE *f);

#endif
