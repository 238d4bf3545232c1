/* mutants.cu - one mistake each, beside the same kernel without it. */
#include <cuda_runtime.h>
#include <assert.h>
#include "simt/simt.h"
#include "simt/tests/kernels.h"

enum { N = 256, BLOCK = 128 };

/* A buffer of n elements, all 1; it is freed after the case. */
template <class T> static T *ones(int n, const char *name = "d_in")
{
    T *p = nullptr;
    T host[4 * N];
    for (int i = 0; i < n; ++i)
        host[i] = (T)1;
    cudaMalloc(&p, n * sizeof(T));
    cudaMemcpy(p, host, n * sizeof(T), cudaMemcpyHostToDevice);
    keep_for_case(p, name);
    return p;
}

/* ---- bounds ---- */

__global__ void shift_kernel(const float *in, float *out, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i + by];
}

static void shift(int n, int by)
{
    float *in = ones<float>(N), *out = ones<float>(N, "d_out");
    shift_kernel<<<N / BLOCK, BLOCK>>>(in, out, n, by);
}

static void past_the_end(int wrong) { shift(wrong ? N : N - 1, 1); }
static void before_the_start(int wrong) { shift(N, wrong ? -1 : 0); }
static void far_away(int wrong) { shift(N, wrong ? 1 << 22 : 0); }

/* Names in reports: the parameter that points into the buffer, from there on; of two such, the buffer's. */
static void past_the_end_of_a_part(int wrong)
{
    float *in = ones<float>(N), *out = ones<float>(N, "d_out");
    shift_kernel<<<N / BLOCK, BLOCK>>>(in + 4, out, N - 4, wrong ? 1 : 0);
}
static void past_the_end_of_both(int wrong)
{
    float *both = ones<float>(N, "d_both");
    shift_kernel<<<1, 1>>>(both + N - 1, both, 1, wrong ? 1 : 0);
}

__global__ void store_kernel(float *out, int last)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= last)
        out[i] = 1.0f;
}

static void store_past_the_end(int wrong)
{ store_kernel<<<N / BLOCK + 1, BLOCK>>>(ones<float>(N, "d_out"), wrong ? N : N - 1); }

__global__ void byte_kernel(unsigned char *in, int n)
{
    int i = threadIdx.x;
    if (i < n)
        in[i] += 1;
}

static void past_the_last_byte(int wrong) { byte_kernel<<<1, 32>>>(ones<unsigned char>(5), wrong ? 6 : 5); }

__global__ void shared_kernel(float *out, int from)
{
    __shared__ float s[BLOCK], other[BLOCK];
    int tid = threadIdx.x;
    s[tid] = tid;
    other[tid] = tid;
    __syncthreads();
    out[tid] = s[tid + from] + other[tid];
}

static void shared(int from) { shared_kernel<<<1, BLOCK>>>(ones<float>(N, "d_out"), from); }

static void shared_past_the_end(int wrong) { shared(wrong ? 1 : 0); }
static void shared_before_the_start(int wrong) { shared(wrong ? -1 : 0); }
static void shared_far_away(int wrong) { shared(wrong ? 100000 : 0); }

__global__ void dynamic_kernel(float *out)
{
    extern __shared__ float s[];
    int tid = threadIdx.x;
    s[tid] = tid;
    __syncthreads();
    out[tid] = s[BLOCK - 1 - tid];
}

static void dynamic_forgotten(int wrong)
{ dynamic_kernel<<<1, BLOCK, wrong ? 0 : BLOCK * sizeof(float)>>>(ones<float>(N, "d_out")); }

static void dynamic_too_small(int wrong)
{ dynamic_kernel<<<1, BLOCK, (BLOCK - (wrong ? 1 : 0)) * sizeof(float)>>>(ones<float>(N, "d_out")); }

static void use_after_free(int wrong)
{
    float *in, *out = ones<float>(N, "d_out");
    cudaMalloc(&in, N * sizeof(float));
    cudaMemset(in, 0, N * sizeof(float));
    if (wrong)
        cudaFree(in);
    shift_kernel<<<N / BLOCK, BLOCK>>>(in, out, N, 0);
    if (!wrong)
        cudaFree(in);
}

