/* own.c - a matrix whose rows are whole: creates it, exchanges x, multiplies, frees it.  See dist_impl.h */
#include <stdlib.h>
#include <string.h>

#include "cut.h"
#include "dist_impl.h"
#include "formats.h"

/* ---- creation ------------------------------------------------------------------------------------ */

/* Computes which rank owns which columns, once d->first_row is known. */
static void share_out(dist_matrix_t *d, const origin_t *from)
{
    const int ranks = d->w->ranks;
    const size_t bytes = ((size_t)ranks + 1) * sizeof *d->first_row;
    if (from->first_row) memcpy(d->first_row, from->first_row, bytes);
    d->rows = d->first_row[ranks];
    if (from->first_col) memcpy(d->first_col, from->first_col, bytes);
    else if (d->rows == d->cols) memcpy(d->first_col, d->first_row, bytes);
    else cut_even(d->cols, ranks, d->first_col);
}

/* Returns whether `mine` has the rows of all ranks in this rank's row of the grid. */
static bool is_block(const dist_matrix_t *d, const int64_t *first, const csr_t *mine)
{
    const int across = d->o.across, i = d->w->rank / across * across;
    return first[0] == 0 && (int64_t)mine->rows == first[i + across] - first[i];
}

/* Stores the shapes of all ranks' rows in d: first_row, first_col, cols, nnz. */
static dist_status_t agree_on_shape(dist_matrix_t *d, const origin_t *from, err_t *err)
{
    const csr_t *mine = from->mine;
    dist_world_t *w = d->w;
    const int ranks = w->ranks;
    int64_t shape[3] = {(int64_t)mine->rows, (int64_t)mine->cols, (int64_t)mine->nnz}, *shapes;
    dist_status_t status = DIST_OK;
    if (!(shapes = malloc((size_t)ranks * sizeof shape)))
        status = FAIL_WITH(err, DIST_NO_MEMORY, "out of memory for %d ranks", ranks);
    else if (csr_check(mine, err))
        status = DIST_BAD_MATRIX;
    else if (from->first_row && !is_block(d, from->first_row, mine))
        status = FAIL_WITH(err, DIST_BAD_ARGUMENT,
                           "the block has %zu rows, but the rank's row of the grid has another number", mine->rows);
    status = dist_agree(w, status, err);
    if (!status)
        status = mpi_ok(MPI_Allgather(shape, 3, MPI_INT64_T, shapes, 3, MPI_INT64_T, w->comm), "MPI_Allgather", err);
    for (int r = 0; r < ranks && !status; ++r) {
        d->first_row[r + 1] = d->first_row[r] + shapes[3 * r];
        d->nnz += shapes[3 * r + 2];
        if (shapes[3 * r + 1] != shapes[1])
            status = FAIL_WITH(err, DIST_BAD_ARGUMENT,
                               "rank %d has a matrix of %lld columns, but rank 0 has one of %lld", r,
                               (long long)shapes[3 * r + 1], (long long)shapes[1]);
    }
    if (!status) {
        d->cols = shapes[1];
        share_out(d, from);
        if (d->rows > INT32_MAX)
            status = FAIL_WITH(err, DIST_BAD_ARGUMENT, "the rank has %lld rows, more than 2147483647: use more ranks",
                               (long long)d->rows);
    }
    free(shapes);
    return status;
}

/* Fills in the numbers of this rank's share that need no other rank. */
static dist_part_t share_of(const dist_matrix_t *d, const csr_t *mine)
{
    const int64_t *row = d->first_row + d->w->rank, *col = d->first_col + d->w->rank;
    return (dist_part_t){.first_row = row[0], .rows = row[1] - row[0], .first_col = col[0], .cols = col[1] - col[0],
                         .nnz = (int64_t)mine->nnz, .runs = (int64_t)csr_nzseg(mine)};
}

/* Creates an empty matrix of that world; the same result on every rank. */
static dist_status_t start_matrix(dist_matrix_t **out, dist_world_t *w, const dist_options_t *o, err_t *err)
{
    const size_t ranks = (size_t)w->ranks;
    dist_matrix_t *d = calloc(1, sizeof *d);
    if (d) {
        d->w = w;
        if (o) d->o = *o;
        d->first_row = calloc(ranks + 1, sizeof *d->first_row);
        d->first_col = calloc(ranks + 1, sizeof *d->first_col);
        d->parts = calloc(ranks, sizeof *d->parts);
    }
    const bool enough = d && d->first_row && d->first_col && d->parts;
    const dist_status_t status = ENOUGH(w, enough, err, "out of memory for %zu ranks", ranks);
    if (status) own_destroy(d);
    *out = status ? NULL : d;
    return status;
}

