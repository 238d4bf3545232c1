/*
 * protocol.h - how ranks write entries of x directly into each other's memory: when a rank may write, when it may read.
 *
 * Every rank has a window that all others can write: mail from each rank, in two halves, and a row of flags per rank.
 * All ranks count the products: the epoch, 1, 2, 3 ...  In each epoch a rank
 *
 *     puts    its entries into half epoch % 2 of the other windows, and then sets its flags there to the epoch;
 *     waits   until all flags in its own window have reached the epoch, and reads its mail without copying it.
 *
 * Why no entry is overwritten too early.  A flag is stored after the entries and seen before they are read
 * (memory_order.h).  In epoch e a rank writes where the mail of e - 2 was.  In e - 1 it has waited for the flag of
 * every rank, and a rank sets that flag only after it has read its mail of e - 2, so no rank still reads there.  This
 * needs a flag from every rank, even from one with nothing to send, and two halves: with one half a fast rank would
 * overwrite what a slow rank still reads.
 *
 * Pieces.  A message is cut into as many pieces as the GPU has blocks for it.  Each piece has its own flag, so that no
 * block waits for another block of its own GPU, whichever runs first.  Each flag is stored by one rank only, and rises.
 *
 * Words.  A small message needs no flag: 32 bits of an entry and 32 bits of the epoch are stored at once, as one word,
 * and the reader polls each word until it has the epoch.  An empty message is one word.
 *
 * Sums.  Each rank sends a few numbers to all others in words, and every rank adds them in the order of ranks, which
 * gives the same bits everywhere.
 *
 * Each wait has a time limit and reports the rank that it waited for.  Entries that did not arrive are NaN.
 *
 * The same code runs on a GPU, where a block has many threads, and on a CPU, where thread is 0 and threads is 1.
 */
#ifndef DIST_PROTOCOL_H
#define DIST_PROTOCOL_H

#include <stddef.h>

#include "memory_order.h"

/* The parts of another rank's window that this rank writes. */
typedef struct letter {
    uint32_t *flags;      /* [pieces]  this rank's flags in that window */
    char *half[2];        /* this rank's mail in that window */
    const int32_t *index; /* [count]  indices into this rank's x; NULL: first, first + 1, ... */
    int64_t first, count;
} letter_t;

/* The parts of its own window that a rank reads. */
typedef struct mail {
    const uint32_t *flags;
    char *half[2];
    char *to;             /* [count]  words only: their position in the halo */
    int64_t count;
} mail_t;

/* In the memory of the GPU or CPU that runs it.  The entry of its own rank in letters and mail is unused. */
typedef struct protocol {
    int rank, ranks, pieces;
    int element;          /* bytes of an entry: 4 or 8 */
    bool words;           /* words with their epoch instead of flags */
    uint64_t limit;       /* the longest wait, see patience_t */
    const uint32_t *ended;
    letter_t *letters;    /* [ranks] */
    mail_t *mail;         /* [ranks] */
} protocol_t;

/* A piece of `count` entries. */
typedef struct span {
    int64_t begin, end;
} span_t;

DIST_FN span_t protocol_span(int64_t count, int piece, int pieces)
{
    const span_t s = {count * piece / pieces, count * (piece + 1) / pieces};
    return s;
}

/* The i-th other rank, counted from this one, so that not all ranks begin with the same rank. */
DIST_FN int protocol_other(const protocol_t *p, int i) { return (p->rank + 1 + i) % p->ranks; }

/* ---- put ---------------------------------------------------------------------------------------- */

DIST_FN int32_t put_from(const letter_t *l, int64_t i) { return l->index ? l->index[i] : (int32_t)(l->first + i); }

/* A thread loads this many entries at once to hide the latency of memory, and the indices of the next ones as well. */
enum { AT_ONCE = 8 };

DIST_FN void put_look_ahead(const letter_t *l, span_t s, int threads, int32_t *next)
{
    for (int j = 0; j < AT_ONCE; ++j) {
        const int64_t at = s.begin + (int64_t)j * threads;
        next[j] = at < s.end ? put_from(l, at) : 0;
    }
}

