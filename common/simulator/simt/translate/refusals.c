/* refusals.c - see refusals.h */
#include "passes.h"
#include "refusals.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The meaning of a name, from all of its declarations.  OTHERWISE: not a function, or a template.  VARIABLE: a
 * variable of the GPU. */
enum { FOR_HOST = 1, FOR_GPU = 2, KERNEL = 4, OTHERWISE = 8, OF_SYSTEM = 16, VARIABLE = 32 };

typedef struct name {
    const char *text;
    size_t length;
    int says;
} name_t;

typedef struct names {
    name_t *name;
    size_t count;
    bool precompiled; /* declared by the first header, which is not part of the text */
} names_t;

/* Functions of the C library and of std that nvcc 13.0 refuses in kernels; memcpy, printf and mathematics, which
 * kernels can call, are not listed. */
static const char *const C_LIBRARY[] = {
    "rand", "srand", "exit", "fprintf", "sprintf", "snprintf", "scanf", "fopen", "fclose", "fflush", "puts", "putchar",
    "getchar", "getenv", "system", "time", "sleep", "usleep", "strlen", "strcmp", "strcpy", "strcat", "strncpy",
    "atoi", "atof", "strtol", "qsort", "memmove", "memcmp", "memchr", "memrchr", "memccpy", "mempcpy", "bcopy", "bzero",
    "swab", "strncmp", "strncat", "strchr", "strrchr", "strstr", "strspn", "strtok", "strdup", "strcasecmp", "strnlen",
    "strtod", "strtoul", "strtoll", "atol", "atoll", "toupper", "tolower", "isdigit", "isalpha", "isspace", "isupper",
    "calloc", "realloc", "abort", "atexit", "raise", "signal", "perror", "sscanf", "fputs", "fputc", "fgets", "fwrite",
    "fread", "bsearch", "div", "ffs", "rand_r", "random", "drand48", "gettimeofday", "difftime", "getpid", "write", NULL};
static const char *const OF_STD[] = {"sort", "stable_sort", "accumulate", "copy", "reverse", "iota", "to_string",
                                     "getline", NULL};
/* Functions of the GPU that no declaration in the simulator's headers marks as such. */
static const char *const OF_GPU[] = {
    "__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block", "__shfl_sync", "__shfl_down_sync",
    "__shfl_up_sync", "__shfl_xor_sync", "__ballot_sync", "__activemask", "atomicAdd", "atomicSub", "atomicMax",
    "atomicMin", "atomicCAS", "atomicExch", "__ldg", NULL};

/* ---- declarations ---- */

static int by_text(const void *a, const void *b)
{
    const name_t *x = a, *y = b;
    const size_t n = x->length < y->length ? x->length : y->length;
    const int order = memcmp(x->text, y->text, n);
    return order ? order : x->length < y->length ? -1 : x->length > y->length ? 1 : 0;
}

/* Whether `name (` at i is a declaration, of a function or of anything else: then a type stands before it. */
static bool is_declared(const tokens_t *t, size_t i)
{
    static const char *const BEFORE[] = {"*", "&", ">", "__device__", "__host__", NULL};
    static const char *const NO_TYPE[] = {"return", "else", "do", "case", "throw", "new", "delete", "goto", "operator",
                                          NULL};
    if (i == 0 || t->token[i].kind != TOKEN_WORD) return false;
    if (token_among(t, i - 1, NO_TYPE)) return false;
    return t->token[i - 1].kind == TOKEN_WORD || token_among(t, i - 1, BEFORE);
}

/* Whether the variable declared at i is in GPU memory.  Constants are in host memory, too. */
static bool is_of_gpu(const tokens_t *t, size_t i)
{
    static const char *const OTHERS[] = {"const", "constexpr", "__managed__", "extern", "template", NULL};
    bool says = false;
    for (size_t k = token_statement(t, i); k < i; ++k) {
        if (token_among(t, k, OTHERS)) return false;
        says = says || token_is(t, k, "__device__") || token_is(t, k, "__constant__");
    }
    return says;
}

static int what_it_says(const tokens_t *t, size_t i)
{
    static const char *const BEHIND[] = {";", "=", "[", "{", ",", NULL};
    if (token_among(t, i + 1, BEHIND) && is_of_gpu(t, i)) return VARIABLE;
    static const char *const UNLIKE[] = {"constexpr", "consteval", "template", "=", "typedef", "using", "friend", NULL};
    int says = 0;
    for (size_t k = token_statement(t, i); k < i; ++k) {
        if (token_among(t, k, UNLIKE)) return OTHERWISE;
        if (token_is(t, k, "__global__")) says |= KERNEL;
        if (token_is(t, k, "__device__")) says |= FOR_GPU;
        if (token_is(t, k, "__host__")) says |= FOR_HOST;
    }
    return !token_is(t, i + 1, "(") ? OTHERWISE : says ? says : FOR_HOST;
}

