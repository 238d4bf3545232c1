/* test_predict.c - the model of a GPU on ways that can be worked out by hand, and GPUs that are wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit.h"
#include "limiter.h"

/* A kernel of at most a few warps, all with the same steps. */
enum { MOST = 4096 };
static simt_step_t steps[64];
static uint32_t sectors[MOST * 64];
static simt_warp_way_t warps[MOST];
static site_facts_t facts[8];
static const simt_site_t SITES[8] = {{"toy.cu", 1}};
static const kernel_facts_t KERNEL = {.known = 1, .registers = 32, .length = 100, .sites = facts};
static gpu_t gpu;
static err_t err;

FIXTURE(setup)
{
    assert_int_equal(gpu_read(&gpu, "h200", &err), 0);
    for (int i = 0; i < 8; ++i) facts[i] = (site_facts_t){.instructions = 1, .copies = 1};
    return 0;
}

static simt_step_t step(simt_step_kind_t kind, int site, int units, int after)
{
    return (simt_step_t){.site = (uint16_t)site, .kind = (uint8_t)kind, .lanes = 32, .units = (uint8_t)units,
                         .after = (uint8_t)after, .bytes = 4};
}

/* n steps by `count` warps in blocks of `per_block`; each warp has sectors of its own, `stride` apart. */
static replay_t run(int n, uint32_t count, unsigned per_block, uint32_t stride, bool queues)
{
    uint32_t each = 0;
    replay_t r;
    for (int i = 0; i < n; ++i) each += steps[i].kind <= SIMT_ATOMIC ? steps[i].units : 0;
    for (uint32_t w = 0; w < count; ++w) {
        for (uint32_t i = 0; i < each; ++i) sectors[w * each + i] = (w * each + i) * stride;
        warps[w] = (simt_warp_way_t){steps, &sectors[w * each], (size_t)n};
    }
    const simt_way_t way = {.kernel = "toy", .symbol = "toy", .blocks = count / per_block, .threads = 32 * per_block,
                            .warps = per_block, .warp = warps, .sites = SITES, .n_sites = 8};
    if (replay_run(&r, &gpu, &way, &KERNEL, queues, 0, &err)) fail_msg("%s", err.text);
    return r;
}

TEST_IN(one_load_and_two, setup, NULL)
{
    steps[0] = step(SIMT_LOAD, 0, 1, 0);
    const double one = run(1, 1, 1, 100, true).cycles;
    assert_true(one > gpu.dram_cycles + gpu.block_cycles && one < gpu.dram_cycles + gpu.block_cycles + 30);
    steps[1] = step(SIMT_LOAD, 1, 1, 0);    /* together */
    assert_true(run(2, 1, 1, 100, true).cycles < one + 30);
    steps[1] = step(SIMT_LOAD, 1, 1, 1);    /* one after the other: its address was loaded */
    assert_true(run(2, 1, 1, 100, true).cycles > one + gpu.dram_cycles);
}

TEST_IN(loops_and_copies, setup, NULL)
{
    for (int i = 0; i < 8; ++i) steps[i] = step(SIMT_LOAD, 0, 1, 0);
    const double rounds = run(8, 1, 1, 100, true).cycles;
    assert_true(rounds > 8 * gpu.dram_cycles);
    assert_int_equal(run(8, 1, 1, 100, true).rounds_max, 7);
    facts[0].copies = 8;
    assert_true(run(8, 1, 1, 100, true).cycles < 2 * gpu.dram_cycles);
}

TEST_IN(caches_help, setup, NULL)
{
    for (int i = 0; i < 4; ++i) steps[i] = step(SIMT_LOAD, i, 1, i > 0); /* four places of one line, dependent */
    const double near = run(4, 1, 1, 0, true).cycles, far = run(4, 1, 1, 100, true).cycles;
    assert_true(near < gpu.block_cycles + gpu.dram_cycles + 4 * (gpu.l1_cycles + 10));
    assert_true(far > 4 * gpu.dram_cycles);
}

