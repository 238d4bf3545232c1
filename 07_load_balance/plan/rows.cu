/* rows.cu - lists the numbers of the rows that meet a condition, in order, on the GPU in three passes. */
#include "plan/plan.h"

enum { BLOCK = 256 };

// The number of earlier threads of the block with `wanted`; *all gets the number in the whole block.
static __device__ __forceinline__ unsigned rank_in_block(bool wanted, unsigned *all)
{
    __shared__ unsigned of_warp[BLOCK / 32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned votes = __ballot_sync(0xffffffffu, wanted);
    if (lane == 0) of_warp[warp] = (unsigned)__popc(votes);
    __syncthreads();
    unsigned before = (unsigned)__popc(votes & ((1u << lane) - 1)), sum = 0;
    for (unsigned w = 0; w < BLOCK / 32; ++w) {
        if (w == warp) before += sum;
        sum += of_warp[w];
    }
    *all = sum;
    return before;
}

// Pass 1: counts the wanted rows among the 256 rows of each block.
static __global__ void count_rows_kernel(unsigned rows, const bool *__restrict__ wanted, unsigned *__restrict__ counts)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    unsigned all;
    rank_in_block(row < rows && wanted[row], &all);
    if (threadIdx.x == 0) counts[blockIdx.x] = all;
}

// Pass 2: turns the counts into the list position at which each block's rows begin.  One block scans 256 counts per
// round, and stores the total after the last count.
static __global__ void place_blocks_kernel(unsigned blocks, unsigned *__restrict__ counts)
{
    __shared__ unsigned of_warp[BLOCK / 32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned done = 0;
#pragma unroll 1
    for (unsigned first = 0; first < blocks; first += BLOCK) {
        const unsigned i = first + threadIdx.x, own = i < blocks ? counts[i] : 0;
        unsigned sum = own; // inclusive scan over the warp, then over the warps
        for (unsigned d = 1; d < 32; d *= 2) {
            const unsigned left = __shfl_up_sync(0xffffffffu, sum, d);
            if (lane >= d) sum += left;
        }
        if (lane == 31) of_warp[warp] = sum;
        __syncthreads();
        unsigned before = 0, all = 0;
        for (unsigned w = 0; w < BLOCK / 32; ++w) {
            if (w == warp) before = all;
            all += of_warp[w];
        }
        if (i < blocks) counts[i] = done + before + sum - own;
        done += all;
        __syncthreads();
    }
    if (threadIdx.x == 0) counts[blocks] = done;
}

// Pass 3: writes the number of each wanted row to its position.
static __global__ void list_rows_kernel(unsigned rows, const bool *__restrict__ wanted,
                                        const unsigned *__restrict__ places,
                                        unsigned *__restrict__ list)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    const bool mine = row < rows && wanted[row];
    unsigned all;
    const unsigned rank = rank_in_block(mine, &all);
    if (mine) list[places[blockIdx.x] + rank] = row;
}

extern "C" size_t rows_places(size_t rows) { return (rows + BLOCK - 1) / BLOCK + 1; }

extern "C" cudaError_t rows_list(size_t rows, const bool *d_wanted, unsigned *d_places, unsigned *d_list,
                                 unsigned *found, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)rows_places(rows) - 1;
    *found = 0;
    if (blocks == 0) return cudaSuccess;
    count_rows_kernel<<<blocks, BLOCK, 0, stream>>>((unsigned)rows, d_wanted, d_places);
    place_blocks_kernel<<<1, BLOCK, 0, stream>>>(blocks, d_places);
    list_rows_kernel<<<blocks, BLOCK, 0, stream>>>((unsigned)rows, d_wanted, d_places, d_list);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(found, d_places + blocks, sizeof *found, cudaMemcpyDeviceToHost, stream));
    return cudaStreamSynchronize(stream);
}