dist_status_t own_begin(dist_matrix_t **out, dist_world_t *w, const origin_t *from, dtype_t type,
                        const dist_options_t *o, err_t *err)
{
    dist_matrix_t *d;
    dist_status_t status = start_matrix(&d, w, o, err);
    *out = NULL;
    if (status) return status;
    d->type = type;
    d->element = dtype_size(dtype_vector(type));
    if ((status = agree_on_shape(d, from, err))) {
        own_destroy(d);
        return status;
    }
    dist_part_t *p = &d->mine;
    *p = share_of(d, from->mine);
    p->csrl =
        d->o.local == DIST_LOCAL_CSRL || (d->o.local == DIST_LOCAL_BY_RANK && 10 * p->runs < 3 * p->nnz); /* 0.3 */
    *out = d;
    return DIST_OK;
}

/* Prepares this rank's two parts for multiplication. */
static dist_status_t open_parts(dist_matrix_t *d, const halo_t *h, dtype_t type, err_t *err)
{
    const dist_options_t *o = &d->o;
    const dist_local_t how = local_how(d);
    csr_t *middle = d->apart ? rows_slice(h->inside, d->middle, d->middle_end) : NULL;
    if (d->apart && !middle) return FAIL_WITH(err, DIST_NO_MEMORY, "out of memory for %zu rows", h->inside->rows);
    dist_status_t status =
        local_open(&d->inside, middle ? middle : h->inside, type, d->w->backend, how, o->threads, err);
    csr_free(middle);
    if (status || d->apart || !h->outside->nnz) return status;
    /* If most rows need the halo, the product adds to y directly.  If few rows need it, their sums are computed apart
     * and then added. */
    if (2 * h->halo_rows >= h->inside->rows && how != (dist_local_t)LOCAL_IN_ORDER)
        return local_open_wide(&d->outside, d, h, 0, h->inside->rows, err);
    d->halo_rows = malloc(h->halo_rows * sizeof *d->halo_rows);
    d->sum = malloc(h->halo_rows * d->element);
    if (!d->halo_rows || !d->sum)
        return FAIL_WITH(err, DIST_NO_MEMORY, "out of memory for %zu rows of the boundary", h->halo_rows);
    memcpy(d->halo_rows, h->rows, h->halo_rows * sizeof *d->halo_rows);
    if (d->w->backend == DIST_CUDA && (status = gpu_open_rows(d, err))) return status;
    return local_open(&d->outside, h->outside, type, d->w->backend, how, o->threads, err);
}

static const transport_t *const TRANSPORTS[][2] = {/* DIST_CPU, DIST_CUDA */
                                                   [DIST_MPI] = {&TRANSPORT_MPI, &TRANSPORT_GPU_MPI},
                                                   [DIST_NCCL] = {NULL, &TRANSPORT_NCCL},
                                                   [DIST_SHARED] = {&TRANSPORT_SHARED, NULL},
                                                   [DIST_DIRECT] = {NULL, &TRANSPORT_DIRECT}};

const char *dist_transport_name(dist_transport_t t)
{
    const transport_t *const *by = TRANSPORTS[t];
    return t == DIST_AUTO ? "auto" : by[0] ? by[0]->name : by[1]->name;
}

/* Opens the transport that the world names, or else the next one that can carry this matrix: the same on every rank. */
static dist_status_t open_transport(dist_matrix_t *d, const halo_t *h, err_t *err)
{
    const dist_world_t *w = d->w;
    for (d->transport = w->transport;; d->transport = d->transport == DIST_DIRECT && w->nccl ? DIST_NCCL : DIST_MPI) {
        d->by = TRANSPORTS[d->transport][w->backend];
        const dist_status_t status = dist_agree(w, d->by->open(d, h, err), err);
        if (!status || w->named || d->transport == DIST_MPI) return status;
        d->by->close(d);
    }
}

/* Returns the part of h for the first `rows` rows, with the matrices *inside and *outside. */
static halo_t head_of(const halo_t *h, size_t rows, csr_t *inside, csr_t *outside)
{
    halo_t head = *h;
    head.halo_rows = 0;
    while (head.halo_rows < h->halo_rows && h->rows[head.halo_rows] < (int32_t)rows) ++head.halo_rows;
    *inside = *h->inside;
    *outside = *h->outside;
    inside->rows = rows;
    inside->nnz = (size_t)inside->row_offsets[rows];
    outside->rows = head.halo_rows;
    outside->nnz = (size_t)outside->row_offsets[head.halo_rows];
    head.inside = inside;
    head.outside = outside;
    return head;
}

