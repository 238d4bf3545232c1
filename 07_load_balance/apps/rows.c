/* rows.c - see rows.h */
#include "rows.h"

#include <stdio.h>
#include <string.h>

#include "../../04_spmv_scalar/spmv_scalar.h"
#include "../../05_spmv_vector/spmv_vector.h"
#include "../../06_spmv_lightspmv/spmv_lightspmv.h"
#include "../load_balance.h"
#include "ranks.h"

const char APP_ROWS_OF_THE_COURSE[] =
    "04/c1,04/c7,04/c10,07/librsb,07/libspmv_cpu,"
    "04/v1,04/v9,05/v2,05/v7,05/v16,06/v5,06/v13,07/v1,07/v6,07/v8,07/v11,07/v14,07/v17,07/v24,07/v27,07/v39,07/v44,"
    "07/libspmv,07/libspmv_plan,07/libspmv_tuned,07/cusparse_csr,07/cusparse_csr_pre,07/cusparse_sell";

enum { ROWS_MOST = 256, NAME = 32 };

/* The `how` of a row is the step that multiplies; NULL: rows over ranks. */
static struct {
    step_t row[ROWS_MOST];
    char name[ROWS_MOST][NAME];
    size_t count;
} table;

static void add(const char *name, const char *idea, step_kind_t kind, const step_t *multiplies)
{
    if (table.count == ROWS_MOST) return;
    char *own = table.name[table.count];
    snprintf(own, NAME, "%s", name);
    table.row[table.count++] = (step_t){own, kind, idea, NULL, multiplies};
}

static bool is_peer(const step_t *s) { return s->kind == STEP_CPU_PEER || s->kind == STEP_GPU_PEER; }

/* Every step of the chapters; the libraries are the same in all chapters, so they are listed once. */
static void fill(void)
{
    static const chapter_t *const CHAPTERS[] = {&SPMV_SCALAR, &SPMV_VECTOR, &SPMV_LIGHTSPMV, &LOAD_BALANCE};
    add("cpu", "libspmv on the CPU", STEP_CPU, chapter_step(&LOAD_BALANCE, "libspmv_cpu"));
    add("gpu", "libspmv on the GPU", STEP_GPU, chapter_step(&LOAD_BALANCE, "libspmv_plan"));
    add("mpi", "rows over MPI ranks, on CPUs", STEP_CPU, NULL);
    add("nccl", "rows over MPI ranks, one GPU each", STEP_GPU, NULL);
    add("direct", "the same, in each other's memory", STEP_GPU, NULL);
    for (size_t k = 0; k < sizeof CHAPTERS / sizeof *CHAPTERS; ++k) {
        const chapter_t *c = CHAPTERS[k];
        const step_t *s;
        for (size_t i = 0; (s = c->step(i)); ++i) {
            char name[NAME];
            if (is_peer(s) && c != &LOAD_BALANCE) continue;
            snprintf(name, sizeof name, "%.2s/%s", c->name, s->id);
            add(name, s->idea, s->kind, s);
        }
    }
}

const step_t *app_row(size_t i, const step_ops_t *ops)
{
    if (table.count == 0) fill();
    if (i >= table.count) return NULL;
    table.row[i].ops = ops;
    return &table.row[i];
}

bool app_row_is_ranks(const step_t *row) { return !row->how; }

ranks_place_t app_row_place(const step_t *row)
{
    return row->kind == STEP_CPU ? RANKS_CPU : strcmp(row->id, "direct") == 0 ? RANKS_DIRECT : RANKS_NCCL;
}

const char *app_row_skip(const step_t *row, const problem_t *spmv)
{
    const step_t *multiplies = row->how;
    if (!multiplies) return ranks_missing();
    return multiplies->ops->skip ? multiplies->ops->skip(multiplies, spmv) : NULL;
}

product_t *app_row_open(const step_t *row, const problem_t *spmv, err_t *err)
{
    const spmv_data_t *data = spmv->data;
    if (row->how) return product_of_step(row->how, spmv, err);
    return product_of_ranks(app_row_place(row), spmv->dtype, &data->A, err);
}
