/* sizes.c - computes the size of a matrix in each format without building the format. */
#include <stdlib.h>

#include "formats.h"
#include "spmv_scalar.h"

enum { SELL_SLICE = 32 };

static const char *const NAMES[FORM_COUNT] = {"CSR",  "COO",  "ELL",   "DIA",    "HYB",    "BSR2",
                                              "BSR3", "BSR4", "CSRL", "BCOO8", "BCOO16", "SELL32"};

const char *form_name(form_t f) { return NAMES[f]; }

static size_t row_length(const csr_t *A, size_t r) { return (size_t)(A->row_offsets[r + 1] - A->row_offsets[r]); }

static size_t longest_row(const csr_t *A, size_t first, size_t end)
{
    size_t longest = 0;
    for (size_t r = first; r < end && r < A->rows; ++r)
        longest = row_length(A, r) > longest ? row_length(A, r) : longest;
    return longest;
}

/* 4 if the largest offset fits into an int32_t, else 8. */
static size_t offset_bytes(size_t largest) { return largest <= INT32_MAX ? 4 : 8; }

/* The number of nonempty `block` x `block` blocks; *longest gets the most blocks in a block row. */
static int count_blocks(const csr_t *A, size_t block, size_t *blocks, size_t *longest, err_t *err)
{
    size_t *seen = calloc(A->cols / block + 1, sizeof *seen); /* 1 + the block row that last had this column */
    *blocks = *longest = 0;
    if (!seen) return err_set(err, "out of memory");
    for (size_t first = 0; first < A->rows; first += block) {
        const size_t before = *blocks, mark = first / block + 1;
        const size_t end = first + block < A->rows ? first + block : A->rows;
        for (int64_t nz = A->row_offsets[first]; nz < A->row_offsets[end]; ++nz) {
            size_t *s = &seen[(size_t)A->col_indices[nz] / block];
            *blocks += *s != mark;
            *s = mark;
        }
        *longest = *blocks - before > *longest ? *blocks - before : *longest;
    }
    free(seen);
    return 0;
}

static int count_diagonals(const csr_t *A, size_t *diagonals, err_t *err)
{
    bool *seen = calloc(A->rows + A->cols + 1, sizeof *seen);
    *diagonals = 0;
    if (!seen) return err_set(err, "out of memory");
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
            bool *s = &seen[(size_t)A->col_indices[nz] + A->rows - r];
            *diagonals += !*s;
            *s = true;
        }
    free(seen);
    return 0;
}

static int size_of_blocks(const csr_t *A, size_t block, form_size_t *s, err_t *err)
{
    size_t blocks;
    const size_t block_rows = (A->rows + block - 1) / block;
    if (count_blocks(A, block, &blocks, &s->longest, err)) return -1;
    s->slots = blocks * block * block;
    s->index_bytes = (block_rows + 1) * offset_bytes(blocks) + blocks * 4;
    s->serves = block;
    s->host_bytes = 8.0 * (double)block_rows + (4 + 8.125 * (double)(block * block)) * (double)blocks;
    snprintf(s->shape, sizeof s->shape, "%zu blocks", blocks);
    return 0;
}

static int size_of_bcoo(const csr_t *A, size_t bits, form_size_t *s, err_t *err)
{
    size_t blocks, unused;
    if (count_blocks(A, (size_t)1 << bits, &blocks, &unused, err)) return -1;
    s->slots = A->nnz;
    s->index_bytes = blocks * 8 + (blocks + 1) * offset_bytes(A->nnz) + A->nnz * 2 * bits / 8;
    s->host_bytes = 16.0 * (double)blocks + (8.0 + (double)(2 * bits / 8)) * (double)A->nnz;
    snprintf(s->shape, sizeof s->shape, "%zu blocks", blocks);
    return 0;
}

static void size_of_hyb(const csr_t *A, form_size_t *s)
{
    const size_t width = hyb_width(A);
    size_t rest = 0;
    for (size_t r = 0; r < A->rows; ++r) rest += row_length(A, r) > width ? row_length(A, r) - width : 0;
    s->slots = A->rows * width + rest;
    s->index_bytes = 4 * A->rows * width + 8 * rest;
    s->longest = width;
    s->host_bytes = 12.0 * (double)A->rows * (double)width + 16.0 * (double)rest;
    snprintf(s->shape, sizeof s->shape, "%zu wide, %zu left over", width, rest);
}

