/* lib_variants.c - see lib_variants.h */
#include "lib_variants.h"

#include "gpu_engine.h"
#include "lib_rows.h"

/* Creates an engine directly, because plan.c does not let a caller choose the variant. */
static int create(const problem_t *p, gpu_variant_t variant, spmv_setup_t setup, gpu_engine_t **engine, err_t *err)
{
    const spmv_csr_t A = lib_csr(&((const spmv_data_t *)p->data)->device, SPMV_DEVICE);
    const spmv_options_t options = {.backend = SPMV_BACKEND_GPU, .setup = setup, .exclusive = 1};
    *engine = NULL;
    if (A.rows == 0) return 0;
    return lib_failed(gpu_engine_create(engine, &A, &options, variant, NULL), err);
}

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    const gpu_variant_facts_t *variant = s->how;
    return create(p, (gpu_variant_t)(variant - GPU_VARIANTS), SPMV_SETUP_PLAN, (gpu_engine_t **)state, err);
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const gpu_engine_t *engine = state;
    const spmv_data_t *data = p->data;
    (void)s;
    if (!engine || gpu_engine_execute(engine, 1, data->d_x, 0, out, NULL) == SPMV_OK) return 0;
    return err_set(err, "starting the kernels: %s", gpu_reason());
}

static void teardown(const step_t *s, const problem_t *p, void *state)
{
    (void)s, (void)p;
    gpu_engine_destroy(state);
}

const step_t *lib_variant(size_t i)
{
    static const char *const IDEAS[] = {"CSR as it is, lanes on each row",
                                        "CSR as it is, equal spans",
                                        "CSR as it is, equal spans, small ones last",
                                        "CSR as it is, equal pieces of long rows",
                                        "CSR as it is, lanes on each row, equal spans where rows are uneven",
                                        "a plan in slices",
                                        "x by tiles in shared memory",
                                        "x by tiles, nonzeros dealt evenly",
                                        "equal shares of granules of 4 nonzeros"};
    static step_ops_t ops = {.setup = setup, .teardown = teardown, .run = run, .check = lib_row_check};
    static step_t rows[VARIANT_COUNT];
    if (i >= VARIANT_COUNT) return NULL;
    ops.skip = LIB_ROW.skip;
    const gpu_variant_facts_t *variant = &GPU_VARIANTS[i];
    rows[i] = (step_t){variant->name, STEP_GPU, IDEAS[variant->family], &ops, variant};
    return &rows[i];
}

/* ---- features ----------------------------------------------------------------------------------- */

void lib_variants_header(FILE *to)
{
    fprintf(to, "case\tdtype\trows\tcols\tnnz\tvalue_bytes\tmean\tlongest\tskew\tin_order_fill\t"
                "near_fill\tdiagonals\tsectors\talike\thot\trule_none\trule_look\trule_plan\n");
}

int lib_variants_features(const problem_t *p, FILE *to, err_t *err)
{
    static const spmv_setup_t SETUPS[] = {SPMV_SETUP_NONE, SPMV_SETUP_LOOK, SPMV_SETUP_PLAN};
    gpu_engine_t *engine[3] = {NULL};
    int status = 0;
    for (int i = 0; i < 3 && !status; ++i) status = create(p, VARIANT_BY_RULE, SETUPS[i], &engine[i], err);
    if (!status && engine[2]) {
        const gpu_features_t *f = gpu_engine_features(engine[2]);
        fprintf(to, "%s\t%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.6g\t%.0f\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g", p->name,
                dtype_name(p->dtype), f->rows, f->cols, f->nnz, f->value_bytes, f->mean, f->longest, f->skew,
                f->in_order_fill, f->near_fill, f->diagonals, f->sectors, f->alike, f->hot);
        for (int i = 0; i < 3; ++i) fprintf(to, "\t%s", GPU_VARIANTS[gpu_engine_variant(engine[i])].name);
        fprintf(to, "\n");
    }
    for (int i = 0; i < 3; ++i) gpu_engine_destroy(engine[i]);
    return status;
}
