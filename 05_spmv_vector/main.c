/* 05_spmv_vector - command line to problems. */
#include "spmv_vector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "matgen.h"
#include "mtx.h"
#include "summary.h"

enum { EXIT_BAD_INPUT = 2 };

/* ---- options of this chapter -------------------------------------------------------------------- */

typedef struct extra {
    int lanes, offsets;
} extra_t;

enum { OPT_LANES = 2000, OPT_OFFSETS };

static const struct argp_option EXTRA_OPTIONS[] = {
    {"lanes", OPT_LANES, "L", 0, "2, 4, 8, 16 or 32 lanes a row (default: by the mean row)", 0},
    {"offsets", OPT_OFFSETS, "BITS", 0, "32- or 64-bit row offsets (default: 32 while they hold nnz)", 0},
    {0},
};

static error_t parse_extra(int key, char *arg, struct argp_state *state)
{
    extra_t *extra = state->input;
    char *end = NULL;
    const long value = key == OPT_LANES || key == OPT_OFFSETS ? strtol(arg, &end, 10) : 0;
    switch (key) {
    case OPT_LANES:
        if (*end || !(value == 2 || value == 4 || value == 8 || value == 16 || value == 32))
            argp_error(state, "--lanes: \"%s\" is not 2, 4, 8, 16 or 32", arg);
        extra->lanes = (int)value;
        return 0;
    case OPT_OFFSETS:
        if (*end || !(value == 32 || value == 64)) argp_error(state, "--offsets: \"%s\" is neither 32 nor 64", arg);
        extra->offsets = (int)value;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- matrices ----------------------------------------------------------------------------------- */

static void refuse(const char *name, const err_t *err)
{
    fprintf(stderr, "05_spmv_vector: %s%s%s\n", name ? name : "", name ? ": " : "", err->text);
    exit(EXIT_BAD_INPUT);
}

static bool ends_with(const char *s, const char *end)
{
    const size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

/* The file name without folder and ending, into name. */
static void short_name(const char *path, char *name, size_t size)
{
    const char *base = strrchr(path, '/');
    snprintf(name, size, "%s", base ? base + 1 : path);
    if (ends_with(name, ".gz")) name[strlen(name) - 3] = 0;
    if (ends_with(name, ".mtx")) name[strlen(name) - 4] = 0;
}

/* A file or a recipe; exits if it is neither. */
static csr_t *open_matrix(const char *what, uint64_t seed, char *name, size_t name_size)
{
    err_t err;
    const bool file = ends_with(what, ".mtx") || ends_with(what, ".mtx.gz") || access(what, F_OK) == 0;
    csr_t *A = file ? mtx_read(what, &err) : matgen(what, seed, &err);
    if (!A) refuse(NULL, &err); /* the sentence names file or recipe */
    if (file) short_name(what, name, name_size);
    else snprintf(name, name_size, "%s", what);
    return A;
}

/* The real matrix if $MATRIX_DIR (build/matrices without it) has it, else its stand-in, named as such. */
static csr_t *open_named(const char *which, uint64_t seed, char *name, size_t name_size)
{
    const char *folder = getenv("MATRIX_DIR"), *const endings[] = {".mtx", ".mtx.gz"};
    char path[4096];
    for (int i = 0; i < 2; ++i) {
        snprintf(path, sizeof path, "%s/%s%s", folder && *folder ? folder : "build/matrices", which, endings[i]);
        if (access(path, R_OK) == 0) return open_matrix(path, seed, name, name_size);
    }
    snprintf(path, sizeof path, "like:%s", which);
    return open_matrix(path, seed, name, name_size);
}

/* Every k-th stretch of 16 rows, so that about `nnz` nonzeros remain; for the stand-in, which counts every
 * access and needs its time.  The columns stay, and so do neighbours.  A itself if it is small already. */
static csr_t *sample_rows(csr_t *A, size_t nnz, char *name, size_t name_size)
{
    enum { STRETCH = 16 };
    const size_t every = A->nnz / nnz;
    if (every < 2) return A;
    size_t rows = 0, kept = 0;
    for (size_t r = 0; r < A->rows; ++r)
        if (r / STRETCH % every == 0) {
            ++rows;
            kept += (size_t)(A->row_offsets[r + 1] - A->row_offsets[r]);
        }
    err_t err;
    csr_t *S = csr_alloc(rows, A->cols, kept);
    if (!S) {
        err_set(&err, "out of memory");
        refuse(name, &err);
    }
    rows = 0;
    for (size_t r = 0; r < A->rows; ++r) {
        if (r / STRETCH % every) continue;
        const int64_t from = A->row_offsets[r], length = A->row_offsets[r + 1] - from, to = S->row_offsets[rows];
        memcpy(S->col_indices + to, A->col_indices + from, (size_t)length * sizeof *S->col_indices);
        memcpy(S->values + to, A->values + from, (size_t)length * sizeof *S->values);
        S->row_offsets[++rows] = to + length;
    }
    const size_t used = strlen(name);
    snprintf(name + used, name_size - used, "(rows/%zu)", every);
    csr_free(A);
    return S;
}

/* ---- runs --------------------------------------------------------------------------------------- */

typedef struct setting {
    harness_t *h;
    const options_t *o;
    const extra_t *extra;
    bool card, every_type; /* without --dtype: fp32 and fp64, or all five */
} setting_t;

/* All selected steps on A in the types asked for.  Frees A.  mean_row as in spmv_vector_spec_t. */
static void run_rows(const setting_t *s, csr_t *A, const char *name, double mean_row, bool cpu, bool gpu)
{
    const options_t *o = s->o;
    for (dtype_t t = 0; t < DTYPE_COUNT; ++t) {
        if (o->dtype_set ? t != o->dtype : !s->every_type && t != DTYPE_F32 && t != DTYPE_F64) continue;
        err_t err;
        problem_t p;
        const spmv_vector_spec_t spec = {
            .A = A, .name = name, .dtype = t, .lanes = s->extra->lanes, .mean_row = mean_row, .seed = o->seed,
            .offset_bits = s->extra->offsets ? s->extra->offsets : A->nnz > INT32_MAX ? 64 : 32,
            .exact = o->exact, .cpu = cpu, .gpu = gpu};
        if (spmv_vector_open(&p, &spec, &err)) refuse(name, &err);
        harness_run(s->h, &p);
        spmv_vector_close(&p);
    }
    csr_free(A);
}

static void run_matrix(const setting_t *s, csr_t *A, const char *name, bool cpu, bool gpu)
{
    spmv_vector_describe(name, A);
    run_rows(s, A, name, 0, cpu, gpu);
}

/* The kernels on a sample of A's rows, small enough for the stand-in to count every access.  Frees A. */
static void run_sample(const setting_t *s, csr_t *A, const char *name)
{
    enum { STAND_IN_NNZ = 100000 };
    char sample_name[192];
    const double mean_row = A->rows ? (double)A->nnz / (double)A->rows : 0;
    snprintf(sample_name, sizeof sample_name, "%s", name);
    spmv_vector_describe(name, A);
    A = sample_rows(A, STAND_IN_NNZ, sample_name, sizeof sample_name);
    run_rows(s, A, sample_name, mean_row, false, true);
}

/* How many lanes on shyy41, the article's figure. */
static void experiment_1(const setting_t *s)
{
    char name[128];
    csr_t *A = open_named("shyy41", s->o->seed, name, sizeof name);
    run_matrix(s, A, name, false, true);
}

/* Against every form of cuSPARSE on the article's six matrices. */
static void experiment_2(const setting_t *s)
{
    static const char *const SIX[] = {"shyy41", "mip1", "ash219", "Si41Ge41H72", "Ga41As41H72", "webbase-1M"};
    for (size_t i = 0; i < sizeof SIX / sizeof *SIX; ++i) {
        char name[128];
        csr_t *A = open_named(SIX[i], s->o->seed, name, sizeof name);
        if (s->card) run_matrix(s, A, name, false, true);
        else run_sample(s, A, name);
    }
}

/* What narrow values save where the columns stay as they are. */
static void experiment_3(const setting_t *s)
{
    char name[128];
    csr_t *A = open_matrix("stencil27:100,100,100", s->o->seed, name, sizeof name);
    if (s->card) run_matrix(s, A, name, false, true);
    else run_sample(s, A, name);
}

/* Bands of growing row length and the same number of nonzeros: where the rule for the lanes comes from. */
static void sweep(const setting_t *s)
{
    const size_t nnz = s->card ? (size_t)1 << 24 : (size_t)1 << 14;
    for (size_t half = 0; half <= 256; half = half ? 2 * half : 1) {
        char recipe[64], name[64];
        snprintf(recipe, sizeof recipe, "band:%zu,%zu", nnz / (2 * half + 1), half);
        csr_t *A = open_matrix(recipe, s->o->seed, name, sizeof name);
        run_matrix(s, A, name, false, true);
    }
}

/* A regular and a skewed matrix.  The stand-in counts small ones, the CPU rows are timed on a large one. */
static void default_run(const setting_t *s)
{
    static const char *const CARD[] = {"stencil27:100,100,100", "like:webbase-1M"};
    static const char *const STAND_IN[] = {"poisson2d:48,48", "powerlaw:2000,2000,12000"};
    char name[128];
    if (!s->card) run_matrix(s, open_matrix("stencil27:50,50,50", s->o->seed, name, sizeof name), name, true, false);
    for (int i = 0; i < 2; ++i) {
        csr_t *A = open_matrix(s->card ? CARD[i] : STAND_IN[i], s->o->seed, name, sizeof name);
        run_matrix(s, A, name, s->card, true);
    }
}

/* A matrix of one's own: all of it, the stand-in counting a sample. */
static void one_matrix(const setting_t *s)
{
    char name[128];
    csr_t *A = open_matrix(s->o->matrix, s->o->seed, name, sizeof name);
    if (s->card) {
        run_matrix(s, A, name, true, true);
        return;
    }
    csr_t *all = csr_copy(A);
    if (all) run_rows(s, all, name, 0, true, false);
    run_sample(s, A, name);
}

int main(int argc, char **argv)
{
    options_t o;
    extra_t extra = {0};
    const struct argp extra_argp = {.options = EXTRA_OPTIONS, .parser = parse_extra};
    cli_parse(&o, argc, argv, SPMV_VECTOR.doc, &extra_argp, &extra);
    if (o.size || o.experiment > 3) {
        fprintf(stderr, "05_spmv_vector: %s\n", o.size ? "--size has no meaning here: --matrix takes a file or a recipe"
                                                       : "there are experiments 1, 2 and 3");
        return EX_USAGE;
    }
    if (!o.only && !o.explain && (o.experiment == 1 || o.sweep)) o.only = "v3/*,v7,v12/*,v13";
    if (!o.only && !o.explain && o.experiment == 2) o.only = "v1,v2,v3,v4,v5,v6,v7,v8,v9,v10,v11,v12,v13,cusparse*";
    if (!o.only && !o.explain && o.experiment == 3) o.only = "v11";

    char kept[] = "/tmp/05_spmv_vector.XXXXXX"; /* a record to sum up from, where none was asked for */
    const bool own_record = o.experiment == 2 && !o.list && !o.record;
    if (own_record) o.record = summary_temporary(kept);

    const setting_t s = {.h = harness_open(&SPMV_VECTOR, &o), .o = &o, .extra = &extra,
                         .card = strcmp(device_backend(), "cuda") == 0, .every_type = o.experiment == 3};
    if (o.matrix) one_matrix(&s);
    else if (o.experiment == 1) experiment_1(&s);
    else if (o.experiment == 2) experiment_2(&s);
    else if (o.experiment == 3) experiment_3(&s);
    else if (o.sweep) sweep(&s);
    else default_run(&s);
    const int status = harness_close(s.h);
    if (o.experiment == 2 && o.record) summary_print(o.record, o.format == REPORT_TABLE ? stdout : stderr);
    if (own_record && o.record) unlink(o.record);
    return status;
}
