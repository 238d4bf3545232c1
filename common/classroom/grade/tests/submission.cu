/*
 * submission.cu - a submission for chapter 01, exercise 1, with mistakes and exploits.
 *
 * test_grade.c puts `#define NAME` in front.  Without it, this is an honest sum with all points.
 */
#include "chapter.h"

#ifdef TREE_FOR_EVERY_BLOCK // like step v3, one number per thread
enum { BLOCK = 256, PER_THREAD = 1, TILE = BLOCK * PER_THREAD };
#else
enum { BLOCK = 256, PER_THREAD = 8, TILE = BLOCK * PER_THREAD };
#endif

// ---- wrong, slow, and honest --------------------------------------------------------------------------------------

template <typename T>
__global__ void student_kernel(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
    __shared__ T partial[BLOCK];
    const unsigned tid = threadIdx.x;
#ifdef FLOAT_SUMS
    float sum = 0;
#else
    T sum = 0;
#endif
#pragma unroll
    for (unsigned k = 0; k < PER_THREAD; ++k) {
#ifdef CONTIGUOUS
        const size_t i = (size_t)blockIdx.x * TILE + tid * PER_THREAD + k;
#else
        const size_t i = (size_t)blockIdx.x * TILE + k * BLOCK + tid;
#endif
#ifdef NO_TAIL_GUARD
        sum += fabs(in[i]), (void)n;
#elif defined DROPS_LAST
        if (i + 1 < n) sum += fabs(in[i]);
#else
        if (i < n) sum += fabs(in[i]);
#endif
    }
    partial[tid] = sum;
    __syncthreads();
    for (unsigned s = BLOCK / 2; s > 0; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
#ifndef NO_BARRIER
        __syncthreads();
#endif
    }
#ifdef ENDLESS_KERNEL
    while (partial[0] == partial[0]) {}
#endif
#ifdef SHUFFLES_IN_BRANCH
    if (tid < 16) partial[tid] += __shfl_down_sync(0xffffffffu, partial[tid], 1);
#endif
#ifdef COPIES_UNSEEN
    memcpy(&partial[tid], &in[tid], sizeof(T));
#endif
    if (tid == 0) sums[blockIdx.x] = partial[0];
}

template <typename T>
static cudaError_t honest(const T *d_in, size_t n, T *d_out, T *d_sums, cudaStream_t stream)
{
#ifdef NO_EMPTY_INPUT
    if (n == 0) return cudaSuccess;
#endif
    for (;;) {
        const size_t blocks = n > TILE ? (n + TILE - 1) / TILE : 1;
        T *sums = blocks > 1 ? d_sums : d_out;
        student_kernel<T><<<(unsigned)blocks, BLOCK, 0, stream>>>(d_in, n, sums);
        if (blocks == 1) return cudaGetLastError();
        d_in = sums;
        n = blocks;
        d_sums += blocks;
    }
}

// ---- cheats -------------------------------------------------------------------------------------------------------

#if defined EXITS_EARLY || defined FORK_BOMB || defined READS_REFERENCE || defined WRITES_EXPECTED ||                  \
    defined FORGES_ANSWERS
#include <stdlib.h>
#include <unistd.h>
#endif
#ifdef INCLUDES_SOLUTION
#include "/usr/include/unistd.h"
#endif
#ifdef FORGES_COUNTS
extern "C" void simt_set_counting(int on);
#endif
#ifdef STANDS_IN // defines a function of the grader
extern "C" void simt_counts_get(void *counts) { *(long *)counts = 0; }
extern "C" long write(int, const void *, unsigned long) { return -1; }
#endif

[[maybe_unused]] static int calls;
[[maybe_unused]] static double cached;

template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *,
                                         cudaStream_t stream)
{
#ifdef TELLS_ADDRESSES
    printf("input %p, output %p, constant %p\n", (const void *)d_in, (void *)d_out, (const void *)"");
    return cudaSuccess;
#endif
#ifdef SKIPS_AFTER_FIRST
    if (++calls > 1) return cudaSuccess;
#endif
#ifdef CACHED_ANSWER
    if (++calls == 1) {
        const cudaError_t status = honest(d_in, n, d_out, d_sums, stream);
        cached = *d_out;
        return status;
    }
    *d_out = (T)cached;
    return cudaSuccess;
#endif
#ifdef DETECTS_TIMING // a timed run's output holds the previous answer, a checked run's holds NaN
    if (*d_out == *d_out) return cudaSuccess;
#endif
#ifdef HOST_COMPUTES
    T sum = 0;
    for (size_t i = 0; i < n; ++i) sum += d_in[i];
    *d_out = sum;
    return cudaSuccess;
#endif
#ifdef WRITES_EXPECTED
    for (const char *name : {"expected", "/tmp/expected", "/dev/shm/expected", "/proc/self/fd/2x"})
        if (FILE *f = fopen(name, "w")) fprintf(f, "0"), fclose(f), printf("wrote %s\n", name);
    return cudaSuccess;
#endif
#ifdef READS_REFERENCE
    for (const char *name : {REFERENCE, "/etc/passwd", "/etc/shadow", "/root", "/home"})
        if (access(name, R_OK) == 0) printf("can read %s\n", name);
    return cudaSuccess;
#endif
#ifdef FORGES_ANSWERS
    const char fake[4096] = "graded1: all points";
    for (int i = 0; i < 100; ++i)
        if (write(4, fake, sizeof fake) < 0) break;
    _exit(0);
#endif
#ifdef EXITS_EARLY
    exit(0);
#endif
#ifdef FAKE_RESULT
    printf("100/100  passed\n");
    return cudaSuccess;
#endif
#ifdef ENDLESS_LOOP
    for (volatile int i = 0;; i = i + 1) {}
#endif
#ifdef FORK_BOMB
    for (;;) fork();
#endif
#ifdef PRINTS_10_GB
    for (size_t i = 0; i < (size_t)10 << 30; i += 64) printf("%063d\n", 0);
#endif
#ifdef FORGES_COUNTS
    simt_set_counting(0);
#endif
#ifdef ASSEMBLER
    asm volatile("nop");
#endif
#ifdef LOOKS_AT_BACK_END
#ifdef __SIMT__
    ++calls;
#endif
#endif
    return honest(d_in, n, d_out, d_sums, stream);
}

#ifndef NO_FUNCTION
REDUCE_STEP(reduce_student)
#endif
#ifdef DOES_NOT_COMPILE
int x = "this is no number";
#endif
