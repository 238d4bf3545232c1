// grade 6 1 exactly 100: *
#include "chapter.h"

// The sum over the lanes of a vector, in its lane 0.
template <int LANES, typename T>
__device__ __forceinline__ T sum_vector(T sum)
{
#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    return sum;
}

template <int LANES, typename T, typename O>
__global__ void __launch_bounds__(1024)
    shrinking_tickets(unsigned rows, const O *__restrict__ row_offsets,
                             const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                             const T *__restrict__ x, T *__restrict__ y, uint32_t *counter)
{
    const unsigned lane = threadIdx.x % LANES;
    constexpr unsigned STRETCH = 32 / LANES; // rows of a warp at a time

#pragma unroll 1
    for (;;) {
        unsigned ticket = 0;
        if (threadIdx.x % 32 == 0) ticket = atomicAdd(counter, 1u);
        ticket = __shfl_sync(0xffffffffu, ticket, 0);

        // In each round every warp gets one ticket, and together they take half of what is left.
        const unsigned warps = gridDim.x * (blockDim.x / 32);
        unsigned first(0), size(0);
#pragma unroll 1
        for (;;) {
            const unsigned left = first < rows ? (rows - first + STRETCH - 1) / STRETCH : 0;
            size = max(left / (2 * warps), 1u) * STRETCH;
            if (ticket < warps || left == 0) break;
            ticket -= warps;
            first += warps * size;
        }
        first += ticket * size;
        if (first >= rows) break;

#pragma unroll 1
        for (unsigned at = first; at < first + size; at += STRETCH) {
            // A vector past the last row processes an empty row: its lanes must take part in the sum.
            const unsigned row = at + threadIdx.x % 32 / LANES;
            O start = 0, end = 0;
            if (row < rows) {
                start = row_offsets[row];
                end = row_offsets[row + 1];
            }
            T sum = 0;
#pragma unroll 1
            for (O nz = start + lane; nz < end; nz += LANES) sum += values[nz] * x[col_indices[nz]];
            sum = sum_vector<LANES>(sum);
            if (lane == 0 && row < rows) y[row] = sum;
        }
    }
}

// The largest block, and as many as the SMs have threads for.
static void geometry(unsigned *blocks, unsigned *threads)
{
    int card = 0, sms = 1, resident = 1024, largest = 1024;
    cudaGetDevice(&card);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, card);
    cudaDeviceGetAttribute(&resident, cudaDevAttrMaxThreadsPerMultiProcessor, card);
    cudaDeviceGetAttribute(&largest, cudaDevAttrMaxThreadsPerBlock, card);
    *threads = (unsigned)largest;
    *blocks = (unsigned)(sms * (resident / largest));
}

template <int LANES, typename T, typename O>
static cudaError_t spmv_lightspmv_student_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *d_counter,
                                            cudaStream_t stream)
{
    unsigned blocks, threads;
    geometry(&blocks, &threads);
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t status = cudaMemsetAsync(d_counter, 0, sizeof *d_counter, stream);
    if (status != cudaSuccess) return status;
    shrinking_tickets<LANES, T, O><<<blocks, threads, 0, stream>>>(
        (unsigned)A->rows, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y, d_counter);
    return cudaGetLastError();
}

SPMV_LIGHTSPMV_STEP(spmv_lightspmv_student)
