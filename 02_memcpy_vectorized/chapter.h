/*
 * 02_memcpy_vectorized - a copy within the GPU's memory: the signature of all steps.
 */
#ifndef MEMCPY_CHAPTER_H
#define MEMCPY_CHAPTER_H

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asked.h"

/* Compulsory bytes of one run: every byte read once and written once. */
static inline size_t memcpy_bytes(size_t bytes) { return 2 * bytes; }

/* True if the two ranges of that many bytes overlap. */
static inline bool memcpy_overlap(const void *to, const void *from, size_t bytes)
{
    const uintptr_t t = (uintptr_t)to, f = (uintptr_t)from;
    return (t < f ? f - t : t - f) < bytes;
}

/* The widest unit, 1 byte to `most` (a power of two), that both addresses are aligned to:
 * the lowest bit that is set in any of the three. */
static inline size_t memcpy_width(const void *to, const void *from, size_t most)
{
    const size_t bits = (size_t)to | (size_t)from | most;
    return bits & (~bits + 1);
}

#ifdef __cplusplus
extern "C" {
#endif

/* A GPU step: d_to[i] = d_from[i] for every byte i < bytes, enqueued on stream.
 *   d_to, d_from   any alignment; ranges that overlap are refused with cudaErrorInvalidValue
 *   bytes          any number, 0 included; nothing outside the two ranges is read or written
 *   unit_bytes     1, 2, 4 or 8: the size of one element of the array that is copied.  v1 and v2 copy it
 *                  as such; the others do not care                                            */
#define MEMCPY_ARGS void *d_to, const void *d_from, size_t bytes, size_t unit_bytes, cudaStream_t stream
typedef cudaError_t (*memcpy_gpu_fn)(MEMCPY_ARGS);

/* A CPU step: the same between two arrays of the host. */
#define MEMCPY_CPU_ARGS void *to, const void *from, size_t bytes, size_t unit_bytes
typedef void (*memcpy_cpu_fn)(MEMCPY_CPU_ARGS);

/* CPU steps that other steps call. */
void memcpy_cpu_loop(MEMCPY_CPU_ARGS);
void memcpy_cpu_nontemporal(MEMCPY_CPU_ARGS);

/* Steps that others call. */
cudaError_t memcpy_v7(MEMCPY_ARGS), memcpy_v9(MEMCPY_ARGS), memcpy_v14(MEMCPY_ARGS);

#ifdef __cplusplus
}

/* Last line of a step file: the C function `name` calls the template `name_launch` with the widest type
 * of at most `most` bytes that both addresses are aligned to. */
#define MEMCPY_STEP(name, most)                                                                       \
    extern "C" cudaError_t name(MEMCPY_ARGS)                                                          \
    {                                                                                                 \
        (void)unit_bytes;                                                                             \
        if (memcpy_overlap(d_to, d_from, bytes)) return cudaErrorInvalidValue;                        \
        if (bytes == 0) return cudaSuccess;                                                           \
        switch (memcpy_width(d_to, d_from, most)) {                                                   \
        case 16: return name##_launch((uint4 *)d_to, (const uint4 *)d_from, bytes, stream);           \
        case 8: return name##_launch((uint2 *)d_to, (const uint2 *)d_from, bytes, stream);            \
        case 4: return name##_launch((unsigned *)d_to, (const unsigned *)d_from, bytes, stream);      \
        case 2: return name##_launch((unsigned short *)d_to, (const unsigned short *)d_from, bytes, stream); \
        default: return name##_launch((unsigned char *)d_to, (const unsigned char *)d_from, bytes, stream);  \
        }                                                                                             \
    }

/* The same for a launcher that gets bytes and determines the aligned parts itself. */
#define MEMCPY_BYTES_STEP(name)                                                                       \
    extern "C" cudaError_t name(MEMCPY_ARGS)                                                          \
    {                                                                                                 \
        (void)unit_bytes;                                                                             \
        if (memcpy_overlap(d_to, d_from, bytes)) return cudaErrorInvalidValue;                        \
        if (bytes == 0) return cudaSuccess;                                                           \
        return name##_launch((unsigned char *)d_to, (const unsigned char *)d_from, bytes, stream);    \
    }
#endif
#endif
