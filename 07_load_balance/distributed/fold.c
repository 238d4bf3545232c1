/*
 * fold.c - the part of a product that only a grid of ranks needs (grid.h): partial sums of rows that other ranks own.
 *
 * A rank of a grid has nonzeros in rows of all ranks in its row of the grid.  It computes y for its own rows as without
 * a grid.  It sends its partial sums of the other rows to their owners in the same way as entries of x: they are the x
 * of a second matrix, `sums`, which has a one for each sum that belongs to a row.  That matrix can use any transport;
 * it has only a boundary.  So y is
 *
 *     the rank's own sum  +  (the partial sums of other ranks, in the order of ranks)
 *
 * with the same bits each time.  During the exchange of x the rank multiplies the nonzeros of other ranks' rows that
 * need no halo; during the exchange of sums it multiplies its own rows.
 */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "dist_impl.h"

struct fold {
    dist_matrix_t *sums;
    local_t *inside, *outside; /* the rows of other ranks; outside is NULL if none needs the halo */
    void *partial;             /* [rows of other ranks]  their partial sums, on the host or on the GPU, like x */
    bool x_stays, sums_stay;   /* no rank needs entries of x, or sums, from another rank */
};

/* Returns the rank's own rows, then those rows of other ranks that have nonzeros; stores the numbers of the latter in A
 * in `others`. */
csr_t *fold_arrange(const csr_t *block, int64_t block_first, int64_t first, int64_t end, int32_t *others, err_t *err)
{
    const size_t own = (size_t)(end - first);
    size_t count = 0;
    for (int64_t r = block_first; r < block_first + (int64_t)block->rows; ++r) {
        const int64_t *offsets = block->row_offsets + (r - block_first);
        if ((r < first || r >= end) && offsets[1] > offsets[0]) others[count++] = (int32_t)r;
    }
    csr_t *B = csr_alloc(own + count, block->cols, block->nnz);
    if (!B) return err_null(err, "out of memory for %zu nonzeros of a block", block->nnz);
    int64_t to = 0;
    for (size_t i = 0; i < own + count; ++i) {
        const int64_t r = (i < own ? first + (int64_t)i : others[i - own]) - block_first;
        const int64_t from = block->row_offsets[r], n = block->row_offsets[r + 1] - from;
        memcpy(B->col_indices + to, block->col_indices + from, (size_t)n * sizeof *B->col_indices);
        memcpy(B->values + to, block->values + from, (size_t)n * sizeof *B->values);
        B->row_offsets[i + 1] = to += n;
    }
    return B;
}

/* ---- which rank gets which sum ----------------------------------------------------------------------- */

/* The messages of this rank: to the owners of the rows that it has partial sums of, and from the ranks that have sums
 * of its rows. */
typedef struct mails {
    int *to, *to_at, *from, *from_at; /* [ranks]  counts and offsets */
    int64_t *column;                  /* [ranks]  the column of the first sum that comes from each */
    int64_t *first;                   /* [ranks + 1]  the first sum that belongs to each rank */
    int32_t *rows;                    /* [sum of from]  the row numbers in A of the sums received */
} mails_t;

static void close_mails(mails_t *m)
{
    free(m->to), free(m->to_at), free(m->from), free(m->from_at), free(m->column), free(m->first), free(m->rows);
}