dist_status_t own_open(dist_matrix_t *d, const csr_t *mine, halo_t *h, size_t *own_outside, err_t *err)
{
    dist_world_t *w = d->w;
    dist_part_t *p = &d->mine;
    const bool all = d->o.exchange == DIST_REPLICATED;
    dist_status_t status = DIST_OK;
    halo_t own = {0};
    csr_t inside, outside;
    if (halo_split(h, mine, p->first_col, p->first_col + p->cols, all, err)) status = DIST_NO_MEMORY;
    d->halo = h->halo;
    p->halo = (int64_t)h->distinct;
    if (!status) {
        p->halo_nnz = (int64_t)h->outside->nnz;
        own = head_of(h, (size_t)p->rows, &inside, &outside);
        p->halo_rows = (int64_t)own.halo_rows;
        d->middle_end = p->rows;
    }
    status = dist_agree(w, status, err);
    if (!status) status = lists_open(&d->lists, d, h->columns, err);
    if (!status && w->backend == DIST_CUDA) status = gpu_open(d, err);
    status = dist_agree(w, status, err);
    if (!status) status = open_transport(d, &own, err);
    if (!status) status = dist_agree(w, open_parts(d, &own, d->type, err), err);
    d->halo_at = w->backend == DIST_CUDA ? d->d_received : d->received; /* until the first exchange */
    *own_outside = own.halo_rows;
    return status;
}

dist_status_t own_share(dist_matrix_t *d, err_t *err)
{
    const lists_t *l = &d->lists;
    enum { WORDS = sizeof(dist_part_t) / sizeof(int64_t) };
    d->mine.sends = (int64_t)l->sends;
    for (int r = 0; r < d->w->ranks; ++r) {
        d->mine.sources += l->source_counts[r] > 0;
        d->mine.targets += l->target_counts[r] > 0;
    }
    return mpi_ok(MPI_Allgather(&d->mine, WORDS, MPI_INT64_T, d->parts, WORDS, MPI_INT64_T, d->w->comm),
                  "MPI_Allgather", err);
}

dist_status_t own_build(dist_matrix_t **out, dist_world_t *w, const origin_t *from, dtype_t type,
                        const dist_options_t *o, err_t *err)
{
    halo_t h;
    size_t unused;
    dist_status_t status = own_begin(out, w, from, type, o, err);
    if (status) return status;
    status = own_open(*out, from->mine, &h, &unused, err);
    halo_free(&h);
    if (!status) status = own_share(*out, err);
    if (!status) return DIST_OK;
    own_destroy(*out);
    *out = NULL;
    return status;
}

void own_destroy(dist_matrix_t *d)
{
    if (!d) return;
    if (d->by) d->by->close(d);
    if (d->w->backend == DIST_CUDA) gpu_close(d);
    lists_free(&d->lists);
    local_close(d->inside);
    local_close(d->outside);
    free(d->halo_rows);
    free(d->sum);
    free(d->first_row);
    free(d->first_col);
    free(d->parts);
    free(d);
}

/* ---- the product -------------------------------------------------------------------------------- */

dist_status_t own_start(dist_matrix_t *d, const void *x, void *stream, err_t *err)
{
    if (d->w->backend == DIST_CUDA) return gpu_exchange_start(d, x, stream, err);
    return d->by->put(d, x, NULL, err);
}

dist_status_t own_finish(dist_matrix_t *d, void *stream, err_t *err)
{
    if (d->w->backend == DIST_CUDA) return gpu_exchange_finish(d, stream, err);
    return d->by->wait(d, NULL, err);
}

dist_status_t own_exchange(dist_matrix_t *d, const void *x, void *stream, err_t *err)
{
    const dist_status_t status = own_start(d, x, stream, err);
    return status ? status : own_finish(d, stream, err);
}

dist_status_t own_inside(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err)
{
    void *to = (char *)y + (size_t)d->middle * d->element;
    return d->middle_end > d->middle ? local_run(d->inside, x, false, to, stream, err) : DIST_OK;
}

dist_status_t own_outside(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err)
{
    const bool gpu = d->w->backend == DIST_CUDA;
    const void *halo = d->halo_at;
    void *sum = gpu ? d->d_sum : d->sum;
    if (d->apart) return d->by->boundary(d, x, y, stream, err);
    if (!d->outside) return DIST_OK;
    if (!d->halo_rows) return local_run(d->outside, halo, true, y, stream, err);
    const dist_status_t status = local_run(d->outside, halo, false, sum, stream, err);
    if (status || gpu) return status ? status : gpu_add(d, y, stream, err);
    if (d->element == 8)
        for (int64_t i = 0; i < d->mine.halo_rows; ++i) ((double *)y)[d->halo_rows[i]] += ((double *)sum)[i];
    else
        for (int64_t i = 0; i < d->mine.halo_rows; ++i) ((float *)y)[d->halo_rows[i]] += ((float *)sum)[i];
    return DIST_OK;
}
