/* values.c - see rules.h */
#include "rules.h"

#include <stdint.h>

#include "passes.h"

static bool is_operand(const tokens_t *t, size_t i)
{
    const token_kind_t kind = t->token[i].kind;
    return kind == TOKEN_WORD || kind == TOKEN_NUMBER || token_is(t, i, ")") || token_is(t, i, "]");
}

/* Whether the left side of the = at i is a memory location: p[i], a->b, a.b or *p.  A variable in its declaration
 * is not. */
static bool is_a_place(const tokens_t *t, size_t i)
{
    bool inside = false;
    size_t k = i - 1;
    for (;; --k) {
        if (token_is(t, k, "]") || token_is(t, k, ")")) {
            inside = inside || token_is(t, k, "]");
            k = token_open(t, k);
            if (k == SIZE_MAX || k == 0) return false;
            /* The brackets belong to an operand, which is called or indexed. */
            const bool whose = is_operand(t, k - 1) || token_is(t, k - 1, ">");
            if (whose && (token_is(t, k + 1, "&") || token_is(t, k + 1, "*"))) return false; /* T (&a)[4] = ... */
            if (whose) continue;
        } else if (t->token[k].kind != TOKEN_WORD || token_is(t, k, "operator")) {
            return false;
        }
        if (!token_is(t, k - 1, ".") && !token_is(t, k - 1, "->") && !token_is(t, k - 1, "::")) break;
        inside = true;
        --k;
    }
    return inside || (token_is(t, k - 1, "*") && !is_operand(t, k - 2));
}

/* The end of the value after the = at i, if it is the result of a function or an operator; else t->count. */
static size_t end_of_value(const tokens_t *t, size_t i)
{
    static const char *const OPERATORS[] = {"+", "-", "*", "/", "%", NULL}, *const ENDS[] = {";", ")", "]", NULL};
    bool operators = false, angles = false;
    size_t k = i + 1;
    for (; k < t->count && !token_among(t, k, ENDS) && (angles || !token_is(t, k, ",")); ++k) {
        if (token_is(t, k, ",") || token_is(t, k, "{") || token_is(t, k, "}")) return t->count; /* f<a, b>(), perhaps */
        angles = angles || token_is(t, k, "<");
        operators = operators || (token_among(t, k, OPERATORS) && is_operand(t, k - 1));
        if (!token_is(t, k, "(") && !token_is(t, k, "[")) continue;
        const size_t close = token_close(t, k);
        for (; k < close && k < t->count; ++k)
            if (token_is(t, k, "{")) return t->count; /* a lambda */
    }
    if (k >= t->count || operators) return k;
    const size_t open = token_is(t, k - 1, ")") ? token_open(t, k - 1) : SIZE_MAX;
    if (open == SIZE_MAX || open <= i + 1) return t->count;
    return t->token[open - 1].kind == TOKEN_WORD || token_is(t, open - 1, ">") ? k : t->count;
}

void translate_values(tokens_t *t)
{
    size_t open, close;
    for (size_t i = 0; passes_function_of_gpu(t, &i, &open, &close); i = close)
        for (size_t k = open + 2; k < close; ++k) {
            const size_t end = token_is(t, k, "=") && is_a_place(t, k) ? end_of_value(t, k) : t->count;
            if (end >= close) continue;
            token_after(t, k, " simt::value(");
            token_before(t, end, ")");
        }
}
