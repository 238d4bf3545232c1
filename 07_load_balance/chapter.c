/* 07_load_balance - the table of steps, and the callbacks of the harness. */
#include "load_balance.h"

#include <stdio.h>
#include <string.h>

#include "plan/plan.h"
#include "rows/lib_rows.h"
#include "spmv_peers.h"

/* A student's step, which exists only in a build with STUDENT=file.cu. */
cudaError_t load_balance_student(LOAD_BALANCE_ARGS) __attribute__((weak));

/* ---- the lengths of the chains of additions -------------------------------------------------------- */

enum { TILE = 256 * 7, BLOCK_TREE = 5 + 8, CARRIES = 16 + BLOCK_TREE };

/* v1: at least two lanes share a row. */
static size_t depth_vector(size_t length, const void *unused) { return (void)unused, length / 2 + 6; }
/* v2 to v4: seven in a thread, then one partial sum per thread of the row. */
static size_t depth_threads(size_t length, const void *unused) { return (void)unused, 7 + length / 7 + 2; }
/* v5, v6: seven in a thread, the scan, then one partial sum per tile of the row. */
static size_t depth_atomics(size_t length, const void *unused)
{
    return (void)unused, 7 + BLOCK_TREE + 2 + length / TILE + 2;
}
/* v7: the same, but a thread adds the carries of a row. */
static size_t depth_carried(size_t length, const void *unused)
{
    return (void)unused, 7 + BLOCK_TREE + 2 + length / TILE + 2;
}
/* v8, v15 to v17, v25, v26: the same, then a block adds the carries of a long row. */
static size_t depth_carries(size_t length, const void *unused)
{
    return (void)unused, 7 + BLOCK_TREE + 2 + CARRIES + length / TILE / 256;
}
/* v9: 8, or a lane's share. */
static size_t depth_two_bins(size_t length, const void *unused)
{
    return (void)unused, length <= 8 ? length : length / 32 + 6;
}
/* v10, v11: 8, a lane's share of up to 1024, or a thread's share of more. */
static size_t depth_bins(size_t length, const void *unused)
{
    return (void)unused, length <= 8 ? length : length <= 1024 ? length / 32 + 8 : length / 256 + BLOCK_TREE;
}
/* v12 to v14: a thread's share of a long row, or up to all of one that fits into shared memory. */
static size_t depth_streamed(size_t length, const void *unused)
{
    return (void)unused, length > 3072 ? length / 256 + BLOCK_TREE : length + 5;
}

/* v18, v19: sixteen in a lane, then one partial sum per lane of the row. */
static size_t depth_lanes(size_t length, const void *unused) { return (void)unused, 16 + length / 16 + 2; }
/* v20: sixteen in a lane, the scan, then one partial sum per tile of the row. */
static size_t depth_warps(size_t length, const void *unused) { return (void)unused, 16 + 5 + length / 512 + 2; }

/* v28 to v32: a lane adds up a row. */
static size_t depth_rows(size_t length, const void *unused) { return (void)unused, length; }

/* v21 to v44. */
static size_t depth_formats(size_t length, const void *unused)
{
    return (void)unused, load_balance_formats_depth(length);
}

/* ---- the steps ---------------------------------------------------------------------------------- */

typedef struct how {
    load_balance_fn gpu;
    const load_balance_plan_ops_t *plan; /* NULL: none */
    spmv_depth_fn depth;
    bool any_order; /* sums may differ in their last bits from run to run */
} how_t;

void load_balance_describe(const char *name, const csr_t *A)
{
    const csr_stats_t s = csr_stats(A);
    fprintf(stderr, "%s: %zu x %zu, %zu nonzeros, %.1f per row (%zu to %zu), %zu empty rows\n", name, A->rows, A->cols,
            A->nnz, s.mean_row, s.min_row, s.max_row, s.empty_rows);
}

/* ---- callbacks of the harness ------------------------------------------------------------------- */

static const char *skip(const step_t *s, const problem_t *p)
{
    (void)s;
    return p->dtype == DTYPE_F32 || p->dtype == DTYPE_F64 ? NULL : "fp32 and fp64 only";
}

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    const how_t *how = s->how;
    const spmv_data_t *data = p->data;
    return how->plan ? device_ok(how->plan->create(&data->device, state, 0), "plan", err) : 0;
}

static void teardown(const step_t *s, const problem_t *p, void *state)
{
    const how_t *how = s->how;
    (void)p;
    if (how->plan) how->plan->destroy(state);
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const how_t *how = s->how;
    const spmv_data_t *data = p->data;
    return device_ok(how->gpu(&data->device, state, data->d_x, out, 0), s->id, err);
}

static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    const how_t *how = s->how;
    return (strcmp(s->id, "student") ? spmv_judge : spmv_judge_student)(p, out, how->depth, NULL, err_over_tol, err);
}

/* ---- the table ---------------------------------------------------------------------------------- */

static const step_ops_t ON_GPU = {.skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = check};

#define STEP(id, idea, ...) {#id, STEP_GPU, idea, &ON_GPU, &(const how_t){.gpu = load_balance_##id, __VA_ARGS__}},
#define PLANNED(id, idea, ...) \
    {#id, STEP_GPU, idea, &ON_GPU, \
     &(const how_t){.gpu = load_balance_##id, .plan = &load_balance_##id##_plan, __VA_ARGS__}},
#define SAME(id, variant, idea, ...) \
    {#id "/" #variant, STEP_GPU, idea, &ON_GPU, \
     &(const how_t){.gpu = load_balance_##id, .plan = &load_balance_##id##_##variant##_plan, __VA_ARGS__}},
static const step_t STEPS[] = {
#include "steps.def"
};
static const step_t STUDENT = {"student", STEP_GPU, "your own", &ON_GPU,
                               &(const how_t){.gpu = load_balance_student, .depth = depth_vector}};

static const step_t *library(size_t i)
{
    size_t rows = 0;
    while (lib_row(rows)) ++rows;
    return i < rows ? lib_row(i) : spmv_peer(i - rows);
}

static const step_t *step(size_t i)
{
    return chapter_row(i, STEPS, sizeof STEPS / sizeof *STEPS, load_balance_student ? &STUDENT : NULL, library);
}

bool load_balance_step(size_t i, const char **id, load_balance_fn *run_step, const load_balance_plan_ops_t **plan)
{
    const step_t *s = step(i);
    if (!s || s->ops != &ON_GPU) return false;
    const how_t *how = s->how;
    *id = s->id;
    *run_step = how->gpu;
    *plan = how->plan;
    return true;
}

bool load_balance_any_order(const step_t *s)
{
    const how_t *how = s->how;
    return s->ops == &ON_GPU && how->any_order;
}

const chapter_t LOAD_BALANCE = {
    .name = "07_load_balance",
    .doc = "y = A x for a sparse matrix in which rows differ: equal shares of work, whatever the rows.",
    .step = step,
    .cusparse = spmv_cusparse_version,
};
