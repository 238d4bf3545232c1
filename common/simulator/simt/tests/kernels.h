/* kernels.h - what the .cu files of the simt tests offer to the C tests. */
#ifndef SIMT_TESTS_KERNELS_H
#define SIMT_TESTS_KERNELS_H

#include <cuda_runtime.h>
#include <stdlib.h>

/* How many orders of threads a test tries: under an emulator, which takes thirty times as long, the first ones. */
static inline int orders(int n)
{
    return getenv("RUN_WITH") && n > 2 ? 2 : n;
}

#ifdef __cplusplus
extern "C" {
#endif

/* The groups of tests, one file each; they return how many failed. */
int test_features(void);
int test_counts(void);
int test_checks(void);
int test_kernels(void);
int test_replay(void);
int test_syntax(void);
int test_host_side(void);

/* syntax.cu: how many of its values are wrong. */
struct syntax_case {
    const char *name;
    int (*run)(void);
};
extern const struct syntax_case SYNTAX[];
extern const int N_SYNTAX;
extern const struct syntax_case HOST_SIDE[];     /* host_side.cu */
extern const int N_HOST_SIDE;

/* mutants.cu, mutants_order.cu, mutants_host.cu: wrong != 0 runs the kernel with its mistake, 0 the correct twin. */
struct mutant {
    const char *name;
    void (*run)(int wrong);
    unsigned check;             /* the check that must catch it (simt.h); 0: cannot be turned off */
    cudaError_t error;          /* what later CUDA calls return */
    const char *says[4];        /* all of it stands in the report */
};
extern const struct mutant MUTANTS[], ORDER_MUTANTS[], HOST_MUTANTS[], HOST_SIDE_MUTANTS[];
extern const int N_MUTANTS, N_ORDER_MUTANTS, N_HOST_MUTANTS, N_HOST_SIDE_MUTANTS;
/* test_checks.c: gives a buffer a name, if it is not NULL; all of them are freed after the case. */
void keep_for_case(void *buffer, const char *name);
void free_after_case(void);
float add_up_in_c(const float *numbers, int n);  /* test_checks.c: no hooks in C */
void wait_for_nobody(void);      /* with whatever step limit is set */
void add_too_few(int *out, int threads);        /* one block adds its first 128 numbers */
void store_one_value(int *out);                 /* all 32 lanes of a warp, in one instruction */
void count_for_ever(int *out, int threads);

/* mutants_order.cu: correct kernels that were hard to get right. */
void many_meetings(int *out, int rounds);       /* one warp; 2 * rounds __syncwarps; out[0..31] becomes 1 */
void many_flags(int *flags, int *out, int n);   /* block 0 waits for n others; *out becomes n */
void count_threads(int *total, int n);

/* traffic.cu: kernels whose counts can be worked out by hand.  n threads in blocks of 256. */
void call_in_kernel(void (*f)(void)); /* by one thread */
void copy_strided(const float *in, float *out, int n, int stride, int offset);
void copy_float4(const float4 *in, float4 *out, int n);
void copy_double(const double *in, double *out, int n);
void copy_bytes(const unsigned char *in, unsigned char *out, int n);
void copy_struct(const void *in, void *out, int n);             /* three floats each */
void broadcast(const float *in, float *out, int n);
void gather(const float *in, const int *index, float *out, int n);
void branches(const float *a, const float *b, float *out, int n);
void uneven_loops(const int *length, const float *in, float *out, int n, int stride);
void uneven_rows(const int *offsets, const float *in, float *out,
                 int rows); /* one warp, grid-stride, no store in between */
void loop_with_if(const int *length, const float *in, float *out, int n);
void long_loops(const float *in, float *out, int most);
void shared_strided(float *out, int n, int stride);
/* Case i, and what it asks of shared memory behind its 32 stores; NULL behind the last one (joins.cu). */
typedef struct join_case { const char *name; unsigned loads, stores; } join_case_t;
const join_case_t *joins(int i, float *out);
void shared_wide(float *out, int n, int bytes);                 /* 8 or 16 bytes per lane */
void atomic_add(int *out, int n, int distinct);
void growing(float *out, int n);                                /* more lanes active each round */

/* ladder.cu: real kernels.  Each returns cudaGetLastError(). */
cudaError_t reduce_step(int step, const float *in, float *out, int n);  /* 1..6; out[0] is the sum */
enum { N_REDUCE_STEPS = 6 };
cudaError_t csr_scalar(const int *offsets, const int *columns, const float *values, const float *x, float *y, int rows);
cudaError_t csr_vector(int lanes, const int *offsets, const int *columns, const float *values, const float *x, float *y,
                       int rows);
cudaError_t csr_persistent(const int *offsets, const int *columns, const float *values, const float *x, float *y,
                           int rows, int *counter);
cudaError_t scan_look_back(const int *in, int *out, int n, int *flags, int *sums, int *counter);
cudaError_t grid_barrier(int *data, int *counter, int blocks, int rounds);

/* features.cu: results that the C test knows. */
void run_warp(int *out);                    /* 24 calls by 32 lanes */
void run_tiles(int *out);                   /* 9 calls by 64 threads */
int run_atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d);   /* 512 threads */
void run_shared_once(int *out);
void run_vectors(float *out, const float4 *in, double2 *d, char4 *c);
void run_halves(float *out, const void *h, const void *b, void *h_out);
void run_integers(int *out);
void run_indices(int *out);                 /* grid (2,3,2), block (4,2,3) */
cudaError_t run_large_shared(int *out, int bytes, int opt_in);

#ifdef __cplusplus
}
#endif

#endif
