/*
 * ways.c - 07_ways: runs every variant of libspmv's GPU back end on every matrix; the rule is learned from these times.
 *
 *     07_ways --reps 15 --record 07_ways.tsv --features 07_features.tsv        on a GPU; rule.py reads both
 *
 * --matrix FILE|RECIPE, otherwise the whole suite, every matrix of $MATRIX_DIR, a few more (MORE), and families that
 * these do not have (SPMV_FAMILIES, FIELDS).  rule.py leaves out each family in turn, to test the rule on a kind of
 * matrix that it has not seen.
 */
#include <errno.h>

#include "lib_rows.h"
#include "lib_session.h"
#include "lib_variants.h"

typedef struct extra {
    const char *features;
    char *listed; /* the lines of a file between '\n'; NULL: all matrices */
    bool fields;
} extra_t;

enum { OPT_FEATURES = 3000, OPT_FIELDS, OPT_LISTED };

static const struct argp_option EXTRA_OPTIONS[] = {
    {"features", OPT_FEATURES, "FILE", 0,
     "Write a table of each matrix's features, and of the variants that the rule selects", 0},
    {"fields", OPT_FIELDS, 0, 0, "Only the recipes of other fields", 0},
    {"listed", OPT_LISTED, "FILE", 0, "Only those of these matrices that FILE names, one per line", 0},
    {0},
};

/* The file between two '\n'; NULL and errno if it cannot be read. */
static char *read_lines(const char *file)
{
    enum { MOST = 1 << 20 };
    FILE *from = fopen(file, "r");
    char *text = calloc(1, MOST);
    if (from && text) {
        text[0] = '\n';
        const size_t n = fread(text + 1, 1, MOST - 3, from);
        text[1 + n] = '\n';
    }
    if (from) fclose(from);
    if (from && text) return text;
    free(text);
    return NULL;
}

