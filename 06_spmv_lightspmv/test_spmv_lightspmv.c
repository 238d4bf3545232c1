/* test_spmv_lightspmv.c - every step on every awkward matrix, mutants that must be rejected, the lessons in counts. */
#include "tests/spmv_battery.h"

#include <unistd.h>

#include "spmv_lightspmv.h"

#define MUTANT_ARGS SPMV_LIGHTSPMV_ARGS
#include "tests/mutants.h"

TEST(test_types_and_alignments)
{
    check_types_and_alignments(&SPMV_LIGHTSPMV, is_variant);
}
TEST(test_infinite_x) { check_infinite_x(&SPMV_LIGHTSPMV, NULL); }
TEST(test_deterministic) { check_deterministic(&SPMV_LIGHTSPMV, NULL); }

TEST(test_64_bit_offsets)
{
    static const char *const SOME[] = {"empty:0,0", "empty:17,19", "dense:33,31", "empty_rows:100,7",
                                       "powerlaw:300,300,4000", "one_dense_row:5000"};
    for (size_t i = 0; i < sizeof SOME / sizeof *SOME; ++i)
        for (dtype_t t = DTYPE_F32; t <= DTYPE_F64; ++t)
            for (size_t m = 0; m < 2; ++m)
                check_recipe(&SPMV_LIGHTSPMV, SOME[i],
                             (spmv_spec_t){.dtype = t, .offset_bits = 64, .misalign = m}, NULL);
}

/* --lanes, on rows shorter and longer than any of them. */
TEST(test_lanes)
{
    for (int lanes = 1; lanes <= 32; lanes *= 2) {
        const spmv_lightspmv_options_t options = {.lanes = lanes};
        const spmv_spec_t fp32 = {.dtype = DTYPE_F32, .options = &options},
                          fp64 = {.dtype = DTYPE_F64, .options = &options};
        check_recipe(&SPMV_LIGHTSPMV, "powerlaw:300,300,4000", fp32, is_variant);
        check_recipe(&SPMV_LIGHTSPMV, "one_dense_row:3000", fp64, is_variant);
    }
}

TEST(test_row_counts)
{
    check_row_counts(&SPMV_LIGHTSPMV, is_variant);
    device_configure(false, 0); /* many rows: more than one round of any grid */
    check_recipe(&SPMV_LIGHTSPMV, "diagonal:99991", (spmv_spec_t){.dtype = DTYPE_F32, .exact = true}, is_variant);
    check_recipe(&SPMV_LIGHTSPMV, "random:70000,70000,3000", (spmv_spec_t){.dtype = DTYPE_F32}, is_variant);
    device_configure(true, 0);
}

TEST(test_offsets_beyond_32_bits) { check_far_offsets(&SPMV_LIGHTSPMV); }

/* From v8 on the counter is zero after the call, whatever the number of rows; v2, v4, v6 and v7 take it as it is. */
TEST(test_counter)
{
    static const char *const SOME[] = {"empty:0,0", "diagonal:1", "diagonal:257", "even:3000,50,3", "diagonal:20011"};
    static const char *const RESET[] = {"v8", "v9", "v10", "v11", "v12", "v13"}, *const ZERO[] = {"v2", "v4", "v6",
                                                                                                  "v7"};
    err_t err = {{0}};
    device_configure(false, 0);
    for (size_t m = 0; m < sizeof SOME / sizeof *SOME; ++m) {
        csr_t *A = make_matrix(SOME[m]);
        problem_t p = spmv_opened(A, (spmv_spec_t){.dtype = DTYPE_F32});
        void *d_y = device_alloc(p.out_bytes + 4, "y", &err), *y = malloc(p.out_bytes + 4);
        for (int resets = 0; resets < 2; ++resets)
            for (size_t i = 0; i < (resets ? 6 : 4); ++i) {
                const step_t *s = step_named(&SPMV_LIGHTSPMV, resets ? RESET[i] : ZERO[i]);
                uint32_t word = resets ? 0 : 12345;
                double unused;
                void *d_counter = device_upload(&word, sizeof word, "counter", &err);
                for (int call = 0; call < 3; ++call) {
                    assert_int_equal(cudaMemset(d_y, 0xFF, p.out_bytes), 0);
                    if (s->ops->run(s, &p, d_counter, d_y, &err) || device_sync(&err))
                        fail_msg("%s: %s", s->id, err.text);
                    assert_int_equal(cudaMemcpy(y, d_y, p.out_bytes, cudaMemcpyDeviceToHost), 0);
                    if (s->ops->check(s, &p, y, &unused, &err))
                        fail_msg("%s on %s, call %d: %s", s->id, SOME[m], call, err.text);
                    assert_int_equal(cudaMemcpy(&word, d_counter, sizeof word, cudaMemcpyDeviceToHost), 0);
                    if (resets && word) fail_msg("%s on %s leaves %u in its counter", s->id, SOME[m], word);
                }
                device_free(d_counter);
            }
        free(y);
        device_free(d_y);
        spmv_problem_close(&p);
        csr_free(A);
    }
    device_configure(true, 0);
}

