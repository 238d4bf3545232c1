/*
 * cpu_part.h - the part of a matrix that one thread of the CPU back end multiplies, each block of its rows in the form
 * that suits it; and the kernels: one source (cpu_kernels.h, cpu_kernels_type.h) is compiled for several instruction
 * sets.  Not installed.
 */
#ifndef SPMV_CPU_PART_H
#define SPMV_CPU_PART_H

#include <stdbool.h>

#include "cpu_values.h"

/* How a block of rows is stored. */
typedef enum cpu_form {
    CPU_ROWS,   /* A's values, row after row; columns in 16 bits where they fit */
    CPU_RUNS,   /* A's values; a run of consecutive columns is its first column and its length (CSRL) */
    CPU_SLICES, /* short rows side by side, as many as a vector has lanes, longest first (SELL-C-sigma) */
    CPU_FORMS
} cpu_form_t;

/* A slice: as many rows side by side as a vector has lanes.  Entry k of lane i is at values[value + k * lanes + i] of
 * the part.  Or a stretch of slices that are alike: groups of TOGETHER slices are stored one after the other, each
 * group like one slice with TOGETHER times the lanes. */
typedef struct cpu_slice {
    uint32_t value, column; /* counted from the block's first value, and from its first column or diagonal */
    uint32_t count;         /* number of slices: 1 or a multiple of TOGETHER */
    uint16_t width;         /* entries of the longest row, or diagonals */
    uint16_t flags;
} cpu_slice_t;

enum { TOGETHER = 4 };      /* slices that a kernel multiplies at once */

enum {
    SLICE_DIAGONAL = 1,     /* entry k of its row i is in column columns32[diagonal + column + k] + i, or a hole */
    SLICE_NEIGHBOURS = 2,   /* the lanes of all slices are rows order[0], order[0] + 1, ... */
    SLICE_PADDED = 4        /* a row is shorter than the slices are wide, and is padded with zeros */
};

typedef struct cpu_run {
    int32_t column, length;
} cpu_run_t;

typedef struct cpu_block {
    cpu_form_t form;
    bool wide;              /* columns have 32 bits; otherwise 16, counted from `base` */
    bool scattered;         /* elements of x are far apart: slices use the gather instruction, which waits for many */
    bool gathers;           /* rows use the gather instruction, too */
    bool mostly_empty;      /* y = beta y is computed on all rows first; slices hold only rows with nonzeros */
    int partial;            /* the partial sum of a piece of one row; -1 for whole rows */
    int longest;            /* nonzeros of the longest row that goes into a slice */
    int32_t row, rows, base;
    int64_t nz, nz_end;     /* nonzeros of A */
    size_t value, column;   /* the block's first value and column in the part's arrays */
    size_t diagonal;        /* in columns32 */
    size_t slice, stretches, order;
    size_t long_row, long_rows;
    size_t run;
} cpu_block_t;

/* The work of one thread, in memory that it touched first. */
typedef struct cpu_part {
    void *memory;           /* the allocation of all following arrays */
    cpu_block_t *blocks;
    size_t block_count;
    uint16_t *columns16;
    int32_t *columns32;
    void *values;           /* values of slices, stored as `stored` says; with a table their codes */
    cpu_stored_t stored;
    const void *table;
    cpu_slice_t *slices;
    uint16_t *order;        /* the row of each lane, counted from the block's first */
    int32_t *long_rows;     /* rows too long for a slice, read from A */
    cpu_run_t *runs;
    uint32_t *run_counts;   /* the number of runs of each row of a CPU_RUNS block */
    size_t bytes, padded;   /* padded: number of values in slices, with padding */
    size_t nonzeros[CPU_FORMS], diagonal_slices, slice_count, long_nonzeros, narrow_nonzeros;
    bool failed;            /* out of memory */
} cpu_part_t;

/* The forms that a plan may use; tuning tries several policies. */
typedef struct cpu_policy {
    bool store_anew;        /* if false, all blocks are CPU_ROWS and use A's arrays */
    bool slices, runs;      /* these forms are allowed */
    int longest;            /* nonzeros of the longest row that may go into a slice */
    int gather;             /* use the gather instruction: 0 never, 1 always, -1 in slices whose x is far apart */
    bool narrower;          /* use AVX2 even if the processor has AVX-512 */
} cpu_policy_t;

/* A cut between parts: at the beginning of `row`, or at nonzero `nz` inside it. */
typedef struct cpu_cut {
    int32_t row;
    int64_t nz;
    bool inside;
} cpu_cut_t;

typedef struct cpu_range {
    cpu_cut_t from, to;
    int partial;            /* the first of this part's partial sums */
} cpu_range_t;

/* cpu_part_build() fills a zeroed part with slices of `lanes` rows, whose values are stored as `stored` says; its table
 * must outlive the part.  It sets part->failed if there is no memory.  cpu_part_values() stores new values of A in as
 * many bytes; cpu_part_free() frees all memory of a part. */
void cpu_part_build(cpu_part_t *part, const spmv_csr_t *A, const cpu_range_t *range, int lanes,
                    const cpu_policy_t *policy, const cpu_values_t *stored);
void cpu_part_values(cpu_part_t *part, const spmv_csr_t *A, int lanes, const cpu_values_t *stored);
void cpu_part_free(cpu_part_t *part);

/* Returns the cost of a product with these rows (up to 2048) in slices of `lanes` rows, to compare numbers of lanes; 0
 * if they are not in slices. */
double cpu_part_cost(const spmv_csr_t *A, int32_t row, int32_t rows, int lanes, const cpu_policy_t *policy);

/* ---- kernels (cpu_kernels_*.c) -------------------------------------------------------------------- */

/* Computes y = alpha A x + beta y for one block of a part; sums of pieces go to partials. */
typedef void (*cpu_kernel_fn)(const spmv_csr_t *A, const cpu_part_t *part, const cpu_block_t *block, double alpha,
                              const void *x, double beta, void *y, double *partials);

/* Several right-hand sides in row-major order: element (i, j) of X is x[i * ldx + j]; at most CPU_MANY columns at
 * once. */
enum { CPU_MANY = 32 };
typedef struct cpu_many {
    int width;              /* columns */
    int64_t ldx, ldy;
    double alpha, beta;
    const void *x;
    void *y;
    double *partials;       /* `width` sums for each piece of a row */
} cpu_many_t;

/* Computes Y = alpha A X + beta Y for the rows of a range, from A's arrays; sums of pieces go to partials. */
typedef void (*cpu_many_fn)(const spmv_csr_t *A, const cpu_range_t *range, const cpu_many_t *m);

enum { CPU_TYPES = SPMV_F32_F64 + 1 };
typedef struct cpu_kernels {
    const char *name;
    int lanes[CPU_TYPES];           /* of a slice; by spmv_type_t */
    int few[CPU_TYPES];             /* values that a table in registers holds; 0 if the kernels have no such table */
    cpu_kernel_fn block[CPU_TYPES];
    cpu_many_fn many[CPU_TYPES];
} cpu_kernels_t;

extern const cpu_kernels_t cpu_kernels_plain, cpu_kernels_avx2, cpu_kernels_avx512;

#endif
