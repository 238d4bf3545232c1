/* rows.c - see rows.h */
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../04_spmv_scalar/spmv_scalar.h"
#include "../../05_spmv_vector/spmv_vector.h"
#include "../../06_spmv_lightspmv/spmv_lightspmv.h"
#include "../load_balance.h"
#include "spmv_problem.h"

const char APP_ROWS_OF_THE_COURSE[] =
    "04/c1,04/c7,04/c10,07/librsb,07/libspmv_cpu,"
    "04/v1,04/v9,05/v2,05/v7,05/v16,06/v5,06/v13,07/v1,07/v6,07/v8,07/v11,07/v14,07/v17,07/v24,07/v27,07/v39,07/v44,"
    "07/libspmv,07/libspmv_plan,07/libspmv_tuned,07/cusparse_csr,07/cusparse_csr_pre,07/cusparse_sell";

enum { ROWS_MOST = 256, NAME = 32 };

/* `how` of a row is the step that multiplies; NULL: rows over ranks. */
static struct {
    step_t row[ROWS_MOST];
    char name[ROWS_MOST][NAME];
    size_t count;
} table;

static void add_row(const char *name, const char *idea, step_kind_t kind, const step_t *multiplies)
{
    if (table.count == ROWS_MOST) return;
    char *own = table.name[table.count];
    snprintf(own, NAME, "%s", name);
    table.row[table.count++] = (step_t){own, kind, idea, NULL, multiplies};
}

static bool is_peer(const step_t *s) { return s->kind == STEP_CPU_PEER || s->kind == STEP_GPU_PEER; }

/* Adds every step of the chapters; libraries are the same in all chapters, so they are listed once. */
static void fill(void)
{
    static const chapter_t *const CHAPTERS[] = {&SPMV_SCALAR, &SPMV_VECTOR, &SPMV_LIGHTSPMV, &LOAD_BALANCE};
    add_row("cpu", "libspmv on the CPU", STEP_CPU, chapter_step(&LOAD_BALANCE, "libspmv_cpu"));
    add_row("gpu", "libspmv on the GPU", STEP_GPU, chapter_step(&LOAD_BALANCE, "libspmv_plan"));
    add_row("mpi", "rows over MPI ranks, on CPUs", STEP_CPU, NULL);
    add_row("nccl", "rows over MPI ranks, one GPU each", STEP_GPU, NULL);
    add_row("direct", "the same, in each other's memory", STEP_GPU, NULL);
    for (size_t k = 0; k < sizeof CHAPTERS / sizeof *CHAPTERS; ++k) {
        const chapter_t *c = CHAPTERS[k];
        const step_t *s;
        for (size_t i = 0; (s = c->step(i)); ++i) {
            char name[NAME];
            if (is_peer(s) && c != &LOAD_BALANCE) continue;
            snprintf(name, sizeof name, "%.2s/%s", c->name, s->id);
            add_row(name, s->idea, s->kind, s);
        }
    }
}

static ranks_place_t place_of(const step_t *row)
{
    return row->kind == STEP_CPU ? RANKS_CPU : strcmp(row->id, "direct") == 0 ? RANKS_DIRECT : RANKS_NCCL;
}

bool app_row_is_ranks(const step_t *row) { return !row->how; }

product_t *app_row_open(const step_t *row, const problem_t *spmv, err_t *err)
{
    const spmv_data_t *data = spmv->data;
    if (row->how) return product_of_step(row->how, spmv, err);
    return product_of_ranks(place_of(row), spmv->dtype, &data->A, err);
}

/* ---- a problem ---------------------------------------------------------------------------------- */

int app_problem_open(problem_t *p, size_t size, app_make_fn make, void (*drop)(void *), const app_spec_t *spec,
                     err_t *err)
{
    const size_t n = spec->A->rows;
    p->data = NULL;
    if (spec->dtype != DTYPE_F32 && spec->dtype != DTYPE_F64)
        return err_set(err, "%s: fp32 and fp64 only", dtype_name(spec->dtype));
    app_data_t *d = calloc(1, size);
    if (!d) return err_set(err, "out of memory");
    *p = (problem_t){.name = spec->name, .dtype = spec->dtype, .cpu = spec->cpu, .gpu = spec->gpu,
                     .out_bytes = n * dtype_size(spec->dtype), .data = d};
    d->options = spec->options;
    d->history = spec->history;
    d->drop = drop;
    d->memory = malloc((4 * n + 1) * sizeof *d->memory);
    if (!d->memory) err_set(err, "out of memory for vectors of %zu", n);
    else if (!make(p, spec, err)) return 0;
    app_problem_close(p);
    return -1;
}

int app_data_matrix(problem_t *p, const app_spec_t *spec, const csr_t *A, size_t vectors, err_t *err)
{
    app_data_t *d = (app_data_t *)p->data;
    const spmv_spec_t spmv = {.A = A, .name = spec->name, .dtype = spec->dtype, .seed = spec->seed, .cpu = spec->cpu,
                              .gpu = spec->gpu, .offset_bits = A->nnz > INT32_MAX ? 64 : 32};
    if (spmv_problem_open(&d->spmv, &spmv, err)) return -1;
    p->bytes = d->spmv.bytes + vectors * A->rows * dtype_size(spec->dtype);
    return 0;
}

