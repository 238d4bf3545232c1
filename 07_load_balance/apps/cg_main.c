/* cg_main.c - 07_cg: command line to linear systems. */
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "app_cli.h"
#include "cg_rows.h"
#include "ranks.h"
#include "spmv_session.h"

static const double MAX_FLOPS = 5e10; /* some seconds of CHOLMOD */

/* ---- options of this program -------------------------------------------------------------------- */

typedef struct extra {
    app_cli_t app;
    bool no_preconditioner, no_direct;
} extra_t;

enum { OPT_NO_PRECONDITIONER = 2000, OPT_NO_DIRECT };

static const struct argp_option EXTRA_OPTIONS[] = {
    {"no-preconditioner", OPT_NO_PRECONDITIONER, 0, 0, "With --matrix: solve without the Jacobi preconditioner", 0},
    {"no-direct", OPT_NO_DIRECT, 0, 0, "Do not compare with a direct solution by CHOLMOD", 0},
    {0},
};

static error_t parse_extra(int key, char *arg, struct argp_state *state)
{
    extra_t *extra = state->input;
    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &extra->app; return 0;
    case OPT_NO_PRECONDITIONER: extra->no_preconditioner = true; return 0;
    case OPT_NO_DIRECT: extra->no_direct = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- systems ------------------------------------------------------------------------------------ */

typedef struct session {
    harness_t *h;
    const options_t *o;
    const extra_t *extra;
    FILE *history;
} session_t;

/* Runs the selected rows on a system with A, and frees A; if it is NULL, *err says why. */
static int solve(const session_t *s, csr_t *A, const char *name, bool preconditioner, bool cpu, bool gpu,
                 const err_t *why)
{
    err_t err = A ? (err_t){{0}} : *why;
    char title[SPMV_NAME + 32];
    snprintf(title, sizeof title, "%s%s", name, preconditioner ? "" : ":no-preconditioner");
    const dtype_t type = s->o->dtype_set ? s->o->dtype : DTYPE_F64;
    const app_spec_t spec = {.A = A, .name = title, .dtype = type, .seed = s->o->seed, .cpu = cpu, .gpu = gpu,
                             .options = s->extra->app.options, .no_preconditioner = !preconditioner,
                             .max_flops = s->extra->no_direct ? 0 : MAX_FLOPS, .history = s->history};
    problem_t p;
    const int failed = !A || cg_problem_open(&p, &spec, &err);
    if (failed) {
        fprintf(stderr, "%s: %s\n", name, err.text);
    } else {
        fprintf(stderr, "%s: %zu unknowns, %zu nonzeros; %s\n", title, A->rows, A->nnz, cg_problem_direct(&p));
        harness_run(s->h, &p);
        app_results_print(&p, "|r| / |b|", s->o->format == REPORT_TABLE ? stdout : stderr);
        app_problem_close(&p);
    }
    csr_free(A);
    return failed ? -1 : 0;
}

/* recipe: NULL for --matrix. */
static int solve_recipe(const session_t *s, const char *recipe, bool preconditioner, bool cpu, bool gpu)
{
    err_t err;
    char name[SPMV_NAME];
    csr_t *A = spmv_matrix_asked(s->o, recipe, name, &err);
    return solve(s, A, name, preconditioner, cpu, gpu, &err);
}

static bool at_hand(const char *matrix)
{
    err_t err;
    char name[SPMV_NAME];
    csr_t *A = spmv_matrix_named(matrix, 1, name, &err);
    const bool real = A && strncmp(name, "like:", 5) != 0;
    csr_free(A);
    return real;
}

/* A stiffness matrix, the real one if it is in MATRIX_DIR: its diagonal spans nine orders of magnitude, so Jacobi has
 * an effect. */
static const char *stiffness(void)
{
    if (at_hand("bcsstk16")) return "bcsstk16";
    fprintf(stderr, "bcsstk16 is not in MATRIX_DIR: using stencil27:17,17,17, a matrix of the same size, instead\n");
    return "stencil27:17,17,17";
}

/* Solves Poisson's equation on a cube, then a stiffness matrix and one with primes on its diagonal, with and without
 * Jacobi.  On the simulator the cube is smaller. */
static int default_run(const session_t *s)
{
    const bool gpu = strcmp(device_backend(), "cuda") == 0;
    if (!gpu)
        fprintf(stderr,
                "no GPU: solving smaller systems, cubes of 40^3 points on the CPU and of 10^3 on the simulator\n");
    const char *const real[] = {stiffness(), at_hand("Trefethen_2000") ? "Trefethen_2000" : NULL};
    if (gpu ? solve_recipe(s, "poisson3d:100,100,100", true, true, true)
             : solve_recipe(s, "poisson3d:40,40,40", true, true, false) ||
                   solve_recipe(s, "poisson3d:10,10,10", true, false, true))
        return -1;
    for (int i = 0; i < 2 && real[i]; ++i)
        if (solve_recipe(s, real[i], true, true, gpu) || solve_recipe(s, real[i], false, true, gpu)) return -1;
    return 0;
}

/* Runs every SpMV of the course. */
static int experiment_1(const session_t *s)
{
    const bool gpu = strcmp(device_backend(), "cuda") == 0;
    if (gpu)
        return solve_recipe(s, "poisson3d:150,150,150", true, false, true) ||
               solve_recipe(s, stiffness(), true, true, true);
    return solve_recipe(s, "poisson3d:40,40,40", true, true, false) ||
           solve_recipe(s, "poisson3d:6,6,6", true, false, true);
}

int main(int argc, char **argv)
{
    if (ranks_serve(&argc, &argv)) {
        app_serve(&CG_SOLVER);
        return 0;
    }
    options_t o;
    extra_t extra = {0};
    const struct argp_child children[] = {{.argp = &APP_ARGP}, {0}};
    const struct argp extra_argp = {.options = EXTRA_OPTIONS, .parser = parse_extra, .children = children};
    cli_parse(&o, argc, argv, CG.doc, &extra_argp, &extra);
    app_cli_rows(&o, &extra.app, CG.name, "cpu,gpu");

    session_t s = {.h = harness_open(&CG, &o), .o = &o, .extra = &extra};
    s.history = app_record_open(extra.app.history, CG.name, &o, "iteration\tresidual");
    const int refused = o.matrix ? solve_recipe(&s, NULL, !extra.no_preconditioner, true, true)
                                 : o.experiment ? experiment_1(&s) : default_run(&s);
    const int unwritten = app_record_close(s.history, extra.app.history, CG.name), status = harness_close(s.h);
    ranks_finish();
    return refused ? EXIT_BAD_INPUT : unwritten ? EX_IOERR : status;
}
