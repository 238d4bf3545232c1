/* cpu_engine.c - see cpu_engine.h: cuts the rows, runs the parts, describes the plan. */
#include "cpu_engine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cpu_part.h"
#include "cpu_pool.h"
#include "texts.h"

enum {
    ROW_WEIGHT = 2,       /* weight of a row; a nonzero has weight 1 */
    PART_WEIGHT = 4096,   /* a part with less weight is not worth waking a thread, */
    COLD_WEIGHT = 512,    /* but COLD_PARTS parts may be this small: if nothing is in cache each thread waits for its */
    COLD_PARTS = 16,      /* own misses, and a product of 10 us does little else */
    CUT_LENGTH = 8192     /* rows of this length may be cut between threads */
};

/* A row cut between parts: y[row] is the sum of `count` partial sums from `first` on. */
typedef struct cut_row {
    int32_t row;
    int first, count;
} cut_row_t;

struct cpu_engine {
    spmv_csr_t A;
    const cpu_kernels_t *kernels;
    int lanes;
    cpu_policy_t policy;
    const char *why;       /* why this policy was chosen */
    bool sees_values;      /* the option `values` */
    cpu_values_t stored;   /* how slices store values */
    spmv_run_t run;        /* the caller's function; NULL if the pool runs the parts */
    void *run_context;
    int part_count, partial_count, cut_row_count;
    cpu_part_t *parts;     /* [part_count] */
    cpu_range_t *ranges;   /* [part_count] */
    cut_row_t *cut_rows; /* [part_count] */
};

/* Returns the best kernels that this processor can run, or those that the environment variable SPMV_CPU names. */
static const cpu_kernels_t *choose_kernels(void)
{
    const char *wanted = getenv("SPMV_CPU");
    const cpu_kernels_t *all[] = {NULL, NULL, &cpu_kernels_plain};
#ifdef __x86_64__
    __builtin_cpu_init();
    /* A processor with AVX2 and FMA has F16C, too; clang 14 cannot test for F16C. */
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        all[0] = &cpu_kernels_avx512;
    if (avx2) all[1] = &cpu_kernels_avx2;
#endif
    for (size_t i = 0; wanted && i < 3; ++i)
        if (all[i] && strcmp(all[i]->name, wanted) == 0) return all[i];
    return all[0] ? all[0] : all[1] ? all[1] : all[2];
}

/* Returns whether the gather instruction is faster than single loads while x is in cache.  We measured this on Intel's
 * processors, but not on AMD's.  The environment variable SPMV_GATHER, 0 or 1, overrides it. */
static bool gathers_well(void)
{
    const char *wanted = getenv("SPMV_GATHER");
    if (wanted) return strcmp(wanted, "1") == 0;
#ifdef __x86_64__
    return __builtin_cpu_is("intel");
#else
    return false;
#endif
}

/* ---- cutting ------------------------------------------------------------------------------------ */

static int64_t weight_before(const spmv_csr_t *A, int64_t row) { return csr_offset(A, row) + ROW_WEIGHT * row; }

/* Returns the cut before which rows and nonzeros weigh `weight`: at the start of a row, or at a nonzero of a long
 * row. */
static cpu_cut_t cut_at(const spmv_csr_t *A, int64_t weight)
{
    int64_t low = 0, high = A->rows; /* finds the last row that starts at or before the weight */
    while (low < high) {
        const int64_t middle = low + (high - low + 1) / 2;
        if (weight_before(A, middle) <= weight) low = middle;
        else high = middle - 1;
    }
    cpu_cut_t cut = {(int32_t)low, 0, false};
    if (low == A->rows) return cut;
    const int64_t start = csr_offset(A, low), end = csr_offset(A, low + 1), inside = weight - weight_before(A, low);
    if (end - start >= CUT_LENGTH && inside > CUT_LENGTH / 4 && inside < end - start - CUT_LENGTH / 4) {
        cut.inside = true;
        cut.nz = (start + inside) & ~(int64_t)15;
    } else if (inside * 2 > end - start + ROW_WEIGHT) {
        ++cut.row;
    }
    return cut;
}

/* ---- parts -------------------------------------------------------------------------------------- */

