/*
 * call_spmv.h - shared by the runners of chapters 04 to 07: a CSR matrix and x on the GPU.
 */
#ifndef GRADE_CALL_SPMV_H
#define GRADE_CALL_SPMV_H

#include <stdlib.h>

#include "csr.h"
#include "device.h"
#include "runner.h"

static csr_arrays_t d_csr;
static void *d_x;

/* Copies the row offsets of the run to the GPU, with the job's width. */
static int csr_offsets(const job_t *job, int run, err_t *err)
{
    const size_t count = d_csr.rows + 1;
    int32_t *narrow = malloc(count * sizeof *narrow);
    int64_t *wide = malloc(count * sizeof *wide);
    int failed = narrow && wide ? 0 : err_set(err, "out of memory for %zu rows", d_csr.rows);
    if (!failed) {
        job_offsets(job, run, narrow);
        for (size_t r = 0; r < count; ++r) wide[r] = narrow[r];
        failed = runner_fill((void *)d_csr.row_offsets, job->offset_bits == 64 ? (void *)wide : narrow,
                             count * (size_t)job->offset_bits / 8, "row_offsets", err);
    }
    free(narrow);
    free(wide);
    return failed;
}

static int csr_open(const job_t *job, err_t *err)
{
    const size_t rows = (size_t)job->size[0], cols = (size_t)job->size[1], nnz = (size_t)job->size[2];
    d_csr = (csr_arrays_t){
        .rows = rows, .cols = cols, .nnz = nnz, .value_type = job->dtype, .offset_bits = job->offset_bits};
    runner_readable(&d_csr, sizeof d_csr);
    d_csr.row_offsets = runner_array(job, NULL, rows + 1, (size_t)job->offset_bits / 8, "row_offsets", err);
    d_csr.col_indices = runner_array(job, job->array[1], nnz, sizeof(int32_t), "col_indices", err);
    d_csr.values = runner_array(job, NULL, nnz, dtype_size(job->dtype), "values", err);
    d_x = runner_array(job, NULL, cols, dtype_size(job->dtype), "d_x", err);
    return d_csr.row_offsets && d_csr.col_indices && d_csr.values && d_x ? 0 : -1;
}

static int csr_prepare(const job_t *job, int run, err_t *err)
{
    return csr_offsets(job, run, err) || runner_numbers(job, run, 0, d_csr.values, d_csr.nnz, "values", err) ||
                   runner_numbers(job, run, 1, d_x, d_csr.cols, "x", err)
               ? -1
               : 0;
}

#endif