static void null_pointer(int wrong)
{
    float *in = ones<float>(N), *out = ones<float>(N, "d_out");
    shift_kernel<<<N / BLOCK, BLOCK>>>(wrong ? nullptr : in, out, N, 0);
}

static void before_null(int wrong)
{
    float *in = nullptr, *some = ones<float>(N), *out = ones<float>(N, "d_out");
    cudaMalloc((void **)&in, 0);
    shift_kernel<<<N / BLOCK, BLOCK>>>(wrong ? in : some, out, N, wrong ? -1 : 0);
}

static void host_pointer(int wrong)
{
    float *host = new float[N], *in = ones<float>(N), *out = ones<float>(N, "d_out");
    shift_kernel<<<N / BLOCK, BLOCK>>>(wrong ? host : in, out, N, 0);
    delete[] host;
}

static void host_variable(int wrong)
{
    static float host[N];
    float *in = ones<float>(N), *out = ones<float>(N, "d_out");
    shift_kernel<<<N / BLOCK, BLOCK>>>(wrong ? host : in, out, N, 0);
}

__constant__ int constant[2] = {1, 2};
__device__ int variable[2] = {1, 2};
__global__ void assign_kernel(int *out, int wrong)
{
    int *p = wrong ? constant : variable;
    p[1] = 3;
    *out = constant[0] + variable[1];
}

static void constant_written(int wrong) { assign_kernel<<<1, 1>>>(ones<int>(1, "d_out"), wrong); }

/* ---- alignment, initialised ---- */

