/* gpu_forms.h - forms.h on the GPU: converts a matrix in any form to CSR; its indices are never on the host. */
#ifndef SPMV_GPU_FORMS_H
#define SPMV_GPU_FORMS_H

#include "forms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Does what form_make() does, with the same result.  A's arrays are device memory, and so are those of *form, which
 * gpu_free() frees.  A's arrays are checked first.  SPMV_OK with *is_made false means that an array is wrong, or that
 * there are too few or too many nonzeros; then form_make() converts the matrix, or reports the error.  Waits for the
 * stream. */
spmv_status_t gpu_form_make(form_t *form, bool *is_made, const spmv_matrix_t *A, bool transpose, void *stream);

#ifdef __cplusplus
}
#endif
#endif
