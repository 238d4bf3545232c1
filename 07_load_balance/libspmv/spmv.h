/*
 * spmv.h - libspmv: y = alpha A x + beta y, A a sparse matrix in CSR, on an NVIDIA card or on the CPU.
 *
 * Create a plan once, execute it as often as you like:
 *
 *     spmv_csr_t A = {.rows = m, .cols = n, .nnz = nnz, .value_type = SPMV_F64, .offset_bits = 32,
 *                     .row_offsets = offsets, .col_indices = columns, .values = values};
 *     spmv_plan_t *plan;
 *     if (spmv_create(&plan, &A, NULL, NULL) != SPMV_OK) { puts(spmv_last_error()); return 1; }
 *     spmv_execute(plan, 1, x, 0, y, NULL);
 *     spmv_destroy(plan);
 *
 * Plain C99; needs no CUDA header.  `stream` is a cudaStream_t (NULL: the default stream) and is not looked at by
 * the CPU back end.  The card is CUDA's current device; the one of spmv_create must be current in all calls with
 * its plan.  Nothing here prints, exits or aborts.
 *
 * The CPU back end has threads of its own, which the program's plans share; they are made when they are first wanted,
 * stay, and take no signals.  Where the system refuses them it goes on with fewer, down to the calling thread alone.
 * After fork the child may use the plans it has and make new ones, with new threads; the card may not be used there.
 */
#ifndef SPMV_H
#define SPMV_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPMV_VERSION_MAJOR 1
#define SPMV_VERSION_MINOR 5
#define SPMV_VERSION_PATCH 0

/* "1.5.0", of the library that is linked.  A constant, as all texts returned here but spmv_last_error()'s. */
const char *spmv_version(void);

/* ---- errors ------------------------------------------------------------------------------------- */

typedef enum spmv_status {
    SPMV_OK = 0,
    SPMV_BAD_ARGUMENT, /* a null or misaligned pointer, a number out of range, x and y overlap */
    SPMV_BAD_MATRIX,   /* offsets that fall or do not end at nnz, a row or column out of range or triangle */
    SPMV_NO_MEMORY,    /* of the host or of the card */
    SPMV_NO_GPU,       /* built without one, or none is there */
    SPMV_GPU_ERROR     /* a CUDA call failed */
} spmv_status_t;

/* A few words for a status, also for numbers that are none. */
const char *spmv_status_text(spmv_status_t status);

/* One line on the last call of this thread that did not return SPMV_OK; "" if there was none.  Each thread has its
 * own, to read until its next call fails. */
const char *spmv_last_error(void);

/* ---- the matrix --------------------------------------------------------------------------------- */

/* Values of A.  x, y and all sums are double beside SPMV_F64 and SPMV_F32_F64, which is float in A, and float beside
 * the others. */
typedef enum spmv_type { SPMV_F32 = 0, SPMV_F64 = 1, SPMV_F16 = 2, SPMV_BF16 = 3, SPMV_F32_F64 = 4 } spmv_type_t;

/* Where the arrays of A are. */
typedef enum spmv_memory { SPMV_HOST = 0, SPMV_DEVICE = 1 } spmv_memory_t;

/* A in CSR.  Row r holds the nonzeros row_offsets[r] .. row_offsets[r + 1] - 1; columns in any order, may repeat.
 * Each array is aligned to its element type and no more; arrays without elements may be NULL. */
typedef struct spmv_csr {
    int64_t rows, cols, nnz;    /* rows and cols up to 2^31 - 1 */
    spmv_type_t value_type;
    int offset_bits;            /* 32 (nnz up to 2^31 - 1) or 64 */
    spmv_memory_t memory;
    const void *row_offsets;    /* [rows + 1] int32_t or int64_t, from 0 to nnz */
    const int32_t *col_indices; /* [nnz] from 0 to cols - 1 */
    const void *values;         /* [nnz] of value_type; half and bfloat16 as 16-bit words */
} spmv_csr_t;

/* Other forms.  CSR and CSC differ in what `offsets` counts; COO has a row and a column for each nonzero, in any
 * order. */
typedef enum spmv_format { SPMV_CSR = 0, SPMV_CSC = 1, SPMV_COO = 2 } spmv_format_t;

/* What is given of A: all; or A is symmetric, and this is one triangle of it with the diagonal. */
typedef enum spmv_part { SPMV_ALL = 0, SPMV_LOWER = 1, SPMV_UPPER = 2 } spmv_part_t;

/* A matrix in any of them, for spmv_create_from().  A nonzero that occurs several times counts as often: values of the
 * same place add up in the product, and stay single for spmv_update_values().  All zero but for sizes and arrays is
 * CSR from 0 on, all of it. */
