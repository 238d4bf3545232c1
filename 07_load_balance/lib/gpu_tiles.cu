/*
 * gpu_tiles.cu - y = alpha A x + beta y where columns stand anywhere: x comes to shared memory, tile after tile.
 *
 * A load of x that no other lane of the warp shares costs L2 a sector of 32 bytes.  Here each SM copies all of x once instead, two
 * tiles at a time in shared memory: one is used while the copy engine brings the next.  A block has contiguous rows, and their
 * sums stay in shared memory from the first tile to the last.  A warp has rows of its own among these, and the nonzeros of these
 * in steps of 32, those of the first tile first.  No row occurs twice in a step, so sums are added to without atomics, and always
 * in the same order.  A lane without a nonzero reads no x: Inf and NaN stay where they belong.
 *
 * Every tile costs a block a barrier, however little its warps have there.  So the columns may be cut as well: blocks with the same
 * rows, each with its part of the tiles; the last of them to be done adds up their sums, the first part's first.
 *
 * Before sm_90 (and where x is not aligned to 16 bytes) there is no such engine: the threads copy the next tile themselves.
 */
#include "gpu_common.cuh"
#include "gpu_tiles.h"

namespace {

enum {
    BLOCK = TILE_WARPS * LANES,
    IN_FLIGHT = 8,        // steps of a warp that are on their way
    SHARED_RESERVE = 1024 // bytes: the barriers, and what the driver takes
};

struct tile_arrays {
    const uint32_t *first_rows, *starts, *entries;
    uint32_t count, width, cols, parts, most_rows;
    unsigned *parts_arrived; // 0 between executes
};

// Values stay as they are stored until they are used: to widen one is to wait for it.
__device__ __forceinline__ float load_stored(const float *p) { return __ldcs(p); }
__device__ __forceinline__ double load_stored(const double *p) { return __ldcs(p); }
__device__ __forceinline__ fp16 load_stored(const fp16 *p) { return fp16{__ldcs(&p->bits)}; }
__device__ __forceinline__ bf16 load_stored(const bf16 *p) { return bf16{__ldcs(&p->bits)}; }

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ __forceinline__ uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void barrier_init(uint64_t *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
}
// Starts global -> shared, in lane 0; the barrier's phase ends when all of it has arrived.  The shuffle of the address, from the
// lane to itself, is against ptxas 13.0: of one that it works out for the whole warp it loses the upper half here.
__device__ __forceinline__ void bulk_load(void *shared, const void *global, uint32_t bytes, uint64_t *barrier)
{
    const unsigned long long from = __shfl_sync(1u, (unsigned long long)__cvta_generic_to_global(global), 0);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(shared)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}
__device__ __forceinline__ void wait_for_phase(uint64_t *barrier, uint32_t parity)
{
    uint32_t done;
    do
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
    while (!done);
}
#endif

// The two tiles of x in shared memory.
template <typename S> struct tiles_of_x {
    S *buffers;
    uint64_t *arrived; // [2] barriers
    const S *x;
    uint32_t count, width, cols;

    __device__ uint32_t size(uint32_t tile) const { return min(width, cols - tile * width); }
    // Columns of it that the engine copies: whole 16 bytes.
    __device__ uint32_t engine_size(uint32_t tile) const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        return (uint64_t)x % 16 == 0 ? size(tile) / (16 / sizeof(S)) * (16 / sizeof(S)) : 0;
#else
        (void)tile;
        return 0;
#endif
    }
    __device__ S *buffer(uint32_t tile) const { return buffers + tile % 2 * width; }

    // One thread, before any fetch.
    __device__ void init() const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        barrier_init(&arrived[0]);
        barrier_init(&arrived[1]);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // the engine sees the barriers
#endif
    }
    // All threads, when nobody reads the buffer any more.
    __device__ void fetch(uint32_t tile) const
    {
        const S *from = x + (uint64_t)tile * width;
        const uint32_t by_engine = engine_size(tile), all = size(tile);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        if (threadIdx.x == 0 && by_engine) bulk_load(buffer(tile), from, by_engine * (uint32_t)sizeof(S), &arrived[tile % 2]);
#endif
#pragma unroll 8
        for (uint32_t i = by_engine + threadIdx.x; i < all; i += BLOCK) buffer(tile)[i] = __ldg(&from[i]);
    }
    // All threads, done with the tile before: that one's buffer gets the next.  What the threads copied themselves is there after
    // the barrier, what the engine copied after the wait.
    __device__ const S *enter(uint32_t tile) const
    {
        __syncthreads(); // the tile before is done with
        if (tile + 1 < count) fetch(tile + 1);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        if (engine_size(tile)) wait_for_phase(&arrived[tile % 2], tile / 2 % 2);
#endif
        return buffer(tile);
    }
};

// Leaves the block's sums where the other parts of its rows find them: true in the last block to do so.
template <typename S>
__device__ __forceinline__ bool last_part(uint32_t rows, const S *sums, S *mine, unsigned *arrived, uint32_t parts)
{
    __shared__ unsigned ticket;
    for (uint32_t r = threadIdx.x; r < rows; r += BLOCK) ((volatile S *)mine)[r] = sums[r];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        ticket = atomicAdd(arrived, 1u);
        if (ticket == parts - 1) *arrived = 0; // for the next execute
    }
    __syncthreads();
    __threadfence();
    return ticket == parts - 1;
}

