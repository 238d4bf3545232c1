/*
 * gpu_features.cu - measures the features of a matrix for the rule that picks a plan (gpu_choice.h).
 *
 *   survey    one pass over the offsets: the longest row, and the places that slices of several forms would have
 *   sample    512 groups of 32 neighbours: whether they are diagonals or alike, and how much of x is new to the warp
 */
#include "gpu_features.h"

#include "gpu_build.cuh"
#include "gpu_hot.h"
#include "gpu_slices.cuh"

namespace {

enum {
    GROUPS = 512,       // groups of rows in the sample
    FIRST = 16,         // nonzeros of each row whose columns the sample looks at
    LONGEST_ROW = 128,  // a longer row is not part of diagonals
    LEAST_HOT = 500000, // columns are counted from so many nonzeros on
    NEAR_STEPS = 16
};

struct survey_t {
    unsigned long long steps[WIDTHS], near_steps;
    uint32_t longest;
    uint32_t groups, diagonal_groups, looked_at, new_sectors, rows, alike; // of the sample
};

// Returns the log2 of the lanes that each row of a group of 32 would get, so that no lane has more than `steps`
// nonzeros.
__device__ __forceinline__ uint32_t group_width(uint32_t longest, uint32_t steps)
{
    uint32_t w = 0;
    while (w < WIDTHS - 1 && longest > steps << w) ++w;
    return w;
}

// Surveys the rows of block `which` of `blocks`.
template <typename O>
__device__ void survey_rows(uint32_t which, uint32_t blocks, uint32_t rows, const O *__restrict__ row_offsets,
                            survey_t *out)
{
    __shared__ survey_t here; // the block's counts, so that one thread of a block adds to *out, not one of each warp
    for (unsigned i = threadIdx.x; i < sizeof here / sizeof(uint32_t); i += BLOCK) ((uint32_t *)&here)[i] = 0;
    __syncthreads();
    const unsigned lane = threadIdx.x % LANES;
    unsigned long long steps[WIDTHS] = {0}, near_steps = 0;
    uint32_t longest = 0;
#pragma unroll 1
    for (uint32_t first = (which * BLOCK + threadIdx.x) / LANES * LANES; first < rows; first += blocks * BLOCK) {
        const uint32_t row = first + lane;
        const uint32_t length = row < rows ? row_length(row_offsets, row) : 0;
        const uint32_t longest_here = max_lanes(length, LANES);
        const int near_width = group_width(longest_here, NEAR_STEPS);
        longest = max(longest, longest_here);
#pragma unroll
        for (int w = 0; w < WIDTHS; ++w) { // groups of 32 >> w rows
            const uint32_t most = max_lanes(length, LANES >> w);
            const uint32_t step = lane % (LANES >> w) == 0 ? (most + (1u << w) - 1) >> w : 0;
            steps[w] += step;
            if (w == near_width) near_steps += step;
        }
    }
#pragma unroll
    for (int w = 0; w < WIDTHS; ++w) {
        const unsigned long long sum = sum_lanes(steps[w], LANES);
        if (lane == 0) atomicAdd(&here.steps[w], sum);
    }
    const unsigned long long near_sum = sum_lanes(near_steps, LANES);
    if (lane == 0) atomicAdd(&here.near_steps, near_sum);
    if (lane == 0) atomicMax(&here.longest, longest);
    __syncthreads();
    if (threadIdx.x < WIDTHS) atomicAdd(&out->steps[threadIdx.x], here.steps[threadIdx.x]);
    if (threadIdx.x == WIDTHS) atomicAdd(&out->near_steps, here.near_steps);
    if (threadIdx.x == WIDTHS + 1) atomicMax(&out->longest, here.longest);
}

// Counts the diagonals (column - row) that the lanes' rows have together; stops beyond `most`.
__device__ __forceinline__ uint32_t count_diagonals(const int32_t *__restrict__ col_indices, uint64_t start,
                                                    uint32_t length, uint32_t row, uint32_t most)
{
    uint32_t k = 0, count = 0;
    while (true) {
        const int32_t next = k < length ? col_indices[start + k] - (int32_t)row : INT32_MAX;
        const int32_t least = -max_lanes(-next, LANES);
        if (least == INT32_MAX || ++count > most) return count;
        if (next == least) ++k;
    }
}

// Returns whether a row has nearly the columns of the next.  Compares their first nonzeros only; gpu_slices_bundle.cu
// compares all.
__device__ __forceinline__ bool start_alike(const int32_t *__restrict__ a, uint32_t a_length,
                                            const int32_t *__restrict__ b, uint32_t b_length)
{
    if (max(a_length, b_length) - min(a_length, b_length) > (a_length + b_length) / 8) return false;
    const uint32_t n = min(a_length, (uint32_t)FIRST), m = min(b_length, (uint32_t)FIRST);
    uint32_t i = 0, k = 0, common = 0;
    while (i < n && k < m) {
        const int32_t p = a[i], q = b[k];
        common += p == q;
        i += p <= q;
        k += q <= p;
    }
    return common && common * 4 >= max(n, m) * 3;
}

// Samples with a warp for each group.
template <typename O>
__device__ void sample_groups(uint32_t rows, uint32_t groups, uint32_t value_bytes, const O *__restrict__ row_offsets,
                              const int32_t *__restrict__ col_indices, survey_t *out)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t which = (blockIdx.x * BLOCK + threadIdx.x) / LANES, all = (rows - 1) / LANES + 1;
    if (which >= groups) return;
    const uint32_t row = (uint32_t)((uint64_t)which * all / groups) * LANES + lane;
    const uint64_t start = row < rows ? row_offsets[row] : 0;
    const uint32_t length = row < rows ? row_length(row_offsets, row) : 0;
    const uint32_t longest = max_lanes(length, LANES);