__global__ void vector_kernel(const float *in, float *out)
{
    float4 v = *(const float4 *)(in + 4 * threadIdx.x);
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

/* Two of the last four elements are there. */
static void across_the_end(int wrong)
{
    float *in = ones<float>(4 * 32 - (wrong ? 2 : 0)), *out = ones<float>(32, "d_out");
    vector_kernel<<<1, 32>>>(in, out);
}

static void misaligned_vector(int wrong)
{
    float *in = ones<float>(4 * 32 + 1), *out = ones<float>(32, "d_out");
    vector_kernel<<<1, 32>>>(in + (wrong ? 1 : 0), out);
}

__global__ void shared_vector_kernel(float *out, int offset)
{
    __shared__ float s[2 * 32 + 1];
    for (int i = threadIdx.x; i < 65; i += 32)
        s[i] = i;
    __syncwarp();
    float2 v = *(float2 *)(s + 2 * threadIdx.x + offset);
    out[threadIdx.x] = v.x + v.y;
}

static void misaligned_shared_vector(int wrong)
{ shared_vector_kernel<<<1, 32>>>(ones<float>(32, "d_out"), wrong ? 1 : 0); }

static void uninitialised_global(int wrong)
{
    float *in, *out = ones<float>(N, "d_out");
    cudaMalloc(&in, N * sizeof(float));
    keep_for_case(in, "d_in");
    cudaMemset(in, 0, (wrong ? N - 1 : N) * sizeof(float));
    shift_kernel<<<N / BLOCK, BLOCK>>>(in, out, N, 0);
}

__global__ void fill_kernel(float *out, int filled)
{
    __shared__ float s[BLOCK];
    int tid = threadIdx.x;
    if (tid < filled)
        s[tid] = 1.0f;
    __syncthreads();
    out[blockIdx.x * BLOCK + tid] = s[tid];
}

/* The block before has filled it all: its values must not count for the next one. */
static void uninitialised_shared(int wrong)
{
    float *out = ones<float>(4 * BLOCK, "d_out");
    fill_kernel<<<4, BLOCK>>>(out, BLOCK);
    fill_kernel<<<1, BLOCK>>>(out, wrong ? BLOCK - 1 : BLOCK);
}

/* ---- races ---- */

__global__ void neighbour_kernel(float *out, int barrier)
{
    __shared__ float s[BLOCK];
    int tid = threadIdx.x;
    s[tid] = 0;
    __syncthreads();
    s[tid] = tid;
    if (barrier)
        __syncthreads();
    out[tid] = s[(tid + 32) % BLOCK];
}

static void race_read_write(int wrong) { neighbour_kernel<<<1, BLOCK>>>(ones<float>(N, "d_out"), !wrong); }

/* Read, then written by another warp: the same race seen from the other side. */
__global__ void shift_down_kernel(float *out, int barrier)
{
    __shared__ float s[2 * BLOCK];
    int tid = threadIdx.x;
    s[tid] = s[tid + BLOCK] = tid;
    __syncthreads();
    float next = s[tid + 32];
    if (barrier)
        __syncthreads();
    s[tid] = next;
    out[tid] = s[tid];
}

static void race_write_after_read(int wrong) { shift_down_kernel<<<1, BLOCK>>>(ones<float>(N, "d_out"), !wrong); }

__global__ void last_writer_kernel(float *out, int one)
{
    __shared__ float s;
    int tid = threadIdx.x;
    if (one ? tid == 0 : tid % 32 == 0)
        s = tid;
    __syncthreads();
    out[tid] = s;
}

static void race_write_write(int wrong) { last_writer_kernel<<<1, BLOCK>>>(ones<float>(N, "d_out"), !wrong); }

/* The last warp of a reduction, as it was written before 2017. */
template <bool SYNC> __global__ void last_warp_kernel(float *out)
{
    __shared__ float s[64];
    int lane = threadIdx.x;
    s[lane] = s[lane + 32] = 1.0f;
    __syncwarp();
    for (int d = 32; d > 0; d /= 2) {
        float v = s[lane] + s[lane + d];
        if (SYNC)
            __syncwarp();
        s[lane] = v;
        if (SYNC)
            __syncwarp();
    }
    out[lane] = s[0];
}

static void race_in_warp_read_write(int wrong)
{
    float *out = ones<float>(N, "d_out");
    if (wrong)
        last_warp_kernel<false><<<1, 32>>>(out);
    else
        last_warp_kernel<true><<<1, 32>>>(out);
}

__global__ void volatile_warp_kernel(float *out)
{
    __shared__ volatile float s[64];
    int lane = threadIdx.x;
    s[lane] = 1.0f;
    s[lane + 32] = 1.0f;
    __syncwarp();
    for (int d = 32; d > 0; d /= 2)
        s[lane] += s[lane + d];
    out[lane] = s[0];
}

static void race_volatile_is_no_sync(int wrong)
{
    float *out = ones<float>(N, "d_out");
    if (wrong)
        volatile_warp_kernel<<<1, 32>>>(out);
    else
        last_warp_kernel<true><<<1, 32>>>(out);
}

__global__ void one_slot_kernel(int *out, int one)
{
    __shared__ int s;
    if (one ? threadIdx.x == 3 : threadIdx.x < 2)
        s = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = s;
}

static void race_in_warp_write_write(int wrong) { one_slot_kernel<<<1, 32>>>(ones<int>(32, "d_out"), !wrong); }

/* All lanes store to one place in one instruction: fine if they store the same, whichever is looked at last. */
__global__ void same_store_kernel(int *out, int other)
{
    out[blockIdx.x] = other && threadIdx.x == 31;
}

static void race_in_one_store(int wrong) { same_store_kernel<<<4, 32>>>(ones<int>(4, "d_out"), wrong); }

/* Half a warp meets; that orders nothing for the other half. */
__global__ void half_warp_kernel(int *out, unsigned mask)
{
    __shared__ int s[32];
    int lane = threadIdx.x;
    s[lane] = 0;
    __syncwarp();
    s[lane] = lane;
    if (mask == 0xffffffffu)
        __syncwarp();
    else
        __syncwarp(lane < 16 ? 0xffffu : 0xffff0000u);
    out[lane] = s[lane ^ 16];
}

static void race_between_half_warps(int wrong)
{ half_warp_kernel<<<1, 32>>>(ones<int>(32, "d_out"), wrong ? 0xffffu : 0xffffffffu); }

__global__ void count_kernel(int *total, int atomic)
{
    if (threadIdx.x == 0) {
        if (atomic)
            atomicAdd(total, 1);
        else
            *total += 1;
    }
}

/* The threads behind the 128th are forgotten. */
__global__ void add_too_few_kernel(int *out)
{
    __shared__ int partial[192];
    partial[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (unsigned d = 64; d > 0; d /= 2) {
        if (threadIdx.x < d)
            partial[threadIdx.x] += partial[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[0] = partial[0];
}

void add_too_few(int *out, int threads) { add_too_few_kernel<<<1, threads>>>(out); }

__global__ void store_one_value_kernel(int *out) { *out = 7; }

void store_one_value(int *out) { store_one_value_kernel<<<1, 32>>>(out); }

/* All add to one place by one statement: no barrier helps. */
__global__ void add_here_kernel(float *out, int atomic)
{
    __shared__ float sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    if (atomic)
        atomicAdd(&sum, 1.0f);
    else
        sum += out[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = sum;
}

static void race_of_one_statement(int wrong) { add_here_kernel<<<1, BLOCK>>>(ones<float>(N, "d_out"), !wrong); }

/* The same in two statements, by a lane of each warp. */
__global__ void take_kernel(int *counter, int *out, int atomic)
{
    if (threadIdx.x % 32)
        return;
    int mine;
    if (atomic) {
        mine = atomicAdd(counter, 1);
    } else {
        mine = *counter;
        *counter = mine + 1;
    }
    out[threadIdx.x / 32] = mine;
}

static void race_of_two_statements(int wrong)
{
    int *counter = ones<int>(1, "d_counter"), *out = ones<int>(N, "d_out");
    take_kernel<<<1, BLOCK>>>(counter, out, !wrong);
}

/* One statement, too, but each thread has a place of its own, and reads another's: here a barrier is what lacks. */
template <bool BARRIER> __global__ void scan_kernel(float *out)
{
    __shared__ float s[BLOCK];
    const int tid = threadIdx.x;
    s[tid] = 1;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        const float before = BARRIER && tid >= d ? s[tid - d] : 0;
        if (BARRIER)
            __syncthreads();
        if (tid >= d)
            s[tid] += BARRIER ? before : s[tid - d];
        if (BARRIER)
            __syncthreads();
    }
    out[tid] = s[tid];
}

static void race_of_rounds(int wrong)
{
    float *out = ones<float>(N, "d_out");
    if (wrong)
        scan_kernel<false><<<1, BLOCK>>>(out);
    else
        scan_kernel<true><<<1, BLOCK>>>(out);
}

static void race_between_blocks(int wrong) { count_kernel<<<8, 32>>>(ones<int>(1, "d_total"), !wrong); }

/* The writer has read the word itself, last of all, after another block has. */
__global__ void read_then_count_kernel(int *total, int *out, int atomic)
{
    if (threadIdx.x == 0) {
        if (atomic) {
            out[blockIdx.x] = atomicAdd(total, (int)blockIdx.x);
        } else {
            out[blockIdx.x] = *total;
            if (blockIdx.x == 1) *total = 2;
        }
    }
}

static void race_with_a_block_that_read(int wrong)
{
    int *total = ones<int>(1, "d_total"), *out = ones<int>(2, "d_out");
    read_then_count_kernel<<<2, 32>>>(total, out, !wrong);
}

/* ... and after another warp has. */
__global__ void read_then_write_kernel(int *out, int barrier)
{
    __shared__ int word;
    if (threadIdx.x == 0) word = 1;
    __syncthreads();
    const int seen = word;
    if (barrier) __syncthreads();
    if (threadIdx.x == 31) word = 2; // its warp is the last to come back from the first barrier
    out[threadIdx.x] = seen;
}

static void race_with_a_warp_that_read(int wrong) { read_then_write_kernel<<<1, 64>>>(ones<int>(64, "d_out"), !wrong); }
static void race_with_a_lane_that_read(int wrong) { read_then_write_kernel<<<1, 32>>>(ones<int>(32, "d_out"), !wrong); }

/* Written by one block, read by another, in either order, without two writes. */
__global__ void next_block_kernel(float *data, float *out, int own)
{
    int b = blockIdx.x;
    if (threadIdx.x == 0) {
        data[b] = b;
        out[b] = data[own ? b : (b + 1) % gridDim.x];
    }
}

static void race_with_next_block(int wrong)
{
    float *data = ones<float>(8, "d_data"), *out = ones<float>(8, "d_out");
    next_block_kernel<<<8, 32>>>(data, out, !wrong);
}

/* The last block adds up what the others have left, if they have fenced. */
template <bool FENCE> __global__ void last_block_kernel(float *partial, float *out, unsigned *done)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = 1.0f;
        if (FENCE)
            __threadfence();
        last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0;
        for (unsigned i = 0; i < gridDim.x; ++i)
            sum += partial[i];
        *out = sum;
        *done = 0;
    }
}

static void race_without_fence(int wrong)
{
    float *partial = ones<float>(8, "d_partial"), *out = ones<float>(1, "d_out");
    unsigned *done = ones<unsigned>(1, "d_done");
    cudaMemset(done, 0, sizeof *done);
    if (wrong)
        last_block_kernel<false><<<8, 64>>>(partial, out, done);
    else
        last_block_kernel<true><<<8, 64>>>(partial, out, done);
    float sum = 0;
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    assert(wrong || simt_fault() || sum == 8.0f);
}

/* A flag between two blocks: plain, or volatile behind a fence. */
template <bool RIGHT> __global__ void flag_kernel(int *data, int *flag, int *out)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        *data = 42;
        if (RIGHT)
            __threadfence();
        *(volatile int *)flag = 2;
    } else {
        while (*(volatile int *)flag != 2)
            ;
        *out = *data;
    }
}

