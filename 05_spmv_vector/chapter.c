/* 05_spmv_vector - the table of steps, and what the harness needs to run and judge them. */
#include "spmv_vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matgen.h"

#ifdef COURSE_CUDA
enum { ON_CARD = 1 };
#else /* cuSPARSE is not linked into a simt build, where the harness skips its rows */
enum { ON_CARD = 0 };
#define spmv_cusparse_setup(form, data, state, err) (-1)
#define spmv_cusparse_run(state, out, err) (-1)
#define spmv_cusparse_teardown(state) ((void)0)
#endif

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
    fprintf(stderr, "%s: %zu x %zu, %zu nonzeros, %.1f a row (%zu to %zu); lanes by mean: v3-v6 %d, v7 %d, v8-v13 %d\n",
            name, A->rows, A->cols, A->nnz, s.mean_row, s.min_row, s.max_row, spmv_vector_lanes(s.mean_row, 1),
            spmv_vector_lanes(s.mean_row, 4), spmv_vector_lanes(s.mean_row, 8));
}

/* ---- the steps ---------------------------------------------------------------------------------- */

typedef struct spmv_vector_step {
    step_t step;
    spmv_vector_cpu_fn cpu;
    spmv_vector_gpu_fn gpu;
    const spmv_cusparse_form_t *cusparse;
    int lanes;       /* lanes whatever the matrix; 0: --lanes, else by the mean row */
    int in_flight;   /* nonzeros in flight in a lane: which column of the rule */
    bool padded;     /* takes the padded matrix */
    bool all_types;  /* all value types and 64-bit offsets */
    bool librsb, tune;
} spmv_vector_step_t;

#define FORM(...) &(const spmv_cusparse_form_t){__VA_ARGS__}

static const spmv_vector_step_t STEPS[] = {
    {{"c1", STEP_CPU, "one core, row by row"}, .cpu = spmv_vector_cpu_serial},
    {{"c2", STEP_CPU, "OpenMP, equal blocks of rows"}, .cpu = spmv_vector_cpu_openmp},
    {{"librsb", STEP_CPU_PEER, "librsb, recursive blocks"}, .librsb = true},
    {{"librsb_tuned", STEP_CPU_PEER, "librsb after rsb_tune_spmm"}, .librsb = true, .tune = true},

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
    {{"v11", STEP_GPU, "any value and offset type"}, .gpu = spmv_vector_v11, .in_flight = 8, .all_types = true},
    {{"v12", STEP_GPU, "long rows go to the whole block"}, .gpu = spmv_vector_v12, .in_flight = 8, .all_types = true},
    {{"v12/2", STEP_GPU, "v12 with 2 lanes"}, .gpu = spmv_vector_v12, .lanes = 2, .all_types = true},
    {{"v12/4", STEP_GPU, "v12 with 4 lanes"}, .gpu = spmv_vector_v12, .lanes = 4, .all_types = true},
    {{"v12/8", STEP_GPU, "v12 with 8 lanes"}, .gpu = spmv_vector_v12, .lanes = 8, .all_types = true},
    {{"v12/16", STEP_GPU, "v12 with 16 lanes"}, .gpu = spmv_vector_v12, .lanes = 16, .all_types = true},
    {{"v12/32", STEP_GPU, "v12 with 32 lanes"}, .gpu = spmv_vector_v12, .lanes = 32, .all_types = true},
    {{"v13", STEP_GPU, "blocks of two warps, one shot"}, .gpu = spmv_vector_v13, .in_flight = 8},
    {{"student", STEP_GPU, "your own"}, .gpu = spmv_vector_student, .in_flight = 1},

    {{"cusparse_csr", STEP_GPU_PEER, "cuSPARSE CSR"}, .cusparse = FORM(CUSPARSE_CSR, 0, false)},
    {{"cusparse_csr_alg1", STEP_GPU_PEER, "cuSPARSE CSR, ALG1"}, .cusparse = FORM(CUSPARSE_CSR, 1, false)},
    {{"cusparse_csr_alg2", STEP_GPU_PEER, "cuSPARSE CSR, ALG2"}, .cusparse = FORM(CUSPARSE_CSR, 2, false)},
    {{"cusparse_csr_pre", STEP_GPU_PEER, "cuSPARSE CSR, preprocessed"}, .cusparse = FORM(CUSPARSE_CSR, 0, true)},
    {{"cusparse_csr_alg1_pre", STEP_GPU_PEER, "cuSPARSE CSR, ALG1, preprocessed"},
     .cusparse = FORM(CUSPARSE_CSR, 1, true)},
    {{"cusparse_csr_alg2_pre", STEP_GPU_PEER, "cuSPARSE CSR, ALG2, preprocessed"},
     .cusparse = FORM(CUSPARSE_CSR, 2, true)},
    {{"cusparse_coo_alg1", STEP_GPU_PEER, "cuSPARSE COO, ALG1"}, .cusparse = FORM(CUSPARSE_COO, 1, true)},
    {{"cusparse_coo_alg2", STEP_GPU_PEER, "cuSPARSE COO, ALG2"}, .cusparse = FORM(CUSPARSE_COO, 2, true)},
    {{"cusparse_sell", STEP_GPU_PEER, "cuSPARSE sliced ELL, slices of 32"}, .cusparse = FORM(CUSPARSE_SELL, 1, true)},
    {{"cusparse_bsr", STEP_GPU_PEER, "cuSPARSE BSR, blocks of 2 x 2"}, .cusparse = FORM(CUSPARSE_BSR, 1, true)},
};

