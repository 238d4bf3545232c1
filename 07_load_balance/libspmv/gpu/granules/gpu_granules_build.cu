/*
 * gpu_granules_build.cu - builds the granules of gpu_granules.cu on the GPU from CSR arrays in its memory.
 *
 *   count     counts the granules of each row; an empty row has one, so that its y is written
 *   scan      finds the first granule of each row                                  gpu_slices_scan.cu
 *   cut       finds the first granule of each block: at a row's end if one is near the equal share, else in the row
 *   survey    finds each block's smallest column, and the bytes that its columns need; all blocks get the most
 *   record    writes each block's record: its base, and the rows that it shares
 *   fill      writes values, columns and marks of each block; a refresh writes the values again
 *
 * Between these kernels the host reads a few numbers, and waits for them.
 */
#include "gpu_granules.cuh"
#include "gpu_slices_build.cuh"

namespace {

enum {
    NEAR_PART = 32,        // a cut moves to a row's end by this part of a block's slots at most
    LEAST_SHARE = 96,      // granules of a block, if the matrix has enough
    SMALL_PLACES = 1 << 16 // up to so many places are always accepted
};
constexpr double MOST_PLACES = 2; // per nonzero, with holes

struct survey_t {
    uint32_t cuts;      // blocks that begin inside a row
    uint32_t not_in[3]; // blocks whose columns do not fit in 4, 8 and 12 bytes per granule
};

static __device__ __forceinline__ uint32_t granules_of(uint32_t length)
{
    return length ? (length - 1) / GRANULE + 1 : 1;
}

template <typename O>
__global__ void count_kernel(uint32_t rows, const O *__restrict__ row_offsets, uint32_t *starts)
{
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
    if (row <= rows) starts[row] = row < rows ? granules_of(row_length(row_offsets, row)) : 0;
}

// Returns the index of the last of n ascending numbers that is at most `what`; the first number always is.
static __device__ __forceinline__ uint32_t last_up_to(uint32_t what, const uint32_t *__restrict__ numbers, uint32_t n)
{
    uint32_t low = 0, high = n;
#pragma unroll 1
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (numbers[middle] <= what) low = middle;
        else high = middle;
    }
    return low;
}

__global__ void cut_kernel(granules_t g, uint32_t rows, uint32_t near_most)
{
    const uint32_t b = blockIdx.x * BLOCK + threadIdx.x;
    if (b > g.blocks) return;
    uint32_t at = (uint32_t)((uint64_t)g.count * b / g.blocks), row = rows;
    if (b < g.blocks) {
        row = last_up_to(at, g.starts, rows);
        const uint32_t back = at - g.starts[row], on = g.starts[row + 1] - at;
        if (back <= near_most && back <= on) at -= back;
        else if (on <= near_most) at += on, ++row;
    }
    g.cuts[b] = at;
    g.cut_rows[b] = row;
}

// The granule of a slot of this block.
template <typename O> struct granule_t {
    uint32_t row, length; // length: number of nonzeros, 0 to 4
    O first;              // the first nonzero in A
    bool there, ends;     // there: the slot has a granule; ends: it ends its row

    __device__ granule_t(const granules_t &g, uint32_t slot, const O *__restrict__ row_offsets)
    {
        const uint32_t i = g.cuts[blockIdx.x] + slot, first_row = g.cut_rows[blockIdx.x];
        there = i < g.cuts[blockIdx.x + 1];
        ends = false, length = 0, first = 0, row = first_row;
        if (!there) return;
        row += last_up_to(i, g.starts + first_row, g.cut_rows[blockIdx.x + 1] - first_row + 1);
        ends = i + 1 == g.starts[row + 1];
        first = row_offsets[row] + (O)(i - g.starts[row]) * GRANULE;
        const O left = row_offsets[row + 1] - first;
        length = left < GRANULE ? (uint32_t)left : (uint32_t)GRANULE;
    }
    // A place without a nonzero gets the column of the granule's last nonzero.
    __device__ int32_t column(uint32_t entry, const int32_t *__restrict__ col_indices) const
    {
        return col_indices[first + min(entry, length - 1)];
    }
};

// Returns whether the columns of the other positions are near the first position's.
static __device__ __forceinline__ bool are_near(const int32_t columns[GRANULE])
{
    bool near = true;
    for (int p = 1; p < GRANULE; ++p) {
        const int32_t distance = columns[p] - columns[0];
        near = near && distance >= NEAR_LEAST && distance <= NEAR_MOST;
    }
    return near;
}

