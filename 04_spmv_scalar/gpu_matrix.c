/* gpu_matrix.c - a matrix in a format, from the host to the GPU. */
#include <stdlib.h>

#include "formats.h"
#include "spmv_scalar.h"

/* Copies an array to the GPU, as misaligned as the problem's own arrays.  NULL and *err. */
static void *put(gpu_matrix_t *m, const void *host, size_t count, size_t size, size_t misalign, const char *name,
                 err_t *err)
{
    void *base = device_alloc((count + misalign) * size, name, err);
    if (!base) return NULL;
    m->memory[m->used++] = base;
    char *d = (char *)base + misalign * size;
    return device_ok(cudaMemcpy(d, host, count * size, cudaMemcpyHostToDevice), name, err) ? NULL : d;
}

/* The same for values: from double to the type of the problem. */
static void *put_values(gpu_matrix_t *m, const double *host, size_t count, size_t misalign, err_t *err)
{
    const dtype_t type = m->matrix.value_type;
    void *typed = malloc((count ? count : 1) * dtype_size(type)), *d = NULL;
    if (!typed) return err_null(err, "out of memory for %zu values", count);
    dtype_from_double(type, typed, host, count);
    d = put(m, typed, count, dtype_size(type), misalign, "values", err);
    free(typed);
    return d;
}

static int put_coo(gpu_matrix_t *m, const coo_t *M, size_t misalign, err_t *err)
{
    spmv_scalar_coo_t *d = &m->matrix.coo;
    d->nnz = M->nnz;
    d->row_indices = put(m, M->row_indices, M->nnz, sizeof(int32_t), misalign, "row_indices", err);
    if (d->row_indices) d->col_indices = put(m, M->col_indices, M->nnz, sizeof(int32_t), misalign, "col_indices", err);
    if (d->col_indices) d->values = put_values(m, M->values, M->nnz, misalign, err);
    return d->values ? 0 : -1;
}

static int put_ell(gpu_matrix_t *m, const ell_t *M, size_t misalign, err_t *err)
{
    spmv_scalar_ell_t *d = &m->matrix.ell;
    const size_t slots = M->width * M->rows;
    d->width = M->width;
    d->col_indices = put(m, M->col_indices, slots, sizeof(int32_t), misalign, "col_indices", err);
    if (d->col_indices) d->values = put_values(m, M->values, slots, misalign, err);
    return d->values ? 0 : -1;
}

static int put_dia(gpu_matrix_t *m, const dia_t *M, size_t misalign, err_t *err)
{
    spmv_scalar_dia_t *d = &m->matrix.dia;
    d->diagonals = M->diagonals;
    d->offsets = put(m, M->offsets, M->diagonals, sizeof(int32_t), misalign, "offsets", err);
    if (d->offsets) d->values = put_values(m, M->values, M->diagonals * M->rows, misalign, err);
    return d->values ? 0 : -1;
}

/* Copies offsets, converted to 32 bits if the problem's have 32. */
static void *put_offsets(gpu_matrix_t *m, const int64_t *host, size_t count, size_t misalign, err_t *err)
{
    if (m->matrix.offset_bits == 64) return put(m, host, count, sizeof *host, misalign, "row_offsets", err);
    int32_t *narrow = malloc(count * sizeof *narrow);
    if (!narrow || host[count - 1] > INT32_MAX) {
        err_set(err, narrow ? "more blocks than 32-bit offsets hold" : "out of memory for %zu offsets", count);
        free(narrow);
        return NULL;
    }
    for (size_t i = 0; i < count; ++i) narrow[i] = (int32_t)host[i];
    void *d = put(m, narrow, count, sizeof *narrow, misalign, "row_offsets", err);
    free(narrow);
    return d;
}

static int put_bsr(gpu_matrix_t *m, const bsr_t *M, size_t misalign, err_t *err)
{
    spmv_scalar_bsr_t *d = &m->matrix.bsr;
    d->block = (int)M->block;
    d->block_rows = M->block_rows;
    d->blocks = M->blocks;
    d->row_offsets = put_offsets(m, M->row_offsets, M->block_rows + 1, misalign, err);
    if (d->row_offsets)
        d->col_indices = put(m, M->col_indices, M->blocks, sizeof(int32_t), misalign, "col_indices", err);
    if (d->col_indices) d->values = put_values(m, M->values, M->blocks * M->block * M->block, misalign, err);
    return d->values ? 0 : -1;
}

/* Builds M with `build`, copies it with `copy`, and frees it.  -1 if either fails. */
#define BUILD(type, build, copy)                                             \
    {                                                                        \
        type##_t *M = build;                                                 \
        const int failed = M ? copy(m, M, data->misalign, err) : -1;         \
        type##_free(M);                                                      \
        return failed;                                                       \
    }

static int put_hyb(gpu_matrix_t *m, const hyb_t *M, size_t misalign, err_t *err)
{
    return put_ell(m, M->ell, misalign, err) ? -1 : put_coo(m, M->rest, misalign, err);
}

void gpu_matrix_csr(spmv_scalar_matrix_t *m, const spmv_data_t *data)
{
    *m = (spmv_scalar_matrix_t){.format = SPMV_CSR, .value_type = data->host.value_type,
                                .offset_bits = data->host.offset_bits, .rows = data->A.rows, .cols = data->A.cols,
                                .csr = data->device};
}

int gpu_matrix_build(gpu_matrix_t *m, const spmv_data_t *data, form_t f, size_t limit, err_t *err)
{
    static const spmv_scalar_format_t FORMAT[FORM_STEPS] = {SPMV_CSR, SPMV_COO, SPMV_ELL, SPMV_DIA,
                                                            SPMV_HYB, SPMV_BSR, SPMV_BSR, SPMV_BSR};
    const csr_t *A = &data->A;
    *m = (gpu_matrix_t){.used = 0};
    gpu_matrix_csr(&m->matrix, data);
    m->matrix.format = FORMAT[f];
    switch (f) {
    case FORM_CSR: return 0;
    case FORM_COO: BUILD(coo, coo_from_csr(A, limit, err), put_coo)
    case FORM_ELL: BUILD(ell, ell_from_csr(A, limit, err), put_ell)
    case FORM_DIA: BUILD(dia, dia_from_csr(A, limit, err), put_dia)
    case FORM_HYB: BUILD(hyb, hyb_from_csr(A, HYB_BY_RULE, limit, err), put_hyb)
    default: BUILD(bsr, bsr_from_csr(A, 2 + (size_t)(f - FORM_BSR2), false, limit, err), put_bsr)
    }
}

void gpu_matrix_free(gpu_matrix_t *m)
{
    while (m->used > 0) device_free(m->memory[--m->used]);
}
