/* rows.c - gives each rank its rows: rank 0 sends them, or each rank reads or generates its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cut.h"
#include "dist_impl.h"
#include "matgen.h"
#include "spmv_session.h"

csr_t *rows_slice(const csr_t *A, int64_t first, int64_t end)
{
    const int64_t from = A->row_offsets[first], nnz = A->row_offsets[end] - from;
    csr_t *S = csr_alloc((size_t)(end - first), A->cols, (size_t)nnz);
    if (!S) return NULL;
    for (int64_t r = first; r <= end; ++r) S->row_offsets[r - first] = A->row_offsets[r] - from;
    memcpy(S->col_indices, A->col_indices + from, (size_t)nnz * sizeof *S->col_indices);
    memcpy(S->values, A->values + from, (size_t)nnz * sizeof *S->values);
    return S;
}

/* Sends to a rank, or receives from rank 0, a message of any size in pieces whose length fits into an int. */
enum { PIECE = 1 << 30 };
static dist_status_t pass_bytes(void *data, size_t bytes, int rank, MPI_Comm comm, err_t *err)
{
    dist_status_t status = DIST_OK;
    for (size_t at = 0; at < bytes && !status; at += PIECE) {
        const int n = (int)(bytes - at < PIECE ? bytes - at : PIECE);
        char *piece = (char *)data + at;
        status = rank ? mpi_ok(MPI_Send(piece, n, MPI_BYTE, rank, 0, comm), "MPI_Send", err)
                      : mpi_ok(MPI_Recv(piece, n, MPI_BYTE, 0, 0, comm, MPI_STATUS_IGNORE), "MPI_Recv", err);
    }
    return status;
}

dist_status_t rows_send(const csr_t *A, int64_t begin, int64_t end, int rank, MPI_Comm comm, err_t *err)
{
    const int64_t from = A->row_offsets[begin];
    const size_t rows = (size_t)(end - begin), nnz = (size_t)(A->row_offsets[end] - from);
    return pass_bytes(A->row_offsets + begin, (rows + 1) * sizeof *A->row_offsets, rank, comm, err) ||
           pass_bytes(A->col_indices + from, nnz * sizeof *A->col_indices, rank, comm, err) ||
           pass_bytes(A->values + from, nnz * sizeof *A->values, rank, comm, err) ? DIST_MPI_ERROR : DIST_OK;
}

dist_status_t rows_receive(csr_t *S, MPI_Comm comm, err_t *err)
{
    if (pass_bytes(S->row_offsets, (S->rows + 1) * sizeof *S->row_offsets, 0, comm, err) ||
        pass_bytes(S->col_indices, S->nnz * sizeof *S->col_indices, 0, comm, err) ||
        pass_bytes(S->values, S->nnz * sizeof *S->values, 0, comm, err))
        return DIST_MPI_ERROR;
    const int64_t from = S->row_offsets[0];
    for (size_t r = 0; r <= S->rows; ++r) S->row_offsets[r] -= from;
    return DIST_OK;
}

dist_status_t rows_check(const csr_t *A, const dist_world_t *w, err_t *err)
{
    dist_status_t status = DIST_OK;
    if (w->rank == 0 && !A) status = FAIL_WITH(err, DIST_BAD_ARGUMENT, "rank 0 has no matrix to distribute");
    else if (w->rank == 0 && csr_check(A, err)) status = DIST_BAD_MATRIX;
    return dist_agree(w, status, err);
}

