/* passes.c - see passes.h */
#include "passes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A function with its body. */
typedef struct function {
    size_t from, open, close;   /* its first token; its braces */
    char *head;                 /* the text of from..open-1 without __host__ and __device__; owned */
} function_t;

typedef struct functions {
    function_t *function;
    size_t count;
} functions_t;

/* ---- the functions of a text ---- */

/* Copies the text before a body, without the qualifiers in which two functions under #ifdef and #else may differ. */
static char *head_of(const tokens_t *t, size_t from, size_t to)
{
    static const char *const FOR_WHOM[] = {"__host__", "__device__", "__forceinline__", "__inline__", "inline", NULL};
    char *head = tokens_text(t, from, to), *end = head;
    for (size_t i = from; i < to; ++i) {
        const token_t *k = &t->token[i];
        if (token_among(t, i, FOR_WHOM)) continue;
        if (end > head && k->text > k->space) *end++ = ' ';
        memcpy(end, k->text, k->length);
        end += k->length;
    }
    *end = 0;
    return head;
}

static functions_t functions_of(const tokens_t *t)
{
    size_t most = 1;
    for (size_t i = 0; i < t->count; ++i) most += token_is(t, i, "{");
    functions_t all = {.function = calloc(most, sizeof *all.function)};
    for (size_t i = 0; all.function && i < t->count; ++i) {
        if (!token_is(t, i, "{") || t->token[i].scope == IN_FUNCTION) continue;
        if (t->token[i + 1].scope != IN_FUNCTION && !token_is(t, i + 1, "}")) continue; /* it may be empty */
        const size_t from = token_statement(t, i), close = token_close(t, i);
        if (close >= t->count) break;
        all.function[all.count++] = (function_t){from, i, close, head_of(t, from, i)};
        i = close;
    }
    return all;
}

static void functions_free(functions_t *all)
{
    for (size_t i = 0; i < all->count; ++i) free(all->function[i].head);
    free(all->function);
}

static bool says(const tokens_t *t, const function_t *f, const char *word)
{
    for (size_t i = f->from; i < f->open; ++i)
        if (token_is(t, i, word)) return true;
    return false;
}

static bool same_body(const tokens_t *a, const function_t *f, const tokens_t *b, const function_t *g)
{
    if (f->close - f->open != g->close - g->open) return false;
    for (size_t i = 1; i < f->close - f->open; ++i) {
        const token_t *x = &a->token[f->open + i], *y = &b->token[g->open + i];
        if (x->length != y->length || memcmp(x->text, y->text, x->length) != 0) return false;
    }
    return true;
}

/* ---- source lines ---- */

/* Returns a line mark `# 12 "file"` for the text that begins at p; the caller frees it. */
static char *marker_at(const tokens_t *t, const char *p)
{
    const char *name;
    const unsigned long line = tokens_line(t, p, &name);
    char *text = NULL;
    return asprintf(&text, "\n# %lu%.*s\n", line, (int)strcspn(name, "\n"), name) < 0 ? NULL : text;
}

/* Returns the text between the braces of g, with line marks. */
static char *body_of(const tokens_t *t, const function_t *g)
{
    const char *from = t->token[g->open].text + 1, *to = t->token[g->close].text;
    char *marker = marker_at(t, from), *text = NULL;
    if (asprintf(&text, "%s%.*s", marker ? marker : "", (int)(to - from), from) < 0) text = NULL;
    free(marker);
    return text;
}

/* ---- joining ---- */

static void take_body(tokens_t *host, const function_t *f, const tokens_t *gpu, const function_t *g, bool both)
{
    char *body = body_of(gpu, g), *back = marker_at(host, host->token[f->open].text + 1);
    if (both) {
        token_after(host, f->open, " if (!__builtin_is_constant_evaluated() && simt_in_kernel()) {%s} else {%s", body,
                    back);
        token_before(host, f->close, "}");
    } else {
        token_after(host, f->open, "%s%s", body, back);
        for (size_t i = f->open + 1; i < f->close; ++i) token_drop(host, i);
    }
    free(body);
    free(back);
}

/* Counts the braces that are closed and those that are opened between two tokens. */
typedef struct path {
    int closed, opened;
} path_t;

static path_t path_on(path_t p, const tokens_t *t, size_t i)
{
    if (token_is(t, i, "{")) ++p.opened;
    else if (token_is(t, i, "}") && p.opened-- == 0) p = (path_t){p.closed + 1, 0};
    return p;
}

/* The last position of the host's text before `to` at which as many braces are open and closed since `from` as at
 * token `at` of the GPU's text since `gpu_from`. */
