/*
 * call_spmv.h - what the runners of chapters 04 to 07 share: a CSR matrix and x on the card.
 */
#ifndef GRADE_CALL_SPMV_H
#define GRADE_CALL_SPMV_H

#include <stdlib.h>

#include "csr.h"
#include "device.h"
#include "runner.h"

static csr_arrays_t d_csr;
static void *d_x;

/* The job has them in 32 bits. */
static void *csr_offsets(const job_t *job, size_t rows, err_t *err)
{
    const int32_t *narrow = job->array[0];
    if (job->offset_bits == 32) return runner_array(job, narrow, rows + 1, sizeof *narrow, "row_offsets", err);
    int64_t *wide = malloc((rows + 1) * sizeof *wide);
    if (!wide) return err_set(err, "out of memory for %zu rows", rows), NULL;
    for (size_t r = 0; r <= rows; ++r) wide[r] = narrow[r];
    void *d = runner_array(job, wide, rows + 1, sizeof *wide, "row_offsets", err);
    free(wide);
    return d;
}

static int csr_open(const job_t *job, err_t *err)
{
    const size_t rows = (size_t)job->size[0], cols = (size_t)job->size[1], nnz = (size_t)job->size[2];
    d_csr = (csr_arrays_t){.rows = rows, .cols = cols, .nnz = nnz, .value_type = job->dtype, .offset_bits = job->offset_bits};
    runner_readable(&d_csr, sizeof d_csr);
    if (!(d_csr.row_offsets = csr_offsets(job, rows, err))) return -1;
    d_csr.col_indices = runner_array(job, job->array[1], nnz, sizeof(int32_t), "col_indices", err);
    d_csr.values = runner_array(job, NULL, nnz, dtype_size(job->dtype), "values", err);
    d_x = runner_array(job, NULL, cols, dtype_size(job->dtype), "d_x", err);
    return d_csr.row_offsets && d_csr.col_indices && d_csr.values && d_x ? 0 : -1;
}

static int csr_prepare(const job_t *job, int run, err_t *err)
{
    return runner_numbers(job, run, 0, d_csr.values, d_csr.nnz, "values", err) ||
                   runner_numbers(job, run, 1, d_x, d_csr.cols, "x", err)
               ? -1
               : 0;
}

#endif
