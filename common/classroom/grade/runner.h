/*
 * runner.h - the functions with which a chapter calls a submission, in its grade_call.c.
 */
#ifndef GRADE_RUNNER_H
#define GRADE_RUNNER_H

#include <cuda_runtime_api.h>

#include "job.h"

/* The function to call: the submission's, or a step's that it is compared with. */
typedef void (*runner_entry_t)(void);

/* Device memory for the job, once. */
int call_open(const job_t *job, err_t *err);
/* Sets the numbers of that run, and the scratch memory as the chapter defines it. */
int call_prepare(const job_t *job, int run, err_t *err);
/* One run into d_out. */
cudaError_t call_entry(runner_entry_t entry, const job_t *job, void *d_out);

/* An array on the GPU, `misalign` elements after a 256-byte border, copied from the host (NULL: not copied).  NULL and
 * *err. */
void *runner_array(const job_t *job, const void *host, size_t count, size_t size, const char *name, err_t *err);
/* New numbers for such an array: those of job_numbers, in the job's type. */
int runner_numbers(const job_t *job, int run, int which, void *d, size_t count, const char *name, err_t *err);

/* Copies input to d; after the run it must be unchanged.  name: for the message; it is not copied. */
int runner_fill(void *d, const void *host, size_t bytes, const char *name, err_t *err);
/* Memory that is zero and must be zero again after every run. */
int runner_zeros(void *d, size_t bytes, const char *name, err_t *err);
/* Lets the submission read the memory that an argument points to. */
void runner_readable(const void *p, size_t size);

#endif
