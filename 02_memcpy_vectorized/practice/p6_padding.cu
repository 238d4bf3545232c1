/*
 * p6_padding - a tile one word wider
 *
 * Kind    repair
 * Idea    A column of a tile that is 32 words wide lies in one bank. One more word per row spreads the column over
 *         all 32 banks.
 * Page    docs/02_memcpy_vectorized.md, "v2"; docs/01_reduce.md, "v3"
 * Task    Tiles of 32 x 32 are transposed in shared memory, and the result is right. The write to the tile has no
 *         bank conflicts; remove those of the read, too.
 * Data    transpose 64,32 128,96
 * Goal    wavefronts <= 768, ld_sectors <= 1536, st_sectors <= 1536
 * Hint    Thread t reads tile[t][y]. At which words are tile[0][y] and tile[1][y], and in which banks?
 * Hint    If rows of the tile were 33 words long, tile[t][y] would be word 33 t + y.
 * Hint    __shared__ float tile[TILE][TILE + 1];
 */
#include "practice.h"

enum { TILE = 32 };

__global__ void transpose(const float *A, float *out, uint32_t rows, uint32_t cols)
{
    __shared__ float tile[TILE][TILE];
    const uint32_t r = blockIdx.y * TILE, c = blockIdx.x * TILE, t = threadIdx.x;
    for (uint32_t y = threadIdx.y; y < TILE; y += 8) tile[y][t] = A[(r + y) * cols + c + t];
    __syncthreads();
    for (uint32_t y = threadIdx.y; y < TILE; y += 8) out[(c + y) * rows + r + t] = tile[t][y];
}

void launch(const practice_t *p) // rows and cols: multiples of 32
{
    transpose<<<dim3(p->cols / TILE, p->rows / TILE), dim3(TILE, 8)>>>(p->A, p->out, p->rows, p->cols);
}
