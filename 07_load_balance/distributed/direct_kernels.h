/*
 * direct_kernels.h - the kernels of the direct transport: protocol.h by the blocks of a GPU.
 */
#ifndef DIST_DIRECT_KERNELS_H
#define DIST_DIRECT_KERNELS_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

/* On the GPU, all zero at first: which product comes next.  The kernels count themselves, so that a graph of products
 * can be replayed. */
typedef struct direct_count {
    uint32_t put, taken; /* epochs: a product puts, then takes, and both are over before the next puts */
    uint32_t ended;      /* blocks of a kernel that does both */
    int *lost;           /* on the GPU, as *waited_for: once it is not 0, no kernel waits any more */
} direct_count_t;

enum { DIRECT_ODD = -1 }; /* in place of a rank: a graph that holds an odd number of products was replayed */

enum { DIRECT_RANKS = 16 }; /* at most: letters and mail travel as arguments of the kernels */

/* p: its letters and mail are in memory of the host, what they point to in memory of GPUs; so are x and count.
 * *waited_for, which the host can read, becomes 1 + a rank that did not send in time.
 *
 * put: a block for each piece of each letter.  Without words the reader looks for the mail in a half that was fixed
 * when it was enqueued; `half` says which it is, and the kernel whether it is that one's turn (else DIRECT_ODD). */
cudaError_t direct_put(const protocol_t *p, const void *x, int half, direct_count_t *count, int *waited_for,
                       cudaStream_t stream);
/* take: words, a block a piece, go into the halo; without words one block waits for all flags, and no more. */
cudaError_t direct_take(const protocol_t *p, direct_count_t *count, int *waited_for, cudaStream_t stream);

/* Rows that need the halo, by its nonzeros alone, y[rows[i]] += sum, or whole, y[rows[i]] = sum.  ELL: the k-th
 * nonzeros of all rows lie together, since a warp has rows that are neighbours; a row has as few lanes as hold it,
 * BOUNDARY_PER_LANE nonzeros each.  A nonzero's column is a slot: at which entry of a half it is (windows_slot), or, of
 * a whole row, BOUNDARY_NONE - 1 - which entry of the rank's own x; BOUNDARY_NONE: there is no nonzero. */
enum { BOUNDARY_PER_LANE = 8, BOUNDARY_LONGEST = 32, BOUNDARY_NONE = -1, BOUNDARY_GROUP = 32 };

/* The k-th nonzeros of BOUNDARY_GROUP rows, each a column further than the one before: 8 bytes, loaded at once, in
 * place of 32 slots. */
#ifdef __cplusplus
#define BOUNDARY_ALIGNED alignas(8)
#else
#define BOUNDARY_ALIGNED _Alignas(8)
#endif
typedef struct diagonal {
    BOUNDARY_ALIGNED int32_t start; /* the first row's slot, be it there or not, + BOUNDARY_GROUP; of the own, - */
    uint32_t rows;                  /* bit i: row i has a nonzero */
} diagonal_t;
static inline int64_t boundary_groups(int64_t rows) { return (rows + BOUNDARY_GROUP - 1) / BOUNDARY_GROUP; }

typedef struct boundary {
    int64_t count;        /* rows */
    int32_t width;        /* nonzeros of the longest, or diagonals of the group that has most */
    const int32_t *rows;  /* [count] */
    const int32_t *slots; /* [width * count]  or NULL, and */
    const diagonal_t *diagonals; /* [width * boundary_groups(count)]  the k-th of all groups together; rows 0: none */
    const void *values;   /* [width * count]  of p->element bytes */
    const char *own[2];   /* the rank's halves */
} boundary_t;

/* Does it pay?  No row may be so long that its lanes are late with it, and what ELL has beside `nnz` nonzeros of `rows`
 * rows of at most `longest` may take as long as the launch it saves: a microsecond of the GPU's memory, 4 MB. */
static inline int boundary_pays(int64_t rows, int64_t longest, int64_t nnz, int64_t element)
{
    enum { MOST_PADDING = 4 << 20 };
    return longest <= BOUNDARY_LONGEST && (longest * rows - nnz) * (element + (int64_t)sizeof(int32_t)) <= MOST_PADDING;
}

/* The boundary.  x: the rank's own, of whole rows; NULL: sums are added to y.  A row's lanes wait for the words they
 * need; without words each block waits for all flags, but where rows are whole: then it runs beside the interior, by
 * few blocks, after a take. */
cudaError_t direct_boundary(const protocol_t *p, const boundary_t *b, const void *x, void *y, direct_count_t *count,
                            int *waited_for, cudaStream_t stream);

/* put and the boundary of whole rows in one kernel; with words, of at most 64 KB a letter. */
cudaError_t direct_at_once(const protocol_t *p, const boundary_t *b, const void *x, void *y, direct_count_t *count,
                           int *waited_for, cudaStream_t stream);

/* protocol_sum by one block; its epochs are count->taken. */
cudaError_t direct_sum(const protocol_t *p, double *values, int numbers, direct_count_t *count, int *waited_for,
                       cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
