/* loops.c - see rules.h */
#include <stdlib.h>
#include <string.h>

#include "passes.h"
#include "rules.h"

enum { NOT_ASKED = -1, MOST_ROUNDS = 256 };

/* The count of the #pragma unroll before token i; MOST_ROUNDS if the count is not a number, NOT_ASKED if there is
 * no pragma. */
static long asked(const tokens_t *t, size_t i)
{
    long said = NOT_ASKED;
    const char *p = t->token[i].space, *const end = t->token[i].text;
    for (; p && (p = memchr(p, '#', (size_t)(end - p))); ++p) {
        int n = 0, length = 0;
        sscanf(p, "# pragma unroll%n", &length);
        if (length == 0) continue;
        said = sscanf(p + length, " ( %d", &n) == 1 || sscanf(p + length, " %d", &n) == 1 ? n : MOST_ROUNDS;
    }
    return said;
}

/* The first token of the condition in for (...; condition; ...), which may be the second semicolon; 0 for for (T x
 * : all). */
static size_t condition(const tokens_t *t, size_t loop)
{
    const size_t end = token_close(t, loop + 1);
    size_t at = loop + 2;
    for (; at < end && !token_is(t, at, ";"); ++at)
        if (token_is(t, at, "(") || token_is(t, at, "{") || token_is(t, at, "[")) at = token_close(t, at);
    return at + 1 < end ? at + 1 : 0;
}

void translate_loops(tokens_t *t)
{
    for (size_t i = 0; i + 1 < t->count; ++i) {
        if (!token_is(t, i + 1, "(") || asked(t, i) != 1) continue;
        size_t at = i + 2;
        if (token_is(t, i, "for")) {
            if ((at = condition(t, i)) == 0) continue;
        } else if (!token_is(t, i, "while")) {
            continue;
        }
        token_before(t, at, token_is(t, at, ";") ? "simt::next_round()" : "simt::next_round(), ");
    }
}

/* ---- loops that nvcc unrolls ---- */

/* Limits for unrolling, in estimated instructions of a text: an array element counts three, or one if its index is
 * a number; a call counts as a long function; an unknown number of rounds counts as few. */
enum { MOST = 600, MOST_ASKED = 8 * MOST, CALL = 12, FEW = 4 };

/* The token after the statement that begins at i. */
static size_t behind_statement(const tokens_t *t, size_t i, size_t end)
{
    static const char *const HEADS[] = {"for", "while", "if", "switch", NULL};
    if (token_is(t, i, "{")) return token_close(t, i) + 1;
    if (token_among(t, i, HEADS)) {
        size_t k = i + 1;
        while (k < end && !token_is(t, k, "(")) ++k; /* if constexpr */
        if (k < end) k = behind_statement(t, token_close(t, k) + 1, end);
        return token_is(t, i, "if") && token_is(t, k, "else") ? behind_statement(t, k + 1, end) : k;
    }
    if (token_is(t, i, "do")) i = behind_statement(t, i + 1, end);
    for (; i < end && !token_is(t, i, ";"); ++i)
        if (token_is(t, i, "(") || token_is(t, i, "[") || token_is(t, i, "{")) i = token_close(t, i);
    return i + 1;
}

/* Reads 8, -8 or (8) at *i and moves *i past it. */
static bool read_number(const tokens_t *t, size_t *i, long *number)
{
    const bool brackets = token_is(t, *i, "("), minus = token_is(t, *i + brackets, "-");
    *i += (size_t)brackets + minus;
    if (*i >= t->count || t->token[*i].kind != TOKEN_NUMBER) return false;
    *number = strtol(t->token[(*i)++].text, NULL, 0) * (minus ? -1 : 1);
    *i += brackets;
    return true;
}

/* The step of ++i, i--, i += 2 before the bracket; 0 if it has another form. */
static long step_of(const tokens_t *t, size_t i)
{
    static const char *const ONE[] = {"++", "--", NULL}, *const MORE[] = {"+=", "-=", NULL};
    long step = 0;
    size_t number = i + 2;
    if (token_among(t, i, ONE) || token_among(t, i + 1, ONE)) return token_is(t, i + 2, ")");
    if (!token_among(t, i + 1, MORE) || !read_number(t, &number, &step)) return 0;
    return token_is(t, number, ")") && step > 0 ? step : 0;
}

