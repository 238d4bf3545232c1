/*
 * spmv_scalar c10 - CSR or CSRL, decided part by part
 *
 * Was     c8 stores all rows as runs, also those whose runs are single nonzeros.
 * Idea    Cut the matrix into parts of about 65536 nonzeros.  Store a part as CSRL if its nzseg / nnz is below
 *         --csrl-threshold (0.3), else as CSR.
 * Moves   For each part the same as c7 or c8, whichever was chosen.
 * Expect  As fast as c7 on scattered matrices and as c8 on banded ones; faster than both if a matrix has parts of
 *         both kinds.  The best threshold depends on the machine: the page has a plot of it.
 * Still   The memory bandwidth of a CPU.                                (-> v1)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.  c8's set-up.
 * Launch  One thread per core (--threads); each thread takes an equal range of parts.
 * Source  Article S4 in docs/sources.md: each MPI rank decides for itself, threshold 0.3.
 *
 * The parts do not depend on the number of threads, so neither does the result: same matrix, same bits.
 */
#include "cpu_runs.h"

#include <stdlib.h>

enum { PART_NONZEROS = 1 << 16 };

typedef struct mixed {
    size_t parts;
    size_t *first_rows; /* [parts + 1] */
    bool *as_runs;      /* [parts] */
    runs_t runs;        /* the runs of the parts stored as CSRL; rows of other parts have none */
} mixed_t;

/* Finds the runs of rows first .. end - 1; writes them to cols and lengths unless NULL. */
static size_t walk_runs(const csr_t *A, size_t first, size_t end, int32_t *cols, int32_t *lengths)
{
    size_t count = 0;
    for (size_t row = first; row < end; ++row)
        for (int64_t nz = A->row_offsets[row]; nz < A->row_offsets[row + 1]; ++nz) {
            const bool goes_on = nz > A->row_offsets[row] && A->col_indices[nz] == A->col_indices[nz - 1] + 1;
            count += !goes_on;
            if (!cols) continue;
            if (!goes_on) cols[count - 1] = A->col_indices[nz], lengths[count - 1] = 0;
            ++lengths[count - 1];
        }
    return count;
}

static void set_offset(void *offsets, int bits, size_t row, size_t value)
{
    if (bits == 64) ((int64_t *)offsets)[row] = (int64_t)value;
    else ((int32_t *)offsets)[row] = (int32_t)value;
}

int spmv_scalar_mixed_open(const csr_t *A, const csr_arrays_t *host, double threshold, void **format, err_t *err)
{
    mixed_t *m = calloc(1, sizeof *m);
    if (!m) return err_set(err, "out of memory");
    *format = m;
    runs_t *runs = &m->runs;
    m->parts = A->nnz / PART_NONZEROS + 1;
    m->first_rows = malloc((m->parts + 1) * sizeof *m->first_rows);
    m->as_runs = malloc(m->parts * sizeof *m->as_runs);
    runs->offsets = malloc((A->rows + 1) * (size_t)(host->offset_bits / 8));
    if (!m->first_rows || !m->as_runs || !runs->offsets) return err_set(err, "out of memory for %zu parts", m->parts);

    for (size_t part = 0; part <= m->parts; ++part) m->first_rows[part] = first_row_of_part(host, part, m->parts);
    for (size_t part = 0; part < m->parts; ++part) {
        const size_t first = m->first_rows[part], end = m->first_rows[part + 1];
        const double nnz = (double)(A->row_offsets[end] - A->row_offsets[first]);
        const size_t nzseg = walk_runs(A, first, end, NULL, NULL);
        m->as_runs[part] = (double)nzseg < threshold * nnz;
        if (m->as_runs[part]) runs->count += nzseg;
    }

    runs->cols = malloc((runs->count + 1) * sizeof *runs->cols);
    runs->lengths = malloc((runs->count + 1) * sizeof *runs->lengths);
    if (!runs->cols || !runs->lengths) return err_set(err, "out of memory for %zu runs", runs->count);
    size_t done = 0;
    set_offset(runs->offsets, host->offset_bits, 0, 0);
    for (size_t part = 0; part < m->parts; ++part)
        for (size_t row = m->first_rows[part]; row < m->first_rows[part + 1]; ++row) {
            if (m->as_runs[part]) done += walk_runs(A, row, row + 1, runs->cols + done, runs->lengths + done);
            set_offset(runs->offsets, host->offset_bits, row + 1, done);
        }
    return 0;
}

void spmv_scalar_mixed_close(void *format)
{
    mixed_t *m = format;
    free(m->first_rows);
    free(m->as_runs);
    free(m->runs.offsets);
    free(m->runs.cols);
    free(m->runs.lengths);
    free(m);
}

size_t spmv_scalar_mixed_bytes(const void *format, const csr_arrays_t *A)
{
    const mixed_t *m = format;
    const size_t offset = (size_t)A->offset_bits / 8;
    size_t bytes = A->nnz * dtype_size(A->value_type) + (A->rows + 1) * offset + 2 * m->runs.count * sizeof(int32_t);
    for (size_t part = 0; part < m->parts; ++part) {
        const int64_t nnz = offset_of(A, m->first_rows[part + 1]) - offset_of(A, m->first_rows[part]);
        if (!m->as_runs[part]) bytes += (size_t)nnz * sizeof(int32_t);
    }
    return bytes;
}

#define ROWS(OFFSET, T, first, end)                                                           \
    do {                                                                                      \
        const OFFSET *row_offsets = A->row_offsets;                                           \
        const T *values = A->values, *in = x;                                                 \
        for (size_t row = (first); row < (end); ++row) {                                      \
            T sum = 0;                                                                        \
            for (OFFSET nz = row_offsets[row]; nz < row_offsets[row + 1]; ++nz)               \
                sum += values[nz] * in[A->col_indices[nz]];                                   \
            ((T *)y)[row] = sum;                                                              \
        }                                                                                     \
    } while (0)

#define SPMV(OFFSET, T)                                                                       \
    do {                                                                                      \
        _Pragma("omp parallel for schedule(static)")                                          \
        for (size_t part = 0; part < m->parts; ++part) {                                      \
            const size_t first = m->first_rows[part], end = m->first_rows[part + 1];          \
            if (m->as_runs[part]) RUNS(OFFSET, T, first, end);                                \
            else ROWS(OFFSET, T, first, end);                                                 \
        }                                                                                     \
    } while (0)

void spmv_scalar_mixed(SPMV_SCALAR_CPU_ARGS)
{
    const mixed_t *m = format;
    const runs_t *runs = &m->runs;
    BY_TYPES(SPMV);
}
