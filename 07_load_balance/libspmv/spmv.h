/*
 * spmv.h - libspmv: y = alpha A x + beta y, A a sparse matrix in CSR, on an NVIDIA GPU or on the CPU.
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
 * Plain C99; needs no CUDA header.  `stream` is a cudaStream_t (NULL: the default stream); the CPU back end ignores
 * it.  The GPU is CUDA's current device; the device of spmv_create must be current in all calls with its plan.
 * Nothing here prints, exits or aborts.
 *
 * All plans of the CPU back end share the library's threads.  They are created when a plan first needs them, live as
 * long as the program, and handle no signals.  If the system refuses a thread, the library continues with fewer, down
 * to the calling thread alone.  After fork the child may use its CPU plans and create new ones; it gets new threads.
 * It may not use the GPU.
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

/* Returns the version of the linked library, for example "1.5.0".  All texts returned by functions of this file are
 * constant strings, except that of spmv_last_error(). */
const char *spmv_version(void);

/* ---- errors ------------------------------------------------------------------------------------- */

typedef enum spmv_status {
    SPMV_OK = 0,
    SPMV_BAD_ARGUMENT, /* a null or misaligned pointer, a number out of range, x and y overlap */
    SPMV_BAD_MATRIX,   /* offsets that decrease or do not end at nnz, a row or column out of range or triangle */
    SPMV_NO_MEMORY,    /* the host's or the GPU's memory is short */
    SPMV_NO_GPU,       /* the library was built without CUDA, or the machine has no GPU */
    SPMV_GPU_ERROR     /* a CUDA call failed */
} spmv_status_t;

/* Returns a short text for a status, also for numbers that are no status. */
const char *spmv_status_text(spmv_status_t status);

/* Returns one line about the last call of this thread that did not return SPMV_OK; "" if there was none.  The text is
 * valid until the next call of this thread fails. */
const char *spmv_last_error(void);

/* ---- the matrix --------------------------------------------------------------------------------- */

/* The type of A's values.  x, y and all sums are double for SPMV_F64 and for SPMV_F32_F64 (float in A), and float for
 * the other types. */
typedef enum spmv_type { SPMV_F32 = 0, SPMV_F64 = 1, SPMV_F16 = 2, SPMV_BF16 = 3, SPMV_F32_F64 = 4 } spmv_type_t;

/* Where the arrays of A are. */
typedef enum spmv_memory { SPMV_HOST = 0, SPMV_DEVICE = 1 } spmv_memory_t;

/* A in CSR.  Row r holds the nonzeros row_offsets[r] .. row_offsets[r + 1] - 1.  The columns of a row may have any
 * order and repeat.  Each array needs only the alignment of its element type; arrays without elements may be NULL. */
typedef struct spmv_csr {
    int64_t rows, cols, nnz;    /* rows and cols up to 2^31 - 1 */
    spmv_type_t value_type;
    int offset_bits;            /* 32 (nnz up to 2^31 - 1) or 64 */
    spmv_memory_t memory;
    const void *row_offsets;    /* [rows + 1] int32_t or int64_t, from 0 to nnz */
    const int32_t *col_indices; /* [nnz] from 0 to cols - 1 */
    const void *values;         /* [nnz] of value_type; half and bfloat16 as 16-bit words */
} spmv_csr_t;

/* Input formats.  The offsets are those of rows in CSR and of columns in CSC; COO has a row and a column for each
 * nonzero, in any order. */
typedef enum spmv_format { SPMV_CSR = 0, SPMV_CSC = 1, SPMV_COO = 2 } spmv_format_t;

/* Which part of A is given: all of it, or one triangle with the diagonal of a symmetric A. */
typedef enum spmv_part { SPMV_ALL = 0, SPMV_LOWER = 1, SPMV_UPPER = 2 } spmv_part_t;

