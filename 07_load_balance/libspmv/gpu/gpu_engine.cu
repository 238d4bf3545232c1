/*
 * gpu_engine.cu - the GPU back end: chooses the kernels and describes the choice.
 *
 *   rows     a vector of lanes on each row                         gpu_rows.cu
 *   spans    equal spans of rows and nonzeros, a warp to each      gpu_spans.cu
 *   guided   ... the last of them small                            gpu_spans.cu
 *   long     equal pieces of the nonzeros, for long rows           gpu_long.cu
 *   mixed    lanes on each row, or spans where rows are uneven     gpu_mixed.cu
 *   slices   the matrix stored anew in slices, narrow columns      gpu_slices.cu, gpu_slices_in_order.cu, gpu_hot.cu,
 *                                                                  gpu_slices_pairs.cu
 *   tiles    ... by tiles of x that fit shared memory              gpu_tiles.cu, gpu_tiles_build.cu
 *   wide     ... for few long rows over many columns               gpu_wide.cu, gpu_wide_build.cu
 *   granules the matrix stored anew, 4 nonzeros of a row together  gpu_granules.cu, gpu_granules_build.cu
 *   many     several right-hand sides, CSR as it is, or slices     gpu_many_rows.cu, gpu_many_slices.cu
 *
 * The rule (gpu_choice.h) picks a variant: without set-up from the columns and the mean row, otherwise from a look at
 * the matrix (gpu_features.cu).  With `tune` all variants are built and timed (gpu_timing.cu), and the fastest is kept.
 *
 * Rows that several blocks share need scratch memory, which two executes at once would both write.  Without
 * `exclusive` no row is shared: a huge row is then one block's work, or one warp's (spans).
 * Sums are always added in the same order, so they have the same bits each time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "texts.h"
#include "gpu_build.cuh"
#include "gpu_features.h"
#include "gpu_granules.h"
#include "gpu_many.h"
#include "gpu_narrow.h"
#include "gpu_slices.h"
#include "gpu_table.h"
#include "gpu_tiles.h"
#include "gpu_timing.h"
#include "gpu_wide.h"

struct gpu_engine {
    gpu_csr_t A;
    bool sees_values;  // the option `values`
    gpu_csr_t seen;    // A as the kernels read it: with narrower values if they fit
    void *narrow;      // the narrower values if CSR is read as it is; NULL if A's values are read
    gpu_features_t features;
    gpu_variant_t variant;
    gpu_family_t family; // the variant's, or another if the matrix does not allow that
    unsigned reach;      // GPU_ROWS, GPU_MIXED
    unsigned width;      // GPU_MIXED: lanes on a row
    uint32_t heavy;      // GPU_MIXED
    spans_t spans; // GPU_SPANS, GPU_GUIDED, GPU_LONG, GPU_MIXED
    slices_t slices;
    tiles_t tiles;
    wide_t wide;
    granules_t granules;
    many_t many;
};

enum {
    SPAN_BLOCKS = 4,       // blocks of 8 warps on each SM, if no variant sets their number
    LONG_COLUMN = 2 << 20, // bytes of x in a long column
    SORT_STEPS = 32,       // steps of the slices that replace tiles if the matrix does not allow tiles: VARIANT_SORT_32
    SHORTEST_SPAN = 256,
    SHORTEST_LIMIT = 512,
    SHORTEST_SMALL = 512 // the shortest small span of a guided line, because each span costs a search
};

// Cuts a line of places into equal spans of at least SHORTEST_SPAN, one for each warp.  If `guided` and the line is
// long enough, only four fifths of it are cut this way, and the rest into spans of an eighth of their length.
static cuts_t cut(uint64_t places, uint64_t warps, uint64_t grain, bool guided)
{
    if (guided && places / 5 * 4 / warps >= 2 * SHORTEST_SMALL) {
        const uint64_t span = places / 5 * 4 / warps,
                       small = span / 8 > SHORTEST_SMALL ? span / 8 : (uint64_t)SHORTEST_SMALL;
        return cuts_t{(uint32_t)span, (uint32_t)warps, (uint32_t)small};
    }
    uint64_t span = ((places + warps - 1) / warps + grain - 1) / grain * grain;
    if (span < SHORTEST_SPAN) span = SHORTEST_SPAN;
    return cuts_t{(uint32_t)span, (uint32_t)((places + span - 1) / span), (uint32_t)span};
}

// Cuts the line of rows and nonzeros, or of the nonzeros alone (GPU_LONG), for the warps of `blocks` blocks on each SM.
// Waits for the stream, so that executes on other streams find the scratch memory 0.
static cudaError_t choose_spans(gpu_engine_t *e, int blocks, int exclusive, cudaStream_t stream)
{
    const gpu_csr_t *A = &e->A;
    int sms = 0;
    TRY(gpu_attribute(&sms, cudaDevAttrMultiProcessorCount));
    const bool is_long = e->family == GPU_LONG;
    const uint64_t places = (uint64_t)A->nnz + (is_long ? 0 : (uint64_t)A->rows);
    const cuts_t c = cut(places, (uint64_t)sms * (uint64_t)blocks * 8, is_long ? LANES : 1, e->family == GPU_GUIDED);
    const uint64_t in_large = (uint64_t)c.large * c.span, behind = places > in_large ? places - in_large : 0;
    e->spans.cuts = c;
    e->spans.warps = c.large + (uint32_t)((behind + c.small - 1) / c.small);
    e->spans.limit = SPANS_NO_LIMIT;
    if (!exclusive) return cudaSuccess;
    const size_t bytes = spans_scratch_bytes(e->spans.warps, A->value_type);
    e->spans.limit = c.small > SHORTEST_LIMIT ? c.small : (uint32_t)SHORTEST_LIMIT;
    TRY(gpu_take(&e->spans.scratch, bytes, stream));
    TRY(cudaMemsetAsync(e->spans.scratch, 0, bytes, stream));
    return cudaStreamSynchronize(stream);
}

// Chooses lanes on each row, and spans for the rows of a block that have HEAVY times the nonzeros of an even matrix.
static cudaError_t choose_mixed(gpu_engine_t *e, int exclusive, cudaStream_t stream)
{
    enum { HEAVY = 2, BLOCKS = 2, MOST = 32 * CSR_THREADS }; // HEAVY and BLOCKS measured: 1.5 to 5, 1 to 4
    const cudaError_t status = choose_spans(e, BLOCKS, exclusive, stream);
    e->width = mixed_width(e->reach);
    const double heavy = HEAVY * (1 + e->features.mean) * CSR_THREADS / e->width;
    e->heavy = heavy < MOST ? (uint32_t)heavy : (uint32_t)MOST; // spans have more warps for few long rows
    if (e->heavy < e->spans.cuts.span) e->heavy = e->spans.cuts.span;
    return status;
}

// Builds the variant e->variant.
static cudaError_t build(gpu_engine_t *e, const spmv_options_t *options, cudaStream_t stream)
{
    const gpu_variant_facts_t *variant = &GPU_VARIANTS[e->variant];
    e->family = variant->family == GPU_LONG && !options->exclusive ? GPU_SPANS : variant->family;
    if (variant->family == GPU_ROWS || variant->family == GPU_MIXED) {
        const double reach = 1.05 * variant->size * e->features.mean;
        e->reach = reach < 1e6 ? (unsigned)ceil(reach) : 1000000u;
        return variant->family == GPU_ROWS ? cudaSuccess : choose_mixed(e, options->exclusive, stream);
    }
    if (e->family == GPU_SPANS || e->family == GPU_GUIDED || e->family == GPU_LONG)
        return choose_spans(e, variant->size, options->exclusive, stream);
    const slices_choice_t choice = {variant->slicing, variant->size, options->exclusive, options->beside, &e->features};
    cudaError_t status = variant->family == GPU_TILES  ? tiles_build(&e->tiles, &e->A, options->exclusive, stream)
                         : variant->family == GPU_WIDE ? wide_build(&e->wide, &e->A, options->exclusive, stream)
                         : variant->family == GPU_GRANULES
                             ? granules_build(&e->granules, &e->A, options->exclusive, stream)
                             : slices_build(&e->slices, &e->A, &choice, stream);
    if (status == cudaErrorNotSupported && variant->family != GPU_SLICES) { // the nearest variant
        const slices_choice_t sorted = {SLICES_SORT, SORT_STEPS, options->exclusive, options->beside, &e->features};
        e->family = GPU_SLICES;
        e->variant = VARIANT_SORT_32; // the variant's name from now on
        status = slices_build(&e->slices, &e->A, &sorted, stream);
    }
    if (status == cudaErrorNotSupported) {
        e->family = GPU_SPANS;
        status = choose_spans(e, SPAN_BLOCKS, options->exclusive, stream);
    }
    return status;
}

static void free_parts(gpu_engine_t *e)
{
    slices_free(&e->slices);
    tiles_free(&e->tiles);
    wide_free(&e->wide);
    granules_free(&e->granules);
    gpu_free(e->spans.scratch);
    e->spans.scratch = NULL;
}

// Returns the address of the plan's own array of values; *count gets their number, *bytes the plan's counter of bytes.
// Returns NULL if the plan has no such array, or is GPU_WIDE.
static void **own_values(gpu_engine_t *e, uint64_t *count, size_t **bytes)
{
    if (e->family == GPU_SLICES) {
        *count = e->slices.value_steps * LANES, *bytes = &e->slices.bytes;
        return &e->slices.values;
    }
    if (e->family == GPU_GRANULES) {
        *count = (uint64_t)e->granules.blocks * e->granules.slots * GRANULE, *bytes = &e->granules.bytes;
        return &e->granules.values;
    }
    *count = (uint64_t)e->tiles.steps * LANES, *bytes = &e->tiles.bytes;
    return e->family == GPU_TILES ? &e->tiles.values : NULL;
}

// Replaces the values of slices by places in a table, if few different values occur and the table is worth it.
static cudaError_t see_few(gpu_engine_t *e, cudaStream_t stream)
{
    slices_t *s = &e->slices;
    const spmv_type_t type = e->A.value_type;
    const uint64_t count = s->value_steps * LANES;
    void *d_places, *d_table;
    if (e->family != GPU_SLICES || s->even_steps || (type != SPMV_F64 && type != SPMV_F32) || count == 0 ||
        count * value_size(type) < gpu_table_least)
        return cudaSuccess;
    TRY(gpu_table_make(&d_places, &d_table, &s->table_count, s->values, count, type, stream));
    if (!d_places) return cudaSuccess;
    gpu_free(s->values);
    s->values = d_places;
    s->table = d_table;
    s->bytes -= count * (value_size(type) - 1);
    s->bytes += TABLE_MOST * value_size(type);
    return cudaSuccess;
}

// Stores the values in half the bytes, if all of them fit.  Each value keeps its place, so the sums are the same.
// GPU_WIDE keeps its values, because it assigns places by the bytes of a value.
static cudaError_t see_narrow(gpu_engine_t *e, cudaStream_t stream)
{
    const spmv_type_t type = e->A.value_type, narrow = gpu_narrow_type(type);
    uint64_t count;
    size_t *bytes;
    void *d = NULL, **own = own_values(e, &count, &bytes);
    if (narrow == type || e->family == GPU_WIDE) return cudaSuccess;
    if (!own) count = (uint64_t)e->A.nnz;
    size_t shared_bytes; // the kernel for the narrow type needs permission for its shared memory, too
    if (e->family == GPU_TILES) TRY(tiles_shared_bytes(&shared_bytes, narrow));
    TRY(gpu_narrow(&d, own ? *own : e->A.values, count, type, stream));
    if (!d) return cudaSuccess;
    e->seen.value_type = narrow;
    if (!own) {
        e->seen.values = e->narrow = d;
        return cudaSuccess;
    }
    gpu_free(*own);
    *own = d;
    *bytes -= count * (value_size(type) - value_size(narrow));
    return cudaSuccess;
}

static cudaError_t see_values(gpu_engine_t *e, cudaStream_t stream)
{
    e->seen = e->A;
    if (!e->sees_values || e->A.nnz == 0) return cudaSuccess;
    // A table takes a byte for each value, and each block waits for it.  Measured: a table is worth it instead of 8 or
    // 4 bytes per value, not instead of 2.
    const bool narrow_first = e->A.value_type == SPMV_F32 && gpu_table_least > 0; // 0 is set by tests that want tables
    TRY(narrow_first ? see_narrow(e, stream) : see_few(e, stream));
    const bool seen = e->slices.table || e->seen.value_type != e->A.value_type;
    if (!seen) TRY(narrow_first ? see_few(e, stream) : see_narrow(e, stream));
    if (e->family != GPU_SLICES || e->slices.table) return cudaSuccess;
    return slices_pair(&e->slices, value_size(e->seen.value_type), stream);
}

// Stores the plan's values in A's own type again before new values come, because a refresh writes nonzeros only and the
// other places must keep their values.  With pairs a refresh writes all places.
static cudaError_t widen_values(gpu_engine_t *e, cudaStream_t stream)
{
    uint64_t count;
    size_t *bytes;
    void *d = NULL, **own = own_values(e, &count, &bytes);
    gpu_free(e->narrow);
    e->narrow = NULL;
    slices_t *s = &e->slices;
    const spmv_type_t type = e->A.value_type;
    if (own && s->pairs) {
        TRY(slices_unpair(s, value_size(e->seen.value_type), value_size(type), stream));
        e->seen = e->A;
        return cudaSuccess;
    }
    if (!own || (e->seen.value_type == type && !s->table)) return cudaSuccess;
    TRY(s->table ? gpu_table_values(&d, s->values, s->table, count, type, stream)
                 : gpu_widen(&d, *own, count, type, stream));
    gpu_free(*own);
    *own = d;
    *bytes += count * (value_size(type) - (s->table ? 1 : value_size(e->seen.value_type)));
    if (s->table) *bytes -= TABLE_MOST * value_size(type);
    gpu_free(s->table);
    s->table = NULL;
    e->seen = e->A;
    return cudaSuccess;
}

static cudaError_t multiply(const gpu_engine_t *e, const gpu_call_t *c)
{
    // These kernels read x even if alpha is 0.
    const bool reads_x = e->family != GPU_ROWS && e->family != GPU_SLICES;
    const gpu_family_t family = reads_x && c->alpha == 0 ? GPU_ROWS : e->family;
    switch (family) {
    case GPU_ROWS: return rows_run(e->reach, &e->seen, c);
    case GPU_SPANS:
    case GPU_GUIDED: return spans_run(&e->spans, &e->seen, c);
    case GPU_LONG: return long_run(&e->spans, &e->seen, c);
    case GPU_MIXED: return mixed_run(e->width, e->heavy, &e->spans, &e->seen, c);
    case GPU_SLICES: return slices_run(&e->slices, &e->seen, c);
    case GPU_TILES: return tiles_run(&e->tiles, &e->seen, c);
    case GPU_WIDE: return wide_run(&e->wide, &e->seen, c);
    case GPU_GRANULES: return granules_run(&e->granules, &e->seen, c);
    }
    return cudaErrorInvalidValue;
}

// Returns true if several right-hand sides in column-major order use the plan's slices; X is then not transposed.
static bool columns_by_slices(const gpu_engine_t *e)
{
    return e->family == GPU_SLICES && slices_in_order(&e->slices);
}

// Two engines whose products are timed, and the call that both get.
typedef struct rivals {
    const gpu_engine_t *who[2];
    gpu_call_t call;
    gpu_timing_t timing;
} rivals_t;

static cudaError_t multiply_one(void *context, int which)
{
    const rivals_t *r = (const rivals_t *)context;
    return multiply(r->who[which], &r->call);
}

static cudaError_t rivals_open(rivals_t *r, const gpu_csr_t *A, cudaStream_t stream)
{
    const size_t size = vector_size(A->value_type);
    void *d_x = NULL, *d_y = NULL;
    memset(r, 0, sizeof *r);
    cudaError_t status = gpu_take(&d_x, (size_t)A->cols * size + 1, stream);
    if (status == cudaSuccess) status = gpu_take(&d_y, (size_t)A->rows * size + 1, stream);
    r->call = gpu_call_t{1, 0, d_x, d_y, stream};
    if (status == cudaSuccess) status = cudaMemsetAsync(d_x, 0x3f, (size_t)A->cols * size, stream);
    return status == cudaSuccess ? gpu_timing_open(&r->timing, stream) : status;
}

static void rivals_close(rivals_t *r)
{
    gpu_timing_close(&r->timing);
    gpu_free((void *)r->call.x);
    gpu_free(r->call.y);
}

// Returns whether `other` is faster than e, by more than times vary and by half a microsecond.  After few runs the gain
// must be FEW_RUNS_GAIN, so that of two variants of about the same speed the rule's stays, and the next plan is the
// same.  A variant that is far behind is given up after one product of each, one that is behind after a few.
static cudaError_t is_faster(rivals_t *r, const gpu_engine_t *e, const gpu_engine_t *other, int runs, bool *faster)
{
    constexpr float GAIN = 0.01f, FEW_RUNS_GAIN = 0.03f;
    static const struct { int runs; float behind; } STAGES[] = {{1, 1.3f}, {3, 1.1f}};
    float us[2];
    int done = 0;
    r->who[0] = e, r->who[1] = other;
    *faster = false;
    cudaError_t status = multiply(other, &r->call); // a kernel's first launch loads its code
    for (const auto &stage : STAGES) {
        done = stage.runs < runs ? stage.runs : runs;
        if (status == cudaSuccess) status = gpu_timing_medians(&r->timing, multiply_one, r, 2, done, us);
        if (status != cudaSuccess || us[1] > stage.behind * us[0]) return status;
    }
    if (runs > done) status = gpu_timing_medians(&r->timing, multiply_one, r, 2, runs, us);
    *faster = us[1] < us[0] - fmaxf((runs > done ? GAIN : FEW_RUNS_GAIN) * us[0], 0.5f);
    return status;
}

// Builds these variants and times each against the fastest so far, by `runs` products of both.  The fastest stays in
// *e, which has the rule's variant at first.  Builds none if a product of the rule's takes less than least_us.
static cudaError_t try_variants(gpu_engine_t *e, const gpu_variant_t *variants, size_t count, int runs, float least_us,
                                const spmv_options_t *options, cudaStream_t stream)
{
    rivals_t r;
    float us = 0;
    cudaError_t status = rivals_open(&r, &e->A, stream);
    r.who[0] = e;
    if (status == cudaSuccess) status = gpu_timing_medians(&r.timing, multiply_one, &r, 1, 1, &us);
    const bool no_times = status == cudaErrorNotSupported; // on the simulator; the rule's variant stays
    if (no_times) status = cudaSuccess;
    for (size_t i = 0; i < count && status == cudaSuccess && !no_times && us >= least_us; ++i) {
        gpu_engine_t other = {};
        bool faster = false;
        if (variants[i] == e->variant) continue;
        other.A = other.seen = e->A;
        other.sees_values = e->sees_values;
        other.features = e->features;
        other.variant = variants[i];
        if (GPU_VARIANTS[other.variant].family == GPU_ROWS && e->features.longest > GPU_LONGEST_ROW) continue;
        status = build(&other, options, stream);
        if (status == cudaErrorMemoryAllocation) { // there may be memory for the other variants
            cudaGetLastError();
            free_parts(&other);
            status = cudaSuccess;
            continue;
        }
        if (status == cudaSuccess) status = is_faster(&r, e, &other, runs, &faster);
        if (faster) {
            const gpu_engine_t slower = *e;
            *e = other;
            other = slower;
        }
        free_parts(&other);
    }
    rivals_close(&r);
    return status;
}

// Tries all variants that a plan may have.
static cudaError_t tune(gpu_engine_t *e, const spmv_options_t *options, cudaStream_t stream)
{
    enum { RUNS = 15 };
    gpu_variant_t tried[VARIANT_COUNT];
    size_t count = 0;
    for (int variant = 0; variant < VARIANT_COUNT; ++variant)
        if (GPU_VARIANTS[variant].plan) tried[count++] = (gpu_variant_t)variant;
    return try_variants(e, tried, count, RUNS, 0, options, stream);
}

// Tries the rule's second variant if there is time for it; build_us: the time that looking and building the first took.
static cudaError_t try_second(gpu_engine_t *e, gpu_variant_t second, double build_us, const spmv_options_t *options,
                              cudaStream_t stream)
{
    enum { RUNS = 3 };
    const double all_us = (GPU_VARIANTS[second].as_it_is ? 1 : 3) * build_us + GPU_TRY_US;
    return try_variants(e, &second, 1, RUNS, (float)(all_us / GPU_TRY_PRODUCTS), options, stream);
}

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

// Inspects A as far as the set-up asks, and chooses the variant.  *second is another one to try, or stays as it is.
static cudaError_t choose(gpu_engine_t *e, const spmv_options_t *options, gpu_variant_t variant, gpu_variant_t *second,
                          cudaStream_t stream)
{
    const bool by_rule = variant == VARIANT_BY_RULE;
    const bool look = by_rule ? options->setup != SPMV_SETUP_NONE : !GPU_VARIANTS[variant].as_it_is;
    e->variant = VARIANT_ROWS_2; // there is nothing to multiply
    gpu_features_known(&e->features, &e->A);
    if (e->A.rows == 0 || e->A.nnz == 0) return cudaSuccess;
    if (look) TRY(gpu_features_look(&e->features, &e->A, stream));
    if (look && options->setup == SPMV_SETUP_PLAN) TRY(gpu_features_hot(&e->features, &e->A, stream));
    e->variant = by_rule ? gpu_choose(&e->features, options->setup, second) : variant;
    return cudaSuccess;
}

// Chooses the variant, and builds it.
static cudaError_t create(gpu_engine_t *e, const gpu_csr_t *A, const spmv_options_t *options, gpu_variant_t variant,
                          cudaStream_t stream)
{
    e->A = e->seen = *A;
    e->sees_values = options->values && options->setup == SPMV_SETUP_PLAN;
    gpu_variant_t second = VARIANT_COUNT;
    const double start_us = now_us();
    TRY(choose(e, options, variant, &second, stream));
    TRY(build(e, options, stream));
    if (options->tune && variant == VARIANT_BY_RULE && options->setup == SPMV_SETUP_PLAN && A->rows > 0 && A->nnz > 0)
        TRY(tune(e, options, stream));
    else if (second != VARIANT_COUNT && !options->deterministic)
        TRY(try_second(e, second, now_us() - start_us, options, stream));
    TRY(see_values(e, stream));
    if (!options->many || !options->exclusive || A->rows == 0) return cudaSuccess;
    const int columns = options->many == 1 ? MANY_MOST : options->many;
    return many_prepare(&e->many, A, columns, !columns_by_slices(e), stream);
}

spmv_status_t gpu_engine_create(gpu_engine_t **engine, const gpu_csr_t *A, const spmv_options_t *options,
                                gpu_variant_t variant, void *stream)
{
    gpu_engine_t *e = (gpu_engine_t *)calloc(1, sizeof *e);
    *engine = NULL;
    if (!e) return FAIL(SPMV_NO_MEMORY, "out of memory");
    const cudaError_t status = create(e, A, options, variant, (cudaStream_t)stream);
    if (status != cudaSuccess) {
        gpu_engine_destroy(e);
        return gpu_failed(status, "create");
    }
    *engine = e;
    return SPMV_OK;
}

const gpu_features_t *gpu_engine_features(const gpu_engine_t *engine) { return &engine->features; }
gpu_variant_t gpu_engine_variant(const gpu_engine_t *engine) { return engine->variant; }

spmv_status_t gpu_engine_execute(const gpu_engine_t *engine, double alpha, const void *d_x, double beta, void *d_y,
                                 void *stream)
{
    const gpu_call_t c = {alpha, beta, d_x, d_y, stream};
    const cudaError_t status = multiply(engine, &c);
    return status == cudaSuccess ? SPMV_OK : SPMV_GPU_ERROR;
}

// Returns whether one product for each column is faster than one product for all, if a look has chosen the kernel.
// Measured with 2 to 32 columns: it is for two, for three if X cannot be transposed, and for four if columns are so
// long that transposing X costs much.
static bool one_by_one(const gpu_engine_t *e, int k)
{
    if (e->features.skew == 0) return false;
    if (!e->many.turned) return k <= 3;
    return k <= 2 || (k <= 4 && (uint64_t)e->A.cols * vector_size(e->A.value_type) >= LONG_COLUMN);
}

static spmv_status_t multiply_each(const gpu_engine_t *engine, const gpu_many_t *call, size_t size)
{
    cudaError_t status = cudaSuccess;
    for (int j = 0; j < call->k && status == cudaSuccess; ++j) {
        const gpu_call_t c = {call->alpha, call->beta,
                              call->x ? (const char *)call->x + (size_t)j * (size_t)call->ldx * size : NULL,
                              (char *)call->y + (size_t)j * (size_t)call->ldy * size, call->stream};
        status = multiply(engine, &c);
    }
    return status == cudaSuccess ? SPMV_OK : SPMV_GPU_ERROR;
}

spmv_status_t gpu_engine_execute_many(const gpu_engine_t *engine, const gpu_many_t *call)
{
    const size_t size = vector_size(engine->A.value_type);
    if (call->by_columns && columns_by_slices(engine))
        return many_slices_run(&engine->slices, &engine->seen, call) == cudaSuccess ? SPMV_OK : SPMV_GPU_ERROR;
    if (call->by_columns && one_by_one(engine, call->k)) return multiply_each(engine, call, size);
    const int most = engine->many.width ? engine->many.width : MANY_MOST;
    const int passes = (call->k - 1) / most + 1, width = (call->k - 1) / passes + 1; // 33 columns are 17 and 16
    cudaError_t status = cudaSuccess;
    for (int first = 0; first < call->k && status == cudaSuccess; first += width) {
        const size_t j = (size_t)first * size;
        gpu_many_t pass = *call;
        pass.k = call->k - first < width ? call->k - first : width;
        pass.x = call->x ? (const char *)call->x + (call->by_columns ? j * (size_t)call->ldx : j) : NULL;
        pass.y = (char *)call->y + (call->by_columns ? j * (size_t)call->ldy : j);
        status = many_run(&engine->many, &engine->A, &pass);
    }
    return status == cudaSuccess ? SPMV_OK : SPMV_GPU_ERROR;
}

static cudaError_t refresh(gpu_engine_t *e, cudaStream_t stream)
{
    TRY(widen_values(e, stream));
    if (e->family == GPU_SLICES) TRY(slices_refresh(&e->slices, &e->A, stream));
    if (e->family == GPU_TILES) TRY(tiles_refresh(&e->tiles, &e->A, stream));
    if (e->family == GPU_WIDE) TRY(wide_refresh(&e->wide, &e->A, stream));
    if (e->family == GPU_GRANULES) TRY(granules_refresh(&e->granules, &e->A, stream));
    return see_values(e, stream);
}

spmv_status_t gpu_engine_update(gpu_engine_t *engine, const void *d_values, void *stream)
{
    engine->A.values = d_values;
    const cudaError_t status = refresh(engine, (cudaStream_t)stream);
    if (status == cudaErrorMemoryAllocation) return SPMV_NO_MEMORY;
    return status == cudaSuccess ? SPMV_OK : SPMV_GPU_ERROR;
}

// Returns the places without a nonzero, in percent of the nonzeros.
static double padding(uint64_t places, const gpu_csr_t *A) { return 100 * ((double)places / (double)A->nnz - 1); }

static void describe_spans(const spans_t *p, char *text, size_t size)
{
    tell(text, size, "CSR as it is, %u warps with %u rows and nonzeros each", p->cuts.large, p->cuts.span);
    if (p->warps > p->cuts.large)
        tell(text, size, ", then %u with %u", p->warps - p->cuts.large, p->cuts.small);
    tell(text, size, "; rows that reach over several spans are %s\n", p->scratch ? "cut" : "not cut (not exclusive)");
}

static void describe_slices(const slices_t *s, const gpu_csr_t *A, char *text, size_t size)
{
    char warps[24] = "a warp"; // the warps of each slice
    if (s->team_log2) snprintf(warps, sizeof warps, "%u warps", 1u << s->team_log2);
    tell(text, size, "%u slices of %s, %s%s\n", s->count, warps,
         s->sorted ? "rows of similar length together" : "rows in their order",
         s->even_steps ? ", all slices alike" : "");
    tell(text, size,
         "columns: %u slices by diagonals, %u in 8 bits, %u in 16, %u in 32; %.2f bytes per nonzero instead of 4\n",
         s->kinds[SLICE_DIAGONALS], s->kinds[SLICE_8], s->kinds[SLICE_16],
         s->kinds[SLICE_32] + s->kinds[SLICE_SHORT], (double)s->column_bytes / (double)A->nnz);
    tell(text, size,
         "values: %.1f %% padding; %u rows share columns with a neighbour; %u slices look for empty rows, %u are for "
         "pieces of %u long rows\n",
         padding(s->value_steps * LANES, A), s->alike_rows, s->kinds[SLICE_EMPTY],
         s->piece_slices, s->cut_rows);
    if (s->hot_count)
        tell(text, size, "x: the entries of the %u most used of the %lld columns are copied next to each other\n",
             s->hot_count, (long long)A->cols);
}

// P is tiles_t or wide_t.
template <typename P>
static void describe_tiles(const P *t, int warps, const char *how, double percent, char *text, size_t size)
{
    tell(text, size,
         "%u groups of rows, %u parts of columns, a block of %d warps to each; x in shared memory by %u tiles of %u "
         "columns%s; values: %.1f %% padding\n",
         t->groups, t->parts, warps, t->count, t->width, how, percent);
}

// Describes the kernels in words.
static void describe_method(const gpu_engine_t *engine, char *text, size_t size)
{
    const gpu_csr_t *A = &engine->A;
    const wide_t *w = &engine->wide;
    const granules_t *g = &engine->granules;
    switch (engine->family) {
    case GPU_ROWS:
        tell(text, size, "CSR as it is, lanes on each row for %u nonzeros at once\n", engine->reach);
        return;
    case GPU_SPANS:
    case GPU_GUIDED: describe_spans(&engine->spans, text, size); return;
    case GPU_MIXED:
        tell(text, size,
             "CSR as it is, %u lanes on each row; where %u rows and their nonzeros exceed %u, they form spans: "
             "%u warps with %u each\n",
             engine->width, CSR_THREADS / engine->width, engine->heavy, engine->spans.warps, engine->spans.cuts.span);
        return;
    case GPU_LONG:
        tell(text, size, "CSR as it is, %u warps with %u nonzeros each\n", engine->spans.warps,
             engine->spans.cuts.span);
        return;
    case GPU_SLICES: describe_slices(&engine->slices, A, text, size); return;
    case GPU_TILES:
        describe_tiles(&engine->tiles, TILE_WARPS, "", padding(engine->tiles.steps * LANES, A), text, size);
        return;
    case GPU_WIDE:
        describe_tiles(w, WIDE_THREADS / LANES, ", nonzeros of a tile distributed evenly",
                       padding(w->batches * w->batch * WIDE_THREADS, A), text, size);
        return;
    case GPU_GRANULES:
        tell(text, size,
             "%u blocks of %u granules of %d nonzeros of a row, %u blocks begin inside a row\n"
             "columns: %u bytes for each granule; values: %.1f %% padding\n",
             g->blocks, g->slots, GRANULE, g->cut_count, g->column_bytes,
             padding((uint64_t)g->blocks * g->slots * GRANULE, A));
        return;
    }
}

void gpu_engine_describe(const gpu_engine_t *engine, char *text, size_t size)
{
    const gpu_features_t *f = &engine->features;
    const slices_t *s = &engine->slices;
    text[0] = 0;
    tell(text, size, "%s, for %.1f nonzeros per row", GPU_VARIANTS[engine->variant].name, f->mean);
    if (f->longest > 0)
        tell(text, size,
             " (longest %.0f); slots per nonzero: %.2f with one lane per row, %.2f with more lanes for longer rows; "
             "diagonals in %.0f %% of the slices; %.2f new sectors of x per nonzero; %.0f %% of the rows like the next",
             f->longest, f->in_order_fill, f->near_fill, 100 * f->diagonals, f->sectors, 100 * f->alike);
    tell(text, size, "\n");
    if (engine->sees_values && s->table)
        tell(text, size, "values by 8-bit indices into a table of %u\n", s->table_count);
    else if (engine->sees_values)
        tell(text, size, "values %s\n",
             engine->seen.value_type == engine->A.value_type ? "as they are" : "in half the bytes, which they fit");
    if (s->pairs)
        tell(text, size, "pairs: %.0f %% of the values are stored once for two nonzeros\n",
             100 * (1 - (double)s->stored_steps / (double)s->value_steps));
    describe_method(engine, text, size);
}

size_t gpu_engine_bytes(const gpu_engine_t *engine)
{
    return sizeof *engine + engine->slices.bytes + engine->tiles.bytes + engine->wide.bytes +
           engine->granules.bytes +
           (engine->narrow ? (size_t)engine->A.nnz * value_size(engine->seen.value_type) : 0) +
           engine->many.bytes +
           (engine->spans.scratch ? spans_scratch_bytes(engine->spans.warps, engine->A.value_type) : 0);
}

void gpu_engine_destroy(gpu_engine_t *engine)
{
    if (!engine) return;
    free_parts(engine);
    many_free(&engine->many);
    gpu_free(engine->narrow);
    free(engine);
}
