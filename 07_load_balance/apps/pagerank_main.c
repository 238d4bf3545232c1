/* pagerank_main.c - 07_pagerank: command line to graphs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "app_cli.h"
#include "pagerank_rows.h"
#include "ranks.h"
#include "spmv_session.h"

enum { TOP = 10 };

/* ---- options of this program -------------------------------------------------------------------- */

typedef struct extra {
    app_cli_t app;
    size_t top;
    const char *top_file;
} extra_t;

enum { OPT_DAMPING = 2000, OPT_TOP, OPT_TOP_FILE };

static const struct argp_option EXTRA_OPTIONS[] = {
    {"damping", OPT_DAMPING, "D", 0, "Probability that a reader follows a link, between 0 and 1 (default: 0.85)", 0},
    {"top", OPT_TOP, "N", 0, "Print the N pages of the highest rank (default: 10)", 0},
    {"top-record", OPT_TOP_FILE, "FILE", 0, "Write these pages to FILE", 0},
    {0},
};

static error_t parse_extra(int key, char *arg, struct argp_state *state)
{
    extra_t *extra = state->input;
    char *end;
    err_t err;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &extra->app; return 0;
    case OPT_DAMPING:
        extra->app.options.damping = strtod(arg, &end);
        if (!*arg || *end || !(extra->app.options.damping > 0 && extra->app.options.damping < 1))
            argp_error(state, "--damping: \"%s\" is not between 0 and 1", arg);
        return 0;
    case OPT_TOP:
        if (cli_parse_size(arg, &extra->top, &err)) argp_error(state, "--top: %s", err.text);
        return 0;
    case OPT_TOP_FILE: extra->top_file = arg; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- graphs ------------------------------------------------------------------------------------- */

typedef struct session {
    harness_t *h;
    const options_t *o;
    const extra_t *extra;
    FILE *history, *top;
} session_t;

static const double *sorted_by; /* qsort passes no argument to compare */

/* Sorts by rank, the highest first; equal ranks by page. */
static int compare(const void *a, const void *b)
{
    const size_t i = *(const size_t *)a, k = *(const size_t *)b;
    if (sorted_by[i] != sorted_by[k]) return sorted_by[i] > sorted_by[k] ? -1 : 1;
    return i < k ? -1 : 1;
}

static void print_top(const session_t *s, const csr_t *links, const char *name, const double *ranks)
{
    const size_t n = links->rows, shown = s->extra->top < n ? s->extra->top : n;
    size_t *page = malloc((n + 1) * sizeof *page), *in = calloc(n + 1, sizeof *in);
    for (size_t i = 0; page && i < n; ++i) page[i] = i;
    for (size_t nz = 0; in && nz < links->nnz; ++nz) ++in[links->col_indices[nz]];
    if (page && in && shown > 0) {
        FILE *to = s->o->format == REPORT_TABLE ? stdout : stderr;
        double sum = 0;
        sorted_by = ranks;
        qsort(page, n, sizeof *page, compare);
        fprintf(to, "%5s %10s %14s %10s %10s   %s\n", "place", "page", "rank", "links to", "links from", name);
        for (size_t i = 0; i < shown; ++i) {
            const size_t k = page[i], from = (size_t)(links->row_offsets[k + 1] - links->row_offsets[k]);
            fprintf(to, "%5zu %10zu %14.6e %10zu %10zu\n", i + 1, k + 1, ranks[k], in[k], from);
            if (s->top) fprintf(s->top, "07_pagerank\t%zu\ttop\t%s\t%s\t%zu\t%.6e\t%.1f\t%zu\t%zu\tok\n", i + 1, name,
                                dtype_name(s->o->dtype_set ? s->o->dtype : DTYPE_F64), k + 1, ranks[k], 1e6 * ranks[k],
                                in[k], from);
        }
        for (size_t i = 0; i < n; ++i) sum += ranks[i];
        fprintf(to, "%zu pages, their ranks sum to %.15g\n\n", n, sum);
    }
    free(page);
    free(in);
}

/* Ranks a graph with the selected rows and this damping (0: the default), and frees links; if it is NULL, *err says
 * why. */
static int rank_pages(const session_t *s, csr_t *links, const char *graph, double damping, bool cpu, bool gpu,
                      const err_t *why)
{
    err_t err = links ? (err_t){{0}} : *why;
    const dtype_t type = s->o->dtype_set ? s->o->dtype : DTYPE_F64;
    char name[SPMV_NAME + 32];
    snprintf(name, sizeof name, damping > 0 ? "%s:damping=%g" : "%s", graph, damping);
    app_spec_t spec = {.A = links, .name = name, .dtype = type, .cpu = cpu, .gpu = gpu,
                       .options = s->extra->app.options, .history = s->history};
    spec.options.damping = damping;
    problem_t p;
    const int failed = !links || pagerank_problem_open(&p, &spec, &err);
    if (failed) {
        fprintf(stderr, "%s: %s\n", name, err.text);
    } else {
        size_t dangling = 0;
        for (size_t i = 0; i < links->rows; ++i) dangling += links->row_offsets[i] == links->row_offsets[i + 1];
        fprintf(stderr, "%s: %zu pages, %zu links, %zu pages without links\n", name, links->rows, links->nnz, dangling);
        harness_run(s->h, &p);
        app_results_print(&p, "change", s->o->format == REPORT_TABLE ? stdout : stderr);
        if (pagerank_problem_ranks(&p)) print_top(s, links, name, pagerank_problem_ranks(&p));
        app_problem_close(&p);
    }
    csr_free(links);
    return failed ? -1 : 0;
}

/* recipe: NULL for --matrix. */
static int rank_recipe(const session_t *s, const char *recipe, double damping, bool cpu, bool gpu)
{
    err_t err;
    char name[SPMV_NAME];
    csr_t *links = spmv_matrix_asked(s->o, recipe, name, &err);
    return rank_pages(s, links, name, damping, cpu, gpu, &err);
}

/* A crawl of the web: the real one if MATRIX_DIR has it.  Otherwise a GPU ranks a generated matrix like another crawl,
 * with a million pages.  A CPU alone would need minutes for that, so it gets a smaller graph. */
static const char *crawl(bool gpu)
{
    err_t err;
    char name[SPMV_NAME];
    csr_t *links = spmv_matrix_named("cnr-2000", 1, name, &err);
    const bool here = links != NULL;
    csr_free(links);
    if (here) return "cnr-2000";
    fprintf(
        stderr, "cnr-2000 is not in MATRIX_DIR: using %s instead\n",
        gpu ? "a generated matrix like in-2004 (make matrices fetches real ones)"
             : "rmat:16,16, a small generated graph (--matrix like:in-2004 is a large one),");
    return gpu ? "in-2004" : "rmat:16,16";
}

/* Ranks a crawl with the default damping, and with more and less.  Experiment 1: every SpMV of the course on the crawl.
 * The simulator ranks a small graph. */
static int default_run(const session_t *s)
{
    const bool gpu = strcmp(device_backend(), "cuda") == 0;
    const double asked = s->extra->app.options.damping;
    const char *const graph = crawl(gpu);
    if (!gpu && rank_recipe(s, "rmat:9,8", asked, false, true)) return -1;
    if (rank_recipe(s, graph, asked, true, gpu)) return -1;
    if (s->o->experiment || asked > 0) return 0;
    return rank_recipe(s, graph, 0.5, true, gpu) || rank_recipe(s, graph, 0.95, true, gpu);
}

int main(int argc, char **argv)
{
    if (ranks_serve(&argc, &argv)) {
        app_serve(&PAGERANK_SOLVER);
        return 0;
    }
    options_t o;
    extra_t extra = {.top = TOP};
    const struct argp_child children[] = {{.argp = &APP_ARGP}, {0}};
    const struct argp extra_argp = {.options = EXTRA_OPTIONS, .parser = parse_extra, .children = children};
    cli_parse(&o, argc, argv, PAGERANK.doc, &extra_argp, &extra);
    app_cli_rows(&o, &extra.app, PAGERANK.name, "cpu,gpu");

    session_t s = {.h = harness_open(&PAGERANK, &o), .o = &o, .extra = &extra};
    s.history = app_record_open(extra.app.history, PAGERANK.name, &o, "iteration\tresidual");
    s.top = app_record_open(extra.top_file, PAGERANK.name, &o,
                            "page\trank\trank_millionths\tlinks_to\tlinks_from\tstatus");
    const int refused = o.matrix ? rank_recipe(&s, NULL, extra.app.options.damping, true, true) : default_run(&s);
    const int unwritten = app_record_close(s.history, extra.app.history, PAGERANK.name) ||
                          app_record_close(s.top, extra.top_file, PAGERANK.name);
    const int status = harness_close(s.h);
    ranks_finish();
    return refused ? EXIT_BAD_INPUT : unwritten ? EX_IOERR : status;
}
