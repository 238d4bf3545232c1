/* plan.c - libspmv's front end: it checks every argument, then calls one of the two engines. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cpu_engine.h"
#include "cpu_permute.h"
#include "forms.h"
#include "order.h"

#ifdef SPMV_GPU
#include "gpu_engine.h"
#include "gpu_forms.h"
#endif

struct spmv_plan {
    spmv_csr_t A;         /* as the engine sees it: borrowed, or the plan's own arrays below */
    spmv_memory_t source; /* where the caller's arrays are */
    bool copied;
    void *row_offsets, *col_indices, *values; /* the plan's own; NULL if borrowed */
    size_t copy_bytes;
    /* Of a converted matrix: value k is the caller's value origin[k]. */
    bool anew;
    int64_t source_nnz;   /* values the caller has */
    void *origin;         /* [A.nnz] of A.offset_bits, where the caller's arrays are; or NULL */
    void *staging;        /* buffer for values copied from the host to the GPU; or NULL */
    char told[80];        /* what it was converted from, for spmv_describe() */
    /* Of a reordered matrix (order.h), which is always converted; in the back end's memory. */
    bool reordered;
    void *rows, *places;  /* [n] int32_t */
    void *own_x, *own_y;  /* [n] in that order */
    char order_told[200]; /* a line about it, for spmv_describe() */
    spmv_backend_t backend;
    cpu_engine_t *cpu;
#ifdef SPMV_GPU
    gpu_engine_t *gpu;
#endif
};

/* ---- errors ------------------------------------------------------------------------------------- */

const char *spmv_last_error(void) { return libspmv_error; }

const char *spmv_status_text(spmv_status_t status)
{
    switch (status) {
    case SPMV_OK: return "no error";
    case SPMV_BAD_ARGUMENT: return "bad argument";
    case SPMV_BAD_MATRIX: return "not a matrix of this form";
    case SPMV_NO_MEMORY: return "out of memory";
    case SPMV_NO_GPU: return "no GPU";
    case SPMV_GPU_ERROR: return "a CUDA call failed";
    }
    return "unknown status";
}

#define TEXT_(n) #n
#define TEXT(n) TEXT_(n)
const char *spmv_version(void)
{
    return TEXT(SPMV_VERSION_MAJOR) "." TEXT(SPMV_VERSION_MINOR) "." TEXT(SPMV_VERSION_PATCH);
}

/* ---- host memory -------------------------------------------------------------------------------- */

static spmv_status_t copy_to_host(void **copy, const void *source, size_t bytes)
{
    *copy = bytes ? malloc(bytes) : NULL;
    if (bytes && !*copy) return FAIL(SPMV_NO_MEMORY, "no memory for a copy of %zu bytes", bytes);
    if (bytes) memcpy(*copy, source, bytes);
    return SPMV_OK;
}

/* ---- device memory ------------------------------------------------------------------------------ */

/* Makes host copies of A's offsets and indices, which are in device memory. */
static spmv_status_t fetch(spmv_matrix_t *host, const spmv_matrix_t *A, void *stream)
{
    spmv_status_t status = SPMV_NO_GPU;
    *host = *A;
    host->memory = SPMV_HOST;
#ifdef SPMV_GPU
    const int64_t lines = A->format == SPMV_CSC ? A->cols : A->rows;
    const size_t index_bytes = (size_t)A->nnz * sizeof(int32_t),
                 line_bytes = ((size_t)lines + 1) * (size_t)A->offset_bits / 8,
                 offset_bytes = A->format == SPMV_COO || lines == 0 ? 0 : line_bytes;
    void *offsets = malloc(offset_bytes + 1), *rows = malloc(index_bytes + 1), *cols = malloc(index_bytes + 1);
    host->offsets = offsets, host->row_indices = rows, host->col_indices = cols;
    if (!offsets || !rows || !cols)
        return FAIL(SPMV_NO_MEMORY, "out of memory for inspecting a matrix of %lld nonzeros", (long long)A->nnz);
    status = gpu_copy_out(offsets, A->offsets, offset_bytes, stream, libspmv_error, WHY);
    if (status == SPMV_OK && A->format != SPMV_CSR)
        status = gpu_copy_out(rows, A->row_indices, index_bytes, stream, libspmv_error, WHY);
    if (status == SPMV_OK && A->format != SPMV_CSC)
        status = gpu_copy_out(cols, A->col_indices, index_bytes, stream, libspmv_error, WHY);
#else
    (void)stream;
#endif
    return status;
}