template <typename O>
__global__ void __launch_bounds__(BLOCK)
    survey_kernel(granules_t g, const O *__restrict__ row_offsets, const int32_t *__restrict__ col_indices,
                  unsigned vector_size, survey_t *survey)
{
    __shared__ uint32_t least, most;
    if (threadIdx.x == 0) least = UINT32_MAX, most = 0;
    __syncthreads();
    bool near = true;
    uint32_t my_least = UINT32_MAX, my_most = 0;
#pragma unroll 1
    for (uint32_t slot = threadIdx.x; slot < GRANULE_SLOTS; slot += BLOCK) {
        const granule_t<O> one(g, slot, row_offsets);
        if (one.length == 0) continue;
        int32_t columns[GRANULE];
        for (unsigned p = 0; p < GRANULE; ++p) {
            columns[p] = one.column((p + rotation(slot, vector_size)) % GRANULE, col_indices);
            my_least = min(my_least, (uint32_t)columns[p]);
            my_most = max(my_most, (uint32_t)columns[p]);
        }
        near = near && are_near(columns);
    }
    atomicMin(&least, my_least);
    atomicMax(&most, my_most);
    near = __syncthreads_and(near);
    if (threadIdx.x) return;
    const uint32_t distance = most > least ? most - least : 0;
    const bool is_cut = g.cuts[blockIdx.x] != g.starts[g.cut_rows[blockIdx.x]];
    g.records[blockIdx.x].base = most >= least ? least : 0;
    if (is_cut) atomicAdd(&survey->cuts, 1u);
    if (!near || distance >> FIRST_BITS) atomicAdd(&survey->not_in[0], 1u);
    if (distance > 0xffff) atomicAdd(&survey->not_in[1], 1u);
    if (distance > 0xffffff) atomicAdd(&survey->not_in[2], 1u);
}

__global__ void record_kernel(granules_t g)
{
    const uint32_t b = blockIdx.x * BLOCK + threadIdx.x;
    if (b >= g.blocks) return;
    granule_block_t r = g.records[b];
    r.head_blocks = r.tail_blocks = 0;
    r.head_first = b;
    const uint32_t row = g.cut_rows[b], next = g.cut_rows[b + 1];
    if (g.cuts[b] != g.starts[row]) {
        r.head_first = last_up_to(g.starts[row], g.cuts, g.blocks);
        r.head_blocks = last_up_to(g.starts[row + 1] - 1, g.cuts, g.blocks) - r.head_first + 1;
    }
    if (b + 1 < g.blocks && g.cuts[b + 1] != g.starts[next] && g.starts[next] >= g.cuts[b])
        r.tail_blocks = last_up_to(g.starts[next + 1] - 1, g.cuts, g.blocks) - b + 1;
    g.records[b] = r;
}

// Stores the columns of one granule, counted from the block's base, in `bytes`.
static __device__ __forceinline__ void store_columns(uint32_t *to, uint64_t slot, uint32_t bytes,
                                                     const uint32_t columns[GRANULE])
{
    uint32_t *words = to + column_place(slot, bytes);
    if (bytes == 16)
        for (int p = 0; p < GRANULE; ++p) words[p] = columns[p];
    else if (bytes == 12)
        for (int w = 0; w < 3; ++w) words[w * LANES] = columns[w] >> 8 * w | columns[w + 1] << (24 - 8 * w);
    else if (bytes == 8)
        for (int p = 0; p < GRANULE; p += 2) words[p / 2] = columns[p] | columns[p + 1] << 16;
    else {
        uint32_t word = columns[0];
        for (int p = 1; p < GRANULE; ++p)
            word |= ((columns[p] - columns[0]) & ((1u << NEAR_BITS) - 1)) << (FIRST_BITS + NEAR_BITS * (p - 1));
        words[0] = word;
    }
}

