/* formats_block.c - the formats of blocks and diagonals: blocked COO, BSR, DIA; see formats.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats_impl.h"

/* Sets a bit of `stored`. */
static void bit_set(uint8_t *bits, size_t i) { bits[i / 8] |= (uint8_t)(1u << i % 8); }

/* ---- the blocks that hold nonzeros -------------------------------------------------- */

/* Goes through A one block row at a time and lists the block columns that hold its nonzeros. */
typedef struct block_walk {
    const csr_t *A;
    size_t block, block_rows, block_cols;
    int64_t *seen_in; /* [block_cols]  1 + the last block row with a nonzero in it */
    int64_t *count;   /* [block_cols]  how many nonzeros of this block row are in it; the caller may reuse it */
    int32_t *touched; /* [block_cols]  the block columns with nonzeros of this block row, ascending */
} block_walk_t;

static void walk_free(block_walk_t *w)
{
    free(w->seen_in);
    free(w->count);
    free(w->touched);
}

static int walk_start(block_walk_t *w, const csr_t *A, size_t block)
{
    *w = (block_walk_t){A, block, (A->rows + block - 1) / block, (A->cols + block - 1) / block, NULL, NULL, NULL};
    w->seen_in = calloc(w->block_cols + 1, sizeof *w->seen_in);
    w->count = calloc(w->block_cols + 1, sizeof *w->count);
    w->touched = malloc((w->block_cols + 1) * sizeof *w->touched);
    if (w->seen_in && w->count && w->touched) return 0;
    walk_free(w);
    return -1;
}

static int compare_columns(const void *a, const void *b)
{
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

/* Sets *first and *last: the nonzeros of block row br are *first .. *last - 1. */
static void walk_range(const block_walk_t *w, size_t br, int64_t *first, int64_t *last)
{
    size_t end = (br + 1) * w->block;
    *first = w->A->row_offsets[br * w->block];
    *last = w->A->row_offsets[end < w->A->rows ? end : w->A->rows];
}

/* Fills touched[] and count[] for block row br; returns the number of touched block columns. */
static size_t walk_row(block_walk_t *w, size_t br)
{
    size_t blocks = 0;
    int64_t first, last;
    walk_range(w, br, &first, &last);
    for (int64_t nz = first; nz < last; ++nz) {
        size_t bc = (size_t)w->A->col_indices[nz] / w->block;
        if (w->seen_in[bc] != (int64_t)br + 1) {
            w->seen_in[bc] = (int64_t)br + 1;
            w->count[bc] = 0;
            w->touched[blocks++] = (int32_t)bc;
        }
        ++w->count[bc];
    }
    qsort(w->touched, blocks, sizeof *w->touched, compare_columns);
    return blocks;
}

/* Counts all blocks of A, and resets the walk to the first block row. */
static size_t walk_count(block_walk_t *w)
{
    size_t blocks = 0;
    for (size_t br = 0; br < w->block_rows; ++br) blocks += walk_row(w, br);
    memset(w->seen_in, 0, (w->block_cols + 1) * sizeof *w->seen_in);
    return blocks;
}

/* ---- blocked COO --------------------------------------------------------------- */

FORMATS_FREE(bcoo, M->block_rows, M->block_cols, M->block_offsets, M->local_rows, M->local_cols, M->values)

static bcoo_t *bcoo_alloc(const csr_t *A, int index_bits, size_t blocks)
{
    bcoo_t *M = calloc(1, sizeof *M);
    if (!M) return NULL;
    *M = (bcoo_t){.rows = A->rows, .cols = A->cols, .nnz = A->nnz, .blocks = blocks, .index_bits = index_bits};
    M->block_rows = malloc((blocks + 1) * sizeof *M->block_rows);
    M->block_cols = malloc((blocks + 1) * sizeof *M->block_cols);
    M->block_offsets = calloc(blocks + 1, sizeof *M->block_offsets);
    M->local_rows = malloc((A->nnz + 1) * (size_t)(index_bits / 8));
    M->local_cols = malloc((A->nnz + 1) * (size_t)(index_bits / 8));
    M->values = malloc((A->nnz + 1) * sizeof *M->values);
    if (!M->block_rows || !M->block_cols || !M->block_offsets || !M->local_rows || !M->local_cols || !M->values)
        return bcoo_free(M);
    return M;
}

static void local_set(void *indices, int bits, int64_t i, size_t value)
{
    if (bits == 8) ((uint8_t *)indices)[i] = (uint8_t)value;
    else ((uint16_t *)indices)[i] = (uint16_t)value;
}

/* Sorts each block row by a counting sort: count[] becomes the index of each block's next entry. */
static void bcoo_fill(bcoo_t *M, block_walk_t *w)
{
    const csr_t *A = w->A;
    size_t b = 0;
    for (size_t br = 0; br < w->block_rows; ++br) {
        size_t touched = walk_row(w, br);
        for (size_t i = 0; i < touched; ++i, ++b) {
            M->block_rows[b] = (int32_t)br;
            M->block_cols[b] = w->touched[i];
            M->block_offsets[b + 1] = M->block_offsets[b] + w->count[w->touched[i]];
            w->count[w->touched[i]] = M->block_offsets[b];
        }
        for (size_t r = br * w->block; r < (br + 1) * w->block && r < A->rows; ++r) {
            for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
                int64_t to = w->count[(size_t)A->col_indices[nz] / w->block]++;
                local_set(M->local_rows, M->index_bits, to, r % w->block);
                local_set(M->local_cols, M->index_bits, to, (size_t)A->col_indices[nz] % w->block);
                M->values[to] = A->values[nz];
            }
        }
    }
}

