/* plan_rows.cu - the plans of v11 and v14: lists of rows, made on the card in three passes each. */
#include "plans.h"

#include <stdlib.h>

/* ---- the numbers of the rows that have some property, in order ------------------------------------ */

enum { BLOCK = 256 };

// How many threads of the block before this one have `wanted`; *all gets how many there are in the block.
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

// Pass 1: how many rows of each block's 256 are wanted.
template <typename Want>
__global__ void count_rows_kernel(unsigned rows, Want want, unsigned *__restrict__ counts)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    unsigned all;
    rank_in_block(row < rows && want(row), &all);
    if (threadIdx.x == 0) counts[blockIdx.x] = all;
}

// Pass 2: counts become places, the place where each block's rows begin.  One block, 256 counts a round; the sum of all goes
// behind the last.
__global__ void place_blocks_kernel(unsigned blocks, unsigned *__restrict__ counts)
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

// Pass 3: every wanted row's number to its place.
template <typename Want>
__global__ void list_rows_kernel(unsigned rows, Want want, const unsigned *__restrict__ places,
                                        unsigned *__restrict__ list)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    const bool wanted = row < rows && want(row);
    unsigned all;
    const unsigned rank = rank_in_block(wanted, &all);
    if (wanted) list[places[blockIdx.x] + rank] = row;
}

static size_t compact_blocks(size_t rows) { return (rows + BLOCK - 1) / BLOCK; }

// The numbers of the rows for which want(row), ascending, to d_list; *found gets how many, read back from the card.
// d_places: room for compact_blocks(rows) + 1.
template <typename Want>
static cudaError_t compact_rows(size_t rows, Want want, unsigned *d_places, unsigned *d_list, unsigned *found,
                                cudaStream_t stream)
{
    const unsigned blocks = (unsigned)compact_blocks(rows);
    *found = 0;
    if (blocks == 0) return cudaSuccess;
    count_rows_kernel<Want><<<blocks, BLOCK, 0, stream>>>((unsigned)rows, want, d_places);
    place_blocks_kernel<<<1, BLOCK, 0, stream>>>(blocks, d_places);
    list_rows_kernel<Want><<<blocks, BLOCK, 0, stream>>>((unsigned)rows, want, d_places, d_list);
    cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess)
        status = cudaMemcpyAsync(found, d_places + blocks, sizeof *found, cudaMemcpyDeviceToHost, stream);
    return status == cudaSuccess ? cudaStreamSynchronize(stream) : status;
}

/* ---- properties --------------------------------------------------------------------------------- */

namespace {

template <typename O> struct length_between {
    const O *row_offsets;
    O least, most;
    __device__ bool operator()(unsigned row) const
    {
        const O length = row_offsets[row + 1] - row_offsets[row];
        return least <= length && length <= most;
    }
};

// True for the first row of a stretch.
template <typename O> struct stretch_begins {
    const O *row_offsets;
    __device__ bool operator()(unsigned row) const
    {
        if (row % MOST_ROWS == 0) return true;
        const O before = row_offsets[row - 1], start = row_offsets[row], end = row_offsets[row + 1];
        return before / WINDOW != start / WINDOW || start - before > WINDOW || end - start > WINDOW;
    }
};

} // namespace

/* ---- v11 ----------------------------------------------------------------------------------------- */

static void bins_destroy(void *plan)
{
    if (plan) cudaFree(((row_bins_t *)plan)->rows[BIN_SHORT]);
    free(plan);
}

template <typename O>
static cudaError_t fill_bins(row_bins_t *bins, const csr_arrays_t *A, unsigned *d_places, cudaStream_t stream)
{
    const O *row_offsets = (const O *)A->row_offsets;
    const O least[BINS] = {0, SHORT_MOST + 1, MIDDLING_MOST + 1}, most[BINS] = {SHORT_MOST, MIDDLING_MOST, (O)A->nnz};
    cudaError_t status = cudaSuccess;
    for (int b = 0; b < BINS && status == cudaSuccess; ++b) {
        if (b > 0) bins->rows[b] = bins->rows[b - 1] + bins->count[b - 1];
        status = compact_rows(A->rows, length_between<O>{row_offsets, least[b], most[b]}, d_places, bins->rows[b],
                              &bins->count[b], stream);
    }
    return status;
}

static cudaError_t bins_create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    row_bins_t *bins = (row_bins_t *)calloc(1, sizeof *bins);
    unsigned *d_places = NULL;
    if (!bins) return cudaErrorMemoryAllocation;
    bins->bytes = (A->rows + 1) * sizeof *bins->rows[0];
    cudaError_t status = cudaMalloc((void **)&bins->rows[BIN_SHORT], bins->bytes);
    if (status == cudaSuccess) status = cudaMalloc((void **)&d_places, (compact_blocks(A->rows) + 1) * sizeof *d_places);
    if (status == cudaSuccess)
        status = A->offset_bits == 64 ? fill_bins<uint64_t>(bins, A, d_places, stream)
                                      : fill_bins<uint32_t>(bins, A, d_places, stream);
    cudaFree(d_places);
    if (status == cudaSuccess) {
        *plan = bins;
    } else {
        bins_destroy(bins);
        cudaGetLastError(); // or whoever comes next would find it
    }
    return status;
}

static size_t bins_bytes(const void *plan) { return ((const row_bins_t *)plan)->bytes; }

const load_balance_plan_ops_t load_balance_v11_plan = {bins_create, bins_bytes, bins_destroy};

/* ---- v14 ----------------------------------------------------------------------------------------- */

static void stretches_destroy(void *plan)
{
    if (plan) cudaFree(((row_stretches_t *)plan)->first);
    free(plan);
}

static cudaError_t stretches_create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    row_stretches_t *s = (row_stretches_t *)calloc(1, sizeof *s);
    unsigned *d_places = NULL;
    const unsigned rows = (unsigned)A->rows;
    if (!s) return cudaErrorMemoryAllocation;
    s->bytes = (A->rows + 1) * sizeof *s->first; // as many as there can be; how many there are is known at the end
    cudaError_t status = cudaMalloc((void **)&s->first, s->bytes);
    if (status == cudaSuccess) status = cudaMalloc((void **)&d_places, (compact_blocks(A->rows) + 1) * sizeof *d_places);
    if (status == cudaSuccess)
        status = A->offset_bits == 64
                     ? compact_rows(A->rows, stretch_begins<uint64_t>{(const uint64_t *)A->row_offsets}, d_places,
                                    s->first, &s->count, stream)
                     : compact_rows(A->rows, stretch_begins<uint32_t>{(const uint32_t *)A->row_offsets}, d_places,
                                    s->first, &s->count, stream);
    if (status == cudaSuccess)
        status = cudaMemcpyAsync(s->first + s->count, &rows, sizeof rows, cudaMemcpyHostToDevice, stream);
    if (status == cudaSuccess) status = cudaStreamSynchronize(stream);
    cudaFree(d_places);
    if (status == cudaSuccess) {
        *plan = s;
    } else {
        stretches_destroy(s);
        cudaGetLastError(); // or whoever comes next would find it
    }
    return status;
}

static size_t stretches_bytes(const void *plan) { return ((const row_stretches_t *)plan)->bytes; }

const load_balance_plan_ops_t load_balance_v14_plan = {stretches_create, stretches_bytes, stretches_destroy};
