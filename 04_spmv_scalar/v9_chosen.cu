/*
 * spmv_scalar v9 - the format with the least estimated time
 *
 * From    v4
 * Was     Each of v1 to v8 is the best for some matrices and poor for others; v4 does not even fit
 *         into memory for some.
 * Idea    Compute each format's size for this matrix without building it (sizes.c).  Weigh
 *         its bytes by what its kernel wastes, consider the longest loop of one thread
 *         (choose.c, a table), and build the cheapest.
 * Moves   Whatever the chosen format moves.
 * Expect  The time of the best of v1 to v8 on every matrix, or near it.  Set-up takes as long as hundreds
 *         of products, so it pays only for a matrix that is used many times.
 * Still   In every format a thread processes a row alone, and its loads wait for each other.
 *         How many lanes should share a row is chapter 05.
 * Needs   A->format, and its arrays.
 * Launch  As the step it calls.
 * Source  The rule is the table in choose.c.
 */
#include "chapter.h"

extern "C" cudaError_t spmv_scalar_v9(SPMV_SCALAR_ARGS)
{
    // region: step
    switch (A->format) {
    case SPMV_CSR: return spmv_scalar_v1(A, d_x, d_y, stream);
    case SPMV_COO: return spmv_scalar_v3(A, d_x, d_y, stream);
    case SPMV_ELL: return spmv_scalar_v4(A, d_x, d_y, stream);
    case SPMV_DIA: return spmv_scalar_v5(A, d_x, d_y, stream);
    case SPMV_HYB: return spmv_scalar_v6(A, d_x, d_y, stream);
    case SPMV_BSR: return spmv_scalar_v8(A, d_x, d_y, stream);
    // end: step
    default: return cudaErrorInvalidValue;
    }
}
