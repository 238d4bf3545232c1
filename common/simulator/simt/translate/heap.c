/* heap.c - see rules.h */
#include "rules.h"

#include "passes.h"

/* Whether the call whose bracket is token i has one argument.  A library's own malloc and free have more. */
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

/* Whether the program declares a function of that name whose first parameter is not void *, unlike the C library's. */
static bool has_own(const tokens_t *t, const char *name)
{
    for (size_t i = 0; i + 2 < t->count; ++i)
        if (token_is(t, i, name) && token_is(t, i + 1, "(") && t->token[i].scope != IN_FUNCTION &&
            !token_is(t, i + 2, "void"))
            return true;
    return false;
}

/* Whether a call of memcpy(, ::memcpy(, std::memcpy( or cuda::std::memcpy( stands here; all are treated alike. */
static void translate_bytes(tokens_t *t, size_t i, const char *here)
{
    size_t from = i;
    if (token_is(t, from - 1, "::")) {
        --from;
        if (token_is(t, from - 1, "std")) --from;
        if (token_is(t, from - 1, "::") && token_is(t, from - 2, "cuda")) from -= 2;
        if (from == i - 1 && t->token[from - 1].kind == TOKEN_WORD && !token_is(t, from - 1, "return")) return;
    }
    token_instead(t, i, "%s", here);
    for (; from < i; ++from) token_drop(t, from);
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
        token_instead(t, i, "simt::clock"); /* the host's clock() counts another time in other steps */
    } else if (token_is(t, i, "new") && !token_is(t, i + 1, "(")) { /* new (p) T allocates nothing */
        token_instead(t, i, "new (simt::heap)");
    } else if (token_is(t, i, "delete") && !token_is(t, i - 1, "=")) { /* = delete; */
        const bool array = token_is(t, i + 1, "[") && token_is(t, i + 2, "]");
        token_instead(t, i, array ? "simt::destroy_array = " : "simt::destroy = ");
        for (size_t k = i + 1; array && k < i + 3; ++k) token_drop(t, k);
    }
}

void translate_heap(tokens_t *t)
{
    static const char *const MEMBERS[] = {".", "->", "operator", NULL};
    static const char *const BYTES[][2] = {{"memcpy", "simt::copy_bytes"}, {"memset", "simt::set_bytes"}};
    const bool own[] = {has_own(t, BYTES[0][0]), has_own(t, BYTES[1][0])};
    size_t open, close;
    for (size_t i = 0; passes_function_of_gpu(t, &i, &open, &close); i = close)
        for (size_t k = open + 1; k < close; ++k) {
            translate_word(t, k);
            for (int b = 0; b < 2; ++b)
                if (token_is(t, k, BYTES[b][0]) && token_is(t, k + 1, "(") && !own[b] &&
                    !token_among(t, k - 1, MEMBERS))
                    translate_bytes(t, k, BYTES[b][1]);
        }
}
