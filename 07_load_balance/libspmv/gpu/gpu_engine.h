/*
 * gpu_engine.h - the interface of the GPU back end for the files plan*.c.  Not installed.
 *
 * plan.c has checked every argument before: types, sizes, alignment, overlap.  A's arrays are device memory that
 * outlives the engine.
 */
#ifndef SPMV_GPU_ENGINE_H
#define SPMV_GPU_ENGINE_H

#include "gpu_choice.h"
#include "spmv_sizes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef spmv_csr_t gpu_csr_t; /* memory == SPMV_DEVICE */
typedef struct gpu_engine gpu_engine_t;

/* VARIANT_BY_RULE: the rule's variant.  May wait for the stream.  Leaves *engine NULL and nothing allocated on an
 * error. */
spmv_status_t gpu_engine_create(gpu_engine_t **engine, const gpu_csr_t *A, const spmv_options_t *options,
                                gpu_variant_t variant, void *stream);
/* Return the features that the rule used, and the variant that was picked. */
const gpu_features_t *gpu_engine_features(const gpu_engine_t *engine);
gpu_variant_t gpu_engine_variant(const gpu_engine_t *engine);

/* Launches only.  rows > 0.  With beta 0, y is not read; with alpha 0, x is not read and may be NULL.  If a launch
 * fails, gpu_reason() returns the text of the CUDA error. */
spmv_status_t gpu_engine_execute(const gpu_engine_t *engine, double alpha, const void *d_x, double beta, void *d_y,
                                 void *stream);

/* The same for k > 0 right-hand sides: element (i, j) of X is x[i * ldx + j], or x[i + j * ldx] with by_columns; Y
 * likewise. */
typedef struct gpu_many {
    double alpha, beta;
    int k;
    bool by_columns;
    const void *x;
    int64_t ldx;
    void *y;
    int64_t ldy;
    void *stream;
} gpu_many_t;
spmv_status_t gpu_engine_execute_many(const gpu_engine_t *engine, const gpu_many_t *call);

/* Takes new values of A, in device memory that outlives the engine: from now on A->values is d_values. */
spmv_status_t gpu_engine_update(gpu_engine_t *engine, const void *d_values, void *stream);

/* Writes lines that end in '\n', with a terminating 0, cut at `size`. */
void gpu_engine_describe(const gpu_engine_t *engine, char *text, size_t size);

size_t gpu_engine_bytes(const gpu_engine_t *engine); /* device and host memory the engine allocated */
void gpu_engine_destroy(gpu_engine_t *engine);       /* takes NULL */

/* ---- device memory for plan*.c (gpu_memory.c) ----------------------------------------------------- */

/* Returns SPMV_OK if the machine has a GPU. */
spmv_status_t gpu_present(void);

/* Makes a device copy of `bytes` at source; the copy is ordered on the stream.  0 bytes give NULL. */
spmv_status_t gpu_copy_in(void **d, const void *source, size_t bytes, spmv_memory_t memory, void *stream);
/* The same into memory that is already allocated. */
spmv_status_t gpu_copy_over(void *d, const void *source, size_t bytes, spmv_memory_t memory, void *stream);
/* Copies to host memory and waits for it. */
spmv_status_t gpu_copy_out(void *host, const void *d, size_t bytes, void *stream);
/* Allocates device memory. */
spmv_status_t gpu_room(void **d, size_t bytes, void *stream);
/* Computes values[i] = source[places[i]]: as many values as A has, and of its type; places have the bits of its
 * offsets. */
spmv_status_t gpu_gather(void *d_values, const void *d_source, const void *d_places, const gpu_csr_t *A, void *stream);

/* x and y of a matrix whose rows and columns were renumbered (gpu_permute.cu); all on the GPU. */
typedef struct gpu_permute {
    uint32_t n;
    const int32_t *rows, *places; /* [n] as order.h has them */
    void *x, *y;                  /* [n] P x and P y */
    size_t vector_bytes;
} gpu_permute_t;
/* gpu_permute_x() computes P x from x, whose elements are `apart` elements from each other; gpu_permute_y() computes
 * y = alpha P^T (P y) + beta y, likewise.  Launches only; n > 0; errors are those of gpu_engine_execute(). */
spmv_status_t gpu_permute_x(const gpu_permute_t *p, const void *d_x, int64_t apart, void *stream);
spmv_status_t gpu_permute_y(const gpu_permute_t *p, double alpha, double beta, void *d_y, int64_t apart, void *stream);

spmv_status_t gpu_wait(void *stream);
void gpu_free(void *d); /* waits for the whole GPU first; takes NULL */
void gpu_trim(void); /* gives the freed memory that the current GPU keeps back to the driver */
/* Returns the text of the last CUDA error and clears the error. */
const char *gpu_reason(void);

#ifdef __cplusplus
}
#endif
#endif