static const step_t *step(size_t i)
{
    for (size_t k = 0; k < sizeof STEPS / sizeof *STEPS; ++k) {
        if (strcmp(STEPS[k].step.id, "student") == 0 && !spmv_vector_student) continue;
        if (i-- == 0) return &STEPS[k].step;
    }
    return NULL;
}

static bool is_peer(const step_t *s) { return s->kind == STEP_CPU_PEER || s->kind == STEP_GPU_PEER; }

static int lanes_of(const spmv_vector_step_t *s, const spmv_vector_data_t *data)
{
    if (s->lanes) return s->lanes;
    return data->lanes ? data->lanes : spmv_vector_lanes(data->mean_row, s->in_flight);
}

static const char *skip(const step_t *base, const problem_t *p)
{
    const spmv_vector_step_t *s = (const spmv_vector_step_t *)base;
    const spmv_vector_data_t *data = p->data;
    const csr_t *A = &data->A;
    if (s->librsb && !spmv_librsb_present()) return "built without librsb";
    if (!s->all_types && p->dtype != DTYPE_F32 && p->dtype != DTYPE_F64) return "fp32 and fp64 only";
    if (!s->all_types && !s->cpu && data->host.offset_bits == 64) return "32-bit offsets only";
    if (is_peer(base) && (A->rows == 0 || A->cols == 0 || A->nnz == 0)) return "the library takes no empty matrix";
    if (s->padded && A->nnz + 31 * A->rows > INT32_MAX) return "the padded matrix needs 64-bit offsets";
    return NULL;
}

/* ---- the padded matrix of v5 -------------------------------------------------------------------- */

