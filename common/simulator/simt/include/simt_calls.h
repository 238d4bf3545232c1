/* simt_calls.h - the few functions of the runtime that everything in a kernel comes down to. */
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
    SIMT_LOOK       /* a read, which races with no atomic */
};
enum simt_atomic_type {
    SIMT_U32, SIMT_S32, SIMT_U64, SIMT_S64, SIMT_F32, SIMT_F64, SIMT_U16, SIMT_F16, SIMT_BF16, SIMT_F16X2, SIMT_BF16X2,
    SIMT_S16, SIMT_U8, SIMT_S8
};

/* SIMT_TOGETHER: what a lane hands over (the value is its address) when a warp does something at once.  Whoever comes
   last calls work(all) of the first one, with the parts of all lanes, NULL for those that are not there. */
struct simt_part {
    void (*work)(const struct simt_part *const *all);
};

extern "C" {
extern volatile char simt_round_mark;     /* read at each round of a loop that stays rolled */
const uint3 simt_thread_idx(void) __attribute__((const));
const uint3 simt_block_idx(void) __attribute__((const));
const uint3 simt_block_dim(void) __attribute__((const));
const uint3 simt_grid_dim(void) __attribute__((const));
int simt_lane(void) __attribute__((const));      /* of the warp, 0 to 31 */
int simt_in_kernel(void);               /* 0: this is host code */
void simt_unset(const char *name);      /* a local variable that is read before it has a value (translate/unset.c) */
/* All lanes of `mask` meet; what each gets back depends on `kind`. */
uint64_t simt_warp_op(int kind, unsigned mask, uint64_t value, unsigned argument, unsigned width);
/* All threads of the block meet; returns how many passed a predicate that is not 0. */
int simt_barrier(int predicate);
/* Barrier `id` of `count` threads, 0: all of the block; who does not wait only arrives. */
int simt_named_barrier(unsigned id, unsigned count, int predicate, int waits);
/* Of clusters: how many blocks one has; its barrier, at once or apart; p of shared memory in the block of that rank,
   and whose it is. */
uint3 simt_cluster_dim(void) __attribute__((const));
void simt_cluster_sync(void);
void simt_cluster_arrive(void);
void simt_cluster_wait(void);
void *simt_cluster_map(const void *p, unsigned rank);
unsigned simt_cluster_rank_of(const void *p);
int simt_in_clusters(const char *kernel, unsigned x, unsigned y, unsigned z);   /* __cluster_dims__; gives 0 */
int simt_in_bounds(const void *kernel, unsigned threads);                       /* __launch_bounds__; gives 0 */
/* What this thread has copied to shared memory is under way, until it waits: for all commits but the last `prior` ones,
   or for all that has been begun with the same `by`, which counts in no commit. */
void simt_async_begin(const void *to, size_t bytes, const void *by);
void simt_async_commit(void);
void simt_async_wait(unsigned prior);
void simt_async_done(const void *by);
uint64_t simt_atomic(void *address, int op, int type, uint64_t operand, uint64_t compare);
/* Of a cuda::atomic, which may be a thread's own variable. */
uint64_t simt_atomic_object(void *address, int op, int type, uint64_t operand, uint64_t compare);
/* c += a b, row by row: m x k by k x n, m a multiple of 4, n 8, 16 or 32.  The sums begin with c, in the order of k. */
void simt_product_f32(float *c, const float *a, const float *b, int m, int n, int k);
void simt_product_f64(double *c, const double *a, const double *b, int m, int n, int k);
void simt_product_u32(uint32_t *c, const uint32_t *a, const uint32_t *b, int m, int n, int k);    /* modulo 2^32 */
unsigned simt_carry(void);              /* of this thread's last sum in PTX */
void simt_set_carry(unsigned carry);
void simt_fence(int other_blocks);      /* 0: for the own block only */
void simt_nanosleep(void);
void simt_trap(void);
int simt_is_cooperative(void);          /* has its launch promised that all blocks run at once? */
void simt_no_grid(void);                /* they are to meet all the same */
void simt_polled(void);                 /* SIMT_POLLED */
long long simt_no_clock(void);         /* clock64() */
void simt_angle(double quarters);      /* a sine or cosine of so many quarters of a turn */
long long simt_nanoseconds(void);      /* %globaltimer */
void simt_enter(const void *kernel);    /* a thread is about to call that kernel */
void *simt_dynamic_shared(void);
void *simt_device_malloc(size_t bytes); /* malloc in a kernel */
void simt_device_free(void *p);
void *simt_memcpy(void *to, const void *from, size_t bytes); /* the C library's, looked at */
void *simt_memset(void *to, int value, size_t bytes);
void *simt_static_shared(const void *key, const char *name, size_t bytes, size_t align, size_t element);
void *simt_kept_variable(void *first, const char *name, size_t bytes, size_t align);
}

/* Behind a look at what another thread may be about to write: without hooks (simtcc --unchecked) nobody else knows that
   this thread may be waiting. */
#ifdef SIMT_UNCHECKED
#define SIMT_POLLED() simt_polled()
#else
#define SIMT_POLLED() ((void)0)
#endif

#endif
