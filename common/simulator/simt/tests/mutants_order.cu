/* mutants_order.cu - mistakes in what orders threads, beside what does order them: fences, flags, locks, barriers. */
#include <cuda_runtime.h>
#include <assert.h>
#include "simt/simt.h"
#include "simt/tests/kernels.h"

enum { BLOCK = 128 };

/* n zeros, by the name `name`; they are freed after the case. */
static int *zeros(int n, const char *name)
{
    int *p = nullptr;
    cudaMalloc(&p, n * sizeof(int));
    cudaMemset(p, 0, n * sizeof(int));
    keep_for_case(p, name);
    return p;
}

/* ---- a counter that one thread sets to zero ---- */

__global__ void counter_kernel(int *out, int barrier)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    if (barrier)
        __syncthreads();
    atomicAdd(&count, 1);
    __syncthreads();
    out[threadIdx.x] = count;
}

static void race_with_atomics_on_top(int wrong) { counter_kernel<<<1, BLOCK>>>(zeros(BLOCK, "d_out"), !wrong); }

/* ---- flags ---- */

/* Producer and consumer: two warps of one block, or two blocks.  REACH of the fence: 0 none, 1 the block, 2 the GPU.
 */
template <int REACH> __device__ void fence()
{
    if (REACH == 1)
        __threadfence_block();
    if (REACH == 2)
        __threadfence();
}

template <int REACH> __global__ void flag_kernel(int *data, int *flag, int *out, int consumer)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        *data = 42;
        fence<REACH>();
        atomicExch(flag, 1);
    }
    if (i == consumer) {
        while (*(volatile int *)flag == 0)
            ;
        fence<REACH>();
        *out = *data;
    }
}

template <int REACH> static void flag(int blocks, int consumer)
{
    int *data = zeros(1, "d_data"), *f = zeros(1, "d_flag"), *out = zeros(1, "d_out"), got = 0;
    flag_kernel<REACH><<<blocks, 64>>>(data, f, out, consumer);
    cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
    assert(simt_fault() || got == 42);
}

static void race_fence_of_the_block_only(int wrong) { wrong ? flag<1>(2, 64) : flag<2>(2, 64); }
static void race_flag_between_warps(int wrong) { wrong ? flag<0>(1, 32) : flag<1>(1, 32); }

/* The flag in shared memory. */
template <bool FENCE> __global__ void shared_flag_kernel(int *out)
{
    __shared__ int data, ready;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        data = 42;
        if (FENCE)
            __threadfence_block();
        atomicExch(&ready, 1);
    }
    if (threadIdx.x == 32) {
        while (atomicAdd(&ready, 0) == 0)
            ;
        out[0] = data;
    }
}

static void race_flag_in_shared_memory(int wrong)
{
    int *out = zeros(1, "d_out");
    if (wrong)
        shared_flag_kernel<false><<<1, 64>>>(out);
    else
        shared_flag_kernel<true><<<1, 64>>>(out);
}

