/* simt_calls.h - the functions of the runtime that the wrappers for kernels call. */
#ifndef SIMT_CALLS_H
#define SIMT_CALLS_H

#include <stddef.h>
#include <stdint.h>
#include "vector_types.h"

enum simt_warp_op_kind {
    SIMT_SYNCWARP, SIMT_TOGETHER, SIMT_ACTIVEMASK,
    SIMT_SHFL, SIMT_SHFL_UP, SIMT_SHFL_DOWN, SIMT_SHFL_XOR,
    SIMT_BALLOT, SIMT_ANY, SIMT_ALL, SIMT_MATCH_ANY, SIMT_MATCH_ALL,
    SIMT_REDUCE_ADD, SIMT_REDUCE_MIN, SIMT_REDUCE_MAX, SIMT_REDUCE_MIN_SIGNED, SIMT_REDUCE_MAX_SIGNED,
    SIMT_REDUCE_AND, SIMT_REDUCE_OR, SIMT_REDUCE_XOR
};
enum simt_atomic_op {
    SIMT_ADD, SIMT_EXCH, SIMT_CAS, SIMT_MIN, SIMT_MAX, SIMT_AND, SIMT_OR, SIMT_XOR, SIMT_INC, SIMT_DEC,
    SIMT_LOOK       /* a read that does not race with atomics */
};
enum simt_atomic_type {
    SIMT_U32, SIMT_S32, SIMT_U64, SIMT_S64, SIMT_F32, SIMT_F64, SIMT_U16, SIMT_F16, SIMT_BF16, SIMT_F16X2, SIMT_BF16X2,
    SIMT_S16, SIMT_U8, SIMT_S8
};

/* SIMT_TOGETHER: the part of a lane in an operation of the whole warp; the value is its address.  The last lane
 * that arrives calls work(all) of the first lane, with the parts of all lanes, NULL for missing lanes. */
struct simt_part {
    void (*work)(const struct simt_part *const *all);
};

extern "C" {
extern volatile char simt_round_mark;     /* read in each iteration of a loop that is not unrolled */
const uint3 simt_thread_idx(void) __attribute__((const));
const uint3 simt_block_idx(void) __attribute__((const));
const uint3 simt_block_dim(void) __attribute__((const));
const uint3 simt_grid_dim(void) __attribute__((const));
int simt_lane(void) __attribute__((const));      /* the lane in its warp, 0 to 31 */
int simt_in_kernel(void);               /* 0 in host code */
void simt_unset(const char *name);      /* a local variable that is read before it has a value (translate/unset.c) */
/* Waits for all lanes of `mask`; the result depends on `kind`. */
uint64_t simt_warp_op(int kind, unsigned mask, uint64_t value, unsigned argument, unsigned width);
/* Waits for all threads of the block; returns how many of them passed a predicate that is not 0. */
int simt_barrier(int predicate);
/* Barrier `id` of `count` threads, 0: all of the block; who does not wait only arrives. */
int simt_named_barrier(unsigned id, unsigned count, int predicate, int waits);
/* For clusters: the number of blocks; the barrier, as one step or as arrive and wait; the address p of shared
 * memory in the block of that rank, and the rank of an address. */
uint3 simt_cluster_dim(void) __attribute__((const));
void simt_cluster_sync(void);
void simt_cluster_arrive(void);
void simt_cluster_wait(void);
void *simt_cluster_map(const void *p, unsigned rank);
unsigned simt_cluster_rank_of(const void *p);
int simt_in_clusters(const char *kernel, unsigned x, unsigned y, unsigned z);   /* stores __cluster_dims__; returns 0 */
int simt_in_bounds(const void *kernel, unsigned threads);                       /* __launch_bounds__; gives 0 */
/* Asynchronous copies of this thread to shared memory are pending until it waits: for all commits but the last
 * `prior` ones, or for all copies that began with the same `by`, which belong to no commit. */
void simt_async_begin(const void *to, size_t bytes, const void *by);
void simt_async_commit(void);
void simt_async_wait(unsigned prior);
void simt_async_done(const void *by);
uint64_t simt_atomic(void *address, int op, int type, uint64_t operand, uint64_t compare);
/* For a cuda::atomic, which may be a local variable of a thread. */
uint64_t simt_atomic_object(void *address, int op, int type, uint64_t operand, uint64_t compare);
/* c += a b, stored by rows: m x k by k x n, m a multiple of 4, n 8, 16 or 32.  Each sum begins with c and adds in
 * the order of k. */
void simt_product_f32(float *c, const float *a, const float *b, int m, int n, int k);
void simt_product_f64(double *c, const double *a, const double *b, int m, int n, int k);
void simt_product_u32(uint32_t *c, const uint32_t *a, const uint32_t *b, int m, int n, int k);    /* modulo 2^32 */
unsigned simt_carry(void);              /* the carry of this thread's last sum in PTX */
void simt_set_carry(unsigned carry);
void simt_fence(int other_blocks);      /* 0: orders accesses within the block only */
void simt_nanosleep(void);
void simt_trap(void);
int simt_is_cooperative(void);          /* whether the launch is cooperative */
void simt_no_grid(void);                /* reports grid.sync() in a launch that is not cooperative */
void simt_polled(void);                 /* SIMT_POLLED */
long long simt_no_clock(void);         /* clock64() */
void simt_angle(double quarters);      /* counts a sine or cosine of so many quarter turns */
long long simt_nanoseconds(void);      /* %globaltimer */
void simt_enter(const void *kernel);    /* a thread begins this kernel */
void *simt_dynamic_shared(void);
void *simt_device_malloc(size_t bytes); /* malloc in a kernel */
void simt_device_free(void *p);
void *simt_memcpy(void *to, const void *from, size_t bytes); /* the C library's, with checked accesses */
void *simt_memset(void *to, int value, size_t bytes);
void *simt_static_shared(const void *key, const char *name, size_t bytes, size_t align, size_t element);
void *simt_kept_variable(void *first, const char *name, size_t bytes, size_t align);
}

/* Called after a read of a value that another thread may write.  Without hooks (simtcc --unchecked) this is the
 * only sign that the thread may be waiting. */
#ifdef SIMT_UNCHECKED
#define SIMT_POLLED() simt_polled()
#else
#define SIMT_POLLED() ((void)0)
#endif

#endif