void cpu_engine_run(const cpu_engine_t *e, void (*work)(void *context, int part), void *context)
{
    const bool large = (e->A.nnz + ROW_WEIGHT * e->A.rows) / PART_WEIGHT >= e->part_count;
    if (e->run && e->part_count > 1) e->run(e->run_context, e->part_count, work, context);
    else cpu_pool_run(e->part_count, large, work, context);
}

int cpu_engine_parts(const cpu_engine_t *e) { return e->part_count; }

static void free_parts(cpu_engine_t *e)
{
    for (int p = 0; e->parts && p < e->part_count; ++p) cpu_part_free(&e->parts[p]);
    free(e->parts);
    free(e->ranges);
    free(e->cut_rows);
    e->parts = NULL;
    e->ranges = NULL;
    e->cut_rows = NULL;
}

/* Numbers the partial sums of every row that is cut. */
static void number_partials(cpu_engine_t *e)
{
    cpu_range_t *ranges = e->ranges;
    e->partial_count = e->cut_row_count = 0;
    for (int p = 0; p < e->part_count; ++p) {
        const cpu_cut_t *from = &ranges[p].from, *to = &ranges[p].to;
        ranges[p].partial = e->partial_count;
        if (from->inside) {
            ++e->cut_rows[e->cut_row_count - 1].count;
            ++e->partial_count;
        }
        if (to->inside && !(from->inside && from->row == to->row)) {
            e->cut_rows[e->cut_row_count++] = (cut_row_t){to->row, e->partial_count, 1};
            ++e->partial_count;
        }
    }
}

static bool look_at_values(const cpu_engine_t *e, cpu_values_t *stored)
{
    return cpu_values_look(stored, &e->A, e->kernels->few[e->A.value_type], e->sees_values);
}

static void build_part(void *context, int p)
{
    const cpu_engine_t *e = context;
    cpu_part_build(&e->parts[p], &e->A, &e->ranges[p], e->lanes, &e->policy, &e->stored);
}

static spmv_status_t build_parts(cpu_engine_t *e)
{
    const int64_t weight = weight_before(&e->A, e->A.rows);
    cpu_range_t *ranges = calloc((size_t)e->part_count, sizeof *ranges);
    e->ranges = ranges;
    e->parts = calloc((size_t)e->part_count, sizeof *e->parts);
    e->cut_rows = calloc((size_t)e->part_count, sizeof *e->cut_rows);
    bool failed = !ranges || !e->parts || !e->cut_rows;
    if (!failed) {
        for (int p = 0; p < e->part_count; ++p) {
            ranges[p].from = p ? ranges[p - 1].to : (cpu_cut_t){0, 0, false};
            ranges[p].to = p + 1 < e->part_count ? cut_at(&e->A, weight / e->part_count * (p + 1))
                                                 : (cpu_cut_t){(int32_t)e->A.rows, 0, false};
        }
        number_partials(e);
        cpu_engine_run(e, build_part, e);
        for (int p = 0; p < e->part_count; ++p) failed = failed || e->parts[p].failed;
    }
    if (failed) free_parts(e);
    return failed ? SPMV_NO_MEMORY : SPMV_OK;
}

/* ---- running ------------------------------------------------------------------------------------ */

/* One execute; several may run at the same time. */
typedef struct product {
    const cpu_engine_t *e;
    double alpha, beta;
    const void *x;
    void *y;
    double partials[2 * POOL_PARTS];
} product_t;

static void run_part(void *context, int p)
{
    product_t *q = context;
    const cpu_part_t *part = &q->e->parts[p];
    const cpu_kernel_fn kernel = q->e->kernels->block[q->e->A.value_type];
    for (size_t b = 0; b < part->block_count; ++b)
        kernel(&q->e->A, part, &part->blocks[b], q->alpha, q->x, q->beta, q->y, q->partials);
}

/* Returns whether x, y and sums are doubles. */
static bool is_double(spmv_type_t type) { return vector_size(type) == sizeof(double); }

/* y[at] = alpha sum + beta y[at]. */
static void store(spmv_type_t type, void *y, int64_t at, double alpha, double sum, double beta)
{
    if (is_double(type)) {
        double *out = (double *)y + at;
        *out = beta == 0 ? alpha * sum : alpha * sum + beta * *out;
    } else {
        float *out = (float *)y + at;
        *out = (float)(beta == 0 ? alpha * sum : alpha * sum + beta * (double)*out);
    }
}

