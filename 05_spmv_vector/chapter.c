/* 05_spmv_vector - the table of steps, and what the harness needs to run and judge them. */
#include "spmv_vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spmv_peers.h"

/* A learner's own step, there only when built with STUDENT=file.cu. */
cudaError_t spmv_vector_student(SPMV_VECTOR_ARGS) __attribute__((weak));

/* ---- how many lanes ----------------------------------------------------------------------------- */

/* The rule, as data: rows up to that mean length get that many lanes, by how many nonzeros the
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
    fprintf(stderr, "%s: %zu x %zu, %zu nonzeros, %.1f a row (%zu to %zu); lanes by mean: v3-v6 %d, v7 %d, v8-v17 %d\n",
            name, A->rows, A->cols, A->nnz, s.mean_row, s.min_row, s.max_row, spmv_vector_lanes(s.mean_row, 1),
            spmv_vector_lanes(s.mean_row, 4), spmv_vector_lanes(s.mean_row, 8));
}

/* ---- the steps ---------------------------------------------------------------------------------- */

typedef struct spmv_vector_step {
    step_t step;
    spmv_vector_cpu_fn cpu;
    spmv_vector_gpu_fn gpu;
    int lanes;       /* lanes whatever the matrix; 0: --lanes, else by the mean row */
    int in_flight;   /* nonzeros in flight in a lane: which column of the rule */
    bool padded;     /* takes the padded matrix */
    int knows;       /* what it takes beside fp32, fp64 and 32-bit offsets */
} spmv_vector_step_t;

/* Arrays off 16-byte borders, in the same kernel with eight lanes a row; narrow values; 64-bit offsets. */
enum { ADDRESSES = 1, INT8 = 2, FLOAT16 = 4, OFFSETS_64 = 8, ALL = 15 };

static const spmv_vector_step_t STEPS[] = {
    {{"c1", STEP_CPU, "one core, row by row"}, .cpu = spmv_vector_cpu_serial},
    {{"c2", STEP_CPU, "OpenMP, equal blocks of rows"}, .cpu = spmv_vector_cpu_openmp},

    {{"v1", STEP_GPU, "32 lanes a row, sum in shared memory"}, .gpu = spmv_vector_v1, .lanes = 32},
    {{"v2", STEP_GPU, "32 lanes a row, sum by shuffles"}, .gpu = spmv_vector_v2, .lanes = 32},
    {{"v3", STEP_GPU, "lanes by the mean row"}, .gpu = spmv_vector_v3, .in_flight = 1},
    {{"v3/2", STEP_GPU, "v3 with 2 lanes"}, .gpu = spmv_vector_v3, .lanes = 2},
    {{"v3/4", STEP_GPU, "v3 with 4 lanes"}, .gpu = spmv_vector_v3, .lanes = 4},
    {{"v3/8", STEP_GPU, "v3 with 8 lanes"}, .gpu = spmv_vector_v3, .lanes = 8},
    {{"v3/16", STEP_GPU, "v3 with 16 lanes"}, .gpu = spmv_vector_v3, .lanes = 16},
    {{"v3/32", STEP_GPU, "v3 with 32 lanes"}, .gpu = spmv_vector_v3, .lanes = 32},
    {{"v4", STEP_GPU, "matrix streamed, x kept"}, .gpu = spmv_vector_v4, .in_flight = 1},
    {{"v5", STEP_GPU, "rows padded to aligned starts (set-up)"}, .gpu = spmv_vector_v5, .in_flight = 1, .padded = true},
    {{"v6", STEP_GPU, "aligned starts, no set-up"}, .gpu = spmv_vector_v6, .in_flight = 1},
    {{"v7", STEP_GPU, "four nonzeros in flight in a lane"}, .gpu = spmv_vector_v7, .in_flight = 4},
    {{"v8", STEP_GPU, "16-byte loads, eight in flight"}, .gpu = spmv_vector_v8, .in_flight = 8},
    {{"v9", STEP_GPU, "grid sized to the card"}, .gpu = spmv_vector_v9, .in_flight = 8},
    {{"v10", STEP_GPU, "the next row's offsets ahead"}, .gpu = spmv_vector_v10, .in_flight = 8},
    {{"v11", STEP_GPU, "arrays at any address"}, .gpu = spmv_vector_v11, .in_flight = 8, .knows = ADDRESSES},
    {{"v12", STEP_GPU, "values of one byte, sums in fp32"}, .gpu = spmv_vector_v12, .in_flight = 8,
     .knows = ADDRESSES | INT8},
    {{"v13", STEP_GPU, "values of 16 bits"}, .gpu = spmv_vector_v13, .in_flight = 8,
     .knows = ADDRESSES | INT8 | FLOAT16},
    {{"v14", STEP_GPU, "offsets of 64 bits"}, .gpu = spmv_vector_v14, .in_flight = 8, .knows = ALL},
    {{"v15", STEP_GPU, "long rows wait for a whole warp"}, .gpu = spmv_vector_v15, .in_flight = 8, .knows = ALL},
    {{"v16", STEP_GPU, "long rows go to the whole block"}, .gpu = spmv_vector_v16, .in_flight = 8, .knows = ALL},
    {{"v16/2", STEP_GPU, "v16 with 2 lanes"}, .gpu = spmv_vector_v16, .lanes = 2, .knows = ALL},
    {{"v16/4", STEP_GPU, "v16 with 4 lanes"}, .gpu = spmv_vector_v16, .lanes = 4, .knows = ALL},
    {{"v16/8", STEP_GPU, "v16 with 8 lanes"}, .gpu = spmv_vector_v16, .lanes = 8, .knows = ALL},
    {{"v16/16", STEP_GPU, "v16 with 16 lanes"}, .gpu = spmv_vector_v16, .lanes = 16, .knows = ALL},
    {{"v16/32", STEP_GPU, "v16 with 32 lanes"}, .gpu = spmv_vector_v16, .lanes = 32, .knows = ALL},
    {{"v17", STEP_GPU, "blocks of two warps, one shot"}, .gpu = spmv_vector_v17, .in_flight = 8},
    {{"student", STEP_GPU, "your own"}, .gpu = spmv_vector_student, .in_flight = 1},
};

