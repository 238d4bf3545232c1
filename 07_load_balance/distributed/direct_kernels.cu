/* direct_kernels.cu - see direct_kernels.h */
#include <cuda_runtime.h>

#include "direct_kernels.h"

// Threads per block: with words one per word of a piece.  Kernels that run beside the interior have small blocks,
// which find room on any multiprocessor: two warps of 64 registers fit beside six blocks of 256 threads with 40
// registers, and BESIDE_MIN makes the compiler use no more.
enum { BLOCK = 256, BESIDE = 64, BESIDE_MIN = 16, BESIDE_BLOCKS = 512, AT_ONCE_BLOCKS = 64 };

#ifndef __NVCC__
#define __grid_constant__
#endif

// Letters and mail as kernel arguments, which every thread can read without a load from memory.
typedef struct direct_args {
    protocol_t p;
    letter_t letters[DIRECT_RANKS];
    mail_t mail[DIRECT_RANKS];
    direct_count_t *count;
    int *waited_for;
} direct_args_t;

static direct_args_t arguments(const protocol_t *p, direct_count_t *count, int *waited_for)
{
    direct_args_t a = {*p, {}, {}, count, waited_for};
    for (int k = 0; k < p->ranks; ++k) a.letters[k] = p->letters[k], a.mail[k] = p->mail[k];
    return a;
}

static __device__ protocol_t protocol_of(const direct_args_t &a)
{
    protocol_t p = a.p;
    p.letters = (letter_t *)a.letters;
    p.mail = (mail_t *)a.mail;
    // Once an entry was lost, no kernel waits for another.
    if (*(const volatile int *)a.count->lost) p.limit = 0;
    return p;
}

static __device__ void say_lost(int who, const direct_args_t &a)
{
    if (!who) return;
    atomicExch(a.count->lost, who);
    atomicExch_system(a.waited_for, who);
}

// A put reads `taken` and advances `put`; a take reads `put` and advances `taken`.  So no block reads a number that
// another block of its kernel writes, and one block can advance it for all.
static __device__ void count_put(direct_count_t *count, uint32_t epoch)
{
    if (blockIdx.x + blockIdx.y + threadIdx.x == 0) count->put = epoch;
}
static __device__ void count_taken(direct_count_t *count, uint32_t epoch)
{
    if (blockIdx.x + threadIdx.x == 0) count->taken = epoch;
}