template <typename V, typename S>
__global__ void __launch_bounds__(BLOCK, 1) tiles_kernel(tile_arrays a, const V *__restrict__ values, vectors<S> v, S *part_sums)
{
    extern __shared__ __align__(128) unsigned char shared[];
    __shared__ uint64_t arrived[2];
    const uint32_t group = blockIdx.x / a.parts, part = blockIdx.x % a.parts;
    const uint32_t first_tile = part * a.count / a.parts, count = (part + 1) * a.count / a.parts - first_tile;
    const uint32_t before = first_tile * a.width; // columns
    const tiles_of_x<S> tiles = {(S *)shared, arrived, v.x + before, count, a.width, min(a.cols - before, count * a.width)};
    S *const sums = (S *)shared + 2 * a.width;
    const uint32_t *const of_group = a.first_rows + group * TILE_WARPS;
    const uint32_t first_row = of_group[0], rows = of_group[TILE_WARPS] - first_row;
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t *const starts = a.starts + (uint64_t)(group * TILE_WARPS + threadIdx.x / LANES) * a.count + first_tile;

    // The warp's steps, all tiles' one behind the other: IN_FLIGHT of them are on their way.
    const uint32_t end = starts[count];
    uint32_t step = starts[0], tile_end = starts[1], next_end = starts[min(2u, count)];
    const uint32_t *entries = a.entries + (uint64_t)step * LANES + lane;
    values += (uint64_t)step * LANES + lane;
    uint32_t entry[IN_FLIGHT];
    V value[IN_FLIGHT];
#pragma unroll
    for (int j = 0; j < IN_FLIGHT; ++j)
        if (step + j < end) {
            entry[j] = __ldcs(&entries[j * LANES]);
            value[j] = load_stored(&values[j * LANES]);
        }

    if (threadIdx.x == 0) tiles.init();
    tiles.fetch(0);
    for (uint32_t r = threadIdx.x; r < rows; r += BLOCK) sums[r] = 0;
    const S *x = tiles.enter(0);

    uint32_t tile = 0;
#pragma unroll 1
    while (tile < count) {
#pragma unroll
        for (int j = 0; j < IN_FLIGHT; ++j) {
#pragma unroll 1
            while (tile < count && step == tile_end) {
                if (++tile == count) break;
                tile_end = next_end;
                next_end = starts[min(tile + 2, count)];
                x = tiles.enter(tile);
            }
            if (tile == count) break;
            if (entry[j] != TILE_FILLER) sums[entry[j] >> 16] += widen(value[j]) * x[entry[j] & 0xffff];
            __syncwarp(); // the next step may have a row of this one in another lane
            if (step + IN_FLIGHT < end) {
                entry[j] = __ldcs(&entries[(IN_FLIGHT + j) * LANES]);
                value[j] = load_stored(&values[(IN_FLIGHT + j) * LANES]);
            }
            ++step;
        }
        entries += IN_FLIGHT * LANES;
        values += IN_FLIGHT * LANES;
    }
    __syncthreads(); // all sums are there
    S *const of_parts = part_sums + (uint64_t)group * a.parts * a.most_rows;
    if (a.parts > 1 && !last_part(rows, sums, of_parts + part * a.most_rows, &a.parts_arrived[group], a.parts)) return;
    for (uint32_t r = threadIdx.x; r < rows; r += BLOCK) {
        S sum = a.parts > 1 ? 0 : sums[r];
        if (a.parts > 1)
            for (uint32_t k = 0; k < a.parts; ++k) sum += ((const volatile S *)of_parts)[k * a.most_rows + r];
        finish(&v.y[first_row + r], sum, v.alpha, v.beta);
    }
}

template <typename V, typename S>
cudaError_t launch(const tiles_t *t, const gpu_csr_t *A, const gpu_call_t *c)
{
    const tile_arrays a = {t->first_rows, t->starts, t->entries, t->count, t->width, (uint32_t)A->cols, t->parts, t->most_rows,
                           t->parts_arrived};
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const size_t shared_bytes = (2 * (size_t)t->width + t->most_rows) * sizeof(S);
    tiles_kernel<V, S><<<t->groups * t->parts, BLOCK, shared_bytes, (cudaStream_t)c->stream>>>(a, (const V *)t->values, v,
                                                                                               (S *)t->part_sums);
    return cudaPeekAtLastError();
}

template <typename V, typename S>
cudaError_t allow(size_t bytes)
{
    return cudaFuncSetAttribute(tiles_kernel<V, S>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

} // namespace

cudaError_t tiles_run(const tiles_t *t, const gpu_csr_t *A, const gpu_call_t *c)
{
    switch (A->value_type) {
    case SPMV_F32: return launch<float, float>(t, A, c);
    case SPMV_F64: return launch<double, double>(t, A, c);
    case SPMV_F16: return launch<fp16, float>(t, A, c);
    case SPMV_BF16: return launch<bf16, float>(t, A, c);
    }
    return cudaErrorInvalidValue;
}

cudaError_t tiles_shared_bytes(size_t *bytes, spmv_type_t type)
{
    int device = 0, most = 0;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess) status = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (status != cudaSuccess) return status;
    *bytes = most > SHARED_RESERVE ? (size_t)most - SHARED_RESERVE : 0;
    switch (type) {
    case SPMV_F32: return allow<float, float>(*bytes);
    case SPMV_F64: return allow<double, double>(*bytes);
    case SPMV_F16: return allow<fp16, float>(*bytes);
    case SPMV_BF16: return allow<bf16, float>(*bytes);
    }
    return cudaErrorInvalidValue;
}
