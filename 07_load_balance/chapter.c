/* 07_load_balance - the table of steps, and what the harness needs to run and judge them. */
#include "load_balance.h"

#include <stdio.h>
#include <string.h>

#include "plans/plan.h"
#include "rows/lib_rows.h"
#include "spmv_peers.h"

/* A learner's own step, there only when built with STUDENT=file.cu. */
cudaError_t load_balance_student(LOAD_BALANCE_ARGS) __attribute__((weak));

/* ---- how long the chains of additions are -------------------------------------------------------- */

enum { TILE = 256 * 7, BLOCK_TREE = 5 + 8, CARRIES = 16 + BLOCK_TREE };

/* v1: at least two lanes share a row. */
static size_t depth_vector(size_t length, const void *unused) { return (void)unused, length / 2 + 6; }
/* v2 to v4: a thread's seven, then a part of every thread the row lies in. */
static size_t depth_threads(size_t length, const void *unused) { return (void)unused, 7 + length / 7 + 2; }
/* v5, v6: a thread's seven, the scan, then a part of every tile the row lies in. */
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

/* v18, v19: a lane's sixteen, then a part of every lane the row lies in. */
static size_t depth_lanes(size_t length, const void *unused) { return (void)unused, 16 + length / 16 + 2; }
/* v20: a lane's sixteen, the scan, then a part of every tile the row lies in. */
static size_t depth_warps(size_t length, const void *unused) { return (void)unused, 16 + 5 + length / 512 + 2; }

/* v28 to v32: a lane adds up a row. */
static size_t depth_rows(size_t length, const void *unused) { return (void)unused, length; }

/* v21 to v44. */
static size_t depth_formats(size_t length, const void *unused)
{
    return (void)unused, load_balance_formats_depth(length);
}

/* ---- the steps ---------------------------------------------------------------------------------- */

typedef struct load_balance_row {
    step_t step;
    load_balance_fn gpu;
    const load_balance_plan_ops_t *plan; /* NULL: none */
    spmv_depth_fn depth;
} load_balance_row_t;

#define PLANNED(which, as) .gpu = load_balance_##which, .plan = &load_balance_##as##_plan

