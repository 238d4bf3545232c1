/* dist.c - see dist.h */
#include "dist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cut.h"
#include "device.h"
#include "dist_impl.h"
#include "formats.h"

/* ---- the world ---------------------------------------------------------------------------------- */

/* Processes of one host share memory; others send messages. */
static dist_status_t cpu_choose(dist_world_t *w, dist_transport_t wanted, err_t *err)
{
    if (wanted == DIST_NCCL || wanted == DIST_DIRECT) {
        err_set(err, "the transport %s works on GPUs only; for the CPU back end choose shared or mpi",
                wanted == DIST_NCCL ? "NCCL" : "direct");
        return DIST_BAD_ARGUMENT;
    }
    const bool one_host = shared_possible(w);
    if (wanted == DIST_SHARED && !one_host) {
        err_set(err, "the ranks are on several hosts and share no memory: exchange over MPI");
        return DIST_NO_SHARING;
    }
    w->transport = wanted != DIST_MPI && one_host ? DIST_SHARED : DIST_MPI;
    snprintf(w->why, sizeof w->why, "%s, %d rank%s on CPUs", w->transport == DIST_MPI ? "MPI" : "shared memory",
             w->ranks, w->ranks == 1 ? "" : "s");
    return DIST_OK;
}

dist_status_t dist_world_open(dist_world_t **out, MPI_Comm comm, const dist_world_options_t *o, err_t *err)
{
    static const dist_world_options_t DEFAULT = {DIST_CPU, DIST_AUTO, 0};
    if (!o) o = &DEFAULT;
    *out = NULL;
    dist_world_t *w = calloc(1, sizeof *w);
    if (!w) {
        err_set(err, "out of memory");
        return DIST_NO_MEMORY;
    }
    if (mpi_ok(MPI_Comm_dup(comm, &w->comm), "MPI_Comm_dup", err)) {
        free(w);
        return DIST_MPI_ERROR;
    }
    MPI_Comm_set_errhandler(w->comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(w->comm, &w->rank);
    MPI_Comm_size(w->comm, &w->ranks);
    w->backend = o->backend;
    w->named = o->transport != DIST_AUTO;
    w->patience_s = o->patience_s > 0 ? o->patience_s : 8;
    const dist_status_t status =
        o->backend == DIST_CUDA ? card_choose(w, o->transport, err) : cpu_choose(w, o->transport, err);
    if (status) {
        dist_world_close(w);
        return status;
    }
    *out = w;
    return DIST_OK;
}

void dist_world_close(dist_world_t *w)
{
    if (!w) return;
    nccl_close(w);
    direct_close_world(w);
    MPI_Comm_free(&w->comm);
    free(w);
}

dist_status_t dist_sum(dist_world_t *w, double *values, int count, void *stream, err_t *err)
{
    if (w->ranks == 1) return DIST_OK;
    if (w->backend == DIST_CUDA) return card_sum(w, values, count, stream, err);
    return mpi_ok(MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, w->comm), "MPI_Allreduce", err)
               ? DIST_MPI_ERROR : DIST_OK;
}

/* ---- a matrix ----------------------------------------------------------------------------------- */

/* Whose rows and columns are whose, where d->first_row is known. */
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

/* Rows of the rank's row of the grid? */
static bool is_block(const dist_matrix_t *d, const int64_t *first, const csr_t *mine)
{
    const int across = d->o.across, i = d->w->rank / across * across;
    return first[0] == 0 && (int64_t)mine->rows == first[i + across] - first[i];
}

