/* 05_spmv_vector - the table of steps, and the callbacks of the harness. */
#include "spmv_vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spmv_peers.h"

/* The steps are declared here because every step includes chapter.h. */
#define CPU(id, name, ...) void spmv_vector_cpu_##name(SPMV_VECTOR_CPU_ARGS);
#define STEP(id, ...) cudaError_t spmv_vector_##id(SPMV_VECTOR_ARGS);
#include "steps.def"

/* A student's step, which exists only in a build with STUDENT=file.cu. */
cudaError_t spmv_vector_student(SPMV_VECTOR_ARGS) __attribute__((weak));

/* ---- the number of lanes ----------------------------------------------------------------------------- */

/* The rule as data: rows up to that mean length get that many lanes, depending on how many nonzeros the
 * kernel keeps in flight in each lane (v3-v6 one, v7 four, v8 and later eight).  A lane should have
 * about two nonzeros where one is in flight, a full batch where there are more.  --lanes overrules it,
 * --sweep measures what it should be. */
static const struct {
    double mean_up_to;
    int one, four, eight;
} LANES[] = {
    {3, 2, 2, 2},    {8, 4, 2, 2},     {16, 8, 4, 4},          {32, 16, 8, 8},
    {96, 32, 16, 8}, {192, 32, 32, 16}, {INFINITY, 32, 32, 32},
};

int spmv_vector_lanes(double mean_row, int in_flight)
{
    size_t i = 0;
    while (mean_row > LANES[i].mean_up_to) ++i;
    return in_flight == 1 ? LANES[i].one : in_flight == 4 ? LANES[i].four : LANES[i].eight;
}

void spmv_vector_describe(const char *name, const csr_t *A)
{
    const csr_stats_t s = csr_stats(A);
    fprintf(stderr, "%s: %zu x %zu, %zu nonzeros, %.1f per row (%zu to %zu)\n", name, A->rows, A->cols, A->nnz,
            s.mean_row, s.min_row, s.max_row);
    fprintf(stderr, "    lanes per row, chosen from the mean row length: v3 to v6: %d, v7: %d, v8 to v17: %d\n",
            spmv_vector_lanes(s.mean_row, 1), spmv_vector_lanes(s.mean_row, 4), spmv_vector_lanes(s.mean_row, 8));
}

/* ---- the steps ---------------------------------------------------------------------------------- */

typedef struct how {
    spmv_vector_gpu_fn gpu;
    int lanes;       /* fixed number of lanes; 0: --lanes, else by the mean row */
    int in_flight;   /* nonzeros in flight per lane: the column of the rule */
    bool padded;     /* uses the padded matrix */
    int knows;       /* what it supports besides fp32, fp64 and 32-bit offsets */
} how_t;

/* Arrays off 16-byte boundaries (with at most eight lanes per row); narrow values; 64-bit offsets. */
enum { ADDRESSES = 1, INT8 = 2, FLOAT16 = 4, OFFSETS_64 = 8, ALL = 15 };

static int lanes_of(const how_t *how, const spmv_data_t *data)
{
    const spmv_vector_options_t *options = data->options;
    if (how->lanes) return how->lanes;
    return options && options->lanes ? options->lanes : spmv_vector_lanes(data->mean_row, how->in_flight);
}

/* ---- callbacks of the harness ------------------------------------------------------------------- */

static const char *skip(const step_t *s, const problem_t *p)
{
    const how_t *how = s->how;
    const spmv_data_t *data = p->data;
    if (p->dtype == DTYPE_I8 && !(how->knows & INT8)) return "no int8: v12 and later";
    if ((p->dtype == DTYPE_F16 || p->dtype == DTYPE_BF16) && !(how->knows & FLOAT16))
        return "no 16-bit floats: v13 and later";
    if (data->host.offset_bits == 64 && !(how->knows & OFFSETS_64)) return "no 64-bit offsets: v14 and later";
    if (how->padded && data->A.nnz + 31 * data->A.rows > INT32_MAX) return "the padded matrix needs 64-bit offsets";
    return NULL;
}

