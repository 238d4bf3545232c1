/* dist.c - see dist.h */
#include "dist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cut.h"
#include "device.h"
#include "dist_impl.h"

/* ---- the world ---------------------------------------------------------------------------------- */

/* Processes of one host share memory; others send messages. */
static dist_status_t cpu_choose(dist_world_t *w, dist_transport_t wanted, err_t *err)
{
    if (wanted == DIST_NCCL || wanted == DIST_DIRECT)
        return FAIL_WITH(err, DIST_BAD_ARGUMENT,
                         "the transport %s works on GPUs only; for the CPU back end choose shared or mpi",
                         wanted == DIST_NCCL ? "NCCL" : "direct");
    const bool one_host = shared_possible(w);
    if (wanted == DIST_SHARED && !one_host)
        return FAIL_WITH(err, DIST_NO_SHARING,
                         "the ranks are on several hosts and share no memory: exchange over MPI");
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
    if (!w) return FAIL_WITH(err, DIST_NO_MEMORY, "out of memory");
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
        o->backend == DIST_CUDA ? gpu_choose_transport(w, o->transport, err) : cpu_choose(w, o->transport, err);
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
    if (w->backend == DIST_CUDA) return gpu_sum(w, values, count, stream, err);
    return mpi_ok(MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, w->comm), "MPI_Allreduce", err);
}

/* ---- a matrix ----------------------------------------------------------------------------------- */

/* Prepares the rows of a block: the rank's own, and those of other ranks (fold.c). */
static dist_status_t open_block(dist_matrix_t *d, const csr_t *mine, err_t *err)
{
    const dist_part_t *p = &d->mine;
    const int64_t block_first = d->first_row[d->w->rank / d->o.across * d->o.across];
    int32_t *others = malloc((mine->rows + 1) * sizeof *others);
    csr_t *arranged = NULL;
    if (others) arranged = fold_arrange(mine, block_first, p->first_row, p->first_row + p->rows, others, err);
    else err_set(err, "out of memory for %zu rows of a block", mine->rows);
    dist_status_t status = dist_agree(d->w, arranged ? DIST_OK : DIST_NO_MEMORY, err);
    if (!status) {
        halo_t h;
        size_t own_outside;
        status = own_open(d, arranged, &h, &own_outside, err);
        if (!status) status = fold_open(d, &h, others, own_outside, err);
        halo_free(&h);
    }
    csr_free(arranged);
    free(others);
    return status;
}

dist_status_t dist_create_from_rows(dist_matrix_t **d, dist_world_t *w, const csr_t *mine, dtype_t type,
                                    const dist_options_t *o, err_t *err)
{
    *d = NULL;
    if (!o || o->across <= 1) return own_build(d, w, &(origin_t){.mine = mine}, type, o, err);
    return FAIL_WITH(err, DIST_BAD_ARGUMENT,
                     "in a grid each rank has a block: use dist_create_from_blocks, not dist_create_from_rows");
}

dist_status_t dist_create_from_blocks(dist_matrix_t **d, dist_world_t *w, const csr_t *mine, const int64_t *first,
                                      dtype_t type, const dist_options_t *o, err_t *err)
{
    *d = NULL;
    if (!o || o->across <= 0 || w->ranks % o->across || o->exchange != DIST_HALO)
        return FAIL_WITH(err, DIST_BAD_ARGUMENT, "blocks need a grid: `across` must divide the number of ranks, and "
                         "the exchange be DIST_HALO");
    dist_status_t status = own_begin(d, w, &(origin_t){.mine = mine, .first_row = first}, type, o, err);
    if (status) return status;
    status = open_block(*d, mine, err);
    if (!status) status = own_share(*d, err);
    if (!status) return DIST_OK;
    dist_destroy(*d);
    *d = NULL;
    return status;
}

dist_status_t dist_measure(dist_part_t *parts, dist_world_t *w, const csr_t *mine, err_t *err)
{
    dist_matrix_t *d;
    halo_t h = {0};
    size_t halo_nnz = 0;
    dist_status_t status = own_begin(&d, w, &(origin_t){.mine = mine}, DTYPE_F64, NULL, err);
    if (status) return status;
    dist_part_t *p = &d->mine;
    if (halo_columns(&h, mine, p->first_col, p->first_col + p->cols, &halo_nnz, err)) status = DIST_NO_MEMORY;
    p->halo = (int64_t)h.distinct;
    p->halo_rows = (int64_t)h.halo_rows;
    p->halo_nnz = (int64_t)halo_nnz;
    status = dist_agree(w, status, err);
    if (!status) status = lists_open(&d->lists, d, h.columns, err);
    halo_free(&h);
    if (!status) status = own_share(d, err);
    if (!status) memcpy(parts, d->parts, (size_t)w->ranks * sizeof *parts);
    own_destroy(d);
    return status;
}

