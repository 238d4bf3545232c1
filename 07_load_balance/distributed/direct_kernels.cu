/* direct_kernels.cu - see direct_kernels.h */
#include <cuda_runtime.h>

#include "direct_kernels.h"

enum { BLOCK = 256 };

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

// The last block to be done, whichever it is, counts the epoch; none of the next product begins before.
static __device__ void close_epoch(direct_count_t *count, uint32_t epoch)
{
    memory_meet(false);
    if (threadIdx.x) return;
    const unsigned blocks = gridDim.x * gridDim.y;
    if (blocks > 1) {
        __threadfence();
        if (atomicAdd(&count->done, 1u) + 1 < blocks) return;
        __threadfence();
        count->done = 0;
    }
    count->put = epoch;
}

// A block puts a piece of a letter.  None waits for another of this card, so any order will do.
__global__ void __launch_bounds__(BLOCK) direct_put_kernel(const __grid_constant__ direct_args_t a, const void *x,
                                                               int half)
{
    const protocol_t p = protocol_of(a);
    const uint32_t epoch = 1 + a.count->put;
    if (p.ranks > 1)
        protocol_put(&p, protocol_other(&p, (int)blockIdx.y), x, epoch, (int)blockIdx.x, (int)threadIdx.x, BLOCK);
    if (threadIdx.x == 0 && !p.words && (int)(epoch % 2) != half) say_lost(DIRECT_ODD, a);
    close_epoch(a.count, epoch);
}

__global__ void __launch_bounds__(BLOCK) direct_take_kernel(const __grid_constant__ direct_args_t a)
{
    const protocol_t p = protocol_of(a);
    say_lost(protocol_take(&p, a.count->put, (int)blockIdx.x, (int)threadIdx.x, BLOCK), a);
}

// ---- the boundary ---------------------------------------------------------------------------------

static __device__ void wait_for_entry(const char *half, int64_t slot, uint32_t epoch, patience_t *patience, bool *lost,
                                      double *entry)
{
    const uint64_t bits = wait_for_double_word((const uint64_t *)half + 2 * slot, epoch, patience, lost);
    *entry = __longlong_as_double((long long)bits);
}
static __device__ void wait_for_entry(const char *half, int64_t slot, uint32_t epoch, patience_t *patience, bool *lost,
                                      float *entry)
{
    *entry = __uint_as_float(wait_for_word((const uint64_t *)half + slot, epoch, patience, lost));
}

// Whose entry it is.
static __device__ int sender_of(const protocol_t *p, const char *at, int half)
{
    int who = 0;
    for (int k = 0; k < p->ranks; ++k)
        if (k != p->rank && p->mail[k].half[half] <= at) who = k;
    return who;
}

template <typename T>
static __device__ int boundary_of_words(const protocol_t *p, const boundary_t *b, uint32_t epoch, int64_t row, T *y)
{
    const char *half = b->own[epoch % 2];
    patience_t patience = {p->limit, 0, 0, NULL};
    bool lost = false;
    int who = 0;
    if (row < b->count) {
        T sum = 0;
        int32_t slot = b->slots[row];
        T value = ((const T *)b->values)[row];
        for (int64_t next = row + b->count; slot >= 0; next += b->count) {
            const bool more = next < b->width * b->count; // looked for before this one is waited for
            const int32_t next_slot = more ? b->slots[next] : -1;
            const T next_value = more ? ((const T *)b->values)[next] : 0;
            T x;
            wait_for_entry(half, slot, epoch, &patience, &lost, &x);
            sum += value * x;
            if (lost && !who) who = 1 + sender_of(p, half + (int64_t)slot * 2 * (int64_t)sizeof(T), epoch % 2);
            slot = next_slot, value = next_value;
        }
        y[b->rows[row]] += sum;
    }
    if (blockIdx.x > 0) return who;
    for (int k = (int)threadIdx.x; k + 1 < p->ranks; k += BLOCK) { // who sends nothing sends a word
        const mail_t *m = &p->mail[protocol_other(p, k)];
        if (m->count == 0) wait_for_word((const uint64_t *)m->half[epoch % 2], epoch, &patience, &lost);
        if (lost && !who) who = 1 + protocol_other(p, k);
    }
    return who;
}

