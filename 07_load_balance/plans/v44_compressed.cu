/*
 * v44_compressed.cu - v44's plan, made on the card from v39's: a warp looks at a slice and says whether all differences
 * of columns fit into 16 bits; a scan says where its words go; then they are written, and the columns dropped.
 */
#include "plans/v44_compressed.h"

enum { BLOCK = 256 };

static unsigned blocks_for(size_t threads) { return (unsigned)((threads + BLOCK - 1) / BLOCK); }
static __device__ __forceinline__ size_t thread_number() { return blockIdx.x * (size_t)BLOCK + threadIdx.x; }

// Words a lane: for a narrow slice the first column and half a word for each other, else one each.
static __device__ __forceinline__ uint32_t words_of(uint32_t steps, bool wide)
{
    return wide || steps == 0 ? steps : 1 + steps / 2;
}

// The records of the slices are rewritten in their place.
static __global__ void compressed_size_kernel(size_t slices, uint4 *slice, const int32_t *__restrict__ columns,
                                              uint32_t *word_before)
{
    const size_t number = thread_number() / 32;
    if (number >= slices) return; // a whole warp
    const uint4 mine = slice[number];
    columns += mine.x * (size_t)32 + threadIdx.x % 32;
    bool fits = true;
    int32_t before = mine.y ? columns[0] : -1;
#pragma unroll 1
    for (uint32_t k = 1; k < mine.y; ++k) {
        const int32_t col = columns[k * (size_t)32];
        if (col >= 0) fits = fits && (uint32_t)col - (uint32_t)before < SELL_NONE; // a step back does not fit either
        before = col;
    }
    const bool wide = !__all_sync(0xffffffffu, fits);
    __syncwarp(); // all have read what lane 0 now changes
    if (threadIdx.x % 32 == 0) {
        word_before[number] = words_of(mine.y, wide);
        slice[number] = make_uint4(mine.x, 0, mine.z, mine.y | mine.w << 16 | (wide ? SELL_WIDE : 0));
    }
}

static __global__ void compressed_fill_kernel(size_t slices, const uint32_t *__restrict__ word_before,
                                              const int32_t *__restrict__ columns, uint4 *slice, uint32_t *words)
{
    const size_t number = thread_number() / 32;
    if (number >= slices) return; // a whole warp
    const unsigned lane = threadIdx.x % 32;
    const uint4 mine = slice[number];
    const uint32_t first = word_before[number], count = word_before[number + 1] - first, steps = mine.w & 0xffff;
    const bool wide = mine.w & SELL_WIDE;
    columns += mine.x * (size_t)32 + lane;
    words += first * (size_t)32 + lane;
    __syncwarp(); // all have read what lane 0 now changes
    if (lane == 0) slice[number].y = first;
    int32_t before = steps ? columns[0] : -1;
    if (count) words[0] = (uint32_t)before;
#pragma unroll 1
    for (uint32_t w = 1; w < count; ++w) {
        uint32_t word = 0;
        if (wide) word = (uint32_t)columns[w * (size_t)32];
        else
            for (uint32_t half = 0; half < 2; ++half) {
                const uint32_t k = 2 * w - 1 + half;
                const int32_t col = k < steps ? columns[k * (size_t)32] : -1;
                const uint32_t difference = col >= 0 ? (uint32_t)(col - before) : (uint32_t)SELL_NONE;
                word |= difference << 16 * half;
                before = col;
            }
        words[w * (size_t)32] = word;
    }
}

static cudaError_t compress(sell_plan_t *p, plan_memory_t *scratch, cudaStream_t stream)
{
    uint32_t *word_before, *words, total;
    if (p->slices == 0) return cudaSuccess;
    TRY(plan_take(scratch, &word_before, plan_scan_words(p->slices)));
    const unsigned blocks = blocks_for(32 * p->slices);
    compressed_size_kernel<<<blocks, BLOCK, 0, stream>>>(p->slices, p->slice, p->columns, word_before);
    TRY(cudaGetLastError());
    TRY(plan_scan(word_before, p->slices, &total, stream));
    TRY(plan_allocate(&p->memory, (void **)&words, (32 * (size_t)total + 1) * sizeof *words));
    compressed_fill_kernel<<<blocks, BLOCK, 0, stream>>>(p->slices, word_before, p->columns, p->slice, words);
    TRY(cudaGetLastError());
    TRY(cudaStreamSynchronize(stream));
    plan_drop(&p->memory, p->columns);
    p->columns = (int32_t *)words;
    return cudaSuccess;
}

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    TRY(sell_plan_create(A, SELL_BY_RULE, false, plan, stream));
    plan_memory_t scratch = {};
    const cudaError_t status = compress((sell_plan_t *)*plan, &scratch, stream);
    plan_drop_all(&scratch);
    if (status == cudaSuccess) return status;
    plan_destroy<sell_plan_t>(*plan);
    *plan = nullptr;
    return status;
}

extern "C" const load_balance_plan_ops_t load_balance_v44_plan = {create, plan_bytes<sell_plan_t>,
                                                                  plan_destroy<sell_plan_t>};