bcoo_t *bcoo_from_csr(const csr_t *A, int index_bits, size_t max_bytes, err_t *err)
{
    if (index_bits != 8 && index_bits != 16)
        return err_null(err, "blocked COO with %d-bit indices: 8 or 16", index_bits);
    block_walk_t w;
    if (walk_start(&w, A, (size_t)1 << index_bits)) return formats_no_memory("blocked COO", err);
    bcoo_t *M = NULL;
    size_t blocks = walk_count(&w);
    double bytes = 16.0 * (double)blocks + (8.0 + 2 * index_bits / 8) * (double)A->nnz;
    if (formats_fits("blocked COO", bytes, max_bytes, err) == 0) {
        M = bcoo_alloc(A, index_bits, blocks);
        if (M) bcoo_fill(M, &w);
        else formats_no_memory("blocked COO", err);
    }
    walk_free(&w);
    return M;
}

size_t bcoo_bytes(const bcoo_t *M, dtype_t type)
{
    return M->blocks * (4 + 4) + (M->blocks + 1) * formats_offset_bytes(M->nnz) +
           M->nnz * (2 * (size_t)M->index_bits / 8 + dtype_size(type));
}

/* ---- BSR -------------------------------------------------------------------------- */

FORMATS_FREE(bsr, M->row_offsets, M->col_indices, M->values, M->stored)

static bsr_t *bsr_alloc(const block_walk_t *w, size_t blocks, bool row_major)
{
    bsr_t *M = calloc(1, sizeof *M);
    if (!M) return NULL;
    size_t slots = blocks * w->block * w->block;
    *M = (bsr_t){.rows = w->A->rows, .cols = w->A->cols, .block = w->block, .block_rows = w->block_rows,
                 .block_cols = w->block_cols, .blocks = blocks, .row_major = row_major};
    M->row_offsets = calloc(w->block_rows + 1, sizeof *M->row_offsets);
    M->col_indices = malloc((blocks + 1) * sizeof *M->col_indices);
    M->values = calloc(slots + 1, sizeof *M->values);
    M->stored = calloc(slots / 8 + 1, 1);
    if (!M->row_offsets || !M->col_indices || !M->values || !M->stored) return bsr_free(M);
    return M;
}

/* Returns the index of element (i, j) of block b. */
static size_t bsr_slot(const bsr_t *M, size_t b, size_t i, size_t j)
{
    return (b * M->block + (M->row_major ? i : j)) * M->block + (M->row_major ? j : i);
}

static void bsr_fill(bsr_t *M, block_walk_t *w)
{
    const csr_t *A = w->A;
    size_t b = 0;
    for (size_t br = 0; br < M->block_rows; ++br) {
        size_t touched = walk_row(w, br);
        for (size_t i = 0; i < touched; ++i, ++b) {
            M->col_indices[b] = w->touched[i];
            w->count[w->touched[i]] = (int64_t)b; /* from here on count[] holds the number of the block */
        }
        M->row_offsets[br + 1] = (int64_t)b;
        for (size_t r = br * M->block; r < (br + 1) * M->block && r < A->rows; ++r) {
            for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
                size_t col = (size_t)A->col_indices[nz];
                size_t slot = bsr_slot(M, (size_t)w->count[col / M->block], r % M->block, col % M->block);
                M->values[slot] = A->values[nz];
                bit_set(M->stored, slot);
            }
        }
    }
}

