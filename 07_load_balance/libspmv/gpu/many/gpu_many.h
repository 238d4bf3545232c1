/* gpu_many.h - Y = alpha A X + beta Y on the CSR arrays as they are: a group of lanes on each row (gpu_many_rows.cu),
 * or on equal spans (gpu_many_spans.cu). */
#ifndef SPMV_GPU_MANY_H
#define SPMV_GPU_MANY_H

#include <cuda_runtime_api.h>

#include "gpu_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The widest group, and the one for X column after column: columns of Y at once. */
enum { MANY_LANES = 32, MANY_BY_COLUMNS = 8, MANY_SHORTEST_SPAN = 64 };

/* What a plan keeps for spans. */
typedef struct many {
    uint32_t threads; /* with groups of W lanes there are threads / W spans at most */
    void *scratch;    /* device memory of many_bytes(); NULL: no spans */
} many_t;

size_t many_bytes(uint32_t threads, spmv_type_t type);

/* One pass over A each, for at most MANY_LANES or MANY_BY_COLUMNS columns.  many_spans_run: alpha is not 0, and no two
 * at the same time. */
cudaError_t many_rows_run(const gpu_csr_t *A, const gpu_many_t *c);
cudaError_t many_spans_run(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c);

#ifdef __cplusplus
}
#endif
#endif
