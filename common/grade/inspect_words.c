/* inspect_words.c - the words of a submission, after the preprocessor.  See inspect.h */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "inspect.h"

enum { LONGEST = 256, MOST_SAID = 3 };

/* What may stand in an attribute; __name__ is name. */
static const char *const ATTRIBUTES[] = {"aligned",       "packed",
                                         "unused",        "maybe_unused",
                                         "used",          "always_inline",
                                         "noinline",      "gnu_inline",
                                         "artificial",    "flatten",
                                         "hot",           "cold",
                                         "pure",          "const",
                                         "nonnull",       "returns_nonnull",
                                         "nodiscard",     "warn_unused_result",
                                         "deprecated",    "fallthrough",
                                         "noreturn",      "likely",
                                         "unlikely",      "no_unique_address",
                                         "may_alias",     "format",
                                         "nothrow",       "leaf",
                                         "malloc",        "gnu",
                                         "using",         "global",
                                         "device",        "shared",
                                         "host",          "constant",
                                         "launch_bounds", NULL};

/* Of the compiler's own functions those that are arithmetic, or that it turns into accesses it announces. */
static const char *const BUILTINS[] = {
    "expect", "unreachable", "trap", "popcount", "clz", "ctz", "ffs", "parity", "bswap", "inf", "huge_val", "nan",
    "isnan", "isinf", "isfinite", "isnormal", "isunordered", "isgreater", "isless", "signbit", "fpclassify", "copysign",
    "fabs", "fma", "fmin", "fmax", "fmod", "sqrt", "cbrt", "exp", "log", "pow", "sin", "cos", "tan", "floor", "ceil",
    "round", "trunc", "rint", "nearbyint", "lround", "llround", "lrint", "llrint", "ldexp", "frexp", "scalb", "hypot",
    "abs", "labs", "llabs", "constant_p", "choose_expr", "types_compatible_p", "offsetof", "is_constant_evaluated",
    "assume", "assume_aligned", "add_overflow", "sub_overflow", "mul_overflow", "bit_cast", "FUNCTION", "LINE", "FILE",
    "memcpy", "memmove", "memset", "object_size", NULL};

/* First words of a #pragma; after GCC, its second. */
static const char *const PRAGMAS[] = {"unroll", "nounroll", "once", "pack", "region", "endregion", "mark", "message",
                                      "nv_diag_suppress", "nv_diag_default", "nv_diagnostic", "nv_exec_check_disable",
                                      "hd_warning_disable", NULL};
static const char *const GCC_PRAGMAS[] = {"unroll", "ivdep", "diagnostic", "warning", "error", NULL};

typedef struct look {
    FILE *in;
    const char *name;
    char includes[8192]; /* "\nchapter.h\n...": the headers it may name */
    int c;      /* the next character */
    int depth;  /* of files that are included; 0: the submission */
    long line;
    bool own;   /* after the preamble */
    int said, found;
} look_t;

static void refuse(look_t *l, const char *what, const char *word)
{
    ++l->found;
    if (l->said++ < MOST_SAID) printf("%s:%ld: %s%s may not be used in a submission\n", l->name, l->line, what, word);
}

static bool is_in(const char *const *list, const char *word)
{
    while (*list && strcmp(*list, word)) ++list;
    return *list;
}

/* "sqrtf" and "popcountll" begin with a word of the list, and no more than letters of a type follow. */
static bool is_kind_of(const char *const *list, const char *word)
{
    for (; *list; ++list) {
        const size_t n = strlen(*list);
        if (!strncmp(*list, word, n) && strspn(word + n, "flsu0123456789x_ipgreatqovwhbc") == strlen(word + n))
            return true;
    }
    return false;
}

static int next(look_t *l)
{
    const int c = l->c;
    if (c == '\n') ++l->line;
    l->c = getc(l->in);
    return c;
}

static bool is_letter(int c) { return isalpha(c) || c == '_' || c == '$' || c == '\\' || c > 127; }