static void race_flag_without_fence(int wrong)
{
    int *data = ones<int>(1, "d_data"), *flag = ones<int>(1, "d_flag"), *out = ones<int>(1, "d_out"), got = 0;
    if (wrong)
        flag_kernel<false><<<2, 32>>>(data, flag, out);
    else
        flag_kernel<true><<<2, 32>>>(data, flag, out);
    cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
    assert(wrong || simt_fault() || got == 42);
}

/* ---- barriers ---- */

__global__ void early_return_kernel(float *out, int n)
{
    __shared__ float s[BLOCK];
    int tid = threadIdx.x;
    if (tid >= n)
        return;
    s[tid] = tid;
    __syncthreads();
    out[tid] = s[n - 1 - tid];
}

static void barrier_skipped(int wrong)
{ early_return_kernel<<<1, BLOCK>>>(ones<float>(N, "d_out"), wrong ? 100 : BLOCK); }

template <bool DIVERGENT> __global__ void two_barriers_kernel(float *out)
{
    __shared__ float s[BLOCK];
    int tid = threadIdx.x;
    s[tid] = tid;
    if (DIVERGENT) {
        if (tid < 32) {
            s[tid] += 1;
            __syncthreads();
        } else {
            __syncthreads();
        }
    } else {
        if (tid < 32)
            s[tid] += 1;
        __syncthreads();
    }
    out[tid] = s[BLOCK - 1 - tid];
}