bsr_t *bsr_from_csr(const csr_t *A, size_t block, bool row_major, size_t max_bytes, err_t *err)
{
    if (block == 0 || block > 1024) return err_null(err, "BSR with blocks of %zu: 1 to 1024", block);
    block_walk_t w;
    if (walk_start(&w, A, block)) return formats_no_memory("BSR", err);
    bsr_t *M = NULL;
    size_t blocks = walk_count(&w);
    char name[96];
    snprintf(name, sizeof name, "BSR of %zu blocks %zu x %zu", blocks, block, block);
    double bytes = 8.0 * (double)w.block_rows + (4 + 8.125 * (double)(block * block)) * (double)blocks;
    if (formats_fits(name, bytes, max_bytes, err) == 0) {
        M = bsr_alloc(&w, blocks, row_major);
        if (M) bsr_fill(M, &w);
        else formats_no_memory(name, err);
    }
    walk_free(&w);
    return M;
}

size_t bsr_bytes(const bsr_t *M, dtype_t type)
{
    return (M->block_rows + 1) * formats_offset_bytes(M->blocks) + M->blocks * 4 +
           M->blocks * M->block * M->block * dtype_size(type);
}

/* ---- DIA ----------------------------------------------------------------------------- */

FORMATS_FREE(dia, M->offsets, M->values, M->stored)

/* Sets index[col - row + rows] to 1 + the number of this diagonal, or to 0 if A has no nonzero on it.
 * Returns the number of diagonals: up to 2^32 - 3. */
static size_t number_diagonals(const csr_t *A, uint32_t *index)
{
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz)
            index[(size_t)A->col_indices[nz] + A->rows - r] = 1;
    size_t diagonals = 0;
    for (size_t i = 0; i < A->rows + A->cols; ++i)
        if (index[i]) index[i] = (uint32_t)++diagonals;
    return diagonals;
}

static dia_t *dia_alloc(const csr_t *A, size_t diagonals)
{
    dia_t *M = calloc(1, sizeof *M);
    if (!M) return NULL;
    *M = (dia_t){.rows = A->rows, .cols = A->cols, .diagonals = diagonals};
    M->offsets = malloc((diagonals + 1) * sizeof *M->offsets);
    M->values = calloc(diagonals * A->rows + 1, sizeof *M->values);
    M->stored = calloc(diagonals * A->rows / 8 + 1, 1);
    if (!M->offsets || !M->values || !M->stored) return dia_free(M);
    return M;
}

static void dia_fill(dia_t *M, const csr_t *A, const uint32_t *index)
{
    for (size_t i = 0; i < A->rows + A->cols; ++i)
        if (index[i]) M->offsets[index[i] - 1] = (int32_t)((int64_t)i - (int64_t)A->rows);
    for (size_t r = 0; r < A->rows; ++r) {
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
            size_t slot = (size_t)(index[(size_t)A->col_indices[nz] + A->rows - r] - 1) * A->rows + r;
            M->values[slot] = A->values[nz];
            bit_set(M->stored, slot);
        }
    }
}

dia_t *dia_from_csr(const csr_t *A, size_t max_bytes, err_t *err)
{
    uint32_t *index = calloc(A->rows + A->cols + 1, sizeof *index);
    if (!index) return formats_no_memory("DIA", err);
    dia_t *M = NULL;
    size_t diagonals = number_diagonals(A, index);
    char name[96];
    snprintf(name, sizeof name, "DIA of %zu diagonals of %zu rows", diagonals, A->rows);
    if (formats_fits(name, (8.125 * (double)A->rows + 4) * (double)diagonals, max_bytes, err) == 0) {
        M = dia_alloc(A, diagonals);
        if (M) dia_fill(M, A, index);
        else formats_no_memory(name, err);
    }
    free(index);
    return M;
}

size_t dia_bytes(const dia_t *M, dtype_t type) { return M->diagonals * (4 + M->rows * dtype_size(type)); }
