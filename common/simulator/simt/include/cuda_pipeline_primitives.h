/*
 * cuda_pipeline_primitives.h - asynchronous copies from global to shared memory, as functions.  Here each is done at
 * once, as cp.async is.  An access before the wait is reported.
 */
#ifndef SIMT_CUDA_PIPELINE_PRIMITIVES_H
#define SIMT_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_awbarrier_primitives.h"

/* 4, 8 or 16 bytes, the last `zeros` of which become 0. */
SIMT_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0)
{
    if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes)
        simt_trap();
    simt_ptx::cp_async<uint32_t>((char *)to, (const char *)from, (int)bytes, (int)(bytes - zeros));
}
SIMT_INLINE void __pipeline_commit() { simt_async_commit(); }
SIMT_INLINE void __pipeline_wait_prior(size_t prior) { simt_async_wait((unsigned)prior); }
/* The barrier waits for the copies of this thread, which are there: one arrival more, and that one is made. */
SIMT_INLINE void __pipeline_arrive_on(__mbarrier_t *b) { simt_ptx::async_arrive<uint64_t>((char *)b); }

#endif
