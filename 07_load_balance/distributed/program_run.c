/* program_run.c - runs the rows of the table in one world */
#include "program.h"
#include "clock.h"

#include <stdlib.h>
#include <string.h>

/* Variants with the same cut are adjacent, and so are those with the same matrix: each is built once. */
const variant_t VARIANTS[] = {
    {"halo", "the entries needed, overlaps the interior", .what = PRODUCT},
    {"halo_seq", "the entries needed, then the product", .sequential = true},
    {"exchange", "exchange of the entries needed, alone", .what = EXCHANGE},
    {"interior", "nonzeros that need no halo, alone", .what = INTERIOR},
    {"boundary", "nonzeros that need the halo, alone", .what = BOUNDARY},
    {"halo_graph", "halo, 8 products in a CUDA graph", .where = GRAPHS_ONLY, .what = GRAPH},
    {"replicated", "all of x, overlaps the interior", .exchange = DIST_REPLICATED},
    {"replicated_seq", "all of x, then the product", .exchange = DIST_REPLICATED, .sequential = true},
    {"exchange_all", "exchange of all of x, alone", .exchange = DIST_REPLICATED, .what = EXCHANGE},
    {"csr", "the entries needed, plain CSR", .local = DIST_LOCAL_CSR, .where = CPU_ONLY},
    {"csrl", "the entries needed, CSRL", .local = DIST_LOCAL_CSRL, .where = CPU_ONLY},
    {"by_rank", "CSR or CSRL, chosen by each rank", .local = DIST_LOCAL_BY_RANK, .where = CPU_ONLY},
    {"halo_source", "halo, cut alternately", .cut = DIST_CUT_SOURCE},
    {"halo_rows", "halo, equal numbers of rows", .cut = DIST_CUT_ROWS},
};
const int VARIANT_COUNT = sizeof VARIANTS / sizeof *VARIANTS;

static void free_vectors(run_t *r)
{
    for (int k = 0; k < 2; ++k)
        if (r->p->backend == DIST_CUDA) device_free(r->dx[k]);
        else free(r->dx[k]);
    if (r->p->backend == DIST_CUDA) device_free(r->dy);
    else free(r->dy);
    if (r->stream) cudaStreamDestroy(r->stream);
    r->dx[0] = r->dx[1] = r->dy = NULL, r->stream = NULL;
}

/* Prepares this rank's parts of both x, room for y, and a stream. */
static dist_status_t take_vectors(run_t *r, err_t *err)
{
    const dist_part_t *part = dist_part(r->d, r->w->rank);
    const dtype_t t = dtype_vector(r->type);
    const size_t x_bytes = (size_t)part->cols * dtype_size(t), y_bytes = (size_t)part->rows * dtype_size(t) + GUARD;
    const bool on_gpu = r->p->backend == DIST_CUDA;
    int failed = on_gpu && device_ok(cudaStreamCreateWithFlags(&r->stream, cudaStreamNonBlocking), "a stream", err);
    for (int k = 0; k < 2 && !failed; ++k) {
        void *x = malloc(x_bytes + 1);
        if (x) dtype_from_double(t, x, r->x[k] + part->first_col, (size_t)part->cols);
        if (x && on_gpu) {
            r->dx[k] = device_upload(x, x_bytes, "x", err);
            free(x);
        } else {
            r->dx[k] = x;
            if (!x) err_set(err, "out of memory for %lld entries of x", (long long)part->cols);
        }
        failed = !r->dx[k];
    }
    if (!failed) r->dy = on_gpu ? device_alloc(y_bytes, "y", err) : malloc(y_bytes);
    if (!failed && !r->dy && !on_gpu) err_set(err, "out of memory for %lld rows of y", (long long)part->rows);
    return dist_agree(r->w, failed || !r->dy ? DIST_NO_MEMORY : DIST_OK, err);
}

void step_name(char *text, size_t size, const variant_t *v, int ranks) { snprintf(text, size, "%s@%d", v->id, ranks); }

bool selected(const run_t *r, const variant_t *v, int ranks)
{
    char id[64];
    step_name(id, sizeof id, v, ranks);
    const bool in_loops = !r->o->dtype_set || r->o->dtype == DTYPE_F32 || r->o->dtype == DTYPE_F64;
    const bool can = v->where == ANYWHERE || (v->where == CPU_ONLY ? r->p->backend == DIST_CPU && in_loops : r->graphs);
    return can && (cli_selects(r->o, id) || cli_selects(r->o, v->id));
}

/* Returns the largest number of bytes of x that a rank receives in one run. */
static double most_bytes(const run_t *r, dist_exchange_kind_t exchange)
{
    int64_t most = 0;
    for (int k = 0; k < r->w->ranks; ++k) {
        const int64_t bytes = exchange == DIST_HALO ? dist_halo_bytes(r->d, k) : dist_replicated_bytes(r->d, k);
        if (bytes > most) most = bytes;
    }
    return (double)most;
}

