/* 01_reduce - command line to problems. */
#include "reduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run_size(harness_t *h, const options_t *o, size_t n, dtype_t dtype, bool cpu, bool gpu)
{
    err_t err;
    problem_t p;
    const reduce_spec_t spec = {.n = n, .dtype = dtype, .seed = o->seed, .exact = o->exact, .cpu = cpu, .gpu = gpu};
    if (reduce_open(&p, &spec, &err)) {
        fprintf(stderr, "01_reduce: n=%zu: %s\n", n, err.text);
        exit(EXIT_BAD_INPUT);
    }
    harness_run(h, &p);
    reduce_close(&p);
}

int main(int argc, char **argv)
{
    options_t o;
    cli_parse(&o, argc, argv, REDUCE.doc, NULL, NULL);
    cli_refuse_unused(&o, "01_reduce", CLI_SIZE | CLI_SWEEP | CLI_FLOATS, 0);

    harness_t *h = harness_open(&REDUCE, &o);
    const bool gpu = strcmp(device_backend(), "cuda") == 0;
    for (dtype_t t = DTYPE_F32; t <= DTYPE_F64; ++t) {
        if (o.dtype_set && t != o.dtype) continue;
        if (o.sweep) { /* powers of two up to 1 GiB of floats, and some that do not divide */
            for (size_t n = 1u << 10; n <= (gpu ? (size_t)1 << 28 : (size_t)1 << 18); n *= 4) {
                run_size(h, &o, n, t, true, true);
                run_size(h, &o, 2 * n + 1, t, true, true);
            }
        } else if (o.size || gpu) { /* larger than any L2: 256 MiB of floats */
            run_size(h, &o, o.size ? o.size : (size_t)1 << 26, t, true, true);
        } else { /* the simulator counts a small case; the CPU rows are timed on a large one */
            run_size(h, &o, 1u << 24, t, true, false);
            run_size(h, &o, 1u << 18, t, false, true);
        }
    }
    return harness_close(h);
}
