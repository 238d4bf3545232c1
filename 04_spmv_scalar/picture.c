/* picture.c - a small matrix in every format, slot by slot: data for plots/04_formats.gp. */
#include "formats.h"
#include "spmv_scalar.h"

/* Six rows of a mesh with 2 x 2 blocks, a longer row and a short row, so that every format shows its features. */
enum { SIZE = 8 };
static const char *const SHAPE[SIZE] = {
    "##......", /* . no entry */
    "##..#...",
    "..##..#.",
    "..##....",
    "#...##..",
    "....##..",
    ".#.#.###",
    "......##",
};

static csr_t *small_matrix(err_t *err)
{
    int32_t rows[SIZE * SIZE], cols[SIZE * SIZE];
    double values[SIZE * SIZE];
    size_t nnz = 0;
    for (int32_t r = 0; r < SIZE; ++r)
        for (int32_t c = 0; c < SIZE; ++c)
            if (SHAPE[r][c] == '#') {
                rows[nnz] = r;
                cols[nnz] = c;
                values[nnz++] = 1;
            }
    return csr_from_triplets(SIZE, SIZE, nnz, rows, cols, values, err);
}

/* A slot: where it is drawn, its index in the array of values, its row, and 1 for a nonzero of A (2: in HYB's COO
 * part). */
static void slot(FILE *to, const char *format, size_t x, size_t y, size_t place, size_t row, int kind)
{
    fprintf(to, "%s\t%zu\t%zu\t%zu\t%zu\t%d\n", format, x, y, place, row, kind);
}

/* The slots of ELL, also for HYB's ELL part. */
static void draw_ell(FILE *to, const char *format, const ell_t *M)
{
    for (size_t r = 0; r < M->rows; ++r)
        for (size_t k = 0; k < M->width; ++k)
            slot(to, format, k, r, k * M->rows + r, r, M->col_indices[k * M->rows + r] != PADDING);
}

static void draw_csr(FILE *to, const csr_t *A)
{
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
            slot(to, "matrix", (size_t)A->col_indices[nz], r, (size_t)nz, r, 1);
            slot(to, "CSR", (size_t)(nz - A->row_offsets[r]), r, (size_t)nz, r, 1);
        }
}

static void draw_hyb(FILE *to, const hyb_t *M)
{
    enum { GAP = 1 };
    size_t before[SIZE] = {0};
    draw_ell(to, "HYB", M->ell);
    for (size_t i = 0; i < M->rest->nnz; ++i) {
        const size_t r = (size_t)M->rest->row_indices[i];
        slot(to, "HYB", M->ell->width + GAP + before[r]++, r, i, r, 2);
    }
}

static void draw_dia(FILE *to, const dia_t *M)
{
    for (size_t r = 0; r < M->rows; ++r)
        for (size_t d = 0; d < M->diagonals; ++d)
            slot(to, "DIA", d, r, d * M->rows + r, r, M->stored[(d * M->rows + r) / 8] >> (d * M->rows + r) % 8 & 1);
}

static void draw_bsr(FILE *to, const bsr_t *M)
{
    for (size_t br = 0; br < M->block_rows; ++br)
        for (int64_t b = M->row_offsets[br]; b < M->row_offsets[br + 1]; ++b)
            for (size_t j = 0; j < M->block; ++j)
                for (size_t i = 0; i < M->block; ++i) {
                    const size_t at = ((size_t)b * M->block + j) * M->block + i;
                    slot(to, "BSR", (size_t)M->col_indices[b] * M->block + j, br * M->block + i, at, br * M->block + i,
                         M->stored[at / 8] >> at % 8 & 1);
                }
}

int picture_write(FILE *to, err_t *err)
{
    enum { HYB_WIDTH = 2 };
    csr_t *A = small_matrix(err);
    ell_t *ell = A ? ell_from_csr(A, SIZE_MAX, err) : NULL;
    hyb_t *hyb = ell ? hyb_from_csr(A, HYB_WIDTH, SIZE_MAX, err) : NULL;
    dia_t *dia = hyb ? dia_from_csr(A, SIZE_MAX, err) : NULL;
    bsr_t *bsr = dia ? bsr_from_csr(A, 2, false, SIZE_MAX, err) : NULL;
    if (bsr) {
        fprintf(to, "# backend: %s\nformat\tx\ty\tplace\trow\tkind\n", device_backend());
        draw_csr(to, A);
        draw_ell(to, "ELL", ell);
        draw_hyb(to, hyb);
        draw_dia(to, dia);
        draw_bsr(to, bsr);
    }
    const int failed = bsr ? 0 : -1;
    bsr_free(bsr);
    dia_free(dia);
    hyb_free(hyb);
    ell_free(ell);
    csr_free(A);
    return failed;
}
