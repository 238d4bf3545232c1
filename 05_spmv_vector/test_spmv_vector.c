/* test_spmv_vector.c - every step on every awkward matrix, mutants that must be rejected, the lessons in counts. */
#include "tests/spmv_battery.h"

#include "spmv_vector.h"

#define MUTANT_ARGS SPMV_VECTOR_ARGS
#include "tests/mutants.h"

TEST(test_types_and_alignments) { check_types_and_alignments(&SPMV_VECTOR, NULL); }
TEST(test_infinite_x) { check_infinite_x(&SPMV_VECTOR, NULL); }
TEST(test_deterministic) { check_deterministic(&SPMV_VECTOR, NULL); }

/* v12 to v16: the value types and offset types that each of them knows. */
TEST(test_types)
{
    static const char *const SOME[] = {"empty:17,19", "dense:33,31", "empty_rows:100,7", "powerlaw:300,300,4000",
                                       "poisson2d:9,11", "one_dense_row:5000"};
    for (dtype_t t = 0; t < DTYPE_COUNT; ++t)
        for (int bits = 32; bits <= 64; bits += 32)
            for (size_t i = 0; i < sizeof SOME / sizeof *SOME; ++i)
                for (size_t variant = 0; variant < 3; ++variant)
                    check_recipe(&SPMV_VECTOR, SOME[i],
                                 (spmv_spec_t){.dtype = t, .offset_bits = bits, .seed = i, .exact = variant == 1,
                                               .misalign = variant == 2},
                                 is_variant);
}

/* --lanes, on rows shorter and longer than any of them. */
TEST(test_lanes)
{
    for (int lanes = 2; lanes <= 32; lanes *= 2) {
        const spmv_vector_options_t options = {.lanes = lanes};
        const spmv_spec_t fp32 = {.dtype = DTYPE_F32, .options = &options},
                          fp64 = {.dtype = DTYPE_F64, .options = &options};
        check_recipe(&SPMV_VECTOR, "powerlaw:300,300,4000", fp32, is_variant);
        check_recipe(&SPMV_VECTOR, "one_dense_row:5000", fp64, is_variant); /* v15's list: more than 128 x 32 */
    }
}

TEST(test_row_counts)
{
    check_row_counts(&SPMV_VECTOR, NULL);
    device_configure(false, 0); /* many rows: more than the grid of v9 and later holds at once */
    check_recipe(&SPMV_VECTOR, "diagonal:20011", (spmv_spec_t){.dtype = DTYPE_F32, .exact = true}, is_variant);
    check_recipe(&SPMV_VECTOR, "random:70000,70000,3000", (spmv_spec_t){.dtype = DTYPE_F32}, is_variant);
    device_configure(true, 0);
}

/* More long rows in a block than v15 and v16 can list: 8 blocks of 256 at most. */
TEST(test_more_long_rows_than_listed)
{
    device_pretend_sms(1);
    device_configure(false, 0);
    const spmv_vector_options_t options = {.lanes = 2};
    check_recipe(&SPMV_VECTOR, "dense:2600,300", (spmv_spec_t){.dtype = DTYPE_F32, .options = &options, .exact = true},
                 NULL);
    device_configure(true, 0);
    device_pretend_sms(8);
}

/* ---- the pieces on the host --------------------------------------------------------------------- */

TEST(test_padding)
{
    err_t err = {{0}};
    for (size_t i = 0; i < BATTERY_COUNT; ++i)
        for (unsigned multiple = 2; multiple <= 32; multiple *= 4) {
            csr_t *A = battery_matrix(i);
            csr_arrays_t host, padded;
            assert_int_equal(csr_arrays_from(&host, A, DTYPE_F32, 32, &err), 0);
            assert_int_equal(spmv_vector_pad(&padded, &host, multiple, &err), 0);
            const int32_t *from = host.row_offsets, *to = padded.row_offsets;
            for (size_t r = 0; r < A->rows; ++r) {
                const int32_t length = from[r + 1] - from[r];
                assert_int_equal(to[r] % (int32_t)multiple, 0);
                assert_true(to[r + 1] - to[r] - length >= 0 && to[r + 1] - to[r] - length < (int32_t)multiple);
                for (int32_t k = 0; k < to[r + 1] - to[r]; ++k) {
                    assert_int_equal(padded.col_indices[to[r] + k], k < length ? host.col_indices[from[r] + k] : -1);
                    const float value = ((float *)padded.values)[to[r] + k];
                    assert_true(value == (k < length ? ((float *)host.values)[from[r] + k] : 0));
                }
            }
            assert_int_equal(padded.nnz, to[A->rows]);
            csr_arrays_free(&padded);
            csr_arrays_free(&host);
            csr_free(A);
        }
}

