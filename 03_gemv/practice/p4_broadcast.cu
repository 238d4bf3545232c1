/*
 * p4_broadcast - what the matrix costs, and what x
 *
 * Kind    predict
 * Idea    32 lanes that want the same number make one request of one sector.
 * Page    docs/03_gemv.md, "v17"; docs/before-you-start.md
 * Task    256 rows, COLS columns, by columns, a thread a row. How many load requests and how many sectors, matrix and
 *         x together?
 * Data    free 4096
 * Goal    ld_requests, ld_sectors
 * Hint    How many warps are there? How many loads does each of them make for one column?
 * Hint    8 warps; two loads for a column: of the matrix, and of x. The first moves 4 sectors. And the second?
 * Hint    Requests: 8 * COLS * 2. Sectors: 8 * COLS * (4 + 1).
 */
#include "practice.h"

enum { ROWS = 256, COLS = DRAW(5, 4, 6, 8, 10, 12) };

__global__ void gemv(const float *A, const float *x, float *y)
{
    const unsigned row = blockIdx.x * 128 + threadIdx.x;
    float all = 0;
    for (unsigned c = 0; c < COLS; ++c) all += A[c * ROWS + row] * x[c];
    y[row] = all;
}

void launch(const practice_t *p) { gemv<<<ROWS / 128, 128>>>(p->in, p->in + ROWS * COLS, p->out); }

// answer: ld_requests = ?
// answer: ld_sectors = ?
