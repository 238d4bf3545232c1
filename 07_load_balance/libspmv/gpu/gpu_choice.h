/*
 * gpu_choice.h - the ways to multiply on a GPU, by name, and the rule that picks one of them.  Not installed.
 *
 * A way that a matrix does not allow has another in its place (gpu_slices.h, gpu_tiles.h, gpu_wide.h, gpu_granules.h),
 * so each of them can be asked for with any matrix.  A new way is one line in gpu_choice.c and one here; then its times
 * are taken (make record-ways) and the rule is learned anew (make rule).
 */
#ifndef SPMV_GPU_CHOICE_H
#define SPMV_GPU_CHOICE_H

#include <stdbool.h>

#include "spmv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the rule looks at.  Plain numbers, so that a record can hold them. */
typedef struct gpu_features {
    double rows, cols, nnz;
    double value_bytes; /* of one value of A */
    double mean;        /* nonzeros per row */
    /* A plan, and a look, see more (gpu_features.cu); without set-up these are 0. */
    double longest;       /* row */
    double skew;          /* longest / mean */
    double in_order_fill; /* places a nonzero, in slices of 32 rows as they stand, a lane on each */
    double near_fill;     /* ... with as many lanes for 32 neighbours as the longest of them wants, 16 steps each */
    double diagonals;     /* share of slices that diagonals would store in fewer bytes, in a sample */
    double sectors;       /* of x (32 bytes) that a warp meets for the first time, a nonzero, in a sample */
    double gathered;      /* bytes of these sectors a byte of A's values and columns (32-bit) */
    double alike;         /* share of rows that have nearly the columns of the next, in a sample */
    double hot;           /* a plan's: share of nonzeros in the columns that most are in (gpu_hot.h), in a sample; 0
                             where nobody counted: few nonzeros, or a warp's lie side by side */
} gpu_features_t;

typedef enum gpu_family {
    GPU_ROWS,   /* CSR as it is, lanes on each row */
    GPU_SPANS,  /* CSR as it is, equal spans */
    GPU_GUIDED, /* ... and small ones behind them */
    GPU_LONG,   /* CSR as it is, equal pieces of long rows */
    GPU_MIXED,  /* CSR as it is, lanes on each row, equal spans where many nonzeros are in few rows */
    GPU_SLICES, /* a plan */
    GPU_TILES,  /* a plan by tiles of x, which fit shared memory */
    GPU_WIDE,   /* ... for few long rows over many columns */
    GPU_GRANULES /* a plan by granules of 4 nonzeros of a row, equally many to each block */
} gpu_family_t;

/* How a plan cuts the rows into slices of a warp. */
typedef enum gpu_slicing {
    SLICES_IN_ORDER, /* 32 rows as they stand, a lane on each: the only slicing that diagonals are looked for in */
    SLICES_EVEN,     /* small: all slices alike, with lanes on each row for the longest */
    SLICES_SORT,     /* rows sorted by the lanes they get */
    SLICES_HOT,      /* ... and x with the columns that most nonzeros have side by side (gpu_hot.h) */
    SLICES_BUNDLE    /* ... and neighbours with nearly the same columns share them */
} gpu_slicing_t;

typedef enum gpu_way {
    WAY_ROWS_1, WAY_ROWS_2, WAY_ROWS_4, WAY_SPANS_2, WAY_SPANS_4, WAY_GUIDED_4, WAY_LONG_4, WAY_MIXED_1,
    WAY_IN_ORDER, WAY_EVEN_4, WAY_EVEN_8,
    WAY_SORT_4, WAY_SORT_8, WAY_SORT_16, WAY_SORT_32, WAY_SORT_38, WAY_SORT_64,
    WAY_BUNDLE_4, WAY_BUNDLE_8, WAY_BUNDLE_16, WAY_BUNDLE_32,
    WAY_HOT_16, WAY_HOT_32,
    WAY_TILES, WAY_WIDE, WAY_GRANULES,
    WAY_COUNT,
    WAY_BY_RULE = WAY_COUNT
} gpu_way_t;

typedef struct gpu_way_facts {
    const char *name;
    gpu_family_t family;
    gpu_slicing_t slicing; /* slices */
    int size;              /* rows, mixed: mean rows that the lanes of one reach to; spans, guided, long: 8 warps an SM;
                           even, sort, hot, bundle: steps, nonzeros a lane has at most */
    bool as_it_is, plan;   /* where the rule may pick it: without set-up or after a look; for a plan */
} gpu_way_facts_t;

extern const gpu_way_facts_t GPU_WAYS[WAY_COUNT];

/* A longer row would be one block's work for too long: no way by rows is picked or tried then. */
enum { GPU_LONGEST_ROW = 16000 };

/* A second way may be tried beside the rule's from so many nonzeros on, and where create then takes at most
 * GPU_TRY_PRODUCTS products of the first: a second plan may take twice as long to build as the first, and timing both
 * takes GPU_TRY_US (H200: some twenty products, each with L2 emptied before it).  From GPU_TRY_ALWAYS nonzeros on a
 * plan's rule that knows of no second way has the one of a look. */
enum { GPU_TRY = 1000000, GPU_TRY_ALWAYS = 4000000, GPU_TRY_PRODUCTS = 60, GPU_TRY_US = 400 };

/* Which of two plans is the first is told by counts where in_order is one of them, for with `deterministic` nothing is
 * timed: it is from this share of diagonal slices on, and not where the longest row is so many times the mean. */
#define GPU_MOSTLY_DIAGONALS 0.5
enum { GPU_UNEVEN = 6 };

/* Whatever plan the tree has, rows as they stand come before it where nearly all slices are diagonals, few places are
 * empty, and lanes do not share x, as they do in dense blocks, where a sector of x serves more nonzeros than it has
 * entries.  Measured (H200): of 68 such samples in_order was at worst 5 % behind the fastest way, in the mean 0.2 %. */
#define GPU_ALL_DIAGONALS 0.9
#define GPU_FULL 1.7
#define GPU_OWN_X 0.8

/* The tree does not know granules.  In fp32 they come before its plan where rows are short, and neighbours so uneven
 * that slices of them would be padded by half; where creating may take so long, the tree's plan is timed beside them.
 * Measured (H200): in 15 such samples of 8 families (hypergraphs, circuits, power flow, meshes) granules were 8 %
 * faster than the tree's plan in the mean, and at worst 7 % behind it (transposed:powerlaw).  In fp64 they were 1 %
 * slower in the mean. */
#define GPU_UNEVEN_NEIGHBOURS 1.5
enum { GPU_GRANULES_FROM = 500000, GPU_GRANULES_TO = 8000000, GPU_GRANULES_LONGEST = 450, GPU_GRANULES_MEAN = 3 };

/* The rule: gpu_rule.inc, learned from recorded times; and GPU_LONGEST_ROW (without a look: as long as there are
 * columns).  *second: a way that is worth trying beside it, WAY_COUNT if there is none. */
gpu_way_t gpu_choose(const gpu_features_t *f, spmv_setup_t setup, gpu_way_t *second);

#ifdef __cplusplus
}
#endif
#endif
