/*
 * gpu_choice.h - the variants of the product on a GPU, by name, and the rule that picks one of them.  Not installed.
 *
 * Any variant can be asked for with any matrix: if the matrix does not allow it, the plan takes another one
 * (gpu_slices.h, gpu_tiles.h, gpu_wide.h, gpu_granules.h).  A new variant is one line in gpu_choice.c and one here;
 * then `make record-ways` measures its times, and `make rule` learns the rule again.
 */
#ifndef SPMV_GPU_CHOICE_H
#define SPMV_GPU_CHOICE_H

#include <stdbool.h>

#include "spmv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers by which the rule decides; plain numbers, so that a results file can hold them. */
typedef struct gpu_features {
    double rows, cols, nnz;
    double value_bytes; /* of one value of A */
    double mean;        /* nonzeros per row */
    /* Only a look and a plan count the following features (gpu_features.cu); without set-up they are 0. */
    double longest;       /* nonzeros of the longest row */
    double skew;          /* longest / mean */
    double in_order_fill; /* places per nonzero in slices of 32 consecutive rows, one lane per row */
    double near_fill;     /* the same if each of 32 rows gets the lanes that the longest of them needs for 16 steps */
    double diagonals;     /* share of slices that take fewer bytes if stored by diagonals, in a sample */
    double sectors;       /* sectors of x (32 bytes) that a warp reads for the first time, per nonzero, in a sample */
    double gathered;      /* bytes of these sectors per byte of A's values and columns (32-bit) */
    double alike;         /* share of rows whose columns are nearly those of the next row, in a sample */
    double hot;           /* only for a plan: share of nonzeros in the fullest columns (gpu_hot.h), in a sample; 0 if
                             not counted, because nonzeros are few or those of a warp lie side by side */
} gpu_features_t;

typedef enum gpu_family {
    GPU_ROWS,   /* CSR as it is, lanes on each row */
    GPU_SPANS,  /* CSR as it is, equal spans */
    GPU_GUIDED, /* equal spans, followed by small ones */
    GPU_LONG,   /* CSR as it is, equal pieces of long rows */
    GPU_MIXED,  /* lanes on each row; equal spans if few rows have many nonzeros */
    GPU_SLICES, /* a plan with slices */
    GPU_TILES,  /* a plan by tiles of x, which fit shared memory */
    GPU_WIDE,   /* a plan by tiles, for few long rows over many columns */
    GPU_GRANULES /* a plan with granules of 4 nonzeros of a row, the same number for each block */
} gpu_family_t;

/* How a plan cuts the rows into slices of a warp. */
typedef enum gpu_slicing {
    SLICES_IN_ORDER, /* 32 consecutive rows, a lane on each; only this slicing may have diagonals */
    SLICES_EVEN,     /* for small matrices: all slices alike, with the lanes that the longest row needs */
    SLICES_SORT,     /* rows sorted by the lanes they get */
    SLICES_HOT,      /* sorted rows, and a copy of the entries of x that most nonzeros use (gpu_hot.h) */
    SLICES_BUNDLE    /* sorted rows, and neighbours with nearly the same columns share them */
} gpu_slicing_t;

typedef enum gpu_variant {
    VARIANT_ROWS_1, VARIANT_ROWS_2, VARIANT_ROWS_4, VARIANT_SPANS_2, VARIANT_SPANS_4, VARIANT_GUIDED_4, VARIANT_LONG_4,
    VARIANT_MIXED_1,
    VARIANT_IN_ORDER, VARIANT_EVEN_4, VARIANT_EVEN_8,
    VARIANT_SORT_4, VARIANT_SORT_8, VARIANT_SORT_16, VARIANT_SORT_32, VARIANT_SORT_38, VARIANT_SORT_64,
    VARIANT_BUNDLE_4, VARIANT_BUNDLE_8, VARIANT_BUNDLE_16, VARIANT_BUNDLE_32,
    VARIANT_HOT_16, VARIANT_HOT_32,
    VARIANT_TILES, VARIANT_WIDE, VARIANT_GRANULES,
    VARIANT_COUNT,
    VARIANT_BY_RULE = VARIANT_COUNT
} gpu_variant_t;