// GPUs before compute capability 9.0 run the kernels of a stream one after the other.
static __device__ void let_the_next_come(void)
{
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

// A block puts a piece of a letter.  No block waits for another block of this GPU, so they may run in any order.
template <bool WORDS>
__global__ void __launch_bounds__(WORDS ? BLOCK : BESIDE, WORDS ? 1 : BESIDE_MIN)
    direct_put_kernel(const __grid_constant__ direct_args_t a, const void *x, int half)
{
    if (WORDS) let_the_next_come();
    protocol_t p = protocol_of(a);
    p.words = WORDS;
    const uint32_t epoch = 1 + a.count->taken;
    if (p.ranks > 1)
        protocol_put(&p, protocol_other(&p, (int)blockIdx.y), x, epoch, (int)blockIdx.x, (int)threadIdx.x,
                     (int)blockDim.x);
    if (threadIdx.x == 0 && !p.words && (int)(epoch % 2) != half) say_lost(DIRECT_ODD, a);
    count_put(a.count, epoch);
}

__global__ void __launch_bounds__(BLOCK) direct_take_kernel(const __grid_constant__ direct_args_t a)
{
    const protocol_t p = protocol_of(a);
    const uint32_t epoch = a.count->put;
    say_lost(protocol_take(&p, epoch, (int)blockIdx.x, (int)threadIdx.x, (int)blockDim.x), a);
    count_taken(a.count, epoch);
}

// ---- the boundary ---------------------------------------------------------------------------------

// A lane's part of its row.  It issues all loads before it waits for the first, which hides the latency of memory.
template <typename T> struct share_t {
    int32_t slots[BOUNDARY_PER_LANE];
    T values[BOUNDARY_PER_LANE], entries[BOUNDARY_PER_LANE]; // entries of the rank's own x
};

static __device__ bool is_there(const boundary_t *b, int64_t row, int64_t k) { return row < b->count && k < b->width; }

static __device__ int32_t slot_of(diagonal_t d, int32_t i)
{
    const int32_t slot = d.start < 0 ? d.start + BOUNDARY_GROUP - i : d.start - BOUNDARY_GROUP + i;
    return d.rows >> i & 1 ? slot : BOUNDARY_NONE;
}

template <typename T>
static __device__ void load_slots(share_t<T> *s, const boundary_t *b, int64_t row, int lane, int lanes)
{
#pragma unroll
    for (int j = 0; j < BOUNDARY_PER_LANE; ++j) {
        const int64_t k = lane + (int64_t)j * lanes;
        s->slots[j] = is_there(b, row, k) ? b->slots[row + k * b->count] : BOUNDARY_NONE;
    }
}

template <typename T>
static __device__ void load_diagonals(share_t<T> *s, const boundary_t *b, int64_t row, int lane, int lanes)
{
    const int64_t groups = (b->count + BOUNDARY_GROUP - 1) / BOUNDARY_GROUP, group = row / BOUNDARY_GROUP;
    diagonal_t d[BOUNDARY_PER_LANE];
#pragma unroll
    for (int j = 0; j < BOUNDARY_PER_LANE; ++j) {
        const int64_t k = lane + (int64_t)j * lanes;
        d[j] = is_there(b, row, k) ? b->diagonals[group + k * groups] : diagonal_t{0, 0};
    }
#pragma unroll
    for (int j = 0; j < BOUNDARY_PER_LANE; ++j) s->slots[j] = slot_of(d[j], (int32_t)(row % BOUNDARY_GROUP));
}

template <typename T>
static __device__ share_t<T> load_share(const boundary_t *b, const T *x, int64_t row, int lane, int lanes)
{
    share_t<T> s;
#pragma unroll
    for (int j = 0; j < BOUNDARY_PER_LANE; ++j) {
        const int64_t k = lane + (int64_t)j * lanes;
        s.values[j] = is_there(b, row, k) ? ((const T *)b->values)[row + k * b->count] : 0;
    }
    if (b->slots) load_slots(&s, b, row, lane, lanes);
    else load_diagonals(&s, b, row, lane, lanes);
#pragma unroll
    for (int j = 0; j < BOUNDARY_PER_LANE; ++j)
        s.entries[j] = s.slots[j] < BOUNDARY_NONE ? x[BOUNDARY_NONE - 1 - s.slots[j]] : 0;
    return s;
}

// Not own[epoch % 2]: a dynamic index copies the kernel's arguments into each thread's local memory.
static __device__ const char *half_of(const boundary_t *b, uint32_t epoch)
{
    return epoch % 2 ? b->own[1] : b->own[0];
}

// The rank whose entry this is.
static __device__ int sender_of(const protocol_t *p, const char *at, int half)
{
    int who = 0;
    for (int k = 0; k < p->ranks; ++k)
        if (k != p->rank && p->mail[k].half[half] <= at) who = k;
    return who;
}

static __device__ double entry_of(uint32_t low, uint32_t high, double) { return __hiloint2double((int)high, (int)low); }
static __device__ float entry_of(uint32_t bits, uint32_t, float) { return __uint_as_float(bits); }

// Takes the entries as they arrive: it polls all of them once before it waits for one.
template <typename T>
static __device__ T sum_of_words(const protocol_t *p, const boundary_t *b, uint32_t epoch, const share_t<T> *s,
                                 int *who)
{
    constexpr int WORDS = sizeof(T) / sizeof(uint32_t);
    const char *half = half_of(b, epoch);
    patience_t patience = {p->limit, 0, 0, NULL};
    bool lost = false;
    uint64_t first[BOUNDARY_PER_LANE * WORDS];
#pragma unroll
    for (int j = 0; j < BOUNDARY_PER_LANE; ++j)
#pragma unroll
        for (int w = 0; w < WORDS; ++w)
            first[j * WORDS + w] =
                s->slots[j] < 0 ? 0 : memory_get_word((const uint64_t *)half + s->slots[j] * WORDS + w);
    T sum = 0;
#pragma unroll
    for (int j = 0; j < BOUNDARY_PER_LANE; ++j) {
        if (s->slots[j] < BOUNDARY_NONE) sum += s->values[j] * s->entries[j];
        if (s->slots[j] < 0) continue;
        uint32_t bits[WORDS];
#pragma unroll
        for (int w = 0; w < WORDS; ++w) {
            const uint64_t word = first[j * WORDS + w], *at = (const uint64_t *)half + s->slots[j] * WORDS + w;
            const bool there = !lost && (uint32_t)(word >> 32) == epoch;
            bits[w] = there ? (uint32_t)word : wait_for_word(at, epoch, &patience, &lost);
            if (lost && !*who) *who = 1 + sender_of(p, (const char *)at, epoch % 2);
        }
        sum += s->values[j] * entry_of(bits[0], bits[WORDS - 1], (T)0);
    }
    return sum;
}

// A rank with nothing to send sends one word, for which one block waits.
static __device__ void wait_for_nothing(const protocol_t *p, uint32_t epoch, int *who)
{
    patience_t patience = {p->limit, 0, 0, NULL};
    bool lost = false;
    for (int k = (int)threadIdx.x; k + 1 < p->ranks; k += BLOCK) {
        const mail_t *m = &p->mail[protocol_other(p, k)];
        if (m->count == 0) wait_for_word((const uint64_t *)m->half[epoch % 2], epoch, &patience, &lost);
        if (lost && !*who) *who = 1 + protocol_other(p, k);
    }
}

// The halo is read from L2: L1 may hold the entries of two products before.
template <typename T> static __device__ T sum_of_halo(const T *x, const share_t<T> *s)
{
    T entries[BOUNDARY_PER_LANE], sum = 0;
#pragma unroll
    for (int j = 0; j < BOUNDARY_PER_LANE; ++j) entries[j] = s->slots[j] < 0 ? s->entries[j] : __ldcg(&x[s->slots[j]]);
#pragma unroll
    for (int j = 0; j < BOUNDARY_PER_LANE; ++j)
        if (s->slots[j] != BOUNDARY_NONE) sum += s->values[j] * entries[j];
    return sum;
}

// How this kernel gets the halo: it waits for words or for flags, or an earlier kernel has waited.
typedef enum arrival { IN_WORDS, BY_FLAGS, TAKEN } arrival_t;

// The epoch that was put, read after the put kernel has ended: this kernel may have started before.
static __device__ uint32_t epoch_put(const direct_count_t *count)
{
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
    return count->put;
}

// Multiplies the rows of block `block` of `blocks`, in `epoch` or in the epoch of `count`.  A warp processes 32 / lanes
// rows at a time: first lane 0 of each, then lane 1 of each ...  The lanes are always added in the same order.
template <typename T, arrival_t HOW>
static __device__ int boundary_rows(const protocol_t *p, const boundary_t *b, int lanes, const T *x, T *y,
                                    uint32_t epoch, const direct_count_t *count, unsigned block, unsigned blocks)
{
    const int rows = 32 / lanes, in_warp = (int)threadIdx.x % 32, lane = in_warp / rows;
    const int64_t warps = (int64_t)blocks * (blockDim.x / 32), all = (b->count + rows - 1) / rows;
    int64_t warp = ((int64_t)block * blockDim.x + threadIdx.x) / 32;
    int who = 0;
    bool lost = false;
    do { // BY_FLAGS once: there is a warp for each
        const int64_t row = warp * rows + in_warp % rows;
        const share_t<T> s = load_share<T>(b, x, row, lane, lanes);
        if (count) epoch = epoch_put(count), count = NULL;
        const bool has = lane == 0 && row < b->count;
        T *const to = has ? &y[b->rows[row]] : NULL;
        const T before = has && !x ? *to : 0;
        T sum;
        if (HOW == IN_WORDS) {
            sum = sum_of_words(p, b, epoch, &s, &who);
        } else {
            if (HOW == BY_FLAGS) {
                who = wait_for_flags(p, epoch, (int)threadIdx.x, (int)blockDim.x);
                lost = memory_meet(who != 0);
            }
            sum = lost ? (T)__uint_as_float(UINT32_MAX) : sum_of_halo((const T *)half_of(b, epoch), &s); // NaN
        }
        for (int apart = rows; apart < 32; apart *= 2) sum += __shfl_down_sync(~0u, sum, apart);
        if (has) *to = before + sum;
        warp += warps;
    } while (warp < all);
    if (HOW == IN_WORDS && block == 0) wait_for_nothing(p, epoch, &who);
    return who;
}

template <typename T, arrival_t HOW>
__global__ void __launch_bounds__(HOW == TAKEN ? BESIDE : BLOCK, HOW == TAKEN ? BESIDE_MIN : 1)
    direct_boundary_kernel(const __grid_constant__ direct_args_t a, boundary_t b, int lanes, const T *x, T *y)
{
    const protocol_t p = protocol_of(a);
    say_lost(boundary_rows<T, HOW>(&p, &b, lanes, x, y, 0, a.count, blockIdx.x, gridDim.x), a);
    count_taken(a.count, a.count->put);
}

// The first blocks put, the others wait.  There are no more blocks than the GPU can hold at once, because waiting
// blocks could otherwise keep out those that put.  All blocks read the count, so the last one to end sets it.
template <typename T>
__global__ void __launch_bounds__(BLOCK) direct_at_once_kernel(const __grid_constant__ direct_args_t a, boundary_t b,
                                                               int lanes, const T *x, T *y)
{
    const protocol_t p = protocol_of(a);
    const uint32_t epoch = 1 + a.count->taken;
    const unsigned puts = (unsigned)(p.pieces * (p.ranks - 1)), block = blockIdx.x;
    if (block < puts)
        protocol_put(&p, protocol_other(&p, (int)block / p.pieces), x, epoch, (int)block % p.pieces, (int)threadIdx.x,
                     BLOCK);
    else say_lost(boundary_rows<T, IN_WORDS>(&p, &b, lanes, x, y, epoch, NULL, block - puts, gridDim.x - puts), a);
    __syncthreads();
    if (threadIdx.x) return;
    __threadfence(); // the count is read before this block counts as ended
    if (atomicAdd(&a.count->ended, 1u) + 1 < gridDim.x) return;
    __threadfence();
    a.count->ended = 0;
    a.count->put = a.count->taken = epoch;
}

__global__ void __launch_bounds__(BLOCK) direct_sum_kernel(const __grid_constant__ direct_args_t a, double *values,
                                                           int numbers)
{
    const protocol_t p = protocol_of(a);
    const uint32_t epoch = 1 + a.count->taken;
    say_lost(protocol_sum(&p, values, numbers, epoch, (int)threadIdx.x, BLOCK), a);
    memory_meet(false); // all threads have read the count
    count_taken(a.count, epoch);
}

// ---- launches -------------------------------------------------------------------------------------

cudaError_t direct_put(const protocol_t *p, const void *x, int half, direct_count_t *count, int *waited_for,
                       cudaStream_t stream)
{
    const direct_args_t a = arguments(p, count, waited_for);
    const dim3 blocks((unsigned)p->pieces, p->ranks > 1 ? (unsigned)p->ranks - 1 : 1);
    if (p->words) direct_put_kernel<true><<<blocks, BLOCK, 0, stream>>>(a, x, half);
    else direct_put_kernel<false><<<blocks, BESIDE, 0, stream>>>(a, x, half);
    return cudaGetLastError();
}

cudaError_t direct_take(const protocol_t *p, direct_count_t *count, int *waited_for, cudaStream_t stream)
{
    const direct_args_t a = arguments(p, count, waited_for);
    direct_take_kernel<<<p->words ? (unsigned)p->pieces : 1u, p->words ? BLOCK : 2 * BESIDE, 0, stream>>>(a);
    return cudaGetLastError();
}

static int lanes_of(const boundary_t *b)
{
    int lanes = 1;
    while (lanes * BOUNDARY_PER_LANE < b->width) lanes *= 2;
    return lanes;
}

// At least one block, because one must wait.
static unsigned blocks_of(const boundary_t *b, int lanes, int block, unsigned most)
{
    const int64_t blocks = (b->count * lanes + block - 1) / block;
    return blocks < 1 ? 1 : blocks < most ? (unsigned)blocks : most;
}

// Starts after put has started: its rows are loaded by the time put ends.
template <typename T>
static void launch_early(const direct_args_t &a, const boundary_t *b, int lanes, const T *x, T *y, unsigned blocks,
                         cudaStream_t stream)
{
#ifndef __SIMT__ // the simulator also runs one kernel after the other
    int gpu = 0, major = 0;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, gpu);
    if (major >= 9) {
        cudaLaunchAttribute early = {};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t how = {};
        how.gridDim = blocks, how.blockDim = BLOCK, how.stream = stream, how.attrs = &early, how.numAttrs = 1;
        cudaLaunchKernelEx(&how, direct_boundary_kernel<T, IN_WORDS>, a, *b, lanes, x, y);
        return;
    }
#endif
    direct_boundary_kernel<T, IN_WORDS><<<blocks, BLOCK, 0, stream>>>(a, *b, lanes, x, y);
}

