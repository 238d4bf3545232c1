/* local.c - multiplies a part of a rank's rows by a vector: with libspmv, or as in article S4 with CSR or CSRL. */
#include <stdlib.h>

#include "../rows/lib_rows.h"
#include "gpu_kernels.h"
#include "device.h"
#include "dist_impl.h"
#include "formats.h"

struct local {
    spmv_plan_t *plan;   /* NULL if arrays or d_offsets are used */
    csr_arrays_t arrays; /* CSR; for CSRL the same values, and the runs */
    csrl_t *runs;
    bool is_double;
    int64_t *d_offsets;  /* LOCAL_IN_ORDER on a GPU: the row offsets */
    int32_t *d_entries;
};

static dist_status_t status_of(spmv_status_t s)
{
    switch (s) {
    case SPMV_OK: return DIST_OK;
    case SPMV_BAD_ARGUMENT: return DIST_BAD_ARGUMENT;
    case SPMV_BAD_MATRIX: return DIST_BAD_MATRIX;
    case SPMV_NO_MEMORY: return DIST_NO_MEMORY;
    case SPMV_NO_GPU: return DIST_NO_GPU;
    default: return DIST_GPU_ERROR;
    }
}

static dist_status_t open_plan(local_t *l, dtype_t type, dist_backend_t backend, dist_local_t how, int threads,
                               err_t *err)
{
    const csr_arrays_t *a = &l->arrays;
    static const spmv_type_t TYPES[] = {[DTYPE_F32] = SPMV_F32, [DTYPE_F64] = SPMV_F64, [DTYPE_F16] = SPMV_F16,
                                        [DTYPE_BF16] = SPMV_BF16};
    const spmv_csr_t A = {.rows = (int64_t)a->rows, .cols = (int64_t)a->cols, .nnz = (int64_t)a->nnz,
                          .value_type = TYPES[type], .offset_bits = a->offset_bits, .memory = SPMV_HOST,
                          .row_offsets = a->row_offsets, .col_indices = a->col_indices, .values = a->values};
    const spmv_options_t o = {.backend = backend == DIST_CUDA ? SPMV_BACKEND_GPU : SPMV_BACKEND_CPU,
                              .setup = how == DIST_LOCAL_NONE ? SPMV_SETUP_NONE : SPMV_SETUP_PLAN,
                              .copy = 1, .exclusive = 1, .beside = 1, .threads = threads > 0 ? threads : 1,
                              .run = lib_on_openmp};
    const spmv_status_t s = spmv_create(&l->plan, &A, &o, NULL);
    if (s != SPMV_OK) err_set(err, "%s", spmv_last_error());
    csr_arrays_free(&l->arrays); /* the plan has a copy of its own */
    l->arrays = (csr_arrays_t){0};
    return status_of(s);
}

static dist_status_t open_on_gpu(local_t *l, err_t *err)
{
    const csr_arrays_t *a = &l->arrays;
    l->d_offsets = device_upload(a->row_offsets, (a->rows + 1) * sizeof *l->d_offsets, "rows of sums", err);
    if (l->d_offsets) l->d_entries = device_upload(a->col_indices, a->nnz * sizeof *l->d_entries, "sums", err);
    return l->d_entries ? DIST_OK : DIST_NO_MEMORY;
}

dist_status_t local_open(local_t **out, const csr_t *A, dtype_t type, dist_backend_t backend, dist_local_t how,
                         int threads, err_t *err)
{
    const bool in_order = how == (dist_local_t)LOCAL_IN_ORDER, on_gpu = in_order && backend == DIST_CUDA;
    const bool loops = how == DIST_LOCAL_CSR || how == DIST_LOCAL_CSRL || in_order;
    *out = NULL;
    const bool loops_can = (backend == DIST_CPU || in_order) && (type == DTYPE_F32 || type == DTYPE_F64);
    if (type == DTYPE_I8 || (loops && !loops_can))
        return FAIL_WITH(err, DIST_BAD_ARGUMENT, "%s cannot be multiplied%s", dtype_name(type),
                         loops ? " by the loops of CSR and CSRL: use fp32 or fp64 on the CPU"
                               : ": use a floating-point type");
    local_t *l = calloc(1, sizeof *l);
    dist_status_t status = DIST_NO_MEMORY;
    if (!l) err_set(err, "out of memory");
    else if (csr_arrays_from(&l->arrays, A, type, loops || A->nnz > INT32_MAX ? 64 : 32, err) == 0) status = DIST_OK;
    if (status == DIST_OK && !loops) status = open_plan(l, type, backend, how, threads, err);
    if (status == DIST_OK && on_gpu) status = open_on_gpu(l, err);
    if (status == DIST_OK && how == DIST_LOCAL_CSRL && !(l->runs = csrl_from_csr(A, SIZE_MAX, err)))
        status = DIST_NO_MEMORY;
    if (status == DIST_OK) {
        l->is_double = type == DTYPE_F64;
        *out = l;
    } else {
        local_close(l);
    }
    return status;
}