static const load_balance_row_t STEPS[] = {
    {{"v1", STEP_GPU, "vector a row by the mean row (chapter 05)"}, .gpu = load_balance_v1, .depth = depth_vector},
    {{"v2", STEP_GPU, "a thread on 7 nonzeros (not deterministic)"}, .gpu = load_balance_v2, .depth = depth_threads},
    {{"v3", STEP_GPU, "a tile in shared memory (not deterministic)"}, .gpu = load_balance_v3, .depth = depth_threads},
    {{"v4", STEP_GPU, "marks where rows begin (not deterministic)"}, .gpu = load_balance_v4, .depth = depth_threads},
    {{"v5", STEP_GPU, "a segmented scan (not deterministic)"}, .gpu = load_balance_v5, .depth = depth_atomics},
    {{"v6", STEP_GPU, "nonzeros split, atomics (not deterministic)"}, .gpu = load_balance_v6, .depth = depth_atomics},
    {{"v7", STEP_GPU, "carries, a thread on a row's (deterministic)"}, PLANNED(v7, v7), .depth = depth_carried},
    {{"v8", STEP_GPU, "nonzeros split, carries (deterministic)"}, PLANNED(v8, v8), .depth = depth_carries},
    {{"v9", STEP_GPU, "rows in two bins, made on the host"}, PLANNED(v9, v9), .depth = depth_two_bins},
    {{"v10", STEP_GPU, "long rows to a block each, in one launch"}, PLANNED(v10, v10), .depth = depth_bins},
    {{"v11", STEP_GPU, "rows in bins: thread, warp, block"}, PLANNED(v11, v11), .depth = depth_bins},
    {{"v12", STEP_GPU, "whole rows streamed, cut on the host"}, PLANNED(v12, v12), .depth = depth_streamed},
    {{"v13", STEP_GPU, "rows streamed, four rounds in flight"}, PLANNED(v13, v13), .depth = depth_streamed},
    {{"v14", STEP_GPU, "rows streamed through shared memory"}, PLANNED(v14, v14), .depth = depth_streamed},
    {{"v15", STEP_GPU, "tiles of rows and nonzeros, cut on the host"}, PLANNED(v15, v15), .depth = depth_carries},
    {{"v16", STEP_GPU, "the block finds its own borders"}, PLANNED(v16, v16), .depth = depth_carries},
    {{"v17", STEP_GPU, "merge-path: rows and nonzeros split"}, PLANNED(v17, v17), .depth = depth_carries},
    {{"v18", STEP_GPU, "tiles stored turned (not deterministic)"}, PLANNED(v18, v18), .depth = depth_lanes},
    {{"v19", STEP_GPU, "flags where rows start (not deterministic)"}, PLANNED(v19, v19), .depth = depth_lanes},
    {{"v20", STEP_GPU, "sums in a warp by flags (not deterministic)"}, PLANNED(v20, v20), .depth = depth_warps},
    {{"v21", STEP_GPU, "CSR5, made on the host (deterministic)"}, PLANNED(v21, v21), .depth = depth_formats},
    {{"v22", STEP_GPU, "CSR5, nonzeros turned on the card"}, PLANNED(v22, v22), .depth = depth_formats},
    {{"v23", STEP_GPU, "CSR5, flags found on the card"}, PLANNED(v23, v23), .depth = depth_formats},
    {{"v24", STEP_GPU, "CSR5: tiles that know their rows"}, PLANNED(v24, v24), .depth = depth_formats},
    {{"v25", STEP_GPU, "marks are bits, tiles cut on the host"}, PLANNED(v25, v25), .depth = depth_carries},
    {{"v26", STEP_GPU, "marks are bits, tiles cut on the card"}, PLANNED(v26, v26), .depth = depth_carries},
    {{"v27", STEP_GPU, "no row is empty, a guess that is checked"}, PLANNED(v27, v27), .depth = depth_formats},
    {{"v28", STEP_GPU, "SELL: slices of 32 rows, made on the host"}, PLANNED(v28, v28), .depth = depth_rows},
    {{"v29", STEP_GPU, "SELL, eight steps in flight"}, PLANNED(v29, v29), .depth = depth_rows},
    {{"v30", STEP_GPU, "SELL, made on the card"}, PLANNED(v30, v30), .depth = depth_rows},
    {{"v31", STEP_GPU, "SELL-32-1024: windows of rows sorted"}, PLANNED(v31, v31), .depth = depth_rows},
    {{"v32", STEP_GPU, "SELL, all rows sorted"}, PLANNED(v32, v32), .depth = depth_rows},
    {{"v33", STEP_GPU, "SELL, long rows cut (not deterministic)"}, PLANNED(v33, v33), .depth = depth_formats},
    {{"v34", STEP_GPU, "SELL, pieces in order (deterministic)"}, PLANNED(v34, v34), .depth = depth_formats},
    {{"v35", STEP_GPU, "SELL, lanes by the mean row"}, PLANNED(v35, v35), .depth = depth_formats},
    {{"v36", STEP_GPU, "SELL, lanes by the slice's longest row"}, PLANNED(v36, v36), .depth = depth_formats},
    {{"v37", STEP_GPU, "SELL, lanes tried for each slice"}, PLANNED(v37, v37), .depth = depth_formats},
    {{"v38", STEP_GPU, "SELL, one allocation for the builder"}, PLANNED(v38, v38), .depth = depth_formats},
    {{"v39", STEP_GPU, "SELL: slices, lanes by the slice"}, PLANNED(v39, v39), .depth = depth_formats},
    {{"v39/paper", STEP_GPU, "SELL-32-1024, a lane a row"}, PLANNED(v39, v39_paper), .depth = depth_formats},
    {{"v39/natural", STEP_GPU, "v39, rows where they stand"}, PLANNED(v39, v39_natural), .depth = depth_formats},
    {{"v39/sorted", STEP_GPU, "v39, all rows sorted"}, PLANNED(v39, v39_sorted), .depth = depth_formats},
    {{"v40", STEP_GPU, "columns as differences, made on the host"}, PLANNED(v40, v40), .depth = depth_formats},
    {{"v41", STEP_GPU, "differences by the slice, on the card"}, PLANNED(v41, v41), .depth = depth_formats},
    {{"v42", STEP_GPU, "two differences in a word"}, PLANNED(v42, v42), .depth = depth_formats},
    {{"v43", STEP_GPU, "narrow slices have a loop of their own"}, PLANNED(v43, v43), .depth = depth_formats},
    {{"v44", STEP_GPU, "SELL, columns in 16 bits"}, PLANNED(v44, v44), .depth = depth_formats},
    {{"student", STEP_GPU, "your own"}, .gpu = load_balance_student, .depth = depth_vector},
};

