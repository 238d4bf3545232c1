/* variables.c - see rules.h */
#include "rules.h"

/* The token that distinguishes a variable from a function: = ; { [ or ) after a variable's name, ( after a
 * function's; t->count for neither. */
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

/* Whether the variable declared by from..to-1 is constant: `T *const p` is, `const T *p` is not. */
static bool is_constant(const tokens_t *t, size_t from, size_t to)
{
    bool constant = false;
    for (size_t i = from; i < to; ++i) {
        if (token_is(t, i, "const") || token_is(t, i, "constexpr")) constant = true;
        else if (token_is(t, i, "*")) constant = false;
    }
    return constant;
}

/* Whether the variable whose declaration continues at token i, or another one of the same statement, has an initial
 * value. */
static bool is_set(const tokens_t *t, size_t i)
{
    for (; i < t->count && !token_is(t, i, ";"); ++i) {
        if (token_is(t, i, "=") || token_is(t, i, "{")) return true;
        if (token_is(t, i, "[") || token_is(t, i, "(")) i = token_close(t, i);
    }
    return false;
}

/* All files share an inline variable (-rdc=true).  It could share its section with no other variable, so `inline`
 * is removed and the variable is made weak instead. */
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

/* Returns constinit, because no variable of the GPU may have an initial value that must be computed; "" for
 * pointers to functions, where g++ rejects the word. */
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
    /* Constants stay in the program's own sections, which every thread may read. */
    if (!variable || is_constant(t, from, at)) token_drop(t, word);
    else if (!t->token[word].instead)
        token_instead(t, word, "%s__attribute__((%ssection(\"%s\")))", first_value(t, word, at),
                      t->token[word].scope == IN_FILE && take_inline(t, from, at) ? "weak, " : "", section);
}

/* A constant without an initial value begins as 0 and gets a section of its own, so that a read before the first
 * copy to it is reported.  This does not apply to one that is declared before its definition, nor to modules. */
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
            /* __device__ __constant__ T a: __constant__ decides the section */
            if (token_among(t, i + 1, STORAGE) || token_among(t, i - 1, STORAGE)) token_drop(t, i);
            else translate_variable(t, i, "simt_device");
        }
    }
}