/* A matrix in any of these formats, for spmv_create_from().  Duplicate entries (same row and column) add up in the
 * product, and stay separate for spmv_update_values().  If all members except sizes and arrays are zero, it is a whole
 * matrix in CSR with indices from 0. */
typedef struct spmv_matrix {
    spmv_format_t format;
    spmv_part_t part;
    int index_base;             /* 0 or 1: offsets and indices count from there */
    int64_t rows, cols, nnz;    /* nnz counts the part that is given */
    spmv_type_t value_type;
    int offset_bits;            /* 32 or 64; SPMV_COO: ignored */
    spmv_memory_t memory;
    const void *offsets;        /* SPMV_CSR [rows + 1], SPMV_CSC [cols + 1]; SPMV_COO: ignored */
    const int32_t *row_indices; /* SPMV_CSC, SPMV_COO [nnz] */
    const int32_t *col_indices; /* SPMV_CSR, SPMV_COO [nnz] */
    const void *values;         /* [nnz] of value_type */
    int reserved[4];            /* 0 */
} spmv_matrix_t;

/* ---- options ------------------------------------------------------------------------------------ */

typedef enum spmv_backend {
    SPMV_BACKEND_AUTO = 0, /* the CPU for host arrays, the GPU for device arrays */
    SPMV_BACKEND_CPU = 1,  /* host arrays; x and y in host memory */
    SPMV_BACKEND_GPU = 2   /* device arrays, or host arrays that create copies to the GPU; x and y on the GPU */
} spmv_backend_t;

typedef enum spmv_setup {
    SPMV_SETUP_PLAN = 0, /* inspect the matrix, store it in another format if that is faster: for many executes */
    SPMV_SETUP_NONE = 1, /* use the CSR arrays as they are: for a few executes */
    SPMV_SETUP_LOOK = 2  /* use the CSR arrays with the kernel that an inspection on the GPU chooses: one pass over
                            row_offsets and a sample of the columns, about 0.1 ms.  From a million nonzeros on 0.6 to
                            1.6 ms, because two kernels may be timed.  On the CPU as SPMV_SETUP_NONE */
} spmv_setup_t;

/* How a program lends its own threads to the CPU back end: the function calls work(work_context, part) once for each
 * part = 0 .. parts - 1, in any order, on any threads, and returns when all are done. */
typedef void (*spmv_run_t)(void *run_context, int parts, void (*work)(void *work_context, int part),
                           void *work_context);

/* All zero is the default. */
typedef struct spmv_options {
    spmv_backend_t backend;
    spmv_setup_t setup;
    int copy;          /* 0: A's arrays are borrowed and must stay unchanged until spmv_destroy.  1: copied */
    int deterministic; /* 1: the same plan gives the same bits each time (in this version it always does), and
                           without `tune` no kernel is timed, so that the same matrix has the same plan */
    int check;         /* 1: offsets and columns of device arrays are checked (host arrays always are) */
    int exclusive;     /* 1: you promise that executes of this plan never overlap in time (one stream, or ordered
                          streams).  A GPU plan may then keep scratch memory, which makes some matrices faster */
    int tune;          /* 1: create times candidates on this machine and keeps the fastest; only with SPMV_SETUP_PLAN.
                          Needs memory for two plans */
    int threads;       /* CPU: the largest number of threads.  0: as many as OpenMP has when the plan is created, in a
                          program with OpenMP; else OMP_NUM_THREADS, else one per processor */
    spmv_run_t run;    /* CPU: your function that runs the parts; NULL: the library's threads do.  Lend your threads if
                          they spin while they wait, as OpenMP's do: otherwise both compete for the processors */
    void *run_context; /* passed to run; must live as long as the plan */
    int many;          /* not 0: spmv_execute_many will be called, with at most so many columns (1: with any number).
                          An `exclusive` GPU plan then keeps memory for it if it gets it, above all for `many` columns
                          of x (at most 32; 32 for 1): it splits very long rows, and a column-major X is nearly as fast
                          as a row-major one.  Every plan accepts the call, with any number of columns */
    int transpose;     /* 1: a plan for A^T.  Then x has A's rows as its length, and y has A's columns */
    int values;        /* 1: create and each spmv_update_values inspect the values too.  A plan stores them in fewer
                          bytes if they take few different values, fit a narrower type, or are the same on both
                          sides of the main diagonal.  Every y has the same bits as without the option (a NaN may be
                          another NaN).  Only with SPMV_SETUP_PLAN */
    short reorder;     /* 1: create searches for a better order of the rows and columns of a square matrix: reverse
                          Cuthill-McKee on the pattern of A + A^T, on the host (0.1 us and 16 bytes per nonzero).  The
                          plan stores A in that order if it saves more sectors of x than permuting two vectors in each
                          product costs; the plan holds these vectors.  It helps meshes with unordered points.  x and y
                          keep your order.  spmv_execute_many takes columns one by one.  Device arrays are checked.
                          spmv_describe() reports the decision.  Needs SPMV_SETUP_PLAN, `exclusive` and at most 2^29
                          nonzeros, also on the CPU */
    signed char beside;   /* 1: your own kernels will run at the same time as an execute, for example an exchange
                          between GPUs.  A GPU plan then leaves room on some multiprocessors, instead of filling the GPU
                          with blocks that stay to the end.  The plan is a little slower */
    signed char reserved; /* 0.  (Before 1.5 the last three members were one int.) */
} spmv_options_t;

