/* launches.c - see rules.h */
#include "rules.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A kernel with its declared name.  The text of its parameters distinguishes overloads from repeated declarations. */
typedef struct kernel {
    char *name, *parameters;
    char *pointers;         /* names of its pointer parameters, "in,sums"; NULL: unknown */
    size_t place;           /* the token of its first declaration */
    size_t template_count;  /* number of its template parameters */
    bool by_call;           /* overloaded, or with default arguments: its address does not suffice */
} kernel_t;

typedef struct kernels {
    kernel_t *kernel;
    size_t count;
} kernels_t;

/* ---- the kernels of the file ---- */

/* The bracket after the name of the function in whose declaration token i stands; t->count if it is not a function. */
static size_t parameters_at(const tokens_t *t, size_t i)
{
    static const char *const WITH_BRACKETS[] = {"__launch_bounds__", "__attribute__", "__align__", "alignas",
                                                "decltype", "__cluster_dims__", "__maxnreg__", NULL};
    for (; i < t->count && !token_is(t, i, ";") && !token_is(t, i, "{"); ++i) {
        if (token_is(t, i, "<")) {
            const size_t close = token_close(t, i);
            i = close < t->count ? close : i;
        } else if (token_is(t, i, "(")) {
            if (!token_among(t, i - 1, WITH_BRACKETS)) return i;
            i = token_close(t, i);
        }
    }
    return t->count;
}

/* The number of arguments between brackets: the commas outside of inner brackets plus one, or 0 if the brackets are
 * empty. */
static size_t items_of(const tokens_t *t, size_t open, size_t close)
{
    size_t n = close > open + 1;
    for (size_t i = open + 1; i < close; ++i) {
        if (token_is(t, i, "(") || token_is(t, i, "[") || token_is(t, i, "{") || token_is(t, i, "<")) {
            const size_t end = token_close(t, i);
            if (end < close) i = end;
        }
        n += token_is(t, i, ",");
    }
    return n;
}

static bool any(const tokens_t *t, size_t from, size_t to, const char *sign)
{
    for (size_t i = from; i < to; ++i)
        if (token_is(t, i, sign)) return true;
    return false;
}

static const kernel_t *find_kernel(const kernels_t *all, const char *name)
{
    for (size_t i = 0; i < all->count; ++i)
        if (strcmp(all->kernel[i].name, name) == 0) return &all->kernel[i];
    return NULL;
}

/* The names of the pointers among the parameters open..close, in order, separated by commas; NULL if a pointer has
 * no name. */
static char *pointers_of(const tokens_t *t, size_t open, size_t close)
{
    char *names = tokens_text(t, open, open);
    for (size_t i = open + 1, end; i < close; i = end + 1) {
        bool pointer = false, named = false;
        size_t name = i;
        for (end = i; end < close && !token_is(t, end, ","); ++end) {
            const bool bracket = token_is(t, end, "[");
            pointer = pointer || bracket || token_is(t, end, "*");
            named = named || bracket || token_is(t, end, "=");
            if (!named) name = end;
            if (bracket || token_is(t, end, "(") || token_is(t, end, "{") || token_is(t, end, "<")) {
                const size_t inner = token_close(t, end);
                if (inner < close) end = inner;
            }
        }
        if (!pointer) continue;
        char *longer = NULL;
        const token_t *k = &t->token[name];
        if (k->kind == TOKEN_WORD &&
            asprintf(&longer, "%s%s%.*s", names, *names ? "," : "", (int)k->length, k->text) < 0)
            longer = NULL;
        free(names);
        names = longer;
        if (!names) return NULL;
    }
    return names;
}

