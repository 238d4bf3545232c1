/* plan_reorder.c - see plan_reorder.h. */
#include <stdio.h>
#include <stdlib.h>

#include "cpu_permute.h"
#include "order.h"
#include "plan_reorder.h"
#include "plan_storage.h"

/* Copies the order to the back end's memory, and allocates x and y in that order. */
static spmv_status_t take_order(spmv_plan_t *plan, order_t *order, size_t vector_bytes, void *stream)
{
    const size_t n = (size_t)order->n;
    if (plan->backend == SPMV_BACKEND_GPU) {
        spmv_status_t status = gpu_copy_in(&plan->rows, order->rows, n * sizeof *order->rows, SPMV_HOST, stream);
        if (status == SPMV_OK)
            status = gpu_copy_in(&plan->places, order->places, n * sizeof *order->places, SPMV_HOST, stream);
        if (status == SPMV_OK) status = gpu_room(&plan->own_x, n * vector_bytes, stream);
        if (status == SPMV_OK) status = gpu_room(&plan->own_y, n * vector_bytes, stream);
        return status;
    }
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
static spmv_status_t reorder_form(spmv_plan_t *plan, const spmv_matrix_t *A, form_t *f, bool transpose, void *stream)
{
    const size_t vector_bytes = vector_size(A->value_type);
    order_t order;
    if (!reorder_find(&order, f, vector_bytes,
                    plan->backend == SPMV_BACKEND_CPU ? ORDER_PRICE_CPU : ORDER_PRICE_GPU))
        return FAIL(SPMV_NO_MEMORY, "out of memory while searching an order of %lld rows", (long long)f->rows);
    tell_order(plan, &order, f->nnz);
    plan->reordered = order.rows != NULL;
    spmv_status_t status = plan->reordered ? take_order(plan, &order, vector_bytes, stream) : SPMV_OK;
    if (plan->reordered && status == SPMV_OK) status = storage_create_from_form(plan, A, f, transpose, stream);
    reorder_free(&order);
    return status;
}

/* Returns why no order of A is searched; NULL if one is. */
static const char *no_order(const spmv_matrix_t *A, const spmv_options_t *o)
{
    if (o->setup != SPMV_SETUP_PLAN) return "setup is not SPMV_SETUP_PLAN";
    if (!o->exclusive) return "the option `exclusive` is 0, and the plan would need vectors of its own";
    if (A->rows != A->cols) return "the matrix is not square";
    if (A->nnz > ORDER_MOST / 2) return "it has more than 2^29 nonzeros";
    return NULL;
}

spmv_status_t reordered_create(spmv_plan_t *plan, const spmv_matrix_t *A, const spmv_options_t *o, bool transpose,
                               void *stream)
{
    const char *const why = no_order(A, o);
    const bool fetched = A->memory == SPMV_DEVICE;
    spmv_matrix_t host = *A;
    form_t f = {0};
    spmv_status_t status = SPMV_OK;
    if (why) {
        snprintf(plan->order_told, sizeof plan->order_told, "not reordered: %s\n", why);
        return SPMV_OK;
    }
    if (fetched) status = storage_fetch(&host, A, stream);
    if (status == SPMV_OK) status = check_matrix(&host);
    if (status == SPMV_OK && !form_make(&f, &host, transpose))
        status = FAIL(SPMV_NO_MEMORY, "no memory to convert %lld nonzeros", (long long)A->nnz);
    if (fetched) storage_fetch_free(&host);
    if (status == SPMV_OK) status = reorder_form(plan, A, &f, transpose, stream);
    form_free(&f);
    return status;
}

spmv_status_t reordered_execute(const spmv_plan_t *plan, double alpha, const vectors_t *v, double beta, void *stream)
{
    const size_t size = vector_size(plan->A.value_type);
    if (plan->backend == SPMV_BACKEND_GPU) {
        const gpu_permute_t p = {(uint32_t)plan->A.rows, plan->rows, plan->places, plan->own_x, plan->own_y, size};
        spmv_status_t status = gpu_permute_x(&p, v->x, v->x_apart, stream);
        if (status == SPMV_OK) status = gpu_engine_execute(plan->gpu, 1, plan->own_x, 0, plan->own_y, stream);
        return status == SPMV_OK ? gpu_permute_y(&p, alpha, beta, v->y, v->y_apart, stream) : status;
    }
    const cpu_permute_t p = {plan->A.rows, plan->rows, plan->places, plan->own_x, plan->own_y, size};
    cpu_permute_x(plan->cpu, &p, v->x, v->x_apart);
    cpu_engine_execute(plan->cpu, 1, plan->own_x, 0, plan->own_y);
    cpu_permute_y(plan->cpu, &p, alpha, beta, v->y, v->y_apart);
    return SPMV_OK;
}

spmv_status_t reordered_execute_many(const spmv_plan_t *plan, int k, double alpha, const vectors_t *first, double beta,
                                     void *stream, bool by_columns)
{
    const int64_t size = (int64_t)vector_size(plan->A.value_type);
    spmv_status_t status = SPMV_OK;
    for (int j = 0; j < k && status == SPMV_OK; ++j) {
        const int64_t to_x = size * j * (by_columns ? first->x_apart : 1),
                      to_y = size * j * (by_columns ? first->y_apart : 1);
        const vectors_t v = {(const char *)first->x + to_x, (char *)first->y + to_y, by_columns ? 1 : first->x_apart,
                             by_columns ? 1 : first->y_apart};
        status = reordered_execute(plan, alpha, &v, beta, stream);
    }
    return status;
}

size_t reordered_bytes(const spmv_plan_t *plan)
{
    return plan->reordered ? 2 * (size_t)plan->A.rows * (sizeof(int32_t) + vector_size(plan->A.value_type)) : 0;
}

void reordered_free(spmv_plan_t *plan)
{
    if (!plan->reordered) return;
    storage_release(plan, plan->rows);
    storage_release(plan, plan->places);
    storage_release(plan, plan->own_x);
    storage_release(plan, plan->own_y);
}
