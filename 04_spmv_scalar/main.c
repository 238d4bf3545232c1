/* 04_spmv_scalar - command line to problems. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "spmv_scalar.h"
#include "spmv_session.h"

/* A matrix for each format: full diagonals, sparse diagonals, even random rows, 3 x 3 blocks, a web graph. */
static const char *const MATRICES[] = {"stencil27:100,100,100", "band:1000000,4", "even:1000000,1000000,8", "cant",
                                       "webbase-1M", NULL};
/* Small matrices of the same kinds, for the simulator, which counts every access. */
static const char *const SMALL[] = {"poisson2d:48,48", "even:2000,2000,6", "powerlaw:2000,2000,12000", NULL};

/* ---- options of this chapter -------------------------------------------------------------------- */

typedef struct extra {
    spmv_scalar_options_t options;
    int offsets;
    bool formats;
    const char *bytes_record, *picture_record;
} extra_t;

enum { OPT_FORMATS = 2000, OPT_MAX_BYTES, OPT_OFFSETS, OPT_CSRL, OPT_BYTES_RECORD, OPT_PICTURE_RECORD };

static const struct argp_option EXTRA_OPTIONS[] = {
    {"formats", OPT_FORMATS, 0, 0, "Bytes a nonzero in every format, then the rows, then who won", 0},
    {"max-format-bytes", OPT_MAX_BYTES, "N", 0,
     "Refuse a format whose arrays (in fp64) are larger; suffixes as in --size (default: 8 times CSR, at least 16M)",
     0},
    {"offsets", OPT_OFFSETS, "BITS", 0, "32- or 64-bit row offsets (default: 32 while they hold nnz)", 0},
    {"csrl-threshold", OPT_CSRL, "R", 0,
     "CPU: a part with fewer runs of columns a nonzero is kept as CSRL (default: 0.3)", 0},
    {"record-bytes", OPT_BYTES_RECORD, "FILE", 0, "Write what every format would hold to FILE and stop", 0},
    {"record-picture", OPT_PICTURE_RECORD, "FILE", 0, "Write a small matrix in each format, slot by slot, and stop", 0},
    {0},
};

