/* variables.c - see rules.h */
#include "rules.h"

/* The token that tells a variable from a function: its = ; { [ or ), the ( of a function, t->count for neither. */
static size_t telling(const tokens_t *t, size_t i)
{
    static const char *const WITH_BRACKETS[] = {"__align__", "__attribute__", "alignas",
                                                "decltype", "__launch_bounds__", "__builtin_align__", NULL};
    for (; i < t->count; ++i) {
        if (token_is(t, i, "operator")) return t->count;
        if (token_is(t, i, "<")) {
            const size_t close = token_close(t, i);
            i = close < t->count ? close : i;
        } else if (token_is(t, i, "(") && token_among(t, i - 1, WITH_BRACKETS)) {
            i = token_close(t, i);
        } else if (token_is(t, i, "(") && token_is(t, i + 1, "*")) {
            return token_close(t, i); /* a pointer to a function */
        } else if (token_is(t, i, "(") || token_is(t, i, "=") || token_is(t, i, ";") || token_is(t, i, "{") ||
                   token_is(t, i, "[") || token_is(t, i, ",")) {
            return i;
        }
    }
    return t->count;
}

/* Is a variable that is declared by from..to-1 one that never changes?  `const T *p` changes, `T *const p` does not. */
static bool is_constant(const tokens_t *t, size_t from, size_t to)
{
    bool constant = false;
    for (size_t i = from; i < to; ++i) {
        if (token_is(t, i, "const") || token_is(t, i, "constexpr")) constant = true;
        else if (token_is(t, i, "*")) constant = false;
    }
    return constant;
}

/* Is a variable whose declaration goes on at token i given a value there, or another one of the same statement? */
static bool is_set(const tokens_t *t, size_t i)
{
    for (; i < t->count && !token_is(t, i, ";"); ++i) {
        if (token_is(t, i, "=") || token_is(t, i, "{")) return true;
        if (token_is(t, i, "[") || token_is(t, i, "(")) i = token_close(t, i);
    }
    return false;
}

/* An inline variable is one for all files (-rdc=true).  Its section can be no other's then: it is weak instead. */
static bool take_inline(tokens_t *t, size_t from, size_t to)
{
    bool is_inline = false;
    for (size_t i = from; i < to; ++i) {
        if (token_is(t, i, "static")) return false;
        is_inline = is_inline || token_is(t, i, "inline");
    }
    for (size_t i = from; is_inline && i < to; ++i)
        if (token_is(t, i, "inline")) token_drop(t, i);
    return is_inline;
}

/* No variable of the GPU has a first value that must be computed.  g++ does not take the word with pointers to
 * functions. */
static const char *first_value(const tokens_t *t, size_t word, size_t at)
{
    for (size_t i = word + 1; i < at; ++i)
        if (token_is(t, i, "(") && !token_is(t, i - 1, "__attribute__") && !token_is(t, i - 1, "alignas")) return "";
    return is_set(t, at) ? "__constinit " : "";
}

static void translate_variable(tokens_t *t, size_t word, const char *section)
{
    const size_t from = token_statement(t, word), at = telling(t, word + 1);
    const bool variable = at < t->count && !token_is(t, at, "(") &&
                          (!token_is(t, at, "{") || t->token[at - 1].kind == TOKEN_WORD);
    /* Constants stay among the program's: every thread may read those. */
    if (!variable || is_constant(t, from, at)) token_drop(t, word);
    else if (!t->token[word].instead)
        token_instead(t, word, "%s__attribute__((%ssection(\"%s\")))", first_value(t, word, at),
                      t->token[word].scope == IN_FILE && take_inline(t, from, at) ? "weak, " : "", section);
}

/* A constant without a value begins as 0, and has a section of its own: who reads it before it was copied to is told.
   Not where it is declared before it is defined, nor of a module. */
static void translate_constant(tokens_t *t, size_t word, bool module)
{
    const size_t from = token_statement(t, word), at = telling(t, word + 1);
    bool declared = module;
    for (size_t i = from; i < at && i < t->count; ++i) declared = declared || token_is(t, i, "extern");
    translate_variable(t, word, declared || is_set(t, at) ? "simt_constant" : "simt_unset_constant");
}

void translate_variables(tokens_t *t, bool module)
{
    static const char *const STORAGE[] = {"__constant__", "__managed__", NULL};
    for (size_t i = 0; i < t->count; ++i) {
        if (t->token[i].instead) continue;
        if (token_is(t, i, "__constant__")) translate_constant(t, i, module);
        else if (token_is(t, i, "__managed__")) translate_variable(t, i, "simt_managed");
        else if (token_is(t, i, "__device__")) {
            /* __device__ __constant__ T a: the other word says where */
            if (token_among(t, i + 1, STORAGE) || token_among(t, i - 1, STORAGE)) token_drop(t, i);
            else translate_variable(t, i, "simt_device");
        }
    }
}
