/*
 * mutants.h - the steps of a chapter with one thing broken each: the real step must pass its mutant's case, the mutant
 * must fail it, and no step is without a mutant.  mutants.awk makes them of the chapter's test_mutants.txt.
 *
 *     #define MUTANT_ARGS REDUCE_ARGS
 *     #include "tests/mutants.h"
 */
#ifndef COURSE_TESTS_MUTANTS_H
#define COURSE_TESTS_MUTANTS_H

#include "tests/chapter_test.h"

#define MUTANT_PLAN(number)
#define MUTANT(number, step, name, on, only_simt, word, run) cudaError_t run(MUTANT_ARGS);
#include "mutants.inc"
#undef MUTANT
#define MUTANT(number, step, name, on, only_simt, word, run) {number, step, name, on, only_simt, word, run},
typedef struct mutant {
    int number;
    const char *step, *name, *on; /* the step, what is broken, the case that shows it */
    bool only_simt;               /* not on a GPU, which could be lost or lucky */
    const char *word;             /* of the simulator's report; "" is any */
    cudaError_t (*run)(MUTANT_ARGS);
} mutant_t;
static const mutant_t MUTANTS[] = {
#include "mutants.inc"
};
#undef MUTANT
#undef MUTANT_PLAN
enum { MUTANT_COUNT = sizeof MUTANTS / sizeof *MUTANTS };

/* The mutant that is tried, for the operations below. */
static const mutant_t *mutant;

/* What the chapter's test does for a mutant. */
typedef struct mutant_ops {
    void (*open)(problem_t *p, const char *on); /* the problem of a case; fails the test if there is none */
    void (*close)(problem_t *p);
    step_ops_t instead; /* run, and what else is not as in the step */
} mutant_ops_t;

/* 0, or -1 and why not. */
static inline int try_mutant(const step_t *real, const problem_t *p, const mutant_ops_t *ops, err_t *err)
{
    step_ops_t broken = *real->ops;
    step_t step = *real;
    double unused;
    step.ops = &broken;
    broken.run = ops->instead.run;
    if (ops->instead.setup) broken.setup = ops->instead.setup, broken.teardown = ops->instead.teardown;
    return harness_check(&step, p, &unused, err);
}

/* All of them but those of steps that `leave_out` names; NULL leaves out none.  Fails the test with all it found. */
static inline void check_mutants(const chapter_t *c, const mutant_ops_t *ops, bool (*leave_out)(const step_t *))
{
    int wrong = 0;
    for (mutant = MUTANTS; mutant < MUTANTS + MUTANT_COUNT; ++mutant) {
        err_t err = {{0}};
        problem_t p;
        double unused;
        const step_t *s = step_named(c, mutant->step);
        if ((leave_out && leave_out(s)) || (mutant->only_simt && on_gpu())) continue;
        ops->open(&p, mutant->on);
        if (refusal(s, &p)) {
            print_message("%s: the step refuses %s\n", mutant->name, mutant->on), ++wrong;
        } else if (harness_check(s, &p, &unused, &err)) {
            print_message("%s: the step itself fails on %s: %s\n", mutant->name, mutant->on, err.text), ++wrong;
        } else if (!try_mutant(s, &p, ops, &err)) {
            print_message("%s: was accepted on %s\n", mutant->name, mutant->on), ++wrong;
        } else if (!on_gpu() && !strstr(err.text, mutant->word)) {
            print_message("%s: no \"%s\" in: %s\n", mutant->name, mutant->word, err.text), ++wrong;
        } else if (getenv("VERBOSE")) {
            print_message("%s\n    %s\n", mutant->name, err.text);
        }
        ops->close(&p);
    }
    if (wrong) fail_msg("%d of %d mutants", wrong, MUTANT_COUNT);
}

/* Every step, v1 and so on, has a mutant; one with other lanes (v3/8) is the same step. */
static inline void check_mutant_of_every_step(const chapter_t *c)
{
    const step_t *s;
    for (size_t i = 0; (s = c->step(i)); ++i) {
        size_t k = 0;
        if (s->kind != STEP_GPU || s->id[0] != 'v' || strchr(s->id, '/')) continue;
        while (k < MUTANT_COUNT && strcmp(MUTANTS[k].step, s->id)) ++k;
        if (k == MUTANT_COUNT) fail_msg("no mutant of %s in test_mutants.txt", s->id);
    }
}

#endif
