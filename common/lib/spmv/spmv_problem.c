/* spmv_problem.c - see spmv_problem.h */
#include "spmv_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "asked.h"
#include "hostmem.h"
#include "matgen.h"

/* Makes the matrix that the kernels multiply: with the offsets and columns of `from`, and new, rounded values.  -1 and
 * *err. */
static int take_matrix(csr_t *A, const csr_t *from, const spmv_spec_t *spec, err_t *err)
{
    *A = *from;
    A->values = malloc((from->nnz ? from->nnz : 1) * sizeof *A->values);
    if (!A->values) return err_set(err, "out of memory for %zu values", from->nnz);
    if (spec->exact) {
        enum { TERMS = 1 << 17 }; /* with products of at most 8 * 8, sums of so many are exact in fp32, in any order */
        matgen_vector(A->values, from->nnz, spec->seed + 1, 1);
        for (size_t r = 0; r < A->rows; ++r)
            for (int64_t nz = A->row_offsets[r] + TERMS; nz < A->row_offsets[r + 1]; ++nz) A->values[nz] = 0;
        return 0;
    }
    double largest = 0;
    for (size_t nz = 0; nz < from->nnz; ++nz) largest = fmax(largest, fabs(from->values[nz]));
    /* int8 holds 255 steps of the largest value, as in a quantised network; matrices too large for fp16 are scaled
     * (Higham, Pranesh, Squeezing a matrix into half precision, SIAM J. Sci. Comput. 41(4), 2019) */
    const double scale = spec->dtype == DTYPE_I8 && largest > 0          ? 127 / largest
                         : spec->dtype == DTYPE_F16 && largest > 65504.0 ? 65504 / largest
                                                                         : 1;
    for (size_t nz = 0; nz < from->nnz; ++nz) {
        A->values[nz] = dtype_round(spec->dtype, scale * from->values[nz]);
        if (!isfinite(A->values[nz]))
            return err_set(err, "the value %g does not fit %s: take --dtype fp64", from->values[nz],
                           dtype_name(spec->dtype));
    }
    return 0;
}

/* Copies an array to the GPU, `misalign` elements after a 256-byte boundary; *base is the pointer to free. */
static void *to_gpu(const void *host, size_t count, size_t size, size_t misalign, const char *name,
                     void **base, err_t *err)
{
    *base = device_alloc((count + misalign) * size, name, err);
    if (!*base) return NULL;
    char *d = (char *)*base + misalign * size;
    return device_ok(cudaMemcpy(d, host, count * size, cudaMemcpyHostToDevice), name, err) ? NULL : d;
}

static int fill_gpu(spmv_data_t *data, err_t *err)
{
    const csr_arrays_t *h = &data->host;
    const size_t m = data->misalign, vector_size = dtype_size(dtype_vector(h->value_type));
    csr_arrays_t *d = &data->device;
    *d = *h;
    d->row_offsets = to_gpu(h->row_offsets, h->rows + 1, (size_t)h->offset_bits / 8, m, "row_offsets",
                             &data->d_memory[0], err);
    if (!d->row_offsets) return -1;
    d->col_indices = to_gpu(h->col_indices, h->nnz, sizeof(int32_t), m, "col_indices", &data->d_memory[1], err);
    if (!d->col_indices) return -1;
    d->values = to_gpu(h->values, h->nnz, dtype_size(h->value_type), m, "values", &data->d_memory[2], err);
    if (!d->values) return -1;
    data->d_x = to_gpu(data->x, h->cols, vector_size, m, "x", &data->d_memory[3], err);
    return data->d_x ? 0 : -1;
}

/* Returns the bytes of host memory for a problem and one step's output: the arrays of spmv_data_t without spec->A. */
static double host_bytes(const spmv_spec_t *spec)
{
    const double rows = (double)spec->A->rows, cols = (double)spec->A->cols, nnz = (double)spec->A->nnz;
    const double value = (double)dtype_size(spec->dtype), vector = (double)dtype_size(dtype_vector(spec->dtype));
    const double reference = 8 * (nnz + cols + 3 * rows), typed = (value + 4) * nnz + spec->offset_bits / 8.0 * rows;
    return reference + typed + vector * (cols + 2 * rows); /* 2 * rows: the output and the copy that is checked */
}

