/*
 * recorded.h - captures the work of a stream once as a CUDA graph, which one call then launches again.
 */
#ifndef APPS_RECORDED_H
#define APPS_RECORDED_H

#include <cuda_runtime_api.h>

#include "err.h"

/* Begins to capture the stream, which is not the default one.  Returns 0, or -1 and *err. */
int recorded_begin(void *stream, err_t *err);
/* Ends the capture; the caller closes *graph.  failed: an error, in *err, has ended the work.  Returns 0 or -1. */
int recorded_end(cudaGraphExec_t *graph, void *stream, int failed, err_t *err);
int recorded_run(cudaGraphExec_t graph, void *stream, err_t *err);
void recorded_close(cudaGraphExec_t graph); /* takes NULL */

#endif
