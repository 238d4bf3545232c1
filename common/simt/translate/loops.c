/* loops.c - see rules.h */
#include <string.h>

#include "rules.h"

/* Does the text before token i say #pragma unroll 1? */
static bool stays_rolled(const tokens_t *t, size_t i)
{
    const char *p = t->token[i].space;
    const size_t length = (size_t)(t->token[i].text - p);
    for (const char *end = p + length; p && (p = memchr(p, '#', (size_t)(end - p))); ++p) {
        int n = 0;
        if (sscanf(p, "# pragma unroll %d", &n) == 1 || sscanf(p, "# pragma unroll ( %d )", &n) == 1)
            return n == 1;
    }
    return false;
}

void translate_loops(tokens_t *t)
{
    for (size_t i = 0; i + 1 < t->count; ++i) {
        if (!token_is(t, i + 1, "(") || !stays_rolled(t, i)) continue;
        size_t at = i + 2;
        if (token_is(t, i, "for")) {
            const size_t end = token_close(t, i + 1);
            for (; at < end && !token_is(t, at, ";"); ++at)
                if (token_is(t, at, "(") || token_is(t, at, "{") || token_is(t, at, "[")) at = token_close(t, at);
            if (++at >= end) continue; /* for (T x : all) */
        } else if (!token_is(t, i, "while")) {
            continue;
        }
        token_before(t, at, token_is(t, at, ";") ? "simt::next_round()" : "simt::next_round(), ");
    }
}