static void barrier_in_divergent_code(int wrong)
{
    float *out = ones<float>(N, "d_out");
    if (wrong)
        two_barriers_kernel<true><<<1, BLOCK>>>(out);
    else
        two_barriers_kernel<false><<<1, BLOCK>>>(out);
}

/* ---- shuffles and votes ---- */

__global__ void half_shuffle_kernel(int *out, int lanes)
{
    int lane = threadIdx.x, v = lane;
    if (lane < lanes)
        v += __shfl_down_sync(0xffffffffu, v, 1);
    out[lane] = v;
}

static void shuffle_lanes_missing(int wrong)
{ half_shuffle_kernel<<<1, 32>>>(ones<int>(32, "d_out"), wrong ? 16 : 32); }

__global__ void vote_kernel(int *out, int n)
{
    int lane = threadIdx.x, count = 0;
    #pragma unroll 1
    for (int i = lane; i < n; i += 32)
        count += __popc(__ballot_sync(0xffffffffu, i % 2));
    __syncwarp();
    out[lane] = count;
}

static void vote_lanes_missing(int wrong) { vote_kernel<<<1, 32>>>(ones<int>(32, "d_out"), wrong ? 40 : 64); }

__global__ void masked_shuffle_kernel(int *out, unsigned mask, int from)
{
    int lane = threadIdx.x;
    if (lane < 16)
        out[lane] = __shfl_sync(mask, lane, from);
}

static void shuffle_from_inactive(int wrong)
{ masked_shuffle_kernel<<<1, 32>>>(ones<int>(32, "d_out"), 0xffffu, wrong ? 20 : 3); }

