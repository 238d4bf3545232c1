/* 02_memcpy_vectorized - command line to problems. */
#include "copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the options of this chapter ----------------------------------------------------------------- */

typedef struct copy_options {
    size_t unit_bytes; /* 0: the chapter's */
    size_t misalign_from, misalign_to;
    bool alignments;
} copy_options_t;

enum { OPT_UNIT = 2000, OPT_FROM, OPT_TO, OPT_ALIGNMENTS };

static const struct argp_option OPTIONS[] = {
    {"unit", OPT_UNIT, "BYTES", 0,
     "Size of one unit, 1, 2, 4 or 8 bytes; --size counts units (default: all four, or 4)", 0},
    {"misalign-from", OPT_FROM, "K", 0, "The source starts K bytes past an aligned address, 0 to 255", 0},
    {"misalign-to", OPT_TO, "K", 0, "The target starts K bytes past an aligned address, 0 to 255", 0},
    {"alignments", OPT_ALIGNMENTS, 0, 0, "The table over alignments of source and target", 0},
    {0},
};

static size_t number(struct argp_state *state, const char *option, const char *text, size_t most)
{
    err_t err;
    size_t value = 0;
    if (cli_parse_size(text, &value, &err) || value > most)
        argp_error(state, "--%s: \"%s\" is not a whole number from 0 to %zu", option, text, most);
    return value;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    copy_options_t *o = state->input;
    switch (key) {
    case OPT_UNIT:
        o->unit_bytes = number(state, "unit", arg, 8);
        if (o->unit_bytes == 0 || (o->unit_bytes & (o->unit_bytes - 1)))
            argp_error(state, "--unit: \"%s\" is not 1, 2, 4 or 8", arg);
        return 0;
    case OPT_FROM: o->misalign_from = number(state, "misalign-from", arg, 255); return 0;
    case OPT_TO: o->misalign_to = number(state, "misalign-to", arg, 255); return 0;
    case OPT_ALIGNMENTS: o->alignments = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the runs --------------------------------------------------------------------------------- */

static void run_copy(harness_t *h, const copy_spec_t *spec)
{
    err_t err;
    problem_t p;
    if (copy_open(&p, spec, &err)) {
        fprintf(stderr, "02_memcpy_vectorized: %zu bytes: %s\n", spec->bytes, err.text);
        exit(EXIT_BAD_INPUT);
    }
    harness_run(h, &p);
    copy_close(&p);
}

/* The classic table: cubes of units of 1, 2, 4 and 8 bytes. */
static void run_table(harness_t *h, copy_spec_t spec, size_t only_unit, const size_t *sides, size_t count, bool cpu,
                      bool gpu)
{
    enum { LARGE_FOR_A_CORE = 1 << 27 }; /* copying a gigabyte byte by byte would take seconds */
    char name[64];
    spec.name = name;
    for (size_t i = 0; i < count; ++i)
        for (size_t unit = 1; unit <= 8; unit *= 2) {
            if (only_unit && unit != only_unit) continue;
            snprintf(name, sizeof name, "%zu^3x%zu", sides[i], unit);
            spec.unit_bytes = unit;
            spec.bytes = sides[i] * sides[i] * sides[i] * unit;
            spec.cpu = cpu && spec.bytes <= LARGE_FOR_A_CORE;
            spec.gpu = gpu;
            if (spec.cpu || spec.gpu) run_copy(h, &spec);
        }
}

/* Bytes from 1 KiB to 4 GiB, and some that do not divide. */
static void run_sweep(harness_t *h, copy_spec_t spec, bool gpu)
{
    char name[64];
    spec.name = name;
    for (size_t bytes = 1u << 10; bytes <= (gpu ? (size_t)1 << 32 : (size_t)1 << 20); bytes *= 4)
        for (int odd = 0; odd < (bytes < (size_t)1 << 32 ? 2 : 1); ++odd) {
            spec.bytes = odd ? 2 * bytes + 1 : bytes;
            snprintf(name, sizeof name, "bytes=%zu", spec.bytes);
            spec.cpu = !odd && spec.bytes < (size_t)1 << 30;
            run_copy(h, &spec);
        }
}

static void run_alignments(harness_t *h, copy_spec_t spec, bool gpu)
{
    static const struct { size_t from, to; } PAIRS[] = {
        {0, 0}, {8, 8}, {1, 1}, {8, 0}, {4, 0}, {2, 0}, {1, 0}, {0, 8}, {0, 4}, {0, 2}, {0, 1}, {3, 7}, {15, 1},
    };
    char name[64];
    spec.name = name;
    spec.cpu = false;
    if (spec.bytes == 0) spec.bytes = gpu ? (size_t)1 << 28 : (size_t)1 << 18;
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; ++i) {
        spec.misalign_from = PAIRS[i].from;
        spec.misalign_to = PAIRS[i].to;
        snprintf(name, sizeof name, "from+%zu/to+%zu", spec.misalign_from, spec.misalign_to);
        run_copy(h, &spec);
    }
}

int main(int argc, char **argv)
{
    options_t o;
    copy_options_t c = {0};
    const struct argp extra = {.options = OPTIONS, .parser = parse};
    cli_parse(&o, argc, argv, MEMCPY.doc, &extra, &c);
    cli_refuse_unused(&o, "02_memcpy_vectorized", CLI_SIZE | CLI_SWEEP, 0);

    copy_spec_t spec = {.unit_bytes = c.unit_bytes ? c.unit_bytes : 4, .misalign_from = c.misalign_from,
                        .misalign_to = c.misalign_to, .seed = o.seed, .cpu = true, .gpu = true};
    if (o.size > SIZE_MAX / 4 / spec.unit_bytes) {
        fprintf(stderr, "02_memcpy_vectorized: --size %zu: units of %zu bytes do not fit in memory\n", o.size,
                spec.unit_bytes);
        return 64;
    }
    spec.bytes = o.size * spec.unit_bytes;

    harness_t *h = harness_open(&MEMCPY, &o);
    const bool gpu = strcmp(device_backend(), "cuda") == 0, misaligned = c.misalign_from || c.misalign_to;
    if (c.alignments) {
        run_alignments(h, spec, gpu);
    } else if (o.sweep) {
        run_sweep(h, spec, gpu);
    } else if (o.size || misaligned) {
        if (!o.size) spec.bytes = gpu ? (size_t)1 << 28 : (size_t)1 << 18;
        run_copy(h, &spec);
    } else if (gpu) {
        run_table(h, spec, c.unit_bytes, (const size_t[]){64, 128, 512}, 3, true, true);
    } else { /* the simulator counts the small cells; the CPU rows are timed on two larger ones */
        run_table(h, spec, c.unit_bytes ? c.unit_bytes : 8, (const size_t[]){128}, 1, true, false);
        if (!c.unit_bytes) run_table(h, spec, 1, (const size_t[]){512}, 1, true, false);
        run_table(h, spec, c.unit_bytes, (const size_t[]){64}, 1, false, true);
    }
    return harness_close(h);
}
