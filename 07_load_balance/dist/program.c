/* program.c - see program.h */
#include "program.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "cut.h"
#include "harness.h"
#include "matgen.h"
#include "volumes.h"
#ifndef DIST_NO_FILES
#include "spmv_session.h"
#endif

enum { EXIT_BAD_INPUT = 2, GUARD = 64, MOST_WORLDS = 32 };

/* ---- the rows of the table ---------------------------------------------------------------------- */

typedef enum what { PRODUCT, EXCHANGE, INTERIOR, BOUNDARY, GRAPH } what_t;

typedef struct variant {
    const char *id; /* the record's step is id@ranks */
    dist_cut_t cut;
    dist_exchange_kind_t exchange;
    dist_local_t local;
    bool overlap;
    enum { ANYWHERE, CPU_ONLY, NCCL_ONLY } where;
    what_t what;
    const char *idea;
} variant_t;

/* Those of one cut together, and those of one matrix in a row. */
static const variant_t VARIANTS[] = {
    {"halo", DIST_CUT_BEST, DIST_HALO, DIST_LOCAL_PLAN, true, ANYWHERE, PRODUCT, "the entries needed, interior meanwhile"},
    {"halo_seq", DIST_CUT_BEST, DIST_HALO, DIST_LOCAL_PLAN, false, ANYWHERE, PRODUCT, "the entries needed, then the product"},
    {"exchange", DIST_CUT_BEST, DIST_HALO, DIST_LOCAL_PLAN, true, ANYWHERE, EXCHANGE, "exchange of the entries needed, alone"},
    {"interior", DIST_CUT_BEST, DIST_HALO, DIST_LOCAL_PLAN, true, ANYWHERE, INTERIOR, "nonzeros that need no halo, alone"},
    {"boundary", DIST_CUT_BEST, DIST_HALO, DIST_LOCAL_PLAN, true, ANYWHERE, BOUNDARY, "nonzeros that need it, alone"},
    {"halo_graph", DIST_CUT_BEST, DIST_HALO, DIST_LOCAL_PLAN, true, NCCL_ONLY, GRAPH, "halo, replayed as a CUDA graph"},
    {"replicated", DIST_CUT_BEST, DIST_REPLICATED, DIST_LOCAL_PLAN, true, ANYWHERE, PRODUCT, "all of x, interior meanwhile"},
    {"replicated_seq", DIST_CUT_BEST, DIST_REPLICATED, DIST_LOCAL_PLAN, false, ANYWHERE, PRODUCT, "all of x, then the product"},
    {"exchange_all", DIST_CUT_BEST, DIST_REPLICATED, DIST_LOCAL_PLAN, true, ANYWHERE, EXCHANGE, "exchange of all of x, alone"},
    {"csr", DIST_CUT_BEST, DIST_HALO, DIST_LOCAL_CSR, true, CPU_ONLY, PRODUCT, "the entries needed, plain CSR"},
    {"csrl", DIST_CUT_BEST, DIST_HALO, DIST_LOCAL_CSRL, true, CPU_ONLY, PRODUCT, "the entries needed, CSRL"},
    {"by_rank", DIST_CUT_BEST, DIST_HALO, DIST_LOCAL_BY_RANK, true, CPU_ONLY, PRODUCT, "each rank decides: CSR or CSRL"},
    {"halo_source", DIST_CUT_SOURCE, DIST_HALO, DIST_LOCAL_PLAN, true, ANYWHERE, PRODUCT, "halo, cut alternately"},
    {"halo_rows", DIST_CUT_ROWS, DIST_HALO, DIST_LOCAL_PLAN, true, ANYWHERE, PRODUCT, "halo, as many rows each"},
};
enum { VARIANT_COUNT = sizeof VARIANTS / sizeof *VARIANTS };

static const char *const CUT_NAMES[] = {"best", "source", "rows"};

/* ---- options ------------------------------------------------------------------------------------ */

typedef struct extra {
    int ranks[MOST_WORLDS], worlds; /* --ranks */
    bool each, weak, per_rank;
    dist_transport_t transport;
    const char *cuts;               /* --cuts FILE */
    int parts[MOST_WORLDS], parts_count; /* --parts */
} extra_t;

enum { OPT_RANKS = 3000, OPT_INPUT, OPT_WEAK, OPT_PER_RANK, OPT_TRANSPORT, OPT_CUTS, OPT_PARTS };

static const struct argp_option EXTRA_OPTIONS[] = {
    {"ranks", OPT_RANKS, "LIST", 0, "Measure with so many of the ranks started: 1,2,4 (default: all of them)", 0},
    {"input", OPT_INPUT, "HOW", 0, "scatter: rank 0 reads and deals out (default); each: every rank reads or generates its "
     "own rows", 0},
    {"weak", OPT_WEAK, NULL, 0, "The matrix is that of one rank; with P ranks a stencil's last size is P times as large", 0},
    {"per-rank", OPT_PER_RANK, NULL, 0, "The table of the cuts names each rank", 0},
    {"transport", OPT_TRANSPORT, "NAME", 0, "auto, mpi or nccl: how entries of x on cards travel", 0},
    {"cuts", OPT_CUTS, "FILE", 0, "Write the table of the cuts, bytes exchanged included, and multiply nothing", 0},
    {"parts", OPT_PARTS, "LIST", 0, "With --cuts: count for so many ranks in one process, 1,8,1024", 0},
    {0},
};

