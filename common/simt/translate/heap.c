/* heap.c - see rules.h */
#include "rules.h"

#include "passes.h"

/* Does a call that opens at token i have one argument?  A library's own malloc and free have more. */
static bool one_argument(const tokens_t *t, size_t i)
{
    const size_t end = token_close(t, i);
    for (size_t k = i + 1, depth = 0; k < end; ++k) {
        if (token_is(t, k, "(") || token_is(t, k, "[") || token_is(t, k, "{")) ++depth;
        if (token_is(t, k, ")") || token_is(t, k, "]") || token_is(t, k, "}")) --depth;
        if (!depth && token_is(t, k, ",")) return false;
    }
    return true;
}

static void translate_word(tokens_t *t, size_t i)
{
    static const char *const MEMBERS[] = {".", "->", "operator", "::", NULL};
    if (t->token[i].kind != TOKEN_WORD || token_among(t, i - 1, MEMBERS)) return;
    if (token_is(t, i, "malloc") && token_is(t, i + 1, "(") && one_argument(t, i + 1)) {
        token_instead(t, i, "simt::heap_malloc");
    } else if (token_is(t, i, "free") && token_is(t, i + 1, "(") && one_argument(t, i + 1)) {
        token_instead(t, i, "simt::heap_free");
    } else if (token_is(t, i, "clock") && token_is(t, i + 1, "(") && token_is(t, i + 2, ")")) {
        token_instead(t, i, "simt::clock"); /* the host's counts another time, in other steps */
    } else if (token_is(t, i, "new") && !token_is(t, i + 1, "(")) { /* new (p) T is where p says */
        token_instead(t, i, "new (simt::heap)");
    } else if (token_is(t, i, "delete") && !token_is(t, i - 1, "=")) { /* = delete; */
        const bool array = token_is(t, i + 1, "[") && token_is(t, i + 2, "]");
        token_instead(t, i, array ? "simt::destroy_array = " : "simt::destroy = ");
        for (size_t k = i + 1; array && k < i + 3; ++k) token_drop(t, k);
    }
}

void translate_heap(tokens_t *t)
{
    size_t open, close;
    for (size_t i = 0; passes_function_of_card(t, &i, &open, &close); i = close)
        for (size_t k = open + 1; k < close; ++k) translate_word(t, k);
}
