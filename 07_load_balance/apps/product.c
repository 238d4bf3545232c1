/* product.c - see product.h: a step of a chapter as a product. */
#include "product.h"

#include <stdlib.h>
#include <string.h>

#include "spmv_problem.h"

void *memory_take(const product_t *p, size_t bytes, const char *name, err_t *err)
{
    if (p->on_gpu) return device_alloc(bytes + 1, name, err);
    void *memory = malloc(bytes + 1);
    if (!memory) err_set(err, "out of memory for %s, %zu bytes", name, bytes);
    return memory;
}

void memory_give(const product_t *p, const void *memory)
{
    if (p->on_gpu) device_free((void *)memory);
    else free((void *)memory);
}

typedef struct step_product {
    product_t product; /* first, so that a product_t * points to this struct */
    const step_t *step;
    const problem_t *spmv;
    void *state; /* state of the step's set-up */
} step_product_t;

static int multiply(product_t *p, err_t *err)
{
    step_product_t *s = (step_product_t *)p;
    return s->step->ops->run(s->step, s->spmv, s->state, p->y, err);
}

/* There is only one process, so its sum is the total, and its part the whole vector. */
static int add_up(product_t *p, double *numbers, int count, err_t *err)
{
    (void)p, (void)numbers, (void)count, (void)err;
    return 0;
}

static int settle(product_t *p, err_t *err) { return p->on_gpu ? device_sync(err) : 0; }

static int copy(product_t *p, void *to, const void *from, enum cudaMemcpyKind kind, err_t *err)
{
    const size_t bytes = p->rows * dtype_size(p->type);
    if (p->on_gpu) return device_ok(cudaMemcpy(to, from, bytes, kind), "copy of a vector", err);
    memcpy(to, from, bytes);
    return 0;
}

static int scatter(product_t *p, const void *whole, void *part, err_t *err)
{
    return copy(p, part, whole, cudaMemcpyHostToDevice, err);
}

static int gather(product_t *p, const void *part, void *whole, err_t *err)
{
    return copy(p, whole, part, cudaMemcpyDeviceToDevice, err);
}

static void close_step(product_t *p)
{
    step_product_t *s = (step_product_t *)p;
    if (s->state && s->step->ops->teardown) s->step->ops->teardown(s->step, s->spmv, s->state);
    memory_give(p, p->y);
    free(s);
}

product_t *product_of_step(const step_t *step, const problem_t *spmv, err_t *err)
{
    const spmv_data_t *data = spmv->data;
    const bool on_gpu = step->kind == STEP_GPU || step->kind == STEP_GPU_PEER;
    step_product_t *s = calloc(1, sizeof *s);
    if (!s) return err_null(err, "out of memory");
    s->step = step;
    s->spmv = spmv;
    s->product = (product_t){.n = data->A.rows, .rows = data->A.rows, .type = spmv->dtype, .on_gpu = on_gpu,
                             .x = on_gpu ? data->d_x : data->x, .multiply = multiply, .add_up = add_up,
                             .scatter = scatter, .gather = gather, .settle = settle, .close = close_step};
    s->product.y = memory_take(&s->product, spmv->out_bytes, "y", err);
    if (!s->product.y || (step->ops->setup && step->ops->setup(step, spmv, &s->state, err))) {
        close_step(&s->product);
        return NULL;
    }
    return &s->product;
}