static const step_t *step(size_t i)
{
    for (size_t k = 0; k < sizeof STEPS / sizeof *STEPS; ++k) {
        if (strcmp(STEPS[k].step.id, "student") == 0 && !spmv_vector_student) continue;
        if (i-- == 0) return &STEPS[k].step;
    }
    return spmv_peer(i);
}

static int lanes_of(const spmv_vector_step_t *s, const spmv_data_t *data)
{
    const spmv_vector_options_t *options = data->options;
    if (s->lanes) return s->lanes;
    return options && options->lanes ? options->lanes : spmv_vector_lanes(data->mean_row, s->in_flight);
}

static const char *skip(const step_t *base, const problem_t *p)
{
    if (spmv_is_peer(base)) return spmv_peer_skip(base, p);
    const spmv_vector_step_t *s = (const spmv_vector_step_t *)base;
    const spmv_data_t *data = p->data;
    if (p->dtype == DTYPE_I8 && !(s->knows & INT8)) return "no int8: v12 and later";
    if ((p->dtype == DTYPE_F16 || p->dtype == DTYPE_BF16) && !(s->knows & FLOAT16)) return "no 16-bit floats: v13 and later";
    if (!(s->knows & OFFSETS_64) && !s->cpu && data->host.offset_bits == 64) return "no 64-bit offsets: v14 and later";
    if (s->padded && data->A.nnz + 31 * data->A.rows > INT32_MAX) return "the padded matrix needs 64-bit offsets";
    return NULL;
}

/* ---- callbacks of the harness ------------------------------------------------------------------- */

/* The padded matrix on the card, as v5's state. */
static int pad_on_card(const spmv_data_t *data, unsigned multiple, void **state, err_t *err)
{
    csr_arrays_t host, *card = calloc(1, sizeof *card);
    if (!card) return err_set(err, "out of memory");
    *state = card;
    if (spmv_vector_pad(&host, &data->host, multiple, err)) return -1;
    const int failed = csr_arrays_upload(card, &host, err);
    csr_arrays_free(&host);
    return failed;
}

static int setup(const step_t *base, const problem_t *p, void **state, err_t *err)
{
    if (spmv_is_peer(base)) return spmv_peer_setup(base, p, state, err);
    const spmv_vector_step_t *s = (const spmv_vector_step_t *)base;
    return s->padded ? pad_on_card(p->data, (unsigned)lanes_of(s, p->data), state, err) : 0;
}

static void teardown(const step_t *base, const problem_t *p, void *state)
{
    if (spmv_is_peer(base)) spmv_peer_teardown(base, p, state);
    else if (state) csr_arrays_free_device(state);
    if (!spmv_is_peer(base)) free(state);
}

static int run(const step_t *base, const problem_t *p, void *state, void *out, err_t *err)
{
    if (spmv_is_peer(base)) return spmv_peer_run(base, p, state, out, err);
    const spmv_vector_step_t *s = (const spmv_vector_step_t *)base;
    const spmv_data_t *data = p->data;
    if (s->cpu) {
        s->cpu(&data->host, data->x, out);
        return 0;
    }
    const csr_arrays_t *A = s->padded ? state : &data->device;
    return device_ok(s->gpu(A, data->d_x, out, lanes_of(s, data), 0), base->id, err);
}

/* Longest chain of additions a term of a row of that length goes through: on the CPU all of the row, in a kernel
 * a lane's share, a batch more where a row starts early, the tree, the block's tree. */
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

static int check(const step_t *base, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    if (spmv_is_peer(base)) return spmv_judge(p, out, spmv_peer_depth, NULL, err_over_tol, err);
    const spmv_vector_step_t *s = (const spmv_vector_step_t *)base;
    const spmv_data_t *data = p->data;
    if (s->cpu) return spmv_judge(p, out, cpu_depth, NULL, err_over_tol, err);
    size_t lanes = (size_t)lanes_of(s, data);
    if ((s->knows & ADDRESSES) && data->misalign && lanes > 8) lanes = 8; /* what such a step uses then */
    return spmv_judge(p, out, lanes_depth, &lanes, err_over_tol, err);
}

const chapter_t SPMV_VECTOR = {
    .name = "05_spmv_vector",
    .doc = "y = A x for a sparse matrix: 2 to 32 lanes on each row, from a warp a row to the best of this layout.",
    .step = step, .skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = check,
};