TEST(test_lanes_rule)
{
    for (int in_flight = 1; in_flight <= 8; in_flight += in_flight == 1 ? 3 : 4) {
        int before = 2;
        for (double mean = 0; mean < 2000; mean = mean * 1.3 + 0.1) {
            const int lanes = spmv_vector_lanes(mean, in_flight);
            assert_true(lanes >= before && lanes <= 32 && (lanes & (lanes - 1)) == 0);
            before = lanes;
        }
        assert_int_equal(before, 32);
    }
    assert_int_equal(spmv_vector_lanes(4.2, 1), 4); /* shyy41 in the article */
}

/* Outputs that are wrong in one place only. */
TEST(test_wrong_outputs)
{
    err_t err = {{0}};
    csr_t *A = make_matrix("even:100,80,6");
    problem_t p = spmv_opened(A, (spmv_spec_t){.dtype = DTYPE_F64, .cpu = true});
    const spmv_data_t *data = p.data;
    const step_t *c1 = step_named(&SPMV_VECTOR, "c1");
    double y[100], unused;
    for (int wrong = 0; wrong < 7; ++wrong) {
        memcpy(y, data->y, sizeof y);
        switch (wrong) {
        case 1: y[99] = NAN; break;
        case 2: y[0] = INFINITY; break;
        case 3: y[50] = 0; break;
        case 4: y[7] = 2 * y[7]; break;
        case 5: y[20] = data->y[21], y[21] = data->y[20]; break;
        case 6: { /* the last nonzero of a row dropped */
            const int64_t last = A->row_offsets[31] - 1;
            y[30] -= data->A.values[last] * ((double *)data->x)[A->col_indices[last]];
            break;
        }
        default: break;
        }
        const int rejected = c1->ops->check(c1, &p, y, &unused, &err);
        if ((rejected != 0) != (wrong != 0)) fail_msg("wrong output %d: check says %d", wrong, rejected);
    }
    spmv_problem_close(&p);
    csr_free(A);
}

TEST(test_offsets_beyond_32_bits) { check_far_offsets(&SPMV_VECTOR); }

/* ---- mutants ----------------------------------------------------------------------------------- */

enum { MUTANT_LANES = 8 };

static void open_case(problem_t *p, const char *on)
{
    static const spmv_vector_options_t OPTIONS = {.lanes = MUTANT_LANES};
    const size_t length = strcspn(on, " ");
    const char *how = on + length, *misalign = strchr(how, '+');
    char recipe[64];
    snprintf(recipe, sizeof recipe, "%.*s", (int)length, on);
    spmv_spec_t spec = {.dtype = DTYPE_F32, .options = &OPTIONS};
    if (strstr(how, "int8")) spec.dtype = DTYPE_I8;
    if (strstr(how, "fp16")) spec.dtype = DTYPE_F16;
    if (strstr(how, "64") || strstr(how, "far")) spec.offset_bits = 64;
    if (misalign) spec.misalign = strtoul(misalign, NULL, 10);
    spmv_mutant_open(p, recipe, spec);
    if (strstr(how, "far")) move_far(p);
}

/* state: the padded matrix of v5. */
static int run_mutant(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const spmv_data_t *data = p->data;
    (void)s;
    return device_ok(mutant->run(state ? state : &data->device, data->d_x, out, MUTANT_LANES, 0), "mutant", err);
}

