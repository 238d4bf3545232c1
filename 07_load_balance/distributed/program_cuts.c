/* program_cuts.c - --cuts: one process counts each rank's rows, nonzeros and bytes to move */
#include "program.h"

#include <stdlib.h>
#include <sysexits.h>

#include "volumes.h"

static void start_file(const run_t *r, FILE *f)
{
    fprintf(f, "# chapter: %s\n# seed: %llu\n", r->p->record_name, (unsigned long long)r->o->seed);
    fprintf(f, "chapter\tstep\tkind\tcase\tdtype\tstatus\tranks\tmax_over_mean\texcess_pct\tnnz\trows_max\t");
    fprintf(f, "inside_nnz_max\thalo_nnz_max\thalo_rows_max\thalo_mean\thalo_max\treplicated\t");
    fprintf(f, "near_max\tfar_max\tmessages\tnear_messages\tfar_messages\t");
    fprintf(f, "fold_max\tmoved_max\tgrid\n");
}

/* Prints one row of the file and one line on the terminal. */
static void tell_volumes(const run_t *r, FILE *f, int parts, int across, const char *cut, const volumes_t *v)
{
    const long long element = (long long)dtype_size(dtype_vector(r->type)), cols = (long long)r->cols;
    const double mean = (double)(v->halo_sum * element) / parts;
    fprintf(f, "%s\t%s@%d\tcut\t%s\t%s\tok\t%d\t", r->p->record_name, cut, parts, r->name,
            dtype_name(r->type), parts);
    fprintf(f, "%.6f\t%.4g\t%zu\t%lld\t", v->max_over_mean, 100 * (v->max_over_mean - 1), r->A->nnz,
            (long long)v->rows);
    fprintf(f, "%lld\t%lld\t%lld\t", (long long)v->inside_nnz, (long long)v->halo_nnz, (long long)v->halo_rows);
    fprintf(f, "%.0f\t%lld\t%lld\t", mean, v->halo * element, (cols - cols / parts) * element);
    fprintf(f, "%lld\t%lld\t%lld\t%lld\t%lld\t", v->near * element, v->far * element, (long long)v->sources,
            (long long)v->near_sources, (long long)v->far_sources);
    fprintf(f, "%lld\t%lld\t%dx%d\n", v->fold * element, v->moved * element, parts / across, across);
    fprintf(r->talk, "%s: %d ranks, cut %-6s  nonzeros max/mean %.4f  bytes received: mean %.0f, max %lld ", r->name,
            parts, cut, v->max_over_mean, mean, v->halo * element);
    if (across > 1) fprintf(r->talk, "of x, %lld of sums ", v->fold * element);
    fprintf(r->talk, "(from the same host %lld, from other hosts %lld)  messages %lld\n", v->near * element,
            v->far * element, (long long)v->sources);
}

/* Prints a row for the best grid, even if whole rows are better. */
static int count_grid(const run_t *r, FILE *f, int parts, err_t *err)
{
    grid_choice_t c;
    int64_t *first = malloc(((size_t)parts + 1) * sizeof *first);
    if (!first) return err_set(err, "out of memory for %d parts", parts);
    cut_rows(r->A->row_offsets, r->A->rows, parts, DIST_CUT_BEST, first);
    const int failed = grid_choose(&c, r->A, parts, first, dtype_size(dtype_vector(r->type)), err);
    free(first);
    if (failed) return -1;
    if (c.across > 1) tell_volumes(r, f, parts, c.across, "2d", &c.blocks);
    tell_grid(r, parts, &c, c.taken || (c.across > 1 && r->e->cut == CUT_2D));
    return 0;
}

/* Prints a row for METIS's parts, even if A's own order is better. */
static int count_order(const run_t *r, FILE *f, int parts, err_t *err)
{
    order_choice_t c;
    order_t order;
    if (order_choose(&c, &order, r->A, parts, err)) return -1;
    tell_volumes(r, f, parts, 1, "metis", &c.metis);
    tell_order(r, parts, &c);
    csr_free(c.ordered);
    order_free(&order);
    return 0;
}

int run_cuts(run_t *r, const char *const *matrices)
{
    err_t err = {{0}};
    FILE *f = fopen(r->e->cuts, "w");
    int failed = f ? 0 : err_set(&err, "cannot write %s", r->e->cuts);
    size_t total = 0;
    for (int k = 0; matrices[k]; ++k) total += 3 * (size_t)r->e->parts_count;
    if (!failed) start_file(r, f);
    for (int k = 0; matrices[k] && !failed; ++k) {
        r->type = r->o->dtype_set ? r->o->dtype : DTYPE_F64;
        failed = open_matrix(r, matrices[k], &err);
        for (int i = 0; i < r->e->parts_count && !failed; ++i)
            for (dist_cut_t cut = DIST_CUT_BEST; cut <= DIST_CUT_ROWS && !failed; ++cut) {
                volumes_t v;
                report_progress(r->report, r->done++, total, "%s in %d parts", r->name, r->e->parts[i]);
                failed = volumes_count(&v, r->A, r->e->parts[i], cut, &err);
                if (!failed) tell_volumes(r, f, r->e->parts[i], 1, CUT_NAMES[cut], &v);
            }
        for (int i = 0; i < r->e->parts_count && !failed && r->e->metis; ++i)
            failed = count_order(r, f, r->e->parts[i], &err);
        for (int i = 0; i < r->e->parts_count && !failed && r->e->cut != CUT_1D; ++i)
            failed = count_grid(r, f, r->e->parts[i], &err);
        free_matrix(r);
    }
    const bool unwritten = !f || (fclose(f) && !failed);
    if (f && unwritten) err_set(&err, "cannot write %s", r->e->cuts);
    if (failed || unwritten) fprintf(stderr, "%s: %s\n", r->p->name, err.text);
    return unwritten ? EX_IOERR : failed ? EXIT_BAD_INPUT : 0;
}