/* Checks, measures, checks with another x, and reports. */
static void run_variant(run_t *r, const variant_t *v, const csr_t *mine, double setup_ms)
{
    char id[64];
    const int ranks = r->w->ranks;
    err_t err = {{0}}, unwritten;
    bench_stats_t stats = {0, NAN, NAN};
    double err_over_tol = 0, unused = 0;
    const double bytes = most_bytes(r, v->exchange);
    step_name(id, sizeof id, v, ranks);
    report_row_t row = report_row_empty();
    row.chapter = r->p->record_name;
    row.step = id;
    row.kind = r->p->backend == DIST_CUDA ? "gpu" : "cpu";
    row.case_name = r->name;
    row.dtype = dtype_name(r->type);
    row.idea = v->idea;
    row.setup_ms = setup_ms;
    row.ranks = ranks;
    row.max_over_mean = dist_max_over_mean(r->d);
    row.exchange_bytes = bytes;
    if (r->w->rank == 0) report_progress(r->report, r->done, r->total, "%s %s", id, r->name);
    ++r->done;
    dist_set_overlap(r->d, !v->sequential);
    dist_status_t status = v->what == GRAPH ? graph_open(r, &err) : DIST_OK;
    status = dist_agree(r->w, status, &err);
    if (!status) status = check_product(r, v, mine, 0, &err_over_tol, &err);
    if (!status && r->gpu) status = time_variant(r, v->what, &stats, &err);
    if (!status) status = check_product(r, v, mine, 1, &unused, &err);
    graph_close(r);
    r->failures += status != DIST_OK;
    row.bytes = v->what == EXCHANGE ? bytes
                : v->what == PRODUCT || v->what == GRAPH
                    ? (double)csr_spmv_bytes((size_t)dist_rows(r->d), (size_t)dist_cols(r->d), (size_t)dist_nnz(r->d),
                                             r->type, 32)
                    : NAN;
    row.err_over_tol = v->what == PRODUCT || v->what == GRAPH ? err_over_tol : NAN;
    row.warm_us = stats.median_us;
    row.spread_pct = stats.spread_pct;
    row.status = status ? REPORT_FAIL : REPORT_OK;
    row.why = status ? err.text : NULL;
    if (r->w->rank || !report_add(r->report, &row, &unwritten)) return;
    fprintf(stderr, "%s: %s\n", r->p->name, unwritten.text);
    ++r->failures;
}

/* In a grid only rows of the best cut that exchange a halo are selected. */
static bool selected_here(const run_t *r, const variant_t *v, dist_cut_t cut)
{
    if (r->across > 1 && (cut != DIST_CUT_BEST || v->exchange != DIST_HALO)) return false;
    return v->cut == cut && selected(r, v, r->w->ranks);
}

/* Gets this rank's rows, or its block of a grid; first gets the rows of each rank. */
static dist_status_t take_rows(run_t *r, dist_cut_t cut, csr_t **mine, int64_t *first, err_t *err)
{
    const size_t bytes = ((size_t)r->w->ranks + 1) * sizeof *first;
    if (r->across > 1) {
        if (r->A && r->order.first) memcpy(first, r->order.first, bytes);
        else if (r->A) cut_rows(r->A->row_offsets, r->A->rows, r->w->ranks, cut, first);
        return dist_scatter_blocks(mine, r->w, r->A, first, r->across, err);
    }
    dist_status_t status = r->e->each ? dist_open_rows(mine, r->w, r->what, r->o->seed, cut, err)
                           : cut == DIST_CUT_BEST && r->order.first
                               ? dist_scatter_parts(mine, r->w, r->A, r->order.first, err)
                               : dist_scatter_rows(mine, r->w, r->A, cut, err);
    if (!status && r->e->each) csr_round(*mine, r->type);
    if (!status && tell_cut(r, *mine, cut, err)) status = DIST_NO_MEMORY;
    return status;
}

/* Creates the matrix and the vectors for rows with these options. */
static dist_status_t open_product(run_t *r, const dist_options_t *o, const csr_t *mine, const int64_t *first,
                                  double *setup_ms, err_t *err)
{
    free_vectors(r);
    dist_destroy(r->d);
    MPI_Barrier(r->w->comm);
    const double start = clock_now();
    const dist_status_t status = r->across > 1 ? dist_create_from_blocks(&r->d, r->w, mine, first, r->type, o, err)
                                               : dist_create_from_rows(&r->d, r->w, mine, r->type, o, err);
    *setup_ms = r->gpu ? 1e3 * (clock_now() - start) : NAN;
    if (status) return status;
    if (dist_transport(r->d) != r->w->transport && r->w->rank == 0)
        fprintf(r->talk, "%s: ranks exchange its entries of x by %s\n", r->name,
                dist_transport_name(dist_transport(r->d)));
    return take_vectors(r, err);
}

/* Runs all variants of one cut. */
dist_status_t run_cut(run_t *r, dist_cut_t cut, err_t *err)
{
    csr_t *mine = NULL;
    dist_options_t wanted, opened = {0};
    double setup_ms = NAN;
    bool any = false;
    for (int i = 0; i < VARIANT_COUNT; ++i) any = any || selected_here(r, &VARIANTS[i], cut);
    if (!any) return DIST_OK;
    int64_t *first = malloc(((size_t)r->w->ranks + 1) * sizeof *first);
    dist_status_t status = ENOUGH(r->w, first, err, "out of memory for %d ranks", r->w->ranks);
    if (!status) status = take_rows(r, cut, &mine, first, err);
    for (int i = 0; i < VARIANT_COUNT && !status; ++i) {
        const variant_t *v = &VARIANTS[i];
        if (!selected_here(r, v, cut)) continue;
        wanted = (dist_options_t){.cut = cut, .exchange = v->exchange, .local = v->local, .threads = r->o->threads,
                                  .across = r->across};
        if (!r->d || opened.exchange != wanted.exchange || opened.local != wanted.local)
            status = open_product(r, &wanted, mine, first, &setup_ms, err);
        opened = wanted;
        if (!status) run_variant(r, v, mine, setup_ms);
    }
    free_vectors(r);
    dist_destroy(r->d);
    r->d = NULL;
    csr_free(mine);
    free(first);
    return status;
}