/* Shapes of all ranks' rows into d: first_row, first_col, cols, nnz. */
static dist_status_t agree_on_shape(dist_matrix_t *d, const origin_t *from, err_t *err)
{
    const csr_t *mine = from->mine;
    dist_world_t *w = d->w;
    const int ranks = w->ranks;
    int64_t shape[3] = {(int64_t)mine->rows, (int64_t)mine->cols, (int64_t)mine->nnz}, *shapes;
    dist_status_t status = DIST_OK;
    if (!(shapes = malloc((size_t)ranks * sizeof shape))) {
        err_set(err, "out of memory for %d ranks", ranks);
        status = DIST_NO_MEMORY;
    } else if (csr_check(mine, err)) {
        status = DIST_BAD_MATRIX;
    } else if (from->first_row && !is_block(d, from->first_row, mine)) {
        err_set(err, "a block of %zu rows is not the rank's row of the grid", mine->rows);
        status = DIST_BAD_ARGUMENT;
    }
    status = dist_agree(w, status, err);
    if (status == DIST_OK &&
        mpi_ok(MPI_Allgather(shape, 3, MPI_INT64_T, shapes, 3, MPI_INT64_T, w->comm), "MPI_Allgather", err))
        status = DIST_MPI_ERROR;
    for (int r = 0; r < ranks && status == DIST_OK; ++r) {
        d->first_row[r + 1] = d->first_row[r] + shapes[3 * r];
        d->nnz += shapes[3 * r + 2];
        if (shapes[3 * r + 1] != shapes[1]) {
            err_set(err, "rank %d has a matrix of %lld columns, rank 0 one of %lld", r, (long long)shapes[3 * r + 1],
                    (long long)shapes[1]);
            status = DIST_BAD_ARGUMENT;
        }
    }
    if (status == DIST_OK) {
        d->cols = shapes[1];
        share_out(d, from);
        if (d->rows > INT32_MAX) {
            err_set(err, "%lld rows are more than 2147483647", (long long)d->rows);
            status = DIST_BAD_ARGUMENT;
        }
    }
    free(shapes);
    return status;
}

/* This rank's two parts, ready to multiply. */
static dist_status_t open_parts(dist_matrix_t *d, const halo_t *h, dtype_t type, err_t *err)
{
    const dist_options_t *o = &d->o;
    const dist_local_t how = dist_how(d);
    csr_t *middle = d->apart ? rows_slice(h->inside, d->middle, d->middle_end) : NULL;
    dist_status_t status = d->apart && !middle ? DIST_NO_MEMORY : DIST_OK;
    if (status) err_set(err, "out of memory for %zu rows", h->inside->rows);
    if (!status)
        status = local_open(&d->inside, middle ? middle : h->inside, type, d->w->backend, how, o->threads, err);
    csr_free(middle);
    if (status || d->apart || !h->outside->nnz) return status;
    /* Most rows have some: the product adds to y by itself.  Few have: they are multiplied alone and then added. */
    if (2 * h->halo_rows >= h->inside->rows && how != (dist_local_t)LOCAL_IN_ORDER)
        return local_open_wide(&d->outside, d, h, 0, h->inside->rows, err);
    d->halo_rows = malloc(h->halo_rows * sizeof *d->halo_rows);
    d->sum = malloc(h->halo_rows * d->element);
    if (!d->halo_rows || !d->sum) {
        err_set(err, "out of memory for %zu rows of the boundary", h->halo_rows);
        return DIST_NO_MEMORY;
    }
    memcpy(d->halo_rows, h->rows, h->halo_rows * sizeof *d->halo_rows);
    if (d->w->backend == DIST_CUDA && (status = card_open_rows(d, err))) return status;
    return local_open(&d->outside, h->outside, type, d->w->backend, how, o->threads, err);
}

/* What this rank has, told to all. */
static dist_status_t share_parts(dist_matrix_t *d, err_t *err)
{
    const lists_t *l = &d->lists;
    enum { WORDS = sizeof(dist_part_t) / sizeof(int64_t) };
    d->mine.sends = (int64_t)l->sends;
    for (int r = 0; r < d->w->ranks; ++r) {
        d->mine.sources += l->source_counts[r] > 0;
        d->mine.targets += l->target_counts[r] > 0;
    }
    return mpi_ok(MPI_Allgather(&d->mine, WORDS, MPI_INT64_T, d->parts, WORDS, MPI_INT64_T, d->w->comm),
                  "MPI_Allgather", err)
               ? DIST_MPI_ERROR
               : DIST_OK;
}

