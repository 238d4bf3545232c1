/*
 * gpu_many.cuh - shared by the kernels for several right-hand sides.  Not installed.
 *
 * A pass has W columns, and a lane has E elements of a row of X, so W / E lanes share a nonzero.
 */
#ifndef SPMV_GPU_MANY_CUH
#define SPMV_GPU_MANY_CUH

#include "gpu_build.cuh"
#include "gpu_many.h"

namespace {

// The arguments of one pass: element (i, j) of X is x[i * x_row + j * x_column]; Y likewise.
template <typename S> struct columns {
    S alpha, beta;
    const S *x;
    S *y;
    int64_t x_row, x_column, y_row, y_column;
    int k;
    bool y_whole; // E elements of a row of Y are one store
};

// The elements of a row of X or Y that a lane has; a load has at most 16 bytes.
template <int E, typename S> struct alignas(E * sizeof(S) > 16 ? 16 : E * sizeof(S)) lane_elements {
    S v[E];
};

template <typename S> __device__ __forceinline__ lane_elements<1, S> load_x(const lane_elements<1, S> *p)
{
    return {{__ldg(&p->v[0])}};
}
__device__ __forceinline__ lane_elements<2, float> load_x(const lane_elements<2, float> *p)
{
    const float2 v = __ldg((const float2 *)p);
    return {{v.x, v.y}};
}
__device__ __forceinline__ lane_elements<4, float> load_x(const lane_elements<4, float> *p)
{
    const float4 v = __ldg((const float4 *)p);
    return {{v.x, v.y, v.z, v.w}};
}
__device__ __forceinline__ lane_elements<2, double> load_x(const lane_elements<2, double> *p)
{
    const double2 v = __ldg((const double2 *)p);
    return {{v.x, v.y}};
}
__device__ __forceinline__ lane_elements<4, double> load_x(const lane_elements<4, double> *p)
{
    const double2 v = __ldg((const double2 *)p), w = __ldg((const double2 *)p + 1);
    return {{v.x, v.y, w.x, w.y}};
}

// Stores the sums of one lane in Y's elements, from column `at` on.
template <int E, typename S>
__device__ __forceinline__ void store_row(uint32_t row, int at, lane_elements<E, S> sum, const columns<S> &m)
{
    if (at >= m.k) return;
    S *y = &m.y[row * m.y_row + at * m.y_column];
    if (E > 1 && m.y_whole) {
        lane_elements<E, S> whole;
        if (m.beta != 0) whole = *(const lane_elements<E, S> *)y;
#pragma unroll
        for (int e = 0; e < E; ++e) finish(&whole.v[e], sum.v[e], m.alpha, m.beta);
        *(lane_elements<E, S> *)y = whole;
        return;
    }
#pragma unroll
    for (int e = 0; e < E; ++e)
        if (at + e < m.k) finish(&y[e * m.y_column], sum.v[e], m.alpha, m.beta);
}

} // namespace

#endif
