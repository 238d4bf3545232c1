/*
 * caches.h - the replay's L1 and L2: what is where, and since when.
 */
#ifndef COURSE_CACHES_H
#define COURSE_CACHES_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"
#include "simt.h"

/* L1: lines of 128 bytes, four sectors each, sets of eight, the least recently used one goes. */
enum { L1_WAYS = 8 };
typedef struct l1_line {
    uint32_t line, sectors, used;   /* sectors: a bit each; 0: empty */
} l1_line_t;

/* L2 and what lies behind it: for each sector when it arrived and how many had arrived before. */
typedef struct sector {
    uint32_t order;     /* 0: never asked for */
    float ready;        /* cycle at which its data is there */
    float atomic_free;  /* ... at which the last atomic on it is done */
    float atomic_busy;  /* cycles that atomics on it take */
} sector_t;

typedef struct caches {
    l1_line_t *l1;          /* sms * sets * L1_WAYS */
    uint32_t sets, clock;
    sector_t *sectors;      /* from first[0] on, then from first[1] on: the two parts of device memory */
    uint32_t first[2], count[2];
    uint32_t arrived, capacity; /* L2, in sectors */
} caches_t;

/* Empty caches for the sectors that the launch touches; -1 and *err if out of memory.  The
 * second takes a zeroed one. */
int caches_open(caches_t *c, unsigned sms, double l1_bytes, double l2_bytes, const simt_way_t *way, err_t *err);
void caches_close(caches_t *c);

/* Looks a sector up in an SM's L1 and puts it there; true if it was there. */
bool l1_lookup(caches_t *c, unsigned sm, uint32_t sector);

sector_t *sector_at(caches_t *c, uint32_t sector);
/* Is it in L2?  Oldest ones are pushed out by newer ones. */
bool l2_has(const caches_t *c, const sector_t *s);
void l2_put(caches_t *c, sector_t *s, double ready);

#endif