/* What this rank knows of its rows by itself. */
static dist_part_t share_of(const dist_matrix_t *d, const csr_t *mine)
{
    const int64_t *row = d->first_row + d->w->rank, *col = d->first_col + d->w->rank;
    return (dist_part_t){.first_row = row[0], .rows = row[1] - row[0], .first_col = col[0], .cols = col[1] - col[0],
                         .nnz = (int64_t)mine->nnz, .runs = (int64_t)csr_nzseg(mine)};
}

static const transport_t *const TRANSPORTS[][2] = {/* DIST_CPU, DIST_CUDA */
                                                   [DIST_MPI] = {&TRANSPORT_MPI, &TRANSPORT_CARD_MPI},
                                                   [DIST_NCCL] = {NULL, &TRANSPORT_NCCL},
                                                   [DIST_SHARED] = {&TRANSPORT_SHARED, NULL},
                                                   [DIST_DIRECT] = {NULL, &TRANSPORT_DIRECT}};

const char *dist_transport_name(dist_transport_t t)
{
    const transport_t *const *by = TRANSPORTS[t];
    return t == DIST_AUTO ? "auto" : by[0] ? by[0]->name : by[1]->name;
}

/* The world's, or if nobody named it the next one that can carry this matrix: the same on every rank. */
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

/* What h has of the first `rows` rows; the matrices are *inside and *outside. */
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

/* The rank's rows ready to multiply and its transport; others: those that are not its own (a grid). */
static dist_status_t build_rows(dist_matrix_t *d, const csr_t *mine, const int32_t *others, err_t *err)
{
    dist_world_t *w = d->w;
    dist_part_t *p = &d->mine;
    const bool all = d->o.exchange == DIST_REPLICATED;
    dist_status_t status = DIST_OK;
    halo_t h, own = {0};
    csr_t inside, outside;
    if (halo_split(&h, mine, p->first_col, p->first_col + p->cols, all, err)) status = DIST_NO_MEMORY;
    d->halo = h.halo;
    p->halo = (int64_t)h.distinct;
    if (!status) {
        p->halo_nnz = (int64_t)h.outside->nnz;
        own = head_of(&h, (size_t)p->rows, &inside, &outside);
        p->halo_rows = (int64_t)own.halo_rows;
        d->middle_end = p->rows;
    }
    status = dist_agree(w, status, err);
    if (!status && lists_open(&d->lists, d, h.columns, err)) status = DIST_NO_MEMORY;
    if (!status && w->backend == DIST_CUDA) status = card_open(d, err);
    status = dist_agree(w, status, err);
    if (!status) status = open_transport(d, &own, err);
    if (!status) status = dist_agree(w, open_parts(d, &own, d->type, err), err);
    d->halo_at = w->backend == DIST_CUDA ? d->d_received : d->received; /* until something has been received */
    if (!status && others) status = fold_open(d, &h, others, own.halo_rows, err);
    halo_free(&h);
    return status;
}

static dist_status_t build(dist_matrix_t *d, const origin_t *from, err_t *err)
{
    dist_part_t *p = &d->mine;
    dist_status_t status = agree_on_shape(d, from, err);
    if (status) return status;
    *p = share_of(d, from->mine);
    p->csrl =
        d->o.local == DIST_LOCAL_CSRL || (d->o.local == DIST_LOCAL_BY_RANK && 10 * p->runs < 3 * p->nnz); /* 0.3 */
    if (!from->first_row) {
        status = build_rows(d, from->mine, NULL, err);
        return status ? status : share_parts(d, err);
    }
    const int64_t block_first = d->first_row[d->w->rank / d->o.across * d->o.across];
    int32_t *others = malloc((from->mine->rows + 1) * sizeof *others);
    csr_t *arranged = NULL;
    if (others) arranged = fold_arrange(from->mine, block_first, p->first_row, p->first_row + p->rows, others, err);
    else err_set(err, "out of memory for %zu rows of a block", from->mine->rows);
    status = dist_agree(d->w, arranged ? DIST_OK : DIST_NO_MEMORY, err);
    if (!status) status = build_rows(d, arranged, others, err);
    csr_free(arranged);
    free(others);
    return status ? status : share_parts(d, err);
}

