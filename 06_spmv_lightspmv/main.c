/* 06_spmv_lightspmv - command line to problems. */
#include "spmv_lightspmv.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>

#include "spmv_session.h"
#include "spmv_summary.h"

#ifdef __SIMT__
#include "simt.h"
#endif

/* ---- options of this chapter -------------------------------------------------------------------- */

typedef struct extra {
    spmv_lightspmv_options_t options;
    int offsets;
    bool tune, balance;
} extra_t;

enum { OPT_LANES = 2000, OPT_OFFSETS, OPT_TUNE, OPT_BALANCE };

static const struct argp_option EXTRA_OPTIONS[] = {
    {"lanes", OPT_LANES, "L", 0, "1, 2, 4, 8, 16 or 32 lanes per row (default: by the step's table; 1 from v10 on)", 0},
    {"offsets", OPT_OFFSETS, "BITS", 0, "32- or 64-bit row offsets (default: 32 while they hold nnz)", 0},
    {"tune", OPT_TUNE, 0, 0, "time all lanes on rows of growing mean and print the tables for tables.h", 0},
    {"balance", OPT_BALANCE, 0, 0, "say who gets how much of experiment 1's matrices, without running them", 0},
    {0},
};

static error_t parse_extra(int key, char *arg, struct argp_state *state)
{
    extra_t *extra = state->input;
    switch (key) {
    case OPT_LANES: extra->options.lanes = spmv_lanes_option(state, arg, 1); return 0;
    case OPT_OFFSETS: extra->offsets = spmv_offsets_option(state, arg); return 0;
    case OPT_TUNE: extra->tune = true; return 0;
    case OPT_BALANCE: extra->balance = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- runs --------------------------------------------------------------------------------------- */

/* A small matrix, then matrices of growing imbalance. */
static const char *const UNEVEN[] = {"shyy41", "even:500000,500000,20", "cant", "consph", "web-Google", "Si41Ge41H72",
                                     "rma10", "scircuit", "empty_rows:1000000,50", "webbase-1M", "mip1", "rmat:20,16",
                                     "powerlaw:500000,500000,8000000", "one_dense_row:200000", NULL};
static const char *const UNEVEN_SMALL[] = {"shyy41",
                                           "even:4000,4000,20",
                                           "cant",
                                           "consph",
                                           "web-Google",
                                           "Si41Ge41H72",
                                           "rma10",
                                           "scircuit",
                                           "empty_rows:20000,50",
                                           "webbase-1M",
                                           "mip1",
                                           "rmat:12,16",
                                           "powerlaw:4000,4000,64000",
                                           "one_dense_row:8000",
                                           NULL};

static int tune(const spmv_session_t *s)
{
    char recipe[64];
    double mean;
    for (size_t i = 0; spmv_lightspmv_tune_recipe(i, recipe, &mean); ++i)
        if (spmv_session_run(s, recipe, false, true)) return -1;
    return 0;
}

static int run(const spmv_session_t *s, const extra_t *extra)
{
    if (extra->tune) return tune(s);
    if (s->o->matrix) return spmv_session_matrix(s);
    if (s->o->experiment == 1)
        return spmv_session_list(s, s->gpu ? UNEVEN : UNEVEN_SMALL);   /* static against dynamic scheduling */
    if (s->o->experiment == 2) return spmv_session_list(s, SPMV_SUITE); /* against every format of cuSPARSE */
    return spmv_session_default(s, "rmat:12,16");
}

/* --balance: writes a results file, or prints it on stdout. */
static int balance(const options_t *o)
{
    enum { SMS_OF_AN_H200 = 132 };
    err_t err;
    FILE *to = o->record ? fopen(o->record, "w") : stdout;
    if (!to) {
        fprintf(stderr, "06_spmv_lightspmv: %s: %s\n", o->record, strerror(errno));
        return EX_IOERR;
    }
    const int failed =
        spmv_lightspmv_balance_record(to, UNEVEN, o->seed, o->sms ? (size_t)o->sms : SMS_OF_AN_H200, &err);
    if (failed) fprintf(stderr, "06_spmv_lightspmv: %s\n", err.text);
    const bool unwritten = o->record && fclose(to);
    if (unwritten) fprintf(stderr, "06_spmv_lightspmv: cannot write %s: %s\n", o->record, strerror(errno));
    struct stat there; /* remove an incomplete results file */
    if (o->record && (failed || unwritten) && stat(o->record, &there) == 0 && S_ISREG(there.st_mode)) remove(o->record);
    return failed ? EXIT_BAD_INPUT : unwritten ? EX_IOERR : 0;
}

/* Steps that were fastest, or nearly so, on at least one matrix in the results of an H200. */
static const char CANDIDATES[] = "v5,v12,v13";

int main(int argc, char **argv)
{
    options_t o;
    extra_t extra = {0};
    const struct argp extra_argp = {.options = EXTRA_OPTIONS, .parser = parse_extra};
    const bool gpu = strcmp(device_backend(), "cuda") == 0;
    cli_parse(&o, argc, argv, SPMV_LIGHTSPMV.doc, &extra_argp, &extra);
    cli_refuse_unused(&o, "06_spmv_lightspmv", CLI_MATRIX | CLI_DTYPE, 2);
    if (extra.tune && !gpu) {
        fprintf(stderr, "06_spmv_lightspmv: --tune measures times, which the simulator cannot: make BACKEND=cuda\n");
        return EX_USAGE;
    }
    if (extra.balance) return balance(&o);

#define LADDER "v?,v??,student"
    const bool narrowed = !o.only;
    if (!o.only && !o.explain)
        o.only = extra.tune          ? "v11/*,v13/*"
                 : o.experiment == 1 ? LADDER
                 : o.experiment == 2 ? "v5,v6,v9,v10,v11,v12,v13,cusparse*"
                                     : LADDER ",librsb*,cusparse*";
#ifdef __SIMT__
    if (!o.sms) o.sms = 1;      /* on a larger GPU small matrices leave nothing to balance */
    simt_set_turns(o.sms <= 8); /* the first idle warp takes the next rows; all threads run at once */
#endif

    if (o.experiment == 2 || extra.tune) spmv_keep_record(&o);

    spmv_verdict_begin(&o);
    verdict_matrix_t looked = {0};
    const spmv_session_t s = {.h = harness_open(&SPMV_LIGHTSPMV, &o), .o = &o, .options = &extra.options,
                              .offset_bits = extra.offsets, .gpu = gpu, .describe = spmv_lightspmv_describe,
                              .candidates = CANDIDATES, .narrowed = narrowed, .looked = &looked};
    int refused = run(&s, &extra);
    const int status = harness_close(s.h);
    if (!refused) refused = spmv_verdict_end(&o, &looked);
    FILE *to = o.format == REPORT_TABLE ? stdout : stderr;
    err_t err;
    if (o.experiment == 2 && o.record) summary_suite(o.record, to);
    if (extra.tune && o.record && !refused && spmv_lightspmv_tune_print(o.record, to, &err))
        fprintf(stderr, "06_spmv_lightspmv: %s\n", err.text);
    return refused ? EXIT_BAD_INPUT : status;
}
