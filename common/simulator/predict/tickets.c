/* tickets.c - see tickets.h */
#include "tickets.h"

#include <stdlib.h>

/* Does this step draw a ticket?  An atomic whose old value goes to the other lanes of its warp by a shuffle
 * (SIMT_WARP_OP), or to the block by shared memory (SIMT_SHARED_STORE). */
static bool draws(const simt_step_t *s, const simt_step_t *end, const kernel_facts_t *facts, int next)
{
    return s->kind == SIMT_ATOMIC && facts->sites[s->site].returns && s + 1 < end && s[1].kind == next;
}

/* The site at which some warp draws more than once; -1: there is none. */
static int site_of_tickets(const simt_way_t *way, const kernel_facts_t *facts, int next)
{
    for (uint64_t w = 0; w < way->blocks * way->warps; ++w) {
        const simt_step_t *from = way->warp[w].steps, *end = from + way->warp[w].n_steps, *first = NULL;
        for (const simt_step_t *s = from; s < end; ++s) {
            if (!draws(s, end, facts, next)) continue;
            if (first && first->site == s->site) return s->site;
            if (!first) first = s;
        }
    }
    return -1;
}

bool tickets_to_blocks(const simt_way_t *way, const kernel_facts_t *facts)
{
    return site_of_tickets(way, facts, SIMT_SHARED_STORE) >= 0;
}

/* Cuts the trace of a warp into pieces and returns their number; with pieces NULL it only counts them. */
static size_t cut(const simt_warp_way_t *warp, int site, piece_t *pieces)
{
    const simt_step_t *end = warp->steps + warp->n_steps;
    const uint32_t *sector = warp->sectors;
    piece_t open = {0}, *p = &open;
    size_t n = 0;
    for (const simt_step_t *s = warp->steps; s < end; ++s) {
        if (s->kind == SIMT_LOAD && n && p->place == UINT32_MAX && s->units) p->place = *sector;
        if (s->kind <= SIMT_ATOMIC) sector += s->units;
        if (s->kind != SIMT_ATOMIC || s->site != site) continue;
        p->end = s + 1;
        p = pieces ? &pieces[n] : &open;
        ++n;
        *p = (piece_t){.from = s + 1, .end = end, .sector = sector, .place = UINT32_MAX};
    }
    p->last = 1;
    return n;
}

static int by_place(const void *a, const void *b)
{
    const piece_t *p = a, *q = b;
    if (p->last != q->last) return p->last - q->last;
    if (p->place != q->place) return p->place < q->place ? -1 : 1;
    return p->sector < q->sector ? -1 : p->sector > q->sector;
}

int tickets_open(tickets_t *t, const simt_way_t *way, const kernel_facts_t *facts, err_t *err)
{
    *t = (tickets_t){.site = site_of_tickets(way, facts, SIMT_WARP_OP)};
    if (t->site < 0) return 0;
    for (uint64_t w = 0; w < way->blocks * way->warps; ++w) t->count += cut(&way->warp[w], t->site, NULL);
    t->pieces = malloc((t->count + 1) * sizeof *t->pieces);
    if (!t->pieces) return err_set(err, "out of memory for %zu tickets", t->count);
    size_t n = 0;
    for (uint64_t w = 0; w < way->blocks * way->warps; ++w) n += cut(&way->warp[w], t->site, t->pieces + n);
    qsort(t->pieces, t->count, sizeof *t->pieces, by_place);
    return 0;
}

void tickets_close(tickets_t *t)
{
    free(t->pieces);
    *t = (tickets_t){.site = -1};
}