/* Collects all names declared outside of functions and classes, except templates of system headers; sorted, each
 * once. */
static names_t names_of(const tokens_t *t)
{
    names_t all = {.name = calloc(t->count + 1, sizeof *all.name),
                   .precompiled = strstr(t->source, "\n#pragma GCC pch_preprocess") != NULL};
    for (size_t i = 0; all.name && i < t->count; ++i) {
        if (t->token[i].scope != IN_FILE) continue;
        if (is_declared(t, i)) {
            name_t n = {t->token[i].text, t->token[i].length, what_it_says(t, i)};
            const bool of_system = token_in_system_header(t, i);
            if (of_system) n.says = n.says == OTHERWISE ? 0 : OF_SYSTEM;
            if (n.says) all.name[all.count++] = n;
        }
        if (token_is(t, i, "(") && token_close(t, i) < t->count) i = token_close(t, i); /* parameters */
    }
    if (!all.count) return all;
    qsort(all.name, all.count, sizeof *all.name, by_text);
    size_t last = 0;
    for (size_t i = 1; i < all.count; ++i) {
        if (by_text(&all.name[last], &all.name[i]) != 0) all.name[++last] = all.name[i];
        else all.name[last].says |= all.name[i].says;
    }
    all.count = last + 1;
    return all;
}

static const name_t *find(const names_t *all, const tokens_t *t, size_t i)
{
    const name_t wanted = {.text = t->token[i].text, .length = t->token[i].length};
    return all->count ? bsearch(&wanted, all->name, all->count, sizeof wanted, by_text) : NULL;
}

/* ---- calls ---- */

/* Whether i is the name of a called function, written as f, ::f or std::f. */
static bool is_call(const tokens_t *t, size_t i, bool *of_std)
{
    static const char *const MEMBER[] = {".", "->", NULL}, *const ASKED[] = {"sizeof", "decltype", "noexcept", NULL};
    *of_std = token_is(t, i - 1, "::") && token_is(t, i - 2, "std");
    if (t->token[i].kind != TOKEN_WORD || !token_is(t, i + 1, "(") || token_among(t, i - 1, MEMBER)) return false;
    if (token_is(t, i - 1, "(") && token_among(t, i - 2, ASKED)) return false;
    if (token_is(t, i - 1, "::")) return *of_std || t->token[i - 2].kind != TOKEN_WORD;
    return !is_declared(t, i) || token_is(t, i - 1, "*") || token_is(t, i - 1, "&");
}

/* Whether the name at token i also names something else in from..to-1, such as a variable. */
static bool is_variable(const tokens_t *t, size_t from, size_t to, size_t i)
{
    static const char *const CALLED[] = {"(", "<<<", NULL};
    for (size_t k = from; k < to; ++k) {
        if (t->token[k].length != t->token[i].length || memcmp(t->token[k].text, t->token[i].text, t->token[i].length))
            continue;
        if (!token_among(t, k + 1, CALLED) || (t->token[k - 1].kind == TOKEN_WORD && is_declared(t, k))) return true;
    }
    return false;
}

/* Whether a launch names the function at i, which is not a kernel. */
static bool is_launched(const tokens_t *t, const names_t *all, size_t i)
{
    if (t->token[i].kind != TOKEN_WORD || !token_is(t, i + 1, "<<<") || token_is(t, i - 1, "::")) return false;
    const name_t *callee = find(all, t, i);
    return callee && (callee->says == FOR_HOST || callee->says == FOR_GPU);
}

/* Whether the kernel at i is called like a function. */
static bool is_called_kernel(const tokens_t *t, const names_t *all, size_t i)
{
    bool of_std;
    const name_t *callee = is_call(t, i, &of_std) && !of_std ? find(all, t, i) : NULL;
    return callee && callee->says == KERNEL;
}

/* The bracket of the call or launch of which token i is an argument; t->count if there is none. */
static size_t call_around(const tokens_t *t, size_t i)
{
    static const char *const ENDS[] = {";", "{", "}", NULL};
    while (i-- > 1 && !token_among(t, i, ENDS)) {
        if (token_is(t, i, ")")) i = token_open(t, i);
        if (i == SIZE_MAX) break;
        const bool launch = token_is(t, i - 1, ">") && token_is(t, i - 2, ">") && token_is(t, i - 3, ">");
        if (token_is(t, i, "(") && (launch || t->token[i - 1].kind == TOKEN_WORD)) return i;
    }
    return t->count;
}

/* Whether i is a variable of the GPU whose address is passed to a copy or a launch; the host does not have this
 * address. */
