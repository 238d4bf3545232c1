/*
 * direct_kernels.h - the two kernels of the direct transport: protocol.h by the blocks of a card.
 */
#ifndef DIST_DIRECT_KERNELS_H
#define DIST_DIRECT_KERNELS_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

/* On the card, all zero at first: which product comes next, and how many blocks are done with this one.  The kernels
 * count themselves, so that a graph of products can be replayed. */
typedef struct direct_count {
    uint32_t put, take;           /* epochs that are over */
    uint32_t put_done, take_done; /* blocks */
    int lost;                     /* 1 + a rank that did not send in time: it is not waited for again */
} direct_count_t;

/* Both take one block a piece.  p: its letters, mail and what they point to are in memory of cards; so are x and count.
 * *waited_for, which the host can read, becomes 1 + a rank that did not send in time. */
cudaError_t direct_put(const protocol_t *p, const void *x, direct_count_t *count, cudaStream_t stream);
cudaError_t direct_take(const protocol_t *p, direct_count_t *count, int *waited_for, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
