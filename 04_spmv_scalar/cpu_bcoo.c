/*
 * spmv_scalar c9 - blocked COO with local indices of 8 or 16 bits
 *
 * Was     c8 saves indices only where columns are neighbours.
 * Idea    Cut the matrix into blocks of 256 x 256 (c9/8) or 65536 x 65536 (c9/16).  Within a block a row index and
 *         a column index take one byte each (c9/8) or two (c9/16); the position of the block is stored once.
 * Moves   2 bytes of indices per nonzero (c9/8) instead of 4, or the same 4 (c9/16) without row offsets; 16 bytes
 *         per block; y is cleared first, then read and written once for each block that a row crosses.
 * Expect  Less traffic, but no less time: each product is added to y in memory, and the next one of the same
 *         row waits for that.  It is faster than CSR only where blocks are full and memory is the limit, and
 *         far slower where each block holds a nonzero or two.
 * Still   y is read and written many times; parts of a matrix may need different formats.  (-> c10)
 * Needs   fp32 or fp64.  A set-up that sorts the nonzeros into blocks.
 * Launch  One thread per core (--threads); a thread takes whole rows of blocks, so no two add to the same y, and
 *         c9/16 uses rows / 65536 threads at most.
 * Source  A. Buluc, J. T. Fineman, M. Frigo, J. R. Gilbert, C. E. Leiserson, Compressed Sparse Blocks, SPAA 2009.
 *         Article S4 in docs/sources.md.
 */
#include "cpu_steps.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"

/* bcoo_t with values of the problem's type. */
typedef struct blocks {
    bcoo_t *M; /* its double values have been freed */
    void *values;
} blocks_t;

static int open_blocks(const csr_t *A, const csr_arrays_t *host, int index_bits, void **format, err_t *err)
{
    blocks_t *b = calloc(1, sizeof *b);
    if (!b) return err_set(err, "out of memory");
    *format = b;
    b->M = bcoo_from_csr(A, index_bits, SIZE_MAX, err);
    if (!b->M) return -1;
    b->values = malloc(A->nnz * dtype_size(host->value_type) + 1);
    if (!b->values) return err_set(err, "out of memory for %zu values", A->nnz);
    dtype_from_double(host->value_type, b->values, b->M->values, A->nnz);
    free(b->M->values);
    b->M->values = NULL;
    return 0;
}

int spmv_scalar_bcoo8_open(const csr_t *A, const csr_arrays_t *host, double threshold, void **format, err_t *err)
{
    (void)threshold;
    return open_blocks(A, host, 8, format, err);
}

int spmv_scalar_bcoo16_open(const csr_t *A, const csr_arrays_t *host, double threshold, void **format, err_t *err)
{
    (void)threshold;
    return open_blocks(A, host, 16, format, err);
}

void spmv_scalar_bcoo_close(void *format)
{
    blocks_t *b = format;
    bcoo_free(b->M);
    free(b->values);
    free(b);
}

/* The first block in block row br or later. */
static size_t first_block(const bcoo_t *M, size_t br)
{
    size_t low = 0, high = M->blocks;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((size_t)M->block_rows[middle] < br) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Adds blocks first .. end - 1 to y. */
#define ADD_BLOCKS(LOCAL, T)                                                                  \
    do {                                                                                      \
        const LOCAL *rows = M->local_rows, *columns = M->local_cols;                          \
        const T *values = b->values;                                                          \
        for (size_t block = first; block < end; ++block) {                                    \
            T *out = (T *)y + ((size_t)M->block_rows[block] << M->index_bits);                \
            const T *in = (const T *)x + ((size_t)M->block_cols[block] << M->index_bits);     \
            for (int64_t nz = M->block_offsets[block]; nz < M->block_offsets[block + 1]; ++nz) \
                out[rows[nz]] += values[nz] * in[columns[nz]];                                \
        }                                                                                     \
    } while (0)

void spmv_scalar_bcoo(SPMV_SCALAR_CPU_ARGS)
{
    const blocks_t *b = format;
    const bcoo_t *M = b->M;
    const size_t size = dtype_size(A->value_type), side = (size_t)1 << M->index_bits;
    const size_t block_rows = (A->rows + side - 1) / side;
#pragma omp parallel
    {
        /* c7's cuts, rounded down to a block row; threads between two equal cuts get no work */
        const size_t me = (size_t)omp_get_thread_num(), all = (size_t)omp_get_num_threads();
        const size_t from = first_row_of_part(A, me, all) / side;
        const size_t to = me + 1 == all ? block_rows : first_row_of_part(A, me + 1, all) / side;
        const size_t first_row = from * side, end_row = to * side < A->rows ? to * side : A->rows;
        if (first_row < end_row) memset((char *)y + first_row * size, 0, (end_row - first_row) * size);
        const size_t first = first_block(M, from), end = first_block(M, to);
        if (M->index_bits == 8) {
            if (A->value_type == DTYPE_F64) ADD_BLOCKS(uint8_t, double);
            else ADD_BLOCKS(uint8_t, float);
        } else {
            if (A->value_type == DTYPE_F64) ADD_BLOCKS(uint16_t, double);
            else ADD_BLOCKS(uint16_t, float);
        }
    }
}