/* ---- plans -------------------------------------------------------------------------------------- */

typedef struct spmv_plan spmv_plan_t;

/* What create costs on a GPU: the median of single calls on an H200 (102 matrices, fp32 and fp64, `exclusive`, arrays
 * in its memory; plots/data/h200/07_load_balance_bars.tsv), in brackets the 95th percentile.  The unit `products` is
 * the time of one product of the plan, L2 cold.  Bytes (61 matrices) are the memory of the plan divided by that of A's
 * CSR arrays, which a plan without `copy` also needs for new values; in brackets the largest ratio.
 *
 *     nonzeros              us        products  plan's bytes   SPMV_SETUP_LOOK, us
 *     to 100,000            210        44 (55)   1.05 (1.7)       75
 *     to 1 million          270        36 (53)   0.98 (1.4)      100
 *     to 4 million          490        33 (48)   0.73 (1.1)      610
 *     to 20 million        1200        38 (55)   0.75 (1.4)      470
 *     more                 3200        33 (48)   0.67 (0.7)      190
 *
 * With `tune` create builds and times all variants of plans: 7 to 180 ms. */
/* Creates a plan for A; spmv_destroy() frees it.  NULL for options means the defaults.  The structs A and options are
 * not kept.  Work on the GPU is ordered on `stream`, which must not be captured, and create waits for it: afterwards
 * any stream may use the plan.  On any error *plan is NULL and nothing stays allocated. */
spmv_status_t spmv_create(spmv_plan_t **plan, const spmv_csr_t *A, const spmv_options_t *options, void *stream);

/* The same for a matrix in any format.  CSR from 0, and CSC from 0 with `transpose` (which is CSR of A^T), are used in
 * place.  Every other input is converted to CSR arrays of the plan, and A's arrays may be freed when create returns.
 * Beside values, columns and offsets the plan holds a map for new values, 4 bytes per nonzero (8 from
 * 2^31 nonzeros on); for host arrays with a GPU plan the map and a copy of the values are on the host.  A triangle is
 * expanded to both, so a product reads the bytes of the whole matrix.  Device arrays are checked and converted on the
 * GPU, which needs about 25 bytes per nonzero, 50 for a triangle, while create runs.  Host arrays, and device arrays
 * with 2^30 nonzeros or more (their indices are copied to the host), are converted by the calling thread there. */
spmv_status_t spmv_create_from(spmv_plan_t **plan, const spmv_matrix_t *A, const spmv_options_t *options, void *stream);