TEST(test_mutants)
{
    static const mutant_ops_t OPS = {open_case, spmv_mutant_close, {.run = run_mutant}};
    check_mutants(&SPMV_VECTOR, &OPS, NULL);
}
TEST(test_mutant_of_every_step) { check_mutant_of_every_step(&SPMV_VECTOR); }

/* ---- the lessons, in counts --------------------------------------------------------------------- */

static report_row_t counts(const char *id, const char *recipe, int lanes, dtype_t dtype)
{
    const spmv_vector_options_t options = {.lanes = lanes};
    return counts_of(&SPMV_VECTOR, id, recipe, dtype, &options);
}

/* Rows of 4: requests and active lanes of every width, as counted by hand.  A warp serves 32 / L rows.  It reads
 * two offsets with all its lanes, columns, values and x with 4 lanes per row, and writes with one lane a row. */
TEST(test_lesson_idle_lanes)
{
    if (on_gpu()) skip();
    enum { ROWS = 1024, LENGTH = 4 };
    for (int lanes = 2; lanes <= 32; lanes *= 2) {
        const report_row_t row = counts("v3", "even:1024,500,4", lanes, DTYPE_F32);
        const int warps = ROWS * lanes / 32, rounds = lanes < LENGTH ? LENGTH / lanes : 1;
        const double work = 2 * 32 * warps + 3 * LENGTH * ROWS + ROWS;
        assert_int_equal(row.ld_requests, warps * (2 + 3 * rounds));
        assert_int_equal(row.st_requests, warps);
        assert_true(fabs(row.active_lanes - work / (warps * (2 + 3 * rounds + 1))) < 1e-9);
    }
}

/* v1's tree goes through shared memory, v2's does not; the rest is the same. */
TEST(test_lesson_shuffles)
{
    if (on_gpu()) skip();
    const report_row_t v1 = counts("v1", "even:512,300,20", 0, DTYPE_F32);
    const report_row_t v2 = counts("v2", "even:512,300,20", 0, DTYPE_F32);
    assert_true(v1.sh_ld_wavefronts > 0 && v1.sh_st_wavefronts == 512 * (1 + 5)); /* first sum, then five rounds */
    assert_int_equal(v2.sh_ld_wavefronts, 0);
    assert_int_equal(v2.sh_st_wavefronts, 0);
    assert_int_equal(v1.ld_requests, v2.ld_requests);
    assert_int_equal(v1.ld_sectors, v2.ld_sectors);
}

/* Hints change no count. */
TEST(test_lesson_hints)
{
    if (on_gpu()) skip();
    const report_row_t v3 = counts("v3", "rmat:9,8", 0, DTYPE_F64), v4 = counts("v4", "rmat:9,8", 0, DTYPE_F64);
    assert_int_equal(v3.ld_requests, v4.ld_requests);
    assert_int_equal(v3.ld_sectors, v4.ld_sectors);
}

/* Long rows: aligned starts save sectors, without padding too; wide loads need fewer requests but gather x
 * four apart.  Short rows: padding to four moves more than it saves. */
TEST(test_lesson_alignment)
{
    if (on_gpu()) skip();
    static const char LONG[] = "band:1000,41", SHORT[] = "even:2000,2000,5";
    const report_row_t v4 = counts("v4", LONG, 8, DTYPE_F32), v5 = counts("v5", LONG, 8, DTYPE_F32);
    const report_row_t v6 = counts("v6", LONG, 8, DTYPE_F32), v7 = counts("v7", LONG, 8, DTYPE_F32);
    const report_row_t v8 = counts("v8", LONG, 8, DTYPE_F32);
    assert_true(v5.ld_sectors < v4.ld_sectors);
    assert_true(v6.ld_sectors < v4.ld_sectors);
    assert_true(v8.ld_requests < v7.ld_requests);
    assert_true(v8.ld_sectors > v7.ld_sectors);
    assert_true(counts("v5", SHORT, 4, DTYPE_F32).ld_requests >= counts("v4", SHORT, 4, DTYPE_F32).ld_requests);
}

