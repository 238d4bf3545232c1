/*
 * runner.h - the functions with which a chapter calls a submission, in its grade_call.c.
 */
#ifndef GRADE_RUNNER_H
#define GRADE_RUNNER_H

#include <cuda_runtime_api.h>

#include "job.h"

/* The function to call: the submission's, or a step's that it is compared with. */
typedef void (*runner_entry_t)(void);

/* Allocates the job's device memory, once. */
int call_open(const job_t *job, err_t *err);
/* Sets the numbers of a run, and the scratch memory as the chapter requires. */
int call_prepare(const job_t *job, int run, err_t *err);
/* Runs the function once, into d_out. */
cudaError_t call_entry(runner_entry_t entry, const job_t *job, void *d_out);

/* Allocates an array on the GPU, `misalign` elements after a 256-byte boundary, and copies it from the host (NULL: no
 * copy).  Returns NULL and *err on failure. */
void *runner_array(const job_t *job, const void *host, size_t count, size_t size, const char *name, err_t *err);
/* Fills such an array with the numbers of the run (job_numbers), in the job's type. */
int runner_numbers(const job_t *job, int run, int which, void *d, size_t count, const char *name, err_t *err);

/* Copies input to d; after the run it must be unchanged.  name: for the message; it is not copied. */
int runner_fill(void *d, const void *host, size_t bytes, const char *name, err_t *err);
/* Clears memory that must be zero again after every run. */
int runner_zeros(void *d, size_t bytes, const char *name, err_t *err);
/* Allows the submission to read memory to which an argument points. */
void runner_readable(const void *p, size_t size);

#endif