static const char *skip_on_cpu(const step_t *s, const problem_t *p)
{
    (void)s;
    if (p->dtype == DTYPE_I8) return "no int8: v12 and later";
    return p->dtype == DTYPE_F16 || p->dtype == DTYPE_BF16 ? "no 16-bit floats: v13 and later" : NULL;
}

/* Makes the padded matrix on the GPU: the state of v5. */
static int pad_on_gpu(const spmv_data_t *data, unsigned multiple, void **state, err_t *err)
{
    csr_arrays_t host, *gpu = calloc(1, sizeof *gpu);
    if (!gpu) return err_set(err, "out of memory");
    *state = gpu;
    if (spmv_vector_pad(&host, &data->host, multiple, err)) return -1;
    const int failed = csr_arrays_upload(gpu, &host, err);
    csr_arrays_free(&host);
    return failed;
}

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    const how_t *how = s->how;
    return how->padded ? pad_on_gpu(p->data, (unsigned)lanes_of(how, p->data), state, err) : 0;
}

static void teardown(const step_t *s, const problem_t *p, void *state)
{
    (void)s, (void)p;
    if (state) csr_arrays_free_device(state);
    free(state);
}

static int run_cpu(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const spmv_vector_cpu_fn *cpu = s->how;
    const spmv_data_t *data = p->data;
    (void)state, (void)err;
    (*cpu)(&data->host, data->x, out);
    return 0;
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const how_t *how = s->how;
    const spmv_data_t *data = p->data;
    const csr_arrays_t *A = how->padded ? state : &data->device;
    return device_ok(how->gpu(A, data->d_x, out, lanes_of(how, data), 0), s->id, err);
}

/* The longest chain of additions in a row of that length: on the CPU the whole row; in a kernel a lane's share, one
 * more batch if the row's first batch begins early, the tree over the lanes, and the tree over the block. */
static size_t cpu_depth(size_t length, const void *unused)
{
    (void)unused;
    return length;
}

static size_t lanes_depth(size_t length, const void *lanes)
{
    enum { BATCH = 8, TREES = 5 + 3 + 3 };
    const size_t n = *(const size_t *)lanes;
    return (length + n - 1) / n * 9 / 8 + BATCH + TREES; /* 9/8: a batch of 8 is added up first */
}

static int check_cpu(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    (void)s;
    return spmv_judge(p, out, cpu_depth, NULL, err_over_tol, err);
}

static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    const how_t *how = s->how;
    const spmv_data_t *data = p->data;
    size_t lanes = (size_t)lanes_of(how, data);
    if ((how->knows & ADDRESSES) && data->misalign && lanes > 8) lanes = 8; /* such a step then uses at most 8 */
    return (strcmp(s->id, "student") ? spmv_judge : spmv_judge_student)(p, out, lanes_depth, &lanes, err_over_tol, err);
}

/* ---- the table ---------------------------------------------------------------------------------- */

static const step_ops_t ON_CPU = {.skip = skip_on_cpu, .run = run_cpu, .check = check_cpu};
static const step_ops_t ON_GPU = {.skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = check};

#define CPU(id, name, idea) {#id, STEP_CPU, idea, &ON_CPU, &(const spmv_vector_cpu_fn){spmv_vector_cpu_##name}},
#define STEP(id, idea, ...) {#id, STEP_GPU, idea, &ON_GPU, &(const how_t){.gpu = spmv_vector_##id, __VA_ARGS__}},
#define SAME(id, variant, idea, ...) \
    {#id "/" #variant, STEP_GPU, idea, &ON_GPU, &(const how_t){.gpu = spmv_vector_##id, __VA_ARGS__}},
static const step_t STEPS[] = {
#include "steps.def"
};
static const step_t STUDENT = {"student", STEP_GPU, "your own", &ON_GPU,
                               &(const how_t){.gpu = spmv_vector_student, .in_flight = 1}};

static const step_t *step(size_t i)
{
    return chapter_row(i, STEPS, sizeof STEPS / sizeof *STEPS, spmv_vector_student ? &STUDENT : NULL, spmv_peer);
}

const chapter_t SPMV_VECTOR = {
    .name = "05_spmv_vector",
    .doc = "y = A x for a sparse matrix: 2 to 32 lanes on each row, from a warp a row to the best of this layout.",
    .step = step,
    .cusparse = spmv_cusparse_version,
};
