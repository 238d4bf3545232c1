/*
 * gpu_table.h - if few different values occur, makes a table of them, and for each value its place in the table, one
 * byte; for plans with the option `values`.  Not installed.
 *
 * The kernels copy the table to shared memory (gpu_slices.cu).
 */
#ifndef SPMV_GPU_TABLE_H
#define SPMV_GPU_TABLE_H

#include <cuda_runtime_api.h>

#include "spmv_sizes.h"

enum { TABLE_MOST = 256 }; /* values: places have 8 bits */

/* From this number of bytes of values on a table is made; for fewer bytes the wait for the table costs more.  (Tests
 * set the number for small matrices.) */
extern size_t gpu_table_least;

/* Makes the table of count > 0 values of SPMV_F32 or SPMV_F64, in the order of their bits, and the place of each value,
 * in new memory; both are NULL if more than TABLE_MOST values occur.  Bits are compared.  Waits for the stream. */
cudaError_t gpu_table_make(void **d_places, void **d_table, uint32_t *table_count, const void *d_values, uint64_t count,
                           spmv_type_t type, cudaStream_t stream);
/* Writes the values themselves to new memory; does not wait for the stream. */
cudaError_t gpu_table_values(void **d_values, const void *d_places, const void *d_table, uint64_t count,
                             spmv_type_t type, cudaStream_t stream);

#endif
