/*
 * runner.c - the main of every practice exercise: runs its kernels on the simulator, checks the answers, and counts.
 *
 *     PROGRAM KIND FAMILY TURNS SIZE...     the last size is the one that is counted
 *
 * It writes the results to descriptor 3 for attempt.c, one per line:
 *     count LAUNCH NAME VALUE       LAUNCH is - or, of two kernels, a or b
 *     bad TEXT                      the first mistake; each line of a report begins with `bad`
 *     end                           the program ended regularly
 */
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data.h"
#include "device.h"
#include "simt.h"

#pragma weak launch
#pragma weak launch_a
#pragma weak launch_b

enum { RESULTS = 3, SECONDS = 10, STEPS = 3000000, SERIAL_WORK = 256 };

static FILE *results;

static void say_bad(const char *text)
{
    while (*text) {
        const int length = (int)strcspn(text, "\n");
        fprintf(results, "bad %.*s\n", length, text);
        text += length + (text[length] == '\n');
    }
}

static void say_count(const char *launch_name, const char *name, double value)
{
    fprintf(results, "count %s %s %.6g\n", launch_name, name, value);
}

static void say_counts(const char *launch_name, const simt_counts_t *c)
{
    say_count(launch_name, "ld_sectors", (double)c->ld_sectors);
    say_count(launch_name, "ld_requests", (double)c->ld_requests);
    say_count(launch_name, "st_sectors", (double)c->st_sectors);
    say_count(launch_name, "st_requests", (double)c->st_requests);
    say_count(launch_name, "wavefronts", (double)(c->sh_ld_wavefronts + c->sh_st_wavefronts));
    say_count(launch_name, "atomics", (double)c->atomic_requests);
    say_count(launch_name, "atomic_lanes", (double)c->atomic_lanes);
    say_count(launch_name, "shared_atomics", (double)c->sh_atomic_requests);
    say_count(launch_name, "lanes", c->active_lanes);
    say_count(launch_name, "max_warp", c->warp_work_mean > 0 ? (double)c->warp_work_max / c->warp_work_mean : 0);
    say_count(launch_name, "warp_work", (double)c->warp_work_max);
    say_count(launch_name, "launches", (double)c->launches);
    say_count(launch_name, "blocks", (double)c->blocks);
    say_count(launch_name, "threads", (double)c->threads);
}

/* Refuses answers that were not computed on the GPU, and kernels in which one warp does all work. */
static int check_work(const data_t *d, const simt_counts_t *c, err_t *err)
{
    if (32 * (double)c->ld_sectors < 0.9 * d->input_bytes)
        return err_set(err, "the kernels read %.0f of the %.0f bytes of input: read all of it",
                       32 * (double)c->ld_sectors, d->input_bytes);
    const double work = c->warp_work_mean * (double)c->warps;
    if (d->expected && work > SERIAL_WORK && 2 * (double)c->warp_work_max > work)
        return err_set(err, "one warp does more than half of the work: share it among threads");
    return 0;
}

/* Runs one case, in the natural order of threads (counted) and in another order. */
static int run_case(void (*launched)(const practice_t *), const char *name, const data_t *d, bool counted, err_t *err)
{
    for (uint64_t order = 0; order < 2; ++order) {
        simt_counts_t counts;
        if (data_prepare(d, err)) return -1;
        simt_forget_contents(d->on_gpu.out, d->out_count * sizeof(float));
        simt_set_seed(order);
        simt_counts_reset();
        simt_set_counting(1);
        launched(&d->on_gpu);
        if (device_sync(err)) return -1;
        simt_counts_get(&counts);
        if (data_check(d, err)) return -1;
        if (order == 0 && counted && check_work(d, &counts, err)) return -1;
        if (order == 0 && counted) say_counts(name, &counts);
    }
    return 0;
}

static int run_kernel(void (*launched)(const practice_t *), const char *name, const char *family, int sizes,
                      char **size)
{
    err_t err = {{0}};
    if (!launched) {
        say_bad("the file has no launch function: copy it from the exercise (make practice AGAIN=yes)");
        return -1;
    }
    for (int i = 0; i < sizes; ++i) {
        data_t d = {0};
        char where[200], words[160];
        const bool made = !data_open(&d, family, size[i], 42 + (uint64_t)i, &err);
        const int failed = made ? run_case(launched, name, &d, i == sizes - 1, &err) : -1;
        data_close(&d);
        if (failed) {
            say_bad(err.text);
            data_words(family, size[i], words, sizeof words);
            snprintf(where, sizeof where, "  with %s%s%s", words, *name == '-' ? "" : ", kernel ",
                     *name == '-' ? "" : name);
            say_bad(where);
            return -1;
        }
    }
    return 0;
}

static void too_late(int signal)
{
    (void)signal;
    static const char text[] = "bad it did not end within 10 seconds\n";
    if (write(RESULTS, text, sizeof text - 1) < 0) _exit(4);
    _exit(3);
}

int main(int argc, char **argv)
{
    device_facts_t facts;
    err_t err;
    results = fdopen(RESULTS, "w");
    if (argc < 5 || !results) {
        fprintf(stderr, "the program of a practice exercise: make practice calls it\n");
        return 64;
    }
    setvbuf(results, NULL, _IOLBF, BUFSIZ);
    signal(SIGALRM, too_late);
    alarm(SECONDS);
    if (device_open(&facts, &err)) {
        say_bad(err.text);
        return 1;
    }
    simt_set_workers(1); /* the same counts on any machine */
    simt_set_turns(!strcmp(argv[3], "turns"));
    simt_set_step_limit(STEPS);
    int failed = 0;
    if (strcmp(argv[1], "choose") != 0) {
        failed = run_kernel(launch, "-", argv[2], argc - 4, argv + 4);
    } else {
        failed = run_kernel(launch_a, "a", argv[2], argc - 4, argv + 4) ||
                 run_kernel(launch_b, "b", argv[2], argc - 4, argv + 4);
    }
    if (!failed) fprintf(results, "end\n");
    return failed ? 1 : 0;
}
