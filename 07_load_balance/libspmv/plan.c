/* plan.c - libspmv's front: every argument is checked here, then one of the two engines does the work. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_engine.h"
#include "spmv_sizes.h"

#ifdef SPMV_GPU
#include "gpu_engine.h"
#endif

enum { WHY = 256 };

struct spmv_plan {
    spmv_csr_t A;         /* as the engine has it: borrowed, or the copies below */
    spmv_memory_t source; /* where the caller's arrays are */
    bool copied;
    void *row_offsets, *col_indices, *values; /* copies; NULL if borrowed */
    size_t copy_bytes;
    spmv_backend_t backend;
    cpu_engine_t *cpu;
#ifdef SPMV_GPU
    gpu_engine_t *gpu;
#endif
};

/* ---- errors ------------------------------------------------------------------------------------- */

static _Thread_local char last_error[WHY];

#define FAIL(status, ...) (snprintf(last_error, sizeof last_error, __VA_ARGS__), (status))

const char *spmv_last_error(void) { return last_error; }

const char *spmv_status_text(spmv_status_t status)
{
    switch (status) {
    case SPMV_OK: return "no error";
    case SPMV_BAD_ARGUMENT: return "bad argument";
    case SPMV_BAD_MATRIX: return "not a CSR matrix";
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

/* ---- checks ------------------------------------------------------------------------------------- */

static bool misaligned(const void *p, size_t size) { return (uintptr_t)p % size != 0; }

static spmv_status_t check_arguments(const spmv_csr_t *A)
{
    if (!A) return FAIL(SPMV_BAD_ARGUMENT, "the matrix is NULL");
    if (A->rows < 0 || A->cols < 0 || A->nnz < 0)
        return FAIL(SPMV_BAD_ARGUMENT, "negative size: %lld rows, %lld columns, %lld nonzeros", (long long)A->rows,
                    (long long)A->cols, (long long)A->nnz);
    if (A->rows > INT32_MAX || A->cols > INT32_MAX)
        return FAIL(SPMV_BAD_ARGUMENT, "%lld x %lld: rows and columns go up to 2147483647", (long long)A->rows,
                    (long long)A->cols);
    if ((int)A->value_type < SPMV_F32 || A->value_type > SPMV_BF16)
        return FAIL(SPMV_BAD_ARGUMENT, "value_type %d is none of spmv_type_t", (int)A->value_type);
    if (A->offset_bits != 32 && A->offset_bits != 64)
        return FAIL(SPMV_BAD_ARGUMENT, "offset_bits is %d, not 32 or 64", A->offset_bits);
    if (A->offset_bits == 32 && A->nnz > INT32_MAX)
        return FAIL(SPMV_BAD_ARGUMENT, "%lld nonzeros need 64-bit offsets", (long long)A->nnz);
    if ((uint64_t)A->nnz > SIZE_MAX / 16)
        return FAIL(SPMV_BAD_ARGUMENT, "%lld nonzeros are more than any memory holds", (long long)A->nnz);
    if (A->memory != SPMV_HOST && A->memory != SPMV_DEVICE)
        return FAIL(SPMV_BAD_ARGUMENT, "memory %d is none of spmv_memory_t", (int)A->memory);
    if (A->rows > 0 && !A->row_offsets) return FAIL(SPMV_BAD_ARGUMENT, "row_offsets is NULL");
    if (A->nnz > 0 && !A->col_indices) return FAIL(SPMV_BAD_ARGUMENT, "col_indices is NULL");
    if (A->nnz > 0 && !A->values) return FAIL(SPMV_BAD_ARGUMENT, "values is NULL");
    if (A->nnz > 0 && (A->rows == 0 || A->cols == 0))
        return FAIL(SPMV_BAD_MATRIX, "%lld nonzeros in a matrix of %lld x %lld", (long long)A->nnz, (long long)A->rows,
                    (long long)A->cols);
    if (misaligned(A->row_offsets, offset_size(A))) return FAIL(SPMV_BAD_ARGUMENT, "row_offsets is misaligned");
    if (misaligned(A->col_indices, sizeof(int32_t))) return FAIL(SPMV_BAD_ARGUMENT, "col_indices is misaligned");
    if (misaligned(A->values, value_size(A->value_type))) return FAIL(SPMV_BAD_ARGUMENT, "values is misaligned");
    return SPMV_OK;
}

static spmv_status_t check_options(const spmv_options_t *o)
{
    if ((int)o->backend < SPMV_BACKEND_AUTO || o->backend > SPMV_BACKEND_GPU)
        return FAIL(SPMV_BAD_ARGUMENT, "backend %d is none of spmv_backend_t", (int)o->backend);
    if (o->setup != SPMV_SETUP_PLAN && o->setup != SPMV_SETUP_NONE && o->setup != SPMV_SETUP_LOOK)
        return FAIL(SPMV_BAD_ARGUMENT, "setup %d is none of spmv_setup_t", (int)o->setup);
    const struct { const char *name; int value; } flags[] = {
        {"copy", o->copy}, {"deterministic", o->deterministic}, {"check", o->check},
        {"exclusive", o->exclusive}, {"tune", o->tune}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
        if (flags[i].value != 0 && flags[i].value != 1)
            return FAIL(SPMV_BAD_ARGUMENT, "option %s is %d, not 0 or 1", flags[i].name, flags[i].value);
    if (o->threads < 0) return FAIL(SPMV_BAD_ARGUMENT, "option threads is %d", o->threads);
    for (size_t i = 0; i < sizeof o->reserved / sizeof *o->reserved; ++i)
        if (o->reserved[i]) return FAIL(SPMV_BAD_ARGUMENT, "options: reserved[%zu] is not 0", i);
    return SPMV_OK;
}

/* Offsets and columns of a matrix in host memory. */
static spmv_status_t check_matrix(const spmv_csr_t *A)
{
    if (A->rows == 0) return SPMV_OK;
    int64_t before = csr_offset(A, 0);
    if (before != 0) return FAIL(SPMV_BAD_MATRIX, "row_offsets[0] is %lld, not 0", (long long)before);
    for (int64_t r = 1; r <= A->rows; ++r) {
        const int64_t here = csr_offset(A, r);
        if (here < before)
            return FAIL(SPMV_BAD_MATRIX, "row_offsets[%lld] is %lld, less than the one before it, %lld", (long long)r,
                        (long long)here, (long long)before);
        before = here;
    }
    if (before != A->nnz)
        return FAIL(SPMV_BAD_MATRIX, "row_offsets[%lld] is %lld, not nnz, %lld", (long long)A->rows, (long long)before,
                    (long long)A->nnz);
    for (int64_t k = 0; k < A->nnz; ++k)
        if ((uint32_t)A->col_indices[k] >= (uint32_t)A->cols)
            return FAIL(SPMV_BAD_MATRIX, "col_indices[%lld] is %d; there are %lld columns", (long long)k,
                        A->col_indices[k], (long long)A->cols);
    return SPMV_OK;
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

#ifdef SPMV_GPU
/* Fetches offsets and columns from the card and checks them. */
static spmv_status_t check_device_matrix(const spmv_csr_t *A, void *stream)
{
    const size_t offset_bytes = ((size_t)A->rows + 1) * offset_size(A), column_bytes = (size_t)A->nnz * sizeof(int32_t);
    if (A->rows == 0) return SPMV_OK;
    void *offsets = malloc(offset_bytes), *columns = malloc(column_bytes + 1);
    spmv_status_t status = SPMV_OK;
    if (!offsets || !columns)
        status = FAIL(SPMV_NO_MEMORY, "no memory to check a matrix of %lld nonzeros", (long long)A->nnz);
    if (status == SPMV_OK) status = gpu_copy_out(offsets, A->row_offsets, offset_bytes, stream, last_error, WHY);
    if (status == SPMV_OK) status = gpu_copy_out(columns, A->col_indices, column_bytes, stream, last_error, WHY);
    if (status == SPMV_OK) {
        spmv_csr_t host = *A;
        host.row_offsets = offsets;
        host.col_indices = columns;
        status = check_matrix(&host);
    }
    free(offsets);
    free(columns);
    return status;
}
#endif

static spmv_status_t copy_one(const spmv_plan_t *plan, void **copy, const void *source, size_t bytes, void *stream)
{
#ifdef SPMV_GPU
    if (plan->backend == SPMV_BACKEND_GPU)
        return gpu_copy_in(copy, source, bytes, plan->source, stream, last_error, WHY);
#endif
    (void)plan, (void)stream;
    return copy_to_host(copy, source, bytes);
}

/* Copies of A's arrays, where the back end wants them. */
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

/* ---- the library -------------------------------------------------------------------------------- */

static spmv_status_t choose_backend(spmv_plan_t *plan, const spmv_options_t *o)
{
    plan->backend = o->backend;
    if (plan->backend == SPMV_BACKEND_AUTO)
        plan->backend = plan->A.memory == SPMV_DEVICE ? SPMV_BACKEND_GPU : SPMV_BACKEND_CPU;
    if (plan->backend == SPMV_BACKEND_CPU)
        return plan->A.memory == SPMV_HOST
                   ? SPMV_OK
                   : FAIL(SPMV_BAD_ARGUMENT, "the CPU back end takes host arrays, these are on the card");
#ifdef SPMV_GPU
    return gpu_present(last_error, WHY);
#else
    return FAIL(SPMV_NO_GPU, "this libspmv was built without a GPU back end");
#endif
}

/* The engine for a plan whose arrays are in place.  Nothing to multiply needs none. */
static spmv_status_t create_engine(spmv_plan_t *plan, const spmv_options_t *o, void *stream)
{
    if (plan->A.rows == 0) return SPMV_OK;
    if (plan->backend == SPMV_BACKEND_CPU) return cpu_engine_create(&plan->cpu, &plan->A, o, last_error, WHY);
#ifdef SPMV_GPU
    const spmv_status_t status = gpu_engine_create(&plan->gpu, &plan->A, o, stream, last_error, WHY);
    return status == SPMV_OK ? gpu_wait(stream, last_error, WHY) : status;
#else
    (void)stream;
    return SPMV_NO_GPU;
#endif
}

spmv_status_t spmv_create(spmv_plan_t **plan, const spmv_csr_t *A, const spmv_options_t *options, void *stream)
{
    const spmv_options_t defaults = {0}, *o = options ? options : &defaults;
    if (!plan) return FAIL(SPMV_BAD_ARGUMENT, "the place for the plan is NULL");
    *plan = NULL;
    spmv_status_t status = check_arguments(A);
    if (status == SPMV_OK) status = check_options(o);
    if (status != SPMV_OK) return status;

    spmv_plan_t *p = calloc(1, sizeof *p);
    if (!p) return FAIL(SPMV_NO_MEMORY, "no memory for a plan");
    p->A = *A;
    p->source = A->memory;
    status = choose_backend(p, o);
    if (status == SPMV_OK && A->memory == SPMV_HOST) status = check_matrix(A);
#ifdef SPMV_GPU
    if (status == SPMV_OK && A->memory == SPMV_DEVICE && o->check) status = check_device_matrix(A, stream);
#endif
    if (status == SPMV_OK && (o->copy || (p->backend == SPMV_BACKEND_GPU && A->memory == SPMV_HOST)))
        status = copy_arrays(p, stream);
    if (status == SPMV_OK) status = create_engine(p, o, stream);
    if (status != SPMV_OK) spmv_destroy(p);
    else *plan = p;
    return status;
}

/* True if [a, a + n) and [b, b + m) share a byte. */
static bool overlap(const void *a, size_t n, const void *b, size_t m)
{
    const uintptr_t from_a = (uintptr_t)a, from_b = (uintptr_t)b;
    return n > 0 && m > 0 && from_a < from_b + m && from_b < from_a + n;
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
    if (plan->backend == SPMV_BACKEND_CPU) {
        cpu_engine_execute(plan->cpu, alpha, x, beta, y);
        return SPMV_OK;
    }
#ifdef SPMV_GPU
    const spmv_status_t status = gpu_engine_execute(plan->gpu, alpha, x, beta, y, stream);
    return status == SPMV_OK ? SPMV_OK : FAIL(status, "starting the kernels: %s", gpu_reason());
#else
    (void)stream;
    return SPMV_NO_GPU; /* no such plan was ever made */
#endif
}

spmv_status_t spmv_update_values(spmv_plan_t *plan, const void *values, void *stream)
{
    if (!plan) return FAIL(SPMV_BAD_ARGUMENT, "the plan is NULL");
    spmv_csr_t *A = &plan->A;
    const size_t bytes = (size_t)A->nnz * value_size(A->value_type);
    if (A->nnz == 0) return SPMV_OK;
    if (!values) return FAIL(SPMV_BAD_ARGUMENT, "values is NULL");
    if (misaligned(values, value_size(A->value_type))) return FAIL(SPMV_BAD_ARGUMENT, "values is misaligned");
    if (plan->backend == SPMV_BACKEND_CPU) {
        if (plan->copied) memcpy(plan->values, values, bytes);
        else A->values = values;
        cpu_engine_update(plan->cpu, A->values);
        return SPMV_OK;
    }
#ifdef SPMV_GPU
    spmv_status_t status = SPMV_OK;
    if (plan->copied) status = gpu_copy_over(plan->values, values, bytes, plan->source, stream, last_error, WHY);
    else A->values = values;
    if (status != SPMV_OK) return status;
    status = gpu_engine_update(plan->gpu, A->values, stream);
    if (status != SPMV_OK) return FAIL(status, "starting the kernels: %s", gpu_reason());
    return plan->source == SPMV_HOST ? gpu_wait(stream, last_error, WHY) : SPMV_OK;
#else
    (void)stream;
    return SPMV_NO_GPU;
#endif
}

spmv_status_t spmv_describe(const spmv_plan_t *plan, char *text, size_t size)
{
    static const char *const TYPES[] = {"fp32", "fp64", "fp16", "bf16"};
    if (!plan) return FAIL(SPMV_BAD_ARGUMENT, "the plan is NULL");
    if (!text || size == 0) return FAIL(SPMV_BAD_ARGUMENT, "no room for the text");
    const int n = snprintf(text, size, "libspmv %s, %s: %lld x %lld, %lld nonzeros, %s, %d-bit offsets, %s\n",
                           spmv_version(), plan->backend == SPMV_BACKEND_CPU ? "CPU" : "GPU", (long long)plan->A.rows,
                           (long long)plan->A.cols, (long long)plan->A.nnz, TYPES[plan->A.value_type],
                           plan->A.offset_bits, plan->copied ? "arrays copied" : "arrays borrowed");
    if (n < 0 || (size_t)n >= size || plan->A.rows == 0) return SPMV_OK;
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
    if (plan->copied) {
#ifdef SPMV_GPU
        void (*const release)(void *) = plan->backend == SPMV_BACKEND_GPU ? gpu_free : free;
#else
        void (*const release)(void *) = free;
#endif
        release(plan->row_offsets);
        release(plan->col_indices);
        release(plan->values);
    }
    free(plan);
}