/* 1,2,4 into numbers[MOST_WORLDS]; how many. */
static int parse_list(const char *arg, int *numbers, struct argp_state *state, const char *option)
{
    int count = 0;
    for (const char *s = arg; count < MOST_WORLDS; ++s) {
        char *end;
        const long n = strtol(s, &end, 10);
        if (end == s || n < 1 || n > 1 << 20 || (*end && *end != ','))
            argp_error(state, "%s: \"%s\" is no list like 1,2,4", option, arg);
        numbers[count++] = (int)n;
        s = end;
        if (!*s) return count;
    }
    argp_error(state, "%s: at most %d numbers", option, MOST_WORLDS);
    return 0;
}

static error_t parse_extra(int key, char *arg, struct argp_state *state)
{
    extra_t *e = state->input;
    switch (key) {
    case OPT_RANKS: e->worlds = parse_list(arg, e->ranks, state, "--ranks"); return 0;
    case OPT_PARTS: e->parts_count = parse_list(arg, e->parts, state, "--parts"); return 0;
    case OPT_INPUT:
        if (strcmp(arg, "each") && strcmp(arg, "scatter")) argp_error(state, "--input: \"%s\" is neither scatter nor each", arg);
        e->each = strcmp(arg, "each") == 0;
        return 0;
    case OPT_WEAK: e->weak = true; return 0;
    case OPT_PER_RANK: e->per_rank = true; return 0;
    case OPT_TRANSPORT:
        if (strcmp(arg, "auto") && strcmp(arg, "mpi") && strcmp(arg, "nccl"))
            argp_error(state, "--transport: \"%s\" is none of auto, mpi, nccl", arg);
        e->transport = *arg == 'm' ? DIST_MPI : *arg == 'n' ? DIST_NCCL : DIST_AUTO;
        return 0;
    case OPT_CUTS: e->cuts = arg; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- a product recorded once and replayed -------------------------------------------------------- */

#ifdef COURSE_CUDA
typedef struct graph {
    cudaStream_t stream;
    cudaGraphExec_t exec;
} graph_t;

/* Records what dist_spmv enqueues: pack, NCCL, both products, and what waits for what. */
static dist_status_t graph_open(graph_t *g, dist_matrix_t *d, const void *x, void *y, err_t *err)
{
    cudaGraph_t graph = NULL;
    if (device_ok(cudaStreamCreateWithFlags(&g->stream, cudaStreamNonBlocking), "a stream", err) ||
        device_ok(cudaStreamBeginCapture(g->stream, cudaStreamCaptureModeThreadLocal), "a graph", err))
        return DIST_GPU_ERROR;
    dist_status_t status = dist_spmv(d, x, y, g->stream, err);
    const cudaError_t end = cudaStreamEndCapture(g->stream, &graph);
    if (!status && (device_ok(end, "a graph", err) || device_ok(cudaGraphInstantiate(&g->exec, graph, 0), "a graph", err)))
        status = DIST_GPU_ERROR;
    if (graph) cudaGraphDestroy(graph);
    return status;
}

static dist_status_t graph_run(graph_t *g, err_t *err)
{
    return device_ok(cudaGraphLaunch(g->exec, g->stream), "a graph", err) ? DIST_GPU_ERROR : DIST_OK;
}

static void graph_close(graph_t *g)
{
    if (g->exec) cudaGraphExecDestroy(g->exec);
    if (g->stream) cudaStreamDestroy(g->stream);
    *g = (graph_t){0};
}
#else /* the stand-in has no graphs, and no NCCL that could be in one */
typedef struct graph {
    int none;
} graph_t;
static dist_status_t graph_open(graph_t *g, dist_matrix_t *d, const void *x, void *y, err_t *err)
{
    (void)g, (void)d, (void)x, (void)y;
    err_set(err, "graphs need a card");
    return DIST_NO_GPU;
}
static dist_status_t graph_run(graph_t *g, err_t *err) { return graph_open(g, NULL, NULL, NULL, err); }
static void graph_close(graph_t *g) { (void)g; }
#endif

/* ---- one run ------------------------------------------------------------------------------------ */

typedef struct run {
    const program_t *p;
    const options_t *o;
    const extra_t *e;
    report_t *report;  /* rank 0's */
    FILE *cuts;        /* rank 0's, or NULL */
    FILE *talk;        /* where rank 0 prints the table of the cuts */
    bool card;         /* a card, not the stand-in: times may be printed */
    bool nccl;         /* NCCL in every world */
    size_t done, total; /* rows, for the progress line */
    int failures;

    /* the matrix at hand */
    char what[200], name[200];
    dtype_t type;
    csr_t *A;          /* rank 0's, rounded to `type`; NULL where each rank has only its rows */
    size_t rows, cols;
    double *x[2];      /* two vectors: a halo of the first is wrong for the second */
    double *y[2], *abs_sum[2]; /* what comes out, and sum |a x|: on the rank that has A */

    /* the world and the matrix in it */
    dist_world_t *w;
    dist_matrix_t *d;
    void *dx[2], *dy;  /* this rank's parts, where its back end has them */
    graph_t graph;     /* the product with dx[0], recorded */
} run_t;

static bool main_rank(const run_t *r) { return !r->w || r->w->rank == 0; }

/* Rank 0 says what is wrong with an input; every rank goes on to the next. */
static void complain(run_t *r, const err_t *err)
{
    if (main_rank(r)) fprintf(stderr, "%s: %s: %s\n", r->p->name, r->name, err->text);
}

/* ---- checking ----------------------------------------------------------------------------------- */

/* Where libspmv sums, at least four chains a row and one addition for the halo; the loops of CSR have one chain. */
static size_t depth(size_t length, dist_local_t local)
{
    return local == DIST_LOCAL_PLAN || local == DIST_LOCAL_NONE ? length / 4 + 18 : length + 2;
}

/* y in host memory, this rank's part of A x[k], against A's rows. */
static int judge(const run_t *r, const csr_t *A, const double *ref, const double *abs_sum, const void *y, dist_local_t local,
                 double *err_over_tol, err_t *err)
{
    double *tolerance = malloc((A->rows + 1) * sizeof *tolerance);
    if (!tolerance) return err_set(err, "out of memory for %zu tolerances", A->rows);
    for (size_t i = 0; i < A->rows; ++i) {
        const size_t length = (size_t)(A->row_offsets[i + 1] - A->row_offsets[i]);
        tolerance[i] = r->o->exact ? 0 : verify_tolerance(depth(length, local), dtype_vector(r->type), abs_sum[i]);
    }
    const verify_result_t v = verify(y, dtype_vector(r->type), A->rows, ref, tolerance);
    free(tolerance);
    *err_over_tol = fmax(*err_over_tol, v.err_over_tol);
    if (v.ok) return 0;
    char text[200];
    verify_describe(&v, "y", text, sizeof text);
    return err_set(err, "%s", text);
}

/* Only the rank's own rows are at hand. */
static int judge_own(const run_t *r, const csr_t *mine, const void *y, int k, dist_local_t local, double *err_over_tol, err_t *err)
{
    double *ref = malloc((mine->rows + 1) * sizeof *ref), *abs_sum = malloc((mine->rows + 1) * sizeof *abs_sum);
    int failed = ref && abs_sum ? 0 : err_set(err, "out of memory for %zu rows", mine->rows);
    if (!failed) {
        reference_spmv(mine, r->x[k], ref, abs_sum);
        failed = judge(r, mine, ref, abs_sum, y, local, err_over_tol, err);
    }
    free(ref);
    free(abs_sum);
    return failed;
}

/* y = A x[k] by all ranks into poisoned memory, guards looked at, compared with the answer of one. */
static dist_status_t check(run_t *r, const variant_t *v, const csr_t *mine, int k, double *err_over_tol, err_t *err)
{
    const dist_local_t local = v->local;
    const dist_part_t *part = dist_part(r->d, r->w->rank);
    const size_t element = dtype_size(dtype_vector(r->type)), bytes = (size_t)part->rows * element;
    const bool on_card = r->p->backend == DIST_CUDA, whole = r->A || !r->e->each;
    char *y = malloc(bytes + GUARD), *all = malloc((whole && r->w->rank == 0 ? r->rows : 0) * element + 1);
    dist_status_t status = y && all ? DIST_OK : DIST_NO_MEMORY;
    if (status) err_set(err, "out of memory for %zu rows", r->rows);
    if (!status && on_card && device_ok(cudaMemset(r->dy, 0xFF, bytes + GUARD), "cudaMemset", err)) status = DIST_GPU_ERROR;
    else if (!status && !on_card) verify_poison(r->dy, bytes + GUARD);
    status = dist_agree(r->w, status, err);
    if (!status) {
        if (v->what != GRAPH) status = dist_spmv(r->d, r->dx[k], r->dy, NULL, err);
        else if (k && device_ok(cudaMemcpy(r->dx[0], r->dx[k], (size_t)part->cols * element, cudaMemcpyDeviceToDevice), "x", err))
            status = DIST_GPU_ERROR;
        else status = graph_run(&r->graph, err); /* it reads dx[0] */
        if (on_card && device_sync(err)) status = DIST_GPU_ERROR;
        if (!status && on_card && device_ok(cudaMemcpy(y, r->dy, bytes + GUARD, cudaMemcpyDeviceToHost), "copy of y", err))
            status = DIST_GPU_ERROR;
        else if (!on_card) memcpy(y, r->dy, bytes + GUARD);
        if (!status && !verify_untouched(y + bytes, GUARD)) {
            err_set(err, "wrote past the end of y");
            status = DIST_BAD_MATRIX;
        }
        status = dist_agree(r->w, status, err);
    }
    if (!status && whole) status = dist_gather_y(r->d, y, all, err);
    if (!status) {
        int wrong = 0;
        if (whole && r->w->rank == 0) wrong = judge(r, r->A, r->y[k], r->abs_sum[k], all, local, err_over_tol, err);
        if (!whole) wrong = judge_own(r, mine, y, k, local, err_over_tol, err);
        status = dist_agree(r->w, wrong ? DIST_BAD_MATRIX : DIST_OK, err);
    }
    MPI_Allreduce(MPI_IN_PLACE, err_over_tol, 1, MPI_DOUBLE, MPI_MAX, r->w->comm);
    free(y);
    free(all);
    return status;
}

/* ---- timing ------------------------------------------------------------------------------------- */

static dist_status_t once(run_t *r, what_t what, err_t *err)
{
    switch (what) {
    case EXCHANGE: return dist_exchange(r->d, r->dx[0], NULL, err);
    case INTERIOR: return dist_interior(r->d, r->dx[0], r->dy, NULL, err);
    case BOUNDARY: return dist_boundary(r->d, r->dy, NULL, err);
    case GRAPH: return graph_run(&r->graph, err);
    default: return dist_spmv(r->d, r->dx[0], r->dy, NULL, err);
    }
}

/* Seconds of `batch` runs one after the other, as a solver would ask for them. */
static dist_status_t batch_seconds(run_t *r, what_t what, int batch, double *seconds, err_t *err)
{
    dist_status_t status = DIST_OK;
    MPI_Barrier(r->w->comm);
    const double start = bench_now();
    for (int i = 0; i < batch && !status; ++i) status = once(r, what, err);
    if (r->p->backend == DIST_CUDA && device_sync(err)) status = DIST_GPU_ERROR;
    *seconds = bench_now() - start;
    return status;
}

/* The median over samples of the slowest rank's time for one run. */
static dist_status_t measure(run_t *r, what_t what, bench_stats_t *stats, err_t *err)
{
    enum { MOST = 60, LEAST = 7, MOST_BATCH = 100 };
    const double sample_s = 5e-3, budget_s = 0.25;
    double samples[MOST], seconds;
    dist_status_t status = batch_seconds(r, what, 3, &seconds, err); /* warm-up */
    if (!status) status = batch_seconds(r, what, 3, &seconds, err);
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, r->w->comm);
    const double run_s = seconds / 3;
    const int batch = run_s * MOST_BATCH < sample_s ? MOST_BATCH : run_s < sample_s ? (int)(sample_s / run_s) + 1 : 1;
    int n = (int)fmin(MOST, fmax(LEAST, budget_s / (run_s * batch)));
    if (r->o->reps) n = (int)fmin(MOST, (double)r->o->reps);
    for (int i = 0; i < n && !status; ++i) {
        status = batch_seconds(r, what, batch, &seconds, err);
        samples[i] = 1e6 * seconds / batch;
    }
    status = dist_agree(r->w, status, err);
    if (status) return status;
    MPI_Allreduce(MPI_IN_PLACE, samples, n, MPI_DOUBLE, MPI_MAX, r->w->comm);
    *stats = bench_summary(samples, (size_t)n);
    return DIST_OK;
}

/* ---- a matrix in a world ------------------------------------------------------------------------ */

static void free_vectors(run_t *r)
{
    for (int k = 0; k < 2; ++k)
        if (r->p->backend == DIST_CUDA) device_free(r->dx[k]);
        else free(r->dx[k]);
    if (r->p->backend == DIST_CUDA) device_free(r->dy);
    else free(r->dy);
    r->dx[0] = r->dx[1] = r->dy = NULL;
}

/* This rank's parts of both x, and room for y. */
static dist_status_t take_vectors(run_t *r, err_t *err)
{
    const dist_part_t *part = dist_part(r->d, r->w->rank);
    const dtype_t t = dtype_vector(r->type);
    const size_t x_bytes = (size_t)part->cols * dtype_size(t), y_bytes = (size_t)part->rows * dtype_size(t) + GUARD;
    const bool on_card = r->p->backend == DIST_CUDA;
    int failed = 0;
    for (int k = 0; k < 2 && !failed; ++k) {
        void *x = malloc(x_bytes + 1);
        if (x) dtype_from_double(t, x, r->x[k] + part->first_col, (size_t)part->cols);
        if (x && on_card) {
            r->dx[k] = device_upload(x, x_bytes, "x", err);
            free(x);
        } else {
            r->dx[k] = x;
            if (!x) err_set(err, "out of memory for %lld entries of x", (long long)part->cols);
        }
        failed = !r->dx[k];
    }
    if (!failed) r->dy = on_card ? device_alloc(y_bytes, "y", err) : malloc(y_bytes);
    if (!failed && !r->dy && !on_card) err_set(err, "out of memory for %lld rows of y", (long long)part->rows);
    return dist_agree(r->w, failed || !r->dy ? DIST_NO_MEMORY : DIST_OK, err);
}

static void step_name(char *text, size_t size, const variant_t *v, int ranks) { snprintf(text, size, "%s@%d", v->id, ranks); }

static bool selected(const run_t *r, const variant_t *v, int ranks)
{
    char id[64];
    step_name(id, sizeof id, v, ranks);
    const bool can = v->where == ANYWHERE || (v->where == CPU_ONLY ? r->p->backend == DIST_CPU : r->nccl);
    return can && (cli_selects(r->o, id) || cli_selects(r->o, v->id));
}

/* Most bytes of x that a rank receives for one run. */
static double most_bytes(const run_t *r, dist_exchange_kind_t exchange)
{
    int64_t most = 0;
    for (int k = 0; k < r->w->ranks; ++k) {
        const int64_t bytes = exchange == DIST_HALO ? dist_halo_bytes(r->d, k) : dist_replicated_bytes(r->d, k);
        if (bytes > most) most = bytes;
    }
    return (double)most;
}

/* Check, measure, check again with another x, report. */
static void run_variant(run_t *r, const variant_t *v, const csr_t *mine, double setup_ms)
{
    char id[64], status_text[sizeof(err_t) + 16] = "ok";
    const int ranks = r->w->ranks;
    err_t err = {{0}};
    bench_stats_t stats = {0, NAN, NAN};
    double err_over_tol = 0, unused = 0;
    const double bytes = most_bytes(r, v->exchange);
    step_name(id, sizeof id, v, ranks);
    report_row_t row = {.chapter = r->p->record_name, .step = id, .kind = r->p->backend == DIST_CUDA ? "gpu" : "cpu",
                        .case_name = r->name, .dtype = dtype_name(r->type), .idea = v->idea, .setup_ms = setup_ms,
                        .cold_us = NAN, .cold_gbps = NAN, .pct_ceiling = NAN, .efficiency = NAN,
                        .ranks = ranks, .max_over_mean = dist_max_over_mean(r->d), .exchange_bytes = bytes};
    if (main_rank(r)) report_progress(r->report, r->done, r->total, "%s %s", id, r->name);
    r->done++;
    dist_set_overlap(r->d, v->overlap);
    dist_status_t status = v->what == GRAPH ? graph_open(&r->graph, r->d, r->dx[0], r->dy, &err) : DIST_OK;
    status = dist_agree(r->w, status, &err);
    if (!status) status = check(r, v, mine, 0, &err_over_tol, &err);
    if (!status && r->card) status = measure(r, v->what, &stats, &err);
    if (!status) status = check(r, v, mine, 1, &unused, &err);
    graph_close(&r->graph);
    if (status) {
        snprintf(status_text, sizeof status_text, "FAIL: %s", err.text);
        r->failures++;
    }
    row.bytes = v->what == EXCHANGE ? bytes : v->what == PRODUCT || v->what == GRAPH ? (double)csr_spmv_bytes((size_t)dist_rows(r->d),
                (size_t)dist_cols(r->d), (size_t)dist_nnz(r->d), r->type, 32) : NAN;
    row.err_over_tol = v->what == PRODUCT || v->what == GRAPH ? err_over_tol : NAN;
    row.warm_us = stats.median_us;
    row.spread_pct = stats.spread_pct;
    row.status = status_text;
    if (!main_rank(r) || !report_add(r->report, &row, &err)) return;
    fprintf(stderr, "%s: %s\n", r->p->name, err.text);
    r->failures++;
}

/* One line for a cut, on the terminal and in the file of --cuts. */
static int tell_cut(run_t *r, const csr_t *mine, dist_cut_t cut, err_t *err)
{
    const int ranks = r->w->ranks;
    dist_part_t *parts = malloc((size_t)ranks * sizeof *parts);
    const dist_status_t status = parts ? dist_measure(parts, r->w, mine, err) : DIST_NO_MEMORY;
    if (status || !main_rank(r)) {
        free(parts);
        return status ? -1 : 0;
    }
    const int64_t element = (int64_t)dtype_size(dtype_vector(r->type));
    int64_t nnz = 0, most = 0, halo = 0, halo_most = 0, messages = 0, csrl = 0, rows_most = 0;
    for (int k = 0; k < ranks; ++k) {
        nnz += parts[k].nnz;
        most = parts[k].nnz > most ? parts[k].nnz : most;
        rows_most = parts[k].rows > rows_most ? parts[k].rows : rows_most;
        halo += parts[k].halo;
        halo_most = parts[k].halo > halo_most ? parts[k].halo : halo_most;
        messages += parts[k].sources;
        csrl += 10 * parts[k].runs < 3 * parts[k].nnz;
    }
    const double balance = nnz ? (double)most * ranks / (double)nnz : 1, mean = (double)(halo * element) / ranks;
    const int64_t replicated = ((int64_t)r->cols - (int64_t)r->cols / ranks) * element;
    fprintf(r->talk, "%3d rank%s cut %-6s  nonzeros max/mean %.4f  bytes of x received: halo mean %.0f, max %lld; replicated %lld"
            "  messages %.1f a rank  CSRL on %lld\n", ranks, ranks == 1 ? ", " : "s,", CUT_NAMES[cut], balance, mean,
            (long long)(halo_most * element), (long long)replicated, (double)messages / ranks, (long long)csrl);
    if (r->cuts)
        fprintf(r->cuts, "%s\t%s@%d\tcut\t%s\t%s\tok\t%d\t%.6f\t%lld\t%.0f\t%lld\t%lld\t%.4f\t%lld\t%lld\t-\t-\t-\t-\t-\t-\t-\t%.4g\n", r->p->record_name,
                CUT_NAMES[cut], ranks, r->name, dtype_name(r->type), ranks, balance, (long long)rows_most, mean,
                (long long)(halo_most * element), (long long)replicated, (double)messages / ranks, (long long)csrl, (long long)nnz,
                100 * (balance - 1));
    for (int k = 0; k < ranks && r->e->per_rank; ++k)
        fprintf(r->talk, "    rank %-3d rows %lld..%lld, %lld nonzeros, %lld of them need %lld entries of %lld ranks; sends %lld "
                "to %lld\n", k, (long long)parts[k].first_row, (long long)(parts[k].first_row + parts[k].rows),
                (long long)parts[k].nnz, (long long)parts[k].halo_nnz, (long long)parts[k].halo, (long long)parts[k].sources,
                (long long)parts[k].sends, (long long)parts[k].targets);
    free(parts);
    return 0;
}

/* --parts: the same for numbers of ranks that nobody started. */
static int tell_volumes(run_t *r, err_t *err)
{
    const int64_t element = (int64_t)dtype_size(dtype_vector(r->type));
    for (int i = 0; i < r->e->parts_count; ++i)
        for (dist_cut_t cut = DIST_CUT_BEST; cut <= DIST_CUT_ROWS; ++cut) {
            const int parts = r->e->parts[i];
            volumes_t v;
            report_progress(r->report, r->done++, 3 * (size_t)r->e->parts_count, "%s in %d parts", r->name, parts);
            if (volumes_count(&v, r->A, parts, cut, err)) return -1;
            fprintf(r->cuts, "%s\t%s@%d\tcut\t%s\t%s\tok\t%d\t%.6f\t%lld\t%.0f\t%lld\t%lld\t-\t-\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t"
                    "%lld\t%.4g\n", r->p->record_name, CUT_NAMES[cut], parts, r->name, dtype_name(r->type), parts, v.max_over_mean,
                    (long long)v.rows, (double)(v.halo_sum * element) / parts, (long long)(v.halo * element),
                    (long long)(((int64_t)r->A->cols - (int64_t)r->A->cols / parts) * element), (long long)r->A->nnz,
                    (long long)v.inside_nnz, (long long)v.halo_nnz, (long long)v.halo_rows, (long long)(v.near * element),
                    (long long)(v.far * element), (long long)v.near_sources, (long long)v.far_sources, 100 * (v.max_over_mean - 1));
            fprintf(r->talk, "%s: %d ranks, cut %-6s  max/mean %.4f  bytes received: mean %.0f, max %lld (same host %lld, others %lld)  "
                    "messages %lld\n", r->name, parts, CUT_NAMES[cut], v.max_over_mean, (double)(v.halo_sum * element) / parts,
                    (long long)(v.halo * element), (long long)(v.near * element), (long long)(v.far * element), (long long)v.sources);
        }
    return 0;
}

/* All variants of one cut. */
static dist_status_t run_cut(run_t *r, dist_cut_t cut, err_t *err)
{
    csr_t *mine = NULL;
    const dist_options_t *open = NULL;
    dist_options_t wanted, opened;
    double setup_ms = NAN;
    bool any = r->e->cuts != NULL;
    for (int i = 0; i < VARIANT_COUNT; ++i) any = any || (VARIANTS[i].cut == cut && selected(r, &VARIANTS[i], r->w->ranks));
    if (!any) return DIST_OK;
    dist_status_t status = r->e->each ? dist_open_rows(&mine, r->w, r->what, r->o->seed, cut, err)
                                      : dist_scatter_rows(&mine, r->w, r->A, cut, err);
    if (!status && r->e->each) csr_round(mine, r->type);
    if (!status && tell_cut(r, mine, cut, err)) status = DIST_NO_MEMORY;
    for (int i = 0; i < VARIANT_COUNT && !status && !r->e->cuts; ++i) {
        const variant_t *v = &VARIANTS[i];
        if (v->cut != cut || !selected(r, v, r->w->ranks)) continue;
        wanted = (dist_options_t){.cut = cut, .exchange = v->exchange, .local = v->local, .threads = r->o->threads};
        if (!open || open->exchange != wanted.exchange || open->local != wanted.local) {
            free_vectors(r);
            dist_destroy(r->d);
            MPI_Barrier(r->w->comm);
            const double start = bench_now();
            status = dist_create_from_rows(&r->d, r->w, mine, r->type, &wanted, err);
            setup_ms = r->card ? 1e3 * (bench_now() - start) : NAN;
            opened = wanted;
            open = &opened;
            if (!status) status = take_vectors(r, err);
        }
        if (!status) run_variant(r, v, mine, setup_ms);
    }
    free_vectors(r);
    dist_destroy(r->d);
    r->d = NULL;
    csr_free(mine);
    return status;
}

/* ---- the matrix --------------------------------------------------------------------------------- */

/* Rank 0 opens it, and learns what to call it. */
static csr_t *open_whole(run_t *r, err_t *err)
{
#ifdef DIST_NO_FILES
    snprintf(r->name, sizeof r->name, "%s%.190s", strchr(r->what, ':') ? "" : "like:", r->what);
    return matgen(r->name, r->o->seed, err);
#else
    return r->o->matrix ? spmv_matrix_open(r->what, r->o->seed, r->name, err)
                        : spmv_matrix_of_suite(r->what, r->o->seed, r->name, err);
#endif
}

static void free_matrix(run_t *r)
{
    r->A = csr_free(r->A);
    for (int k = 0; k < 2; ++k) {
        free(r->x[k]);
        free(r->y[k]);
        free(r->abs_sum[k]);
        r->x[k] = r->y[k] = r->abs_sum[k] = NULL;
    }
}

/* Both x, and on the rank that has A the two answers. */
static int make_vectors(run_t *r, err_t *err)
{
    for (int k = 0; k < 2; ++k) {
        free(r->x[k]);
        r->x[k] = malloc((r->cols + 1) * sizeof *r->x[k]);
        if (!r->x[k]) return err_set(err, "out of memory for %zu entries of x", r->cols);
        matgen_vector(r->x[k], r->cols, r->o->seed + (uint64_t)k, r->o->exact);
        for (size_t i = 0; i < r->cols; ++i) r->x[k][i] = dtype_round(dtype_vector(r->type), r->x[k][i]);
        if (!r->A) continue;
        free(r->y[k]);
        free(r->abs_sum[k]);
        r->y[k] = malloc((r->rows + 1) * sizeof *r->y[k]);
        r->abs_sum[k] = malloc((r->rows + 1) * sizeof *r->abs_sum[k]);
        if (!r->y[k] || !r->abs_sum[k]) return err_set(err, "out of memory for %zu rows", r->rows);
    }
    if (r->A && r->o->exact) {
        matgen_vector(r->A->values, r->A->nnz, r->o->seed + 2, 1);
    } else if (r->A) {
        csr_round(r->A, r->type);
    }
    for (int k = 0; r->A && k < 2; ++k) reference_spmv(r->A, r->x[k], r->y[k], r->abs_sum[k]);
    return 0;
}

/* The ranks that have nothing to do wait here without keeping a core busy. */
static void wait_for_all(void)
{
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (!done) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

/* Everything for one matrix in one type and one world; all its ranks. */
static int run_world(run_t *r, err_t *err)
{
    int64_t shape[2] = {(int64_t)r->rows, (int64_t)r->cols};
    dist_status_t status = DIST_OK;
    MPI_Bcast(shape, 2, MPI_INT64_T, 0, r->w->comm);
    r->rows = (size_t)shape[0], r->cols = (size_t)shape[1];
    if (make_vectors(r, err)) status = DIST_NO_MEMORY;
    if (!status && r->e->parts_count && main_rank(r) && tell_volumes(r, err)) status = DIST_NO_MEMORY;
    status = dist_agree(r->w, status, err);
    for (dist_cut_t cut = DIST_CUT_BEST; cut <= DIST_CUT_ROWS && !status && !r->e->parts_count; ++cut) status = run_cut(r, cut, err);
    return status ? -1 : 0;
}

/* recipe:a,b,c -> recipe:a,b,(c * ranks) */
static int grow(char *out, size_t size, const char *recipe, int ranks, err_t *err)
{
    size_t points;
    const char *last = strrchr(recipe, ',');
    if (!last || !matgen_stencil_points(recipe, &points))
        return err_set(err, "--weak wants poisson2d:, poisson3d: or stencil27:, not '%.60s'", recipe);
    snprintf(out, size, "%.*s%lld", (int)(last + 1 - recipe), recipe, atoll(last + 1) * ranks);
    return 0;
}

/* Rank 0 of the whole program knows the shape, and has A unless each rank opens its own. */
static int open_matrix(run_t *r, int rank, err_t *err)
{
    size_t points;
    if (rank) return 0;
    if (r->e->each && matgen_stencil_points(r->what, &points)) { /* nobody makes all of it */
        r->rows = r->cols = points;
        return 0;
    }
    if (!(r->A = open_whole(r, err))) return -1;
    r->rows = r->A->rows, r->cols = r->A->cols;
    if (r->e->each) r->A = csr_free(r->A);
    return 0;
}

/* One matrix through all worlds and types.  0, or EXIT_BAD_INPUT. */
static int run_matrix(run_t *r, const char *matrix, dist_world_t **worlds, const int *ranks, int count, int rank)
{
    err_t err = {{0}};
    int failed = 0;
    static const dtype_t TYPES[] = {DTYPE_F64, DTYPE_F32};
    for (int t = 0; t < 2 && !failed; ++t) {
        r->type = r->o->dtype_set ? r->o->dtype : TYPES[t];
        if (r->o->dtype_set && t) break;
        if (r->e->cuts && t) break; /* bytes of x in fp32 are half of those in fp64 */
        for (int i = 0; i < count && !failed; ++i) {
            snprintf(r->what, sizeof r->what, "%s", matrix);
            if (!r->A) snprintf(r->name, sizeof r->name, "%s%.190s", r->e->weak ? "weak:" : "", matrix);
            if (r->e->weak) failed = grow(r->what, sizeof r->what, matrix, ranks[i], &err);
            r->w = worlds[i];
            if (!failed && !r->A) failed = open_matrix(r, rank, &err);
            MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
            if (!failed && r->w) failed = run_world(r, &err);
            if (r->e->weak) free_matrix(r);
            wait_for_all();
        }
    }
    free_matrix(r);
    r->w = NULL;
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (failed && rank == 0) complain(r, &err);
    return failed ? EXIT_BAD_INPUT : 0;
}

/* ---- main --------------------------------------------------------------------------------------- */

static void list_variants(const program_t *p)
{
    for (int i = 0; i < VARIANT_COUNT; ++i)
        if (VARIANTS[i].where != CPU_ONLY || p->backend == DIST_CPU) printf("%-16s %s\n", VARIANTS[i].id, VARIANTS[i].idea);
}

static bool known_variants(const program_t *p, const options_t *o)
{
    for (int i = 0; i < VARIANT_COUNT; ++i) {
        char id[64];
        for (int ranks = 1; ranks <= 1024; ++ranks) {
            step_name(id, sizeof id, &VARIANTS[i], ranks);
            if (cli_selects(o, VARIANTS[i].id) || cli_selects(o, id)) return true;
        }
    }
    fprintf(stderr, "%s: no row is called '%s'; --list shows them\n", p->name, o->only);
    return false;
}

/* Every rank parses the command line; one of them has something to say about it. */
static void silence_all_but_one(void)
{
    const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const char *rank = getenv(names[i]);
        if (rank && atoi(rank) > 0 && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))) exit(EX_OSERR);
    }
}