/* Computes y = alpha A x + beta y.  If beta is 0, y is not read (NaN in it is harmless); if alpha is 0, A and x are
 * not, and x may be NULL.  x [cols] and y [rows] are double or float (spmv_type_t), aligned to their elements, in the
 * memory of the back end: the host's or the GPU's, which is not checked.  They must not overlap.  alpha and beta are
 * rounded to float if y is float.  On the CPU y is ready on return.  On the GPU the call only launches kernels on
 * `stream` and neither waits nor allocates, so a CUDA graph may capture it.  Several threads and several streams may
 * execute one plan at once (unless `exclusive` was promised); the plan does not change.  SPMV_BAD_ARGUMENT: nothing was
 * done.  SPMV_GPU_ERROR: a launch failed, y is undefined; errors of running kernels come from CUDA, as always, at a
 * later call. */
spmv_status_t spmv_execute(const spmv_plan_t *plan, double alpha, const void *x, double beta, void *y, void *stream);

/* How several vectors are stored: element j of row i is at [i * ld + j], or at [i + j * ld]. */
typedef enum spmv_order { SPMV_ROW_MAJOR = 0, SPMV_COL_MAJOR = 1 } spmv_order_t;

/* Computes Y = alpha A X + beta Y for k right-hand sides, in one pass over A per 32 of them.  X [cols x k] and Y [rows
 * x k] are stored in `order`; ldx and ldy count elements and are at least k (SPMV_ROW_MAJOR), or cols and rows.  Gaps
 * between rows or columns are neither read nor written.  With k = 0 nothing is done.  Otherwise as spmv_execute(); X
 * and Y must not overlap anywhere from the first element to the last. */
spmv_status_t spmv_execute_many(const spmv_plan_t *plan, int k, spmv_order_t order, double alpha, const void *X,
                                int64_t ldx, double beta, void *Y, int64_t ldy, void *stream);

/* Replaces the values: nnz new ones, in the order of A and in the same memory (host or GPU).  Afterwards the plan is as
 * if it had been created with them.  A plan that borrows its values then borrows these; `values` may be the old array.
 * The work is ordered on `stream`; with host arrays, and with the CPU back end, it is done on return.  The call must
 * not run at the same time as an execute of this plan.  A captured graph uses new numbers in the same array; after a
 * change of array it must be captured again.  Errors are those of spmv_execute(); after SPMV_GPU_ERROR the plan's
 * values are undefined.  A plan with the option `values` inspects them again: it waits for the stream, may allocate
 * memory (SPMV_NO_MEMORY: its values are undefined), and graphs must be captured again. */
spmv_status_t spmv_update_values(spmv_plan_t *plan, const void *values, void *stream);

/* Writes a few readable lines about the kernel and why it was chosen into text[size]: cut to fit, and always
 * 0-terminated.  Returns SPMV_BAD_ARGUMENT if a pointer is NULL or `size` is 0. */
spmv_status_t spmv_describe(const spmv_plan_t *plan, char *text, size_t size);

/* Returns the plan's back end: SPMV_BACKEND_CPU or SPMV_BACKEND_GPU; SPMV_BACKEND_AUTO for NULL. */
spmv_backend_t spmv_backend_of(const spmv_plan_t *plan);

/* Returns the bytes of memory that the plan holds, host and GPU together, without borrowed arrays; 0 for NULL. */
size_t spmv_bytes(const spmv_plan_t *plan);

/* Frees a plan.  No execute of the plan may be running, in a thread or on the GPU: a kernel would use freed memory.
 * Accepts NULL. */
void spmv_destroy(spmv_plan_t *plan);

/* Returns the kept memory of the current GPU to the driver.  (The library keeps freed memory of plans for the next
 * plan, up to 256 MB on each GPU, because allocation takes a large part of a set-up.)  Does nothing without a GPU. */
void spmv_trim(void);

#ifdef __cplusplus
}
#endif
#endif