int spmv_vector_pad(csr_arrays_t *out, const csr_arrays_t *A, unsigned multiple, err_t *err)
{
    const size_t value_size = dtype_size(A->value_type);
    const int32_t *from = A->row_offsets;
    *out = *A;
    out->nnz = 0;
    for (size_t r = 0; r < A->rows; ++r)
        out->nnz += ((size_t)(from[r + 1] - from[r]) + multiple - 1) / multiple * multiple;
    int32_t *to = malloc((A->rows + 1) * sizeof *to);
    out->row_offsets = to;
    out->col_indices = malloc((out->nnz + 1) * sizeof *out->col_indices);
    out->values = calloc(out->nnz + 1, value_size);
    if (!to || !out->col_indices || !out->values) {
        csr_arrays_free(out);
        return err_set(err, "out of memory for a padded matrix of %zu entries", out->nnz);
    }
    to[0] = 0;
    for (size_t r = 0; r < A->rows; ++r) {
        const size_t length = (size_t)(from[r + 1] - from[r]), padded = (length + multiple - 1) / multiple * multiple;
        memcpy(out->col_indices + to[r], A->col_indices + from[r], length * sizeof *out->col_indices);
        memcpy((char *)out->values + (size_t)to[r] * value_size, (char *)A->values + (size_t)from[r] * value_size,
               length * value_size);
        for (size_t k = length; k < padded; ++k) out->col_indices[(size_t)to[r] + k] = -1;
        to[r + 1] = to[r] + (int32_t)padded;
    }
    return 0;
}

static void free_on_card(csr_arrays_t *a)
{
    device_free(a->row_offsets);
    device_free(a->col_indices);
    device_free(a->values);
    free(a);
}

/* The padded matrix on the card, as v5's state. */
static int pad_on_card(const spmv_vector_data_t *data, unsigned multiple, void **state, err_t *err)
{
    csr_arrays_t host, *card = calloc(1, sizeof *card);
    if (!card) return err_set(err, "out of memory");
    if (spmv_vector_pad(&host, &data->host, multiple, err)) {
        free(card);
        return -1;
    }
    *card = host;
    card->row_offsets = device_upload(host.row_offsets, (host.rows + 1) * sizeof(int32_t), "row_offsets (padded)", err);
    card->col_indices = device_upload(host.col_indices, host.nnz * sizeof(int32_t), "col_indices (padded)", err);
    card->values = device_upload(host.values, host.nnz * dtype_size(host.value_type), "values (padded)", err);
    csr_arrays_free(&host);
    if (!card->row_offsets || !card->col_indices || !card->values) {
        free_on_card(card);
        return -1;
    }
    *state = card;
    return 0;
}

/* ---- callbacks of the harness ------------------------------------------------------------------- */

static int setup(const step_t *base, const problem_t *p, void **state, err_t *err)
{
    const spmv_vector_step_t *s = (const spmv_vector_step_t *)base;
    const spmv_vector_data_t *data = p->data;
    if (s->padded) return pad_on_card(data, (unsigned)lanes_of(s, data), state, err);
    if (s->librsb) return spmv_librsb_setup(data, s->tune, state, err);
    if (s->cusparse && ON_CARD) return spmv_cusparse_setup(s->cusparse, data, state, err);
    return 0;
}

static void teardown(const step_t *base, const problem_t *p, void *state)
{
    (void)p;
    const spmv_vector_step_t *s = (const spmv_vector_step_t *)base;
    if (s->padded) free_on_card(state);
    else if (s->librsb) spmv_librsb_teardown(state);
    else if (s->cusparse) spmv_cusparse_teardown(state);
}

static int run(const step_t *base, const problem_t *p, void *state, void *out, err_t *err)
{
    const spmv_vector_step_t *s = (const spmv_vector_step_t *)base;
    const spmv_vector_data_t *data = p->data;
    if (s->cpu) {
        s->cpu(&data->host, data->x, out);
        return 0;
    }
    if (s->librsb) return spmv_librsb_run(state, data->x, out, err);
    if (s->cusparse) return spmv_cusparse_run(state, out, err);
    const csr_arrays_t *A = s->padded ? state : &data->device;
    return device_ok(s->gpu(A, data->d_x, out, lanes_of(s, data), 0), base->id, err);
}

/* Longest chain of additions a term of a row of that length goes through.
 *   CPU steps   all of the row.
 *   kernels     a lane's share, a batch more where a row starts early, the tree, the block's tree.
 *   libraries   unknown: the row, but no more than 1024, since none sums longer rows in one chain. */
