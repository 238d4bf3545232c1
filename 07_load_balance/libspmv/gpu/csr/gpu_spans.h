/* gpu_spans.h - the CSR arrays as they are: lanes on each row (gpu_rows.cu), equal spans (gpu_spans.cu), or equal
 * pieces of long rows (gpu_long.cu). */
#ifndef SPMV_GPU_SPANS_H
#define SPMV_GPU_SPANS_H

#include <cuda_runtime_api.h>

#include "gpu_engine.h"

/* Block size of rows_run, spans_run and mixed_run. */
enum { CSR_THREADS = 256, CSR_WARPS = CSR_THREADS / 32 };

/* One execute. */
typedef struct gpu_call {
    double alpha, beta;
    const void *x;
    void *y;
    void *stream;
} gpu_call_t;

#define SPANS_NO_LIMIT ((uint64_t)1 << 62)

/* The sequence of all rows and nonzeros (rows + nnz items) is cut into `large` spans of `span` items; spans of `small`
 * items follow. */
typedef struct cuts {
    uint32_t span, large, small;
} cuts_t;

typedef struct spans {
    uint32_t warps; /* one for each span */
    cuts_t cuts;    /* spans_run: of rows and nonzeros; long_run: of nonzeros only, all spans equal */
    uint64_t limit; /* a row that reaches further into other spans is cut; with SPANS_NO_LIMIT no row is */
    void *scratch;  /* device memory of spans_scratch_bytes(), 0 at first; NULL with SPANS_NO_LIMIT */
} spans_t;

/* Each of the functions below makes one launch on the call's stream.  rows_run: a vector of lanes takes each row, as
 * many lanes as load `reach` nonzeros at once; warps take the rest of longer rows.  spans_run and long_run read x, so
 * alpha may not be 0; long_run needs scratch memory. */
cudaError_t rows_run(unsigned reach, const gpu_csr_t *A, const gpu_call_t *c);

size_t spans_scratch_bytes(uint32_t warps, spmv_type_t type);
cudaError_t spans_run(const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c);
cudaError_t long_run(const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c);

/* mixed_run: `width` lanes take each row (mixed_width() returns as many as load `reach` nonzeros at once).  If the rows
 * of a block have more than `heavy` rows and nonzeros, spans take them.  All spans have the same length, at most
 * `heavy`. */
unsigned mixed_width(unsigned reach);
cudaError_t mixed_run(unsigned width, uint32_t heavy, const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c);

#endif
