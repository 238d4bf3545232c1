/* test_memcpy.c - every step at every awkward size and alignment, the counts of the lesson, and mutants. */
#include "tests/chapter_test.h"

#include "copy.h"

#define MUTANT_ARGS MEMCPY_ARGS
#include "tests/mutants.h"

static const size_t SIZES[] = {0, 1, 15, 16, 17, 31, 32, 33, 255, 256, 257, 1000, 4095, 4097, 99991};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

static void open_or_fail(problem_t *p, const copy_spec_t *spec)
{
    err_t err = {{0}};
    if (copy_open(p, spec, &err)) fail_msg("%zu bytes: %s", spec->bytes, err.text);
}

static bool on_host(const step_t *s) { return s->kind == STEP_CPU || s->kind == STEP_CPU_PEER; }

static void check_all(size_t bytes, size_t unit, size_t from, size_t to, bool cpu)
{
    problem_t p;
    open_or_fail(&p, &(copy_spec_t){.bytes = bytes, .unit_bytes = unit, .misalign_from = from, .misalign_to = to,
                                    .seed = bytes + 7, .cpu = cpu, .gpu = true});
    check_steps(&MEMCPY, &p, cpu ? NULL : on_host, "");
    copy_close(&p);
}

TEST(test_sizes)
{
    for (size_t unit = 1; unit <= 8; unit *= 2)
        for (size_t i = 0; i < SIZE_COUNT; ++i) check_all(SIZES[i], unit, 0, 0, true);
}

/* All pairs of offsets, at sizes around the borders of vectors, words and warps. */
TEST(test_alignments)
{
    static const size_t FEW[] = {1, 47, 1100};
    for (size_t from = 0; from < 16; ++from)
        for (size_t to = 0; to < 16; ++to)
            for (size_t i = 0; i < sizeof FEW / sizeof *FEW; ++i) check_all(FEW[i], 8, from, to, true);
}

/* Several tiles and turns a block, with a few pairs of offsets. */
TEST(test_alignments_large)
{
    static const size_t PAIRS[][2] = {{0, 0}, {8, 8}, {1, 1}, {0, 4}, {5, 0}, {15, 1}, {3, 7}};
    device_configure(false, 1); /* simt: no counts, another order of blocks and warps */
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; ++i) {
        check_all(300007, 8, PAIRS[i][0], PAIRS[i][1], false);
        if (!on_gpu()) continue;
        for (size_t bytes = (1u << 20) - 1; bytes < (1u << 28); bytes = 5 * bytes + 3)
            check_all(bytes, 1, PAIRS[i][0], PAIRS[i][1], false);
    }
    device_configure(true, 0);
}

static bool is_not_by_size(const step_t *s) { return s->kind != STEP_GPU || atoi(s->id + 1) < 13; }

/* More tiles than any grid has blocks: every shape of v13 to v16, on a small simulator. */
TEST(test_every_shape)
{
    device_configure(false, 0);
    for (size_t bytes = (size_t)40 << 10; bytes < (size_t)48 << 20; bytes *= 7)
        for (size_t from = 0; from < 2; ++from) {
            problem_t p;
            open_or_fail(&p, &(copy_spec_t){
                .bytes = bytes + 5, .unit_bytes = 1, .misalign_from = from, .seed = 3, .gpu = true});
            check_steps(&MEMCPY, &p, is_not_by_size, "");
            copy_close(&p);
        }
    device_configure(true, 0);
}

#define STEP(id, ...) cudaError_t memcpy_##id(MEMCPY_ARGS);
#include "steps.def"
#define STEP(id, ...) memcpy_##id,
static memcpy_gpu_fn LAUNCHERS[] = {
#include "steps.def"
};
enum { LAUNCHER_COUNT = sizeof LAUNCHERS / sizeof *LAUNCHERS };

TEST(test_overlap_is_refused)
{
    err_t err = {{0}};
    unsigned char *d = device_alloc(4096, "d", &err);
    assert_non_null(d);
    assert_int_equal(cudaMemset(d, 0, 4096), cudaSuccess);
    for (size_t i = 0; i < LAUNCHER_COUNT; ++i) {
        assert_int_equal(LAUNCHERS[i](d + 1, d, 1000, 1, 0), cudaErrorInvalidValue);
        assert_int_equal(LAUNCHERS[i](d, d + 999, 1000, 1, 0), cudaErrorInvalidValue);
        assert_int_equal(LAUNCHERS[i](d, d, 1000, 4, 0), cudaErrorInvalidValue);
        assert_int_equal(LAUNCHERS[i](d, d, 0, 4, 0), cudaSuccess); /* nothing overlaps with nothing */
        if (LAUNCHERS[i](d + 1000, d, 1000, 1, 0) != cudaErrorNotSupported) { /* side by side is fine */
            assert_int_equal(device_sync(&err), 0);
            assert_int_equal(cudaGetLastError(), cudaSuccess);
        }
    }
    device_free(d);
}

/* ---- the counts of the lesson ------------------------------------------------------------------ */

static report_row_t counts_of(const char *id, size_t bytes, size_t unit, size_t from, size_t to)
{
    problem_t p;
    open_or_fail(&p, &(copy_spec_t){
        .bytes = bytes, .unit_bytes = unit, .misalign_from = from, .misalign_to = to, .gpu = true});
    const report_row_t row = counts_of_run(&MEMCPY, id, &p);
    copy_close(&p);
    return row;
}

