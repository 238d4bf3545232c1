/* 07_load_balance - command line to matrices. */
#include "load_balance.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "spmv_session.h"
#include "spmv_summary.h"

/* ---- options of this chapter -------------------------------------------------------------------- */

typedef struct extra {
    int offsets, part, parts; /* --suite K/N */
    bool suite, families;
    size_t huge;
    const char *merge_path, *summary;
} extra_t;

enum { OPT_OFFSETS = 2000, OPT_SUITE, OPT_HUGE, OPT_MERGE_PATH, OPT_SUMMARY, OPT_FAMILIES };
enum { PATH_TILE = 8 }; /* steps per tile in the picture */

static const struct argp_option EXTRA_OPTIONS[] = {
    {"offsets", OPT_OFFSETS, "BITS", 0, "32- or 64-bit row offsets (default: 32 while they hold nnz)", 0},
    {"suite", OPT_SUITE, "K/N", OPTION_ARG_OPTIONAL,
     "The whole suite and every matrix in $MATRIX_DIR; with K/N every N-th of them, from the K-th on", 0},
    {"families", OPT_FAMILIES, 0, 0, "Matrices of families that the suite has none of; with --suite, after it", 0},
    {"summary", OPT_SUMMARY, "FILE", 0, "Sum up a record of --suite and stop", 0},
    {"huge", OPT_HUGE, "NNZ", OPTION_ARG_OPTIONAL,
     "Every step on a matrix generated on the GPU, with 64-bit offsets (default: 2200000000 nonzeros)", 0},
    {"merge-path", OPT_MERGE_PATH, "FILE", 0, "Write the merge path of --matrix (default: a small one), and stop", 0},
    {0},
};