TEST_IN(dram_is_a_queue, setup, NULL)
{
    for (int i = 0; i < 16; ++i) steps[i] = step(SIMT_LOAD, i % 8, 4, 0);
    for (int i = 0; i < 8; ++i) facts[i].copies = 16;
    const replay_t queued = run(16, MOST, 8, 1, true), alone = run(16, MOST, 8, 1, false);
    const double bytes = 16.0 * 4 * 32 * MOST, least = bytes / gpu.dram_gbps * gpu.clock_ghz;
    assert_true(queued.cycles > least);
    assert_true(queued.cycles < 1.6 * least);
    assert_true(alone.cycles < queued.cycles);
    assert_true(fabs(queued.busy[AT_DRAM] - least) < 0.01 * least);
}

TEST_IN(barriers_wait, setup, NULL)
{
    steps[0] = step(SIMT_LOAD, 0, 1, 0);
    steps[1] = step(SIMT_SHARED_STORE, 1, 1, 0);
    steps[2] = step(SIMT_BARRIER, 2, 0, 0);
    steps[3] = step(SIMT_LOAD, 3, 1, 0);
    assert_true(run(4, 8, 8, 100, true).cycles > 2 * gpu.dram_cycles);
}

TEST_IN(atomics_meet, setup, NULL)
{
    steps[0] = step(SIMT_ATOMIC, 0, 1, 0);
    const double one = run(1, 64, 1, 0, true).cycles, many = run(1, 64, 1, 100, true).cycles;
    assert_true(one > many + 32 * 63 * gpu.clock_ghz / gpu.atomic_gops * 0.9);
}

TEST_IN(registers_limit, setup, NULL)
{
    kernel_facts_t heavy = KERNEL;
    replay_t r;
    steps[0] = step(SIMT_LOAD, 0, 1, 0);
    assert_int_equal(run(1, 64, 8, 100, true).blocks_per_sm, 8);
    heavy.registers = 48; /* 48 * 256 * 5 of 65536 */
    const simt_way_t way = {.kernel = "toy", .symbol = "toy", .blocks = 8, .threads = 256, .warps = 8, .warp = warps,
                            .sites = SITES, .n_sites = 8};
    assert_int_equal(replay_run(&r, &gpu, &way, &heavy, true, 0, &err), 0);
    assert_int_equal(r.blocks_per_sm, 5);
    heavy.registers = 512;
    assert_int_equal(replay_run(&r, &gpu, &way, &heavy, true, 0, &err), -1);
    assert_non_null(strstr(err.text, "does not fit"));
}

/* Twelve tickets, all drawn by the first warp on the simulator: on a GPU all warps draw. */
TEST_IN(tickets_are_shared, setup, NULL)
{
    enum { ROUNDS = 12 };
    for (int i = 0; i < ROUNDS; ++i) {
        steps[3 * i] = step(SIMT_ATOMIC, 0, 1, 0);
        steps[3 * i + 1] = step(SIMT_WARP_OP, 1, 0, 0);
        steps[3 * i + 2] = step(SIMT_LOAD, 2, 1, 0);
    }
    steps[3 * ROUNDS] = step(SIMT_ATOMIC, 0, 1, 0);
    steps[3 * ROUNDS + 1] = step(SIMT_WARP_OP, 1, 0, 0);
    for (uint32_t i = 0; i < MOST; ++i) sectors[i] = i % 2 ? 1000 + 100 * i : 0;
    facts[0].returns = 1;
    const simt_step_t none[] = {steps[0], steps[1]};
    for (int w = 0; w < ROUNDS; ++w) warps[w] = (simt_warp_way_t){none, sectors, 2};
    warps[0] = (simt_warp_way_t){steps, sectors, 3 * ROUNDS + 2};
    const simt_way_t way = {.kernel = "toy", .symbol = "toy", .blocks = ROUNDS, .threads = 32, .warps = 1,
            .warp = warps,
                            .sites = SITES, .n_sites = 8};
    replay_t shared, alone;
    assert_int_equal(replay_run(&shared, &gpu, &way, &KERNEL, true, 0, &err), 0);
    facts[0].returns = 0; /* planted: not seen as tickets, the first warp does it all */
    assert_int_equal(replay_run(&alone, &gpu, &way, &KERNEL, true, 0, &err), 0);
    assert_int_equal(shared.steps, alone.steps);
    assert_true(shared.cycles < 0.4 * alone.cycles);
}

