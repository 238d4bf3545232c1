/* v08_nnz_split_carries_plan.cu - adds the carries of tiles to y: the second kernel of v8 and of merge-path. */
#include "a_split_nonzeros/v08_nnz_split_carries_plan.h"

enum { CARRY_BLOCK = 256, SHORT_RUN = 16 };

// The carries of a row are adjacent and form its run.  There is a thread per carry; the first thread of a run adds it
// up, but the whole block adds up each run longer than SHORT_RUN.
template <typename T>
__global__ void add_carries_kernel(unsigned tiles, const unsigned *__restrict__ rows,
                                   const T *__restrict__ sums, T *__restrict__ y)
{
    __shared__ unsigned listed;
    __shared__ unsigned long_runs[CARRY_BLOCK];
    __shared__ T partial[CARRY_BLOCK / 32];
    const unsigned t = blockIdx.x * CARRY_BLOCK + threadIdx.x, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) listed = 0;
    __syncthreads();

    // region: step
    const unsigned row = t < tiles ? rows[t] : NO_ROW;
    if (row != NO_ROW && (t == 0 || rows[t - 1] != row)) {
        if (t + SHORT_RUN < tiles && rows[t + SHORT_RUN] == row) {
            long_runs[atomicAdd(&listed, 1u)] = t; // the order of the list varies, the sums do not
        } else {
            T sum = sums[t];
#pragma unroll 1
            for (unsigned u = t + 1; u < tiles && rows[u] == row; ++u) sum += sums[u];
            y[row] += sum;
        }
    }
    __syncthreads();

#pragma unroll 1
    for (unsigned i = 0; i < listed; ++i) {
        const unsigned start = long_runs[i], its_row = rows[start];
        T sum = 0;
#pragma unroll 1
        for (unsigned u = start + threadIdx.x; u < tiles && rows[u] == its_row; u += CARRY_BLOCK) sum += sums[u];
#pragma unroll
        for (unsigned s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
        if (lane == 0) partial[threadIdx.x / 32] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            sum = 0;
            for (unsigned w = 0; w < CARRY_BLOCK / 32; ++w) sum += partial[w];
            y[its_row] += sum;
        }
        __syncthreads();
    }
    // end: step
}

template <typename T>
static cudaError_t start_kernel(const carries_t *carries, T *d_y, cudaStream_t stream)
{
    add_carries_kernel<T><<<(carries->tiles + CARRY_BLOCK - 1) / CARRY_BLOCK, CARRY_BLOCK, 0, stream>>>(
        carries->tiles, carries->rows, (const T *)carries->sums, d_y);
    return cudaGetLastError();
}

extern "C" cudaError_t add_carries(const carries_t *carries, void *d_y, cudaStream_t stream)
{
    return carries->value_type == DTYPE_F64 ? start_kernel(carries, (double *)d_y, stream)
                                            : start_kernel(carries, (float *)d_y, stream);
}
