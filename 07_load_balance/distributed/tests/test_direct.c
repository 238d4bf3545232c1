/*
 * test_direct.c - the kernels of the direct transport, with several ranks' windows on one GPU or on the simulator.
 *
 * One process plays all ranks: first all put, then all take.  So a kernel never waits for one that starts later; it
 * only waits to its limit for a rank that a test keeps silent.  A sum puts and waits in one kernel: the test writes the
 * other ranks' words first.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "../boundary.h"
#include "device.h"

enum { RANKS = 3, ENTRIES = 700, X = 1000, LINE = 64 };

typedef struct player {
    protocol_t p;
    letter_t letters[RANKS];
    mail_t mail[RANKS];
    char *window, *x, *halo;
    int32_t *index;
    direct_count_t *count;
    int *lost, *waited_for;
} player_t;

static int64_t count_of(int from, int to)
{
    static const int64_t COUNTS[] = {ENTRIES, 0, 1, 300};
    return from == to ? 0 : COUNTS[(2 * from + to) % 4];
}

static int32_t index_of(int from, int to, int64_t i)
{
    return from == 2 ? (int32_t)(11 + to + i) : (int32_t)((7 * i + 13 * from + 5 * to) % X);
}

static uint64_t entry(int rank, int32_t j, int epoch, int element)
{
    const uint64_t bits = ((uint64_t)epoch << 40) + ((uint64_t)rank << 20) + (uint64_t)j + 0x100000001u;
    return element == 8 ? bits : (uint32_t)(bits ^ bits >> 32);
}

static void *on_gpu(const void *host, size_t bytes, const char *name)
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
    for (int r = 0; r < RANKS; ++r) players[r].window = on_gpu(zero, bytes, "window");
    for (int r = 0; r < RANKS; ++r) {
        player_t *me = &players[r];
        letter_t *letters = me->letters;
        mail_t *mail = me->mail;
        void *waited_for;
        for (int k = 0; k < RANKS; ++k)
            for (int64_t i = 0; i < ENTRIES; ++i) index[k * ENTRIES + i] = index_of(r, k, i);
        me->index = on_gpu(index, RANKS * ENTRIES * sizeof *index, "index");
        me->x = on_gpu(zero, X * 8, "x"), me->halo = on_gpu(zero, RANKS * ENTRIES * 8, "halo");
        me->lost = on_gpu(zero, sizeof *me->lost, "lost");
        const direct_count_t start = {.lost = me->lost};
        me->count = on_gpu(&start, sizeof start, "count");
        assert_int_equal(cudaMallocHost(&waited_for, sizeof *me->waited_for), cudaSuccess);
        me->waited_for = waited_for, *me->waited_for = 0;
        for (int k = 0; k < RANKS; ++k) {
            const bool in_a_row = r == 2; /* consecutive entries need no index */
            letters[k] = (letter_t){.flags = (uint32_t *)(players[k].window + r * LINE),
                                    .index = in_a_row ? NULL : me->index + k * ENTRIES,
                                    .first = index_of(r, k, 0), .count = count_of(r, k)};
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
                             .letters = letters, .mail = mail};
    }
    free(zero), free(index);
}

