/*
 * test_direct.c - the kernels of the direct transport, with several ranks' windows on one card or on the stand-in.
 *
 * One process plays all ranks: all put, then all take.  So no kernel waits for one that comes later, but for the rank
 * that is made to send nothing.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../direct_kernels.h"
#include "device.h"
#include "plain.h"

enum { RANKS = 3, ENTRIES = 700, X = 1000, LINE = 64, MOST_PIECES = 4 };

typedef struct player {
    protocol_t p;          /* letters and mail on the card */
    char *window, *x, *halo;
    int32_t *index;
    direct_count_t *count;
    int *waited_for;
} player_t;

static int64_t count_of(int from, int to)
{
    static const int64_t COUNTS[] = {ENTRIES, 0, 1, 300};
    return from == to ? 0 : COUNTS[(2 * from + to) % 4];
}

static int32_t index_of(int from, int to, int64_t i) { return (int32_t)((7 * i + 13 * from + 5 * to) % X); }

static uint64_t entry(int rank, int32_t j, int epoch, int element)
{
    const uint64_t bits = ((uint64_t)epoch << 40) + ((uint64_t)rank << 20) + (uint64_t)j + 0x100000001u;
    return element == 8 ? bits : (uint32_t)(bits ^ bits >> 32);
}

static void *on_card(const void *host, size_t bytes, const char *name)
{
    err_t err;
    void *d = device_upload(host, bytes, name, &err);
    assert_non_null(d);
    return d;
}

static void open_players(player_t *players, int element, int pieces, bool words)
{
    const size_t half = (size_t)RANKS * (ENTRIES + 1) * 16, bytes = RANKS * LINE + 2 * half;
    char *zero = calloc(1, bytes);
    int32_t *index = malloc(RANKS * ENTRIES * sizeof *index);
    for (int r = 0; r < RANKS; ++r) players[r].window = on_card(zero, bytes, "window");
    for (int r = 0; r < RANKS; ++r) {
        player_t *me = &players[r];
        letter_t letters[RANKS];
        mail_t mail[RANKS];
        void *waited_for;
        for (int k = 0; k < RANKS; ++k)
            for (int64_t i = 0; i < ENTRIES; ++i) index[k * ENTRIES + i] = index_of(r, k, i);
        me->index = on_card(index, RANKS * ENTRIES * sizeof *index, "index");
        me->x = on_card(zero, X * 8, "x"), me->halo = on_card(zero, RANKS * ENTRIES * 8, "halo");
        me->count = on_card(zero, sizeof *me->count, "count");
        assert_int_equal(cudaMallocHost(&waited_for, sizeof *me->waited_for), cudaSuccess);
        me->waited_for = waited_for, *me->waited_for = 0;
        for (int k = 0; k < RANKS; ++k) {
            letters[k] = (letter_t){.flags = (uint32_t *)(players[k].window + r * LINE),
                                    .index = me->index + k * ENTRIES, .count = count_of(r, k)};
            mail[k] = (mail_t){.flags = (uint32_t *)(me->window + k * LINE), .to = me->halo + k * ENTRIES * element,
                               .count = count_of(k, r)};
            for (int h = 0; h < 2; ++h) {
                const size_t at = RANKS * LINE + (size_t)h * half;
                letters[k].half[h] = players[k].window + at + (size_t)r * (ENTRIES + 1) * 16;
                mail[k].half[h] = me->window + at + (size_t)k * (ENTRIES + 1) * 16;
            }
        }
        me->p = (protocol_t){.rank = r, .ranks = RANKS, .pieces = pieces, .element = element, .words = words,
                             .limit = strcmp(device_backend(), "simt") ? 100000000u : 100u,
                             .letters = on_card(letters, sizeof letters, "letters"),
                             .mail = on_card(mail, sizeof mail, "mail")};
    }
    free(zero), free(index);
}

static void close_players(player_t *players)
{
    for (int r = 0; r < RANKS; ++r) {
        player_t *p = &players[r];
        device_free(p->window), device_free(p->x), device_free(p->halo), device_free(p->index);
        device_free(p->count), device_free(p->p.letters), device_free(p->p.mail);
        cudaFreeHost(p->waited_for);
    }
}