static size_t place_for(const tokens_t *host, size_t from, size_t to, const tokens_t *gpu, size_t gpu_from, size_t at)
{
    static const char *const ENDS[] = {";", "{", "}", NULL};
    path_t wanted = {0, 0}, here = {0, 0};
    size_t place = to;
    for (size_t i = gpu_from; i < at; ++i) wanted = path_on(wanted, gpu, i);
    for (size_t i = from; i <= to; ++i) {
        if (here.closed == wanted.closed && here.opened == wanted.opened && host->token[i].scope != IN_FUNCTION &&
            (i == from || token_among(host, i - 1, ENDS)) && !token_is(host, i, ";"))
            place = i;
        here = path_on(here, host, i);
    }
    return place;
}

/* Inserts before token `at` the tokens first to last, which only the GPU's pass has. */
static void add_text(tokens_t *host, size_t at, const tokens_t *gpu, size_t first, size_t last)
{
    const char *from = gpu->token[first].text, *to = gpu->token[last].text + gpu->token[last].length;
    char *marker = marker_at(gpu, from), *back = marker_at(host, host->token[at].text);
    token_before(host, at, "%s%.*s%s", marker, (int)(to - from), from, back);
    free(marker);
    free(back);
}

/* The opening brace of the class in from..to-1 whose head is the text of first..open-1; t->count if there is none. */
static size_t find_class(const tokens_t *t, size_t from, size_t to, const tokens_t *other, size_t first, size_t open)
{
    char *head = tokens_text(other, first, open);
    size_t found = t->count;
    for (size_t i = from; i < to && found == t->count; ++i) {
        if (!token_is(t, i, "{")) continue;
        char *here = tokens_text(t, token_statement(t, i), i);
        if (strcmp(here, head) == 0) found = i;
        free(here);
    }
    free(head);
    return found;
}

/* The opening brace of the outermost class around token `at` that begins after `from`; t->count if there is none. */
static size_t class_around(const tokens_t *t, size_t from, size_t at)
{
    for (size_t i = from; i < at; ++i)
        if (token_is(t, i, "{") && t->token[i + 1].scope == IN_CLASS && token_close(t, i) > at) return i;
    return t->count;
}

static bool is_of_gpu(const tokens_t *t, const function_t *f)
{
    return says(t, f, "__global__") || says(t, f, "__device__");
}

static bool for_gpu_alone(const tokens_t *t, const function_t *f)
{
    return says(t, f, "__device__") && !says(t, f, "__host__");
}

/* The name before the parameters of f; t->count if there are no parameters. */
static size_t name_before_parameters(const tokens_t *t, const function_t *f)
{
    const size_t open = f->open > f->from && token_is(t, f->open - 1, ")") ? token_open(t, f->open - 1) : SIZE_MAX;
    return open == SIZE_MAX || open <= f->from ? t->count : open - 1;
}

/* Whether f is a kernel of the host's pass, and the GPU's pass has a kernel of that name among first..end-1 with
 * other parameters.  A kernel that only the host's pass has stays, because it may be launched. */
static bool kernel_of_both(const tokens_t *t, const function_t *f, const tokens_t *other, const functions_t *others,
                           size_t first, size_t end)
{
    const size_t name = name_before_parameters(t, f);
    if (!says(t, f, "__global__") || name == t->count) return false;
    for (size_t i = first; i < end; ++i) {
        const function_t *g = &others->function[i];
        const size_t theirs = name_before_parameters(other, g);
        if (says(other, g, "__global__") && theirs < other->count &&
            t->token[name].length == other->token[theirs].length &&
            memcmp(t->token[name].text, other->token[theirs].text, t->token[name].length) == 0)
            return true;
    }
    return false;
}

/* Joins the functions that only one pass has, between two functions that both have or after the last one.  Those of
 * the GPU's pass are added.  Functions of the host's pass for the GPU only, which stand in an #else, are removed,
 * and so are kernels that the GPU's pass has, too. */
static void join_gap(tokens_t *host, const functions_t *ours, size_t from, size_t to, const tokens_t *gpu,
                     const functions_t *theirs, size_t next, size_t end)
{
    bool more = false;
    if (from == ours->count) return;
    const size_t behind = from > 0 ? ours->function[from - 1].close + 1 : 0;
    const size_t before = ours->function[to < ours->count ? to : from].from;
    for (size_t k = next; k < end; ++k) {
        const function_t *g = &theirs->function[k];
        if (!is_of_gpu(gpu, g)) continue;
        more = true;
        const size_t gpu_behind = next > 0 ? theirs->function[next - 1].close + 1 : 0;
        size_t first = g->from, last = g->close;
        const size_t open = class_around(gpu, gpu_behind, g->from);
        const size_t head = open < gpu->count ? token_statement(gpu, open) : open;
        const size_t its = open < gpu->count ? find_class(host, behind, before, gpu, head, open) : host->count;
        if (open < gpu->count && its == host->count) { /* including its members */
            first = head;
            last = token_close(gpu, open) + 1;
            while (k + 1 < end && theirs->function[k + 1].close < last) ++k;
        }
        const bool of_that = its < host->count && gpu->token[g->open].around == open; /* not of one inside it */
        add_text(host, of_that ? token_close(host, its) : place_for(host, behind, before, gpu, gpu_behind, first),
                 gpu, first, last);
    }
    for (size_t i = from; more && i < to; ++i)
        if (for_gpu_alone(host, &ours->function[i]) ||
            kernel_of_both(host, &ours->function[i], gpu, theirs, next, end))
            for (size_t k = ours->function[i].from; k <= ours->function[i].close; ++k) token_drop(host, k);
}

