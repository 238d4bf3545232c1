/* program_time.c - measures how long a product and its parts take */
#include "program.h"
#include "clock.h"

#include <stdlib.h>

/* Captures several products in one graph, as a solver runs many products. */
dist_status_t graph_open(run_t *r, err_t *err)
{
    dist_status_t status = cuda_ok(cudaStreamBeginCapture(r->stream, cudaStreamCaptureModeThreadLocal), "a graph", err);
    if (status) return status;
    for (int i = 0; i < GRAPH_PRODUCTS && !status; ++i) status = dist_spmv(r->d, r->dx[0], r->dy, r->stream, err);
    return device_graph(status != DIST_OK, r->stream, &r->graph, err) && !status ? DIST_GPU_ERROR : status;
}

dist_status_t graph_run(run_t *r, err_t *err)
{
    return cuda_ok(cudaGraphLaunch(r->graph, r->stream), "a graph", err);
}

void graph_close(run_t *r)
{
    if (r->graph) cudaGraphExecDestroy(r->graph);
    r->graph = NULL;
}

/* ---- times --------------------------------------------------------------------------------------- */

static dist_status_t once(run_t *r, what_t what, err_t *err)
{
    switch (what) {
    case EXCHANGE: return dist_exchange(r->d, r->dx[0], r->stream, err);
    case INTERIOR: return dist_interior(r->d, r->dx[0], r->dy, r->stream, err);
    case BOUNDARY: return dist_boundary(r->d, r->dx[0], r->dy, r->stream, err);
    case GRAPH: return graph_run(r, err);
    default: return dist_spmv(r->d, r->dx[0], r->dy, r->stream, err);
    }
}

/* Returns the number of products in one run. */
static int products(what_t what) { return what == GRAPH ? GRAPH_PRODUCTS : 1; }

/* Measures the seconds of `batch` runs one after the other, as in a solver. */
static dist_status_t batch_seconds(run_t *r, what_t what, int batch, double *seconds, err_t *err)
{
    dist_status_t status = DIST_OK;
    MPI_Barrier(r->w->comm);
    const double start = clock_now();
    for (int i = 0; i < batch && !status; ++i) status = once(r, what, err);
    if (!status) status = dist_settle(r->d, err);
    if (status) dist_end_all(r->w, err);
    *seconds = clock_now() - start;
    return status;
}

dist_status_t time_variant(run_t *r, what_t what, bench_stats_t *stats, err_t *err)
{
    enum { MOST = 60, LEAST = 7, MOST_BATCH = 100 };
    const double sample_s = 5e-3, budget_s = 0.25;
    double *samples = malloc((r->o->reps ? r->o->reps : MOST) * sizeof *samples), seconds;
    dist_status_t status = ENOUGH(r->w, samples, err, "out of memory for samples");
    if (status) {
        free(samples);
        return status;
    }
    status = batch_seconds(r, what, 3, &seconds, err); /* warm-up */
    if (!status) status = batch_seconds(r, what, 3, &seconds, err);
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, r->w->comm);
    const double run_s = seconds / 3;
    const int batch = run_s * MOST_BATCH < sample_s ? MOST_BATCH : run_s < sample_s ? (int)(sample_s / run_s) + 1 : 1;
    const int n = r->o->reps ? (int)r->o->reps : (int)fmin(MOST, fmax(LEAST, budget_s / (run_s * batch)));
    for (int i = 0; i < n && !status; ++i) {
        status = batch_seconds(r, what, batch, &seconds, err);
        samples[i] = 1e6 * seconds / batch / products(what);
    }
    status = dist_agree(r->w, status, err);
    if (!status) {
        MPI_Allreduce(MPI_IN_PLACE, samples, n, MPI_DOUBLE, MPI_MAX, r->w->comm);
        *stats = bench_summary(samples, (size_t)n);
    }
    free(samples);
    return status;
}