static void fetch_free(spmv_matrix_t *host)
{
    free((void *)host->offsets);
    free((void *)host->row_indices);
    free((void *)host->col_indices);
}

/* ---- arrays of the plan's own ------------------------------------------------------------------- */

static spmv_status_t copy_one(const spmv_plan_t *plan, void **copy, const void *source, size_t bytes, void *stream)
{
#ifdef SPMV_GPU
    if (plan->backend == SPMV_BACKEND_GPU)
        return gpu_copy_in(copy, source, bytes, plan->source, stream, libspmv_error, WHY);
#endif
    (void)plan, (void)stream;
    return copy_to_host(copy, source, bytes);
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
#ifdef SPMV_GPU
    if (plan->source == SPMV_DEVICE) {
        const gpu_origin_t origin = {plan->origin, A->offset_bits, (uint64_t)A->nnz};
        const spmv_status_t status = gpu_gather(plan->values, values, &origin, size, stream);
        return status == SPMV_OK ? SPMV_OK : FAIL(status, "starting the kernels: %s", gpu_reason());
    }
#endif
    form_gather(to, values, plan->origin, A->offset_bits, A->nnz, size);
#ifdef SPMV_GPU
    if (plan->staging)
        return gpu_copy_over(plan->values, to, (size_t)A->nnz * size, SPMV_HOST, stream, libspmv_error, WHY);
#else
    (void)stream;
#endif
    return SPMV_OK;
}

/* The plan takes over the form's arrays, which are in host memory. */
static spmv_status_t take_form(spmv_plan_t *plan, form_t *f)
{
    const size_t bytes = (size_t)f->nnz * value_size(plan->A.value_type);
    plan->row_offsets = f->offsets, plan->col_indices = f->columns, plan->origin = f->origin;
    memset(f, 0, sizeof *f);
    plan->values = malloc(bytes + 1);
    return plan->values ? SPMV_OK : FAIL(SPMV_NO_MEMORY, "no memory for a copy of %zu bytes", bytes);
}

#ifdef SPMV_GPU
/* For the GPU it makes copies.  The origin stays on the host if the caller's values are there. */
static spmv_status_t upload_form(spmv_plan_t *plan, form_t *f, void *stream)
{
    const size_t nnz = (size_t)f->nnz, offset = (size_t)f->bits / 8, bytes = nnz * value_size(plan->A.value_type);
    spmv_status_t status = gpu_copy_in(&plan->row_offsets, f->offsets, f->rows ? ((size_t)f->rows + 1) * offset : 0,
                                       SPMV_HOST, stream, libspmv_error, WHY);
    if (status == SPMV_OK)
        status = gpu_copy_in(&plan->col_indices, f->columns, nnz * sizeof(int32_t), SPMV_HOST, stream, libspmv_error,
                             WHY);
    if (status == SPMV_OK) status = gpu_room(&plan->values, bytes, stream, libspmv_error, WHY);
    if (status == SPMV_OK && plan->source == SPMV_DEVICE)
        status = gpu_copy_in(&plan->origin, f->origin, nnz * offset, SPMV_HOST, stream, libspmv_error, WHY);
    if (status != SPMV_OK || plan->source == SPMV_DEVICE) return status;
    plan->origin = f->origin, f->origin = NULL;
    plan->staging = malloc(bytes + 1);
    return plan->staging ? SPMV_OK : FAIL(SPMV_NO_MEMORY, "no memory for a copy of %zu bytes", bytes);
}
#endif