/* An empty matrix of that world; the same answer on every rank. */
static dist_status_t start_matrix(dist_matrix_t **out, dist_world_t *w, const dist_options_t *o, err_t *err)
{
    const size_t ranks = (size_t)w->ranks;
    dist_matrix_t *d = calloc(1, sizeof *d);
    dist_status_t status = DIST_OK;
    if (d) {
        d->w = w;
        if (o) d->o = *o;
        d->first_row = calloc(ranks + 1, sizeof *d->first_row);
        d->first_col = calloc(ranks + 1, sizeof *d->first_col);
        d->parts = calloc(ranks, sizeof *d->parts);
    }
    if (!d || !d->first_row || !d->first_col || !d->parts) {
        err_set(err, "out of memory for %zu ranks", ranks);
        status = DIST_NO_MEMORY;
    }
    status = dist_agree(w, status, err);
    if (status) dist_destroy(d);
    *out = status ? NULL : d;
    return status;
}

dist_status_t dist_build(dist_matrix_t **out, dist_world_t *w, const origin_t *from, dtype_t type,
                         const dist_options_t *o, err_t *err)
{
    dist_matrix_t *d;
    *out = NULL;
    dist_status_t status = start_matrix(&d, w, o, err);
    if (status) return status;
    d->type = type;
    d->element = dtype_size(dtype_vector(type));
    status = build(d, from, err);
    if (status) dist_destroy(d);
    else *out = d;
    return status;
}

dist_status_t dist_create_from_rows(dist_matrix_t **d, dist_world_t *w, const csr_t *mine, dtype_t type,
                                    const dist_options_t *o, err_t *err)
{
    *d = NULL;
    if (!o || o->across <= 1) return dist_build(d, w, &(origin_t){.mine = mine}, type, o, err);
    err_set(err, "in a grid a rank has a block, not rows");
    return DIST_BAD_ARGUMENT;
}

dist_status_t dist_create_from_blocks(dist_matrix_t **d, dist_world_t *w, const csr_t *mine, const int64_t *first,
                                      dtype_t type, const dist_options_t *o, err_t *err)
{
    *d = NULL;
    if (o && o->across > 0 && w->ranks % o->across == 0 && o->exchange == DIST_HALO)
        return dist_build(d, w, &(origin_t){.mine = mine, .first_row = first}, type, o, err);
    err_set(err, "blocks want a grid: ranks in whole rows of it, and a halo");
    return DIST_BAD_ARGUMENT;
}

dist_status_t dist_measure(dist_part_t *parts, dist_world_t *w, const csr_t *mine, err_t *err)
{
    dist_matrix_t *d;
    halo_t h = {0};
    size_t halo_nnz = 0;
    dist_status_t status = start_matrix(&d, w, NULL, err);
    if (status) return status;
    status = agree_on_shape(d, &(origin_t){.mine = mine}, err);
    if (!status) {
        dist_part_t *p = &d->mine;
        *p = share_of(d, mine);
        if (halo_columns(&h, mine, p->first_col, p->first_col + p->cols, &halo_nnz, err)) status = DIST_NO_MEMORY;
        p->halo = (int64_t)h.distinct;
        p->halo_rows = (int64_t)h.halo_rows;
        p->halo_nnz = (int64_t)halo_nnz;
        status = dist_agree(w, status, err);
    }
    if (!status && lists_open(&d->lists, d, h.columns, err)) status = DIST_NO_MEMORY;
    halo_free(&h);
    if (!status) status = share_parts(d, err);
    if (!status) memcpy(parts, d->parts, (size_t)w->ranks * sizeof *parts);
    dist_destroy(d);
    return status;
}

static dist_status_t create_in_grid(dist_matrix_t **d, dist_world_t *w, const csr_t *A, dtype_t type,
                                    const dist_options_t *o, err_t *err)
{
    csr_t *mine = NULL;
    int64_t *first = malloc(((size_t)w->ranks + 1) * sizeof *first);
    if (!first) err_set(err, "out of memory for %d ranks", w->ranks);
    dist_status_t status = dist_agree(w, first ? DIST_OK : DIST_NO_MEMORY, err);
    if (!status && w->rank == 0 && A) cut_rows(A->row_offsets, A->rows, w->ranks, o->cut, first);
    if (!status) status = dist_scatter_blocks(&mine, w, A, first, o->across, err);
    if (!status) status = dist_create_from_blocks(d, w, mine, first, type, o, err);
    csr_free(mine);
    free(first);
    return status;
}

