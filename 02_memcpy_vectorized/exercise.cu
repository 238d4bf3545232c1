/*
 * exercise.cu - your own step: an inverted copy that asks for every vector of the source once
 *
 * The copy also inverts every bit: d_to[i] = ~d_from[i].
 *
 * v9 loads most vectors of a misaligned source twice: as the second half of one store and the first half
 * of the next.  The next lane of the warp has just loaded the vector that a lane still needs: fetch it from
 * there (__shfl_down_sync), and let only the last lane load one more.
 *
 *     make exercise N=2 E=1
 *     make run N=2 STUDENT=work/02/e1.cu ARGS="--wide --misalign-from 1 --only v9,student"
 *
 * adds your row below that of v9; make grade N=2 E=1 STUDENT=FILE grades it.
 * Without a GPU, look at ld_sect (--wide shows it): v9 needs about twice the sectors of an
 * aligned copy; yours should need 17 or 18 for every 16.  Then try other offsets,
 * ARGS="--alignments", and no ARGS at all.
 *
 * The contract (chapter.h): d_to[i] = ~d_from[i] for every i < bytes, any bytes, any alignment; nothing outside the
 * two ranges is read or written; ranges that overlap are rejected.  Every lane in the mask of a shuffle has to
 * execute it, also the lanes beyond the end of the data.
 *
 * The skeleton copies only the first and last few bytes, so the test rejects it.
 */
#include "chapter.h"

EXERCISE(INVERTED) // the function that make run compares with

enum { WIDTH = 16, SECTOR = 32, BLOCK = 256 };

// Returns the 16 bytes that start `shift` bytes into the 32 bytes of a and b.
static __device__ uint4 shifted(uint4 a, uint4 b, unsigned shift)
{
    if (shift & 8) a.x = a.z, a.y = a.w, a.z = b.x, a.w = b.y, b.x = b.z, b.y = b.w;
    if (shift & 4) a.x = a.y, a.y = a.z, a.z = a.w, a.w = b.x, b.x = b.y;
    const unsigned bits = 8 * (shift & 3);
    return make_uint4(__funnelshift_r(a.x, a.y, bits), __funnelshift_r(a.y, a.z, bits),
                      __funnelshift_r(a.z, a.w, bits), __funnelshift_r(a.w, b.x, bits));
}

// The parts of a copy: `head` bytes up to a sector boundary of the target, `units` vectors, the remaining bytes.
struct parts {
    size_t head, units;
    unsigned shift; // a target vector's bytes start this far into a vector of the source
};

static parts parts_of(const void *to, const void *from, size_t bytes)
{
    parts p = {(SECTOR - (size_t)to % SECTOR) % SECTOR, 0, 0};
    p.shift = (unsigned)(((size_t)from + p.head) % WIDTH);
    if (p.shift > p.head) p.head += SECTOR; // or the first load would begin before the source
    if (p.head > bytes) p.head = bytes;
    p.units = (bytes - p.head) / WIDTH;
    // Drop the last vector if its second load would end after the source.
    if (p.shift > 0 && p.units > 0 && bytes - p.head - p.units * WIDTH < WIDTH - p.shift) --p.units;
    return p;
}

__global__ void __launch_bounds__(BLOCK)
    memcpy_student_kernel(unsigned char *__restrict__ to, const unsigned char *__restrict__ from, size_t bytes, parts p)
{
    const size_t thread = (size_t)blockIdx.x * BLOCK + threadIdx.x, tail = p.head + p.units * WIDTH;
    [[maybe_unused]] uint4 *to16 = (uint4 *)(to + p.head);
    [[maybe_unused]] const uint4 *from16 = (const uint4 *)(from + p.head - p.shift);

    // TODO: thread i stores to16[i], for every i < p.units.  Its bytes lie in from16[i] and, if p.shift > 0, in
    // from16[i + 1] (then from16[p.units] exists).  shifted(a, b, p.shift) extracts them from the two.
    (void)shifted;

    // Copy the bytes before the vectors (fewer than 48) and after them (fewer than 32).
    if (thread < p.head) to[thread] = ~from[thread];
    if (tail + thread < bytes) to[tail + thread] = ~from[tail + thread];
}

static cudaError_t memcpy_student_launch(unsigned char *d_to, const unsigned char *d_from, size_t bytes,
                                         cudaStream_t stream)
{
    const parts p = parts_of(d_to, d_from, bytes);
    const size_t blocks = p.units < BLOCK ? 1 : (p.units + BLOCK - 1) / BLOCK;
    memcpy_student_kernel<<<(unsigned)blocks, BLOCK, 0, stream>>>(d_to, d_from, bytes, p);
    return cudaGetLastError();
}

MEMCPY_BYTES_STEP(memcpy_student)
