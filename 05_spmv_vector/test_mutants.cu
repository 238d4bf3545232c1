/*
 * test_mutants.cu - kernels of the ladder with one thing broken.  Every one of them must be rejected, by the
 * check or by the stand-in (test_spmv_vector.c says by which).
 */
#include "chapter.h"

enum { BLOCK = 256 };

enum mutant {
    CORRECT, SKIPS_EMPTY_ROWS, DROPS_LANE_TAIL, DROPS_LAST, READS_PAST_ROW, NO_ROW_GUARD, NO_HEAD_MASK, ADDS_INTO_Y,
    NO_SYNC, LEAVES_BEFORE_SHUFFLE, WRONG_ROW, WRITES_PAST_END
};

// LANES 8 sums by shuffles, 32 in shared memory by warp, 256 in shared memory by block.
template <int MUTANT, int LANES>
__device__ __forceinline__ float sum_vector(float sum, unsigned lane)
{
    if (LANES == 8) {
        for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
        return sum;
    }
    __shared__ float partial[BLOCK];
    float *mine = &partial[threadIdx.x];
    *mine = sum;
    for (unsigned s = LANES / 2; s > 0; s /= 2) {
        if (MUTANT == NO_SYNC) {
        } else if (LANES == 32) __syncwarp();
        else __syncthreads();
        if (lane < s) *mine += mine[s];
    }
    return *mine;
}

template <int MUTANT, int LANES>
__global__ void mutant_kernel(unsigned rows, const uint32_t *__restrict__ row_offsets,
                              const int32_t *__restrict__ col_indices, const float *__restrict__ values,
                              const float *__restrict__ x, float *y)
{
    constexpr unsigned VECTORS = BLOCK / LANES;
    const unsigned lane = threadIdx.x % LANES, row = blockIdx.x * VECTORS + threadIdx.x / LANES;
    uint32_t start = 0, end = 0;
    if (MUTANT == LEAVES_BEFORE_SHUFFLE && row >= rows) return;
    if (MUTANT == NO_ROW_GUARD || row < rows) {
        start = row_offsets[row];
        end = row_offsets[row + 1];
    }
    if (MUTANT == DROPS_LAST && end > start) --end;
    if (MUTANT == READS_PAST_ROW) ++end;
    if (MUTANT == DROPS_LANE_TAIL) end = start + (end - start) / LANES * LANES;

    const uint32_t aligned = start - start % LANES;
    float sum = 0;
#pragma unroll 1
    for (uint32_t nz = aligned + lane; nz < end; nz += LANES)
        if (MUTANT == NO_HEAD_MASK || nz >= start) sum += values[nz] * x[col_indices[nz]];

    sum = sum_vector<MUTANT, LANES>(sum, lane);
    const bool writes = MUTANT == SKIPS_EMPTY_ROWS ? row < rows && end > start
                        : MUTANT == WRITES_PAST_END ? row <= rows
                                                    : row < rows;
    if (lane == 0 && writes) {
        if (MUTANT == ADDS_INTO_Y) y[row] += sum;
        else if (MUTANT == WRONG_ROW) y[row ^ 1u] = sum; // the tests use an even number of rows
        else y[row] = sum;
    }
}

template <int MUTANT, int LANES>
static cudaError_t launch(const csr_arrays_t *A, const void *d_x, void *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows, VECTORS = BLOCK / LANES, blocks = (rows + VECTORS - 1) / VECTORS;
    if (blocks == 0) return cudaSuccess;
    mutant_kernel<MUTANT, LANES><<<blocks, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->row_offsets, A->col_indices,
                                                               (const float *)A->values, (const float *)d_x,
                                                               (float *)d_y);
    return cudaGetLastError();
}

// v11's loads of a pack: four nonzeros at once on 16-byte borders, one by one elsewhere.
enum { LOOKS_AT_ADDRESSES = CORRECT, WIDE_ANYWHERE };

template <bool WIDE>
__global__ void packs_kernel(unsigned rows, const uint32_t *__restrict__ row_offsets,
                             const int32_t *__restrict__ col_indices, const float *__restrict__ values,
                             const float *__restrict__ x, float *y)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;
    const uint32_t end = row_offsets[row + 1], whole = row_offsets[rows] / 4 * 4;
    float sum = 0;
    for (uint32_t k = row_offsets[row] / 4 * 4; k < end; k += 4) {
        const bool pack = WIDE && k < whole;
        const int4 c = pack ? *(const int4 *)&col_indices[k] : int4{0, 0, 0, 0};
        const float4 v = pack ? *(const float4 *)&values[k] : float4{0, 0, 0, 0};
        const int32_t col[] = {c.x, c.y, c.z, c.w};
        const float value[] = {v.x, v.y, v.z, v.w};
        for (uint32_t i = 0; i < 4; ++i)
            if (k + i >= row_offsets[row] && k + i < end)
                sum += (pack ? value[i] : values[k + i]) * x[pack ? col[i] : col_indices[k + i]];
    }
    y[row] = sum;
}

