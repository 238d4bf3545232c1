/*
 * cg_gpu.cu - the loops of cg.h on the GPU, one kernel each.  Every thread computes alpha and beta from the sums in
 * device memory, so that no data goes to the host and back within a step.
 */
#include "sums.cuh"

#include "cg.h"

template <typename T>
__global__ void cg_start_kernel(size_t rows, const T *__restrict__ b, const T *__restrict__ inverse, T *__restrict__ x,
                                T *__restrict__ r, T *__restrict__ p, double *partial, unsigned *arrived,
                                cg_step_t *steps)
{
    double sums[2] = {0, 0};
    SUM_ROWS (row, rows) {
        const T residual = b[row], z = inverse[row] * residual;
        x[row] = 0;
        r[row] = residual;
        p[row] = z;
        sums[0] += (double)residual * z;
        sums[1] += (double)residual * residual;
    }
    sum_grid<2>(sums, partial, arrived, &steps[0].rz);
}

template <typename T>
__global__ void cg_dot_kernel(size_t rows, const T *__restrict__ p, const T *__restrict__ ap, double *partial,
                              unsigned *arrived, double *pap)
{
    double sum = 0;
    SUM_ROWS (row, rows) sum += (double)p[row] * ap[row];
    sum_grid<1>(&sum, partial, arrived, pap);
}

template <typename T>
__global__ void cg_update_kernel(size_t rows, size_t k, const double *first, double tolerance, const T *__restrict__ p,
                                 const T *__restrict__ ap, const T *__restrict__ inverse, T *__restrict__ x,
                                 T *__restrict__ r, double *partial, unsigned *arrived, cg_step_t *steps)
{
    const T alpha = (T)cg_alpha(steps, k, *first, tolerance);
    double sums[2] = {0, 0};
    SUM_ROWS (row, rows) {
        T residual = r[row];
        if (alpha != 0) {
            x[row] += alpha * p[row];
            residual -= alpha * ap[row];
            r[row] = residual;
        }
        sums[0] += (double)residual * (inverse[row] * residual);
        sums[1] += (double)residual * residual;
    }
    sum_grid<2>(sums, partial, arrived, &steps[k + 1].rz);
}

template <typename T>
__global__ void cg_direction_kernel(size_t rows, size_t k, const double *first, double tolerance,
                                    const T *__restrict__ r,
                                    const T *__restrict__ inverse, T *__restrict__ p, const cg_step_t *steps)
{
    if (cg_alpha(steps, k, *first, tolerance) == 0) return;
    const T beta = (T)(steps[k + 1].rz / steps[k].rz);
    SUM_ROWS (row, rows) p[row] = inverse[row] * r[row] + beta * p[row];
}

/* ---- launches ----------------------------------------------------------------------------------- */

template <typename T>
static void launch_start(const cg_vectors_t *v, size_t, unsigned grid)
{
    cg_start_kernel<T><<<grid, SUM_THREADS, 0, (cudaStream_t)v->stream>>>(
        v->rows, (const T *)v->b, (const T *)v->inverse, (T *)v->x, (T *)v->r, (T *)v->p, v->partial, v->arrived,
        v->steps);
}

template <typename T>
static void launch_dot(const cg_vectors_t *v, size_t k, unsigned grid)
{
    cg_dot_kernel<T><<<grid, SUM_THREADS, 0, (cudaStream_t)v->stream>>>(
        v->rows, (const T *)v->p, (const T *)v->ap, v->partial, v->arrived, &v->steps[k].pap);
}

template <typename T>
static void launch_update(const cg_vectors_t *v, size_t k, unsigned grid)
{
    cg_update_kernel<T><<<grid, SUM_THREADS, 0, (cudaStream_t)v->stream>>>(
        v->rows, k, v->first, v->tolerance, (const T *)v->p, (const T *)v->ap, (const T *)v->inverse, (T *)v->x,
        (T *)v->r, v->partial, v->arrived, v->steps);
}

template <typename T>
static void launch_direction(const cg_vectors_t *v, size_t k, unsigned grid)
{
    cg_direction_kernel<T><<<grid, SUM_THREADS, 0, (cudaStream_t)v->stream>>>(
        v->rows, k, v->first, v->tolerance, (const T *)v->r, (const T *)v->inverse, (T *)v->p, v->steps);
}

SUM_LAUNCH(cg_vectors_t, start, "start of CG")
SUM_LAUNCH(cg_vectors_t, dot, "dot product of CG")
SUM_LAUNCH(cg_vectors_t, update, "update of CG")
SUM_LAUNCH(cg_vectors_t, direction, "direction of CG")

extern "C" const cg_loops_t CG_GPU = {start, dot, update, direction};