static error_t parse_extra(int key, char *arg, struct argp_state *state)
{
    extra_t *extra = state->input;
    switch (key) {
    case OPT_FEATURES: extra->features = arg; return 0;
    case OPT_FIELDS: extra->fields = true; return 0;
    case OPT_LISTED:
        if (!(extra->listed = read_lines(arg))) argp_error(state, "--listed: %s: %s", arg, strerror(errno));
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Kinds of which the suite and the folder have too few: a kind with only one matrix is unknown if that one is left
 * out. */
static const char *const MORE[] = {
    "one_dense_row:20000", "one_dense_row:200000", "one_dense_row:4000000",
    "dense:1,30000", "dense:1,4000000", "dense:3,100000", "dense:3,1000000", "dense:12,300000", "dense:300000,2",
    "dense:4000000,1", "dense:1000,1000", "dense:3000,3000",
    "powerlaw:5000,5000,40000", "powerlaw:50000,50000,400000", "powerlaw:500000,500000,4000000",
    "powerlaw:2000000,2000000,20000000",
    "rmat:12,8", "rmat:14,30", "rmat:16,8", "rmat:18,16", "rmat:19,40",
    "even:20000,20000,8", "even:20000,20000,60", "even:100000,100000,30", "even:300000,300000,5",
    "even:1000000,1000000,12", "even:2000000,2000000,3", "even:200000,200000,100",
    "empty_rows:100000,20", "empty_rows:3000000,10", "empty_rows:300000,3",
    "random:50000,50000,500000", "random:300000,300000,9000000", "random:500000,500000,12000000",
    "random:2000000,2000000,20000000", "random:3000000,3000000,9000000", "random:5000,1000000,10000000",
    "random:20000,500000,8000000",
    "powerlaw:4000,1000000,8000000",
    "random:50000,500000,8000000", "random:1000,200000,4000000", "random:2000,30000,2000000",
    "random:200,1000000,1000000",
    "band:100000,3", "band:1000000,20",
    "poisson2d:150,150", "poisson2d:600,600", "poisson2d:3000,3000",
    "poisson3d:80,80,80", "poisson3d:200,200,200",
    "stencil27:110,110,110",
    "random:1500,1500,225000", "random:5000,5000,2500000", "random:6000,6000,600000",
    "transposed:even:800000,20000,8", "transposed:even:40000,1000,8", "transposed:even:200000,3000,10",
    "even:100000,5000,20",
    "powerlaw:3000,3000,300000",
    "scrambled:elements:50000,3,10",
    "scrambled:diagonals:200000,9,100", "diagonals:1000000,12,100", "diagonals:60000,9,100", "diagonals:500000,20,80",
    "diagonals:1500000,4,100", "diagonals:30000,15,60", "diagonals:300000,7,50",
    "blocks:20000,7,3", "blocks:250000,7,3", "blocks:40000,100,1", "blocks:4000,100,1", "blocks:12000,16,40",
    "blocks:2000,16,40", "blocks:200000,20,2", "blocks:100000,4,6", "blocks:30000,6,5",
    "hypercube:19",
    NULL,
};

/* Kinds from other fields (matgen_fields.c), kinds on which earlier rules failed, and slices that several warps
 * share. */
static const char *const FIELDS[] = {
    "dense:25,10500", "dense:12,30000", "dense:60,3000", "dense:300,2500", "dense:2000,400",
    "even:25,40000,10500", "even:200,20000,3000", "even:1500,4000,500",
    "random:100,10000,500000", "random:1000000,1000000,5000", "random:300000,300000,1000",
    "random:4000000,4000000,50000",
    "triangle:1000,1000", "triangle:1900,1900", "triangle:3000,3000", "triangle:30000,20", "triangle:60000,60",
    "triangle:400000,12", "triangle:20000,200",
    "elasticity:12,3,1", "elasticity:20,3,1", "elasticity:31,3,1", "elasticity:45,3,1", "elasticity:20,3,0",
    "elasticity:31,3,0", "elasticity:45,3,0", "elasticity:14,6,0", "elasticity:24,6,0", "elasticity:24,2,1",
    "convolution:100,100,9", "convolution:200,200,9", "convolution:300,300,9", "convolution:300,300,5",
    "convolution:1000,600,5", "convolution:150,150,11",
    "tomography:64,60", "tomography:128,90", "tomography:256,60", "tomography:400,60",
    "small_world:20000,4,10", "small_world:100000,6,10", "small_world:300000,5,30", "small_world:400000,10,5",
    "hypergraph:30000,30000,100", "hypergraph:150000,150000,400", "hypergraph:500000,400000,100",
    "hypergraph:600000,600000,50000",
    "dense_rows:10000,5,5", "dense_rows:40000,20,8", "dense_rows:200000,3,6", "dense_rows:400000,8,4",
    "transposed:dense_rows:40000,20,8", "transposed:dense_rows:300000,6,5",
    "arrow:5000,20,20", "arrow:30000,16,30", "arrow:100000,8,12", "arrow:200000,30,10",
    "kkt:20000,8000,6", "kkt:150000,50000,8", "kkt:500000,300000,6", "kkt:300000,20000,40",
    "staircase:20,60,8", "staircase:200,100,12", "staircase:400,400,10", "staircase:3000,120,8",
    "de_bruijn:30000,4", "de_bruijn:262144,8", "de_bruijn:1000000,4",
    "words:2000,20000,80", "words:10000,60000,100", "words:40000,100000,80", "words:300000,60000,15",
    "power_flow:4000", "power_flow:40000", "power_flow:150000", "power_flow:400000",
    "contact:40000,100,60", "contact:250000,400,200", "contact:600000,1000,120",
    "scrambled:elasticity:25,3,0",
    "scrambled:kkt:100000,40000,8",
    "transposed:words:40000,100000,80",
    "transposed:hypergraph:500000,400000,100",
    "symmetric:band:40000,30",
    "elements:9000,6,14", "elements:40000,3,20", "elements:12000,3,9",
    "stencil27:40,40,40", "stencil27:50,50,50",
    "scattered:60000,300,60", "scattered:150000,4000,16",
    "rmat:15,30", "rmat:16,40",
    "blocks:60000,12,3", "blocks:90000,3,7",
    "stencil27:25,25,25", "stencil27:60,60,60",
    "band:20000,10", "band:5000,60", "band:250000,10", "band:300000,15",
    "hypercube:14", "hypercube:17",
    "diagonals:20000,40,100", "diagonals:150000,60,90", "diagonals:200000,36,100",
    "band:60000,60",
    "poisson3d:30,30,30",
    "scattered:300000,6001,50", "scattered:400000,3001,35", "scattered:700000,5001,25",
    "powerlaw:100000,10000,1000000", "powerlaw:40000,6000,500000", "powerlaw:120000,120000,800000",
    "program:8000,30000,60", "program:4000,20000,150", "program:30000,30000,80",
    NULL,
};

static const char *listed; /* of extra_t, because spmv_session_suite() passes no argument on */

/* The matrix, if it is listed. */
static int listed_kernels(const spmv_session_t *s, const char *which)
{
    char line[400], like[400]; /* the name in results files of a matrix that is generated like one of the suite */
    snprintf(line, sizeof line, "\n%s\n", which);
    snprintf(like, sizeof like, "\nlike:%s\n", which);
    return listed && !strstr(listed, line) && !strstr(listed, like) ? 0 : spmv_session_kernels(s, which);
}

static int all_listed(const spmv_session_t *s, const char *const *recipes)
{
    int failed = 0;
    for (size_t i = 0; recipes[i] && !failed; ++i) failed = listed_kernels(s, recipes[i]);
    return failed;
}

static int suite_and_more(const spmv_session_t *s, bool fields_only)
{
    if (!fields_only &&
        (spmv_session_suite(s, 0, 0, listed_kernels) || all_listed(s, MORE) || all_listed(s, SPMV_FAMILIES)))
        return 1;
    return all_listed(s, FIELDS);
}

static FILE *features; /* NULL: not requested */

/* Features are computed once per problem, before its first variant. */
static int features_and_setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    static char last[400];
    char now[400];
    snprintf(now, sizeof now, "%s %s", p->name, dtype_name(p->dtype));
    if (features && strcmp(now, last)) {
        if (lib_variants_features(p, features, err)) return -1;
        if (fflush(features)) return err_set(err, "the table of features: %s", strerror(errno));
        memcpy(last, now, sizeof last);
    }
    return lib_variant(0)->ops->setup(s, p, state, err);
}

static const step_t *step(size_t i)
{
    static step_t row;
    static step_ops_t ops;
    const step_t *variant = lib_variant(i);
    if (!variant) return NULL;
    ops = *variant->ops;
    ops.setup = features_and_setup;
    row = *variant;
    row.ops = &ops;
    return &row;
}

static const chapter_t VARIANTS = {.name = "07_ways", .doc = "Every variant of libspmv's GPU back end.", .step = step};

int main(int argc, char **argv)
{
    options_t o;
    extra_t extra = {0};
    const struct argp extra_argp = {.options = EXTRA_OPTIONS, .parser = parse_extra};
    const spmv_session_t s = lib_session(&VARIANTS, &o, argc, argv, &extra_argp, &extra);
    if (extra.features) {
        if (!(features = fopen(extra.features, "w"))) {
            err_say("%s: %s: %s", VARIANTS.name, extra.features, strerror(errno));
            return EX_CANTCREAT;
        }
        lib_variants_header(features);
    }
    listed = extra.listed;
    const int failed = o.matrix ? spmv_session_matrix(&s) : suite_and_more(&s, extra.fields);
    const int status = harness_close(s.h);
    free(extra.listed);
    if (features && fclose(features)) {
        err_say("%s: %s: %s", VARIANTS.name, extra.features, strerror(errno));
        return EX_IOERR;
    }
    return failed ? EXIT_BAD_INPUT : status;
}