static void add_kernel(kernels_t *all, const tokens_t *t, size_t word)
{
    const size_t open = parameters_at(t, word + 1), from = token_statement(t, word);
    if (open >= t->count || t->token[open - 1].kind != TOKEN_WORD) return;
    const size_t close = token_close(t, open);
    kernel_t k = {.name = tokens_text(t, open - 1, open), .parameters = tokens_text(t, open, close), .place = word};
    k.by_call = any(t, open, close, "=");
    if (token_is(t, from, "template") && token_is(t, from + 1, "<")) {
        const size_t end = token_close(t, from + 1);
        k.template_count = items_of(t, from + 1, end);
        k.by_call = k.by_call || any(t, from, end, "...");
    }
    kernel_t *known = (kernel_t *)find_kernel(all, k.name);
    if (known) {
        known->by_call = known->by_call || k.by_call || known->template_count != k.template_count ||
                         strcmp(known->parameters, k.parameters) != 0;
        if (strcmp(known->parameters, k.parameters) != 0) {
            free(known->pointers);
            known->pointers = NULL;
        }
        free(k.name);
        free(k.parameters);
        return;
    }
    k.pointers = pointers_of(t, open, close);
    all->kernel[all->count++] = k;
}

/* A host function that is declared at i may have the name of a kernel. */
static void note_host_function(kernels_t *all, const tokens_t *t, size_t i)
{
    static const char *const TYPE_ENDS[] = {"*", "&", ">", NULL};
    if (t->token[i].kind != TOKEN_WORD || !token_is(t, i + 1, "(") || i == 0) return;
    if (t->token[i - 1].kind != TOKEN_WORD && !token_among(t, i - 1, TYPE_ENDS)) return;
    if (any(t, token_statement(t, i), i, "__global__")) return;
    char *name = tokens_text(t, i, i + 1);
    kernel_t *k = name ? (kernel_t *)find_kernel(all, name) : NULL;
    if (k) k->by_call = true;
    free(name);
}

/* Visits the host functions that a launch can find by name only: those in no namespace, and those in std if the
 * file uses std. */
static void note_host_functions(kernels_t *all, const tokens_t *t, size_t from, size_t to, bool uses_std)
{
    for (size_t i = from; i + 1 < to; ++i) {
        note_host_function(all, t, i);
        if (!token_is(t, i, "{") || token_is(t, i - 1, "\"C\"") || token_is(t, i - 1, "\"C++\"")) continue;
        const size_t close = token_close(t, i);
        if (uses_std && token_is(t, i - 1, "std")) note_host_functions(all, t, i + 1, close, false);
        if (close < to) i = close;
    }
}

static bool uses_std(const tokens_t *t)
{
    for (size_t i = 0; i + 3 < t->count; ++i)
        if (token_is(t, i, "using") && token_is(t, i + 1, "namespace") && token_is(t, i + 2, "std") &&
            token_is(t, i + 3, ";"))
            return true;
    return false;
}

static kernels_t kernels_of(const tokens_t *t)
{
    size_t most = 0;
    for (size_t i = 0; i < t->count; ++i) most += token_is(t, i, "__global__");
    kernels_t all = {.kernel = calloc(most + 1, sizeof *all.kernel)};
    for (size_t i = 0; all.kernel && i < t->count; ++i)
        if (token_is(t, i, "__global__")) add_kernel(&all, t, i);
    if (all.count) note_host_functions(&all, t, 0, t->count, uses_std(t));
    return all;
}

static void kernels_free(kernels_t *all)
{
    for (size_t i = 0; i < all->count; ++i) {
        free(all->kernel[i].name);
        free(all->kernel[i].parameters);
        free(all->kernel[i].pointers);
    }
    free(all->kernel);
}

/* ---- addresses ---- */

/* Whether the name at i is cast to a void pointer: (const void *)k, reinterpret_cast<void *>(k). */
static bool is_cast(const tokens_t *t, size_t i)
{
    if (i < 4) return false;
    if (token_is(t, i - 1, "(") && token_is(t, i - 2, ">"))
        return token_is(t, i - 3, "*") && token_is(t, i - 4, "void");
    return token_is(t, i - 1, ")") && token_is(t, i - 2, "*") &&
           (token_is(t, i - 3, "void") || (token_is(t, i - 3, "const") && token_is(t, i - 4, "void")));
}