/* ---- types and constants inside classes ---- */

/* typedef A name; using name = A; or static constexpr T name = value; in a class. */
typedef struct name {
    size_t from, end, word;     /* its first token, its semicolon, its name */
    bool alone;                 /* the other pass has nothing of that name */
} name_t;

typedef struct names {
    name_t *name;
    size_t count;
} names_t;

/* The name of the constant whose declaration begins at i; t->count if it is not a constant. */
static size_t constant_at(const tokens_t *t, size_t i)
{
    static const char *const WORDS[] = {"static", "constexpr", "const", "__device__", "__host__", NULL};
    if (!token_among(t, i, WORDS) || token_statement(t, i) != i) return t->count;
    bool is_constant = false, is_static = false;
    for (; i < t->count && t->token[i].kind == TOKEN_WORD; ++i) {
        is_constant = is_constant || token_is(t, i, "constexpr") || token_is(t, i, "const");
        is_static = is_static || token_is(t, i, "static");
    }
    return is_constant && is_static && token_is(t, i, "=") ? i - 1 : t->count;
}

static names_t names_of(const tokens_t *t)
{
    size_t most = 1;
    for (size_t i = 0; i < t->count; ++i)
        most += token_is(t, i, "typedef") || token_is(t, i, "using") || token_is(t, i, "static");
    names_t all = {.name = calloc(most, sizeof *all.name)};
    for (size_t i = 0; all.name && i < t->count; ++i) {
        const bool is_using = token_is(t, i, "using") && token_is(t, i + 2, "=");
        if (t->token[i].scope != IN_CLASS) continue;
        const size_t constant = constant_at(t, i);
        if (constant == t->count && !is_using && !token_is(t, i, "typedef")) continue;
        size_t end = i;
        while (end < t->count && !token_is(t, end, ";") && !token_is(t, end, "{")) ++end;
        if (token_is(t, end, ";") && (constant < t->count || t->token[end - 1].kind == TOKEN_WORD))
            all.name[all.count++] =
                (name_t){i, end, constant < t->count ? constant : is_using ? i + 1 : end - 1, false};
    }
    return all;
}

static bool same_tokens(const tokens_t *a, size_t i, const tokens_t *b, size_t k, size_t count)
{
    for (size_t n = 0; n < count; ++n)
        if (a->token[i + n].length != b->token[k + n].length ||
            memcmp(a->token[i + n].text, b->token[k + n].text, a->token[i + n].length) != 0)
            return false;
    return true;
}

static bool same_name(const tokens_t *a, const name_t *x, const tokens_t *b, const name_t *y)
{
    return x->end - x->from == y->end - y->from && same_tokens(a, x->from, b, y->from, x->end - x->from);
}

/* The names *i and *k differ: moves both to the next positions at which the lists agree again, for three names if
 * there are as many. */
static void next_alike(const tokens_t *host, const names_t *ours, size_t *i, const tokens_t *gpu,
                       const names_t *theirs, size_t *k)
{
    enum { FARTHEST = 128, ALIKE = 3 };
    for (size_t sum = 1; sum <= FARTHEST; ++sum)
        for (size_t a = 0; a <= sum; ++a) {
            size_t n = 0;
            const size_t x = *i + a, y = *k + (sum - a);
            while (n < ALIKE && x + n < ours->count && y + n < theirs->count &&
                   same_name(host, &ours->name[x + n], gpu, &theirs->name[y + n]))
                ++n;
            if (n == ALIKE || (n && (x + n == ours->count || y + n == theirs->count))) {
                *i = x;
                *k = y;
                return;
            }
        }
    *i = ours->count;
    *k = theirs->count;
}

/* The declarations i..i_end-1 of the host's pass have no equal in k..k_end-1 of the GPU's pass: those with the same
 * name are taken from the GPU's pass. */
static void take_names(tokens_t *host, const names_t *ours, size_t i, size_t i_end, const tokens_t *gpu,
                       const names_t *theirs, size_t k, size_t k_end)
{
    for (size_t n = k; n < k_end; ++n) theirs->name[n].alone = true;
    for (; i < i_end; ++i)
        for (size_t n = k; n < k_end; ++n) {
            const name_t *x = &ours->name[i], *y = &theirs->name[n];
            if (!same_tokens(host, x->word, gpu, y->word, 1)) continue;
            char *text = tokens_text(gpu, y->from, y->end);
            for (size_t at = x->from; at < x->end; ++at) token_instead(host, at, "%s", at == x->from ? text : "");
            free(text);
            theirs->name[n].alone = false;
            k = n + 1;
            break;
        }
}

