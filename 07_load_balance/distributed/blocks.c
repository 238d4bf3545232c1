/* blocks.c - the blocks of a grid: rank 0 cuts them and sends each rank its own. */
#include <stdlib.h>
#include <string.h>

#include "cut.h"
#include "dist_impl.h"
#include "grid.h"

/* The data from which rank 0 computes the rank that a nonzero belongs to. */
typedef struct deal {
    const csr_t *A;
    const int64_t *first; /* [ranks + 1]  rows */
    int32_t *owner;       /* [cols]  the rank that owns this entry of x */
    int ranks, across;
} deal_t;

static void find_owners(deal_t *g, int64_t *first_col)
{
    if (g->A->rows == g->A->cols) memcpy(first_col, g->first, ((size_t)g->ranks + 1) * sizeof *first_col);
    else cut_even((int64_t)g->A->cols, g->ranks, first_col);
    for (int k = 0; k < g->ranks; ++k)
        for (int64_t c = first_col[k]; c < first_col[k + 1]; ++c) g->owner[c] = k;
}

/* Counts rows, columns and nonzeros of every block. */
static void count_blocks(const deal_t *g, int64_t (*shapes)[3])
{
    for (int k = 0; k < g->ranks; ++k) {
        const int i = k / g->across * g->across;
        shapes[k][0] = g->first[i + g->across] - g->first[i], shapes[k][1] = (int64_t)g->A->cols, shapes[k][2] = 0;
    }
    for (int p = 0; p < g->ranks; ++p)
        for (int64_t nz = g->A->row_offsets[g->first[p]]; nz < g->A->row_offsets[g->first[p + 1]]; ++nz)
            ++shapes[grid_home(p, g->owner[g->A->col_indices[nz]], g->across)][2];
}

/* Copies rank k's block into B, which has room for it. */
static void fill_block(const deal_t *g, int k, csr_t *B)
{
    const csr_t *A = g->A;
    const int64_t begin = g->first[k / g->across * g->across];
    int64_t to = 0;
    B->row_offsets[0] = 0;
    for (size_t r = 0; r < B->rows; ++r) {
        for (int64_t nz = A->row_offsets[begin + (int64_t)r]; nz < A->row_offsets[begin + (int64_t)r + 1]; ++nz) {
            if (g->owner[A->col_indices[nz]] % g->across != k % g->across) continue;
            B->col_indices[to] = A->col_indices[nz];
            B->values[to++] = A->values[nz];
        }
        B->row_offsets[r + 1] = to;
    }
}

/* Rank 0 keeps its block in `mine` and sends the others theirs, one after the other in `spare`. */
static dist_status_t send_blocks(const deal_t *g, int64_t (*shapes)[3], csr_t *mine, csr_t *spare, MPI_Comm comm,
                                 err_t *err)
{
    dist_status_t status = DIST_OK;
    fill_block(g, 0, mine);
    for (int k = 1; k < g->ranks && !status; ++k) {
        spare->rows = (size_t)shapes[k][0], spare->nnz = (size_t)shapes[k][2];
        fill_block(g, k, spare);
        status = rows_send(spare, 0, (int64_t)spare->rows, k, comm, err);
    }
    return status;
}

/* Allocates one matrix as large as the largest block. */
static csr_t *room_for_all(int64_t (*shapes)[3], int ranks, size_t cols)
{
    int64_t rows = 0, nnz = 0;
    for (int k = 0; k < ranks; ++k) {
        if (shapes[k][0] > rows) rows = shapes[k][0];
        if (shapes[k][2] > nnz) nnz = shapes[k][2];
    }
    return csr_alloc((size_t)rows, cols, (size_t)nnz);
}

dist_status_t dist_scatter_blocks(csr_t **mine, dist_world_t *w, const csr_t *A, int64_t *first, int across, err_t *err)
{
    const bool root = w->rank == 0;
    const size_t ranks = (size_t)w->ranks;
    csr_t *spare = NULL;
    deal_t g = {.A = A, .first = first, .ranks = w->ranks, .across = across};
    *mine = NULL;
    dist_status_t status = DIST_OK;
    if (across < 1 || w->ranks % across)
        status = FAIL_WITH(err, DIST_BAD_ARGUMENT,
                           "%d ranks cannot form a grid with rows of %d: that number must divide the ranks", w->ranks,
                           across);
    status = dist_agree(w, status, err);
    if (!status) status = rows_check(A, w, err);
    if (status) return status;
    int64_t(*shapes)[3] = malloc(ranks * sizeof *shapes), shape[3] = {0};
    int64_t *first_col = malloc((ranks + 1) * sizeof *first_col);
    if (root) g.owner = malloc((A->cols + 1) * sizeof *g.owner);
    status = ENOUGH(w, shapes && first_col && (!root || g.owner), err, "out of memory for the lists of blocks");
    if (!status && root) find_owners(&g, first_col), count_blocks(&g, shapes);
    if (!status) status = mpi_ok(MPI_Bcast(first, w->ranks + 1, MPI_INT64_T, 0, w->comm), "MPI_Bcast", err);
    if (!status)
        status = mpi_ok(MPI_Scatter(shapes, 3, MPI_INT64_T, shape, 3, MPI_INT64_T, 0, w->comm), "MPI_Scatter", err);
    if (!status) {
        *mine = csr_alloc((size_t)shape[0], (size_t)shape[1], (size_t)shape[2]);
        if (root) spare = room_for_all(shapes, w->ranks, A->cols);
        status = ENOUGH(w, *mine && (!root || spare), err, "out of memory for a block");
    }
    if (!status)
        status = root ? send_blocks(&g, shapes, *mine, spare, w->comm, err) : rows_receive(*mine, w->comm, err);
    csr_free(spare);
    free(shapes), free(first_col), free(g.owner);
    if (status) *mine = csr_free(*mine);
    return status;
}
