/* pad.c - the matrix of v5: every row is padded so that the next row begins aligned. */
#include <stdlib.h>
#include <string.h>

#include "spmv_vector.h"

int spmv_vector_pad(csr_arrays_t *out, const csr_arrays_t *A, unsigned multiple, err_t *err)
{
    const size_t value_size = dtype_size(A->value_type);
    const int32_t *from = A->row_offsets;
    *out = *A;
    out->nnz = 0;
    for (size_t r = 0; r < A->rows; ++r)
        out->nnz += ((size_t)(from[r + 1] - from[r]) + multiple - 1) / multiple * multiple;
    int32_t *to = malloc((A->rows + 1) * sizeof *to);
    out->row_offsets = to;
    out->col_indices = malloc((out->nnz + 1) * sizeof *out->col_indices);
    out->values = calloc(out->nnz + 1, value_size);
    if (!to || !out->col_indices || !out->values) {
        csr_arrays_free(out);
        return err_set(err, "out of memory for a padded matrix of %zu entries", out->nnz);
    }
    to[0] = 0;
    for (size_t r = 0; r < A->rows; ++r) {
        const size_t length = (size_t)(from[r + 1] - from[r]), padded = (length + multiple - 1) / multiple * multiple;
        memcpy(out->col_indices + to[r], A->col_indices + from[r], length * sizeof *out->col_indices);
        memcpy((char *)out->values + (size_t)to[r] * value_size, (char *)A->values + (size_t)from[r] * value_size,
               length * value_size);
        for (size_t k = length; k < padded; ++k) out->col_indices[(size_t)to[r] + k] = -1;
        to[r + 1] = to[r] + (int32_t)padded;
    }
    return 0;
}
