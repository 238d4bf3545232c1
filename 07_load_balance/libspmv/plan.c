/* plan.c - libspmv's front end: it checks every argument, then calls the parts of a plan and one of the two engines. */
#include <stdio.h>
#include <stdlib.h>

#include "plan_reorder.h"
#include "plan_storage.h"

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

/* ---- the library -------------------------------------------------------------------------------- */

static spmv_status_t choose_backend(spmv_plan_t *plan, const spmv_options_t *o)
{
    plan->backend = o->backend;
    if (plan->backend == SPMV_BACKEND_AUTO)
        plan->backend = plan->source == SPMV_DEVICE ? SPMV_BACKEND_GPU : SPMV_BACKEND_CPU;
    if (plan->backend == SPMV_BACKEND_CPU)
        return plan->source == SPMV_HOST
                   ? SPMV_OK
                   : FAIL(SPMV_BAD_ARGUMENT, "the CPU back end needs host arrays, but these are on the GPU");
    return gpu_present();
}

/* Creates the engine of a plan whose arrays are ready.  A matrix without nonzeros needs none. */
static spmv_status_t create_engine(spmv_plan_t *plan, const spmv_options_t *o, void *stream)
{
    spmv_options_t asked = *o;
    if (plan->reordered) asked.many = 0; /* a reordered plan multiplies one column at a time */
    if (plan->A.rows == 0) return SPMV_OK;
    if (plan->backend == SPMV_BACKEND_CPU) return cpu_engine_create(&plan->cpu, &plan->A, &asked);
    const spmv_status_t status = gpu_engine_create(&plan->gpu, &plan->A, &asked, VARIANT_BY_RULE, stream);
    return status == SPMV_OK ? gpu_wait(stream) : status;
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

    const bool transpose = o->transpose && A->part == SPMV_ALL; /* a symmetric matrix equals its transpose */
    spmv_plan_t *p = calloc(1, sizeof *p);
    if (!p) return FAIL(SPMV_NO_MEMORY, "no memory for a plan");
    p->source = A->memory;
    p->source_nnz = A->nnz;
    status = choose_backend(p, o);
    if (status == SPMV_OK && o->reorder) status = reordered_create(p, A, o, transpose, stream);
    if (status == SPMV_OK && !p->reordered) status = storage_create(p, A, o, transpose, stream);
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
    if (plan->backend == SPMV_BACKEND_GPU) return gpu_engine_execute(plan->gpu, alpha, x, beta, y, stream);
    cpu_engine_execute(plan->cpu, alpha, x, beta, y);
    return SPMV_OK;
}

/* Multiplies all right-hand sides at once. */
static spmv_status_t multiply_all(const spmv_plan_t *plan, int k, double alpha, const vectors_t *v, double beta,
                                  void *stream, bool by_columns)
{
    if (plan->backend == SPMV_BACKEND_GPU) {
        const gpu_many_t call = {alpha, beta, k, by_columns, v->x, v->x_apart, v->y, v->y_apart, stream};
        return gpu_engine_execute_many(plan->gpu, &call);
    }
    cpu_engine_execute_many(plan->cpu, k, by_columns, alpha, v->x, v->x_apart, beta, v->y, v->y_apart);
    return SPMV_OK;
}

/* Stores the text of the error if a launch failed. */
static spmv_status_t started(spmv_status_t status)
{
    return status == SPMV_OK ? SPMV_OK : FAIL(status, "starting the kernels: %s", gpu_reason());
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
    return started(plan->reordered && alpha != 0 ? reordered_execute(plan, alpha, &v, beta, stream)
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
    return started(plan->reordered && alpha != 0
                       ? reordered_execute_many(plan, k, alpha, &v, beta, stream, by_columns)
                       : multiply_all(plan, k, alpha, &v, beta, stream, by_columns));
}

spmv_status_t spmv_update_values(spmv_plan_t *plan, const void *values, void *stream)
{
    if (!plan) return FAIL(SPMV_BAD_ARGUMENT, "the plan is NULL");
    spmv_csr_t *A = &plan->A;
    if (plan->source_nnz == 0) return SPMV_OK;
    if (!values) return FAIL(SPMV_BAD_ARGUMENT, "values is NULL");
    if (misaligned(values, value_size(A->value_type))) return FAIL(SPMV_BAD_ARGUMENT, "values is misaligned");
    spmv_status_t status = storage_update(plan, values, stream);
    if (status != SPMV_OK) return status;
    if (plan->backend == SPMV_BACKEND_CPU) return cpu_engine_update(plan->cpu, A->values);
    status = started(gpu_engine_update(plan->gpu, A->values, stream));
    return status == SPMV_OK && plan->source == SPMV_HOST ? gpu_wait(stream) : status;
}

spmv_status_t spmv_describe(const spmv_plan_t *plan, char *text, size_t size)
{
    static const char *const TYPES[] = {"fp32", "fp64", "fp16", "bf16", "fp32 for fp64 vectors"};
    if (!plan) return FAIL(SPMV_BAD_ARGUMENT, "the plan is NULL");
    if (!text || size == 0) return FAIL(SPMV_BAD_ARGUMENT, "there is no room for the text: size is 0 or text is NULL");
    text[0] = 0;
    tell(text, size, "libspmv %s, %s: %lld x %lld, %lld nonzeros, %s, %d-bit offsets, %s%s\n%s", spmv_version(),
         plan->backend == SPMV_BACKEND_CPU ? "CPU" : "GPU", (long long)plan->A.rows, (long long)plan->A.cols,
         (long long)plan->A.nnz, TYPES[plan->A.value_type], plan->A.offset_bits,
         plan->anew ? "converted from " : plan->copied ? "arrays copied" : "arrays borrowed", plan->told,
         plan->order_told);
    const size_t n = strlen(text);
    if (plan->A.rows == 0) return SPMV_OK;
    if (plan->backend == SPMV_BACKEND_CPU) cpu_engine_describe(plan->cpu, text + n, size - n);
    else gpu_engine_describe(plan->gpu, text + n, size - n);
    return SPMV_OK;
}

spmv_backend_t spmv_backend_of(const spmv_plan_t *plan) { return plan ? plan->backend : SPMV_BACKEND_AUTO; }

size_t spmv_bytes(const spmv_plan_t *plan)
{
    if (!plan) return 0;
    size_t bytes = sizeof *plan + plan->copy_bytes + reordered_bytes(plan);
    if (plan->cpu) bytes += cpu_engine_bytes(plan->cpu);
    if (plan->gpu) bytes += gpu_engine_bytes(plan->gpu);
    return bytes;
}

void spmv_destroy(spmv_plan_t *plan)
{
    if (!plan) return;
    cpu_engine_destroy(plan->cpu);
    gpu_engine_destroy(plan->gpu);
    storage_free(plan);
    reordered_free(plan);
    free(plan);
}

void spmv_trim(void) { gpu_trim(); }