static bool is_given_away(const tokens_t *t, const names_t *all, size_t from, size_t i)
{
    static const char *const TAKES[] = {"cudaMemcpy", "cudaMemcpyAsync", "cudaMemset", "cudaMemsetAsync",
                                        "cudaMemcpy2D", "cudaMemcpy2DAsync", "cudaMemset2D", ">", NULL};
    const name_t *name = t->token[i].kind == TOKEN_WORD ? find(all, t, i) : NULL;
    static const char *const NO_ADDRESS[] = {".", "->", "sizeof", "decltype", "alignof", NULL};
    if (!name || name->says != VARIABLE || token_among(t, i - 1, NO_ADDRESS)) return false;
    if (token_is(t, i - 1, "(") && token_among(t, i - 2, NO_ADDRESS)) return false; /* sizeof(v) */
    for (size_t k = from; k < i; ++k) /* a variable of the function */
        if (by_text(&(name_t){t->token[k].text, t->token[k].length, 0}, name) == 0 && is_declared(t, k)) return false;
    const size_t open = call_around(t, i);
    return open < t->count && token_among(t, open - 1, TAKES);
}

static bool is_forbidden(const tokens_t *t, const names_t *all, size_t i, bool of_gpu)
{
    bool of_std;
    if (!is_call(t, i, &of_std)) return false;
    const name_t *callee = find(all, t, i);
    if (of_std) return of_gpu && (token_among(t, i, C_LIBRARY) || token_among(t, i, OF_STD));
    if (!callee && !all->precompiled) return false;
    if (!callee || callee->says == OF_SYSTEM) return token_among(t, i, of_gpu ? C_LIBRARY : OF_GPU);
    return callee->says == (of_gpu ? FOR_HOST : FOR_GPU);
}

/* The end of the GPU lambda that begins at i; i if there is none. */
static size_t behind_lambda(const tokens_t *t, size_t i)
{
    if (!token_is(t, i, "__device__")) return i;
    while (i < t->count && !token_is(t, i, "{") && !token_is(t, i, ";")) ++i;
    return token_is(t, i, "{") ? token_close(t, i) : i;
}

static bool refuse(const tokens_t *t, size_t i, const char *why)
{
    char place[4096];
    tokens_place(t, i, place, sizeof place);
    fprintf(stderr, "%s: error: %.*s %s\n", place, (int)t->token[i].length, t->token[i].text, why);
    return false;
}

static bool check_function(const tokens_t *t, const names_t *all, size_t from, size_t open, size_t close, bool of_gpu)
{
    bool allowed = true;
    for (size_t i = open + 1; i < close; ++i) {
        if (!of_gpu) i = behind_lambda(t, i);
        if (i < close && !of_gpu && is_given_away(t, all, from, i))
            allowed = refuse(t, i, "is a variable of the GPU, of which the host has no address: cudaMemcpyToSymbol, "
                                   "cudaMemcpyFromSymbol, cudaGetSymbolAddress");
        if (i >= close || is_variable(t, from, close, i)) continue;
        if (is_launched(t, all, i))
            allowed = refuse(t, i, "is launched but is not a kernel: declare it __global__");
        else if (is_called_kernel(t, all, i))
            allowed = refuse(t, i, "is a kernel called as a function: launch it, kernel<<<grid, block>>>(...)");
        else if (is_forbidden(t, all, i, of_gpu))
            allowed = refuse(t, i, of_gpu ? "is a host function, not __device__: a kernel cannot call it"
                                           : "is __device__, not __host__: a host function cannot call it");
    }
    return allowed;
}

/* Whether the function with its braces at i is FOR_HOST or FOR_GPU.  OTHERWISE: for both, or a template, a member,
 * or not a function. */
static int whose(const tokens_t *t, size_t i, size_t from)
{
    if (t->token[i].scope != IN_FILE || (t->token[i + 1].scope != IN_FUNCTION && !token_is(t, i + 1, "}")))
        return OTHERWISE;
    int says = 0;
    for (size_t k = from; k < i; ++k) {
        if (token_is(t, k, "template") || token_is(t, k, "=")) return OTHERWISE;
        if (token_is(t, k, "::") && token_is(t, k + 2, "(")) return OTHERWISE;
        if (token_is(t, k, "__device__") || token_is(t, k, "__global__")) says |= FOR_GPU;
        if (token_is(t, k, "__host__")) says |= FOR_HOST;
    }
    return says == 0 || says == FOR_HOST ? FOR_HOST : says == FOR_GPU ? FOR_GPU : OTHERWISE;
}