typedef struct spmv_matrix {
    spmv_format_t format;
    spmv_part_t part;
    int index_base;             /* 0 or 1: offsets and indices count from there */
    int64_t rows, cols, nnz;    /* nnz: what is given */
    spmv_type_t value_type;
    int offset_bits;            /* 32 or 64; SPMV_COO: not looked at */
    spmv_memory_t memory;
    const void *offsets;        /* SPMV_CSR [rows + 1], SPMV_CSC [cols + 1]; SPMV_COO: not looked at */
    const int32_t *row_indices; /* SPMV_CSC, SPMV_COO [nnz] */
    const int32_t *col_indices; /* SPMV_CSR, SPMV_COO [nnz] */
    const void *values;         /* [nnz] of value_type */
    int reserved[4];            /* 0 */
} spmv_matrix_t;

/* ---- options ------------------------------------------------------------------------------------ */

typedef enum spmv_backend {
    SPMV_BACKEND_AUTO = 0, /* where the arrays are: host arrays CPU, device arrays GPU */
    SPMV_BACKEND_CPU = 1,  /* host arrays; x and y in host memory */
    SPMV_BACKEND_GPU = 2   /* device arrays, or host arrays that create copies to the card; x and y on the card */
} spmv_backend_t;

typedef enum spmv_setup {
    SPMV_SETUP_PLAN = 0, /* look at the matrix, store it anew where that is faster: for many executes */
    SPMV_SETUP_NONE = 1, /* use the CSR arrays as they are: for a few */
    SPMV_SETUP_LOOK = 2  /* the same, with a look first on the card: one pass over row_offsets and a sample of the
                            columns (tens of us), and the kernel for it.  On the CPU as SPMV_SETUP_NONE */
} spmv_setup_t;

/* All zero is the default. */
/* How a program lends the CPU back end its own threads: calls work(work_context, part) for part = 0 .. parts - 1, each
 * once, in any order, on any threads, and returns when all are done. */
typedef void (*spmv_run_t)(void *run_context, int parts, void (*work)(void *work_context, int part),
                           void *work_context);

typedef struct spmv_options {
    spmv_backend_t backend;
    spmv_setup_t setup;
    int copy;          /* 0: A's arrays are borrowed and must stay as they are until spmv_destroy.  1: copied */
    int deterministic; /* 1: the same plan gives the same bits each time.  (In this version it always does.) */
    int check;         /* 1: offsets and columns of device arrays are checked (host arrays always are) */
    int exclusive;     /* 1: you promise that executes of this plan never overlap in time (one stream, or ordered
                          streams).  A GPU plan may then keep scratch memory, which some matrices like */
    int tune;          /* 1: create times candidates on this machine and keeps the fastest; only with SPMV_SETUP_PLAN.
                          There must be memory for two plans */
    int threads;       /* CPU: at most that many; 0: as many as OpenMP has when the plan is created, in a program that
                          has OpenMP; else OMP_NUM_THREADS, else the processors at hand */
    spmv_run_t run;    /* CPU: NULL: the library's threads.  Else yours: in a program whose own threads wait for work
                          without sleeping, as OpenMP's do, the library's would have to wait for a processor */
    void *run_context; /* for run, as long as the plan is there */
    int many;          /* spmv_execute_many will be called: 1, or for how many columns at most.  A GPU plan that is
                          `exclusive` then keeps memory for it, above all `many` columns of x (32 at most, for 1 also)
                          if they can be had: it cuts huge rows and takes X column after column nearly as fast as row
                          after row.  Any plan takes the call, with any number of columns */
    int transpose;     /* 1: a plan for A^T.  x is as long as A has rows then, y as A has columns */
    int values;        /* 1: create, and each spmv_update_values, look at the values too, and a plan stores them in
                          fewer bytes where they are few, are narrower numbers, or are the same on both sides of the
                          main diagonal.  The bits of every y are those of the plan without (of a NaN, which NaN aside).
                          Only with SPMV_SETUP_PLAN */
    short reorder;     /* 1: create looks for a better order of the rows and columns of a square matrix, reverse
                          Cuthill-McKee on the pattern of A + A^T, on the host (0.1 us a nonzero, and 16 bytes), and
                          stores A in it where the sectors of x that this saves are worth two vectors to permute in each
                          product; the plan holds these.  For meshes whose points came in no order.  x and y stay in
                          yours.  Columns of spmv_execute_many come one by one.  Device arrays are checked.
                          spmv_describe() says what came of it.  Only with SPMV_SETUP_PLAN and `exclusive`, on the CPU,
                          too, and up to 2^29 nonzeros */
    signed char beside;   /* 1: kernels of yours shall run beside an execute, an exchange between cards for instance: a
                          GPU plan then leaves some multiprocessors a place, where else its blocks would fill the card
                          for as long as they run.  It is a little slower so */
    signed char reserved; /* 0.  (All three were one int before 1.5.) */
} spmv_options_t;

/* ---- plans -------------------------------------------------------------------------------------- */

typedef struct spmv_plan spmv_plan_t;

/* A plan for A, to be ended by spmv_destroy(); NULL options are all default.  A and options themselves are not kept.
 * Work on the card is ordered on `stream`, which may not be captured, and create waits for it: once it returns, any
 * stream may use the plan.  On an error, any of spmv_status_t, *plan is NULL and nothing stays allocated. */