TEST_IN(same_again, setup, NULL)
{
    for (int i = 0; i < 16; ++i) steps[i] = step(i % 3 == 2 ? SIMT_STORE : SIMT_LOAD, i % 8, 3, 0);
    const replay_t a = run(16, 1024, 8, 7, true), b = run(16, 1024, 8, 7, true);
    assert_memory_equal(&a, &b, sizeof a);
}

/* ---- words ------------------------------------------------------------------------------------ */

TEST_IN(words, setup, NULL)
{
    char text[160];
    limiter_t second;
    prediction_t p = {.us = 10, .launch_us = 3, .replay_us = 7, .latency_us = 6.8, .launches = 1};
    p.most = (replay_t){.cycles = 1000, .warps_per_sm = 12, .rounds_max = 20, .rounds_mean = 19};
    limiter_words(&p, &gpu, text, sizeof text);
    assert_string_equal(text, "waiting: 20 rounds of loads one after another, 12 warps per SM (grid too small)");
    p.latency_us = 3;
    p.most.busy[AT_L2] = 780;
    limiter_words(&p, &gpu, text, sizeof text);
    assert_string_equal(text, "bound by L2 sectors (78 %)");
    assert_int_equal(limiter_of(&p, &second), LIMIT_L2);
    assert_int_equal(second, LIMIT_NONE);
    p.most.busy[AT_ISSUE] = 700;
    limiter_words(&p, &gpu, text, sizeof text);
    assert_string_equal(text, "L2 sectors (78 %) and issuing instructions (70 %) about equal");
    p.launch_us = 8;
    p.launches = 3;
    limiter_words(&p, &gpu, text, sizeof text);
    assert_string_equal(text, "launch-bound: 3 launches");
    assert_string_equal(limiter_page(LIMIT_DRAM), "02_memcpy_vectorized.md");
    p.us = NAN;
    snprintf(p.why, sizeof p.why, "not modelled: for a test");
    limiter_words(&p, &gpu, text, sizeof text);
    assert_string_equal(text, "not modelled: for a test");
}

/* ---- GPUs ------------------------------------------------------------------------------------ */

TEST_IN(gpus_that_ship, setup, NULL)
{
    static const char *const NAMES[] = {"h200", "h100", "a100", "t4", "rtx4090"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; ++i) {
        assert_int_equal(gpu_read(&gpu, NAMES[i], &err), 0);
        assert_int_equal(gpu.checked, i == 0);
        assert_true(gpu.low < 1 && gpu.high > 1);
    }
}

/* The H200's description with one line changed. */
static void refused(const char *old, const char *new, const char *says)
{
    char path[] = "/tmp/test_predict_XXXXXX", line[512];
    FILE *from = fopen(PREDICT_FOLDER "/cards/h200.card", "r");
    const int fd = mkstemp(path);
    FILE *to = fdopen(fd, "w");
    assert_non_null(from);
    while (fgets(line, sizeof line, from)) fputs(strncmp(line, old, strlen(old)) == 0 ? new : line, to);
    fclose(from);
    fclose(to);
    gpu_t c;
    const int failed = gpu_read(&c, path, &err);
    unlink(path);
    if (!says) {
        assert_int_equal(failed, 0);
        return;
    }
    assert_int_equal(failed, -1);
    if (!strstr(err.text, says)) fail_msg("\"%s\" does not say \"%s\"", err.text, says);
}

TEST_IN(gpus_that_are_wrong, setup, NULL)
{
    refused("sms", "sms 132\n", NULL);
    refused("sms", "", "the line for sms is missing");
    refused("sms", "sms\n", "sms has no value");
    refused("sms", "sms 0\n", "1 to 1024 SMs");
    refused("sms", "sms many\n", "must be a number");
    refused("sms", "sms -3\n", "must be a number");
    refused("sms", "sms nan\n", "must be a number");
    refused("l2_mb", "sms 132\n", "is given twice");
    refused("l2_mb", "l2_size 50\n", "not a key of a GPU description");
    assert_int_equal(gpu_read(&gpu, "b9000", &err), -1);
    assert_non_null(strstr(err.text, "cannot read"));
}

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
