/*
 * call_spmv.h - what the runners of chapters 04 to 07 share: a CSR matrix and x on the card.
 */
#ifndef GRADE_CALL_SPMV_H
#define GRADE_CALL_SPMV_H

#include "csr.h"
#include "device.h"
#include "runner.h"

static csr_arrays_t d_csr;
static void *d_x;

static int csr_open(const job_t *job, err_t *err)
{
    const size_t rows = (size_t)job->size[0], cols = (size_t)job->size[1], nnz = (size_t)job->size[2];
    d_csr = (csr_arrays_t){.rows = rows, .cols = cols, .nnz = nnz, .value_type = job->dtype, .offset_bits = 32};
    d_csr.row_offsets = runner_array(job, job->array[0], rows + 1, sizeof(int32_t), "row_offsets", err);
    d_csr.col_indices = runner_array(job, job->array[1], nnz, sizeof(int32_t), "col_indices", err);
    d_csr.values = runner_array(job, NULL, nnz, dtype_size(job->dtype), "values", err);
    d_x = runner_array(job, NULL, cols, dtype_size(job->dtype), "d_x", err);
    return d_csr.row_offsets && d_csr.col_indices && d_csr.values && d_x ? 0 : -1;
}

static int csr_prepare(const job_t *job, int run, err_t *err)
{
    return runner_numbers(job, run, 0, d_csr.values, d_csr.nnz, err) ||
                   runner_numbers(job, run, 1, d_x, d_csr.cols, err)
               ? -1
               : 0;
}

#endif