/* A world for each number of ranks; NULL where this rank is none of them. */
static int open_worlds(const run_t *r, dist_world_t **worlds, const int *ranks, int count, int rank)
{
    const dist_world_options_t o = {r->p->backend, r->e->transport};
    int failed = 0;
    for (int i = 0; i < count; ++i) {
        MPI_Comm comm;
        err_t err;
        worlds[i] = NULL;
        MPI_Comm_split(MPI_COMM_WORLD, rank < ranks[i] ? 0 : MPI_UNDEFINED, rank, &comm);
        if (comm != MPI_COMM_NULL) {
            if (dist_world_open(&worlds[i], comm, &o, &err)) {
                if (rank == 0) fprintf(stderr, "%s: %s\n", r->p->name, err.text);
                failed = 1;
            }
            MPI_Comm_free(&comm);
        }
        wait_for_all();
    }
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return failed;
}

/* The header of the record, by rank 0. */
static int open_report(run_t *r, dist_world_t *const *worlds, int count, err_t *err)
{
    device_facts_t facts = {.backend = "cpu", .name = "none: ranks on CPUs"};
    device_ceilings_t ceilings;
    const bool on_card = r->p->backend == DIST_CUDA;
    if (on_card && device_open(&facts, err)) return -1;
    if (on_card && r->card && device_ceilings(&ceilings, err)) return -1;
    if (!(r->report = report_open(r->o->format, r->o->record, err))) return -1;
    harness_header(r->report, r->p->record_name, r->o, &facts, on_card && r->card ? &ceilings : NULL);
    report_meta(r->report, "cores", "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    for (int i = 0; i < count; ++i) {
        char key[32];
        snprintf(key, sizeof key, "world_%d", worlds[i]->ranks);
        report_meta(r->report, key, "%s", worlds[i]->why);
    }
    if (r->e->cuts && !(r->cuts = fopen(r->e->cuts, "w"))) return err_set(err, "%s: cannot be written", r->e->cuts);
    if (r->cuts)
        fprintf(r->cuts, "# chapter: %s\n# seed: %llu\nchapter\tstep\tkind\tcase\tdtype\tstatus\tranks\tmax_over_mean\trows_max\t"
                "halo_mean\thalo_max\treplicated\tmessages\tcsrl\tnnz\tinside_nnz_max\thalo_nnz_max\thalo_rows_max\tnear_max\tfar_max\tnear_messages\t"
                "far_messages\texcess_pct\n", r->p->record_name, (unsigned long long)r->o->seed);
    return 0;
}