/* Neither the grid nor what a kernel knows beside fp32 and fp64 changes a load. */
TEST(test_lesson_same_loads)
{
    if (on_gpu()) skip();
    static const char *const ID[] = {"v9", "v10", "v11", "v12", "v13", "v14"};
    for (dtype_t t = DTYPE_F32; t <= DTYPE_F64; ++t) {
        const report_row_t v8 = counts("v8", "powerlaw:300,300,4000", 0, t);
        for (size_t i = 0; i < sizeof ID / sizeof *ID; ++i) {
            const report_row_t row = counts(ID[i], "powerlaw:300,300,4000", 0, t);
            assert_int_equal(row.ld_requests, v8.ld_requests);
            assert_int_equal(row.ld_sectors, v8.ld_sectors);
        }
    }
}

/* Narrow values move fewer sectors, and the columns stay. */
TEST(test_lesson_types)
{
    if (on_gpu()) skip();
    static const dtype_t ORDER[] = {DTYPE_I8, DTYPE_F16, DTYPE_F32, DTYPE_F64};
    int64_t before = 0;
    for (int i = 0; i < 4; ++i) {
        const int64_t sectors = counts("v14", "band:1000,41", 8, ORDER[i]).ld_sectors;
        assert_true(sectors > before);
        before = sectors;
    }
}

/* Share of the warps' places that are at work: a block of `block` threads keeps its places until the longest of its
 * rows is done.  A row takes v8's batches, and about as long as one of them to start. */
static double busy_places(const csr_t *A, size_t block, size_t lanes)
{
    const size_t in_warp = 32 / lanes, warps = block / 32, batch = 8 * lanes;
    size_t busy = 0, taken = 0;
    for (size_t first = 0; first < A->rows; first += block / lanes) {
        size_t longest = 0;
        for (size_t w = 0; w < warps; ++w) {
            size_t rounds = 0;
            for (size_t r = first + w * in_warp; r < first + (w + 1) * in_warp && r < A->rows; ++r) {
                const size_t length = (size_t)(A->row_offsets[r + 1] - A->row_offsets[r]);
                const size_t own = 1 + (length + batch - 1) / batch;
                rounds = own > rounds ? own : rounds;
            }
            busy += rounds;
            longest = rounds > longest ? rounds : longest;
        }
        taken += warps * longest;
    }
    return (double)busy / (double)taken;
}

/* Uneven rows: a fifth of the places of v8's blocks stands idle, next to nothing of v17's.  Even rows: no matter. */
TEST(test_lesson_small_blocks)
{
    csr_t *uneven = make_matrix("like:Si41Ge41H72"), *even = make_matrix("even:10000,10000,81");
    assert_true(busy_places(uneven, 256, 8) < 0.8);
    assert_true(busy_places(uneven, 64, 8) > 0.95);
    assert_true(busy_places(even, 256, 8) > 0.99);
    csr_free(uneven);
    csr_free(even);
}

#ifdef __SIMT__
static simt_counts_t detail(const char *id, const char *recipe, int lanes)
{
    simt_counts_t c;
    counts(id, recipe, lanes, DTYPE_F32);
    simt_counts_get(&c);
    return c;
}

/* v9 starts no more blocks than the GPU holds; v15 puts a whole warp on the long row, v16 a whole block. */
TEST(test_lesson_grid_and_long_rows)
{
    device_pretend_sms(2);
    const simt_counts_t v8 = detail("v8", "diagonal:20000", 32), v9 = detail("v9", "diagonal:20000", 32);
    assert_int_equal(v8.blocks, 20000 / 8);
    assert_true(v9.blocks <= 2 * 8);
    device_pretend_sms(8);
    const simt_counts_t v14 = detail("v14", "one_dense_row:20000", 2), v15 = detail("v15", "one_dense_row:20000", 2);
    const simt_counts_t v16 = detail("v16", "one_dense_row:20000", 2);
    assert_true(v15.warp_work_max * 10 < v14.warp_work_max);
    assert_true(v16.warp_work_max * 2 < v15.warp_work_max);
    assert_true(v16.warp_work_max * 20 < v14.warp_work_max);
}
#endif

CHAPTER_TEST_MAIN("05_spmv_vector", NULL)
