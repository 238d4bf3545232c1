/* unset.c - see rules.h */
#include <string.h>

#include "passes.h"
#include "rules.h"

static const char *const TYPES[] = {"float",    "double",   "int",      "unsigned", "signed",  "long",    "short",
                                    "char",     "size_t",   "int8_t",   "int16_t",  "int32_t", "int64_t", "uint8_t",
                                    "uint16_t", "uint32_t", "uint64_t", "uint",     NULL};

/* Whether a word names a type in a function: one of the above, or a type parameter of its template. */
typedef struct types {
    const tokens_t *t;
    size_t parameter[8], count;
} types_t;

static types_t types_of(const tokens_t *t, size_t open)
{
    static const char *const KINDS[] = {"typename", "class", NULL}, *const BEHIND[] = {",", ">", "=", NULL};
    types_t types = {.t = t, .count = 0};
    for (size_t i = token_statement(t, open); i < open && types.count < 8; ++i)
        if (token_among(t, i, KINDS) && token_among(t, i + 2, BEHIND)) types.parameter[types.count++] = i + 1;
    return types;
}

static bool is_type(const types_t *types, size_t i)
{
    const token_t *a = &types->t->token[i];
    for (size_t k = 0; k < types->count; ++k) {
        const token_t *b = &types->t->token[types->parameter[k]];
        if (a->length == b->length && memcmp(a->text, b->text, a->length) == 0) return true;
    }
    return token_among(types->t, i, TYPES);
}

/* The token after the brackets of a[i][j], whose name is at i. */
static size_t behind_indices(const tokens_t *t, size_t i)
{
    for (++i; token_is(t, i, "["); ++i) {
        i = token_close(t, i);
        if (i == t->count) break;
    }
    return i;
}

static bool is_name(const tokens_t *t, size_t i, size_t name)
{
    const token_t *a = &t->token[i], *b = &t->token[name];
    return a->kind == TOKEN_WORD && a->length == b->length && memcmp(a->text, b->text, a->length) == 0 &&
           !token_is(t, i - 1, ".") && !token_is(t, i - 1, "->") && !token_is(t, i - 1, "::");
}

/* Whether the use at i computes the new value from the old one: sum += x, ++sum, sum = max(sum, x). */
static bool is_read_and_written(const tokens_t *t, size_t i)
{
    static const char *const BOTH[] = {"+=", "-=", "*=", "/=", "%=", "|=", "&=", "<<=", "++", "--", NULL};
    static const char *const ENDS[] = {";", "{", NULL};
    size_t k = behind_indices(t, i);
    if (token_among(t, k, BOTH) || token_is(t, i - 1, "++") || token_is(t, i - 1, "--")) return true;
    if (!token_is(t, k, "=")) return false;
    int depth = 0;              /* a comma outside of brackets ends an assignment: temp = a, a = b, b = temp; */
    for (++k; k < t->count && depth >= 0 && !token_among(t, k, ENDS) && (depth || !token_is(t, k, ",")); ++k) {
        if (is_name(t, k, i)) return !token_is(t, k - 1, "&");
        depth += token_is(t, k, "(") || token_is(t, k, "[");
        depth -= token_is(t, k, ")") || token_is(t, k, "]");
    }
    return false;
}

/* Whether the use at i assigns a value, or takes the address, by which other code may assign one. */
static bool may_be_written(const tokens_t *t, size_t i)
{
    static const char *const BEFORE[] = {"(", ",", "=", "return", NULL};
    if (token_is(t, i - 1, "&")) return token_among(t, i - 2, BEFORE);
    return token_is(t, behind_indices(t, i), "=") && !is_read_and_written(t, i);
}

/* The variable at `name` is declared without a value.  Whether its first use computes its new value from the old
 * one, and no other code can give it a value.  The answer is no if a function or an asm gets it, or if another
 * variable has the same name. */
static bool is_never_set(const types_t *types, size_t name, size_t from, size_t end)
{
    const tokens_t *t = types->t;
    bool first = true;
    for (size_t i = from; i < end; ++i) {
        if (!is_name(t, i, name)) continue;
        const bool declared = t->token[i - 1].kind == TOKEN_WORD && is_type(types, i - 1);
        if (declared || may_be_written(t, i) || (first && !is_read_and_written(t, i))) return false;
        first = false;
    }
    return !first;
}

/* Visits the variables of float a, b[4]; which begins at i; returns the token after it. */
static size_t look_at_declaration(tokens_t *t, const types_t *types, size_t i, size_t close)
{
    size_t name = i;
    while (is_type(types, name)) ++name;
    if (name == i) return i + 1;
    size_t unset[64], count = 0, k = name;
    for (;; ++k) {              /* each of the names */
        if (t->token[k].kind != TOKEN_WORD) return k;
        const size_t behind = behind_indices(t, k);
        if (behind >= close) return i + 1;
        if (count < 64 && (token_is(t, behind, ",") || token_is(t, behind, ";"))) unset[count++] = k;
        for (k = behind; !token_is(t, k, ",") && !token_is(t, k, ";"); ++k) { /* float a = f(1, 2), b; */
            if (token_is(t, k, "(") || token_is(t, k, "{") || token_is(t, k, "[")) k = token_close(t, k);
            if (k >= close) return i + 1;
        }
        if (token_is(t, k, ";")) break;
    }
    const size_t end = token_end_of_braces(t, k);
    for (size_t n = 0; n < count; ++n)
        if (is_never_set(types, unset[n], k, end))
            token_after(t, k, " simt::unset(\"%.*s\", %.*s);", (int)t->token[unset[n]].length, t->token[unset[n]].text,
                        (int)t->token[unset[n]].length, t->token[unset[n]].text);
    return k;
}

void translate_unset(tokens_t *t)
{
    size_t open, close;
    for (size_t i = 0; passes_function_of_gpu(t, &i, &open, &close); i = close) {
        const types_t types = types_of(t, open);
        for (size_t k = open + 1; k < close;)
            k = token_is(t, k - 1, ";") || token_is(t, k - 1, "{") || token_is(t, k - 1, "}")
                    ? look_at_declaration(t, &types, k, close) : k + 1;
    }
}
