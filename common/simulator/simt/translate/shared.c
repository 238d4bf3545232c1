/* shared.c - see rules.h */
#include "passes.h"
#include "rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One of the variables of a declaration. */
typedef struct declarator {
    size_t from, name, end; /* its first token (a * or &, or the name), its name, the , or ; after it */
} declarator_t;

/* The , or ; that ends the declarator which begins at i. */
static size_t end_of_declarator(const tokens_t *t, size_t i)
{
    for (; i < t->count && !token_is(t, i, ",") && !token_is(t, i, ";"); ++i)
        if (token_is(t, i, "(") || token_is(t, i, "[") || token_is(t, i, "{")) i = token_close(t, i);
    return i;
}

/* The name of the first variable: the word before the first [ , ; or = outside of inner brackets. */
static size_t first_name(const tokens_t *t, size_t i)
{
    size_t name = t->count;
    static const char *const ENDS[] = {";", ",", "[", "=", NULL};
    for (; i < t->count && !token_among(t, i, ENDS); ++i) {
        if (token_is(t, i, "(") || token_is(t, i, "{") || token_is(t, i, "<")) {
            const size_t close = token_close(t, i);
            if (close == t->count) return t->count;
            i = close;
        } else if (t->token[i].kind == TOKEN_WORD) {
            name = i;
        }
    }
    return i < t->count ? name : t->count;
}

/* Writes an alignment for a typedef.  g++ allows there only its own attribute, which accepts no type; so a struct
 * with that alignment is declared first. */
static char *write_alignment(tokens_t *t, size_t from, size_t word, size_t close)
{
    char *asked = tokens_text(t, word, close + 1), *spelled = NULL;
    token_after(t, from, "struct %s simt_alignment_%zu {}; ", asked, word);
    if (asprintf(&spelled, "__attribute__((aligned(alignof(simt_alignment_%zu))))", word) < 0) spelled = NULL;
    free(asked);
    return spelled;
}

/* The type of all variables of the declaration: from..to-1 without the storage words.  The caller frees it. */
static char *type_of(tokens_t *t, size_t from, size_t to)
{
    static const char *const STORAGE[] = {"__shared__", "extern", "static", "__device__", NULL};
    char *type = calloc(1, 1);
    for (size_t i = from; i < to && type; ++i) {
        if (token_among(t, i, STORAGE)) continue;
        const size_t last = token_is(t, i, "alignas") ? token_close(t, i + 1) : i;
        char *word = last > i ? write_alignment(t, from, i, last) : tokens_text(t, i, i + 1), *longer = NULL;
        if (asprintf(&longer, "%s%s%s", type, *type ? " " : "", word) < 0) longer = NULL;
        i = last;
        free(word);
        free(type);
        type = longer;
    }
    return type;
}

/* Whether the name is used in from..to-1, other than as a member. */
static bool names(const tokens_t *t, size_t from, size_t to, const char *name)
{
    for (size_t i = from; i < to; ++i)
        if (token_is(t, i, name) && !token_is(t, i - 1, ".") && !token_is(t, i - 1, "->") &&
            !token_is(t, i - 1, "::"))
            return true;
    return false;
}

static void write_reference(tokens_t *t, size_t at, const char *name)
{
    token_after(t, at, "simt_type_%s &%s = *simt::shared_variable<simt_type_%s>(&simt_key_%s, \"%s\"); ", name, name,
                name, name, name);
}

/* A variable at file scope cannot refer to a block's memory.  So each later function that names the variable
 * declares the reference at its start; for a variable of a named namespace, each later function in that namespace. */
static void write_references(tokens_t *t, size_t declaration, const char *name)
{
    const size_t close = token_end_of_braces(t, declaration), open = close < t->count ? token_open(t, close) : 0;
    const size_t last = token_is(t, open - 1, "namespace") ? t->count : close;
    for (size_t i = declaration; i < last; ++i) {
        if (!token_is(t, i, "{") || t->token[i].scope == IN_FUNCTION || t->token[i + 1].scope != IN_FUNCTION) continue;
        const size_t end = token_close(t, i);
        const bool is_parameter = names(t, token_statement(t, i), i, name);
        if (!token_is(t, i - 1, "=") && !is_parameter && names(t, i, end, name)) write_reference(t, i, name);
        i = end;
    }
}

/* Declares a static __shared__ variable: its type, a key that identifies it and gives its size (api_kernels.cpp),
 * and a reference. */
static void write_static(tokens_t *t, size_t at, const char *type, const char *stars, const char *name,
                         const char *bounds)
{
    token_after(t, at, "typedef %s %ssimt_type_%s %s; static const unsigned simt_key_%s[] = {sizeof(simt_type_%s), "
                "alignof(simt_type_%s)}; ", type, stars, name, bounds, name, name, name);
    token_after(t, at, "static_assert(sizeof(simt_type_%s) <= 49152, \"__shared__ %s: a block has 48 KB, more only by "
                "extern __shared__ and cudaFuncSetAttribute\"); ", name, name);
    if (t->token[at].scope == IN_FILE) write_references(t, at, name);
    else write_reference(t, at, name);
}

/* reinterpret_cast does not use an object's conversion to a pointer, so +name converts it first. */
static void write_casts(tokens_t *t, const char *name)
{
    for (size_t i = 3; i + 1 < t->count; ++i)
        if (token_is(t, i, name) && token_is(t, i - 1, "(") && token_is(t, i - 2, ">") && token_is(t, i + 1, ")"))
            token_after(t, i - 1, "+");
}