/* Sets everything but the arrays from the form. */
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
#ifdef SPMV_GPU
    if (status == SPMV_OK && plan->backend == SPMV_BACKEND_GPU) return gpu_wait(stream, libspmv_error, WHY);
#endif
    return status;
}

/* Makes the plan's own CSR from this form of A, whose arrays it takes over. */
static spmv_status_t store_form(spmv_plan_t *plan, const spmv_matrix_t *A, form_t *f, bool transpose, void *stream)
{
    describe_form(plan, A, f, transpose);
#ifdef SPMV_GPU
    spmv_status_t status = plan->backend == SPMV_BACKEND_GPU ? upload_form(plan, f, stream) : take_form(plan, f);
#else
    spmv_status_t status = take_form(plan, f);
#endif
    if (status == SPMV_OK) status = finish_form(plan, A->values, stream);
    form_free(f);
    return status;
}

/* Makes the plan's own CSR from a checked matrix; `host` has A's offsets and indices in host memory. */
static spmv_status_t store_anew(spmv_plan_t *plan, const spmv_matrix_t *A, const spmv_matrix_t *host, bool transpose,
                                void *stream)
{
    form_t f;
    if (!form_make(&f, host, transpose))
        return FAIL(SPMV_NO_MEMORY, "no memory to store %lld nonzeros anew", (long long)A->nnz);
    return store_form(plan, A, &f, transpose, stream);
}

#ifdef SPMV_GPU
/* The same for a matrix on the GPU, which is checked there.  *is_done false: the host must convert it. */
static spmv_status_t store_anew_on_card(spmv_plan_t *plan, const spmv_matrix_t *A, bool transpose, void *stream,
                                        bool *is_done)
{
    form_t f;
    spmv_status_t status = gpu_form_make(&f, is_done, A, transpose, stream, libspmv_error, WHY);
    if (status != SPMV_OK || !*is_done) return status;
    describe_form(plan, A, &f, transpose);
    plan->row_offsets = f.offsets, plan->col_indices = f.columns, plan->origin = f.origin;
    status = gpu_room(&plan->values, (size_t)f.nnz * value_size(A->value_type), stream, libspmv_error, WHY);
    return status == SPMV_OK ? finish_form(plan, A->values, stream) : status;
}
#endif

/* ---- a better order ----------------------------------------------------------------------------- */

/* Copies the order to the back end's memory, and allocates x and y in that order. */
static spmv_status_t take_order(spmv_plan_t *plan, order_t *order, size_t vector_bytes, void *stream)
{
    const size_t n = (size_t)order->n;
    plan->reordered = true;
#ifdef SPMV_GPU
    if (plan->backend == SPMV_BACKEND_GPU) {
        spmv_status_t status = gpu_copy_in(&plan->rows, order->rows, n * sizeof *order->rows, SPMV_HOST, stream,
                                           libspmv_error, WHY);
        if (status == SPMV_OK)
            status = gpu_copy_in(&plan->places, order->places, n * sizeof *order->places, SPMV_HOST, stream,
                                 libspmv_error, WHY);
        if (status == SPMV_OK) status = gpu_room(&plan->own_x, n * vector_bytes, stream, libspmv_error, WHY);
        if (status == SPMV_OK) status = gpu_room(&plan->own_y, n * vector_bytes, stream, libspmv_error, WHY);
        return status;
    }
#endif
    (void)stream;
    plan->rows = order->rows, plan->places = order->places;
    order->rows = order->places = NULL;
    plan->own_x = malloc(n * vector_bytes), plan->own_y = malloc(n * vector_bytes);
    if (plan->own_x && plan->own_y) return SPMV_OK;
    return FAIL(SPMV_NO_MEMORY, "no memory for two vectors of %zu bytes", n * vector_bytes);
}

