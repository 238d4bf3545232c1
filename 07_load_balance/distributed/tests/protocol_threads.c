/*
 * protocol_threads.c - runs protocol.h with ranks as threads of one process, so that a sanitizer sees all ranks.
 *
 *     protocol_threads RANKS words|flags|sums ELEMENT PIECES EPOCHS [SILENT]
 *
 * Each epoch has another x, or other numbers to sum, and ranks sleep at random.  Epochs wrap past 2^32.
 * The exit status is 0 if every entry of every halo is what its owner had in that epoch, and every sum is right;
 * otherwise 1 after a line of text.  SILENT is a rank that stops half way: then every other rank must report that it
 * waited for this rank.  run_protocol.sh runs the program and its mutants, without MPI.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol.h"

#ifndef PATIENCE_NS
#define PATIENCE_NS 4000000000u /* longer than a busy machine lets a rank wait */
#endif
enum { MOST = 8, LINE = 64, ENTRIES = 40, X = 64 };

static int ranks, element, pieces, silent = -1;
static uint32_t epochs;
static bool words, sums;
static protocol_t protocols[MOST];
static int32_t indices[MOST][MOST][ENTRIES];
static const char *verdicts[MOST];
static int waited_for[MOST];

static uint64_t mix(uint64_t a)
{
    a = (a ^ a >> 31) * 0x9e3779b97f4a7c15u;
    return a ^ a >> 29;
}

static uint64_t entry(int rank, int64_t j, uint32_t epoch)
{
    const uint64_t bits = mix((uint64_t)epoch << 32 | (uint64_t)rank << 16 | (uint64_t)j);
    return element == 8 ? bits : (uint32_t)bits;
}

/* Returns a number whose sums depend on the order of ranks. */
static double number(int rank, int c, uint32_t epoch)
{
    return (double)(mix((uint64_t)epoch << 32 | (uint64_t)rank << 8 | (uint64_t)c) >> 11) * (c ? 1e-3 : 1e9);
}

/* Some ranks send many entries, some one, and some none to a rank that sends to them. */
static int64_t count_of(int from, int to)
{
    static const int64_t COUNTS[] = {ENTRIES, 0, 1, 17, 0};
    return from == to ? 0 : COUNTS[(3 * from + to) % 5];
}

/* A window: a line of flags for each rank, then two halves with room for ENTRIES words of 16 bytes from each. */
static void open_windows(void)
{
    const size_t half = (size_t)ranks * ENTRIES * 16, bytes = (size_t)ranks * LINE + 2 * half;
    char *windows[MOST];
    for (int r = 0; r < ranks; ++r) {
        windows[r] = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
        memset(windows[r], 0, bytes);
        for (uint32_t *f = (uint32_t *)windows[r]; f < (uint32_t *)(windows[r] + (size_t)ranks * LINE); ++f)
            *f = UINT32_MAX - epochs / 2; /* start as after so many epochs, so that epochs wrap */
    }
    for (int r = 0; r < ranks; ++r) {
        protocols[r] = (protocol_t){.rank = r, .ranks = ranks, .pieces = pieces, .element = element, .words = words,
                                    .limit = silent >= 0 ? 300000000u : PATIENCE_NS,
                                    .letters = calloc((size_t)ranks, sizeof(letter_t)),
                                    .mail = calloc((size_t)ranks, sizeof(mail_t))};
        for (int k = 0; k < ranks; ++k) {
            for (int i = 0; i < ENTRIES; ++i) indices[r][k][i] = (int32_t)(mix((uint64_t)(r * 999 + k * 99 + i)) % X);
            protocols[r].letters[k] = (letter_t){.flags = (uint32_t *)(windows[k] + (size_t)r * LINE),
                                                 .index = k % 2 ? NULL : indices[r][k], .count = count_of(r, k)};
            protocols[r].mail[k] = (mail_t){.flags = (uint32_t *)(windows[r] + (size_t)k * LINE),
                                            .to = malloc(ENTRIES * 8), .count = count_of(k, r)};
            for (int h = 0; h < 2; ++h) {
                const size_t at = (size_t)ranks * LINE + (size_t)h * half;
                protocols[r].letters[k].half[h] = windows[k] + at + (size_t)r * ENTRIES * 16;
                protocols[r].mail[k].half[h] = windows[r] + at + (size_t)k * ENTRIES * 16;
            }
        }
    }
}

