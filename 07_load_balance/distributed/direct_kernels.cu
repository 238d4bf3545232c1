/* direct_kernels.cu - see direct_kernels.h */
#include <cuda_runtime.h>

#include "direct_kernels.h"

// Words are few: a block has all of a letter that it can.
enum { BLOCK = 256, PUT_WORDS = 1024 };

#ifndef __NVCC__
#define __grid_constant__
#endif

// Letters and mail where every thread finds them at once: among the arguments.
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
    // Once something was lost nobody is waited for.
    if (*(const volatile int *)a.count->lost) p.limit = 0;
    return p;
}

static __device__ void say_lost(int who, const direct_args_t &a)
{
    if (!who) return;
    atomicExch(a.count->lost, who);
    atomicExch_system(a.waited_for, who);
}

// Who puts looks at what was taken last and counts what is put, who takes the other way round: so no block reads
// what another of its kernel writes, and one may do it for all.
static __device__ void count_put(direct_count_t *count, uint32_t epoch)
{
    if (blockIdx.x + blockIdx.y + threadIdx.x == 0) count->put = epoch;
}
static __device__ void count_taken(direct_count_t *count, uint32_t epoch)
{
    if (blockIdx.x + threadIdx.x == 0) count->taken = epoch;
}

// A block puts a piece of a letter.  None waits for another of this card, so any order will do.
__global__ void __launch_bounds__(PUT_WORDS) direct_put_kernel(const __grid_constant__ direct_args_t a, const void *x,
                                                                 int half)
{
    const protocol_t p = protocol_of(a);
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
    say_lost(protocol_take(&p, epoch, (int)blockIdx.x, (int)threadIdx.x, BLOCK), a);
    count_taken(a.count, epoch);
}

// ---- the boundary ---------------------------------------------------------------------------------

// What a lane has of its row.  All is asked for before anything is waited for: memory answers late, and all at once.
template <typename T> struct share_t {
    int32_t slots[BOUNDARY_PER_LANE];
    T values[BOUNDARY_PER_LANE];
};

template <typename T>
static __device__ share_t<T> load_share(const boundary_t *b, int64_t row, int lane, int lanes)
{
    share_t<T> s;
#pragma unroll
    for (int j = 0; j < BOUNDARY_PER_LANE; ++j) {
        const int64_t k = lane + (int64_t)j * lanes, nz = row + k * b->count;
        const bool there = row < b->count && k < b->width;
        s.slots[j] = there ? b->slots[nz] : -1;
        s.values[j] = there ? ((const T *)b->values)[nz] : 0;
    }
    return s;
}

// Whose entry it is.
static __device__ int sender_of(const protocol_t *p, const char *at, int half)
{
    int who = 0;
    for (int k = 0; k < p->ranks; ++k)
        if (k != p->rank && p->mail[k].half[half] <= at) who = k;
    return who;
}

static __device__ double entry_of(uint32_t low, uint32_t high, double) { return __hiloint2double((int)high, (int)low); }
static __device__ float entry_of(uint32_t bits, uint32_t, float) { return __uint_as_float(bits); }