/* Here both passes share one class.  If they declare different types of one name at the same place in it, the GPU's
 * declaration is used, because that of the host is mostly a placeholder.  Returns the names of the GPU's pass. */
static names_t join_names(tokens_t *host, const tokens_t *gpu)
{
    names_t ours = names_of(host), theirs = names_of(gpu);
    size_t i = 0, k = 0;
    while (i < ours.count && k < theirs.count) {
        if (same_name(host, &ours.name[i], gpu, &theirs.name[k])) {
            ++i;
            ++k;
            continue;
        }
        const size_t from = i, gpu_from = k;
        next_alike(host, &ours, &i, gpu, &theirs, &k);
        take_names(host, &ours, from, i, gpu, &theirs, gpu_from, k);
    }
    free(ours.name);
    return theirs;
}

/* Inserts the names that only the GPU's pass has between its function g and the one before, in front of f, the same
 * function in the host's pass. */
static void add_names(tokens_t *host, const function_t *f, const tokens_t *gpu, const names_t *theirs, size_t behind,
                      const function_t *g)
{
    const size_t end = token_end_of_braces(gpu, g->from);
    for (size_t n = 0; n < theirs->count; ++n) {
        const name_t *x = &theirs->name[n];
        if (x->alone && x->from >= behind && x->end < g->from && token_end_of_braces(gpu, x->from) == end)
            add_text(host, f->from, gpu, x->from, x->end);
    }
}

void passes_join(tokens_t *host, const tokens_t *gpu)
{
    names_t names = join_names(host, gpu);
    functions_t ours = functions_of(host), theirs = functions_of(gpu);
    size_t next = 0, unmatched = 0;
    for (size_t i = 0; i < ours.count; ++i) {
        const function_t *f = &ours.function[i];
        size_t k = next;
        while (k < theirs.count && strcmp(f->head, theirs.function[k].head) != 0) ++k;
        if (k == theirs.count) continue;
        const function_t *g = &theirs.function[k];
        add_names(host, f, gpu, &names, k > 0 ? theirs.function[k - 1].close : 0, g);
        join_gap(host, &ours, unmatched, i, gpu, &theirs, next, k);
        next = k + 1;
        unmatched = i + 1;
        if ((is_of_gpu(host, f) || is_of_gpu(gpu, g)) && !same_body(host, f, gpu, g))
            take_body(host, f, gpu, g, says(host, f, "__host__") || !is_of_gpu(host, f));
    }
    join_gap(host, &ours, unmatched, ours.count, gpu, &theirs, next, theirs.count);
    functions_free(&ours);
    functions_free(&theirs);
    free(names.name);
}

bool passes_function_of_gpu(const tokens_t *t, size_t *i, size_t *open, size_t *close)
{
    for (; *i < t->count; ++*i) {
        if (!token_is(t, *i, "{") || t->token[*i].scope == IN_FUNCTION) continue;
        if (t->token[*i + 1].scope != IN_FUNCTION) continue;
        const function_t f = {token_statement(t, *i), *i, token_close(t, *i), NULL};
        if (!is_of_gpu(t, &f)) continue;
        *open = f.open;
        *close = f.close;
        return true;
    }
    return false;
}

/* Whether from..to-1 contains `T name[n` where n is not a number. */
static bool has_array(const tokens_t *t, size_t from, size_t to)
{
    static const char *const BEFORE[] = {"*", "&", ">", ",", "]", NULL};
    for (size_t i = from + 2; i < to; ++i)
        if (token_is(t, i, "[") && t->token[i + 1].kind != TOKEN_NUMBER && t->token[i - 1].kind == TOKEN_WORD &&
            (t->token[i - 2].kind == TOKEN_WORD || token_among(t, i - 2, BEFORE)))
            return true;
    return false;
}

void passes_refuse_vla(tokens_t *t)
{
    size_t open, close;
    for (size_t i = 0; passes_function_of_gpu(t, &i, &open, &close); i = close) {
        if (token_in_system_header(t, open) || !has_array(t, open, close)) continue;
        const size_t from = token_statement(t, open);
        char *here = marker_at(t, t->token[from].text), *behind = marker_at(t, t->token[close].text + 1);
        token_before(t, from, "\n#pragma GCC diagnostic push\n#pragma GCC diagnostic error \"-Wvla\"%s", here);
        token_after(t, close, "\n#pragma GCC diagnostic pop%s", behind);
        free(here);
        free(behind);
    }
}
