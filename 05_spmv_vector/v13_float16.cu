/*
 * spmv_vector v13 - values of 16 bits
 *
 * From    v12
 * Was     v12 can store narrow values only if they are whole numbers from -128 to 127.
 * Idea    Add fp16 and bf16 by overloading v12's functions for int8.  No new arithmetic: a shift moves
 *         the bits of a bf16 to their places in a float; for an fp16 one multiplication corrects
 *         the exponent, also that of subnormals.
 * Moves   6 bytes per nonzero for fp16 and bf16.
 * Expect  At most 8 / 6 times as fast as fp32; a handful of instructions for each fp16, one for
 *         each bf16.  All other types as v12.
 * Still   32-bit offsets cannot count more than 2^31 nonzeros.           (-> v14)
 * Needs   32-bit offsets; fp32, fp64, fp16, bf16 or int8.  Arrays at any address, as v11.
 * Launch  grid = enough for the rows, at most what fits on the GPU at once; block = 256.
 * Source  IEEE 754-2019 for the bits; article S1 in docs/sources.md for the types.
 */
#include "chapter.h"

enum { BLOCK = 256, BLOCKS_PER_SM = 4, IN_FLIGHT = 8 };

// Lane 0 of a vector gets the sum over the vector's lanes.
template <int LANES, typename T>
__device__ __forceinline__ T sum_vector(T sum)
{
#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    return sum;
}

// The types of a lane's loads: at most 16 bytes of values, and the columns that belong to them.
template <typename T> struct pack;
template <> struct pack<float> { using values = float4; using columns = int4; };
template <> struct pack<double> { using values = double2; using columns = int2; };
template <> struct pack<fp16_t> { using values = ushort4; using columns = int4; };
template <> struct pack<bf16_t> { using values = ushort4; using columns = int4; };
template <> struct pack<int8_t> { using values = char4; using columns = int4; };
template <typename T> constexpr unsigned WIDTH = sizeof(typename pack<T>::columns) / sizeof(int32_t);

__device__ __forceinline__ void unpack(int4 p, int32_t *to) { to[0] = p.x, to[1] = p.y, to[2] = p.z, to[3] = p.w; }
__device__ __forceinline__ void unpack(int2 p, int32_t *to) { to[0] = p.x, to[1] = p.y; }
__device__ __forceinline__ void unpack(float4 p, float *to) { to[0] = p.x, to[1] = p.y, to[2] = p.z, to[3] = p.w; }
__device__ __forceinline__ void unpack(double2 p, double *to) { to[0] = p.x, to[1] = p.y; }
__device__ __forceinline__ void unpack(ushort4 p, fp16_t *to)
{
    to[0] = {p.x}, to[1] = {p.y}, to[2] = {p.z}, to[3] = {p.w};
}
__device__ __forceinline__ void unpack(ushort4 p, bf16_t *to)
{
    to[0] = {p.x}, to[1] = {p.y}, to[2] = {p.z}, to[3] = {p.w};
}
__device__ __forceinline__ void unpack(char4 p, int8_t *to) { to[0] = p.x, to[1] = p.y, to[2] = p.z, to[3] = p.w; }

// widen() converts a stored value to the type of the sums.
__device__ __forceinline__ float widen(float v) { return v; }
__device__ __forceinline__ double widen(double v) { return v; }
__device__ __forceinline__ float widen(int8_t v) { return v; }
__device__ __forceinline__ float widen(bf16_t v) { return __uint_as_float((uint32_t)v.bits << 16); }
__device__ __forceinline__ float widen(fp16_t v)
{
    // Shift exponent and fraction to their positions in a float; the exponents' biases differ by 112.
    const float scaled = __uint_as_float((v.bits & 0x7fffu) << 13) * 0x1p112f;
    const float magnitude = scaled < 65536.0f ? scaled : __uint_as_float((v.bits & 0x7fffu) << 13 | 0x7f800000u);
    return v.bits & 0x8000u ? -magnitude : magnitude;
}

// IN_FLIGHT nonzeros of this lane, in packs that lie LANES packs apart: their columns and values are all
// in flight before the first x is loaded.  Only a row's first batch can begin before the row does.
// WIDE: a pack is one load of columns and one of values, which requires arrays on 16-byte boundaries.
template <int LANES, bool WIDE, bool FIRST, typename T, typename S>
__device__ __forceinline__ S sum_batch(uint32_t nz, uint32_t start, uint32_t end,
                                       const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                       const S *__restrict__ x)
{
    int32_t col[IN_FLIGHT];
    T value[IN_FLIGHT];
    S sum = 0;
#pragma unroll
    for (unsigned j = 0; j < IN_FLIGHT; j += WIDTH<T>) {
        const uint32_t k = nz + j * LANES;
        if (WIDE && k < end) {
            unpack(__ldcs((const typename pack<T>::columns *)&col_indices[k]), &col[j]);
            unpack(__ldcs((const typename pack<T>::values *)&values[k]), &value[j]);
        }
#pragma unroll
        for (unsigned i = 0; i < WIDTH<T>; ++i)
            if (!WIDE && k < end) col[j + i] = col_indices[k + i], value[j + i] = values[k + i];
    }
#pragma unroll
    for (unsigned j = 0; j < IN_FLIGHT; ++j) {
        const uint32_t k = nz + j / WIDTH<T> * WIDTH<T> * LANES + j % WIDTH<T>;
        if ((!FIRST || k >= start) && k < end) sum += widen(value[j]) * __ldg(&x[col[j]]);
    }
    return sum;
}

