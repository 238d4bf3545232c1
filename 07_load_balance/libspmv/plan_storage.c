/* plan_storage.c - see plan_storage.h. */
#include <stdlib.h>
#include <string.h>

#include "gpu_forms.h"
#include "plan_storage.h"

/* ---- copies ------------------------------------------------------------------------------------- */

spmv_status_t storage_fetch(spmv_matrix_t *host, const spmv_matrix_t *A, void *stream)
{
    *host = *A;
    host->memory = SPMV_HOST;
    const int64_t lines = A->format == SPMV_CSC ? A->cols : A->rows;
    const size_t index_bytes = (size_t)A->nnz * sizeof(int32_t),
                 line_bytes = ((size_t)lines + 1) * (size_t)A->offset_bits / 8,
                 offset_bytes = A->format == SPMV_COO || lines == 0 ? 0 : line_bytes;
    void *offsets = malloc(offset_bytes + 1), *rows = malloc(index_bytes + 1), *cols = malloc(index_bytes + 1);
    host->offsets = offsets, host->row_indices = rows, host->col_indices = cols;
    if (!offsets || !rows || !cols)
        return FAIL(SPMV_NO_MEMORY, "out of memory for inspecting a matrix of %lld nonzeros", (long long)A->nnz);
    spmv_status_t status = gpu_copy_out(offsets, A->offsets, offset_bytes, stream);
    if (status == SPMV_OK && A->format != SPMV_CSR)
        status = gpu_copy_out(rows, A->row_indices, index_bytes, stream);
    if (status == SPMV_OK && A->format != SPMV_CSC)
        status = gpu_copy_out(cols, A->col_indices, index_bytes, stream);
    return status;
}

void storage_fetch_free(spmv_matrix_t *host)
{
    free((void *)host->offsets);
    free((void *)host->row_indices);
    free((void *)host->col_indices);
}

/* Allocates memory of the back end.  On the host the error text says that a copy does not fit. */
static spmv_status_t room(const spmv_plan_t *plan, void **array, size_t bytes, void *stream)
{
    if (plan->backend == SPMV_BACKEND_GPU) return gpu_room(array, bytes, stream);
    *array = malloc(bytes + 1);
    return *array ? SPMV_OK : FAIL(SPMV_NO_MEMORY, "no memory for a copy of %zu bytes", bytes);
}

static spmv_status_t copy_one(const spmv_plan_t *plan, void **copy, const void *source, size_t bytes, void *stream)
{
    if (plan->backend == SPMV_BACKEND_GPU) return gpu_copy_in(copy, source, bytes, plan->source, stream);
    const spmv_status_t status = bytes ? room(plan, copy, bytes, stream) : SPMV_OK;
    if (bytes && status == SPMV_OK) memcpy(*copy, source, bytes);
    return status;
}

/* Copies A's arrays into the back end's memory. */
static spmv_status_t copy_arrays(spmv_plan_t *plan, void *stream)
{
    spmv_csr_t *A = &plan->A;
    const size_t offset_bytes = A->rows ? ((size_t)A->rows + 1) * offset_size(A) : 0;
    const size_t column_bytes = (size_t)A->nnz * sizeof(int32_t),
                 value_bytes = (size_t)A->nnz * value_size(A->value_type);
    spmv_status_t status = copy_one(plan, &plan->row_offsets, A->row_offsets, offset_bytes, stream);
    if (status == SPMV_OK) status = copy_one(plan, &plan->col_indices, A->col_indices, column_bytes, stream);
    if (status == SPMV_OK) status = copy_one(plan, &plan->values, A->values, value_bytes, stream);
    A->row_offsets = plan->row_offsets;
    A->col_indices = plan->col_indices;
    A->values = plan->values;
    if (plan->backend == SPMV_BACKEND_GPU) A->memory = SPMV_DEVICE;
    plan->copied = true;
    plan->copy_bytes = offset_bytes + column_bytes + value_bytes;
    return status;
}

/* ---- conversion to CSR ----------------------------------------------------------------------- */

