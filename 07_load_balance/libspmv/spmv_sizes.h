/* spmv_sizes.h - the sizes of the types of spmv.h in bytes, and access to offsets of either width.  Not installed. */
#ifndef SPMV_SIZES_H
#define SPMV_SIZES_H

#include "spmv.h"

/* These return the bytes of a value of A, of an element of x and y, and of a row offset. */
static inline size_t value_size(spmv_type_t t)
{
    return t == SPMV_F64 ? 8 : t == SPMV_F32 || t == SPMV_F32_F64 ? 4 : 2;
}
static inline size_t vector_size(spmv_type_t t) { return t == SPMV_F64 || t == SPMV_F32_F64 ? 8 : 4; }
static inline size_t offset_size(const spmv_csr_t *A) { return (size_t)A->offset_bits / 8; }

/* row_offsets[row] of host arrays. */
static inline int64_t csr_offset(const spmv_csr_t *A, int64_t row)
{
    return A->offset_bits == 64 ? ((const int64_t *)A->row_offsets)[row] : ((const int32_t *)A->row_offsets)[row];
}

/* offsets[line] of a matrix in host arrays. */
static inline int64_t matrix_offset(const spmv_matrix_t *A, int64_t line)
{
    return A->offset_bits == 64 ? ((const int64_t *)A->offsets)[line] : ((const int32_t *)A->offsets)[line];
}

#endif
