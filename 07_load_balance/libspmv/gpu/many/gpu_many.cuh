/*
 * gpu_many.cuh - the sum of a piece of a row for several right-hand sides, by a group of W lanes.  Not installed.
 *
 * Lane j of a group has column j of Y, whatever the order of X:
 *   X row after row          the group loads W nonzeros, one a lane, and hands each of them to all its lanes, which
 *                            read a row of X side by side
 *   X column after column    each lane takes its own nonzeros, as in chapter 05, for all columns; the sums of the lanes
 *                            are added at the end
 */
#ifndef SPMV_GPU_MANY_CUH
#define SPMV_GPU_MANY_CUH

#include "gpu_common.cuh"
#include "gpu_many.h"

namespace {

enum { BLOCK = 256 };

// What one pass brings: k columns.
template <typename S> struct columns {
    S alpha, beta;
    const S *x;
    S *y;
    int64_t ldx, ldy;
    int k;
};

template <typename S> columns<S> columns_of(const gpu_many_t *c)
{
    return columns<S>{(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y, c->ldx, c->ldy, c->k};
}

template <int W> __device__ __forceinline__ unsigned group_mask()
{
    return W == LANES ? ALL_LANES : ((1u << (W % LANES)) - 1) << (threadIdx.x % LANES / W * W);
}

template <int W, typename V, typename O, typename S>
__device__ __forceinline__ S sum_by_rows(O from, O to, const int32_t *__restrict__ col_indices,
                                         const V *__restrict__ values, const columns<S> &m)
{
    const unsigned lane = threadIdx.x % W, mask = group_mask<W>();
    S sum = 0;
    for (O nz = from; nz < to; nz += W) {
        int32_t col = 0;
        S value = 0;
        if (nz + lane < to) {
            col = __ldcs(&col_indices[nz + lane]);
            value = load_value(&values[nz + lane]);
        }
        const int n = to - nz < W ? (int)(to - nz) : W;
#pragma unroll 8
        for (int i = 0; i < n; ++i) {
            const int32_t c = __shfl_sync(mask, col, i, W);
            const S v = __shfl_sync(mask, value, i, W);
            if ((int)lane < m.k) sum += v * __ldg(&m.x[c * m.ldx + lane]);
        }
    }
    return sum;
}

template <int W, typename V, typename O, typename S>
__device__ __forceinline__ S sum_by_columns(O from, O to, const int32_t *__restrict__ col_indices,
                                            const V *__restrict__ values, const columns<S> &m)
{
    const unsigned lane = threadIdx.x % W, mask = group_mask<W>();
    S sums[W] = {0};
    for (O nz = from + lane; nz < to; nz += W) {
        const int32_t col = __ldcs(&col_indices[nz]);
        const S value = load_value(&values[nz]);
#pragma unroll
        for (int j = 0; j < W; ++j)
            if (j < m.k) sums[j] += value * __ldg(&m.x[j * m.ldx + col]);
    }
    S mine = 0;
#pragma unroll
    for (int j = 0; j < W; ++j) {
        S sum = sums[j];
        for (int s = W / 2; s > 0; s /= 2) sum += __shfl_xor_sync(mask, sum, s, W);
        if ((int)lane == j) mine = sum;
    }
    return mine;
}

template <int W, bool BY_COLUMNS, typename V, typename O, typename S>
__device__ __forceinline__ S sum_piece(O from, O to, const int32_t *__restrict__ col_indices,
                                       const V *__restrict__ values, const columns<S> &m)
{
    if (BY_COLUMNS) return sum_by_columns<W>(from, to, col_indices, values, m);
    return sum_by_rows<W>(from, to, col_indices, values, m);
}

// This lane's element of a row of Y.
template <int W, bool BY_COLUMNS, typename S>
__device__ __forceinline__ void store_row(uint32_t row, S sum, const columns<S> &m)
{
    const int lane = threadIdx.x % W;
    if (lane < m.k) finish(&m.y[BY_COLUMNS ? lane * m.ldy + row : row * m.ldy + lane], sum, m.alpha, m.beta);
}

// What all groups of a block have for one row: the sum is in the lanes of the first.  In fixed order.
template <int W, typename S> __device__ __forceinline__ S sum_groups(S sum, S *sums)
{
    sums[threadIdx.x] = sum;
    __syncthreads();
    S total = 0;
    if (threadIdx.x < W)
        for (int at = threadIdx.x; at < BLOCK; at += W) total += sums[at];
    __syncthreads();
    return total;
}

} // namespace

#endif