enum { STEP_COUNT = sizeof STEPS / sizeof *STEPS };

static bool is_left_out(const load_balance_row_t *s) { return strcmp(s->step.id, "student") == 0 && !s->gpu; }

static const step_t *step(size_t i)
{
    size_t own = 0;
    for (size_t k = 0; k < STEP_COUNT; ++k)
        if (!is_left_out(&STEPS[k]) && own++ == i) return &STEPS[k].step;
    for (size_t k = 0; lib_row(k); ++k)
        if (own++ == i) return lib_row(k);
    return spmv_peer(i - own);
}

bool load_balance_step(size_t i, const char **id, load_balance_fn *run, const load_balance_plan_ops_t **plan)
{
    const step_t *s = step(i);
    if (!s || spmv_is_peer(s) || lib_is_row(s)) return false;
    const load_balance_row_t *row = (const load_balance_row_t *)s;
    *id = s->id;
    *run = row->gpu;
    *plan = row->plan;
    return true;
}

bool load_balance_any_order(const step_t *s) { return strstr(s->idea, "not deterministic") != NULL; }

void load_balance_describe(const char *name, const csr_t *A)
{
    const csr_stats_t s = csr_stats(A);
    fprintf(stderr, "%s: %zu x %zu, %zu nonzeros, %.1f a row (%zu to %zu), %zu empty rows\n", name, A->rows, A->cols, A->nnz,
            s.mean_row, s.min_row, s.max_row, s.empty_rows);
}

/* ---- callbacks of the harness ------------------------------------------------------------------- */

static const char *skip(const step_t *s, const problem_t *p)
{
    if (spmv_is_peer(s)) return spmv_peer_skip(s, p);
    if (lib_is_row(s)) return lib_row_skip(s, p);
    return p->dtype == DTYPE_F32 || p->dtype == DTYPE_F64 ? NULL : "fp32 and fp64 only";
}

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    if (spmv_is_peer(s)) return spmv_peer_setup(s, p, state, err);
    if (lib_is_row(s)) return lib_row_setup(s, p, state, err);
    const load_balance_plan_ops_t *plan = ((const load_balance_row_t *)s)->plan;
    return plan ? device_ok(plan->create(&((const spmv_data_t *)p->data)->device, state, 0), "plan", err) : 0;
}

static void teardown(const step_t *s, const problem_t *p, void *state)
{
    if (spmv_is_peer(s)) spmv_peer_teardown(s, p, state);
    else if (lib_is_row(s)) lib_row_teardown(s, p, state);
    else ((const load_balance_row_t *)s)->plan->destroy(state);
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    if (spmv_is_peer(s)) return spmv_peer_run(s, p, state, out, err);
    if (lib_is_row(s)) return lib_row_run(s, p, state, out, err);
    const spmv_data_t *data = p->data;
    return device_ok(((const load_balance_row_t *)s)->gpu(&data->device, state, data->d_x, out, 0), s->id, err);
}

static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    const spmv_depth_fn depth = spmv_is_peer(s) ? spmv_peer_depth
                                : lib_is_row(s) ? lib_row_depth
                                                : ((const load_balance_row_t *)s)->depth;
    return spmv_judge(p, out, depth, NULL, err_over_tol, err);
}

const chapter_t LOAD_BALANCE = {
    .name = "07_load_balance",
    .doc = "y = A x for a sparse matrix in which rows differ: equal shares of work, whatever the rows.",
    .step = step, .skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = check,
};