/* Writes the result of the search for an order, for spmv_describe(). */
static void tell_order(spmv_plan_t *plan, const order_t *o, int64_t nnz)
{
    const double each = nnz ? 1 / (double)nnz : 0, before = each * (double)o->before, after = each * (double)o->after;
    char *text = plan->order_told;
    const size_t size = sizeof plan->order_told;
    if (o->rows)
        snprintf(text, size, "in reverse Cuthill-McKee order: 32 rows need %.3f sectors of x per nonzero, %.3f before; "
                 "products permute x and y\n", after, before);
    else if (o->after < 0)
        snprintf(text, size, "not reordered: 32 rows need %.3f sectors of x per nonzero, and no order saves enough\n",
                 before);
    else
        snprintf(text, size, "not reordered: 32 rows need %.3f sectors of x per nonzero, and %.3f in reverse "
                 "Cuthill-McKee order, which saves too little\n", before, after);
}

/* Stores A, in form f, in a better order if one pays.  f is then freed, else unchanged. */
static spmv_status_t reorder_form(spmv_plan_t *plan, const spmv_matrix_t *A, form_t *f, bool transpose, void *stream,
                                  bool *is_done)
{
    const size_t vector_bytes = vector_size(A->value_type);
    order_t order;
    if (!reorder_find(&order, f, vector_bytes,
                    plan->backend == SPMV_BACKEND_CPU ? ORDER_PRICE_CPU : ORDER_PRICE_CARD))
        return FAIL(SPMV_NO_MEMORY, "no memory to look for an order of %lld rows", (long long)f->rows);
    tell_order(plan, &order, f->nnz);
    *is_done = order.rows != NULL;
    spmv_status_t status = *is_done ? take_order(plan, &order, vector_bytes, stream) : SPMV_OK;
    if (*is_done && status == SPMV_OK) status = store_form(plan, A, f, transpose, stream);
    reorder_free(&order);
    return status;
}

/* Why no order of A is searched; NULL: one is. */
static const char *no_order(const spmv_matrix_t *A, const spmv_options_t *o)
{
    if (o->setup != SPMV_SETUP_PLAN) return "no set-up was asked for";
    if (!o->exclusive) return "`exclusive` was not promised, and the plan would hold x and y";
    if (A->rows != A->cols) return "the matrix is not square";
    if (A->nnz > ORDER_MOST / 2) return "it has more than 2^29 nonzeros";
    return NULL;
}

/* The option `reorder`.  *is_done: A is stored in another order; else only the text for spmv_describe() is set. */
static spmv_status_t reorder(spmv_plan_t *plan, const spmv_matrix_t *A, const spmv_options_t *o, bool transpose,
                             void *stream, bool *is_done)
{
    const char *const why = no_order(A, o);
    const bool fetched = A->memory == SPMV_DEVICE;
    spmv_matrix_t host = *A;
    form_t f = {0};
    spmv_status_t status = SPMV_OK;
    *is_done = false;
    if (why) {
        snprintf(plan->order_told, sizeof plan->order_told, "not reordered: %s\n", why);
        return SPMV_OK;
    }
    if (fetched) status = fetch(&host, A, stream);
    if (status == SPMV_OK) status = check_matrix(&host);
    if (status == SPMV_OK && !form_make(&f, &host, transpose))
        status = FAIL(SPMV_NO_MEMORY, "no memory to store %lld nonzeros anew", (long long)A->nnz);
    if (fetched) fetch_free(&host);
    if (status == SPMV_OK) status = reorder_form(plan, A, &f, transpose, stream, is_done);
    form_free(&f);
    return status;
}

/* ---- the library -------------------------------------------------------------------------------- */