template <int MUTANT>
static cudaError_t launch_packs(const csr_arrays_t *A, const void *d_x, void *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows, blocks = (rows + BLOCK - 1) / BLOCK;
    const bool wide = MUTANT == WIDE_ANYWHERE || ((uintptr_t)A->col_indices | (uintptr_t)A->values) % 16 == 0;
    auto *kernel = wide ? packs_kernel<true> : packs_kernel<false>;
    if (blocks == 0) return cudaSuccess;
    kernel<<<blocks, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->row_offsets, A->col_indices,
                                         (const float *)A->values, (const float *)d_x, (float *)d_y);
    return cudaGetLastError();
}

// v12's to v14's types: values widened to fp32 when they are multiplied, positions as wide as offsets.
enum { WIDENED = CORRECT, SUMS_IN_INT8, BIAS_OF_BF16, POSITIONS_OF_32_BITS };

template <int MUTANT, typename O> struct position { using type = O; };
template <> struct position<POSITIONS_OF_32_BITS, uint64_t> { using type = uint32_t; };

template <int MUTANT>
__device__ __forceinline__ float widen(float v) { return v; }

template <int MUTANT>
__device__ __forceinline__ float widen(int8_t v) { return v; }
template <int MUTANT>
__device__ __forceinline__ float widen(fp16_t v)
{
    const float scaled = __uint_as_float((v.bits & 0x7fffu) << 13) * (MUTANT == BIAS_OF_BF16 ? 1.0f : 0x1p112f);
    return v.bits & 0x8000u ? -scaled : scaled;
}

template <int MUTANT>
__device__ __forceinline__ float add(float sum, float term)
{
    return MUTANT == SUMS_IN_INT8 ? (int8_t)(int)(sum + term) : sum + term;
}

template <int MUTANT, typename T, typename O>
__global__ void types_kernel(unsigned rows, const O *__restrict__ row_offsets,
                             const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                             const float *__restrict__ x, float *y)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    const typename position<MUTANT, O>::type start = row_offsets[row], end = row_offsets[row + 1];
    for (auto nz = start; nz < end; ++nz)
        sum = add<MUTANT>(sum, widen<MUTANT>(values[nz]) * x[col_indices[nz]]);
    y[row] = sum;
}

