/*
 * cuda_awbarrier_primitives.h - barriers at which a thread arrives at one place and waits at another, as functions;
 * what a barrier is: simt_mbarrier.h.
 */
#ifndef SIMT_CUDA_AWBARRIER_PRIMITIVES_H
#define SIMT_CUDA_AWBARRIER_PRIMITIVES_H

#include "cuda_runtime.h"

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

SIMT_INLINE uint32_t __mbarrier_maximum_count() { return (1 << 14) - 1; }
SIMT_INLINE void __mbarrier_init(__mbarrier_t *b, uint32_t expected)
{ simt_ptx::mbarrier_init<uint64_t>((char *)b, expected); }
SIMT_INLINE void __mbarrier_inval(__mbarrier_t *) {}
SIMT_INLINE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *b)
{ return simt_ptx::mbarrier_arrive<uint64_t>((char *)b); }
SIMT_INLINE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *b)
{ return simt_ptx::mbarrier_arrive_drop<uint64_t>((char *)b); }
SIMT_INLINE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) { return token & 0xffff; }

SIMT_INLINE bool __mbarrier_test_wait(__mbarrier_t *b, __mbarrier_token_t token)
{ return simt_ptx::mbarrier_is_past<uint64_t>((char *)b, token); }
SIMT_INLINE bool __mbarrier_test_wait_parity(__mbarrier_t *b, bool parity)
{ return simt_ptx::mbarrier_is_past_parity<uint64_t>((char *)b, parity); }
SIMT_INLINE bool __mbarrier_try_wait(__mbarrier_t *b, __mbarrier_token_t token, uint32_t)
{ return __mbarrier_test_wait(b, token); }
SIMT_INLINE bool __mbarrier_try_wait_parity(__mbarrier_t *b, bool parity, uint32_t)
{ return __mbarrier_test_wait_parity(b, parity); }

#endif