static error_t parse_extra(int key, char *arg, struct argp_state *state)
{
    extra_t *extra = state->input;
    char *end = NULL;
    err_t err;
    switch (key) {
    case OPT_FORMATS: extra->formats = true; return 0;
    case OPT_MAX_BYTES:
        if (cli_parse_size(arg, &extra->options.max_format_bytes, &err))
            argp_error(state, "--max-format-bytes: %s", err.text);
        return 0;
    case OPT_OFFSETS: extra->offsets = spmv_offsets_option(state, arg); return 0;
    case OPT_CSRL:
        extra->options.csrl_threshold = strtod(arg, &end);
        if (end == arg || *end || !(extra->options.csrl_threshold >= 0 && extra->options.csrl_threshold <= 1))
            argp_error(state, "--csrl-threshold: \"%s\" is not a number from 0 to 1", arg);
        return 0;
    case OPT_BYTES_RECORD: extra->bytes_record = arg; return 0;
    case OPT_PICTURE_RECORD: extra->picture_record = arg; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- results files without a run ---------------------------------------------------------------------- */

/* Renames a complete PATH.new to PATH, so that the file exists completely or not at all. */
static int finish(FILE *f, const char *temporary, const char *path)
{
    const bool written = fflush(f) == 0 && fsync(fileno(f)) == 0;
    if (fclose(f) == 0 && written && rename(temporary, path) == 0) return 0;
    perror(path);
    remove(temporary);
    return EX_IOERR;
}

static FILE *begin(char *temporary, size_t size, const char *path)
{
    snprintf(temporary, size, "%s.new", path);
    FILE *f = fopen(temporary, "w");
    if (!f) perror(temporary);
    return f;
}

/* Removes a file that could not be completed. */
static int give_up(FILE *f, const char *temporary, const err_t *err, int status)
{
    fprintf(stderr, "%s\n", err->text);
    fclose(f);
    remove(temporary);
    return status;
}

static int record_picture(const char *path)
{
    char temporary[4096];
    err_t err;
    FILE *f = begin(temporary, sizeof temporary, path);
    if (!f) return EX_IOERR;
    return picture_write(f, &err) ? give_up(f, temporary, &err, 1) : finish(f, temporary, path);
}

static int record_bytes(const char *path, const options_t *o, const spmv_scalar_options_t *options)
{
    char temporary[4096], name[SPMV_NAME];
    err_t err;
    const char *const one[] = {o->matrix, NULL}, *const *which = o->matrix ? one : MATRICES;
    FILE *f = begin(temporary, sizeof temporary, path);
    if (!f) return EX_IOERR;
    form_rows_head(f, "--record-bytes");
    for (; *which; ++which) {
        csr_t *A = spmv_matrix_asked(o, o->matrix ? NULL : *which, name, &err);
        if (!A) return give_up(f, temporary, &err, EXIT_BAD_INPUT);
        form_rows(f, name, A, options);
        csr_free(A);
    }
    return finish(f, temporary, path);
}

/* ---- runs --------------------------------------------------------------------------------------- */

/* Options for describe(), to which spmv_session_t passes name and matrix only. */
static const extra_t *describe_with;
static FILE *describe_to;

static void describe(const char *name, const csr_t *A)
{
    if (describe_with->formats) {
        form_table(describe_to, name, A, &describe_with->options);
        return;
    }
    const csr_stats_t s = csr_stats(A);
    const size_t limit = form_limit(A, &describe_with->options);
    fprintf(stderr, "%s: %zu x %zu, %zu nonzeros, %.1f per row (%zu to %zu)\n", name, A->rows, A->cols, A->nnz,
            s.mean_row, s.min_row, s.max_row);
    fprintf(stderr, "    formats chosen in fp32: v7 and v8 use %s, v9 uses %s\n",
            form_name(form_best_block(A, DTYPE_F32)), form_name(form_choose(A, DTYPE_F32, limit)));
    spmv_scalar_cpu_describe(name, A);
}

/* Runs every format on matrices that suit it and matrices that suit other formats.  The simulator counts small ones. */
static int all_formats(const spmv_session_t *s)
{
    for (const char *const *which = s->gpu ? MATRICES : SMALL; *which; ++which)
        if (spmv_session_run(s, *which, true, true)) return -1;
    return 0;
}

static int default_run(const spmv_session_t *s)
{
    if (!s->gpu && spmv_session_run(s, "stencil27:32,32,32", true, false)) return -1; /* large enough to time */
    for (const char *const *which = s->gpu ? MATRICES : SMALL; *which; ++which)
        if (spmv_session_run(s, *which, s->gpu && which == MATRICES, true)) return -1;
    return 0;
}

static int run(const spmv_session_t *s, bool formats)
{
    if (s->o->matrix) return spmv_session_matrix(s);
    if (s->o->experiment == 1) return spmv_scalar_csrl_experiment(s);
    if (s->o->sweep) return spmv_scalar_cpu_sweep(s);
    return formats ? all_formats(s) : default_run(s);
}

/* Steps that were fastest, or nearly so, on at least one matrix in the results of an H200. */
static const char CANDIDATES[] = "v1,v2,v4,v5,v8,v9";

int main(int argc, char **argv)
{
    options_t o;
    extra_t extra = {.options = SPMV_SCALAR_DEFAULTS};
    const struct argp extra_argp = {.options = EXTRA_OPTIONS, .parser = parse_extra};
    cli_parse(&o, argc, argv, SPMV_SCALAR.doc, &extra_argp, &extra);
    cli_refuse_unused(&o, "04_spmv_scalar", CLI_MATRIX | CLI_SWEEP | CLI_DTYPE, 1);
    if (extra.picture_record) return record_picture(extra.picture_record);
    if (extra.bytes_record) return record_bytes(extra.bytes_record, &o, &extra.options);
    if (!o.only && !o.explain && o.sweep) o.only = SPMV_SCALAR_CPU_SWEEP_ONLY;
    if (!o.only && !o.explain && o.experiment == 1) o.only = SPMV_SCALAR_CSRL_ONLY;

    if (extra.formats) spmv_keep_record(&o);
    describe_with = &extra;
    describe_to = o.format == REPORT_TABLE ? stdout : stderr;

    spmv_verdict_begin(&o);
    verdict_matrix_t looked = {0};
    const spmv_session_t s = {.h = harness_open(&SPMV_SCALAR, &o), .o = &o, .options = &extra.options,
                              .offset_bits = extra.offsets, .gpu = strcmp(device_backend(), "cuda") == 0,
                              .describe = describe,
                              .candidates = CANDIDATES, .looked = &looked};
    int refused = run(&s, extra.formats);
    const int status = harness_close(s.h);
    if (extra.formats && o.record) winners_print(o.record, describe_to);
    if (!refused) refused = spmv_verdict_end(&o, &looked);
    return refused ? EXIT_BAD_INPUT : status;
}
