/* dependent.c - see rules.h */
#include "passes.h"
#include "rules.h"

#include <stdint.h>

/* Whether the angle brackets at `open` hold template arguments and a call follows: cast<n>( */
static bool is_called(const tokens_t *t, size_t open, size_t end)
{
    static const char *const NOT_THERE[] = {"&&", "||", ";", "{", NULL};
    const size_t close = token_close(t, open);
    if (close >= end || !token_is(t, close + 1, "(")) return false;
    for (size_t i = open + 1; i < close; ++i)
        if (token_among(t, i, NOT_THERE)) return false;
    return true;
}

void translate_dependent(tokens_t *t)
{
    size_t open = 0, close = 0;
    for (size_t i = 0; passes_function_of_gpu(t, &i, &open, &close); i = close)
        for (size_t k = open + 1; k + 2 < close; ++k)
            if (token_is(t, k - 1, ">") && token_is(t, k, "::") && t->token[k + 1].kind == TOKEN_WORD &&
                !token_is(t, k + 1, "template") && token_is(t, k + 2, "<") && token_open(t, k - 1) != SIZE_MAX &&
                is_called(t, k + 2, close))
                token_before(t, k + 1, "template ");
}
