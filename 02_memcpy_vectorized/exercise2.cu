/*
 * Exercise 2 - sixteen bytes per thread.
 *
 * The copy also XORs byte i with a key, the low eight bits of i: d_to[i] = d_from[i] ^ (i & 255).
 *
 * v1 copies one unit per thread.  Copy whole vectors instead, as wide as both addresses allow, and the few bytes after
 * the last vector one by one; with_key() below applies the key.  The macro at the end of the file chooses the widest
 * vector, V.  The contract (chapter.h) holds for every i < bytes, any bytes, any alignment; nothing outside the
 * two ranges is read or written.  The skeleton copies nothing, so the test rejects it:
 *
 *     make exercise N=2 E=2
 *     make run N=2 STUDENT=work/02/e2.cu ARGS="--wide --only v1,v5,student"
 *     make grade N=2 E=2 STUDENT=work/02/e2.cu
 */
#include "chapter.h"

EXERCISE(COUNTED) // the function that make run compares with

enum { BLOCK = 256 };

// Returns v, whose first byte is byte i of the copy, XORed with the key.
template <typename V> static __device__ V with_key(V v, size_t i)
{
    unsigned char *byte = (unsigned char *)&v;
    for (unsigned k = 0; k < sizeof(V); ++k) byte[k] ^= (unsigned char)(i + k);
    return v;
}

// V is the widest of uint4, uint2, unsigned, unsigned short and unsigned char that both addresses are aligned to.
template <typename V>
__global__ void memcpy_student_kernel(V *__restrict__ to, const V *__restrict__ from, size_t bytes)
{
    // TODO: copy whole vectors, and the bytes after the last one
    (void)to, (void)from, (void)bytes, (void)with_key<V>;
}

template <typename V>
static cudaError_t memcpy_student_launch(V *d_to, const V *d_from, size_t bytes, cudaStream_t stream)
{
    // TODO: how many blocks?
    memcpy_student_kernel<V><<<1, BLOCK, 0, stream>>>(d_to, d_from, bytes);
    return cudaGetLastError();
}

MEMCPY_STEP(memcpy_student, 16)