// Returns this lane's part of a row.  The first batch begins with the pack that holds the row's start.
// `whole` is nnz rounded down to whole packs; the nonzeros after it are loaded one by one.
template <int LANES, bool WIDE, typename T, typename S>
__device__ __forceinline__ S sum_row(unsigned lane, uint32_t start, uint32_t end, uint32_t whole,
                                     const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                     const S *__restrict__ x)
{
    const uint32_t packs_end = min(end, whole);
    uint32_t nz = start - start % WIDTH<T> + WIDTH<T> * lane;
    S sum = sum_batch<LANES, WIDE, true>(nz, start, packs_end, col_indices, values, x);
#pragma unroll 1
    for (nz += IN_FLIGHT * LANES; nz < packs_end; nz += IN_FLIGHT * LANES)
        sum += sum_batch<LANES, WIDE, false>(nz, start, packs_end, col_indices, values, x);
#pragma unroll 1
    for (nz = max(start, whole) + lane; nz < end; nz += LANES) sum += widen(values[nz]) * __ldg(&x[col_indices[nz]]);
    return sum;
}

template <int LANES, bool WIDE, typename T, typename S>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    spmv_vector_v13_kernel(unsigned rows, uint32_t whole, const uint32_t *__restrict__ row_offsets,
                           const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                           const S *__restrict__ x, S *__restrict__ y)
{
    constexpr unsigned VECTORS = BLOCK / LANES;
    const unsigned lane = threadIdx.x % LANES;
    const unsigned stride = gridDim.x * VECTORS;

    // A vector past the last row processes an empty row.
    unsigned row = blockIdx.x * VECTORS + threadIdx.x / LANES;
    uint32_t start = 0, end = 0;
    if (row < rows) {
        start = row_offsets[row];
        end = row_offsets[row + 1];
    }

    // All threads of the block iterate equally often, so that every lane takes part in the sum.
#pragma unroll 1
    for (unsigned first = blockIdx.x * VECTORS; first < rows; first += stride) {
        // Load the next row's offsets now; they arrive while this row is processed.
        uint32_t next_start = 0, next_end = 0;
        if (row + stride < rows) {
            next_start = row_offsets[row + stride];
            next_end = row_offsets[row + stride + 1];
        }

        S sum = sum_row<LANES, WIDE>(lane, start, end, whole, col_indices, values, x);
        sum = sum_vector<LANES>(sum);
        if (lane == 0 && row < rows) y[row] = sum;

        row += stride;
        start = next_start;
        end = next_end;
    }
}

// Returns the number of blocks that the GPU can hold at once.
template <typename K>
static unsigned resident_blocks(K *kernel)
{
    int gpu = 0, sms = 1, per_sm = 1;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, BLOCK, 0);
    return (unsigned)(sms * per_sm);
}

template <int LANES, bool WIDE, typename T, typename S>
static cudaError_t start_kernel(const csr_arrays_t *A, const S *d_x, S *d_y, cudaStream_t stream)
{
    const unsigned VECTORS = BLOCK / LANES;
    const unsigned rows = (unsigned)A->rows, needed = (rows + VECTORS - 1) / VECTORS;
    const uint32_t whole = (uint32_t)A->nnz / WIDTH<T> * WIDTH<T>;
    if (needed == 0) return cudaSuccess;
    const unsigned blocks = min(needed, resident_blocks(spmv_vector_v13_kernel<LANES, WIDE, T, S>));
    spmv_vector_v13_kernel<LANES, WIDE, T, S><<<blocks, BLOCK, 0, stream>>>(
        rows, whole, (const uint32_t *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

template <int LANES, typename T, typename S>
static cudaError_t spmv_vector_v13_launch(const csr_arrays_t *A, const S *d_x, S *d_y, cudaStream_t stream)
{
    const bool wide = ((uintptr_t)A->col_indices | (uintptr_t)A->values) % 16 == 0;
    return wide ? start_kernel<LANES, true, T>(A, d_x, d_y, stream) : start_kernel<8, false, T>(A, d_x, d_y, stream);
}

SPMV_VECTOR_STEP_NARROW(spmv_vector_v13)