static void close_players(player_t *players)
{
    for (int r = 0; r < RANKS; ++r) {
        player_t *p = &players[r];
        device_free(p->window), device_free(p->x), device_free(p->halo), device_free(p->index);
        device_free(p->count), device_free(p->lost);
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

/* Returns the address of rank k's mail: in the halo if words were taken, otherwise in a half. */
static const char *mail_of(const player_t *p, int k, int epoch)
{
    return p->p.words ? p->halo + k * ENTRIES * p->p.element
                      : p->window + RANKS * LINE + (epoch % 2) * RANKS * (ENTRIES + 1) * 16 + k * (ENTRIES + 1) * 16;
}

/* Returns whether all entries from rank k are those of this epoch or, if `lost`, NaN. */
static bool halo_right(const player_t *p, int k, int epoch, bool lost)
{
    char halo[ENTRIES * 8];
    const int element = p->p.element;
    cudaMemcpy(halo, mail_of(p, k, epoch), sizeof halo, cudaMemcpyDeviceToHost);
    for (int64_t i = 0; i < count_of(k, p->p.rank); ++i) {
        uint64_t got = 0;
        const uint64_t want = lost ? UINT64_MAX >> (64 - 8 * element)
                                   : entry(k, index_of(k, p->p.rank, i), epoch, element);
        memcpy(&got, halo + i * element, (size_t)element);
        if (got != want) return false;
    }
    return true;
}

static void put(player_t *p, int epoch)
{
    assert_int_equal(direct_put(&p->p, p->x, epoch % 2, p->count, p->waited_for, NULL), cudaSuccess);
}

static void take(player_t *p)
{
    assert_int_equal(direct_take(&p->p, p->count, p->waited_for, NULL), cudaSuccess);
}

static void play(int element, int pieces, bool words)
{
    player_t players[RANKS];
    open_players(players, element, pieces, words);
    int epoch = 1;
    for (; epoch <= 5; ++epoch) {
        for (int r = 0; r < RANKS; ++r) new_x(&players[r], epoch);
        for (int r = 0; r < RANKS; ++r) put(&players[r], epoch);
        for (int r = RANKS; r-- > 0;) take(&players[r]);
        all_done();
        for (int r = 0; r < RANKS; ++r)
            for (int k = 0; k < RANKS; ++k) assert_true(halo_right(&players[r], k, epoch, false));
    }
    for (int r = 0; r < RANKS; ++r) assert_int_equal(*players[r].waited_for, 0);

    /* Rank 1 sends nothing: the others must name it and get NaN for its entries. */
    for (int r = 0; r < RANKS; r += 2) put(&players[r], epoch);
    for (int r = 0; r < RANKS; r += 2) take(&players[r]);
    all_done();
    for (int r = 0; r < RANKS; r += 2) {
        assert_int_equal(*players[r].waited_for, 1 + 1);
        assert_true(halo_right(&players[r], 1, epoch, true));
    }
    /* No kernel may wait for rank 1 again; with this limit it would wait forever. */
    if (strcmp(device_backend(), "simt")) players[0].p.limit = UINT64_MAX;
    take(&players[0]);
    all_done();
    assert_true(halo_right(&players[0], 1, epoch, true));
    close_players(players);
}

/* A graph with one product, replayed: the second product would need the other half. */
TEST(test_an_odd_graph_is_noticed)
{
    player_t players[RANKS];
    open_players(players, 8, 1, false);
    for (int r = 0; r < RANKS; ++r) put(&players[r], 1);
    take(&players[0]);
    all_done();
    assert_int_equal(*players[0].waited_for, 0);
    put(&players[0], 1);
    all_done();
    assert_int_equal(*players[0].waited_for, DIRECT_ODD);
    close_players(players);
}

/* ---- the boundary that waits itself -------------------------------------------------------------- */

/* One row of one nonzero for each entry that rank `me` gets, and one long row of entries of rank 2. */
enum { GRID = 5, LONG = 40, MOST_ROWS = RANKS * ENTRIES + 1 };
typedef struct rows {
    int32_t count, rows[MOST_ROWS], slots[MOST_ROWS * LONG];
    double values[MOST_ROWS * LONG];
    float floats[MOST_ROWS * LONG];
} rows_t;

/* Adds a nonzero of the rank's own x to every second row, at its end if there is room. */
static void make_whole(rows_t *b, int32_t width)
{
    for (int32_t i = 0; i < b->count; i += 2) {
        const int32_t nz = i + (width - 1) * b->count;
        b->slots[nz] = BOUNDARY_NONE - 1 - 3 * i % X;
        b->values[nz] = 2 + i % 3;
    }
}

/* Or adds the nonzeros of a grid: neighbours in the row's line and in the next line, unless they are past the line's
 * end. */
static void make_grid(rows_t *b)
{
    static const int32_t NEIGHBOURS[GRID - 1] = {0, 1, 20, 21};
    for (int32_t i = 0; i + 1 < b->count; ++i)
        for (int32_t k = 1; k < GRID; ++k) {
            const int32_t nz = i + k * b->count;
            if (i % 20 == 19 && k % 2 == 0) continue;
            b->slots[nz] = BOUNDARY_NONE - 1 - (i + NEIGHBOURS[k - 1]) % X;
            b->values[nz] = 2 + (i + k) % 3;
        }
}

static void make_rows(rows_t *b, int me, int32_t width, bool whole)
{
    const int32_t longest = whole && width == GRID ? 1 : width;
    const int32_t more = (int32_t)(count_of(2, me) < longest ? count_of(2, me) : longest);
    int32_t n = 0;
    *b = (rows_t){.count = 1};
    for (int k = 0; k < RANKS; ++k) b->count += (int32_t)count_of(k, me);
    for (int32_t i = 0; i < b->count * LONG; ++i) b->slots[i] = -1;
    for (int k = 0; k < RANKS; ++k)
        for (int32_t i = 0; i < count_of(k, me) && n < MOST_ROWS - 1; ++i, ++n)
            b->slots[n] = k * (ENTRIES + 1) + i, b->values[n] = 1 + i % 5;
    for (int32_t i = 0; i < more; ++i)
        b->slots[n + i * b->count] = 2 * (ENTRIES + 1) + i, b->values[n + i * b->count] = 1;
    if (whole && width == GRID) make_grid(b);
    else if (whole) make_whole(b, width);
    for (int32_t i = 0; i < b->count; ++i) b->rows[i] = 2 * i + 1;
    for (int32_t i = 0; i < b->count * LONG; ++i) b->floats[i] = (float)b->values[i];
}

/* Returns whether y is right; every entry was 3 before. */
static bool boundary_right(const rows_t *b, const void *y, int me, int element, int epoch, bool whole)
{
    const double *doubles = y;
    const float *floats = y;
    bool ok = true;
    for (int32_t i = 0; i < b->count; ++i) {
        double want = whole ? 0 : 3;
        for (int32_t nz = i; nz < b->count * LONG; nz += b->count) {
            const int32_t slot = b->slots[nz];
            if (slot == BOUNDARY_NONE) continue;
            const int32_t j = slot < 0 ? BOUNDARY_NONE - 1 - slot
                                       : index_of(slot / (ENTRIES + 1), me, slot % (ENTRIES + 1));
            want += b->values[nz] * (epoch + j);
        }
        const int32_t row = b->rows[i];
        ok = ok && (element == 8 ? doubles[row] : (double)floats[row]) == want;
        ok = ok && (element == 8 ? doubles[row - 1] : (double)floats[row - 1]) == 3; /* another row stays 3 */
    }
    return ok;
}

static void number_x(player_t *p, int epoch)
{
    double x[X];
    float floats[X];
    for (int j = 0; j < X; ++j) x[j] = epoch + j, floats[j] = (float)x[j];
    assert_int_equal(cudaMemcpy(p->x, p->p.element == 8 ? (void *)x : floats, (size_t)(X * p->p.element),
                                cudaMemcpyHostToDevice), cudaSuccess);
}

/* Returns whether the rank got what rank k had of number_x. */
static bool halo_has(const player_t *p, int k, int epoch)
{
    double halo[ENTRIES];
    bool ok = true;
    cudaMemcpy(halo, mail_of(p, k, epoch), (size_t)(ENTRIES * p->p.element), cudaMemcpyDeviceToHost);
    for (int64_t i = 0; i < count_of(k, p->p.rank); ++i) {
        const double got = p->p.element == 8 ? halo[i] : (double)((const float *)halo)[i];
        ok = ok && got == epoch + index_of(k, p->p.rank, i);
    }
    return ok;
}

/* Returns the rows in the form that boundary_make chooses; rows of a grid must be diagonals. */
static boundary_rows_t made(const rows_t *b, int element, bool grid)
{
    static int64_t row_offsets[MOST_ROWS + 1];
    static int32_t slots[MOST_ROWS * LONG];
    static double values[MOST_ROWS * LONG];
    int64_t nnz = 0;
    boundary_rows_t made;
    err_t err;
    for (int32_t i = 0; i < b->count; ++i) {
        for (int32_t nz = i; nz < b->count * LONG; nz += b->count)
            if (b->slots[nz] != BOUNDARY_NONE) slots[nnz] = b->slots[nz], values[nnz++] = b->values[nz];
        row_offsets[i + 1] = nnz;
    }
    assert_int_equal(boundary_make(&made, b->count, row_offsets, slots, values, (size_t)element, &err), 0);
    assert_true((made.diagonals != NULL) != (made.slots != NULL));
    assert_true(made.diagonals || !grid);
    return made;
}

enum { WRONG_ROW = 1, STALE_HALF, SILENT, NEXT_OWN, OF_OTHERS, NO_NONZERO, NEXT_DIAGONAL };

/* Sums are added to y; or whole rows, with the rank's own x, set y; or one kernel puts and does this. */
typedef enum how { ADDED, WHOLE, AT_ONCE_TOO } how_t;

/* Multiplies one rank's boundary twice; returns whether both results are right. */
static bool boundary_by(int me, int element, bool words, int32_t width, how_t how, int mutant)
{
    const bool whole = how != ADDED, at_once = how == AT_ONCE_TOO;
    enum { ROWS = 2 * (RANKS * ENTRIES + 1) + 2 };
    player_t players[RANKS];
    static rows_t b;
    static double y[ROWS];
    bool ok = true;
    open_players(players, element, 2, words);
    make_rows(&b, me, width, whole);
    const size_t half = (size_t)RANKS * (ENTRIES + 1) * 16;
    player_t *p = &players[me];
    /* Every rank has (ENTRIES + 1) * 16 bytes in a half, whatever the size of an entry. */
    const int32_t place = 16 / (element * (words ? 2 : 1)) * (ENTRIES + 1);
    for (int32_t i = 0; i < b.count * LONG; ++i)
        if (b.slots[i] >= 0) b.slots[i] = b.slots[i] / (ENTRIES + 1) * place + b.slots[i] % (ENTRIES + 1);
    for (int32_t i = 0; i < b.count * LONG && mutant == NEXT_OWN; ++i)
        if (b.slots[i] < BOUNDARY_NONE) b.slots[i] = BOUNDARY_NONE - 1 - (-b.slots[i] - 1) % X;
    if (mutant == WRONG_ROW) ++b.rows[3];
    boundary_rows_t host = made(&b, element, whole && width == GRID && b.count > 1);
    const size_t places = (size_t)(host.width * b.count);
    const size_t diagonals = (size_t)(host.width * boundary_groups(b.count));
    if (mutant == NO_NONZERO) host.diagonals[1].rows &= ~8u;
    if (mutant == NEXT_DIAGONAL) ++host.diagonals[1].start;
    boundary_t on = {.count = b.count, .width = host.width, .rows = on_gpu(b.rows, sizeof b.rows, "rows"),
                     .slots = host.slots ? on_gpu(host.slots, places * sizeof *on.slots, "slots") : NULL,
                     .diagonals = host.slots ? NULL
                                             : on_gpu(host.diagonals, diagonals * sizeof *on.diagonals, "diagonals"),
                     .values = on_gpu(host.values, places * (size_t)element, "values"),
                     .own = {p->window + RANKS * LINE, p->window + RANKS * LINE + half}};
    boundary_free(&host);
    if (mutant == STALE_HALF) on.own[0] = on.own[1];
    make_rows(&b, me, width, whole);
    for (int epoch = 1; epoch <= 2; ++epoch) {
        for (int i = 0; i < ROWS; ++i)
            if (element == 8) y[i] = 3;
            else ((float *)y)[i] = 3;
        void *d_y = on_gpu(y, sizeof y, "y");
        for (int r = 0; r < RANKS; ++r) number_x(&players[r], epoch);
        for (int r = 0; r < RANKS; ++r)
            if ((mutant != SILENT || r != 2) && (r != me || !at_once)) put(&players[r], epoch);
        all_done();
        if (whole && !words) take(p); /* the take waits, because this kernel does not */
        const void *x = !whole ? NULL : mutant == OF_OTHERS ? players[(me + 1) % RANKS].halo : p->x;
        cudaError_t (*const run)(const protocol_t *, const boundary_t *, const void *, void *, direct_count_t *, int *,
                                 cudaStream_t) = at_once ? direct_at_once : direct_boundary;
        assert_int_equal(run(&p->p, &on, x, d_y, p->count, p->waited_for, NULL), cudaSuccess);
        all_done();
        for (int r = 0; r < RANKS; ++r) /* a rank may put again only after a take */
            if (r != me && (mutant != SILENT || r != 2)) take(&players[r]);
        all_done();
        for (int r = 0; r < RANKS && mutant == 0; ++r) ok = ok && (r == me || halo_has(&players[r], me, epoch));
        cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
        device_free(d_y);
        ok = ok && boundary_right(&b, y, me, element, epoch, whole) && *p->waited_for == 0;
        if (mutant == SILENT) assert_int_equal(*p->waited_for, 1 + 2);
    }
    device_free((void *)on.rows), device_free((void *)on.slots);
    device_free((void *)on.diagonals), device_free((void *)on.values);
    close_players(players);
    return ok;
}

TEST(test_boundary)
{
    static const int32_t WIDTHS[] = {1, GRID, 7, 8, 9, 16, 17, 32, LONG};
    for (int k = 0; k < 5; ++k) {
        const bool words = k % 2 || k == 4;
        const how_t whole = k / 2; /* ADDED and WHOLE with flags and with words; AT_ONCE_TOO with words */
        for (int me = 0; me < RANKS; ++me)
            for (int i = 0; i < 9; ++i) {
                assert_true(boundary_by(me, 8, words, WIDTHS[i], whole, 0));
                assert_true(boundary_by(me, 4, words, WIDTHS[i], whole, 0));
            }
        assert_false(boundary_by(0, 8, words, LONG, whole, WRONG_ROW));
        assert_false(boundary_by(0, 8, words, LONG, whole, STALE_HALF));
        assert_false(boundary_by(0, 8, words, LONG, whole, SILENT)); /* rank 2 sends to rank 0 */
        assert_false(boundary_by(1, 8, words, LONG, whole, SILENT)); /* rank 2 sends only a word or a flag to rank 1 */
        if (!whole) continue;
        assert_false(boundary_by(0, 8, words, LONG, whole, NEXT_OWN));
        assert_false(boundary_by(0, 8, words, LONG, whole, OF_OTHERS));
        assert_false(boundary_by(0, 8, words, GRID, whole, NO_NONZERO));
        assert_false(boundary_by(0, 8, words, GRID, whole, NEXT_DIAGONAL));
    }
}

/* ---- sums ---------------------------------------------------------------------------------------- */

/* Writes rank k's numbers for a sum as words, as rank k would. */
static void put_sum(player_t *to, int k, const double *values, int count, uint32_t epoch)
{
    uint64_t words[2 * 3];
    for (int c = 0; c < count; ++c) {
        uint64_t bits;
        memcpy(&bits, &values[c], sizeof bits);
        words[2 * c] = (uint64_t)epoch << 32 | (uint32_t)bits, words[2 * c + 1] = (uint64_t)epoch << 32 | bits >> 32;
    }
    char *at = to->window + RANKS * LINE + (epoch % 2) * (size_t)RANKS * (ENTRIES + 1) * 16 + k * (ENTRIES + 1) * 16;
    cudaMemcpy(at, words, (size_t)count * 16, cudaMemcpyHostToDevice);
}

/* Makes rows with one nonzero of the own x and one of the halo, each `step` further than in the row before.  Returns
 * whether boundary_make stores them as diagonals. */
static bool are_diagonals(int32_t rows, int32_t step)
{
    static int64_t row_offsets[1001];
    static int32_t slots[2000];
    static double values[2000];
    boundary_rows_t b;
    err_t err;
    for (int32_t r = 0; r < rows; ++r) {
        slots[2 * r] = BOUNDARY_NONE - 1 - step * r, slots[2 * r + 1] = step * r, row_offsets[r + 1] = 2 * (r + 1);
        values[2 * r] = 2 * r + 1, values[2 * r + 1] = 2 * r + 2;
    }
    assert_int_equal(boundary_make(&b, rows, row_offsets, slots, values, 8, &err), 0);
    assert_int_equal(b.width, rows ? 2 : 0);
    for (int32_t nz = 0; nz < 2 * rows; ++nz) /* in both forms the nonzero of the own x comes first */
        assert_true(((double *)b.values)[nz / 2 + nz % 2 * rows] == nz + 1);
    const bool diagonals = b.diagonals != NULL;
    assert_true(diagonals != (b.slots != NULL));
    boundary_free(&b);
    return diagonals;
}

TEST(test_forms_of_a_boundary)
{
    static const int32_t ROWS[] = {2, 31, 32, 33, 255, 256, 257, 1000};
    assert_false(are_diagonals(0, 1)); /* no rows stay as they are */
    assert_false(are_diagonals(1, 1)); /* one diagonal takes as much memory as two slots */
    for (int i = 0; i < 8; ++i) {
        assert_int_equal(are_diagonals(ROWS[i], 1), ROWS[i] > 2);
        assert_false(are_diagonals(ROWS[i], 2));
    }
    assert_false(are_diagonals(997, 0)); /* all rows have the same two columns */

    /* Each row has two nonzeros in one column. */
    const int64_t row_offsets[] = {0, 2, 4};
    const int32_t slots[] = {5, 5, 6, 6};
    const double values[] = {1, 2, 4, 8};
    boundary_rows_t b;
    err_t err;
    assert_int_equal(boundary_make(&b, 2, row_offsets, slots, values, 4, &err), 0);
    assert_non_null(b.slots);
    boundary_free(&b);
}

/* A matrix of nearly equal rows pays at any size; one long row or mostly fillers do not. */
TEST(test_which_boundary_pays)
{
    assert_true(boundary_pays(0, 0, 0, 8));
    assert_true(boundary_pays(1 << 30, 1, 1 << 30, 8));
    assert_true(boundary_pays(1000, 32, 32, 8));
    assert_false(boundary_pays(1, 33, 33, 8));
    assert_false(boundary_pays(1 << 20, 2, (1 << 20) + 1000, 8));
    assert_true(boundary_pays(1 << 20, 2, (2 << 20) - ((4 << 20) / 12), 8));
    assert_false(boundary_pays(1 << 20, 2, (2 << 20) - ((4 << 20) / 12) - 1, 8));
}

TEST(test_sums)
{
    static const double OF[RANKS][3] = {{1e16, 1, 3}, {1, 2, -1e16}, {-1e16, 4, 1e16}};
    player_t players[RANKS];
    open_players(players, 8, 1, true);
    double *values = on_gpu(OF, sizeof OF, "values");
    for (uint32_t epoch = 1; epoch <= 4; ++epoch) {
        const int count = 1 + (int)(epoch % 3);
        for (int r = 0; r < RANKS; ++r) {
            double sums[3];
            for (int k = 0; k < RANKS; ++k)
                if (k != r) put_sum(&players[r], k, OF[k], count, epoch);
            cudaMemcpy(values, OF[r], sizeof OF[r], cudaMemcpyHostToDevice);
            assert_int_equal(direct_sum(&players[r].p, values, count, players[r].count, players[r].waited_for, NULL),
                             cudaSuccess);
            all_done();
            cudaMemcpy(sums, values, sizeof sums, cudaMemcpyDeviceToHost);
            for (int c = 0; c < 3; ++c)
                assert_true(sums[c] == (c < count ? OF[0][c] + OF[1][c] + OF[2][c] : OF[r][c]));
        }
    }
    /* No other rank sends, so the sum is lost. */
    double sum;
    assert_int_equal(direct_sum(&players[0].p, values, 1, players[0].count, players[0].waited_for, NULL), cudaSuccess);
    all_done();
    cudaMemcpy(&sum, values, sizeof sum, cudaMemcpyDeviceToHost);
    assert_true(sum != sum && *players[0].waited_for > 1);
    device_free(values);
    close_players(players);
}

TEST(test_flags)
{
    play(8, 1, false);
    play(4, 4, false);
    play(8, 3, false);
}

TEST(test_words)
{
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
    return cmocka_run_group_tests_name("direct", tests, NULL, NULL);
}
