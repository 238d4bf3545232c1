/* 03_gemv - command line to problems. */
#include "gemv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct shape { size_t rows, cols; } shape_t;

/* Tall with short rows, wide, and square: common shapes, and shapes for which one mapping of threads is bad. */
static const shape_t ON_GPU[] = {{16384, 16},   {16384, 32},   {16384, 128},   {4096, 4096}, {16384, 16384},
                                  {1048576, 16}, {1048576, 32}, {1048576, 128}, {64, 1048576}};
/* Smaller matrices of the same shapes, for the simulator. */
static const shape_t ON_SIMT[] = {{4096, 16}, {4096, 32}, {1024, 128}, {256, 1024}, {16, 16384}};
/* The CPU rows are timed on one square matrix. */
static const shape_t ON_CPU = {4096, 4096};

typedef struct extra {
    size_t rows, cols;
    bool rows_set, cols_set, layout_set;
    gemv_layout_t layout;
} extra_t;

enum { OPT_ROWS = 2000, OPT_COLS, OPT_LAYOUT };

static const struct argp_option OPTIONS[] = {
    {"rows", OPT_ROWS, "N", 0, "Rows of A: 1000, 64K or 2^20 (default: the chapter's shapes)", 0},
    {"cols", OPT_COLS, "N", 0, "Columns of A", 0},
    {"layout", OPT_LAYOUT, "row|col", 0, "How A lies in memory (default: both)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    extra_t *e = state->input;
    err_t err;
    switch (key) {
    case OPT_ROWS:
        e->rows_set = true;
        if (cli_parse_size(arg, &e->rows, &err)) argp_error(state, "--rows: %s", err.text);
        return 0;
    case OPT_COLS:
        e->cols_set = true;
        if (cli_parse_size(arg, &e->cols, &err)) argp_error(state, "--cols: %s", err.text);
        return 0;
    case OPT_LAYOUT:
        e->layout_set = true;
        if (strcmp(arg, "row") == 0) e->layout = GEMV_ROW;
        else if (strcmp(arg, "col") == 0) e->layout = GEMV_COL;
        else argp_error(state, "--layout: \"%s\" must be row or col", arg);
        return 0;
    case ARGP_KEY_END:
        if (e->rows_set != e->cols_set) argp_error(state, "--rows and --cols go together");
        if (e->rows_set && e->rows > 0 && e->cols > SIZE_MAX / 64 / e->rows)
            argp_error(state, "--rows and --cols: that matrix is larger than any memory");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void run_shape(harness_t *h, const options_t *o, const extra_t *e, shape_t s, dtype_t dtype, bool cpu, bool gpu)
{
    for (gemv_layout_t layout = GEMV_ROW; layout <= GEMV_COL; ++layout) {
        if (e->layout_set && layout != e->layout) continue;
        err_t err;
        problem_t p;
        const gemv_spec_t spec = {.rows = s.rows, .cols = s.cols, .layout = layout, .dtype = dtype, .seed = o->seed,
                                  .exact = o->exact, .cpu = cpu, .gpu = gpu};
        if (gemv_open(&p, &spec, &err)) {
            fprintf(stderr, "03_gemv: %s\n", err.text);
            exit(EXIT_BAD_INPUT);
        }
        harness_run(h, &p);
        const gemv_data_t *d = p.data;
        const bool shown = cli_selects(o, "v26") && (!o->explain || strcmp(o->explain, "v26") == 0);
        if (gpu && o->format == REPORT_TABLE && shown && gemv_v26_choice)
            printf("  v26 took: %s\n", gemv_v26_choice(dtype, layout, s.rows, s.cols, d->d_A, d->d_x, NULL));
        gemv_close(&p);
    }
}

int main(int argc, char **argv)
{
    options_t o;
    extra_t extra = {0};
    const struct argp argp = {.options = OPTIONS, .parser = parse};
    cli_parse(&o, argc, argv, GEMV.doc, &argp, &extra);
    cli_refuse_unused(&o, "03_gemv", CLI_FLOATS, 0);

    harness_t *h = harness_open(&GEMV, &o);
    const bool gpu = strcmp(device_backend(), "cuda") == 0;
    const shape_t *shapes = gpu ? ON_GPU : ON_SIMT;
    const size_t count = gpu ? sizeof ON_GPU / sizeof *ON_GPU : sizeof ON_SIMT / sizeof *ON_SIMT;
    for (dtype_t t = DTYPE_F32; t <= DTYPE_F64; ++t) {
        if (o.dtype_set && t != o.dtype) continue;
        if (extra.rows_set) {
            run_shape(h, &o, &extra, (shape_t){extra.rows, extra.cols}, t, true, true);
        } else {
            run_shape(h, &o, &extra, ON_CPU, t, true, false);
            for (size_t i = 0; i < count; ++i) run_shape(h, &o, &extra, shapes[i], t, false, true);
        }
    }
    return harness_close(h);
}