/* Copies the caller's values into the plan's order. */
static spmv_status_t place_values(spmv_plan_t *plan, const void *values, void *stream)
{
    const spmv_csr_t *A = &plan->A;
    const size_t size = value_size(A->value_type);
    void *to = plan->staging ? plan->staging : plan->values;
    if (plan->source == SPMV_DEVICE) {
        const spmv_status_t status = gpu_gather(plan->values, values, plan->origin, A, stream);
        return status == SPMV_OK ? SPMV_OK : FAIL(status, "starting the kernels: %s", gpu_reason());
    }
    form_gather(to, values, plan->origin, A->offset_bits, A->nnz, size);
    return plan->staging ? gpu_copy_over(plan->values, to, (size_t)A->nnz * size, SPMV_HOST, stream) : SPMV_OK;
}

/* Moves the form's arrays, which are in host memory, to the plan. */
static spmv_status_t take_form(spmv_plan_t *plan, form_t *f)
{
    const size_t bytes = (size_t)f->nnz * value_size(plan->A.value_type);
    plan->row_offsets = f->offsets, plan->col_indices = f->columns, plan->origin = f->origin;
    memset(f, 0, sizeof *f);
    return room(plan, &plan->values, bytes, NULL);
}

/* Copies the form's arrays to the GPU, except the origin if the caller's values are on the host. */
static spmv_status_t upload_form(spmv_plan_t *plan, form_t *f, void *stream)
{
    const size_t nnz = (size_t)f->nnz, offset = (size_t)f->bits / 8, bytes = nnz * value_size(plan->A.value_type);
    spmv_status_t status = gpu_copy_in(&plan->row_offsets, f->offsets, f->rows ? ((size_t)f->rows + 1) * offset : 0,
                                       SPMV_HOST, stream);
    if (status == SPMV_OK)
        status = gpu_copy_in(&plan->col_indices, f->columns, nnz * sizeof(int32_t), SPMV_HOST, stream);
    if (status == SPMV_OK) status = gpu_room(&plan->values, bytes, stream);
    if (status == SPMV_OK && plan->source == SPMV_DEVICE)
        status = gpu_copy_in(&plan->origin, f->origin, nnz * offset, SPMV_HOST, stream);
    if (status != SPMV_OK || plan->source == SPMV_DEVICE) return status;
    plan->origin = f->origin, f->origin = NULL;
    plan->staging = malloc(bytes + 1);
    return plan->staging ? SPMV_OK : FAIL(SPMV_NO_MEMORY, "no memory for a copy of %zu bytes", bytes);
}

/* Sets all members of the plan except the arrays from the form. */
static void describe_form(spmv_plan_t *plan, const spmv_matrix_t *A, const form_t *f, bool transpose)
{
    static const char *const FORMATS[] = {"CSR", "CSC", "COO"};
    static const char *const PARTS[] = {"", ", lower triangle", ", upper triangle"};
    const size_t nnz = (size_t)f->nnz, offset = (size_t)f->bits / 8, size = value_size(A->value_type);
    plan->copied = plan->anew = true;
    snprintf(plan->told, sizeof plan->told, "%s from %d on%s%s", FORMATS[A->format], A->index_base, PARTS[A->part],
             transpose ? ", transposed" : "");
    plan->A = (spmv_csr_t){f->rows, f->cols, f->nnz, A->value_type, f->bits, SPMV_HOST, NULL, NULL, NULL};
    if (plan->backend == SPMV_BACKEND_GPU) plan->A.memory = SPMV_DEVICE;
    plan->copy_bytes = ((size_t)f->rows + 1) * offset + nnz * (sizeof(int32_t) + size + offset);
}

/* Copies A's values into the plan's arrays. */
static spmv_status_t finish_form(spmv_plan_t *plan, const void *values, void *stream)
{
    if (plan->staging) plan->copy_bytes += (size_t)plan->A.nnz * value_size(plan->A.value_type);
    plan->A.row_offsets = plan->row_offsets;
    plan->A.col_indices = plan->col_indices;
    plan->A.values = plan->values;
    const spmv_status_t status = place_values(plan, values, stream);
    return status == SPMV_OK && plan->backend == SPMV_BACKEND_GPU ? gpu_wait(stream) : status;
}

spmv_status_t storage_create_from_form(spmv_plan_t *plan, const spmv_matrix_t *A, form_t *f, bool transpose,
                                       void *stream)
{
    describe_form(plan, A, f, transpose);
    spmv_status_t status = plan->backend == SPMV_BACKEND_GPU ? upload_form(plan, f, stream) : take_form(plan, f);
    if (status == SPMV_OK) status = finish_form(plan, A->values, stream);
    form_free(f);
    return status;
}