int form_size(const csr_t *A, form_t f, form_size_t *s, err_t *err)
{
    const size_t offsets = (A->rows + 1) * offset_bytes(A->nnz), longest = longest_row(A, 0, A->rows);
    *s = (form_size_t){.slots = A->nnz, .longest = 1, .serves = 1};
    switch (f) {
    case FORM_CSR:
        s->index_bytes = 4 * A->nnz + offsets;
        s->longest = longest;
        s->host_bytes = 12.0 * (double)A->nnz + 8.0 * (double)A->rows;
        snprintf(s->shape, sizeof s->shape, "longest row %zu", longest);
        return 0;
    case FORM_COO:
        s->index_bytes = 8 * A->nnz;
        s->host_bytes = 16.0 * (double)A->nnz;
        return 0;
    case FORM_ELL:
        s->slots = A->rows * longest;
        s->index_bytes = 4 * s->slots;
        s->longest = longest;
        s->host_bytes = 12.0 * (double)A->rows * (double)longest;
        snprintf(s->shape, sizeof s->shape, "%zu wide", longest);
        return 0;
    case FORM_DIA:
        if (count_diagonals(A, &s->longest, err)) return -1;
        s->slots = A->rows * s->longest;
        s->index_bytes = 4 * s->longest;
        s->host_bytes = (8.125 * (double)A->rows + 4) * (double)s->longest;
        snprintf(s->shape, sizeof s->shape, "%zu diagonals", s->longest);
        return 0;
    case FORM_HYB: size_of_hyb(A, s); return 0;
    case FORM_BSR2: return size_of_blocks(A, 2, s, err);
    case FORM_BSR3: return size_of_blocks(A, 3, s, err);
    case FORM_BSR4: return size_of_blocks(A, 4, s, err);
    case FORM_CSRL: {
        const size_t runs = csr_nzseg(A);
        s->index_bytes = (A->rows + 1) * offset_bytes(runs) + 8 * runs;
        s->host_bytes = 16.0 * ((double)A->rows + 1) + 8.0 * (double)runs + 8.0 * (double)A->nnz;
        snprintf(s->shape, sizeof s->shape, "%zu runs", runs);
        return 0;
    }
    case FORM_BCOO8: return size_of_bcoo(A, 8, s, err);
    case FORM_BCOO16: return size_of_bcoo(A, 16, s, err);
    default: /* FORM_SELL32, rows in their order */
        s->slots = 0;
        for (size_t r = 0; r < A->rows; r += SELL_SLICE) s->slots += SELL_SLICE * longest_row(A, r, r + SELL_SLICE);
        s->index_bytes = 4 * s->slots + ((A->rows + SELL_SLICE - 1) / SELL_SLICE + 1) * offset_bytes(s->slots);
        s->host_bytes = 12.0 * (double)s->slots;
        return 0;
    }
}

size_t form_bytes(const form_size_t *s, dtype_t type) { return s->slots * dtype_size(type) + s->index_bytes; }

size_t form_limit(const csr_t *A, const spmv_scalar_options_t *options)
{
    enum { TIMES_CSR = 8 };
    const size_t least = (size_t)16 << 20, generous = TIMES_CSR * (12 * A->nnz + 8 * A->rows);
    if (options && options->max_format_bytes) return options->max_format_bytes;
    return generous > least ? generous : least;
}

/* True if formats.h builds A in that form under the limit.  It is called only if the computed size is above the limit;
 * then formats.h answers before it allocates memory. */
static bool builds(const csr_t *A, form_t f, size_t limit, err_t *err)
{
    void *M = NULL;
    switch (f) {
    case FORM_COO: coo_free(M = coo_from_csr(A, limit, err)); break;
    case FORM_ELL: ell_free(M = ell_from_csr(A, limit, err)); break;
    case FORM_DIA: dia_free(M = dia_from_csr(A, limit, err)); break;
    case FORM_HYB: hyb_free(M = hyb_from_csr(A, HYB_BY_RULE, limit, err)); break;
    case FORM_BSR2:
    case FORM_BSR3:
    case FORM_BSR4: bsr_free(M = bsr_from_csr(A, 2 + (size_t)(f - FORM_BSR2), false, limit, err)); break;
    default: return true;
    }
    return M != NULL;
}

const char *form_refusal(const csr_t *A, form_t f, size_t limit)
{
    static err_t err;
    form_size_t s;
    if (form_size(A, f, &s, &err)) return err.text;
    return s.host_bytes <= (double)limit || builds(A, f, limit, &err) ? NULL : err.text;
}
