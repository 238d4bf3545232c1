/* table.c - the output of --formats: the bytes of every format before the rows, the fastest step after them; and the
 * bytes as a results file. */
#include <string.h>

#include "best.h"
#include "record.h"
#include "report.h"
#include "spmv_scalar.h"

/* ---- bytes -------------------------------------------------------------------------------------- */

static double share_of_fillers(const csr_t *A, const form_size_t *s)
{
    return s->slots ? 100 * (1 - (double)A->nnz / (double)s->slots) : 0;
}

static double per_nonzero(const csr_t *A, const form_size_t *s, dtype_t type)
{
    return A->nnz ? (double)form_bytes(s, type) / (double)A->nnz : 0;
}

void form_table(FILE *to, const char *name, const csr_t *A, const spmv_scalar_options_t *options)
{
    const size_t limit = form_limit(A, options);
    const form_t chosen = form_choose(A, DTYPE_F32, limit);
    fprintf(to, "%s: %zu x %zu, %zu nonzeros; bytes per nonzero, x and y not counted\n", name, A->rows, A->cols,
            A->nnz);
    fprintf(to, "%-8s %9s %9s %10s %13s   %s\n", "format", "fp32", "fp64", "padding, %", "v9's rule, us", "shape");
    for (form_t f = 0; f < FORM_COUNT; ++f) {
        err_t err;
        form_size_t s;
        if (form_size(A, f, &s, &err)) {
            fprintf(to, "%-8s %s\n", form_name(f), err.text);
            continue;
        }
        const char *refusal = form_refusal(A, f, limit);
        char us[32] = "-"; /* the rule has times for the steps' forms only */
        if (f < FORM_STEPS) snprintf(us, sizeof us, "%.1f", form_estimate(A, f, &s, DTYPE_F32));
        fprintf(to, "%-8s %9.2f %9.2f %10.1f %13s   %s%s%s%s\n", form_name(f), per_nonzero(A, &s, DTYPE_F32),
                per_nonzero(A, &s, DTYPE_F64), share_of_fillers(A, &s), us, s.shape, refusal ? "; not run: " : "",
                refusal ? refusal : "", f == chosen ? "  <- v9 takes this one: least by its rule" : "");
    }
    fputc('\n', to);
}

void form_rows_head(FILE *to, const char *command)
{
    fprintf(to, "# backend: %s\n# command: %s\n", device_backend(), command);
    fputs("chapter\tstep\tkind\tcase\tdtype\tbytes\tbytes_per_nnz\tpadding_pct\ttimes_csr\tchosen\tstatus\n", to);
}

void form_rows(FILE *to, const char *name, const csr_t *A, const spmv_scalar_options_t *options)
{
    const size_t limit = form_limit(A, options);
    for (dtype_t t = DTYPE_F32; t <= DTYPE_F64; ++t) {
        const form_t chosen = form_choose(A, t, limit);
        size_t csr = 0;
        for (form_t f = 0; f < FORM_COUNT; ++f) {
            err_t err;
            form_size_t s;
            if (form_size(A, f, &s, &err)) continue;
            const char *refusal = form_refusal(A, f, limit);
            if (f == FORM_CSR) csr = form_bytes(&s, t);
            fprintf(to, "04_spmv_scalar\t%s\tformat\t%s\t%s\t%zu\t%.4f\t%.2f\t%.4f\t%s\t%s%s\n", form_name(f), name,
                    dtype_name(t), form_bytes(&s, t), per_nonzero(A, &s, t), share_of_fillers(A, &s),
                    csr ? (double)form_bytes(&s, t) / (double)csr : 0, f == chosen ? "yes" : "-",
                    refusal ? "skip: " : "ok", refusal ? refusal : "");
        }
    }
}

/* ---- the fastest rows ---------------------------------------------------------------------------- */

typedef struct winners {
    best_t cpu, gpu, baseline;
} winners_t;

static void keep(best_t *best, const best_t *b)
{
    if (best_better(b, best)) *best = *b;
}

static void print_one(FILE *to, const char *who, const best_t *b)
{
    if (*b->step) fprintf(to, "   %s %s %s%.2f us", who, b->step, b->predicted ? "predicted " : "", b->us);
}

static void print_line(FILE *to, const char *name, const winners_t *w)
{
    if (!*name) return;
    fprintf(to, "%-32s", name);
    print_one(to, "CPU:", &w->cpu);
    print_one(to, "GPU:", &w->gpu);
    print_one(to, "library:", &w->baseline);
    fputc('\n', to);
}

void winners_print(const char *path, FILE *to)
{
    static const winners_t NONE;
    char name[256] = "", now[256];
    winners_t w = NONE;
    record_reader_t row;
    if (record_open(&row, path)) {
        perror(path);
        return;
    }
    while (record_next(&row)) {
        const char *step = record_text(&row, "step"), *kind = record_text(&row, "kind");
        snprintf(now, sizeof now, "%s %s", record_text(&row, "case"), record_text(&row, "dtype"));
        if (strcmp(now, name)) { /* rows of one case and type are adjacent */
            print_line(to, name, &w);
            w = NONE;
            memcpy(name, now, sizeof name);
        }
        if (report_status_of(record_text(&row, "status")) != REPORT_OK) continue;
        const best_t b = best_of_row(step, record_number(&row, "cold_us"), record_number(&row, "predicted_us"),
                                     record_number(&row, "predicted_low_us"), record_number(&row, "predicted_high_us"));
        keep(strcmp(kind, "cpu") == 0   ? &w.cpu
             : strcmp(kind, "gpu") == 0 ? &w.gpu
             : strncmp(step, "cusparse", 8) == 0 ? &w.baseline
                                                 : &w.cpu, /* librsb and MKL run there */
             &b);
    }
    print_line(to, name, &w);
    record_close(&row);
}