int program_main(const program_t *p, int argc, char **argv)
{
    options_t o;
    extra_t e = {0};
    const struct argp extra_argp = {.options = EXTRA_OPTIONS, .parser = parse_extra};
    silence_all_but_one();
    cli_parse(&o, argc, argv, p->doc, &extra_argp, &e);
    if (o.size || o.sweep || o.experiment || o.once || o.explain || o.trace) {
        fprintf(stderr, "%s: --matrix takes a file or a recipe; there is no --size, --sweep, --experiment, --once, --explain, "
                "--trace\n", p->name);
        return EX_USAGE;
    }
    if (o.list) {
        list_variants(p);
        return 0;
    }
    if (!known_variants(p, &o)) return EX_USAGE;
    e.each = e.each || e.weak;
    if (e.parts_count && (!e.cuts || e.each)) {
        fprintf(stderr, "%s: --parts goes with --cuts, and without --input each and --weak: one process counts\n", p->name);
        return EX_USAGE;
    }
    if (o.exact && e.each) {
        fprintf(stderr, "%s: --exact makes new values on rank 0; it cannot with --input each or --weak\n", p->name);
        return EX_USAGE;
    }

    MPI_Init(&argc, &argv);
    int rank, ranks, status = 0, failed = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!e.worlds) e.ranks[e.worlds++] = ranks;
    for (int i = 0; i < e.worlds && !status; ++i)
        if (e.ranks[i] > ranks) status = EX_USAGE;
    if (status && rank == 0)
        fprintf(stderr, "%s: --ranks asks for more than the %d that mpirun started; mpirun -n says how many\n", p->name, ranks);

    dist_world_t *worlds[MOST_WORLDS] = {0};
    run_t r = {.p = p, .o = &o, .e = &e, .talk = o.format == REPORT_TABLE ? stdout : stderr,
               .card = p->backend == DIST_CPU || strcmp(device_backend(), "cuda") == 0};
    const char *const given[] = {o.matrix, NULL}, *const *matrices = o.matrix ? given : p->matrices;
    if (!status) {
        device_configure(false, o.shuffle); /* the stand-in checks, and counts nothing here */
        failed = open_worlds(&r, worlds, e.ranks, e.worlds, rank);
        err_t err = {{0}};
        r.nccl = p->backend == DIST_CUDA;
        for (int i = 0; i < e.worlds; ++i) r.nccl = r.nccl && (!worlds[i] || worlds[i]->transport == DIST_NCCL);
        MPI_Allreduce(MPI_IN_PLACE, &r.nccl, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
        if (!failed && rank == 0 && open_report(&r, worlds, e.worlds, &err)) {
            fprintf(stderr, "%s: %s\n", p->name, err.text);
            failed = 1;
        }
        MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
        status = failed;
    }
    if (!status) {
        size_t types = o.dtype_set ? 1 : 2, count = 0;
        for (int k = 0; matrices[k]; ++k) ++count;
        for (int i = 0; i < e.worlds; ++i)
            for (int v = 0; v < VARIANT_COUNT; ++v) r.total += count * types * selected(&r, &VARIANTS[v], e.ranks[i]);
        if (!r.total && !e.cuts && rank == 0)
            fprintf(stderr, "%s: no row to run: halo_graph needs NCCL with a card for each rank; csr, csrl and by_rank are spmv_mpi's\n",
                    p->name);
        for (int k = 0; matrices[k] && !status; ++k)
            status = run_matrix(&r, matrices[k], worlds, e.ranks, e.worlds, rank);
        if (!status && r.failures) status = 1;
        if (r.cuts && fclose(r.cuts)) status = EX_IOERR;
    }
    MPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    report_close(r.report);
    for (int i = 0; i < e.worlds; ++i) dist_world_close(worlds[i]);
    MPI_Finalize();
    return status;
}