static void shuffle_not_in_mask(int wrong)
{ masked_shuffle_kernel<<<1, 32>>>(ones<int>(32, "d_out"), wrong ? 0xffu : 0xffffu, 3); }

/* A block of 40: the second warp has eight lanes, and no lane 16 + 8. */
__global__ void short_warp_kernel(int *out, int n)
{
    int tid = threadIdx.x, v = tid;
    for (int d = n; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d, 2 * n);
    out[tid] = v;
}

static void shuffle_from_nowhere(int wrong) { short_warp_kernel<<<1, 40>>>(ones<int>(64, "d_out"), wrong ? 16 : 4); }

/* ---- launches ---- */

static void empty_grid(int wrong) { store_kernel<<<wrong ? 0 : 1, BLOCK>>>(ones<float>(N, "d_out"), 0); }

static void block_too_large(int wrong) { store_kernel<<<1, wrong ? 1025 : 1024>>>(ones<float>(N, "d_out"), 0); }

static void too_much_shared(int wrong) { dynamic_kernel<<<1, BLOCK, wrong ? 49153 : 49152>>>(ones<float>(N, "d_out")); }

/* ---- runs away ---- */

__device__ __attribute__((noinline)) int depth(volatile int *p, int n)
{
    volatile int local[64];
    local[n & 63] = n;
    return n == 0 ? 0 : depth(p, n - 1) + local[n & 63];
}

__global__ void recursive_kernel(int *out, int n) { out[threadIdx.x] = depth(out, n); }

static void stack_overflow(int wrong) { recursive_kernel<<<1, 32>>>(ones<int>(32, "d_out"), wrong ? 1000000 : 10); }

__global__ void countdown_kernel(int *out, int step)
{
    for (int i = 10; i != 0; i -= step)
        out[threadIdx.x] = i;
}

static void endless_loop(int wrong)
{
    int *out = ones<int>(32, "d_out");
    simt_set_step_limit(100000);
    countdown_kernel<<<1, 32>>>(out, wrong ? 0 : 1);
}

extern "C" void count_for_ever(int *out, int threads) { countdown_kernel<<<1, threads>>>(out, 0); }

/* Not volatile: the compiler reads the flag once. */
__global__ void forgotten_volatile_kernel(const int *flag, int *out)
{
    while (*flag == 0)
        ;
    out[threadIdx.x] = 1;
}

static void endless_loop_without_access(int wrong)
{
    int *flag = ones<int>(1, "d_flag"), *out = ones<int>(32, "d_out");
    simt_set_step_limit(100000);
    if (wrong)
        cudaMemset(flag, 0, sizeof *flag);
    forgotten_volatile_kernel<<<1, 32>>>(flag, out);
}

__global__ void wait_kernel(int *flag, int wanted)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
        while (atomicAdd(flag, 0) != wanted)
            ;
}

static void endless_wait(int wrong)
{
    int *flag = ones<int>(1, "d_flag");
    simt_set_step_limit(20000);
    wait_kernel<<<2, 32>>>(flag, wrong ? 7 : 1);
}

extern "C" void wait_for_nobody(void)
{
    int *flag = ones<int>(1, "d_flag");
    wait_kernel<<<2, 32>>>(flag, 7);
}

/* ---- said by the kernel itself ---- */

__global__ void assert_kernel(int *out, int n) { assert(threadIdx.x < (unsigned)n); out[threadIdx.x] = 1; }

static void assertion(int wrong) { assert_kernel<<<1, 32>>>(ones<int>(32, "d_out"), wrong ? 31 : 32); }

__global__ void trap_kernel(int *out, int wrong)
{
    if (wrong)
        __trap();
    out[threadIdx.x] = 1;
}

static void trap(int wrong) { trap_kernel<<<1, 32>>>(ones<int>(32, "d_out"), wrong); }

__global__ void clock_kernel(long long *out, int wrong) { out[threadIdx.x] = wrong ? clock64() : 0; }

static void clock_read(int wrong) { clock_kernel<<<1, 32>>>(ones<long long>(32, "d_out"), wrong); }