static error_t parse_extra(int key, char *arg, struct argp_state *state)
{
    extra_t *extra = state->input;
    err_t err;
    char rest;
    switch (key) {
    case OPT_OFFSETS: extra->offsets = spmv_offsets_option(state, arg); return 0;
    case OPT_SUITE:
        extra->suite = true;
        if (arg && (sscanf(arg, "%d/%d%c", &extra->part, &extra->parts, &rest) != 2 || extra->part < 1 ||
                    extra->part > extra->parts))
            argp_error(state, "--suite: \"%s\" must be PART/PARTS, such as 1/3", arg);
        return 0;
    case OPT_FAMILIES: extra->families = true; return 0;
    case OPT_HUGE:
        extra->huge = (size_t)2200 * 1000 * 1000;
        if (arg && (cli_parse_size(arg, &extra->huge, &err) || extra->huge < 1000))
            argp_error(state, "--huge: \"%s\" must be a number of nonzeros, 1000 or more", arg);
        return 0;
    case OPT_MERGE_PATH: extra->merge_path = arg; return 0;
    case OPT_SUMMARY: extra->summary = arg; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the runs that the options select ------------------------------------------------------------------- */

static int write_merge_path(const options_t *o, const char *path)
{
    err_t err;
    char name[SPMV_NAME];
    csr_t *A = spmv_matrix_asked(o, o->matrix ? NULL : "powerlaw:20,20,44", name, &err);
    if (!A) {
        fprintf(stderr, "07_load_balance: %s\n", err.text);
        return EXIT_BAD_INPUT;
    }
    FILE *f = fopen(path, "w");
    if (f) {
        fprintf(f, "# chapter: 07_load_balance\n# matrix: %s\n# rows: %zu\n# nnz: %zu\n# tile: %d\n", name, A->rows,
                A->nnz, PATH_TILE);
        merge_path_write(A, PATH_TILE, f);
    }
    csr_free(A);
    if (f && fclose(f) == 0) return 0;
    err_say("07_load_balance: %s: %s", path, strerror(errno));
    return EX_IOERR;
}

/* The simulator takes a second per million nonzeros. */
static int huge(size_t nnz)
{
    if (strcmp(device_backend(), "cuda") == 0 || nnz <= 10000000) return load_balance_huge(nnz);
    fprintf(stderr, "07_load_balance: --huge needs a GPU; --huge=1000000 runs without one\n");
    return 0;
}

/* Compares chapter 05's vector kernel with all steps on matrices with the most uneven rows. */
static int experiment_1(const spmv_session_t *s)
{
    static const char *const GPU[] = {"webbase-1M", "rmat:20,16", "one_dense_row:1000000", "empty_rows:1000000,50"};
    /* A sample of rows would lose the dense row and the hubs, so the simulator counts smaller matrices instead. */
    static const char *const STAND_IN[] = {"powerlaw:20000,20000,62000", "rmat:12,12", "one_dense_row:20000",
                                           "empty_rows:200000,50"};
    err_t err;
    char name[SPMV_NAME];
    for (int i = 0; i < 4; ++i)
        if (spmv_session_run(s, s->gpu ? GPU[i] : STAND_IN[i], false, true)) return -1;
    csr_t *web = spmv_matrix_named("cnr-2000", s->o->seed, name, &err);
    if (web) {
        csr_free(web);
        return spmv_session_kernels(s, "cnr-2000");
    }
    fprintf(stderr, "cnr-2000, a real web graph, is not in MATRIX_DIR; like:in-2004, generated, replaces it\n");
    return spmv_session_kernels(s, "in-2004");
}

static int suite_and_families(const spmv_session_t *s, const extra_t *extra)
{
    if (extra->suite && spmv_session_suite(s, extra->part, extra->parts, spmv_session_kernels)) return -1;
    return extra->families ? spmv_session_list(s, SPMV_FAMILIES) : 0;
}

/* Steps that were fastest, or nearly so, on at least one matrix in the results of an H200. */
static const char CANDIDATES[] = "v1,v6,v11,v24,v39,v44,libspmv,libspmv_look,libspmv_plan,cusparse*";

int main(int argc, char **argv)
{
    options_t o;
    extra_t extra = {0};
    const struct argp extra_argp = {.options = EXTRA_OPTIONS, .parser = parse_extra};
    cli_parse(&o, argc, argv, LOAD_BALANCE.doc, &extra_argp, &extra);
    if (o.size || o.sweep || o.experiment > 1) {
        fprintf(stderr, "07_load_balance: %s\n",
                o.size    ? "--size does not apply: choose the input by --matrix FILE or RECIPE"
                : o.sweep ? "--sweep does not apply: --suite runs the suite of matrices"
                          : "this chapter has only --experiment 1");
        return EX_USAGE;
    }
    if (extra.merge_path) return write_merge_path(&o, extra.merge_path);
    if (extra.summary) return summary_suite(extra.summary, stdout) ? EXIT_BAD_INPUT : 0;
    if (extra.huge && !o.list) return huge(extra.huge);

    const bool many = extra.suite || extra.families;
    if (!o.only && !o.explain && many)
        o.only = "v1,v6,v8,v11,v14,v17,v24,v27,v39,v44,libspmv,libspmv_look,libspmv_plan,libspmv_tuned,libspmv_values,"
                 "cusparse*";

    if (many || o.experiment) spmv_keep_record(&o);
    const bool gpu = strcmp(device_backend(), "cuda") == 0;
    spmv_verdict_begin(&o);
    verdict_matrix_t looked = {0};
    const spmv_session_t s = {.h = harness_open(&LOAD_BALANCE, &o), .o = &o, .offset_bits = extra.offsets, .gpu = gpu,
                              .describe = load_balance_describe,
                              .candidates = CANDIDATES, .looked = &looked};
    int failed = o.matrix       ? spmv_session_matrix(&s)
                 : many         ? suite_and_families(&s, &extra)
                 : o.experiment ? experiment_1(&s)
                                : spmv_session_default(&s, "powerlaw:2000,2000,12000");
    const int status = harness_close(s.h);
    if (!failed) failed = spmv_verdict_end(&o, &looked);
    FILE *to = o.format == REPORT_TABLE ? stdout : stderr;
    if (o.record && many) summary_suite(o.record, to);
    else if (o.record && o.experiment) summary_print(o.record, to);
    return failed ? EXIT_BAD_INPUT : status;
}