template <int MUTANT, typename T, typename O>
static cudaError_t launch_types(const csr_arrays_t *A, const void *d_x, void *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows, blocks = (rows + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    types_kernel<MUTANT, T, O><<<blocks, BLOCK, 0, stream>>>(rows, (const O *)A->row_offsets, A->col_indices,
                                                             (const T *)A->values, (const float *)d_x, (float *)d_y);
    return cudaGetLastError();
}

// The list of long rows: v15's, a warp on each of them, or v16's, the whole block.
enum { LISTS = CORRECT, NO_LIST_BARRIER, DROPS_UNLISTED, REUSES_PARTIAL };

template <int MUTANT, int WIDTH>
__global__ void list_kernel(unsigned rows, const uint32_t *__restrict__ row_offsets,
                            const int32_t *__restrict__ col_indices, const float *__restrict__ values,
                            const float *__restrict__ x, float *y)
{
    enum { LONG = 16, LISTED = 4 };
    __shared__ unsigned listed, long_rows[LISTED];
    __shared__ float partial[BLOCK / 32];
    if (threadIdx.x == 0) listed = 0;
    __syncthreads();

    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    if (row < rows) {
        const uint32_t start = row_offsets[row], end = row_offsets[row + 1];
        const bool is_long = end - start > LONG;
        const unsigned place = is_long ? atomicAdd(&listed, 1u) : (unsigned)LISTED;
        float sum = 0;
        for (uint32_t nz = start; nz < end; ++nz) sum += values[nz] * x[col_indices[nz]];
        if (place < LISTED) long_rows[place] = row;
        else if (MUTANT != DROPS_UNLISTED || !is_long) y[row] = sum;
    }

    if (MUTANT != NO_LIST_BARRIER) __syncthreads();
    const unsigned lane = threadIdx.x % WIDTH;
#pragma unroll 1
    for (unsigned i = threadIdx.x / WIDTH; i < min(listed, (unsigned)LISTED); i += BLOCK / WIDTH) {
        float sum = 0;
        for (uint32_t nz = row_offsets[long_rows[i]] + lane; nz < row_offsets[long_rows[i] + 1]; nz += WIDTH)
            sum += values[nz] * x[col_indices[nz]];
        for (unsigned s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
        if (WIDTH == BLOCK) {
            if (MUTANT != REUSES_PARTIAL) __syncthreads();
            if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
            __syncthreads();
            for (unsigned w = 1; lane == 0 && w < BLOCK / 32; ++w) sum += partial[w];
        }
        if (lane == 0) y[long_rows[i]] = sum;
    }
}

template <int MUTANT, int WIDTH>
static cudaError_t launch_list(const csr_arrays_t *A, const void *d_x, void *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows, blocks = (rows + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    list_kernel<MUTANT, WIDTH><<<blocks, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->row_offsets, A->col_indices,
                                                             (const float *)A->values, (const float *)d_x,
                                                             (float *)d_y);
    return cudaGetLastError();
}

#define MUTANT(name, which, width)                                                                      \
    extern "C" cudaError_t name(SPMV_VECTOR_ARGS)                                                       \
    {                                                                                                   \
        (void)lanes;                                                                                    \
        return launch<which, width>(A, d_x, d_y, stream);                                               \
    }
MUTANT(mutant_correct_8, CORRECT, 8)
MUTANT(mutant_correct_32, CORRECT, 32)
MUTANT(mutant_correct_256, CORRECT, 256)
MUTANT(mutant_skips_empty_rows, SKIPS_EMPTY_ROWS, 8)
MUTANT(mutant_drops_lane_tail, DROPS_LANE_TAIL, 8)
MUTANT(mutant_drops_last, DROPS_LAST, 8)
MUTANT(mutant_reads_past_row, READS_PAST_ROW, 8)
MUTANT(mutant_no_row_guard, NO_ROW_GUARD, 8)
MUTANT(mutant_no_head_mask, NO_HEAD_MASK, 8)
MUTANT(mutant_adds_into_y, ADDS_INTO_Y, 8)
MUTANT(mutant_no_syncwarp, NO_SYNC, 32)
MUTANT(mutant_no_barrier, NO_SYNC, 256)
MUTANT(mutant_leaves_before_shuffle, LEAVES_BEFORE_SHUFFLE, 8)
MUTANT(mutant_wrong_row, WRONG_ROW, 8)
MUTANT(mutant_writes_past_end, WRITES_PAST_END, 8)

#define MUTANT_OF(name, launch)                                                                         \
    extern "C" cudaError_t name(SPMV_VECTOR_ARGS)                                                       \
    {                                                                                                   \
        (void)lanes;                                                                                    \
        return launch(A, d_x, d_y, stream);                                                             \
    }
MUTANT_OF(mutant_correct_packs, launch_packs<LOOKS_AT_ADDRESSES>)
MUTANT_OF(mutant_wide_anywhere, launch_packs<WIDE_ANYWHERE>)
#define TYPES(which, T, O) launch_types<which, T, O>
MUTANT_OF(mutant_correct_int8, TYPES(WIDENED, int8_t, uint32_t))
MUTANT_OF(mutant_correct_fp16, TYPES(WIDENED, fp16_t, uint32_t))
MUTANT_OF(mutant_correct_far, TYPES(WIDENED, float, uint64_t))
MUTANT_OF(mutant_sums_in_int8, TYPES(SUMS_IN_INT8, int8_t, uint32_t))
MUTANT_OF(mutant_bias_of_bf16, TYPES(BIAS_OF_BF16, fp16_t, uint32_t))
MUTANT_OF(mutant_positions_of_32_bits, TYPES(POSITIONS_OF_32_BITS, float, uint64_t))
#define LIST(which, WIDTH) launch_list<which, WIDTH>
MUTANT_OF(mutant_correct_list_32, LIST(LISTS, 32))
MUTANT_OF(mutant_correct_list_256, LIST(LISTS, BLOCK))
MUTANT_OF(mutant_no_list_barrier, LIST(NO_LIST_BARRIER, 32))
MUTANT_OF(mutant_drops_unlisted, LIST(DROPS_UNLISTED, 32))
MUTANT_OF(mutant_reuses_partial, LIST(REUSES_PARTIAL, BLOCK))