static spmv_status_t choose_backend(spmv_plan_t *plan, const spmv_options_t *o)
{
    plan->backend = o->backend;
    if (plan->backend == SPMV_BACKEND_AUTO)
        plan->backend = plan->source == SPMV_DEVICE ? SPMV_BACKEND_GPU : SPMV_BACKEND_CPU;
    if (plan->backend == SPMV_BACKEND_CPU)
        return plan->source == SPMV_HOST
                   ? SPMV_OK
                   : FAIL(SPMV_BAD_ARGUMENT, "the CPU back end takes host arrays, these are on the GPU");
#ifdef SPMV_GPU
    return gpu_present(libspmv_error, WHY);
#else
    return FAIL(SPMV_NO_GPU, "this libspmv was built without a GPU back end");
#endif
}

/* Creates the engine of a plan whose arrays are ready.  A matrix without nonzeros needs none. */
static spmv_status_t create_engine(spmv_plan_t *plan, const spmv_options_t *o, void *stream)
{
    spmv_options_t asked = *o;
    if (plan->reordered) asked.many = 0; /* a reordered plan multiplies one column at a time */
    if (plan->A.rows == 0) return SPMV_OK;
    if (plan->backend == SPMV_BACKEND_CPU) return cpu_engine_create(&plan->cpu, &plan->A, &asked, libspmv_error, WHY);
#ifdef SPMV_GPU
    const spmv_status_t status = gpu_engine_create(&plan->gpu, &plan->A, &asked, stream, libspmv_error, WHY);
    return status == SPMV_OK ? gpu_wait(stream, libspmv_error, WHY) : status;
#else
    (void)stream;
    return SPMV_NO_GPU;
#endif
}

/* Provides the arrays for the engine: the caller's, copies, or converted ones. */
static spmv_status_t prepare_arrays(spmv_plan_t *plan, const spmv_matrix_t *A, const spmv_options_t *o, void *stream)
{
    const bool transpose = o->transpose && A->part == SPMV_ALL; /* a symmetric matrix equals its transpose */
    const bool as_it_is = A->index_base == 0 && A->part == SPMV_ALL && A->format == (transpose ? SPMV_CSC : SPMV_CSR);
    const bool fetched = A->memory == SPMV_DEVICE && (!as_it_is || o->check);
    spmv_matrix_t host = *A;
    spmv_status_t status = SPMV_OK;
    if (o->reorder) {
        bool is_done;
        status = reorder(plan, A, o, transpose, stream, &is_done);
        if (status != SPMV_OK || is_done) return status;
    }
#ifdef SPMV_GPU
    if (A->memory == SPMV_DEVICE && !as_it_is) {
        bool is_done = false;
        status = store_anew_on_card(plan, A, transpose, stream, &is_done);
        if (status != SPMV_OK || is_done) return status;
    }
#endif
    if (fetched) status = fetch(&host, A, stream);
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
    if (fetched) fetch_free(&host);
    return status;
}

spmv_status_t spmv_create_from(spmv_plan_t **plan, const spmv_matrix_t *A, const spmv_options_t *options, void *stream)
{
    const spmv_options_t defaults = {0}, *o = options ? options : &defaults;
    if (!plan) return FAIL(SPMV_BAD_ARGUMENT, "the pointer to the plan is NULL");
    *plan = NULL;
    if (!A) return FAIL(SPMV_BAD_ARGUMENT, "the matrix is NULL");
    spmv_status_t status = check_arguments(A);
    if (status == SPMV_OK) status = check_options(o);
    if (status != SPMV_OK) return status;

    spmv_plan_t *p = calloc(1, sizeof *p);
    if (!p) return FAIL(SPMV_NO_MEMORY, "no memory for a plan");
    p->source = A->memory;
    p->source_nnz = A->nnz;
    status = choose_backend(p, o);
    if (status == SPMV_OK) status = prepare_arrays(p, A, o, stream);
    if (status == SPMV_OK) status = create_engine(p, o, stream);
    if (status != SPMV_OK) spmv_destroy(p);
    else *plan = p;
    return status;
}

