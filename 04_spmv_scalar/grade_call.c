/* grade_call.c - how the grader's runner calls a submission of chapter 04: CSR and ELL of the same matrix. */
#include <stdlib.h>
#include <string.h>

#include "chapter.h"
#include "call_spmv.h"
#include "formats.h"

static spmv_scalar_matrix_t matrix;
static csr_t *host; /* its values are those of the run */
static ell_t *ell;

static int host_offsets(const job_t *job, int run, err_t *err)
{
    int32_t *offsets = malloc((host->rows + 1) * sizeof *offsets);
    if (!offsets) return err_set(err, "out of memory for a matrix");
    job_offsets(job, run, offsets);
    for (size_t r = 0; r <= host->rows; ++r) host->row_offsets[r] = offsets[r];
    free(offsets);
    return 0;
}

int call_open(const job_t *job, err_t *err)
{
    if (csr_open(job, err)) return -1;
    host = csr_alloc(d_csr.rows, d_csr.cols, d_csr.nnz);
    if (!host) return err_set(err, "out of memory for a matrix");
    if (host_offsets(job, 0, err)) return -1;
    memcpy(host->col_indices, job->array[1], d_csr.nnz * sizeof *host->col_indices);
    ell = ell_from_csr(host, SIZE_MAX, err);
    if (!ell) return -1;

    const size_t slots = ell->width * ell->rows;
    matrix = (spmv_scalar_matrix_t){.format = SPMV_ELL,
                                    .value_type = job->dtype,
                                    .offset_bits = job->offset_bits,
                                    .rows = d_csr.rows,
                                    .cols = d_csr.cols,
                                    .csr = d_csr,
                                    .ell = {.width = ell->width}};
    matrix.ell.col_indices = runner_array(job, NULL, slots, sizeof(int32_t), "ELL's col_indices", err);
    matrix.ell.values = runner_array(job, NULL, slots, dtype_size(job->dtype), "ELL's values", err);
    runner_readable(&matrix, sizeof matrix);
    return matrix.ell.col_indices && matrix.ell.values ? 0 : -1;
}

int call_prepare(const job_t *job, int run, err_t *err)
{
    if (csr_prepare(job, run, err) || host_offsets(job, run, err)) return -1;
    job_numbers(job, run, 0, host->values, host->nnz);
    ell_free(ell);
    ell = ell_from_csr(host, SIZE_MAX, err);
    const size_t slots = ell ? ell->width * ell->rows : 0;
    void *typed = malloc((slots + 1) * dtype_size(job->dtype));
    if (!ell || !typed) return ell ? err_set(err, "out of memory for %zu slots", slots) : -1;
    dtype_from_double(job->dtype, typed, ell->values, slots);
    const int failed =
        runner_fill((void *)matrix.ell.col_indices, ell->col_indices, slots * sizeof(int32_t), "ELL's col_indices",
                    err) ||
        runner_fill((void *)matrix.ell.values, typed, slots * dtype_size(job->dtype), "ELL's values", err);
    free(typed);
    return failed;
}

cudaError_t call_entry(runner_entry_t entry, const job_t *job, void *d_out)
{
    (void)job;
    return ((spmv_scalar_gpu_fn)entry)(&matrix, d_x, d_out, 0);
}
