/* cases.c - see rules.h */
#include "rules.h"

#include "passes.h"

/* Returns the token after the colon of the label at i, `case X:` or `default:`; i if there is no label. */
static size_t behind_label(const tokens_t *t, size_t i)
{
    if (token_is(t, i, "default") && token_is(t, i + 1, ":")) return i + 2;
    if (!token_is(t, i, "case")) return i;
    size_t choices = 0; /* the colon of a ? b : c */
    for (size_t k = i + 1; k < t->count && !token_is(t, k, ";"); ++k) {
        choices += token_is(t, k, "?");
        if (token_is(t, k, ":") && choices-- == 0) return k + 1;
    }
    return i;
}

/* Whether the = at i belongs to a declaration: T x = ..., T *x = ... */
static bool declares(const tokens_t *t, size_t i)
{
    static const char *const BEFORE[] = {"*", "&", ">", NULL};
    return token_is(t, i, "=") && t->token[i - 1].kind == TOKEN_WORD &&
           (t->token[i - 2].kind == TOKEN_WORD || token_among(t, i - 2, BEFORE));
}

/* Writes braces around the tokens from..to-1. */
static void enclose(tokens_t *t, size_t from, size_t to)
{
    token_before(t, from, "{ ");
    token_before(t, to, "} ");
}

/* Visits the labels of one switch, whose braces are open and close, and the statements from each label to the next. */
static void translate_switch(tokens_t *t, size_t open, size_t close)
{
    size_t from = 0;
    bool declared = false;
    for (size_t i = open + 1; i < close; ++i) {
        const size_t behind = behind_label(t, i);
        if (behind > i) {
            if (declared) enclose(t, from, i);
            from = behind;
            declared = false;
            i = behind - 1;
        } else if (token_is(t, i, "{") || token_is(t, i, "(") || token_is(t, i, "[")) {
            i = token_close(t, i);
        } else {
            declared = declared || (from && declares(t, i));
        }
    }
}

void translate_cases(tokens_t *t)
{
    size_t open, close;
    for (size_t i = 0; passes_function_of_gpu(t, &i, &open, &close); i = close)
        for (size_t k = open + 1; k < close; ++k) {
            if (!token_is(t, k, "switch") || !token_is(t, k + 1, "(")) continue;
            const size_t body = token_close(t, k + 1) + 1;
            if (token_is(t, body, "{")) translate_switch(t, body, token_close(t, body));
        }
}
