/*
 * recorded.h - what a stream is given, recorded once as a CUDA graph and given again in one call.
 */
#ifndef APPS_RECORDED_H
#define APPS_RECORDED_H

#include <cuda_runtime_api.h>

#include "err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From here on the stream, which is not the default one, does nothing but remember.  0, or -1 and *err. */
int recorded_begin(void *stream, err_t *err);
/* And does again; *graph is the caller's.  failed: what was to be recorded was not, *err says why.  0 or -1. */
int recorded_end(cudaGraphExec_t *graph, void *stream, int failed, err_t *err);
int recorded_run(cudaGraphExec_t graph, void *stream, err_t *err);
void recorded_close(cudaGraphExec_t graph); /* takes NULL */

#ifdef __cplusplus
}
#endif

#endif
