/* words.c - see rules.h */
#include "rules.h"

#include <stdint.h>

static const struct word {
    const char *cuda, *here;
    bool brackets; /* removed with its arguments in brackets, which only nvcc needs */
} QUALIFIERS[] = {
    {"__global__", "", false}, {"__host__", "", false}, {"__device__", "", false}, {"__grid_constant__", "", false},
    {"__launch_bounds__", "", true}, {"__cluster_dims__", "", true}, {"__maxnreg__", "", true},
    {"__noinline__", "__attribute__((noinline))", false},
    {"__forceinline__", "inline __attribute__((always_inline))", false}, {"__builtin_assume", "(void)0", true},
}, VARIABLES[] = {
    {"threadIdx", "(simt_thread_idx())", false}, {"blockIdx", "(simt_block_idx())", false},
    {"blockDim", "(simt_block_dim())", false}, {"gridDim", "(simt_grid_dim())", false}, {"warpSize", "32", false},
};
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- qualifiers ---- */

static void translate_qualifier(tokens_t *t, size_t i)
{
    for (size_t k = 0; k < COUNT(QUALIFIERS); ++k) {
        if (!token_is(t, i, QUALIFIERS[k].cuda) || t->token[i].instead) continue;
        if (token_is(t, i - 1, "(") || token_is(t, i - 1, ",")) return; /* g++'s __attribute__((__noinline__)) */
        token_instead(t, i, "%s", QUALIFIERS[k].here);
        const size_t close = QUALIFIERS[k].brackets && token_is(t, i + 1, "(") ? token_close(t, i + 1) : i;
        for (size_t n = i + 1; n <= close && n < t->count; ++n) token_drop(t, n);
        return;
    }
}

/* ---- threadIdx and the like ---- */

/* Whether this comma separates the variables of one declaration: dim3 gridDim, blockDim; */
static bool is_further(const tokens_t *t, size_t comma)
{
    size_t i = comma;
    for (; i > 0 && !token_is(t, i - 1, ";") && !token_is(t, i - 1, "{") && !token_is(t, i - 1, "}"); --i) {
        if (token_is(t, i - 1, "(") || token_is(t, i - 1, "[")) return false;
        if (!token_is(t, i - 1, ")") && !token_is(t, i - 1, "]")) continue;
        const size_t open = token_open(t, i - 1);
        if (open == SIZE_MAX) return false;
        i = open + 1;
    }
    return t->token[i].kind == TOKEN_WORD && t->token[i + 1].kind == TOKEN_WORD;
}

/* Whether this word declares a name of the program's own: dim3 gridDim(8); (dim3 gridDim, int n) */
static bool declares(const tokens_t *t, size_t i)
{
    static const char *const NO_TYPES[] = {"return", "case", "else", "do", "throw", "sizeof", "and", "or",
                                           "not", "co_return", "typename", NULL};
    static const char *const BEHIND[] = {";", "=", "(", "{", ",", ")", "[", ":", NULL};
    if (i == 0 || !token_among(t, i + 1, BEHIND)) return false;
    if (t->token[i - 1].kind == TOKEN_WORD) return !token_among(t, i - 1, NO_TYPES);
    if (token_is(t, i - 1, ",")) return is_further(t, i - 1);
    if (token_is(t, i, "warpSize") || (!token_is(t, i - 1, "*") && !token_is(t, i - 1, "&"))) return false;
    return i > 1 && t->token[i - 2].kind == TOKEN_WORD;
}

/* The end of the scope of a name declared at i: the braces around it, or for a parameter those of its function. */
static size_t end_of_name(const tokens_t *t, size_t i)
{
    int depth = 0;
    for (size_t k = i; k < t->count; ++k) {
        if (token_is(t, k, "(")) ++depth;
        else if (token_is(t, k, ")") && depth-- == 0) {
            while (k < t->count && !token_is(t, k, "{") && !token_is(t, k, ";")) ++k;
            return token_is(t, k, "{") ? token_close(t, k) : k;
        } else if (token_is(t, k, ";") || token_is(t, k, "{")) break;
    }
    return token_end_of_braces(t, i);
}

static void translate_variable(tokens_t *t, const struct word *word)
{
    for (size_t i = 0; i < t->count; ++i) {
        if (!token_is(t, i, word->cuda) || t->token[i].instead) continue;
        if (declares(t, i)) {
            i = end_of_name(t, i);
            continue;
        }
        if (token_is(t, i - 1, ".") || token_is(t, i - 1, "->") || token_is(t, i - 1, "::")) continue;
        token_instead(t, i, "%s", word->here);
    }
}

void translate_words(tokens_t *t)
{
    for (size_t i = 0; i < t->count; ++i) {
        translate_qualifier(t, i);
        if (token_is(t, i, "const") && token_is(t, i + 1, "const")) token_drop(t, i); /* nvcc only warns about it */
    }
    for (size_t k = 0; k < COUNT(VARIABLES); ++k) translate_variable(t, &VARIABLES[k]);
}
