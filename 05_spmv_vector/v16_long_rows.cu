/*
 * spmv_vector v16 - long rows go to the whole block
 *
 * From    v15
 * Was     v15 gives a listed row to one warp of the block; where the list is short, the
 *         other warps have nothing to do.
 * Idea    Put all 256 threads of the block on each listed row, one row after the other.  The sums
 *         of the warps are added in shared memory.
 * Moves   Same as v15; a word in shared memory for each warp and long row.
 * Expect  Nothing on even rows.  On skewed ones the longest row takes up to eight times less time
 *         than in v15, 256 / LANES times less than in v14.  A block with eight or more long rows
 *         gains nothing, and pays two barriers per row.
 * Still   Only one block works on its list.  And if rows are uneven without being huge,
 *         a grid with static scheduling waits for its slowest block. (-> v17)
 * Needs   As v15.  The order of the list varies, the sum of a listed row does not.  If a block has more than LISTED
 *         long rows, it also varies which of them are listed, and with it the last bits of their sums.
 * Launch  grid = enough for the rows, at most what fits on the GPU at once; block = 256.
 * Source  J. Greathouse, M. Daga, CSR-Adaptive (SC 2014), its vector blocks; the list is ours.
 */
#include "chapter.h"

enum { BLOCK = 256, BLOCKS_PER_SM = 4, IN_FLIGHT = 8 };
enum { LONG_BATCHES = 16, LISTED = 256 }; // a row of more batches is long; a list has room for LISTED

// Lane 0 of a vector gets the sum over the vector's lanes.
template <int LANES, typename T>
__device__ __forceinline__ T sum_vector(T sum)
{
#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    return sum;
}

