/* angles.c - see rules.h */
#include "passes.h"
#include "rules.h"

/* Whether a call of one of these functions begins at i, in any namespace.  Members and declarations do not count. */
static bool is_call(const tokens_t *t, size_t i)
{
    static const char *const NAMES[] = {"sin", "cos", "sinpi", "cospi", NULL}, *const NOT[] = {".", "->", "&", NULL};
    return token_among(t, i, NAMES) && token_is(t, i + 1, "(") && !token_is(t, i + 2, ")") &&
           (t->token[i - 1].kind == TOKEN_SIGN ? !token_among(t, i - 1, NOT) || token_is(t, i - 2, "(")
                                               : token_is(t, i - 1, "return"));
}

void translate_angles(tokens_t *t)
{
    size_t open, close;
    for (size_t i = 0; passes_function_of_gpu(t, &i, &open, &close); i = close)
        for (size_t k = open + 1; k < close; ++k) {
            if (!is_call(t, k) || token_close(t, k + 1) >= close) continue;
            const bool pi = t->token[k].length == 5;
            token_after(t, k + 1, pi ? "simt::angle_of_pi(" : "simt::angle(");
            token_before(t, token_close(t, k + 1), ")");
        }
}