#ifdef __x86_64__
__global__ void divide_kernel(int *out, int by) { out[threadIdx.x] = 7 / by; }

static void division_by_zero(int wrong) { divide_kernel<<<1, 32>>>(ones<int>(32, "d_out"), wrong ? 0 : 2); }
#endif

/* All lanes store one value, which is looked at when the warp meets again: it does not, and its memory is freed. */
__global__ void stores_then_kernel(float *out, int n)
{
    out[0] = 1;
    if (threadIdx.x == 0)
        out[n] = 2;
}

static void store_of_all_before_a_fault(int wrong)
{ stores_then_kernel<<<1, 32>>>(ones<float>(N, "d_out"), wrong ? N : 1); }

extern "C" const struct mutant MUTANTS[] = {
#define CASE(name, check, error, ...) {#name, name, check, error, {__VA_ARGS__}}
#define BOUNDS(name, ...) CASE(name, SIMT_CHECK_BOUNDS, cudaErrorIllegalAddress, __VA_ARGS__)
#define RACE(name, ...) CASE(name, SIMT_CHECK_RACES, cudaErrorLaunchFailure, __VA_ARGS__)
    BOUNDS(past_the_end, "reads in[256]", "256 elements", "mutants.cu:28", "thread (127,0,0)"),
    BOUNDS(before_the_start, "reads in[-1]", "block (0,0,0)", "thread (0,0,0)"),
    BOUNDS(far_away, "out of bounds", "bytes away from the nearest buffer", "mutants.cu:28"),
    BOUNDS(past_the_end_of_a_part, "reads in[252]", "has 252 elements"),
    BOUNDS(past_the_end_of_both, "reads d_both[256]", "has 256 elements"),
    BOUNDS(store_past_the_end, "writes out[256]", "block (2,0,0), thread (0,0,0)", "store_kernel"),
    BOUNDS(store_of_all_before_a_fault, "writes out[256]"),
    BOUNDS(past_the_last_byte, "in[5]", "5 elements of 1 bytes"),
    BOUNDS(shared_past_the_end, "shared s[128]", "128 elements of 4 bytes"),
    BOUNDS(shared_before_the_start, "shared s[-1]"),
    BOUNDS(shared_far_away, "out of bounds", "shared"),
    BOUNDS(dynamic_forgotten, "shared dynamic memory[0]", "forgotten"),
    BOUNDS(dynamic_too_small, "shared dynamic memory[127]", "127 elements"),
    BOUNDS(use_after_free, "use after free", "in["),
    CASE(null_pointer, 0, cudaErrorIllegalAddress, "null pointer"),
    CASE(before_null, 0, cudaErrorIllegalAddress, "null pointer: reads 4 bytes", ", index -1\n",
         "cudaMalloc of 0 bytes gives NULL"),
    CASE(host_pointer, 0, cudaErrorIllegalAddress, "not device memory"),
    CASE(host_variable, 0, cudaErrorIllegalAddress, "not device memory"),
    CASE(constant_written, 0, cudaErrorIllegalAddress, "constant memory: writes 4 bytes", "cudaMemcpyToSymbol"),
    BOUNDS(across_the_end, "reads in[31]", "31 elements of 16 bytes and 8 bytes"),
    CASE(misaligned_vector, SIMT_CHECK_ALIGNMENT, cudaErrorMisalignedAddress, "misaligned", "16 bytes", "in[0]"),
    CASE(misaligned_shared_vector, SIMT_CHECK_ALIGNMENT, cudaErrorMisalignedAddress, "misaligned", "8 bytes", "s[1]"),
    CASE(uninitialised_global, SIMT_CHECK_UNINITIALISED, cudaErrorLaunchFailure, "uninitialised", "in[255]"),
    CASE(uninitialised_shared, SIMT_CHECK_UNINITIALISED, cudaErrorLaunchFailure, "uninitialised", "s[127]"),
    RACE(race_read_write, "race on shared memory", "mutants.cu:", "__syncthreads"),
    RACE(race_write_after_read, "race on shared memory", "__syncthreads"),
    RACE(race_write_write, "race on shared memory", "writes shared s,", "has written",
         "several warps store one element: combine their values first"),
    RACE(race_in_warp_read_write, "race on shared memory", "has read", "__syncwarp"),
    RACE(race_volatile_is_no_sync, "race on shared memory", "has read", "__syncwarp"),
    RACE(race_in_warp_write_write, "race on shared memory", "same warp", "has written",
         "several lanes store one element: combine their values first"),
    RACE(race_in_one_store, "race on global memory", "same warp", "out["),
    RACE(race_between_half_warps, "race on shared memory", "same warp"),
    RACE(race_with_a_block_that_read, "race on global memory", "total[0]",
         "a thread of another block has read, before this block read it at ", "use atomics"),
    RACE(race_with_a_warp_that_read, "race on shared memory", "word", "which thread (0,0,0) has read",
         "put a __syncthreads() between"),
    RACE(race_with_a_lane_that_read, "race on shared memory", "word",
         "which another thread has read, before this thread read it at ", "put a __syncwarp() (or __syncthreads()) between"),
    RACE(race_of_one_statement, "race on shared memory: reads shared sum",
         "both are one statement: every thread updates this element", "atomicAdd", "add in a tree"),
    RACE(race_of_two_statements, "race on global memory", "counter[0]", "both threads read this element, then write it",
         "atomicAdd"),
    RACE(race_of_rounds, "race on shared memory", "reads shared s[", "put a __sync", "between the two accesses"),
    RACE(race_between_blocks, "race on global memory", "total[0]", "both are one statement", "atomics"),
    RACE(race_with_next_block, "race on global memory", "data["),
    RACE(race_without_fence, "race on global memory", "partial[", "__threadfence"),
    RACE(race_flag_without_fence, "race on global memory", "data[0]", "block (0,0,0)"),
    CASE(barrier_skipped, SIMT_CHECK_BARRIERS, cudaErrorLaunchFailure, "barrier skipped", "100 of 128",
         "thread (100,0,0)"),
    CASE(barrier_in_divergent_code, SIMT_CHECK_BARRIERS, cudaErrorLaunchFailure, "barrier in divergent code"),
    CASE(shuffle_lanes_missing, SIMT_CHECK_WARP_OPS, cudaErrorLaunchFailure, "__shfl_down_sync",
         "16 lanes that never arrive", "lane 16 has returned"),
    CASE(vote_lanes_missing, 0, cudaErrorLaunchFailure, "__ballot_sync", "24 lanes", "__syncwarp"),
    CASE(shuffle_from_inactive, SIMT_CHECK_WARP_OPS, cudaErrorLaunchFailure, "reads from lane 20",
         "does not take part"),
    CASE(shuffle_not_in_mask, SIMT_CHECK_WARP_OPS, cudaErrorLaunchFailure, "does not name lane 8"),
    CASE(shuffle_from_nowhere, SIMT_CHECK_WARP_OPS, cudaErrorLaunchFailure, "does not exist"),
    CASE(empty_grid, 0, cudaErrorInvalidConfiguration, "store_kernel", "the grid (0,1,1) is empty"),
    CASE(block_too_large, 0, cudaErrorInvalidConfiguration, "1024"),
    CASE(too_much_shared, 0, cudaErrorInvalidConfiguration, "49153", "cudaFuncSetAttribute"),
    CASE(stack_overflow, 0, cudaErrorHardwareStackError, "stack overflow", "recursive_kernel"),
    CASE(endless_loop, 0, cudaErrorLaunchTimeout, "endless loop", "100000 steps"),
    CASE(endless_loop_without_access, 0, cudaErrorLaunchTimeout, "endless loop", "forgotten_volatile_kernel"),
    CASE(endless_wait, 0, cudaErrorLaunchTimeout, "endless loop"),
    CASE(assertion, 0, cudaErrorAssert, "assertion failed", "thread (31,0,0)"),
    CASE(trap, 0, cudaErrorLaunchFailure, "__trap"),
    CASE(clock_read, 0, cudaErrorNotSupported, "clock64"),
#ifdef __x86_64__ /* AArch64, like a GPU, divides by zero without a word */
    CASE(division_by_zero, 0, cudaErrorLaunchFailure, "division by zero"),
#endif
};
extern "C" const int N_MUTANTS = sizeof MUTANTS / sizeof MUTANTS[0];