static void new_x(player_t *p, int epoch)
{
    char x[X * 8];
    for (int32_t j = 0; j < X; ++j) {
        const uint64_t bits = entry(p->p.rank, j, epoch, p->p.element);
        memcpy(x + j * p->p.element, &bits, (size_t)p->p.element);
    }
    assert_int_equal(cudaMemcpy(p->x, x, (size_t)(X * p->p.element), cudaMemcpyHostToDevice), cudaSuccess);
}

static void all_done(void)
{
    err_t err;
    if (device_sync(&err)) fail_msg("%s", err.text);
}

/* Is everything from rank k what it had in this epoch, or, lost, NaN? */
static bool halo_right(const player_t *p, int k, int epoch, bool lost)
{
    char halo[RANKS * ENTRIES * 8];
    const int element = p->p.element;
    cudaMemcpy(halo, p->halo, sizeof halo, cudaMemcpyDeviceToHost);
    for (int64_t i = 0; i < count_of(k, p->p.rank); ++i) {
        uint64_t got = 0;
        const uint64_t want = lost ? UINT64_MAX >> (64 - 8 * element)
                                   : entry(k, index_of(k, p->p.rank, i), epoch, element);
        memcpy(&got, halo + (k * ENTRIES + i) * element, (size_t)element);
        if (got != want) return false;
    }
    return true;
}

static void play(int element, int pieces, bool words)
{
    player_t players[RANKS];
    open_players(players, element, pieces, words);
    int epoch = 1;
    for (; epoch <= 5; ++epoch) {
        for (int r = 0; r < RANKS; ++r) new_x(&players[r], epoch);
        for (int r = 0; r < RANKS; ++r)
            assert_int_equal(direct_put(&players[r].p, players[r].x, players[r].count, NULL), cudaSuccess);
        for (int r = RANKS; r-- > 0;)
            assert_int_equal(direct_take(&players[r].p, players[r].count, players[r].waited_for, NULL), cudaSuccess);
        all_done();
        for (int r = 0; r < RANKS; ++r)
            for (int k = 0; k < RANKS; ++k) assert_true(halo_right(&players[r], k, epoch, false));
    }
    for (int r = 0; r < RANKS; ++r) assert_int_equal(*players[r].waited_for, 0);

    /* Rank 1 sends nothing: the others name it, and have NaN for its entries. */
    for (int r = 0; r < RANKS; r += 2)
        assert_int_equal(direct_put(&players[r].p, players[r].x, players[r].count, NULL), cudaSuccess);
    for (int r = 0; r < RANKS; r += 2)
        assert_int_equal(direct_take(&players[r].p, players[r].count, players[r].waited_for, NULL), cudaSuccess);
    all_done();
    for (int r = 0; r < RANKS; r += 2) {
        assert_int_equal(*players[r].waited_for, 1 + 1);
        assert_true(halo_right(&players[r], 1, epoch, true));
    }
    /* And it is not waited for again: with a limit for ever this would never end. */
    if (strcmp(device_backend(), "simt")) players[0].p.limit = UINT64_MAX;
    assert_int_equal(direct_take(&players[0].p, players[0].count, players[0].waited_for, NULL), cudaSuccess);
    all_done();
    assert_true(halo_right(&players[0], 1, epoch, true));
    close_players(players);
}

static void test_flags(void **state)
{
    (void)state;
    play(8, 1, false);
    play(4, 4, false);
    play(8, 3, false);
}

static void test_words(void **state)
{
    (void)state;
    play(8, 1, true);
    play(4, 2, true);
}

int main(void)
{
    err_t err;
    device_facts_t facts;
    device_configure(false, 0);
    if (device_open(&facts, &err)) {
        err_say("%s", err.text);
        return 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_flags), cmocka_unit_test(test_words)};
    return cmocka_run_group_tests_name("direct", tests, NULL, NULL);
}
