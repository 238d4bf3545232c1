/* joins.cu - neighbours in shared memory: what nvcc (13.0, sm_90) makes one instruction of, and what not.  One warp. */
#include <cuda_runtime.h>
#include "simt/tests/kernels.h"

enum { WORDS = 1024 };

/* BODY reads or writes s, which other lanes have filled. */
#define KERNEL(name, type, body)                    \
    __global__ void name(float *out, int n)         \
    {                                               \
        __shared__ type s[WORDS];                   \
        const int t = threadIdx.x;                  \
        type r = 0;                                 \
        for (int i = t; i < WORDS; i += n)          \
            s[i] = (type)i;                         \
        __syncthreads();                            \
        body                                        \
        out[t] = (float)r;                          \
    }

KERNEL(pair, float, r = s[2 * t] - s[2 * t + 1];)
KERNEL(neighbours, float, r = s[t] - s[t + 1];)
KERNEL(four, float, r = s[4 * t] - s[4 * t + 1] * s[4 * t + 2] + s[4 * t + 3];)
KERNEL(three_of_four, float, r = s[4 * t] - s[4 * t + 2] * s[4 * t + 3];)
KERNEL(two_apart, float, r = s[4 * t] - s[4 * t + 2];)
KERNEL(two_halves, float, r = s[4 * t + 1] - s[4 * t + 2];)
KERNEL(doubles, double, r = s[2 * t] - s[2 * t + 1];)
KERNEL(rows_of_16, float, for (int k = 0; k < 16; ++k) r += s[t / 16 * 16 + k];)
KERNEL(rows_of_17, float, for (int k = 0; k < 16; ++k) r += s[t / 16 * 17 + k];)
KERNEL(rows_of_18, float, for (int k = 0; k < 16; ++k) r += s[t / 16 * 18 + k];)
KERNEL(all_the_same, float, for (int k = 0; k < n / 2; ++k) r += s[k];)
KERNEL(rolled, float, _Pragma("unroll 1") for (int k = 0; k < n / 2; ++k) r += s[k];)
KERNEL(barrier_between, float, r = s[2 * t]; __syncthreads(); r -= s[2 * t + 1];)
KERNEL(warp_between, float, r = s[2 * t]; __syncwarp(); r -= s[2 * t + 1];)
KERNEL(store_between, float, r = s[2 * t]; s[WORDS - 32 + t] = r; r -= s[2 * t + 1];)
KERNEL(global_between, float, r = s[2 * t]; out[t + 32] = r; r -= s[2 * t + 1];)
KERNEL(read_again, float, r = s[t ^ 1]; out[t + 32] = r; r -= s[t ^ 1];)
KERNEL(perhaps_stored, float, for (int d = 16; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) {
        const float a = s[t];
        const float b = s[t + d];
        if (b < a)
            s[t] = b;
    }
} if (t == 0) r = s[0];)
KERNEL(as_written, float, const volatile float *v = s; r = v[2 * t] - v[2 * t + 1];)
KERNEL(store_pair, float, s[2 * t] = n; s[2 * t + 1] = t; __syncthreads(); r = s[n - t];)
KERNEL(store_three, float, s[4 * t] = n; s[4 * t + 1] = t; s[4 * t + 2] = 1; __syncthreads(); r = s[n - t];)
KERNEL(store_four, float, for (int k = 0; k < 4; ++k) s[4 * t + k] = t * k; __syncthreads(); r = s[n - t];)
KERNEL(store_neighbours, float, s[t] = n; __syncwarp(); s[t + 1] = t; __syncthreads(); r = s[n - t];)

static const join_case_t CASES[] = {
    {"pair", 1, 0}, {"neighbours", 2, 0}, {"four", 1, 0}, {"three of four", 1, 0}, {"two apart", 2, 0},
    {"two of two halves", 2, 0}, {"doubles", 1, 0}, {"rows of 16", 4, 0}, {"rows of 17", 16, 0}, {"rows of 18", 8, 0},
    {"the same for all lanes", 4, 0}, {"a loop that stays rolled", 16, 0}, {"a barrier between", 2, 0},
    {"__syncwarp between", 2, 0}, {"a store between", 2, 1}, {"a store to global memory between", 1, 0},
    {"read again", 1, 0}, {"perhaps stored", 11, 0}, {"volatile", 2, 0}, {"a pair stored", 1, 1},
    {"three stored", 1, 2}, {"four stored", 1, 1}, {"neighbours stored", 1, 2},
};

extern "C" {
const join_case_t *joins(int i, float *out)
{
    static void (*const kernels[])(float *, int) = {
        pair, neighbours, four, three_of_four, two_apart, two_halves, doubles, rows_of_16, rows_of_17, rows_of_18,
        all_the_same, rolled, barrier_between, warp_between, store_between, global_between, read_again, perhaps_stored,
        as_written, store_pair, store_three, store_four, store_neighbours,
    };
    if (i == (int)(sizeof kernels / sizeof *kernels))
        return nullptr;
    kernels[i]<<<1, 32>>>(out, 32);
    return &CASES[i];
}
}
