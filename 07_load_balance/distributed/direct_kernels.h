/*
 * direct_kernels.h - the kernels of the direct transport, which run protocol.h on a GPU.
 */
#ifndef DIST_DIRECT_KERNELS_H
#define DIST_DIRECT_KERNELS_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number of the next product, in memory of the GPU, zero at first.  The kernels advance it themselves, so that a
 * graph of products can be replayed. */
typedef struct direct_count {
    uint32_t put, taken; /* epochs: a product puts, then takes, and both end before the next put */
    uint32_t ended;      /* how many blocks of a kernel that does both have ended */
    int *lost;           /* the same as *waited_for, on the GPU: once it is not 0, no kernel waits */
} direct_count_t;

enum { DIRECT_ODD = -1 }; /* instead of a rank: a graph with an odd number of products was replayed */

enum { DIRECT_RANKS = 16 }; /* the largest number: letters and mail are arguments of the kernels */

/* The letters and mail of p are in host memory; they point to memory of GPUs, where x and count are, too.
 * *waited_for, which the host can read, becomes 1 + a rank that did not send in time.
 *
 * put has one block for each piece of each letter.  Without words the half in which the reader finds its mail is fixed
 * when the product is enqueued: `half`.  If the epoch needs the other half, the kernel reports DIRECT_ODD. */
cudaError_t direct_put(const protocol_t *p, const void *x, int half, direct_count_t *count, int *waited_for,
                       cudaStream_t stream);
/* take: with words one block per piece copies them into the halo; without words one block waits for all flags. */
cudaError_t direct_take(const protocol_t *p, direct_count_t *count, int *waited_for, cudaStream_t stream);

/* The rows that need the halo: either only their nonzeros in it, and y[rows[i]] += sum, or whole rows, and y[rows[i]] =
 * sum.  The format is ELL: the k-th nonzeros of all rows are adjacent, because a warp has adjacent rows.  A row gets as
 * few lanes as can hold it, with BOUNDARY_PER_LANE nonzeros each.  The column of a nonzero is a slot: the index of its
 * entry in a half (windows_slot), or in a whole row BOUNDARY_NONE - 1 - the index into the rank's own x.  BOUNDARY_NONE
 * marks a filler. */
enum { BOUNDARY_PER_LANE = 8, BOUNDARY_LONGEST = 32, BOUNDARY_NONE = -1, BOUNDARY_GROUP = 32 };

/* The k-th nonzeros of BOUNDARY_GROUP rows, if each is one column further than that of the row before: 8 bytes, loaded
 * at once, instead of 32 slots. */
#ifdef __cplusplus
#define BOUNDARY_ALIGNED alignas(8)
#else
#define BOUNDARY_ALIGNED _Alignas(8)
#endif
typedef struct diagonal {
    BOUNDARY_ALIGNED int32_t start; /* the first row's slot (even if it has none) + BOUNDARY_GROUP; < 0: of x */
    uint32_t rows;                  /* bit i: row i has a nonzero */
} diagonal_t;
static inline int64_t boundary_groups(int64_t rows) { return (rows + BOUNDARY_GROUP - 1) / BOUNDARY_GROUP; }

typedef struct boundary {
    int64_t count;        /* rows */
    int32_t width;        /* nonzeros of the longest row, or the largest number of diagonals of a group */
    const int32_t *rows;  /* [count] */
    const int32_t *slots; /* [width * count]  or NULL; then diagonals is used */
    const diagonal_t *diagonals; /* [width * boundary_groups(count)]  k-th ones adjacent; rows 0: none */
    const void *values;   /* [width * count]  of p->element bytes */
    const char *own[2];   /* the rank's halves */
} boundary_t;

/* Whether this format pays: no row may be longer than BOUNDARY_LONGEST, and reading the fillers of ELL may take at most
 * as long as the launch that it saves: a microsecond, in which the GPU's memory reads 4 MB. */
static inline int boundary_pays(int64_t rows, int64_t longest, int64_t nnz, int64_t element)
{
    enum { MOST_PADDING = 4 << 20 };
    return longest <= BOUNDARY_LONGEST && (longest * rows - nnz) * (element + (int64_t)sizeof(int32_t)) <= MOST_PADDING;
}

/* Multiplies the boundary.  x is the rank's own, for whole rows; if it is NULL, sums are added to y.  With words the
 * lanes of a row wait for the words that they need.  Without words each block waits for all flags.  Whole rows without
 * words run after a take instead, with few blocks, beside the interior. */
cudaError_t direct_boundary(const protocol_t *p, const boundary_t *b, const void *x, void *y, direct_count_t *count,
                            int *waited_for, cudaStream_t stream);

/* put and the boundary of whole rows in one kernel; needs words, so at most 64 KB per letter. */
cudaError_t direct_at_once(const protocol_t *p, const boundary_t *b, const void *x, void *y, direct_count_t *count,
                           int *waited_for, cudaStream_t stream);

/* Runs protocol_sum with one block; its epochs are count->taken. */
cudaError_t direct_sum(const protocol_t *p, double *values, int numbers, direct_count_t *count, int *waited_for,
                       cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