static void read_word(look_t *l, char *word)
{
    size_t n = 0;
    while (is_letter(l->c) || isdigit(l->c)) {
        const int c = next(l);
        if (n < LONGEST - 1) word[n++] = (char)c;
    }
    word[n] = 0;
}

static void skip_quoted(look_t *l, int quote)
{
    for (int c; (c = next(l)) != EOF && c != quote && c != '\n';)
        if (c == '\\') next(l);
}

/* R"delimiter( ... )delimiter" */
static void skip_raw(look_t *l)
{
    char end[32] = ")";
    size_t n = 1;
    for (int c; (c = next(l)) != EOF && c != '(' && n < sizeof end - 2;) end[n++] = (char)c;
    end[n] = '"';
    for (size_t have = 0; l->c != EOF && have <= n;) {
        const int c = next(l);
        have = c == end[have] ? have + 1 : c == ')' ? 1 : 0;
    }
}

/* Is the header one of the list?  The list's names may have folders. */
static bool is_listed(const look_t *l, const char *path)
{
    char line[300];
    for (const char *at = path; (at = strchr(at, '/')); ++at) {
        snprintf(line, sizeof line, "\n%.290s\n", at + 1);
        if (strstr(l->includes, line)) return true;
    }
    return false;
}

/* A header that the submission names itself. */
static void look_at_header(look_t *l, const char *path)
{
    if (is_listed(l, path)) return;
    ++l->found;
    if (l->said++ < MOST_SAID)
        printf("%s:%ld: #include <%s> is not allowed; allowed headers: docs/exercises/README.md\n", l->name, l->line,
               strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
}

/* A line that begins with #: where what follows comes from, or a pragma. */
static void read_marker(look_t *l)
{
    char text[8192], file[4096] = "", kind[64] = "", word[64] = "";
    int n = 0;
    for (; l->c != '\n' && l->c != EOF; l->c = getc(l->in))
        if (n < (int)sizeof text - 1) text[n++] = (char)l->c;
    text[n] = 0;
    long line;
    int used = 0;
    if (sscanf(text, "# %ld \"%4095[^\"]\"%n", &line, file, &used) == 2) {
        const char *flags = text + used;
        if (l->depth == 0 && l->own && strstr(flags, " 1")) look_at_header(l, file);
        l->line = line - 1; /* the end of this line counts */
        if (strstr(flags, " 1")) ++l->depth;
        else if (strstr(flags, " 2")) --l->depth;
        else if (l->depth == 0 && !strcmp(file, l->name)) l->own = true;
        else if (l->depth == 0 && l->own) refuse(l, "#line with another file's name", "");
    } else if (l->depth == 0 && l->own && sscanf(text, "#pragma %63s %63s", kind, word) >= 1) {
        const bool gcc = !strcmp(kind, "GCC");
        if (!is_in(gcc ? GCC_PRAGMAS : PRAGMAS, gcc ? word : kind) && strncmp(kind, "unroll", 6)) {
            snprintf(text, sizeof text, "%s%s%s", kind, gcc ? " " : "", gcc ? word : "");
            refuse(l, "#pragma ", text);
        }
    }
}

/* Blanks, and markers between the lines. */
static void skip_blanks(look_t *l)
{
    while (isspace(l->c))
        if (next(l) == '\n' && l->c == '#') read_marker(l);
}

/* What may not be a word anywhere. */
static void look_at_word(look_t *l, const char *word)
{
    static const char *const NEVER[] = {"asm", "__asm", "__asm__", "thread_local", "__thread", "_Thread_local", "simt",
                                        "__label__", "__transaction_atomic", NULL};
    static const char *const BEGINNINGS[] = {"simt_",   "SIMT_",      "__tsan",    "__sanitizer", "__asan",
                                             "__ubsan", "__sanitize", "__atomic_", "__sync_",     "_mm",
                                             "__m128",  "__m256",     "__m512",    "_Z",         NULL};
    bool never = is_in(NEVER, word);
    for (int i = 0; BEGINNINGS[i]; ++i) never = never || !strncmp(word, BEGINNINGS[i], strlen(BEGINNINGS[i]));
    if (!strncmp(word, "__builtin_", 10)) never = never || !is_kind_of(BUILTINS, word + 10);
    if (never) refuse(l, "", word);
}

/* The name of an attribute. */
static void look_at_attribute(look_t *l, const char *word)
{
    char bare[LONGEST];
    size_t n = strlen(word);
    while (*word == '_') ++word, --n;
    while (n > 0 && word[n - 1] == '_') --n;
    snprintf(bare, sizeof bare, "%.*s", (int)n, word);
    if (!is_in(ATTRIBUTES, bare)) refuse(l, "the attribute ", bare);
}

/* From the bracket after the one just read to the one that closes it; names in it are attributes, those in brackets
 * of their own are their arguments and words like others. */
static void read_attributes(look_t *l, int open, int close)
{
    char word[LONGEST];
    int level = 0;
    while (l->c != EOF) {
        if (is_letter(l->c)) {
            read_word(l, word);
            const bool name = open == '[' ? level == 1 : level == 2;
            if (!name) look_at_word(l, word);
            else look_at_attribute(l, word);
            continue;
        }
        const int c = next(l);
        if (c == '"' || c == '\'') skip_quoted(l, c);
        if (c == open || c == '(') ++level;
        if ((c == close || c == ')') && --level <= 0) return;
    }
}

/* [[ in any spelling; the first [ has been read. */
static void after_bracket(look_t *l)
{
    skip_blanks(l);
    if (l->c == '<') { /* <: is [ */
        next(l);
        if (l->c != ':') return;
        l->c = '[';
    }
    if (l->c == '[') read_attributes(l, '[', ']');
}

static int read_includes(look_t *l, const char *path)
{
    FILE *f = fopen(path, "r");
    l->includes[0] = '\n';
    const size_t n = f ? fread(l->includes + 1, 1, sizeof l->includes - 2, f) : 0;
    if (f) fclose(f);
    return n > 0 ? 0 : -1;
}

int inspect_words(FILE *in, const char *name, const char *includes)
{
    look_t l = {.in = in, .name = name, .line = 1};
    char word[LONGEST];
    bool start = true; /* of a line */
    if (read_includes(&l, includes)) {
        fprintf(stderr, "inspect: %s cannot be read\n", includes);
        return -1;
    }
    l.c = getc(in);
    while (l.c != EOF) {
        if (start && l.c == '#') {
            read_marker(&l);
            continue;
        }
        if (is_letter(l.c)) {
            read_word(&l, word);
            start = false;
            const size_t n = strlen(word);
            if (l.c == '"' && n <= 3 && word[n - 1] == 'R' && strspn(word, "uUL8R") == n) {
                next(&l);
                skip_raw(&l);
            } else if (l.depth == 0 && l.own) {
                if (!strcmp(word, "__attribute__") || !strcmp(word, "__attribute")) read_attributes(&l, '(', ')');
                else look_at_word(&l, word);
            }
            continue;
        }
        if (isdigit(l.c)) { /* 0x1p-3f, 1'000 */
            while (isalnum(l.c) || l.c == '.' || l.c == '\'' || l.c == '_') next(&l);
            start = false;
            continue;
        }
        const int c = next(&l);
        if (c == '"' || c == '\'') skip_quoted(&l, c);
        if (c == '[' && l.depth == 0 && l.own) after_bracket(&l);
        if (c == '<' && l.c == ':' && l.depth == 0 && l.own) { /* the other spelling of [ */
            next(&l);
            if (l.c != ':') after_bracket(&l);
        }
        start = c == '\n' || (start && isspace(c));
    }
    if (!l.own) {
        fprintf(stderr, "inspect: nothing here is of %s\n", name);
        return -1;
    }
    return l.found;
}