static dist_status_t open_mails(mails_t *m, const dist_matrix_t *d, const int32_t *others, size_t count, err_t *err)
{
    const int ranks = d->w->ranks;
    const size_t n = (size_t)ranks;
    int64_t mine = (int64_t)count, sums = 0;
    *m = (mails_t){calloc(n, sizeof(int)), calloc(n, sizeof(int)), calloc(n, sizeof(int)), calloc(n, sizeof(int)),
                   calloc(n, sizeof(int64_t)), calloc(n + 1, sizeof(int64_t)), NULL};
    int64_t *at = calloc(n, sizeof *at);
    const bool enough = m->to && m->to_at && m->from && m->from_at && m->column && m->first && at;
    dist_status_t status = ENOUGH(d->w, enough, err, "out of memory for %d ranks", ranks);
    if (!status)
        status = mpi_ok(MPI_Allgather(&mine, 1, MPI_INT64_T, m->first + 1, 1, MPI_INT64_T, d->w->comm),
                        "MPI_Allgather", err);
    for (int k = 0; k < ranks && !status; ++k) m->first[k + 1] += m->first[k];
    for (int k = 0, i = 0; k < ranks && !status; ++k) {
        m->to_at[k] = i;
        at[k] = m->first[d->w->rank] + i;
        for (; i < (int)count && others[i] < d->first_row[k + 1]; ++i) ++m->to[k];
    }
    if (!status)
        status = mpi_ok(MPI_Alltoall(m->to, 1, MPI_INT, m->from, 1, MPI_INT, d->w->comm), "MPI_Alltoall", err);
    if (!status)
        status = mpi_ok(MPI_Alltoall(at, 1, MPI_INT64_T, m->column, 1, MPI_INT64_T, d->w->comm), "MPI_Alltoall", err);
    free(at);
    for (int k = 0; k < ranks && !status; ++k) m->from_at[k] = (int)sums, sums += m->from[k];
    if (status) return status;
    m->rows = malloc(((size_t)sums + 1) * sizeof *m->rows);
    status = ENOUGH(d->w, m->rows && m->first[ranks] <= INT32_MAX, err,
                    "the rank has %lld partial sums of other ranks' rows: over 2147483647, or no memory is left",
                    (long long)m->first[ranks]);
    if (status) return status;
    return mpi_ok(MPI_Alltoallv(others, m->to, m->to_at, MPI_INT32_T, m->rows, m->from, m->from_at, MPI_INT32_T,
                                d->w->comm), "MPI_Alltoallv", err);
}

/* Returns a matrix [the rank's rows x all sums] with a one for each sum received; a row's columns are in the order of
 * ranks. */
static csr_t *ones_of(const mails_t *m, const dist_matrix_t *d)
{
    const int ranks = d->w->ranks;
    const int64_t first = d->mine.first_row;
    const size_t sums = (size_t)(m->from_at[ranks - 1] + m->from[ranks - 1]);
    csr_t *S = csr_alloc((size_t)d->mine.rows, (size_t)m->first[ranks], sums);
    int64_t *next = malloc(((size_t)d->mine.rows + 1) * sizeof *next);
    if (S && next) {
        for (size_t i = 0; i < sums; ++i) ++S->row_offsets[m->rows[i] - first + 1];
        for (size_t r = 0; r < S->rows; ++r) S->row_offsets[r + 1] += S->row_offsets[r];
        memcpy(next, S->row_offsets, S->rows * sizeof *next);
        for (int k = 0; k < ranks; ++k)
            for (int i = 0; i < m->from[k]; ++i) {
                const int64_t nz = next[m->rows[m->from_at[k] + i] - first]++;
                S->col_indices[nz] = (int32_t)(m->column[k] + i);
                S->values[nz] = 1;
            }
    } else {
        S = csr_free(S);
    }
    free(next);
    return S;
}

/* ---- opening and closing --------------------------------------------------------------------------- */

static dist_status_t open_sums(dist_matrix_t *d, fold_t *f, const int32_t *others, size_t count, err_t *err)
{
    mails_t m;
    csr_t *ones = NULL;
    const dist_options_t o = {.local = (dist_local_t)LOCAL_IN_ORDER};
    dist_status_t status = open_mails(&m, d, others, count, err);
    if (!status) {
        ones = ones_of(&m, d);
        status = ENOUGH(d->w, ones, err, "out of memory for partial sums of other ranks' rows");
    }
    if (!status)
        status = own_build(&f->sums, d->w, &(origin_t){.mine = ones, .first_col = m.first}, dtype_vector(d->type), &o,
                           err);
    csr_free(ones);
    close_mails(&m);
    return status;
}

/* Opens the rows of other ranks.  All of them have nonzeros, so none is left out. */
static dist_status_t open_others(dist_matrix_t *d, fold_t *f, const halo_t *h, size_t own, size_t own_outside,
                                 err_t *err)
{
    const dist_local_t how = local_how(d);
    const size_t count = h->inside->rows - own;
    csr_t *in = rows_slice(h->inside, (int64_t)own, (int64_t)h->inside->rows);
    csr_t *out = rows_slice(h->outside, (int64_t)own_outside, (int64_t)h->halo_rows);
    dist_status_t status = DIST_NO_MEMORY;
    f->partial = d->w->backend == DIST_CUDA ? device_alloc(count * d->element + 1, "sums", err)
                                            : malloc(count * d->element + 1);
    if (in && out && f->partial) status = local_open(&f->inside, in, d->type, d->w->backend, how, d->o.threads, err);
    else err_set(err, "out of memory for %zu rows of other ranks", count);
    if (!status && out->nnz) {
        halo_t rest = {.outside = out, .rows = h->rows + own_outside, .halo_rows = h->halo_rows - own_outside};
        status = local_open_wide(&f->outside, d, &rest, (int32_t)own, count, err);
    }
    csr_free(in);
    csr_free(out);
    return status;
}

