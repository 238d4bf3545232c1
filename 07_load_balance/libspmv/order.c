/*
 * order.c - see order.h.
 *
 * Cuthill and McKee, Reducing the bandwidth of sparse symmetric matrices (ACM 1969), number a row, then its neighbours,
 * those with few neighbours first, then the neighbours of these.  George (1971) showed that the reverse order has the
 * same bandwidth and less fill-in; for SpMV the reversal has no effect, we keep it by convention.  The start is a row
 * at a far end, found as in George and Liu, An implementation of a pseudoperipheral node finder (TOMS 5, 1979).  Rows i
 * and j are neighbours if A + A^T has a nonzero at (i, j).  Each connected component is numbered separately.  The cost
 * is two breadth-first searches through all nonzeros, and a little more for sorting the neighbours.
 */
#include "order.h"

#include <stdlib.h>
#include <string.h>

int64_t reorder_least = 620000; /* an H200's L2 delivers 155 sectors per ns: that many in 4 us */

typedef struct walk {
    const form_t *halves[2]; /* A, and A^T unless its pattern is that of A */
    int half_count;
    int32_t *queue;          /* [n] rows in the order in which they are reached */
    uint32_t *seen;          /* [n] the last search that reached the row; 0: none */
    uint64_t *keys;          /* [n] scratch */
    uint32_t number;         /* the number of this search */
    int32_t last_level, end; /* the farthest rows of the search are queue[last_level .. end - 1] */
} walk_t;

static int32_t row_begin(const form_t *f, int32_t row) { return ((const int32_t *)f->offsets)[row]; }

/* Shell sort with Knuth's gaps: it needs no memory, and the lists are short. */
static void sort_keys(uint64_t *keys, int32_t n)
{
    int32_t step = 1;
    while (step < n / 3) step = 3 * step + 1;
    for (; step > 0; step /= 3)
        for (int32_t i = step; i < n; ++i) {
            const uint64_t key = keys[i];
            int32_t k = i;
            for (; k >= step && keys[k - step] > key; k -= step) keys[k] = keys[k - step];
            keys[k] = key;
        }
}

/* ---- searches ---------------------------------------------------------------------------------------- */

static uint32_t degree(const walk_t *w, int32_t row)
{
    uint32_t sum = 0;
    for (int h = 0; h < w->half_count; ++h)
        sum += (uint32_t)(row_begin(w->halves[h], row + 1) - row_begin(w->halves[h], row));
    return sum;
}

/* Stores the neighbours of `row` that this search has not seen in keys, sorted by degree; returns their number. */
static int32_t reach(walk_t *w, int32_t row, bool by_degree)
{
    int32_t count = 0;
    for (int h = 0; h < w->half_count; ++h)
        for (int32_t k = row_begin(w->halves[h], row); k < row_begin(w->halves[h], row + 1); ++k) {
            const int32_t next = w->halves[h]->columns[k];
            if (w->seen[next] == w->number) continue;
            w->seen[next] = w->number;
            w->keys[count++] = (by_degree ? (uint64_t)degree(w, next) << 32 : 0) | (uint32_t)next;
        }
    if (by_degree) sort_keys(w->keys, count);
    return count;
}

/* Breadth-first search: stores all rows connected with `first` in queue from `at` on, level by level. */
static void walk_from(walk_t *w, int32_t at, int32_t first, bool by_degree)
{
    int32_t here = at, end = at + 1;
    ++w->number;
    w->queue[at] = first;
    w->seen[first] = w->number;
    while (here < end) {
        const int32_t level_end = end;
        w->last_level = here;
        for (; here < level_end; ++here) {
            const int32_t count = reach(w, w->queue[here], by_degree);
            for (int32_t i = 0; i < count; ++i) w->queue[end++] = (int32_t)(uint32_t)w->keys[i];
        }
    }
    w->end = end;
}

/* Returns a row at a far end of the component of `first`: of the farthest rows, one with the fewest neighbours.  George
 * and Liu repeat the search from there until the distance no longer grows.  We do not: on scrambled grids, elements and
 * bands we measured the same sectors to three digits, and each search takes a sixth to a quarter of the set-up. */
static int32_t far_end(walk_t *w, int32_t at, int32_t first)
{
    walk_from(w, at, first, false);
    int32_t found = w->queue[w->last_level];
    for (int32_t k = w->last_level; k < w->end; ++k)
        if (degree(w, w->queue[k]) < degree(w, found)) found = w->queue[k];
    return found;
}

static void number_all(walk_t *w, int32_t n)
{
    int32_t numbered = 0;
    for (int32_t row = 0; row < n; ++row) {
        if (w->seen[row]) continue;
        walk_from(w, numbered, far_end(w, numbered, row), true);
        numbered = w->end;
    }
}

/* ---- the pattern ---------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t v)
{
    v = (v ^ v >> 31) * 0x9e3779b97f4a7c15u;
    v = (v ^ v >> 29) * 0xbf58476d1ce4e5b9u;
    return v ^ v >> 32;
}

/* Returns whether the pattern is symmetric, tested by a hash: the hashes of all positions (i, j) must have the same sum
 * as those of (j, i).  A matrix that passes by accident (one in 2^64) gets a worse order, not a wrong product. */
