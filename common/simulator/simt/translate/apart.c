/* apart.c - see rules.h */
#include "rules.h"

/* Whether the function that begins at `from`, with its braces at `open`, is for the host only, so that nvcc refuses
 * a kernel that calls it.  Templates, operators, constexpr functions and members are not for the host only: kernels
 * may call them here even without a CUDA qualifier. */
static bool is_of_host(const tokens_t *t, size_t from, size_t open)
{
    static const char *const OTHERS[] = {"__global__", "__device__", "template", "operator", "constexpr", "consteval",
                                         "=", "::", "~", "always_inline", "__always_inline__", "__forceinline__",
                                         NULL};
    if (token_is(t, from, "[")) return false; /* [[nodiscard]] must stay first */
    for (size_t i = from; i < open; ++i) {
        if (token_among(t, i, OTHERS)) return false;
        if (token_is(t, i, "(") && token_close(t, i) < open) i = token_close(t, i); /* parameters may have any type */
    }
    for (size_t i = open + 1; i < t->count && i < open + 10; ++i) /* passes.c has given it the GPU's body, too */
        if (token_is(t, i, "simt_in_kernel")) return false;
    return true;
}

void translate_apart(tokens_t *t)
{
    for (size_t i = 0; i < t->count; ++i) {
        if (!token_is(t, i, "{") || t->token[i].scope != IN_FILE) continue;
        if (t->token[i + 1].scope != IN_FUNCTION) continue;
        size_t from = token_statement(t, i);
        if (is_of_host(t, from, i) && !token_in_system_header(t, i)) {
            if (token_is(t, from, "extern") && t->token[from + 1].kind == TOKEN_TEXT) from += 2;
            token_before(t, from, "__attribute__((noinline)) ");
        }
        i = token_close(t, i);
    }
}
