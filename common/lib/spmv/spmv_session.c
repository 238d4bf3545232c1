/* spmv_session.c - see spmv_session.h */
#include "spmv_session.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "matgen.h"
#include "mtx.h"
#include "plain.h"

/* ---- matrices ----------------------------------------------------------------------------------- */

static bool ends_with(const char *s, const char *end)
{
    const size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

/* Stores the file name without folder and ending in name. */
static void short_name(const char *path, char *name)
{
    const char *base = strrchr(path, '/');
    snprintf(name, SPMV_NAME, "%s", base ? base + 1 : path);
    if (ends_with(name, ".gz")) name[strlen(name) - 3] = 0;
    if (ends_with(name, ".mtx")) name[strlen(name) - 4] = 0;
}

/* Returns whether the text names a file and not a recipe, which is a name and a colon.  A text that is neither, but has
 * a colon and no slash, is taken for a misspelt recipe, so that the error lists the recipes; any other is a missing
 * file. */
static bool is_file(const char *what)
{
    if (access(what, F_OK) == 0) return true;
    return !matgen_is_recipe(what) && (!strchr(what, ':') || strpbrk(what, "/."));
}

static csr_t *open_matrix(const char *what, uint64_t seed, bool as_listed, char *name, err_t *err)
{
    const bool file = is_file(what);
    if (file) short_name(what, name);
    else snprintf(name, SPMV_NAME, "%s", what);
    plain_line(name);
    if (!file) return matgen(what, seed, err);
    if (access(what, F_OK))
        return err_null(err, "%.160s: %s; a generated matrix is a recipe such as rmat:12,16 or like:webbase-1M", what,
                        strerror(errno));
    return as_listed ? mtx_read_as_listed(what, err) : mtx_read(what, err);
}

csr_t *spmv_matrix_open(const char *what, uint64_t seed, char *name, err_t *err)
{
    return open_matrix(what, seed, false, name, err);
}

csr_t *spmv_matrix_asked(const options_t *o, const char *which, char *name, err_t *err)
{
    return which ? spmv_matrix_of_suite(which, o->seed, name, err)
                 : open_matrix(o->matrix, o->seed, o->as_listed, name, err);
}

csr_t *spmv_matrix_named(const char *which, uint64_t seed, char *name, err_t *err)
{
    const char *folder = getenv("MATRIX_DIR"), *const endings[] = {".mtx", ".mtx.gz"};
    char path[4096];
    for (int i = 0; i < 2; ++i) {
        snprintf(path, sizeof path, "%s/%s%s", folder && *folder ? folder : "build/matrices", which, endings[i]);
        if (access(path, R_OK) == 0) return spmv_matrix_open(path, seed, name, err);
    }
    snprintf(path, sizeof path, "like:%s", which);
    return spmv_matrix_open(path, seed, name, err);
}

csr_t *spmv_matrix_sample(csr_t *A, size_t nnz, char *name, err_t *err)
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
    csr_t *S = csr_alloc(rows, A->cols, kept);
    if (!S) {
        csr_free(A);
        return err_null(err, "out of memory for a sample of %zu nonzeros", kept);
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
    snprintf(name + used, SPMV_NAME - used, "(rows/%zu)", every);
    csr_free(A);
    return S;
}

/* The six matrices of the LightSpMV article, matrices that most SpMV papers use, and difficult shapes. */
const char *const SPMV_SUITE[] = {
    "shyy41", "mip1", "ash219", "Si41Ge41H72", "Ga41As41H72", "webbase-1M",
    "cop20k_A", "cant", "consph", "pwtk", "scircuit", "mac_econ_fwd500", "mc2depi", "rma10", "circuit5M", "eu-2005",
    "in-2004", "web-Google", "ldoor", "bone010", "rail4284",
    "poisson2d:2000,2000", "poisson3d:150,150,150", "stencil27:154,154,154", "rmat:20,16",
    "random:1000000,1000000,16000000",
    "one_dense_row:1000000", "empty_rows:1000000,50", "dense:1,1000000", "dense:1000000,1", NULL,
};

const char *const SPMV_FAMILIES[] = {
    "scattered:100000,2001,30", "scattered:500000,4001,40", "scattered:2000000,50,9", "scattered:20000,500,20",
    "scattered:1000000,1000,6", "scattered:200000,200,60",
    "scrambled:rmat:14,16", "scrambled:rmat:17,32", "scrambled:rmat:18,8", "scrambled:rmat:20,16",
    "scrambled:poisson2d:1000,1000",
    "scrambled:stencil27:40,40,40",
    "scrambled:band:200000,15",
    "even:8000000,64,3", "even:3000000,60,3", "even:1000000,256,5", "even:400000,1000,12",
    "random:5000000,5000000,1000000", "random:1000000,1000000,300000", "random:3000000,100000,1500000",
    "program:2000,8000,5", "program:20000,60000,40", "program:200000,300000,20", "program:5000,20000,100",
    "program:1000000,1000000,8", "program:1000,3000,4", "program:3000,12000,20", "program:50000,12000,30",
    "program:200000,4000,12",
    "elements:8000,0,20", "elements:50000,3,9", "elements:200000,3,14", "elements:30000,0,12", "elements:60000,6,8",
    "elements:300000,2,9",
    "powerlaw:60000,8000,700000", "powerlaw:300000,2000,2000000", "transposed:powerlaw:50000,50000,400000",
    "transposed:powerlaw:500000,500000,4000000",
    "transposed:program:20000,60000,40", "transposed:program:200000,300000,20",
    "transposed:scrambled:rmat:17,16",
    "transposed:empty_rows:1000000,10",
    "transposed:even:3000000,60,3",
    "transposed:random:5000,1000000,10000000",
    "transposed:one_dense_row:200000",
    NULL,
};

csr_t *spmv_matrix_of_suite(const char *which, uint64_t seed, char *name, err_t *err)
{
    return strchr(which, ':') ? spmv_matrix_open(which, seed, name, err) : spmv_matrix_named(which, seed, name, err);
}

/* ---- options ------------------------------------------------------------------------------------ */

int spmv_offsets_option(struct argp_state *state, const char *text)
{
    if (strcmp(text, "32") && strcmp(text, "64")) argp_error(state, "--offsets: \"%s\" must be 32 or 64", text);
    return atoi(text);
}

int spmv_lanes_option(struct argp_state *state, const char *text, int least)
{
    char *end;
    const long lanes = strtol(text, &end, 10);
    if (*end || lanes < least || lanes > 32 || (lanes & (lanes - 1)))
        argp_error(state, "--lanes: \"%s\" is not %s2, 4, 8, 16 or 32", text, least == 1 ? "1, " : "");
    return (int)lanes;
}

static char kept[4096]; /* the path of the temporary results file */

static void remove_kept(void) { unlink(kept); }

void spmv_keep_record(options_t *o)
{
    const char *folder = getenv("TMPDIR");
    if (o->record) return;
    snprintf(kept, sizeof kept, "%s/course_record.XXXXXX", folder && *folder ? folder : "/tmp");
    const int fd = mkstemp(kept);
    if (fd < 0) {
        err_say("no summary at the end: its results file %s cannot be created: %s; name one by --record FILE", kept,
                strerror(errno));
        return;
    }
    close(fd);
    atexit(remove_kept);
    o->record = kept;
}

/* Returns whether to print a verdict; not if the options inspect single rows. */
static bool wants_verdict(const options_t *o)
{
    const bool looks_into_rows = o->explain || o->film || o->lines || o->trace || o->once || o->list;
    if (!o->matrix || o->verdict == VERDICT_NONE || looks_into_rows) return false;
    return o->verdict != VERDICT_UNDER || o->format == REPORT_TABLE;
}

static bool verdict_alone(const options_t *o) { return o->verdict == VERDICT_ALONE || o->verdict == VERDICT_JSON; }

void spmv_verdict_begin(options_t *o)
{
    if (!wants_verdict(o)) return;
    spmv_keep_record(o);
    if (verdict_alone(o)) o->format = REPORT_SILENT;
}

int spmv_verdict_end(const options_t *o, const verdict_matrix_t *looked)
{
    enum { MOST = 8 };
    const char *paths[MOST + 2] = {o->record};
    char files[4096] = "", *rest = NULL;
    const char *ending = o->record ? strrchr(o->record, '.') : NULL;
    if (!o->record || !*looked->name || !(verdict_alone(o) || wants_verdict(o))) return 0;
    if (ending && strcmp(ending, ".json") == 0) {
        err_say("no verdict: it needs a results file in TSV, and %s is JSON: give --record another ending", o->record);
        return 0;
    }
    snprintf(files, sizeof files, "%s", o->beside ? o->beside : "");
    int n = 1;
    for (char *file = strtok_r(files, ",", &rest); file && n <= MOST; file = strtok_r(NULL, ",", &rest))
        paths[n++] = file;
    err_t err;
    verdict_t v;
    if (verdict_make(&v, looked, dtype_name(o->dtype_set ? o->dtype : DTYPE_F32), paths, &err)) {
        if (!verdict_alone(o) && o->only) return 0; /* only the selected steps ran, on a sample */
        err_say("no verdict: %s; on the simulator add --predict h200, which predicts all of a matrix", err.text);
        return verdict_alone(o) ? -1 : 0;
    }
    if (o->verdict != VERDICT_JSON) verdict_print(&v, o->matrix, stdout);
    else if (verdict_json(&v, o->matrix, stdout)) {
        err_say("no verdict: a name is not UTF-8, or memory is short");
        return -1;
    }
    return 0;
}

/* ---- runs --------------------------------------------------------------------------------------- */

/* Prints what is wrong with an input, frees it, and returns -1. */
static int refuse(csr_t *A, const char *name, const err_t *err)
{
    csr_free(A);
    err_say("%s: %s", name, err->text);
    return -1;
}

int spmv_session_rows(const spmv_session_t *s, csr_t *A, const char *name, double mean_row, bool cpu, bool gpu,
                      const err_t *err)
{
    const options_t *o = s->o;
    if (!A) return refuse(A, name, err);
    for (dtype_t t = 0; t < DTYPE_COUNT; ++t) {
        if (o->dtype_set ? t != o->dtype : !s->every_type && t != DTYPE_F32 && t != DTYPE_F64) continue;
        err_t failed;
        problem_t p;
        const spmv_spec_t spec = {.A = A, .name = name, .dtype = t, .mean_row = mean_row, .seed = o->seed,
                                  .offset_bits = s->offset_bits ? s->offset_bits : A->nnz > INT32_MAX ? 64 : 32,
                                  .exact = o->exact, .cpu = cpu, .gpu = gpu, .options = s->options};
        if (spmv_problem_open(&p, &spec, &failed)) return refuse(A, name, &failed);
        harness_run(s->h, &p);
        spmv_problem_close(&p);
    }
    csr_free(A);
    return 0;
}

enum { STAND_IN_NNZ = 100000 };

/* Runs the steps on a sample of A for the simulator, with the mean_row of the whole matrix; or on all of A if times are
 * to be predicted for a named GPU.  Takes ownership of A. */
static int run_sample(const spmv_session_t *s, csr_t *A, const char *name)
{
    err_t err = {{0}};
    char sample_name[SPMV_NAME];
    if (s->o->predict && strcmp(s->o->predict, "none") != 0)
        return spmv_session_rows(s, A, name, 0, false, true, &err);
    const double mean_row = A->rows ? (double)A->nnz / (double)A->rows : 0;
    snprintf(sample_name, sizeof sample_name, "%s", name);
    A = spmv_matrix_sample(A, STAND_IN_NNZ, sample_name, &err);
    return spmv_session_rows(s, A, sample_name, mean_row, false, true, &err);
}

static csr_t *open_described(const spmv_session_t *s, const char *which, char *name, err_t *err)
{
    csr_t *A = spmv_matrix_asked(s->o, which, name, err);
    if (A && s->describe) s->describe(name, A);
    return A;
}

int spmv_session_run(const spmv_session_t *s, const char *which, bool cpu, bool gpu)
{
    err_t err;
    char name[SPMV_NAME];
    csr_t *A = open_described(s, which, name, &err);
    return spmv_session_rows(s, A, name, 0, cpu, gpu, &err);
}

int spmv_session_kernels(const spmv_session_t *s, const char *which)
{
    err_t err;
    char name[SPMV_NAME];
    csr_t *A = open_described(s, which, name, &err);
    if (!A) return refuse(A, name, &err);
    return s->gpu ? spmv_session_rows(s, A, name, 0, false, true, &err) : run_sample(s, A, name);
}

int spmv_session_list(const spmv_session_t *s, const char *const *names)
{
    int failed = 0;
    for (; *names && !failed; ++names) failed = spmv_session_kernels(s, *names);
    return failed;
}

int spmv_session_default(const spmv_session_t *s, const char *skewed)
{
    if (s->gpu)
        return spmv_session_run(s, "stencil27:100,100,100", true, true) ||
                       spmv_session_run(s, "like:webbase-1M", true, true)
                   ? -1
                   : 0;
    return spmv_session_run(s, "stencil27:50,50,50", true, false) ||
                   spmv_session_run(s, "poisson2d:48,48", false, true) || spmv_session_run(s, skewed, false, true)
               ? -1
               : 0;
}

static int is_matrix_file(const struct dirent *d)
{
    return ends_with(d->d_name, ".mtx") || ends_with(d->d_name, ".mtx.gz");
}

static bool is_in_suite(const char *name)
{
    for (size_t i = 0; SPMV_SUITE[i]; ++i)
        if (strcmp(name, SPMV_SUITE[i]) == 0) return true;
    return false;
}

int spmv_session_suite(const spmv_session_t *s, int part, int parts,
                       int (*rows)(const spmv_session_t *s, const char *which))
{
    const char *folder = getenv("MATRIX_DIR");
    int place = 0, failed = 0;
    struct dirent **files = NULL;
    if (parts == 0) part = parts = 1;
    const int count = folder && *folder ? scandir(folder, &files, is_matrix_file, alphasort) : 0;
    if (count < 0) {
        err_t err;
        err_set(&err, "MATRIX_DIR, %.400s: %s", folder, strerror(errno));
        fprintf(stderr, "%s\n", err.text);
        return -1;
    }
    for (size_t i = 0; SPMV_SUITE[i] && !failed; ++i)
        if (place++ % parts == part - 1) failed = rows(s, SPMV_SUITE[i]);
    for (int i = 0; i < count; ++i) {
        char name[SPMV_NAME];
        short_name(files[i]->d_name, name);
        free(files[i]);
        if (!failed && !is_in_suite(name) && place++ % parts == part - 1)
            rows(s, name); /* a complex matrix is rejected with its name, and the loop continues */
    }
    free(files);
    return failed;
}

/* Runs the candidates on all of A, in one type.  Takes ownership of A. */
static int run_candidates(const spmv_session_t *s, csr_t *A, const char *name)
{
    const err_t none = {"out of memory"};
    options_t o = *s->o;
    spmv_session_t one_type = *s;
    one_type.o = &o;
    if (!o.dtype_set) o.dtype = DTYPE_F32;
    o.dtype_set = true;
    if (!s->o->only || s->narrowed) harness_only(s->h, s->candidates);
    const int failed = spmv_session_rows(&one_type, A, name, 0, false, true, &none);
    harness_only(s->h, NULL);
    return failed;
}

/* Returns whether to run the candidates on all of A, in addition to the sample that the simulator counts. */
static bool sample_is_not_enough(const spmv_session_t *s, const csr_t *A)
{
    enum { WHOLE_NNZ = 4000000 }; /* each candidate takes a second or two per million nonzeros */
    const bool whole = s->o->predict && strcmp(s->o->predict, "none") != 0;
    return s->candidates && wants_verdict(s->o) && (!s->o->only || s->narrowed) && !whole &&
           A->nnz / 2 >= STAND_IN_NNZ && A->nnz <= WHOLE_NNZ;
}

int spmv_session_matrix(const spmv_session_t *s)
{
    err_t err;
    char name[SPMV_NAME];
    csr_t *A = spmv_matrix_asked(s->o, NULL, name, &err);
    if (!A) { /* the error names the file or recipe */
        fprintf(stderr, "%s\n", err.text);
        return -1;
    }
    if (s->looked) verdict_look(s->looked, A, name);
    if (verdict_alone(s->o) && s->candidates) return run_candidates(s, A, name);
    if (s->describe) s->describe(name, A);
    if (s->gpu) return spmv_session_rows(s, A, name, 0, true, true, &err);
    const bool again = sample_is_not_enough(s, A);
    csr_t *all = csr_copy(A), *whole = again ? csr_copy(A) : NULL;
    if (!all || (again && !whole)) err_set(&err, "out of memory");
    int failed = spmv_session_rows(s, all, name, 0, true, false, &err);
    if (failed) csr_free(A);
    else failed = run_sample(s, A, name);
    if (again && !failed) return run_candidates(s, whole, name);
    csr_free(whole);
    return failed;
}
