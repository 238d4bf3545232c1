/* program_tell.c - prints one line on the terminal for a cut, a grid or an order */
#include "program.h"

#include <stdlib.h>

const char *const CUT_NAMES[] = {"best", "source", "rows"};

int tell_cut(run_t *r, const csr_t *mine, dist_cut_t cut, err_t *err)
{
    const int ranks = r->w->ranks;
    dist_part_t *parts = malloc((size_t)ranks * sizeof *parts);
    const dist_status_t status = parts ? dist_measure(parts, r->w, mine, err) : DIST_NO_MEMORY;
    if (status || r->w->rank) {
        free(parts);
        return status ? -1 : 0;
    }
    const long long element = (long long)dtype_size(dtype_vector(r->type)), cols = (long long)r->cols;
    long long nnz = 0, most = 0, halo = 0, halo_most = 0, messages = 0, csrl = 0;
    for (int k = 0; k < ranks; ++k) {
        nnz += parts[k].nnz;
        most = parts[k].nnz > most ? parts[k].nnz : most;
        halo += parts[k].halo;
        halo_most = parts[k].halo > halo_most ? parts[k].halo : halo_most;
        messages += parts[k].sources;
        csrl += 10 * parts[k].runs < 3 * parts[k].nnz;
    }
    fprintf(r->talk, "%3d rank%s cut %-6s  nonzeros max/mean %.4f  ", ranks, ranks == 1 ? ", " : "s,", CUT_NAMES[cut],
            nnz ? (double)most * ranks / (double)nnz : 1);
    fprintf(r->talk, "bytes of x received: halo mean %.0f, max %lld; replicated %lld  ",
            (double)(halo * element) / ranks, halo_most * element, (cols - cols / ranks) * element);
    fprintf(r->talk, "messages per rank %.1f  ranks with CSRL %lld  transport %s\n", (double)messages / ranks, csrl,
            dist_transport_name(r->w->transport));
    for (int k = 0; k < ranks && r->e->per_rank; ++k) {
        const dist_part_t *p = &parts[k];
        fprintf(r->talk, "    rank %-3d rows %lld..%lld, %lld nonzeros, %lld of them need %lld entries of x from %lld "
                         "ranks; ",
                k, (long long)p->first_row, (long long)(p->first_row + p->rows), (long long)p->nnz,
                (long long)p->halo_nnz, (long long)p->halo, (long long)p->sources);
        fprintf(r->talk, "sends %lld entries to %lld ranks\n", (long long)p->sends, (long long)p->targets);
    }
    free(parts);
    return 0;
}

void tell_grid(const run_t *r, int parts, const grid_choice_t *c, bool taken)
{
    const long long element = (long long)dtype_size(dtype_vector(r->type));
    if (c->across == 1) {
        fprintf(r->talk, "%s: %d rank%s, cut: whole rows\n", r->name, parts, parts == 1 ? "" : "s");
        return;
    }
    fprintf(r->talk, "%s: %d ranks, cut: a rank moves at most %lld bytes with whole rows (nonzeros max/mean %.4f), ",
            r->name, parts, c->rows.moved * element, c->rows.max_over_mean);
    fprintf(r->talk, "%lld in a grid of %d x %d (%.4f): %s\n", c->blocks.moved * element, parts / c->across, c->across,
            c->blocks.max_over_mean, taken ? "chose the grid" : "chose whole rows");
}

void tell_order(const run_t *r, int parts, const order_choice_t *c)
{
    const long long element = (long long)dtype_size(dtype_vector(r->type));
    fprintf(r->talk, "%s: %d ranks, order: a rank receives at most %lld bytes in natural order, %lld in METIS's ",
            r->name, parts, c->natural.halo * element, c->metis.halo * element);
    fprintf(r->talk, "(nonzeros max/mean %.4f): %s\n", c->metis.max_over_mean,
            c->ordered ? "chose METIS's order" : "kept the natural order");
}
