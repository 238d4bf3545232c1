// grade 2 1 exactly 60: *
// Shifts words of the source together for the target, like step v9, in words of four bytes.
#include "chapter.h"
__global__ void shift(unsigned char *to, const unsigned char *from, size_t bytes, size_t head, size_t words)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < words) {
        const size_t at = (size_t)(from + head) + 4 * i;
        const unsigned off = at % 4, *src = (const unsigned *)(at - off);
        const unsigned low = src[0], high = off ? src[1] : 0u;
        ((unsigned *)(to + head))[i] = __funnelshift_r(low, high, 8 * off);
    }
    if (i < head) to[i] = from[i];
    const size_t tail = head + 4 * words + i;
    if (tail < bytes) to[tail] = from[tail];
}
static cudaError_t memcpy_student_launch(unsigned char *to, const unsigned char *from, size_t bytes, cudaStream_t stream)
{
    size_t head = (4 - (size_t)to % 4) % 4;
    while (head < bytes && (size_t)(from + head) % 4 > head) head += 4; // not before the start of the source
    if (head > bytes) head = bytes;
    size_t words = (bytes - head) / 4;
    if (words > 0 && (size_t)(from + head) % 4) --words; // not after its end
    shift<<<(unsigned)(words / 256 + 1), 256, 0, stream>>>(to, from, bytes, head, words);
    return cudaGetLastError();
}
MEMCPY_BYTES_STEP(memcpy_student)
