/* test_topic.c - tests every step at every awkward size, and mutants that must be rejected. */
#include "tests/chapter_test.h"

#include "topic.h"

#define MUTANT_ARGS TOPIC_ARGS
#include "tests/mutants.h"

static void open_n(problem_t *p, size_t n)
{
    err_t err = {{0}};
    if (topic_open(p, n, 7 + n, &err)) fail_msg("n=%zu: %s", n, err.text);
}

TEST(test_steps)
{
    static const size_t SIZES[] = {0, 1, 31, 32, 33, 255, 256, 257, 1000, 99991};
    for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; ++k) {
        problem_t p;
        open_n(&p, SIZES[k]);
        check_steps(&TOPIC, &p, NULL, "");
        topic_close(&p);
    }
}

/* ---- mutants ----------------------------------------------------------------------------------- */

static void open_case(problem_t *p, const char *on) { open_n(p, strtoul(on, NULL, 10)); }

static int run_mutant(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const topic_data_t *data = p->data;
    (void)s, (void)state;
    return device_ok(mutant->run(data->d_x, data->n, out, 0), "mutant", err);
}

TEST(test_mutants)
{
    static const mutant_ops_t OPS = {open_case, topic_close, {.run = run_mutant}};
    check_mutants(&TOPIC, &OPS, NULL);
}
TEST(test_mutant_of_every_step) { check_mutant_of_every_step(&TOPIC); }

CHAPTER_TEST_MAIN("00_topic", NULL)
