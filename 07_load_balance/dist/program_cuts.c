/* program_cuts.c - who would have what, and what that costs in bytes */
#include "program_impl.h"

#include <stdlib.h>

#include "volumes.h"

/* One line for a cut, on the terminal and in the file of --cuts. */
int tell_cut(run_t *r, const csr_t *mine, dist_cut_t cut, err_t *err)
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
int tell_volumes(run_t *r, err_t *err)
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