/* ---- the pieces on the host --------------------------------------------------------------------- */

TEST(test_rules)
{
    const lanes_rule_t *const rules[] = {LIGHTSPMV_LANES, PUBLISHED_LANES, RETUNED_LANES, RETUNED_LANES_4};
    for (int i = 0; i < 4; ++i) {
        int before = 1;
        for (double mean = 0; mean < 2000; mean = mean * 1.3 + 0.1) {
            const int lanes = lanes_by_rule(rules[i], mean);
            assert_true(lanes >= before && lanes <= 32 && (lanes & (lanes - 1)) == 0);
            before = lanes;
        }
    }
    static const double MEANS[] = {2, 2.1, 4, 4.1, 8, 8.1, 16.5, 33, 64, 65, 128, 129};
    static const int SOURCE[] = {2, 4, 4, 8, 8, 8, 8, 8, 8, 32, 32, 32},
                     HYBRID[] = {1, 1, 1, 1, 1, 2, 4, 8, 8, 16, 16, 32};
    for (int i = 0; i < 12; ++i) {
        assert_int_equal(lanes_by_rule(LIGHTSPMV_LANES, MEANS[i]), SOURCE[i]);
        assert_int_equal(lanes_by_rule(PUBLISHED_LANES, MEANS[i]), HYBRID[i]);
    }
}

/* Lanes never fall, even where a time says so, and a boundary lies between two means. */
TEST(test_tuned_rule)
{
    static const double MEANS[] = {1, 4, 16, 64}, COST[][TUNE_WIDTHS] = {
        {0, 1, 1, 1, 1, 1}, {1, 1, 0.1, 0, 1, 1}, {1, 1, 0, 0.3, 1, 1}, {1, 1, 1, 1, 1, 0}};
    lanes_rule_t rule[TUNE_WIDTHS];
    spmv_lightspmv_rule(MEANS, COST, 4, rule);
    assert_true(rule[0].lanes == 1 && rule[0].mean_up_to == 2);
    assert_true(rule[1].lanes == 4 && rule[1].mean_up_to == 32); /* 0.1 + 0 is less than 0 + 0.3 */
    assert_true(rule[2].lanes == 32 && isinf(rule[2].mean_up_to));
}

/* A made record: width 4 is best everywhere, and one is missing a time. */
TEST(test_tune_print)
{
    char path[] = "/tmp/test_tune.XXXXXX", text[4096];
    err_t err = {{0}};
    assert_true(close(mkstemp(path)) == 0);
    for (int broken = 0; broken < 2; ++broken) {
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fprintf(f, "# gpu: none\nstep\tcase\tdtype\tcold_us\n");
        char recipe[64];
        double mean;
        for (size_t i = 0; spmv_lightspmv_tune_recipe(i, recipe, &mean); ++i)
            for (int lanes = 1; lanes <= 32; lanes *= 2)
                for (int k = 0; k < 2; ++k) {
                    if (broken && i == 3 && lanes == 8) continue;
                    fprintf(f, "%s/%d\t%s\tfp64\t%d\n", k ? "v13" : "v11", lanes, recipe, lanes == 4 ? 10 : 20);
                }
        fclose(f);
        FILE *to = tmpfile();
        const int failed = spmv_lightspmv_tune_print(path, to, &err);
        assert_int_equal(failed, broken ? -1 : 0);
        if (!broken) {
            rewind(to);
            text[fread(text, 1, sizeof text - 1, to)] = 0;
            assert_non_null(strstr(text, "RETUNED_LANES[] = {{INFINITY, 4}};\n"));
            assert_non_null(strstr(text, "RETUNED_LANES_4[] = {{INFINITY, 4}};\n"));
            assert_non_null(strstr(text, "rows of 1: published 1, here 4 lanes: 2.00 x as fast"));
            assert_null(strstr(text, "rows of 17:")); /* the published table says 4 there */
        }
        fclose(to);
    }
    remove(path);
}

