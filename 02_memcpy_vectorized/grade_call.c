/* grade_call.c - how the grader's runner calls a submission of chapter 02. */
#include <stdlib.h>

#include "chapter.h"
#include "device.h"
#include "runner.h"

static char *d_memory;

static size_t bytes_of(const job_t *job) { return (size_t)job->size[0]; }

int call_open(const job_t *job, err_t *err)
{
    d_memory = device_alloc(bytes_of(job) + (size_t)job->size[3], "d_from", err);
    return d_memory ? 0 : -1;
}

int call_prepare(const job_t *job, int run, err_t *err)
{
    unsigned char *bytes = malloc(bytes_of(job) + 1);
    if (!bytes) return err_set(err, "out of memory for %zu bytes", bytes_of(job));
    job_bytes(job, run, bytes, bytes_of(job));
    const int failed = runner_fill(d_memory + job->size[3], bytes, bytes_of(job), "d_from", err);
    free(bytes);
    return failed;
}

/* The target's offset is part of the output: d_out + size[2], out_bytes = size[2] + bytes. */
cudaError_t call_entry(runner_entry_t entry, const job_t *job, void *d_out)
{
    return ((memcpy_gpu_fn)entry)((char *)d_out + job->size[2], d_memory + job->size[3], bytes_of(job),
                                  (size_t)job->size[1], 0);
}
