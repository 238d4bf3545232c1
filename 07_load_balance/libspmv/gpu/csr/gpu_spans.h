/* gpu_spans.h - the CSR arrays as they are: lanes on each row (gpu_rows.cu), equal spans (gpu_spans.cu), or equal
 * pieces of long rows (gpu_long.cu). */
#ifndef SPMV_GPU_SPANS_H
#define SPMV_GPU_SPANS_H

#include <cuda_runtime_api.h>

#include "gpu_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a block by rows, spans, or both. */
enum { CSR_THREADS = 256, CSR_WARPS = CSR_THREADS / 32 };

/* One execute. */
typedef struct gpu_call {
    double alpha, beta;
    const void *x;
    void *y;
    void *stream;
} gpu_call_t;

#define SPANS_NO_LIMIT ((uint64_t)1 << 62)

/* How a line is cut: `large` spans of `span` places each, behind them as many of `small` as are needed. */
typedef struct cuts {
    uint32_t span, large, small;
} cuts_t;

typedef struct spans {
    uint32_t warps; /* one for each span */
    cuts_t cuts;    /* of the line of rows and nonzeros; of long rows: of the nonzeros, and all alike */
    uint64_t limit; /* a row that reaches further than this into other spans is cut; SPANS_NO_LIMIT: none is */
    void *scratch;  /* device memory of spans_scratch_bytes(), 0 at first; NULL with SPANS_NO_LIMIT */
} spans_t;

/* One launch on the call's stream each.
 * rows_run: a vector of lanes on each row, as many as have `reach` nonzeros on the way at once; a warp on
 * what is left of longer rows, or where that is much the whole block.  spans_run, long_run: alpha is not 0 (they read
 * x); long_run has scratch memory. */
cudaError_t rows_run(unsigned reach, const gpu_csr_t *A, const gpu_call_t *c);

size_t spans_scratch_bytes(uint32_t warps, spmv_type_t type);
cudaError_t spans_run(const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c);
cudaError_t long_run(const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c);

/* mixed_run: `width` lanes on each row (mixed_width: as many as have `reach` nonzeros on the way at once), but the rows
 * of a block that have more than `heavy` rows and nonzeros are taken by spans: none longer than `heavy`, all alike. */
unsigned mixed_width(unsigned reach);
cudaError_t mixed_run(unsigned width, uint32_t heavy, const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c);

#ifdef __cplusplus
}
#endif
#endif