static size_t depth(const spmv_vector_step_t *s, size_t length, size_t lanes)
{
    enum { LONGEST_OF_A_LIBRARY = 1024, BATCH = 8, TREES = 5 + 3 + 3 };
    if (s->cpu) return length;
    if (is_peer(&s->step)) return length < LONGEST_OF_A_LIBRARY ? length : LONGEST_OF_A_LIBRARY;
    return (length + lanes - 1) / lanes * 9 / 8 + BATCH + TREES; /* 9/8: a batch of 8 is added up first */
}

static int check(const step_t *base, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    const spmv_vector_step_t *s = (const spmv_vector_step_t *)base;
    const spmv_vector_data_t *data = p->data;
    const dtype_t vector_type = dtype_vector(p->dtype);
    size_t lanes = s->gpu ? (size_t)lanes_of(s, data) : 1;
    if (s->all_types && data->misalign && lanes > 8) lanes = 8; /* what v11 and v12 use then */
    for (size_t r = 0; r < data->A.rows; ++r) {
        const size_t length = (size_t)(data->A.row_offsets[r + 1] - data->A.row_offsets[r]);
        data->tolerance[r] = data->exact ? 0 : verify_tolerance(depth(s, length, lanes), vector_type, data->abs_sum[r]);
    }
    const verify_result_t v = verify(out, vector_type, data->A.rows, data->y, data->tolerance);
    *err_over_tol = v.err_over_tol;
    if (v.ok) return 0;
    char text[200];
    verify_describe(&v, "y", text, sizeof text);
    return err_set(err, "%s", text);
}

const chapter_t SPMV_VECTOR = {
    .name = "05_spmv_vector",
    .doc = "y = A x for a sparse matrix: 2 to 32 lanes on each row, from a warp a row to the best of this layout.",
    .step = step, .skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = check,
};

/* ---- problems ------------------------------------------------------------------------------------ */

/* The matrix as the kernels see it, in *A: offsets and columns of from, values of its own. */
static int take_matrix(csr_t *A, const csr_t *from, const spmv_vector_spec_t *spec, err_t *err)
{
    *A = *from;
    A->values = malloc((from->nnz ? from->nnz : 1) * sizeof *A->values);
    if (!A->values) return err_set(err, "out of memory for %zu values", from->nnz);
    if (spec->exact) {
        enum { TERMS = 1 << 17 }; /* of at most 8 * 8: a row's sums are exact in fp32, in any order */
        matgen_vector(A->values, from->nnz, spec->seed + 1, 1);
        for (size_t r = 0; r < A->rows; ++r)
            for (int64_t nz = A->row_offsets[r] + TERMS; nz < A->row_offsets[r + 1]; ++nz) A->values[nz] = 0;
        return 0;
    }
    double largest = 0;
    for (size_t nz = 0; nz < from->nnz; ++nz) largest = fmax(largest, fabs(from->values[nz]));
    /* int8 holds 255 steps of the largest value, as a quantised network does */
    const double scale = spec->dtype == DTYPE_I8 && largest > 0 ? 127 / largest : 1;
    for (size_t nz = 0; nz < from->nnz; ++nz) A->values[nz] = dtype_round(spec->dtype, scale * from->values[nz]);
    return 0;
}

/* Copies an array to the card, `misalign` elements behind a 256-byte border; *base is what to free. */
static void *to_card(const void *host, size_t count, size_t size, size_t misalign, const char *name,
                     void **base, err_t *err)
{
    *base = device_alloc((count + misalign) * size, name, err);
    if (!*base) return NULL;
    char *d = (char *)*base + misalign * size;
    return device_ok(cudaMemcpy(d, host, count * size, cudaMemcpyHostToDevice), name, err) ? NULL : d;
}