    // A diagonal costs every lane a quarter of a byte and a value; a column in 16 bits costs 2 bytes and a value.
    const uint32_t most = (uint32_t)(longest * (2.0f + value_bytes) / (0.25f + value_bytes));
    const bool diagonal = longest > 0 && longest <= LONGEST_ROW &&
                          count_diagonals(col_indices, start, length, row, most) <= most;

    const uint32_t per_sector = value_bytes == 8 ? 4 : 8; // of x
    uint32_t before = UINT32_MAX, is_new = 0, looked_at = 0;
#pragma unroll 1
    for (uint32_t k = 0; k < min(longest, (uint32_t)FIRST); ++k) {
        const bool has = k < length;
        const uint32_t sector = has ? (uint32_t)col_indices[start + k] / per_sector : UINT32_MAX;
        const unsigned same = __match_any_sync(ALL_LANES, sector);
        is_new += has && sector != before && lane == (unsigned)__ffs(same) - 1;
        looked_at += has;
        before = sector;
    }
    const uint32_t next_length = __shfl_down_sync(ALL_LANES, length, 1);
    const bool is_alike = lane + 1 < LANES && row + 1 < rows &&
                          start_alike(col_indices + start, length, col_indices + start + length, next_length);
    const unsigned alike = __ballot_sync(ALL_LANES, is_alike),
                   there = __ballot_sync(ALL_LANES, lane + 1 < LANES && row + 1 < rows);
    is_new = sum_lanes(is_new, LANES);
    looked_at = sum_lanes(looked_at, LANES);
    if (lane) return;
    atomicAdd(&out->groups, longest > 0);
    atomicAdd(&out->diagonal_groups, diagonal);
    atomicAdd(&out->new_sectors, is_new);
    atomicAdd(&out->looked_at, looked_at);
    atomicAdd(&out->alike, __popc(alike));
    atomicAdd(&out->rows, __popc(there));
}

// The sample starts first, because its loads wait for each other; the survey runs beside it.
template <typename O>
__global__ void __launch_bounds__(BLOCK) look_kernel(uint32_t rows, uint32_t groups, uint32_t value_bytes,
                                                     const O *__restrict__ row_offsets,
                                                     const int32_t *__restrict__ col_indices, survey_t *out)
{
    const uint32_t samples = (groups - 1) / WARPS + 1;
    if (blockIdx.x < samples) sample_groups(rows, groups, value_bytes, row_offsets, col_indices, out);
    else survey_rows(blockIdx.x - samples, gridDim.x - samples, rows, row_offsets, out);
}

template <typename O>
cudaError_t look(const gpu_features_t *f, const gpu_csr_t *A, survey_t *d_survey, survey_t *survey, cudaStream_t stream)
{
    int sms = 0;
    TRY(gpu_attribute(&sms, cudaDevAttrMultiProcessorCount));
    TRY(cudaMemsetAsync(d_survey, 0, sizeof *d_survey, stream));
    const uint32_t rows = (uint32_t)A->rows, all = (rows - 1) / LANES + 1;
    const uint32_t groups = all < GROUPS ? all : (uint32_t)GROUPS;
    const unsigned blocks = (rows - 1) / BLOCK + 1, most = (unsigned)sms * 8;
    look_kernel<O><<<(groups - 1) / WARPS + 1 + (blocks < most ? blocks : most), BLOCK, 0, stream>>>(
        rows, groups, (uint32_t)f->value_bytes, (const O *)A->row_offsets, A->col_indices, d_survey);
    TRY(cudaPeekAtLastError());
    return to_host(survey, d_survey, sizeof *survey, stream);
}

} // namespace

void gpu_features_known(gpu_features_t *f, const gpu_csr_t *A)
{
    *f = gpu_features_t{};
    f->rows = (double)A->rows;
    f->cols = (double)A->cols;
    f->nnz = (double)A->nnz;
    f->value_bytes = (double)value_size(A->value_type);
    f->mean = A->rows ? f->nnz / f->rows : 0;
}

cudaError_t gpu_features_look(gpu_features_t *f, const gpu_csr_t *A, cudaStream_t stream)
{
    survey_t survey, *d_survey = NULL;
    TRY(gpu_take((void **)&d_survey, sizeof survey, stream));
    const cudaError_t status = BY_OFFSETS(A, look, f, A, d_survey, &survey, stream);
    gpu_free(d_survey);
    if (status != cudaSuccess) return status;
    f->longest = survey.longest;
    f->skew = f->longest / f->mean;
    f->in_order_fill = (double)survey.steps[0] * LANES / f->nnz;
    f->near_fill = (double)survey.near_steps * LANES / f->nnz;
    f->diagonals = survey.groups ? (double)survey.diagonal_groups / survey.groups : 0;
    f->sectors = survey.looked_at ? (double)survey.new_sectors / survey.looked_at : 0;
    f->gathered = f->sectors * 32 / (f->value_bytes + 4);
    f->alike = survey.rows ? (double)survey.alike / survey.rows : 0;
    return cudaSuccess;
}

cudaError_t gpu_features_hot(gpu_features_t *f, const gpu_csr_t *A, cudaStream_t stream)
{
    constexpr double SCATTERED = 0.5; // the least number of sectors per nonzero in scattered columns
    f->hot = 0;
    if (f->nnz < LEAST_HOT || f->sectors < SCATTERED) return cudaSuccess;
    return gpu_hot_share(&f->hot, A, stream);
}