/* `given`, on rank 0, says where the parts begin; if it is NULL, `cut` decides. */
static dist_status_t scatter(csr_t **mine, dist_world_t *w, const csr_t *A, dist_cut_t cut, const int64_t *given,
                             err_t *err)
{
    const bool root = w->rank == 0;
    const size_t ranks = (size_t)w->ranks;
    *mine = NULL;
    int64_t *first = malloc((ranks + 1) * sizeof *first);
    int64_t(*shapes)[3] = malloc((ranks + 1) * sizeof *shapes), shape[3] = {0}; /* rows, cols, nnz of a rank */
    dist_status_t status = rows_check(A, w, err);
    if (!status) status = ENOUGH(w, first && shapes, err, "out of memory for %zu ranks", ranks);
    if (!status) {
        if (root && given) memcpy(first, given, (ranks + 1) * sizeof *first);
        else if (root) cut_rows(A->row_offsets, A->rows, w->ranks, cut, first);
        for (int r = 0; root && r < w->ranks; ++r) {
            shapes[r][0] = first[r + 1] - first[r], shapes[r][1] = (int64_t)A->cols;
            shapes[r][2] = A->row_offsets[first[r + 1]] - A->row_offsets[first[r]];
        }
        status = mpi_ok(MPI_Scatter(shapes, 3, MPI_INT64_T, shape, 3, MPI_INT64_T, 0, w->comm), "MPI_Scatter", err);
    }
    if (!status) {
        *mine = root ? rows_slice(A, first[0], first[1])
                     : csr_alloc((size_t)shape[0], (size_t)shape[1], (size_t)shape[2]);
        status = ENOUGH(w, *mine, err, "out of memory for %lld rows with %lld nonzeros", (long long)shape[0],
                        (long long)shape[2]);
    }
    if (!status && !root) status = rows_receive(*mine, w->comm, err);
    for (int r = 1; root && r < w->ranks && !status; ++r)
        status = rows_send(A, first[r], first[r + 1], r, w->comm, err);
    free(first);
    free(shapes);
    if (status) *mine = csr_free(*mine);
    return status;
}

dist_status_t dist_scatter_rows(csr_t **mine, dist_world_t *w, const csr_t *A, dist_cut_t cut, err_t *err)
{
    return scatter(mine, w, A, cut, NULL, err);
}

dist_status_t dist_scatter_parts(csr_t **mine, dist_world_t *w, const csr_t *A, const int64_t *first, err_t *err)
{
    return scatter(mine, w, A, DIST_CUT_BEST, first, err);
}

/* Opens the whole matrix: a recipe, a file, or a name of the suite, for which a recipe may be used. */
static csr_t *open_matrix(const char *what, uint64_t seed, err_t *err)
{
    const bool recipe = strchr(what, ':') != NULL;
    char name[SPMV_NAME];
    const bool file = strpbrk(what, "./") || access(what, F_OK) == 0;
    return recipe || file ? spmv_matrix_open(what, seed, name, err) : spmv_matrix_named(what, seed, name, err);
}

dist_status_t dist_open_rows(csr_t **mine, const dist_world_t *w, const char *what, uint64_t seed, dist_cut_t cut,
                             err_t *err)
{
    const size_t ranks = (size_t)w->ranks;
    size_t points;
    dist_status_t status = DIST_OK;
    int64_t *first = malloc((ranks + 1) * sizeof *first);
    *mine = NULL;
    if (!first) {
        status = FAIL_WITH(err, DIST_NO_MEMORY, "out of memory for %zu ranks", ranks);
    } else if (cut == DIST_CUT_ROWS && matgen_stencil_points(what, &points)) {
        cut_even((int64_t)points, w->ranks, first);
        *mine = matgen_stencil_rows(what, (size_t)first[w->rank], (size_t)(first[w->rank + 1] - first[w->rank]), err);
        if (!*mine) status = DIST_BAD_MATRIX;
    } else {
        csr_t *A = open_matrix(what, seed, err);
        if (A) {
            cut_rows(A->row_offsets, A->rows, w->ranks, cut, first);
            *mine = rows_slice(A, first[w->rank], first[w->rank + 1]);
            if (!*mine) err_set(err, "out of memory for rank %d's rows of %zu", w->rank, A->rows);
        }
        if (!*mine) status = A ? DIST_NO_MEMORY : DIST_BAD_MATRIX;
        csr_free(A);
    }
    free(first);
    status = dist_agree(w, status, err);
    if (status != DIST_OK) *mine = csr_free(*mine);
    return status;
}