static void scale(const cpu_engine_t *e, double beta, void *y)
{
    const int64_t rows = e->A.rows;
    if (beta == 0) {
        memset(y, 0, (size_t)rows * vector_size(e->A.value_type));
    } else if (is_double(e->A.value_type)) {
        double *out = y;
        for (int64_t r = 0; r < rows; ++r) out[r] *= beta;
    } else {
        float *out = y;
        for (int64_t r = 0; r < rows; ++r) out[r] *= (float)beta;
    }
}

void cpu_engine_execute(const cpu_engine_t *e, double alpha, const void *x, double beta, void *y)
{
    if (!is_double(e->A.value_type)) {
        alpha = (float)alpha;
        beta = (float)beta;
    }
    if (alpha == 0) {
        scale(e, beta, y);
        return;
    }
    product_t q; /* not set to zero, because setting many partial sums would take long for a small matrix */
    q.e = e, q.alpha = alpha, q.beta = beta, q.x = x, q.y = y;
    cpu_engine_run(e, run_part, &q); /* the sums do not depend on which thread takes a part */
    for (int c = 0; c < e->cut_row_count; ++c) {
        const cut_row_t *cut = &e->cut_rows[c];
        double sum = 0;
        for (int i = 0; i < cut->count; ++i) sum += q.partials[cut->first + i];
        store(e->A.value_type, y, cut->row, alpha, sum, beta);
    }
}

/* ---- several right-hand sides ------------------------------------------------------------------- */

enum { PARTIALS = 4096 }; /* partial sums of one pass, on the stack */

/* One pass over A, for m.width columns of X. */
typedef struct many_product {
    const cpu_engine_t *e;
    bool by_columns;
    cpu_many_t m;
    double partials[PARTIALS]; /* [pieces x width], by_columns [width x pieces] */
} many_product_t;

static const void *column_of(const void *array, int64_t ld, int j, spmv_type_t type)
{
    return (const char *)array + (size_t)j * (size_t)ld * vector_size(type);
}

/* Multiplies column after column; a block of A, as it is stored, stays in the cache for all of them. */
static void run_part_by_columns(void *context, int p)
{
    many_product_t *q = context;
    const cpu_part_t *part = &q->e->parts[p];
    const spmv_csr_t *A = &q->e->A;
    const cpu_many_t *m = &q->m;
    const cpu_kernel_fn kernel = q->e->kernels->block[A->value_type];
    for (size_t b = 0; b < part->block_count; ++b)
        for (int j = 0; j < m->width; ++j)
            kernel(A, part, &part->blocks[b], m->alpha, column_of(m->x, m->ldx, j, A->value_type), m->beta,
                   (void *)column_of(m->y, m->ldy, j, A->value_type), q->partials + (ptrdiff_t)j * q->e->partial_count);
}

static void run_part_by_rows(void *context, int p)
{
    const many_product_t *q = context;
    q->e->kernels->many[q->e->A.value_type](&q->e->A, &q->e->ranges[p], &q->m);
}

/* The same for element (row, j) of Y. */
static void store_many(const many_product_t *q, int64_t row, int j, double sum)
{
    const cpu_many_t *m = &q->m;
    const int64_t at = q->by_columns ? row + j * m->ldy : row * m->ldy + j;
    store(q->e->A.value_type, m->y, at, m->alpha, sum, m->beta);
}

static void multiply_many(many_product_t *q)
{
    const cpu_engine_t *e = q->e;
    const int width = q->m.width;
    if (q->m.alpha == 0) { /* neither A nor X is read */
        for (int64_t row = 0; row < e->A.rows; ++row)
            for (int j = 0; j < width; ++j) store_many(q, row, j, 0);
        return;
    }
    cpu_engine_run(e, q->by_columns ? run_part_by_columns : run_part_by_rows, q);
    for (int c = 0; c < e->cut_row_count; ++c) {
        const cut_row_t *cut = &e->cut_rows[c];
        for (int j = 0; j < width; ++j) {
            double sum = 0;
            for (int i = cut->first; i < cut->first + cut->count; ++i)
                sum += q->partials[q->by_columns ? j * e->partial_count + i : i * width + j];
            store_many(q, cut->row, j, sum);
        }
    }
}