template <typename T>
static void launch_boundary(const direct_args_t &a, const boundary_t *b, const T *x, T *y, cudaStream_t stream)
{
    const bool taken = x && !a.p.words;
    const int lanes = lanes_of(b), block = taken ? BESIDE : BLOCK;
    const unsigned blocks = blocks_of(b, lanes, block, taken ? BESIDE_BLOCKS : INT32_MAX);
    if (x && a.p.words) launch_early(a, b, lanes, x, y, blocks, stream);
    else if (a.p.words) direct_boundary_kernel<T, IN_WORDS><<<blocks, block, 0, stream>>>(a, *b, lanes, x, y);
    else if (taken) direct_boundary_kernel<T, TAKEN><<<blocks, block, 0, stream>>>(a, *b, lanes, x, y);
    else direct_boundary_kernel<T, BY_FLAGS><<<blocks, block, 0, stream>>>(a, *b, lanes, x, y);
}

cudaError_t direct_boundary(const protocol_t *p, const boundary_t *b, const void *x, void *y, direct_count_t *count,
                            int *waited_for, cudaStream_t stream)
{
    const direct_args_t a = arguments(p, count, waited_for);
    if (p->element == 8) launch_boundary(a, b, (const double *)x, (double *)y, stream);
    else launch_boundary(a, b, (const float *)x, (float *)y, stream);
    return cudaGetLastError();
}

cudaError_t direct_at_once(const protocol_t *p, const boundary_t *b, const void *x, void *y, direct_count_t *count,
                           int *waited_for, cudaStream_t stream)
{
    const direct_args_t a = arguments(p, count, waited_for);
    const int lanes = lanes_of(b);
    const unsigned blocks = (unsigned)(p->pieces * (p->ranks - 1)) + blocks_of(b, lanes, BLOCK, AT_ONCE_BLOCKS);
    if (p->element == 8)
        direct_at_once_kernel<<<blocks, BLOCK, 0, stream>>>(a, *b, lanes, (const double *)x, (double *)y);
    else direct_at_once_kernel<<<blocks, BLOCK, 0, stream>>>(a, *b, lanes, (const float *)x, (float *)y);
    return cudaGetLastError();
}

cudaError_t direct_sum(const protocol_t *p, double *values, int numbers, direct_count_t *count, int *waited_for,
                       cudaStream_t stream)
{
    const direct_args_t a = arguments(p, count, waited_for);
    direct_sum_kernel<<<1, BLOCK, 0, stream>>>(a, values, numbers);
    return cudaGetLastError();
}