/* ---- mutants ----------------------------------------------------------------------------------- */

enum { MUTANT_LANES = 8 };

static void open_case(problem_t *p, const char *on)
{
    static const spmv_lightspmv_options_t OPTIONS = {.lanes = MUTANT_LANES};
    spmv_mutant_open(p, on, (spmv_spec_t){.dtype = DTYPE_F32, .options = &OPTIONS});
}

/* state: the counter, NULL with static scheduling. */
static int run_mutant(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const spmv_data_t *data = p->data;
    (void)s;
    return device_ok(mutant->run(&data->device, data->d_x, out, state, MUTANT_LANES, 0), "mutant", err);
}

TEST(test_mutants)
{
    static const mutant_ops_t OPS = {open_case, spmv_mutant_close, {.run = run_mutant}};
#ifdef __SIMT__
    simt_set_workers(1); /* several may draw the last number before a counter is put back too early, and be right */
#endif
    check_mutants(&SPMV_LIGHTSPMV, &OPS, NULL);
#ifdef __SIMT__
    simt_set_workers(0);
#endif
}
TEST(test_mutant_of_every_step) { check_mutant_of_every_step(&SPMV_LIGHTSPMV); }

/* ---- the lessons, in counts --------------------------------------------------------------------- */

#ifdef __SIMT__
static simt_counts_t counts(const char *id, const char *recipe, int lanes)
{
    const spmv_lightspmv_options_t options = {.lanes = lanes};
    simt_counts_t c;
    simt_set_turns(1);
    counts_of(&SPMV_LIGHTSPMV, id, recipe, DTYPE_F32, &options);
    simt_set_turns(0);
    simt_counts_get(&c);
    return c;
}

static double uneven(const simt_counts_t *c) { return (double)c->warp_work_max / c->warp_work_mean; }

/* Static or dynamic scheduling: the same rows, so the same loads and stores; only the atomics differ. */
TEST(test_lesson_same_loads)
{
    static const char *const ID[] = {"v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9"};
    device_pretend_sms(1);
    const simt_counts_t v1 = counts("v1", "rmat:11,16", 8);
    for (int i = 0; i < 8; ++i) {
        const simt_counts_t c = counts(ID[i], "rmat:11,16", 8);
        assert_int_equal(c.ld_requests, v1.ld_requests);
        assert_int_equal(c.ld_sectors, v1.ld_sectors);
        assert_int_equal(c.st_requests, v1.st_requests);
    }
}

/* Additions to the counter, as counted by hand: 2048 rows, 8 lanes, 64 warps in 2 blocks of 1024 or 8 of 256. */
TEST(test_lesson_atomics)
{
    enum { ROWS = 2048, LANES = 8, STRETCHES = ROWS * LANES / 32, WARPS = 64 };
    device_pretend_sms(1);
    assert_int_equal(counts("v1", "even:2048,500,12", LANES).atomic_requests, 0);
    assert_int_equal(counts("v3", "even:2048,500,12", LANES).atomic_requests, 0);
    assert_int_equal(counts("v5", "even:2048,500,12", LANES).atomic_requests, 0);
    const simt_counts_t v2 = counts("v2", "even:2048,500,12", LANES), v6 = counts("v6", "even:2048,500,12", LANES);
    assert_int_equal(v2.atomic_requests, STRETCHES + WARPS); /* of 32 / LANES additions each */
    assert_int_equal(v6.atomic_requests, STRETCHES + WARPS); /* of one */
    assert_true(v2.active_lanes > v6.active_lanes);
    assert_int_equal(counts("v4", "even:2048,500,12", LANES).atomic_requests, ROWS / (4 * 1024 / LANES) + 2);
    assert_int_equal(counts("v7", "even:2048,500,12", LANES).atomic_requests, STRETCHES + WARPS);
    assert_int_equal(counts("v8", "even:2048,500,12", LANES).atomic_requests, STRETCHES + WARPS + 1); /* the reset */
    assert_int_equal(counts("v9", "even:2048,500,12", LANES).atomic_requests, STRETCHES + 1);
    /* Rows for one round: no warp asks for more. */
    assert_int_equal(counts("v8", "even:256,500,12", LANES).atomic_requests, 64 + 64 + 1);
    assert_int_equal(counts("v9", "even:256,500,12", LANES).atomic_requests, 0);
    /* v13: a ticket of several stretches. */
    const simt_counts_t v12 = counts("v12", "even:20000,500,3", 8), v13 = counts("v13", "even:20000,500,3", 8);
    assert_int_equal(v12.atomic_requests, 20000 / 4 + 1);
    assert_true(v13.atomic_requests <= 64 * 8 && v13.atomic_requests >= 64 * 3);
    assert_int_equal(v12.ld_requests, v13.ld_requests);
}

