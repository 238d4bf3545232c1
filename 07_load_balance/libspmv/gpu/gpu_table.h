/*
 * gpu_table.h - values as places in a table of all that occur, a byte each, where they are few; for plans that see the
 * values.  Not installed.
 *
 * The kernels have the table in shared memory (gpu_slices.cu).
 */
#ifndef SPMV_GPU_TABLE_H
#define SPMV_GPU_TABLE_H

#include <cuda_runtime_api.h>

#include "spmv_sizes.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TABLE_MOST = 256 }; /* values: places have 8 bits */

/* Bytes of values from which on a table is worth the wait for it.  (Tests want it of small matrices, too.) */
extern size_t gpu_table_least;

/* The places of count > 0 values of SPMV_F32 or SPMV_F64, and the table, in its order by bits; new memory.  NULL, NULL
 * where more values than TABLE_MOST occur.  Bits are compared.  Waits for the stream. */
cudaError_t gpu_table_make(void **d_places, void **d_table, uint32_t *table_count, const void *d_values, uint64_t count,
                           spmv_type_t type, cudaStream_t stream);
/* The values again, in new memory; not waited for. */
cudaError_t gpu_table_values(void **d_values, const void *d_places, const void *d_table, uint64_t count,
                             spmv_type_t type, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
