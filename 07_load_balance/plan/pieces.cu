/*
 * pieces.cu - adds up the pieces of rows that were cut: the second kernel of v21 to v44.
 *
 * Most runs have one or two pieces, which one thread adds.  A warp adds runs of more than FEW pieces, and the
 * whole block runs of more than MANY.  A run's pieces are always added in the same order, so results are deterministic.
 */
#include "plan/plan.h"

enum { BLOCK = 256, WARPS = BLOCK / 32, FEW = 4, MANY = 1024 };

// Returns this thread's share of a run for WIDTH threads, with four loads in flight at a time.
template <unsigned WIDTH, typename T>
static __device__ __forceinline__ T share_of(unsigned me, uint32_t count, const T *__restrict__ pieces)
{
    T sum = 0;
    uint32_t k = me;
#pragma unroll 1
    for (; k + 3 * WIDTH < count; k += 4 * WIDTH)
        sum += (pieces[k] + pieces[k + WIDTH]) + (pieces[k + 2 * WIDTH] + pieces[k + 3 * WIDTH]);
#pragma unroll 1
    for (; k < count; k += WIDTH) sum += pieces[k];
    return sum;
}

template <typename T>
static __device__ __forceinline__ T sum_over_warp(T sum)
{
#pragma unroll
    for (unsigned s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    return sum;
}

template <typename T>
static __global__ void plan_pieces_kernel(const piece_run_t *__restrict__ runs, size_t count,
                                          const T *__restrict__ pieces, bool onto, T *y)
{
    __shared__ uint32_t listed[2];            // the number of runs for the warps, and for the block
    __shared__ uint32_t list[2][BLOCK];
    __shared__ T warp_sum[WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x < 2) listed[threadIdx.x] = 0;
    __syncthreads();

    const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
    if (i < count) {
        const piece_run_t run = runs[i];
        if (run.count <= FEW)
            y[run.row] = (onto ? y[run.row] : T(0)) + share_of<1>(0, run.count, &pieces[run.first]);
        else {
            const unsigned who = run.count > MANY;
            list[who][atomicAdd(&listed[who], 1u)] = (uint32_t)i;
        }
    }
    __syncthreads();

#pragma unroll 1
    for (unsigned k = warp; k < listed[0]; k += WARPS) {
        const piece_run_t run = runs[list[0][k]];
        const T sum = sum_over_warp(share_of<32>(lane, run.count, &pieces[run.first]));
        if (lane == 0) y[run.row] = (onto ? y[run.row] : T(0)) + sum;
    }
#pragma unroll 1
    for (unsigned k = 0; k < listed[1]; ++k) {
        const piece_run_t run = runs[list[1][k]];
        const T sum = sum_over_warp(share_of<BLOCK>(threadIdx.x, run.count, &pieces[run.first]));
        if (lane == 0) warp_sum[warp] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            T total = onto ? y[run.row] : T(0);
            for (unsigned w = 0; w < WARPS; ++w) total += warp_sum[w];
            y[run.row] = total;
        }
        __syncthreads();
    }
}

extern "C" cudaError_t plan_add_pieces(const piece_run_t *d_runs, size_t runs, const void *d_pieces, bool onto,
                                       void *d_y, dtype_t type, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((runs + BLOCK - 1) / BLOCK);
    if (blocks == 0) return cudaSuccess;
    if (type == DTYPE_F64)
        plan_pieces_kernel<double><<<blocks, BLOCK, 0, stream>>>(d_runs, runs, (const double *)d_pieces, onto,
                                                                 (double *)d_y);
    else
        plan_pieces_kernel<float><<<blocks, BLOCK, 0, stream>>>(d_runs, runs, (const float *)d_pieces, onto,
                                                                (float *)d_y);
    return cudaGetLastError();
}

// The longest chain of additions.  v21 to v24: 16 in a lane, 5 in the warp; v27: 7 and 8; v39, v44: at most 64 in a
// lane (1024 in the paper's form), 5 in the warp.  Then the pieces, of at least 512 nonzeros each: a thread adds a
// 256th of them sequentially, then 13 in the tree.
extern "C" size_t load_balance_formats_depth(size_t length)
{
    const size_t chain = length < (size_t)PLAN_LONGEST ? length : (size_t)PLAN_LONGEST;
    return chain + 5 + length / (512 * BLOCK) + FEW + 13;
}