/* If the name at i, which is cast to a void pointer, names a kernel, returns its end; else t->count.  Something
 * else may have the name of a kernel: a member (void *)b->k, or a name in a header before the kernel's declaration. */
static size_t end_of_kernel(const tokens_t *t, const kernels_t *kernels, size_t i)
{
    static const char *const BEHIND[] = {",", ")", ";", "}", ":", NULL};
    if (t->token[i].kind != TOKEN_WORD) return t->count;
    const size_t end = token_is(t, i + 1, "<") ? token_close(t, i + 1) : i;
    if (!token_among(t, end + 1, BEHIND)) return t->count;
    char *name = tokens_text(t, i, i + 1);
    const kernel_t *found = name ? find_kernel(kernels, name) : NULL;
    free(name);
    return found && found->place < i ? end : t->count;
}

/* If the cast at i is what a call launches, as in cudaLaunchKernel((void *)f, ...) or node.func = (void *)f, where
 * f is a variable or the result of a function, returns the end of f; else t->count. */
static size_t end_of_launched(const tokens_t *t, size_t i)
{
    const bool named = token_is(t, i - 1, "("); /* reinterpret_cast<void *>(f) */
    const size_t open = named ? token_open(t, i - 2) : token_open(t, i - 1);
    const size_t before = open == SIZE_MAX ? 0 : open - named;
    if (before < 3) return t->count;
    const token_t *call = &t->token[before - 2];
    const bool launch = token_is(t, before - 1, "(") && call->length > 10 && strncmp(call->text, "cudaLaunch", 10) == 0;
    if (!launch && !(token_is(t, before - 1, "=") && token_is(t, before - 2, "func"))) return t->count;
    if (named) return token_close(t, i - 1) - 1;
    static const char *const ENDS[] = {",", ";", "}", ")", NULL};
    size_t k = i;
    for (; k < t->count && !token_among(t, k, ENDS); ++k) {
        const bool arguments = token_is(t, k, "<") && t->token[k - 1].kind == TOKEN_WORD;
        if (token_is(t, k, "(") || token_is(t, k, "[") || token_is(t, k, "{") || arguments) k = token_close(t, k);
    }
    return k < t->count ? k - 1 : t->count;
}

/* Replaces (void *)k by (void *)simt::kernel_address(k) for kernels that are launched by address. */
static void translate_addresses(tokens_t *t, const kernels_t *kernels)
{
    for (size_t i = 4; i < t->count; ++i) {
        if (t->token[i].scope == IN_FILE || !is_cast(t, i)) continue;
        size_t end = end_of_kernel(t, kernels, token_is(t, i, "&") ? i + 1 : i);
        if (end == t->count) end = end_of_launched(t, i);
        if (end >= t->count) continue;
        token_before(t, i, "simt::kernel_address(");
        token_after(t, end, ")");
    }
}

/* ---- launches ---- */

/* The first token of the callee of a launch: k, ns::k<4, T>, table[i], (*pick(n)), object.template k<T>. */
static size_t start_of_callee(const tokens_t *t, size_t sign)
{
    static const char *const KEYWORDS[] = {"return", "else", "do", "if", "for", "while", "switch", "case", NULL};
    size_t i = sign;
    for (;;) {
        if (token_is(t, i - 1, ">")) {
            const size_t open = token_open(t, i - 1);
            if (open == SIZE_MAX) return sign;
            i = open;
        }
        bool called = false;
        while (token_is(t, i - 1, "]") || (token_is(t, i - 1, ")") && !called)) {
            called = token_is(t, i - 1, ")");
            const size_t open = token_open(t, i - 1);
            if (open == SIZE_MAX) return sign;
            i = open;
        }
        if (i > 0 && t->token[i - 1].kind == TOKEN_WORD && !token_among(t, i - 1, KEYWORDS)) --i;
        if (token_is(t, i - 1, "template")) --i;
        if (token_is(t, i - 1, ".") || token_is(t, i - 1, "->")) --i;
        else if (token_is(t, i - 1, "::")) {
            --i;
            if (!token_is(t, i - 1, ">") && (i == 0 || t->token[i - 1].kind != TOKEN_WORD)) return i;
        } else return i;
    }
}

