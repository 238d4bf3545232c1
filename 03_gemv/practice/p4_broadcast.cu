/*
 * p4_broadcast - the cost of the matrix, and of x
 *
 * Kind    predict
 * Idea    If 32 lanes read the same number, they make one request of one sector.
 * Page    docs/03_gemv.md, "v17"; docs/before-you-start.md
 * Task    The matrix has 256 rows and COLS columns and is stored by columns; each thread computes one row. How many
 *         load requests and how many sectors do the matrix and x take together?
 * Data    free 4096
 * Goal    ld_requests, ld_sectors
 * Hint    How many warps are there? How many loads does each of them execute for one column?
 * Hint    There are 8 warps with two loads per column: one of the matrix, one of x. The first reads 4 sectors. How
 *         many does the second read?
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