spmv_status_t spmv_create(spmv_plan_t **plan, const spmv_csr_t *A, const spmv_options_t *options, void *stream)
{
    if (!A) return spmv_create_from(plan, NULL, options, stream);
    const spmv_matrix_t M = {.format = SPMV_CSR, .rows = A->rows, .cols = A->cols, .nnz = A->nnz,
                             .value_type = A->value_type, .offset_bits = A->offset_bits, .memory = A->memory,
                             .offsets = A->row_offsets, .col_indices = A->col_indices, .values = A->values};
    return spmv_create_from(plan, &M, options, stream);
}

/* ---- products ----------------------------------------------------------------------------------- */

/* Multiplies by A as the engine stores it. */
static spmv_status_t multiply(const spmv_plan_t *plan, double alpha, const void *x, double beta, void *y, void *stream)
{
#ifdef SPMV_GPU
    if (plan->backend == SPMV_BACKEND_GPU) return gpu_engine_execute(plan->gpu, alpha, x, beta, y, stream);
#endif
    (void)stream;
    cpu_engine_execute(plan->cpu, alpha, x, beta, y);
    return SPMV_OK;
}

/* x and y in the caller's order; element i is at x[i * x_apart] and y[i * y_apart]. */
typedef struct vectors {
    const void *x;
    void *y;
    int64_t x_apart, y_apart;
} vectors_t;

/* Multiplies in the plan's order; alpha is not 0.  The result is permuted back when it is added to beta y. */
static spmv_status_t multiply_in_order(const spmv_plan_t *plan, double alpha, const vectors_t *v, double beta,
                                       void *stream)
{
    const size_t size = vector_size(plan->A.value_type);
#ifdef SPMV_GPU
    if (plan->backend == SPMV_BACKEND_GPU) {
        const gpu_permute_t p = {(uint32_t)plan->A.rows, plan->rows, plan->places, plan->own_x, plan->own_y, size};
        spmv_status_t status = gpu_permute_x(&p, v->x, v->x_apart, stream);
        if (status == SPMV_OK) status = multiply(plan, 1, plan->own_x, 0, plan->own_y, stream);
        return status == SPMV_OK ? gpu_permute_y(&p, alpha, beta, v->y, v->y_apart, stream) : status;
    }
#endif
    const cpu_permute_t p = {plan->A.rows, plan->rows, plan->places, plan->own_x, plan->own_y, size};
    cpu_permute_x(plan->cpu, &p, v->x, v->x_apart);
    multiply(plan, 1, plan->own_x, 0, plan->own_y, stream);
    cpu_permute_y(plan->cpu, &p, alpha, beta, v->y, v->y_apart);
    return SPMV_OK;
}

/* Multiplies k right-hand sides in the plan's order, one after the other. */
static spmv_status_t multiply_each(const spmv_plan_t *plan, int k, double alpha, const vectors_t *first, double beta,
                                   void *stream, bool by_columns)
{
    const int64_t size = (int64_t)vector_size(plan->A.value_type);
    spmv_status_t status = SPMV_OK;
    for (int j = 0; j < k && status == SPMV_OK; ++j) {
        const int64_t to_x = size * j * (by_columns ? first->x_apart : 1),
                      to_y = size * j * (by_columns ? first->y_apart : 1);
        const vectors_t v = {(const char *)first->x + to_x, (char *)first->y + to_y, by_columns ? 1 : first->x_apart,
                             by_columns ? 1 : first->y_apart};
        status = multiply_in_order(plan, alpha, &v, beta, stream);
    }
    return status;
}

/* Multiplies all right-hand sides at once. */
static spmv_status_t multiply_all(const spmv_plan_t *plan, int k, double alpha, const vectors_t *v, double beta,
                                  void *stream, bool by_columns)
{
#ifdef SPMV_GPU
    if (plan->backend == SPMV_BACKEND_GPU) {
        const gpu_many_t call = {alpha, beta, k, by_columns, v->x, v->x_apart, v->y, v->y_apart, stream};
        return gpu_engine_execute_many(plan->gpu, &call);
    }
#endif
    (void)stream;
    cpu_engine_execute_many(plan->cpu, k, by_columns, alpha, v->x, v->x_apart, beta, v->y, v->y_apart);
    return SPMV_OK;
}