int spmv_problem_open(problem_t *p, const spmv_spec_t *spec, err_t *err)
{
    char what[64];
    *p = (problem_t){.name = NULL};
    snprintf(what, sizeof what, "the problem of %zu rows and %zu nonzeros", spec->A->rows, spec->A->nnz);
    if (hostmem_fits(host_bytes(spec), what, err)) return -1;

    const csr_t *from = spec->A;
    const size_t rows = from->rows, cols = from->cols;
    const dtype_t vector_type = dtype_vector(spec->dtype);
    const size_t vector_size = dtype_size(vector_type);
    spmv_data_t *data = calloc(1, sizeof *data);
    double *x = malloc((cols ? cols : 1) * sizeof *x);
    *p = (problem_t){.name = NULL, .dtype = spec->dtype, .data = data, .reads_only = false,
                     .bytes = csr_spmv_bytes(rows, cols, from->nnz, spec->dtype, spec->offset_bits),
                     .cpu = spec->cpu, .gpu = spec->gpu, .out_bytes = rows * vector_size};
    if (!data || !x) {
        err_set(err, "out of memory");
        goto fail;
    }
    snprintf(data->name, sizeof data->name, "%s%s%s", spec->name, spec->offset_bits == 64 ? " 64-bit offsets" : "",
             spec->exact ? " exact" : "");
    p->name = data->name;
    data->exact = spec->exact;
    data->options = spec->options;
    data->mean_row = spec->mean_row > 0 ? spec->mean_row : rows ? (double)from->nnz / (double)rows : 0;
    data->misalign = spec->misalign;

    data->x = malloc(cols * vector_size + 1);
    data->y = malloc((rows + 1) * sizeof *data->y);
    data->abs_sum = malloc((rows + 1) * sizeof *data->abs_sum);
    data->tolerance = malloc((rows + 1) * sizeof *data->tolerance);
    if (!data->x || !data->y || !data->abs_sum || !data->tolerance) {
        err_set(err, "out of memory for vectors of %zu and %zu", cols, rows);
        goto fail;
    }
    if (take_matrix(&data->A, from, spec, err)) goto fail;
    if (csr_arrays_from(&data->host, &data->A, spec->dtype, spec->offset_bits, err)) goto fail;

    matgen_vector(x, cols, spec->seed, spec->exact);
    for (size_t c = 0; c < cols; ++c) x[c] = dtype_round(vector_type, x[c]);
    dtype_from_double(vector_type, data->x, x, cols);
    reference_spmv(&data->A, x, data->y, data->abs_sum);
    free(x);
    x = NULL;

    if (spec->gpu && fill_gpu(data, err)) goto fail;
    return 0;
fail:
    free(x);
    spmv_problem_close(p);
    return -1;
}

void spmv_problem_close(problem_t *p)
{
    spmv_data_t *data = (spmv_data_t *)p->data;
    if (!data) return;
    free(data->A.values);
    csr_arrays_free(&data->host);
    for (int i = 0; i < 4; ++i) device_free(data->d_memory[i]);
    free(data->x);
    free(data->y);
    free(data->abs_sum);
    free(data->tolerance);
    free(data);
    p->data = NULL;
}

/* ---- the check ------------------------------------------------------------------------------------- */

/* Checks `got` against y and abs_sum. */
static int judge(const problem_t *p, const void *got, const double *y, const double *abs_sum, bool exact,
                 spmv_depth_fn depth, const void *arg, double *err_over_tol, err_t *err)
{
    const spmv_data_t *data = p->data;
    const dtype_t vector_type = dtype_vector(p->dtype);
    for (size_t r = 0; r < data->A.rows; ++r) {
        const size_t length = (size_t)(data->A.row_offsets[r + 1] - data->A.row_offsets[r]);
        data->tolerance[r] = exact ? 0 : verify_tolerance(depth(length, arg), vector_type, abs_sum[r]);
    }
    return verify_verdict(verify(got, vector_type, data->A.rows, y, data->tolerance), "y", err_over_tol, err);
}

int spmv_judge(const problem_t *p, const void *y, spmv_depth_fn depth, const void *arg, double *err_over_tol,
               err_t *err)
{
    const spmv_data_t *data = p->data;
    return judge(p, y, data->y, data->abs_sum, data->exact, depth, arg, err_over_tol, err);
}

int spmv_judge_student(const problem_t *p, const void *y, spmv_depth_fn depth, const void *arg, double *err_over_tol,
                       err_t *err)
{
    const spmv_data_t *data = p->data;
    const asked_t asked = asked_of_student();
    if (asked == ASKED_STEP) return spmv_judge(p, y, depth, arg, err_over_tol, err);
    const size_t rows = data->A.rows, cols = data->A.cols;
    double *x = malloc((cols + 1) * sizeof *x), *right = malloc((2 * rows + 1) * sizeof *right);
    int failed = -1;
    if (!x || !right) {
        err_set(err, "out of memory for vectors of %zu and %zu", cols, rows);
    } else {
        dtype_to_double(dtype_vector(p->dtype), x, data->x, cols);
        asked_numbers(asked, x, cols);
        reference_spmv(&data->A, x, right, right + rows);
        failed = judge(p, y, right, right + rows, false, depth, arg, err_over_tol, err);
    }
    free(x);
    free(right);
    return failed;
}