// Thread 0 gets the sum over the threads of its block.
template <typename S>
__device__ __forceinline__ S sum_block(S sum)
{
    __shared__ S partial[BLOCK / 32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    __syncthreads(); // partial may still be read for the row before
    sum = sum_vector<32>(sum);
    if (lane == 0) partial[warp] = sum;
    __syncthreads();
    if (warp == 0) sum = sum_vector<BLOCK / 32>(lane < BLOCK / 32 ? partial[lane] : S(0));
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
template <int LANES, bool WIDE, bool FIRST, typename T, typename O, typename S>
__device__ __forceinline__ S sum_batch(O nz, O start, O end,
                                       const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                       const S *__restrict__ x)
{
    int32_t col[IN_FLIGHT];
    T value[IN_FLIGHT];
    S sum = 0;
#pragma unroll
    for (unsigned j = 0; j < IN_FLIGHT; j += WIDTH<T>) {
        const O k = nz + j * LANES;
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
        const O k = nz + j / WIDTH<T> * WIDTH<T> * LANES + j % WIDTH<T>;
        if ((!FIRST || k >= start) && k < end) sum += widen(value[j]) * __ldg(&x[col[j]]);
    }
    return sum;
}

// Returns this lane's part of a row.  The first batch begins with the pack that holds the row's start.
// `whole` is nnz rounded down to whole packs; the nonzeros after it are loaded one by one.
template <int LANES, bool WIDE, typename T, typename O, typename S>
__device__ __forceinline__ S sum_row(unsigned lane, O start, O end, O whole,
                                     const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                     const S *__restrict__ x)
{
    const O packs_end = min(end, whole);
    O nz = start - start % WIDTH<T> + WIDTH<T> * lane;
    S sum = sum_batch<LANES, WIDE, true>(nz, start, packs_end, col_indices, values, x);
#pragma unroll 1
    for (nz += IN_FLIGHT * LANES; nz < packs_end; nz += IN_FLIGHT * LANES)
        sum += sum_batch<LANES, WIDE, false>(nz, start, packs_end, col_indices, values, x);
#pragma unroll 1
    for (nz = max(start, whole) + lane; nz < end; nz += LANES) sum += widen(values[nz]) * __ldg(&x[col_indices[nz]]);
    return sum;
}

template <int LANES, bool WIDE, typename T, typename O, typename S>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    spmv_vector_v16_kernel(unsigned rows, O whole, const O *__restrict__ row_offsets,
                           const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                           const S *__restrict__ x, S *__restrict__ y)
{
    constexpr unsigned VECTORS = BLOCK / LANES;
    const unsigned lane = threadIdx.x % LANES;
    const unsigned stride = gridDim.x * VECTORS;
    __shared__ unsigned listed;
    __shared__ unsigned long_rows[LISTED];
    if (threadIdx.x == 0) listed = 0;
    __syncthreads();

    // A vector past the last row processes an empty row.
    unsigned row = blockIdx.x * VECTORS + threadIdx.x / LANES;
    O start = 0, end = 0;
    if (row < rows) {
        start = row_offsets[row];
        end = row_offsets[row + 1];
    }

    // All threads of the block iterate equally often, so that every lane takes part in the sum.
#pragma unroll 1
    for (unsigned first = blockIdx.x * VECTORS; first < rows; first += stride) {
        // Load the next row's offsets now; they arrive while this row is processed.
        O next_start = 0, next_end = 0;
        if (row + stride < rows) {
            next_start = row_offsets[row + stride];
            next_end = row_offsets[row + stride + 1];
        }

        // A long row is put on the block's list, unless the list is full; this vector then skips the row.
        unsigned place = LISTED;
        if (lane == 0 && end - start > LONG_BATCHES * IN_FLIGHT * LANES) place = atomicAdd(&listed, 1u);
        if (place < LISTED) long_rows[place] = row;
        if (__shfl_sync(0xffffffffu, place, 0, LANES) < LISTED) end = start;

        S sum = sum_row<LANES, WIDE>(lane, start, end, whole, col_indices, values, x);
        sum = sum_vector<LANES>(sum);
        if (lane == 0 && row < rows && place >= LISTED) y[row] = sum;

        row += stride;
        start = next_start;
        end = next_end;
    }

    // Process the long rows one after the other: the block is a vector of 256 lanes.
    __syncthreads();
#pragma unroll 1
    for (unsigned i = 0; i < min(listed, (unsigned)LISTED); ++i) {
        row = long_rows[i];
        start = row_offsets[row];
        end = row_offsets[row + 1];
        S sum = sum_row<BLOCK, WIDE>(threadIdx.x, start, end, whole, col_indices, values, x);
        sum = sum_block(sum);
        if (threadIdx.x == 0) y[row] = sum;
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

template <int LANES, bool WIDE, typename T, typename O, typename S>
static cudaError_t start_kernel(const csr_arrays_t *A, const S *d_x, S *d_y, cudaStream_t stream)
{
    const unsigned VECTORS = BLOCK / LANES;
    const unsigned rows = (unsigned)A->rows, needed = (rows + VECTORS - 1) / VECTORS;
    const O whole = (O)A->nnz / WIDTH<T> * WIDTH<T>;
    if (needed == 0) return cudaSuccess;
    const unsigned blocks = min(needed, resident_blocks(spmv_vector_v16_kernel<LANES, WIDE, T, O, S>));
    spmv_vector_v16_kernel<LANES, WIDE, T, O, S><<<blocks, BLOCK, 0, stream>>>(
        rows, whole, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

template <int LANES, typename T, typename O, typename S>
static cudaError_t spmv_vector_v16_launch(const csr_arrays_t *A, const S *d_x, S *d_y, cudaStream_t stream)
{
    const bool wide = ((uintptr_t)A->col_indices | (uintptr_t)A->values) % 16 == 0;
    return wide ? start_kernel<LANES, true, T, O>(A, d_x, d_y, stream)
                : start_kernel<8, false, T, O>(A, d_x, d_y, stream);
}

SPMV_VECTOR_STEP_ALL_TYPES(spmv_vector_v16)