spmv_status_t spmv_create(spmv_plan_t **plan, const spmv_csr_t *A, const spmv_options_t *options, void *stream);

/* The same for a matrix in any form.  CSR from 0 on, and CSC from 0 on with `transpose` (which is CSR of A^T), are used
 * as they are.  All else is stored anew as CSR: the plan then owns what it multiplies, A's arrays may go when create
 * returns, and beside values, columns and offsets it holds 4 bytes (8 from 2^31 nonzeros on) for each nonzero to find
 * new values by, from host arrays for the card on the host, and a copy of the values there.  A triangle becomes both,
 * so it is the bytes of the whole matrix that are multiplied.  Device arrays are checked, and stored anew on the card,
 * which takes about 25 bytes a nonzero, 50 of a triangle, while create runs.  Host arrays, and device arrays of 2^30
 * nonzeros and more, whose indices are fetched, are stored anew on the host, on the calling thread. */
spmv_status_t spmv_create_from(spmv_plan_t **plan, const spmv_matrix_t *A, const spmv_options_t *options, void *stream);

/* y = alpha A x + beta y.  With beta 0 y is not read (NaN in it is harmless); with alpha 0 neither A nor x is, and x
 * may be NULL.  x [cols] and y [rows] are double or float (spmv_type_t), aligned to their elements, where the back end
 * works: host memory or the card's, which is not checked.  They may not overlap.  alpha and beta are rounded to float
 * where y is float.  On the CPU y is there when it returns.  On the card it only launches kernels on `stream`: no wait,
 * no allocation, so it may be captured in a CUDA graph.  Several threads and several streams may execute one plan at
 * once (unless `exclusive` was promised); the plan does not change.
 * SPMV_BAD_ARGUMENT: nothing was done.  SPMV_GPU_ERROR: a launch failed, y is undefined; errors of running kernels
 * come from CUDA, as always, at a later call. */
spmv_status_t spmv_execute(const spmv_plan_t *plan, double alpha, const void *x, double beta, void *y, void *stream);

/* How the elements of several vectors stand: element j of row i is at [i * ld + j], or at [i + j * ld]. */
typedef enum spmv_order { SPMV_ROW_MAJOR = 0, SPMV_COL_MAJOR = 1 } spmv_order_t;

/* Y = alpha A X + beta Y for k right-hand sides, in one pass over A for up to 32 of them.  X [cols x k] and Y [rows x
 * k] stand in `order`; ldx and ldy are in elements, and at least k (SPMV_ROW_MAJOR), or cols and rows.  What stands
 * between rows or columns is neither read nor written.  k 0: nothing is done.  All else is as spmv_execute() says;
 * overlap is asked of everything from the first element to the last. */
spmv_status_t spmv_execute_many(const spmv_plan_t *plan, int k, spmv_order_t order, double alpha, const void *X,
                                int64_t ldx, double beta, void *Y, int64_t ldy, void *stream);

/* New values in the old places: nnz of them, in the order of A, in the memory of A.  The plan does as if it had been
 * created with them; borrowed values are borrowed anew, and may be the array of before with other numbers in it.
 * Ordered on `stream`; from host arrays, and with the CPU back end, done when it returns.  Not at the same time as
 * an execute of this plan.  A captured graph sees new numbers in the same array; after a change of array it must
 * be captured again.  Errors are those of spmv_execute(); after SPMV_GPU_ERROR the plan's values are undefined.
 * A plan with the option `values` looks at them again: it waits for the stream, may take memory (SPMV_NO_MEMORY: its
 * values are undefined), and graphs must be captured again. */
spmv_status_t spmv_update_values(spmv_plan_t *plan, const void *values, void *stream);

/* What was chosen and why, a few lines for people, into text[size]; always ends in a 0 byte, cut if that is too small.
 * SPMV_BAD_ARGUMENT if a pointer is NULL or `size` 0. */
spmv_status_t spmv_describe(const spmv_plan_t *plan, char *text, size_t size);

/* Which back end it was: SPMV_BACKEND_CPU or SPMV_BACKEND_GPU.  SPMV_BACKEND_AUTO for NULL. */
spmv_backend_t spmv_backend_of(const spmv_plan_t *plan);

/* Bytes of memory the plan holds, of host and card together, borrowed arrays not counted.  0 for NULL. */
size_t spmv_bytes(const spmv_plan_t *plan);

/* Ends a plan; no execute of it may be running, on the card neither: it may be freed under a kernel.  Takes NULL. */
void spmv_destroy(spmv_plan_t *plan);

/* Memory of a card that plans have given back is kept for the next plan, up to 256 MB on each card, for a set-up waits
 * long for new memory.  This gives back to the driver what the current card keeps; without a card it does nothing. */
void spmv_trim(void);

#ifdef __cplusplus
}
#endif
#endif
