/* caches.c - see caches.h */
#include "caches.h"

#include <stdlib.h>

static const uint32_t SECOND_PART = 1u << 31; /* sectors of __device__ variables have numbers from here on (simt.h) */

static uint64_t sectors_of(const simt_step_t *s) { return s->kind <= SIMT_ATOMIC ? s->units : 0; }

static void find_range(caches_t *c, const simt_way_t *way)
{
    uint32_t last[2] = {0, 0};
    c->first[0] = c->first[1] = UINT32_MAX;
    for (uint64_t w = 0; w < way->blocks * way->warps; ++w) {
        uint64_t n = 0;
        for (size_t i = 0; i < way->warp[w].n_steps; ++i) n += sectors_of(&way->warp[w].steps[i]);
        for (uint64_t i = 0; i < n; ++i) {
            const uint32_t s = way->warp[w].sectors[i];
            const int part = s >= SECOND_PART;
            if (s < c->first[part]) c->first[part] = s & ~1u;
            if (s > last[part]) last[part] = s;
        }
    }
    for (int part = 0; part < 2; ++part)
        c->count[part] = c->first[part] == UINT32_MAX ? 0 : last[part] - c->first[part] + 2;
}

int caches_open(caches_t *c, unsigned sms, double l1_bytes, double l2_bytes, const simt_way_t *way, err_t *err)
{
    *c = (caches_t){.sets = 1, .capacity = (uint32_t)(l2_bytes / 32)};
    while (2 * c->sets * L1_WAYS * 128.0 <= l1_bytes) c->sets *= 2;
    find_range(c, way);
    c->l1 = calloc((size_t)sms * c->sets * L1_WAYS, sizeof *c->l1);
    c->sectors = calloc((size_t)c->count[0] + c->count[1] + 2, sizeof *c->sectors);
    if (c->l1 && c->sectors) return 0;
    caches_close(c);
    return err_set(err, "out of memory for the caches of the replay");
}

void caches_close(caches_t *c)
{
    free(c->l1);
    free(c->sectors);
    *c = (caches_t){0};
}

bool l1_lookup(caches_t *c, unsigned sm, uint32_t sector)
{
    const uint32_t line = sector / 4, bit = 1u << sector % 4;
    l1_line_t *set = &c->l1[((size_t)sm * c->sets + line % c->sets) * L1_WAYS], *oldest = set;
    ++c->clock;
    for (l1_line_t *l = set; l < set + L1_WAYS; ++l) {
        if (l->sectors && l->line == line) {
            const bool hit = l->sectors & bit;
            l->sectors |= bit;
            l->used = c->clock;
            return hit;
        }
        if (l->used < oldest->used) oldest = l;
    }
    *oldest = (l1_line_t){line, bit, c->clock};
    return false;
}

sector_t *sector_at(caches_t *c, uint32_t sector)
{
    const int part = sector >= SECOND_PART;
    return &c->sectors[(part ? c->count[0] : 0) + (sector - c->first[part])];
}

bool l2_has(const caches_t *c, const sector_t *s) { return s->order && c->arrived - s->order < c->capacity; }

void l2_put(caches_t *c, sector_t *s, double ready)
{
    s->order = ++c->arrived;
    s->ready = (float)ready;
}
