/* lists.h - nonzeros in any order, and the arrays of a form for them, for the tests of forms. */
#ifndef SPMV_LISTS_H
#define SPMV_LISTS_H

#include "library.h"

/* Nonzeros in the caller's order, before they are written in some form. */
typedef struct list {
    int64_t rows, cols, nnz;
    int32_t *row, *col;
    double *value;
} list_t;

static inline list_t list_of(const char *recipe)
{
    csr_t *A = make_matrix(recipe);
    list_t l = {(int64_t)A->rows, (int64_t)A->cols, (int64_t)A->nnz, malloc(A->nnz * 4 + 1), malloc(A->nnz * 4 + 1),
                malloc(A->nnz * 8 + 1)};
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t k = A->row_offsets[r]; k < A->row_offsets[r + 1]; ++k)
            l.row[k] = (int32_t)r, l.col[k] = A->col_indices[k];
    matgen_vector(l.value, A->nnz, 3, 1);
    csr_free(A);
    return l;
}

static inline void list_free(list_t *l) { free(l->row), free(l->col), free(l->value); }

/* Keeps only one triangle. */
static inline void keep(list_t *l, spmv_part_t part)
{
    int64_t n = 0;
    for (int64_t k = 0; k < l->nnz; ++k) {
        if (part == SPMV_LOWER ? l->col[k] > l->row[k] : part == SPMV_UPPER && l->col[k] < l->row[k]) continue;
        l->row[n] = l->row[k], l->col[n] = l->col[k], l->value[n++] = l->value[k];
    }
    l->nnz = n;
}

/* Puts the nonzeros in random order and repeats some, as a program might collect them. */
static inline void shuffle(list_t *l)
{
    uint32_t lot = 7;
    for (int64_t k = l->nnz - 1; k > 0; --k) {
        lot = lot * 1664525u + 1013904223u;
        const int64_t other = (int64_t)(lot % (uint32_t)(k + 1));
        const int32_t row = l->row[k], col = l->col[k];
        l->row[k] = l->row[other], l->row[other] = row;
        l->col[k] = l->col[other], l->col[other] = col;
    }
    for (int64_t k = 20; k < l->nnz; k += 9) l->row[k] = l->row[k - 13], l->col[k] = l->col[k - 13];
}

/* Sorts the nonzeros by rows for CSR, by columns for CSC; stable. */
static inline void sort_lines(list_t *l, spmv_format_t format)
{
    const int64_t lines = format == SPMV_CSC ? l->cols : l->rows;
    list_t old = {l->rows, l->cols, l->nnz, malloc((size_t)l->nnz * 4 + 1), malloc((size_t)l->nnz * 4 + 1), NULL};
    memcpy(old.row, l->row, (size_t)l->nnz * 4);
    memcpy(old.col, l->col, (size_t)l->nnz * 4);
    int64_t n = 0, *count = calloc((size_t)lines + 2, sizeof *count);
    const int32_t *line = format == SPMV_CSC ? old.col : old.row;
    for (int64_t k = 0; k < l->nnz; ++k) ++count[line[k] + 1];
    for (int64_t i = 0; i < lines; ++i) count[i + 1] += count[i];
    for (n = 0; n < l->nnz; ++n) {
        const int64_t at = count[line[n]]++;
        l->row[at] = old.row[n], l->col[at] = old.col[n];
    }
    free(count);
    list_free(&old);
}

/* The arrays of a form, on the host and maybe on the GPU. */
typedef struct arrays {
    spmv_matrix_t M;
    void *offsets, *row, *col, *value;         /* on the host */
    void *d_offsets, *d_row, *d_col, *d_value; /* on the GPU, or NULL */
} arrays_t;

static inline arrays_t arrays_of(const list_t *l, spmv_format_t format, spmv_part_t part, int base, int bits,
                                 spmv_type_t type, bool on_gpu)
{
    const int64_t lines = format == SPMV_CSC ? l->cols : l->rows;
    const int32_t *line = format == SPMV_CSC ? l->col : l->row;
    const size_t nnz = (size_t)l->nnz, value = dtype_size(DTYPES[type]), offset = (size_t)bits / 8;
    arrays_t a = {.M = {.format = format, .part = part, .index_base = base, .rows = l->rows, .cols = l->cols,
                        .nnz = l->nnz, .value_type = type, .offset_bits = format == SPMV_COO ? 0 : bits,
                        .memory = on_gpu ? SPMV_DEVICE : SPMV_HOST}};
    int64_t *offsets = calloc((size_t)lines + 2, sizeof *offsets);
    a.offsets = calloc((size_t)lines + 1, 8);
    a.row = malloc(nnz * 4 + 1), a.col = malloc(nnz * 4 + 1), a.value = malloc(nnz * value + 1);
    for (int64_t k = 0; k < l->nnz; ++k) {
        ((int32_t *)a.row)[k] = l->row[k] + base, ((int32_t *)a.col)[k] = l->col[k] + base;
        ++offsets[line[k] + 1];
    }
    for (int64_t i = 0; i < lines; ++i) offsets[i + 1] += offsets[i];
    for (int64_t i = 0; i <= lines; ++i)
        if (bits == 64) ((int64_t *)a.offsets)[i] = offsets[i] + base;
        else ((int32_t *)a.offsets)[i] = (int32_t)offsets[i] + base;
    dtype_from_double(DTYPES[type], a.value, l->value, nnz);
    free(offsets);
    if (on_gpu) {
        a.d_offsets = to_gpu(a.offsets, ((size_t)lines + 1) * offset);
        a.d_row = to_gpu(a.row, nnz * 4), a.d_col = to_gpu(a.col, nnz * 4), a.d_value = to_gpu(a.value, nnz * value);
    }
    /* Arrays that the form does not use are NULL. */
    if (format != SPMV_COO) a.M.offsets = on_gpu ? a.d_offsets : a.offsets;
    if (format != SPMV_CSR) a.M.row_indices = on_gpu ? a.d_row : a.row;
    if (format != SPMV_CSC) a.M.col_indices = on_gpu ? a.d_col : a.col;
    a.M.values = on_gpu ? a.d_value : a.value;
    return a;
}

static inline void arrays_free(arrays_t *a)
{
    free(a->offsets), free(a->row), free(a->col), free(a->value);
    device_free(a->d_offsets), device_free(a->d_row), device_free(a->d_col), device_free(a->d_value);
}

#endif