static int fill_card(spmv_vector_data_t *data, err_t *err)
{
    const csr_arrays_t *h = &data->host;
    const size_t m = data->misalign, vector_size = dtype_size(dtype_vector(h->value_type));
    csr_arrays_t *d = &data->device;
    *d = *h;
    d->row_offsets = to_card(h->row_offsets, h->rows + 1, (size_t)h->offset_bits / 8, m, "row_offsets",
                             &data->d_memory[0], err);
    if (!d->row_offsets) return -1;
    d->col_indices = to_card(h->col_indices, h->nnz, sizeof(int32_t), m, "col_indices", &data->d_memory[1], err);
    if (!d->col_indices) return -1;
    d->values = to_card(h->values, h->nnz, dtype_size(h->value_type), m, "values", &data->d_memory[2], err);
    if (!d->values) return -1;
    data->d_x = to_card(data->x, h->cols, vector_size, m, "x", &data->d_memory[3], err);
    return data->d_x ? 0 : -1;
}

int spmv_vector_open(problem_t *p, const spmv_vector_spec_t *spec, err_t *err)
{
    const csr_t *from = spec->A;
    const size_t rows = from->rows, cols = from->cols;
    const dtype_t vector_type = dtype_vector(spec->dtype);
    const size_t vector_size = dtype_size(vector_type);
    spmv_vector_data_t *data = calloc(1, sizeof *data);
    double *x = malloc((cols ? cols : 1) * sizeof *x);
    *p = (problem_t){.name = NULL, .dtype = spec->dtype, .data = data, .reads_only = false,
                     .bytes = csr_spmv_bytes(rows, cols, from->nnz, spec->dtype, spec->offset_bits),
                     .cpu = spec->cpu, .gpu = spec->gpu, .out_bytes = rows * vector_size};
    if (!data || !x) {
        err_set(err, "out of memory");
        goto fail;
    }
    snprintf(data->name, sizeof data->name, "%s%s%s", spec->name, spec->offset_bits == 64 ? " 64-bit offsets" : "",
             spec->exact ? " exact" : "");
    p->name = data->name;
    data->exact = spec->exact;
    data->lanes = spec->lanes;
    data->mean_row = spec->mean_row > 0 ? spec->mean_row : rows ? (double)from->nnz / (double)rows : 0;
    data->misalign = spec->misalign;

    data->x = malloc(cols * vector_size + 1);
    data->y = malloc((rows + 1) * sizeof *data->y);
    data->abs_sum = malloc((rows + 1) * sizeof *data->abs_sum);
    data->tolerance = malloc((rows + 1) * sizeof *data->tolerance);
    if (!data->x || !data->y || !data->abs_sum || !data->tolerance) {
        err_set(err, "out of memory for vectors of %zu and %zu", cols, rows);
        goto fail;
    }
    if (take_matrix(&data->A, from, spec, err)) goto fail;
    if (csr_arrays_from(&data->host, &data->A, spec->dtype, spec->offset_bits, err)) goto fail;

    matgen_vector(x, cols, spec->seed, spec->exact);
    for (size_t c = 0; c < cols; ++c) x[c] = dtype_round(vector_type, x[c]);
    dtype_from_double(vector_type, data->x, x, cols);
    reference_spmv(&data->A, x, data->y, data->abs_sum);
    free(x);
    x = NULL;

    if (spec->gpu && fill_card(data, err)) goto fail;
    return 0;
fail:
    free(x);
    spmv_vector_close(p);
    return -1;
}

void spmv_vector_close(problem_t *p)
{
    spmv_vector_data_t *data = (spmv_vector_data_t *)p->data;
    if (!data) return;
    free(data->A.values);
    csr_arrays_free(&data->host);
    for (int i = 0; i < 4; ++i) device_free(data->d_memory[i]);
    free(data->x);
    free(data->y);
    free(data->abs_sum);
    free(data->tolerance);
    free(data);
    p->data = NULL;
}