typedef struct gpu_variant_facts {
    const char *name;
    gpu_family_t family;
    gpu_slicing_t slicing; /* slices */
    int size;              /* rows, mixed: mean rows that the lanes of one reach to; spans, guided, long: 8 warps
                           per SM; even, sort, hot, bundle: steps, nonzeros a lane has at most */
    bool as_it_is, plan;   /* where the rule may pick it: without set-up or after a look; for a plan */
} gpu_variant_facts_t;

extern const gpu_variant_facts_t GPU_VARIANTS[VARIANT_COUNT];

/* A longer row would take one block too long, so the rule and tuning exclude variants by rows for such a matrix. */
enum { GPU_LONGEST_ROW = 16000 };

/* From GPU_TRY nonzeros on, a second variant may be built and timed beside the rule's, if create then takes no longer
 * than GPU_TRY_PRODUCTS products of the first.  A second plan may take twice as long to build as the first, and timing
 * both takes GPU_TRY_US (H200: some twenty products, each with L2 emptied before it).  If the rule for plans names no
 * second variant, then from GPU_TRY_ALWAYS nonzeros on the rule for a look names it. */
enum { GPU_TRY = 1000000, GPU_TRY_ALWAYS = 4000000, GPU_TRY_PRODUCTS = 60, GPU_TRY_US = 400 };

/* With `deterministic` nothing is timed and the first of two variants stays.  If in_order is one of them, counts decide
 * which is the first: in_order is, from this share of diagonal slices on, unless the longest row is GPU_UNEVEN times
 * the mean. */
#define GPU_MOSTLY_DIAGONALS 0.5
enum { GPU_UNEVEN = 6 };

/* in_order is the first plan, whatever the tree picks, if nearly all slices are diagonals, few places are empty, and
 * lanes do not share x.  (They share it in dense blocks: there a sector of x serves more nonzeros than it has entries.)
 * Measured (H200): on 68 such samples in_order took at most 5 % longer than the fastest variant, 0.2 % in the mean. */
#define GPU_ALL_DIAGONALS 0.9
#define GPU_FULL 1.7
#define GPU_OWN_X 0.8

/* The tree does not know granules.  In fp32 they are the first plan if rows are short and neighbouring rows are so
 * uneven that half of the places in slices would be padding; if there is time for it (GPU_TRY_PRODUCTS), the tree's
 * plan is timed, too.  Measured (H200): in 15 such samples of 8 families (hypergraphs, circuits, power flow, meshes)
 * granules were 8 % faster than the tree's plan in the mean, and at worst 7 % slower (transposed:powerlaw).  In fp64
 * they were 1 % slower in the mean. */
#define GPU_UNEVEN_NEIGHBOURS 1.5
enum { GPU_GRANULES_FROM = 500000, GPU_GRANULES_TO = 8000000, GPU_GRANULES_LONGEST = 450, GPU_GRANULES_MEAN = 3 };

/* Two leaves of the tree are too coarse.  Measured (H200): on 8 samples of 6 families (fp32, no long row, fewer than 3
 * million nonzeros) bundle_8 took 7 % less time than bundle_16 in the mean, and at worst 2 % more (cop20k_A).  If few
 * rows are long, and the longest has a fortieth of the nonzeros, sort_16 took 1 to 14 % less time than sort_32 on 8
 * samples of 4 families, and 18 % less on dense_rows:100000,20,5 in fp32. */
enum { GPU_BUNDLE_8_BELOW = 3000000, GPU_EVEN_LONGEST = 450 };
enum { GPU_SORT_16_BELOW = 4000000, GPU_LONG_SHARE = 40, GPU_FEW_SKEW = 100 };

/* Applies the rule: gpu_rule.inc, learned from recorded times, with the exceptions above.  Without a look, it assumes
 * that a row may have all columns.  *second is another variant that is worth timing, or VARIANT_COUNT. */
gpu_variant_t gpu_choose(const gpu_features_t *f, spmv_setup_t setup, gpu_variant_t *second);

#ifdef __cplusplus
}
#endif
#endif
