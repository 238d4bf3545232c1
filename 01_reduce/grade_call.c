/* grade_call.c - how the grader's runner calls a submission of chapter 01. */
#include "chapter.h"
#include "device.h"
#include "runner.h"

static void *d_in, *d_sums;
static unsigned long long *d_words;

int call_open(const job_t *job, err_t *err)
{
    const size_t n = (size_t)job->size[0], size = dtype_size(job->dtype);
    d_in = runner_array(job, NULL, n, size, "d_in", err);
    d_sums = runner_array(job, NULL, reduce_sums_count(n), size, "d_sums", err);
    d_words = runner_array(job, NULL, REDUCE_WORDS, sizeof *d_words, "d_words", err);
    return d_in && d_sums && d_words ? 0 : -1;
}

int call_prepare(const job_t *job, int run, err_t *err)
{
    const size_t n = (size_t)job->size[0], size = dtype_size(job->dtype);
    if (device_ok(cudaMemset(d_sums, job->run[run].poison, reduce_sums_count(n) * size), "d_sums", err)) return -1;
    /* Zeroed before the first run; after that the step itself has to leave zeros. */
    if (run == 0 && runner_zeros(d_words, REDUCE_WORDS * sizeof *d_words, "d_words", err)) return -1;
    return runner_numbers(job, run, 0, d_in, n, "d_in", err);
}

cudaError_t call_entry(runner_entry_t entry, const job_t *job, void *d_out)
{
    return ((reduce_gpu_fn)entry)(job->dtype, d_in, (size_t)job->size[0], d_out, d_sums, d_words, 0);
}