/* The number of tokens of the sign at i that begins a launch configuration: 1, or 2 for << <, which some formatters
 * write; 0 if there is none. */
static size_t begins_configuration(const tokens_t *t, size_t i)
{
    if (token_is(t, i - 1, "operator")) return 0;
    if (token_is(t, i, "<<<")) return 1;
    const bool two = token_is(t, i, "<<") ? token_is(t, i + 1, "<") : token_is(t, i, "<") && token_is(t, i + 1, "<<");
    return two ? 2 : 0;
}

/* The first of the three signs that end the configuration; t->count if there are none. */
static size_t end_of_configuration(const tokens_t *t, size_t i)
{
    for (++i; i + 2 < t->count; ++i) {
        if (token_is(t, i, "(") || token_is(t, i, "[") || token_is(t, i, "{")) i = token_close(t, i);
        else if (token_is(t, i, ";") || token_is(t, i, "}")) break;
        else if (token_is(t, i, ">") && token_is(t, i + 1, ">") && token_is(t, i + 2, ">") && token_is(t, i + 3, "("))
            return i;
    }
    return t->count;
}

/* The kernel of this file that the callee from..to-1 names; NULL if there is none.  by_call: the name does not
 * determine the function, for example because of overloads. */
static const kernel_t *launched(const tokens_t *t, const kernels_t *all, size_t from, size_t to, bool *by_call)
{
    size_t open = to;
    *by_call = false;
    if (token_is(t, to - 1, ">")) open = token_open(t, to - 1);
    if (open == SIZE_MAX || open <= from || t->token[open - 1].kind != TOKEN_WORD) return NULL;
    char *name = tokens_text(t, open - 1, open);
    const kernel_t *k = find_kernel(all, name);
    free(name);
    *by_call = k && (k->by_call || (open == to ? 0 : items_of(t, open, to - 1)) < k->template_count);
    return k;
}

/* Returns the text with the escapes that a string literal needs. */
static char *quoted(const char *text)
{
    char *copy = malloc(2 * strlen(text) + 1), *end = copy;
    for (; copy && *text; *end++ = *text++)
        if (*text == '"' || *text == '\\') *end++ = '\\';
    if (copy) *end = 0;
    return copy;
}

/* The attributes of the function that calls a kernel known only by a call.  In a program of simtcc ([1]) it has no
 * hooks, as SIMT_NOT_COUNTED of simt_launch.h says (macros are already expanded here).  In other code ([0]) it has
 * hooks, because conversions of its arguments may be code of a submission. */
static const char *const BY_CALL[] = {"__attribute__((noinline))",
                                      "__attribute__((no_sanitize(\"thread\"), no_sanitize_coverage))"};

/* Replaces NULL by nullptr in the arguments open..close, because NULL that is passed through a template is not a
 * pointer any more. */
static void keep_null(tokens_t *t, size_t open)
{
    static const char *const BEFORE[] = {"(", ",", NULL}, *const BEHIND[] = {")", ",", NULL};
    const size_t close = token_close(t, open);
    for (size_t i = open + 1; i < close && close < t->count; ++i)
        if (token_is(t, i, "__null") && token_among(t, i - 1, BEFORE) && token_among(t, i + 1, BEHIND))
            token_instead(t, i, "nullptr");
}