void cpu_engine_execute_many(const cpu_engine_t *e, int k, bool by_columns, double alpha, const void *x, int64_t ldx,
                             double beta, void *y, int64_t ldy)
{
    const spmv_type_t type = e->A.value_type;
    const int room = e->partial_count ? PARTIALS / e->partial_count : CPU_MANY;
    const int most = room < CPU_MANY ? room : CPU_MANY;
    const int passes = (k - 1) / most + 1, width = (k - 1) / passes + 1; /* 33 columns are 17 and 16 */
    many_product_t q; /* not set to zero, because setting many partial sums would take long for a small matrix */
    q.e = e, q.by_columns = by_columns;
    q.m.ldx = ldx, q.m.ldy = ldy, q.m.partials = q.partials;
    q.m.alpha = is_double(type) ? alpha : (double)(float)alpha;
    q.m.beta = is_double(type) ? beta : (double)(float)beta;
    for (int first = 0; first < k; first += width) {
        q.m.width = k - first < width ? k - first : width;
        q.m.x = x ? column_of(x, by_columns ? ldx : 1, first, type) : NULL;
        q.m.y = (void *)column_of(y, by_columns ? ldy : 1, first, type);
        multiply_many(&q);
    }
}

/* ---- choosing ----------------------------------------------------------------------------------- */

static const cpu_policy_t AS_IT_IS = {.store_anew = false, .gather = 0};
static const cpu_policy_t BY_SHAPE = {.store_anew = true, .slices = true, .runs = true, .longest = 256, .gather = -1};

/* Changes the engine from AVX-512 to AVX2.  Returns false if it does not use AVX-512. */
static bool take_narrower(cpu_engine_t *e)
{
#ifdef __x86_64__
    if (e->kernels != &cpu_kernels_avx512) return false;
    e->kernels = &cpu_kernels_avx2;
    e->lanes = e->kernels->lanes[e->A.value_type];
    return true;
#else
    (void)e;
    return false;
#endif
}

/* Does the same if this costs less: with half as many rows side by side, more slices consist of diagonals.  Looks at up
 * to SAMPLES times SAMPLE_ROWS rows. */
static void take_narrower_for_diagonals(cpu_engine_t *e)
{
    enum { SAMPLES = 4, SAMPLE_ROWS = 512 };
    cpu_engine_t other = *e;
    if (!e->policy.slices || getenv("SPMV_CPU") || !take_narrower(&other)) return;
    const int64_t step = e->A.rows / SAMPLES;
    double sum = 0, sum_of_other = 0;
    for (int64_t i = 0; step > 0 && i < SAMPLES; ++i) {
        const int32_t count = (int32_t)(step < SAMPLE_ROWS ? step : SAMPLE_ROWS), row = (int32_t)(i * step);
        const double cost = cpu_part_cost(&e->A, row, count, e->lanes, &e->policy),
                     cost_of_other = cpu_part_cost(&e->A, row, count, other.lanes, &e->policy);
        if (cost > 0 && cost_of_other > 0) sum += cost, sum_of_other += cost_of_other;
    }
    if (sum_of_other < 0.8 * sum) *e = other;
}

/* Policies that tuning compares with BY_SHAPE. */
static const struct {
    cpu_policy_t policy;
    const char *why;
} CANDIDATES[] = {
    {{.store_anew = true, .slices = true, .runs = true, .longest = 256, .gather = 0}, "timed: fastest without gathers"},
    {{.store_anew = true, .slices = true, .runs = true, .longest = 256, .gather = 1},
     "timed: fastest with gathers everywhere"},
    {{.store_anew = true, .slices = true, .runs = true, .longest = 64, .gather = -1},
     "timed: fastest with slices of short rows only"},
    {{.store_anew = true, .slices = false, .runs = true, .longest = 256, .gather = 0}, "timed: fastest row by row"},
    {{.store_anew = false, .gather = 0}, "timed: fastest without converting it"},
    {{.store_anew = true, .slices = true, .runs = true, .longest = 256, .gather = 0, .narrower = true},
     "timed: fastest with narrower vectors"},
};