/* A warp that asks gets at most its share, if no single row is larger than a share. */
TEST(test_lesson_balance)
{
    device_pretend_sms(1);
    const simt_counts_t v1 = counts("v1", "rmat:11,16", 8), v2 = counts("v2", "rmat:11,16", 8);
    const simt_counts_t v3 = counts("v3", "rmat:11,16", 8), v4 = counts("v4", "rmat:11,16", 8);
    const simt_counts_t v5 = counts("v5", "rmat:11,16", 8), v6 = counts("v6", "rmat:11,16", 8);
    assert_true(v5.warp_work_max == v1.warp_work_max); /* the same deal */
    assert_true(uneven(&v2) < 0.5 * uneven(&v1));
    assert_true(uneven(&v6) < 0.5 * uneven(&v5));
    assert_true(uneven(&v4) < uneven(&v3) && uneven(&v4) > uneven(&v6)); /* coarser lots balance less */
    const simt_counts_t even5 = counts("v5", "even:4096,500,20", 8), even6 = counts("v6", "even:4096,500,20", 8);
    assert_true(uneven(&even5) < 1.05 && uneven(&even6) < 1.05);
}

/* v7 starts what the rows need; the source's geometry what the GPU holds. */
TEST(test_lesson_geometry)
{
    device_pretend_sms(4);
    const simt_counts_t v6 = counts("v6", "even:300,500,12", 8), v7 = counts("v7", "even:300,500,12", 8);
    assert_int_equal(v6.blocks, 8);
    assert_int_equal(v6.warps, 8 * 32);
    assert_int_equal(v7.blocks, 10); /* of 32 vectors */
    assert_int_equal(v7.warps, 80);
    assert_int_equal(counts("v7", "even:30000,500,3", 8).blocks, 4 * 8);
    device_pretend_sms(1);
}

/* The model of balance.c against the kernels: exact for static scheduling, nearly for dynamic. */
TEST(test_model)
{
    static const char *const SOME[] = {"rmat:11,16", "even:3000,500,12", "one_dense_row:3000",
                                       "powerlaw:2000,2000,12000"};
    static const char *const ID[] = {"v3", "v4", "v5", "v6"};
    device_pretend_sms(1);
    for (size_t m = 0; m < sizeof SOME / sizeof *SOME; ++m) {
        csr_t *A = make_matrix(SOME[m]);
        for (int i = 0; i < 4; ++i) {
            const simt_counts_t c = counts(ID[i], SOME[m], 8);
            spmv_lightspmv_balance_t b;
            err_t err;
            assert_int_equal(spmv_lightspmv_balance(&b, A, 8, i < 2, i % 2, 1, &err), 0);
            const double off = b.warp_max_mean / uneven(&c) - 1;
            if (!(fabs(off) < (i == 0 || i == 2 ? 1e-9 : 0.15)))
                fail_msg("%s on %s: the model says %g, the kernel %g", ID[i], SOME[m], b.warp_max_mean, uneven(&c));
            assert_true(b.span >= b.warp_max_mean - 1e-9);
            if (i == 3) assert_int_equal(b.asked, c.atomic_requests);
            if (i == 1) assert_int_equal(b.asked, c.atomic_requests);
        }
        csr_free(A);
    }
}

/* One lane on a short row asks for a sector a lane; several share one.  Four in flight change no sector. */
TEST(test_lesson_lanes)
{
    device_pretend_sms(1);
    const simt_counts_t one = counts("v11", "band:4000,4", 1), eight = counts("v11", "band:4000,4", 8);
    assert_true(one.ld_sectors > eight.ld_sectors);
    assert_true(one.atomic_requests < eight.atomic_requests);
    const simt_counts_t v11 = counts("v11", "band:1000,41", 8), v12 = counts("v12", "band:1000,41", 8);
    assert_int_equal(v11.ld_sectors, v12.ld_sectors);
    assert_int_equal(v11.ld_requests, v12.ld_requests);
}
#endif

/* Small matrices go round more than once there, and blocks of 1024 are few. */
FIXTURE(small_gpu)
{
    device_pretend_sms(1);
    return 0;
}

CHAPTER_TEST_MAIN("06_spmv_lightspmv", small_gpu)