/* Reports a kernel, with its braces at i, whose return type is not void. */
static bool gives_nothing(const tokens_t *t, size_t from, size_t i)
{
    static const char *const GIVES[] = {"int", "float", "double", "bool", "char", "long", "unsigned", NULL};
    bool kernel = false;
    for (size_t k = from; k < i && !token_is(t, k, "(") && !token_is(t, k, "void"); ++k) {
        kernel = kernel || token_is(t, k, "__global__");
        if (kernel && token_among(t, k, GIVES))
            return refuse(t, k, "is the return type of a kernel, which must be void");
    }
    return true;
}

/* ---- dynamic shared memory ---- */

/* The first token of the type in `extern __shared__ float name[]` at i, if the type consists of words of the
 * language only; else 0. */
static size_t type_of_dynamic(const tokens_t *t, size_t i, size_t *name)
{
    static const char *const WORDS[] = {"int", "float", "double", "char", "unsigned", "short", "long", NULL};
    if (!token_is(t, i, "__shared__") || t->token[i].scope != IN_FUNCTION) return 0;
    if (!token_is(t, i - 1, "extern") && !token_is(t, i + 1, "extern")) return 0;
    const size_t from = i + 1 + token_is(t, i + 1, "extern");
    for (*name = from; token_among(t, *name, WORDS); ++*name) { }
    return *name > from && token_is(t, *name + 1, "[") && token_is(t, *name + 2, "]") ? from : 0;
}

/* Whether token i is in a function outside of all namespaces. */
static bool in_no_namespace(const tokens_t *t, size_t i)
{
    size_t open = i;
    while (open > 0 && t->token[open].scope == IN_FUNCTION) --open;
    return token_end_of_braces(t, open) >= t->count;
}

/* Reports a name of dynamic shared memory that has two types in a file. */
static bool dynamic_agrees(const tokens_t *t, size_t i)
{
    size_t name, other;
    const size_t from = type_of_dynamic(t, i, &name);
    if (!from || !in_no_namespace(t, i)) return true;
    for (size_t k = 0; k < i; ++k) {
        const size_t before = type_of_dynamic(t, k, &other);
        if (!before || !in_no_namespace(t, k)) continue;
        char *mine = tokens_text(t, from, name + 1), *its = tokens_text(t, before, other + 1);
        const bool same_name = t->token[name].length == t->token[other].length &&
                               memcmp(t->token[name].text, t->token[other].text, t->token[name].length) == 0;
        const bool differ = same_name && strcmp(mine, its) != 0;
        free(mine);
        free(its);
        if (differ) return refuse(t, name, "is extern __shared__ of another type above: a file has one for each name");
    }
    return true;
}

/* ---- features that GPU code lacks ---- */

static bool no_exceptions(const tokens_t *t)
{
    static const char *const WORDS[] = {"try", "throw", "catch", NULL};
    size_t open, close;
    bool allowed = true;
    for (size_t i = 0; passes_function_of_gpu(t, &i, &open, &close); i = close)
        for (size_t k = open; k < close && !token_in_system_header(t, open); ++k)
            if (token_among(t, k, WORDS))
                allowed = refuse(t, k, "belongs to exceptions, which GPU code does not support");
    return allowed;
}

/* __shared__ int a = 5, b[2] = {1, 2}; */
static bool begins_with_garbage(const tokens_t *t, size_t i)
{
    if (!token_is(t, i, "__shared__") || token_in_system_header(t, i)) return true;
    for (size_t k = i; k < t->count && !token_is(t, k, ";"); ++k) {
        const bool of_class = token_is(t, k, "{") && t->token[k + 1].scope == IN_CLASS; /* struct { int x; } s; */
        if (token_is(t, k, "(") || token_is(t, k, "[") || of_class) k = token_close(t, k);
        else if (token_is(t, k, "=") || token_is(t, k, "{"))
            return refuse(t, k, "begins an initializer, not allowed for a __shared__ variable");
    }
    return true;
}

bool refusals_none(const tokens_t *t, bool of_gpu)
{
    names_t all = names_of(t);
    bool allowed = true;
    for (size_t i = 0; of_gpu && i < t->count; ++i)
        allowed = dynamic_agrees(t, i) && begins_with_garbage(t, i) && allowed;
    if (of_gpu) allowed = no_exceptions(t) && allowed;
    for (size_t i = 0; i < t->count; ++i) {
        if (!token_is(t, i, "{") || t->token[i].scope == IN_FUNCTION) continue;
        const size_t from = token_statement(t, i), close = token_close(t, i);
        if (close >= t->count || whose(t, i, from) != (of_gpu ? FOR_GPU : FOR_HOST)) continue;
        if (!token_in_system_header(t, i)) allowed = check_function(t, &all, from, i, close, of_gpu) && allowed;
        if (of_gpu) allowed = gives_nothing(t, from, i) && allowed;
        i = close;
    }
    free(all.name);
    return allowed;
}