dist_status_t dist_create(dist_matrix_t **d, dist_world_t *w, const csr_t *A, dtype_t type, const dist_options_t *o,
                          err_t *err)
{
    csr_t *mine;
    *d = NULL;
    if (o && o->across > 1) return create_in_grid(d, w, A, type, o, err);
    dist_status_t status = dist_scatter_rows(&mine, w, A, o ? o->cut : DIST_CUT_BEST, err);
    if (!status) status = dist_create_from_rows(d, w, mine, type, o, err);
    csr_free(mine);
    return status;
}

dist_transport_t dist_transport(const dist_matrix_t *d) { return d->transport; }

void dist_set_overlap(dist_matrix_t *d, bool overlap) { d->o.no_overlap = !overlap; }

void dist_destroy(dist_matrix_t *d)
{
    if (!d) return;
    fold_close(d);
    if (d->by) d->by->close(d);
    if (d->w->backend == DIST_CUDA) card_close(d);
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

const dist_part_t *dist_part(const dist_matrix_t *d, int rank) { return &d->parts[rank]; }
int64_t dist_rows(const dist_matrix_t *d) { return d->rows; }
int64_t dist_cols(const dist_matrix_t *d) { return d->cols; }
int64_t dist_nnz(const dist_matrix_t *d) { return d->nnz; }

double dist_max_over_mean(const dist_matrix_t *d)
{
    int64_t most = 0;
    for (int r = 0; r < d->w->ranks; ++r)
        if (d->parts[r].nnz > most) most = d->parts[r].nnz;
    return d->nnz ? (double)most * d->w->ranks / (double)d->nnz : 1;
}

int64_t dist_halo_bytes(const dist_matrix_t *d, int rank)
{
    return (d->parts[rank].halo + d->parts[rank].fold) * (int64_t)d->element;
}
int64_t dist_replicated_bytes(const dist_matrix_t *d, int rank)
{
    return (d->cols - d->parts[rank].cols) * (int64_t)d->element;
}

/* ---- the product -------------------------------------------------------------------------------- */

dist_status_t dist_start(dist_matrix_t *d, const void *x, void *stream, err_t *err)
{
    if (d->w->backend == DIST_CUDA) return card_exchange_start(d, x, stream, err);
    return d->by->put(d, x, NULL, err);
}

dist_status_t dist_finish(dist_matrix_t *d, void *stream, err_t *err)
{
    if (d->w->backend == DIST_CUDA) return card_exchange_finish(d, stream, err);
    return d->by->wait(d, NULL, err);
}

dist_status_t dist_settle(dist_matrix_t *d, err_t *err)
{
    if (d->w->backend != DIST_CUDA) return DIST_OK;
    if (device_sync(err)) return DIST_GPU_ERROR;
    return d->w->direct ? direct_settle(d->w, err) : DIST_OK;
}

dist_status_t dist_exchange(dist_matrix_t *d, const void *x, void *stream, err_t *err)
{
    const bool goes = !d->fold || !fold_x_stays(d);
    dist_status_t status = goes ? dist_start(d, x, stream, err) : DIST_OK;
    if (!status && goes) status = dist_finish(d, stream, err);
    return status || !d->fold ? status : fold_exchange(d, stream, err);
}

dist_status_t dist_own_inside(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err)
{
    void *to = (char *)y + (size_t)d->middle * d->element;
    return d->middle_end > d->middle ? local_run(d->inside, x, false, to, stream, err) : DIST_OK;
}

dist_status_t dist_interior(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err)
{
    const dist_status_t status = d->fold ? fold_inside(d, x, stream, err) : DIST_OK;
    return status ? status : dist_own_inside(d, x, y, stream, err);
}

dist_status_t dist_own_outside(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err)
{
    const bool card = d->w->backend == DIST_CUDA;
    const void *halo = d->halo_at;
    void *sum = card ? d->d_sum : d->sum;
    if (d->apart) return d->by->boundary(d, x, y, stream, err);
    if (!d->outside) return DIST_OK;
    if (!d->halo_rows) return local_run(d->outside, halo, true, y, stream, err);
    const dist_status_t status = local_run(d->outside, halo, false, sum, stream, err);
    if (status || card) return status ? status : card_add(d, y, stream, err);
    if (d->element == 8)
        for (int64_t i = 0; i < d->mine.halo_rows; ++i) ((double *)y)[d->halo_rows[i]] += ((double *)sum)[i];
    else
        for (int64_t i = 0; i < d->mine.halo_rows; ++i) ((float *)y)[d->halo_rows[i]] += ((float *)sum)[i];
    return DIST_OK;
}

dist_status_t dist_boundary(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err)
{
    dist_status_t status = d->fold ? fold_outside(d, stream, err) : DIST_OK;
    if (!status) status = dist_own_outside(d, x, y, stream, err);
    return status || !d->fold ? status : fold_add(d, y, stream, err);
}

dist_status_t dist_spmv(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err)
{
    if (d->w->ranks == 1) return dist_interior(d, x, y, stream, err); /* all columns are its own */
    if (d->fold) return fold_spmv(d, x, y, stream, err);
    dist_status_t status = DIST_OK;
    if (card_can_at_once(d, stream)) {
        status = d->by->at_once(d, x, y, stream, err);
        return status ? status : dist_interior(d, x, y, stream, err);
    }
    status = dist_start(d, x, stream, err);
    if (!status && d->o.no_overlap) status = dist_finish(d, stream, err);
    if (!status) status = dist_interior(d, x, y, stream, err);
    if (!status && d->joined && !d->o.no_overlap) return card_boundary(d, x, y, stream, err);
    if (!status && !d->o.no_overlap) status = dist_finish(d, stream, err);
    return status ? status : dist_boundary(d, x, y, stream, err);
}

/* ---- whole vectors ------------------------------------------------------------------------------ */

/* Counts and offsets as MPI wants them; NULL if memory is short.  counts [ranks], then offsets [ranks]. */
static int *int_shares(const int64_t *first, int ranks)
{
    int *counts = malloc(2 * (size_t)ranks * sizeof *counts);
    for (int r = 0; counts && r < ranks; ++r) {
        counts[r] = (int)(first[r + 1] - first[r]);
        counts[ranks + r] = (int)first[r];
    }
    return counts;
}

dist_status_t dist_scatter_x(const dist_matrix_t *d, const void *whole, void *x, err_t *err)
{
    const int ranks = d->w->ranks;
    int *counts = int_shares(d->first_col, ranks);
    const MPI_Datatype entry = d->element == 8 ? MPI_DOUBLE : MPI_FLOAT;
    dist_status_t status = counts ? DIST_OK : DIST_NO_MEMORY;
    if (!counts) err_set(err, "out of memory for %d ranks", ranks);
    status = dist_agree(d->w, status, err);
    if (!status &&
        mpi_ok(MPI_Scatterv(whole, counts, counts + ranks, entry, x, (int)d->mine.cols, entry, 0, d->w->comm),
               "MPI_Scatterv", err))
        status = DIST_MPI_ERROR;
    free(counts);
    return status;
}

dist_status_t dist_gather_y(const dist_matrix_t *d, const void *y, void *whole, err_t *err)
{
    const int ranks = d->w->ranks;
    int *counts = int_shares(d->first_row, ranks);
    const MPI_Datatype entry = d->element == 8 ? MPI_DOUBLE : MPI_FLOAT;
    dist_status_t status = counts ? DIST_OK : DIST_NO_MEMORY;
    if (!counts) err_set(err, "out of memory for %d ranks", ranks);
    status = dist_agree(d->w, status, err);
    if (!status && mpi_ok(MPI_Gatherv(y, (int)d->mine.rows, entry, whole, counts, counts + ranks, entry, 0, d->w->comm),
                          "MPI_Gatherv", err))
        status = DIST_MPI_ERROR;
    free(counts);
    return status;
}