static bool is_symmetric(const form_t *f)
{
    uint64_t difference = 0;
    for (int32_t row = 0; row < f->rows; ++row)
        for (int32_t k = row_begin(f, row); k < row_begin(f, row + 1); ++k) {
            const uint64_t r = (uint32_t)row, c = (uint32_t)f->columns[k];
            difference += mix(r << 32 | c) - mix(c << 32 | r);
        }
    return difference == 0;
}

/* Computes the reverse Cuthill-McKee order, and the new position of each row. */
static bool find_order(order_t *o, const form_t *f)
{
    const size_t n = (size_t)o->n;
    form_t turned = {0};
    walk_t w = {.halves = {f, &turned}, .half_count = is_symmetric(f) ? 1 : 2};
    o->rows = calloc(n, sizeof *o->rows);
    o->places = calloc(n, sizeof *o->places);
    w.queue = o->places;
    w.seen = calloc(n, sizeof *w.seen);
    w.keys = malloc(n * sizeof *w.keys);
    const bool has_memory = o->rows && o->places && w.seen && w.keys && (w.half_count == 1 || form_turn(&turned, f));
    if (has_memory) {
        number_all(&w, (int32_t)n);
        for (size_t i = 0; i < n; ++i) o->rows[i] = w.queue[n - 1 - i];
        for (size_t i = 0; i < n; ++i) o->places[o->rows[i]] = (int32_t)i;
    }
    form_free(&turned);
    free(w.seen);
    free(w.keys);
    return has_memory;
}

/* ---- the gain ----------------------------------------------------------------------------- */

/* Returns the number of sectors of x that each group of 32 rows of f needs, summed over the groups; -1 if memory is
 * short. */
static int64_t count_sectors(const form_t *f, size_t vector_bytes)
{
    const int32_t per_sector = (int32_t)(ORDER_SECTOR / vector_bytes);
    int32_t *last = calloc((size_t)(f->cols / per_sector) + 1, sizeof *last); /* 1 + the last warp that needs it */
    int64_t count = 0;
    if (!last) return -1;
    for (int32_t row = 0; row < f->rows; ++row)
        for (int32_t k = row_begin(f, row); k < row_begin(f, row + 1); ++k) {
            int32_t *const sector = &last[f->columns[k] / per_sector];
            count += *sector != row / ORDER_WARP + 1;
            *sector = row / ORDER_WARP + 1;
        }
    free(last);
    return count;
}

static int64_t longest_row(const form_t *f)
{
    int32_t longest = 0;
    for (int32_t row = 0; row < f->rows; ++row) {
        const int32_t length = row_begin(f, row + 1) - row_begin(f, row);
        if (length > longest) longest = length;
    }
    return longest;
}

/* Computes P A P^T.  Returns false if memory is short; then nothing stays allocated. */
static bool permute(form_t *to, const form_t *f, const order_t *o)
{
    uint64_t *keys = malloc((size_t)longest_row(f) * sizeof *keys + 1); /* of a row: new column, position in the row */
    const bool has_memory = keys && form_allocate(to, f->rows, f->cols, f->nnz);
    int32_t at = 0, *const offsets = to->offsets;
    for (int32_t i = 0; has_memory && i < o->n; ++i) {
        const int32_t begin = row_begin(f, o->rows[i]), length = row_begin(f, o->rows[i] + 1) - begin;
        for (int32_t k = 0; k < length; ++k)
            keys[k] = (uint64_t)o->places[f->columns[begin + k]] << 32 | (uint32_t)k;
        sort_keys(keys, length);
        for (int32_t k = 0; k < length; ++k, ++at) {
            to->columns[at] = (int32_t)(keys[k] >> 32);
            ((int32_t *)to->origin)[at] = ((const int32_t *)f->origin)[begin + (int32_t)(uint32_t)keys[k]];
        }
        offsets[i + 1] = at;
    }
    free(keys);
    return has_memory;
}

void reorder_free(order_t *o)
{
    free(o->rows);
    free(o->places);
    o->rows = o->places = NULL;
}

bool reorder_find(order_t *o, form_t *f, size_t vector_bytes, int price)
{
    form_t better = {0};
    *o = (order_t){.n = f->rows, .before = count_sectors(f, vector_bytes), .after = -1};
    if (o->before < 0) return false;
    const int64_t too_few = price * o->n + reorder_least;
    if (f->nnz == 0 || o->before <= too_few) return true; /* no order can save enough */
    bool has_memory = find_order(o, f) && permute(&better, f, o);
    if (has_memory) o->after = count_sectors(&better, vector_bytes);
    has_memory = has_memory && o->after >= 0;
    if (has_memory && o->before - o->after > too_few) {
        form_free(f);
        *f = better;
        return true;
    }
    form_free(&better);
    reorder_free(o);
    return has_memory;
}