/* Converts a checked matrix to the plan's CSR arrays; `host` has A's offsets and indices in host memory. */
static spmv_status_t store_anew(spmv_plan_t *plan, const spmv_matrix_t *A, const spmv_matrix_t *host, bool transpose,
                                void *stream)
{
    form_t f;
    if (!form_make(&f, host, transpose))
        return FAIL(SPMV_NO_MEMORY, "no memory to convert %lld nonzeros", (long long)A->nnz);
    return storage_create_from_form(plan, A, &f, transpose, stream);
}

/* The same for a matrix on the GPU, which is checked there.  Sets *is_done to false if the host must convert it. */
static spmv_status_t store_anew_on_gpu(spmv_plan_t *plan, const spmv_matrix_t *A, bool transpose, void *stream,
                                        bool *is_done)
{
    form_t f;
    spmv_status_t status = gpu_form_make(&f, is_done, A, transpose, stream);
    if (status != SPMV_OK || !*is_done) return status;
    describe_form(plan, A, &f, transpose);
    plan->row_offsets = f.offsets, plan->col_indices = f.columns, plan->origin = f.origin;
    status = gpu_room(&plan->values, (size_t)f.nnz * value_size(A->value_type), stream);
    return status == SPMV_OK ? finish_form(plan, A->values, stream) : status;
}

/* ---- the functions of plan_storage.h ------------------------------------------------------------ */

spmv_status_t storage_create(spmv_plan_t *plan, const spmv_matrix_t *A, const spmv_options_t *o, bool transpose,
                             void *stream)
{
    const bool as_it_is = A->index_base == 0 && A->part == SPMV_ALL && A->format == (transpose ? SPMV_CSC : SPMV_CSR);
    const bool fetched = A->memory == SPMV_DEVICE && (!as_it_is || o->check);
    spmv_matrix_t host = *A;
    spmv_status_t status = SPMV_OK;
    if (A->memory == SPMV_DEVICE && !as_it_is) {
        bool is_done = false;
        status = store_anew_on_gpu(plan, A, transpose, stream, &is_done);
        if (status != SPMV_OK || is_done) return status;
    }
    if (fetched) status = storage_fetch(&host, A, stream);
    if (status == SPMV_OK && host.memory == SPMV_HOST) status = check_matrix(&host);
    if (status == SPMV_OK && as_it_is) {
        plan->A = (spmv_csr_t){transpose ? A->cols : A->rows, transpose ? A->rows : A->cols, A->nnz, A->value_type,
                               A->offset_bits, A->memory, A->offsets, transpose ? A->row_indices : A->col_indices,
                               A->values};
        if (o->copy || (plan->backend == SPMV_BACKEND_GPU && A->memory == SPMV_HOST))
            status = copy_arrays(plan, stream);
    } else if (status == SPMV_OK) {
        status = store_anew(plan, A, &host, transpose, stream);
    }
    if (fetched) storage_fetch_free(&host);
    return status;
}

spmv_status_t storage_update(spmv_plan_t *plan, const void *values, void *stream)
{
    const size_t bytes = (size_t)plan->A.nnz * value_size(plan->A.value_type);
    if (plan->anew) return place_values(plan, values, stream);
    if (!plan->copied) {
        plan->A.values = values;
        return SPMV_OK;
    }
    if (plan->backend == SPMV_BACKEND_GPU) return gpu_copy_over(plan->values, values, bytes, plan->source, stream);
    memcpy(plan->values, values, bytes);
    return SPMV_OK;
}

void storage_release(const spmv_plan_t *plan, void *array)
{
    if (plan->backend == SPMV_BACKEND_GPU) gpu_free(array);
    else free(array);
}

void storage_free(spmv_plan_t *plan)
{
    if (!plan->copied) return;
    storage_release(plan, plan->row_offsets);
    storage_release(plan, plan->col_indices);
    storage_release(plan, plan->values);
    if (plan->source == SPMV_DEVICE) storage_release(plan, plan->origin);
    else free(plan->origin);
    free(plan->staging);
}