static const double ROUND_SECONDS = 200e-6, TRY_SECONDS = 0.03;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the mean time of a product, in seconds. */
static double time_products(const cpu_engine_t *e, const void *x, void *y, int products)
{
    const double start = now();
    for (int i = 0; i < products; ++i) cpu_engine_execute(e, 1, x, 0, y);
    return (now() - start) / products;
}

/* Returns whether `other` takes less than 0.95 of the time of e.  They take turns, and in every other round the other
 * one is first, so that a busy machine slows both equally.  A round is long compared with the clock's step and with the
 * time to bring the plan into cache again. */
static bool is_faster(const cpu_engine_t *other, const cpu_engine_t *e, const void *x, void *y)
{
    const double once = time_products(other, x, y, 1) + time_products(e, x, y, 1), start = now();
    const int products = once > 2 * ROUND_SECONDS ? 1 : (int)(2 * ROUND_SECONDS / (once + 1e-9)) + 1;
    double best[2] = {1e30, 1e30}; /* of e, of other */
    for (int round = 0; round < 16 && (round < 4 || now() - start < TRY_SECONDS); ++round)
        for (int i = 0; i < 2; ++i) {
            const int which = (round + i) % 2;
            const double took = time_products(which ? other : e, x, y, products);
            if (took < best[which]) best[which] = took;
        }
    return best[1] < 0.95 * best[0];
}

/* Builds the candidates one after the other and keeps the fastest engine. */
static spmv_status_t tune(cpu_engine_t *e)
{
    const size_t size = vector_size(e->A.value_type);
    void *x = malloc(((size_t)e->A.cols + 1) * size), *y = calloc((size_t)e->A.rows + 1, size);
    spmv_status_t status = x && y ? SPMV_OK : SPMV_NO_MEMORY;
    const bool wanted = getenv("SPMV_CPU") != NULL; /* the user selected an instruction set */
    const cpu_engine_t first = *e;
    if (status == SPMV_OK) {
        memset(x, 0x3f, (size_t)e->A.cols * size); /* any number; writing makes the system allocate the pages */
        for (size_t c = 0; c < sizeof CANDIDATES / sizeof *CANDIDATES && status == SPMV_OK; ++c) {
            cpu_engine_t other = first;
            other.policy = CANDIDATES[c].policy;
            other.why = CANDIDATES[c].why;
            if (other.policy.narrower && (wanted || !take_narrower(&other))) continue;
            status = build_parts(&other);
            if (status != SPMV_OK) break;
            if (is_faster(&other, e, x, y) && is_faster(&other, e, x, y)) { /* twice, so that luck does not decide */
                free_parts(e);
                *e = other;
            } else {
                free_parts(&other);
            }
        }
    }
    free(x);
    free(y);
    return status;
}

static int64_t parts_wanted(int64_t weight)
{
    const int64_t few = weight / COLD_WEIGHT < COLD_PARTS ? weight / COLD_WEIGHT : COLD_PARTS;
    if (weight < PART_WEIGHT) return 1;
    return weight / PART_WEIGHT > few ? weight / PART_WEIGHT : few;
}

spmv_status_t cpu_engine_create(cpu_engine_t **engine, const spmv_csr_t *A, const spmv_options_t *options)
{
    cpu_engine_t *e = calloc(1, sizeof *e);
    *engine = e;
    if (!e) return FAIL(SPMV_NO_MEMORY, "out of memory");
    const int64_t wanted = parts_wanted(weight_before(A, A->rows));
    int threads = options->threads ? options->threads : cpu_pool_threads();
    if (threads > POOL_PARTS) threads = POOL_PARTS;
    e->A = *A;
    e->kernels = choose_kernels();
    e->lanes = e->kernels->lanes[A->value_type];
    e->part_count = wanted < threads ? (int)wanted : threads;
    e->run = options->run;
    e->run_context = options->run_context;
    e->policy = options->setup != SPMV_SETUP_PLAN ? AS_IT_IS : BY_SHAPE;
    if (gathers_well()) e->policy.gather = 1;
    else if (strcmp(e->kernels->name, "avx512") != 0) e->policy.gather = 0;
    e->why = options->setup != SPMV_SETUP_PLAN ? "setup is not SPMV_SETUP_PLAN"
                                               : "chosen by the shape of each block of rows";
    take_narrower_for_diagonals(e);
    cpu_pool_retry();
    e->sees_values = options->values && options->setup == SPMV_SETUP_PLAN;
    spmv_status_t status = look_at_values(e, &e->stored) ? build_parts(e) : SPMV_NO_MEMORY;
    if (status == SPMV_OK && options->tune && options->setup == SPMV_SETUP_PLAN) status = tune(e);
    if (status == SPMV_OK) return SPMV_OK;
    cpu_engine_destroy(e);
    *engine = NULL;
    return FAIL(status, "no memory for a plan of %lld rows and %lld nonzeros", (long long)A->rows, (long long)A->nnz);
}

