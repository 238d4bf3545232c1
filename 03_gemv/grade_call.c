/* grade_call.c - how the grader's runner calls a submission of chapter 03. */
#include "chapter.h"
#include "device.h"
#include "runner.h"

static void *d_A, *d_x, *d_sums;
static unsigned *d_words;

int call_open(const job_t *job, err_t *err)
{
    const size_t rows = (size_t)job->size[1], cols = (size_t)job->size[2], size = dtype_size(job->dtype);
    d_A = runner_array(job, NULL, rows * cols, size, "d_A", err);
    d_x = runner_array(job, NULL, cols, size, "d_x", err);
    d_sums = runner_array(job, NULL, gemv_sums_count(rows), size, "d_sums", err);
    d_words = runner_array(job, NULL, GEMV_WORDS, sizeof *d_words, "d_words", err);
    return d_A && d_x && d_sums && d_words ? 0 : -1;
}

int call_prepare(const job_t *job, int run, err_t *err)
{
    const size_t rows = (size_t)job->size[1], cols = (size_t)job->size[2], size = dtype_size(job->dtype);
    if (device_ok(cudaMemset(d_sums, job->run[run].poison, gemv_sums_count(rows) * size), "d_sums", err)) return -1;
    /* Zeroed before the first run; after that the step itself has to leave zeros. */
    if (run == 0 && runner_zeros(d_words, GEMV_WORDS * sizeof *d_words, "d_words", err)) return -1;
    return runner_numbers(job, run, 0, d_A, rows * cols, "A", err) || runner_numbers(job, run, 1, d_x, cols, "x", err)
               ? -1
               : 0;
}

cudaError_t call_entry(runner_entry_t entry, const job_t *job, void *d_out)
{
    return ((gemv_gpu_fn)entry)(job->dtype, (gemv_layout_t)job->size[0], (size_t)job->size[1], (size_t)job->size[2],
                                d_A, d_x, d_out, d_sums, d_words, 0);
}