/* y[r] = (add ? y[r] : 0) + row r times x */
#define CSR_LOOP(name, T)                                                                                 \
    static void name(const local_t *l, const T *x, bool add, T *y)                                        \
    {                                                                                                     \
        const int64_t *offsets = l->arrays.row_offsets;                                                   \
        const T *values = l->arrays.values;                                                               \
        for (size_t r = 0; r < l->arrays.rows; ++r) {                                                     \
            T sum = add ? y[r] : 0;                                                                       \
            for (int64_t nz = offsets[r]; nz < offsets[r + 1]; ++nz)                                      \
                sum += values[nz] * x[l->arrays.col_indices[nz]];                                         \
            y[r] = sum;                                                                                   \
        }                                                                                                 \
    }
CSR_LOOP(csr_f32, float)
CSR_LOOP(csr_f64, double)

/* The same, run by run: within a run x is a plain array. */
#define CSRL_LOOP(name, T)                                                                                \
    static void name(const local_t *l, const T *x, bool add, T *y)                                        \
    {                                                                                                     \
        const T *value = l->arrays.values;                                                                \
        for (size_t r = 0; r < l->arrays.rows; ++r) {                                                     \
            T sum = add ? y[r] : 0;                                                                       \
            for (int64_t run = l->runs->run_offsets[r]; run < l->runs->run_offsets[r + 1]; ++run) {       \
                const T *from = x + l->runs->run_cols[run];                                               \
                const int32_t n = l->runs->run_lengths[run];                                              \
                for (int32_t i = 0; i < n; ++i) sum += value[i] * from[i];                                \
                value += n;                                                                               \
            }                                                                                             \
            y[r] = sum;                                                                                   \
        }                                                                                                 \
    }
CSRL_LOOP(csrl_f32, float)
CSRL_LOOP(csrl_f64, double)

dist_status_t local_run(const local_t *l, const void *x, bool add, void *y, void *stream, err_t *err)
{
    if (l->plan) {
        const spmv_status_t s = spmv_execute(l->plan, 1, x, add ? 1 : 0, y, stream);
        if (s != SPMV_OK) err_set(err, "%s", spmv_last_error());
        return status_of(s);
    }
    if (l->d_entries) {
        const size_t element = l->is_double ? 8 : 4;
        return cuda_ok(gpu_add_in_order(y, l->d_offsets, l->d_entries, x, l->arrays.rows, element, stream), "sums",
                       err);
    }
    if (l->runs && l->is_double) csrl_f64(l, x, add, y);
    else if (l->runs) csrl_f32(l, x, add, y);
    else if (l->is_double) csr_f64(l, x, add, y);
    else csr_f32(l, x, add, y);
    return DIST_OK;
}

void local_close(local_t *l)
{
    if (!l) return;
    spmv_destroy(l->plan);
    csr_arrays_free(&l->arrays);
    csrl_free(l->runs);
    device_free(l->d_offsets);
    device_free(l->d_entries);
    free(l);
}

dist_local_t local_how(const dist_matrix_t *d)
{
    if (d->o.local != DIST_LOCAL_BY_RANK) return d->o.local;
    return d->mine.csrl ? DIST_LOCAL_CSRL : DIST_LOCAL_CSR;
}

/* Rows without nonzeros in the halo are empty in this matrix. */
dist_status_t local_open_wide(local_t **l, const dist_matrix_t *d, const halo_t *h, int32_t begin, size_t count,
                              err_t *err)
{
    csr_t wide = *h->outside;
    int64_t *offsets = calloc(count + 1, sizeof *offsets);
    if (!offsets) return FAIL_WITH(err, DIST_NO_MEMORY, "out of memory for %zu rows", count);
    size_t next = 0;
    for (size_t r = 0; r < count; ++r) {
        if (next < h->halo_rows && h->rows[next] - begin == (int32_t)r) ++next;
        offsets[r + 1] = h->outside->row_offsets[next];
    }
    wide.rows = count;
    wide.row_offsets = offsets;
    const dist_status_t status = local_open(l, &wide, d->type, d->w->backend, local_how(d), d->o.threads, err);
    free(offsets);
    return status;
}