static bool halo_right(const protocol_t *p, uint32_t epoch)
{
    for (int k = 0; k < ranks; ++k)
        for (int64_t i = 0; i < p->mail[k].count; ++i) {
            const char *halo = words ? p->mail[k].to : p->mail[k].half[epoch % 2];
            const int64_t j = p->rank % 2 ? i : indices[k][p->rank][i];
            uint64_t got = 0;
            memcpy(&got, halo + i * element, (size_t)element);
            if (got != entry(k, j, epoch)) return false;
        }
    return true;
}

/* All ranks must have the bits of adding in the order of ranks. */
static bool sums_right(const double *values, int count, uint32_t epoch)
{
    for (int c = 0; c < count; ++c) {
        double sum = 0;
        for (int k = 0; k < ranks; ++k) sum += number(k, c, epoch);
        if (values[c] != sum) return false;
    }
    return true;
}

/* Runs one epoch.  Returns 0, or 1 + the rank that did not send in time. */
static int exchange(const protocol_t *p, const void *x, uint32_t epoch, unsigned *seed)
{
    for (int piece = pieces; piece-- > 0;)
        for (int k = 0; k + 1 < ranks; ++k) protocol_put(p, protocol_other(p, k), x, epoch, piece, 0, 1);
    for (int piece = 0; piece < (words ? pieces : 1); ++piece) {
        const int who = protocol_take(p, epoch, piece, 0, 1);
        if (who) return who;
        if (rand_r(seed) % 64 == 0) usleep(50);
    }
    if (!halo_right(p, epoch)) verdicts[p->rank] = "has a wrong entry";
    return 0;
}

static int add_up(const protocol_t *p, uint32_t epoch)
{
    const int count = 1 + (int)(epoch % 3);
    double values[3];
    for (int c = 0; c < count; ++c) values[c] = number(p->rank, c, epoch);
    const int who = protocol_sum(p, values, count, epoch, 0, 1);
    if (!who && !sums_right(values, count, epoch)) verdicts[p->rank] = "has a wrong sum";
    if (who && values[0] == values[0]) verdicts[p->rank] = "has a number where a sum was lost";
    return who;
}

static void *run_rank(void *context)
{
    protocol_t *p = context;
    char x[8 * X];
    unsigned seed = (unsigned)p->rank;
    for (uint32_t done = 1; done <= epochs; ++done) {
        const uint32_t epoch = UINT32_MAX - epochs / 2 + done;
        if (p->rank == silent && done > epochs / 2) return NULL;
        for (int j = 0; j < X; ++j) {
            const uint64_t bits = entry(p->rank, j, epoch);
            memcpy(x + j * element, &bits, (size_t)element);
        }
        if (rand_r(&seed) % 16 == 0) usleep((unsigned)rand_r(&seed) % 300);
        waited_for[p->rank] = sums ? add_up(p, epoch) : exchange(p, x, epoch, &seed);
        if (waited_for[p->rank] || verdicts[p->rank]) return NULL;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 6) return 64;
    sums = strcmp(argv[2], "sums") == 0, words = sums || strcmp(argv[2], "words") == 0;
    ranks = atoi(argv[1]), element = atoi(argv[3]), pieces = atoi(argv[4]);
    epochs = (uint32_t)atoi(argv[5]);
    if (argc > 6) silent = atoi(argv[6]);
    open_windows();
    pthread_t threads[MOST];
    for (int r = 0; r < ranks; ++r) pthread_create(&threads[r], NULL, run_rank, &protocols[r]);
    for (int r = 0; r < ranks; ++r) pthread_join(threads[r], NULL);
    int bad = 0;
    for (int r = 0; r < ranks; ++r) {
        if (verdicts[r]) printf("rank %d %s\n", r, verdicts[r]);
        if (waited_for[r]) printf("rank %d waited for rank %d in vain\n", r, waited_for[r] - 1);
        bad |= verdicts[r] || (silent < 0 ? waited_for[r] : r != silent && waited_for[r] != 1 + silent);
    }
    return bad;
}