// V is a number of the values' size.
template <typename V, typename O>
__global__ void __launch_bounds__(BLOCK)
    fill_kernel(granules_t g, const O *__restrict__ row_offsets, const int32_t *__restrict__ col_indices,
                const V *__restrict__ from, V *__restrict__ values, unsigned vector_size, bool refresh)
{
    __shared__ unsigned char ends[GRANULE_SLOTS];
    const V hole = (V)((V)1 << (8 * sizeof(V) - 1)); // -0
    const granule_block_t r = g.records[blockIdx.x];
    const unsigned at_once = 16 / vector_size;
#pragma unroll 1
    for (uint32_t slot = threadIdx.x; slot < g.slots; slot += BLOCK) {
        const granule_t<O> one(g, slot, row_offsets);
        const uint64_t place = (uint64_t)blockIdx.x * g.slots + slot;
        ends[slot] = one.ends;
        if (slot % GRANULES_PER_WARP == 0 && !refresh)
            g.warp_rows[blockIdx.x * g.warps + slot / GRANULES_PER_WARP] = one.row;
        uint32_t columns[GRANULE];
        for (unsigned p = 0; p < GRANULE; ++p) {
            const uint32_t entry = (p + rotation(slot, vector_size)) % GRANULE;
            V value = hole;
            if (entry < one.length && (value = from[one.first + entry]) == hole) value = 0;
            values[value_place(place, p, at_once)] = value;
            columns[p] = one.length && !refresh ? (uint32_t)one.column(entry, col_indices) - r.base : 0;
        }
        if (!refresh) store_columns(g.columns, place, g.column_bytes, columns);
    }
    if (refresh) return;
    __syncthreads();
    // A thread has consecutive slots, and a warp those of its threads.
    const unsigned lane = threadIdx.x % LANES;
    if (threadIdx.x >= g.warps * LANES) return;
    unsigned bits = 0;
    for (unsigned j = 0; j < GRANULES_PER_THREAD; ++j) bits |= ends[threadIdx.x * GRANULES_PER_THREAD + j] << j;
    unsigned up_to = __popc(bits);
    const unsigned mine = up_to;
    for (unsigned s = 1; s < LANES; s *= 2) {
        const unsigned before = __shfl_up_sync(ALL_LANES, up_to, s);
        if (lane >= s) up_to += before;
    }
    g.marks[blockIdx.x * g.warps * LANES + threadIdx.x] =
        (uint16_t)(bits | (up_to - mine) << GRANULES_PER_THREAD);
}

/* ---- host ---------------------------------------------------------------------------------------- */

// Values are moved, not computed with: only their size counts.
template <typename V, typename O>
cudaError_t fill(const granules_t *g, const gpu_csr_t *A, bool refresh, cudaStream_t stream)
{
    fill_kernel<V, O><<<g->blocks, BLOCK, 0, stream>>>(*g, (const O *)A->row_offsets, A->col_indices,
                                                       (const V *)A->values, (V *)g->values,
                                                       (unsigned)vector_size(A->value_type), refresh);
    return cudaPeekAtLastError();
}

// Counts the granules of each row, and of all rows.
template <typename O>
cudaError_t count_granules(granules_t *g, const gpu_csr_t *A, scratch_t *scratch, cudaStream_t stream)
{
    const size_t n = (size_t)A->rows + 1;
    uint32_t *sums;
    TRY(keep((void **)&g->starts, n * sizeof *g->starts, g, stream));
    TRY(take((void **)&sums, (blocks_for(n, SCAN_TILE) + 1) * sizeof *sums, scratch));
    count_kernel<O><<<blocks_for(n, BLOCK), BLOCK, 0, stream>>>((uint32_t)A->rows, (const O *)A->row_offsets,
                                                                g->starts);
    TRY(cudaPeekAtLastError());
    TRY(slices_scan(g->starts, n, sums, stream));
    return to_host(&g->count, &sums[blocks_for(n, SCAN_TILE)], sizeof g->count, stream);
}

// Chooses as many blocks as the SMs can share evenly, and so many warps per block that few slots are empty.
cudaError_t choose_blocks(granules_t *g, uint32_t *near_most)
{
    int sms = 0;
    TRY(gpu_attribute(&sms, cudaDevAttrMultiProcessorCount));
    uint64_t least = UINT64_MAX;
    for (uint32_t warps = GRANULE_THREADS / LANES; warps >= GRANULE_THREADS / LANES / 2; --warps) {
        const uint32_t slots = warps * GRANULES_PER_WARP, near = slots / NEAR_PART;
        const uint32_t share = slots - 2 * near - 1; // both of its cuts may move
        uint32_t blocks = blocks_for(g->count, share);
        if (blocks > 1) blocks = blocks_for(blocks, (size_t)sms) * (uint32_t)sms;
        if (g->count / blocks < LEAST_SHARE) blocks = blocks_for(g->count, LEAST_SHARE);
        if ((uint64_t)blocks * slots >= least) continue;
        least = (uint64_t)blocks * slots;
        g->blocks = blocks, g->slots = slots, g->warps = warps;
        *near_most = g->count / blocks < 2 * near ? 0 : near;
    }
    return cudaSuccess;
}