/* A warp hands its 32 values to the next block's warp; lane 0 speaks for all, once they have met. */
template <bool MEET> __global__ void hand_over_kernel(int *data, int *flag, int *out)
{
    int lane = threadIdx.x;
    if (blockIdx.x == 0) {
        data[lane] = lane;
        if (MEET)
            __syncwarp();
        if (lane == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else {
        if (lane == 0)
            while (atomicAdd(flag, 0) == 0)
                ;
        __syncwarp();
        out[lane] = data[31 - lane];
    }
}

static void race_lane_speaks_too_early(int wrong)
{
    int *data = zeros(32, "d_data"), *f = zeros(1, "d_flag"), *out = zeros(32, "d_out");
    if (wrong)
        hand_over_kernel<false><<<2, 32>>>(data, f, out);
    else
        hand_over_kernel<true><<<2, 32>>>(data, f, out);
}

/* ---- a lock ---- */

template <bool FENCE> __global__ void lock_kernel(int *lock, int *total)
{
    if (threadIdx.x % 32 != 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    *total += 1;
    if (FENCE)
        __threadfence();
    atomicExch(lock, 0);
}

static void race_lock_without_fence(int wrong)
{
    int *lock = zeros(1, "d_lock"), *total = zeros(1, "d_total"), got = 0;
    if (wrong)
        lock_kernel<false><<<8, 256>>>(lock, total);
    else
        lock_kernel<true><<<8, 256>>>(lock, total);
    cudaMemcpy(&got, total, sizeof got, cudaMemcpyDeviceToHost);
    assert(wrong || simt_fault() || got == 64);
}

/* ---- barriers that look like one ---- */

__global__ void one_line_kernel(int *out, int branch)
{
    if (branch) { if (threadIdx.x < 32) __syncthreads(); else __syncthreads(); } else __syncthreads();
    out[threadIdx.x] = 1;
}

static void barriers_on_one_line(int wrong) { one_line_kernel<<<1, BLOCK>>>(zeros(BLOCK, "d_out"), wrong); }

__device__ void meet() { __syncthreads(); }

__global__ void two_calls_kernel(int *out, int branch)
{
    if (branch && threadIdx.x < 32) {
        out[threadIdx.x] = 2;
        meet();
    } else {
        meet();
    }
    out[threadIdx.x] = 1;
}

static void barriers_by_two_calls(int wrong) { two_calls_kernel<<<1, BLOCK>>>(zeros(BLOCK, "d_out"), wrong); }

/* ---- correct, and long ---- */

/* More meetings than a tag can count. */
__global__ void many_meetings_kernel(int *out, int rounds)
{
    __shared__ int s[32];
    int lane = threadIdx.x, v = 0;
    s[lane] = 1;
    __syncwarp();
    for (int i = 0; i < rounds; ++i) {
        v = s[lane ^ 1];
        __syncwarp();
        s[lane] = v;
        __syncwarp();
    }
    out[lane] = v;
}

/* Block 0 waits until all others have put up their flags, looking at one after the other. */
__global__ void many_flags_kernel(volatile int *flags, int *out)
{
    int n = gridDim.x - 1;
    if (blockIdx.x > 0) {
        flags[blockIdx.x - 1] = 1;
        return;
    }
    for (int up = 0; up < n;) {
        up = 0;
        for (int i = 0; i < n; ++i)
            up += flags[i];
    }
    *out = n;
}

__global__ void count_kernel(int *total) { atomicAdd(total, 1); }

extern "C" {
void many_meetings(int *out, int rounds) { many_meetings_kernel<<<1, 32>>>(out, rounds); }
void many_flags(int *flags, int *out, int n) { many_flags_kernel<<<n + 1, 1>>>(flags, out); }
void count_threads(int *total, int n) { count_kernel<<<1, n>>>(total); }
}

extern "C" const struct mutant ORDER_MUTANTS[] = {
#define RACE(name, ...) {#name, name, SIMT_CHECK_RACES, cudaErrorLaunchFailure, {__VA_ARGS__}}
#define BARRIER(name, ...) {#name, name, SIMT_CHECK_BARRIERS, cudaErrorLaunchFailure, {__VA_ARGS__}}
    RACE(race_with_atomics_on_top, "race on shared memory", "updates (atomic) shared count", "has written"),
    RACE(race_fence_of_the_block_only, "race on global memory", "reads data[0]",
         "block (0,0,0) thread 0 has written"),
    RACE(race_flag_between_warps, "race on global memory", "reads data[0]", "thread (0,0,0) has written"),
    RACE(race_flag_in_shared_memory, "race on shared memory", "reads shared data", "thread (0,0,0) has written"),
    RACE(race_lane_speaks_too_early, "race on global memory", "data[", "block (0,0,0)"),
    RACE(race_lock_without_fence, "race on global memory", "total[0]"),
    BARRIER(barriers_on_one_line, "barrier in divergent code", "too, by another call or branch"),
    BARRIER(barriers_by_two_calls, "barrier in divergent code", "too, by another call or branch"),
};
extern "C" const int N_ORDER_MUTANTS = sizeof ORDER_MUTANTS / sizeof ORDER_MUTANTS[0];
