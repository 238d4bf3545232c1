/*
 * caches.h - the L1 and L2 caches of the replay: which sectors they hold, and from when on.
 */
#ifndef COURSE_CACHES_H
#define COURSE_CACHES_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"
#include "simt.h"

/* L1 has lines of 128 bytes with four sectors each, in sets of eight lines; the least recently used one is replaced. */
enum { L1_WAYS = 8 };
typedef struct l1_line {
    uint32_t line, sectors, used;   /* sectors: one bit per sector present, 0: empty; used: time of last use */
} l1_line_t;

/* A sector of device memory, with its state in L2. */
typedef struct sector {
    uint32_t order;     /* it was the order-th sector to arrive in L2; 0: never requested */
    float ready;        /* cycle at which its data has arrived */
    float atomic_free;  /* cycle at which the last atomic on it is done */
    float atomic_busy;  /* cycles that all atomics on it have taken */
} sector_t;

typedef struct caches {
    l1_line_t *l1;          /* sms * sets * L1_WAYS */
    uint32_t sets, clock;
    sector_t *sectors;      /* the two parts of device memory, from sector first[0] and from first[1] on */
    uint32_t first[2], count[2];
    uint32_t arrived, capacity; /* of L2: sectors that have arrived so far, and that it can hold */
} caches_t;

/* Makes empty caches for the sectors that the launch accesses; -1 and *err if memory is short.
 * caches_close also accepts zeroed caches. */
int caches_open(caches_t *c, unsigned sms, double l1_bytes, double l2_bytes, const simt_way_t *way, err_t *err);
void caches_close(caches_t *c);

/* Looks a sector up in an SM's L1 and adds it if it is not there; returns whether it was there. */
bool l1_lookup(caches_t *c, unsigned sm, uint32_t sector);

sector_t *sector_at(caches_t *c, uint32_t sector);
/* Returns whether the sector is in L2, which replaces the oldest sectors first. */
bool l2_has(const caches_t *c, const sector_t *s);
void l2_put(caches_t *c, sector_t *s, double ready);

#endif