#define PUT_SPAN(name, T)                                                                                     \
    DIST_FN void name(const letter_t *l, T *to, const T *x, span_t s, int threads)                            \
    {                                                                                                         \
        int32_t next[AT_ONCE], from[AT_ONCE];                                                                 \
        put_look_ahead(l, s, threads, next);                                                                  \
        while (s.begin < s.end) {                                                                             \
            const span_t now = s;                                                                             \
            T entry[AT_ONCE] = {0};                                                                           \
            s.begin += (int64_t)AT_ONCE * threads;                                                            \
            for (int j = 0; j < AT_ONCE; ++j) from[j] = next[j];                                              \
            put_look_ahead(l, s, threads, next);                                                              \
            for (int j = 0; j < AT_ONCE; ++j)                                                                 \
                if (now.begin + (int64_t)j * threads < now.end) entry[j] = x[from[j]];                        \
            for (int j = 0; j < AT_ONCE; ++j)                                                                 \
                if (now.begin + (int64_t)j * threads < now.end) to[now.begin + (int64_t)j * threads] = entry[j]; \
        }                                                                                                     \
    }
PUT_SPAN(put_span32, bits32_t)
PUT_SPAN(put_span64, bits64_t)

DIST_FN void put_entries(const protocol_t *p, const letter_t *l, const void *x, int half, int piece, int thread,
                         int threads)
{
    span_t s = protocol_span(l->count, piece, p->pieces);
    s.begin += thread;
    if (p->element == 8) put_span64(l, (bits64_t *)l->half[half], (const bits64_t *)x, s, threads);
    else put_span32(l, (bits32_t *)l->half[half], (const bits32_t *)x, s, threads);
}

DIST_FN uint64_t word_of(uint32_t bits, uint32_t epoch) { return (uint64_t)epoch << 32 | bits; }

/* An entry of 8 bytes is two adjacent words. */
DIST_FN void put_double_word(uint64_t *to, uint64_t bits, uint32_t epoch)
{
    memory_put_words(to, word_of((uint32_t)bits, epoch), word_of((uint32_t)(bits >> 32), epoch));
}

DIST_FN void put_words(const protocol_t *p, const letter_t *l, const void *x, uint32_t epoch, int piece, int thread,
                       int threads)
{
    const span_t s = protocol_span(l->count, piece, p->pieces);
    uint64_t *to = (uint64_t *)l->half[epoch % 2];
    if (l->count == 0 && piece == 0 && thread == 0) memory_put_word(to, word_of(0, epoch));
    for (int64_t i = s.begin + thread; i < s.end; i += threads) {
        const int32_t from = put_from(l, i);
        if (p->element == 8) put_double_word(&to[2 * i], ((const bits64_t *)x)[from], epoch);
        else memory_put_word(&to[i], word_of(((const bits32_t *)x)[from], epoch));
    }
}

/* Puts one piece of the entries for rank `to`.  In each epoch all pieces of all letters must be put, in any order. */
DIST_FN void protocol_put(const protocol_t *p, int to, const void *x, uint32_t epoch, int piece, int thread,
                          int threads)
{
    const letter_t l = p->letters[to];
    if (p->words) {
        put_words(p, &l, x, epoch, piece, thread, threads);
        return;
    }
    put_entries(p, &l, x, epoch % 2, piece, thread, threads);
    memory_meet(false);
    if (thread == 0) memory_signal(&l.flags[piece], epoch);
}

/* ---- wait and take ------------------------------------------------------------------------------- */

/* Whether the flag has reached the epoch.  Both wrap after 2^32 products, so the difference decides. */
DIST_FN bool reached(uint32_t flag, uint32_t epoch) { return (int32_t)(flag - epoch) >= 0; }

/* Waits for all pieces of all ranks.  Returns 0, or 1 + a rank that did not send in time. */
DIST_FN int wait_for_flags(const protocol_t *p, uint32_t epoch, int thread, int threads)
{
    for (int i = thread; i < (p->ranks - 1) * p->pieces; i += threads) {
        const int from = protocol_other(p, i / p->pieces);
        patience_t patience = {p->limit, 0, 0, p->ended};
        while (!reached(memory_see(&p->mail[from].flags[i % p->pieces]), epoch))
            if (!memory_patient(&patience)) return 1 + from;
    }
    return 0;
}

/* Sets the entries that did not arrive to NaN. */
DIST_FN void lose_entries(const protocol_t *p, uint32_t epoch, int thread, int threads)
{
    for (int i = 0; i < (p->ranks - 1) * p->pieces; ++i) {
        const mail_t *m = &p->mail[protocol_other(p, i / p->pieces)];
        const span_t s = protocol_span(m->count, i % p->pieces, p->pieces);
        const int words = p->element / 4;
        if (reached(memory_see(&m->flags[i % p->pieces]), epoch)) continue;
        for (int64_t at = s.begin * words + thread; at < s.end * words; at += threads)
            ((bits32_t *)m->half[epoch % 2])[at] = UINT32_MAX;
    }
}