static void expect(const char *id, size_t unit, size_t from, size_t to, int64_t requests, int64_t sectors,
                   int64_t st_requests, int64_t st_sectors)
{
    const report_row_t row = counts_of(id, 65536, unit, from, to);
    if (row.ld_requests != requests || row.ld_sectors != sectors || row.st_requests != st_requests ||
        row.st_sectors != st_sectors)
        fail_msg("%s units of %zu from+%zu to+%zu: loads %lld/%lld stores %lld/%lld, expected %lld/%lld %lld/%lld", id,
                 unit, from, to, (long long)row.ld_requests, (long long)row.ld_sectors, (long long)row.st_requests,
                 (long long)row.st_sectors, (long long)requests, (long long)sectors, (long long)st_requests,
                 (long long)st_sectors);
}

/* Every step moves 2048 sectors for 64 KiB; the number of requests is what the chapter teaches. */
TEST(test_counts)
{
    if (on_gpu()) skip();
    expect("v1", 1, 0, 0, 2048, 2048, 2048, 2048); /* one sector a request */
    expect("v1", 2, 0, 0, 1024, 2048, 1024, 2048);
    expect("v1", 4, 0, 0, 512, 2048, 512, 2048);
    expect("v1", 8, 0, 0, 256, 2048, 256, 2048);
    expect("v3", 1, 0, 0, 512, 2048, 512, 2048); /* the unit no longer matters */
    expect("v4", 1, 0, 0, 256, 2048, 256, 2048);
    static const char *const WIDE[] = {"v5", "v6", "v7", "v8", "v9", "v13", "v14", "v15", "v16"};
    for (size_t i = 0; i < sizeof WIDE / sizeof *WIDE; ++i)
        expect(WIDE[i], 1, 0, 0, 128, 2048, 128, 2048); /* sixteen */

    /* Shared memory adds its own requests and takes none away. */
    const report_row_t v2 = counts_of("v2", 65536, 1, 0, 0);
    assert_int_equal(v2.ld_requests, 2048);
    assert_int_equal(v2.sh_ld_wavefronts, 2048);
    assert_int_equal(v2.sh_st_wavefronts, 2048);
}

TEST(test_counts_misaligned)
{
    if (on_gpu()) skip();
    /* A request of 32 bytes that starts in the middle of a sector needs two. */
    expect("v1", 1, 1, 0, 2048, 4096, 2048, 2048);
    expect("v1", 1, 0, 1, 2048, 2048, 2048, 4096);
    /* v5 falls back to single bytes; 8 bytes off leaves it units of 8, and one sector more a request. */
    expect("v5", 8, 1, 0, 2048, 4096, 2048, 2048);
    expect("v5", 8, 8, 0, 256, 256 * 9, 256, 2048);
    /* v8 takes 31 bytes and the last one by one, vectors in between; addresses that are not alike it leaves to v7. */
    expect("v8", 8, 1, 1, 128 + 2, 2048 + 1, 128 + 2, 2048 + 1);
    expect("v8", 8, 1, 0, 2048, 4096, 2048, 2048);
    /* v9 stores aligned vectors: the first one goes byte by byte, so does the last.  It loads twice. */
    const report_row_t v9 = counts_of("v9", 65536 + 32, 8, 1, 0), v5 = counts_of("v5", 65536 + 32, 8, 1, 0);
    assert_in_range(v9.ld_requests, 256, 256 + 4);
    assert_in_range(v9.st_requests, 128, 128 + 4);
    assert_in_range(v9.st_sectors, 2049, 2049 + 4);
    assert_true(8 * v9.st_requests < v5.st_requests && 7 * v9.ld_requests < v5.ld_requests);
}

/* ---- mutants ----------------------------------------------------------------------------------- */

static void open_case(problem_t *p, const char *on)
{
    copy_spec_t spec = {.unit_bytes = 1, .seed = 5, .gpu = true};
    if (sscanf(on, "%zu from+%zu to+%zu", &spec.bytes, &spec.misalign_from, &spec.misalign_to) < 1)
        fail_msg("no size: %s", on);
    open_or_fail(p, &spec);
}

static int run_mutant(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    (void)s, (void)state;
    const copy_data_t *data = p->data;
    return device_ok(mutant->run((char *)out + data->target, data->d_in, data->bytes, data->unit_bytes, 0), "mutant",
                     err);
}

static const mutant_ops_t MUTANT_OPS = {open_case, copy_close, {.run = run_mutant}};

/* v10 to v12, which need the bulk copy engine. */
static bool is_bulk(const step_t *s) { return s->ops->skip; }
static bool is_not_bulk(const step_t *s) { return !is_bulk(s); }

TEST(test_mutants) { check_mutants(&MEMCPY, &MUTANT_OPS, is_bulk); }

TEST(test_mutants_bulk)
{
    if (refusal(step_named(&MEMCPY, "v10"), NULL)) skip();
    check_mutants(&MEMCPY, &MUTANT_OPS, is_not_bulk);
}

TEST(test_mutant_of_every_step) { check_mutant_of_every_step(&MEMCPY); }

CHAPTER_TEST_MAIN("02_memcpy_vectorized", NULL)
