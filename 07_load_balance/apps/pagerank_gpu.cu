/* pagerank_gpu.cu - the loops of pagerank.h on the GPU, one kernel each. */
#include "sums.cuh"

#include "pagerank.h"

template <typename T>
__global__ void pagerank_start_kernel(size_t pages, size_t rows, const T *__restrict__ dangling, T *__restrict__ x,
                                      double *partial, unsigned *arrived, pagerank_step_t *steps)
{
    const T all = (T)(1 / (double)pages);
    double sums[2] = {0, 0};
    SUM_ROWS (row, rows) {
        x[row] = all;
        sums[0] += (double)dangling[row] * all;
        sums[1] += 2 / (double)pages;
    }
    sum_grid<2>(sums, partial, arrived, &steps[0].dangling);
}

template <typename T>
__global__ void pagerank_step_kernel(size_t pages, size_t rows, size_t k, double damping, double tolerance,
                                     const T *__restrict__ px, const T *__restrict__ dangling, T *__restrict__ x,
                                     double *partial, unsigned *arrived, pagerank_step_t *steps)
{
    const bool ended = pagerank_ends(steps, k, tolerance);
    const T everywhere = (T)((damping * steps[k].dangling + (1 - damping)) / (double)pages);
    double sums[2] = {0, 0};
    SUM_ROWS (row, rows) {
        const T before = x[row], after = ended ? before : (T)damping * px[row] + everywhere;
        x[row] = after;
        sums[0] += (double)dangling[row] * after;
        sums[1] += fabs((double)after - before);
    }
    sum_grid<2>(sums, partial, arrived, &steps[k + 1].dangling);
}

/* ---- launches ----------------------------------------------------------------------------------- */

template <typename T>
static void launch_start(const pagerank_vectors_t *v, size_t, unsigned grid)
{
    pagerank_start_kernel<T><<<grid, SUM_THREADS, 0, (cudaStream_t)v->stream>>>(
        v->pages, v->rows, (const T *)v->dangling, (T *)v->x, v->partial, v->arrived, v->steps);
}

template <typename T>
static void launch_step(const pagerank_vectors_t *v, size_t k, unsigned grid)
{
    pagerank_step_kernel<T><<<grid, SUM_THREADS, 0, (cudaStream_t)v->stream>>>(
        v->pages, v->rows, k, v->damping, v->tolerance, (const T *)v->px, (const T *)v->dangling, (T *)v->x,
        v->partial, v->arrived, v->steps);
}

SUM_LAUNCH(pagerank_vectors_t, start, "start of PageRank")
SUM_LAUNCH(pagerank_vectors_t, step, "step of PageRank")

extern "C" const pagerank_loops_t PAGERANK_GPU = {start, step};
