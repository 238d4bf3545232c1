/* gpu_forms.h - forms.h on the GPU: a matrix in any form stored anew as CSR, its indices never on the host. */
#ifndef SPMV_GPU_FORMS_H
#define SPMV_GPU_FORMS_H

#include "forms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As form_make(), with the same result: A's arrays are device memory, and so are those of *form, which gpu_free()
 * takes.  They are checked first.  *is_made false, and SPMV_OK: something is wrong with them, or there are too few or
 * too many nonzeros for this; the host's way does it, or says what is wrong.  Waits for the stream. */
spmv_status_t gpu_form_make(form_t *form, bool *is_made, const spmv_matrix_t *A, bool transpose, void *stream,
                            char *why, size_t why_size);

#ifdef __cplusplus
}
#endif
#endif
