/*
 * tickets.h - work that is handed out while the kernel runs: who asks first gets the next piece.
 *
 * On the simulator some warps have taken most of the tickets; on a GPU whoever is free takes one.  The ways are cut at
 * the atomic that draws a ticket, the pieces go into one heap, and the replay's clock decides who gets which.
 */
#ifndef COURSE_TICKETS_H
#define COURSE_TICKETS_H

#include <stdbool.h>

#include "kernels.h"

/* From behind one ticket to the next one, that included, or to the end of the warp. */
typedef struct piece {
    const simt_step_t *from, *end;
    const uint32_t *sector;
    uint32_t place;     /* of the first thing that it reads: pieces are handed out in the order of memory */
    int last;           /* there was no work left: handed out when all others are */
} piece_t;

/* Does a warp draw them for its whole block, through shared memory, again and again?  That is not modelled. */
bool tickets_to_blocks(const simt_way_t *way, const kernel_facts_t *facts);

typedef struct tickets {
    int site;           /* that draws them, -1: this kernel has none */
    piece_t *pieces;
    size_t count, next;
} tickets_t;

/* Finds the pieces of a launch; -1 and *err if out of memory.  The second takes a zeroed one. */
int tickets_open(tickets_t *t, const simt_way_t *way, const kernel_facts_t *facts, err_t *err);
void tickets_close(tickets_t *t);

#endif
