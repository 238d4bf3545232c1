/* 05_spmv_vector - command line to problems. */
#include "spmv_vector.h"

#include <stdio.h>
#include <string.h>

#include "spmv_session.h"
#include "spmv_summary.h"

/* ---- options of this chapter -------------------------------------------------------------------- */

typedef struct extra {
    spmv_vector_options_t options;
    int offsets;
} extra_t;

enum { OPT_LANES = 2000, OPT_OFFSETS };

static const struct argp_option EXTRA_OPTIONS[] = {
    {"lanes", OPT_LANES, "L", 0, "2, 4, 8, 16 or 32 lanes per row (default: by the mean row)", 0},
    {"offsets", OPT_OFFSETS, "BITS", 0, "32- or 64-bit row offsets (default: 32 while they hold nnz)", 0},
    {0},
};

static error_t parse_extra(int key, char *arg, struct argp_state *state)
{
    extra_t *extra = state->input;
    switch (key) {
    case OPT_LANES: extra->options.lanes = spmv_lanes_option(state, arg, 2); return 0;
    case OPT_OFFSETS: extra->offsets = spmv_offsets_option(state, arg); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- runs --------------------------------------------------------------------------------------- */

/* The six matrices of the article, for every format of cuSPARSE. */
static const char *const SIX[] = {"shyy41", "mip1", "ash219", "Si41Ge41H72", "Ga41As41H72", "webbase-1M", NULL};

/* Bands with growing row length and the same number of nonzeros, from which the rule for the lanes was derived. */
static int sweep(const spmv_session_t *s)
{
    const size_t nnz = s->gpu ? (size_t)1 << 24 : (size_t)1 << 14;
    for (size_t half = 0; half <= 256; half = half ? 2 * half : 1) {
        char recipe[64];
        snprintf(recipe, sizeof recipe, "band:%zu,%zu", nnz / (2 * half + 1), half);
        if (spmv_session_run(s, recipe, false, true)) return -1;
    }
    return 0;
}

static int run(const spmv_session_t *s)
{
    if (s->o->matrix) return spmv_session_matrix(s);
    if (s->o->experiment == 1)
        return spmv_session_run(s, "shyy41", false, true); /* the number of lanes: the article's figure */
    if (s->o->experiment == 2) return spmv_session_list(s, SIX);
    if (s->o->experiment == 3) return spmv_session_kernels(s, "stencil27:100,100,100"); /* the gain of narrow values */
    return s->o->sweep ? sweep(s) : spmv_session_default(s, "powerlaw:2000,2000,12000");
}

/* Steps that were fastest, or nearly so, on at least one matrix in the results of an H200. */
static const char CANDIDATES[] = "v7,v15,v16,v17";

int main(int argc, char **argv)
{
    options_t o;
    extra_t extra = {0};
    const struct argp extra_argp = {.options = EXTRA_OPTIONS, .parser = parse_extra};
    cli_parse(&o, argc, argv, SPMV_VECTOR.doc, &extra_argp, &extra);
    cli_refuse_unused(&o, "05_spmv_vector", CLI_MATRIX | CLI_SWEEP | CLI_DTYPE, 3);
    if (!o.only && !o.explain && (o.experiment == 1 || o.sweep)) o.only = "v3/*,v7,v16/*,v17";
    if (!o.only && !o.explain && o.experiment == 2) o.only = "v?,v??,student,cusparse*";
    if (!o.only && !o.explain && o.experiment == 3) o.only = "v12,v13,v14";

    if (o.experiment == 2) spmv_keep_record(&o);
    spmv_verdict_begin(&o);
    verdict_matrix_t looked = {0};
    const spmv_session_t s = {.h = harness_open(&SPMV_VECTOR, &o), .o = &o, .options = &extra.options,
                              .offset_bits = extra.offsets, .gpu = strcmp(device_backend(), "cuda") == 0,
                              .every_type = o.experiment == 3, .describe = spmv_vector_describe,
                              .candidates = CANDIDATES, .looked = &looked};
    int refused = run(&s);
    const int status = harness_close(s.h);
    if (!refused) refused = spmv_verdict_end(&o, &looked);
    if (o.experiment == 2 && o.record) summary_print(o.record, o.format == REPORT_TABLE ? stdout : stderr);
    return refused ? EXIT_BAD_INPUT : status;
}
