/* direct_kernels.cu - see direct_kernels.h */
#include <cuda_runtime.h>

#include "direct_kernels.h"

enum { BLOCK = 256 };

// The epoch that this block is in.  None of the same kernel begins the next before all are done (close_epoch).
static __device__ uint32_t open_epoch(const uint32_t *over) { return 1 + *over; }

// The last block to be done, whichever it is, counts the epoch.
static __device__ void close_epoch(uint32_t *over, uint32_t *done, uint32_t epoch)
{
    memory_meet(false);
    if (threadIdx.x) return;
    if (gridDim.x > 1) {
        __threadfence();
        if (atomicAdd(done, 1u) + 1 < gridDim.x) return;
        __threadfence();
        *done = 0;
    }
    *over = epoch;
}

// Once something was lost nobody is waited for.
static __device__ void be_patient(protocol_t *p, const direct_count_t *count)
{
    if (*(const volatile int *)count->lost) p->limit = 0;
}

static __device__ void say_lost(int who, direct_count_t *count, int *waited_for)
{
    if (!who) return;
    atomicExch(count->lost, who);
    atomicExch_system(waited_for, who);
}

// Pieces are dealt by blockIdx: no block waits for another of this card, so any order will do.
__global__ void __launch_bounds__(BLOCK) direct_put_kernel(protocol_t p, const void *x, int half,
                                                           direct_count_t *count, int *waited_for)
{
    const uint32_t epoch = open_epoch(&count->put);
    protocol_put(&p, x, epoch, (int)blockIdx.x, (int)threadIdx.x, BLOCK);
    if (threadIdx.x == 0 && !p.words && (int)(epoch % 2) != half) say_lost(DIRECT_ODD, count, waited_for);
    close_epoch(&count->put, &count->put_done, epoch);
}

__global__ void __launch_bounds__(BLOCK) direct_take_kernel(protocol_t p, direct_count_t *count, int *waited_for)
{
    const uint32_t epoch = open_epoch(&count->take);
    be_patient(&p, count);
    say_lost(protocol_take(&p, epoch, (int)blockIdx.x, (int)threadIdx.x, BLOCK), count, waited_for);
    close_epoch(&count->take, &count->take_done, epoch);
}

// The entry of the halo at this slot of a half of words.
template <typename T>
static __device__ T wait_for_entry(const char *half, int32_t slot, uint32_t epoch, patience_t *patience, bool *lost)
{
    const uint64_t *words = (const uint64_t *)half;
    if (sizeof(T) == 8)
        return (T)__longlong_as_double((long long)wait_for_double_word(words + 2 * (int64_t)slot, epoch, patience,
                                                                       lost));
    return (T)__uint_as_float(wait_for_word(words + slot, epoch, patience, lost));
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
__global__ void __launch_bounds__(BLOCK) direct_boundary_kernel(protocol_t p, boundary_t b, T *y,
                                                                direct_count_t *count, int *waited_for)
{
    const uint32_t epoch = open_epoch(&count->take);
    const int half = (int)(epoch % 2);
    const int64_t row = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
    bool lost = false;
    int who = 0;
    be_patient(&p, count);
    patience_t patience = {p.limit, 0, 0, NULL};
    if (row < b.count) {
        T sum = 0;
        for (int64_t nz = b.offsets[row]; nz < b.offsets[row + 1]; ++nz) {
            const T x = wait_for_entry<T>(b.own[half], b.slots[nz], epoch, &patience, &lost);
            sum += ((const T *)b.values)[nz] * x;
            if (lost && !who)
                who = 1 + sender_of(&p, b.own[half] + (int64_t)b.slots[nz] * 2 * (int64_t)sizeof(T), half);
        }
        y[b.rows[row]] += sum;
    }
    if (blockIdx.x == 0) { // who sends nothing sends a word
        for (int k = (int)threadIdx.x; k + 1 < p.ranks; k += BLOCK) {
            const mail_t *m = &p.mail[protocol_other(&p, k)];
            if (m->count == 0) wait_for_word((const uint64_t *)m->half[half], epoch, &patience, &lost);
            if (lost && !who) who = 1 + protocol_other(&p, k);
        }
    }
    say_lost(who, count, waited_for);
    close_epoch(&count->take, &count->take_done, epoch);
}

__global__ void __launch_bounds__(BLOCK) direct_sum_kernel(protocol_t p, double *values, int numbers,
                                                           direct_count_t *count, int *waited_for)
{
    const uint32_t epoch = open_epoch(&count->take);
    be_patient(&p, count);
    say_lost(protocol_sum(&p, values, numbers, epoch, (int)threadIdx.x, BLOCK), count, waited_for);
    close_epoch(&count->take, &count->take_done, epoch);
}

cudaError_t direct_put(const protocol_t *p, const void *x, int half, direct_count_t *count, int *waited_for,
                       cudaStream_t stream)
{
    direct_put_kernel<<<(unsigned)p->pieces, BLOCK, 0, stream>>>(*p, x, half, count, waited_for);
    return cudaGetLastError();
}

cudaError_t direct_take(const protocol_t *p, direct_count_t *count, int *waited_for, cudaStream_t stream)
{
    const unsigned blocks = p->words ? (unsigned)p->pieces : 1u;
    direct_take_kernel<<<blocks, BLOCK, 0, stream>>>(*p, count, waited_for);
    return cudaGetLastError();
}

cudaError_t direct_boundary(const protocol_t *p, const boundary_t *b, void *y, direct_count_t *count, int *waited_for,
                            cudaStream_t stream)
{
    const unsigned blocks = 1 + (unsigned)(b->count / BLOCK); // one at least: somebody waits, and counts
    if (p->element == 8)
        direct_boundary_kernel<double><<<blocks, BLOCK, 0, stream>>>(*p, *b, (double *)y, count, waited_for);
    else
        direct_boundary_kernel<float><<<blocks, BLOCK, 0, stream>>>(*p, *b, (float *)y, count, waited_for);
    return cudaGetLastError();
}

cudaError_t direct_sum(const protocol_t *p, double *values, int numbers, direct_count_t *count, int *waited_for,
                       cudaStream_t stream)
{
    direct_sum_kernel<<<1, BLOCK, 0, stream>>>(*p, values, numbers, count, waited_for);
    return cudaGetLastError();
}
