/*
 * tickets.h - work that warps take from a counter while the kernel runs (dynamic scheduling).
 *
 * On the simulator some warps have taken most of the tickets; on a GPU each warp takes one when it is free.  So the
 * traces are cut at the atomic that takes a ticket, and in the replay a warp that reaches this atomic gets the next of
 * all pieces.
 */
#ifndef COURSE_TICKETS_H
#define COURSE_TICKETS_H

#include <stdbool.h>

#include "kernels.h"

/* The steps after the atomic of a ticket, up to and including the atomic of the next one, or up to the warp's end. */
typedef struct piece {
    const simt_step_t *from, *end;
    const uint32_t *sector;
    uint32_t place;     /* the sector of its first load: pieces are assigned in the order of memory */
    int last;           /* the ticket brought no work: assigned after all other pieces */
} piece_t;

/* Returns whether a warp takes tickets for its whole block, through shared memory, repeatedly; not modelled. */
bool tickets_to_blocks(const simt_way_t *way, const kernel_facts_t *facts);

typedef struct tickets {
    int site;           /* the site that takes tickets, -1: the kernel has none */
    piece_t *pieces;
    size_t count, next;
} tickets_t;

/* Finds the pieces of a launch; -1 and *err if memory is short.  tickets_close also accepts zeroed tickets. */
int tickets_open(tickets_t *t, const simt_way_t *way, const kernel_facts_t *facts, err_t *err);
void tickets_close(tickets_t *t);

#endif
