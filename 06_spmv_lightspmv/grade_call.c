/* grade_call.c - how the grader's runner calls a submission of chapter 06. */
#include "chapter.h"
#include "call_spmv.h"

static uint32_t *d_counter;

int call_open(const job_t *job, err_t *err)
{
    d_counter = runner_array(job, NULL, 1, sizeof *d_counter, "counter", err);
    return d_counter ? csr_open(job, err) : -1;
}

int call_prepare(const job_t *job, int run, err_t *err)
{
    if (device_ok(cudaMemset(d_counter, 0, sizeof *d_counter), "counter", err)) return -1;
    return csr_prepare(job, run, err);
}

cudaError_t call_entry(runner_entry_t entry, const job_t *job, void *d_out)
{
    return ((spmv_lightspmv_gpu_fn)entry)(&d_csr, d_x, d_out, d_counter, (int)job->size[3], 0);
}
