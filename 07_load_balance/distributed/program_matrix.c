/* program_matrix.c - runs one matrix through all worlds and types */
#include "program.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "matgen.h"
#include "spmv_session.h"

int open_matrix(run_t *r, const char *what, err_t *err)
{
    snprintf(r->what, sizeof r->what, "%s", what);
    r->A = spmv_matrix_asked(r->o, r->o->matrix ? NULL : what, r->name, err);
    if (!r->A) return -1;
    r->rows = r->A->rows, r->cols = r->A->cols;
    return 0;
}

void free_matrix(run_t *r)
{
    r->A = csr_free(r->A);
    for (int k = 0; k < 2; ++k) {
        free(r->x[k]);
        free(r->y[k]);
        free(r->abs_sum[k]);
        r->x[k] = r->y[k] = r->abs_sum[k] = NULL;
    }
}

/* Makes both x, and on the rank that has A the two expected results. */
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

void wait_for_all(void)
{
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (!done) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

/* --order metis, on rank 0: replaces A by A in METIS's order if that is better, and stores the old A in *natural. */
static int take_order(run_t *r, csr_t **natural, err_t *err)
{
    order_choice_t c;
    const size_t length = strlen(r->name);
    *natural = NULL;
    if (order_choose(&c, &r->order, r->A, r->w->ranks, err)) return -1;
    tell_order(r, r->w->ranks, &c);
    if (!c.ordered) return 0;
    *natural = r->A;
    r->A = c.ordered;
    snprintf(r->name + length, sizeof r->name - length, "/metis");
    return 0;
}

/* --cut, on rank 0: puts the ranks in a grid if that is better or requested; the name of the row shows the grid. */
static int take_grid(run_t *r, err_t *err)
{
    const int ranks = r->w->ranks;
    const size_t length = strlen(r->name);
    grid_choice_t c;
    int64_t *first = malloc(((size_t)ranks + 1) * sizeof *first);
    if (!first) return err_set(err, "out of memory for %d ranks", ranks);
    if (r->order.first) memcpy(first, r->order.first, ((size_t)ranks + 1) * sizeof *first);
    else cut_rows(r->A->row_offsets, r->A->rows, ranks, DIST_CUT_BEST, first);
    const int failed = grid_choose(&c, r->A, ranks, first, dtype_size(dtype_vector(r->type)), err);
    free(first);
    if (failed) return -1;
    const bool taken = c.across > 1 && (c.taken || r->e->cut == CUT_2D);
    tell_grid(r, ranks, &c, taken);
    if (!taken) return 0;
    r->across = c.across;
    snprintf(r->name + length, sizeof r->name - length, "/%dx%d", ranks / c.across, c.across);
    return 0;
}

static void leave_grid(run_t *r)
{
    if (r->across > 1 && r->A) *strrchr(r->name, '/') = 0;
    r->across = 1;
}

static void leave_order(run_t *r, csr_t *natural)
{
    if (!natural) return;
    csr_free(r->A);
    r->A = natural;
    r->name[strlen(r->name) - strlen("/metis")] = 0;
    order_free(&r->order);
}

/* Runs everything for one matrix in one type and one world, on all ranks of that world. */
static int run_world(run_t *r, err_t *err)
{
    int64_t shape[2] = {(int64_t)r->rows, (int64_t)r->cols};
    dist_status_t status = DIST_OK;
    csr_t *natural = NULL;
    if (r->A && r->e->metis && take_order(r, &natural, err)) status = DIST_BAD_MATRIX;
    r->across = 1;
    if (!status && r->A && r->e->cut != CUT_1D && take_grid(r, err)) status = DIST_NO_MEMORY;
    status = dist_agree(r->w, status, err);
    if (status) return -1;
    MPI_Bcast(&r->across, 1, MPI_INT, 0, r->w->comm);
    MPI_Bcast(shape, 2, MPI_INT64_T, 0, r->w->comm);
    r->rows = (size_t)shape[0], r->cols = (size_t)shape[1];
    if (make_vectors(r, err)) status = DIST_NO_MEMORY;
    status = dist_agree(r->w, status, err);
    for (dist_cut_t cut = DIST_CUT_BEST; cut <= DIST_CUT_ROWS && !status; ++cut)
        status = run_cut(r, cut, err);
    leave_grid(r);
    leave_order(r, natural);
    return status ? -1 : 0;
}

/* Turns recipe:a,b,c into recipe:a,b,(c * ranks). */
static int grow(char *out, size_t size, const char *recipe, int ranks, err_t *err)
{
    size_t points;
    const char *last = strrchr(recipe, ',');
    if (!last || !matgen_stencil_points(recipe, &points))
        return err_set(err, "--weak needs poisson2d:, poisson3d: or stencil27: with sizes that fit, not '%.60s'",
                       recipe);
    snprintf(out, size, "%.*s%lld", (int)(last + 1 - recipe), recipe, atoll(last + 1) * ranks);
    if (matgen_stencil_points(out, &points)) return 0;
    return err_set(err, "%s: the grid has more points than a matrix may have rows: use fewer ranks",
                   out);
}

/* Opens the matrix for a world of so many ranks.  Rank 0 gets A, or only its size if each rank opens its own rows. */
static int prepare(run_t *r, const char *matrix, int ranks, err_t *err)
{
    size_t points;
    if (r->A) return 0; /* the matrix was opened for the previous world */
    snprintf(r->what, sizeof r->what, "%s", matrix);
    snprintf(r->name, sizeof r->name, "%s%.190s", r->e->weak ? "weak:" : "", matrix);
    if (r->e->weak && grow(r->what, sizeof r->what, matrix, ranks, err)) return -1;
    if (r->e->each && matgen_stencil_points(r->what, &points)) { /* the size is known without generating A */
        r->rows = r->cols = points;
        return 0;
    }
    if (open_matrix(r, matrix, err)) return -1;
    if (r->e->each) r->A = csr_free(r->A);
    return 0;
}

int run_matrix(run_t *r, const char *matrix, dist_world_t **worlds, const int *ranks, int count, int rank)
{
    err_t err = {{0}};
    int failed = 0;
    static const dtype_t TYPES[] = {DTYPE_F64, DTYPE_F32};
    for (int t = 0; t < 2 && !failed; ++t) {
        r->type = r->o->dtype_set ? r->o->dtype : TYPES[t];
        if (r->o->dtype_set && t) break;
        for (int i = 0; i < count && !failed; ++i) {
            r->w = worlds[i];
            if (rank == 0) failed = prepare(r, matrix, ranks[i], &err);
            MPI_Bcast(r->what, sizeof r->what, MPI_CHAR, 0, MPI_COMM_WORLD); /* for ranks that open their own rows */
            MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
            if (!failed && r->w) failed = run_world(r, &err);
            if (r->e->weak) free_matrix(r);
            wait_for_all();
            MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD); /* rank 0 is in every world, and its ranks agree */
        }
    }
    free_matrix(r);
    r->w = NULL;
    if (failed && rank == 0) fprintf(stderr, "%s: %s: %s\n", r->p->name, r->name, err.text);
    return failed ? EXIT_BAD_INPUT : 0;
}