// The halo is read from L2: L1 may have what stood there two products before.
template <typename T>
static __device__ int boundary_of_flags(const protocol_t *p, const boundary_t *b, uint32_t epoch, int64_t row, T *y)
{
    const int who = wait_for_flags(p, epoch, (int)threadIdx.x, BLOCK);
    const bool lost = memory_meet(who != 0);
    const T *x = (const T *)b->own[epoch % 2];
    if (row < b->count) {
        T sum = lost ? (T)__uint_as_float(UINT32_MAX) : 0; // NaN
#pragma unroll 8
        for (int32_t k = 0; k < b->width; ++k) {
            const int64_t nz = row + k * b->count;
            const int32_t slot = b->slots[nz];
            if (slot >= 0) sum += ((const T *)b->values)[nz] * __ldcg(&x[slot]);
        }
        y[b->rows[row]] += sum;
    }
    return who;
}

template <typename T>
__global__ void __launch_bounds__(BLOCK) direct_boundary_kernel(const __grid_constant__ direct_args_t a, boundary_t b,
                                                                T *y)
{
    const protocol_t p = protocol_of(a);
    const uint32_t epoch = a.count->put;
    const int64_t row = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
    say_lost(p.words ? boundary_of_words(&p, &b, epoch, row, y) : boundary_of_flags(&p, &b, epoch, row, y), a);
}

__global__ void __launch_bounds__(BLOCK) direct_sum_kernel(const __grid_constant__ direct_args_t a, double *values,
                                                           int numbers)
{
    const protocol_t p = protocol_of(a);
    const uint32_t epoch = 1 + a.count->put;
    say_lost(protocol_sum(&p, values, numbers, epoch, (int)threadIdx.x, BLOCK), a);
    close_epoch(a.count, epoch);
}

// ---- launches -------------------------------------------------------------------------------------

cudaError_t direct_put(const protocol_t *p, const void *x, int half, direct_count_t *count, int *waited_for,
                       cudaStream_t stream)
{
    const direct_args_t a = arguments(p, count, waited_for);
    const dim3 blocks((unsigned)p->pieces, p->ranks > 1 ? (unsigned)p->ranks - 1 : 1);
    direct_put_kernel<<<blocks, BLOCK, 0, stream>>>(a, x, half);
    return cudaGetLastError();
}

cudaError_t direct_take(const protocol_t *p, direct_count_t *count, int *waited_for, cudaStream_t stream)
{
    const direct_args_t a = arguments(p, count, waited_for);
    direct_take_kernel<<<p->words ? (unsigned)p->pieces : 1u, BLOCK, 0, stream>>>(a);
    return cudaGetLastError();
}

cudaError_t direct_boundary(const protocol_t *p, const boundary_t *b, void *y, direct_count_t *count, int *waited_for,
                            cudaStream_t stream)
{
    const direct_args_t a = arguments(p, count, waited_for);
    const unsigned blocks = b->count ? (unsigned)((b->count + BLOCK - 1) / BLOCK) : 1; // somebody waits
    if (p->element == 8) direct_boundary_kernel<double><<<blocks, BLOCK, 0, stream>>>(a, *b, (double *)y);
    else direct_boundary_kernel<float><<<blocks, BLOCK, 0, stream>>>(a, *b, (float *)y);
    return cudaGetLastError();
}

cudaError_t direct_sum(const protocol_t *p, double *values, int numbers, direct_count_t *count, int *waited_for,
                       cudaStream_t stream)
{
    const direct_args_t a = arguments(p, count, waited_for);
    direct_sum_kernel<<<1, BLOCK, 0, stream>>>(a, values, numbers);
    return cudaGetLastError();
}