// Entry by entry, as they come; all are looked at once before one is waited for.
template <typename T>
static __device__ T sum_of_words(const protocol_t *p, const boundary_t *b, uint32_t epoch, const share_t<T> *s,
                                 int *who)
{
    constexpr int WORDS = sizeof(T) / sizeof(uint32_t);
    const char *half = b->own[epoch % 2];
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

// Who sends nothing sends a word.  Waited for by one block.
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

// The halo is read from L2: L1 may have what stood there two products before.
template <typename T> static __device__ T sum_of_halo(const T *x, const share_t<T> *s)
{
    T entries[BOUNDARY_PER_LANE], sum = 0;
#pragma unroll
    for (int j = 0; j < BOUNDARY_PER_LANE; ++j) entries[j] = s->slots[j] < 0 ? 0 : __ldcg(&x[s->slots[j]]);
#pragma unroll
    for (int j = 0; j < BOUNDARY_PER_LANE; ++j)
        if (s->slots[j] >= 0) sum += s->values[j] * entries[j];
    return sum;
}

// A warp has 32 / lanes rows: first lane 0 of each, then lane 1 of each ...  Lanes are added in the same order always.
template <typename T, bool WORDS>
__global__ void __launch_bounds__(BLOCK) direct_boundary_kernel(const __grid_constant__ direct_args_t a, boundary_t b,
                                                                int lanes, T *y)
{
    const protocol_t p = protocol_of(a);
    const uint32_t epoch = a.count->put;
    const int rows = 32 / lanes, in_warp = (int)threadIdx.x % 32, lane = in_warp / rows;
    const int64_t warp = ((int64_t)blockIdx.x * BLOCK + threadIdx.x) / 32, row = warp * rows + in_warp % rows;
    const share_t<T> s = load_share<T>(&b, row, lane, lanes);
    const bool adds = lane == 0 && row < b.count;
    T *const to = adds ? &y[b.rows[row]] : NULL;
    const T before = adds ? *to : 0;
    int who = 0;
    T sum;
    if (WORDS) {
        sum = sum_of_words(&p, &b, epoch, &s, &who);
        if (blockIdx.x == 0) wait_for_nothing(&p, epoch, &who);
    } else {
        who = wait_for_flags(&p, epoch, (int)threadIdx.x, BLOCK);
        const bool lost = memory_meet(who != 0);
        sum = lost ? (T)__uint_as_float(UINT32_MAX) : sum_of_halo((const T *)b.own[epoch % 2], &s); // NaN
    }
    for (int apart = rows; apart < 32; apart *= 2) sum += __shfl_down_sync(~0u, sum, apart);
    if (adds) *to = before + sum;
    say_lost(who, a);
    count_taken(a.count, epoch);
}

__global__ void __launch_bounds__(BLOCK) direct_sum_kernel(const __grid_constant__ direct_args_t a, double *values,
                                                           int numbers)
{
    const protocol_t p = protocol_of(a);
    const uint32_t epoch = 1 + a.count->taken;
    say_lost(protocol_sum(&p, values, numbers, epoch, (int)threadIdx.x, BLOCK), a);
    memory_meet(false); // all have read it
    count_taken(a.count, epoch);
}

// ---- launches -------------------------------------------------------------------------------------

cudaError_t direct_put(const protocol_t *p, const void *x, int half, direct_count_t *count, int *waited_for,
                       cudaStream_t stream)
{
    const direct_args_t a = arguments(p, count, waited_for);
    const dim3 blocks((unsigned)p->pieces, p->ranks > 1 ? (unsigned)p->ranks - 1 : 1);
    direct_put_kernel<<<blocks, p->words ? PUT_WORDS : BLOCK, 0, stream>>>(a, x, half);
    return cudaGetLastError();
}

cudaError_t direct_take(const protocol_t *p, direct_count_t *count, int *waited_for, cudaStream_t stream)
{
    const direct_args_t a = arguments(p, count, waited_for);
    direct_take_kernel<<<p->words ? (unsigned)p->pieces : 1u, BLOCK, 0, stream>>>(a);
    return cudaGetLastError();
}

template <typename T>
static void launch_boundary(const direct_args_t &a, const boundary_t *b, int lanes, unsigned blocks, void *y,
                            cudaStream_t stream)
{
    if (a.p.words) direct_boundary_kernel<T, true><<<blocks, BLOCK, 0, stream>>>(a, *b, lanes, (T *)y);
    else direct_boundary_kernel<T, false><<<blocks, BLOCK, 0, stream>>>(a, *b, lanes, (T *)y);
}

cudaError_t direct_boundary(const protocol_t *p, const boundary_t *b, void *y, direct_count_t *count, int *waited_for,
                            cudaStream_t stream)
{
    const direct_args_t a = arguments(p, count, waited_for);
    int lanes = 1;
    while (lanes * BOUNDARY_PER_LANE < b->width) lanes *= 2;
    const unsigned blocks = b->count ? (unsigned)((b->count * lanes + BLOCK - 1) / BLOCK) : 1; // somebody waits
    if (p->element == 8) launch_boundary<double>(a, b, lanes, blocks, y, stream);
    else launch_boundary<float>(a, b, lanes, blocks, y, stream);
    return cudaGetLastError();
}

cudaError_t direct_sum(const protocol_t *p, double *values, int numbers, direct_count_t *count, int *waited_for,
                       cudaStream_t stream)
{
    const direct_args_t a = arguments(p, count, waited_for);
    direct_sum_kernel<<<1, BLOCK, 0, stream>>>(a, values, numbers);
    return cudaGetLastError();
}