void app_problem_close(problem_t *p)
{
    app_data_t *d = (app_data_t *)p->data;
    if (!d) return;
    d->drop(d);
    spmv_problem_close(&d->spmv);
    free(d->memory);
    free(d);
    p->data = NULL;
}

void app_results_print(const problem_t *p, const char *what, FILE *to)
{
    const app_data_t *d = p->data;
    if (d->result_count == 0) return;
    fprintf(to, "  %-22s %10s %12s %12s %12s %12s\n", "", "steps", what, "us a step", "steps/s", "set-up ms");
    for (const app_result_t *r = d->results; r < d->results + d->result_count; ++r) {
        const double n = r->iterations, us = r->total_us;
        fprintf(to, "  %-22s %10.0f %12.3g", r->step, n, r->residual);
        if (us > 0 && n > 0) fprintf(to, " %12.2f %12.0f %12.2f\n", us / n, 1e6 * n / us, r->setup_ms);
        else fprintf(to, " %12s %12s %12s\n", "-", "-", "-");
    }
    fprintf(to, "\n");
}

/* ---- callbacks of the harness ------------------------------------------------------------------- */

static const solver_t *solver; /* of this program */

static const char *skip(const step_t *s, const problem_t *p)
{
    const app_data_t *d = p->data;
    const step_t *multiplies = s->how;
    if (!multiplies) return ranks_missing();
    return multiplies->ops->skip ? multiplies->ops->skip(multiplies, &d->spmv) : NULL;
}

/* Sends the order to the other ranks, if the row uses them. */
static void order(const step_t *s, ranks_what_t what, const problem_t *p)
{
    const app_data_t *d = p->data;
    if (!app_row_is_ranks(s)) return;
    ranks_give(&(ranks_order_t){.what = what, .place = place_of(s), .type = p->dtype, .options = d->options});
}

static void close_solver(method_t *m)
{
    product_t *product = m->product;
    solver->close(m);
    product->close(product);
}

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    const app_data_t *d = p->data;
    order(s, RANKS_OPEN, p);
    product_t *product = app_row_open(s, &d->spmv, err);
    method_t *m = product ? solver->open(product, d->vectors, &d->options, err) : NULL;
    if (product && !m) {
        if (app_row_is_ranks(s)) ranks_end_all(product, err);
        order(s, RANKS_CLOSE, p);
        product->close(product);
    }
    *state = m;
    return m ? 0 : -1;
}

static void teardown(const step_t *s, const problem_t *p, void *state)
{
    order(s, RANKS_CLOSE, p);
    close_solver(state);
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    method_t *m = state;
    order(s, RANKS_RUN, p);
    const int failed = solver->run(m, out, err);
    if (failed < 0 && app_row_is_ranks(s)) ranks_end_all(m->product, err);
    ((app_data_t *)p->data)->iterations = m->iterations;
    return failed;
}

static void note(const step_t *s, const problem_t *p, void *state, report_row_t *row)
{
    app_data_t *d = (app_data_t *)p->data;
    const method_t *m = state;
    row->iterations = (double)m->iterations;
    row->after_us = m->gather_us;
    row->residual = solver->residual(m, m->iterations);
    row->bytes *= row->iterations;
    row->cold_gbps *= row->iterations; /* NAN stays NAN */
    row->pct_ceiling *= row->iterations;
    row->efficiency = NAN;
    if (app_row_is_ranks(s)) ranks_note(m->product, row);
    if (d->result_count < RESULTS_MOST) {
        app_result_t *result = &d->results[d->result_count++];
        *result = (app_result_t){{0}, row->iterations, row->residual, row->cold_us - row->after_us, row->setup_ms};
        snprintf(result->step, sizeof result->step, "%s", row->step);
    }
    for (size_t k = solver->first_step; d->history && k <= m->iterations; ++k)
        fprintf(d->history, "%s\t%s\t%s\t%s\t%s\t%zu\t%.4g\n", solver->chapter->name, s->id, row->kind, p->name,
                dtype_name(p->dtype), k, solver->residual(m, k));
}

const step_t *app_row(size_t i, const solver_t *program)
{
    static step_ops_t ops = {.skip = skip, .setup = setup, .teardown = teardown, .run = run, .note = note};
    solver = program;
    ops.check = program->check;
    if (table.count == 0) fill();
    if (i >= table.count) return NULL;
    table.row[i].ops = &ops;
    return &table.row[i];
}

/* ---- the other ranks ---------------------------------------------------------------------------- */

void app_serve(const solver_t *program)
{
    method_t *m = NULL;
    solver = program;
    for (;;) {
        const ranks_order_t o = ranks_take();
        err_t err; /* rank 0 prints errors that all ranks have */
        if (o.what == RANKS_END) return;
        if (o.what == RANKS_OPEN) {
            product_t *product = product_of_ranks(o.place, o.type, NULL, &err);
            static const void *const NONE[2];
            if (product && !(m = solver->open(product, NONE, &o.options, &err))) ranks_end_all(product, &err);
        } else if (o.what == RANKS_RUN && m) {
            if (solver->run(m, NULL, &err) < 0) ranks_end_all(m->product, &err);
        } else if (o.what == RANKS_CLOSE && m) {
            close_solver(m);
            m = NULL;
        }
    }
}
