/* method.c - see method.h */
#include "method.h"

#include <string.h>

#include "clock.h"
#include "sums.h"

int method_open(method_t *m, product_t *product, const method_ops_t *ops, const method_options_t *o, err_t *err)
{
    enum { MAX_ITERATIONS = 10000 };
    m->product = product;
    m->ops = ops;
    m->options = *o;
    if (m->options.max_iterations == 0) m->options.max_iterations = MAX_ITERATIONS;
    if (product->records) m->options.look_every += m->options.look_every % 2;
    const size_t all_bytes = (m->options.max_iterations + 1) * ops->step_bytes;
    const size_t bytes = product->on_gpu ? (m->options.look_every + 1) * ops->step_bytes : all_bytes;
    m->steps = memory_take(product, bytes, "steps", err);
    m->partial = memory_take(product, 2 * SUM_BLOCKS * sizeof(double), "partial sums", err);
    m->arrived = memory_take(product, sizeof(unsigned), "arrived", err);
    if (!m->steps || !m->partial || !m->arrived) return -1;
    m->history = product->on_gpu ? malloc(all_bytes) : m->steps;
    if (!m->history) return err_set(err, "out of memory for %zu steps", m->options.max_iterations);
    return product->on_gpu ? device_ok(cudaMemset(m->arrived, 0, sizeof(unsigned)), "cudaMemset", err) : 0;
}

void method_close(method_t *m)
{
    if (m->graph) cudaGraphExecDestroy(m->graph);
    if (m->steps != m->history) free(m->history);
    memory_give(m->product, m->steps), memory_give(m->product, m->partial), memory_give(m->product, m->arrived);
}

/* ---- steps -------------------------------------------------------------------------------------- */

/* Runs `count` steps; their sums are stored from step `at`. */
static int make_steps(method_t *m, size_t at, size_t count, err_t *err)
{
    for (size_t k = at; k < at + count; ++k)
        if (m->ops->step(m, k, err)) return -1;
    return 0;
}

/* Captures look_every steps as a graph, once. */
static int record_steps(method_t *m, err_t *err)
{
    const cudaStream_t stream = m->product->stream;
    if (device_ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "a graph", err)) return -1;
    return device_graph(make_steps(m, 0, m->options.look_every, err), stream, &m->graph, err);
}

/* Runs steps done .. done + count - 1.  On a GPU their sums overwrite the earlier ones, and look_every steps form one
 * graph. */
static int run_steps(method_t *m, size_t done, size_t count, err_t *err)
{
    product_t *A = m->product;
    if (!A->records) return make_steps(m, A->on_gpu ? 0 : done, count, err);
    if (count < m->options.look_every) /* the last steps; an even number of products */
        return make_steps(m, 0, count, err) || (count % 2 && A->multiply(A, err)) ? -1 : 0;
    if (!m->graph && record_steps(m, err)) return -1;
    return device_ok(cudaGraphLaunch(m->graph, A->stream), "a graph", err);
}

int method_look(method_t *m, size_t from, size_t to, bool *ended, err_t *err)
{
    const size_t bytes = m->ops->step_bytes;
    product_t *A = m->product;
    if (A->settle(A, err)) return -1;
    if (A->on_gpu && device_ok(cudaMemcpy((char *)m->history + from * bytes, m->steps, (to + 1 - from) * bytes,
                                           cudaMemcpyDeviceToHost), "the steps' sums", err))
        return -1;
    return m->ops->look(m, from, to, ended, err);
}

int method_run(method_t *m, bool *ended, const void *x, void *whole, err_t *err)
{
    product_t *A = m->product;
    const size_t bytes = m->ops->step_bytes, most = m->options.max_iterations;
    const size_t every = A->on_gpu ? m->options.look_every : 1;
    for (size_t done = 0; !*ended && done < most;) {
        const size_t count = every < most - done ? every : most - done;
        if (run_steps(m, done, count, err)) return -1;
        const int failed = method_look(m, done, done + count, ended, err);
        if (failed) return failed;
        if (A->on_gpu && device_ok(cudaMemcpyAsync(m->steps, (char *)m->steps + count * bytes, bytes,
                                                    cudaMemcpyDeviceToDevice, A->stream), "sums", err))
            return -1;
        done += count;
    }
    const double found = clock_now();
    if (A->gather(A, x, whole, err)) return -1;
    m->gather_us = 1e6 * (clock_now() - found);
    return 0;
}
