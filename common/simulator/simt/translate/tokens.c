/* tokens.c - see tokens.h */
#include "tokens.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- cutting ---- */

/* The length of a universal character name (\u5f52, \U00005f52), by which g++ -E writes letters beyond ASCII; 0 if
 * there is none. */
static size_t universal(const char *p)
{
    const size_t digits = p[0] != '\\' ? 0 : p[1] == 'u' ? 4 : p[1] == 'U' ? 8 : 0;
    size_t n = 0;
    while (n < digits && isxdigit((unsigned char)p[2 + n])) ++n;
    return digits > 0 && n == digits ? 2 + digits : 0;
}

/* The length in bytes of the letter, or of the letter or digit, at p; 0 if there is none. */
static size_t letter(const char *p)
{
    return isalpha((unsigned char)*p) || *p == '_' || *p == '$' || (*p & 0x80) ? 1 : universal(p);
}
static size_t in_word(const char *p) { return isdigit((unsigned char)*p) ? 1 : letter(p); }

static const char *after_word(const char *p)
{
    for (size_t n; (n = in_word(p));) p += n;
    return p;
}

static bool is_splice(const char *p) { return p[0] == '\\' && (p[1] == '\n' || (p[1] == '\r' && p[2] == '\n')); }

/* The end of the line, including continuation lines after a backslash. */
static const char *end_of_line(const char *p)
{
    for (; *p && *p != '\n'; ++p)
        if (is_splice(p)) p += p[1] == '\r' ? 2 : 1;
    return p;
}

static const char *after_comment(const char *p)
{
    if (p[1] == '/') return end_of_line(p);
    const char *end = strstr(p + 2, "*/");
    return end ? end + 2 : p + strlen(p);
}

/* Skips a directive; of a definition it skips only the name, because its text is cut into tokens. */
static const char *after_directive(const char *p)
{
    const char *word = p + 1;
    while (*word == ' ' || *word == '\t') ++word;
    if (strncmp(word, "define", 6) != 0 || in_word(word + 6)) return end_of_line(p);
    word += 6;
    while (*word == ' ' || *word == '\t') ++word;
    return after_word(word);
}

static const char *after_space(const char *p, bool line_begins)
{
    for (;; ++p) {
        while (p[0] == '/' && (p[1] == '/' || p[1] == '*')) p = after_comment(p);
        if (line_begins && *p == '#') p = after_directive(p);
        if (is_splice(p)) {
            p += p[1] == '\r' ? 2 : 1;
            continue;
        }
        if (*p != ' ' && !(*p >= '\t' && *p <= '\r')) return p;
        line_begins = *p == '\n' || (line_begins && *p != '\n');
    }
}

/* Skips a string or character literal, from its opening quote. */
static const char *after_text(const char *p)
{
    const char quote = *p++;
    for (; *p && *p != quote && *p != '\n'; ++p)
        if (*p == '\\' && p[1]) ++p;
    return *p == quote ? p + 1 : p;
}

/* Skips a raw string R"x( ... )x", from its opening quote. */
static const char *after_raw(const char *quote)
{
    const char *open = strchr(quote, '(');
    if (!open || open - quote > 17) return after_text(quote);
    char end[20];
    const int n = snprintf(end, sizeof end, ")%.*s\"", (int)(open - quote - 1), quote + 1);
    const char *found = strstr(open, end);
    return found ? found + n : quote + strlen(quote);
}

static const char *after_number(const char *p)
{
    for (++p; in_word(p) || *p == '.' || (*p == '\'' && in_word(p + 1)) ||
              ((*p == '+' || *p == '-') && strchr("eEpP", p[-1]));
         ++p) {}
    return p;
}

