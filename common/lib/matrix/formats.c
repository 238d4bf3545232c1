/* formats.c - COO and CSRL, and functions for all formats; see formats.h */
#include "formats.h"

#include <stdlib.h>
#include <string.h>

#include "formats_impl.h"

int formats_fits(const char *format, double bytes, size_t max_bytes, err_t *err)
{
    if (bytes <= (double)max_bytes) return 0;
    return err_set(err, "%s needs %.3f GB, the limit is %.3f GB", format, bytes / 1e9, (double)max_bytes / 1e9);
}

void *formats_no_memory(const char *format, err_t *err)
{
    return err_null(err, "out of memory for %s", format);
}

void *formats_free(void *M, size_t count, void *const arrays[])
{
    for (size_t i = 0; i < count; ++i) free(arrays[i]);
    free(M);
    return NULL;
}

size_t formats_offset_bytes(size_t largest) { return largest <= INT32_MAX ? 4 : 8; }

/* ---- COO ------------------------------------------------------------------ */

FORMATS_FREE(coo, M->row_indices, M->col_indices, M->values)

coo_t *coo_from_csr(const csr_t *A, size_t max_bytes, err_t *err)
{
    if (formats_fits("COO", 16.0 * (double)A->nnz, max_bytes, err)) return NULL;
    coo_t *M = calloc(1, sizeof *M);
    if (M) {
        *M = (coo_t){.rows = A->rows, .cols = A->cols, .nnz = A->nnz};
        M->row_indices = malloc((A->nnz + 1) * sizeof *M->row_indices);
        M->col_indices = malloc((A->nnz + 1) * sizeof *M->col_indices);
        M->values = malloc((A->nnz + 1) * sizeof *M->values);
    }
    if (!M || !M->row_indices || !M->col_indices || !M->values) {
        formats_no_memory("COO", err);
        return coo_free(M);
    }
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) M->row_indices[nz] = (int32_t)r;
    memcpy(M->col_indices, A->col_indices, A->nnz * sizeof *A->col_indices);
    memcpy(M->values, A->values, A->nnz * sizeof *A->values);
    return M;
}

size_t coo_bytes(const coo_t *M, dtype_t type) { return M->nnz * (4 + 4 + dtype_size(type)); }

/* ---- CSRL ------------------------------------------------------------------ */

/* Returns whether a run starts at nonzero nz of a row that starts at `first`. */
static bool starts_run(const csr_t *A, int64_t first, int64_t nz)
{
    return nz == first || A->col_indices[nz] != A->col_indices[nz - 1] + 1;
}

size_t csr_nzseg(const csr_t *A)
{
    size_t runs = 0;
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz)
            runs += starts_run(A, A->row_offsets[r], nz);
    return runs;
}

FORMATS_FREE(csrl, M->run_offsets, M->value_offsets, M->run_cols, M->run_lengths, M->values)

static csrl_t *csrl_alloc(size_t rows, size_t cols, size_t nnz, size_t runs)
{
    csrl_t *M = calloc(1, sizeof *M);
    if (!M) return NULL;
    *M = (csrl_t){.rows = rows, .cols = cols, .nnz = nnz, .runs = runs};
    M->run_offsets = calloc(rows + 1, sizeof *M->run_offsets);
    M->value_offsets = calloc(rows + 1, sizeof *M->value_offsets);
    M->run_cols = malloc((runs + 1) * sizeof *M->run_cols);
    M->run_lengths = malloc((runs + 1) * sizeof *M->run_lengths);
    M->values = malloc((nnz + 1) * sizeof *M->values);
    if (!M->run_offsets || !M->value_offsets || !M->run_cols || !M->run_lengths || !M->values) return csrl_free(M);
    return M;
}

csrl_t *csrl_from_csr(const csr_t *A, size_t max_bytes, err_t *err)
{
    size_t runs = csr_nzseg(A);
    double bytes = 16.0 * ((double)A->rows + 1) + 8.0 * (double)runs + 8.0 * (double)A->nnz;
    if (formats_fits("CSRL", bytes, max_bytes, err)) return NULL;
    csrl_t *M = csrl_alloc(A->rows, A->cols, A->nnz, runs);
    if (!M) return formats_no_memory("CSRL", err);
    int64_t run = -1;
    for (size_t r = 0; r < A->rows; ++r) {
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
            if (starts_run(A, A->row_offsets[r], nz)) {
                M->run_cols[++run] = A->col_indices[nz];
                M->run_lengths[run] = 0;
            }
            ++M->run_lengths[run];
        }
        M->run_offsets[r + 1] = run + 1;
    }
    memcpy(M->value_offsets, A->row_offsets, (A->rows + 1) * sizeof *A->row_offsets);
    memcpy(M->values, A->values, A->nnz * sizeof *A->values);
    return M;
}

size_t csrl_bytes(const csrl_t *M, dtype_t type)
{
    return (M->rows + 1) * formats_offset_bytes(M->runs) + M->runs * (4 + 4) + M->nnz * dtype_size(type);
}