dist_status_t fold_open(dist_matrix_t *d, const halo_t *h, const int32_t *others, size_t own_outside, err_t *err)
{
    const size_t own = (size_t)d->mine.rows, count = h->inside->rows - own;
    fold_t *f = d->fold = calloc(1, sizeof *f);
    dist_status_t status =
        f ? open_others(d, f, h, own, own_outside, err) : FAIL_WITH(err, DIST_NO_MEMORY, "out of memory");
    if ((status = dist_agree(d->w, status, err)) || (status = open_sums(d, f, others, count, err))) return status;
    const dist_part_t *p = &f->sums->mine;
    int stays[2] = {d->mine.halo == 0, p->halo == 0};
    status = mpi_ok(MPI_Allreduce(MPI_IN_PLACE, stays, 2, MPI_INT, MPI_MIN, d->w->comm), "MPI_Allreduce", err);
    if (status) return status;
    f->x_stays = stays[0], f->sums_stay = stays[1];
    d->mine.fold = p->halo, d->mine.fold_sends = p->sends;
    d->mine.sources = p->sources, d->mine.targets = p->targets; /* those of x are added later */
    return DIST_OK;
}

dist_matrix_t *fold_sums(const dist_matrix_t *d) { return d->fold->sums; }

void fold_close(dist_matrix_t *d)
{
    fold_t *f = d->fold;
    if (!f) return;
    own_destroy(f->sums);
    local_close(f->inside);
    local_close(f->outside);
    if (d->w->backend == DIST_CUDA) device_free(f->partial);
    else free(f->partial);
    free(f);
    d->fold = NULL;
}

/* ---- the product ------------------------------------------------------------------------------------ */

bool fold_x_stays(const dist_matrix_t *d) { return d->fold->x_stays; }

dist_status_t fold_inside(dist_matrix_t *d, const void *x, void *stream, err_t *err)
{
    return local_run(d->fold->inside, x, false, d->fold->partial, stream, err);
}

dist_status_t fold_outside(dist_matrix_t *d, void *stream, err_t *err)
{
    const fold_t *f = d->fold;
    return f->outside ? local_run(f->outside, d->halo_at, true, f->partial, stream, err) : DIST_OK;
}

dist_status_t fold_exchange(dist_matrix_t *d, void *stream, err_t *err)
{
    return d->fold->sums_stay ? DIST_OK : own_exchange(d->fold->sums, d->fold->partial, stream, err);
}

dist_status_t fold_add(dist_matrix_t *d, void *y, void *stream, err_t *err)
{
    return d->fold->sums_stay ? DIST_OK : own_outside(d->fold->sums, NULL, y, stream, err);
}

/* Computes the partial sums of other ranks' rows and starts to send them. */
static dist_status_t send_sums(dist_matrix_t *d, const void *x, bool waits, void *stream, err_t *err)
{
    const fold_t *f = d->fold;
    const bool overlap = !d->o.no_overlap;
    dist_status_t status = waits && !overlap ? own_finish(d, stream, err) : DIST_OK;
    if (!status) status = fold_inside(d, x, stream, err);
    if (!status && waits && overlap) status = own_finish(d, stream, err);
    if (!status) status = fold_outside(d, stream, err);
    return status || f->sums_stay ? status : own_start(f->sums, f->partial, stream, err);
}

dist_status_t fold_spmv(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err)
{
    fold_t *f = d->fold;
    const bool overlap = !d->o.no_overlap, waits = !f->x_stays, folds = !f->sums_stay;
    dist_status_t status = waits ? own_start(d, x, stream, err) : DIST_OK;
    if (!status) status = send_sums(d, x, waits, stream, err);
    if (!status && folds && !overlap) status = own_finish(f->sums, stream, err);
    if (!status) status = own_inside(d, x, y, stream, err);
    if (!status) status = own_outside(d, x, y, stream, err);
    if (status || !folds) return status;
    if (f->sums->joined && overlap) return gpu_boundary(f->sums, NULL, y, stream, err);
    if (overlap) status = own_finish(f->sums, stream, err);
    return status ? status : own_outside(f->sums, NULL, y, stream, err);
}
