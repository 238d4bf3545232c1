/* gpu_slices.h - the plan: the matrix stored anew in slices of a warp each (gpu_slices.cu, gpu_slices_build.cu). */
#ifndef SPMV_GPU_SLICES_H
#define SPMV_GPU_SLICES_H

#include <cuda_runtime_api.h>

#include "gpu_choice.h"
#include "gpu_spans.h"

/* How the columns of a slice are stored.  A step is what the 32 lanes of a warp do at once. */
enum slice_kind {
    SLICE_DIAGONALS, /* 8 bytes per step: column - row, the same for all lanes, and a mask of the lanes that have it */
    SLICE_8,         /* 4 bytes per step and 1 per lane: the step's first column, and the distance from it */
    SLICE_16,        /* 2 bytes per lane: the distance from the slice's first column */
    SLICE_32,        /* 4 bytes per lane: the column */
    SLICE_EMPTY,     /* no nonzeros: searches `steps` rows for empty rows */
    SLICE_SHORT      /* `steps` rows of 1, 2, 3 or 4 nonzeros, several rows per lane; columns as in SLICE_32 */
};
enum { SLICE_KINDS = 6 };

/* The choice of a plan.  Rows are sorted instead if a matrix does not allow the form: if unsorted rows would leave most
 * places empty, or give a lane hundreds of nonzeros, or more than 16 and few diagonals. */
typedef struct slices_choice {
    gpu_slicing_t slicing;
    int steps; /* bundle, sort: a row with more nonzeros per lane gets twice the lanes; 0 means 16 */
    int exclusive;   /* rows of several teams, which need scratch memory, are allowed */
    int beside;      /* other kernels must find room beside these */
    const gpu_features_t *features; /* features of A, after a look */
} slices_choice_t;

typedef struct slices {
    uint32_t count;          /* number of slices */
    uint32_t block;          /* threads per block */
    uint32_t width_log2;     /* consecutive rows, and even slices: lanes on a row */
    uint32_t team_log2;      /* consecutive rows: log2 of the warps that share a slice */
    int sorted;              /* each slice has its own number of lanes on a row; if 0, all slices have the same */
    uint32_t steps;          /* sorted: the most nonzeros of a lane, except in a row that has all lanes */
    uint32_t
        even_steps; /* not 0: all slices have so many, so that a place follows from a number (gpu_slices_even.cu) */
    uint32_t one_kind;       /* not 0: the kind of all slices, whose columns are counted from 0 */
    uint4 *records;          /* [count] value steps before the slice, column units before it, first row, meta */
    int32_t *bases;          /* [count] first column of the slice (SLICE_16) */
    uint32_t *order;         /* [rows] the numbers of the rows in A; NULL if rows are consecutive */
    unsigned *empty;         /* sorted: a bit for every row, 1 if the row is empty */
    unsigned char *columns;  /* in 32-byte units */
    void *values;            /* 32 values per step */
    void *table;             /* the table of the values (gpu_table.h), or NULL */
    uint32_t table_count;
    uint4 *pairs;            /* [value_steps] the places of each step's values (gpu_slices_pairs.cu), or NULL */
    uint32_t stored_steps;   /* with pairs: the number of steps in `values` */
    uint4 *pieces; /* [piece_slices] of long rows, which come first: row, first slice, slices, nonzeros */
    uint32_t piece_slices;   /* slices in whole teams of TEAM, with fillers */
    uint32_t alike_rows;     /* rows in bundles */
    uint32_t cut_rows, shared_teams; /* rows in pieces; teams, up to the last team of a row with several teams */
    void *left_sums;         /* [shared_teams] NO_SUM between executes; NULL if no row has several teams */
    uint64_t value_steps, column_bytes; /* in all slices */
    uint32_t kinds[SLICE_KINDS];        /* number of slices of each kind */
    uint32_t hot_count;      /* not 0: columns are codes (gpu_hot.h), */
    void *hot;               /* and during a product the entries of x that most nonzeros use are here: */
    uint32_t *hot_columns;   /* the entries of these columns */
    int hot_overlaps;        /* the GPU may begin a launch before the previous launch has ended */
    uint32_t sms;            /* number of SMs of the GPU */
    uint32_t left;           /* blocks of 256 threads that fit beside a grid that fills the GPU */
    void *layout;            /* host memory with the layout that a refresh needs */
    size_t bytes;            /* bytes of device memory */
} slices_t;

/* Builds on `stream` and waits for it.  On an error nothing stays allocated and the CUDA error is returned;
 * cudaErrorNotSupported if a row is too long for a slice and may not be cut. */
cudaError_t slices_build(slices_t *s, const gpu_csr_t *A, const slices_choice_t *choice, cudaStream_t stream);
/* Writes A's values again: one launch, not waited for. */
cudaError_t slices_refresh(const slices_t *s, const gpu_csr_t *A, cudaStream_t stream);
/* Makes one launch on the call's stream, or two if hot_count > 0. */
cudaError_t slices_run(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c);
cudaError_t slices_run_even(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c); /* even_steps > 0 */
cudaError_t slices_run_in_order(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c); /* consecutive rows */
static inline int slices_in_order(const slices_t *s) { return !s->sorted && !s->even_steps; } /* 32 rows each */
void slices_free(slices_t *s); /* leaves it zeroed */

/* Stores each pair of a symmetric matrix as one value, if unsorted rows have the pairs in diagonals and this saves
 * enough; for plans with the option `values`.  Waits for the stream. */
cudaError_t slices_pair(slices_t *s, size_t value_size, cudaStream_t stream);
/* Allocates the memory for all values again, which slices_refresh() then writes.  pairs != NULL; `values` has
 * stored_size bytes per value. */
cudaError_t slices_unpair(slices_t *s, size_t stored_size, size_t value_size, cudaStream_t stream);
/* From this number of bytes of values on the plan searches pairs; 0 means always, whatever they save (for tests). */
extern size_t gpu_pairs_least;
/* If 0, slices of unsorted rows have one warp each.  (Tests set it.) */
extern int slices_teams;

#endif
