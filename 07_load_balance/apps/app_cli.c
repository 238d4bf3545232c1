/* app_cli.c - see app_cli.h */
#include "app_cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "ranks.h"
#include "rows.h"

enum { OPT_BACKEND = 3000, OPT_SPMV, OPT_TOLERANCE, OPT_MAX_ITERATIONS, OPT_LOOK_EVERY, OPT_HISTORY };
enum { ITERATIONS_MOST = 10000000 };

static const struct argp_option OPTIONS[] = {
    {"backend", OPT_BACKEND, "NAMES", 0,
     "Where to multiply: cpu, gpu, mpi, nccl or direct, or a list such as cpu,gpu (the default; under mpirun: mpi)", 0},
    {"spmv", OPT_SPMV, "STEPS", 0,
     "Multiply by these steps of chapters 04 to 07: 05/v16,07/cusparse*  (--list prints all)", 0},
    {"tolerance", OPT_TOLERANCE, "T", 0,
     "Stop below this relative residual (CG) or change of the ranks (PageRank), between 0 and 1 (default: 1e-10 in fp64; "
     "in fp32 1e-5, PageRank 1e-6)", 0},
    {"max-iterations", OPT_MAX_ITERATIONS, "N", 0, "Give up after N steps (default: 10000)", 0},
    {"look-every", OPT_LOOK_EVERY, "K", 0,
     "On a GPU the host tests for convergence every K steps (default: 25, PageRank 10)", 0},
    {"history", OPT_HISTORY, "FILE", 0, "Write the numbers of every step to FILE", 0},
    {0},
};

static size_t count_of(struct argp_state *state, const char *option, const char *text)
{
    err_t err;
    size_t count = 0;
    if (cli_parse_size(text, &count, &err)) argp_error(state, "--%s: %s", option, err.text);
    else if (count < 1 || count > ITERATIONS_MOST)
        argp_error(state, "--%s: \"%s\" is not from 1 to %d", option, text, ITERATIONS_MOST);
    return count;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    app_cli_t *app = state->input;
    char *end;
    const size_t used = key == OPT_BACKEND || key == OPT_SPMV ? strlen(app->rows) : 0;
    switch (key) {
    case OPT_BACKEND:
    case OPT_SPMV:
        if (!*arg || used + strlen(arg) + 2 > sizeof app->rows)
            argp_error(state, "\"%s\" is empty, or the list is too long", arg);
        snprintf(app->rows + used, sizeof app->rows - used, "%s%s", used ? "," : "", arg);
        return 0;
    case OPT_TOLERANCE:
        app->options.tolerance = strtod(arg, &end);
        if (!*arg || *end || !(app->options.tolerance > 0 && app->options.tolerance < 1))
            argp_error(state, "--tolerance: \"%s\" is not between 0 and 1", arg);
        return 0;
    case OPT_MAX_ITERATIONS: app->options.max_iterations = count_of(state, "max-iterations", arg); return 0;
    case OPT_LOOK_EVERY: app->options.look_every = count_of(state, "look-every", arg); return 0;
    case OPT_HISTORY: app->history = arg; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp APP_ARGP = {.options = OPTIONS, .parser = parse};

void app_cli_rows(options_t *o, const app_cli_t *app, const char *program, const char *usual)
{
    const char *wrong = o->size            ? "--size does not apply: choose the input by --matrix FILE or RECIPE"
                        : o->sweep         ? "this program has no option --sweep"
                        : o->exact         ? "--exact does not apply: results are rounded from the first division on"
                        : o->experiment > 1 ? "this program has only --experiment 1"
                                           : NULL;
    if (!wrong && o->only && app->rows[0]) wrong = "--backend and --spmv replace --only: give one or the other";
    if (wrong) {
        fprintf(stderr, "%s: %s\n", program, wrong);
        exit(EX_USAGE);
    }
    enum { REPS = 3 }; /* one run has hundreds of products */
    if (o->reps == 0) o->reps = REPS;
    if (app->rows[0]) o->only = app->rows;
    if (o->only || o->explain || o->list) return;
    o->only = o->experiment == 1 ? APP_ROWS_OF_THE_COURSE : ranks_count() > 1 ? "mpi" : usual;
}

FILE *app_record_open(const char *path, const char *program, const options_t *o, const char *columns)
{
    if (!path) return NULL;
    FILE *f = fopen(path, "w");
    device_facts_t facts;
    err_t err;
    if (!f) {
        err_say("%s: %s: %s", program, path, strerror(errno));
        exit(EX_IOERR);
    }
    if (device_open(&facts, &err)) snprintf(facts.name, sizeof facts.name, "-");
    fprintf(f, "# chapter: %s\n# backend: %s\n# gpu: %s\n# seed: %llu\n", program, device_backend(), facts.name,
            (unsigned long long)o->seed);
    fprintf(f, "chapter\tstep\tkind\tcase\tdtype\t%s\n", columns);
    return f;
}

int app_record_close(FILE *f, const char *path, const char *program)
{
    if (!f || fclose(f) == 0) return 0;
    err_say("%s: %s: %s", program, path, strerror(errno));
    return -1;
}