/* Returns the 32 bits that arrived with the epoch; sets *lost if they did not arrive in time. */
DIST_FN uint32_t wait_for_word(const uint64_t *at, uint32_t epoch, patience_t *patience, bool *lost)
{
    uint64_t word = memory_get_word(at);
    while (!*lost && (uint32_t)(word >> 32) != epoch) {
        *lost = !memory_patient(patience);
        word = memory_get_word(at);
    }
    return *lost ? UINT32_MAX : (uint32_t)word;
}

DIST_FN uint64_t wait_for_double_word(const uint64_t *at, uint32_t epoch, patience_t *patience, bool *lost)
{
    const uint32_t low = wait_for_word(at, epoch, patience, lost);
    const uint32_t high = wait_for_word(at + 1, epoch, patience, lost);
    return (uint64_t)high << 32 | low;
}

/* Copies one piece into the halo. */
DIST_FN int take_words(const protocol_t *p, uint32_t epoch, int piece, int thread, int threads)
{
    int who = 0;
    for (int k = 0; k + 1 < p->ranks; ++k) {
        const int from = protocol_other(p, k);
        const mail_t *m = &p->mail[from];
        const uint64_t *at = (const uint64_t *)m->half[epoch % 2];
        const span_t s = protocol_span(m->count, piece, p->pieces);
        patience_t patience = {p->limit, 0, 0, p->ended};
        bool lost = who != 0; /* one wait per piece is enough */
        if (m->count == 0 && piece == 0 && thread == 0) wait_for_word(at, epoch, &patience, &lost);
        for (int64_t i = s.begin + thread; i < s.end; i += threads)
            if (p->element == 8) ((bits64_t *)m->to)[i] = wait_for_double_word(&at[2 * i], epoch, &patience, &lost);
            else ((bits32_t *)m->to)[i] = wait_for_word(&at[i], epoch, &patience, &lost);
        if (lost && who == 0) who = 1 + from;
    }
    return who;
}

/* Receives the mail of this epoch.  With words it copies one piece into the halo; otherwise the entries are in their
 * half once all threads of the block have returned.  Returns 0, or 1 + a rank that did not send in time. */
DIST_FN int protocol_take(const protocol_t *p, uint32_t epoch, int piece, int thread, int threads)
{
    if (p->words) return take_words(p, epoch, piece, thread, threads);
    const int who = wait_for_flags(p, epoch, thread, threads);
    if (memory_meet(who != 0)) lose_entries(p, epoch, thread, threads);
    return who;
}

/* ---- sums ---------------------------------------------------------------------------------------- */

/* Replaces values[0] .. values[count - 1], count >= 1, by their sums over all ranks.  One block runs it; the protocol
 * has words, elements of 8 bytes, and room for `count` of them in each half.  Returns 0, or 1 + a rank that did not
 * send in time; then the sums are NaN. */
DIST_FN int protocol_sum(const protocol_t *p, double *values, int count, uint32_t epoch, int thread, int threads)
{
    const int numbers = (p->ranks - 1) * count;
    int who = 0;
    for (int i = thread; i < numbers; i += threads) {
        uint64_t *to = (uint64_t *)p->letters[protocol_other(p, i / count)].half[epoch % 2];
        put_double_word(&to[2 * (i % count)], ((const bits64_t *)values)[i % count], epoch);
    }
    for (int i = thread; i < numbers; i += threads) {
        const int from = protocol_other(p, i / count);
        const uint64_t *at = (const uint64_t *)p->mail[from].half[epoch % 2];
        patience_t patience = {p->limit, 0, 0, p->ended};
        bool lost = who != 0;
        ((bits64_t *)p->mail[from].to)[i % count] =
            wait_for_double_word(&at[2 * (i % count)], epoch, &patience, &lost);
        if (lost && who == 0) who = 1 + from;
    }
    memory_meet(false);
    for (int c = thread; c < count; c += threads) {
        double sum = 0;
        for (int k = 0; k < p->ranks; ++k) sum += k == p->rank ? values[c] : ((const double *)p->mail[k].to)[c];
        values[c] = sum;
    }
    return who;
}

#endif