// Finds where blocks begin, the bytes of a granule's columns, and the number of slots of a block.
template <typename O>
cudaError_t survey_blocks(granules_t *g, const gpu_csr_t *A, uint32_t near_most, scratch_t *scratch,
                          cudaStream_t stream)
{
    survey_t survey, *d_survey;
    TRY(take((void **)&d_survey, sizeof survey, scratch));
    TRY(cudaMemsetAsync(d_survey, 0, sizeof survey, stream));
    cut_kernel<<<blocks_for(g->blocks + 1, BLOCK), BLOCK, 0, stream>>>(*g, (uint32_t)A->rows, near_most);
    survey_kernel<O><<<g->blocks, BLOCK, 0, stream>>>(*g, (const O *)A->row_offsets, A->col_indices,
                                                      (unsigned)vector_size(A->value_type), d_survey);
    TRY(cudaPeekAtLastError());
    TRY(to_host(&survey, d_survey, sizeof survey, stream));
    g->column_bytes = 16;
    for (uint32_t bytes = 12; bytes >= 4; bytes -= 4)
        if (!survey.not_in[bytes / 4 - 1]) g->column_bytes = bytes;
    g->cut_count = survey.cuts;
    return cudaSuccess;
}

cudaError_t store(granules_t *g, const gpu_csr_t *A, cudaStream_t stream)
{
    const size_t places = (size_t)g->blocks * g->slots, threads = (size_t)g->blocks * g->warps * LANES;
    TRY(keep((void **)&g->warp_rows, (size_t)g->blocks * g->warps * sizeof *g->warp_rows, g, stream));
    TRY(keep((void **)&g->marks, threads * sizeof *g->marks, g, stream));
    TRY(keep((void **)&g->columns, places * g->column_bytes, g, stream));
    TRY(keep(&g->values, places * GRANULE * value_size(A->value_type), g, stream));
    record_kernel<<<blocks_for(g->blocks, BLOCK), BLOCK, 0, stream>>>(*g);
    TRY(cudaPeekAtLastError());
    TRY(BY_SIZE_AND_OFFSETS(A, fill, g, A, false, stream));
    if (!g->cut_count) return cudaSuccess;
    const size_t left_bytes = g->blocks * vector_size(A->value_type);
    TRY(keep(&g->left_sums, left_bytes, g, stream));
    return cudaMemsetAsync(g->left_sums, 0xff, left_bytes, stream); // NO_SUM
}

// Allocates the arrays that have an element for each block.
cudaError_t keep_blocks(granules_t *g, cudaStream_t stream)
{
    TRY(keep((void **)&g->cuts, (g->blocks + 1) * sizeof *g->cuts, g, stream));
    TRY(keep((void **)&g->cut_rows, (g->blocks + 1) * sizeof *g->cut_rows, g, stream));
    return keep((void **)&g->records, g->blocks * sizeof *g->records, g, stream);
}

template <typename O>
cudaError_t build(granules_t *g, const gpu_csr_t *A, int exclusive, scratch_t *scratch, cudaStream_t stream)
{
    uint32_t near_most;
    const double most = (MOST_PLACES * (double)A->nnz + SMALL_PLACES) / GRANULE;
    if (A->nnz == 0 || A->nnz > GRANULES_MOST_NNZ || (double)A->rows > most) return cudaErrorNotSupported;
    TRY(count_granules<O>(g, A, scratch, stream));
    if ((double)g->count > most) return cudaErrorNotSupported;
    TRY(choose_blocks(g, &near_most));
    TRY(keep_blocks(g, stream));
    TRY(survey_blocks<O>(g, A, near_most, scratch, stream));
    if (g->cut_count && !exclusive) return cudaErrorNotSupported;
    TRY(store(g, A, stream));
    return cudaStreamSynchronize(stream);
}

} // namespace

cudaError_t granules_build(granules_t *g, const gpu_csr_t *A, int exclusive, cudaStream_t stream)
{
    return build_plan(g, granules_free, stream, [&](scratch_t *scratch) {
        return BY_OFFSETS(A, build, g, A, exclusive, scratch, stream);
    });
}

cudaError_t granules_refresh(const granules_t *g, const gpu_csr_t *A, cudaStream_t stream)
{
    return BY_SIZE_AND_OFFSETS(A, fill, g, A, true, stream);
}

void granules_free(granules_t *g)
{
    free_plan(g, g->starts, g->cuts, g->cut_rows, g->records, g->warp_rows, g->marks, g->columns, g->values,
              g->left_sums);
}
