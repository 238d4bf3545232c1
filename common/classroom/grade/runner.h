/*
 * runner.h - how a chapter's submission is called: a chapter's grade_call.c.
 */
#ifndef GRADE_RUNNER_H
#define GRADE_RUNNER_H

#include <cuda_runtime_api.h>

#include "job.h"

/* The function to call: the submission's, or a step's that it is compared with. */
typedef void (*runner_entry_t)(void);

/* Device memory for the job, once. */
int call_open(const job_t *job, err_t *err);
/* The numbers of that run, and scratch as the chapter promises it. */
int call_prepare(const job_t *job, int run, err_t *err);
/* One run into d_out. */
cudaError_t call_entry(runner_entry_t entry, const job_t *job, void *d_out);

/* An array on the GPU, `misalign` elements behind a border, filled from the host (NULL: left alone).  NULL and *err.
 */
void *runner_array(const job_t *job, const void *host, size_t count, size_t size, const char *name, err_t *err);
/* New numbers for such an array: those of job_numbers, in the job's type. */
int runner_numbers(const job_t *job, int run, int which, void *d, size_t count, const char *name, err_t *err);

/* Input: copied to d, and still there after the run, or the submission has changed it.  name: kept, for the message. */
int runner_fill(void *d, const void *host, size_t bytes, const char *name, err_t *err);
/* Zeros that have to be zeros again after every run. */
int runner_zeros(void *d, size_t bytes, const char *name, err_t *err);
/* What an argument points to: the submission may read it. */
void runner_readable(const void *p, size_t size);

#endif