static const char *after_sign(const char *p)
{
    static const char *const LONG[] = {"<<<", "<<=", "...", "->*", "::", "->", "<<", "<=", ">=", "==", "!=", "&&", "||",
                                       "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "##"};
    for (size_t i = 0; i < sizeof LONG / sizeof *LONG; ++i)
        if (*p == *LONG[i] && strncmp(p, LONG[i], strlen(LONG[i])) == 0) return p + strlen(LONG[i]);
    return p + 1;
}

/* u8"..", LR"(..)" */
static bool is_prefix(const char *word, size_t length)
{
    static const char *const PREFIXES[] = {"u8", "u", "U", "L", "R", "u8R", "uR", "UR", "LR"};
    for (size_t i = 0; i < sizeof PREFIXES / sizeof *PREFIXES; ++i)
        if (strlen(PREFIXES[i]) == length && memcmp(PREFIXES[i], word, length) == 0) return true;
    return false;
}

static const char *after_token(const char *p, token_kind_t *kind)
{
    if (*p == '"' || *p == '\'') return *kind = TOKEN_TEXT, after_text(p);
    if (isdigit((unsigned char)p[*p == '.'])) return *kind = TOKEN_NUMBER, after_number(p);
    if (!letter(p)) return *kind = TOKEN_SIGN, after_sign(p);
    const char *end = after_word(p);
    *kind = TOKEN_WORD;
    if ((*end != '"' && *end != '\'') || !is_prefix(p, (size_t)(end - p))) return end;
    *kind = TOKEN_TEXT;
    return end[-1] == 'R' ? after_raw(end) : after_text(end);
}

/* ---- positions of tokens ---- */

static scope_t scope_of_brace(const tokens_t *t, size_t brace, scope_t around)
{
    static const char *const CLASSES[] = {"class", "struct", "union", "enum", NULL};
    for (size_t i = brace; i-- > 0;) {
        if (token_is(t, i, ";") || token_is(t, i, "{") || token_is(t, i, "}")) break;
        if (token_is(t, i, ")")) {
            const size_t open = token_open(t, i);
            if (open == SIZE_MAX || !token_among(t, open - 1, (const char *const[]){"__attribute__", "alignas", NULL}))
                return IN_FUNCTION;
            i = open;
        } else if (token_is(t, i, ">")) {
            const size_t open = token_open(t, i);
            if (open != SIZE_MAX) i = open;
        } else if (token_is(t, i, "=")) {
            return IN_FUNCTION;
        } else if (token_among(t, i, CLASSES)) {
            return IN_CLASS;
        } else if (token_is(t, i, "namespace") || (token_is(t, i, "extern") && around == IN_FILE)) {
            return around;
        }
    }
    return IN_FUNCTION;
}

static int set_scopes(tokens_t *t)
{
    enum { DEEP = 256 };
    scope_t stack[DEEP] = {IN_FILE};
    size_t depth = 0, around = SIZE_MAX;
    for (size_t i = 0; i <= t->count; ++i) {
        token_t *k = &t->token[i];
        k->around = around;
        k->partner = t->count;
        if (token_is(t, i, "}") && depth > 0) {
            --depth;
            t->token[around].partner = i;
            around = t->token[around].around;
        }
        k->scope = stack[depth < DEEP ? depth : DEEP - 1];
        if (!token_is(t, i, "{")) continue;
        around = i;
        const scope_t inside = scope_of_brace(t, i, t->token[i].scope);
        if (++depth < DEEP) stack[depth] = inside;
    }
    return 0;
}

/* Whether a token is in a header of the system or of the simulator, by the last line mark `# 12 "file" 3` before
 * it; without a mark the result is `before`. */
static bool in_system(const token_t *k, bool first, bool before)
{
    for (const char *p = k->space; p < k->text; ++p) {
        if (p[0] != '#' || p[1] != ' ' || !(p > k->space ? p[-1] == '\n' : first)) continue;
        static const char ours[] = "/simt/include/";
        const char *end = p + strcspn(p, "\n");
        before = (end - p > 3 && (end[-1] == '3' || strncmp(end - 3, "3 4", 3) == 0)) ||
                 memmem(p, (size_t)(end - p), ours, sizeof ours - 1);
        p = end;
    }
    return before;
}

int tokens_cut(tokens_t *t, char *source, size_t size)
{
    *t = (tokens_t){.source = source};
    t->token = calloc(size + 1, sizeof *t->token);
    if (!t->token) {
        free(source);
        return -1;
    }
    const char *p = source;
    bool system = false;
    for (bool first = true;; first = false) {
        token_t *k = &t->token[t->count];
        k->space = p;
        k->text = after_space(p, first || (p > source && p[-1] == '\n'));
        k->system = system = in_system(k, first, system);
        k->kind = TOKEN_END;
        if (k->text >= source + size) break;
        p = after_token(k->text, &k->kind);
        k->length = (size_t)(p - k->text);
        ++t->count;
    }
    return set_scopes(t);
}

void tokens_free(tokens_t *t)
{
    for (size_t i = 0; t->token && i <= t->count; ++i) {
        free(t->token[i].before);
        free(t->token[i].instead);
        free(t->token[i].after);
    }
    free(t->token);
    free(t->source);
    *t = (tokens_t){0};
}

/* ---- looking ---- */

bool token_among(const tokens_t *t, size_t i, const char *const *texts)
{
    for (; *texts; ++texts)
        if (token_is(t, i, *texts)) return true;
    return false;
}

static const char *const OPENING[] = {"(", "[", "{", "<", NULL}, *const CLOSING[] = {")", "]", "}", ">", NULL};

static int among(const tokens_t *t, size_t i, const char *const *texts)
{
    for (int k = 0; texts[k]; ++k)
        if (token_is(t, i, texts[k])) return k;
    return -1;
}

size_t token_close(const tokens_t *t, size_t i)
{
    if (token_is(t, i, "{")) return t->token[i].partner;
    const int kind = among(t, i, OPENING);
    for (size_t k = i + 1; kind >= 0 && k < t->count; ++k) {
        if (token_is(t, k, CLOSING[kind])) return k;
        const int inner = among(t, k, OPENING);
        if (kind == 3 && (token_is(t, k, ";") || token_is(t, k, "{"))) break; /* the < meant "less than" */
        if (inner < 0 || (inner == 3 && kind != 3)) continue;
        const size_t close = token_close(t, k);
        if (close == t->count && inner == 3) continue;
        k = close;
    }
    return t->count;
}

size_t token_open(const tokens_t *t, size_t i)
{
    if (token_is(t, i, "}")) return t->token[i].around;
    const int kind = among(t, i, CLOSING);
    for (size_t k = i; kind >= 0 && k-- > 0;) {
        if (token_is(t, k, OPENING[kind])) return k;
        const int inner = among(t, k, CLOSING);
        if (kind == 3 && (token_is(t, k, ";") || token_is(t, k, "{"))) break;
        if (inner < 0 || (inner == 3 && kind != 3)) continue;
        const size_t open = token_open(t, k);
        if (open == SIZE_MAX && inner == 3) continue;
        if (open == SIZE_MAX) break;
        k = open;
    }
    return SIZE_MAX;
}

size_t token_statement(const tokens_t *t, size_t i)
{
    static const char *const LABELS[] = {"public", "private", "protected", "default", NULL};
    for (; i > 0; --i) {
        if (token_is(t, i - 1, ";") || token_is(t, i - 1, "{") || token_is(t, i - 1, "}")) break;
        if (token_is(t, i - 1, ":") && token_among(t, i - 2, LABELS)) break;
        if (token_is(t, i - 1, ")") || token_is(t, i - 1, "]")) { /* for (;;), __launch_bounds__(..) */
            const size_t open = token_open(t, i - 1);
            if (open == SIZE_MAX) break;
            i = open + 1;
        }
    }
    return i;
}

size_t token_end_of_braces(const tokens_t *t, size_t i)
{
    const size_t open = i < t->count ? t->token[i].around : SIZE_MAX;
    return open == SIZE_MAX ? t->count : t->token[open].partner;
}

/* ---- saying ---- */

static void say(char **place, const char *format, va_list arguments)
{
    char *more = NULL, *both = NULL;
    if (vasprintf(&more, format, arguments) < 0 || asprintf(&both, "%s%s", *place ? *place : "", more) < 0) {
        fprintf(stderr, "out of memory\n");
        exit(71);
    }
    free(more);
    free(*place);
    *place = both;
}

#define SAY(function, member)                                    \
    void function(tokens_t *t, size_t i, const char *format, ...) \
    {                                                            \
        va_list arguments;                                       \
        va_start(arguments, format);                             \
        say(&t->token[i].member, format, arguments);             \
        va_end(arguments);                                       \
    }
SAY(token_before, before)
SAY(token_instead, instead)
SAY(token_after, after)

void token_drop(tokens_t *t, size_t i)
{
    if (!t->token[i].instead) token_instead(t, i, "%s", "");
}

char *tokens_text(const tokens_t *t, size_t from, size_t to)
{
    size_t size = 1;
    for (size_t i = from; i < to; ++i) size += t->token[i].length + 1;
    char *text = malloc(size), *end = text;
    if (!text) {
        fprintf(stderr, "out of memory\n");
        exit(71);
    }
    for (size_t i = from; i < to; ++i) {
        const token_t *k = &t->token[i];
        if (i > from && k->text > k->space) *end++ = ' ';
        memcpy(end, k->text, k->length);
        end += k->length;
    }
    *end = 0;
    return text;
}

bool token_in_system_header(const tokens_t *t, size_t i) { return t->token[i].system; }

unsigned long tokens_line(const tokens_t *t, const char *p, const char **name)
{
    unsigned long lines = 0;
    *name = "";
    for (; p > t->source; --p) {
        if (p[-1] != '\n') continue;
        if (p[0] == '#' && p[1] == ' ') /* the mark describes the next line */
            return strtoul(p + 2, (char **)name, 10) - 1 + lines;
        ++lines;
    }
    return 1 + lines;
}

bool tokens_place(const tokens_t *t, size_t i, char *text, size_t size)
{
    const char *name;
    const unsigned long line = tokens_line(t, t->token[i].text, &name);
    name += strspn(name, " \"");
    const size_t length = strcspn(name, "\"\n"), rest = strcspn(name + length, "\n");
    snprintf(text, size, "%.*s:%lu", (int)length, name, line);
    return length > 0 && !memchr(name + length, '3', rest);
}

int tokens_write(const tokens_t *t, FILE *f)
{
    for (size_t i = 0; i <= t->count; ++i) {
        const token_t *k = &t->token[i];
        fwrite(k->space, 1, (size_t)(k->text - k->space), f);
        if (k->before) fputs(k->before, f);
        if (k->instead) fputs(k->instead, f);
        else fwrite(k->text, 1, k->length, f);
        if (k->after) fputs(k->after, f);
    }
    return fflush(f) || ferror(f) ? -1 : 0;
}