/* Whether this name of dynamic shared memory is already declared in the same braces before `at`, as by several
 * headers. */
static bool declared_before(const tokens_t *t, size_t at, const char *name)
{
    const size_t braces = token_end_of_braces(t, at);
    for (size_t i = 0; i < at; ++i) {
        if (!token_is(t, i, "__shared__") || t->token[i].scope != IN_FILE || token_end_of_braces(t, i) != braces)
            continue;
        const size_t from = token_statement(t, i), end = end_of_declarator(t, from);
        if (from < at && token_is(t, from, "extern") && names(t, from, end, name)) return true;
    }
    return false;
}

/* Declares dynamic shared memory as a pointer to the type before the first []; at file scope as an object that
 * converts to this pointer. */
static void write_dynamic(tokens_t *t, size_t at, const char *type, const char *stars, const char *name,
                          const char *bounds)
{
    const char *rest = strchr(bounds, ']');
    rest = rest ? rest + 1 : "";
    if (t->token[at].scope == IN_FILE && declared_before(t, at, name)) return;
    if (t->token[at].scope == IN_FILE) {
        token_after(t, at,
                    "typedef %s %ssimt_type_%s %s; static const simt::file_scope_shared<simt_type_%s> %s{}; ",
                    type, stars, name, rest, name, name);
        write_casts(t, name);
    } else
        token_after(t, at, "typedef %s %ssimt_type_%s %s; simt_type_%s *const %s = simt::dynamic_shared(); ",
                    type, stars, name, rest, name, name);
}

/* Declares a variable that keeps its value between calls and launches: its initial value is a variable of the host,
 * and the reference is to GPU memory.  nvcc accepts none whose initial value must be computed. */
static void write_kept(tokens_t *t, size_t at, const char *type, const char *stars, const char *name,
                       const char *bounds)
{
    token_after(t, at, "%sstatic %s %ssimt_first_%s %s; auto &%s = *simt::kept_variable(&simt_first_%s, \"%s\"); ",
                strpbrk(bounds, "=({") ? "__constinit " : "", type, stars, name, bounds, name, name, name);
}

/* Refuses an initialiser, which no __shared__ variable may have.  Returns the end of the declarator without it. */
static size_t refuse_value(tokens_t *t, const declarator_t *d, size_t from, const char *name)
{
    size_t value = d->name + 1;
    while (token_is(t, value, "[")) value = token_close(t, value) + 1;
    if (!token_is(t, value, "=") && !token_is(t, value, "{")) return d->end;
    token_after(t, from, "static_assert(false, \"%s: a __shared__ variable cannot have an initialiser: a thread gives "
                "it its value\"); ", name);
    return value;
}

static void translate_declaration(tokens_t *t, size_t word)
{
    const size_t from = token_statement(t, word), name = first_name(t, from);
    if (name == t->count) return;
    const bool is_kept = token_is(t, word, "static");
    bool is_extern = false;
    for (size_t i = from; i < name; ++i) is_extern = is_extern || token_is(t, i, "extern");
    size_t base = name;
    while (base > from && (token_is(t, base - 1, "*") || token_is(t, base - 1, "&"))) --base;
    char *type = type_of(t, from, base);
    const size_t last = end_of_declarator(t, name);
    size_t end = last;
    for (declarator_t d = {base, name, last}; d.name < t->count; d = (declarator_t){end + 1, end + 1, 0}) {
        while (token_is(t, d.name, "*")) ++d.name;
        end = d.end = end_of_declarator(t, d.name);
        char *stars = tokens_text(t, d.from, d.name), *id = tokens_text(t, d.name, d.name + 1);
        const size_t value = is_kept ? d.end : refuse_value(t, &d, from, id);
        char *bounds = tokens_text(t, d.name + 1, value);
        (is_kept ? write_kept : is_extern && *bounds == '[' ? write_dynamic : write_static)(t, from, type, stars, id,
                                                                                             bounds);
        free(stars);
        free(id);
        free(bounds);
        if (!token_is(t, end, ",")) break;
    }
    for (size_t i = from; i <= end && i < t->count; ++i) token_drop(t, i);
    free(type);
}

void translate_shared(tokens_t *t)
{
    for (size_t i = 0; i < t->count; ++i)
        if (token_is(t, i, "__shared__") && !t->token[i].instead) translate_declaration(t, i);
}

/* Whether it is a variable of the GPU that can change.  Constants stay in the program's own sections, which every
 * thread may read. */
static bool is_kept(const tokens_t *t, size_t word)
{
    static const char *const ELSEWHERE[] = {"const", "constexpr", "__shared__", "__constant__", "__managed__", NULL};
    const size_t from = token_statement(t, word), name = first_name(t, from);
    for (size_t i = from; i < name; ++i)
        if (token_among(t, i, ELSEWHERE) || token_is(t, i, "(")) return false;
    return name < t->count && t->token[word].scope == IN_FUNCTION && !t->token[word].instead;
}

void translate_kept(tokens_t *t)
{
    size_t open, close;
    for (size_t i = 0; passes_function_of_gpu(t, &i, &open, &close); i = close)
        for (size_t k = open; k < close; ++k)
            if (token_is(t, k, "static") && is_kept(t, k)) translate_declaration(t, k);
}