/* The number of rounds of for (int i = 0; i < 8; i += 2) if it follows from numbers; else 0. */
static unsigned long rounds(const tokens_t *t, size_t loop)
{
    static const char *const UP[] = {"<", "<=", NULL}, *const DOWN[] = {">", ">=", NULL};
    static const char *const ENDS[] = {"=", ";", NULL};
    size_t i = loop + 2;
    long from, to;
    while (i < t->count && !token_among(t, i, ENDS)) ++i;
    if (!token_is(t, i++, "=") || !read_number(t, &i, &from) || !token_is(t, i, ";")) return 0;
    const size_t sign = i + 2;
    const bool up = token_among(t, sign, UP);
    i = sign + 1;
    if ((!up && !token_among(t, sign, DOWN)) || !read_number(t, &i, &to) || !token_is(t, i, ";")) return 0;
    const long step = step_of(t, i + 1), last = token_is(t, sign, "<=") || token_is(t, sign, ">=");
    const long length = (up ? to - from : from - to) + last;
    return length <= 0 || step == 0 ? 0 : (unsigned long)((length + step - 1) / step);
}

static bool is_loop(const tokens_t *t, size_t i) { return token_is(t, i, "for") && token_is(t, i + 1, "("); }

/* The estimated instructions of the token at i. */
static unsigned long size_of_token(const tokens_t *t, size_t i)
{
    static const char *const NO_CALLS[] = {"if", "while", "switch", "return", "sizeof", NULL};
    static const char *const NOTHING[] = {")", "]", "{", "}", ",", ";", ".", "->", "::", "=", ":", "(", NULL};
    if (token_is(t, i, "[")) return t->token[i + 1].kind == TOKEN_NUMBER && token_is(t, i + 2, "]") ? 1 : 3;
    if (token_is(t, i, "(") && t->token[i - 1].kind == TOKEN_WORD && !token_among(t, i - 1, NO_CALLS)) return CALL;
    return t->token[i].kind == TOKEN_SIGN && !token_among(t, i, NOTHING);
}

/* The estimated instructions of from..end-1 with its loops unrolled; unrolling merges a third of them with others. */
static unsigned long size_of(const tokens_t *t, size_t from, size_t end)
{
    unsigned long sum = 0;
    for (size_t i = from; i < end; ++i) {
        sum += size_of_token(t, i);
        if (!is_loop(t, i)) continue;
        const size_t body = token_close(t, i + 1) + 1, behind = behind_statement(t, body, end);
        const unsigned long said = rounds(t, i), n = said ? said : FEW, once = size_of(t, body, behind);
        sum += n * once <= MOST ? n * once * 2 / 3 : once;
        i = behind - 1;
    }
    return sum;
}

/* Whether unrolling from..end-1 cannot merge accesses.  nvcc moves no access across a barrier; accesses of adjacent
 * rounds are adjacent in memory only if an index has a factor (s[2 * t]); and shuffles access no memory.  Such
 * loops are not unrolled, because a thread that always waits at one program point is resumed faster. */
static bool joins_nothing(const tokens_t *t, size_t from, size_t end)
{
    static const char *const BARRIERS[] = {"__syncthreads", "__syncthreads_and", "__syncthreads_or",
                                           "__syncthreads_count", NULL};
    static const char *const SHUFFLES[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync",
                                           "__syncwarp", NULL};
    static const char *const FACTORS[] = {"*", "<<", NULL}, *const MEMORY[] = {"[", "->", NULL};
    bool barrier = false, shuffles = false, factor = false, memory = false;
    for (size_t i = from; i < end; ++i) {
        barrier |= token_among(t, i, BARRIERS) || (token_is(t, i, "sync") && token_is(t, i + 1, "("));
        shuffles |= token_among(t, i, SHUFFLES);
        factor |= token_among(t, i, FACTORS);
        memory |= token_among(t, i, MEMORY);
    }
    return !factor && (barrier || (shuffles && !memory));
}

static void unroll(tokens_t *t, size_t loop, size_t end)
{
    const long said = asked(t, loop);
    const size_t body = token_close(t, loop + 1) + 1;
    const unsigned long once = 1 + size_of(t, body, behind_statement(t, body, end)), known = rounds(t, loop);
    unsigned long most = (said == NOT_ASKED ? MOST : MOST_ASKED) / once;
    if (said != NOT_ASKED && most > (unsigned long)said) most = (unsigned long)said;
    const size_t asks = condition(t, loop);
    if (asks != 0 && token_is(t, asks, ";")) return; /* for (;;), which g++ does not unroll */
    if (said == 0 || most < 2 || known > most || joins_nothing(t, body, behind_statement(t, body, end))) return;
    char place[4096];
    if (!tokens_place(t, loop, place, sizeof place)) return;
    const char *line = strrchr(place, ':') + 1;
    token_before(t, loop, "\n#pragma GCC unroll %lu\n# %s \"%.*s\"\n", most, line, (int)(line - place - 1), place);
}

void translate_unroll(tokens_t *t)
{
    size_t open, close;
    for (size_t i = 0; passes_function_of_gpu(t, &i, &open, &close); i = close)
        for (size_t k = open + 1; k < close; ++k)
            if (is_loop(t, k)) unroll(t, k, close);
}