void translate_launches(tokens_t *t, bool of_a_program)
{
    kernels_t all = kernels_of(t);
    for (size_t sign = 1; sign < t->count; ++sign) {
        const size_t length = begins_configuration(t, sign);
        if (length == 0) continue;
        const size_t from = start_of_callee(t, sign), end = end_of_configuration(t, sign + length - 1);
        if (from == sign || end == t->count) continue; /* the compiler will report it */
        char *text = tokens_text(t, from, sign), *name = quoted(text);
        bool by_call;
        const kernel_t *kernel = launched(t, &all, from, sign, &by_call);
        /* In the course the name of a launch begins with the names of the kernel's pointers (names.cpp). */
        const char *const tab = kernel && kernel->pointers && !of_a_program ? "\\t" : "";
        const char *const pointers = *tab ? kernel->pointers : "";
        if (by_call) {
            token_before(t, from, "simt::launch_call(\"%s%s%s%s\", [](auto... simt_argument) %s { ", tab, pointers, tab,
                         name, BY_CALL[of_a_program]);
            token_instead(t, sign, "(simt_argument...); }, ");
            keep_null(t, end + 3);
        } else {
            token_before(t, from, "simt::launch(\"%s%s%s%s\", ", tab, pointers, tab, name);
            token_instead(t, sign, ", ");
        }
        if (length == 2) token_drop(t, sign + 1);
        token_instead(t, end, ")");
        token_drop(t, end + 1);
        token_drop(t, end + 2);
        free(text);
        free(name);
    }
    translate_addresses(t, &all);
    kernels_free(&all);
}

/* Writes before a kernel with __cluster_dims__(2): static const int simt_clusters_7 = simt::in_clusters("k", 2); */
void translate_clusters(tokens_t *t)
{
    for (size_t i = 0; i < t->count; ++i) {
        if (!token_is(t, i, "__cluster_dims__") || !token_is(t, i + 1, "(")) continue;
        const size_t close = token_close(t, i + 1), open = close < t->count ? parameters_at(t, close + 1) : t->count;
        if (open >= t->count || close == i + 2) continue;
        char *name = tokens_text(t, open - 1, open), *size = tokens_text(t, i + 2, close);
        token_before(t, token_statement(t, i),
                     "static const int simt_clusters_%zu __attribute__((unused)) = simt::in_clusters(\"%s\", %s); ", i,
                     name, size);
        free(name);
        free(size);
    }
}

/* Writes after the body of a kernel with __launch_bounds__(128, 4): static const int simt_bounds_7 =
 * simt::in_bounds((const void *)k, 128); */
void translate_bounds(tokens_t *t)
{
    kernels_t all = kernels_of(t);
    for (size_t i = 0; i < t->count; ++i) {
        if (!token_is(t, i, "__launch_bounds__") || !token_is(t, i + 1, "(")) continue;
        if (token_is(t, token_statement(t, i), "template")) continue;
        const size_t close = token_close(t, i + 1), open = close < t->count ? parameters_at(t, close + 1) : t->count;
        const size_t body = open < t->count ? token_close(t, open) + 1 : t->count;
        if (body >= t->count || !token_is(t, body, "{") || token_is(t, open - 2, "::")) continue;
        size_t end = i + 2;
        for (; end < close && !token_is(t, end, ","); ++end)
            if (token_is(t, end, "(")) end = token_close(t, end);
        char *name = tokens_text(t, open - 1, open), *threads = tokens_text(t, i + 2, end);
        const kernel_t *k = find_kernel(&all, name);
        if (k && !k->by_call && end > i + 2)
            token_after(t, token_close(t, body),
                        " static const int simt_bounds_%zu __attribute__((unused)) = simt::in_bounds((const void *)%s, "
                        "%s);", i, name, threads);
        free(name);
        free(threads);
    }
    kernels_free(&all);
}

/* Writes after a kernel's body: static void *simt_known_7 = simt::kernel_address(k); */
void translate_module(tokens_t *t)
{
    kernels_t all = kernels_of(t);
    for (size_t i = 0; i < t->count; ++i) {
        if (!token_is(t, i, "__global__") || token_is(t, token_statement(t, i), "template")) continue;
        const size_t open = parameters_at(t, i + 1), body = open < t->count ? token_close(t, open) + 1 : t->count;
        if (body >= t->count || !token_is(t, body, "{")) continue;
        char *name = tokens_text(t, open - 1, open);
        const kernel_t *k = find_kernel(&all, name);
        if (k && !k->by_call)
            token_after(t, token_close(t, body),
                        " static void *simt_known_%zu __attribute__((unused)) = simt::kernel_address(%s);", i, name);
        free(name);
    }
    kernels_free(&all);
}
