/* results.c - see results.h */
#include "results.h"

void results_add(results_t *r, const report_row_t *row)
{
    if (r->count == RESULTS_MOST) return;
    snprintf(r->row[r->count].step, sizeof r->row[0].step, "%s", row->step);
    r->row[r->count].iterations = row->iterations;
    r->row[r->count].residual = row->residual;
    r->row[r->count].total_us = row->cold_us - row->after_us;
    r->row[r->count++].setup_ms = row->setup_ms;
}

void results_print(const results_t *r, const char *what, FILE *to)
{
    if (r->count == 0) return;
    fprintf(to, "  %-22s %10s %12s %12s %12s %12s\n", "", "steps", what, "us a step", "steps/s", "set-up ms");
    for (size_t i = 0; i < r->count; ++i) {
        const double n = r->row[i].iterations, us = r->row[i].total_us;
        fprintf(to, "  %-22s %10.0f %12.3g", r->row[i].step, n, r->row[i].residual);
        if (us > 0 && n > 0) fprintf(to, " %12.2f %12.0f %12.2f\n", us / n, 1e6 * n / us, r->row[i].setup_ms);
        else fprintf(to, " %12s %12s %12s\n", "-", "-", "-");
    }
    fprintf(to, "\n");
}