static void update_part(void *context, int p)
{
    const cpu_engine_t *e = context;
    cpu_part_values(&e->parts[p], &e->A, e->lanes, &e->stored);
}

spmv_status_t cpu_engine_update(cpu_engine_t *e, const void *values)
{
    cpu_engine_t other = *e;
    other.A.values = values;
    if (!look_at_values(&other, &other.stored)) return FAIL(SPMV_NO_MEMORY, "out of memory for inspecting the values");
    if (other.stored.stored == e->stored.stored) { /* the new values take the same bytes */
        cpu_values_free(&e->stored);
        *e = other;
        cpu_engine_run(e, update_part, e);
        return SPMV_OK;
    }
    if (build_parts(&other) != SPMV_OK) {
        cpu_values_free(&other.stored);
        return FAIL(SPMV_NO_MEMORY, "no memory to store the new values");
    }
    free_parts(e);
    cpu_values_free(&e->stored);
    *e = other;
    return SPMV_OK;
}

void cpu_engine_describe(const cpu_engine_t *e, char *text, size_t size)
{
    cpu_part_t all = {0};
    for (int p = 0; p < e->part_count; ++p) {
        const cpu_part_t *part = &e->parts[p];
        for (int f = 0; f < CPU_FORMS; ++f) all.nonzeros[f] += part->nonzeros[f];
        all.diagonal_slices += part->diagonal_slices;
        all.slice_count += part->slice_count;
        all.long_nonzeros += part->long_nonzeros;
        all.narrow_nonzeros += part->narrow_nonzeros;
        all.padded += part->padded;
    }
    const double percent = e->A.nnz ? 100.0 / (double)e->A.nnz : 0;
    text[0] = 0;
    tell(text, size,
         "%s kernels, %d parts of equal work, %d rows cut between them; %s\n"
         "nonzeros: %.0f %% row by row, %.0f %% in runs of columns, %.0f %% in slices of %d rows\n",
         e->kernels->name, e->part_count, e->cut_row_count, e->why,
         percent * (double)(all.nonzeros[CPU_ROWS] + all.long_nonzeros), percent * (double)all.nonzeros[CPU_RUNS],
         percent * (double)(all.nonzeros[CPU_SLICES] - all.long_nonzeros), e->lanes);
    if (!e->policy.store_anew) return;
    tell(text, size,
         "columns in 16 bits for %.0f %%; %zu of %zu slices are diagonals, which need no gather; %zu values with "
         "padding\n",
         percent * (double)all.narrow_nonzeros, all.diagonal_slices, all.slice_count, all.padded);
    if (!e->sees_values) return;
    static const char *const FORMS[] = {"as they are", "in half the bytes, which they fit",
                                        "as 8-bit indices into a table of registers", "as 8-bit indices into a table",
                                        "as 16-bit indices into a table"};
    tell(text, size, "values of slices: %s", FORMS[e->stored.stored]);
    if (e->stored.table) tell(text, size, " of %u", e->stored.count);
    tell(text, size, "\n");
}

size_t cpu_engine_bytes(const cpu_engine_t *e)
{
    size_t bytes = sizeof *e + cpu_values_bytes(&e->stored) +
                   (size_t)e->part_count * (sizeof *e->parts + sizeof *e->ranges + sizeof *e->cut_rows);
    for (int p = 0; p < e->part_count; ++p) bytes += e->parts[p].bytes;
    return bytes;
}

void cpu_engine_destroy(cpu_engine_t *e)
{
    if (!e) return;
    free_parts(e);
    cpu_values_free(&e->stored);
    free(e);
}