/* Stores the text of a GPU error. */
static spmv_status_t started(spmv_status_t status)
{
#ifdef SPMV_GPU
    if (status != SPMV_OK) return FAIL(status, "starting the kernels: %s", gpu_reason());
#endif
    return status;
}

spmv_status_t spmv_execute(const spmv_plan_t *plan, double alpha, const void *x, double beta, void *y, void *stream)
{
    if (!plan) return FAIL(SPMV_BAD_ARGUMENT, "the plan is NULL");
    const spmv_csr_t *A = &plan->A;
    const size_t size = vector_size(A->value_type);
    if (A->rows == 0) return SPMV_OK;
    if (!y) return FAIL(SPMV_BAD_ARGUMENT, "y is NULL");
    if (!x && A->cols > 0 && alpha != 0) return FAIL(SPMV_BAD_ARGUMENT, "x is NULL");
    if (misaligned(x, size)) return FAIL(SPMV_BAD_ARGUMENT, "x is misaligned");
    if (misaligned(y, size)) return FAIL(SPMV_BAD_ARGUMENT, "y is misaligned");
    if (x && overlap(x, (size_t)A->cols * size, y, (size_t)A->rows * size))
        return FAIL(SPMV_BAD_ARGUMENT, "x and y overlap");
    const vectors_t v = {x, y, 1, 1};
    return started(plan->reordered && alpha != 0 ? multiply_in_order(plan, alpha, &v, beta, stream)
                                                 : multiply(plan, alpha, x, beta, y, stream));
}

spmv_status_t spmv_execute_many(const spmv_plan_t *plan, int k, spmv_order_t order, double alpha, const void *X,
                                int64_t ldx, double beta, void *Y, int64_t ldy, void *stream)
{
    if (!plan) return FAIL(SPMV_BAD_ARGUMENT, "the plan is NULL");
    const spmv_csr_t *A = &plan->A;
    const bool by_columns = order == SPMV_COL_MAJOR;
    const spmv_status_t status = check_many(A, k, order, alpha, X, ldx, Y, ldy);
    if (status != SPMV_OK || A->rows == 0 || k == 0) return status;
    if (k == 1 && (by_columns || (ldx == 1 && ldy == 1))) return spmv_execute(plan, alpha, X, beta, Y, stream);
    const vectors_t v = {X, Y, ldx, ldy};
    return started(plan->reordered && alpha != 0 ? multiply_each(plan, k, alpha, &v, beta, stream, by_columns)
                                                 : multiply_all(plan, k, alpha, &v, beta, stream, by_columns));
}

/* Gives the engine the caller's new values: permuted, copied, or borrowed. */
static spmv_status_t take_values(spmv_plan_t *plan, const void *values, void *stream)
{
    const size_t bytes = (size_t)plan->A.nnz * value_size(plan->A.value_type);
    if (plan->anew) return place_values(plan, values, stream);
    if (!plan->copied) {
        plan->A.values = values;
        return SPMV_OK;
    }
#ifdef SPMV_GPU
    if (plan->backend == SPMV_BACKEND_GPU)
        return gpu_copy_over(plan->values, values, bytes, plan->source, stream, libspmv_error, WHY);
#endif
    memcpy(plan->values, values, bytes);
    return SPMV_OK;
}