static dist_status_t create_in_grid(dist_matrix_t **d, dist_world_t *w, const csr_t *A, dtype_t type,
                                    const dist_options_t *o, err_t *err)
{
    csr_t *mine = NULL;
    int64_t *first = malloc(((size_t)w->ranks + 1) * sizeof *first);
    dist_status_t status = ENOUGH(w, first, err, "out of memory for %d ranks", w->ranks);
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
    if (d) fold_close(d);
    own_destroy(d);
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

dist_status_t dist_settle(dist_matrix_t *d, err_t *err)
{
    if (d->w->backend != DIST_CUDA) return DIST_OK;
    if (device_sync(err)) return DIST_GPU_ERROR;
    return d->w->direct ? direct_settle(d->w, err) : DIST_OK;
}

dist_status_t dist_exchange(dist_matrix_t *d, const void *x, void *stream, err_t *err)
{
    const bool goes = !d->fold || !fold_x_stays(d);
    dist_status_t status = goes ? own_start(d, x, stream, err) : DIST_OK;
    if (!status && goes) status = own_finish(d, stream, err);
    return status || !d->fold ? status : fold_exchange(d, stream, err);
}

dist_status_t dist_interior(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err)
{
    const dist_status_t status = d->fold ? fold_inside(d, x, stream, err) : DIST_OK;
    return status ? status : own_inside(d, x, y, stream, err);
}

dist_status_t dist_boundary(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err)
{
    dist_status_t status = d->fold ? fold_outside(d, stream, err) : DIST_OK;
    if (!status) status = own_outside(d, x, y, stream, err);
    return status || !d->fold ? status : fold_add(d, y, stream, err);
}

dist_status_t dist_spmv(dist_matrix_t *d, const void *x, void *y, void *stream, err_t *err)
{
    if (d->w->ranks == 1) return dist_interior(d, x, y, stream, err); /* all columns are its own */
    if (d->fold) return fold_spmv(d, x, y, stream, err);
    dist_status_t status = DIST_OK;
    if (gpu_can_at_once(d, stream)) {
        status = d->by->at_once(d, x, y, stream, err);
        return status ? status : dist_interior(d, x, y, stream, err);
    }
    status = own_start(d, x, stream, err);
    if (!status && d->o.no_overlap) status = own_finish(d, stream, err);
    if (!status) status = dist_interior(d, x, y, stream, err);
    if (!status && d->joined && !d->o.no_overlap) return gpu_boundary(d, x, y, stream, err);
    if (!status && !d->o.no_overlap) status = own_finish(d, stream, err);
    return status ? status : dist_boundary(d, x, y, stream, err);
}

/* ---- whole vectors ------------------------------------------------------------------------------ */

/* Counts and offsets for MPI: counts [ranks], then offsets [ranks].  NULL if memory is short. */
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
    dist_status_t status = ENOUGH(d->w, counts, err, "out of memory for %d ranks", ranks);
    if (!status)
        status = mpi_ok(MPI_Scatterv(whole, counts, counts + ranks, entry, x, (int)d->mine.cols, entry, 0, d->w->comm),
                        "MPI_Scatterv", err);
    free(counts);
    return status;
}

dist_status_t dist_gather_y(const dist_matrix_t *d, const void *y, void *whole, err_t *err)
{
    const int ranks = d->w->ranks;
    int *counts = int_shares(d->first_row, ranks);
    const MPI_Datatype entry = d->element == 8 ? MPI_DOUBLE : MPI_FLOAT;
    dist_status_t status = ENOUGH(d->w, counts, err, "out of memory for %d ranks", ranks);
    if (!status)
        status = mpi_ok(MPI_Gatherv(y, (int)d->mine.rows, entry, whole, counts, counts + ranks, entry, 0, d->w->comm),
                        "MPI_Gatherv", err);
    free(counts);
    return status;
}