spmv_status_t spmv_update_values(spmv_plan_t *plan, const void *values, void *stream)
{
    if (!plan) return FAIL(SPMV_BAD_ARGUMENT, "the plan is NULL");
    spmv_csr_t *A = &plan->A;
    if (plan->source_nnz == 0) return SPMV_OK;
    if (!values) return FAIL(SPMV_BAD_ARGUMENT, "values is NULL");
    if (misaligned(values, value_size(A->value_type))) return FAIL(SPMV_BAD_ARGUMENT, "values is misaligned");
    spmv_status_t status = take_values(plan, values, stream);
    if (status != SPMV_OK) return status;
    if (plan->backend == SPMV_BACKEND_CPU) return cpu_engine_update(plan->cpu, A->values, libspmv_error, WHY);
#ifdef SPMV_GPU
    status = gpu_engine_update(plan->gpu, A->values, stream);
    if (status != SPMV_OK) return FAIL(status, "starting the kernels: %s", gpu_reason());
    return plan->source == SPMV_HOST ? gpu_wait(stream, libspmv_error, WHY) : SPMV_OK;
#else
    return SPMV_NO_GPU;
#endif
}

spmv_status_t spmv_describe(const spmv_plan_t *plan, char *text, size_t size)
{
    static const char *const TYPES[] = {"fp32", "fp64", "fp16", "bf16", "fp32 for fp64 vectors"};
    if (!plan) return FAIL(SPMV_BAD_ARGUMENT, "the plan is NULL");
    if (!text || size == 0) return FAIL(SPMV_BAD_ARGUMENT, "no room for the text");
    int n = snprintf(text, size, "libspmv %s, %s: %lld x %lld, %lld nonzeros, %s, %d-bit offsets, %s%s\n",
                           spmv_version(), plan->backend == SPMV_BACKEND_CPU ? "CPU" : "GPU", (long long)plan->A.rows,
                           (long long)plan->A.cols, (long long)plan->A.nnz, TYPES[plan->A.value_type],
                           plan->A.offset_bits, plan->anew     ? "stored anew from "
                                             : plan->copied ? "arrays copied"
                                                            : "arrays borrowed",
                           plan->told);
    if (n < 0 || (size_t)n >= size) return SPMV_OK;
    n += snprintf(text + n, size - (size_t)n, "%s", plan->order_told);
    if ((size_t)n >= size || plan->A.rows == 0) return SPMV_OK;
    if (plan->backend == SPMV_BACKEND_CPU) cpu_engine_describe(plan->cpu, text + n, size - (size_t)n);
#ifdef SPMV_GPU
    else gpu_engine_describe(plan->gpu, text + n, size - (size_t)n);
#endif
    return SPMV_OK;
}

spmv_backend_t spmv_backend_of(const spmv_plan_t *plan) { return plan ? plan->backend : SPMV_BACKEND_AUTO; }

size_t spmv_bytes(const spmv_plan_t *plan)
{
    if (!plan) return 0;
    size_t bytes = sizeof *plan + plan->copy_bytes;
    if (plan->reordered) bytes += 2 * (size_t)plan->A.rows * (sizeof(int32_t) + vector_size(plan->A.value_type));
    if (plan->cpu) bytes += cpu_engine_bytes(plan->cpu);
#ifdef SPMV_GPU
    if (plan->gpu) bytes += gpu_engine_bytes(plan->gpu);
#endif
    return bytes;
}

void spmv_destroy(spmv_plan_t *plan)
{
    if (!plan) return;
    cpu_engine_destroy(plan->cpu);
#ifdef SPMV_GPU
    gpu_engine_destroy(plan->gpu);
#endif
#ifdef SPMV_GPU
    void (*const release)(void *) = plan->backend == SPMV_BACKEND_GPU ? gpu_free : free;
#else
    void (*const release)(void *) = free;
#endif
    if (plan->copied) {
        release(plan->row_offsets);
        release(plan->col_indices);
        release(plan->values);
        if (plan->source == SPMV_DEVICE) release(plan->origin);
        else free(plan->origin);
        free(plan->staging);
    }
    if (plan->reordered) {
        release(plan->rows);
        release(plan->places);
        release(plan->own_x);
        release(plan->own_y);
    }
    free(plan);
}

void spmv_trim(void)
{
#ifdef SPMV_GPU
    gpu_trim();
#endif
}
